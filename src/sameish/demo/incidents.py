"""When the site fails its visitors, and how."""

from __future__ import annotations

from enum import StrEnum


class Incident(StrEnum):
    """Why a request does not get its page."""

    TEASER = "a teaser and 'log in to read on'"
    LOGIN = "redirected to the login form"
    CHALLENGE = "a challenge, status 503"
    QUIET_CHALLENGE = "a challenge, status 200"
    EMPTY = "an empty body, status 200"
    SOFT_MISSING = "'page not found', status 200"
    FAILURE = "server error 500"
    MAINTENANCE = "down for maintenance, status 503"


# (path, day): what happens, and to how many visits of that day
_INCIDENTS: dict[tuple[str, int], tuple[Incident, int]] = {
    ("/ru/planetariy", 0): (Incident.TEASER, 9),
    ("/howto/backup-photos-rsync", 1): (Incident.LOGIN, 1),
    ("/people/interview-lock-keeper", 1): (Incident.TEASER, 9),
    ("/reviews/tarn-40-dehumidifier", 2): (Incident.CHALLENGE, 1),
    ("/ja/sento-matsunoyu", 3): (Incident.QUIET_CHALLENGE, 1),
    ("/sport/rovers-late-winner", 3): (Incident.FAILURE, 1),
    ("/news/river-gauges-explained", 4): (Incident.EMPTY, 1),
    ("/food/rhubarb-tray-bake", 5): (Incident.SOFT_MISSING, 9),
    ("/de/nachtausleihe", 7): (Incident.QUIET_CHALLENGE, 1),
    ("/", 7): (Incident.MAINTENANCE, 1),
}


def incident(place: str, day: int, visit: int) -> Incident | None:
    """Return what happens to a visit, counted from 0 each day; None when it gets its page."""
    what, visits = _INCIDENTS.get((place, day), (None, 0))
    return what if visit < visits else None
