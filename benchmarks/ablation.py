"""What each part of the default scheme is worth: the same pairs with one setting changed at a time."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

import msgspec

from benchmarks.labelled import Library
from benchmarks.measuring import Way, measure, print_results
from benchmarks.recipe import by_scheme
from sameish.settings import DEFAULT, load

Variant: TypeAlias = tuple[str, Mapping[str, Any]]
"""A name, and settings that differ from the default."""


def every_option(section: str, value: object) -> list[Variant]:
    """Return a variant for each option of a section of the settings, set to a value; none where there is no such section."""
    options = getattr(DEFAULT, section, None)
    names = [field.name for field in msgspec.structs.fields(options)] if isinstance(options, msgspec.Struct) else []
    return [(f"{section}.{name} = {value}", {section: {name: value}}) for name in names]


VARIANTS: tuple[Variant, ...] = (
    ("as it is", {}),
    ("no page is thin", {"reading": {"thin_words": 0}}),
    ("nothing near by the sketch", {"judging": {"near_similarity": 1.0}}),
    ("near from 30 % in common", {"judging": {"near_similarity": 0.3}}),
    ("near from 70 % in common", {"judging": {"near_similarity": 0.7}}),
    ("no floor under the near bits", {"judging": {"near_bits": 0}}),
    ("near bits at least 16", {"judging": {"near_bits": 16}}),
    *every_option("weights", 0),
)
"""What is left out, or set otherwise. A part of a page that weighs 0 does not count."""


def ways(variants: Sequence[Variant] = VARIANTS) -> list[Way]:
    """Return a way for each variant; the environment's settings do not count.

    Raises:
        SettingsError: a variant names a setting that does not exist, or gives it a wrong value.
    """
    return [by_scheme(name, "text", load(settings, environment={})) for name, settings in variants]


def run(library: Library) -> None:
    """Print a row for each variant."""
    print_results(measure(ways(), library), library)
