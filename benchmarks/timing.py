"""CPU time of interleaved runs: what else the machine does then hits all alike."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Mapping, Sequence
from typing import TypeVar

Item = TypeVar("Item")


def interleaved(
    steps: Mapping[str, Callable[[Item], object]], items: Sequence[Item], seed: int = 1
) -> dict[str, float]:
    """Return the mean CPU milliseconds of each step on an item; for every item the steps run in a new random order."""
    spent = dict.fromkeys(steps, 0.0)
    shuffler = random.Random(seed)
    names = list(steps)
    for name in names:
        steps[name](items[0])
    for item in items:
        shuffler.shuffle(names)
        for name in names:
            start = time.thread_time()
            steps[name](item)
            spent[name] += time.thread_time() - start
    return {name: 1000 * spent[name] / len(items) for name in steps}


def table(rows: Mapping[str, float], base: str, unit: str = "ms a page") -> None:
    """Print figures and their ratio to one of them."""
    width = max(map(len, rows))
    for name, figure in rows.items():
        print(f"  {name:{width}}  {figure:9.3f} {unit}  {figure / rows[base]:7.2f} x {base}")


def share_below(figures: Sequence[float], share: float) -> float:
    """Return the figure that this share of all figures, 0..1, does not exceed."""
    return sorted(figures)[min(int(share * len(figures)), len(figures) - 1)]
