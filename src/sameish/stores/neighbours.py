"""Near look-ups by scheme: the Hamming index with sites as names, shared by the stores."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from itertools import groupby
from operator import itemgetter
from typing import NamedTuple

from sameish.index.scoped_index import Row, Scope, ScopedIndex


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


class Neighbours:
    """One Hamming index a scheme, so that fingerprints of two schemes never meet."""

    def __init__(self, entries: Iterable[Entry] = ()) -> None:
        self._indexes: dict[Hashable, ScopedIndex] = {}
        self._sites: dict[str, int] = {}
        self.extend(entries)

    def extend(self, entries: Iterable[Entry]) -> None:
        """Take entries in; of one call, those of a scheme best stand together."""
        for scheme, group in groupby(entries, key=itemgetter(0)):
            index = self._indexes.setdefault(scheme, ScopedIndex())
            index.extend([self._row(entry) for entry in group])

    def _row(self, entry: Entry) -> Row:
        site = self._sites.setdefault(entry.site, len(self._sites))
        return Row(entry.id, entry.simhash, site, entry.page, entry.at)

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
