"""Which skips are fetched all the same, to see whether the rules are right: a settled share, and more where they know little.

Each rule has accounts, and there is one of all skips. A skip adds its share to them, and a skip that makes one of them reach 1
is an audit; it pays for all rules that it tests, so that what is looked at to learn is not looked at again to make up the share.
"""

from __future__ import annotations

import random
from collections.abc import Collection
from dataclasses import dataclass, field
from typing import TypeVar

from sameish.urls.acting import Acting, aspect_of
from sameish.urls.rule_states import has_values
from sameish.urls.shapes import path_shape, shape_family
from sameish.urls.usual import is_usual

_Name = TypeVar("_Name", str, int)
_Number = TypeVar("_Number", int, float)
_NEW_SHAPE = {True: 0.3, False: 0.04}
_FEW_VALUES = 0.15
_USUAL = 0.4
_TRIED = 50
_CROWD = 8
_MORE = 3
_CROWDED = 2
_MOST_PAID = 1.0
"""Audits that a rule may have paid beforehand."""
_MOST_COUNTED = 20_000
_ALL = "all rules"
"""The account of the share of all skips, whichever rules come together."""


def new_shape_share(acting: Acting, rule: str, shape: str) -> float:
    """Return the share of a rule's skips on a path shape that should be fetched because nothing was shown there, 0..1.

    For a parameter 0.35 of `1 / (1 + shapes)`, where it was shown on so many shapes, all alike: of the order of the chance
    that the next shape is another (Laplace's rule of succession). For others 0.1 of it: what is of the path, host or scheme
    is seldom read by one program alone.
    """
    aspect = aspect_of(rule)
    shown = [one for one, found in acting.read[aspect][0].shapes.items() if found.agreed]
    prior = _USUAL if is_usual(aspect) else 1.0
    return 0.0 if shape in shown else prior * _NEW_SHAPE[has_values(rule)] / (1 + len(shown))


def few_values_share(acting: Acting, rule: str) -> float:
    """Return the share of a rule's skips that should be fetched because it has met few values, 0..1.

    0.15 by one more than the number of values: sort orders, views and languages matter on some pages only, while what only
    tracks has many values. Less than half of it for names that usually mean nothing; less after fifty audits: where one page
    in ten is changed, so many all miss it once in two hundred times. What chooses a translation counts as having met none.
    """
    aspect = aspect_of(rule)
    evidence, standing = acting.read[aspect]
    if not has_values(aspect) and not evidence.translates:
        return 0.0
    audits = sum(found.audits for found in evidence.shapes.values())
    prior = _USUAL if is_usual(aspect) else 1.0
    values = 0 if evidence.translates else len(standing.known)
    return prior * _FEW_VALUES / (1 + values) * min(1.0, _TRIED / max(1, audits))


@dataclass(slots=True)
class Trials:
    """Counts the skips of one site and says which of them are to be audits. In memory; not safe for threads.

    Args:
        rng: draws which skip of an account is its first audit.
    """

    rng: random.Random = field(default_factory=random.Random)
    _debts: dict[str, float] = field(default_factory=dict)
    _skips: dict[int, int] = field(default_factory=dict)
    _total: int = 0

    def is_due(self, acting: Acting, reduced: str, used: Collection[str], share: float, day: int) -> bool:
        """Count a skip by learned rules; return whether it is to be an audit instead.

        Args:
            acting: rules of the site.
            reduced: class key of the URL.
            used: rules that make it the same as a page that was fetched.
            share: of the skips by rules that are audits, by the settings.
            day: today, as evidence is dated.
        """
        shape = path_shape(reduced)
        family = shape_family(shape)
        wanted = {f"{rule}, few values": few_values_share(acting, rule) for rule in used}
        wanted |= {f"{rule}, new to {family}": new_shape_share(acting, rule, shape) for rule in used}
        accounts = [self._grown(*one) for one in wanted.items() if one[1] >= share]
        fresh = [_is_fresh(acting, rule, day) for rule in used]
        accounts += [self._grown(rule, share, paid=one) for rule, one in zip(used, fresh, strict=True)]
        accounts.append(self._grown(_ALL, share, paid=all(fresh)))
        if not self._is_crowded(hash(reduced)) and all(self._debts[one] < 1 for one in accounts):
            return False
        for one in accounts:
            self._debts[one] = max(self._debts[one] - 1, -_MOST_PAID)
        return True

    def is_due_by(self, rule: str, share: float) -> bool:
        """Count a skip that is no learned rule's, such as that of a trap; return whether it is to be an audit instead."""
        due = self._debts[self._grown(rule, share)] >= 1
        self._debts[rule] -= due
        return due

    def _grown(self, account: str, share: float, *, paid: bool = False) -> str:
        debt = self._debts.pop(account, None)
        # at random, or short crawls would never audit
        self._debts[account] = (self.rng.random() - paid if debt is None else debt) + share
        _forgotten(self._debts)
        return account

    def _is_crowded(self, page: int) -> bool:
        """Count a skip for a page; tell whether so many URLs were taken for it that it should be looked at once more.

        Where a name chooses what one program shows, all of that is taken for one page. How many URLs pages have differs from
        site to site, so they are compared with the other pages' mean.
        """
        count = self._skips.pop(page, 0) + 1
        others = (self._total - count + 1) / max(1, len(self._skips))
        self._skips[page] = count
        self._total += 1 - _forgotten(self._skips)
        return _is_step(count) and count >= _CROWDED * others


def _is_step(count: int) -> bool:
    """Tell whether a count is 8, 24, 72 and so on."""
    while count > _CROWD and count % _MORE == 0:
        count //= _MORE
    return count == _CROWD


def _forgotten(counted: dict[_Name, _Number]) -> _Number | int:
    """Forget what was counted longest ago, where it is too much to keep; return how much that was."""
    return counted.pop(next(iter(counted))) if len(counted) > _MOST_COUNTED else 0


def _is_fresh(acting: Acting, rule: str, day: int) -> bool:
    """Tell whether all that speaks for a rule was seen today: these pairs have tested it."""
    evidence, _ = acting.read[aspect_of(rule)]
    return all(one.day == day for shape in evidence.shapes.values() for one in shape.agreed)
