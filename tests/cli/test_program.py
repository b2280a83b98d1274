"""What holds for all commands: help, version, speed, errors, exit codes."""

from __future__ import annotations

import subprocess
import sys
from importlib import import_module
from pathlib import Path
from typing import Any

import click
import pytest

from sameish._version import __version__
from sameish.cli.commands import store as store_group
from sameish.cli.main import SUMMARIES, cli

NAMES = [*((name,) for name in SUMMARIES), *(("store", name) for name in store_group.SUMMARIES)]


def test_version_and_help_load_nothing_heavy() -> None:
    code = (
        "import sys; sys.argv = ['sameish', {word!r}]\nfrom sameish.cli.main import main\n"
        "try: main()\nexcept SystemExit as end: assert end.code == 0\n"
        "print([name for name in ('numpy', 'turbohtml', 'rich', 'msgspec', 'sqlite3') if name in sys.modules])"
    )
    for word in ("--version", "--help"):
        done = subprocess.run(
            [sys.executable, "-W", "error", "-c", code.format(word=word)], capture_output=True, text=True, check=True
        )
        assert done.stdout.splitlines()[-1] == "[]"


def test_version(start: Any) -> None:
    assert start("--version").stdout == f"sameish {__version__}\n"


@pytest.mark.parametrize("words", NAMES, ids=" ".join)
def test_help_is_complete(call: Any, words: tuple[str, ...]) -> None:
    result = call(*words, "--help")
    assert result.exit_code == 0
    assert "Example" in result.output
    assert f"sameish {' '.join(words)}" in result.output
    if words != ("store",):
        assert "--json" in result.output
        assert "--settings" in result.output
    assert max(map(len, result.output.splitlines())) <= 100


def test_the_list_of_commands_says_what_each_command_says() -> None:
    for package, summaries in (("sameish.cli.commands", SUMMARIES), (store_group.__name__, store_group.SUMMARIES)):
        for name, summary in summaries.items():
            place = package if package != store_group.__name__ else "sameish.cli.commands.store_commands"
            command: click.Command = import_module(f"{place}.{name}").command
            assert command.name == name
            assert (command.help or "").splitlines()[0] == summary


def test_every_file_of_a_command_is_in_the_list() -> None:
    folder = Path(str(import_module("sameish.cli.commands").__file__)).parent
    assert {path.stem for path in folder.glob("[!_]*.py")} == set(SUMMARIES)
    assert {path.stem for path in (folder / "store_commands").glob("[!_]*.py")} == set(store_group.SUMMARIES)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("bogus",), "No such command 'bogus'"),
        (("compare", "a.html"), "Missing argument 'B'"),
        (("scan",), "Missing argument 'PATH...'"),
        (("scan", "a.html", "--bogus"), "No such option"),
        (("similar", "a.html", "--within", "65"), "0<=x<=64"),
        (("compare", "-", "-"), "standard input can be read once"),
        (("compare", "a.html", "other.html", "--settings", "nope.toml"), "settings file nope.toml"),
        (("store", "forget"), "at least one of --url, --site and --before"),
        (("store", "forget", "--before", "soon"), "no time in ISO 8601"),
    ],
)
def test_asked_wrongly_is_2(call: Any, words: tuple[str, ...], message: str) -> None:
    result = call(*words)
    assert result.exit_code == 2
    assert message in result.stderr
    assert result.stdout == ""


@pytest.mark.parametrize(
    "words",
    [
        ("compare", "a.html", "nope.html"),
        ("explain", "nope.html", "a.html"),
        ("markdown", "nope.html"),
        ("fingerprint", "nope.html"),
        ("scan", "nope.html"),
    ],
    ids=lambda words: str(words[0]),
)
def test_unreadable_is_3(call: Any, here: Path, words: tuple[str, ...]) -> None:
    result = call(*words)
    assert result.exit_code == 3
    assert result.stderr == "sameish: nope.html: there is no such file or folder\n"
    assert not (here / "sameish.db").exists()


def test_the_store_of_a_scrapy_project_is_named(call: Any, here: Path) -> None:
    (here / ".scrapy").mkdir()
    (here / ".scrapy" / "sameish.db").write_bytes(b"x")
    assert call("stats").stderr == (
        f"sameish: there is no store at sameish.db; a crawl with Scrapy left one: --store {Path('.scrapy') / 'sameish.db'}\n"
    )


@pytest.mark.parametrize(
    "words",
    [("similar", "a.html"), ("decide", "https://a.example/"), ("stats",)]
    + [("store", name) for name in ("info", "verify")]
    + [("store", "forget", "--url", "https://a.example/")],
    ids=" ".join,
)
@pytest.mark.parametrize("empty_file", [False, True])
def test_reading_commands_make_no_store(call: Any, here: Path, words: tuple[str, ...], empty_file: bool) -> None:
    place = here / "crawl.db"
    if empty_file:
        place.touch()
    result = call(*words, "--store", "crawl.db")
    assert result.exit_code == 2
    assert result.stderr == ("sameish: there is no store at crawl.db; `sameish scan PATH --store crawl.db` makes one\n")
    assert place.exists() is empty_file
    assert not empty_file or place.stat().st_size == 0


@pytest.mark.parametrize("command", [("scan", "a.html"), ("stats",), ("store", "verify")])
def test_a_file_of_another_kind_is_refused_and_left_alone(call: Any, here: Path, command: tuple[str, ...]) -> None:
    (here / "notes.db").write_text("dear diary", "utf-8")
    result = call(*command, "--store", "notes.db")
    assert result.exit_code == 3
    assert result.stderr.startswith("sameish: ")
    assert "no SQLite file" in result.stderr
    assert (here / "notes.db").read_text("utf-8") == "dear diary"


def test_an_error_is_a_message_never_a_traceback(start: Any) -> None:
    done = start("scan", "a.html", "--store", "no/such/folder/x.db")
    assert (done.returncode, done.stdout) == (3, "")
    assert done.stderr.startswith("sameish: ")
    assert "Traceback" not in done.stderr


def test_a_wrong_setting_names_the_setting(call: Any, here: Path) -> None:
    (here / "s.toml").write_text("[lookup]\nwithin = 99\n", "utf-8")
    result = call("compare", "a.html", "a.html", "--settings", "s.toml")
    assert result.exit_code == 2
    assert "$.lookup.within" in result.stderr


def test_the_program_has_one_entry() -> None:
    assert cli.name == "cli"
    assert cli.list_commands(click.Context(cli)) == list(SUMMARIES)
