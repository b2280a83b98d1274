"""The commands, one file each; a module holds its command under the name `command`."""
