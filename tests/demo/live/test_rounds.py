"""The crawls of the demo, over real HTTP on small hosts, and the report that holds them against the truth."""

from __future__ import annotations

from dataclasses import replace

import pytest

from sameish.demo.live.contents import Volume
from sameish.demo.live.honesty import Honesty
from sameish.demo.live.report import PRICES, Found, report_of
from sameish.demo.live.rounds import HOSTS, ROUNDS, Run, Way, run
from sameish.settings import DEFAULT, Ledger

SMALL = {
    "honest": (Honesty.HONEST, Volume(20, edited=30, added=20)),
    "liar": (Honesty.FROZEN, Volume(50, edited=90)),
}


@pytest.fixture(scope="module")
def crawled(tmp_path_factory: pytest.TempPathFactory) -> Run:
    return run(tmp_path_factory.mktemp("demo") / "demo.db", DEFAULT, 3, SMALL)


def test_figures_are_those_of_the_servers(crawled: Run) -> None:
    report = report_of(crawled, DEFAULT.ledger)
    assert [(row.round, row.way) for row in report.rows] == [(one.name, way) for one in ROUNDS for way in Way]
    for row, crawl in zip(report.rows, crawled.crawls, strict=True):
        hits = [hit for hits in crawl.hits.values() for hit in hits]
        assert row.requests == len(hits) > 0
        assert row.bytes == sum(hit.sent for hit in hits)
        assert row.money == pytest.approx(row.requests / 1000 + row.bytes / 1e9 * 5)
    for way, sums in report.sums.items():
        assert sums.requests == sum(row.requests for row in report.rows if row.way is way)
        assert sums.bytes == sum(row.bytes for row in report.rows if row.way is way)


def test_nothing_is_lost_and_less_is_asked_for(crawled: Run) -> None:
    report = report_of(crawled, DEFAULT.ledger)
    assert report.faults == ()
    assert report.sums[Way.WITH].requests < 0.6 * report.sums[Way.WITHOUT].requests
    last = {row.way: row for row in report.rows[-2:]}
    contents = [one for paper in crawled.papers for one in paper.contents.values()]
    assert last[Way.WITH].contents == Found(len(contents), len(contents))
    assert last[Way.WITH].edits == Found(*[sum(one.is_edited for one in contents)] * 2)
    assert last[Way.WITH].new == Found(*[sum(one.is_new for one in contents)] * 2)
    # the lies of a host stay unnoticed by who does not check
    assert last[Way.WITHOUT].edits.found < last[Way.WITHOUT].edits.of
    assert {one.host for one in last[Way.WITHOUT].missed} == {"liar"}


def test_the_liar_is_found_out_and_the_honest_one_believed(crawled: Run) -> None:
    honest, liar = crawled.findings
    assert liar.distrusted_until is not None
    assert honest.distrusted_until is None
    assert honest.not_modified > 0
    assert {"query:edition", "query:page"} <= {*honest.matters, *liar.matters}
    assert sum(honest.saved.values()) > 0
    for one, paper in zip(crawled.findings, crawled.papers, strict=True):
        names = {paper.names.tracking, paper.names.session, paper.names.referrer, paper.names.timestamp}
        assert {rule.removeprefix("query:") for rule in one.rules if "=" not in rule and "query" in rule} <= names


def without_page(crawled: Run, at: int, address: str) -> Run:
    """The same as if one crawler had not kept a page, from a crawl on."""
    kept = set[str]()
    for crawl in crawled.crawls:
        kept |= {
            hit.digest for hits in crawl.hits.values() for hit in hits if hit.content and hit.content.address == address
        }
    crawls = [replace(one, kept=one.kept - kept) if n >= at else one for n, one in enumerate(crawled.crawls)]
    return replace(crawled, crawls=tuple(crawls))


def test_a_lost_content_is_a_fault(crawled: Run) -> None:
    content = next(one for one in crawled.papers[0].contents.values() if not one.is_edited and not one.is_new)
    report = report_of(without_page(crawled, 0, content.address), DEFAULT.ledger)
    assert {(one.host, one.address, one.is_lost) for one in report.faults} == {("honest", content.address, True)}
    assert [row.lost for row in report.rows if row.way is Way.WITH] == [1, 1, 1]


def test_a_missed_edit_is_a_fault(crawled: Run) -> None:
    content = next(one for one in crawled.papers[0].contents.values() if one.is_edited)
    report = report_of(without_page(crawled, 2, content.address), DEFAULT.ledger)
    assert {(one.host, one.address, one.is_lost) for one in report.faults} == {("honest", content.address, False)}
    last = report.rows[-1]
    assert last.edits.found == last.edits.of - 1
    assert last.lost == 0


def test_what_a_liar_hides_is_no_fault_until_the_last_crawl(crawled: Run) -> None:
    content = next(one for one in crawled.papers[1].contents.values() if one.is_edited)
    (fault,) = report_of(without_page(crawled, 2, content.address), DEFAULT.ledger).faults
    assert (fault.host, fault.address, fault.is_hidden) == ("liar", content.address, True)


def test_prices_are_those_of_the_settings_where_there_are_any(crawled: Run) -> None:
    assert report_of(crawled, Ledger()).prices == PRICES
    own = Ledger(price_per_1000_requests=2.0, currency="EUR")
    report = report_of(crawled, own)
    assert report.prices == own
    assert report.sums[Way.WITH].money == pytest.approx(report.sums[Way.WITH].requests * 0.002)


def test_the_hosts_of_the_demo_show_every_kind() -> None:
    assert {honesty for honesty, _ in HOSTS.values()} == set(Honesty)
