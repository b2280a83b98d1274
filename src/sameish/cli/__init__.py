"""The command line: one file a command in `commands/`; beside it stands what they share.

A command parses, calls, prints and gives an exit code: 0 done, 1 the answer is no, 2 asked wrongly, 3 an input could not
be read.
"""
