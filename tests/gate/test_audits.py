"""What an audit says, and what it cannot say."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

import sameish
from sameish import Detector, Page
from sameish.gate.ledger import savings_of
from sameish.models import VerdictKind

NOON = datetime(2026, 5, 1, 12, tzinfo=UTC)
TEXT = "Kiln {0}: the potter of {0} fires at {0} past six, and shelf {0} holds {0} bowls that wait for a buyer. " * 4


def page(number: int, query: str, name: str, at: datetime = NOON) -> Page:
    html = f"<main><h1>{name}</h1><p>{TEXT.format(name)}</p></main>"
    return Page(html, f"https://kiln.example/pots/the-pot-{number}{query}", fetched_at=at)


def taught() -> Detector:
    detector = sameish.open(":memory:", clock=lambda: NOON)
    for number in range(5):
        for query in ("", f"?sip=1234567{number}", f"?sip=8765432{number}"):
            detector.observe(page(number, query, f"pot{'x' * number}{number}"))
    assert "query:sip" in detector.gate.sites.of("kiln.example").acting.standings
    return detector


@pytest.mark.parametrize("name", ["another", "potx1"])
def test_an_audit_of_another_hour_does_not_count_whether_it_agrees_or_not(name: str) -> None:
    with taught() as detector:
        before = savings_of(detector.store.ledger())
        detector.observe(page(1, "?sip=55555555", name, NOON + timedelta(days=2)))
        after = savings_of(detector.store.ledger())
        assert (after.audits, after.wrong_skips) == (before.audits, before.wrong_skips)
        assert after.audits_undecided == before.audits_undecided + 1


def test_an_audit_of_the_same_hour_counts() -> None:
    with taught() as detector:
        before = savings_of(detector.store.ledger())
        detector.observe(page(1, "?sip=55555555", "another", NOON + timedelta(minutes=2)))
        after = savings_of(detector.store.ledger())
        assert (after.audits, after.wrong_skips) == (before.audits + 1, before.wrong_skips + 1)


def test_what_an_edit_may_explain_is_decided_by_the_next_fetch() -> None:
    with taught() as detector:
        before = savings_of(detector.store.ledger())
        later = NOON + timedelta(days=2)
        detector.observe(page(1, "?sip=55555555", "another", later))
        detector.observe(page(1, "?sip=66666666", "another", later + timedelta(minutes=1)))
        after = savings_of(detector.store.ledger())
        assert (after.audits, after.wrong_skips) == (before.audits + 1, before.wrong_skips)


def test_a_304_counts_as_an_audit_within_the_hour_only() -> None:
    for apart, counted in ((timedelta(minutes=5), 1), (timedelta(days=2), 0)):
        with taught() as detector:
            before = savings_of(detector.store.ledger())
            url = "https://kiln.example/pots/the-pot-1?sip=77777777"
            detector.observe(Page(url=url, status=304, fetched_at=NOON + apart))
            after = savings_of(detector.store.ledger())
            assert after.audits - before.audits == counted
            assert after.audits_undecided - before.audits_undecided == 1 - counted


@pytest.mark.parametrize("address", ["a?{}", "a;{}", "a?{}&x=1"])
@pytest.mark.parametrize("part", ["p{0}={0}{1}", "p{0}{1}"])
def test_addresses_with_thousands_of_parts_teach_nothing_and_are_remembered(address: str, part: str) -> None:
    with sameish.open(":memory:", clock=lambda: NOON) as detector:
        kinds = []
        for number in range(3):
            mark = ";" if ";" in address else "&"
            parts = mark.join(part.format(one, number) for one in range(1_000))
            html = f"<main><p>{TEXT.format('one')}</p></main>"
            kinds.append(detector.observe(Page(html, "https://kiln.example/" + address.format(parts))).kind)
        assert kinds == [VerdictKind.NEW, VerdictKind.DUPLICATE, VerdictKind.DUPLICATE]
        assert not detector.gate.sites.of("kiln.example").acting.standings
