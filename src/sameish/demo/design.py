"""How a template names things: which element and which class stand for each part of a page.

A redesign changes every one of them, and the text stays. Three designs share the widgets of `chrome`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from html import escape

from sameish.demo.article import Article
from sameish.demo.noise import Aspect, Draws, Noise
from sameish.demo.phrases import Phrases

FIRST_DAY = date(2026, 3, 3)
HOST = "www.ferrycourier.example"


@dataclass(frozen=True, slots=True)
class Design:
    """One look of the site.

    Args:
        name: prefix of its classes.
        elements: the element of a role where it is not a `div`.
        hashed: classes are hashes that change with each build, as CSS-in-JS makes them; then the role is named by
            `data-testid`, as such sites do for their own tests.
    """

    name: str
    elements: Mapping[str, str]
    hashed: bool = False


CLASSIC = Design("c", {"top": "header", "nav": "nav", "article": "article", "foot": "footer", "ad": "div"})
MODERN = Design(
    "css",
    {
        "ad": "aside",
        "article": "main",
        "body": "section",
        "comments": "section",
        "consent": "dialog",
        "crumbs": "nav",
        "foot": "footer",
        "nav": "nav",
        "newsletter": "aside",
        "popular": "aside",
        "related": "aside",
        "side": "aside",
        "top": "header",
    },
    hashed=True,
)
MOBILE = Design("m", {"nav": "nav", "foot": "footer"})


@dataclass(frozen=True, slots=True)
class Scene:
    """Everything a page is made from besides its article: look, language, day, noise and the other articles."""

    design: Design
    words: Phrases
    noise: Noise
    day: int
    path: str
    others: tuple[Article, ...] = ()

    @property
    def today(self) -> date:
        """The date on the wall."""
        return FIRST_DAY + timedelta(days=self.day)

    def name(self, role: str) -> str:
        """Return the class attribute of a role, and what else marks it."""
        if not self.design.hashed:
            block, _, part = role.partition("-")
            return f'class="{self.design.name}-{block}{part and "__" + part}"'
        token = self.noise.draws(Aspect.CLASSES, role).hexadecimal(6)
        testid = "" if role.startswith(("body", "article")) else f' data-testid="{role}"'
        return f'class="css-{token}"{testid}'

    def box(self, role: str, inner: str, attributes: str = "") -> str:
        """Return a part of the page in the element that the design uses for it."""
        element = self.design.elements.get(role, "div")
        return f"<{element} {self.name(role)}{attributes and ' ' + attributes}>\n{inner}\n</{element}>"

    def draws(self, aspect: Aspect, salt: str = "") -> Draws:
        """Return the draws of an aspect on this page."""
        return self.noise.draws(aspect, salt)


def link(address: str, text: str, attributes: str = "") -> str:
    """Return a link."""
    return f'<a href="{escape(address)}"{attributes and " " + attributes}>{escape(text)}</a>'


def items(links: list[str], attributes: str = "") -> str:
    """Return a list of ready-made items."""
    lines = "\n".join(f"<li>{one}</li>" for one in links)
    return f"<ul{attributes and ' ' + attributes}>\n{lines}\n</ul>"
