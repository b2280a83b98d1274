from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from sameish.gate.memory import SiteMemory
from sameish.gate.overview import Trust, host_rows, overviews, trap_rows
from sameish.revisit.trust import AnswerTrust, HostTrust, ValidatorTrust
from sameish.settings import Settings
from sameish.stores.gate_state import Asked, Dropped, Entry, Note, Updates, hash_key
from sameish.stores.memory import MemoryStore
from sameish.urls.traps import LIMITS, TrapFamilies, TrapKind, outcome, suspicions

NOW = datetime(2026, 5, 4, 8, tzinfo=UTC)
LATER = int((NOW + timedelta(days=3)).timestamp())


@pytest.mark.parametrize(
    ("validator", "trust"),
    [
        (ValidatorTrust(), Trust.UNKNOWN),
        (ValidatorTrust(kept=1), Trust.TRUSTED),
        (ValidatorTrust(kept=1, liars=(5,)), Trust.TRUSTED),
        (ValidatorTrust(renewed=4), Trust.USELESS),
        (ValidatorTrust(renewed=4, kept=2), Trust.TRUSTED),
        (ValidatorTrust(kept=9, off_until=LATER), Trust.DISTRUSTED),
        (ValidatorTrust(renewed=4, off_until=LATER), Trust.DISTRUSTED),
        (ValidatorTrust(kept=9, off_until=1), Trust.TRUSTED),
    ],
)
def test_a_validator_is_believed_as_the_gate_believes_it(validator: ValidatorTrust, trust: Trust) -> None:
    (row,) = host_rows(SiteMemory(hosts={"a.example": HostTrust(etag=validator)}), NOW)
    assert row.etag.trust is trust
    assert validator.usable(NOW.timestamp()) is (trust in (Trust.UNKNOWN, Trust.TRUSTED))
    assert row.etag.caught == len(validator.liars)
    assert row.etag.distrusted_until == (NOW + timedelta(days=3) if trust is Trust.DISTRUSTED else None)
    assert row.last_modified.trust is Trust.UNKNOWN


def test_304_is_believed_once_a_body_was_compared() -> None:
    hosts = {
        "a.example": HostTrust(answers=AnswerTrust(asked_s=9.0)),
        "b.example": HostTrust(answers=AnswerTrust(asked_s=9.0, checks_s=2.0), turns=12),
        "c.example": HostTrust(answers=AnswerTrust(off_until=LATER)),
    }
    rows = host_rows(SiteMemory(hosts=hosts, shared_etags=frozenset({"b.example", "d.example"})), NOW)
    assert [row.host for row in rows] == ["a.example", "b.example", "c.example", "d.example"]
    assert [row.not_modified for row in rows] == [Trust.UNKNOWN, Trust.TRUSTED, Trust.DISTRUSTED, Trust.UNKNOWN]
    assert [row.shared_etags for row in rows] == [False, True, False, True]
    assert rows[1].revalidations == 12


def test_hosts_that_make_an_etag_for_each_url_are_named() -> None:
    (row,) = host_rows(SiteMemory(own_etags=frozenset({"a.example"})), NOW)
    assert (row.host, row.own_etags, row.shared_etags) == ("a.example", True, False)


def test_traps_are_named_by_what_was_dropped() -> None:
    families = TrapFamilies()
    urls = [f"https://a.example/list/{number}" for number in range(1, LIMITS[TrapKind.COUNTER] + 3)]
    for url in urls:
        families = outcome(families, suspicions(url), brought_new=False, content=b"same")
    other = "https://a.example/shelf/1"
    families = outcome(families, suspicions(other), brought_new=False, content=b"same")
    dropped = [Dropped(hash_key(url), "a.example", url, "trap: counter", NOW) for url in (*urls[-2:], other)]
    with MemoryStore() as store:
        store.note(Note(Asked("a.example"), lambda _, __: Updates(dropped=tuple(dropped))))
        (row,) = trap_rows(store, "a.example", SiteMemory(traps=families))
        assert (row.kind, row.family) == ("counter", "https://a.example/list/{number}")
        assert (row.fetched, row.skipped) == (0, 2)
        assert trap_rows(store, "a.example", SiteMemory()) == []


def test_a_site_that_only_the_ledger_knows_is_there() -> None:
    with MemoryStore() as store:
        store.note(Note(Asked(""), lambda _, __: Updates(ledger=(Entry("a.example", "saved:not_due", 4, 9),))))
        (found,) = overviews(store, Settings())
        assert (found.site, found.captures, found.savings.requests_saved) == ("a.example", 0, 4)
        assert overviews(store, Settings(), "a.example") == [found]
        assert overviews(store, Settings(), "b.example") == []
