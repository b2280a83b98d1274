"""What a rule must show, and what it may do: where on a site, and for which values."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum

from sameish.urls.shapes import shape_family


@dataclass(frozen=True, slots=True)
class Limits:
    """What a rule must show before it acts, and what stops it.

    Args:
        pages: pages with different contents on which an aspect must have made no difference. One less will do, while
            nothing speaks against it, for what is of the path, host or scheme, and for values that look drawn by lot.
        shapes: path shapes with such pages from which on a *strong* rule also acts on shapes without evidence, where it
            leaves no query. Strong is what is of the path, host or scheme, and a parameter with many values, or values that
            look drawn by lot: sort orders, views and languages have few, and matter on some shapes only.
        family_shapes: the same for the shapes of one family, whatever is left of the query.
        many_shapes: the same for rules that are not strong.
        many_root_shapes: the same for pages in the root, where each word is a shape.
        more_pages: more pages than `pages` that going beyond shapes takes.
        values: different values from which on a parameter's other values are trusted, too.
        drawn_values: the same where all values look drawn by lot (eight characters or more, three digits or more).
        many_values: different values from which on a parameter's rule is strong.
        max_wrong_skip_rate: share of wrong audits over which a rule is revoked, 0..1.
        max_age_days: after so many days an agreement or a contradiction counts no more.
    """

    pages: int = 3
    shapes: int = 3
    family_shapes: int = 2
    many_shapes: int = 10
    many_root_shapes: int = 6
    plain_shapes: int = 3
    more_pages: int = 1
    values: int = 4
    drawn_values: int = 2
    many_values: int = 12
    max_wrong_skip_rate: float = 0.01
    max_age_days: int = 90


DEFAULT = Limits()


class RuleState(StrEnum):
    """What a rule does."""

    LEARNING = "learning"
    ACTIVE = "active"
    SUSPENDED = "suspended"
    """Caught once; acts again after fresh evidence."""
    REVOKED = "revoked"
    """Wrong too often; acts again only after its evidence has aged."""


@dataclass(frozen=True, slots=True)
class Reach:
    """Where a rule acts: on some path shapes, or everywhere but on some."""

    shapes: frozenset[str] = frozenset()
    everywhere: bool = False
    """Also on shapes without evidence, where nothing else of the query is left."""
    families: frozenset[str] = frozenset()
    """Of shapes: also on their shapes without evidence."""
    doubted: frozenset[str] = frozenset()
    """Never on these."""
    plain_families: frozenset[str] = frozenset()
    """Of shapes: also on those of their shapes on which pages need no query, where none is left."""
    plain_shapes: frozenset[str] = frozenset()
    """These, on the site in question."""

    def __bool__(self) -> bool:
        return self.everywhere or bool(self.shapes)

    def covers(self, shape: str, *, plain: bool) -> bool:
        """Tell whether the rule acts on a shape; `plain`: without it and its like, the key has no query."""
        if shape in self.shapes or shape in self.doubted:
            return shape in self.shapes
        return (plain and (self.everywhere or shape in self.plain_shapes)) or shape_family(shape) in self.families

    def on_site(self, plain: Iterable[str]) -> Reach:
        """Return where the rule acts on a site on which pages of some path shapes need no query."""
        if not self.plain_families:
            return self
        return replace(self, plain_shapes=frozenset(one for one in plain if shape_family(one) in self.plain_families))


NOWHERE = Reach()


@dataclass(frozen=True, slots=True)
class Standing:
    """What a rule may do.

    Args:
        general: where it acts whatever the value is, or for `values` only.
        values: those it acts for; None for all.
        single: where it acts for one value that means the same as none (`page=1`).
        known: all values that were met in pairs that agreed.
    """

    general: Reach
    values: frozenset[str] | None
    single: Mapping[str, Reach]
    known: frozenset[str] = field(default=frozenset(), compare=False)

    def __bool__(self) -> bool:
        return bool(self.general) or bool(self.single)


IDLE = Standing(NOWHERE, frozenset(), {})
