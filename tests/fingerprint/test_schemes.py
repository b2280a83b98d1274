"""What a fingerprint must hold to: it outlives processes, so its values are frozen here."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

import sameish
from sameish import Page
from sameish.fingerprint.schemes import scheme_of
from sameish.settings import load

VECTORS = Path(__file__).parent.parent / "data" / "fingerprints.json"
PAGES = json.loads(VECTORS.read_text(encoding="utf-8"))
ARTICLE = "<h1>The ferry in winter</h1>" + "".join(
    f"<h2>What changes on pier {number}</h2><p>On pier {number} the boat leaves every {number + 40} minutes from November on.</p>"
    for number in range(6)
)
REPORT = """
import json, sys, sameish
pages = json.load(open(sys.argv[1], encoding="utf-8"))
print(json.dumps([sameish.fingerprint(sameish.Page(one["html"]), scheme).to_bytes().hex() for one in pages for scheme in ("text", "classic")]))
"""


@pytest.mark.parametrize("vector", PAGES, ids=[one["name"] for one in PAGES])
def test_golden_vectors(vector: dict[str, str]) -> None:
    """A failure means that stored fingerprints stop matching: raise the scheme's version, then write the vectors anew.

    `python tests/data/make_fingerprints.py` writes them.
    """
    for scheme in ("text", "classic"):
        found = sameish.fingerprint(Page(vector["html"]), scheme)
        assert found.to_bytes().hex() == vector[scheme]


@pytest.mark.parametrize("seed", ["0", "1", "random"])
def test_the_same_in_every_process(seed: str) -> None:
    run = subprocess.run(
        [sys.executable, "-c", REPORT, str(VECTORS)],
        env={**os.environ, "PYTHONHASHSEED": seed}, capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert json.loads(run.stdout) == [one[scheme] for one in PAGES for scheme in ("text", "classic")]


def test_the_scheme_names_method_version_and_engine() -> None:
    assert scheme_of("text").split(":")[0] == "text"
    assert "+turbohtml-1.15" in scheme_of("text")
    assert sameish.fingerprint(Page("<p>x"), "classic").scheme == scheme_of("classic")


def test_settings_that_change_what_is_read_are_part_of_the_scheme() -> None:
    def scheme(**reading: object) -> str:
        return sameish.fingerprint(Page("<p>x"), settings={"reading": reading}).scheme

    plain = scheme_of("text")
    assert scheme() == scheme(max_body_bytes=10_000) == plain
    others = [scheme(remove=[".x"]), scheme(keep=[".x"]), scheme(thin_words=3), scheme(remove=[".x", ".y"])]
    assert all(one.startswith(f"{plain}+reading-") for one in others)
    assert len(set(others)) == len(others)
    of_a_site = load({"site": {"a.example": {"reading": {"remove": [".x"]}}}}, {})
    assert scheme_of("text", of_a_site) not in (plain, *others)


def test_weights_are_part_of_the_scheme() -> None:
    def scheme(**settings: object) -> str:
        return scheme_of("text", load(settings, {}))

    plain = scheme_of("text")
    assert scheme(weights={"title": 1}) == plain
    others = [
        scheme(weights={"title": 2}), scheme(weights={"body": 2}), scheme(weights={"tables": 0}),
        scheme(site={"a.example": {"weights": {"title": 2}}}), scheme(site={"b.example": {"weights": {"title": 2}}}),
    ]  # fmt: skip
    assert all(one.startswith(f"{plain}+weights-") for one in others)
    assert len(set(others)) == len(others)
    both = scheme(weights={"title": 2}, reading={"thin_words": 3})
    assert both.endswith(others[0].removeprefix(plain))
    assert "+reading-" in both


def test_a_heavier_part_has_more_votes_and_one_that_weighs_nothing_is_in_no_value() -> None:
    def print_of(price: str, **weights: int) -> sameish.Fingerprint:
        table = f"<table><tr><td>Adults<td>{price}</table>"
        return sameish.fingerprint(Page(f"<main>{ARTICLE}{table}</main>"), settings={"weights": weights})

    cheap, dear = print_of("12 EUR"), print_of("14 EUR")
    assert cheap.digest != dear.digest
    assert cheap.digest == print_of("12 EUR", headings=9).digest
    assert cheap.simhash != print_of("12 EUR", headings=9).simhash
    assert print_of("12 EUR", tables=0) == print_of("14 EUR", tables=0)


def test_an_unknown_scheme_is_named() -> None:
    with pytest.raises(sameish.SettingsError, match="'md5' is not known; there are text, classic"):
        sameish.fingerprint(Page("x"), "md5")  # type: ignore[arg-type]  # wrong on purpose


@pytest.mark.parametrize("body", ["", "<html><head></head><body>  \n </body></html>", "<p>...</p>"])
def test_without_content_there_is_no_hash(body: str) -> None:
    found = sameish.fingerprint(Page(body))
    assert (found.simhash, found.digest, found.sketch, found.words) == (None, bytes(16), b"", 0)


def test_bytes_of_another_kind_are_known_by_their_digest() -> None:
    pdf = b"%PDF-1.7\n" + bytes(range(256))
    one, same, other = (sameish.fingerprint(Page(body)) for body in (pdf, pdf, pdf + b"x"))
    assert str(one.state) == "not_html"
    assert one == same
    assert one.digest != other.digest
    assert str(sameish.compare(one, same).kind) == "identical"
    assert str(sameish.compare(one, other).kind) == "different"


def test_attributes_comments_and_white_space_do_not_count() -> None:
    plain = '<main class="a" id="b"><h1>Ferries</h1><p>The boat leaves every fifty minutes from the northern pier.</p></main>'
    other = (
        '<!-- built 12:03 --><main id="b" class="a">\n\n  <h1>Ferries</h1>\n<!-- x -->'
        "<p>The boat\n\tleaves every fifty minutes from the northern pier.</p></main>\n"
    )
    assert sameish.fingerprint(Page(plain)) == sameish.fingerprint(Page(other))
