"""The small parts behind the commands."""

from __future__ import annotations

import os
import signal
from contextlib import nullcontext
from datetime import UTC, datetime
from pathlib import Path

import pytest

from sameish.cli.interrupts import Interrupts
from sameish.cli.jsonlines import plain
from sameish.cli.output import clean, number_of, one_line, share_of, size_of
from sameish.cli.tally import Tally
from sameish.errors import ReadingError
from sameish.models import Fingerprint, Page, State, Verdict, VerdictKind
from sameish.sources import read_pages
from sameish.sources.inputs import trouble


@pytest.mark.parametrize(
    ("count", "words"),
    [(0, "0 bytes"), (1, "1 byte"), (999, "999 bytes"), (1000, "1.0 kB"), (999_949, "999.9 kB"), (999_999, "1.0 MB"),
     (4_200_000, "4.2 MB"), (5 * 10**15, "5,000.0 TB")],
)  # fmt: skip
def test_sizes(count: int, words: str) -> None:
    assert size_of(count) == words


def test_numbers() -> None:
    assert number_of(1, "page") == "1 page"
    assert number_of(1234, "page") == "1,234 pages"
    assert number_of(2, "copy", "copies") == "2 copies"
    assert share_of(1, 3) == "33%"
    assert share_of(0, 0) == "0%"


def test_controls_are_written_out() -> None:
    assert clean("a\x1b[31m\x9b\tb\n") == "a\\x1b[31m\\x9b\tb\n"
    assert one_line("a\n\tb\u2028c\u202ed") == "a b c\\x202ed"


def test_values_become_what_json_knows() -> None:
    found = plain(Fingerprint(1, None, b"\xff" * 16, b"", 3, State.CONTENT, "s"))
    assert found["simhash"] == "0000000000000001"
    assert found["structure"] is None
    assert found["digest"] == "ff" * 16
    assert found["state"] == "content"
    assert plain({"at": datetime(2025, 1, 2, tzinfo=UTC)}) == {"at": "2025-01-02T00:00:00+00:00"}
    assert plain(["\udcff"]) == ["\\udcff"]


def test_a_tally_counts_needless_bytes_and_reasons() -> None:
    tally = Tally()
    tally.add(Page(b"12345"), Verdict(VerdictKind.NEW))
    tally.add(Page("äö"), Verdict(VerdictKind.UNCHANGED))
    tally.add(Page(b"1"), Verdict(VerdictKind.UNDETERMINED, reason="the page is an error: HTTP 500"))
    assert (tally.captures, tally.bytes, tally.needless_bytes) == (3, 10, 4)
    assert tally.undetermined == {"the page is an error": 1}
    for offset in (1, 2):
        tally.skip(trouble("f.warc", offset, "cut; skipped"))
        tally.skip(trouble("f.warc", offset, "cut", at=f"https://a.example/{offset}"))
    tally.skip(ReadingError("f.warc: a page: too large"))
    assert tally.skipped == {"cut": 4, "f.warc: a page: too large": 1}


@pytest.mark.parametrize("line", [b'{"url": 5}\n', b"nonsense\n", b'{"url": "a"}\n', b"{" + b" " * 9])
def test_many_bad_lines_have_one_reason(line: bytes, tmp_path: Path) -> None:
    tally, path = Tally(), tmp_path / "a.jsonl"
    path.write_bytes(b"".join(b" " * (number % 7) + line + b"\n" for number in range(3000)))
    assert list(read_pages(path, on_skip=tally.skip)) == []
    assert len(tally.skipped) == 1, tally.skipped
    assert tally.skipped.total() == 3000


def interrupted(signals: int, *, held: bool) -> tuple[bool, bool]:
    """Send signals; say whether the block ran to its end, and whether an interrupt came out."""
    done = False
    try:
        with Interrupts() as interrupts, interrupts.held() if held else nullcontext():
            for _ in range(signals):
                os.kill(os.getpid(), signal.SIGINT)
            done = True
    except KeyboardInterrupt:
        return done, True
    return done, False


def test_a_signal_within_is_held_back_until_the_end() -> None:
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        assert interrupted(0, held=True) == (True, False)
        assert interrupted(1, held=True) == (True, True)
        assert interrupted(2, held=True) == (False, True)  # a page that takes for ever can be left
        assert interrupted(1, held=False) == (False, True)
        assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
    finally:
        signal.signal(signal.SIGINT, before)


def test_a_program_that_is_deaf_to_the_signal_stays_so() -> None:
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        with Interrupts() as interrupts, interrupts.held():
            os.kill(os.getpid(), signal.SIGINT)
        assert signal.getsignal(signal.SIGINT) is signal.SIG_IGN
    finally:
        signal.signal(signal.SIGINT, before)
