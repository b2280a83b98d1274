"""What is saved is what is opened; what is damaged is named."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from tests.index.data import Hashes, hashes_of, queries_of

from sameish.errors import IndexDamaged
from sameish.index import files
from sameish.index.hamming_index import HammingIndex

ROWS = 40_000


@pytest.fixture(scope="module")
def hashes() -> Hashes:
    return hashes_of("clustered", ROWS)


@pytest.fixture
def folder(hashes: Hashes, tmp_path: Path) -> Path:
    filled(hashes).save(tmp_path / "index")
    return tmp_path / "index"


def filled(hashes: Hashes) -> HammingIndex:
    """A segment with rows gone, and a tail."""
    index = HammingIndex(hashes[:-100], np.arange(ROWS - 100), np.arange(ROWS - 100) % 7, order=(0,))
    index.extend(hashes[-100:], np.arange(ROWS - 100, ROWS), np.full(100, 3))
    index.remove(np.arange(0, ROWS, 50))
    return index


def same(one: HammingIndex, other: HammingIndex, hashes: Hashes) -> bool:
    found = [[array.tolist() for array in index.search_many(queries_of(hashes, 50), 8)] for index in (one, other)]
    return len(one) == len(other) and found[0] == found[1]


def test_what_was_saved_is_found_again(folder: Path, hashes: Hashes) -> None:
    opened = HammingIndex.open(folder)
    assert same(opened, filled(hashes), hashes)
    opened.settle()
    assert opened.segments()[0].order == (0,)
    rows = opened.segments()[0].columns
    assert np.all(np.diff(rows.more[0]) >= 0)


def test_arrays_are_mapped_not_read(folder: Path) -> None:
    columns = HammingIndex.open(folder).segments()[0].columns
    assert isinstance(columns.hashes.base, np.memmap)
    assert not columns.hashes.flags.writeable


def test_an_opened_index_goes_on(folder: Path, hashes: Hashes) -> None:
    opened = HammingIndex.open(folder, verify=False)
    opened.extend([5], [ROWS], [0])
    assert opened.remove([1]) == 1
    assert ROWS in opened.search(5, 0)[0]
    opened.save(folder)  # over the files that it has mapped
    assert 1 not in opened.search(int(hashes[1]), 0)[0]
    assert same(HammingIndex.open(folder), opened, hashes)
    assert {path.name.split("-")[0] for path in folder.iterdir()} == {"2", "index.json"}


def test_an_empty_index_is_saved_too(tmp_path: Path) -> None:
    HammingIndex((), (), ()).save(tmp_path)
    opened = HammingIndex.open(tmp_path)
    assert len(opened) == 0
    opened.extend([1], [1], [1])
    assert opened.search(1, 0)[0].tolist() == [1]


def test_every_damaged_file_is_named(folder: Path) -> None:
    names = [path.name for path in folder.iterdir()]
    assert len(names) == 9  # a header, a segment of three columns and two tables, and a tail of three columns
    for name in names:
        path, content = folder / name, (folder / name).read_bytes()
        for damaged in (b"", content[:-1], content + b"\0", flipped(content, len(content) // 2), flipped(content, 20)):
            path.write_bytes(damaged)
            with pytest.raises(IndexDamaged, match=name) as caught:
                HammingIndex.open(folder)
            assert caught.value.path == str(path)
        path.unlink()
        with pytest.raises(IndexDamaged, match=name):
            HammingIndex.open(folder)
        path.write_bytes(content)
    HammingIndex.open(folder)


def flipped(content: bytes, at: int) -> bytes:
    return content[:at] + bytes([content[at] ^ 1]) + content[at + 1 :]


def test_sizes_are_compared_where_checksums_are_not(folder: Path) -> None:
    path = next(folder.glob("*-entries.npy"))
    path.write_bytes(path.read_bytes()[:-8])
    with pytest.raises(IndexDamaged, match="bytes instead of"):
        HammingIndex.open(folder, verify=False)


def test_a_later_format_is_refused_by_its_number(folder: Path) -> None:
    header = json.loads((folder / files.HEADER).read_text())
    (folder / files.HEADER).write_text(json.dumps({**header, "format": 2, "new": True}))
    with pytest.raises(IndexDamaged, match="is of format 2, not 1"):
        HammingIndex.open(folder)


@pytest.mark.parametrize("text", ['{"a":', "["])
def test_a_header_that_is_nested_without_end_is_damaged(folder: Path, text: str) -> None:
    (folder / files.HEADER).write_text(text * 100_000)
    with pytest.raises(IndexDamaged, match="is no header of an index") as caught:
        HammingIndex.open(folder)
    assert caught.value.path == str(folder / files.HEADER)


@pytest.mark.parametrize("step", ["_write_array", "_write", "_sync"])
def test_a_save_that_breaks_off_leaves_the_last(
    folder: Path, hashes: Hashes, step: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise OSError("no space left")

    opened = HammingIndex.open(folder)
    opened.remove([1])
    with monkeypatch.context() as patch:
        patch.setattr(files, step, fail)
        with pytest.raises(OSError, match="no space"):
            opened.save(folder)
    again = HammingIndex.open(folder)
    assert len(again) == len(opened) + (step != "_sync")  # by then it is renamed
    opened.save(folder)
    assert same(HammingIndex.open(folder), opened, hashes)
    assert len(list(folder.iterdir())) == 9
