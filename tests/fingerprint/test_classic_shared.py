"""The classic recipe against vectors that the recipe's own JavaScript made."""

from __future__ import annotations

import json
import struct
from pathlib import Path
from typing import Any

import pytest

from sameish import classic


@pytest.fixture(scope="module")
def vectors(shared: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((shared / "classic" / "vectors.json").read_text(encoding="utf-8"))
    return found


def text_of(vector: dict[str, Any]) -> str:
    """The UTF-16 units decide: JSON tools differ in what they make of a lone surrogate."""
    units = vector["utf16"]
    return struct.pack(f"<{len(units)}H", *units).decode("utf-16-le", "surrogatepass")


def hashes_of(document: dict[str, Any]) -> tuple[int, int]:
    text = text_of(document)
    return classic.simhash(classic.tokens(text)), classic.simhash(classic.shingles(text))


def test_strings(vectors: dict[str, Any]) -> None:
    assert len(vectors["strings"]) == 50
    for vector in vectors["strings"]:
        assert f"{classic.hash64(text_of(vector)):016x}" == vector["hash64"], vector["s"]


def test_documents(vectors: dict[str, Any]) -> None:
    assert len(vectors["docs"]) == 30
    for vector in vectors["docs"]:
        text = text_of(vector)
        words, runs = classic.tokens(text), classic.shingles(text)
        assert (len(words), len(runs)) == (vector["n_tokens"], vector["n_shingles"])
        assert words == vector.get("tokens", words)  # the longest documents carry no lists
        assert runs == vector.get("shingles", runs)
        assert [f"{value:016x}" for value in hashes_of(vector)] == [
            vector["simhash_tokens"],
            vector["simhash_shingles"],
        ]


def test_distances(vectors: dict[str, Any]) -> None:
    assert len(vectors["pairs"]) == 4
    for pair in vectors["pairs"]:
        one, other = hashes_of(vectors["docs"][pair["i"]]), hashes_of(vectors["docs"][pair["j"]])
        assert (one[0] ^ other[0]).bit_count() == pair["tokens"]
        assert (one[1] ^ other[1]).bit_count() == pair["shingles"]
