"""WACZ: a zip file with WARC files in its folder `archive` (webrecorder's WACZ specification 1.1.1, section 5.2)."""

from __future__ import annotations

import tempfile
import zipfile
from collections.abc import Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from typing import IO, BinaryIO, cast

from sameish.sources.inputs import Input
from sameish.sources.job import Job
from sameish.sources.raw import READ_ERRORS, RawStream

_IN_MEMORY = 8 << 20


def archives_in(source: Input, raw: RawStream, job: Job) -> Iterator[Input]:
    """Yield the WARC files of a WACZ in the order of their names; a damaged zip file is reported.

    Args:
        source: the WACZ.
        raw: its bytes, from the first on. A pipe is copied to a temporary file, for the table of contents of a zip
            file stands at its end.
        job: where to report.
    """
    with ExitStack() as stack:
        try:
            archive = stack.enter_context(zipfile.ZipFile(_seekable(source, raw, stack)))
        except READ_ERRORS as error:
            job.skip(source.name, None, f"a damaged WACZ or zip file ({error}); skipped")
            return
        names = sorted(name for name in archive.namelist() if _is_archive(name))
        if not names:
            job.skip(source.name, None, "a zip file without WARC files in its folder archive; skipped")
        for name in names:
            yield _member(source, archive, name)


def _seekable(source: Input, raw: RawStream, stack: ExitStack) -> IO[bytes]:
    if source.reopens:
        return stack.enter_context(source.open())
    copy = tempfile.SpooledTemporaryFile(_IN_MEMORY)  # noqa: SIM115 - the stack closes it
    stack.enter_context(copy)
    while data := raw.read():
        copy.write(data)
    return copy


def _is_archive(name: str) -> bool:
    return name.startswith("archive/") and name.lower().endswith((".warc", ".warc.gz", ".warc.zst", ".warc.lz4"))


def _member(source: Input, archive: zipfile.ZipFile, name: str) -> Input:
    @contextmanager
    def opened_again() -> Iterator[BinaryIO]:
        with source.open() as file, zipfile.ZipFile(file) as again, again.open(name) as member:
            yield cast("BinaryIO", member)

    def opened() -> AbstractContextManager[BinaryIO]:
        return cast("AbstractContextManager[BinaryIO]", archive.open(name))

    return Input(
        name=f"{source.name}: {name}",
        open=opened_again if source.reopens else opened,
        modified=source.modified,
        reopens=source.reopens,
    )
