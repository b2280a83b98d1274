"""`sameish scan`: the main job."""

from __future__ import annotations

from typing import Any

import click

import sameish
from sameish.cli import options, scanning
from sameish.cli.documented import Documented
from sameish.cli.errors import INTERRUPTED, UNREADABLE, complain, end_line
from sameish.cli.inputs import pages_of
from sameish.cli.jsonlines import print_json, verdict_fields
from sameish.cli.output import say
from sameish.cli.progress import Progress
from sameish.cli.tally import Tally
from sameish.cli.verdicts import print_summary, print_totals, print_verdict
from sameish.errors import SameishError, StoreError
from sameish.models import Page, Verdict
from sameish.settings import load
from sameish.stores.base import StoreTotals
from sameish.stores.targets import shown


@click.command(
    "scan",
    cls=Documented,
    example="sameish scan crawl.warc.gz --store crawl.db\n"
    "curl -s https://example.com/ | sameish scan - --url https://example.com/",
)
@click.argument("paths", metavar="PATH...", nargs=-1, required=True)
@options.store
@options.settings
@click.option("--url", metavar="URL", help="The address of the page, where PATH holds one page.")
@click.option("--quiet", "-q", is_flag=True, help="Print the summary only.")
@options.as_json
def command(
    paths: tuple[str, ...], store: str, settings: str | None, url: str | None, quiet: bool, as_json: bool
) -> None:
    """Read pages, say what each is, and remember it.

    PATH is an HTML, text or Markdown file, a WARC, WACZ or JSON Lines file (each may be compressed), a folder with such
    files, or - for standard input. What cannot be read is named on standard error and the scan goes on; the exit code
    is 3 then. A capture that is stored already is not stored again. Ctrl-C stops between two pages.
    """
    scan = _Scan(paths, store, quiet=quiet, as_json=as_json)
    scan.run(settings, url)
    click.get_current_context().exit(scan.code)


class _Scan:
    """One run: what it shows, counts and ends with."""

    def __init__(self, paths: tuple[str, ...], store: str, *, quiet: bool, as_json: bool) -> None:
        self.code = 0
        self._paths, self._store, self._quiet, self._as_json = paths, store, quiet, as_json
        self._tally = Tally()
        self._totals: StoreTotals | None = None
        self._progress = Progress(self._tally, paths)

    def run(self, settings: str | None, url: str | None) -> None:
        """Scan until the end, Ctrl-C or the store's refusal, and print the summary of what was done."""
        loaded = load(settings)
        found = pages_of(self._paths, loaded, self._skip)
        try:
            with self._progress:
                # a store is made for pages only, not for a misspelt name
                pages = scanning.waited_for(found if url is None else scanning.with_url(found, url))
                if pages:
                    with sameish.open(self._store, loaded) as detector:
                        self._observe(pages, detector)
        except KeyboardInterrupt:
            self.code = INTERRUPTED
            end_line()
            complain("stopped; what was read is stored")
        except StoreError as error:
            self.code = UNREADABLE
            complain(error)
            if not self._tally.captures:
                return
        self._print_summary()

    def _observe(self, pages: scanning.Found, detector: sameish.Detector) -> None:
        try:
            scanning.observe_all(pages, detector, self._tally, show=self._show, on_error=self._skip)
        finally:
            self._totals = detector.store.totals()

    def _show(self, path: str, page: Page, verdict: Verdict) -> None:
        if not self._quiet:
            self._progress.clear()
            if self._as_json:
                print_json(_line(page, verdict))
            else:
                print_verdict(page, verdict)
        self._progress.show(path)

    def _skip(self, error: SameishError) -> None:
        self.code = UNREADABLE
        self._tally.skip(error)
        self._progress.clear()
        complain(error)

    def _print_summary(self) -> None:
        if self._as_json:
            print_json({"summary": self._summary()})
            return
        if not self._quiet and self._tally.captures:
            say()
        print_summary(self._tally)
        if self._totals is not None:
            print_totals(self._store, self._totals)

    def _summary(self) -> dict[str, Any]:
        tally = self._tally
        return {
            "captures": tally.captures,
            "bytes": tally.bytes,
            "needless_bytes": tally.needless_bytes,
            "stored_already": tally.stored_already,
            "by_verdict": tally.by_verdict,
            "bytes_by_verdict": tally.bytes_by_verdict,
            "undetermined": tally.undetermined,
            "skipped": tally.skipped,
            "seconds": round(tally.seconds, 3),
            "interrupted": self.code == INTERRUPTED,
            "store": shown(self._store),
            "totals": self._totals,
        }


def _line(page: Page, verdict: Verdict) -> dict[str, Any]:
    about = {"url": page.url, "fetched_at": page.fetched_at, "status": page.status}
    return about | verdict_fields(verdict)
