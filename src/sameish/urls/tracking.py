"""Query parameters that tell where a visitor came from, never what is shown."""

from __future__ import annotations

_TRACKING = frozenset(
    {
        "fbclid",
        "gclid",
        "gclsrc",
        "dclid",
        "gbraid",
        "wbraid",
        "msclkid",
        "yclid",
        "_openstat",
        "mc_eid",
        "mc_cid",
        "igshid",
        "twclid",
        "ttclid",
        "li_fat_id",
        "_ga",
        "_gl",
        "mkt_tok",
        "_hsenc",
        "_hsmi",
        "vero_id",
        "oly_enc_id",
    }
)
# Universal Transverse Mercator coordinates share the prefix of Google's campaign parameters.
_COORDINATES = frozenset({"utm_x", "utm_y", "utm_e", "utm_n", "utm_zone", "utm_easting", "utm_northing"})


def is_tracking(name: str) -> bool:
    """Tell whether a query parameter of this name (in lower case) only tracks."""
    return name in _TRACKING or (name.startswith("utm_") and name not in _COORDINATES)
