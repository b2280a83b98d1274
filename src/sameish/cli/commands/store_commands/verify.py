"""`sameish store verify`: is all well?"""

from __future__ import annotations

import click

from sameish.cli import options
from sameish.cli.documented import Documented
from sameish.cli.errors import NO
from sameish.cli.jsonlines import print_json
from sameish.cli.output import number_of, one_line, say
from sameish.cli.store_progress import StoreProgress
from sameish.cli.stores import existing
from sameish.errors import StoreError, StoreUnavailable
from sameish.gate.checking import verify
from sameish.settings import load
from sameish.stores.base import Store
from sameish.stores.targets import shown


@click.command("verify", cls=Documented, example="sameish store verify --store crawl.db")
@options.store
@options.settings
@options.as_json
def command(store: str, settings: str | None, as_json: bool) -> None:
    """Check a store for faults.

    Checks everything that can be checked and changes nothing. The exit code is 0 where there are no faults, else 1.
    """
    with existing(store, load(settings)) as detector:
        with StoreProgress() as progress:
            progress.tell("checking the file")  # which takes a while before the first row is
            faults = verify(detector.store, lambda rows: progress.tell(f"{number_of(rows, 'row')} checked"))
        captures = _captures(detector.store, faults)
    if as_json:
        print_json({"store": shown(store), "captures": captures, "faults": faults})
    elif faults:
        for fault in faults:
            say(one_line(fault))
        say(f"{one_line(shown(store))}: {number_of(len(faults), 'fault')}")
    else:
        say(f"{one_line(shown(store))}: no faults in {number_of(captures or 0, 'capture')}")
    click.get_current_context().exit(NO if faults else 0)


def _captures(store: Store, faults: list[str]) -> int | None:
    """Return how many captures there are; None where damage, which is then among the faults, keeps them from being counted."""
    try:
        return store.info().captures
    except StoreUnavailable:
        raise
    except StoreError as error:
        if not faults:
            faults.append(str(error))
        return None
