"""Checks a store with all that the gate knows of what it holds."""

from __future__ import annotations

from sameish.gate import memory, schedules
from sameish.stores.base import Store
from sameish.stores.verification import Checked, States

STATES = States(site=memory.decode, visit=schedules.decode)
"""What reads the states that a store holds for the gate."""


def verify(store: Store, told: Checked | None = None) -> list[str]:
    """Return all faults of a store in words, states that the gate cannot read among them.

    Args:
        store: is checked; nothing in it is changed.
        told: is told now and then how many rows were checked.

    Raises:
        StoreError: the store cannot be asked.
    """
    return store.verify(states=STATES, told=told)
