"""Tells from a class, id or label which kind of boilerplate an element is: by whole words, all of them known.

A name is cut at `-`, `_`, spaces and camel-case humps. `ad-slot`, `siteFooter` and `c-related__list` match;
`contentWithSidebar`, `header_row` and `shadow` do not.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import product
from string import ascii_letters
from typing import Final

from sameish.reading.remembered import Remembered

# one of these must be in a name ...
_STRONG = {
    "ads": "ad ads adv advert adverts advertisement advertisements advertising adslot adsbygoogle dfp sponsor sponsored sponsors "
    "promo promos promotion taboola outbrain",
    "navigation": "nav navbar navigation menu menus submenu breadcrumb breadcrumbs crumbs sitenav topnav subnav pager pagination "
    "paginator skiplink skiplinks toc masthead topbar hamburger",
    "footer": "footer footers colophon copyright",
    "sidebar": "sidebar sidebars",
    "related": "related recommended recommendations recirc trending popular mostread mostpopular readnext upnext morefrom "
    "youmaylike alsolike",
    "share": "share sharing shares social socials sharedaddy addthis sharethis addtoany",
    "consent": "cookie cookies consent gdpr ccpa cookiebar cookiebanner onetrust cookieconsent privacybanner "
    "cookiebot usercentrics didomi trustarc osano klaro tarteaucitron borlabs cmplz cky",
    "newsletter": "newsletter newsletters subscribe subscription signup optin",
    "comments": "comment comments commentlist disqus respond commentform livefyre",
    "overlay": "modal modals popup popups overlay lightbox toast snackbar tooltip interstitial",
    "widget": "widget widgets weather ticker stocks",
    "tags": "tags taglist tagcloud",
}
# ... and all others among these, which say nothing of their own
_NEUTRAL = frozenset(
    "area bar block body bottom box buttons button btn btns column container content cont count counter floating form "
    "fixed global group header head heading holder icon icons id inline inner item items left right top link links "
    "list listing lists main mobile desktop module panel page primary secondary section site slot social space stack "
    "sticky story stories post posts article articles news title unit view views wrap wrapper wrappers zone row rows "
    "rail region slider carousel feed box message notice banner text thread more most read latest new hot "
    "network tool tools toolbar js wp "
    "mid middle side leaderboard mpu skyscraper billboard label meta element component cmp mod ui td et".split()
)
# ... or among these, which are neutral in such company only
_NEUTRAL_BESIDE_CONSENT = frozenset("law info settings preference preferences manager dialog alert center".split())
# words that are strong only with company: a bare `header` may hold the headline, a bare `banner` the lead
_PAIRS = {
    "page-header": (("site", "global", "page", "main", "top", "mobile", "sticky"), ("header",)),
    "navigation": (("skip",), ("link", "links", "content", "main", "nav")),
    "ads": (("banner",), ("top", "bottom", "side", "ad")),
    "related": (("most", "also"), ("read", "popular", "viewed", "like")),
    "consent": (("privacy",), ("banner", "bar", "notice", "popup")),
    "byline-tools": (("print", "email"), ("button", "link", "tools", "size")),
}
_RULE_OF_WORD = {word: rule for rule, words in _STRONG.items() for word in words.split()}
_RULE_OF_PAIR = {
    pair: rule for rule, (firsts, seconds) in reversed(_PAIRS.items()) for pair in product(firsts, seconds)
}
_BESIDE = _NEUTRAL.union(_RULE_OF_WORD)
_BESIDE_CONSENT = _BESIDE | _NEUTRAL_BESIDE_CONSENT
_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+")
# what a build appends to a name to make it unique: letters and digits mixed
_HASH = re.compile(r"^(?=[a-z]*[0-9])(?=[0-9]*[a-z])[0-9a-z]{5,}$", re.IGNORECASE)
DECIDING: Final = frozenset(
    word.encode() for word in (*_RULE_OF_WORD, *(word for pair in _PAIRS.values() for word in min(pair, key=len)))
)
"""A name without any of these words falls under no rule."""
_PARTS = re.compile(r"[-_\s:/.]+")
_LETTERS = bytes(code if chr(code) in f"{ascii_letters}\0" else ord(" ") for code in range(256))
_LONGEST, _PAIR = 60, 2


def rules_of_names(names: set[str]) -> dict[str, str]:
    """Return those names that fall under a rule, with it.

    A single letter (`c-`, `js-`) and a build's hash say nothing, nor does a name of more than sixty characters.
    """
    return _RULES.look_up(names)


def _reckon(names: list[str]) -> dict[str, str]:
    return {name: rule for name in telling_names(names, DECIDING) if (rule := _rule_of_name(name))}


def _rule_of_name(name: str) -> str | None:
    words = _words_without_hash(name)
    if len(words) == _PAIR and (rule := _RULE_OF_PAIR.get((words[0], words[1]))):
        return rule
    rules = [_RULE_OF_WORD[word] for word in words if word in _RULE_OF_WORD]
    if not rules:
        return None
    known = _BESIDE_CONSENT if rules[0] == "consent" else _BESIDE
    return rules[0] if known.issuperset(words) else None


def _words_without_hash(name: str) -> list[str]:
    parts = _PARTS.split(name)
    # nearly all names are of small letters, and need no second look
    words = (
        parts
        if name.islower() and "".join(parts).isalpha()
        else [one for part in parts for one in _words_of_part(part)]
    )
    return [word for word in words if len(word) > 1]


def telling_names(names: Sequence[str], words: frozenset[bytes]) -> list[str]:
    """Return those names, or lists of names, that hold one of some words: a quick look, which few pass."""
    if not names:
        return []
    # all at once as bytes, which are translated ten times as fast as text; HTML has no NUL, and humps are cut one by one
    lettered = "\0".join(names).encode("utf-8", "replace").translate(_LETTERS).split(b"\0")
    return [
        name
        for name, letters in zip(names, lettered, strict=True)
        if not words.isdisjoint(letters.split() if letters.islower() else [word.encode() for word in words_of(name)])
    ]


def _words_of_part(part: str) -> list[str]:
    if part.isalpha() and part.islower() and part.isascii():
        return [part]
    return [] if _HASH.match(part) else [word for word in words_of(part) if not word.isdigit()]


def words_of(name: str) -> list[str]:
    """Return the words of a name in lower case."""
    return [word.lower() for word in _WORD.findall(name)]


_RULES = Remembered(_reckon, longest=_LONGEST)
