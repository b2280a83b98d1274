"""What was saved, read off the ledger of a store: pure, and in lines for people."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from sameish.amounts import number_of, share_of, size_of
from sameish.gate.journal import GIVEN_BACK, SAVED
from sameish.settings import Ledger
from sameish.stores.gate_state import Entry
from sameish.urls.bounds import upper_bound

_BY_RULE = "url_rule"
_ANSWERED = ("fetched", "asked", "redirected")
"""Entries of requests that were sent: answered with a body, with 304, with a redirect to a page that is known."""
_WORDS = {
    "not_due": "not due yet",
    "not_modified": "not modified (304)",
    "static_key": "the same by its static key",
    _BY_RULE: "the same by a URL rule",
    "trap": "in a trap",
}
"""The order is that of the table; a reason that is not here stands below, as it is named."""
_GIGABYTE = 10**9


@dataclass(frozen=True, slots=True)
class Saved:
    """Requests that were not sent for one reason, and bytes of bodies that were not received."""

    requests: int = 0
    bytes: int = 0


@dataclass(frozen=True, slots=True)
class Savings:
    """What was saved, what was spent, and what that may have cost.

    Args:
        requests_saved: that were not sent.
        bytes_saved: of bodies that were not received, by the size of each when it was received last.
        by_reason: the same by reason: `not_due`, `not_modified` (no request less, but a body), `static_key`, `url_rule`,
            `trap`; only those that occurred. What was given back, as its rule proved wrong, is not among them.
        audits: fetches although URL rules said that the page is known, within an hour of the one that it was compared with.
        audits_undecided: such fetches that are not counted: later ones, since of those that find another content none can be
            told from an edit, and those of pages that cannot be compared.
        wrong_skips: audits that found another content.
        rules_revoked: how often a rule that acted was stopped, for good or until fresh evidence speaks for it.
        requests_fetched: that were sent, those answered with 304 included.
        bytes_fetched: of bodies that were received.
        money_saved: by the prices of the settings, in `currency`; None where no price is set.
        currency: of the prices.
        wrong_skip_rate: share of audits that found another content, 0..1; None without audits.
        upper_bound: of that share, 0..1, at 95 % confidence, one-sided and exact (`sameish.urls.bounds`).
        requests_lost: estimate of requests saved by URL rules that would have brought another content; None without audits
            to tell.
        requests_lost_at_most: the same by the upper bound.
    """

    requests_saved: int = 0
    bytes_saved: int = 0
    by_reason: Mapping[str, Saved] = field(default_factory=dict)
    audits: int = 0
    audits_undecided: int = 0
    wrong_skips: int = 0
    rules_revoked: int = 0
    requests_fetched: int = 0
    bytes_fetched: int = 0
    money_saved: float | None = None
    currency: str = ""
    wrong_skip_rate: float | None = None
    upper_bound: float = 1.0
    requests_lost: float | None = None
    requests_lost_at_most: float = 0.0


def savings_of(entries: Iterable[Entry], prices: Ledger | None = None, *, site: str | None = None) -> Savings:
    """Return what entries of a ledger come to.

    Args:
        entries: as `sameish.stores.gate_state.GateStore.ledger` returns them.
        prices: of requests and bytes; None: there are none.
        site: only of this site; None: of all.
    """
    chosen = [entry for entry in entries if site is None or entry.site == site]
    requests: Counter[str] = Counter()
    sizes: Counter[str] = Counter()
    for entry in chosen:
        requests[entry.name] += entry.requests
        sizes[entry.name] += entry.size_bytes
    by_reason = {name: _saved(name, requests, sizes) for name in _reasons(requests)}
    saved = Saved(sum(one.requests for one in by_reason.values()), sum(one.bytes for one in by_reason.values()))
    audits, wrong = requests["audit"], min(requests["wrong_skip"], requests["audit"])
    rate, bound = (wrong / audits if audits else None), upper_bound(wrong, audits)
    by_rules = by_reason.get(_BY_RULE, Saved()).requests
    return Savings(
        requests_saved=saved.requests,
        bytes_saved=saved.bytes,
        by_reason=by_reason,
        audits=audits,
        audits_undecided=requests["audit_undecided"],
        wrong_skips=wrong,
        rules_revoked=requests["rule_revoked"],
        requests_fetched=sum(requests[name] for name in _ANSWERED),
        bytes_fetched=sum(sizes[name] for name in _ANSWERED),
        money_saved=None if prices is None else _money(saved, prices),
        currency="" if prices is None else prices.currency,
        wrong_skip_rate=rate,
        upper_bound=bound,
        requests_lost=0.0 if not by_rules else None if rate is None else rate * by_rules,
        requests_lost_at_most=bound * by_rules,
    )


def since(before: Iterable[Entry], after: Iterable[Entry]) -> list[Entry]:
    """Return what was added to a ledger between two readings, by all who write to the store."""
    sums = {(entry.site, entry.name): entry for entry in before}
    found: list[Entry] = []
    for entry in after:
        old = sums.get((entry.site, entry.name), Entry(entry.site, entry.name, 0))
        more = Entry(entry.site, entry.name, entry.requests - old.requests, entry.size_bytes - old.size_bytes)
        if more.requests or more.size_bytes:
            found.append(more)
    return found


def lines(savings: Savings) -> list[str]:
    """Return a table of what was saved, of at most 80 columns where the numbers are not immense, without colours.

    No lines where nothing was fetched or saved.
    """
    if not savings.requests_fetched and not savings.by_reason and not savings.rules_revoked:
        return []
    return [*_table(savings), *_money_line(savings), *_risk(savings)]


def _reasons(names: Iterable[str]) -> list[str]:
    found = {name.removeprefix(SAVED) for name in names if name.startswith(SAVED)}
    return [*(name for name in _WORDS if name in found), *sorted(found - _WORDS.keys())]


def _saved(name: str, requests: Mapping[str, int], sizes: Mapping[str, int]) -> Saved:
    """Return what was saved for a reason, and not given back: of that, the size is not known, and taken for the mean."""
    skipped, size_bytes = requests[SAVED + name], sizes[SAVED + name]
    kept = max(0, skipped - requests[GIVEN_BACK + name])
    return Saved(kept, size_bytes if kept == skipped else size_bytes * kept // skipped)


def _money(saved: Saved, prices: Ledger) -> float | None:
    if not prices.price_per_gb and not prices.price_per_1000_requests:
        return None
    return saved.bytes / _GIGABYTE * prices.price_per_gb + saved.requests / 1_000 * prices.price_per_1000_requests


def _table(savings: Savings) -> Iterator[str]:
    requests, sizes = savings.requests_saved, savings.bytes_saved
    rows = [
        ("", "requests", "bytes"),
        ("fetched", f"{savings.requests_fetched:,}", size_of(savings.bytes_fetched)),
        ("saved", f"{requests:,}", size_of(sizes)),
        *((f"  {_WORDS.get(name, name)}", *_cells(one)) for name, one in savings.by_reason.items()),
        (
            "saved of all",
            share_of(requests, requests + savings.requests_fetched),
            share_of(sizes, sizes + savings.bytes_fetched),
        ),
    ]
    yield from _aligned(rows)


def _cells(saved: Saved) -> tuple[str, str]:
    """Return what is not 0: a 304 saves no request, a trap no bytes that anybody knows."""
    return (f"{saved.requests:,}" if saved.requests else "", size_of(saved.bytes) if saved.bytes else "")


def _aligned(rows: Sequence[tuple[str, str, str]]) -> Iterator[str]:
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for name, *numbers in rows:
        cells = (f"{number:>{width}}" for number, width in zip(numbers, widths[1:], strict=True))
        yield "  ".join((f"{name:<{widths[0]}}", *cells)).rstrip()


def _money_line(savings: Savings) -> Iterator[str]:
    if savings.money_saved is not None:
        yield f"Money saved: {savings.money_saved:,.2f} {savings.currency}".rstrip()


def _risk(savings: Savings) -> Iterator[str]:
    by_rules = savings.by_reason.get(_BY_RULE, Saved()).requests
    if not by_rules and not savings.audits and not savings.rules_revoked:
        return
    undecided = f" and {savings.audits_undecided:,} that cannot tell" if savings.audits_undecided else ""
    yield (
        f"URL rules: {number_of(savings.audits, 'audit')}{undecided}, {number_of(savings.wrong_skips, 'wrong skip')}; "
        f"{number_of(savings.rules_revoked, 'rule')} stopped"
    )
    if savings.requests_lost is None:
        yield f"Lost by URL rules: not known without audits, of {number_of(by_rules, 'request')}"
    elif by_rules:
        about = f"about {savings.requests_lost:,.0f}" if savings.wrong_skips else "none that audits found"
        yield f"Lost by URL rules: {about} of {number_of(by_rules, 'request')} ({savings.wrong_skip_rate:.1%}),"
        yield f"  at most {savings.requests_lost_at_most:,.0f} ({savings.upper_bound:.1%}) with 95 % confidence"
