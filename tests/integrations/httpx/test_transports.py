"""The transports against real servers: nothing here is a stand-in for a client, a server or a detector."""

from __future__ import annotations

import gzip
import threading
import time
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import brotli
import pytest
import zstandard
from tests.crawling.clock import Clock
from tests.crawling.options import Options
from tests.crawling.server import Server
from tests.crawling.site import Site
from tests.integrations.httpx.clients import KINDS, Client, opened
from tests.integrations.routes import Answer, Routes, article

import sameish
from sameish.errors import SettingsError
from sameish.integrations.httpx import AsyncSameishTransport, NotFetched, SameishTransport
from sameish.models import FetchAction, VerdictKind

# whoever leaves a stream early leaves generators of the library behind, which trio warns of
leaves_early = pytest.mark.filterwarnings("ignore:Async generator:ResourceWarning")
every_kind = pytest.mark.parametrize("kind", KINDS, ids="-".join)


@pytest.fixture
def site(clock: Clock) -> Iterator[Server]:
    with Server(Site(Options(contents=40), clock), clock) as server:
        yield server


def cache_status(response: Any) -> str | None:
    found: str | None = response.headers.get("cache-status")
    return found


@every_kind
def test_a_page_that_is_not_due_is_answered_with_its_copy(
    kind: tuple[str, str], detector: sameish.Detector, site: Server
) -> None:
    url = site.site.base + site.site.contents[0].urls[0]
    with opened(kind, detector) as client:
        first, second = client.get(url), client.get(url)
    assert site.counts.gets == 1
    assert first.extensions["sameish"].kind is VerdictKind.NEW
    assert first.extensions["sameish_decision"].action is FetchAction.FETCH
    assert cache_status(first) is None
    assert second.extensions["sameish"].kind is VerdictKind.UNCHANGED
    assert second.extensions["sameish_decision"].action is FetchAction.SKIP
    assert cache_status(second) == "sameish; hit; detail=not_due"
    assert (second.status_code, second.content, second.text) == (200, first.content, first.text)
    assert second.headers["content-type"] == first.headers["content-type"]
    assert str(second.url) == url
    assert isinstance(second, client.library.Response)


@every_kind
def test_a_304_brings_the_copy_up_to_date_but_for_what_it_says_of_itself(
    kind: tuple[str, str], detector: sameish.Detector, routes: Routes, clock: Clock
) -> None:
    old = {"ETag": '"h1"', "Content-Type": "text/html", "Cache-Control": "max-age=1", "X-Old": "stays"}
    new = {"ETag": '"h1"', "Content-Type": "text/plain", "Cache-Control": "max-age=9", "Set-Cookie": "a=1; Path=/"}
    routes.answers["/harbour"] = Answer(body=article("harbour"), headers=old)
    with opened(kind, detector) as client:
        client.get(f"{routes.base}/harbour")
        clock.move(days=2)
        routes.answers["/harbour"] = Answer(body=article("harbour"), headers=new)
        response = client.get(f"{routes.base}/harbour")
        assert cache_status(response) == "sameish; hit; detail=not_modified"
        told = {name: response.headers[name] for name in ("cache-control", "content-type", "x-old", "etag")}
        assert told == {"cache-control": "max-age=9", "content-type": "text/html", "x-old": "stays", "etag": '"h1"'}
        assert response.headers.get_list("content-length") == [str(len(article("harbour")))]
        assert client.client.cookies["a"] == "1"


@every_kind
def test_a_304_that_nobody_asked_for_says_nothing(
    kind: tuple[str, str], detector: sameish.Detector, routes: Routes, clock: Clock
) -> None:
    routes.answers["/plain"] = Answer(body=article("plain"))
    with opened(kind, detector) as client:
        client.get(f"{routes.base}/plain")
        clock.move(days=2)
        routes.answers["/plain"] = Answer(304)
        response = client.get(f"{routes.base}/plain")
        assert (response.status_code, response.content) == (304, b"")
        assert response.extensions["sameish"].reason == "not read: a 304 that nobody asked for"
        assert detector.decide(f"{routes.base}/plain").action is FetchAction.FETCH


@every_kind
def test_what_is_due_is_revalidated_and_304_is_answered_with_the_copy(
    kind: tuple[str, str], detector: sameish.Detector, routes: Routes, clock: Clock
) -> None:
    url = f"{routes.base}/harbour"
    with opened(kind, detector) as client:
        first = client.get(url)
        clock.move(days=2)
        second = client.get(url)
        asked = routes.asked[-1][1]
        routes.answers["/harbour"] = Answer(body=article("market"), headers={"ETag": '"h2"'})
        clock.move(days=8)
        third = client.get(url)
    assert len(routes.asked) == 3
    assert asked["if-none-match"] == '"h1"'
    assert second.extensions["sameish_decision"].action is FetchAction.REVALIDATE
    assert second.extensions["sameish"].kind is VerdictKind.UNCHANGED
    assert (second.status_code, second.content) == (200, first.content)
    assert cache_status(second) == "sameish; hit; detail=not_modified"
    assert "if-none-match" not in second.request.headers
    assert third.extensions["sameish"].kind is VerdictKind.UPDATED
    assert third.content == article("market")


def rule_learned(client: Client, routes: Routes) -> None:
    """Let it be learned that `?from=` makes no difference."""
    for name in ("ferry", "school", "bridge", "mayor", "winter", "garden"):
        for end in ("", f"?from={name}", f"?from=list-{name}"):
            routes.answers[f"/{name}{end}"] = Answer(body=article(name))
            client.get(f"{routes.base}/{name}{end}")
    routes.asked.clear()


@every_kind
def test_a_page_that_is_known_by_a_rule_is_answered_with_its_copy(
    kind: tuple[str, str], detector: sameish.Detector, routes: Routes
) -> None:
    with opened(kind, detector) as client:
        rule_learned(client, routes)
        response = client.get(f"{routes.base}/ferry?from=nowhere")
        assert routes.paths == []
        assert response.extensions["sameish"].kind is VerdictKind.DUPLICATE
        assert response.extensions["sameish_decision"].rule == "query:from"
        assert response.content == article("ferry")
        assert response.headers["content-location"].startswith(f"{routes.base}/ferry")
        assert cache_status(response) == "sameish; hit; detail=url_rule"
    assert detector.given_back() == []


@every_kind
def test_links_of_a_copy_are_relative_to_where_it_came_from(
    kind: tuple[str, str], detector: sameish.Detector, routes: Routes
) -> None:
    routes.answers["/old"] = Answer(301, headers={"Location": "/deep/down/page"})
    routes.answers["/deep/down/page"] = Answer(body=article("cellar"))
    with opened(kind, detector, client={"follow_redirects": True}) as client:
        responses = [client.get(f"{routes.base}/old") for _ in range(2)]
    assert [cache_status(one) is None for one in responses] == [True, False]
    assert [str(one.url.join("../stairs")) for one in responses] == [f"{routes.base}/deep/stairs"] * 2
    assert str(responses[1].request.url) == f"{routes.base}/old"
    assert isinstance(responses[1], client.library.Response)
    assert responses[1].raise_for_status() is responses[1]


@every_kind
def test_what_a_rule_skips_can_be_dropped_or_fetched(
    kind: tuple[str, str], detector: sameish.Detector, routes: Routes
) -> None:
    url = f"{routes.base}/ferry?from=nowhere"
    with opened(kind, detector) as client:
        rule_learned(client, routes)
    with (
        opened(kind, detector, duplicates="drop") as client,
        pytest.raises(NotFetched, match=r"was not fetched: query:from makes no difference there \(as http") as raised,
    ):
        client.get(url)
    assert raised.value.url == url
    assert raised.value.decision.rule == "query:from"
    assert routes.paths == []
    routes.answers["/ferry?from=nowhere"] = Answer(body=article("ferry"))
    with opened(kind, detector, duplicates="mark") as client:
        response = client.get(url)
    assert routes.paths == ["/ferry?from=nowhere"]
    assert response.extensions["sameish"].kind is VerdictKind.DUPLICATE
    assert response.extensions["sameish_decision"].action is FetchAction.FETCH
    assert response.extensions["sameish_decision"].rule == "query:from"
    assert cache_status(response) is None


@every_kind
def test_what_is_not_due_can_be_dropped(kind: tuple[str, str], detector: sameish.Detector, routes: Routes) -> None:
    with opened(kind, detector, not_due="drop") as client:
        client.get(f"{routes.base}/harbour")
        with pytest.raises(NotFetched, match="not due for 23 hours"):
            client.get(f"{routes.base}/harbour")
        # who knows that requests can fail goes on
        with pytest.raises(client.library.RequestError) as raised:
            client.get(f"{routes.base}/harbour")
        assert isinstance(raised.value, NotFetched)
        of_library: Any = raised.value
        assert str(of_library.request.url) == of_library.url == f"{routes.base}/harbour"
    assert len(routes.asked) == 1


@every_kind
def test_without_a_copy_it_is_fetched(kind: tuple[str, str], tmp_path: Path, routes: Routes, clock: Clock) -> None:
    settings = {"store": {"keep_bodies": False}}
    with (
        sameish.open(tmp_path / "crawl.db", settings=settings, clock=clock) as detector,
        opened(kind, detector) as client,
    ):
        responses = [client.get(f"{routes.base}/harbour") for _ in range(3)]
        clock.move(days=2)
        responses.append(client.get(f"{routes.base}/harbour"))
    assert len(routes.asked) == 4
    assert not any("if-none-match" in headers for _, headers in routes.asked)
    assert all(response.content == article("harbour") for response in responses)
    kinds = [response.extensions["sameish"].kind for response in responses]
    assert kinds == [VerdictKind.NEW, *[VerdictKind.UNCHANGED] * 3]
    decisions = [response.extensions["sameish_decision"] for response in responses]
    assert {decision.action for decision in decisions} == {FetchAction.FETCH}
    assert [decision.reason for decision in decisions[1:3]] == [
        "not due for 23 hours; there is no copy that would do"
    ] * 2


@every_kind
def test_of_several_requests_for_one_page_one_goes(
    kind: tuple[str, str], detector: sameish.Detector, routes: Routes
) -> None:
    routes.answers["/slow"] = Answer(body=article("snow"), before=lambda: time.sleep(0.3))
    with opened(kind, detector) as client:
        responses = client.together([f"{routes.base}/slow"] * 12 + [f"{routes.base}/harbour"])
    assert sorted(routes.paths) == ["/harbour", "/slow"]
    assert {response.content for response in responses[:12]} == {article("snow")}
    copies = [cache_status(response) for response in responses[:12]]
    assert sorted(map(str, copies)) == ["None", *["sameish; hit; detail=not_due"] * 11]


@every_kind
def test_nobody_waits_longer_than_the_settings_say(
    kind: tuple[str, str], tmp_path: Path, routes: Routes, clock: Clock
) -> None:
    hold = threading.Event()
    routes.answers["/stuck"] = Answer(body=article("ice"), before=hold.wait)
    settings = {"gate": {"wait_s": 0.2}}
    with (
        sameish.open(tmp_path / "crawl.db", settings=settings, clock=clock) as detector,
        opened(kind, detector) as client,
    ):
        waiting = threading.Thread(target=client.together, args=([f"{routes.base}/stuck"] * 2,))
        waiting.start()
        for _ in range(100):
            if len(routes.asked) == 2:
                break
            time.sleep(0.02)
        hold.set()
        waiting.join(10)
    assert routes.paths == ["/stuck"] * 2


@every_kind
def test_who_waited_goes_on_when_the_first_one_fails(
    kind: tuple[str, str], detector: sameish.Detector, routes: Routes
) -> None:
    def break_off() -> Iterator[bytes]:
        time.sleep(0.2)
        yield b"<p>"
        routes.answers["/broken"] = Answer(body=article("rain"))
        raise ConnectionError

    routes.answers["/broken"] = Answer(body=break_off())
    outcomes: list[Any] = []

    def ask(client: Client) -> None:
        try:
            outcomes.append(client.get(f"{routes.base}/broken").content)
        except client.library.TransportError as error:
            outcomes.append(type(error).__name__)

    with opened(kind, detector) as client:
        threads = [threading.Thread(target=ask, args=(client,)) for _ in range(2)]
        for thread in threads:
            thread.start()
            time.sleep(0.05)
        for thread in threads:
            thread.join(10)
    assert outcomes == ["RemoteProtocolError", article("rain")]


def test_transports_of_one_detector_share_what_is_under_way(detector: sameish.Detector, routes: Routes) -> None:
    routes.answers["/slow"] = Answer(body=article("snow"), before=lambda: time.sleep(0.4))
    with (
        opened(("httpx", "sync"), detector) as one,
        opened(("httpx2", "asyncio"), detector) as two,
        opened(("httpx", "trio"), detector) as three,
    ):
        got: list[bytes] = []
        clients = (two, one, three)
        threads = [
            threading.Thread(target=lambda client=client: got.append(client.get(f"{routes.base}/slow").content))
            for client in clients
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(10)
    assert got == [article("snow")] * 3
    assert routes.paths == ["/slow"]


@every_kind
def test_other_requests_are_left_alone(kind: tuple[str, str], detector: sameish.Detector, routes: Routes) -> None:
    url = f"{routes.base}/harbour"
    with opened(kind, detector) as client:
        client.get(url)
        others = [
            client.send("POST", url, content=b"x"),
            client.send("GET", url, content=b"x"),
            client.send("HEAD", url),
            client.get(url, headers={"If-None-Match": '"h1"'}),
            client.get(url, headers={"Range": "bytes=0-9"}),
            client.get(url, extensions={"sameish": False}),
        ]
    assert len(routes.asked) == 7
    assert [response.status_code for response in others] == [200, 200, 200, 304, 200, 200]
    assert not any("sameish" in response.extensions for response in others)


@every_kind
@pytest.mark.parametrize(
    ("method", "status", "is_copy"), [("PUT", 200, False), ("POST", 303, False), ("POST", 403, True)]
)
def test_a_page_that_was_written_to_is_fetched_once(
    kind: tuple[str, str], method: str, status: int, is_copy: bool, detector: sameish.Detector, routes: Routes
) -> None:
    url = f"{routes.base}/harbour"
    with opened(kind, detector) as client:
        client.get(url)
        routes.answers["/harbour"] = Answer(status)
        client.send(method, url, content=b"text")
        routes.answers["/harbour"] = Answer(body=article("market"))
        after = [client.get(url) for _ in range(2)]
    assert [cache_status(one) is not None for one in after] == [is_copy, True]
    assert {one.content for one in after} == {article("harbour" if is_copy else "market")}


@every_kind
def test_every_hop_of_a_redirect_is_asked_and_leads_to_the_page(
    kind: tuple[str, str], detector: sameish.Detector, routes: Routes
) -> None:
    routes.answers["/old"] = Answer(301, headers={"Location": "/older"})
    routes.answers["/older"] = Answer(302, headers={"Location": "/harbour"})
    with opened(kind, detector, client={"follow_redirects": True}) as client:
        first = client.get(f"{routes.base}/old")
        assert routes.paths == ["/old", "/older", "/harbour"]
        assert first.extensions["sameish"].kind is VerdictKind.NEW
        assert [one.status_code for one in first.history] == [301, 302]
        assert [one.extensions["sameish"].reason for one in first.history] == ["not read: a redirect"] * 2
        known = {f"{routes.base}{path}": detector.gate.knows(f"{routes.base}{path}", "") for path in ("/old", "/older")}
        assert all(known.values())
        again = client.get(f"{routes.base}/old")
        routes.answers["/oldest"] = Answer(301, headers={"Location": "/harbour"})
        others = [client.get(f"{routes.base}/oldest") for _ in range(2)]
    assert {response.content for response in (again, *others)} == {article("harbour")}
    assert {str(response.url) for response in (again, *others)} == {f"{routes.base}/harbour"}
    assert routes.paths.count("/harbour") == 1
    assert detector.gate.knows(f"{routes.base}/oldest", "")


@every_kind
@pytest.mark.parametrize("how", ["bytes", "raw", "text", "lines"])
def test_a_body_can_be_streamed_also_from_the_copy(
    kind: tuple[str, str], how: str, detector: sameish.Detector, routes: Routes
) -> None:
    packed = gzip.compress(article("harbour"))
    routes.answers["/packed"] = Answer(body=packed, headers={"Content-Encoding": "gzip", "Content-Type": "text/html"})
    with opened(kind, detector) as client:
        first = client.streamed(f"{routes.base}/packed", how)
        second = client.streamed(f"{routes.base}/packed", how)
    assert routes.paths == ["/packed"]
    if how == "raw":
        assert (b"".join(first), b"".join(second)) == (packed, article("harbour"))
    else:
        assert first == second
        assert len(first[0]) > 0


@leaves_early
@every_kind
def test_a_body_that_is_too_large_is_handed_on_as_it_comes(
    kind: tuple[str, str], tmp_path: Path, routes: Routes, clock: Clock
) -> None:
    def endless() -> Iterator[bytes]:
        while True:
            yield b"x" * 1000

    routes.answers["/endless"] = Answer(body=endless(), headers={"Content-Type": "text/html"})
    routes.answers["/large"] = Answer(body=b"y" * 50_000, headers={"Content-Type": "text/html"})
    settings = {"reading": {"max_body_bytes": 20_000}}
    with (
        sameish.open(tmp_path / "crawl.db", settings=settings, clock=clock) as detector,
        opened(kind, detector) as client,
    ):
        assert len(b"".join(client.streamed(f"{routes.base}/endless", most=40))) >= 40_000
        large = client.get(f"{routes.base}/large")
    assert large.content == b"y" * 50_000
    assert large.extensions["sameish"].reason == "not read: more than 20,000 bytes"
    assert large.extensions["sameish_decision"].action is FetchAction.FETCH


@leaves_early
@every_kind
def test_event_streams_are_not_read(kind: tuple[str, str], detector: sameish.Detector, routes: Routes) -> None:
    hold = threading.Event()

    def events() -> Iterator[bytes]:
        yield b"data: 1\n\n"
        hold.wait(20)

    routes.answers["/events"] = Answer(body=events(), headers={"Content-Type": "text/event-stream"})
    with opened(kind, detector) as client:
        assert client.streamed(f"{routes.base}/events", most=1) == [b"data: 1\n\n"]
        hold.set()


@every_kind
@pytest.mark.parametrize("coding", ["gzip", "deflate", "br", "zstd"])
def test_a_page_is_judged_whatever_its_coding(
    kind: tuple[str, str], coding: str, detector: sameish.Detector, routes: Routes
) -> None:
    pack = {
        "gzip": gzip.compress,
        "deflate": zlib.compress,
        "br": brotli.compress,
        "zstd": zstandard.ZstdCompressor().compress,
    }[coding]
    routes.answers["/packed"] = Answer(body=pack(article("harbour")), headers={"Content-Encoding": coding})
    with opened(kind, detector) as client:
        client.get(f"{routes.base}/harbour")
        first = client.get(f"{routes.base}/packed")
        copy = client.get(f"{routes.base}/packed")
    assert first.extensions["sameish"].kind is VerdictKind.DUPLICATE
    assert "content-encoding" not in copy.headers
    assert copy.content == article("harbour")


@every_kind
def test_a_page_that_cannot_be_judged_is_handed_on(
    kind: tuple[str, str], detector: sameish.Detector, routes: Routes, caplog: pytest.LogCaptureFixture
) -> None:
    body = gzip.compress(article("harbour"))[:-30]
    routes.answers["/cut"] = Answer(body=body, headers={"Content-Encoding": "gzip"})
    with opened(kind, detector) as client:
        pieces = client.streamed(f"{routes.base}/cut", "raw")
    assert b"".join(pieces) == body
    assert "/cut is handed on without a verdict" in caplog.text


@every_kind
def test_errors_are_undetermined_and_asked_for_again(
    kind: tuple[str, str], detector: sameish.Detector, routes: Routes
) -> None:
    routes.answers["/down"] = Answer(503, b"<h1>Service unavailable</h1>")
    with opened(kind, detector) as client:
        kinds = [client.get(f"{routes.base}/down").extensions["sameish"].kind for _ in range(2)]
    assert kinds == [VerdictKind.UNDETERMINED] * 2
    assert len(routes.asked) == 2


@every_kind
def test_a_store_that_is_closed_stops_no_request(
    kind: tuple[str, str], detector: sameish.Detector, routes: Routes, caplog: pytest.LogCaptureFixture
) -> None:
    with opened(kind, detector) as client:
        client.get(f"{routes.base}/harbour")
        detector.close()
        response = client.get(f"{routes.base}/harbour", headers={"x-again": "1"})
    assert response.content == article("harbour")
    assert response.extensions["sameish"].kind is VerdictKind.UNDETERMINED
    assert "without" in caplog.text


@every_kind
def test_a_wrapped_transport_sends_the_requests(
    kind: tuple[str, str], detector: sameish.Detector, routes: Routes
) -> None:
    def wrap(library: Any, how: str) -> Any:
        return (library.HTTPTransport if how == "sync" else library.AsyncHTTPTransport)(retries=1)

    with opened(kind, detector, wrap) as client:
        assert client.get(f"{routes.base}/harbour").status_code == 200
        assert client.get(f"{routes.base}/harbour").status_code == 200
    assert len(routes.asked) == 1


@pytest.mark.parametrize("library", ["httpx", "httpx2"])
def test_other_wrappers_take_it_for_a_transport(library: str, detector: sameish.Detector) -> None:
    module = pytest.importorskip(library)
    assert isinstance(SameishTransport(detector), module.BaseTransport)
    assert isinstance(AsyncSameishTransport(detector), module.AsyncBaseTransport)


@every_kind
def test_a_trap_is_not_followed_for_ever(kind: tuple[str, str], tmp_path: Path, clock: Clock) -> None:
    settings = {"gate": {"audit_share": 0.0}}
    with (
        Server(Site(Options(contents=20, calendar=True), clock), clock) as server,
        sameish.open(tmp_path / "crawl.db", settings=settings, clock=clock) as detector,
    ):
        months = [server.site.base + server.site._month_url(24_300 + number) for number in range(60)]
        with opened(kind, detector) as client:
            refused: list[NotFetched] = []
            for month in months:
                try:
                    client.get(month)
                except NotFetched as error:
                    refused.append(error)
        sent = server.take().gets
        assert {error.decision.rule for error in refused} == {"trap: calendar"}
        assert sent + len(refused) == 60
        assert 0 < sent <= 15
        with opened(kind, detector, traps="fetch") as client:
            assert client.get(months[-1]).status_code == 200


def test_what_is_saved_is_in_the_ledger(detector: sameish.Detector, routes: Routes) -> None:
    with opened(("httpx", "sync"), detector) as client:
        for _ in range(3):
            client.get(f"{routes.base}/harbour")
    detector.journal.flush()
    saved = [entry for entry in detector.store.ledger() if entry.name == "saved:not_due"]
    assert [(entry.requests, entry.size_bytes) for entry in saved] == [(2, 2 * len(article("harbour")))]


@pytest.mark.parametrize("option", ["duplicates", "not_due", "traps", "private"])
def test_an_option_with_a_wrong_value_is_refused(option: str, detector: sameish.Detector) -> None:
    for transport in (SameishTransport, AsyncSameishTransport):
        with pytest.raises(SettingsError, match=f"{option} is 'dorp'; it can be"):
            transport(detector, **{option: "dorp"})  # type: ignore[arg-type]


def test_what_is_no_detector_is_refused() -> None:
    for transport in (SameishTransport, AsyncSameishTransport):
        with pytest.raises(SettingsError, match=r"detector is str, expected a Detector as sameish\.open"):
            transport("crawl.db")  # type: ignore[arg-type]  # as a caller without types may


def test_a_second_crawl_sends_little_and_loses_nothing(detector: sameish.Detector, site: Server, clock: Clock) -> None:
    urls = [site.site.base + url for content in site.site.contents for url in content.urls]
    with opened(("httpx", "sync"), detector, client={"follow_redirects": True}) as client:
        first = [client.get(url) for url in urls]
        sent = site.take().gets
        clock.move(hours=1)
        second = [client.get(url) for url in urls]
    assert sent < len(urls)
    assert site.take().gets < 0.1 * sent
    assert all(one.status_code == 200 for one in first + second)
