"""Commands that look into a store: similar, decide, stats, store info, verify, forget."""

from __future__ import annotations

import errno
import json
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import pytest
import zstandard


@pytest.fixture
def filled(call: Any, article: Any) -> Any:
    """A store with three captures of two pages of one site, and one of another."""
    for url, text in (
        ("https://www.a.example/one", article()),
        ("https://www.a.example/one", article(price=1)),
        ("https://www.a.example/two", article(views="5")),
        ("https://b.example/", "<h1>Rhubarb</h1><p>" + "Cut the rhubarb into pieces and turn them in sugar. " * 9),
    ):
        assert call("scan", "-", "--url", url, stdin=text).exit_code == 0
    return call


def test_similar_prints_the_nearest_first(filled: Any, lines_of: Any) -> None:
    result = filled("similar", "a.html", "--within", "20")
    header, *rows = result.stdout.splitlines()
    assert header.split() == ["bits", "fetched", "url", "title"]
    assert rows[0].split()[0] == "0"
    found = lines_of(filled("similar", "a.html", "--within", "20", "--json").stdout)
    assert [one["distance"] for one in found] == sorted(one["distance"] for one in found)
    assert found[0]["capture"]["url"].startswith("https://www.a.example/")
    assert [one["capture"]["url"][-3:] for one in found] == ["one", "two"]  # one a page
    assert len(lines_of(filled("similar", "a.html", "--within", "20", "--limit", "1", "--json").stdout)) == 1


def test_similar_says_and_does_what_becomes_of_pages_with_little(call: Any, lines_of: Any) -> None:
    assert call("scan", "-", "--url", "https://a.example/", stdin="<p>Two words</p>").exit_code == 0
    (found,) = lines_of(call("similar", "-", "--json", stdin="<p>Two words</p>").stdout)
    assert found["distance"] == 0
    assert "Nothing stored" in call("similar", "-", stdin="<p></p>").stdout
    words = " ".join(call("similar", "--help").stdout.split())
    assert "A page without content resembles none; a page with very little is compared like any other." in words


def test_similar_looks_on_one_site(filled: Any, lines_of: Any) -> None:
    for site in ("a.example", "www.a.example", "https://www.a.example/x"):
        assert lines_of(filled("similar", "a.html", "--site", site, "--json").stdout)
    result = filled("similar", "a.html", "--site", "c.example")
    assert (result.exit_code, result.stdout) == (0, "Nothing stored is within 8 bits.\n")


def test_similar_reads_standard_input(filled: Any, article: Any) -> None:
    assert "https://www.a.example/two" in filled("similar", "-", stdin=article()).stdout


def test_decide_says_what_to_do_and_why(filled: Any, lines_of: Any) -> None:
    result = filled("decide", "https://www.a.example/one?utm_source=x", "https://new.example/")
    first, second = result.stdout.splitlines()
    assert first.startswith("skip        https://www.a.example/one?utm_source=x  = https://www.a.example/one  (")
    assert second == "fetch       https://new.example/  (never seen)"
    (found,) = lines_of(filled("decide", "https://new.example/", "--json").stdout)
    assert found == {
        "url": "https://new.example/", "action": "fetch", "reason": "never seen", "same_as": None,
        "request_headers": {}, "rule": None,
    }  # fmt: skip


def test_decide_reads_urls_from_standard_input(filled: Any) -> None:
    result = filled("decide", "-", stdin="https://x.example/\n\nhttps://y.example/\n")
    assert len(result.stdout.splitlines()) == 2


def test_decide_shows_the_request_headers(call: Any, here: Path, lines_of: Any) -> None:
    warc = b'HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nETag: "one"\r\n\r\n<p>Some words of a page that is known\r\n'
    head = (
        b"WARC/1.1\r\nWARC-Type: response\r\nWARC-Record-ID: <urn:uuid:1>\r\nWARC-Date: 2020-01-01T00:00:00Z\r\n"
        b"WARC-Target-URI: https://a.example/\r\nContent-Type: application/http; msgtype=response\r\n"
        b"Content-Length: %d\r\n\r\n" % len(warc)
    )
    (here / "one.warc").write_bytes(head + warc + b"\r\n\r\n")
    assert call("scan", "one.warc").exit_code == 0
    first, second = call("decide", "https://a.example/").stdout.splitlines()
    assert first.startswith("revalidate  https://a.example/  (seen ")
    assert second == '            If-None-Match: "one"'
    (found,) = lines_of(call("decide", "https://a.example/", "--json").stdout)
    assert found["request_headers"] == {"If-None-Match": '"one"'}


def test_stats(filled: Any, lines_of: Any) -> None:
    result = filled("stats")
    assert result.stdout.startswith("Store: sameish.db: 4 captures of 3 pages on 2 sites, ")
    (found,) = lines_of(filled("stats", "--json").stdout)
    assert found["captures"] == sum(found["by_verdict"].values()) == 4
    assert found["pages"] == 3


def test_store_info(filled: Any, here: Path, lines_of: Any) -> None:
    result = filled("store", "info")
    assert f"place     {here / 'sameish.db'}" in result.stdout
    assert "captures  4" in result.stdout
    (found,) = lines_of(filled("store", "info", "--json").stdout)
    assert found["kind"] == "sqlite"
    assert sum(found["schemes"].values()) == 4
    assert found["first_fetched"] < found["last_fetched"]


def test_a_store_of_another_scheme_can_be_looked_at(call: Any, here: Path) -> None:
    (here / "classic.toml").write_text('[fingerprint]\nscheme = "classic"\n', "utf-8")
    assert call("scan", "a.html", "--settings", "classic.toml").exit_code == 0
    for words in (("stats",), ("store", "info"), ("store", "verify"), ("decide", "https://a.example/")):
        assert call(*words).exit_code == 0
    assert call("similar", "a.html").exit_code == 3


def test_verify_says_0_without_faults(filled: Any, lines_of: Any) -> None:
    result = filled("store", "verify")
    assert (result.exit_code, result.stdout) == (0, "sameish.db: no faults in 4 captures\n")
    assert lines_of(filled("store", "verify", "--json").stdout) == [
        {"store": "sameish.db", "captures": 4, "faults": []}
    ]


def test_verify_lists_the_faults_with_1(filled: Any, here: Path, lines_of: Any) -> None:
    with closing(sqlite3.connect(here / "sameish.db")) as db:
        db.execute("UPDATE capture SET simhash = 1 WHERE id = 1")
        db.commit()
    result = filled("store", "verify")
    assert result.exit_code == 1
    fault, total = result.stdout.splitlines()
    assert fault.startswith("capture 1: the simhash in its fingerprint is ")
    assert total == "sameish.db: 1 fault"
    assert lines_of(filled("store", "verify", "--json").stdout)[0]["faults"] == [fault]


def test_verify_lists_what_keeps_the_captures_from_being_counted(filled: Any, here: Path, lines_of: Any) -> None:
    with closing(sqlite3.connect(here / "sameish.db")) as db:
        db.execute("UPDATE capture SET fetched_at = 9000000000000000000 WHERE id = 1")
        db.commit()
    assert filled("store", "info").exit_code == 3
    result = filled("store", "verify")
    assert result.exit_code == 1
    assert "capture 1: its time 9000000000000000000 is none\n" in result.stdout
    (found,) = lines_of(filled("store", "verify", "--json").stdout)
    assert found["captures"] is None
    assert any("9000000000000000000" in fault for fault in found["faults"])


def test_verify_reads_what_was_learned(filled: Any, here: Path) -> None:
    with closing(sqlite3.connect(here / "sameish.db")) as db:
        db.execute("UPDATE site_state SET state = x'93ff' WHERE site = 'a.example'")
        db.commit()
    result = filled("store", "verify")
    assert result.exit_code == 1
    assert result.stdout.startswith("the state of site a.example: what was learned cannot be read: ")


@pytest.mark.parametrize(
    ("conditions", "deleted"),
    [
        (("--url", "https://www.a.example/one"), 2),
        (("--site", "www.a.example"), 3),
        (("--site", "b.example"), 1),
        (("--before", "2020-01-01"), 0),
        (("--before", "2990-01-01T12:00+02:00"), 4),
        (("--url", "https://www.a.example/one", "--site", "b.example"), 0),
    ],
)
def test_forget_deletes_what_meets_all_conditions(
    filled: Any, lines_of: Any, conditions: tuple[str, ...], deleted: int
) -> None:
    (found,) = lines_of(filled("store", "forget", *conditions, "--json").stdout)
    assert found == {"store": "sameish.db", "deleted": deleted}
    assert lines_of(filled("stats", "--json").stdout)[0]["captures"] == 4 - deleted


def test_forget_says_what_it_did(filled: Any) -> None:
    assert filled("store", "forget", "--site", "b.example", "--yes").stdout == "sameish.db: 1 capture deleted\n"


def test_expire_by_age_and_by_budget(filled: Any, lines_of: Any) -> None:
    result = filled("store", "expire", "--site-budget", "2")
    assert result.stdout == "sameish.db: 1 capture deleted (0 too old, 1 over the budget)\n"
    assert filled("store", "expire", "--older-than", "1d").stdout.startswith("sameish.db: 0 captures deleted")
    over = filled("store", "expire", "--site-budget", "1").stdout.splitlines()[1]
    assert over == "Still over the budget, for the last good capture of a page stays: a.example"
    (found,) = lines_of(filled("store", "expire", "--site-budget", "1", "--json").stdout)
    assert found == {"store": "sameish.db", "aged": 0, "surplus": 0, "pages": 0, "visits": 0, "dropped": 0,
                     "sites_over_budget": ["a.example"]}  # fmt: skip


def test_expire_takes_what_the_settings_say(filled: Any, here: Path) -> None:
    assert filled("store", "expire").exit_code == 2
    (here / "s.toml").write_text("[store]\nexpire_after_days = 0.000000001\n")
    assert "4 captures deleted" in filled("store", "expire", "--settings", "s.toml").stdout


@pytest.mark.parametrize("span", ["", "x", "0d", "-1d", "1y", "99999999w", "1e9"])
def test_a_span_that_is_none_is_refused(filled: Any, span: str) -> None:
    result = filled("store", "expire", "--older-than", span)
    assert (result.exit_code, "is no time span, such as 30d, 12h or 4w" in result.stderr) == (2, True)


def test_export_and_import(filled: Any, here: Path, lines_of: Any) -> None:
    result = filled("store", "export", "x.jsonl.zst")
    assert result.stdout.startswith("x.jsonl.zst: 4 captures from sameish.db, ")
    assert [path.name for path in here.glob("x.*")] == ["x.jsonl.zst"]
    again = filled("store", "export", "x.jsonl.zst")
    assert (again.exit_code, "exists; name another file, or replace it with --force" in again.stderr) == (2, True)
    (found,) = lines_of(filled("store", "export", "x.jsonl.zst", "--force", "--json").stdout)
    assert found["size_bytes"] == (here / "x.jsonl.zst").stat().st_size
    result = filled("store", "import", "x.jsonl.zst", "--store", "new.db")
    assert result.stdout.splitlines()[0] == "new.db: 4 captures from x.jsonl.zst"
    (found,) = lines_of(filled("store", "import", "x.jsonl.zst", "--store", "new.db", "--json").stdout)
    assert (found["captures"], found["new"]) == (4, 0)
    assert filled("stats", "--store", "new.db").stdout == filled("stats").stdout.replace("sameish.db", "new.db")
    assert filled("store", "verify", "--store", "new.db").exit_code == 0


@pytest.mark.parametrize(
    "name", ["sameish.db", "./x/../sameish.db", "soft.db", "hard.db", "sameish.db-wal", "dangling"]
)
def test_an_export_never_takes_the_place_of_its_store(filled: Any, here: Path, name: str) -> None:
    (here / "x").mkdir()
    (here / "soft.db").symlink_to(here / "sameish.db")
    (here / "dangling").symlink_to(here / "sameish.db-shm")
    (here / "hard.db").hardlink_to(here / "sameish.db")
    before = (here / "sameish.db").read_bytes()
    for target in ("sameish.db", "soft.db"):
        result = filled("store", "export", name, "--store", target, "--force")
        assert (result.exit_code, result.stderr) == (
            2, f"sameish: {name} is a file of the store itself; name another file\n",
        )  # fmt: skip
    assert (here / "sameish.db").read_bytes() == before


def test_an_export_leaves_other_files_alone(filled: Any, here: Path) -> None:
    (here / "sameish.db").rename(here / "x.part")
    (here / "fifo").symlink_to("/dev/null")
    assert filled("store", "export", "x", "--store", "x.part").exit_code == 0
    assert filled("store", "verify", "--store", "x.part").exit_code == 0
    result = filled("store", "export", "fifo", "--store", "x.part", "--force")
    assert (result.exit_code, "fifo is no regular file" in result.stderr) == (2, True)


@pytest.mark.parametrize("error", [OSError(errno.ENOSPC, "No space left on device"), KeyboardInterrupt()])
def test_an_export_that_fails_leaves_the_one_before(
    filled: Any, here: Path, monkeypatch: pytest.MonkeyPatch, error: BaseException
) -> None:
    filled("store", "export", "x.zst")
    before = (here / "x.zst").read_bytes(), sorted(here.iterdir())
    monkeypatch.setattr("sameish.stores.transfer.frames.FrameWriter.flush", Mock(side_effect=error))
    result = filled("store", "export", "x.zst", "--force")
    named = (3, "sameish: x.zst: No space left on device\n")
    assert (result.exit_code, result.stderr) == (named if isinstance(error, OSError) else (130, ""))
    assert ((here / "x.zst").read_bytes(), sorted(here.iterdir())) == before


def test_a_state_that_was_never_learned_is_not_imported(filled: Any, here: Path) -> None:
    filled("decide", "https://www.a.example/one")
    filled("store", "export", "x.zst")
    lines = zstandard.ZstdDecompressor().decompressobj().decompress((here / "x.zst").read_bytes()).splitlines()
    number = next(number for number, line in enumerate(lines) if json.loads(line)["kind"] == "site")
    lines[number] = json.dumps(json.loads(lines[number]) | {"state": "AAAA"}).encode()
    (here / "x.zst").write_bytes(zstandard.compress(b"\n".join(lines)))
    result = filled("store", "import", "x.zst", "--store", "new.db")
    assert (result.exit_code, result.stdout) == (3, "")
    assert (
        f"x.zst, line {number + 1} (in the frame at byte 0): the state of the site 'a.example' is damaged"
        in result.stderr
    )
    assert filled("sites", "--store", "new.db").exit_code == 0


def test_an_import_that_is_cut_short_says_so(filled: Any, here: Path) -> None:
    filled("store", "export", "x.jsonl.zst")
    (here / "x.jsonl.zst").write_bytes((here / "x.jsonl.zst").read_bytes()[:-40])
    result = filled("store", "import", "x.jsonl.zst", "--store", "new.db")
    assert (result.exit_code, result.stdout) == (3, "")
    assert result.stderr.startswith("sameish: x.jsonl.zst, byte 0, after line 0: the file is cut short; ")
    assert result.stderr.endswith("; nothing was imported\n")
    (here / "no.zst").write_text("<html>")
    (here / "other.zst").write_bytes(zstandard.compress(b'{"kind":"end","lines":0}\n'))
    for name in ("no.zst", "other.zst", "sameish.db"):
        result = filled("store", "import", name, "--store", "new.db")
        assert (result.exit_code, "is no export of sameish" in result.stderr) == (3, True)
    assert not (here / "new.db").exists()
    assert filled("store", "import", "missing.zst").exit_code == 2
