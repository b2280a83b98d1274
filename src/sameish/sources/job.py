"""What all readers of one call share: bounds, where to report, and what revisit records may refer to."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TypeAlias

from sameish.errors import SourceError
from sameish.sources.inputs import trouble
from sameish.sources.revisits import Originals

OnSkip: TypeAlias = Callable[[SourceError], None]


@dataclass(frozen=True, slots=True)
class Job:
    """How to read: bodies of at most `.limit` bytes, everything that is skipped goes to `.on_skip`."""

    limit: int
    on_skip: OnSkip
    originals: Originals = field(default_factory=Originals)

    def skip(self, name: str, offset: int | None, reason: str, *, at: str = "", cut: bool = False) -> None:
        """Report something that is skipped; `at` names the place in words, `cut` when it ends in the middle."""
        self.on_skip(trouble(name, offset, reason, at=at, cut=cut))
