"""The schedule of a page as it stands in its visit."""

from __future__ import annotations

from dataclasses import replace

import msgspec

from sameish.revisit.dates import moment
from sameish.revisit.state import Visits
from sameish.stores.gate_state import Visit

_VISITS = msgspec.msgpack.Decoder(Visits)
_ENCODER = msgspec.msgpack.Encoder()


def read_schedule(state: bytes) -> Visits:
    """Return the schedule and validators in the state of a visit.

    Raises:
        msgspec.DecodeError: the bytes are damaged.
    """
    return _VISITS.decode(state)


def schedule_of(visit: Visit | None) -> Visits | None:
    """Return the schedule and validators of a visit, None where there is none."""
    return read_schedule(visit.state) if visit is not None and visit.state else None


def scheduled(visit: Visit, schedule: Visits) -> Visit:
    """Return a visit with another schedule."""
    return replace(visit, due_at=moment(schedule.due_at), state=_ENCODER.encode(schedule))
