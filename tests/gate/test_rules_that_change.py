"""Rules that change while a URL is decided on make nobody stumble, and nothing is skipped without a rule."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime

import pytest

import sameish
from sameish import Detector, Page
from sameish.models import FetchAction
from sameish.stores.gate_state import Visit
from sameish.urls.acting import Acting

NOON = datetime(2026, 5, 1, 12, tzinfo=UTC)
SITE = "kiln.example"
TEXT = (
    "Kiln {0}: the potter of {0} fires at {0} past six, and shelf {0} holds {0} bowls that wait for glaze and a buyer. "
    * 4
)


@pytest.fixture
def detector() -> Iterator[Detector]:
    with sameish.open(":memory:", settings={"gate": {"audit_share": 0.1}}, clock=lambda: NOON) as detector:
        for number in range(1, 7):
            for end in ("", f"?from=page-{number}", f"?from=list-{number}"):
                url = f"https://{SITE}/pots/pot-{number}{end}"
                detector.observe(Page(f"<main><h1>{number}</h1><p>{TEXT.format('x' * number)}</p></main>", url))
        yield detector


def test_rules_that_change_between_two_looks_break_no_decision(
    detector: Detector, monkeypatch: pytest.MonkeyPatch
) -> None:
    url, site = f"https://{SITE}/pots/pot-1?from=z", detector.gate.sites.of(SITE)
    assert detector.gate.decide(url).rule == "query:from"
    visit = detector.store.visit

    def meanwhile(key_hash: int) -> Visit | None:
        site.acting = Acting()
        return visit(key_hash)

    monkeypatch.setattr(detector.store, "visit", meanwhile)
    assert detector.gate.decide(url).rule == "query:from"


def test_nothing_is_skipped_that_no_rule_speaks_for(detector: Detector) -> None:
    gate = detector.gate
    other = f"https://{SITE}/pots/pot-2"
    known = gate.known.get(gate.class_of(other))
    assert known is not None
    gate.sites.of(SITE).acting = Acting()
    url = f"https://{SITE}/pots/pot-9"
    gate.known.put((known.page, gate.class_of(url), known.due, known.size))
    assert gate.decide(url).action is FetchAction.FETCH
