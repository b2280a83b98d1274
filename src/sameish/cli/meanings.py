"""What the names of noise patterns and of boilerplate rules mean, for somebody who has not read the code.

A test compares the names with those that reading uses.
"""

from __future__ import annotations

NOISE = {
    "page control": "about using the page: did it help, share it, subscribe, back to the top; not what it says",
    "missing address": "repeats the address that is missing, or the number of the error; another one with every request",
    "advertisement label": "a label over an advertisement; which one is shown changes with every load",
    "related link": "a link that leads to another article, not a part of this one",
    "byline": "says who wrote it, not what is written",
    "copyright": "a copyright line; its year moves on by itself",
    "no words": "signs only, such as a row of stars; nothing in it can be read",
    "list number": "the number of an item in a list; it moves when an item above it comes or goes",
    "date line": "says when the page was published or updated, not what changed in it",
    "relative time": "how long ago something was; it changes with the clock, not with the page",
    "counter": "how often something was viewed, shared or answered; it grows by itself",
    "reading time": "how long reading takes; it is reckoned from the text, which is compared itself",
    "generation time": "how and how fast the server made the page; it is another at every load",
    "page facts": "several such facts in one line: a date, a counter, a reading time",
    "weight 0": "stands in a part of the page that weighs 0 in the settings",
}
"""Why sentences are ignored; the names are those of `sameish.reading.noise.PATTERN_NAMES`, and `weight 0`."""

RULES = {
    "settings": "named in the setting reading.remove",
    "not-text": "scripts, styles, pictures, players, buttons: nothing to read",
    "line-number": "line numbers beside code",
    "hidden": "not shown to readers, or shown only to screen readers",
    "navigation": "menus, breadcrumbs, page numbers",
    "page-footer": "the foot of the whole page",
    "page-header": "the head of the whole page, above the headline",
    "aside": "boxes beside the content",
    "dialog": "dialogs over the page",
    "form": "short forms: a search, a login, a newsletter",
    "noscript": "shown only without scripts",
    "ads": "advertisements, by their name in the HTML",
    "footer": "footers, by their name in the HTML",
    "sidebar": "sidebars, by their name in the HTML",
    "related": "links to other articles, by their name in the HTML",
    "share": "buttons and links for sharing, by their name in the HTML",
    "consent": "cookie and privacy banners, by their name in the HTML",
    "newsletter": "invitations to subscribe, by their name in the HTML",
    "comments": "comments of readers, by their name in the HTML",
    "overlay": "pop-ups and tooltips, by their name in the HTML",
    "widget": "weather, stock prices and the like, by their name in the HTML",
    "tags": "lists of keywords, by their name in the HTML",
    "byline-tools": "print, e-mail and font size buttons, by their name in the HTML",
    "link-list": "lists that are little but links",
}
"""What the boilerplate rules remove; the names are those of `Extract.removed`."""
