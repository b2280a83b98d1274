"""What differs between two pages, in words: sentences, noise, boilerplate."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby

from sameish.cli.differences import Line, Repetition, runs
from sameish.cli.ignored import Ignored, Removed
from sameish.cli.meanings import NOISE
from sameish.cli.output import bold, grey, number_of, one_line, say, style, table
from sameish.cli.paragraphs import LONGEST, say_under, shortened, without_end, without_start
from sameish.cli.wording import Part, edited_words

_MOST_LINES, _MOST_OF_A_RUN, _MOST_NOISE = 60, 8, 4
"""How many sentences are shown unless everything is wanted: of all, of neighbours of one kind, of a noise pattern."""
_AROUND = 60
"""Characters of unchanged text that are shown on each side of a changed word."""
_MOST_PARTS = 30
"""Changed and unchanged stretches of a long sentence that are shown."""
_NO_BOUND = 10**9
_ALL = "--all prints everything"


@dataclass(frozen=True, slots=True)
class _Look:
    sign: str
    colour: str | None
    meaning: str
    remark: str = ""


_LOOKS = {
    "edited": _Look("*", "yellow", "edited"),
    "removed": _Look("-", "red", "only in A"),
    "added": _Look("+", "green", "only in B"),
    "moved": _Look(">", "cyan", "moved", "; the order of sentences does not count"),
    "recut": _Look("=", "bright_black", "cut into other sentences", "; the same words, no change of the wording"),
    "common": _Look(" ", None, "in common"),
}


def print_summary(lines: Sequence[Line], repeated: Sequence[Repetition]) -> None:
    """Print how many sentences are of which kind, and what does not count."""
    counts = Counter(line.kind for line in lines)
    say(bold("Sentences"))
    for kind, look in _LOOKS.items():
        if counts[kind] or kind == "common":
            say(f"{style(look.sign, look.colour)} {counts[kind]:>5,} {look.meaning}{look.remark}")
    in_a, in_b = (sum(max(0, times - 1) for times in side) for side in _times(repeated))
    if in_a or in_b:
        say(f"  {in_a + in_b:>5,} repeated ({in_a:,} in A, {in_b:,} in B); a repetition does not count")


def _times(repeated: Sequence[Repetition]) -> tuple[list[int], list[int]]:
    return [one.a for one in repeated], [one.b for one in repeated]


def print_differences(lines: Iterable[Line], *, everything: bool) -> None:
    """Print sentences as a diff; unless everything is wanted a bounded number, and only how many are in common."""
    left = _NO_BOUND if everything else _MOST_LINES
    unseen = 0
    for kind, run in runs(lines):
        if not left:
            unseen += len(run) if kind != "common" else 0
        elif kind == "common" and not everything:
            say(grey(f"  ... {number_of(len(run), 'sentence')} in common"))
        else:
            room = _room(len(run), min(left, _MOST_OF_A_RUN), everything=everything)
            _print_run(kind, run, room, everything=everything)
            left = max(0, left - room)
    if unseen:
        say(grey(f"  ... {number_of(unseen, 'more difference')} below; {_ALL}"))


def _print_run(kind: str, run: Sequence[Line], room: int, *, everything: bool) -> None:
    for line in run[:room]:
        _print_line(line, everything=everything)
    if len(run) > room:
        say(grey(f"{_LOOKS[kind].sign} ... {len(run) - room:,} more {_LOOKS[kind].meaning}; {_ALL}"))


def _room(count: int, most: int, *, everything: bool) -> int:
    """Return how many of so many are shown; a single one that is left over takes no more room than a line that says so."""
    return count if everything or count <= most + 1 else most


def _print_line(line: Line, *, everything: bool) -> None:
    look, most = _LOOKS[line.kind], _NO_BOUND if everything else LONGEST
    text = _text_of(line, most)
    if line.kind != "edited":
        text = style(one_line(text), look.colour)
    if line.kind == "moved":
        text += f"  [sentence {line.place_a:,} in A, {line.place_b:,} in B]"
    if line.kind == "recut":
        text += f"  [{number_of(len(line.before), 'sentence')} in A, {len(line.after):,} in B]"
    say_under(style(f"{look.sign} ", look.colour), text)


def _text_of(line: Line, most: int) -> str:
    if line.kind == "edited":
        return _marked(edited_words(line.before[0], line.after[0]), most)
    if line.kind == "recut":
        return shortened(" / ".join(line.before if len(line.before) > len(line.after) else line.after), most)
    return shortened(line.text, most)


def _marked(parts: Sequence[Part], most: int) -> str:
    """Return an edited sentence with `[-removed-]` and `{+added+}` words; in a long one only what is around them."""
    is_long = sum(len(part.text) for part in parts) > most
    shown = parts[:_MOST_PARTS] if is_long else parts
    text = "".join(
        _marked_part(part.kind, _around(part, place, len(parts), most) if is_long else part.text)
        for place, part in enumerate(shown)
    )
    return text if len(shown) == len(parts) else f"{text}[...]"


def _around(part: Part, place: int, parts: int, most: int) -> str:
    if part.kind != "common":
        return shortened(part.text, most)
    if place == 0:
        return without_start(part.text, _AROUND)
    return without_end(part.text, _AROUND) if place == parts - 1 else shortened(part.text, 2 * _AROUND)


def _marked_part(kind: str, text: str) -> str:
    clean = one_line(text)
    bare = clean.rstrip()
    space = clean[len(bare) :]
    if kind == "removed":
        return style(f"[-{bare}-]", "red") + space
    return style(f"{{+{bare}+}}", "green") + space if kind == "added" else clean


def print_repetitions(repeated: Iterable[Repetition], *, everything: bool) -> None:
    """Print the sentences that stand more often on one page than on the other; all repeated ones if everything is wanted."""
    told = [one for one in repeated if everything or 0 < one.a != one.b > 0]
    if not told:
        return
    say(bold("\nRepeated: a repetition does not count"))
    room = _room(len(told), _MOST_OF_A_RUN, everything=everything)
    for one in told[:room]:
        say_under(f"  {one.a:>3,}x in A, {one.b:>3,}x in B  ", one_line(shortened(one.text)))
    if len(told) > room:
        say(grey(f"  ... {len(told) - room:,} more; {_ALL}"))


def print_noise(noise: Sequence[Ignored], *, everything: bool) -> None:
    """Print what was ignored as noise, by pattern, with the reason; first what only one page has."""
    if noise:
        say(bold("\nNoise: sentences that were ignored, and why"))
    for pattern, found in groupby(noise, key=lambda one: one.pattern):
        texts = sorted(found, key=lambda one: bool(one.a and one.b))
        say_under("~ ", f"{bold(pattern)}: {NOISE[pattern]}")
        room = _room(len(texts), _MOST_NOISE, everything=everything)
        for one in texts[:room]:
            where = f"    {'A' if one.a else ' '} {'B' if one.b else ' '}  "
            say_under(where, grey(one_line(shortened(one.text))))
        if len(texts) > room:
            say(grey(f"    ... {len(texts) - room:,} more; {_ALL}"))


def print_boilerplate(removed: Iterable[Removed]) -> None:
    """Print how many elements each rule took out of each page, and what the rule is for."""
    rows = [(f"  {one.rule}", f"{one.a:,}", f"{one.b:,}", one.meaning) for one in removed]
    if rows:
        say(bold("\nBoilerplate: elements that were removed, and the rule"))
        table(("", "A", "B", ""), rows, right=(1, 2))
