"""ETags that a host sends for several contents: the number of a build, the size and minute of a file.

Asked with such an ETag for another URL of what is taken for the same page, the host says "not modified" of a page that nobody
has seen. What a page's own ETag says of that page is judged elsewhere (`sameish.revisit.evidence`).
"""

from __future__ import annotations

from typing import NamedTuple

import mmh3
import msgspec

from sameish.revisit.validators import bare_etag, url_number

_MOST = 256
"""ETags of a host that are remembered; the one met longest ago is forgotten."""


class _Sender(NamedTuple):
    """The URL that sent an ETag last, and a hash of the content that came with it."""

    url: int
    content: int


class SentEtags(msgspec.Struct, frozen=True, array_like=True):
    """Which of its ETags a host sent where and with what content, by number of the ETag; a few kilobytes at most."""

    senders: dict[int, _Sender] = {}


def sent_etag(sent: SentEtags, etag: str | None, url: str, content: int) -> tuple[SentEtags, bool]:
    """Return what is known after a full answer, and whether its ETag came from another URL with other content before.

    Args:
        sent: what was known of the host.
        etag: of the answer, None where it has none.
        url: that answered.
        content: hash of the content, noise left out: the same text with another clock in it is the same.
    """
    if not etag:
        return sent, False
    number = int(mmh3.hash64(bare_etag(etag).encode("utf-8", "surrogatepass"), signed=False)[0])
    new, before = _Sender(url_number(url), content), sent.senders.get(number)
    if new == before:
        return sent, False
    others = {other: sender for other, sender in sent.senders.items() if other != number}
    kept = dict(list(others.items())[-_MOST + 1 :])
    return SentEtags({**kept, number: new}), _is_shared(before, new)


def _is_shared(before: _Sender | None, new: _Sender) -> bool:
    # the same URL with other content is a page that changed, and its ETag a lie about it
    return before is not None and before.url != new.url and before.content != new.content
