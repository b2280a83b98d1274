"""Learn how sure answers are, from labelled pairs of real pages, and write it to `src/sameish/judging/confidence.toml`.

    python scripts/learn_confidence.py PAIRS.jsonl --root FOLDER --source "what the pairs are"

Run it when a scheme or the thresholds changed: the shares then move. The file of pairs is what `sameish evaluate` takes.
What the numbers are worth is printed: the reliability table over answers whose model was learned on other sites. Where a
line or a page cannot be read nothing is written: what is left is no longer the mixture that the head names.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

import msgspec

from sameish.errors import SourceError
from sameish.evaluation.judge import judge_pairs, pages_of, print_pages
from sameish.evaluation.pairs import Pair, read_pairs
from sameish.judging import confidence, learning, measures
from sameish.judging.labelled import Judged
from sameish.settings import DEFAULT, FingerprintSection, Settings

TARGET = Path(confidence.__file__).with_name(confidence.RESOURCE)
CLASSIC = msgspec.structs.replace(DEFAULT, fingerprint=FingerprintSection(scheme="classic"))


def main(words: Sequence[str], target: Path = TARGET) -> int:
    """Read pairs, learn, write; return 0, or 1 where something could not be read and nothing was written."""
    options = _options(words)
    faults: list[object] = []
    pairs: list[Pair] = []
    try:
        pairs = [pair for pair in read_pairs(options.pairs, options.root, faults.append) if not pair.undecidable]
        judged, classic = (_judge(pairs, settings, faults) for settings in (DEFAULT, CLASSIC))
    except SourceError as error:
        faults.append(error)
    if faults or not pairs:
        told = faults or [f"{options.pairs}: there is no pair in it"]
        sys.stderr.writelines(f"{line}\n" for line in [*told, "Nothing was written."])
        return 1
    target.write_text(confidence.text_of(learning.learn([*judged, *classic]), _head(options.source, judged)), "utf-8")
    _print_reliability(judged)
    return 0


def _options(words: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("pairs")
    parser.add_argument("--root")
    parser.add_argument("--source", required=True, help="for the head of the file: where the pairs are from")
    return parser.parse_args(words)


def _judge(pairs: Sequence[Pair], settings: Settings, faults: list[object]) -> list[Judged]:
    return judge_pairs(pairs, print_pages(pages_of(pairs), settings), settings, on_fault=faults.append)


def _head(source: str, judged: Sequence[Judged]) -> str:
    return (
        f"How sure answers are: written by scripts/learn_confidence.py, do not edit.\n"
        f"Learned from {source}: {len(judged):,} pairs of {len({one.site for one in judged}):,} sites."
    )


def _print_reliability(judged: Sequence[Judged]) -> None:
    bins = measures.reliability(measures.claims(judged, learning.folded(judged)))
    for one in bins:
        sys.stdout.write(f"{one.low:.2f}-{one.high:.2f}  {one.answers:5}  {one.confidence:.3f}  {one.right:.3f}\n")
    sys.stdout.write(f"apart on average: {measures.gap(bins):.3f}\n")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
