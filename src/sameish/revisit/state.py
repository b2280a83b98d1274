"""What is kept of a page between visits.

As msgpack it takes about a hundred bytes, and never more than `sameish.revisit.validators.LONGEST` allows, however long the
history is. Fields are arrays there: new ones go to the end and have a default, so that older bytes can still be read.
"""

from __future__ import annotations

import msgspec

from sameish.revisit.changes import Changes


class Validators(msgspec.Struct, frozen=True, array_like=True):
    """The validators of a page as received, None where there is none, and how far they may be used.

    `.owner`: number of the URL that sent them (`sameish.revisit.validators.url_number`). `.etag_off_until`,
    `.modified_off_until`: not used before this time, since caught lying on this page. `.beside_until`: before this time
    Last-Modified is used beside an ETag only.
    """

    etag: str | None = None
    last_modified: str | None = None
    owner: int = 0
    etag_off_until: int = 0
    modified_off_until: int = 0
    beside_until: int = 0


class NotModified(msgspec.Struct, frozen=True, array_like=True):
    """The unbroken 304 answers since the last full body.

    `.count`; `.first`, `.last`: times, 0 where there is none. `.off_until`: nothing conditional is asked before this time.
    `.strikes`: how often in a row a body showed that the 304 answers before it were probably wrong. `.disputed`: the last one
    named other content than it was asked about, so that a body must be looked at.
    """

    count: int = 0
    first: int = 0
    last: int = 0
    off_until: int = 0
    strikes: int = 0
    disputed: bool = False

    @property
    def span_s(self) -> int:
        """Seconds from the first to the last of them."""
        return self.last - self.first


class Visits(msgspec.Struct, frozen=True, array_like=True):
    """What is known of a page from its visits; times in whole POSIX seconds, 0 = never.

    `.last_visit`: when it last answered well (304 too). `.last_body`: when it last did so with a body. `.last_try`: when it
    last answered at all. `.due_at`: when to come again. `.interval_s`: seconds between visits. `.failures`: answers in a row
    that were no page. `.lastmod`: what a sitemap said at the last visit.
    """

    last_visit: int = 0
    last_body: int = 0
    last_try: int = 0
    due_at: int = 0
    interval_s: int = 0
    failures: int = 0
    lastmod: int | None = None
    changes: Changes = Changes()
    validators: Validators = Validators()
    not_modified: NotModified = NotModified()

    @property
    def seen(self) -> bool:
        """Whether it has ever answered well."""
        return self.last_visit > 0
