"""A sitemap's lastmod, believed once proved."""

from __future__ import annotations

import pytest

from sameish.revisit.after import Answer, after_fetch
from sameish.revisit.before import Step, before_fetch
from sameish.revisit.lastmod import LastmodTrust, lastmod_learned, usable
from sameish.revisit.policy import DAY, HOUR
from sameish.revisit.state import Visits
from sameish.revisit.trust import HostTrust

T0 = 1_900_000_000
URL = "https://quay.example/tides"
PROVED = HostTrust(lastmod=LastmodTrust(moved_changed=8, still_same=40))


def visited(lastmod: float | None = T0 - DAY) -> Visits:
    return after_fetch(None, None, Answer(URL, T0, lastmod=lastmod))[0]


def test_a_later_lastmod_brings_the_visit_forward_where_it_has_proved_true() -> None:
    page, at = visited(), T0 + 3 * HOUR
    assert before_fetch(page, PROVED, URL, at, lastmod=T0 + HOUR).step is Step.FETCH
    assert before_fetch(page, HostTrust(), URL, at, lastmod=T0 + HOUR).step is Step.WAIT
    assert before_fetch(page, PROVED, URL, T0 + HOUR / 2, lastmod=T0 + 60).step is Step.WAIT
    assert before_fetch(visited(None), PROVED, URL, at, lastmod=T0 + HOUR).step is Step.FETCH


def test_the_same_lastmod_puts_the_visit_off_but_not_for_good() -> None:
    page = visited()
    assert before_fetch(page, PROVED, URL, T0 + 1.5 * DAY, lastmod=T0 - DAY).step is Step.WAIT
    assert before_fetch(page, PROVED, URL, T0 + 2 * DAY, lastmod=T0 - DAY).step is Step.FETCH
    assert before_fetch(page, HostTrust(), URL, T0 + 1.5 * DAY, lastmod=T0 - DAY).step is Step.FETCH


def test_it_has_to_prove_itself_first() -> None:
    trust = LastmodTrust()
    for n in range(3):
        assert not trust.announces
        trust = lastmod_learned(trust, T0 + n, T0 + n + 1, changed=True)
    assert trust.announces
    assert not trust.vouches
    for _ in range(10):
        trust = lastmod_learned(trust, T0, T0, changed=False)
    assert trust.vouches
    assert not lastmod_learned(trust, T0, T0, changed=True).vouches


def test_a_sitemap_that_always_says_now_is_not_believed() -> None:
    trust = LastmodTrust()
    for n in range(20):
        trust = lastmod_learned(trust, T0 + n, T0 + n + 1, changed=n % 5 == 0)
    assert not trust.announces


def test_counts_stay_bounded() -> None:
    trust = LastmodTrust()
    for n in range(5_000):
        trust = lastmod_learned(trust, T0, T0 + n % 2, changed=bool(n % 2))
    assert trust.announces
    assert trust.vouches
    assert trust.moved_changed + trust.still_same <= 200


def test_visits_teach_it() -> None:
    page, host, at = visited(), HostTrust(), float(T0)
    for n in range(4):
        at = page.due_at
        page, host = after_fetch(page, host, Answer(URL, at, changed=True, lastmod=T0 + n * 100))
    assert host.lastmod == LastmodTrust(moved_changed=4)


@pytest.mark.parametrize("lastmod", [None, -1.0, T0 + 3 * DAY, float("nan"), float("inf")])
def test_what_lies_ahead_is_no_lastmod(lastmod: float | None) -> None:
    assert usable(lastmod, T0) is None
