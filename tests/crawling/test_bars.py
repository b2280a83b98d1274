"""What sameish promises to crawlers, counted at the server: GETs for each content, bodies the second time, nothing lost."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from statistics import mean
from typing import Any

import pytest
from tests.crawling import names
from tests.crawling.harness import WITH_SAMEISH, Bed
from tests.crawling.options import Canonical, Habit, Options, Variant, WallKind

Rounds = Callable[[int], int]


def _folder(within: Path, seed: int) -> Path:
    folder = within / str(seed)
    folder.mkdir()
    return folder


def test_a_small_site_costs_at_most_1_7_gets_a_content(tmp_path: Path, rounds: Rounds) -> None:
    costs = []
    for seed in range(1, 1 + max(2, rounds(20))):
        with Bed(_folder(tmp_path, seed), Options(contents=80, seed=seed)) as bed:
            first = bed.crawl(WITH_SAMEISH)
            assert bed.lost(first) == set()
            costs.append(first.counts.per_content(80))
    assert mean(costs) <= 1.6
    assert max(costs) <= 1.7  # in which order answers come is chance


def test_usual_names_cost_less(tmp_path: Path, rounds: Rounds) -> None:
    for seed in range(1, 1 + max(1, rounds(10))):
        with Bed(_folder(tmp_path, seed), Options(contents=80, seed=seed, naming=names.listed)) as bed:
            first = bed.crawl(WITH_SAMEISH)
            assert bed.lost(first) == set()
            assert first.counts.per_content(80) <= 1.35


def test_a_second_crawl_asks_for_few_bodies_and_finds_every_edit(tmp_path: Path, rounds: Rounds) -> None:
    for seed in range(1, 1 + max(2, rounds(10))):
        with Bed(_folder(tmp_path, seed), Options(contents=80, seed=seed)) as bed:
            first = bed.crawl(WITH_SAMEISH)
            bed.clock.move(days=2)
            changed = {*bed.site.edit(0.10), *bed.site.add(0.05)}
            second = bed.crawl(WITH_SAMEISH)
            assert bed.lost(first, second) == set()
            assert changed <= {content for content, version in second.seen if version == bed.site.current()[content]}
            assert second.counts.contents.full <= 0.35 * len(bed.site.contents)


@pytest.mark.parametrize(
    "habit", [{"habits": {Habit.DATE: 100}}, {"own_etags": True}], ids=["no ETags", "an ETag for each URL"]
)
def test_a_second_crawl_asks_for_few_bodies_where_validators_hold_for_one_url_only(
    tmp_path: Path, rounds: Rounds, habit: dict[str, Any]
) -> None:
    bodies = []
    for seed in range(1, 1 + max(2, rounds(10))):
        options = Options(contents=80, seed=seed, **habit)
        with Bed(_folder(tmp_path, seed), options) as bed:
            first = bed.crawl(WITH_SAMEISH)
            bed.clock.move(days=2)
            changed = {*bed.site.edit(0.10), *bed.site.add(0.05)}
            second = bed.crawl(WITH_SAMEISH)
            assert bed.lost(first, second) == set()
            assert changed <= {content for content, version in second.seen if version == bed.site.current()[content]}
            bodies.append(second.counts.contents.full / len(bed.site.contents))
    # an audit of one URL in fifty brings a body here, where one ETag for all URLs brings a 304: 0.33 to 0.38 were seen
    assert mean(bodies) <= 0.38
    assert max(bodies) <= 0.42


@pytest.mark.soak
def test_a_large_site_costs_at_most_1_25_gets_a_content(tmp_path: Path) -> None:
    with Bed(tmp_path, Options(contents=800, seed=5)) as bed:
        first = bed.crawl(WITH_SAMEISH)
        assert bed.lost(first) == set()
        assert first.counts.per_content(800) <= 1.25
        bed.clock.move(days=2)
        bed.site.edit(0.10)
        bed.site.add(0.05)
        second = bed.crawl(WITH_SAMEISH)
        assert bed.lost(first, second) == set()
        assert second.counts.contents.full <= 0.35 * len(bed.site.contents)


def test_a_parameter_that_begins_to_matter_loses_nothing_for_good(tmp_path: Path) -> None:
    with Bed(tmp_path, Options(contents=80, seed=3)) as bed:
        crawls = [bed.crawl(WITH_SAMEISH)]
        bed.site.start_to_matter(Variant.REFERRER)
        for _ in range(3):
            bed.clock.move(days=4)
            crawls.append(bed.crawl(WITH_SAMEISH))
        assert bed.lost(*crawls) == set()


def test_canonical_links_that_all_point_home_are_not_believed(tmp_path: Path) -> None:
    with Bed(tmp_path, Options(contents=80, seed=4, canonical=Canonical.HOME)) as bed:
        first = bed.crawl(WITH_SAMEISH)
        assert bed.lost(first) == set()
        assert first.counts.per_content(80) <= 1.8


@pytest.mark.parametrize("habit", [Habit.RESTLESS, Habit.FROZEN])
def test_hosts_whose_validators_lie_hide_nothing_for_good(tmp_path: Path, habit: Habit) -> None:
    with Bed(tmp_path, Options(contents=60, seed=5, habits={habit: 1})) as bed:
        crawls = [bed.crawl(WITH_SAMEISH)]
        bed.clock.move(days=2)
        bed.site.edit(0.10)
        for _ in range(6):  # 304 answers that span eight days are looked behind at the next visit
            crawls.append(bed.crawl(WITH_SAMEISH))
            bed.clock.move(days=6)
        assert bed.lost(*crawls) == set()


@pytest.mark.parametrize("kind", list(WallKind))
def test_a_wall_that_answers_everywhere_for_a_while_hides_nothing_for_good(tmp_path: Path, kind: WallKind) -> None:
    with Bed(tmp_path, Options(contents=60, seed=6)) as bed:
        bed.site.raise_wall(kind, after=40, length=40)
        crawls = [bed.crawl(WITH_SAMEISH)]
        bed.clock.move(days=2)
        crawls.append(bed.crawl(WITH_SAMEISH))
        assert bed.lost(*crawls) == set()


def test_a_wall_that_nothing_knows_stops_the_rules_for_no_longer_than_it_stands(tmp_path: Path) -> None:
    with Bed(tmp_path, Options(contents=80, seed=6)) as bed:
        crawls = [bed.crawl(WITH_SAMEISH)]
        bed.clock.move(days=2)
        bed.site.raise_wall(WallKind.NOTICE, after=10, length=40)
        for _ in range(2):
            crawls.append(bed.crawl(WITH_SAMEISH))
            bed.clock.move(days=2)
        assert bed.lost(*crawls) == set()
        # 4.3 and 3.5 GETs a content where each of the forty answers speaks against the rules
        assert crawls[1].counts.gets <= 2.5 * 80
        assert crawls[2].counts.gets <= 1.7 * 80


def test_an_endless_calendar_ends(tmp_path: Path) -> None:
    with Bed(tmp_path, Options(contents=40, seed=7, calendar=True)) as bed:
        first = bed.crawl(WITH_SAMEISH, timeout=120)
        assert bed.lost(first) == set()
        assert first.stats["sameish/requests_saved/trap"] >= 1
        assert first.counts.gets < 150


def test_no_url_is_sent_the_last_modified_of_another(tmp_path: Path) -> None:
    with Bed(tmp_path, Options(contents=40, seed=8, habits={Habit.DATE: 1, Habit.HONEST: 1})) as bed:
        first = bed.crawl(WITH_SAMEISH)
        fetched = {hit.target for hit in first.counts.hits if hit.status == 200}
        bed.clock.move(days=2)
        second = bed.crawl(WITH_SAMEISH)
        dated = [hit.target for hit in second.counts.hits if hit.modified_since]
        assert dated
        assert set(dated) <= fetched
