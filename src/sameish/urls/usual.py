"""Names that usually make no difference: on a site where one made none once, it is believed sooner than a name never heard of.

Not enough by itself: any of them carries content somewhere, so that one pair of captures of the site must agree first, and one
that does not agree stops it as any other.
"""

from __future__ import annotations

_QUERY = frozenset(
    {
        # Where a visitor came from: the tags that Matomo, Piwik PRO and Plausible read beside Google's.
        *("ref", "referrer", "referer", "source", "src", "medium", "campaign", "via"),
        *("pk_campaign", "pk_source", "pk_medium", "mtm_campaign", "mtm_source", "mtm_medium"),
        "ref_src",  # added to links in embedded posts of X
        "share",  # WordPress Jetpack, sharing buttons
        # Against caches: jQuery.ajax `cache: false` sends `_`; the others are what is written by hand.
        *("_", "ts", "timestamp", "cb", "cachebuster", "nocache", "rnd", "rand"),
        # Sessions that are on no list of `sessions.py`, since elsewhere they number something.
        # Not `s`: WordPress searches with it.
        *("sid", "sessionid", "session_id", "session"),
    }
)
_SEGMENTS = frozenset({"print", "amp"})  # WordPress AMP and WP-Print, permalinks
_PREFIXES = frozenset({"print", "amp", "m", "mobile"})
_HOSTS = frozenset({"www", "m", "mobile", "amp"})
# Apache httpd, `DirectoryIndex`; IIS, default documents.
_INDEXES = frozenset(
    {"index.html", "index.htm", "index.php", "index.jsp", "default.htm", "default.html", "default.aspx"}
)
# The first page of a list: WordPress `paged`, Drupal `page=0`, Solr and Django REST framework `start`, `offset`.
_FIRST_PAGES = {"page": ("0", "1"), "paged": ("1",), "pg": ("1",), "start": ("0",), "offset": ("0",)}
_PLAIN = frozenset({"slash", "scheme"})
_BY_KIND = {"query": _QUERY, "suffix": _SEGMENTS, "prefix": _PREFIXES, "host": _HOSTS, "index": _INDEXES}


def is_usual(aspect: str) -> bool:
    """Tell whether an aspect (see `aspects`) has a name that usually makes no difference."""
    kind, _, name = aspect.partition(":")
    return name.lower() in _BY_KIND.get(kind, ()) or aspect in _PLAIN


def is_first_page(aspect: str, value: str) -> bool:
    """Tell whether a parameter with this value usually shows the page of a list that is shown without it."""
    kind, _, name = aspect.partition(":")
    return kind == "query" and value in _FIRST_PAGES.get(name.lower(), ())
