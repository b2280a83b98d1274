"""httpx and httpx2 are one API under two names: which of them a request belongs to, and classes that are both libraries' own."""

from __future__ import annotations

import sys
from functools import lru_cache
from importlib import import_module
from importlib.util import find_spec
from typing import Any

NAMES = ("httpx", "httpx2")


def require() -> None:
    """Make sure that there is a library to be used with.

    Raises:
        ImportError: neither is installed; the message names the extras.
    """
    if not any(_is_there(name) for name in NAMES):
        raise ImportError(
            'httpx is not installed: pip install "sameish[httpx]", or "sameish[httpx2]" for httpx2', name="httpx"
        )


def _is_there(name: str) -> bool:
    # None stands there for what must not be imported
    return sys.modules[name] is not None if name in sys.modules else find_spec(name) is not None


def library_of(thing: object) -> Any:
    """Return the module, `httpx` or `httpx2`, that a request is of.

    Raises:
        TypeError: it is of neither.
    """
    for kind in type(thing).__mro__:
        name = kind.__module__.partition(".")[0]
        if name in NAMES:
            return import_module(name)
    raise TypeError(f"{type(thing).__name__} is no request of {' or '.join(NAMES)}")


def as_own(kind: type, base: str) -> type:
    """Return a class made a subclass also of the base class of that name in the libraries that are in use.

    Others look for it: wrappers with `isinstance`, and the clients themselves at streams.
    """
    loaded = [name for name in NAMES if sys.modules.get(name)]
    used = [import_module(name) for name in loaded or [name for name in NAMES if _is_there(name)][:1]]
    # `httpx2.alias_httpx()` makes the two one
    return _made(kind, tuple(dict.fromkeys(getattr(library, base) for library in used)))


@lru_cache
def _made(kind: type, bases: tuple[type, ...]) -> type:
    missing = tuple(base for base in bases if not issubclass(kind, base))
    namespace = {"__module__": kind.__module__, "__qualname__": kind.__qualname__, "__doc__": kind.__doc__}
    return type(kind.__name__, (kind, *missing), namespace) if missing else kind
