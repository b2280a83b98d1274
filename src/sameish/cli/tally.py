"""What a scan counts while it runs."""

from __future__ import annotations

import re
import time
from collections import Counter
from dataclasses import dataclass, field

from sameish.errors import SameishError, SourceError
from sameish.judging.verdict import STORED_ALREADY
from sameish.models import Page, Verdict, VerdictKind
from sameish.stores.values import NEEDLESS

_ADDRESS = re.compile(r"(?<!\S)[\w+.-]{1,20}://\S+: ")
_BYTE_OF_LINE = re.compile(r" \(byte \d+\)")


@dataclass(slots=True)
class Tally:
    """Counts by verdict, and reasons for what is set aside or skipped."""

    by_verdict: Counter[str] = field(default_factory=Counter)
    bytes_by_verdict: Counter[str] = field(default_factory=Counter)
    undetermined: Counter[str] = field(default_factory=Counter)
    skipped: Counter[str] = field(default_factory=Counter)
    stored_already: int = 0
    bytes_stored_already: int = 0
    started: float = field(default_factory=time.monotonic)
    seconds: float = 0.0

    def restart(self) -> None:
        """Begin to count the time."""
        self.started = time.monotonic()

    def add(self, page: Page, verdict: Verdict) -> None:
        """Count a page."""
        self.by_verdict[verdict.kind.value] += 1
        self.bytes_by_verdict[verdict.kind.value] += size_of_body(page)
        if verdict.reason == STORED_ALREADY:
            self.stored_already += 1
            self.bytes_stored_already += size_of_body(page)
        if verdict.kind is VerdictKind.UNDETERMINED:
            self.undetermined[verdict.reason.partition(":")[0]] += 1
        self.seconds = time.monotonic() - self.started

    def skip(self, error: SameishError) -> None:
        """Count something that could not be read, under its reason without file and place."""
        reason = error.reason if isinstance(error, SourceError) else _ADDRESS.sub("", str(error))
        self.skipped[_BYTE_OF_LINE.sub("", reason).removesuffix("; skipped")] += 1

    @property
    def captures(self) -> int:
        """How many pages were read."""
        return self.by_verdict.total()

    @property
    def bytes(self) -> int:
        """How many bytes their bodies had."""
        return self.bytes_by_verdict.total()

    @property
    def needless_bytes(self) -> int:
        """How many of them said nothing new; a capture read once more was not fetched once more."""
        return sum(self.bytes_by_verdict[kind.value] for kind in NEEDLESS) - self.bytes_stored_already


def size_of_body(page: Page) -> int:
    """Return the number of bytes in a page's body."""
    return len(page.body.encode("utf-8", "surrogatepass") if isinstance(page.body, str) else page.body)
