"""The schedule of a page as it stands in its visit."""

from __future__ import annotations

from dataclasses import replace

import msgspec

from sameish.gate.damage import DamagedState, warn
from sameish.revisit.dates import moment
from sameish.revisit.state import Visits
from sameish.stores.gate_state import Visit

_VISITS = msgspec.msgpack.Decoder(Visits)
_ENCODER = msgspec.msgpack.Encoder()


def schedule_of(visit: Visit | None) -> Visits | None:
    """Return the schedule and validators of a visit, None where there is none, and with a warning where it is damaged."""
    if visit is None or not visit.state:
        return None
    try:
        return decode(visit.state)
    except DamagedState:
        warn(f"the visits of {visit.url}", "it is fetched as if for the first time")
        return None


def decode(state: bytes) -> Visits:
    """Return the schedule and validators; of a visit that has none, those of a page that was never visited.

    Raises:
        DamagedState: the bytes are damaged.
    """
    try:
        return _VISITS.decode(state) if state else Visits()
    except (msgspec.MsgspecError, ValueError, RecursionError) as error:
        raise DamagedState(str(error)) from error


def scheduled(visit: Visit, schedule: Visits) -> Visit:
    """Return a visit with another schedule."""
    return replace(visit, due_at=moment(schedule.due_at), state=_ENCODER.encode(schedule))
