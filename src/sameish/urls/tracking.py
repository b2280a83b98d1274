"""Query parameters that tell where a visitor came from, never what is shown.

A short list of its own: a name is on it only if its inventor documents it as a tag and no site is known to use it for
content. So `ref`, `source`, `from`, `via`, `cid`, `campaign`, `session` are not: they carry content on many sites, and
what they are elsewhere can be learned. Names are compared in lower case.
"""

from __future__ import annotations

import re

_TRACKING = frozenset(
    {
        # Google Ads, "Auto-tagging"; Search Ads 360, "About click IDs"; Campaign Manager 360; Merchant Center.
        *("gclid", "gclsrc", "dclid", "gbraid", "wbraid", "gad_source", "gad_campaignid", "srsltid"),
        # Google Analytics, "Cross-domain measurement": the linker parameter, now and in Universal Analytics.
        *("_gl", "_ga"),
        "fbclid",  # Meta, "ClickID and the fbp and fbc parameters"
        "igshid",  # Instagram's share links; in the query stripping lists of Firefox and Brave
        "msclkid",  # Microsoft Advertising, "Auto-tagging of Click ID"
        *("yclid", "ysclid", "_openstat"),  # Yandex Direct and Metrica, "Labels in links"
        "twclid",  # X Ads, "Web conversions"
        "ttclid",  # TikTok for Business, "About TikTok Click ID"
        "li_fat_id",  # LinkedIn Marketing, "Enhanced conversion tracking"
        *("mc_cid", "mc_eid"),  # Mailchimp, "Google Analytics and e-commerce links": campaign and recipient
        *("_hsenc", "_hsmi", "__hssc", "__hstc", "__hsfp"),  # HubSpot, "Email tracking" and cross-domain cookies
        *("vero_id", "vero_conv"),  # Vero, "Conversion tracking"
        *("oly_enc_id", "oly_anon_id"),  # Omeda Olytics, "Link tracking"
        "wickedid",  # Wicked Reports; in Brave's query filter
    }
)
# Universal Transverse Mercator coordinates share the prefix of Google's campaign parameters.
_COORDINATES = frozenset({"utm_x", "utm_y", "utm_e", "utm_n", "utm_zone", "utm_easting", "utm_northing"})
# Marketo's token is the only name of a mail in its web view, and of a subscription to end (Brave's query filter).
_MARKETO_MAIL = re.compile(r"unsubscribe|emailwebview", re.IGNORECASE)


def is_tracking(name: str, path: str) -> bool:
    """Tell whether a query parameter of this name (in lower case) only tracks, on a page with this path."""
    if name.startswith("utm_"):  # Google Analytics, "Collect campaign data with custom URLs"; others extend it freely
        return name not in _COORDINATES
    return name in _TRACKING or (name == "mkt_tok" and _MARKETO_MAIL.search(path) is None)
