"""Writes a file whole or not at all: what stood there stays until what takes its place is done."""

from __future__ import annotations

import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO


@contextmanager
def replacing(path: Path) -> Iterator[BinaryIO]:
    """Open a new file that takes the place of another, or of none, when the block is done.

    Until then it has a name of its own in the same folder, so several may write one file at once, and the last one stays. Where
    the block raises, or is interrupted, it is deleted. A symbolic link stays one. Permissions are those of the file before, or
    those of any new file.

    Raises:
        OSError: it cannot be written; the error names `path`, which is as it was.
    """
    place = Path(os.path.realpath(path))
    part = place.with_name(f".{secrets.token_hex(16)}.part")
    try:
        with part.open("xb") as out:
            if place.exists():
                part.chmod(place.stat().st_mode & 0o777)
            yield out
            out.flush()
            os.fsync(out.fileno())
        part.replace(place)
    except OSError as error:
        part.unlink(missing_ok=True)
        if error.errno is None or error.filename not in {None, str(part), part}:
            raise
        raise OSError(error.errno, error.strerror, str(path)) from error
    except BaseException:
        part.unlink(missing_ok=True)
        raise
