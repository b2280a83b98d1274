"""What of two pages is not compared: noise sentences and boilerplate, side by side. Pure."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from sameish.cli.meanings import NOISE, RULES
from sameish.models import Extract


@dataclass(frozen=True, slots=True)
class Ignored:
    """A noise sentence that stands `.a` times on page A and `.b` times on page B; `.why` says why it is ignored."""

    pattern: str
    text: str
    a: int
    b: int
    why: str


@dataclass(frozen=True, slots=True)
class Removed:
    """How many elements a boilerplate rule took out of page A and of page B; `.meaning` says what the rule is for."""

    rule: str
    a: int
    b: int
    meaning: str


def noise_of(a: Extract, b: Extract) -> list[Ignored]:
    """Return the noise of both pages, pattern by pattern in the order in which they are asked, then in reading order."""
    in_a, in_b = Counter(a.noise), Counter(b.noise)
    found = [Ignored(one.pattern, one.text, in_a[one], in_b[one], NOISE[one.pattern]) for one in in_a | in_b]
    order = list(NOISE)
    return sorted(found, key=lambda one: order.index(one.pattern))


def boilerplate_of(a: Extract, b: Extract) -> list[Removed]:
    """Return what each rule removed, the rules in alphabetical order."""
    rules = sorted({*a.removed, *b.removed})
    return [Removed(rule, a.removed.get(rule, 0), b.removed.get(rule, 0), RULES[rule]) for rule in rules]
