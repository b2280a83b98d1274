"""How sure an answer is: the chance that its kind is right, learned from labelled pairs of real pages.

Most steps are right equally often whatever they measured; for them the share of right answers is the confidence. A
near-duplicate is another matter: the small difference may be noise that was not recognised. Two things tell. The more
words changed, the likelier it is a real edit; the further the two DOMs are apart, the likelier it is a new template
around the same article. A logistic curve over these two is as good as any over more of what is measured.

The numbers stand in `confidence.toml`, which `scripts/learn_confidence.py` writes. They hold for pairs mixed as the ones
they were learned from; where most reloads bring nothing but noise, `near_duplicate` is right less often than it says.
"""

from __future__ import annotations

import math
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from sameish.models import Comparison, ComparisonKind

RESOURCE = "confidence.toml"
BYTES_EQUAL, BYTES_NOT_EQUAL = 1.0, 0.5
"""Equal bytes are the same for certain; of unequal ones nothing was measured: a PDF that was made anew differs, too."""
_LOWEST, _HIGHEST = 0.01, 0.99
"""So sure can some hundreds of pairs make, no surer."""


@dataclass(frozen=True, slots=True)
class NearCurve:
    """The chance that a near-duplicate is one, as a logistic curve.

    `.constant`, `.log_changed_words` (a factor of the natural logarithm of the words changed, plus one), `.structure_bits`
    (a factor of the Hamming distance of the structure hashes): they are summed to the logarithm of the odds.
    """

    constant: float
    log_changed_words: float = 0.0
    structure_bits: float = 0.0

    def at(self, changed_words: float, structure_bits: float) -> float:
        """Return the chance, 0.01 to 0.99."""
        log_odds = (
            self.constant + self.log_changed_words * math.log1p(changed_words) + self.structure_bits * structure_bits
        )
        return min(_HIGHEST, max(_LOWEST, 1 / (1 + math.exp(-max(-30.0, min(30.0, log_odds))))))


@dataclass(frozen=True, slots=True)
class Model:
    """What was learned: for each step the share of right answers, for near-duplicates a curve."""

    steps: Mapping[str, float]
    near: NearCurve

    def of_step(self, step: str) -> float:
        """Return the confidence of what a step answers, at most 0.99; 0.5 for one of which nothing was learned."""
        return min(_HIGHEST, self.steps.get(step, 0.5))

    def of(self, comparison: Comparison) -> float:
        """Return the confidence of an answer, from the step that decided and what it measured."""
        step = step_of(comparison)
        if step == "undetermined":
            return 0.0
        if step == "bytes":
            return comparison.confidence
        if step == "near":
            return self.near.at(changed_words(comparison.signals), comparison.signals["structure_bits"])
        return self.of_step(step)


def step_of(comparison: Comparison) -> str:
    """Return the name under which answers of one sort are counted: `exact`, `near`, `different`, `thin`, `bytes`, ..."""
    head = comparison.reason.partition(":")[0]
    if comparison.kind is ComparisonKind.UNDETERMINED:
        return "undetermined"
    if head == "classic":
        return f"classic_{comparison.kind}"
    if head in ("thin", "bytes"):
        return head
    names = {ComparisonKind.IDENTICAL: "exact", ComparisonKind.NEAR_DUPLICATE: "near"}
    return names.get(comparison.kind, "different")


def changed_words(signals: Mapping[str, float]) -> float:
    """Return how many words stand in sentences that only one page has."""
    return signals["only_a_words"] + signals["only_b_words"]


def model_of(text: str) -> Model:
    """Return the model that a TOML text holds."""
    tree = tomllib.loads(text)
    return Model(tree["steps"], NearCurve(**tree["near"]))


def text_of(model: Model, head: str) -> str:
    """Return a model as TOML under a comment of some lines."""
    lines = [f"# {line}" for line in head.splitlines()]
    lines += ["", "# right answers of each step, as (right + 1) / (all + 2)", "[steps]"]
    lines += [f"{name} = {value:.4f}" for name, value in sorted(model.steps.items())]
    lines += ["", "# the logarithm of the odds that a near-duplicate is one", "[near]"]
    lines += [f"{name} = {getattr(model.near, name):.4f}" for name in model.near.__slots__]
    return "\n".join(lines) + "\n"


@cache
def shipped() -> Model:
    """Return the model that comparisons use."""
    from importlib.resources import files  # noqa: PLC0415  # slow to load, and who only fingerprints compares nothing

    return model_of(files("sameish.judging").joinpath(RESOURCE).read_text(encoding="utf-8"))
