"""What a store knows of sites, in tables."""

from __future__ import annotations

from collections.abc import Sequence

from sameish.cli.output import bold, number_of, one_line, say, style, table
from sameish.gate.ledger import lines
from sameish.gate.overview import HostRow, SiteOverview, TrapRow, Trust
from sameish.urls.rule_rows import RuleRow
from sameish.urls.standings import RuleState

_STATE_COLOURS = {
    RuleState.LEARNING: "bright_black",
    RuleState.ACTIVE: "green",
    RuleState.SUSPENDED: "yellow",
    RuleState.REVOKED: "red",
}
_TRUST_COLOURS = {
    Trust.UNKNOWN: "bright_black",
    Trust.TRUSTED: "green",
    Trust.USELESS: "yellow",
    Trust.DISTRUSTED: "red",
}


def name_of(site: str) -> str:
    """Return the name of a site as it is printed; pages without a URL are on none."""
    return one_line(site) or "(no site)"


def print_sites(found: Sequence[SiteOverview]) -> None:
    """Print a line for each site."""
    rows = [
        (
            name_of(one.site),
            f"{one.captures:,}",
            f"{one.pages:,}",
            f"{one.rules_acting:,}",
            f"{one.savings.requests_saved:,}",
            f"{one.savings.audits:,}",
            f"{one.savings.wrong_skips:,}",
        )
        for one in found
    ]
    headers = ("site", "captures", "pages", "rules", "requests saved", "audits", "wrong")
    table(headers, rows, right=range(1, len(headers)))


def print_site(one: SiteOverview, hosts: Sequence[HostRow], traps: Sequence[TrapRow]) -> None:
    """Print what is known of one site, but for its rules one by one."""
    captures, pages = number_of(one.captures, "capture"), number_of(one.pages, "page")
    say(f"Site: {name_of(one.site)}: {captures} of {pages}; {number_of(one.rules_acting, 'URL rule')} acting")
    for line in lines(one.savings):
        say(line)
    if hosts:
        _print_hosts(hosts)
    if traps:
        _print_traps(traps)


def print_rules(rules: Sequence[RuleRow]) -> None:
    """Print a row for each rule and path shape of which anything speaks for the rule."""
    say(bold("URL rules"))
    shown = [row for row in rules if row.evidence_for or row.state is not RuleState.LEARNING]
    if shown:
        _print_rules(shown)
    else:
        say("  nothing learned yet")
    others = len({row.rule for row in rules} - {row.rule for row in shown})
    if others:
        say(f"  and {number_of(others, 'difference')} that made another page of it each time (--json lists them)")


def _print_rules(rules: Sequence[RuleRow]) -> None:
    rows = [
        (
            f"  {one_line(row.rule)}",
            one_line(row.shape),
            f"{row.evidence_for:,}",
            f"{row.evidence_against:,}",
            f"{row.audits:,}",
            f"{row.wrong:,}",
            "-" if row.wrong_skip_rate is None else f"{row.wrong_skip_rate:.1%}",
            f"{row.upper_bound:.1%}" if row.audits else "-",
            style(row.state, _STATE_COLOURS[row.state]),
        )
        for row in rules
    ]
    headers = ("  rule", "path shape", "for", "against", "audits", "wrong", "rate", "at most", "state")
    table(headers, rows, right=range(2, 8))


def _print_hosts(hosts: Sequence[HostRow]) -> None:
    say(bold("Hosts, and how far what they send is believed"))
    rows = [
        (
            f"  {one_line(host.host)}",
            _trust(host.etag.trust),
            _trust(host.last_modified.trust),
            _trust(host.last_modified_alone.trust),
            _trust(host.not_modified),
        )
        for host in hosts
    ]
    table(("  host", "ETag", "Last-Modified", "without ETag", "304"), rows)
    for host in hosts:
        if host.shared_etags:
            say(f"  {one_line(host.host)} sends one ETag for several contents: another URL's is not asked for")
        if host.own_etags:
            say(f"  {one_line(host.host)} makes an ETag for each URL of a content: another URL's is not asked for")


def _trust(trust: Trust) -> str:
    return style(trust, _TRUST_COLOURS[trust])


def _print_traps(traps: Sequence[TrapRow]) -> None:
    say(bold("Traps"))
    rows = [(f"  {one.kind}", f"{one.fetched:,}", f"{one.skipped:,}", one_line(one.family)) for one in traps]
    table(("  kind", "fetched", "skipped", "family"), rows, right=(1, 2))
