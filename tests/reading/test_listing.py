"""Pages that are for their links: what they lead to is their content, also under a description that all of them share."""

from __future__ import annotations

import pytest

from sameish import Page, compare
from sameish.models import ComparisonKind
from sameish.reading.listing import is_listing

ABOUT = (
    "Everything on this shelf is turned from local ash and oiled by hand in the workshop behind the shop. Most of it can be "
    "had in two sizes, and what is out of stock is made again within three weeks. Repairs are free for as long as we live, "
    "and the offcuts are sold by the bag to those who carve spoons, handles and the knobs of drawers in the long winter."
)
THINGS = [
    f"{wood} {thing}" for wood in ("Ash", "Elm", "Oak", "Yew") for thing in "bowl chair ladle plate spoon stool".split()
]
MENU = (
    "<div>"
    + "".join(f'<a href="/{one}">{one.title()}</a> ' for one in ("shop", "about", "contact", "basket"))
    + "</div>"
)

WAYS = {
    "list": "<ul>{}</ul>|<li><a href='/{n}'>{thing}</a></li>",
    "tiles": "<div>{}</div>|<div class=tile><a href='/{n}'><img src='/{n}.jpg'></a><a href='/{n}'>{thing}</a></div>",
    "prices": "<ul>{}</ul>|<li><a href='/{n}'><h2>{thing}</h2><span>12.50 EUR</span></a></li>",
    "headings": "{}|<div><h2><a href='/{n}'>{thing}</a></h2></div>",
    "one line": "<p>{}</p>|<a href='/{n}'>{thing}</a>, ",
    "pictures": "<div>{}</div>|<a href='/{n}'><img src='/{n}.jpg' alt='{thing}'></a>",
    "bare pictures": "<div>{}</div>|<a href='/things/{n}.html'><img src='/{n}.jpg'></a>",
    "pictures by number": "<div>{}</div>|<a href='/thing?id={n}'><img src='/{n}.jpg' alt></a>",
}


def _shelf(way: str, numbers: range, about: str = ABOUT) -> Page:
    around, _, one = WAYS[way].partition("|")
    links = around.format("".join(one.format(n=n, thing=THINGS[n]) for n in numbers))
    return Page(f"<body>{MENU}<main><h1>Turned wood</h1><p>{about}</p>{links}</main></body>".encode())


@pytest.mark.parametrize("way", WAYS)
def test_pages_of_a_listing_with_one_description_are_told_apart(way: str) -> None:
    assert compare(_shelf(way, range(12)), _shelf(way, range(12))).kind is ComparisonKind.IDENTICAL
    assert compare(_shelf(way, range(12)), _shelf(way, range(12, 24))).kind is not ComparisonKind.IDENTICAL


@pytest.mark.parametrize("way", WAYS)
def test_one_more_link_on_a_listing_is_a_change(way: str) -> None:
    assert compare(_shelf(way, range(12)), _shelf(way, range(1, 13))).kind is ComparisonKind.NEAR_DUPLICATE


@pytest.mark.parametrize("way", [way for way in WAYS if way != "one line"])
def test_a_few_links_beside_a_long_text_are_not_its_content(way: str) -> None:
    long = " ".join(ABOUT.replace("ash", wood) for wood in ("ash", "elm", "oak", "yew"))
    assert compare(_shelf(way, range(6), long), _shelf(way, range(6, 12), long)).kind is ComparisonKind.IDENTICAL


def test_links_of_two_words_weigh_as_much_as_those_of_many_and_one_word_half_of_it() -> None:
    assert is_listing([2] * 5, 59)
    assert is_listing([9] * 5, 59)
    assert not is_listing([9] * 5, 60)
    assert is_listing([1] * 10, 59)
    assert not is_listing([1] * 10, 60)
    assert not is_listing([9] * 4, 0)
