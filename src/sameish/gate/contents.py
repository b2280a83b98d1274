"""What a page says and what it shows beside, as the gate compares it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from hashlib import blake2b

from sameish.models import Fingerprint, Verdict, VerdictKind
from sameish.stores.gate_state import GateStore, Visit, hash_key
from sameish.urls.keys import url_key

_HALF = 8


@dataclass(frozen=True, slots=True)
class Content:
    """What a page was: 64-bit hashes of its calmed sentences (`.text`) and of the addresses of its media (`.media`), 0: none."""

    text: int
    media: int = 0

    @property
    def digest(self) -> bytes:
        """As it is kept with a visit: 16 bytes."""
        return self.text.to_bytes(_HALF, "little") + self.media.to_bytes(_HALF, "little")

    def shows_like(self, other: Content) -> bool:
        """Whether two pages with one text may be one page: a version for print has it without the pictures."""
        return self.media == other.media or 0 in {self.media, other.media}


def content_of(fingerprint: Fingerprint, media: Sequence[str] = ()) -> Content:
    """Return the content of a page, given the addresses of its media; sessions and tracking parameters in these are left out."""
    told = "\n".join(sorted(map(_calm, media))).encode("utf-8", "replace")
    return Content(_text_of(fingerprint.digest), _number(blake2b(told, digest_size=_HALF).digest()) if media else 0)


def content_kept(visit: Visit, fingerprint: Fingerprint | None = None) -> Content | None:
    """Return the content of which a visit tells, None where it brought none.

    Args:
        visit: of the page.
        fingerprint: of its capture; shows whether the visit is from a time when the text alone was kept.
    """
    if visit.digest is None:
        return None
    text, media = _number(visit.digest[:_HALF]), _number(visit.digest[_HALF:])
    return Content(text, 0 if fingerprint is not None and fingerprint.digest == visit.digest else media)


def with_media(verdict: Verdict, content: Content, store: GateStore) -> Verdict:
    """Return a verdict that says whether a duplicate shows other media than the page that it equals."""
    if verdict.kind is not VerdictKind.DUPLICATE or verdict.match is None or not content.media:
        return verdict
    visit = store.visit(hash_key(verdict.match.key))
    kept = None if visit is None else content_kept(visit, verdict.match.fingerprint)
    differ = kept is not None and kept.text == content.text and not content.shows_like(kept)
    return replace(verdict, other_media=differ)


def _calm(address: str) -> str:
    return url_key(f"http://media.invalid{address}") if address.startswith("/") and "?" in address else address


def _text_of(digest: bytes) -> int:
    return _number(digest[:_HALF])


def _number(half: bytes) -> int:
    return int.from_bytes(half, "little")
