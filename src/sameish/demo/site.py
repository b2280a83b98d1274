"""The site as one pure function: a request, a day and a visit in, an answer out."""

from __future__ import annotations

import zlib
from dataclasses import dataclass
from enum import StrEnum
from urllib.parse import parse_qs, urlsplit

from sameish.demo import fronts, pdf, refusals, templates
from sameish.demo.article import Article
from sameish.demo.design import CLASSIC, MOBILE, MODERN, Design, Scene
from sameish.demo.edits import article_on, articles_on
from sameish.demo.incidents import Incident, incident
from sameish.demo.noise import Noise
from sameish.demo.phrases import phrases
from sameish.models import HeaderPairs

REDESIGN_DAY = 6
_LATEST, _LATEST_CHANGES = ("footbridge-reopens", "rovers-late-winner"), 4


class Standing(StrEnum):
    """How much of what was asked for an answer gives."""

    FULL = "full"
    PARTIAL = "partial"
    """A teaser."""
    REFUSED = "refused"
    """Nothing: a wall, a challenge, an error, an empty body."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What the server sends, before any coding, and what it knows about it.

    `.wording`: the words of the page without what stands around them. `.family`: the article, list or document that
    the page is a version of. `.title`: of the page, for the reader of a table.
    """

    status: int
    headers: HeaderPairs
    body: bytes
    standing: Standing
    wording: str = ""
    family: str = ""


def place_of(url: str) -> str:
    """Return the path at which the site itself knows a page, whatever version of it a URL asks for."""
    parts = urlsplit(url)
    path = parts.path.split(";")[0].removesuffix("index.html")
    for prefix in ("/print/", "/amp/"):
        path = path.replace(prefix, "/") if path.startswith(prefix) else path
    if path == "/download":
        path = "/files/" + parse_qs(parts.query).get("file", [""])[0]
    return path.rstrip("/") or "/"


def render(url: str, day: int, visit: int, seed: int = 1) -> Answer:
    """Return the answer to a visit between which all noise moves; visits of a page are counted from 0 each day."""
    return respond(url, day, visit, Noise.at(seed, place_of(url), 20 * day + visit))


def respond(url: str, day: int, visit: int, noise: Noise) -> Answer:
    """Return the answer to a visit with this noise."""
    place = place_of(url)
    trouble = incident(place, day, visit)
    article = next((one for one in articles_on(day) if one.path == place), None)
    if trouble is not None:
        return _trouble(trouble, place, day, noise, article)
    if article is not None:
        return _article(url, article, day, noise)
    if place == "/latest":
        return _article(url, article_on(_LATEST[day >= _LATEST_CHANGES], day), day, noise)
    if place.startswith("/files/"):
        return _file(day)
    if place == "/" or place.strip("/") in fronts.SECTIONS:
        return _front(place, day, noise)
    return _unknown(place, day, noise)


def _scene(design: Design, language: str, day: int, noise: Noise, place: str) -> Scene:
    near = tuple(one for one in articles_on(day) if one.language == language and one.path != place)
    others = near if len(near) > 3 else tuple(one for one in articles_on(day) if one.path != place)
    return Scene(design, phrases(language), noise, day, place, others)


def _html(text: str, charset: str, *, declared: bool = True, status: int = 200) -> tuple[int, HeaderPairs, bytes]:
    kind = f"text/html; charset={charset}" if declared else "text/html"
    return status, (("Content-Type", kind), ("Cache-Control", "max-age=60")), text.encode(charset, "xmlcharrefreplace")


def _charset(language: str, day: int) -> str:
    """Before the redesign, the oldest editions were sent in the encodings of their time."""
    old = {"ru": "windows-1251", "zh": "gb18030", "ja": "shift_jis"}
    return "utf-8" if day >= REDESIGN_DAY else old.get(language, "utf-8")


def _article(url: str, article: Article, day: int, noise: Noise) -> Answer:
    charset = _charset(article.language, day)
    parts = urlsplit(url.lower())
    design, template = (MODERN, templates.modern) if day >= REDESIGN_DAY else (CLASSIC, templates.classic)
    if parts.netloc.startswith("m."):
        design, template = MOBILE, templates.mobile
    elif parts.path.startswith("/print/"):
        template = templates.printed
    elif parts.path.startswith("/amp/"):
        template = templates.amp
    text = template(_scene(design, article.language, day, noise, article.path), article, charset)
    # the Japanese pages declare their encoding in a meta element only
    status, headers, body = _html(text, charset, declared=charset != "shift_jis")
    tag = f'W/"{zlib.crc32(article.wording.encode()):08x}-{design.name}"'
    return Answer(status, (*headers, ("ETag", tag)), body, Standing.FULL, article.wording, article.slug)


def _front(place: str, day: int, noise: Noise) -> Answer:
    language = place.strip("/") if place.strip("/") in {"de", "ru", "zh", "ja", "ar"} else "en"
    charset = _charset(language, day)
    shown = fronts.listed(place, day, articles_on(day))
    design = MODERN if day >= REDESIGN_DAY else CLASSIC
    text = fronts.front(_scene(design, language, day, noise, place), shown, charset)
    status, headers, body = _html(text, charset)
    return Answer(status, headers, body, Standing.FULL, fronts.wording(shown), f"list {place}")


def _file(day: int) -> Answer:
    version = 1 if day < 5 else 2
    headers = (
        ("Content-Type", "application/pdf"),
        ("Last-Modified", ("Mon, 02 Mar", "Sun, 08 Mar")[version - 1] + " 2026 05:00:00 GMT"),
    )
    return Answer(200, headers, pdf.timetable(version), Standing.FULL, f"timetable {version}", "timetable")


def _unknown(place: str, day: int, noise: Noise) -> Answer:
    scene = _scene(MODERN if day >= REDESIGN_DAY else CLASSIC, "en", day, noise, place)
    if place == "/login":
        return Answer(*_html(refusals.login(scene), "utf-8"), Standing.REFUSED)
    if place.startswith("/archive/"):
        return Answer(*_html(refusals.missing(scene, place), "utf-8"), Standing.REFUSED)
    if place.startswith("/gone/"):
        return Answer(*_html(refusals.broken(scene, 410), "utf-8", status=410), Standing.REFUSED)
    return Answer(*_html(refusals.missing(scene, place), "utf-8", status=404), Standing.REFUSED)


def _trouble(trouble: Incident, place: str, day: int, noise: Noise, article: Article | None) -> Answer:
    language = article.language if article and trouble is Incident.TEASER else "en"
    scene = _scene(MODERN if day >= REDESIGN_DAY else CLASSIC, language, day, noise, place)
    match trouble:
        case Incident.TEASER if article:
            charset = _charset(language, day)
            wording = f"{article.title}\n{article.teaser}\n{scene.words.say('login')}"
            return Answer(
                *_html(refusals.teaser(scene, article, charset), charset), Standing.PARTIAL, wording, article.slug
            )
        case Incident.LOGIN:
            return Answer(302, (("Location", f"/login?next={place}"),), b"", Standing.REFUSED)
        case Incident.CHALLENGE | Incident.QUIET_CHALLENGE:
            status = 503 if trouble is Incident.CHALLENGE else 200
            return Answer(*_html(refusals.challenge(scene), "utf-8", status=status), Standing.REFUSED)
        case Incident.EMPTY:
            return Answer(*_html("", "utf-8"), Standing.REFUSED)
        case Incident.SOFT_MISSING:
            return Answer(*_html(refusals.missing(scene, place), "utf-8"), Standing.REFUSED)
        case _:
            status = 503 if trouble is Incident.MAINTENANCE else 500
            return Answer(*_html(refusals.broken(scene, status), "utf-8", status=status), Standing.REFUSED)
