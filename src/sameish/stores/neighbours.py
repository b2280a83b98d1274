"""Near look-ups by scheme: an index for each, with sites as names, shared by the stores."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from itertools import groupby
from operator import itemgetter
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from sameish.index.scanning import Hashes, Numbers
from sameish.index.scoped_index import Row, RowArrays, Scope, ScopedIndex


class Entry(NamedTuple):
    """A capture that can be found by distance.

    `.scheme`: any hashable. `.page`: a number a key, higher for keys known later. `.at`: in microseconds.
    """

    scheme: Hashable
    id: int
    simhash: int
    site: str
    page: int
    at: int


class EntryArrays(NamedTuple):
    """The same of many captures, in parallel, without an object for any; `.sites` are places in `.site_names`."""

    site_names: Sequence[str]
    sites: Numbers
    schemes: Numbers
    ids: Numbers
    simhashes: Hashes
    pages: Numbers
    at: Numbers


class Neighbours:
    """One index a scheme, so that fingerprints of two schemes never meet."""

    def __init__(self, entries: Iterable[Entry] = ()) -> None:
        self._indexes: dict[Hashable, ScopedIndex] = {}
        self._sites: dict[str, int] = {}
        self.extend(entries)

    def extend(self, entries: Iterable[Entry]) -> None:
        """Take entries in; of one call, those of a scheme best stand together."""
        for scheme, group in groupby(entries, key=itemgetter(0)):
            self._index(scheme).extend([self._row(entry) for entry in group])

    def extend_arrays(self, batches: Sequence[EntryArrays]) -> None:
        """Take in many entries, at a tenth of what they cost one by one."""
        if not batches:
            return
        sites = [self._site_numbers(batch.site_names)[batch.sites] for batch in batches]
        of_sites, schemes, ids, simhashes, pages, at = map(_joined, [sites, *list(zip(*batches, strict=True))[2:]])
        for scheme in dict.fromkeys(schemes.tolist()):
            rows = RowArrays(ids, simhashes, of_sites, pages, at)
            of_it = schemes == scheme
            if not of_it.all():
                rows = RowArrays(*(column[of_it] for column in rows))
            self._index(scheme).extend_arrays(rows)

    def _index(self, scheme: Hashable) -> ScopedIndex:
        return self._indexes.setdefault(scheme, ScopedIndex())

    def _site_numbers(self, names: Sequence[str]) -> Numbers:
        return np.array([self._sites.setdefault(name, len(self._sites)) for name in names], np.int64)

    def _row(self, entry: Entry) -> Row:
        site = self._sites.setdefault(entry.site, len(self._sites))
        return Row(entry.id, entry.simhash, site, entry.page, entry.at)

    def ids(self) -> Numbers:
        """Return the ids of all entries, in any order."""
        return np.concatenate([np.empty(0, np.int64), *(index.ids() for index in self._indexes.values())])

    def remove(self, ids: Numbers | Sequence[int]) -> None:
        """Take entries out, as far as they are there."""
        if len(ids):
            for index in self._indexes.values():
                index.remove(ids)

    def retain(self, ids: Numbers) -> None:
        """Take out all entries but these, of which there may be more than are known."""
        known = self.ids()
        self.remove(known[~np.isin(known, ids)])

    def search(
        self,
        scheme: Hashable,
        simhash: int,
        within: int,
        limit: int,
        *,
        site: str | None = None,
        since: int | None = None,
        recent: int | None = None,
        other_than: int | None = None,
    ) -> list[tuple[int, int]]:
        """Return (id, distance) of at most `limit` entries, one a page, nearest first, then lowest page.

        Of a page's entries the nearest is returned, of equally near ones that with the highest id.

        Args:
            scheme: only entries of this scheme.
            simhash: unsigned 64-bit integer.
            within: Hamming distance, 0..64, inclusive.
            limit: at most so many pages.
            site: only entries of this site.
            since: only entries fetched then or later, in microseconds.
            recent: only so many of the most recently fetched of these.
            other_than: no entries of this page.
        """
        index = self._indexes.get(scheme)
        number = None if site is None else self._sites.get(site)
        if index is None or (site is not None and number is None):
            return []
        ids, distances = index.search(simhash, within, Scope(number, since, other_than, recent))
        count = max(limit, 0)
        return list(zip(ids[:count].tolist(), distances[:count].tolist(), strict=True))


def _joined(columns: Sequence[NDArray[Any]]) -> NDArray[Any]:
    return columns[0] if len(columns) == 1 else np.concatenate(columns)


def places(names: Sequence[str]) -> tuple[list[str], Numbers]:
    """Return distinct names, and for each of those given its place among them."""
    distinct = {name: place for place, name in enumerate(dict.fromkeys(names))}
    return list(distinct), np.fromiter(map(distinct.__getitem__, names), np.int64, len(names))
