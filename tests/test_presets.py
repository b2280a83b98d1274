"""Each preset against the page that it is for."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import get_args

import pytest

import sameish
from sameish import Page, SettingsError
from sameish.presets import presets
from sameish.settings import PresetName, load

PROSE = (
    "The harbour office has a new timetable for the ferry that links the pier with the island in the north.",
    "From the first Monday in November the boat leaves every fifty minutes, and the last one goes at nine.",
    "Residents told the hearing that an earlier finish makes the late shift at the hospital impossible.",
    "The operator answered that passenger numbers after nine fell to four people on an average winter night.",
)
OTHERS = (
    "Rain entered the reading room of the library through slates that had cracked in the February storm.",
    "The repair takes five weeks, and the books for children move to the hall of the old fire station.",
    "A foundation pays half of the cost on condition that the gutters are made of copper this time.",
    "Volunteers carried nine hundred boxes down the stairs while the band of the school played marches.",
    "The roof was last mended when the building was still a corn exchange with stables at the back.",
    "Readers can borrow from the van that stops beside the market on Tuesdays and on Saturday mornings.",
)


def body(*paragraphs: str, more: str = "", head: str = "Fewer ferries") -> str:
    told = "".join(f"<p>{text}</p>" for text in paragraphs)
    return f"<html><body><main><h1>{head}</h1>{told}{more}</main></body></html>"


def kind(a: str, b: str, preset: str | None) -> str:
    return str(sameish.compare(Page(a), Page(b), {"preset": preset}).kind)


def text(html: str, preset: str | None) -> str:
    return "\n".join(sameish.extract(Page(html), {"preset": preset}).sentences)


def test_every_name_has_its_values() -> None:
    assert tuple(presets()) == get_args(PresetName)


@pytest.mark.parametrize("name", presets())
def test_a_preset_differs_from_the_defaults_in_every_value(name: PresetName) -> None:
    settings, plain = load({"preset": name}, {}), load({}, {})
    for section, values in presets()[name].items():
        for option in values:
            there, elsewhere = (getattr(getattr(one, section), option) for one in (settings, plain))
            assert there != elsewhere, f"{section}.{option}"


@pytest.mark.parametrize("name", presets())
def test_every_selector_of_a_preset_is_css(name: PresetName) -> None:
    with sameish.open(":memory:", {"preset": name}) as detector:
        assert detector.observe(Page(body(*PROSE), url="https://a.example/")).kind == "new"


# News


def test_news_leaves_tickers_and_boxes_out() -> None:
    first, second = (
        body(
            *PROSE,
            more=f'<div class="live-ticker"><p>{one}</p></div><section class="more-stories"><p>{two}</p></section>',
        )
        for one, two in (OTHERS[:2], OTHERS[2:4])
    )
    assert kind(first, second, None) == "near_duplicate"
    assert kind(first, second, "news") == "identical"


def test_news_knows_an_article_that_grew() -> None:
    assert kind(body(*PROSE[:2]), body(*PROSE[:2], *OTHERS), None) == "different"
    assert kind(body(*PROSE[:2]), body(*PROSE[:2], *OTHERS), "news") == "near_duplicate"


def test_news_finds_an_agency_report_on_another_site() -> None:
    def second_verdict(preset: str | None) -> str:
        with sameish.open(":memory:", {"preset": preset}) as detector:
            detector.observe(Page(body(*PROSE), url="https://one.example/"))
            return str(detector.observe(Page(body(*PROSE, OTHERS[0]), url="https://two.example.org/")).kind)

    assert second_verdict(None) == "new"
    assert second_verdict("news") == "near_duplicate"


# Documentation


# panels that say so are read under every preset; these do not
TABS = '<div class="os"><pre>apt install ferry</pre></div><div class="os" hidden><pre>brew install {name}</pre></div>'


def test_documentation_reads_the_code_in_hidden_tabs() -> None:
    first, second = (body(*PROSE, more=TABS.format(name=name)) for name in ("ferry", "ferry-server"))
    assert kind(first, second, None) == "identical"
    assert kind(first, second, "documentation") == "near_duplicate"


def test_documentation_leaves_out_when_a_file_was_last_built() -> None:
    first, second = (
        body(*PROSE, more=f'<aside class="md-source-file"><p>Written for build {number} by the docs team</p></aside>')
        for number in (4711, 4712)
    )
    assert kind(first, second, None) == "near_duplicate"
    assert kind(first, second, "documentation") == "identical"


def test_documentation_compares_short_entries_by_similarity() -> None:
    first, second = (
        body("Returns the departure of the next ferry as a time.", f"New in version {number}.")
        for number in ("3.1", "3.2")
    )
    assert kind(first, second, None) == "different"
    assert kind(first, second, "documentation") == "near_duplicate"


# Forum


def thread(answers: Iterable[str], extra: str = "") -> str:
    told = "".join(f'<div class="comment"><p>{text}</p>{extra}</div>' for text in answers)
    return body(*PROSE, more=f'<section class="comments">{told}</section>')


def test_a_forum_s_comments_are_its_content() -> None:
    first, second = thread(OTHERS[:1]), thread(OTHERS[1:2])
    assert kind(first, second, None) == "identical"
    assert kind(first, second, "forum") == "near_duplicate"
    assert OTHERS[0] not in text(first, None)
    assert OTHERS[0] in text(first, "forum")


def test_a_forum_s_thread_that_grew_is_the_same_thread() -> None:
    long = [f"{one} {number}" for number, one in enumerate((*OTHERS, *OTHERS))]
    first, second = body(*PROSE[:2], head="Late boat?"), body(*PROSE[:2], *long[:9], head="Late boat?")
    assert kind(first, second, None) == "different"
    assert kind(first, second, "forum") == "near_duplicate"


def test_a_forum_s_signatures_say_nothing() -> None:
    first, second = (
        thread(
            OTHERS[:1], f'<div class="message-signature"><p>Member of the rowing club for {years} years now</p></div>'
        )
        for years in (8, 9)
    )
    assert kind(first, second, "forum") == "identical"
    assert "rowing club" not in text(first, "forum")


# Shop


CART = (
    '<form class="cart"><p class="price">Price: {price} EUR</p><p class="stock">{stock}</p><button>Add</button></form>'
)


@pytest.mark.parametrize(
    ("price", "stock"), [("59.90", "Only 3 left in the warehouse"), ("64.90", "Sold out since noon")]
)
def test_a_shop_s_price_and_stock_are_noticed_within_the_form(price: str, stock: str) -> None:
    before = body(*PROSE, more=CART.format(price="64.90", stock="Only 3 left in the warehouse"), head="Sea kayak")
    after = body(*PROSE, more=CART.format(price=price, stock=stock), head="Sea kayak")
    assert kind(before, after, None) == "identical"
    assert kind(before, after, "shop") == "near_duplicate"


def test_a_shop_s_sister_products_are_two_products() -> None:
    shared = " ".join(OTHERS[:3])
    first = body(shared, PROSE[0], PROSE[1], head="Sea kayak Holm, red hull")
    second = body(shared, PROSE[2], PROSE[3], head="River canoe Elva, oak thwarts")
    assert kind(first, second, None) == "near_duplicate"
    assert kind(first, second, "shop") == "different"


def test_a_shop_leaves_recommendations_out() -> None:
    first, second = (body(*PROSE, more=f'<section class="cross-sells"><p>{one}</p></section>') for one in OTHERS[:2])
    assert kind(first, second, None) == "near_duplicate"
    assert kind(first, second, "shop") == "identical"


# How presets and other settings meet


def test_what_the_file_names_overrides_the_preset(tmp_path: Path) -> None:
    path = tmp_path / "sameish.toml"
    path.write_text('preset = "forum"\n[judging]\nnear_similarity = 0.4\n', "utf-8")
    settings = load(path, {})
    assert settings.judging.near_similarity == 0.4
    assert settings.reading.thin_words == 10
    assert load(path, {"SAMEISH_READING__THIN_WORDS": "7"}).reading.thin_words == 7


def test_a_site_s_preset_overrides_what_holds_everywhere() -> None:
    tree = {
        "preset": "news",
        "judging": {"near_bits": 12},
        "site": {"a.example": {"preset": "shop", "gate": {"first_interval_s": 5}}, "b.example": {}},
    }
    settings = load(tree, {})
    shop, other = settings.for_site("a.example"), settings.for_site("b.example")
    assert (shop.preset, shop.judging.near_similarity, shop.judging.near_bits, shop.gate.first_interval_s) == (
        "shop",
        0.7,
        12,
        5,
    )
    assert (other.preset, other.judging.near_similarity) == ("news", 0.3)
    assert shop.lookup.scope == "everywhere"


def test_the_environment_may_name_the_preset() -> None:
    assert load(None, {"SAMEISH_PRESET": "shop"}).judging.near_similarity == 0.7
    assert load(None, {"SAMEISH_PRESET": ""}).preset is None
    assert load({}, {"SAMEISH_PRESET": "shop"}).judging.near_similarity == 0.7
    assert load({"preset": "news"}, {"SAMEISH_PRESET": "forum"}).judging.near_similarity == 0.2


@pytest.mark.parametrize("tree", [{"preset": "blog"}, {"preset": 5}, {"site": {"a.example": {"preset": "blog"}}}])
def test_a_preset_that_does_not_exist_is_named(tree: dict[str, object]) -> None:
    with pytest.raises(SettingsError, match=r"at `\$.*preset"):
        load(tree, {})


def test_a_wrong_section_beside_a_preset_is_named() -> None:
    with pytest.raises(SettingsError, match=r"\$.reading"):
        load({"preset": "forum", "reading": 5}, {})
