"""`sameish calibrate`: thresholds that suit pages of your own."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

import click

from sameish.cli import options
from sameish.cli.calibrations import print_fit
from sameish.cli.documented import Documented
from sameish.cli.errors import NO, UNREADABLE, Refused, complain
from sameish.cli.jsonlines import plain, print_json
from sameish.cli.labelled_pairs import complain_of_none, judge_file
from sameish.cli.output import one_line, say
from sameish.cli.stores import existing
from sameish.evaluation.fitting import Fit, fit
from sameish.evaluation.from_store import captures_of, judged_of
from sameish.evaluation.settings_file import Changes, write_thresholds
from sameish.fingerprint.schemes import scheme_of
from sameish.judging.calibrate import NEEDED, is_enough, telling
from sameish.judging.labelled import Judged
from sameish.settings import Settings, load


@click.command(
    "calibrate",
    cls=Documented,
    example="sameish calibrate pairs.jsonl --settings sameish.toml\n"
    "sameish calibrate --store crawl.db --by-site --settings sameish.toml",
)
@click.argument("pairs", metavar="[PAIRS]", required=False)
@options.root
@click.option("--store", metavar="FILE", help="Learn from the captures in a store, in place of PAIRS.")
@click.option("--by-site", is_flag=True, help="Choose for every site that has pairs enough, too.")
@click.option("--dry-run", is_flag=True, help="Print what would be written, and write nothing.")
@options.jobs
@click.option(
    "--settings",
    metavar="FILE",
    help="The settings file to begin from and to write; else the one that SAMEISH_SETTINGS names.",
)
@options.as_json
def command(
    pairs: str | None, root: str | None, store: str | None, by_site: bool, dry_run: bool, jobs: int | None,
    settings: str | None, as_json: bool,
) -> None:  # fmt: skip
    """Fit the thresholds to pages of your own.

    Learns near_similarity and near_bits from labelled pairs (the file that sameish evaluate takes), or from a store:
    captures of one URL belong together, other URLs of the site apart. Prints the errors before and after, on what was
    held out, and writes into the settings file what is better; nothing else in it changes. The exit code is 1
    where there are too few pairs to say.
    """
    if (pairs is None) is (store is None):
        raise Refused("name a file of pairs, or a store with --store, and not both")
    if store is not None and root is not None:
        raise Refused("--root is for paths in PAIRS; a store has none")
    target = settings or os.environ.get("SAMEISH_SETTINGS")
    loaded = load(settings if settings is None or Path(settings).exists() else {})
    if loaded.fingerprint.scheme == "classic":
        raise Refused("the bands of the scheme classic are the recipe's own; calibrate knows those of the scheme text")
    judged, faults = (
        _judged_pairs(pairs, root, jobs, loaded) if pairs is not None else (_stored_pairs(store or "", loaded), 0)
    )
    if not is_enough(judged):
        complain(_too_few(judged))
        click.get_current_context().exit(UNREADABLE if faults else NO)
    found = fit(judged, loaded, by_site=by_site)
    written = target if found.changes() and target is not None and not dry_run else None
    if written is not None:
        write_thresholds(Path(written), found.changes())
        _warn_of_variables(found.changes())
    if as_json:
        print_json({**plain(found), "changes": found.changes(), "written": written})
    else:
        print_fit(found)
        say(_outcome(found, target, dry_run=dry_run))
    click.get_current_context().exit(UNREADABLE if faults else 0)


def _judged_pairs(path: str, root: str | None, jobs: int | None, settings: Settings) -> tuple[list[Judged], int]:
    found = judge_file(path, root, settings, jobs=jobs)
    if not found.judged:
        complain_of_none(found, path, root)
        click.get_current_context().exit(UNREADABLE)
    return found.judged, found.faults


def _stored_pairs(target: str, settings: Settings) -> list[Judged]:
    scheme = scheme_of(settings.fingerprint.scheme, settings)
    with existing(target, settings, any_scheme=False) as detector:
        return judged_of(captures_of(detector.store, scheme), settings)


def _too_few(judged: Sequence[Judged]) -> str:
    together, apart = map(len, telling(judged))
    return (
        f"too few pairs to choose thresholds: {together} of one article that differ in some words and {apart} of two "
        f"articles; {NEEDED} of each are needed. Nothing was written"
    )


def _warn_of_variables(changes: Changes) -> None:
    """Say which written values do not hold as long as a variable overrides them."""
    names = [f"SAMEISH_JUDGING__{name.upper()}" for name in changes.get("", {})]
    for name in filter(os.environ.get, names):
        complain(f"{name} is set and overrides what was written; unset it")


def _outcome(found: Fit, target: str | None, *, dry_run: bool) -> str:
    if not found.changes():
        return "Nothing to write: no other thresholds are better on what was held out."
    if target is None:
        return "Not written: name the settings file with --settings."
    return f"{'Would be written' if dry_run else 'Written'}: {one_line(target)}"
