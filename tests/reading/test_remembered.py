from __future__ import annotations

from sameish.reading.remembered import Remembered

ASKED: list[list[str]] = []


def reckon(keys: list[str]) -> dict[str, int]:
    ASKED.append(keys)
    return {key: len(key) for key in keys if key.startswith("a")}


def test_each_key_is_reckoned_once() -> None:
    ASKED.clear()
    known = Remembered(reckon, longest=9)
    assert known.look_up({"a", "bb", "abc"}) == {"a": 1, "abc": 3}
    assert known.look_up({"bb", "abc", "ab"}) == {"abc": 3, "ab": 2}
    assert [set(keys) for keys in ASKED] == [{"a", "bb", "abc"}, {"ab"}]


def test_too_many_keys_begin_it_anew_and_lose_no_answer() -> None:
    known = Remembered(reckon, most=2, longest=9)
    assert known.look_up({"a", "b"}) == {"a": 1}
    assert known.look_up({"a", "aa", "b"}) == {"a": 1, "aa": 2}


def test_long_keys_have_no_value() -> None:
    assert Remembered(reckon, longest=3).look_up({"aaaa", "aaa"}) == {"aaa": 3}
