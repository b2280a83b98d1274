"""The shape of a path: where on a site a page stands, whichever page it is.

A parameter may matter on `/list` and not on `/article/...`, so what is learned is learned by shape.
"""

from __future__ import annotations

import re
from functools import lru_cache

from sameish.urls.anatomy import dissect

_MOST_SEGMENTS = 4
# letters with at most one "-": with more it is the title of one page
_WORD = re.compile(r"[a-z_]*-?[a-z_]*")
_LONGEST_WORD = 24
_NUMBER = re.compile(r"[0-9]+")
# One program that answers for many pages. Sources: the handlers that Apache httpd, IIS, Tomcat and ColdFusion document.
_SCRIPT = re.compile(r"(.+)(\.(?:php[3-8]?|phtml|aspx?|ashx|jspx?|jsf|do|action|cfm|cgi|pl|py|rb|dll|exe))")
_DOCUMENT = re.compile(r"\.[a-z][a-z0-9]{0,4}\Z")
_PARAMETERS = re.compile(r";[^/]*")


def path_shape(key: str) -> str:
    """Return the shape of a key's path; the host and the query are no part of it.

    `/news/a-b-c` -> `/news/*`, `/list` -> `/list`, `/article-17` -> `/article-#`, `/2024/05/x` -> `/#/*/*`,
    `/index.php` as it is, `/` -> `/`. A first segment that is a word is kept, with `#` for a run of digits; other
    segments are `*`, except a program (`/admin/list.php` -> `/*/list.php`, were `admin` no word). From the fifth
    segment on nothing is told. Capitals, path parameters, the extension of a document and a trailing slash make no
    shape of their own. A key that is no `http` or `https` URL has the shape "".
    """
    parts = dissect(key)
    return "" if parts is None else shape_of_path(parts.path)


@lru_cache(maxsize=16_384)
def shape_of_path(path: str) -> str:
    """Return the shape of a path; see `path_shape`."""
    segments = _PARAMETERS.sub("", path.lower()).strip("/").split("/")
    first, deeper = _first(segments[0]), segments[1:_MOST_SEGMENTS]
    whole = len(segments) <= _MOST_SEGMENTS
    masked = [
        segment if whole and number == len(deeper) and _SCRIPT.fullmatch(segment) else "*"
        for number, segment in enumerate(deeper, 1)
    ]
    return "/" + "/".join([first, *masked])


@lru_cache(maxsize=4096)
def shape_family(shape: str) -> str:
    """Return a path shape without the word that it begins with: `/news/*` and `/sport/*` are of one family, `/?/*`.

    A program is a family of its own.
    """
    first, slash, deeper = shape[1:].partition("/")
    return shape if _SCRIPT.fullmatch(first) or not first else f"/?{slash}{deeper}"


def _first(segment: str) -> str:
    script = _SCRIPT.fullmatch(segment)
    stem, extension = (script[1], script[2]) if script else (_DOCUMENT.sub("", segment), "")
    if len(stem) > _LONGEST_WORD or not _WORD.fullmatch(_NUMBER.sub("", stem)):
        return f"*{extension}"
    return _NUMBER.sub("#", stem) + extension
