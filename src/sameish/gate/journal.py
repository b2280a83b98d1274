"""What was not fetched: counted in the ledger, and remembered as long as a rule that was wrong could have to give it back."""

from __future__ import annotations

import time
from collections import Counter

from sameish.gate.gate import STATIC_RULE, Gate
from sameish.models import FetchDecision
from sameish.stores.gate_state import Asked, Dropped, Entry, Known, Note, Updates, hash_key
from sameish.urls.keys import url_key
from sameish.urls.site import site_of
from sameish.urls.traps import is_trap, suspicions

SAVED = "saved:"
"""What entries of the ledger begin with that tell of a request, or a body, that was not needed; then comes the reason."""
GIVEN_BACK = "given_back:"
"""What entries begin with that tell of requests that were saved by a rule and are sent after all, since it proved wrong."""
_TRAP = "trap: "
_MOST_WAITING = 200
_MOST_UNCOUNTED = 1_000
"""Skips that are looked at together: `decide` says in microseconds what to do, and to count it takes as long again."""
_LONGEST_WAIT_S = 1.0


def reason_of(rule: str | None) -> str:
    """Return the reason of a skip, by its rule, as the ledger names it: `not_due`, `static_key`, `trap` or `url_rule`."""
    if rule is None:
        return "not_due"
    if rule == STATIC_RULE:
        return "static_key"
    return "trap" if rule.startswith(_TRAP) else "url_rule"


class Journal:
    """Collects what was not fetched and writes it to the store.

    It is written with `flush`, with the 200th of what may be given back, and with one that comes a second or more after the
    first.

    Args:
        gate: whose decisions they are.
    """

    def __init__(self, gate: Gate) -> None:
        self._gate = gate
        self._uncounted: list[tuple[str, str, str, int | None]] = []
        self._entries: dict[tuple[str, str], tuple[int, int]] = {}
        self._dropped: list[Dropped] = []
        self._since = 0.0

    def skipped(
        self,
        url: str,
        decision: FetchDecision,
        request: bytes = b"",
        *,
        dropped: bool = True,
        size: int | None = None,
    ) -> None:
        """Count a request that was not sent.

        Args:
            url: that was asked for.
            decision: why it was not fetched.
            request: what is needed to make the request again.
            dropped: whether nothing was returned in its place, so that the rule may have to give it back.
            size: bytes of the body that was not received; None: what is known of them when they are counted, a second later
                at most.
        """
        with self._gate.lock:
            now = time.monotonic()
            if not self._uncounted and not self._entries:
                self._since = now
            self._uncounted.append((url, decision.same_as or url, reason_of(decision.rule), size))
            if dropped:
                self.dropped(url, decision, request)
            if len(self._uncounted) >= _MOST_UNCOUNTED:
                self._count()
            if now - self._since >= _LONGEST_WAIT_S or len(self._entries) + len(self._dropped) >= _MOST_WAITING:
                self.flush()

    def dropped(self, url: str, decision: FetchDecision, request: bytes = b"") -> None:
        """Remember a request that a rule may have to give back; it is not counted. Arguments as for `skipped`."""
        if decision.rule is not None and reason_of(decision.rule) in {"url_rule", "trap"}:
            one = Dropped(hash_key(url_key(url)), site_of(url), url, decision.rule, self._gate.clock(), request)
            with self._gate.lock:
                self._dropped.append(one)

    def _count(self) -> None:
        """Add what was skipped to the sums."""
        for url, other, reason, size in self._uncounted:
            name = site_of(url), SAVED + reason
            requests, size_bytes = self._entries.get(name, (0, 0))
            more = self._gate.size_of(other) if size is None else size
            self._entries[name] = requests + 1, size_bytes + more
        self._uncounted.clear()

    def flush(self) -> None:
        """Write what was collected."""
        with self._gate.lock:
            self._count()
            if not self._entries and not self._dropped:
                return
            ledger = tuple(Entry(site, name, *sums) for (site, name), sums in self._entries.items())
            updates = Updates(ledger=ledger, dropped=tuple(self._dropped))

            def write(_: object, __: Known) -> Updates:
                return updates

            self._gate.store.note(Note(Asked(""), write))  # what cannot be written now is kept for the next time
            self._entries, self._dropped = {}, []

    def owed(self, site: str | None = None) -> list[Dropped]:
        """Return what was dropped by rules that do not act any more and is not known by another URL: it is to be fetched."""
        self.flush()
        return [one for one in self._gate.store.dropped(site=site) if not self._is_covered(one)]

    def restore(self, given_back: list[Dropped]) -> None:
        """Forget dropped URLs, since they are about to be fetched, and count them as not saved."""
        hashes = tuple(one.key_hash for one in given_back)
        sums = Counter((one.site, GIVEN_BACK + reason_of(one.rule)) for one in given_back)
        ledger = tuple(Entry(site, name, count) for (site, name), count in sums.items())

        def write(_: object, __: Known) -> Updates:
            return Updates(restored=hashes, ledger=ledger)

        if hashes:
            self._gate.store.note(Note(Asked(""), write))

    def _is_covered(self, dropped: Dropped) -> bool:
        key = url_key(dropped.url)
        if dropped.rule.startswith(_TRAP):
            site = self._gate.sites.of(dropped.site)
            return is_trap(site.memory.traps, suspicions(key)) is not None
        return self._gate.knows(key, dropped.site)
