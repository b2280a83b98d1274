"""A few labelled pairs of invented pages."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

PROSE = "".join(
    f"<p>Sentence {number} of the article tells what the harbour does about boat {number} and its crew.</p>"
    for number in range(30)
)
OTHER = "".join(
    f"<p>Cut the rhubarb into {number} pieces and beat the butter for minute {number}.</p>" for number in range(30)
)
PAGES = {
    "a": f"<title>Ferry</title><main><h1>Ferry</h1><p>1,204 views</p>{PROSE}</main>",
    "noise": f"<title>Ferry</title><main><h1>Ferry</h1><p>9,876 views</p>{PROSE}</main>",
    "edit": f"<title>Ferry</title><main><h1>Ferry</h1><p>1,204 views</p>{PROSE.replace('boat 7', 'boat 77')}</main>",
    "other": f"<title>Cake</title><main><h1>Cake</h1>{OTHER}</main>",
    "broken": "\x1f\x8b",
}
PAIRS = (
    ("a", "noise", "same"), ("a", "edit", "minor"), ("a", "other", "different"), ("noise", "other", "different"),
    ("a", "other", "changed"),
)  # fmt: skip


@pytest.fixture
def pairs(tmp_path: Path) -> Path:
    """A file of pairs beside their pages."""
    for name, html in PAGES.items():
        (tmp_path / f"{name}.html").write_text(html, "latin-1")
    path = tmp_path / "pairs.jsonl"
    rows = ({"a": f"{a}.html", "b": f"{b}.html", "kind": kind, "more": 1} for a, b, kind in PAIRS)
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    return path
