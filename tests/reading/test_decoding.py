from __future__ import annotations

import gzip
import time
import tracemalloc
import zlib
from collections.abc import Callable

import brotli
import pytest
import zstandard
from hypothesis import given
from hypothesis import strategies as st

from sameish.errors import ReadingError
from sameish.models import Page
from sameish.reading.decoding import decode, decode_bytes
from sameish.reading.inflating import inflate

LIMIT = 1_000_000
GERMAN = "Die Straße führt über die Brücke zum Rathaus; größere Änderungen müssen schriftlich beantragt werden. "
RUSSIAN = "Городской совет утвердил зимнее расписание парома, который связывает остров с материком. "
JAPANESE = "図書館の屋根は来週から修理されます。工事は五週間かかる見込みです。子どもの本は旧消防署に移ります。"
CHINESE = "市图书馆的屋顶将于下周开始维修，工程预计需要五周。儿童图书区将搬到旧消防站的大厅。"
KOREAN = "도서관 지붕은 다음 주부터 수리됩니다. 공사는 오 주 걸립니다. 어린이 책은 옛 소방서로 옮깁니다. "
THAI = "ห้องสมุดประชาชนจะปิดซ่อมหลังคาเป็นเวลาห้าสัปดาห์ตั้งแต่วันจันทร์"


def markup(text: str, head: str = "") -> str:
    return f"<html><head>{head}<title>T</title></head><body><p>{text * 3}</p></body></html>"


def read(body: bytes, content_type: str | None = None) -> tuple[str | None, str]:
    found = decode_bytes(body, content_type)
    return found.encoding, found.source


# what is declared


@pytest.mark.parametrize(
    ("label", "codec", "text", "name"),
    [
        ("gb2312", "gbk", "朱镕基故居与喆园", "gbk"),
        ("GBK", "gbk", CHINESE, "gbk"),
        ("gb18030", "gb18030", CHINESE, "gb18030"),
        ("windows-31j", "cp932", "六十㎏、第①会場、髙橋", "shift_jis"),
        ("x-sjis", "cp932", JAPANESE, "shift_jis"),
        ("EUC-JP", "euc-jp", JAPANESE, "euc-jp"),
        ("ISO-8859-1", "cp1252", "“Smart” quotes – and a € sign, café", "windows-1252"),
        ("us-ascii", "cp1252", "naïve café", "windows-1252"),
        ("l9", "iso8859-15", "Größe 5 €", "iso-8859-15"),
        ("ISO-8859-9", "cp1254", "Şehir kütüphanesi çatısı", "windows-1254"),
        ("ks_c_5601-1987", "euc-kr", KOREAN, "euc-kr"),
        ("tis-620", "tis-620", THAI, "windows-874"),
        ("big5-hkscs", "big5", "市圖書館的屋頂將於下週開始維修", "big5"),
        ("koi8-r", "koi8-r", RUSSIAN, "koi8-r"),
    ],
)
@pytest.mark.parametrize("where", ["header", "meta"])
def test_a_label_means_what_browsers_make_of_it(label: str, codec: str, text: str, name: str, where: str) -> None:
    body = markup(text, f'<meta charset="{label}">' if where == "meta" else "").encode(codec)
    found = decode_bytes(body, f"text/html; charset={label}" if where == "header" else "text/html")
    assert (found.encoding, found.source) == (name, where)
    assert text in found.text


@pytest.mark.parametrize(
    "content_type",
    [
        "text/html; charset=koi8-r",
        'text/html;charset="KOI8-R"',
        "text/html; Charset = 'koi8-r' ; x=y",
        "charset=koi8-r",
    ],
)
def test_the_header_is_read_as_loosely_as_browsers_read_it(content_type: str) -> None:
    assert read(RUSSIAN.encode("koi8-r"), content_type) == ("koi8-r", "header")


def test_the_header_wins_over_the_meta_and_the_mark_over_both() -> None:
    latin = markup("café", "<meta charset=koi8-r>").encode("latin-1")
    assert read(latin, "text/html; charset=latin1") == ("windows-1252", "header")
    marked = b"\xef\xbb\xbf" + markup("café", "<meta charset=koi8-r>").encode()
    found = decode_bytes(marked, "text/html; charset=latin1")
    assert (found.encoding, found.source) == ("utf-8", "bom")
    assert found.text.startswith("<html")


def test_an_unknown_label_is_as_good_as_none() -> None:
    assert read(markup(GERMAN).encode("latin-1"), "text/html; charset=none")[1] == "detected"
    assert read(markup(GERMAN, "<meta charset=latin1>").encode("latin-1"), "text/html; charset=none")[1] == "meta"


@pytest.mark.parametrize("label", ["iso-2022-kr", "hz-gb-2312", "replacement"])
def test_a_label_that_browsers_refuse_does_not_make_all_pages_equal(label: str) -> None:
    found = decode_bytes(markup(GERMAN).encode("latin-1"), f"text/html; charset={label}")
    assert GERMAN.strip() in found.text


def test_an_xml_declaration_counts_where_nothing_else_is_declared() -> None:
    body = ('<?xml version="1.0" encoding="ISO-8859-2"?>' + markup("Łódź, piątek, żółty ser")).encode("iso-8859-2")
    found = decode_bytes(body, "application/xhtml+xml")
    assert (found.encoding, found.source) == ("iso-8859-2", "meta")
    assert "Łódź" in found.text


def test_a_meta_in_the_middle_of_a_long_head_counts() -> None:
    head = "<style>" + "a{color:red}" * 200 + "</style><meta charset=koi8-r>"
    assert read(markup(RUSSIAN, head).encode("koi8-r")) == ("koi8-r", "meta")


# what is not declared, or declared wrongly


@pytest.mark.parametrize(
    ("codec", "text", "name"),
    [
        ("utf-8", RUSSIAN, "utf-8"),
        ("cp1251", RUSSIAN, "windows-1251"),
        ("cp1252", GERMAN, "windows-1252"),
        ("cp932", JAPANESE, "shift_jis"),
        ("euc-jp", JAPANESE, "euc-jp"),
        ("iso2022_jp", JAPANESE, "iso-2022-jp"),
        ("gbk", CHINESE, "gbk"),
        ("euc-kr", KOREAN, "euc-kr"),
    ],
)
def test_without_a_declaration_the_content_tells(codec: str, text: str, name: str) -> None:
    found = decode_bytes(markup(text).encode(codec), "text/html")
    assert (found.encoding, found.source) == (name, "detected")
    assert text in found.text


@pytest.mark.parametrize(
    ("codec", "text", "declared", "name"),
    [
        ("utf-8", GERMAN, "iso-8859-15", "utf-8"),  # a DOM dump under the old header
        ("utf-8", JAPANESE, "shift_jis", "utf-8"),
        ("utf-8", GERMAN, "utf-16", "utf-8"),
        ("cp1252", GERMAN, "utf-8", "windows-1252"),
        ("cp1251", RUSSIAN, "utf-8", "windows-1251"),
        ("cp1251", RUSSIAN, "shift_jis", "windows-1251"),
        ("cp932", JAPANESE, "euc-jp", "shift_jis"),
        ("euc-jp", JAPANESE, "shift_jis", "euc-jp"),
        ("iso2022_jp", JAPANESE, "utf-8", "iso-2022-jp"),
        ("utf-16le", RUSSIAN, "utf-8", "utf-16le"),
        ("utf-16be", GERMAN, "utf-16", "utf-16be"),
    ],
)
def test_a_declaration_that_gives_garbage_is_overruled(codec: str, text: str, declared: str, name: str) -> None:
    found = decode_bytes(markup(text).encode(codec), f"text/html; charset={declared}")
    assert (found.encoding, found.source) == (name, "overruled")
    assert text in found.text


def test_a_declaration_that_gives_readable_text_stands_as_it_does_in_browsers() -> None:
    assert read(markup(RUSSIAN).encode("cp1251"), "text/html; charset=koi8-r") == ("koi8-r", "header")
    assert read(markup(GERMAN).encode("latin-1"), "text/html; charset=iso-8859-2") == ("iso-8859-2", "header")


def test_ascii_under_a_declared_utf_16_is_no_utf_16() -> None:
    found = decode_bytes(markup("Ferries run late.").encode(), "text/html; charset=utf-16")
    assert (found.encoding, found.source) == ("utf-8", "overruled")
    assert "Ferries run late." in found.text


@pytest.mark.parametrize("codec", ["utf-16le", "utf-16be"])
@pytest.mark.parametrize("text", [GERMAN, RUSSIAN, JAPANESE], ids=["de", "ru", "ja"])
def test_utf_16_is_recognised_without_its_mark(codec: str, text: str) -> None:
    found = decode_bytes(markup(text).encode(codec))
    assert (found.encoding, found.source) == (codec, "detected")
    assert text in found.text


@pytest.mark.parametrize("codec", ["utf-16-le", "utf-16-be"])
def test_utf_16_with_its_mark(codec: str) -> None:
    found = decode_bytes(("\ufeff" + markup(JAPANESE)).encode(codec))
    assert (found.encoding, found.source) == (codec.replace("-le", "le").replace("-be", "be"), "bom")
    assert found.text == markup(JAPANESE)


def test_a_few_nul_bytes_make_no_utf_16() -> None:
    assert read(b"<h1>\x00Battery</h1><p>pre\x00paid\x00 box</p>") == ("utf-8", "default")


@pytest.mark.parametrize("declared", [None, "text/html; charset=utf-8", "text/html; charset=latin1"])
@pytest.mark.parametrize("damage", [b"\xc3", b"\xe5\x9b", b" caf\xe9 \xff "], ids=["cut", "cut-kanji", "stray"])
def test_a_cut_character_or_a_stray_byte_does_not_make_utf_8_something_else(
    declared: str | None, damage: bytes
) -> None:
    found = decode_bytes(markup(GERMAN).encode() + damage, declared)
    assert found.encoding == "utf-8"
    assert GERMAN in found.text


@pytest.mark.parametrize("codec", ["cp932", "euc-jp", "gbk", "utf-16le"])
def test_a_cut_character_of_another_charset_costs_one_character(codec: str) -> None:
    label = {"cp932": "shift_jis"}.get(codec, codec)
    body = (JAPANESE * 3).encode(codec)[:-1]
    found = decode_bytes(body, f"text/html; charset={label}")
    assert found.encoding == label
    assert found.text.startswith(JAPANESE * 2)


def test_text_full_of_replacement_characters_is_still_utf_8() -> None:
    assert read(("\ufffd" * 50 + "ä").encode()) == ("utf-8", "detected")


def test_an_empty_body_is_empty_text() -> None:
    assert decode_bytes(b"").text == ""


# str bodies


def test_str_is_taken_as_it_is_without_a_mark_and_without_lone_surrogates() -> None:
    found = decode(Page("\ufeffabc \ud83e\udd42 \ud800 z"), b"")
    assert found.text == "abc 🥂 \ufffd z"
    assert found.encoding is None


@given(st.text(alphabet=st.characters(exclude_categories=())))
def test_any_str_becomes_text_that_utf_8_can_hold(text: str) -> None:
    decode(Page(text), b"").text.encode("utf-8")


@given(st.binary(), st.one_of(st.none(), st.text(max_size=30), st.sampled_from(["charset=utf-16", "charset=euc-jp"])))
def test_any_bytes_become_text_that_utf_8_can_hold(body: bytes, content_type: str | None) -> None:
    decode_bytes(body, content_type).text.encode("utf-8")


# content codings

TEXT = markup(GERMAN * 40).encode()


def raw_deflate(data: bytes) -> bytes:
    engine = zlib.compressobj(wbits=-15)
    return engine.compress(data) + engine.flush()


def packed(coding: str) -> bytes:
    return bytes(PACKERS[coding](TEXT))


PACKERS: dict[str, Callable[[bytes], bytes]] = {
    "gzip": gzip.compress,
    "deflate": zlib.compress,
    "raw": raw_deflate,
    "br": brotli.compress,
    "zstd": zstandard.ZstdCompressor(write_checksum=True).compress,
}
CODINGS = [
    ("gzip", "gzip"),
    ("gzip", "x-gzip"),
    ("deflate", "deflate"),
    ("raw", "deflate"),
    ("br", "br"),
    ("zstd", "zstd"),
]


@pytest.mark.parametrize(("coding", "header"), CODINGS)
def test_a_body_still_compressed_is_inflated(coding: str, header: str) -> None:
    assert inflate(Page(packed(coding), headers={"content-encoding": header.upper()}), LIMIT) == TEXT


@pytest.mark.parametrize(("coding", "header"), CODINGS)
@pytest.mark.parametrize(
    "body",
    [
        TEXT,
        b'{"a": 1}',
        b"plain words",
        b"",
        " \n Übersicht".encode(),
        "ä<p>".encode("utf-16"),
        b"\x89PNG\r\n\x1a\n" + bytes(range(256)),
        b"\xff\xd8\xff\xe0" + bytes(range(256)),
        b"%PDF-1.7\n\x80\x81\x02\x03" + bytes(range(256)),
    ],
)
def test_a_body_whose_coding_a_client_took_off_is_left_alone(coding: str, header: str, body: bytes) -> None:
    assert inflate(Page(body, headers={"content-encoding": header}), LIMIT) == body, coding


def test_gzip_is_inflated_without_a_header_and_in_several_members() -> None:
    assert inflate(Page(gzip.compress(TEXT[:500]) + gzip.compress(TEXT[500:]) + b"\0" * 20), LIMIT) == TEXT


@pytest.mark.parametrize(("coding", "header"), CODINGS)
def test_a_bomb_is_refused_before_it_is_unpacked(coding: str, header: str) -> None:
    bomb = PACKERS[coding](bytes(50_000_000))
    with pytest.raises(ReadingError, match=r"https://a\.example/bomb.*more.*max_body_bytes allows 1,000,000"):
        inflate(Page(bomb, url="https://a.example/bomb", headers={"content-encoding": header}), LIMIT)


@pytest.mark.parametrize(("coding", "header"), CODINGS)
def test_the_limit_is_exact(coding: str, header: str) -> None:
    page = Page(packed(coding), headers={"content-encoding": header})
    assert inflate(page, len(TEXT)) == TEXT
    with pytest.raises(ReadingError, match="max_body_bytes"):
        inflate(page, len(TEXT) - 1)


@pytest.mark.parametrize(("coding", "header"), CODINGS)
def test_a_body_cut_off_names_its_page(coding: str, header: str) -> None:
    page = Page(packed(coding)[:-20], url="https://a.example/cut", headers={"content-encoding": header})
    with pytest.raises(ReadingError, match=r"https://a\.example/cut.*cut off"):
        inflate(page, LIMIT)


@pytest.mark.parametrize(("coding", "header"), CODINGS)
def test_a_damaged_body_names_its_page(coding: str, header: str) -> None:
    data = bytearray(packed(coding))
    data[len(data) // 2 : len(data) // 2 + 30] = b"\xff" * 30
    page = Page(bytes(data), url="https://a.example/torn", headers={"content-encoding": header})
    with pytest.raises(ReadingError, match=r"https://a\.example/torn"):
        inflate(page, LIMIT)


def test_zstd_is_inflated_in_several_frames_and_of_any_length() -> None:
    pack = PACKERS["zstd"]
    for text in (b"", b"a", b"two words", TEXT[:9] * 9):
        assert inflate(Page(pack(text), headers={"content-encoding": "zstd"}), LIMIT) == text
    body = pack(TEXT[:500]) + pack(b"") + pack(TEXT[500:]) + b"\0" * 20
    assert inflate(Page(body, headers={"content-encoding": "zstd"}), LIMIT) == TEXT


def test_a_zstd_bomb_is_stopped_within_its_first_blocks() -> None:
    block = ((1 << 17) << 3 | 1 << 1).to_bytes(3, "little") + b"a"  # one byte, 128 Ki times (RFC 8878, section 3.1.1.2)
    bomb = b"\x28\xb5\x2f\xfd\x00\x58" + block * 8_000  # a gibibyte
    tracemalloc.start()
    with pytest.raises(ReadingError, match="max_body_bytes"):
        inflate(Page(bomb, headers={"content-encoding": "zstd"}), LIMIT)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < LIMIT + (20 << 20)


def test_a_zstd_body_cannot_ask_for_much_memory() -> None:
    parameters = zstandard.ZstdCompressionParameters(window_log=27)
    engine = zstandard.ZstdCompressor(compression_params=parameters).compressobj()
    body = engine.compress(bytes(300_000)) + engine.flush()
    with pytest.raises(ReadingError, match=r"does not decompress.*memory"):
        inflate(Page(body, headers={"content-encoding": "zstd"}), LIMIT)


@pytest.mark.parametrize("body", ["a" * 1001, b"a" * 1001])
def test_a_body_over_the_limit_is_refused_with_its_size(body: str | bytes) -> None:
    with pytest.raises(ReadingError, match=r"a page without a URL: the body has 1,001 bytes"):
        inflate(Page(body), 1000)


OTHER_SCRIPTS = {
    "windows-1251": "Городской совет утвердил новое зимнее расписание парома, который связывает порт с островом.",
    "koi8-r": "Городской совет утвердил новое зимнее расписание парома, который связывает порт с островом.",
    "euc-jp": "市議会は新しい冬の時刻表を承認しました。船は五十分ごとに出ます。",
    "gbk": "市交通局昨天宣布，从十一月起往返北港与小岛之间的渡轮将调整班次。",
    "windows-1256": "أعلن مجلس المدينة جدولا شتويا جديدا للعبارة التي تربط الميناء",
}
WESTERN = (
    "Der Bürgermeister hat für die Fähre größere Änderungen angekündigt, die schließlich im Frühjahr gelten.",
    "Le conseil a approuvé le nouvel horaire d'été du traversier, qui relie désormais le quai à l'île. Réunion: «été»",
    "Señor Núñez pidió más información acerca de la línea española.",
)


@pytest.mark.parametrize("charset", OTHER_SCRIPTS)
@pytest.mark.parametrize("declared", ["text/html; charset=ISO-8859-1", None])
def test_a_western_charset_sent_by_default_loses_to_another_script(charset: str, declared: str | None) -> None:
    text = OTHER_SCRIPTS[charset]
    meta = "" if declared else '<meta charset="iso-8859-1">'
    found = decode_bytes(f"{meta}<p>{text}</p><p>{text}</p>".encode(charset), declared)
    assert text in found.text
    assert found.source == "overruled"


@pytest.mark.parametrize("text", WESTERN)
def test_western_text_keeps_its_declared_charset(text: str) -> None:
    found = decode_bytes(f"<p>{text}</p>".encode("cp1252"), "text/html; charset=ISO-8859-1")
    assert (text in found.text, found.encoding, found.source) == (True, "windows-1252", "header")


def test_many_small_gzip_members_take_linear_time() -> None:
    member = gzip.compress(b"x", mtime=0)

    def seconds(count: int) -> float:
        start = time.process_time()
        assert inflate(Page(member * count), 10**9) == b"x" * count
        return time.process_time() - start

    seconds(1000)
    assert seconds(40_000) < 8 * seconds(10_000) + 0.1
