"""Schemes: named, versioned ways from a page as read to a fingerprint.

A scheme's name holds everything that changes its values: the version of the method and the HTML engine. Raise `_VERSION` with
every change of reading, calming, features or sketch that can move a value; the golden vectors in the tests tell.
"""

from __future__ import annotations

from hashlib import blake2b
from typing import Literal, TypeAlias

import msgspec

from sameish.errors import SettingsError
from sameish.fingerprint import classic, sketch
from sameish.fingerprint.features import Features, distinct, features_of
from sameish.fingerprint.simhash import simhash
from sameish.fingerprint.structure import structure_hash
from sameish.models import NO_DIGEST, Fingerprint, State
from sameish.reading.dom import ENGINE
from sameish.reading.extract import ReadPage
from sameish.settings import DEFAULT, Reading, Settings, Weights

SchemeName: TypeAlias = Literal["text", "classic"]
_VERSION = {"text": 1, "classic": 1}
_CONTENT_STATES = (State.CONTENT, State.PARTIAL, State.THIN, State.ERROR)


def scheme_of(name: SchemeName, settings: Settings = DEFAULT) -> str:
    """Return the full name of a scheme, as fingerprints carry it.

    Settings that change what is compared (`reading.remove`, `reading.keep`, `reading.thin_words`, all of `weights`, for all
    or for some sites) add a digest of themselves: pages read in two ways are not compared.

    Raises:
        SettingsError: there is no scheme of that name.
    """
    if name not in _VERSION:
        raise SettingsError(f"scheme {name!r} is not known; there are {', '.join(_VERSION)}")
    return f"{name}:{_VERSION[name]}+{ENGINE}{_mark(settings, 'reading')}{_mark(settings, 'weights')}"


def _mark(settings: Settings, section: Literal["reading", "weights"]) -> str:
    """Return what a section adds to a scheme's name: nothing where all that counts is as by default."""
    ways = {site: way for site, own in settings.site.items() if (way := getattr(own, section)) is not None}
    told = {site: _told(way) for site, way in (ways | {"": getattr(settings, section)}).items()}
    if set(told.values()) == {_told(getattr(DEFAULT, section))}:
        return ""
    return f"+{section}-" + blake2b(msgspec.json.encode(told, order="deterministic"), digest_size=4).hexdigest()


def _told(way: Reading | Weights) -> tuple[object, ...]:
    return (way.remove, way.keep, way.thin_words) if isinstance(way, Reading) else msgspec.structs.astuple(way)


def fingerprint_of(content: ReadPage, scheme: str) -> Fingerprint:
    """Return the fingerprint of a page as read, under a full scheme name; where the page is no text its bytes are hashed."""
    state, tags = content.extract.state, structure_hash(content.tags)
    if state is State.NOT_HTML:
        return Fingerprint(None, None, blake2b(content.body, digest_size=16).digest(), b"", 0, state, scheme)
    features = features_of(content.extract.sentences, content.weights)
    if state not in _CONTENT_STATES or not features.words:
        return Fingerprint(None, tags, NO_DIGEST, b"", features.words, state, scheme)
    return Fingerprint(
        simhash=_simhash(content, features, scheme),
        structure=tags,
        digest=_digest(features),
        sketch=sketch.pack(features) if scheme.startswith("text:") else b"",
        words=features.words,
        state=state,
        scheme=scheme,
    )


def _simhash(content: ReadPage, features: Features, scheme: str) -> int | None:
    if scheme.startswith("text:"):
        return simhash(features.shingles, features.weights)
    tokens = classic.tokens("\n".join(content.extract.sentences))
    return classic.simhash(tokens) if tokens else None


def _digest(features: Features) -> bytes:
    """Return a digest of the set of sentences: their order and repetitions do not count."""
    sentences = distinct(features.sentences)
    return blake2b(sentences.astype("<u8").tobytes(), digest_size=16).digest()
