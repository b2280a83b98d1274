"""An article as a whole page: the old look, the new look, the mobile one, the print version and AMP."""

from __future__ import annotations

from html import escape

from sameish.demo import chrome
from sameish.demo.article import Article, Prose, plain
from sameish.demo.design import Scene
from sameish.demo.head import head, structured
from sameish.demo.markup import body, inline, plain_body


def classic(scene: Scene, article: Article, charset: str) -> str:
    """Return an article in the old look: BEM classes, a sidebar, blocks of advertising inside the text."""
    parts = _with_interruptions(scene, article)
    text = scene.box("body", "\n".join(parts), 'itemprop="articleBody"')
    story = scene.box("article", f"{_headline(scene, article)}\n{chrome.share(scene)}\n{text}")
    sidebar = scene.box(
        "sidebar", f"{chrome.advert(scene, 'side')}\n{chrome.popular(scene)}\n{chrome.newsletter(scene)}"
    )
    below = f"{chrome.related(scene)}\n{chrome.comments(scene)}"
    crumbs = chrome.breadcrumbs(scene, article)
    middle = f"{crumbs}\n{chrome.advert(scene, 'top')}\n{story}\n{sidebar}\n{below}"
    return _page(scene, article, charset, f'{chrome.navigation(scene)}\n<div class="wrap">\n{middle}\n</div>')


def modern(scene: Scene, article: Article, charset: str) -> str:
    """Return an article in the new look: hashed classes, other elements, another order."""
    parts = _with_interruptions(scene, article)
    text = scene.box("body", "\n".join(parts))
    shared = f"{chrome.share(scene)}\n{chrome.newsletter(scene)}"
    story = scene.box("article", f"{_headline(scene, article)}\n{text}\n{shared}", 'id="content"')
    side = scene.box("side", f"{chrome.popular(scene)}\n{chrome.advert(scene, 'side')}\n{chrome.related(scene)}")
    middle = f"{chrome.breadcrumbs(scene, article)}\n{story}\n{chrome.comments(scene)}\n{side}"
    inner = f"{chrome.advert(scene, 'top')}\n{chrome.navigation(scene)}\n<div {scene.name('layout')}>\n{middle}\n</div>"
    return _page(scene, article, charset, f'<div id="__root"><div {scene.name("shell")}>\n{inner}\n</div></div>')


def mobile(scene: Scene, article: Article, charset: str) -> str:
    """Return an article as the mobile host shows it: one column, few widgets."""
    text = scene.box("body", "\n".join(body(scene, article.body)))
    story = scene.box("story", f"{_headline(scene, article)}\n{text}\n{chrome.share(scene)}", 'data-role="content"')
    inner = f"{chrome.navigation(scene)}\n{story}\n{chrome.advert(scene, 'foot')}\n{chrome.related(scene)}"
    return _page(scene, article, charset, f'<div data-role="page">\n{inner}\n</div>')


def printed(scene: Scene, article: Article, charset: str) -> str:
    """Return the version for the printer, which changes only with the date of printing."""
    words = scene.words
    text = "\n".join(plain_body(scene, article.body))
    author = escape(words.say("by", name=article.author))
    return f"""<!DOCTYPE html>
<html lang="{article.language}" dir="{words.say("direction")}">
<head><meta charset="{charset}"><title>{escape(plain(article.title))}</title><meta name="robots" content="noindex"></head>
<body onload="window.print()">
<h1>{escape(plain(article.title))}</h1>
<p>{author}</p>
<p>{_published(scene, article)}</p>
{text}
<footer><p>{words.say("printed", date=words.date(scene.today))}</p></footer>
</body></html>
"""


def amp(scene: Scene, article: Article, charset: str) -> str:
    """Return the AMP version."""
    words = scene.words
    text = "\n".join(plain_body(scene, article.body, image="amp-img"))
    boilerplate = (
        '<script async src="https://cdn.ampproject.org/v0.js"></script>\n<style amp-custom>p{margin:1em}</style>'
    )
    top = head(
        scene, plain(article.title), plain(article.teaser), canonical=article.path, charset=charset,
        extra=f"{structured(scene, article)}\n{boilerplate}",
    )  # fmt: skip
    advert = f'<amp-ad type="adhub" width="300" height="250"><div placeholder>{words.say("ad")}</div></amp-ad>'
    return f"""<!DOCTYPE html>
<html amp lang="{article.language}" dir="{words.say("direction")}">
{top}
<body>
<header class="amp-header"><a href="/">{escape(words.say("name"))}</a></header>
<article class="amp-story">
{_headline(scene, article)}
{text}
</article>
{advert}
{chrome.footer(scene)}
<amp-pixel src="https://pixel.adhub.example/amp?rid=RANDOM"></amp-pixel>
</body></html>
"""


def _headline(scene: Scene, article: Article) -> str:
    words = scene.words
    author = escape(words.say("by", name=article.author))
    published = f'<time datetime="{article.published.isoformat()}">{_published(scene, article)}</time>'
    byline = f"<p {scene.name('article-author')}>{author}</p>\n<p {scene.name('article-date')}>{published}</p>"
    return f"<h1 {scene.name('article-title')}>{inline(article.title)}</h1>\n{byline}\n{chrome.counters(scene)}"


def _published(scene: Scene, article: Article) -> str:
    return scene.words.say("published", date=scene.words.date(article.published))


def _with_interruptions(scene: Scene, article: Article) -> list[str]:
    parts = body(scene, article.body)
    # nothing comes between a line and the list or listing that it announces
    stops = [spot for spot in range(2, len(parts)) if isinstance(article.body[spot], Prose)][::4]
    for number, spot in reversed(list(enumerate(stops[:3]))):
        parts.insert(spot, chrome.also(scene) if number == 1 else chrome.advert(scene, f"mid{number}"))
    return parts


def _page(scene: Scene, article: Article, charset: str, inner: str) -> str:
    words = scene.words
    top = head(
        scene, plain(article.title), plain(article.teaser), canonical=article.path, charset=charset,
        extra=structured(scene, article),
    )  # fmt: skip
    return f"""<!DOCTYPE html>
<html lang="{article.language}" dir="{words.say("direction")}">
{top}
<body>
<a class="skip" href="#content">{words.say("skip")}</a>
{inner}
{chrome.footer(scene)}
{chrome.consent(scene)}
{chrome.pixels(scene)}
</body></html>
"""
