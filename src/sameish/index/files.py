"""An index in a folder, and back by mapping its files into memory.

The folder holds one header, `index.json`, and arrays in numpy's format (.npy): for each segment `hashes`, `ids`, further
columns `more0`, `more1`, ..., and where it has tables `offsets` and `entries`. Their names begin with a number that rises
with every save. The header names every array with its length, bytes and CRC-32, and carries a CRC-32 of itself. It is
written last, to a temporary name, and renamed: whoever opens the folder finds all of one save, also after a crash. Then
older arrays are deleted; where they are mapped still, they live on until they are not (on Windows until the next save).
One process may save to a folder at a time.
"""

from __future__ import annotations

import os
import re
import zlib
from collections.abc import Iterable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import numpy as np
from numpy.typing import NDArray

from sameish.errors import IndexDamaged
from sameish.index.segment import Columns, Order, Segment
from sameish.index.tables import Tables

FORMAT = 1
HEADER = "index.json"
_OURS = re.compile(r"(\d+)-\d+-\w+\.npy")
_PIECE = 1 << 22
_TYPES = {"hashes": "uint64", "entries": "uint64", "offsets": "uint32"}  # all else: int64


class _Array(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    file: str
    length: int
    size_bytes: int
    crc32: int


class _Segment(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    arrays: dict[str, _Array]
    widths: tuple[int, ...]
    order: tuple[int, ...]


class _Header(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    format: int
    more: int
    order: tuple[int, ...]
    segments: list[_Segment]
    crc32: int = 0


class Saved(NamedTuple):
    """What was in a folder: segments, how many further columns their rows have, and the order of an index of them."""

    segments: tuple[Segment, ...]
    more: int
    order: Order


def save(folder: str | os.PathLike[str], segments: Sequence[Segment], more: int, order: Order) -> None:
    """Write segments into a folder, in place of what it held; what is gone of them is left out.

    Args:
        folder: made if it is not there; its parent must be.
        segments: to be saved.
        more: how many further columns their rows have.
        order: of the index that they are of.
    """
    place = Path(folder)
    place.mkdir(exist_ok=True)
    number = 1 + max((int(found[1]) for path in place.iterdir() if (found := _OURS.fullmatch(path.name))), default=0)
    whole = [one if one.gone is None else Segment.merged([one], one.order, one.serial) for one in segments]
    written = [_write_segment(place, f"{number}-{at}", one) for at, one in enumerate(whole)]
    header = _Header(FORMAT, more, order, written)
    _write(place / f"{HEADER}.new", msgspec.json.encode(msgspec.structs.replace(header, crc32=_crc(header))))
    (place / f"{HEADER}.new").replace(place / HEADER)
    _sync(place)
    _delete_others(place, {array.file for segment in written for array in segment.arrays.values()})


def open_saved(folder: str | os.PathLike[str], *, verify: bool = True) -> Saved:
    """Return what a folder holds.

    Args:
        folder: as given to `save`.
        verify: compare checksums of everything; else only sizes.

    Raises:
        IndexDamaged: a file is missing or is not what was saved.
    """
    place = Path(folder)
    header = _header(place / HEADER)
    return Saved(tuple(_segment(place, one, header.more, verify) for one in header.segments), header.more, header.order)


def _write_segment(place: Path, prefix: str, segment: Segment) -> _Segment:
    arrays = {name: _write_array(place / f"{prefix}-{name}.npy", array) for name, array in _arrays(segment)}
    return _Segment(arrays, segment.tables.widths if segment.tables else (), segment.order)


def _arrays(segment: Segment) -> Iterable[tuple[str, NDArray[Any]]]:
    columns = segment.columns
    yield from (("hashes", columns.hashes), ("ids", columns.ids))
    yield from ((f"more{number}", column) for number, column in enumerate(columns.more))
    if segment.tables is not None:
        yield from (("offsets", segment.tables.offsets), ("entries", segment.tables.entries))


def _write_array(path: Path, array: NDArray[Any]) -> _Array:
    with path.open("wb") as file:
        np.save(file, array, allow_pickle=False)
        file.flush()
        os.fsync(file.fileno())
    return _Array(path.name, len(array), path.stat().st_size, _crc_of(path))


def _write(path: Path, content: bytes) -> None:
    with path.open("wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())


def _sync(folder: Path) -> None:
    """Make names durable, where the system lets folders be opened."""
    if os.name != "posix":
        return
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _delete_others(place: Path, kept: set[str]) -> None:
    for path in place.iterdir():
        if _OURS.fullmatch(path.name) and path.name not in kept:
            with suppress(PermissionError, FileNotFoundError):  # mapped on Windows; deleted by another save
                path.unlink()


def _crc(header: _Header) -> int:
    return zlib.crc32(msgspec.json.encode(msgspec.structs.replace(header, crc32=0)))


def _crc_of(path: Path) -> int:
    crc = 0
    with path.open("rb") as file:
        while piece := file.read(_PIECE):
            crc = zlib.crc32(piece, crc)
    return crc


def _header(path: Path) -> _Header:
    try:
        content = path.read_bytes()
        found = msgspec.json.decode(content)
        if isinstance(found, dict) and found.get("format") not in (None, FORMAT):
            raise IndexDamaged(f"{path} is of format {found['format']}, not {FORMAT}", path=str(path))
        header = msgspec.json.decode(content, type=_Header)
    except (OSError, msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise IndexDamaged(f"{path} is no header of an index ({error})", path=str(path)) from error
    if header.crc32 != _crc(header):
        raise IndexDamaged(f"{path} is damaged (its checksum is wrong)", path=str(path))
    return header


def _segment(place: Path, saved: _Segment, more: int, verify: bool) -> Segment:
    def array(name: str) -> NDArray[Any]:
        return _mapped(place, name, saved.arrays[name], verify)

    columns = Columns(array("hashes"), array("ids"), tuple(array(f"more{number}") for number in range(more)))
    if not saved.widths:
        return Segment.scanned(columns)
    tables = Tables(columns.hashes, array("offsets"), array("entries"), saved.widths)
    return Segment(columns, tables, saved.order, live=len(columns.ids))


def _mapped(place: Path, name: str, saved: _Array, verify: bool) -> NDArray[Any]:
    path = place / saved.file
    try:
        size = path.stat().st_size
        if size != saved.size_bytes:
            raise IndexDamaged(f"{path} is damaged ({size} bytes instead of {saved.size_bytes})", path=str(path))
        if verify and _crc_of(path) != saved.crc32:
            raise IndexDamaged(f"{path} is damaged (its checksum is wrong)", path=str(path))
        array = np.load(path, mmap_mode="r", allow_pickle=False)
    except (OSError, ValueError, EOFError) as error:
        raise IndexDamaged(f"{path} cannot be read ({error})", path=str(path)) from error
    if array.dtype != _TYPES.get(name, "int64") or array.shape != (saved.length,):
        raise IndexDamaged(f"{path} is damaged ({array.dtype} {array.shape})", path=str(path))
    return np.asarray(array)  # a plain view: slices of a memmap are made by Python code, ten times slower
