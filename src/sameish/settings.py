"""Every option, in one documented object.

Read from a TOML file, then overridden by the environment: `SAMEISH_LOOKUP__WITHIN=6` sets `[lookup] within`. A section
`[site."example.com".judging]` holds for that site (registrable domain) only. A preset (`preset = "forum"`, for all or for a
site) stands for values that suit a kind of site; what the file names itself overrides it.
"""

from __future__ import annotations

import os
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Literal, TypeAlias

import msgspec

from sameish.errors import SettingsError
from sameish.presets import presets, spread_sites, with_presets

Share = Annotated[float, msgspec.Meta(ge=0.0, le=1.0)]
Bits = Annotated[int, msgspec.Meta(ge=0, le=64)]
Count = Annotated[int, msgspec.Meta(ge=0)]
PresetName: TypeAlias = Literal["news", "documentation", "forum", "shop"]
Positive = Annotated[int, msgspec.Meta(ge=1)]
Seconds = Annotated[float, msgspec.Meta(ge=1.0, le=3.2e9)]
Days = Annotated[float, msgspec.Meta(gt=0.0, le=36_500.0)]
Price = Annotated[float, msgspec.Meta(ge=0.0)]
Weight = Annotated[int, msgspec.Meta(ge=0, le=10)]


class _Section(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What all sections share: a name that is not known is an error."""


class Reading(_Section, frozen=True):
    """From bytes to sentences."""

    max_body_bytes: Positive = 20_000_000
    """A body that is larger, or becomes larger when decompressed, is refused."""
    remove: tuple[str, ...] = ()
    """CSS selectors of elements to remove in addition to the built-in ones."""
    keep: tuple[str, ...] = ()
    """CSS selectors of elements that no built-in rule may remove."""
    thin_words: Count = 25
    """A page with fewer words is `thin`: compared exactly, never by similarity."""


class Weights(_Section, frozen=True):
    """How much the parts of a page count: votes in the simhash. A part that weighs 0 is not compared at all."""

    title: Weight = 1
    headings: Weight = 1
    """The title is the headline: an `h1`, or the `<title>` of a page whose main content has no heading."""
    body: Weight = 1
    """Text in none of the other parts, the text of plain files, and what is read from a page's data."""
    captions: Weight = 1
    lists: Weight = 1
    code: Weight = 1
    tables: Weight = 1
    """Captions of figures and tables; items of lists, terms and definitions; preformatted text; cells of tables."""


class FingerprintSection(_Section, frozen=True):
    """From sentences to a fingerprint."""

    scheme: Literal["text", "classic"] = "text"
    """`classic` is the well-known recipe: every occurrence of a word votes, no sketch."""


class Judging(_Section, frozen=True):
    """From two fingerprints to a kind."""

    near_similarity: Share = 0.5
    """Share of the content in common from which two pages are the same article."""
    near_bits: Bits = 8
    """Hamming distance up to which two long pages count as near without the sketch's word."""
    classic_identical_bits: Bits = 3
    classic_near_bits: Bits = 8
    """The recipe's bands, used under the scheme `classic` only."""


class Lookup(_Section, frozen=True):
    """Which stored captures a page is compared with."""

    scope: Literal["site", "everywhere"] = "site"
    """Where near-duplicates are sought. Equal digests are found everywhere."""
    within: Bits = 16
    """Hamming distance up to which a stored capture is a candidate; the sketch then decides."""
    candidates: Positive = 32
    """How many of the nearest candidates are compared."""
    max_age_days: Annotated[float, msgspec.Meta(ge=0.0, le=36_500.0)] | None = None
    """Captures older than this are not looked up (None: all)."""
    half_life_days: Days | None = None
    """What a near capture of another page has in common counts half as much after so many days (None: age is nothing)."""
    classic_recent: Positive = 100
    """Under `classic`: how many of the site's most recent captures are looked at."""


class StoreSection(_Section, frozen=True):
    """What is kept."""

    keep_markdown: bool = True
    keep_sentences: bool = True
    """Needed for `Verdict.changes`."""
    several_schemes: bool = False
    """Allow a store to hold fingerprints of several schemes side by side."""
    keep_bodies: bool = True
    """Keep the bodies that are handed over, to answer with while a page is not due."""
    body_budget_bytes: Positive = 1_000_000_000
    """How much compressed bodies may take together; the oldest go first. None may take more than a tenth of it."""
    expire_after_days: Days | None = None
    """`store expire` and `Detector.expire` delete captures that are older (None: none for its age)."""
    site_budget: Positive | None = None
    """`store expire` and `Detector.expire` leave so many captures of a site, the newest of each page first (None: all)."""


class Gate(_Section, frozen=True):
    """Before the fetch."""

    first_interval_s: Seconds = 86_400.0
    """A page is due again so many seconds after its first visit; later its own changes decide."""
    shortest_interval_s: Seconds = 3_600.0
    longest_interval_s: Seconds = 2_592_000.0
    """Bounds of the time between two visits of a page."""
    audit_share: Share = 0.02
    """Share of the skips by learned rules, and of traps, that are fetched all the same, to see whether the rule is right."""
    max_wrong_skip_rate: Share = 0.01
    """A rule whose audits were wrong more often than this is revoked."""
    rule_max_age_days: Positive = 90
    """Evidence that is older counts no more."""
    wait_s: Annotated[float, msgspec.Meta(ge=0.0, le=3_600.0)] = 30.0
    """How long a request waits for another one of the same page that is under way."""


class Ledger(_Section, frozen=True):
    """What a request costs, to tell what was saved."""

    price_per_gb: Price = 0.0
    price_per_1000_requests: Price = 0.0
    """Both are added; a gigabyte is 10**9 bytes."""
    currency: str = "USD"


class SiteSettings(_Section, frozen=True):
    """What may differ from site to site."""

    reading: Reading | None = None
    weights: Weights | None = None
    judging: Judging | None = None
    lookup: Lookup | None = None
    gate: Gate | None = None
    preset: PresetName | None = None
    """Values that suit a kind of site; they override those for all sites."""


class Settings(_Section, frozen=True):
    """All options; the defaults are what the measurements in `docs/` were made with."""

    reading: Reading = Reading()
    weights: Weights = Weights()
    fingerprint: FingerprintSection = FingerprintSection()
    judging: Judging = Judging()
    lookup: Lookup = Lookup()
    store: StoreSection = StoreSection()
    gate: Gate = Gate()
    ledger: Ledger = Ledger()
    preset: PresetName | None = None
    """Values that suit a kind of site, in place of the defaults."""
    site: dict[str, SiteSettings] = {}

    def for_site(self, site: str) -> Settings:
        """Return the settings that hold on one site; `self` where it has no section of its own."""
        if (own := self.site.get(site)) is None:
            return self
        changed = {name: part for name in own.__struct_fields__ if (part := getattr(own, name)) is not None}
        return msgspec.structs.replace(self, **changed)


SettingsLike: TypeAlias = Settings | Mapping[str, Any] | str | Path | None
DEFAULT = Settings()


def load(settings: SettingsLike = None, environment: Mapping[str, str] | None = None) -> Settings:
    """Return settings from an object, a mapping, a TOML file, or (None) the file named by `SAMEISH_SETTINGS`, if any.

    Args:
        settings: what to read.
        environment: variables that override single settings; None means `os.environ`.

    Raises:
        SettingsError: a file that cannot be read, a wrong name, type or value; the message names the setting.
    """
    if isinstance(settings, Settings):
        return settings
    variables = os.environ if environment is None else environment
    overrides = [name for name in variables if name.startswith("SAMEISH_") and _is_override(name, variables)]
    if settings is None:
        settings = variables.get("SAMEISH_SETTINGS") or {}
        if not settings and not overrides:
            return DEFAULT
    where = "settings" if isinstance(settings, Mapping) else str(settings)
    if overrides:
        where = f"{where} and environment"
    tree = _tree_of(settings)
    for name in overrides:
        tree = _with(tree, name.removeprefix("SAMEISH_").lower().split("__"), variables[name])
    return _build(spread_sites(with_presets(tree)), where)


def _is_override(name: str, variables: Mapping[str, str]) -> bool:
    return "__" in name or (name == "SAMEISH_PRESET" and bool(variables[name]))


def _tree_of(settings: Any) -> dict[str, Any]:
    if isinstance(settings, Mapping):
        return dict(settings)
    if isinstance(settings, str | os.PathLike):
        return _read(Path(settings))
    raise SettingsError(f"settings: {type(settings).__name__} is neither Settings, a mapping nor the path of a file")


def _read(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text(encoding="utf-8-sig"))  # Windows' editors begin with a mark
    except OSError as error:
        raise SettingsError(f"settings file {path}: {error.strerror}") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise SettingsError(f"settings file {path}: {error}") from error


def _with(tree: dict[str, Any], names: list[str], value: str) -> dict[str, Any]:
    head, *rest = names
    below = tree.get(head)
    return {**tree, head: _with(below if isinstance(below, dict) else {}, rest, value) if rest else value}


def _build(tree: dict[str, Any], where: str) -> Settings:
    try:
        return msgspec.convert(tree, Settings, strict=False)
    except msgspec.ValidationError as error:
        raise SettingsError(f"{where}: {_in_full(str(error), tree)}") from error


def _in_full(message: str, tree: Mapping[str, Any]) -> str:
    """Add what the message leaves out: which site is meant, and which presets there are."""
    if "`$.site[...]" in message:
        message = message.replace("`$.site[...]", f'`$.site."{next(filter(None, map(_wrong, tree["site"].items())))}"')
    return f"{message}; there are {', '.join(presets())}" if message.endswith(".preset`") else message


def _wrong(site: tuple[str, object]) -> str:
    try:
        msgspec.convert(site[1], SiteSettings, strict=False)
    except msgspec.ValidationError:
        return site[0]
    return ""
