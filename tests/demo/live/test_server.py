"""The hosts of the newspaper: what they answer over HTTP, and that each request is noted as it was."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta

import pytest

from sameish.demo.live.addresses import asked, urls_of
from sameish.demo.live.contents import Content, Volume
from sameish.demo.live.crawler import Client, links_of
from sameish.demo.live.honesty import Honesty
from sameish.demo.live.paper import START, Paper
from sameish.demo.live.server import Server, digest_of
from sameish.models import ComparisonKind, Page
from sameish.stateless import compare

VOLUME = Volume(20, edited=40, added=20)


@contextmanager
def served(honesty: Honesty, volume: Volume = VOLUME) -> Iterator[tuple[Server, Client]]:
    paper, client = Paper("gazette", honesty, volume, seed=5), Client()
    with Server(paper, lambda: START + timedelta(days=2)) as server:
        try:
            yield server, client
        finally:
            client.close()


def some(paper: Paper, *, edited: bool) -> Content:
    return next(one for one in paper.contents.values() if one.is_edited is edited and not one.is_new and not one.query)


def test_all_urls_of_a_content_say_the_same_and_look_another_way_at_each_load() -> None:
    with served(Honesty.HONEST) as (server, client):
        content = some(server.paper, edited=True)
        urls = urls_of(content, server.paper.names, 5, "gazette")
        assert len(urls) == len(set(urls)) == 5
        assert urls[0] == content.address
        assert {asked(url).address for url in urls} == {content.address}
        loads = [(url, client.get(f"http://{server.place}{url}", {}).body) for url in (*urls, urls[0])]
        noisy = [body for url, body in loads if not url.startswith("/print/")]
        assert len(set(noisy)) == len(noisy) > 2
        assert all(compare(Page(noisy[0]), Page(body)).kind is ComparisonKind.IDENTICAL for _, body in loads)


def test_parameters_that_matter_make_another_page() -> None:
    with served(Honesty.HONEST) as (server, client):
        parts = [one for one in server.paper.contents.values() if one.query.startswith("page=")][:3]
        assert [one.query for one in parts] == ["page=1", "page=2", "page=3"]
        bodies = [client.get(f"http://{server.place}{one.address}", {}).body for one in parts]
        assert compare(Page(bodies[0]), Page(bodies[1])).kind is ComparisonKind.DIFFERENT
        assert asked(parts[0].path).address == parts[0].address


@pytest.mark.parametrize(
    ("honesty", "same", "after_edit"),
    [
        (Honesty.HONEST, 304, 200),
        (Honesty.RESTLESS, 200, 200),
        (Honesty.FROZEN, 304, 304),
        (Honesty.SILENT, 200, 200),
    ],
)
def test_how_far_validators_can_be_believed(honesty: Honesty, same: int, after_edit: int) -> None:
    with served(honesty) as (server, client):
        url = f"http://{server.place}{some(server.paper, edited=True).address}"
        told = client.get(url, {}).headers
        pairs = (("If-None-Match", "ETag"), ("If-Modified-Since", "Last-Modified"))
        conditions = {name: told[header] for name, header in pairs if header in told}
        assert bool(conditions) is (honesty is not Honesty.SILENT)
        assert client.get(url, conditions).status == same
        server.edition = 1
        assert client.get(url, conditions).status == after_edit


def test_every_request_is_noted_with_its_bytes_on_the_wire() -> None:
    with served(Honesty.HONEST) as (server, client):
        content = some(server.paper, edited=False)
        with socket.create_connection(("127.0.0.1", int(server.place.rpartition(":")[2]))) as raw:
            raw.sendall(f"GET {content.address} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n".encode())
            received = b"".join(iter(lambda: raw.recv(65536), b""))
        response = client.get(f"http://{server.place}{content.address}", {})
        missing = client.get(f"http://{server.place}/news/none", {})
        unzipped, zipped, none = server.take()
        assert (unzipped.content, unzipped.sent) == (content, len(received))
        assert unzipped.digest == digest_of(received.partition(b"\r\n\r\n")[2])
        assert zipped.digest == digest_of(response.body)
        assert zipped.sent < unzipped.sent / 2
        assert (missing.status, none.status, none.content) == (404, 404, None)
        assert server.take() == ()


def test_links_lead_to_everything_there_is_and_to_nothing_else() -> None:
    with served(Honesty.HONEST, Volume(20, added=20, archived=True)) as (server, client):
        for edition in (0, 1):
            server.edition = edition
            seen, todo = set[str](), [f"http://{server.place}/"]
            while todo:
                url = todo.pop()
                response = client.get(url, {})
                assert response.status == 200, url
                links = {link for link in links_of(response.body, url) if link.startswith(f"http://{server.place}/")}
                todo += links - seen
                seen |= links
            found = {hit.content.address for hit in server.take() if hit.content is not None}
            assert found == {one.address for one in server.paper.contents.values() if one.editions[edition] is not None}
        assert any(one.is_new for one in server.paper.contents.values())


def test_what_goes_wrong_while_answering_is_raised() -> None:
    def fails() -> None:
        with served(Honesty.HONEST) as (server, client):
            server.paper.contents = None  # type: ignore[assignment]
            with pytest.raises(OSError):  # noqa: PT011  # the connection is closed, one way or another
                client.get(f"http://{server.place}/", {})

    with pytest.raises(AttributeError):
        fails()
