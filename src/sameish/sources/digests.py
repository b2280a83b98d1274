"""What a WARC record says about its own bytes (the WARC 1.1 specification, sections 5.8 and 5.9)."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterator, Mapping

from sameish.sources.chunked import CutChunks, without_chunks
from sameish.sources.http_message import split_message

_ALGORITHMS = ("md5", "sha1", "sha256", "sha384", "sha512")


def is_altered(headers: Mapping[str, str], block: bytes) -> bool:
    """Does `WARC-Block-Digest` say that the block is not what was archived, and `WARC-Payload-Digest` not clear it?

    Programs that rewrite archives keep the old digest of a block whose HTTP header they spelled anew; the payload's is
    right then. A payload's digest alone proves nothing: writers differ in what they count as the payload. A digest of
    an unknown algorithm or spelling is as good as none.
    """
    if _agrees(headers.get("warc-block-digest", ""), block) is not False:
        return False
    payload = headers.get("warc-payload-digest", "")
    return not any(_agrees(payload, body) for body in _payloads(block))


def _payloads(block: bytes) -> Iterator[bytes]:
    body = split_message(block).body
    yield body
    try:
        yield without_chunks(body)
    except CutChunks:
        return


def _agrees(digest: str, data: bytes) -> bool | None:
    """Compare a labelled digest, such as `sha1:` and 32 letters of base 32; None where it cannot be read."""
    label, _, value = digest.partition(":")
    name = label.strip().lower().replace("-", "")
    if name not in _ALGORITHMS:
        return None
    raw = hashlib.new(name, data, usedforsecurity=False).digest()
    spelled = value.strip().rstrip("=")
    forms = {base64.b32encode(raw).decode().rstrip("="), raw.hex()}
    if len(spelled) not in map(len, forms):
        return None
    return spelled.lower() in {form.lower() for form in forms}
