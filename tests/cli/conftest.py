"""The program, in this process or as one of its own; pages and archives to feed it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeAlias

import pytest
from click.testing import CliRunner, Result

from sameish.cli.main import cli
from sameish.demo import make_crawl, write_warc

Call: TypeAlias = Callable[..., Result]
Start: TypeAlias = Callable[..., subprocess.CompletedProcess[str]]
PROGRAM = (sys.executable, "-W", "error", "-m", "sameish")

_ARTICLE = """<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{title}</title></head><body>
<nav><a href="/">Home</a> <a href="/news">News</a></nav>
<article><h1>{title}</h1>
<p>The bridge over the river opened on Monday after three years of work and a great many delays.</p>
<p>{views} views</p>
<p>The mayor cut a ribbon and said that the price of a crossing will be {price} pounds, which nobody believed at first.</p>
<p>Fourteen boats waited below until the speeches were over, and then they all went through together.</p>
</article><footer>© {year} The Ferry Courier</footer></body></html>"""
OTHER = """<!doctype html><html><head><title>Rhubarb cake</title></head><body><main><h1>Rhubarb cake</h1>
<p>Cut the rhubarb into short pieces, turn them in sugar and leave them to stand while the oven becomes hot.</p>
<p>Beat butter and eggs until they are pale, fold in the almonds, and bake the cake for fifty minutes on the lowest
shelf.</p></main></body></html>"""


def write_article(title: str = "Bridge opens", price: int = 349, views: str = "1,234", year: int = 2024) -> str:
    return _ARTICLE.format(title=title, price=price, views=views, year=year)


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder with a few pages, which is the current one."""
    monkeypatch.chdir(tmp_path)
    for name in tuple(os.environ):
        if name.startswith("SAMEISH_") and name != "SAMEISH_SHARED":
            monkeypatch.delenv(name)
    (tmp_path / "a.html").write_text(write_article(), "utf-8")
    (tmp_path / "noise.html").write_text(write_article(views="9,876", year=2025), "utf-8")
    (tmp_path / "edit.html").write_text(write_article(price=299), "utf-8")
    (tmp_path / "other.html").write_text(OTHER, "utf-8")
    return tmp_path


@pytest.fixture
def call(here: Path) -> Call:  # noqa: ARG001  # every call happens there
    """Run the program in this process, which is quick."""
    return lambda *words, stdin="": CliRunner().invoke(
        cli, [str(word) for word in words], input=stdin, prog_name="sameish"
    )


@pytest.fixture
def start(here: Path) -> Start:
    """Run the program as a process of its own."""

    def run(*words: object, stdin: str = "", **environment: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            (*PROGRAM, *map(str, words)), cwd=here, input=stdin, capture_output=True, text=True, encoding="utf-8",
            env=os.environ | environment, timeout=60, check=False,
        )  # fmt: skip

    return run


@pytest.fixture(scope="session")
def archive(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The demo's crawl as a WARC file."""
    path = tmp_path_factory.mktemp("archive") / "demo.warc.gz"
    write_warc(make_crawl(1), path)
    return path


@pytest.fixture(scope="session")
def lines_of() -> Callable[[str], list[dict[str, Any]]]:
    """Take JSON lines apart."""
    return lambda text: [json.loads(line) for line in text.splitlines()]


@pytest.fixture(scope="session")
def article() -> Callable[..., str]:
    """Write an article with a title, a price, a number of views and a year."""
    return write_article
