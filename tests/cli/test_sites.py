from __future__ import annotations

import sqlite3
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

import sameish
from sameish.gate.damage import warn

NOW = datetime.now(UTC) - timedelta(hours=1)
WORDS = (
    "ferry pier harbour morning evening ticket cabin crew deck mast rope tide wave storm fog light bell anchor".split()
)
RULE_KEYS = {
    "site", "rule", "shape", "evidence_for", "evidence_against", "audits", "wrong", "wrong_skip_rate", "upper_bound", "state",
}  # fmt: skip
DROPPED = ("saved:url_rule", "saved:trap")
SAVED_KEYS = {"requests_saved", "bytes_saved", "by_reason", "audits", "wrong_skips", "rules_revoked"}


def text_of(number: int) -> str:
    return " ".join(
        f"{WORDS[(number * 7 + i * (number + 1)) % len(WORDS)]}{(number + 3) * (i + 5) % 97}" for i in range(80)
    )


def fill(store: Path, *, audit_share: float = 0.0) -> None:
    """Crawl a site where `kx` makes no difference, one with another name, and a list without end."""
    settings = {"gate": {"audit_share": audit_share}}
    with sameish.open(str(store), settings=settings, clock=lambda: NOW) as detector:

        def fetch(url: str, number: int) -> None:
            if detector.decide(url).action != "skip":
                html = f"<main><h1>Boat {number}</h1><p>{text_of(number)}.</p></main>"
                detector.observe(sameish.Page(html, url=url, headers={"ETag": f'"{number}"'}))

        for number in range(12):
            for value in ("7f3a91c2", "92bce401", "d41d8cd9"):
                fetch(f"https://www.harbour.example/boats/town-{'abcdefghijkl'[number]}?kx={value}{number}", number)
        for number in range(40):
            fetch(f"https://www.harbour.example/list/next/{number + 1}", 99)
        fetch("https://other.example/", 77)


@pytest.fixture
def filled(call: Any, here: Path) -> Any:
    fill(here / "sameish.db")
    return call


def test_sites_are_listed_with_most_captures_first(filled: Any, lines_of: Any) -> None:
    header, *rows = filled("sites").stdout.splitlines()
    assert header.split() == ["site", "captures", "pages", "rules", "requests", "saved", "audits", "wrong"]
    assert [row.split()[0] for row in rows] == ["harbour.example", "other.example"]
    first, second = lines_of(filled("sites", "--json").stdout)
    assert (first["site"], first["rules_acting"]) == ("harbour.example", 1)
    assert (second["captures"], second["pages"], second["rules_acting"], second["requests_saved"]) == (1, 1, 0, 0)
    assert first.keys() >= SAVED_KEYS


def test_a_site_is_shown_in_detail(filled: Any, lines_of: Any) -> None:
    result = filled("sites", "www.harbour.example")
    assert result.exit_code == 0
    assert result.stdout.startswith("Site: harbour.example: ")
    assert "1 URL rule acting" in result.stdout
    assert "the same by a URL rule" in result.stdout
    assert "www.harbour.example  unknown" in result.stdout
    assert "https://www.harbour.example/list/next/{number}" in result.stdout
    assert all(len(line) <= 80 for line in result.stdout.splitlines())
    (found,) = lines_of(filled("sites", "harbour.example", "--json").stdout)
    assert [host["host"] for host in found["hosts"]] == ["www.harbour.example"]
    assert found["hosts"][0]["etag"].keys() == {"trust", "kept", "renewed", "followed", "caught", "distrusted_until"}
    (trap,) = found["traps"]
    assert (trap["kind"], trap["family"]) == ("counter", "https://www.harbour.example/list/next/{number}")
    assert trap["fetched"] + trap["skipped"] == 40
    assert trap["skipped"] == found["by_reason"]["trap"]["requests"] > 0


def test_rules_have_a_row_each(filled: Any, lines_of: Any) -> None:
    rows = lines_of(filled("sites", "harbour.example", "--rules", "--json").stdout)
    assert all(row.keys() == RULE_KEYS for row in rows)
    (row,) = [row for row in rows if row["rule"] == "query:kx"]
    assert (row["site"], row["shape"], row["state"]) == ("harbour.example", "/boats/*", "active")
    assert row["evidence_for"] >= 2
    assert (row["evidence_against"], row["audits"], row["wrong"], row["wrong_skip_rate"]) == (0, 0, 0, None)
    assert row["upper_bound"] == 1.0
    (line,) = [one for one in filled("sites", "harbour.example", "--rules").stdout.splitlines() if "query:kx" in one]
    assert line.split()[3:] == ["0", "0", "0", "-", "-", "active"]


def test_rules_of_all_sites(filled: Any, lines_of: Any) -> None:
    assert {row["site"] for row in lines_of(filled("sites", "--rules", "--json").stdout)} == {"harbour.example"}
    assert "query:kx" in filled("sites", "--rules").stdout
    assert "nothing learned yet" in filled("sites", "other.example", "--rules").stdout


def test_audits_are_shown_with_the_bound(call: Any, here: Path, lines_of: Any) -> None:
    fill(here / "sameish.db", audit_share=1.0)
    (row,) = [one for one in lines_of(call("sites", "--rules", "--json").stdout) if one["rule"] == "query:kx"]
    assert row["audits"] > 0
    assert (row["wrong"], row["wrong_skip_rate"]) == (0, 0.0)
    assert row["upper_bound"] == pytest.approx(1 - 0.05 ** (1 / row["audits"]))
    (found,) = lines_of(call("stats", "--json").stdout)
    assert (found["audits"], found["wrong_skips"]) == (row["audits"], 0)


@pytest.mark.parametrize("words", [("sites", "nowhere.example"), ("stats", "--site", "nowhere.example")])
def test_an_unknown_site_is_refused(filled: Any, words: tuple[str, ...]) -> None:
    result = filled(*words)
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr == (
        "sameish: nothing is known of nowhere.example; `sameish sites --store sameish.db` lists the sites\n"
    )


def test_a_store_without_pages_has_no_sites(call: Any, here: Path) -> None:
    sameish.open(str(here / "sameish.db")).close()
    assert call("sites").stdout == "There are no pages in sameish.db.\n"
    assert call("sites", "--rules").stdout == "No URL rules are learned yet.\n"
    assert call("sites", "--json").stdout == ""
    assert "Ledger" not in call("stats").stdout


def test_a_store_that_is_not_there_is_refused(call: Any) -> None:
    result = call("sites")
    assert result.exit_code == 2
    assert result.stderr.startswith("sameish: there is no store at sameish.db; ")


def test_damaged_knowledge_is_named_and_hides_no_other_site(
    call: Any, here: Path, caplog: pytest.LogCaptureFixture
) -> None:
    fill(here / "sameish.db")
    warn.cache_clear()
    with closing(sqlite3.connect(here / "sameish.db")) as db:
        db.execute("UPDATE site_state SET state = x'93ff' WHERE site = 'harbour.example'")
        db.commit()
    result = call("sites")
    assert result.exit_code == 0
    assert "harbour.example" in result.stdout
    (record,) = caplog.records
    assert (record.name, record.levelname) == ("sameish.gate", "WARNING")
    assert "harbour.example is damaged" in record.getMessage()
    assert "`sameish store verify`" in record.getMessage()


def test_stats_show_the_ledger(filled: Any, lines_of: Any, here: Path) -> None:
    told = filled("stats").stdout
    assert "Ledger: what was fetched, and what was saved before the fetch\n" in told
    assert "Lost by URL rules: not known without audits, of " in told
    (whole,) = lines_of(filled("stats", "--json").stdout)
    assert SAVED_KEYS | {"captures", "by_verdict"} <= whole.keys()
    assert whole["requests_saved"] == sum(one["requests"] for one in whole["by_reason"].values()) > 0
    (here / "prices.toml").write_text('[ledger]\nprice_per_1000_requests = 500\ncurrency = "EUR"\n', "utf-8")
    assert f"Money saved: {whole['requests_saved'] / 2:.2f} EUR" in filled("stats", "--settings", "prices.toml").stdout


def test_stats_of_one_site(filled: Any, lines_of: Any) -> None:
    (found,) = lines_of(filled("stats", "--site", "www.harbour.example", "--json").stdout)
    (other,) = lines_of(filled("stats", "--site", "other.example", "--json").stdout)
    (whole,) = lines_of(filled("stats", "--json").stdout)
    assert (found["site"], other["captures"], other["requests_saved"]) == ("harbour.example", 1, 0)
    for name in ("captures", "pages", "requests_saved", "bytes_saved", "requests_fetched"):
        assert found[name] + other[name] == whole[name]
    assert filled("stats", "--site", "other.example").stdout.startswith("Store: sameish.db, other.example: 1 capture ")


def test_decide_counts_nothing(filled: Any, here: Path, lines_of: Any) -> None:
    with sameish.open(str(here / "sameish.db")) as detector:
        before = detector.store.ledger()
    urls = [
        "https://other.example/",
        "https://www.harbour.example/boats/town-a?kx=1",
        "https://other.example/?utm_source=x",
    ]
    found = lines_of(filled("decide", *urls, "--json").stdout)
    assert "skip" in [one["action"] for one in found]
    with sameish.open(str(here / "sameish.db")) as detector:
        assert detector.store.ledger() == before
        assert len(detector.store.dropped()) == sum(entry.requests for entry in before if entry.name in DROPPED)


def test_rules_are_shown_without_what_only_made_a_difference(here: Path, call: Any, lines_of: Any) -> None:
    fill(here / "sameish.db")
    with sameish.open(str(here / "sameish.db"), clock=lambda: NOW) as detector:
        for number in range(3):
            html = f"<main><h1>Crew {number}</h1><p>{text_of(100 + number)}.</p></main>"
            detector.observe(sameish.Page(html, url=f"https://www.harbour.example/crew?watch={number}"))
    shown = call("sites", "harbour.example", "--rules").stdout
    assert "query:kx" in shown
    assert "query:watch" not in shown
    assert shown.rstrip().endswith("1 difference that made another page of it each time (--json lists them)")
    listed = lines_of(call("sites", "harbour.example", "--rules", "--json").stdout)
    assert {row["rule"] for row in listed} >= {"query:kx", "query:watch"}
    assert "query:kx=7f3a91c20" not in {row["rule"] for row in listed}
