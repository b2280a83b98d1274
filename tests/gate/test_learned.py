"""States that were learned elsewhere are taken over only if the gate can read them back."""

from __future__ import annotations

from datetime import UTC, datetime

import msgspec
import pytest

from sameish.gate.learned import check_learned
from sameish.gate.memory import SiteMemory, encode
from sameish.gate.schedules import scheduled
from sameish.revisit.state import Visits
from sameish.stores.gate_state import Visit
from sameish.stores.transfer.lines import EndLine, SiteLine, VisitLine

NOON = datetime(2024, 5, 1, 12, tzinfo=UTC)
VISIT = Visit(1, 2, "a.example", "u", NOON)


def visit_line(state: bytes) -> VisitLine:
    return VisitLine(
        key_hash="0" * 15 + "1", class_hash="0" * 16, site="a.example", url="u", due_at=NOON, body_bytes=9, state=state
    )


@pytest.mark.parametrize("state", [b"", scheduled(VISIT, Visits()).state, scheduled(VISIT, Visits(due_at=9**18)).state])
def test_a_visit_as_it_is_written_is_taken(state: bytes) -> None:
    check_learned(visit_line(state))


def test_the_memory_of_a_site_is_taken_also_of_another_version() -> None:
    for memory in (SiteMemory(), SiteMemory(version=9)):
        check_learned(SiteLine(site="a.example", state=encode(memory)))
    check_learned(EndLine(lines=1))


DAMAGED = [b"state", b"\x00", b"\x91" * 100_000, encode(SiteMemory())[:-1]]


@pytest.mark.parametrize("state", [b"", *DAMAGED, msgspec.msgpack.encode({"version": 1, "rules": 5})])
def test_what_is_no_memory_of_a_site_is_refused(state: bytes) -> None:
    with pytest.raises(ValueError, match=r"^the state of the site 'a\.example' is damaged \("):
        check_learned(SiteLine(site="a.example", state=state))


@pytest.mark.parametrize(
    "state", [*DAMAGED, scheduled(VISIT, Visits()).state[:-1], msgspec.msgpack.encode(Visits(due_at=-(9**18)))]
)
def test_what_is_no_schedule_of_a_visit_is_refused(state: bytes) -> None:
    with pytest.raises(ValueError, match=r"^the state of the visit 0{15}1 is damaged \("):
        check_learned(visit_line(state))
