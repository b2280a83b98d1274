"""What a fetched page teaches about the URLs of its site: the pairs it makes with pages fetched before."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from sameish.gate.sites import digest_hash
from sameish.judging.compare import compare_fingerprints
from sameish.models import Capture, ComparisonKind, State
from sameish.settings import Judging
from sameish.stores.gate_state import GateStore, Visit, hash_key
from sameish.urls.keys import url_key
from sameish.urls.learner import Pair
from sameish.urls.siblings import Sibling
from sameish.urls.walls import Walls

_TEACHING = (State.CONTENT, State.NOT_HTML)
"""A teaser or a text of three words may be the same under any URL."""
_SAME_TIME_S = 3_600.0
"""Within this time two captures show one version of a page; later a difference may be an edit."""
_SAME_DAY_S = 86_400.0
"""Within this time two captures that have nothing in common are not taken for versions of one page."""


@dataclass(frozen=True, slots=True)
class Lesson:
    """Two captures compared.

    `.same`: whether their content is, None where that cannot be said. `.pair`: as evidence, None where it is none.
    `.of_class`: rules say that they are the same. `.is_timely`: they were fetched within an hour.
    """

    same: bool | None
    pair: Pair | None = None
    of_class: bool = False
    is_timely: bool = False

    @property
    def is_audit(self) -> bool:
        """Whether it tells of the rules what it would have told had it come out otherwise.

        Of two pages fetched further apart, equal ones would count and different ones not, as they may be edited: the rate of
        wrong skips would lean to zero.
        """
        return self.of_class and self.is_timely and self.pair is not None

    @property
    def is_unsettled(self) -> bool:
        """Whether the rules are wrong or the page was edited since: another look will tell."""
        return self.of_class and self.same is False and self.pair is None


def teaches(capture: Capture) -> bool:
    """Whether a capture may be evidence for or against a rule."""
    return capture.fingerprint.state in _TEACHING


def is_timely(apart: float) -> bool:
    """Whether what differs between two captures so many seconds apart cannot be an edit."""
    return apart <= _SAME_TIME_S


def lessons_of(
    capture: Capture,
    siblings: Sequence[Sibling],
    holder: Visit | None,
    store: GateStore,
    judging: Judging,
    walls: Walls,
) -> Iterator[Lesson]:
    """Yield what a capture teaches.

    Args:
        capture: that was fetched; it must teach.
        siblings: earlier pages to compare it with.
        holder: of the class that rules put the capture in, None where that is the page itself or the class is new.
        store: has their captures.
        judging: thresholds of the site.
        walls: what is no page of any URL.
    """
    audited = None if holder is None else url_key(holder.url)
    if audited is not None:
        yield _lesson(capture, audited, holder, store, judging, walls, of_class=True)
    own = digest_hash(capture.fingerprint.digest)
    for sibling in siblings:
        if sibling.key == audited:
            continue
        if sibling.digest == own:
            yield Lesson(same=True, pair=Pair(capture.key, sibling.key, agree=True, content=own))
        else:
            yield _lesson(capture, sibling.key, store.visit(hash_key(sibling.key)), store, judging, walls)


def _lesson(
    capture: Capture,
    key: str,
    visit: Visit | None,
    store: GateStore,
    judging: Judging,
    walls: Walls,
    *,
    of_class: bool = False,
) -> Lesson:
    """Return a page compared with another, of which a visit is known."""
    other = None if visit is None or visit.capture_id is None else store.capture(visit.capture_id)
    if other is None or not teaches(other):
        return Lesson(None, of_class=of_class)
    kind = compare_fingerprints(other.fingerprint, capture.fingerprint, judging).kind
    if kind is ComparisonKind.UNDETERMINED:
        return Lesson(None, of_class=of_class)
    if _is_wall(capture, walls) or _is_wall(other, walls):
        return Lesson(None if kind is ComparisonKind.IDENTICAL else False, of_class=of_class)
    apart = abs((capture.fetched_at - other.fetched_at).total_seconds())
    same, timely = kind is ComparisonKind.IDENTICAL, is_timely(apart)
    content = digest_hash(capture.fingerprint.digest) if same else None
    unrelated = not of_class and kind is not ComparisonKind.NEAR_DUPLICATE and apart <= _SAME_DAY_S
    pair = Pair(capture.key, key, agree=same, content=content) if same or timely or unrelated else None
    return Lesson(same, pair, of_class, timely)


def _is_wall(capture: Capture, walls: Walls) -> bool:
    return walls.is_one(digest_hash(capture.fingerprint.digest), capture.fetched_at.timestamp())


def same_as_canonical(capture: Capture, key: str, store: GateStore, judging: Judging, walls: Walls) -> bool | None:
    """Return whether a capture has the content of the address that it names as canonical, None where that is not known."""
    return _lesson(capture, key, store.visit(hash_key(key)), store, judging, walls).same
