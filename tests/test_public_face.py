"""The public face: short, sorted, complete, and loaded only when it is used."""

from __future__ import annotations

import subprocess
import sys

import pytest

import sameish

HEAVY = ("numpy", "turbohtml", "rich", "sqlite3", "msgspec", "fastwarc", "mmh3", "ada_url")


def python(code: str) -> str:
    done = subprocess.run([sys.executable, "-W", "error", "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def test_the_names_are_these() -> None:
    assert sameish.__all__ == sorted(sameish.__all__)
    assert set(sameish.__all__) == {
        *("Capture", "Comparison", "Detector", "Extract", "FetchDecision", "Fingerprint", "Page", "Verdict"),
        *("ReadingError", "SameishError", "SchemaOutdated", "SchemeMismatch", "SettingsError", "SourceError"),
        *("StoreError", "StoreUnavailable", "TruncatedRecord", "__version__", "bit_similarity", "classic", "compare"),
        *("extract", "fingerprint", "hamming_distance", "open", "read_pages", "url_key"),
    }


@pytest.mark.parametrize("name", sameish.__all__)
def test_every_name_is_there(name: str) -> None:
    assert getattr(sameish, name) is not None
    assert name in dir(sameish)


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="has no attribute 'fingerprnt'"):
        getattr(sameish, "fingerprnt")  # noqa: B009  # a checker refuses the attribute, as it should


def test_import_loads_nothing_heavy() -> None:
    assert python(f"import sys, sameish; print([name for name in {HEAVY!r} if name in sys.modules])") == "[]"


@pytest.mark.parametrize(
    "first",
    [
        "import sameish.detector",
        "import sameish.fingerprint",
        "from sameish.fingerprint import sketch",
        "sameish.compare",
        "sameish.classic",
        "from sameish import classic",
    ],
)
def test_fingerprint_is_the_function_whatever_was_imported_first(first: str) -> None:
    code = f"import sameish\n{first}\nprint(sameish.fingerprint(sameish.Page('<p>one')).scheme[:5])"
    assert python(code) == "text:"


def test_import_star_gives_every_name() -> None:
    assert (
        python("from sameish import *; print(callable(fingerprint), classic.tokens('one two'))")
        == "True ['one', 'two']"
    )


def test_classic_works_as_an_attribute() -> None:
    assert python("import sameish; print(sameish.classic.tokens('One two'))") == "['one', 'two']"
