"""The unpacked bytes of an input, taken by lines and counts, with the place each came from."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Piece:
    """Unpacked bytes. `.start` is where their compressed frame begins in the input, `.inner` their offset in the frame.

    Where nothing is compressed `.inner` is None and `.start` is the offset of the bytes themselves.
    """

    start: int
    inner: int | None
    data: bytes


@dataclass(frozen=True, slots=True)
class Damage:
    """Bytes of the input that do not unpack; `.cut` when they end too early. Whole frames may follow."""

    start: int
    reason: str
    cut: bool = False


@dataclass(frozen=True, slots=True)
class Position:
    """A place to come back to: seek to `.start` of the input, unpack, and pass over `.inner` unpacked bytes."""

    start: int
    inner: int


class BrokenInput(Exception):
    """The next bytes are damaged; what follows them can be read on."""

    def __init__(self, damage: Damage) -> None:
        super().__init__(damage.reason)
        self.damage = damage


class Unpacked:
    """A buffered reader of pieces. It raises `BrokenInput` where damage lies between two bytes that are asked for.

    `.consumed`: how many bytes were taken. `.frame`: where the frame begins that the last of them came from.
    """

    def __init__(self, pieces: Iterator[Piece | Damage]) -> None:
        self._pieces = pieces
        self._ahead: list[Piece] = []
        self._used = 0
        self._damage: Damage | None = None
        self._end = 0
        self.consumed = 0
        self.frame = 0

    @property
    def position(self) -> Position:
        """Where the next byte comes from; after the last byte, where that came from."""
        if not self._ahead and not self._fetch():
            return Position(self._damage.start if self._damage else self._end, 0)
        piece = self._ahead[0]
        return (
            Position(piece.start + self._used, 0)
            if piece.inner is None
            else Position(piece.start, piece.inner + self._used)
        )

    def raise_damage(self, start: int | None = None) -> None:
        """Raise the damage that comes next, if any, and pass it; with `start` only that of the frame that begins there.

        Raises:
            BrokenInput: there is damage.
        """
        if not self._ahead and not self._fetch() and (damage := self._damage) and start in (None, damage.start):
            self._damage = None
            raise BrokenInput(damage)

    def put_back(self, damage: Damage) -> None:
        """Take back damage that was raised last, to be raised once more."""
        self._damage = damage

    def damage_ahead(self, start: int, size: int) -> Damage | None:
        """Return the damage of the frame that begins at `start` if fewer than `size` bytes come before it; it stays."""
        while self._ahead and self._ahead[-1].inner is not None and self._ahead[-1].start == start:
            if self._held() >= size or not self._fetch():
                break
        damage = self._damage
        return damage if damage is not None and damage.start == start and self._held() < size else None

    def peek(self, size: int) -> bytes:
        """Return the next `size` bytes without taking them; fewer at the end or before damage."""
        while self._held() < size and self._fetch():
            pass
        return b"".join(piece.data for piece in self._ahead)[self._used : self._used + size]

    def take(self, size: int) -> bytes:
        """Take `size` bytes; fewer only at the end.

        Raises:
            BrokenInput: damage comes first; the bytes before it are lost.
        """
        parts: list[bytes] = []
        while size > 0 and (data := self._some(size)):
            parts.append(data)
            size -= len(data)
        return b"".join(parts)

    def skip(self, size: int) -> int:
        """Pass over `size` bytes in constant memory and return how many there were.

        Raises:
            BrokenInput: damage comes first.
        """
        left = size
        while left > 0 and (data := self._some(left)):
            left -= len(data)
        return size - left

    def line(self, limit: int) -> bytes:
        """Take bytes up to and including a line feed, at most `limit`; none at the end.

        Raises:
            BrokenInput: damage comes first; the bytes before it are lost.
        """
        parts: list[bytes] = []
        while limit > 0 and self._ready():
            here = self._ahead[0].data
            end = here.find(b"\n", self._used, self._used + limit)
            parts.append(self._some(min(limit, (end + 1 if end >= 0 else len(here)) - self._used)))
            if end >= 0:
                break
            limit -= len(parts[-1])
        return b"".join(parts)

    def _held(self) -> int:
        return sum(len(piece.data) for piece in self._ahead) - self._used

    def _some(self, size: int) -> bytes:
        if not self._ready():
            return b""
        piece = self._ahead[0]
        data = piece.data[self._used : self._used + size]
        self._used += len(data)
        self.frame = piece.start
        self.consumed += len(data)
        if self._used == len(piece.data):
            del self._ahead[0]
            self._used = 0
        return data

    def _ready(self) -> bool:
        """Is there a next byte? Damage is raised once, then passed."""
        if self._ahead or self._fetch():
            return True
        self.raise_damage()
        return False

    def _fetch(self) -> bool:
        """Hold one piece more, unless damage or the end is next."""
        if self._damage is not None:
            return False
        for item in self._pieces:
            if isinstance(item, Damage):
                self._damage = item
                return False
            if item.data:
                self._ahead.append(item)
                self._end = item.start + (len(item.data) if item.inner is None else 0)
                return True
        return False
