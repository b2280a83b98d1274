from __future__ import annotations

import pytest

from sameish.models import ComparisonKind, Page, State
from sameish.reading.missing import says_what_is_missing, without_what_is_missing
from sameish.reading.noise import noise_pattern
from sameish.reading.sentences import calm
from sameish.stateless import compare, extract

MISSING = """
    The requested page "/ferries/2031" could not be found.
    The requested URL /ferries.php was not found on this server.
    Sorry, the page ferries/old.html does not exist.
    Die angeforderte Seite "/faehren" konnte nicht gefunden werden.
    La page demandée "/bacs" n'a pas pu être trouvée.
    La pagina richiesta "/traghetti" non è stata trovata.
    Запрашиваемая страница "/paromy" не найдена.
    Cloudflare Ray ID: 4fd0a1b2c3d4e5f6
    Request ID: 9c1f-77ab02
    Support ID: 5870114326290048822
    Incident ID: 443000270023456789-118
"""
CONTENT = """
    The page on ferries could not be found in the almanac.
    The page could not be found.
    The requested page /a or /b could not be found.
    The file ferries.txt was not found.
    The price of 8.40 was not found on this page.
    The page costs 8.40
    Page 12.5 was found
    The page /ferries exists
    Reference 4fd0a1b2c3d4e5f6
    Order number: 4fd0a1b2c3d4e5f6
    Request for 12 boats
    Your request is number 12
    Event ID: ferry
    Event: 12.03.2026
    Event number: 2026-0012
    Incident number: 2026-0012
    Support: 0800-1234567
    Support number 08001234567
    Support ID 0800-1234567
    Reference event 2026-05-12
"""


@pytest.mark.parametrize("line", [line.strip() for line in MISSING.strip().splitlines()])
def test_what_was_asked_for_is_no_part_of_the_sentence_that_it_is_missing(line: str) -> None:
    told = without_what_is_missing(calm(line))
    assert told != calm(line)
    assert set(told.split()) < set(calm(line).split())
    assert not says_what_is_missing(told)


@pytest.mark.parametrize("line", [line.strip() for line in CONTENT.strip().splitlines()])
def test_any_other_sentence_stays_as_it_is(line: str) -> None:
    assert without_what_is_missing(calm(line)) == calm(line)


def apology(address: str) -> Page:
    around = "<p>The harbour office keeps its old timetables in the reading room.</p>"
    return Page(
        f'<title>Harbour</title><body><h1>Sorry</h1><p>The requested page "{address}" could not be found.</p>{around}'
    )


def test_pages_that_miss_different_addresses_are_one_page() -> None:
    one, two = (apology(address) for address in ("/ferries/2031", "/ferries/2032"))
    assert compare(one, two).kind is ComparisonKind.IDENTICAL


def test_a_page_still_says_that_it_is_missing_and_lists_what_was_left_out() -> None:
    found = extract(apology("/ferries/2031"))
    assert found.state is State.ERROR
    assert "The requested page could not be found." in found.sentences
    assert [noise.pattern for noise in found.noise] == ["missing address"]


def test_an_address_of_letters_and_points_is_recognised_in_third_place() -> None:
    assert noise_pattern("The page jsimagesbuttonsjquery.js does not exist.") == "missing address"
    assert noise_pattern("The page on ferries does not exist.") is None
