"""From a path to pages: what kind of input it is, and which reader reads it."""

from __future__ import annotations

import logging
import os
from collections.abc import Iterator
from pathlib import Path

from sameish.errors import SourceError
from sameish.models import Page
from sameish.settings import SettingsLike, load
from sameish.sources.databases import is_database
from sameish.sources.documents import read_document
from sameish.sources.folders import files_below
from sameish.sources.inputs import (
    STANDARD_INPUT,
    Input,
    cannot_be_read,
    file_input,
    opened,
    standard_input,
    trouble,
)
from sameish.sources.job import Job, OnSkip
from sameish.sources.jsonl import read_jsonl
from sameish.sources.kinds import (
    HEAD,
    ZIP_MAGIC,
    Kind,
    has_suffix,
    is_requisite,
    is_unsupported,
    kind_by_bytes,
    kind_by_name,
    why_not,
)
from sameish.sources.packing import packing_of
from sameish.sources.raw import READ_ERRORS, RawStream
from sameish.sources.unpacked import BrokenInput, Unpacked
from sameish.sources.wacz import archives_in
from sameish.sources.warc import read_warc

_FEW = 16
_LOGGER = logging.getLogger("sameish.sources")


def read_pages(
    path: str | os.PathLike[str], *, settings: SettingsLike = None, on_skip: OnSkip | None = None
) -> Iterator[Page]:
    """Return the pages of a file, a folder or standard input, one by one and in an order that is the same on every run.

    Read are HTML, text, Markdown and PDF files (one page each, its URL is the absolute `file:` URI, its time that
    of the last modification; a PDF comes as its bytes), WARC (plain, `.gz`, `.zst`, `.lz4`), WACZ and JSON Lines,
    told by the file's name, else by its first bytes; each may be compressed. Folders are read with all folders in
    them; hidden files are passed over, and so are images, style sheets, scripts and the like, and SQLite files.

    Args:
        path: a file, a folder, a named pipe, or `-` for standard input.
        settings: `reading.max_body_bytes` bounds a body, also while it is decompressed; what `sameish.settings.load` takes.
        on_skip: called with an error for everything that is skipped, which says file, byte and reason; by default
            these go to the logger `sameish.sources` as warnings. Damage never ends the iteration.

    Raises:
        SettingsError: at once, where a setting has a wrong name, type or value.
        SourceError: at once, where the path does not exist, cannot be read or is of no known kind; for standard input
            and pipes on the first step.
    """
    job = Job(load(settings).reading.max_body_bytes, on_skip or _log)
    name = os.fspath(path)
    if name == STANDARD_INPUT:
        return _read(standard_input(), job)
    place = _existing(name)
    if place.is_dir():
        return _read_folder(place, job)
    source = file_input(place)
    if source.reopens:
        _check(source)
    return _read(source, job)


def _existing(name: str) -> Path:
    try:
        found = bool(name) and Path(name).exists()
    except READ_ERRORS as error:
        raise cannot_be_read(name, error) from error
    if not found:
        raise trouble(name or "an empty path", None, "there is no such file or folder")
    return Path(name)


def _log(error: SourceError) -> None:
    _LOGGER.warning("%s", error)


def _check(source: Input) -> None:
    with opened(source) as file:
        _identify(source, RawStream(file, source.name))


def _read_folder(folder: Path, job: Job) -> Iterator[Page]:
    for path in files_below(folder, job):
        if is_requisite(path.name) or is_database(path):
            _LOGGER.debug("%s: not a page", path)
            continue
        try:
            yield from _read(file_input(path), job, in_folder=True)
        except SourceError as error:
            job.on_skip(error)


def _read(source: Input, job: Job, *, in_folder: bool = False) -> Iterator[Page]:
    with opened(source) as file:
        raw = RawStream(file, source.name)
        kind, unpacked = _identify(source, raw, in_folder=in_folder)
        if kind is Kind.WACZ:
            yield from _read_wacz(source, raw, job)
        elif kind is Kind.WARC:
            yield from read_warc(source, unpacked, job)
        elif kind is Kind.JSONL:
            yield from read_jsonl(source, unpacked, job)
        else:
            yield from read_document(source, unpacked, kind, job)


def _read_wacz(source: Input, raw: RawStream, job: Job) -> Iterator[Page]:
    for archive in archives_in(source, raw, job):
        try:
            with opened(archive) as file:
                member = RawStream(file, archive.name)
                yield from read_warc(archive, Unpacked(packing_of(member)(member)), job)
        except SourceError as error:
            job.on_skip(error)


def _identify(source: Input, raw: RawStream, *, in_folder: bool = False) -> tuple[Kind, Unpacked]:
    """Tell the kind by name or first bytes; in a folder an unknown suffix is not taken for text.

    Raises:
        SourceError: the kind is not known.
    """
    kind = kind_by_name(source.name)
    if kind is Kind.WACZ or (kind is None and raw.peek(len(ZIP_MAGIC)) == ZIP_MAGIC):
        return Kind.WACZ, Unpacked(iter(()))
    unpacked = Unpacked(packing_of(raw)(raw))
    if kind is None and not is_unsupported(source.name):
        kind = _kind_of_bytes(unpacked)
        if kind is Kind.TEXT and in_folder and has_suffix(source.name):
            kind = None
    if kind is None:
        raise _unknown(source, unpacked)
    return kind, unpacked


def _unknown(source: Input, unpacked: Unpacked) -> SourceError:
    try:
        unpacked.raise_damage()
    except BrokenInput as broken:
        return trouble(source.name, broken.damage.start, broken.damage.reason, cut=broken.damage.cut)
    return trouble(source.name, None, why_not(source.name) if unpacked.peek(1) else "there is nothing in it")


def _kind_of_bytes(unpacked: Unpacked) -> Kind | None:
    """A few bytes tell a collection, and a pipe may not have more yet."""
    kind = kind_by_bytes(unpacked.peek(_FEW))
    return kind if kind in (Kind.WARC, Kind.JSONL) else kind_by_bytes(unpacked.peek(HEAD))
