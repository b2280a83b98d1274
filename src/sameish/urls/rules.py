"""What is known about one site's URLs: evidence for and against each aspect, as it is stored."""

from __future__ import annotations

from zlib import crc32

import msgspec

VERSION = 1
"""Of the stored form; raised when it changes."""
_LONGEST_VALUE = 48
_TRANSLATES = 3


class Agreement(msgspec.Struct, frozen=True, array_like=True):
    """Two captures with the same content whose keys differ in an aspect."""

    page: int
    """Hash of the key without anything in which the two differ."""
    content: int
    """Hash of the content."""
    value_a: str | None
    value_b: str | None
    day: int
    """Days since 1970."""


class Contradiction(msgspec.Struct, frozen=True, array_like=True):
    """Two captures with different contents whose keys differ in this aspect alone."""

    page: int
    value_a: str | None
    value_b: str | None
    day: int


class ShapeEvidence(msgspec.Struct, frozen=True, array_like=True):
    """Evidence about one aspect on one path shape. Counters saturate; of the pairs, only a few are kept."""

    agreed: tuple[Agreement, ...] = ()
    against: tuple[Contradiction, ...] = ()
    agreements: int = 0
    contradictions: int = 0
    audits: int = 0
    wrong: int = 0
    """Audits that went wrong through this aspect alone."""
    doubts: int = 0
    """Audits that went wrong through this aspect or others that were taken away with it."""
    doubted: bool = False
    """A skip was wrong here, through this aspect or another: it must be shown here, not elsewhere."""
    revoked: bool = False
    """Wrong audits were too many."""
    paused: bool = False
    """The rule was caught elsewhere: what is known here counts again once another pair agrees."""


class AspectEvidence(msgspec.Struct, frozen=True, array_like=True):
    """All evidence about one aspect of a site."""

    shapes: dict[str, ShapeEvidence] = {}
    links: tuple[int, ...] = ()
    """Pages whose canonical link or redirect takes the aspect away."""
    strikes: int = 0
    """Times that the rule was caught while it acted; each doubles the evidence that it needs where nothing is known. Of those
    times when others may have been to blame as well, the first does not count."""
    suspended: int | None = None
    """Day on which it was stopped last; None if never."""
    translates: bool = False
    """It chooses a language: by its name, or as pages name one another as translations that differ in it (`hreflang`)."""

    @property
    def caution(self) -> int:
        """Return how often the evidence that is needed doubles: for what shows translations as after being caught thrice."""
        return max(self.strikes, _TRANSLATES * self.translates)

    @property
    def revoked(self) -> bool:
        """Tell whether the rule was revoked on two shapes, and so on all."""
        return sum(shape.revoked for shape in self.shapes.values()) > 1


class SiteRules(msgspec.Struct, frozen=True):
    """What is known about the URLs of one site: a value; learning returns another."""

    version: int = VERSION
    aspects: dict[str, AspectEvidence] = {}
    recent: tuple[tuple[int, tuple[str, ...]], ...] = ()
    """The last tests of acting rules, while one of them went wrong: hash of the page, rules blamed (none if right)."""
    links_right: int = 0
    """Canonical links and redirects between two pages that were both fetched and equal in content."""
    links_wrong: int = 0
    links_revoked: bool = False
    """This site's canonical links are not believed."""
    plain: tuple[str, ...] = ()
    """Path shapes on which pages were met that rules leave no query: there, no parameter is needed to name a page."""

    def encode(self) -> bytes:
        """Return the rules in MessagePack."""
        return _ENCODER.encode(self)


def decode(data: bytes) -> SiteRules | None:
    """Return stored rules, or None if another version of this program wrote them: they can be learned again.

    Raises:
        msgspec.DecodeError: the bytes are no rules.
    """
    if _VERSION_ONLY.decode(data).version != VERSION:
        return None
    return _DECODER.decode(data)


class _Version(msgspec.Struct):
    version: int


_ENCODER = msgspec.msgpack.Encoder()
_DECODER = msgspec.msgpack.Decoder(SiteRules)
_VERSION_ONLY = msgspec.msgpack.Decoder(_Version)


def short_hash(text: str) -> int:
    """Return a hash of a text in 4 bytes, the same in every process."""
    return crc32(text.encode("utf-8", "surrogatepass"))


def stored_value(value: str | None) -> str | None:
    """Return a value as it is kept and compared: a long one is cut, its hash beside it."""
    if value is None or len(value) <= _LONGEST_VALUE:
        return value
    return f"{value[: _LONGEST_VALUE - 9]}~{short_hash(value):08x}"
