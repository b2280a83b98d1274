"""What both transports do, whatever sends the requests: ask the gate before, judge after."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Literal, TypeAlias, get_args
from urllib.parse import urljoin

from sameish.detector import Detector
from sameish.errors import SameishError, SettingsError
from sameish.gate.journal import reason_of
from sameish.models import FetchAction, FetchDecision, Page, Verdict, VerdictKind, normal_headers
from sameish.sources.codings import Undecodable, without_codings
from sameish.stores.gate_state import StoredBody
from sameish.urls.keys import url_key
from sameish.urls.site import site_of

Duplicates: TypeAlias = Literal["cached", "drop", "mark"]
NotDue: TypeAlias = Literal["cached", "drop"]
Traps: TypeAlias = Literal["drop", "fetch"]
_LOGGER = logging.getLogger("sameish.httpx")


class NotFetched(SameishError):
    """A request was not sent and nothing is returned in its place. `.url` was asked for, `.decision` says why."""

    def __init__(self, url: str, decision: FetchDecision) -> None:
        same_as = f" (as {decision.same_as})" if decision.same_as else ""
        super().__init__(f"{url} was not fetched: {decision.reason}{same_as}")
        self.url = url
        self.decision = decision


@dataclass(frozen=True, slots=True)
class Plan:
    """What to do with a request.

    `.copy`: what to answer with, at once if `.answers`, else in place of a 304 to `.headers`; None where there is none.
    """

    decision: FetchDecision
    copy: StoredBody | None = None
    answers: bool = False
    headers: Mapping[str, str] = field(default_factory=dict)

    @property
    def verdict(self) -> Verdict:
        """What to say of a copy that was not asked for again."""
        kind = VerdictKind.UNCHANGED if self.decision.rule is None else VerdictKind.DUPLICATE
        return Verdict(kind, reason=self.decision.reason)


class Door:
    """One detector, and what a caller chose.

    Args:
        detector: stays the caller's to close.
        duplicates, not_due, traps: see `sameish.integrations.httpx.SameishTransport`.

    Raises:
        SettingsError: a choice is none.
    """

    def __init__(self, detector: Detector, duplicates: Duplicates, not_due: NotDue, traps: Traps) -> None:
        _check("duplicates", duplicates, get_args(Duplicates))
        _check("not_due", not_due, get_args(NotDue))
        _check("traps", traps, get_args(Traps))
        self.detector = detector
        self._duplicates = duplicates
        self._not_due = not_due
        self._traps = traps
        # without bodies there would be nothing to answer with
        detector.keep_bodies = detector.settings.store.keep_bodies

    @property
    def most_bytes(self) -> int:
        """The size of a body from which it is handed on unread."""
        return self.detector.settings.reading.max_body_bytes

    def plan(self, url: str) -> Plan:
        """Say what to do with a request, and count it if it need not be sent.

        A store that cannot be asked stops no crawl: the request is sent, and the log tells.

        Raises:
            NotFetched: it is not sent, and nothing stands in its place.
        """
        try:
            return self._plan(url)
        except NotFetched:
            raise
        except SameishError as error:
            _LOGGER.warning("%s is fetched without being asked for: %s", url, error)
            return Plan(FetchDecision(FetchAction.FETCH, f"the gate could not be asked: {error}"))

    def _plan(self, url: str) -> Plan:
        gate = self.detector.gate
        decision = gate.decide(url)
        if decision.action is not FetchAction.SKIP:
            copy = gate.copy_of(decision.same_as or url) if decision.request_headers else None
            return Plan(decision, copy, headers={} if copy is None else decision.request_headers)
        wish = self._wish(decision)
        if wish == "drop":
            self.detector.journal.skipped(url, decision)
            raise NotFetched(url, decision)
        copy = gate.copy_of(decision.same_as or url) if wish == "cached" else None
        if copy is None:
            return Plan(decision)
        self.detector.journal.skipped(url, decision, dropped=False)
        return Plan(decision, copy, answers=True)

    def _wish(self, decision: FetchDecision) -> Duplicates | NotDue | Traps:
        if decision.rule is None:
            return self._not_due
        return self._traps if reason_of(decision) == "trap" else self._duplicates

    def judged(self, page: Page, sent: Mapping[str, str], *, fetched: bool = True) -> Verdict:
        """Return the verdict on an answer and remember it; a page that cannot be judged or remembered is `undetermined`.

        Args:
            page: as it was answered.
            sent: headers of the request.
            fetched: whether it came from the server now. A cache's copy of a page that is known proves nothing.
        """
        try:
            plain = self._without_codings(page)
            if fetched or not self._knows(page.url or ""):
                return self.detector.observe(plain, request_headers=sent)
            return self.detector.check(plain)
        except (SameishError, Undecodable) as error:
            _LOGGER.warning("%s is handed on without a verdict: %s", page.url, error)
            return Verdict(VerdictKind.UNDETERMINED, reason=f"not judged: {error}")

    def redirected(self, url: str, location: str) -> None:
        """Remember where a URL was redirected to, if that is a page that is known."""
        try:
            self.detector.redirected(url, urljoin(url, location))
        except (SameishError, ValueError) as error:  # not every Location is an address
            _LOGGER.warning("the redirect of %s is not remembered: %s", url, error)

    def _without_codings(self, page: Page) -> Page:
        """Take content codings off in bounded steps, those too that only clients undo (zstd)."""
        given = normal_headers(page.headers)
        headers = tuple((name, value) for name, value in given if name != "transfer-encoding")  # the client undid it
        body = page.body if isinstance(page.body, bytes) else page.body.encode()
        body, headers = without_codings(body, headers, self.most_bytes)
        return replace(page, body=body, headers=headers)

    def _knows(self, url: str) -> bool:
        return self.detector.gate.knows(url_key(url), site_of(url))


def _check(name: str, value: str, choices: tuple[str, ...]) -> None:
    if value not in choices:
        raise SettingsError(f"{name} is {value!r}; it can be {', '.join(choices)}")
