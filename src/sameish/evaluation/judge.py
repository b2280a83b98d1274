"""From labelled pairs to judged ones: every distinct page is fingerprinted once, then each pair is compared."""

from __future__ import annotations

import multiprocessing
import os
import signal
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass, replace
from functools import partial
from itertools import islice
from pathlib import Path
from typing import TypeAlias

from sameish.errors import SameishError, SourceError
from sameish.evaluation.pairs import Pair
from sameish.judging.compare import compare_fingerprints
from sameish.judging.labelled import Judged
from sameish.models import Fingerprint, Page
from sameish.settings import Settings
from sameish.sources import read_pages
from sameish.sources.inputs import trouble
from sameish.stateless import fingerprint

PageName: TypeAlias = tuple[Path, str | None]
_PAYS = 200
"""With fewer pages more processes cost more to start than they save."""
_CHUNK = 16


@dataclass(frozen=True, slots=True)
class Printed:
    """A page's fingerprint as bytes, or why there is none."""

    page: PageName
    data: bytes | None
    fault: str = ""


def pages_of(pairs: Iterable[Pair]) -> list[PageName]:
    """Return every distinct page of the pairs once, in order."""
    sides = (side for pair in pairs for side in ((pair.a, pair.url_a), (pair.b, pair.url_b)))
    return list(dict.fromkeys(sides))


def repeats_of(pairs: Iterable[Pair]) -> list[tuple[Pair, Pair]]:
    """Return the pairs whose two pages another pair has named already, each with the first that did."""
    first: dict[frozenset[PageName], Pair] = {}
    found = [(pair, first.setdefault(frozenset(pages_of([pair])), pair)) for pair in pairs]
    return [(pair, before) for pair, before in found if pair is not before]


def jobs_for(pages: int, wanted: int | None) -> int:
    """Return in how many processes so many pages are read: as many as wanted, else as pays."""
    if wanted is not None:
        return wanted
    return (os.cpu_count() or 1) if pages >= _PAYS else 1


def print_pages(pages: Sequence[PageName], settings: Settings, jobs: int = 1) -> Iterator[Printed]:
    """Yield the fingerprint of each page, in order; what cannot be read has none and says why."""
    work = partial(print_page, settings=settings)
    if jobs <= 1:
        yield from map(work, pages)
        return
    # a child that begins anew, not as a copy, inherits no thread and no open store
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(jobs, mp_context=context, initializer=_leave_interrupts) as pool:
        try:
            yield from pool.map(work, pages, chunksize=_CHUNK)
        except BrokenProcessPool as error:
            raise SourceError("a process that read pages was ended from outside; try --jobs 1") from error
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)  # else leaving the block would read all pages first
            raise


def _leave_interrupts() -> None:
    """Ctrl-C reaches every process of a terminal; the first one ends the others."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def print_page(page: PageName, settings: Settings) -> Printed:
    """Return the fingerprint of the one page in a file."""
    path, url = page
    try:
        found = _only_page(path, settings)
        known = found if url is None else replace(found, url=url)
        return Printed(page, fingerprint(known, settings=settings).to_bytes())
    except SameishError as error:
        return Printed(page, None, str(error) if str(path) in str(error) else f"{path}: {error}")


def _only_page(path: Path, settings: Settings) -> Page:
    errors: list[SourceError] = []
    found = list(islice(read_pages(path, settings=settings, on_skip=errors.append), 2))
    if len(found) > 1:
        raise trouble(str(path), None, "there are several pages in it; a pair names files with one")
    if not found:
        raise errors[0] if errors else trouble(str(path), None, "there is no page in it")
    return found[0]


def judge_pairs(
    pairs: Iterable[Pair],
    printed: Iterable[Printed],
    settings: Settings,
    *,
    loose: Collection[str] = (),
    on_fault: Callable[[str], None],
) -> list[Judged]:
    """Return the pairs with their answers; those with a page that cannot be read are left out.

    Args:
        pairs: to judge, with the thresholds of their sites.
        printed: the fingerprints of all their pages.
        settings: options.
        loose: sub-kinds whose pairs may also be answered otherwise (`sameish.judging.labelled.ALSO_RIGHT`).
        on_fault: called once with each page that cannot be read.
    """
    prints: dict[PageName, Fingerprint] = {}
    for one in printed:
        if one.data is None:
            on_fault(one.fault)
        else:
            prints[one.page] = Fingerprint.from_bytes(one.data)
    return [
        _judged(pair, a, b, settings, loose)
        for pair in pairs
        if (a := prints.get((pair.a, pair.url_a))) is not None and (b := prints.get((pair.b, pair.url_b))) is not None
    ]


def _judged(pair: Pair, a: Fingerprint, b: Fingerprint, settings: Settings, loose: Collection[str]) -> Judged:
    return Judged(
        label=pair.label,
        site=pair.site,
        comparison=compare_fingerprints(a, b, settings.for_site(pair.site).judging),
        words=min(a.words, b.words),
        a=str(pair.a),
        b=str(pair.b),
        sub=pair.sub,
        name=pair.name,
        loose=pair.sub in loose,
    )
