"""What both transports do, whatever sends the requests: ask the gate before, judge after."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from typing import Any, Literal, TypeAlias, get_args
from urllib.parse import urljoin

from sameish.detector import Detector
from sameish.errors import SameishError, SettingsError
from sameish.gate.journal import reason_of
from sameish.integrations.httpx import variants
from sameish.integrations.httpx.flights import Flights
from sameish.integrations.httpx.libraries import as_own
from sameish.integrations.httpx.messages import (
    asks_for_a_fresh_one,
    asks_not_to_be_stored,
    is_fetched,
    page_of,
)
from sameish.integrations.httpx.visitors import Visitors
from sameish.models import FetchAction, FetchDecision, Page, Verdict, VerdictKind, normal_headers
from sameish.sources.codings import Undecodable, without_codings
from sameish.stores.gate_state import StoredBody, hash_key
from sameish.urls.keys import url_key
from sameish.urls.site import site_of

Duplicates: TypeAlias = Literal["cached", "drop", "mark"]
NotDue: TypeAlias = Literal["cached", "drop"]
Traps: TypeAlias = Literal["drop", "fetch"]
Private: TypeAlias = Literal["fetch", "share"]
_LOGGER = logging.getLogger("sameish.httpx")


@dataclass(frozen=True, slots=True)
class Choices:
    """What a caller chose; see `sameish.integrations.httpx.SameishTransport`.

    Raises:
        SettingsError: a choice is none.
    """

    duplicates: Duplicates = "cached"
    not_due: NotDue = "cached"
    traps: Traps = "drop"
    private: Private = "fetch"

    def __post_init__(self) -> None:
        offered = {"duplicates": Duplicates, "not_due": NotDue, "traps": Traps, "private": Private}
        for one in fields(self):
            value, choices = getattr(self, one.name), get_args(offered[one.name])
            if value not in choices:
                raise SettingsError(f"{one.name} is {value!r}; it can be {', '.join(choices)}")


class NotFetched(SameishError):
    """A request was not sent and nothing is returned in its place. `.url` was asked for, `.decision` says why.

    It is raised as a `RequestError` of the client's library, too, so that a crawler that knows that requests can fail goes on.
    """

    def __init__(self, url: str, decision: FetchDecision) -> None:
        same_as = f" (as {decision.same_as})" if decision.same_as else ""
        super().__init__(f"{url} was not fetched: {decision.reason}{same_as}")
        self.url = url
        self.decision = decision


@dataclass(frozen=True, slots=True)
class Plan:
    """What to do with a request.

    `.decision`: its action is `skip` exactly where the request is not sent. `.copy`: what to answer with, at once if `.answers`,
    else in place of a 304 to `.headers`; None where there is none.
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
    """One detector, what a caller chose, and what is under way. Safe to use from several threads.

    Args:
        detector: stays the caller's to close.
        choices: of the caller.
    """

    def __init__(self, detector: Detector, choices: Choices) -> None:
        given: object = detector  # untyped callers pass a path
        if not isinstance(given, Detector):
            raise SettingsError(
                f"detector is {type(given).__name__}, expected a Detector as sameish.open(...) returns it"
            )
        self.detector = detector
        self.flights = Flights.of(detector)
        self.visitors = Visitors()
        self.is_ready = False
        """Whether the page of a URL is told at once."""
        self._choices = choices
        self._written: set[int] = set()
        self._ignored = frozenset({"authorization", "cookie"} if choices.private == "share" else ())
        # without bodies there would be nothing to answer with
        detector.keep_bodies = True

    @property
    def most_bytes(self) -> int:
        """The size of a body from which it is handed on unread."""
        return self.detector.settings.reading.max_body_bytes

    @property
    def wait_s(self) -> float:
        """How long a request waits for another one of the same page."""
        return self.detector.settings.gate.wait_s

    def why_left_alone(self, request: Any) -> str | None:
        """Say why a request is sent and nothing is remembered of it, None for one that is to be asked about."""
        if asks_not_to_be_stored(request):
            return "the request says no-store"
        mark = None if self._choices.private == "share" else self.visitors.mark_of(request)
        return f"it is meant for one visitor ({mark})" if mark else None

    def page_of(self, url: str) -> int:
        """Return the number of a URL's page; where the store cannot be asked, of the URL. The first time, a store is read."""
        try:
            page = self.detector.gate.class_of(url)
        except SameishError:
            return hash_key(url)
        self.is_ready = True
        return page

    def written(self, url: str) -> None:
        """Note that a page was written to: the next one who asks gets an answer of the server (RFC 9111, section 4.4)."""
        self._written.add(self.page_of(url))

    def plan(self, request: Any, *, anew: bool = False) -> Plan:
        """Say what to do with a request, and count it if it need not be sent.

        A store that cannot be asked stops no crawl: the request is sent, and the log tells.

        Args:
            request: that is to be sent.
            anew: others may have written to the store a moment ago.

        Raises:
            NotFetched: it is not sent, and nothing stands in its place.
        """
        try:
            if anew:
                self.detector.gate.refresh()
            return self._plan(request, str(request.url))
        except NotFetched:
            raise
        except SameishError as error:
            _LOGGER.warning("%s is fetched without being asked for: %s", request.url, error)
            return Plan(FetchDecision(FetchAction.FETCH, f"the gate could not be asked: {error}"))

    def _plan(self, request: Any, url: str) -> Plan:
        decision = self.detector.gate.decide(url)
        if decision.action is not FetchAction.SKIP:
            return self._plan_to_send(request, url, decision)
        if asks_for_a_fresh_one(request):
            return Plan(_sent_after_all(decision, "the request says no-cache"))
        if (page := self.page_of(url)) in self._written:
            self._written.discard(page)
            return Plan(_sent_after_all(decision, "it was written to"))
        wish = self._wish(decision)
        if wish == "drop":
            self.detector.journal.skipped(url, decision)
            raise as_own(NotFetched, "RequestError")(url, decision)
        if wish != "cached":
            return Plan(_sent_after_all(decision, "it is fetched by choice"))
        copy = self._copy(request, decision.same_as or url)
        if copy is None:
            return Plan(_sent_after_all(decision, "there is no copy that would do"))
        self.detector.journal.skipped(url, decision, dropped=False)
        return Plan(decision, copy, answers=True)

    def _plan_to_send(self, request: Any, url: str, decision: FetchDecision) -> Plan:
        copy = self._copy(request, decision.same_as or url) if decision.request_headers else None
        if copy is not None:
            return Plan(decision, copy, headers=decision.request_headers)
        # a 304 could not be answered
        action = FetchAction.FETCH if decision.action is FetchAction.REVALIDATE else decision.action
        return Plan(replace(decision, action=action, request_headers={}))

    def _wish(self, decision: FetchDecision) -> Duplicates | NotDue | Traps:
        if decision.rule is None:
            return self._choices.not_due
        return self._choices.traps if reason_of(decision.rule) == "trap" else self._choices.duplicates

    def _copy(self, request: Any, url: str) -> StoredBody | None:
        copy = self.detector.gate.copy_of(url)
        return copy if copy is not None and variants.suits(copy, request, self._ignored) else None

    def judged(self, asked: Any, response: Any, body: bytes, *, is_raw: bool) -> Verdict:
        """Return the verdict on an answer and remember it; a page that cannot be judged or remembered is `undetermined`.

        What a cache answered by itself is remembered only of pages that are not known: it proves nothing of the server.

        Args:
            asked: the request as it was sent.
            response: to it.
            body: of the response.
            is_raw: content codings are still on the body.
        """
        try:
            page = self._without_codings(page_of(asked, response, body, is_raw=is_raw))
            varied = variants.note_of(asked, response, self._ignored)
            if varied is not None:
                page = replace(page, headers=[*normal_headers(page.headers), (variants.NOTE, varied)])
            if is_fetched(response) or not self._knows(page.url or ""):
                return self.detector.observe(page, request_headers=asked.headers)
            return self.detector.check(page)
        except (SameishError, Undecodable) as error:
            _LOGGER.warning("%s is handed on without a verdict: %s", asked.url, error)
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


def _sent_after_all(decision: FetchDecision, why: str) -> FetchDecision:
    """Return what is to be said of a request that need not be sent, but is."""
    return replace(decision, action=FetchAction.FETCH, reason=f"{decision.reason}; {why}")
