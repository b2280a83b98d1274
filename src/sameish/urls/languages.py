"""Names that choose a language: what they show differs wherever it is translated, be it on few pages."""

from __future__ import annotations

import re

# Common languages of the web, by their codes in ISO 639-1; a rare one is learned from hreflang, or not at all.
_LANGUAGES = frozenset(
    "ar bg ca cs da de el en es et fa fi fr he hi hr hu id it ja ko lt lv nb nl no pl pt ro ru sk sl sr sv th tr uk vi zh".split()
)
_TAG = re.compile(r"([a-z]{2})(?:[-_](?:[a-z]{2}|[0-9]{3}|hans|hant))?")
"""Language with a region or a script (BCP 47, section 2.1), as far as addresses hold them."""
# Google's `hl`, MediaWiki's `uselang`, WPML's and Polylang's `lang`, Django's and Drupal's `language`.
_PARAMETERS = frozenset({"hl", "lang", "language", "lng", "locale", "uselang"})


def is_language(aspect: str) -> bool:
    """Tell whether an aspect (see `aspects`) has a name that chooses a language: `/fr/`, `de.`, `lang=`."""
    kind, _, name = aspect.partition(":")
    if kind == "query":
        return name.lower() in _PARAMETERS
    found = _TAG.fullmatch(name.lower()) if kind in {"prefix", "suffix", "host"} else None
    return found is not None and found[1] in _LANGUAGES
