"""The crawl: every errand run against the site, coded for the wire, dated, and judged."""

from __future__ import annotations

import base64
import hashlib
import zlib
from collections import Counter
from dataclasses import dataclass
from datetime import UTC, datetime, time, timedelta

from sameish.demo.design import FIRST_DAY
from sameish.demo.diary import Errand, Via
from sameish.demo.itinerary import itinerary
from sameish.demo.noise import Noise
from sameish.demo.site import Answer, place_of, respond
from sameish.demo.truth import Expected, Truth
from sameish.demo.wire import coded
from sameish.models import HeaderPairs, Page


@dataclass(frozen=True, slots=True)
class Original:
    """The earlier capture whose body stands for a revisit."""

    url: str
    fetched_at: datetime


@dataclass(frozen=True, slots=True)
class DemoCapture:
    """One answer as the crawler received it, and what it should make of it.

    `.body`: as on the wire, with the codings that the headers name; an archive leaves it out where `.via` is a
    revisit. `.payload_digest`: SHA-1 in base32 of the body without its transfer coding. `.original`: set for revisits.
    `.wording`: the words that the page says, for tests and for showing an edit.
    """

    url: str
    status: int
    headers: HeaderPairs
    body: bytes
    fetched_at: datetime
    expected: Expected
    payload_digest: str
    via: Via = Via.RESPONSE
    original: Original | None = None
    wording: str = ""

    @property
    def page(self) -> Page:
        """The capture as the product takes it."""
        return Page(self.body, self.url, self.headers, self.status, self.fetched_at)


@dataclass(frozen=True, slots=True)
class Crawl:
    """All captures in the order of their fetching."""

    seed: int
    captures: tuple[DemoCapture, ...]


def make_crawl(seed: int = 1) -> Crawl:
    """Return the crawl; the same seed gives the same bytes, another one other noise around the same words."""
    crawler = _Crawler(seed)
    return Crawl(seed, tuple(crawler.run(errand) for errand in itinerary()))


class _Crawler:
    """What has to be kept from one errand to the next."""

    def __init__(self, seed: int) -> None:
        self._seed = seed
        self._truth = Truth()
        self._noises: dict[str, Noise] = {}
        self._sequence: Counter[int] = Counter()
        self._originals: dict[str, Original] = {}

    def run(self, errand: Errand) -> DemoCapture:
        place = place_of(errand.url)
        noise = self._noises.get(place, Noise(self._seed, place)).moved(errand.moving)
        self._noises[place] = noise
        answer = respond(errand.url, errand.day, errand.visit, noise)
        expected = Expected(errand.url, self._truth.judge(errand.url, answer), errand.what, errand.category)
        return self._capture(errand, answer, expected)

    def _capture(self, errand: Errand, answer: Answer, expected: Expected) -> DemoCapture:
        moment = self._moment(errand.day)
        # by page and day, so that a second answer with the same payload also has the same coding
        lot = zlib.crc32(f"{place_of(errand.url)} {errand.day}".encode())
        html = bool(answer.body) and answer.status == 200 and b"%PDF" not in answer.body[:8]
        coding, payload, body = coded(
            answer.body, compress=html and lot % 3 == 0, chunk=html and lot % 5 < 2 and "/print/" not in errand.url
        )
        status, original, digest = answer.status, None, sha1(payload)
        if errand.via is Via.NOT_MODIFIED:
            status, body, coding, digest = 304, b"", (), sha1(b"")
            original = self._originals[errand.url]
        elif errand.via is Via.SAME_PAYLOAD:
            original = self._originals[digest]
        else:
            self._originals[errand.url] = self._originals[digest] = Original(errand.url, moment)
        headers = (
            ("Date", f"{moment:%a, %d %b %Y %H:%M:%S} GMT"),
            ("Server", "courier-edge/2.4"),
            *answer.headers,
            *coding,
        )
        return DemoCapture(
            errand.url, status, headers, body, moment, expected, digest, errand.via, original, answer.wording
        )  # fmt: skip

    def _moment(self, day: int) -> datetime:
        number = self._sequence[day]
        self._sequence[day] += 1
        start = datetime.combine(FIRST_DAY + timedelta(days=day), time(6), UTC)
        return start + timedelta(seconds=97 * number)


def sha1(data: bytes) -> str:
    """Return a digest as WARC files write it."""
    return "sha1:" + base64.b32encode(hashlib.sha1(data, usedforsecurity=False).digest()).decode()
