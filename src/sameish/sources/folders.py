"""The files of a folder, in an order that is the same on every run."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path

from sameish.sources.inputs import cannot_be_read
from sameish.sources.job import Job


def files_below(folder: Path, job: Job) -> Iterator[Path]:
    """Yield the files of a folder and of all folders in it, each folder's entries sorted by name.

    Hidden entries are passed over. Symbolic links to folders are not followed, so there are no loops; links to files
    are. Folders that cannot be listed, dead links, pipes and devices are reported.
    """
    ahead = _entries(folder, job)  # a stack, not recursion: folders may lie deeper than calls can
    while ahead:
        entry = ahead.pop()
        if entry.name.startswith("."):
            continue
        if entry.is_dir(follow_symlinks=False):
            ahead += _entries(Path(entry), job)
        elif _is(entry.is_file):
            yield Path(entry)
        elif not _is(entry.is_dir):
            job.skip(entry.path, None, "not a regular file; skipped")


def _entries(folder: Path, job: Job) -> list[os.DirEntry[str]]:
    """Return the entries of a folder, the first by name at the end of the list."""
    try:
        with os.scandir(folder) as entries:
            return sorted(entries, key=lambda entry: entry.name, reverse=True)
    except OSError as error:
        job.on_skip(cannot_be_read(str(folder), error))
        return []


def _is(kind: Callable[[], bool]) -> bool:
    try:
        return kind()
    except OSError:  # a link in a circle
        return False
