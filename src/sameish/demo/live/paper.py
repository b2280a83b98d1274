"""One host of the newspaper: a request in, an answer out. It looks another way at each load."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import cached_property
from html import escape

from sameish.demo import chrome, fronts, refusals, templates
from sameish.demo.article import Article
from sameish.demo.design import CLASSIC, HOST, Scene, items, link
from sameish.demo.head import head
from sameish.demo.live.addresses import Asked, Names, asked, urls_of
from sameish.demo.live.contents import EDITIONS, Content, Edition, Volume, contents_of
from sameish.demo.live.honesty import Honesty, validators
from sameish.demo.noise import Noise
from sameish.demo.phrases import phrases
from sameish.demo.words import lot
from sameish.models import HeaderPairs

START = datetime(2026, 3, 3, 6, tzinfo=UTC)
"""When the first crawl begins."""
_EDITED_AT = (START - timedelta(days=9), START + timedelta(days=1))
_LINKS_A_PAGE = 40
_ON_FRONT = 7
_LAYOUTS: dict[str, Callable[[Scene, Article, str], str]] = {
    "": templates.classic, "print": templates.printed, "amp": templates.amp,
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Answer:
    """What a host answers, before any coding.

    `.content`: the one that was asked for, None for lists and what is not there.
    """

    status: int
    headers: HeaderPairs
    body: bytes
    content: Content | None = None


class Paper:
    """A host of the newspaper.

    Args:
        name: of the host, for people.
        honesty: of its validators.
        volume: how much there is to read.
        seed: decides everything else.
    """

    def __init__(self, name: str, honesty: Honesty, volume: Volume, seed: int) -> None:
        self.name = name
        self.honesty = honesty
        self.names = Names.drawn(seed, name)
        self.contents = {content.address: content for content in contents_of(volume, seed, name)}
        self.base = f"https://{HOST}"
        self._seed = seed

    def answer(self, target: str, edition: Edition, load: int) -> Answer:
        """Return the answer to a request for a target; loads of its page are counted from 0."""
        wanted = asked(target)
        content = self.contents.get(wanted.address)
        article = None if content is None else content.editions[edition]
        if article is not None:
            return self._article(wanted, article, edition, load, content)
        if target.startswith("/archive?page="):
            return self._archive(target, edition, load)
        section = wanted.address.strip("/")
        if shown := self._on_front(section, edition):
            return self._front(section, shown, edition, load)
        scene = self._scene("en", wanted.address, edition, load)
        return self._html(refusals.missing(scene, wanted.address), "utf-8", (), status=404)

    def _article(self, wanted: Asked, article: Article, edition: Edition, load: int, content: Content | None) -> Answer:
        charset = {"ru": "windows-1251", "zh": "gb18030", "ja": "shift_jis"}.get(article.language, "utf-8")
        scene = self._scene(article.language, wanted.address, edition, load)
        text = _LAYOUTS[wanted.layout](scene, article, charset)
        edited = _EDITED_AT[edition if content and (content.is_edited or content.is_new) else 0]
        told = self._validators(f"{wanted.layout}{wanted.address}", article.wording, load, edited)
        return self._html(text, charset, told, content=content)

    def _on_front(self, section: str, edition: Edition) -> tuple[Article, ...]:
        """Return the articles that the list of a section shows, or ("") the front page."""
        if not section:
            return tuple(self._articles(edition)[:_ON_FRONT])
        all_articles = (content.editions[edition] for content in self.contents.values())
        return tuple(article for article in all_articles if article is not None and article.section == section)

    def _front(self, section: str, shown: tuple[Article, ...], edition: Edition, load: int) -> Answer:
        """Return a list of articles; the front page also leads to the archive."""
        scene = self._scene(shown[0].language, f"/{section}", edition, load)
        text = fronts.front(scene, shown, "utf-8")
        if not section:
            pages = range(1, 1 + len(self._archive_pages(edition)))
            more = items([link(f"/archive?page={page}", f"Archive, page {page}") for page in pages])
            text = text.replace("</body>", f'<nav class="c-more">{more}</nav>\n</body>', 1)
        told = self._validators(f"/{section}", fronts.wording(shown), load, _EDITED_AT[edition])
        return self._html(text, "utf-8", told)

    def _archive(self, target: str, edition: Edition, load: int) -> Answer:
        """Return a page of the archive: forty links, each with its headline."""
        pages, number = self._archive_pages(edition), target.rpartition("=")[2]
        links = pages[int(number) - 1] if number.isdecimal() and 0 < int(number) <= len(pages) else []
        scene = self._scene("en", target, edition, load)
        title = f"Archive, page {number}"
        story = scene.box("article", f"<h1>{escape(title)}</h1>\n{items([link(url, text) for url, text in links])}")
        top = head(scene, title, title, canonical=target, charset="utf-8")
        inner = f"{chrome.navigation(scene)}\n{story}\n{chrome.footer(scene)}\n{chrome.pixels(scene)}"
        text = f'<!DOCTYPE html>\n<html lang="en">\n{top}\n<body>\n{inner}\n</body></html>\n'
        told = self._validators(target, str(links), load, _EDITED_AT[0])
        return self._html(text, "utf-8", told)

    def _archive_pages(self, edition: Edition) -> list[list[tuple[str, str]]]:
        links = self._links[edition]
        return [links[start : start + _LINKS_A_PAGE] for start in range(0, len(links), _LINKS_A_PAGE)]

    @cached_property
    def _links(self) -> tuple[list[tuple[str, str]], ...]:
        """All links in either edition; those to what is new stand at the end."""
        old, new = ([one for one in self.contents.values() if one.is_new is new] for new in (False, True))
        shuffled = [lot(self._seed, self.name, "links").shuffled(self._urls(some)) for some in (old, new)]
        return shuffled[0], [*shuffled[0], *shuffled[1]]

    def _urls(self, contents: list[Content]) -> list[tuple[str, str]]:
        return [
            (url, later.title)
            for content in contents
            if (later := content.editions[1]) is not None
            for url in urls_of(content, self.names, self._seed, self.name)
        ]

    def _articles(self, edition: Edition) -> list[Article]:
        return self._listed[edition]

    @cached_property
    def _listed(self) -> tuple[list[Article], ...]:
        """The articles of either edition that lists show, new ones first."""
        plain = sorted(self.contents.values(), key=lambda one: not one.is_new)
        return tuple(
            [article for one in plain if not one.query and (article := one.editions[edition])] for edition in EDITIONS
        )

    def _scene(self, language: str, place: str, edition: Edition, load: int) -> Scene:
        others = tuple(one for one in self._articles(edition) if one.path != place)
        return Scene(CLASSIC, phrases(language), Noise.at(self._seed, place, load), 2 * edition, place, others)

    def _validators(self, page: str, wording: str, load: int, edited: datetime) -> HeaderPairs:
        return validators(self.honesty, page, wording, load, edited)

    def _html(
        self, text: str, charset: str, told: HeaderPairs, *, status: int = 200, content: Content | None = None
    ) -> Answer:
        # what its footer says of itself is not there to be read
        text = re.sub(r'<a href="/about/\d+">([^<]*)</a>', r"\1", text).replace(f"https://{HOST}", self.base)
        body = text.encode(charset, "xmlcharrefreplace")
        return Answer(status, (("Content-Type", f"text/html; charset={charset}"), *told), body, content)
