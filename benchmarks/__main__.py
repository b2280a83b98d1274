"""Run benchmarks.

python -m benchmarks [NAME ...]                                           those that need no data; all without a name
python -m benchmarks sharing                                              takes minutes, so only where it is named
python -m benchmarks recipe|ablation|weighing PAIRS.jsonl [--root FOLDER]  those on labelled pairs
"""

from __future__ import annotations

import argparse
import sys
from importlib import import_module
from pathlib import Path

from benchmarks.labelled import Library, PairsError

BENCHMARKS = ("fingerprinting", "storing", "deciding", "neighbours")
LONG = ("sharing",)
ON_PAIRS = ("recipe", "ablation", "weighing")


def main(words: list[str]) -> int:
    """Run the named benchmarks, or all that need no data."""
    if words and words[0] in ON_PAIRS:
        return _run_on_pairs(words[0], words[1:])
    unknown = [name for name in words if name not in BENCHMARKS + LONG]
    if unknown:
        there = f"{', '.join(BENCHMARKS + LONG)}, and on labelled pairs {', '.join(ON_PAIRS)}"
        print(f"no benchmark {', '.join(unknown)}; there are {there}", file=sys.stderr)
        return 2
    for name in words or BENCHMARKS:
        print(f"\n{name}")
        import_module(f"benchmarks.{name}").run()  # one of them needs a peer that the others do without
    return 0


def _run_on_pairs(name: str, words: list[str]) -> int:
    parser = argparse.ArgumentParser(prog=f"python -m benchmarks {name}")
    parser.add_argument("pairs", type=Path, metavar="PAIRS.jsonl", help="labelled pairs, one JSON object a line")
    parser.add_argument("--root", type=Path, metavar="FOLDER", help="where paths start; else the folder of the pairs")
    given = parser.parse_args(words)
    try:
        library = Library(given.pairs, given.root)
        print(f"{name}: {len(library.pairs):,} pairs of {len(library.names):,} pages", file=sys.stderr)
        import_module(f"benchmarks.{name}").run(library)
    except PairsError as error:
        print(error, file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
