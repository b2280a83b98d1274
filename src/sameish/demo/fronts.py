"""The pages that list articles: the front page, which is another one every day, and the sections."""

from __future__ import annotations

from sameish.demo import chrome
from sameish.demo.article import Article, plain
from sameish.demo.design import Scene, link
from sameish.demo.head import head
from sameish.demo.markup import inline
from sameish.demo.noise import Aspect

SECTIONS = ("news", "sport", "food", "reviews", "people", "howto", "notices", "de", "ru", "zh", "ja", "ar")


def listed(path: str, day: int, published: tuple[Article, ...]) -> tuple[Article, ...]:
    """Return the articles that a list page shows: a section has all of its own, the front page seven that rotate."""
    section = path.strip("/")
    if section in SECTIONS:
        return tuple(one for one in published if one.section == section)
    english = [one for one in published if one.language == "en"]
    start = 2 * day % len(english)
    return tuple((english + english)[start : start + 7])


def wording(shown: tuple[Article, ...]) -> str:
    """Return the words of a list page."""
    return "\n".join(plain(line) for one in shown for line in (one.title, one.teaser))


def front(scene: Scene, shown: tuple[Article, ...], charset: str) -> str:
    """Return a list page."""
    title = scene.words.say("latest")
    stories = [scene.box("story", _story(scene, one)) for one in shown]
    stories.insert(1, chrome.advert(scene, "list"))
    main = scene.box("article", "\n".join((f"<h1>{title}</h1>", *stories)))
    side = scene.box("side", f"{chrome.popular(scene)}\n{chrome.newsletter(scene)}")
    return f"""<!DOCTYPE html>
<html lang="{scene.words.language}" dir="{scene.words.say("direction")}">
{head(scene, title, scene.words.say("name"), canonical=scene.path, charset=charset)}
<body>
{chrome.navigation(scene)}
<div class="wrap">
{main}
{side}
</div>
{chrome.footer(scene)}
{chrome.consent(scene)}
{chrome.pixels(scene)}
</body></html>
"""


def _story(scene: Scene, article: Article) -> str:
    age = scene.words.say("updated", n=scene.draws(Aspect.AGES, article.slug).between(2, 58))
    title = f"<h2>{link(article.path, plain(article.title))}</h2>"
    return f"{title}\n<p>{inline(article.teaser)}</p>\n<small>{age}</small>"
