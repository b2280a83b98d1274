"""`sameish decide`: before the fetch."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator

import click

from sameish.cli import options
from sameish.cli.documented import Documented
from sameish.cli.inputs import STDIN
from sameish.cli.jsonlines import plain, print_json
from sameish.cli.output import grey, kind, one_line, say
from sameish.cli.stores import existing
from sameish.models import FetchAction, FetchDecision
from sameish.settings import load

_WIDTH = max(len(name) for name in FetchAction)


@click.command("decide", cls=Documented, example="sameish decide https://example.com/ --store crawl.db")
@click.argument("urls", metavar="URL...", nargs=-1, required=True)
@options.store
@options.settings
@options.as_json
def command(urls: tuple[str, ...], store: str, settings: str | None, as_json: bool) -> None:
    """Say whether to fetch URLs again.

    For each URL: fetch it, revalidate it (with the request headers that are printed), audit it (a URL rule says that it is
    known; fetch it all the same), or skip it, and why. - reads URLs from standard input, one a line. Nothing is requested
    and nothing is stored.
    """
    loaded = load(settings)
    with existing(store, loaded) as detector:
        gate = detector.gate  # whoever only asks saves nothing: it does not count
        for url in _listed(urls):
            decision = gate.decide(url)
            if as_json:
                print_json({"url": url, **plain(decision)})
            else:
                _print(url, decision)


def _listed(urls: Iterable[str]) -> Iterator[str]:
    for url in urls:
        if url != STDIN:
            yield url
            continue
        yield from (line.strip() for line in sys.stdin or () if line.strip())


def _print(url: str, decision: FetchDecision) -> None:
    parts = [kind(decision.action, _WIDTH), one_line(url)]
    if decision.same_as is not None and decision.same_as != url:
        parts.append(f"= {one_line(decision.same_as)}")
    say("  ".join((*parts, grey(f"({one_line(decision.reason)})"))))
    for name, value in decision.request_headers.items():
        say(f"{'':<{_WIDTH}}  {name}: {one_line(value)}")
