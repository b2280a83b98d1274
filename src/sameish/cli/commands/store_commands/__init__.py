"""The commands of `sameish store`, one file each."""
