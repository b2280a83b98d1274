from __future__ import annotations

import pytest

from sameish.models import Page
from sameish.stateless import extract

A = (
    "The new gallery of the harbour museum opens with a room full of ropes, and visitors may touch all but two of them. The "
    "labels explain how each was twisted, tarred and tested in the long shed behind the customs house."
)
B = (
    "Further on, a film made from letters follows a young sailmaker through her first year at the yard. Her words are read by "
    "a woman who still works with canvas, now for the curtains of theatres."
)
LINK = "<p><a href=/x>The footbridge by the mill reopens after the flood</a></p>"
OTHER = "<p><a href=/y>A planetarium for the old gasworks</a></p>"


def sentences(between: str) -> tuple[str, ...]:
    return extract(Page(f"<title>Ropes</title><main><h1>Ropes</h1><p>{A}</p>{between}<p>{B}</p></main>")).sentences


PLAIN = sentences("")


@pytest.mark.parametrize(
    "between",
    [
        f"<h3>Related articles</h3>{LINK}",
        f"<p>Read also:</p>{LINK}{OTHER}",
        f"<h4>Most read</h4><p>1</p>{LINK}<p>2</p>{OTHER}",
        f"<div>Auch interessant</div>{LINK}<div>vor 5 Minuten</div>{OTHER}",
        f"<h3>More from the harbour desk</h3>{LINK}<p>3 June 2024</p>{OTHER}",
        f"<p>関連記事</p>{LINK}",
        f"<p>À lire aussi</p>{LINK}",
    ],
)
def test_a_label_and_the_links_under_it_are_not_compared(between: str) -> None:
    assert sentences(between) == PLAIN


@pytest.mark.parametrize(
    "label",
    [
        "Related articles",
        "You may also like",
        "Lesen Sie auch",
        "À lire aussi",
        "Läs också",
        "Baca juga",
        "Διαβάστε επίσης",
    ],
)
def test_a_label_whose_links_are_gone_goes_alone(label: str) -> None:
    assert sentences(f"<h3>{label}</h3>") == PLAIN


@pytest.mark.parametrize(
    ("between", "kept"),
    [
        ("<h3>Related articles</h3><p>Adults | 12 EUR</p>", "Adults | 12 EUR"),
        (f"<h3>Related articles</h3>{LINK}<p>Adults | 12 EUR</p>", "Adults | 12 EUR"),
        (f"<h3>Related articles</h3>{LINK}<p>49.90</p>{OTHER}", "49.90"),
        (f"<h3>Recommended</h3>{LINK}<p>Not on Mondays</p>{OTHER}", "A planetarium for the old gasworks"),
        (f"<h3>Tickets</h3>{LINK}{OTHER}", "The footbridge by the mill reopens after the flood"),
        (f"<h3>More on tickets</h3>{LINK}<p>Adults only</p>", "The footbridge by the mill reopens after the flood"),
        ("<h3>Related articles</h3><p><a href=/x>From the harbour office:</a></p>", "From the harbour office:"),
        (f"<h3>More from 9 EUR</h3>{LINK}{OTHER}", "More from 9 EUR"),
        ("<h3>Recommended</h3><p>Wool socks</p>", "Recommended"),
        ("<h3>Popular</h3><p>Sails and <a href=/x>knots</a> for all who come</p>", "Popular"),
    ],
)
def test_what_is_no_link_under_such_a_label_is_compared(between: str, kept: str) -> None:
    assert kept in sentences(between)


def test_a_list_of_links_without_prose_is_what_the_page_says() -> None:
    found = extract(Page(f"<title>Ropes</title><main><h1>News</h1>{LINK}{OTHER}</main>")).sentences
    assert "A planetarium for the old gasworks" in found
