"""What a host says in ETag and Last-Modified, and when it answers 304 (RFC 9110, section 13)."""

from __future__ import annotations

import zlib
from datetime import datetime
from email.utils import format_datetime, parsedate_to_datetime
from enum import StrEnum

from sameish.models import HeaderPairs


class Honesty(StrEnum):
    """How far a host's validators can be believed."""

    HONEST = "honest ETag and Last-Modified"
    RESTLESS = "a new ETag at every load"
    FROZEN = "the same ETag after an edit"
    SILENT = "no validators"


def validators(honesty: Honesty, page: str, wording: str, load: int, edited: datetime) -> HeaderPairs:
    """Return the validators of a page that was loaded so many times; `page` tells it from others with the same words."""
    match honesty:
        case Honesty.HONEST:
            return ("ETag", _etag(page, wording)), ("Last-Modified", format_datetime(edited, usegmt=True))
        case Honesty.RESTLESS:
            return (("ETag", _etag(page, load)),)
        case Honesty.FROZEN:
            return (("ETag", _etag(page)),)
        case Honesty.SILENT:
            return ()


def is_not_modified(current: HeaderPairs, none_match: str | None, modified_since: str | None) -> bool:
    """Tell whether conditional headers get 304; If-None-Match alone decides where it is sent."""
    told = dict(current)
    if none_match is not None:
        return told.get("ETag") == none_match
    modified = told.get("Last-Modified")
    if modified is None or modified_since is None:
        return False
    return parsedate_to_datetime(modified) <= parsedate_to_datetime(modified_since)


def _etag(*parts: object) -> str:
    # weak, since what is around the words is another at each load
    return f'W/"{zlib.crc32(" ".join(map(str, parts)).encode()):08x}"'
