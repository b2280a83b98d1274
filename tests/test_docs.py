"""What the documents promise holds: snippets run, commands print what is shown, references equal the code."""

from __future__ import annotations

import doctest
import os
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from importlib import import_module
from pathlib import Path
from textwrap import dedent
from typing import Any

import click
import msgspec
import pytest

from sameish.cli.main import cli
from sameish.models import ComparisonKind, Fingerprint, State, VerdictKind
from sameish.presets import presets
from sameish.reading import noise
from sameish.settings import Settings, SiteSettings, load
from sameish.stores.sqlite.statements import SCHEMA

ROOT = Path(__file__).resolve().parent.parent
DOCS = ROOT / "docs"
PAGES = sorted([*ROOT.glob("*.md"), *DOCS.rglob("*.md")])
CHECK = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE

_FENCE = re.compile(r"^( *)```(\S*)\n(.*?)^\1```$", re.MULTILINE | re.DOTALL)
_LINK = re.compile(r"(?<!!)\[[^\]]*\]\(([^)\s]+)\)")
_CODE = re.compile(r"`([^`\n]+)`")
_HEADING = re.compile(r"^#+ (.+)$", re.MULTILINE)
# fences that are run or parsed, and those that only show a form
_CHECKED, _SHOWN = {"python", "console", "toml", "json"}, {"text", "sh", "sql"}


@dataclass(frozen=True)
class Fence:
    kind: str
    text: str
    line: int


def relative(page: Path) -> str:
    return page.relative_to(ROOT).as_posix()


def fences(page: Path) -> Iterator[Fence]:
    text = page.read_text(encoding="utf-8")
    for match in _FENCE.finditer(text):
        yield Fence(match[2], dedent(match[3]), text.count("\n", 0, match.start()) + 2)


def prose(page: Path) -> str:
    return _FENCE.sub("", page.read_text(encoding="utf-8"))


def tables(text: str) -> Iterator[tuple[str, list[str]]]:
    """Yield (heading above, cells) for every row of every table but the first two lines of each."""
    heading, before = "", ""
    for line in text.splitlines():
        if line.startswith("#"):
            heading = line.lstrip("# ")
        if line.startswith("|") and before.startswith("|") and not line.startswith("|--"):
            yield heading, [cell.strip() for cell in line.strip("|").split(" | ")]
        before = line


def bare(cell: str) -> str:
    return cell.strip().strip("`")


# Snippets


@pytest.mark.parametrize("page", PAGES, ids=relative)
def test_snippets_run_and_print_what_is_shown(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name in [name for name in os.environ if name.startswith("SAMEISH_")]:
        monkeypatch.delenv(name)
    names: dict[str, Any] = {"__name__": "__main__"}
    for fence in fences(page):
        place = f"{relative(page)}, line {fence.line}"
        assert fence.kind in _CHECKED | _SHOWN, f"{place}: a fence of kind {fence.kind!r}"
        if fence.kind == "python":
            run_python(fence, place, names)
        elif fence.kind == "console":
            run_console(fence, place)
        elif fence.kind == "toml":
            load(tomllib.loads(fence.text), environment={})
        elif fence.kind == "json":
            for line in fence.text.splitlines():
                msgspec.json.decode(line)


def run_python(fence: Fence, place: str, names: dict[str, Any]) -> None:
    if ">>> " not in fence.text:
        exec(compile(fence.text, place, "exec"), names)  # noqa: S102  # what a reader would paste
        return
    examples = doctest.DocTestParser().get_doctest(fence.text, names, place, place, fence.line - 1)
    examples.globs = names  # the page goes on where this snippet ends
    report: list[str] = []
    doctest.DocTestRunner(optionflags=CHECK).run(examples, out=report.append, clear_globs=False)
    assert not report, "".join(report)


def run_console(fence: Fence, place: str) -> None:
    """Run `$ command` lines in one folder and compare what each prints on both streams; `$?` is that of the one before."""
    clean = {name: value for name, value in os.environ.items() if not name.startswith("SAMEISH_")}
    path = os.pathsep.join((str(Path(sys.executable).parent), clean.get("PATH", "")))
    environment = {**clean, "PATH": path, "NO_COLOR": "1", "COLUMNS": "110", "TERM": "xterm", "TZ": "UTC"}
    code = 0
    for part in re.split(r"^\$ ", fence.text, flags=re.MULTILINE)[1:]:
        command, _, wanted = part.partition("\n")
        while command.endswith("\\"):
            more, _, wanted = wanted.partition("\n")
            command += f"\n{more}"
        script = ["bash", "-c", f"(exit {code}); {command}"]
        done = subprocess.run(
            script,
            env=environment,
            text=True,
            check=False,
            timeout=120,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
        )
        code = done.returncode
        same = doctest.OutputChecker().check_output(wanted, done.stdout, CHECK)
        assert same, f"{place}: $ {command}\nshown:\n{wanted}\nprinted:\n{done.stdout}"


def test_shown_make_targets_exist() -> None:
    targets = set(re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))
    for page in PAGES:
        text = page.read_text(encoding="utf-8")
        assert set(re.findall(r"(?:`|^\$ |^)make ([a-z]+)", text, re.MULTILINE)) <= targets, relative(page)


# Links and names


def anchors(page: Path) -> set[str]:
    """Return the anchors that GitHub gives to headings."""
    headings = _HEADING.findall(prose(page))
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("page", PAGES, ids=relative)
def test_relative_links_resolve(page: Path) -> None:
    for link in _LINK.findall(prose(page)):
        if re.match(r"[a-z]+:", link):
            continue
        path, _, anchor = link.partition("#")
        target = (page.parent / path).resolve() if path else page
        assert target.exists(), f"{link} leads nowhere"
        assert target.is_relative_to(ROOT), f"{link} leads out of the repository"
        assert not anchor or anchor in anchors(target), f"{link}: there is no such heading"


def resolves(dotted: str) -> bool:
    """Is it a module, or a name in one, or a field or method of a class in one?"""
    parts = dotted.split(".")
    for size in range(len(parts), 0, -1):
        try:
            found: Any = import_module(".".join(parts[:size]))
        except ImportError:
            continue
        for name in parts[size:]:
            if name in getattr(found, "__annotations__", {}) and not hasattr(found, name):
                return name == parts[-1]
            if not hasattr(found, name):
                return False
            found = getattr(found, name)
        return True
    return False


@pytest.mark.parametrize("page", PAGES, ids=relative)
def test_named_code_exists(page: Path) -> None:
    for code in _CODE.findall(prose(page)):
        if re.fullmatch(r"sameish(\.\w+)+", code) and not code.endswith((".db", ".toml")):
            assert resolves(code), f"`{code}` is nothing that can be imported"
        if re.fullmatch(r"(src|tests|scripts|docs)/[\w/.-]+", code):
            assert (ROOT / code).exists(), f"`{code}` is no file here"


def test_glossary_is_in_order_and_names_what_exists() -> None:
    entries = re.findall(r"^\*\*(.+?)\*\*((?:.+\n)+)", prose(DOCS / "glossary.md"), re.MULTILINE)
    words = [word for word, _ in entries]
    assert words == sorted(set(words), key=str.casefold)
    for word, text in entries:
        assert "*Planned" in text or "`sameish." in text, f"{word}: says neither where it is nor that it is planned"


def entry(word: str) -> str:
    found = re.search(rf"^\*\*{word}\*\*(.+?)\n\n", prose(DOCS / "glossary.md"), re.MULTILINE | re.DOTALL)
    assert found is not None
    return found[1]


@pytest.mark.parametrize(
    ("word", "kinds"),
    [("state", State), ("verdict", VerdictKind), ("comparison", ComparisonKind)],
)
def test_glossary_lists_all_kinds(word: str, kinds: type[StrEnum]) -> None:
    assert [code for code in _CODE.findall(entry(word)) if "." not in code] == [str(kind) for kind in kinds]


def test_glossary_lists_all_noise_patterns() -> None:
    assert {code for code in _CODE.findall(entry("noise pattern")) if "." not in code} == set(noise.PATTERN_NAMES)


def test_every_page_is_in_the_index() -> None:
    linked = {(DOCS / link.partition("#")[0]).resolve() for link in _LINK.findall(prose(DOCS / "index.md"))}
    records = {path for path in PAGES if path.parent.name == "decisions" and path.name != "index.md"}
    assert {path for path in PAGES if path.is_relative_to(DOCS)} - records - {DOCS / "index.md"} <= linked


def test_decisions_are_numbered_and_complete() -> None:
    folder = DOCS / "explanation" / "decisions"
    records = sorted(path for path in folder.glob("*.md") if path.name != "index.md")
    listed = re.findall(r"^\d+\. \[.+\]\((.+)\)$", prose(folder / "index.md"), re.MULTILINE)
    assert listed == [path.name for path in records]
    for number, path in enumerate(records, 1):
        first, *headings = _HEADING.findall(path.read_text(encoding="utf-8"))
        assert first.startswith(f"{number}. ")
        assert path.name.startswith(f"{number:04d}-")
        assert headings == ["Context", "Decision", "Why", "Consequences", "Alternatives"], path.name


# References


def test_layers_shown_are_those_that_are_kept() -> None:
    shown = next(fence.text for fence in fences(ROOT / "CONTRIBUTING.md") if fence.text.startswith("cli\n"))
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    kept = project["tool"]["importlinter"]["contracts"][0]["layers"]
    there = [re.sub(r" *\|? *\(\w+\)", "", layer) for layer in kept]  # in brackets: planned
    assert [line.split("  ")[0].strip() for line in shown.splitlines()] == [layer for layer in there if layer]


def toml_of(value: object) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, str):
        return f'"{value}"'
    if isinstance(value, tuple):
        return f"[{', '.join(map(toml_of, value))}]"
    if isinstance(value, int | float) and value >= 10_000:
        return f"{value:_}"
    return "not set" if value is None else str(value)


def test_settings_reference_equals_the_code() -> None:
    page = (DOCS / "reference" / "settings.md").read_text(encoding="utf-8")
    documented: dict[str, tuple[str, str]] = {}
    for heading, cells in tables(page):
        if heading.startswith("`["):
            name, default, _, meaning, variable = cells
            assert meaning
            documented[f"{bare(heading).strip('[]')}.{bare(name)}"] = (bare(default), bare(variable))
    expected: dict[str, tuple[str, str]] = {}
    for section in msgspec.structs.fields(Settings):
        if section.name in ("site", "preset"):
            continue
        values: Any = getattr(Settings(), section.name)
        for option in msgspec.structs.fields(type(values)):
            default = getattr(values, option.name)
            variable = f"SAMEISH_{section.name}__{option.name}".upper()
            expected[f"{section.name}.{option.name}"] = (
                toml_of(default),
                "only in a file" if isinstance(default, tuple) else variable,
            )
    assert documented == expected


def test_settings_reference_names_the_sections_of_a_site() -> None:
    page = " ".join(prose(DOCS / "reference" / "settings.md").split())
    found = re.search(r"may hold the sections (.+?)\.", page)
    assert found is not None
    assert re.findall(r"`(\w+)`", found[1]) == [field.name for field in msgspec.structs.fields(SiteSettings)]


def test_environment_variables_of_the_reference_work() -> None:
    values = {bool: "false", str: "classic", int: "7", float: "1.0", type(None): "30"}
    for section in msgspec.structs.fields(Settings):
        if section.name in ("site", "preset"):
            continue
        for option in msgspec.structs.fields(section.type):
            default = getattr(getattr(Settings(), section.name), option.name)
            if isinstance(default, tuple):
                continue
            value = "everywhere" if option.name == "scope" else values[type(default)]
            changed = load({}, environment={f"SAMEISH_{section.name}__{option.name}".upper(): value})
            assert str(getattr(getattr(changed, section.name), option.name)).lower().startswith(value)


def test_preset_reference_equals_the_code() -> None:
    page = (DOCS / "reference" / "settings.md").read_text(encoding="utf-8")
    documented = {}
    for heading, cells in tables(page):
        if heading == "Presets":
            preset, name, value, reason = cells
            assert reason
            documented[f"{bare(preset)}.{bare(name)}"] = bare(value)
    expected = {
        f"{preset}.{section}.{name}": value
        for preset, sections in presets().items()
        for section, values in sections.items()
        for name, value in values.items()
    }
    assert list(documented) == list(expected)
    for name, value in expected.items():
        assert isinstance(value, list) or documented[name] == toml_of(value), name


def commands(group: click.Group, context: click.Context) -> Iterator[tuple[str, click.Command]]:
    for name in group.list_commands(context):
        found = group.get_command(context, name)
        assert found is not None
        if isinstance(found, click.Group):
            yield from ((f"{name} {below}", one) for below, one in commands(found, context))
        else:
            yield name, found


def test_command_line_reference_equals_the_code() -> None:
    page = (DOCS / "reference" / "command-line.md").read_text(encoding="utf-8")
    common = {"--json", "--settings", "--store", "--help"}
    usages = re.findall(r"^## `sameish (.+)`$", page, re.MULTILINE)
    documented: dict[str, set[str]] = {}
    for usage in usages:
        name = " ".join(word for word in usage.split() if word.islower() and not word.startswith("-"))
        documented[name] = {"--json", "--settings"} | ({"--store"} if usage.endswith(" --store") else set())
        for heading, cells in tables(page):
            if heading == f"`sameish {usage}`":
                documented[name] |= {bare(option).split()[0] for option in cells[0].split(", ")}
    expected = {
        name: {option for part in command.params if isinstance(part, click.Option) for option in part.opts}
        for name, command in commands(cli, click.Context(cli))
    }
    assert documented == expected
    shared = {bare(cells[0]).split()[0] for heading, cells in tables(page) if heading == "For all commands"}
    assert shared == common


def test_store_format_reference_names_every_column() -> None:
    page = (DOCS / "reference" / "store-format.md").read_text(encoding="utf-8")
    documented: dict[str, list[str]] = {}
    for heading, cells in tables(page):
        if heading.startswith("Table `"):
            documented.setdefault(bare(heading.removeprefix("Table ")), []).append(bare(cells[0]))
    expected = {}
    for statement in SCHEMA:
        if name := re.search(r"^CREATE TABLE (\w+)", statement, re.MULTILINE):
            expected[name[1]] = re.findall(r"^    (\w+) +(?:INTEGER|TEXT|BLOB)", statement, re.MULTILINE)
    assert documented == expected


def test_fingerprint_reference_adds_up() -> None:
    page = (DOCS / "reference" / "store-format.md").read_text(encoding="utf-8")
    rows = [cells for heading, cells in tables(page) if heading == "A fingerprint as bytes"]
    at = 0
    for offset, size, *_ in rows:
        assert offset == str(at)
        if not size.isdecimal():
            break
        at += int(size)
    empty = Fingerprint.from_bytes(b"SF\x01\x03" + bytes(at - 4))
    assert len(empty.to_bytes()) == at


# Words that have no place in the repository


def kept_files() -> list[Path]:
    if not (ROOT / ".git").exists():  # an unpacked source distribution
        return [*PAGES, *(path for folder in ("src", "tests") for path in (ROOT / folder).rglob("*.py"))]
    command = ["git", "ls-files", "-z"]
    listed = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout
    return [ROOT / name for name in listed.split("\0") if name and (ROOT / name).is_file()]


def test_no_file_speaks_of_its_surroundings() -> None:
    words = r"[.][.]/shar[e]d|/wor[k]/(?:main|shared)|pypi[.]org|pythonhoste[d]"  # brackets: this file counts, too
    for path in kept_files():
        found = re.search(words, path.read_bytes().decode("utf-8", "replace"))
        assert found is None or path == ROOT / "tests" / "conftest.py", f"{path}: {found and found[0]}"
