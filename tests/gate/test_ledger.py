from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sameish.gate.ledger import Saved, Savings, lines, savings_of, since
from sameish.settings import Ledger
from sameish.stores.gate_state import Entry

ENTRIES = [
    Entry("a.example", "fetched", 800, 15_000_000),
    Entry("a.example", "asked", 120),
    Entry("a.example", "redirected", 5),
    Entry("a.example", "saved:not_modified", 0, 3_000_000),
    Entry("a.example", "saved:url_rule", 1_900, 30_100_000),
    Entry("a.example", "saved:trap", 3),
    Entry("a.example", "audit", 40),
    Entry("a.example", "wrong_skip", 1),
    Entry("a.example", "rule_revoked", 1),
    Entry("b.example", "saved:not_due", 1_200, 12_000_000),
    Entry("b.example", "saved:static_key", 100, 900_000),
]
names = st.sampled_from(sorted({entry.name for entry in ENTRIES} - {"wrong_skip"}))
sites, counts, few = st.sampled_from("ab"), st.integers(0, 10**8), st.integers(0, 100)  # each wrong skip takes time
entries = st.lists(
    st.builds(Entry, sites, names, counts, counts) | st.builds(Entry, sites, st.just("wrong_skip"), few, st.just(0)),
    max_size=20,
)


def test_savings_are_summed_by_reason() -> None:
    found = savings_of(ENTRIES)
    assert (found.requests_saved, found.bytes_saved) == (3_203, 46_000_000)
    assert found.by_reason == {
        "not_due": Saved(1_200, 12_000_000),
        "not_modified": Saved(0, 3_000_000),
        "static_key": Saved(100, 900_000),
        "url_rule": Saved(1_900, 30_100_000),
        "trap": Saved(3, 0),
    }
    assert (found.audits, found.wrong_skips, found.rules_revoked) == (40, 1, 1)
    assert (found.requests_fetched, found.bytes_fetched) == (925, 15_000_000)


def test_a_site_has_its_own_savings() -> None:
    assert savings_of(ENTRIES, site="b.example").requests_saved == 1_300
    assert savings_of(ENTRIES, site="c.example") == savings_of([])


def test_a_reason_without_words_is_shown_as_it_is_named() -> None:
    found = savings_of([Entry("", "saved:full_moon", 2), Entry("", "saved:trap", 1)])
    assert list(found.by_reason) == ["trap", "full_moon"]
    assert any(line.split() == ["full_moon", "2"] for line in lines(found))


def test_money_is_told_where_there_is_a_price() -> None:
    assert savings_of(ENTRIES).money_saved is None
    assert savings_of(ENTRIES, Ledger()).money_saved is None
    found = savings_of(ENTRIES, Ledger(price_per_gb=10, price_per_1000_requests=2, currency="EUR"))
    assert found.money_saved == pytest.approx(0.46 + 6.406)
    assert "Money saved: 6.87 EUR" in lines(found)


def test_the_loss_is_estimated_from_audits() -> None:
    found = savings_of(ENTRIES)
    assert found.wrong_skip_rate == pytest.approx(1 / 40)
    right = 1 - found.upper_bound  # at the exact bound one wrong audit or none has a chance of 5 %
    assert right**40 + 40 * found.upper_bound * right**39 == pytest.approx(0.05)
    assert found.requests_lost == pytest.approx(1_900 / 40)
    assert found.requests_lost_at_most == pytest.approx(1_900 * found.upper_bound)


def test_without_audits_the_loss_is_not_known() -> None:
    found = savings_of([Entry("", "saved:url_rule", 10, 5)])
    assert (found.wrong_skip_rate, found.requests_lost, found.requests_lost_at_most) == (None, None, 10)
    assert lines(found)[-1] == "Lost by URL rules: not known without audits, of 10 requests"


def test_audits_that_found_nothing_are_no_promise_that_nothing_is_lost() -> None:
    found = savings_of(
        [Entry("", "saved:url_rule", 1_000, 5), Entry("", "audit", 20), Entry("", "audit_undecided", 1_200)]
    )
    assert lines(found)[-3:] == [
        "URL rules: 20 audits and 1,200 that cannot tell, 0 wrong skips; 0 rules stopped",
        "Lost by URL rules: none that audits found of 1,000 requests (0.0%),",
        "  at most 139 (13.9%) with 95 % confidence",
    ]


def test_what_was_given_back_was_not_saved() -> None:
    found = savings_of(
        [Entry("", "saved:url_rule", 10, 1_000), Entry("", "given_back:url_rule", 4), Entry("", "given_back:trap", 1)]
    )
    assert found.by_reason == {"url_rule": Saved(6, 600)}
    assert (found.requests_saved, found.bytes_saved, found.requests_lost_at_most) == (6, 600, 6)


def test_what_no_rule_saved_cannot_be_lost_by_one() -> None:
    found = savings_of([Entry("", "saved:not_due", 10, 5)])
    assert (found.requests_lost, found.requests_lost_at_most) == (0, 0)
    assert not any("rule" in line for line in lines(found))


def test_the_table() -> None:
    assert lines(savings_of(ENTRIES)) == [
        "                              requests     bytes",
        "fetched                            925   15.0 MB",
        "saved                            3,203   46.0 MB",
        "  not due yet                    1,200   12.0 MB",
        "  not modified (304)                      3.0 MB",
        "  the same by its static key       100  900.0 kB",
        "  the same by a URL rule         1,900   30.1 MB",
        "  in a trap                          3",
        "saved of all                       78%       75%",
        "URL rules: 40 audits, 1 wrong skip; 1 rule stopped",
        "Lost by URL rules: about 48 of 1,900 requests (2.5%),",
        "  at most 215 (11.3%) with 95 % confidence",
    ]


def test_nothing_is_told_of_nothing() -> None:
    assert savings_of([]) == Savings(money_saved=None, requests_lost=0.0)
    assert lines(savings_of([])) == []


@given(entries)
def test_lines_fit_a_terminal_and_are_plain(some: list[Entry]) -> None:
    for line in lines(savings_of(some, Ledger(price_per_gb=1))):
        assert len(line) <= 80
        assert line.isprintable()
        assert line == line.rstrip()


@given(entries)
def test_sites_sum_up_to_all(some: list[Entry]) -> None:
    whole, parts = savings_of(some), [savings_of(some, site=site) for site in "ab"]
    assert whole.requests_saved == sum(part.requests_saved for part in parts)
    assert whole.bytes_saved == sum(part.bytes_saved for part in parts)
    assert whole.requests_saved == sum(saved.requests for saved in whole.by_reason.values())


@given(entries)
def test_rates_are_shares_and_the_bound_is_above_the_estimate(some: list[Entry]) -> None:
    found = savings_of(some)
    assert 0 <= (found.wrong_skip_rate or 0) <= found.upper_bound <= 1
    assert (found.requests_lost or 0) <= found.requests_lost_at_most <= found.requests_saved


@given(entries, entries)
def test_what_was_added_is_the_difference_of_two_readings(before: list[Entry], more: list[Entry]) -> None:
    def read(*parts: list[Entry]) -> list[Entry]:
        """Return sums by site and name, as a store does."""
        sums: dict[tuple[str, str], Entry] = {}
        for one in (one for part in parts for one in part):
            old = sums.get((one.site, one.name), Entry(one.site, one.name, 0))
            added = Entry(one.site, one.name, old.requests + one.requests, old.size_bytes + one.size_bytes)
            sums[one.site, one.name] = added
        return list(sums.values())

    added = since(read(before), read(before, more))
    assert {one for one in added} == {one for one in read(more) if one.requests or one.size_bytes}  # noqa: C416
