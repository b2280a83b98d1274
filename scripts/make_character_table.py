"""Write `src/sameish/fingerprint/_character_runs.py` from the Unicode database of the running Python.

The table is frozen in the package so that a fingerprint does not depend on the Python that computes it. Running this
again with a newer Unicode changes fingerprints: give the scheme a new version when you do.
"""

from __future__ import annotations

import sys
import textwrap
import unicodedata
from itertools import groupby
from pathlib import Path

SEPARATOR, WORD, OWN, MARK, NEWLINE = range(5)
# scripts written without spaces between words, and Hangul, whose endings vary: each letter is a token of its own
OWN_RANGES = (
    (0x0E01, 0x0E30), (0x0E32, 0x0E33), (0x0E40, 0x0E46),  # Thai letters (its marks attach)
    (0x0E81, 0x0EB0), (0x0EB2, 0x0EB3), (0x0EC0, 0x0EC6), (0x0EDC, 0x0EDF),  # Lao
    (0x1000, 0x102A), (0x103F, 0x103F),  # Myanmar
    (0x1780, 0x17B3),  # Khmer
    (0x1100, 0x11FF), (0x3130, 0x318F), (0xAC00, 0xD7AF), (0xA960, 0xA97F),  # Hangul
    (0x2E80, 0x2FDF), (0x3005, 0x3007), (0x3021, 0x3029), (0x3400, 0x4DBF), (0x4E00, 0x9FFF), (0xF900, 0xFAFF),  # Han
    (0x20000, 0x2FA1F), (0x30000, 0x3134F),
    (0x3041, 0x3096), (0x309D, 0x309F), (0x30A1, 0x30FA), (0x30FC, 0x30FF), (0x31F0, 0x31FF), (0xFF66, 0xFF9F),  # kana
)  # fmt: skip
# signs that change the meaning of a sentence, beside currencies and mathematics: per cent, ticks, stars, thumbs, flags
OWN_SIGNS = set("%‰✓✔✗✘✅❌☑☒☐★☆♯♭👍👎°№§#@&") | {chr(code) for code in range(0x1F1E6, 0x1F200)}
# mathematics by category, but used as ornaments: a bar between links, a tilde, arrows behind "read more"
ORNAMENTS = set("|~¬") | {chr(code) for code in range(0x2190, 0x2200)} | {"▷", "◁"}


def class_of(code: int) -> int:
    """Return the class of a code point."""
    character = chr(code)
    category = unicodedata.category(character)
    if character == "\n":
        return NEWLINE
    if any(first <= code <= last for first, last in OWN_RANGES) and category[0] in "LN":
        return OWN
    if category == "Sc" or character in OWN_SIGNS or (category == "Sm" and character not in ORNAMENTS):
        return OWN
    if category[0] == "M":
        return MARK
    return WORD if category[0] in "LN" else SEPARATOR


def main() -> None:
    """Write the table."""
    runs, code = [], 0
    for kind, group in groupby(map(class_of, range(sys.maxunicode + 1))):
        size = len(list(group))
        runs.append(f"{size:x}{'swomn'[kind]}")
        code += size
    text = "\n".join(textwrap.wrap(" ".join(runs), 118))
    path = Path(__file__).parent.parent / "src/sameish/fingerprint/_character_runs.py"
    path.write_text(
        f'"""Classes of all characters, made by `scripts/make_character_table.py` from Unicode {unicodedata.unidata_version}.\n\n'
        "Runs in code point order: length in hexadecimal, then the class: (s)eparator, (w)ord, (o)wn token, (m)ark,\n"
        f'(n)ewline.\n"""\n\nRUNS = """\n{text}\n"""\n',
        encoding="utf-8",
    )


if __name__ == "__main__":
    main()
