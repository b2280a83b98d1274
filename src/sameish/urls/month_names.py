"""Dates in which the month is a word, as calendars write them into paths: `2031/april`, `17-apr-2031`, `April_17_2031`."""

from __future__ import annotations

import re

# English, German, French, Spanish, Italian, Portuguese, Dutch; accents left out or as a canonical key has them.
_NAMES = (
    "january jan januar januari janvier enero gennaio janeiro",
    "february feb februar februari fevrier f%c3%a9vrier febrero febbraio fevereiro",
    "march mar maerz marz m%c3%a4rz maart mars marzo marco mar%c3%a7o",
    "april apr avril abril aprile",
    "may mai mayo maggio maio mei",
    "june jun juni juin junio giugno junho",
    "july jul juli juillet julio luglio julho",
    "august aug augustus aout ao%c3%bbt agosto",
    "september sep sept septembre septiembre settembre setembro",
    "october oct oktober okt octobre octubre ottobre outubro",
    "november nov novembre noviembre novembro",
    "december dec dezember dez decembre d%c3%a9cembre diciembre dicembre dezembro",
)
MONTH_OF = {name: month for month, names in enumerate(_NAMES, 1) for name in names.split()}
"""Number of a month by its name, in lower case."""

_MONTH = "|".join(sorted(MONTH_OF, key=len, reverse=True))
_YEAR, _DAY = r"(?:19|20|21)\d\d", r"3[01]|[12]\d|0?[1-9]"
DATE_WITH_NAME = re.compile(
    rf"(?<![a-z0-9])(?:(?P<y>{_YEAR})[-/._](?P<m>{_MONTH})(?:[-/._](?P<d>{_DAY}))?"
    rf"|(?:(?P<d2>{_DAY})[-/._])?(?P<m2>{_MONTH})[-/._](?:(?P<d3>{_DAY})[-/._])?(?P<y2>{_YEAR}))(?![a-z0-9])",
    re.IGNORECASE,
)
"""Groups by the first letter: year, month, day."""
