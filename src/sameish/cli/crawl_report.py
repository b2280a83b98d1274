"""The report of the demo's crawls in words."""

from __future__ import annotations

from collections.abc import Iterator

from sameish.cli.output import bold, grey, number_of, one_line, say, share_of, size_of, style, table
from sameish.demo.live.findings import Findings
from sameish.demo.live.honesty import Honesty
from sameish.demo.live.report import Found, Missed, Report, Row
from sameish.demo.live.rounds import Way

_REASONS = {
    "url_rule": "by learned rules",
    "not_due": "not due yet",
    "static_key": "by canonical keys",
    "trap": "in traps",
}
_MARKS = {"prefix:": "/", "query:": "?"}
"""What stands before a name in a URL, by the kind of the aspect."""
_FAULTS = 20


def print_crawls(report: Report, seconds: float) -> None:
    """Print what a user wants to see, in 80 columns."""
    hosts, last = number_of(len(report.findings), "host"), report.rows[-1]
    say(f"An invented newspaper on {hosts} of 127.0.0.1, crawled over HTTP in {seconds:.0f} s:")
    say(f"{number_of(last.contents.of, 'article')}, each under five URLs or more (tracking, session, referrer, time,")
    say("print, AMP), eight requests at a time; between the crawls the clock is moved.")
    say("Without sameish each URL is fetched, and asked for again with its ETag, if any.")
    say()
    table(("", "", "requests", "bytes", report.prices.currency, "contents", "edits", "new", "lost"),
          list(_rows(report)), right=(2, 3, 4, 5, 6, 7, 8))  # fmt: skip
    say()
    prices = report.prices
    say(f"Counted at the servers; {prices.price_per_1000_requests:.2f} {prices.currency} per 1,000 requests and "
        f"{prices.price_per_gb:.2f} per GB.")  # fmt: skip
    say("Contents, edits, new: of all there are by then, how many the crawler has as they")
    say("are now, from this crawl or an earlier one. Lost: it never got them at all.")
    _print_hidden(report)
    say()
    _print_hosts(report)
    say()
    _print_faults(report)


def _rows(report: Report) -> Iterator[tuple[str, ...]]:
    for row in report.rows:
        name = row.round if row.way is Way.WITHOUT else ""
        yield name, row.way, *_cost(row.requests, row.bytes, row.money), *_finds(row)
    for way, sums in report.sums.items():
        cost = _cost(sums.requests, sums.bytes, sums.money)
        yield tuple(bold(cell) for cell in ("together" if way is Way.WITHOUT else "", way, *cost))
    without, spared = report.sums[Way.WITHOUT], report.sums[Way.WITH]
    shares = (spared.requests / without.requests, spared.bytes / without.bytes, spared.money / without.money)
    yield "", "share", *(share_of(share, 1) for share in shares)


def _cost(requests: int, size: int, money: float) -> tuple[str, str, str]:
    return f"{requests:,}", size_of(size), f"{money:.2f}"


def _finds(row: Row) -> tuple[str, ...]:
    lost = style(f"{row.lost:,}", "red" if row.lost else None)
    return _share(row.contents), _share(row.edits), _share(row.new), lost


def _share(some: Found) -> str:
    if not some.of:
        return ""
    return style(f"{some.found:,}/{some.of:,}", "red" if some.found < some.of else None)


def _print_hosts(report: Report) -> None:
    rows = [(one.host, str(one.honesty), _believed(one)) for one in report.findings]
    table(("host", "its validators", "what was found out"), rows)
    say()
    table(
        ("host", "makes no difference in a URL", "makes one"),
        [(one.host, _names(one.rules), _names(one.matters)) for one in report.findings],
    )
    say()
    saved = {reason: sum(one.saved.get(reason, 0) for one in report.findings) for reason in _REASONS}
    parts = ", ".join(f"{count:,} {_REASONS[reason]}" for reason, count in saved.items() if count)
    audits, wrong = (sum(counts) for counts in zip(*((one.audits, one.wrong) for one in report.findings), strict=True))
    say(f"Not requested: {parts}.")
    say(f"Fetched all the same, to audit rules while they are new: {audits:,}; {wrong:,} were wrong.")


def _believed(one: Findings) -> str:
    if one.distrusted_until is not None:
        return f"lies: not sent back until {one.distrusted_until:%Y-%m-%d}"
    if one.useless_etags:
        return "useless: not sent back any more"
    if one.honesty is Honesty.SILENT:
        return "nothing to ask with"
    return f"believed: {number_of(one.not_modified, 'answer')} 304"


def _names(aspects: tuple[str, ...]) -> str:
    """Return aspects as they stand in URLs; those of a single value are left out."""
    return " ".join(
        mark + aspect.removeprefix(kind)
        for kind, mark in _MARKS.items()
        for aspect in aspects
        if aspect.startswith(kind) and "=" not in aspect
    )


def _print_hidden(report: Report) -> None:
    """Say why crawls miss edits: a host hides them that answers 304 whatever happens."""
    liars = ", ".join(one.host for one in report.findings if one.honesty is Honesty.FROZEN)
    if not liars:
        return
    without, spared = (
        ", then ".join(f"{sum(one.is_hidden for one in row.missed):,}" for row in report.rows[2:] if row.way is way)
        for way in (Way.WITHOUT, Way.WITH)
    )
    say(f"Edits are missed where a host lies: {liars} answers 304 for what has changed.")
    say(f"That hid {without} pages without sameish; {spared} with it, which noticed.")


def _print_faults(report: Report) -> None:
    if not report.faults:
        say("With sameish nothing was lost; in the end all edits and new pages were found.")
        return
    say(bold(number_of(len(report.faults), "fault")))
    for one in report.faults[:_FAULTS]:
        say(f"  {_what(one)}  {one.host} {one_line(one.address)}")
    if len(report.faults) > _FAULTS:
        say(grey(f"  ... {len(report.faults) - _FAULTS} more"))


def _what(one: Missed) -> str:
    return "lost   " if one.is_lost else "not new"
