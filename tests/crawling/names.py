"""What the parameters and path variants of a site are called."""

from __future__ import annotations

from dataclasses import dataclass, replace

from sameish.demo.words import different_words, lot


@dataclass(frozen=True, slots=True)
class Names:
    """The names of one site; all of them differ.

    Without effect anywhere: `tracking` (two that come together), `session`, `timestamp`, `referrer` (parameters),
    `path_parameter` (`;name=value`), `suffix` (`/a/SUFFIX`), `prefix` (`/PREFIX/a`), `index` (`/a/INDEX`).
    With effect: `identifier`, `page`, `choice`; `mixed` has one on the path shape of `guide` only.
    The remaining ones are first path segments: `sections` (of plain articles), `script`, `series`, `region`, `guide`,
    `archive` (the plain index of links), `calendar` (with the parameter `month`).
    """

    tracking: tuple[str, str]
    session: str
    timestamp: str
    referrer: str
    path_parameter: str
    suffix: str
    prefix: str
    index: str
    identifier: str
    page: str
    choice: str
    mixed: str
    sections: tuple[str, ...]
    script: str
    series: str
    region: str
    guide: str
    archive: str
    calendar: str
    month: str


def drawn(seed: int) -> Names:
    """Names that are on no list."""
    first, second, *words = different_words(lot(seed, "names"), 25)
    left = iter(words)
    return Names(
        tracking=(first, second),
        session=next(left),
        timestamp=next(left),
        referrer=next(left),
        path_parameter=next(left),
        suffix=next(left),
        prefix=next(left),
        index=f"{next(left)}.html",
        identifier=next(left),
        page=next(left),
        choice=next(left),
        mixed=next(left),
        sections=tuple(next(left) for _ in range(5)),
        script=next(left),
        series=next(left),
        region=next(left),
        guide=next(left),
        archive=next(left),
        calendar=next(left),
        month=next(left),
    )


def well_known(seed: int) -> Names:
    """Names that many sites have; the first path segments are drawn all the same."""
    return replace(
        drawn(seed),
        tracking=("utm_source", "utm_campaign"),
        session="PHPSESSID",
        timestamp="ts",
        referrer="ref",
        path_parameter="jsessionid",
        suffix="print",
        prefix="amp",
        index="index.html",
        identifier="id",
        page="page",
        choice="region",
        mixed="view",
        month="month",
    )


def listed(seed: int) -> Names:
    """As `well_known`, but every parameter without effect on all shapes is on the usual lists."""
    return replace(well_known(seed), timestamp="fbclid", referrer="gclid")
