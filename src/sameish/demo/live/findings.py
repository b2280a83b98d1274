"""What sameish found out about a host, read from its store."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from sameish.demo.live.honesty import Honesty
from sameish.demo.live.server import Server
from sameish.detector import Detector
from sameish.gate.journal import SAVED
from sameish.gate.sites import limits_of
from sameish.urls.rule_rows import rows
from sameish.urls.standings import RuleState


@dataclass(frozen=True, slots=True)
class Findings:
    """What was found out about a host, beside what is true of it (`.honesty`).

    `.rules`: that act, as the aspect that they take away. `.matters`: aspects that were seen to make a difference and have no
    rule. `.useless_etags`: it sends another ETag for the same content. `.distrusted_until`: it was caught sending one ETag for
    different contents, so none is sent back before this time; None where it was not. `.not_modified`: its answers 304 that were
    believed. `.saved`: requests that were not sent, by reason. `.audits`, `.wrong`: skips that were fetched all the same to see
    whether the rule is right, and those that were not.
    """

    host: str
    honesty: Honesty
    rules: tuple[str, ...]
    matters: tuple[str, ...]
    useless_etags: bool
    distrusted_until: datetime | None
    not_modified: int
    saved: dict[str, int]
    audits: int
    wrong: int


def findings_of(detector: Detector, server: Server, now: datetime) -> Findings:
    """Return what a detector found out about a host."""
    site = server.place
    memory = detector.gate.sites.of(site).memory
    told = rows(memory.rules, limits_of(detector.settings.for_site(site)))
    active = {row.rule for row in told if row.state is RuleState.ACTIVE}
    against = {row.rule for row in told if row.evidence_against}
    trust = memory.host(site)
    ledger = {entry.name: entry.requests for entry in detector.store.ledger() if entry.site == site}
    return Findings(
        host=server.paper.name,
        honesty=server.paper.honesty,
        rules=tuple(sorted(active)),
        matters=tuple(sorted(against - active)),
        useless_etags=trust.etag.useless,
        distrusted_until=_later(max(trust.etag.off_until, trust.answers.off_until), now),
        not_modified=ledger.get("asked", 0),
        saved={name.removeprefix(SAVED): count for name, count in ledger.items() if name.startswith(SAVED) and count},
        audits=ledger.get("audit", 0),
        wrong=ledger.get("wrong_skip", 0),
    )


def _later(moment: int, now: datetime) -> datetime | None:
    return datetime.fromtimestamp(moment, now.tzinfo) if moment > now.timestamp() else None
