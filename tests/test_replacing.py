"""A file is written whole or not at all."""

from __future__ import annotations

import errno
import os
from contextlib import ExitStack
from pathlib import Path

import pytest

from sameish.replacing import replacing


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_what_stood_there_stays_until_the_new_is_done(tmp_path: Path) -> None:
    path = tmp_path / "x"
    path.write_bytes(b"old")
    with replacing(path) as file:
        file.write(b"new" * 10_000)
        assert path.read_bytes() == b"old"
    assert path.read_bytes() == b"new" * 10_000
    assert names(tmp_path) == ["x"]


@pytest.mark.parametrize("error", [KeyboardInterrupt, ValueError, OSError(errno.ENOSPC, "No space left on device")])
def test_what_was_not_done_leaves_nothing(tmp_path: Path, error: BaseException | type[BaseException]) -> None:
    path, others = tmp_path / "x", tmp_path / "x.part"
    for one in (path, others):
        one.write_bytes(b"old")
    with pytest.raises(BaseException) as caught, replacing(path) as file:  # noqa: PT011, PT012 - whichever is raised inside
        file.write(b"new")
        raise error
    assert not isinstance(caught.value, OSError) or caught.value.filename == str(path)
    assert names(tmp_path) == ["x", "x.part"]
    assert (path.read_bytes(), others.read_bytes()) == (b"old", b"old")


def test_an_error_about_another_file_names_that(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError) as caught, replacing(tmp_path / "x"):
        (tmp_path / "other").read_bytes()
    assert Path(caught.value.filename) == tmp_path / "other"
    assert names(tmp_path) == []


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="a device that is always full is one of Linux")
def test_a_full_disk_is_an_error_of_the_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Path, "open", lambda *_: open("/dev/full", "wb"))  # noqa: SIM115, PTH123 - closed by who asked
    with pytest.raises(OSError, match="No space left") as caught, replacing(tmp_path / "x") as file:
        file.write(b"new" * 10_000)
    assert caught.value.filename == str(tmp_path / "x")


def test_several_may_write_one_file_and_the_last_stays(tmp_path: Path) -> None:
    path = tmp_path / "x"
    with ExitStack() as stack:
        for number in range(3):
            stack.enter_context(replacing(path)).write(b"%d" % number)
    assert path.read_bytes() == b"0"  # left last
    assert names(tmp_path) == ["x"]


@pytest.mark.skipif(os.name != "posix", reason="permissions of POSIX")
def test_permissions_are_those_of_the_file_before_or_of_a_new_one(tmp_path: Path) -> None:
    (tmp_path / "private").write_bytes(b"")
    (tmp_path / "private").chmod(0o600)
    before = os.umask(0o027)
    try:
        for name in ("private", "new"):
            with replacing(tmp_path / name) as file:
                file.write(b"x")
    finally:
        os.umask(before)
    assert [(tmp_path / name).stat().st_mode & 0o777 for name in ("private", "new")] == [0o600, 0o640]


def test_a_link_stays_one(tmp_path: Path) -> None:
    (tmp_path / "far").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "far" / "x")
    for content in (b"made", b"replaced"):
        with replacing(tmp_path / "link") as file:
            file.write(content)
        assert (tmp_path / "link").is_symlink()
        assert (tmp_path / "far" / "x").read_bytes() == content


def test_a_folder_that_is_not_there_is_an_error_of_the_file(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError) as caught, replacing(tmp_path / "none" / "x"):
        raise AssertionError
    assert caught.value.filename == str(tmp_path / "none" / "x")
