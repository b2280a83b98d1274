"""From laid-out lines to what is compared: calm them, cut them, set noise aside."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

import msgspec

from sameish.models import IgnoredNoise
from sameish.reading import missing, noise, sentences
from sameish.reading.words import text_word_count

WEIGHTLESS: Final = "weight 0"
"""What stands in place of a noise pattern where the settings leave a part of the page out."""
_PROSE = 200
"""A line with more characters is a paragraph."""


class Line(msgspec.Struct, frozen=True, gc=False):
    """A line before it is calmed: how much it weighs (0: not compared), and whether it is mostly a link."""

    text: str
    weight: int = 1
    linked: bool = False


@dataclass(slots=True)
class Calmed:
    """Calm sentences with their weights, in parallel, and the noise that was set aside."""

    sentences: list[str] = field(default_factory=list)
    weights: list[int] = field(default_factory=list)
    noise: list[IgnoredNoise] = field(default_factory=list)

    def add(self, other: Calmed) -> None:
        """Append the sentences of another that are not there yet, with their weights."""
        there = set(self.sentences) if other.sentences else ()
        for sentence, weight in zip(other.sentences, other.weights, strict=True):
            if sentence not in there:
                self.sentences.append(sentence)
                self.weights.append(weight)

    @property
    def words(self) -> int:
        """Their number of words."""
        return text_word_count(self.text)

    @property
    def text(self) -> str:
        """The sentences, one a line."""
        return "\n".join(self.sentences)

    def compared(self, least: int) -> Calmed:
        """Return this without the sentences that weigh nothing; they are noise of the pattern `weight 0`.

        Where fewer words than `least` would be left, nothing is left out: a page that is nothing but a table is that table.
        """
        if all(self.weights):
            return self
        found = Calmed(noise=list(self.noise))
        for sentence, weight in zip(self.sentences, self.weights, strict=True):
            if weight:
                found.sentences.append(sentence)
                found.weights.append(weight)
            else:
                found.noise.append(IgnoredNoise(sentence, WEIGHTLESS))
        if found.words >= least:
            return found
        return Calmed(self.sentences, [max(1, weight) for weight in self.weights], self.noise)


def calm_lines(lines: Sequence[Line]) -> Calmed:
    """Calm and cut lines; set noise aside."""
    found = Calmed()
    if not lines:
        return found
    for line, pieces in zip(lines, sentences.calm_and_cut("\n".join([line.text for line in lines])), strict=True):
        if len(line.text) <= _PROSE:
            _set_noise_aside(found, line, pieces)
        else:  # noise stands by itself: what is said in the middle of a paragraph belongs to it
            found.sentences += pieces
            found.weights += [line.weight] * len(pieces)
    return found


def _set_noise_aside(found: Calmed, line: Line, pieces: Sequence[str]) -> None:
    in_prose = False
    for sentence in pieces:
        pattern = noise.noise_pattern(sentence, linked=line.linked)
        said = sentence
        # a date that goes on with its line ("due on Fri. 3 June.") is part of what the line says
        if pattern is not None and not (in_prose and pattern == "date line"):
            found.noise.append(IgnoredNoise(sentence, pattern))
            if pattern != "missing address":
                continue
            said = missing.without_what_is_missing(sentence)  # that it is missing is said all the same
        found.sentences.append(said)
        found.weights.append(line.weight)
        in_prose = True
