"""Takes in the lines of an export and writes them to a store, many of one kind together."""

from __future__ import annotations

from array import array
from bisect import bisect_left
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

from sameish.models import Capture, Verdict
from sameish.stores.base import Sighting, Store
from sameish.stores.gate_state import Asked, Dropped, Entry, Known, Note, Updates, Visit
from sameish.stores.transfer.lines import (
    CaptureLine,
    DroppedLine,
    EndLine,
    HeadLine,
    LedgerLine,
    Line,
    PageLine,
    SiteLine,
    VisitLine,
)
from sameish.stores.transfer.values import capture_of, dropped_of, sighting_of, visit_of

_AT_ONCE = 500
_MOST_TEXT = 1 << 24  # characters of texts that wait to be written


@dataclass(frozen=True, slots=True)
class Imported:
    """How many lines of each kind were read and are in the store now. `.new`: captures that were not stored before."""

    captures: int = 0
    new: int = 0
    pages: int = 0
    sites: int = 0
    visits: int = 0
    ledger: int = 0
    dropped: int = 0


class Numbers:
    """Which capture of the store is which of the file: two columns of numbers, for there may be millions."""

    def __init__(self) -> None:
        self._there: array[int] = array("q")
        self._here: array[int] = array("q")

    def add(self, there: int, here: int) -> None:
        """Note the id that a capture of the file has in the store.

        Raises:
            ValueError: the ids of the file do not rise.
        """
        if self._there and there <= self._there[-1]:
            raise ValueError(f"capture {there} stands behind capture {self._there[-1]}")
        self._there.append(there)
        self._here.append(here)

    def here(self, there: int | None) -> int | None:
        """Return the id in the store, None where the file does not have the capture."""
        if there is None:
            return None
        place = bisect_left(self._there, there)
        return self._here[place] if place < len(self._there) and self._there[place] == there else None


_Value: TypeAlias = Capture | Sighting | Visit | SiteLine | LedgerLine | Dropped
_Waiting: TypeAlias = tuple[Line, _Value]


class Receiver:
    """Gathers lines of one kind, so that they are written together, and counts them.

    Args:
        store: where to.
    """

    def __init__(self, store: Store) -> None:
        self.sums = Imported()
        self._store = store
        self._numbers = Numbers()
        self._strange_sites: set[str] = set()
        self._waiting: list[_Waiting] = []
        self._ids: set[int] = set()
        self._size = 0

    def take(self, line: Line) -> bool:
        """Take in a line; return whether others were written first.

        Raises:
            ValueError: it cannot be stored.
        """
        full = len(self._waiting) >= _AT_ONCE or self._size > _MOST_TEXT
        wrote = bool(self._waiting) and (full or type(line) is not type(self._waiting[0][0]) or self._is_awaited(line))
        if wrote:
            self.flush()
        value = self._value(line)
        if value is not None:
            self._waiting.append((line, value))
        if isinstance(line, CaptureLine):
            self._ids.add(line.id)
            self._size += len(line.markdown or "") + sum(map(len, line.sentences or ()))
        return wrote

    def _is_awaited(self, line: Line) -> bool:
        """Return whether a line names a capture that has no id in the store yet."""
        return isinstance(line, CaptureLine) and line.match_id in self._ids

    def _value(self, line: Line) -> _Value | None:
        match line:
            case CaptureLine():
                return capture_of(line, self._numbers.here(line.match_id))
            case PageLine():
                return sighting_of(line)
            case VisitLine():
                return visit_of(line, self._numbers.here(line.capture_id))
            case SiteLine() | LedgerLine():
                return line
            case DroppedLine():
                return dropped_of(line)
            case HeadLine() | EndLine():
                return None

    def flush(self) -> None:
        """Write what waits."""
        waiting, self._waiting, self._size = self._waiting, [], 0
        self._ids.clear()
        if waiting:
            self._write(waiting)

    def _write(self, waiting: list[_Waiting]) -> None:
        lines, values = zip(*waiting, strict=True)
        writers: dict[type, tuple[str, Callable[..., None]]] = {
            CaptureLine: ("captures", self._captures),
            PageLine: ("pages", lambda _, sightings: self._store.take_sightings(sightings)),
            SiteLine: ("sites", self._sites),
            VisitLine: ("visits", self._visits),
            LedgerLine: ("ledger", self._ledger),
            DroppedLine: ("dropped", self._dropped),
        }
        name, write = writers[type(lines[0])]
        write(lines, values)
        self.sums = replace(self.sums, **{name: getattr(self.sums, name) + len(lines)})

    def _captures(self, lines: Sequence[CaptureLine], captures: Sequence[Capture]) -> None:
        for line, number in zip(lines, self._store.add_many(captures), strict=True):
            self._numbers.add(line.id, number)

    def _sites(self, lines: Sequence[SiteLine], _: object) -> None:
        for line in lines:
            self._site(line)

    def _site(self, line: SiteLine) -> None:
        def write(_: Verdict | None, known: Known) -> Updates:
            if known.site is None:
                return Updates(site_state=line.state)
            if known.site.state != line.state:
                self._strange_sites.add(line.site)
            return Updates()

        self._store.note(Note(Asked(line.site), write))

    def _visits(self, _: object, visits: Sequence[Visit]) -> None:
        """Write visits of keys without one; the classes of a site whose rules are others here would mean something else."""
        wanted = {one.key_hash: one for one in visits if one.site not in self._strange_sites}

        def write(_: Verdict | None, known: Known) -> Updates:
            return Updates(visits=tuple(one for number, one in wanted.items() if number not in known.visits))

        if wanted:
            self._store.note(Note(Asked("", tuple(wanted)), write))

    def _ledger(self, lines: Sequence[LedgerLine], _: object) -> None:
        """Raise sums to those of the file; adding them would count a file that is imported twice twice."""
        there = {(one.site, one.name): one for one in self._store.ledger()}
        sums = ((line, there.get((line.site, line.name))) for line in lines)
        more = tuple(_missing(line, old) for line, old in sums if old is None or _is_less(old, line))
        if more:
            self._store.note(Note(Asked(""), lambda *_: Updates(ledger=more)))

    def _dropped(self, _: object, news: Sequence[Dropped]) -> None:
        there = {one.key_hash for one in self._store.dropped()}
        missing = tuple(one for one in news if one.key_hash not in there)
        if missing:
            self._store.note(Note(Asked(""), lambda *_: Updates(dropped=missing)))


def _is_less(entry: Entry, line: LedgerLine) -> bool:
    return entry.requests < line.requests or entry.size_bytes < line.size_bytes


def _missing(line: LedgerLine, there: Entry | None) -> Entry:
    requests, size_bytes = (0, 0) if there is None else (there.requests, there.size_bytes)
    return Entry(line.site, line.name, max(line.requests - requests, 0), max(line.size_bytes - size_bytes, 0))
