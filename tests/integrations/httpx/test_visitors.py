"""Nobody gets a page that was meant for somebody else, or another variant of a page than they would get from the server."""

from __future__ import annotations

from typing import Any

import pytest
from tests.crawling.clock import Clock
from tests.integrations.httpx.clients import KINDS, opened
from tests.integrations.routes import Answer, Routes, article

import sameish
from sameish.models import FetchAction, VerdictKind

every_kind = pytest.mark.parametrize("kind", KINDS, ids="-".join)
SYNC = ("httpx", "sync")
OWN = {"Authorization": "Bearer alice"}, {"Cookie": "session=alice"}


def is_copy(response: Any) -> bool:
    return "cache-status" in response.headers


@every_kind
@pytest.mark.parametrize("own", OWN, ids=lambda own: next(iter(own)))
def test_a_page_for_one_visitor_is_neither_stored_nor_answered_from_the_store(
    kind: tuple[str, str], own: dict[str, str], detector: sameish.Detector, routes: Routes
) -> None:
    routes.answers["/me"] = Answer(body=article("alice"))
    with opened(kind, detector) as client:
        mine = client.get(f"{routes.base}/me", headers=own)
        routes.answers["/me"] = Answer(body=article("bob"))
        bobs = client.get(
            f"{routes.base}/me", headers={name: value.replace("alice", "bob") for name, value in own.items()}
        )
        anybodys = client.get(f"{routes.base}/me")
        again = client.get(f"{routes.base}/me", headers=own)
    assert [one.content for one in (mine, bobs, anybodys, again)] == [article("alice"), *[article("bob")] * 3]
    assert not any(is_copy(one) for one in (mine, bobs, anybodys, again))
    for one in (mine, bobs, again):
        assert one.extensions["sameish"].kind is VerdictKind.UNDETERMINED
        assert one.extensions["sameish"].reason == f"not judged: it is meant for one visitor ({next(iter(own))})"
        assert one.extensions["sameish_decision"].action is FetchAction.FETCH
    assert anybodys.extensions["sameish"].kind is VerdictKind.NEW


def test_credentials_of_the_client_say_who_asks(detector: sameish.Detector, routes: Routes) -> None:
    with opened(SYNC, detector) as client:
        client.get(f"{routes.base}/harbour")
    for settings in ({"auth": ("alice", "secret")}, {"cookies": {"session": "alice"}}):
        with opened(SYNC, detector, client=settings) as client:
            assert not is_copy(client.get(f"{routes.base}/harbour"))
    with opened(SYNC, detector) as client:
        assert not is_copy(client.get(f"{routes.base}/harbour".replace("://", "://alice:secret@")))
        assert is_copy(client.get(f"{routes.base}/harbour"))


@every_kind
def test_a_cookie_that_everybody_gets_does_not_say_who_asks(
    kind: tuple[str, str], detector: sameish.Detector, routes: Routes
) -> None:
    routes.answers["/"] = Answer(302, headers={"Location": "/harbour", "Set-Cookie": "visit=123; Path=/; HttpOnly"})
    with opened(kind, detector, client={"follow_redirects": True}) as client:
        first = client.get(f"{routes.base}/")
        assert routes.asked[-1][1]["cookie"] == "visit=123"
        second = client.get(f"{routes.base}/harbour")
        others = client.get(f"{routes.base}/harbour", headers={"Cookie": "visit=123; session=alice"})
    assert first.extensions["sameish"].kind is VerdictKind.NEW
    assert is_copy(second)
    assert not is_copy(others)
    assert len(routes.asked) == 3


@every_kind
@pytest.mark.parametrize("renews", [True, False])
def test_a_cookie_says_who_asks_from_the_log_in_on(
    kind: tuple[str, str], renews: bool, detector: sameish.Detector, routes: Routes
) -> None:
    routes.answers["/"] = Answer(body=article("front"), headers={"Set-Cookie": "session=1; Path=/"})
    routes.answers["/login"] = Answer(204, headers={"Set-Cookie": "session=2; Path=/"} if renews else {})
    with opened(kind, detector) as client:
        client.get(f"{routes.base}/")
        client.get(f"{routes.base}/harbour")
        assert is_copy(client.get(f"{routes.base}/harbour"))
        client.send("POST", f"{routes.base}/login", content=b"name=alice")
        assert not is_copy(client.get(f"{routes.base}/harbour"))
        assert routes.asked[-1][1]["cookie"] == f"session={2 if renews else 1}"


def test_cookies_of_a_request_that_is_opted_out_say_who_asks(detector: sameish.Detector, routes: Routes) -> None:
    routes.answers["/enter?key=9"] = Answer(body=article("door"), headers={"Set-Cookie": "session=1; Path=/"})
    with opened(SYNC, detector) as client:
        client.get(f"{routes.base}/harbour")
        client.get(f"{routes.base}/enter?key=9", extensions={"sameish": False})
        assert not is_copy(client.get(f"{routes.base}/harbour"))


@every_kind
def test_who_is_the_only_visitor_may_share_all_pages(
    kind: tuple[str, str], detector: sameish.Detector, routes: Routes
) -> None:
    routes.answers["/me"] = Answer(body=article("alice"), headers={"Vary": "Cookie, Authorization"})
    with opened(kind, detector, private="share") as client:
        first = client.get(f"{routes.base}/me", headers={"Cookie": "session=1", **OWN[0]})
        second = client.get(f"{routes.base}/me", headers={"Cookie": "session=2", **OWN[0]})
    assert first.extensions["sameish"].kind is VerdictKind.NEW
    assert is_copy(second)


@every_kind
def test_a_copy_answers_requests_for_its_own_variant_only(
    kind: tuple[str, str], detector: sameish.Detector, routes: Routes, clock: Clock
) -> None:
    url = f"{routes.base}/harbour"
    varied = {"ETag": '"h1"', "Vary": "accept-encoding, Accept-Language", "Set-Cookie": "seen=1"}
    routes.answers["/harbour"] = Answer(body=article("harbour"), headers=varied)
    english, german = {"Accept-Language": "en"}, {"Accept-Language": "de"}
    with opened(kind, detector) as client:
        client.get(url, headers=english)
        same, coded = client.get(url, headers=english), client.get(url, headers={**english, "Accept-Encoding": "br"})
        assert is_copy(same)
        assert is_copy(coded)
        assert "sameish-varied" not in same.headers
        routes.answers["/harbour"] = Answer(body=article("hafen"), headers={**varied, "ETag": '"h2"'})
        other = client.get(url, headers=german)
        assert (is_copy(other), other.content) == (False, article("hafen"))
        assert other.extensions["sameish_decision"].action is FetchAction.FETCH
        assert "there is no copy that would do" in other.extensions["sameish_decision"].reason
        assert not is_copy(client.get(url, headers=english))
        clock.move(days=9)
        client.get(url, headers=german)
        assert "if-none-match" not in routes.asked[-1][1]


def test_a_page_that_may_vary_by_anything_is_always_fetched(detector: sameish.Detector, routes: Routes) -> None:
    routes.answers["/any"] = Answer(body=article("any"), headers={"Vary": "*"})
    with opened(SYNC, detector) as client:
        assert not any(is_copy(client.get(f"{routes.base}/any")) for _ in range(3))


def test_a_copy_of_a_page_that_varies_and_came_through_another_door_is_not_used(
    detector: sameish.Detector, routes: Routes
) -> None:
    url = f"{routes.base}/harbour"
    with opened(SYNC, detector) as client:
        for vary, used in (("Accept-Encoding", True), ("Accept-Encoding, User-Agent", False)):
            detector.observe(sameish.Page(article("harbour"), url, {"Vary": vary}))
            assert is_copy(client.get(url)) is used


@every_kind
@pytest.mark.parametrize(
    "headers", [{"Cache-Control": "no-cache"}, {"Cache-Control": "max-age=0"}, {"Pragma": "no-cache"}]
)
def test_who_asks_for_a_fresh_page_gets_one(
    kind: tuple[str, str], headers: dict[str, str], detector: sameish.Detector, routes: Routes
) -> None:
    url = f"{routes.base}/harbour"
    with opened(kind, detector) as client:
        client.get(url)
        routes.answers["/harbour"] = Answer(body=article("market"))
        fresh = client.get(url, headers=headers)
        later = client.get(url)
    assert fresh.content == later.content == article("market")
    assert fresh.extensions["sameish"].kind is VerdictKind.UPDATED
    assert fresh.extensions["sameish_decision"].action is FetchAction.FETCH
    assert fresh.extensions["sameish_decision"].reason.endswith("; the request says no-cache")
    assert [is_copy(one) for one in (fresh, later)] == [False, True]


@every_kind
def test_nothing_is_remembered_of_what_is_not_to_be_stored(
    kind: tuple[str, str], detector: sameish.Detector, routes: Routes
) -> None:
    url = f"{routes.base}/harbour"
    with opened(kind, detector) as client:
        once = client.get(url, headers={"Cache-Control": "no-store, max-age=0"})
        assert detector.cached(url) is None
        assert once.extensions["sameish"].reason == "not judged: the request says no-store"
        client.get(url)
        assert not is_copy(client.get(url, headers={"Cache-Control": "No-Store"}))


def test_a_copy_hands_out_no_cookie_of_somebody_else(detector: sameish.Detector, routes: Routes) -> None:
    routes.answers["/"] = Answer(body=article("front"), headers={"Set-Cookie": "visit=1; Path=/"})
    for _ in range(2):
        with opened(SYNC, detector) as client:
            response = client.get(f"{routes.base}/")
    assert is_copy(response)
    assert "set-cookie" not in response.headers
