"""The examples run as they are, against a site on this machine."""

from __future__ import annotations

import os
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.crawling.options import Options
from tests.crawling.server import Server
from tests.crawling.site import Site

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = sorted(path.name for path in (ROOT / "examples").glob("*.py"))


@pytest.fixture
def server() -> Iterator[Server]:
    site = Site(Options(contents=30))
    with Server(site, site._clock) as server:
        yield server


def run(example: str, folder: Path, *arguments: str) -> tuple[int, list[str], str]:
    command = [sys.executable, str(ROOT / "examples" / example), *arguments]
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "src")}
    done = subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, check=False, timeout=120
    )
    return done.returncode, done.stdout.splitlines(), done.stderr


@pytest.mark.parametrize("example", EXAMPLES)
def test_an_example_finds_every_page_and_asks_for_little_the_second_time(
    example: str, server: Server, tmp_path: Path
) -> None:
    code, first, errors = run(example, tmp_path, server.site.start)
    assert (code, errors) == (0, "")
    once = server.take().contents
    assert set(once.by_content()) == set(server.site.current())
    code, second, errors = run(example, tmp_path, server.site.start)
    assert (code, errors) == (0, "")
    assert server.take().gets <= 0.4 * once.gets  # audits, most of all
    kinds = Counter(line.split()[0] for line in first if "http://" in line)
    assert kinds["new"] >= len(server.site.contents)
    assert "new" not in {line.split()[0] for line in second if "http://" in line}
    assert "not sent" in second[-1]


@pytest.mark.parametrize("example", EXAMPLES)
def test_an_example_without_a_url_says_how_it_is_run(example: str, tmp_path: Path) -> None:
    code, _, errors = run(example, tmp_path)
    assert code == 1
    assert f"python {example} URL" in errors
