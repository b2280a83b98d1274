from __future__ import annotations

import http.client
import json
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest
from tests.crawling.answers import Kind
from tests.crawling.clock import START, VARIABLE, Clock, now
from tests.crawling.options import Options
from tests.crawling.server import Server
from tests.crawling.site import Site


@pytest.fixture
def clock(tmp_path: Path) -> Clock:
    return Clock.starting(tmp_path / "clock")


@pytest.fixture
def server(clock: Clock) -> Iterator[Server]:
    with Server(Site(Options(contents=20), clock), clock) as server:
        yield server


@pytest.fixture
def line(server: Server) -> Iterator[http.client.HTTPConnection]:
    connection = http.client.HTTPConnection(server.site.base.removeprefix("http://"), timeout=10)
    yield connection
    connection.close()


def _ask(
    line: http.client.HTTPConnection, target: str, headers: dict[str, str] | None = None, method: str = "GET"
) -> tuple[http.client.HTTPResponse, bytes]:
    line.request(method, target, headers=headers or {})
    response = line.getresponse()
    return response, response.read()


def test_the_clock_is_moved_for_whoever_reads_its_file(clock: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, str(clock.file))
    assert timedelta(0) <= now() - START < timedelta(seconds=10)
    clock.move(days=3, hours=1)
    assert timedelta(0) <= now() - START - timedelta(days=3, hours=1) < timedelta(seconds=10)
    clock.set(START)
    assert timedelta(0) <= now() - START < timedelta(seconds=10)


def test_one_connection_serves_many_requests(server: Server, line: http.client.HTTPConnection) -> None:
    line.connect()
    socket = line.sock
    for content in server.site.contents:
        response, body = _ask(line, content.urls[0])
        assert (response.status, response.version) == (200, 11)
        assert int(response.headers["Content-Length"]) == len(body)
    assert line.sock is socket


def test_dates_follow_the_clock(line: http.client.HTTPConnection, clock: Clock) -> None:
    assert _ask(line, "/")[0].headers["Date"].startswith("Mon, 02 Mar 2026 06:0")
    clock.move(days=2)
    response, _ = _ask(line, "/")
    assert response.headers["Date"].startswith("Wed, 04 Mar 2026 06:0")
    assert response.headers["Last-Modified"].startswith("Mon, 02 Mar 2026 06:0")


def test_conditional_requests(server: Server, line: http.client.HTTPConnection, clock: Clock) -> None:
    url = server.site.contents[0].urls[0]
    headers = _ask(line, url)[0].headers
    etag, modified = {"If-None-Match": headers["ETag"]}, {"If-Modified-Since": headers["Last-Modified"]}
    clock.move(days=1)
    for asked in (etag, modified, etag | modified, {"If-None-Match": f'"x", {headers["ETag"]}'}):
        response, body = _ask(line, url, asked)
        assert (response.status, body, response.headers["ETag"]) == (304, b"", headers["ETag"])
    assert _ask(line, url, {"If-None-Match": '"x"'} | modified)[0].status == 200
    assert _ask(line, url, {"If-Modified-Since": "yesterday"})[0].status == 200
    while server.site.contents[0].version == 0:
        server.site.edit(0.5)
    for asked in (etag, modified, etag | modified):
        assert _ask(line, url, asked)[0].status == 200


def test_everything_is_counted(server: Server, line: http.client.HTTPConnection) -> None:
    url, other = server.site.contents[0].urls[:2]
    response, body = _ask(line, url)
    _ask(line, url, {"If-None-Match": response.headers["ETag"]})
    _ask(line, other)
    _ask(line, other, method="HEAD")
    missing, _ = _ask(line, "/nowhere")
    assert missing.status == 404
    counts = server.take()
    assert (counts.gets, counts.full, counts.not_modified, counts.conditional) == (4, 2, 1, 1)
    assert counts.by_content() == {"c0": 4}
    assert counts.by_url()[url] == 2
    assert counts.by_kind() == {Kind.CONTENT: 4, Kind.MISSING: 1}
    assert counts.contents.per_content(20) == 3 / 20
    assert counts.hits[0].sent == len(body)
    assert [hit.method for hit in counts.hits] == ["GET", "GET", "GET", "HEAD", "GET"]
    assert server.counts.gets == 0


def test_the_mark_names_content_and_version(server: Server, line: http.client.HTTPConnection) -> None:
    _, body = _ask(line, server.site.contents[3].urls[0])
    assert b'<meta name="bed" content="c3 v0">' in body
    assert json.dumps(server.site.current()["c3"]) == '"0"'


def test_what_fails_while_answering_is_told(clock: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    site = Site(Options(contents=20), clock)
    monkeypatch.setattr(site, "identity", lambda _: 1 / 0)
    server = Server(site, clock)
    server.__enter__()
    line = http.client.HTTPConnection(site.base.removeprefix("http://"), timeout=10)
    with pytest.raises(http.client.RemoteDisconnected):
        _ask(line, "/x")
    line.close()
    with pytest.raises(ZeroDivisionError):
        server.__exit__(None, None, None)
