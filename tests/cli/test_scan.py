"""`sameish scan`: verdicts, summaries, what cannot be read, standard input."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import sameish
from sameish.demo import make_crawl


def test_a_line_a_page_and_a_summary(call: Any, here: Path) -> None:
    result = call("scan", "a.html", "noise.html", "edit.html", "other.html", "--store", "s.db")
    assert result.exit_code == 0
    assert result.stderr == ""
    first, second, third, fourth, empty, *summary = result.stdout.splitlines()
    assert first == f"new             {(here / 'a.html').as_uri()}  (nothing stored is near)"
    assert second.startswith(f"duplicate       {(here / 'noise.html').as_uri()}  = {(here / 'a.html').as_uri()}  (")
    assert third.startswith("near_duplicate ")
    assert fourth.startswith("new ")
    assert empty == ""
    assert summary[0].startswith("4 captures in ")
    assert [line.split()[:2] for line in summary[1:7]] == [
        ["new", "2"], ["updated", "0"], ["unchanged", "0"], ["duplicate", "1"], ["near_duplicate", "1"],
        ["undetermined", "0"],
    ]  # fmt: skip
    sizes = [(here / name).stat().st_size for name in ("a.html", "noise.html", "edit.html", "other.html")]
    assert summary[7].startswith(f"Needless: {sizes[1]} bytes of {sum(sizes) / 1000:.1f} kB (")
    assert summary[8] == "Store: s.db: 4 captures of 4 pages on 1 site, 3 distinct contents"


def test_json_has_a_line_a_page_and_the_summary_last(call: Any, here: Path, lines_of: Any) -> None:
    *pages, last = lines_of(call("scan", "a.html", "noise.html", "--json").stdout)
    assert [page["kind"] for page in pages] == ["new", "duplicate"]
    assert set(pages[1]) == {
        "url",
        "fetched_at",
        "status",
        "kind",
        "match",
        "comparison",
        "reason",
        "changes",
        "earlier",
    }
    match = pages[1]["match"]
    assert match["url"] == (here / "a.html").as_uri()
    assert len(match["fingerprint"]["simhash"]) == 16
    assert not {"markdown", "sentences"} & set(match)
    summary = last["summary"]
    assert summary["captures"] == 2
    assert summary["by_verdict"] == {"new": 1, "duplicate": 1}
    assert summary["needless_bytes"] == (here / "noise.html").stat().st_size
    assert summary["bytes"] == summary["needless_bytes"] + (here / "a.html").stat().st_size
    assert summary["interrupted"] is False
    assert summary["totals"]["captures"] == 2


def test_quiet_prints_the_summary_only(call: Any, lines_of: Any) -> None:
    assert call("scan", "a.html", "-q").stdout.startswith("1 capture in ")
    (only,) = lines_of(call("scan", "a.html", "--quiet", "--json").stdout)
    assert set(only) == {"summary"}


def test_the_store_in_the_folder_that_is_scanned_is_passed_over(call: Any, here: Path) -> None:
    (here / "a.pdf").write_bytes(b"%PDF-1.7\n\xe2\xe3\xcf\xd3\n1 0 obj\n")
    for _ in range(3):
        result = call("scan", ".")
        assert (result.exit_code, result.stderr) == (0, "")
        assert "5 captures in " in result.stdout


def test_the_store_is_sameish_db_here_unless_named(call: Any, here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert "Store: sameish.db:" in call("scan", "a.html").stdout
    assert (here / "sameish.db").exists()
    monkeypatch.setenv("SAMEISH_STORE", "named.db")
    assert "Store: named.db:" in call("scan", "a.html").stdout
    assert "Store: :memory::" in call("scan", "a.html", "--store", ":memory:").stdout
    assert not (here / ":memory:").exists()


def test_again_nothing_is_stored_twice(call: Any, lines_of: Any) -> None:
    call("scan", "a.html", "other.html")
    *pages, last = lines_of(call("scan", "a.html", "other.html", "--json").stdout)
    assert {page["reason"] for page in pages} == {"this very capture is stored already"}
    assert last["summary"]["totals"]["captures"] == 2


def test_an_edit_of_a_known_url_names_the_sentences(call: Any, article: Any, lines_of: Any) -> None:
    where = ("--url", "https://a.example/bridge", "--json")
    (page, _) = lines_of(call("scan", "-", *where, stdin=article()).stdout)
    assert (page["url"], page["kind"]) == ("https://a.example/bridge", "new")
    (page, _) = lines_of(call("scan", "-", *where, stdin=article(views="7")).stdout)
    assert page["kind"] == "unchanged"
    result = call("scan", "-", *where[:2], stdin=article(price=1))
    assert result.stdout.startswith("updated         https://a.example/bridge  (")
    assert "sentences: 1 removed, 1 added" in result.stdout
    (page, _) = lines_of(call("scan", "-", *where, stdin=article(price=2)).stdout)
    assert [change["kind"] for change in page["changes"]] == ["removed", "added"]


def test_url_is_for_one_page(call: Any, here: Path) -> None:
    result = call("scan", "a.html", "other.html", "--url", "https://a.example/")
    assert result.exit_code == 2
    assert "--url is the address of one page" in result.stderr
    assert not (here / "sameish.db").exists()


def test_standard_input_without_an_address(call: Any, article: Any) -> None:
    assert call("scan", "-", stdin=article()).stdout.startswith("new             (no URL)  (")


def test_standard_input_takes_archives(start: Any) -> None:
    lines = [json.dumps({"url": f"https://a.example/{n}", "html": f"<p>Page {n} of some"}) for n in range(3)]
    done = start("scan", "-", "--json", stdin="\n".join(lines))
    assert done.returncode == 0, done.stderr
    assert len(done.stdout.splitlines()) == 4


def test_what_cannot_be_read_is_named_counted_and_passed_over(call: Any, here: Path, lines_of: Any) -> None:
    whole = "".join(json.dumps({"url": f"https://a.example/{n}", "html": "<p>Some words"}) + "\n" for n in range(2))
    (here / "bad.jsonl").write_text(f"{whole}{{broken\n{whole}", "utf-8")
    result = call("scan", "nope.html", "bad.jsonl", "other.html", "--json")
    assert result.exit_code == 3
    *pages, last = lines_of(result.stdout)
    assert len(pages) == 5
    named = result.stderr.splitlines()
    assert named[0] == "sameish: nope.html: there is no such file or folder"
    assert named[1].startswith(f"sameish: bad.jsonl, byte {len(whole)}: ")
    assert len(named) == 2
    assert sum(last["summary"]["skipped"].values()) == 2
    text = call("scan", "nope.html", "bad.jsonl", "--quiet").stdout
    assert "Skipped: 2" in text
    assert "  1 x there is no such file or folder" in text


def test_a_page_that_cannot_be_decompressed_is_passed_over(call: Any, here: Path) -> None:
    (here / "s.toml").write_text("[reading]\nmax_body_bytes = 1000\n", "utf-8")
    (here / "large.html").write_text("<p>word " * 1000, "utf-8")
    result = call("scan", "large.html", "other.html", "--settings", "s.toml")
    assert result.exit_code == 3
    assert result.stderr.startswith("sameish: large.html")
    assert "1 capture in" in result.stdout


def test_nothing_to_read_makes_no_store(call: Any, here: Path) -> None:
    (here / "folder").mkdir()
    result = call("scan", "folder")
    assert (result.exit_code, result.stdout) == (0, "0 captures in 0.0 s; 0 bytes\n")
    assert not (here / "sameish.db").exists()


def test_settings_of_another_scheme_are_refused_by_the_store(call: Any, here: Path) -> None:
    (here / "classic.toml").write_text('[fingerprint]\nscheme = "classic"\n', "utf-8")
    assert call("scan", "a.html").exit_code == 0
    result = call("scan", "a.html", "--settings", "classic.toml")
    assert (result.exit_code, result.stdout) == (3, "")
    assert result.stderr.startswith("sameish: ")


def test_a_whole_crawl_as_a_process_agrees_with_the_library(start: Any, archive: Path, lines_of: Any) -> None:
    done = start("scan", archive, "--json")
    assert (done.returncode, done.stderr) == (0, "")
    *pages, last = lines_of(done.stdout)
    assert last["summary"]["captures"] == len(pages) == len(make_crawl(1).captures)
    with sameish.open(":memory:") as detector:
        truth = [detector.observe(page).kind for page in sameish.read_pages(archive)]
    assert [page["kind"] for page in pages] == truth


@pytest.mark.usefixtures("here")
def test_a_capture_read_once_more_is_said_so_and_not_counted_as_needless(call: Any) -> None:
    call("scan", "a.html", "noise.html", "--store", "s.db")
    again = call("scan", "a.html", "noise.html", "--store", "s.db").stdout
    assert "Needless: 0 bytes of" in again
    assert "Stored already: 2 captures, read once more and not counted as needless" in again
    assert "Store: s.db: 2 captures of 2 pages" in again
