"""Made-up sites whose URLs hold noise, and a crawler in memory that asks the learner as a gate would."""

from __future__ import annotations

import random
import string
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta

from sameish.urls.acting import Acting, acting
from sameish.urls.common_digests import CommonDigests
from sameish.urls.evidence import day_of
from sameish.urls.keys import url_key
from sameish.urls.learner import Pair, audit, learn, met
from sameish.urls.rules import SiteRules
from sameish.urls.siblings import Siblings
from sameish.urls.standings import DEFAULT, Limits
from sameish.urls.trials import Trials

AT = datetime(2026, 12, 1, tzinfo=UTC)
LAYOUTS = ("sections", "numbered", "program", "words", "dates")


def word(rng: random.Random, least: int = 4, most: int = 9) -> str:
    return "".join(rng.choices(string.ascii_lowercase, k=rng.randint(least, most)))


@dataclass
class Address:
    """The clean address of one content: where it stands, and the parameters that matter."""

    path: str
    matters: dict[str, str]
    kind: str
    """`item` or `list`."""


@dataclass
class SimulatedSite:
    """URLs and what they lead to: `content[url]` is a number, equal for equal content."""

    layout: str
    content: dict[str, int] = field(default_factory=dict)
    names: dict[str, str] = field(default_factory=dict)


def simulated_site(seed: int, contents: int, layout: str, per_content: int = 5) -> SimulatedSite:
    """Return a site of so many contents, `per_content` URLs each."""
    rng = random.Random(seed)  # noqa: S311 - it draws sites, no secrets
    site = SimulatedSite(layout)
    drawn: set[str] = set()
    for role in (
        "track1",
        "track2",
        "session",
        "time",
        "referrer",
        "page",
        "view",
        "id",
        "cat",
        "suffix",
        "prefix",
        "index",
    ):
        name = word(rng)
        while name in drawn:
            name = word(rng)
        drawn.add(name)
        site.names[role] = name
    noise = _Noise(rng, site.names)
    for number, address in enumerate(_addresses(rng, site, contents)):
        mine: dict[str, str] = {}
        for _ in range(200):
            url = noise.url(address)
            mine.setdefault(url_key(url), url)
            if len(mine) == per_content:
                break
        for url in mine.values():
            site.content[url] = number
    return site


def _addresses(rng: random.Random, site: SimulatedSite, contents: int) -> list[Address]:
    names = site.names
    lists = contents // 4
    sections = [word(rng) for _ in range(5)]
    views = [word(rng) for _ in range(3)]
    found: list[Address] = []
    seen: set[str] = set()
    while len(found) < contents - lists:
        path, matters = _item(rng, site.layout, sections, names, len(found))
        if path + str(matters) not in seen:
            seen.add(path + str(matters))
            found.append(Address(path, matters, "item"))
    page = 0
    while len(found) < contents:
        page += 1
        for section in sections:
            for view in (None, *views):
                path = {
                    "sections": f"/{section}",
                    "numbered": "/browse",
                    "program": "/list.php",
                    "words": f"/{section}",
                    "dates": f"/topic/{section}",
                }[site.layout]
                matters = {names["cat"]: section} if site.layout in {"numbered", "program"} else {}
                matters |= {names["page"]: str(page)}
                if view is not None:
                    matters[names["view"]] = view
                if len(found) < contents and rng.random() < 0.5:
                    found.append(Address(path, matters, "list"))
    return found


def _item(
    rng: random.Random, layout: str, sections: list[str], names: dict[str, str], number: int
) -> tuple[str, dict[str, str]]:
    slug = "-".join(word(rng, 3, 7) for _ in range(rng.randint(3, 6)))
    if layout == "sections":
        return f"/{rng.choice(sections)}/{slug}", {}
    if layout == "numbered":
        return f"/item-{number * 7 + 12}", {}
    if layout == "program":
        return "/index.php", {names["id"]: str(number * 3 + 1)}
    if layout == "words":
        return f"/{word(rng, 5, 12)}", {}
    return f"/{rng.randint(2020, 2026)}/{rng.randint(1, 12):02}/{slug}", {}


class _Noise:
    """What is put into addresses without changing the content."""

    def __init__(self, rng: random.Random, names: dict[str, str]) -> None:
        self._rng, self._names = rng, names
        self._campaigns = [word(rng) for _ in range(20)]
        self._referrers = [word(rng) for _ in range(5)]
        self._views = [word(rng) for _ in range(3)]

    def url(self, address: Address) -> str:
        rng, names = self._rng, self._names
        query = dict(address.matters)
        if query.get(names["page"]) == "1" and rng.random() < 0.5:
            del query[names["page"]]
        chances: dict[str, tuple[float, Callable[[], str]]] = {
            names["track1"]: (0.4, lambda: rng.choice(self._campaigns)),
            names["track2"]: (0.3, lambda: rng.choice(self._campaigns)),
            names["session"]: (0.4, lambda: f"{rng.getrandbits(64):x}"),
            names["time"]: (0.3, lambda: str(1_700_000_000 + rng.randint(0, 10**7))),
            names["referrer"]: (0.3, lambda: rng.choice(self._referrers)),
        }
        if address.kind == "item":
            chances[names["view"]] = (0.2, lambda: rng.choice(self._views))
        for name, (chance, value) in chances.items():
            if rng.random() < chance:
                query[name] = value()
        pieces = [f"{name}={value}" for name, value in query.items()]
        rng.shuffle(pieces)
        path = self._variant(address)
        return f"https://site.example{path}{'?' if pieces else ''}{'&'.join(pieces)}"

    def _variant(self, address: Address) -> str:
        draw, path, names = self._rng.random(), address.path, self._names
        if draw < 0.08:
            return f"/{names['prefix']}{path}"
        if path.endswith(".php"):
            return path
        if draw < 0.2:
            return f"{path}/"
        if draw < 0.28:
            return f"{path}/{names['index']}.html"
        if draw < 0.38 and address.kind == "item":
            return f"{path}/{names['suffix']}"
        return path


@dataclass
class Outcome:
    """What a crawl cost and what it missed."""

    contents: int
    gets: int = 0
    audits: int = 0
    skipped: int = 0
    lost: set[int] = field(default_factory=set)
    """Contents of which no URL was fetched in the end."""
    most_missing: int = 0
    """Most contents at one time of which every URL met so far was skipped."""
    given_back: int = 0
    changes: int = 0
    rules: SiteRules = field(default_factory=SiteRules)

    @property
    def cost(self) -> float:
        return self.gets / self.contents


class SimulatedCrawler:
    """Fetches in random order, several at a time, and skips by class key; `server(url)` tells the content."""

    def __init__(
        self,
        server: Callable[[str], int],
        seed: int,
        limits: Limits = DEFAULT,
        rules: SiteRules | None = None,
        audit_share: float = 0.02,
        answer: Callable[[str, int], int] | None = None,
        at: datetime = AT,
    ) -> None:
        self.answer = answer or (lambda key, _: server(key))
        self.common = CommonDigests()
        self.at = at
        self.server, self.limits, self.audit_share = server, limits, audit_share
        self.rng = random.Random(seed)  # noqa: S311 - it draws an order, no secrets
        self.rules = rules or SiteRules()
        self.acting: Acting = acting(self.rules, limits)
        self.siblings = Siblings()
        self.trials = Trials(random.Random(seed))  # noqa: S311 - as above
        self.got: set[int] = set()
        self.pages: dict[str, int] = {}
        self.known: dict[str, str] = {}
        self.skipped: dict[str, str] = {}
        self.waiting: dict[str, list[str]] = {}
        self.flying: list[tuple[str, str, str | None]] = []
        self.queue: list[str] = []

    def again(self, urls: list[str]) -> Outcome:
        """Crawl the same on the next day, in another process: what was fetched is not due yet, nothing else is remembered but rules."""
        self.at += timedelta(days=1)
        self.trials, self.skipped = Trials(self.rng), {}
        return self.crawl([url for url in urls if url_key(url) not in self.pages])

    def crawl(self, urls: list[str], at_once: int = 8) -> Outcome:
        self.queue = list(urls)
        self.rng.shuffle(self.queue)
        out = Outcome(contents=len({self.server(url_key(url)) for url in urls}))
        got = self.got
        missing: set[int] = set()
        while self.queue or self.flying:
            while self.queue and len(self.flying) < at_once:
                key = url_key(self.queue.pop())
                self._ask(key, out)
                if key in self.skipped and self.server(key) not in got:
                    missing.add(self.server(key))
                    out.most_missing = max(out.most_missing, len(missing))
            if self.flying:
                flight = self.flying.pop(self.rng.randrange(len(self.flying)))
                out.gets += 1
                digest = self.answer(flight[0], out.gets)
                got.add(digest)
                missing.discard(digest)
                self._landed(*flight, digest, out)
        out.lost = {self.server(url_key(url)) for url in urls} - got
        out.skipped = len(self.skipped)
        out.rules = self.rules
        return out

    def _ask(self, key: str, out: Outcome) -> None:
        if key in self.pages:
            return
        reduced, _ = self.acting.class_key(key)
        first = self.known.get(reduced)
        if first is not None:
            _, rules = self.acting.same_by(key, first)
            if not self.trials.is_due(self.acting, reduced, rules, self.audit_share, day_of(self.at)):
                self.skipped[key] = reduced
                return
            out.audits += 1
            self.flying.append((key, reduced, first))
        elif reduced in self.waiting:
            self.waiting[reduced].append(key)
        else:
            self.waiting[reduced] = []
            self.flying.append((key, reduced, None))

    def _landed(self, key: str, reduced: str, audited: str | None, digest: int, out: Outcome) -> None:
        before = self.rules
        if self.common.seen(digest, key, self.acting):
            # what stands everywhere is no page: nothing is learned from it, and nothing skipped for it
            self.pages = {page: other for page, other in self.pages.items() if other != digest}
            self.known = {place: page for place, page in self.known.items() if page in self.pages}
            if audited is None:
                self.queue += self.waiting.pop(reduced)
            return
        self.pages[key] = digest
        self.rules = met(self.rules, self.acting, key)
        if audited is not None:
            other = self.pages[audited]
            self.rules = audit(self.rules, Pair(audited, key, other == digest, digest), self.at, self.limits)
        for sibling in self.siblings.add(self.acting, key, digest):
            if sibling.key != audited:
                pair = Pair(sibling.key, key, sibling.digest == digest, digest)
                self.rules = learn(self.rules, pair, self.at, self.limits)
        self.known.setdefault(self.acting.class_key(key)[0], key)
        if self.rules is not before:
            self._apply(out)
        if audited is None:
            self.queue += self.waiting.pop(reduced)

    def _apply(self, out: Outcome) -> None:
        now = acting(self.rules, self.limits, self.acting)
        if now == self.acting:
            self.acting = now
            return
        self.acting = now
        out.changes += 1
        self.known = {}
        for key in self.pages:
            self.known.setdefault(now.class_key(key)[0], key)
        back = [key for key in self.skipped if now.class_key(key)[0] not in self.known]
        for key in back:
            del self.skipped[key]
        out.given_back += len(back)
        self.queue += back
