"""`sameish store info`: what a store is."""

from __future__ import annotations

import click

from sameish.cli import options
from sameish.cli.documented import Documented
from sameish.cli.jsonlines import plain, print_json
from sameish.cli.output import number_of, one_line, say, size_of
from sameish.cli.stores import existing
from sameish.settings import load
from sameish.stores.base import StoreInfo


@click.command("info", cls=Documented, example="sameish store info --store crawl.db")
@options.store
@options.settings
@options.as_json
def command(store: str, settings: str | None, as_json: bool) -> None:
    """Say what a store is.

    Its kind, place, format and size, the schemes of its fingerprints, and the time that its captures span.
    """
    with existing(store, load(settings)) as detector:
        info = detector.store.info()
    if as_json:
        print_json(plain(info))
    else:
        _print(info)


def _print(info: StoreInfo) -> None:
    schemes = ", ".join(f"{name} ({number_of(count, 'capture')})" for name, count in info.schemes.items())
    for name, value in (
        ("kind", info.kind),
        ("place", one_line(info.target)),
        ("format", str(info.schema_version)),
        ("size", size_of(info.size_bytes)),
        ("captures", f"{info.captures:,}"),
        ("schemes", one_line(schemes) or "none"),
        ("first", info.first_fetched.isoformat() if info.first_fetched else "-"),
        ("last", info.last_fetched.isoformat() if info.last_fetched else "-"),
    ):
        say(f"{name:<8}  {value}")
