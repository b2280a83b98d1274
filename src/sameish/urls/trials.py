"""How often to fetch although rules say that it is known: more often where they know little."""

from __future__ import annotations

from collections.abc import Collection

from sameish.urls.acting import Acting, aspect_of
from sameish.urls.rule_states import has_values
from sameish.urls.shapes import path_shape

_NEW_SHAPE = {True: 0.7, False: 0.2}
_FEW_VALUES = 0.15
_TRIED = 50


def learning_share(acting: Acting, reduced: str, used: Collection[str]) -> float:
    """Return the share of skips that should be fetched all the same, 0..1, because they rest on a guess.

    - A rule that is new to this path shape: for a parameter 0.7 of `1 / (1 + shapes)`, where it was shown on so many
      shapes, all alike; that is about the chance that the next shape is another (Laplace's rule of succession). For
      others 0.2 of it: what is of the path, host or scheme is seldom read by one program alone.
    - A parameter with few values: 0.15 by the number of values. Sort orders, views and languages matter on some
      pages only, while what only tracks has many values. Less after fifty pairs that agreed.

    Args:
        acting: rules of the site.
        reduced: class key of the URL.
        used: rules that led to it.
    """
    shape = path_shape(reduced)
    shares = [0.0]
    for name in used:
        evidence, rule = acting.read[aspect_of(name)]
        shapes = [one for one, found in evidence.shapes.items() if found.agreed]
        if shape not in shapes:
            shares.append(_NEW_SHAPE[has_values(name)] / (1 + len(shapes)))
        if rule.general and has_values(name):
            agreed = sum(found.agreements for found in evidence.shapes.values())
            shares.append(_FEW_VALUES / max(1, len(rule.known)) * min(1.0, _TRIED / max(1, agreed)))
    return max(shares)
