from __future__ import annotations

import unicodedata

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from sameish.reading.sentences import calm, calm_and_cut

TRICKY = st.text(
    alphabet=st.one_of(
        st.characters(codec="utf-8"),
        st.sampled_from(
            "-–—−‐ \u00a0\u200b\u00ad\u200d\u2009\u3000e\u0301a\u030a.!?。！？\"'“”‘’«»()0123456789\t\r\x00\u2028…"
        ),
    )
)


@given(TRICKY)
@example("a\u200b\u0301")
@example("\U0002f800 x\u200by")
@example("\u1112\u1161\u11ab")
@example("\u0915\u093c \u212b \uf900")
@example("--5")
@example(" -\u200b-5")
@example(". . .")
def test_calming_twice_is_calming_once(text: str) -> None:
    once = calm(text)
    assert calm(once) == once
    assert unicodedata.is_normalized("NFC", once)


@given(TRICKY)
def test_lines_stay_lines(text: str) -> None:
    assert calm(text).count("\n") == text.count("\n")


@given(TRICKY)
def test_cutting_loses_nothing_but_spaces(text: str) -> None:
    line = calm(text).replace("\n", " ")
    (pieces,) = calm_and_cut(line)
    assert "".join("".join(pieces).split()) == "".join(line.split())
    assert all(piece and piece == piece.strip() for piece in pieces)


@pytest.mark.parametrize(
    ("text", "same"),
    [
        ("“We can’t wait” — until spring…", '"We can\'t wait" - until spring...'),
        ("„So“, ‚so‘ und «so»", '"So", \'so\' und "so"'),
        (
            "no\u00a0break thin\u2009space em\u2003space wide\u3000space\ttab",
            "no break thin space em space wide space tab",
        ),
        ("soft\u00adhyphen zero\u200bwidth\ufeff join\u200der\u2060s", "softhyphen zerowidth joiners"),
        ("שלום\u200f עולם\u200e \u202bטקסט\u202c \u2067כאן\u2069", "שלום עולם טקסט כאן"),
        ("cafe\u0301 Zoe\u0308 cre\u0300me Iba\u0301n\u0303ez", "café Zoë crème Ibáñez"),
        ("a   b \n  c", "a b \n c"),
        ("3–5 days – or so", "3-5 days - or so"),
        ("minus \u22125 and −5 and -5", "minus −5 and −5 and −5"),
        ("nul\x00byte", "nulbyte"),
    ],
)
def test_what_looks_the_same_is_spelled_the_same(text: str, same: str) -> None:
    assert calm(text) == calm(same)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("5 EUR", "-5 EUR"),
        ("from (-5)", "from (5)"),
        ("10 €", "10 $"),
        ("naïve", "naive"),
        ("x²", "x2"),
        ("m²", "m2"),
        ("½", "1/2"),
        ("Ａ", "A"),
        ("今日", "今日は"),
        ("ß", "ss"),
        ("3.5", "35"),
        ("don't", "dont"),
        ("مكتبة", "مكتبه"),
        ("กา", "ก่า"),
    ],
)
def test_what_reads_differently_stays_apart(one: str, other: str) -> None:
    assert calm(one) != calm(other)


@pytest.mark.parametrize(
    ("line", "pieces"),
    [
        ("One. Two! Three? Four", ["One.", "Two!", "Three?", "Four"]),
        ('He said "No." She left.', ['He said "No."', "She left."]),
        ("e.g. this and i.e. that", ["e.g. this and i.e. that"]),
        ("Version 2.4.1 is out.", ["Version 2.4.1 is out."]),
        ("It costs 3.50 EUR.", ["It costs 3.50 EUR."]),
        ("Am 28. Februar ist Schluss.", ["Am 28. Februar ist Schluss."]),
        ("See a.example/x.html for more.", ["See a.example/x.html for more."]),
        ("第一句。第二句！第三句？完", ["第一句。", "第二句！", "第三句？", "完"]),
        ("「はい。」と言った。次。", ["「はい。」", "と言った。", "次。"]),
        ("هذا أول. هذا ثان.", ["هذا أول.", "هذا ثان."]),
        ("Первое. Второе.", ["Первое.", "Второе."]),
        ("ห้องสมุดปิดแล้ว จะเปิดวันจันทร์", ["ห้องสมุดปิดแล้ว จะเปิดวันจันทร์"]),
        ("", []),
        ("   ", []),
        ("...", ["..."]),
    ],
)
def test_cutting(line: str, pieces: list[str]) -> None:
    assert calm_and_cut(line) == [pieces]
