"""Two fingerprints in, one comparison out. The first step that can decide decides.

1. States: nothing is said of empty or blocked pages, nor across schemes.
2. Digest: equal digests have the same sentences.
3. Sketch: the same sentences, cut elsewhere, are the same wording.
4. Exact only: where a page is thin or no text, what is not equal is different.
5. Similarity: the share of words in common sentences, or for short pages the distance of the simhashes.

Under the scheme `classic` the recipe's fixed bands decide alone.
"""

from __future__ import annotations

from sameish.fingerprint import sketch
from sameish.fingerprint.simhash import hamming_distance
from sameish.judging.confidence import BYTES_EQUAL, BYTES_NOT_EQUAL, changed_words, shipped
from sameish.judging.thresholds import expected_similarity, near_bits
from sameish.models import Comparison, ComparisonKind, Fingerprint, State
from sameish.settings import DEFAULT, Judging

_MUTE = (State.EMPTY, State.BLOCKED)


def compare_fingerprints(a: Fingerprint, b: Fingerprint, settings: Judging = DEFAULT.judging) -> Comparison:
    """Compare two fingerprints; symmetric in its arguments."""
    distance = hamming_distance(a.simhash, b.simhash) if a.simhash is not None and b.simhash is not None else None
    if a.scheme != b.scheme:
        return _undetermined(f"the fingerprints are of different schemes, {' and '.join(sorted((a.scheme, b.scheme)))}")
    mute = next((one for one in (a, b) if one.state in _MUTE), None)
    if mute is not None:
        return _undetermined(f"a page is {mute.state}")
    if State.NOT_HTML in (a.state, b.state):
        return _compare_bytes(a, b)
    if distance is None:
        return _undetermined("a page has no words")
    if a.scheme.startswith("classic:"):
        return _compare_classic(distance, settings)
    if a.digest == b.digest:
        return Comparison(
            ComparisonKind.IDENTICAL, distance, 1.0, shipped().of_step("exact"), "digest: the same sentences"
        )
    return _compare_sketches(a, b, distance, settings)


def _undetermined(reason: str) -> Comparison:
    return Comparison(ComparisonKind.UNDETERMINED, None, 0.0, 0.0, reason)


def _compare_bytes(a: Fingerprint, b: Fingerprint) -> Comparison:
    if a.state == b.state and a.digest == b.digest:
        return Comparison(ComparisonKind.IDENTICAL, None, 1.0, BYTES_EQUAL, "bytes: equal")
    return Comparison(ComparisonKind.DIFFERENT, None, 0.0, BYTES_NOT_EQUAL, "bytes: not equal")


def _compare_classic(distance: int, settings: Judging) -> Comparison:
    similarity = (64 - distance) / 64
    for limit, kind in (
        (settings.classic_identical_bits, ComparisonKind.IDENTICAL),
        (settings.classic_near_bits, ComparisonKind.NEAR_DUPLICATE),
    ):
        if distance <= limit:
            sure = shipped().of_step(f"classic_{kind}")
            return Comparison(kind, distance, similarity, sure, f"classic: {distance} bits, at most {limit}")
    reason = f"classic: {distance} bits, over {settings.classic_near_bits}"
    sure = shipped().of_step("classic_different")
    return Comparison(ComparisonKind.DIFFERENT, distance, similarity, sure, reason)


def _compare_sketches(a: Fingerprint, b: Fingerprint, distance: int, settings: Judging) -> Comparison:
    shared = sketch.overlap(a.sketch, b.sketch)
    signals = _signals(a, b, shared)
    if shared.recut or (not shared.left_a and not shared.left_b and not shared.thinned):
        reason = "sketch: the same words, cut into other sentences"
        return Comparison(ComparisonKind.IDENTICAL, distance, 1.0, shipped().of_step("exact"), reason, signals)
    if State.THIN in (a.state, b.state):
        reason, sure = "thin: too little text, and not equal", shipped().of_step("thin")
        return Comparison(ComparisonKind.DIFFERENT, distance, shared.similarity, sure, reason, signals)
    return _compare_texts(shared, distance, min(a.words, b.words), signals, settings)


def _signals(a: Fingerprint, b: Fingerprint, shared: sketch.Overlap) -> dict[str, float]:
    # a text without elements has no structure that could have changed
    known = a.structure is not None and b.structure is not None
    return {
        "common_words": float(shared.common),
        "only_a_words": float(shared.only_a),
        "only_b_words": float(shared.only_b),
        "only_a_sentences": float(shared.left_a),
        "only_b_sentences": float(shared.left_b),
        "structure_bits": float(hamming_distance(a.structure or 0, b.structure or 0)) if known else 0.0,
    }


def _compare_texts(
    shared: sketch.Overlap, distance: int, words: int, signals: dict[str, float], settings: Judging
) -> Comparison:
    band = near_bits(words, settings)
    # a whole sentence counts as changed for one word in it: the distance knows better, within its band
    by_bits = expected_similarity(distance) if distance <= band else 0.0
    similarity = min(0.999, max(shared.similarity, by_bits))
    if shared.similarity >= settings.near_similarity:
        reason = f"sketch: {shared.similarity:.0%} of the words stand in common sentences"
    elif distance <= band:
        reason = f"simhash: {distance} bits, at most {band} for {words} words"
    else:
        reason = f"sketch: {shared.similarity:.0%} of the words in common; simhash: {distance} bits, over {band}"
        return Comparison(
            ComparisonKind.DIFFERENT, distance, similarity, shipped().of_step("different"), reason, signals
        )
    sure = shipped().near.at(changed_words(signals), signals["structure_bits"])
    return Comparison(ComparisonKind.NEAR_DUPLICATE, distance, similarity, sure, reason, signals)
