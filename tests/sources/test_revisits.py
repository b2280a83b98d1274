from __future__ import annotations

from sameish.models import Page
from sameish.sources.inputs import standard_input
from sameish.sources.revisits import NoPage, Originals, Place, keys_of, keys_referred_to
from sameish.sources.unpacked import Position

PLACE = Place(standard_input(), Position(7, 0))
CAPTURE = {"warc-record-id": "<urn:uuid:1>", "warc-date": "2024-03-01T10:00:00Z", "warc-payload-digest": "sha1:AB"}


def test_a_capture_is_found_by_each_of_its_names() -> None:
    originals = Originals()
    originals.remember(keys_of(CAPTURE, "https://example.org/"), PLACE)
    for headers, uri in (
        ({"warc-refers-to": "<urn:uuid:1>"}, ""),
        ({"warc-refers-to-date": CAPTURE["warc-date"]}, "https://example.org/"),
        ({"warc-payload-digest": "SHA1:ab"}, ""),
    ):
        assert originals.find(keys_referred_to(headers, uri)) is PLACE
    assert originals.find(keys_referred_to({"warc-refers-to": "<urn:uuid:2>"}, "")) is None
    assert originals.find(keys_referred_to({}, "https://example.org/")) is None


def test_the_first_capture_of_a_payload_stays() -> None:
    originals = Originals()
    originals.remember([b"a"], NoPage())
    originals.remember([b"a"], PLACE)
    assert originals.find([b"a"]) == NoPage()


def test_the_oldest_keys_are_forgotten_first() -> None:
    originals = Originals(keys=2)
    for key in (b"a", b"b", b"c"):
        originals.remember([key], PLACE)
    assert [originals.find([key]) for key in (b"a", b"b", b"c")] == [None, PLACE, PLACE]


def test_held_bodies_are_bounded() -> None:
    originals = Originals(held_bytes=2025)
    pages = [Page(body=bytes(10), url=str(number)) for number in range(3)]
    for number, page in enumerate(pages):
        originals.remember([b"%d" % number, b"id %d" % number], page)
    assert [originals.find([b"%d" % number]) for number in range(3)] == [None, pages[1], pages[2]]
    originals.remember([b"large"], Page(body=bytes(1100)))
    assert originals.find([b"large", b"2"]) is None


def test_held_pages_without_a_body_are_bounded_too() -> None:
    originals = Originals(held_bytes=100_000)
    for number in range(1000):
        originals.remember([b"%d" % number], Page(body=b"", url=str(number)))
    assert sum(originals.find([b"%d" % number]) is not None for number in range(1000)) == 100
