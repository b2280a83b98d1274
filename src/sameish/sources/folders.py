"""The files of a folder, in an order that is the same on every run."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from sameish.sources.inputs import cannot_be_read
from sameish.sources.job import Job


def files_below(folder: Path, job: Job) -> Iterator[Path]:
    """Yield the files of a folder and of all folders in it, each folder's entries sorted by name.

    Hidden entries are passed over. Symbolic links to folders are not followed, so there are no loops; links to files
    are. Folders that cannot be listed, dead links, pipes and devices are reported.
    """
    for entry in _entries(folder, job):
        path = Path(entry)
        if entry.name.startswith("."):
            continue
        if entry.is_dir(follow_symlinks=False):
            yield from files_below(path, job)
        elif _is_file(entry):
            yield path
        elif not entry.is_dir():
            job.skip(str(path), None, "not a regular file; skipped")


def _entries(folder: Path, job: Job) -> list[os.DirEntry[str]]:
    try:
        with os.scandir(folder) as entries:
            return sorted(entries, key=lambda entry: entry.name)
    except OSError as error:
        job.on_skip(cannot_be_read(str(folder), error))
        return []


def _is_file(entry: os.DirEntry[str]) -> bool:
    try:
        return entry.is_file()
    except OSError:  # a link that leads nowhere, or in a circle
        return False
