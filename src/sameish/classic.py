"""The well-known recipe for callers: `from sameish import classic`."""

from __future__ import annotations

from sameish.fingerprint.classic import hash64, shingles, simhash, tokens

__all__ = ["hash64", "shingles", "simhash", "tokens"]
