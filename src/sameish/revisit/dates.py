"""Dates as HTTP and sitemaps write them, to POSIX seconds, and back to datetimes."""

from __future__ import annotations

import math
import re
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

# https://www.w3.org/TR/NOTE-datetime, the form that https://www.sitemaps.org/protocol.html asks for.
_W3C = re.compile(r"\d{4}(?:-\d\d(?:-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)?)?)?)?")


_LAST = int(datetime(9999, 12, 31, tzinfo=UTC).timestamp())


def moment(seconds: float) -> datetime:
    """Return the datetime (UTC) of POSIX seconds, the last day that there is for a later one, as after a wrong clock."""
    return datetime.fromtimestamp(min(seconds, _LAST), UTC)


def http_date(text: str | None) -> float | None:
    """Return the time of an HTTP date in any of its three forms (RFC 9110, 5.6.7), or None where it is none."""
    if not text:
        return None
    try:
        read = parsedate_to_datetime(text)
        return (read if read.tzinfo else read.replace(tzinfo=UTC)).timestamp()
    except (ValueError, TypeError, IndexError, OverflowError):
        return None


def sitemap_date(text: str | None) -> float | None:
    """Return the time that a sitemap's `lastmod` names, its earliest where it names a day or less; None where it is none."""
    found = _W3C.fullmatch((text or "").strip())
    if found is None:
        return None
    written = found[0] + "-01-01"[len(found[0]) - 4 :] if len(found[0]) < 10 else found[0]
    try:
        read = datetime.fromisoformat(written)
        return (read if read.tzinfo else read.replace(tzinfo=UTC)).timestamp()
    except (ValueError, OverflowError):
        return None


def retry_after(text: str | None, at: float) -> float:
    """Return for how many seconds from `at` a server asks to be left alone (RFC 9110, 10.2.3); 0 where it does not."""
    value = (text or "").strip()
    if value.isascii() and value.isdigit():
        return float(value[:12])
    until = http_date(value)
    return 0.0 if until is None or not math.isfinite(until) else max(0.0, until - at)
