"""What only a real process on a real terminal or pipe shows: progress, colours, questions, Ctrl-C, closed pipes."""

from __future__ import annotations

import os
import pty
import re
import select
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Mapping
from pathlib import Path
from typing import IO, Any

import pytest

from sameish.demo import make_crawl, write_warc

# a child of a shell's background job would be deaf to SIGINT; Python's own handler is put back first
_LISTENING = (
    sys.executable, "-W", "error", "-c",
    "import signal; signal.signal(signal.SIGINT, signal.default_int_handler)\nfrom sameish.cli.main import main\nmain()",
)  # fmt: skip
COLOUR = re.compile(r"\x1b\[\d+m")


class Terminal:
    """A process on a pseudo-terminal; `output` is what it shows."""

    def __init__(
        self, folder: Path, *words: str, stdout: IO[bytes] | None = None, environment: Mapping[str, str] = {}
    ) -> None:
        self._master, slave = pty.openpty()
        variables = {"TERM": "xterm", "COLUMNS": "120"} | dict(environment)
        self.process = subprocess.Popen(
            (*_LISTENING, *words), cwd=folder, stdin=slave, stdout=stdout or slave,
            stderr=slave, env={name: value for name, value in os.environ.items() if name != "NO_COLOR"} | variables,
            start_new_session=True,
        )  # fmt: skip
        os.close(slave)
        self.output = ""

    def read(self, until: str | None = None, seconds: float = 30) -> str:
        """Read until a text is shown or the process ends."""
        end = time.monotonic() + seconds
        while time.monotonic() < end and (until is None or until not in self.output):
            if not select.select([self._master], [], [], 0.1)[0]:
                continue
            try:
                data = os.read(self._master, 65536)
            except OSError:  # the other side is closed
                break
            self.output += data.decode("utf-8", "replace")
        return self.output

    def type(self, text: str) -> None:
        os.write(self._master, text.encode())

    def interrupt(self) -> None:
        """Send SIGINT until it is heard: one that comes just before `input` reads is noticed after the next key."""
        while self.process.poll() is None:
            self.process.send_signal(signal.SIGINT)
            self.read(seconds=0.5)

    def end(self) -> int:
        self.read()
        os.close(self._master)
        return self.process.wait(30)


@pytest.fixture(scope="session")
def long_crawl(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with several archives, which take a few seconds."""
    folder = tmp_path_factory.mktemp("long")
    write_warc(make_crawl(1), folder / "crawl.warc.gz")
    record = (folder / "crawl.warc.gz").read_bytes()
    (folder / "crawl.warc.gz").write_bytes(record * 12)
    return folder


def test_a_terminal_gets_progress_and_colours(here: Path, archive: Path) -> None:
    shutil.copy(archive, here / "one.warc.gz")
    shutil.copy(archive, here / "two.warc.gz")
    terminal = Terminal(here, "scan", "one.warc.gz", "two.warc.gz")
    assert terminal.end() == 0
    assert re.search(r"\[#{10}\.{10}\]  [\d,]+ pages  [\d,]+/s  [\d.]+ MB  two\.warc\.gz", terminal.output)
    assert "\x1b[32mnew" in terminal.output
    assert terminal.output.rindex("\x1b[K") < terminal.output.index("captures in")


def test_a_check_of_a_store_shows_how_far_it_is(here: Path, archive: Path) -> None:
    assert Terminal(here, "scan", str(archive)).end() == 0
    terminal = Terminal(here, "store", "verify")
    assert terminal.end() == 0
    assert re.search(r"\[[.#]{20}\]  checking the file", terminal.output)
    assert terminal.output.rindex("\x1b[K") < terminal.output.index("no faults in")


def test_progress_goes_to_standard_error_only(here: Path, archive: Path) -> None:
    # a file, not a pipe: nobody would read the one while the other is full
    with (here / "output").open("w+b") as file:
        terminal = Terminal(here, "scan", str(archive), stdout=file)
        assert terminal.end() == 0
    output = (here / "output").read_text("utf-8")
    assert "pages" in terminal.output
    assert "\x1b" not in output
    assert "captures in" in output


def test_without_a_terminal_there_is_neither(start: Any, archive: Path) -> None:
    done = start("scan", archive)
    assert done.stderr == ""
    assert "\x1b" not in done.stdout


@pytest.mark.parametrize("environment", [{"NO_COLOR": "1"}, {"TERM": "dumb"}], ids=str)
def test_a_terminal_may_refuse_colours(here: Path, environment: dict[str, str]) -> None:
    terminal = Terminal(here, "scan", "a.html", "noise.html", environment=environment)
    assert terminal.end() == 0
    assert "duplicate" in terminal.output
    assert not COLOUR.search(terminal.output)


def test_explain_in_colour(here: Path) -> None:
    terminal = Terminal(here, "explain", "a.html", "edit.html")
    assert terminal.end() == 0
    assert "\x1b[33m* \x1b[0mThe mayor" in terminal.output
    assert "\x1b[31m[-349-]\x1b[0m \x1b[32m{+299+}\x1b[0m pounds" in terminal.output
    assert "\x1b[90m1,234 views" in terminal.output


@pytest.mark.parametrize(("answer", "code", "left"), [("n\n", 1, 1), ("y\n", 0, 0), ("\x03", 130, 1), ("\x04", 130, 1)])
def test_forget_asks_on_a_terminal(
    here: Path, call: Any, lines_of: Any, article: Any, answer: str, code: int, left: int
) -> None:
    call("scan", "-", "--url", "https://a.example/", stdin=article())
    terminal = Terminal(here, "store", "forget", "--site", "a.example")
    assert "Delete all captures of the site a.example from sameish.db? [y/N]" in terminal.read(until="[y/N]")
    if answer == "\x03":
        terminal.interrupt()
    else:
        terminal.type(answer)
    assert terminal.end() == code
    assert lines_of(call("stats", "--json").stdout)[0]["captures"] == left


def test_ctrl_c_stops_a_scan_between_two_pages(here: Path, call: Any, long_crawl: Path, lines_of: Any) -> None:
    scan = subprocess.Popen(
        (*_LISTENING, "scan", str(long_crawl), "--json"),
        cwd=here,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert scan.stdout is not None
    assert scan.stderr is not None
    with scan:
        first = [scan.stdout.readline() for _ in range(30)]
        scan.send_signal(signal.SIGINT)
        # not `communicate`: it reads past the buffer, in which lines may stand that came while the 30th was read
        rest, errors = scan.stdout.read(), scan.stderr.read()
    assert scan.returncode == 130
    assert errors == "sameish: stopped; what was read is stored\n"
    *pages, last = lines_of("".join(first) + rest)
    assert last["summary"]["interrupted"] is True
    assert last["summary"]["captures"] == len(pages) < len(make_crawl(1).captures) * 12
    verified = call("store", "verify")
    assert verified.exit_code == 0, verified.output
    # every page that was shown is remembered; a 304 is no capture
    shown = {(page["url"], page["fetched_at"]) for page in pages if page["status"] != 304}
    assert lines_of(call("stats", "--json").stdout)[0]["captures"] == len(shown)


def test_ctrl_c_while_waiting_for_standard_input(here: Path) -> None:
    terminal = Terminal(here, "scan", "-")
    time.sleep(1)
    terminal.interrupt()
    assert terminal.end() == 130
    assert "Traceback" not in terminal.output
    assert not (here / "sameish.db").exists()


@pytest.mark.parametrize("words", [("scan",), ("fingerprint", "--json")], ids=lambda words: str(words[0]))
def test_a_closed_pipe_ends_quietly(here: Path, archive: Path, words: tuple[str, ...]) -> None:
    process = subprocess.Popen(
        (*_LISTENING, *words, str(archive)), cwd=here, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    assert process.stderr is not None
    assert process.stdout.readline()
    process.stdout.close()
    with process.stderr as stream:
        assert stream.read() == ""
    assert process.wait(30) == 141


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
def test_a_full_disk_behind_the_output_is_a_message(here: Path) -> None:
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            (*_LISTENING, "compare", "a.html", "a.html"),
            cwd=here,
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
        )
    assert done.returncode == 3
    assert done.stderr.startswith("sameish: output: ")
    assert len(done.stderr.splitlines()) == 1
