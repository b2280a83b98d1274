"""What an audit says, and what it cannot say."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import sameish
from sameish import Detector, Page
from sameish.gate.ledger import savings_of

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


def test_an_audit_that_an_edit_may_explain_does_not_count_for_the_rate_of_wrong_skips() -> None:
    with taught() as detector:
        before = savings_of(detector.store.ledger())
        detector.observe(page(1, "?sip=55555555", "another", NOON + timedelta(days=2)))
        after = savings_of(detector.store.ledger())
        assert (after.audits, after.wrong_skips) == (before.audits, before.wrong_skips)
        undecided = sum(one.requests for one in detector.store.ledger() if one.name == "audit_undecided")
        assert undecided == 1


def test_an_audit_of_the_same_hour_counts() -> None:
    with taught() as detector:
        before = savings_of(detector.store.ledger())
        detector.observe(page(1, "?sip=55555555", "another", NOON + timedelta(minutes=2)))
        after = savings_of(detector.store.ledger())
        assert (after.audits, after.wrong_skips) == (before.audits + 1, before.wrong_skips + 1)
