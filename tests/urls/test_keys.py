"""Which URLs are one resource by rules that hold on every site, and which must stay apart."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sameish.errors import SameishError
from sameish.urls.keys import url_key
from sameish.urls.site import site_of

H = "http://quay.example"

SAME = {
    "scheme and host in any case": ("HTTP://Quay.EXAMPLE/a", f"{H}/a"),
    "root with and without slash": (H, f"{H}/"),
    "default port": ("https://quay.example:443/a", "https://quay.example/a"),
    "default port of ftp": ("ftp://quay.example:21/a", "ftp://quay.example/a"),
    "IDN": ("http://størm.example/", "http://xn--strm-hra.example/"),
    "full-width host": ("http://ｑｕａｙ．example/", f"{H}/"),
    "absolute host name": ("http://quay.example./a", f"{H}/a"),
    "absolute host name with a port": ("http://quay.example.:8080/a", f"{H}:8080/a"),
    "address in other notations": ("http://0x7f.1/a", "http://127.0.0.1/a"),
    "address with a dot": ("http://127.0.0.1./a", "http://127.0.0.1/a"),
    "dot segments": (f"{H}/a/./b/../c", f"{H}/a/c"),
    "encoded dot segments": (f"{H}/a/b/%2e%2E/c", f"{H}/a/c"),
    "back slashes": ("http:\\\\quay.example\\a\\b", f"{H}/a/b"),
    "line breaks inside": (f"{H}/a\n/b", f"{H}/a/b"),
    "white space around": (f" \t{H}/a\r\n", f"{H}/a"),
    "other white space around": (f"\u00a0\ufeff{H}/a\u2003", f"{H}/a"),
    "hex digits in any case": (f"{H}/caf%c3%a9", f"{H}/caf%C3%A9"),
    "raw and encoded UTF-8": (f"{H}/café?q=é", f"{H}/caf%C3%A9?q=%C3%A9"),
    "encoded unreserved characters": (f"{H}/%7etide%2Dtable?%61=%62", f"{H}/~tide-table?a=b"),
    "brackets": (f"{H}/?f[]=1", f"{H}/?f%5B%5D=1"),
    "bar and braces": (f"{H}/a|b?q={{x}}", f"{H}/a%7Cb?q=%7Bx%7D"),
    "space": (f"{H}/a b", f"{H}/a%20b"),
    "stray percent sign": (f"{H}/100%", f"{H}/100%25"),
    "order of parameters": (f"{H}/?b=2&a=1", f"{H}/?a=1&b=2"),
    "empty parameters": (f"{H}/?&a=1&&b=2&", f"{H}/?a=1&b=2"),
    "lone question mark": (f"{H}/a?", f"{H}/a"),
    "entities": (f"{H}/?a=1&amp;b=2", f"{H}/?a=1&b=2"),
    "entities twice over": (f"{H}/?a=1&amp;amp;b=2", f"{H}/?a=1&b=2"),
    "tracking behind an entity": (f"{H}/?a=1&amp;utm_source=mail", f"{H}/?a=1"),
    "fragment": (f"{H}/a#tides", f"{H}/a"),
    "route fragment": (f"{H}/a#/tides", f"{H}/a"),
    "link to nowhere": (f"{H}/a#!", f"{H}/a"),
    "campaign tags": (f"{H}/p?utm_source=a&id=7&UTM_Medium=b&utm_social-type=c&utm%5Fterm=d", f"{H}/p?id=7"),
    "campaign tags between semicolons": (
        f"{H}/p?utm_source=a;id=7;utm_medium=b;c&lang=en;utm_term=d",
        f"{H}/p?id=7&lang=en",
    ),
    "click id before a semicolon": (f"{H}/p?gclid=1;2;id=7", f"{H}/p?id=7"),
    "sessions between semicolons": (f"{H}/a.cfm?id=3;CFID=88123;CFTOKEN=40913377", f"{H}/a.cfm?id=3"),
    "PHP session before a semicolon": (f"{H}/a?PHPSESSID=5f0c2b7a9d1e4f68;p=1", f"{H}/a?p=1"),
    "click ids": (f"{H}/p?fbclid=1&gclid=2&gclsrc=3&dclid=4&gbraid=5&wbraid=6&msclkid=7&yclid=8&_openstat=9", f"{H}/p"),
    "mail tags": (f"{H}/p?mc_eid=1&mc_cid=2&mkt_tok=3&_hsenc=4&_hsmi=5&vero_id=6&oly_enc_id=7&id=7", f"{H}/p?id=7"),
    "app tags": (f"{H}/p?igshid=1&twclid=2&ttclid=3&li_fat_id=4&_ga=5&_gl=6", f"{H}/p"),
    "Java session": (f"{H}/list.do;jsessionid=1A2B3C4D.node1!-77:x?p=2", f"{H}/list.do?p=2"),
    "Java session in any case": (f"{H}/list.do;JSessionId=1A2B3C4D/next", f"{H}/list.do/next"),
    "Java session among parameters of the path": (f"{H}/a;v=2;jsessionid=1A2B;w=3/b", f"{H}/a;v=2;w=3/b"),
    "Java session after the host": (f"{H};jsessionid=1A2B3C.n2!4:5?p=2", f"{H}/?p=2"),
    "Java session after host and port": (f"{H}:8080;jsessionid=1A2B3C", f"{H}:8080/"),
    "Java session before a dot segment": (f"{H}/a/b/..;jsessionid=1A2B/c", f"{H}/a/c"),
    "Java session in the query": (f"{H}/a?x=1;jsessionid=1A2B&y=2", f"{H}/a?x=1&y=2"),
    "Java session as a parameter": (f"{H}/a?jsessionid=A1B2C3D4E5F60718$B0$D9", f"{H}/a"),
    "PHP session": (f"{H}/a?PHPSESSID=5f0c2b7a9d1e4f68&p=1", f"{H}/a?p=1"),
    "ASP session": (f"{H}/a?ASPSESSIONIDQACRTBSD=GKLMNOPQRSTUVWXYZABCDEFG", f"{H}/a"),
    "ASP.NET session": (f"{H}/shop/(S(k2jx0b45lq3fzo55mrs1cnvu))/a.aspx", f"{H}/shop/a.aspx"),
    "ASP.NET session and probe": (f"{H}/(X(1)S(k2jx0b45lq3fzo55mrs1cnvu))/a.aspx", f"{H}/a.aspx"),
    "ASP.NET probe": (f"{H}/(X(1))/a.aspx", f"{H}/a.aspx"),
    "ASP.NET 1 session": (f"{H}/(k2jx0b45lq3fzo55mrs1cnvu)/a.aspx", f"{H}/a.aspx"),
    "ColdFusion session": (f"{H}/a.cfm?CFID=88123&CFTOKEN=40913377&id=3", f"{H}/a.cfm?id=3"),
    "shop sessions": (f"{H}/a?osCsid=0d9f8e7c6b5a49382716&zenid=q1w2e3r4t5y6u7i8o9p0", f"{H}/a"),
    "doubtful name, digest": (f"{H}/a?sid=9e107d9d372bb6826bd81d3542a419d6", f"{H}/a"),
    "password": ("http://ann:secret@quay.example/a", "http://ann@quay.example/a"),
    "password alone": ("http://:secret@quay.example/a", f"{H}/a"),
    "file on this computer": ("file://localhost/srv/a.html", "file:///srv/a.html"),
    "scheme without host": ("URN:isbn:0451450523#p3", "urn:isbn:0451450523"),
}

APART = {
    "bare queries": (f"{H}/entry.cgi?4410", f"{H}/entry.cgi?4411"),
    "bare query and none": (f"{H}/entry.cgi?4410", f"{H}/entry.cgi"),
    "bare and empty value": (f"{H}/?a", f"{H}/?a="),
    "order of repeats": (f"{H}/?a=1&a=2", f"{H}/?a=2&a=1"),
    "number of repeats": (f"{H}/?a=1", f"{H}/?a=1&a=1"),
    "order of bare values": (f"{H}/?tide&moon", f"{H}/?moon&tide"),
    "path in the query": (f"{H}/index.php?/topic/57-lamp/", f"{H}/index.php?/topic/58-roof/"),
    "what follows a tag behind a semicolon": (f"{H}/p?utm_source=mail;id=7", f"{H}/p?id=8"),
    "what follows a tag and none": (f"{H}/p?gclid=1;id=7", f"{H}/p"),
    "order between semicolons": (f"{H}/?a=1;b=2", f"{H}/?b=2;a=1"),
    "trailing slash": (f"{H}/tides/", f"{H}/tides"),
    "www": ("http://www.quay.example/", f"{H}/"),
    "http and https": (f"{H}/", "https://quay.example/"),
    "port": (f"{H}:8080/", f"{H}/"),
    "case of the path": (f"{H}/A", f"{H}/a"),
    "encoded slash": (f"{H}/a%2Fb", f"{H}/a/b"),
    "encoded ampersand": (f"{H}/?a=1%26b=2", f"{H}/?a=1&b=2"),
    "encoded question mark": (f"{H}/a%3Fb", f"{H}/a?b"),
    "encoded plus": (f"{H}/?q=c%2B", f"{H}/?q=c+"),
    "double encoding": (f"{H}/%2541", f"{H}/%41"),
    "double slash": (f"{H}//a", f"{H}/a"),
    "hash-bang": (f"{H}/#!post/tides", f"{H}/#!post/moon"),
    "hash-bang and none": (f"{H}/#!post/tides", f"{H}/"),
    "parameter of the path": (f"{H}/map;v=2/tile", f"{H}/map;v=3/tile"),
    "user names": ("http://ann@quay.example/", "http://bob@quay.example/"),
    "coordinates that look like tags": (f"{H}/map?utm_zone=32", f"{H}/map?utm_zone=33"),
    "mails of Marketo": (
        f"{H}/index.php/email/emailWebview?mkt_tok=a1",
        f"{H}/index.php/email/emailWebview?mkt_tok=b2",
    ),
    "short session of a conference": (f"{H}/talks?session_id=14", f"{H}/talks?session_id=15"),
    "session with a name": (f"{H}/talks?sessionid=a-history-of-lighthouses", f"{H}/talks"),
    "session with a UUID": (f"{H}/talks?session_id=0e37df36-f698-11e6-8dd4-cb9ced3df976", f"{H}/talks"),
    "session with an object id": (f"{H}/talks?session_id=507f1f77bcf86cd799439011", f"{H}/talks"),
    "long number": (f"{H}/song?sid=12345678901234567890123456789012", f"{H}/song"),
    "short sid": (f"{H}/song?sid=9e107d9d372bb682", f"{H}/song"),
    "PHP's name with a short value": (f"{H}/a?phpsessid=12", f"{H}/a"),
    "half of ColdFusion's pair": (f"{H}/a.cfm?cfid=88123", f"{H}/a.cfm"),
    "words in parentheses": (f"{H}/(internationalisationable)/a", f"{H}/a"),
    "formula in parentheses": (f"{H}/(A(b))/a", f"{H}/a"),
    "session at the end of a path": (f"{H}/(S(k2jx0b45lq3fzo55mrs1cnvu))", f"{H}/"),
    "session in a user name": ("http://ann;jsessionid=1@quay.example/", "http://ann@quay.example/"),
    "file named like a session": ("file:///srv/a;jsessionid=1A.html", "file:///srv/a"),
    "query of a file": ("file:///srv/a?utm_source=1", "file:///srv/a"),
    "data": ("data:text/plain,tide", "data:text/plain,moon"),
}


@pytest.mark.parametrize(("one", "other"), SAME.values(), ids=SAME)
def test_one_resource(one: str, other: str) -> None:
    assert url_key(one) == url_key(other)


@pytest.mark.parametrize(("one", "other"), APART.values(), ids=APART)
def test_two_resources(one: str, other: str) -> None:
    assert url_key(one) != url_key(other)


@pytest.mark.parametrize("name", ["ref", "source", "session", "cid", "campaign", "via", "from", "source_id", "s_cid"])
def test_names_that_carry_content_on_some_sites_stay(name: str) -> None:
    assert url_key(f"{H}/?{name}=harbour") == f"{H}/?{name}=harbour"


@pytest.mark.parametrize(
    ("url", "key"),
    [
        (
            f"{H}/index.php?/topic/57-lamp/&do=findComment&comment=22",
            f"{H}/index.php?/topic/57-lamp/&comment=22&do=findComment",
        ),
        (f"{H}/?z=1&a=2&flag&a=1", f"{H}/?flag&a=2&a=1&z=1"),
        (f"{H}/a?b?c=d?e", f"{H}/a?b?c=d?e"),
        (f"{H}/?q=%zz%41", f"{H}/?q=%25zzA"),
        ("http://[2001:DB8::0:1]:80/", "http://[2001:db8::1]/"),
        ("mailto:Ann@Quay.example", "mailto:Ann@Quay.example"),
        ("foo://Quay.example./A%7e/../b", "foo://Quay.example./b"),
        ("http://1.2.3.256./a", "http://1.2.3.256./a"),
    ],
)
def test_key_in_full(url: str, key: str) -> None:
    assert url_key(url) == key


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("", ""),
        (" \n", ""),
        ("quay.example/a", "quay.example/a"),
        ("//quay.example/a", "//quay.example/a"),
        (" /tides?b=2&a=1 ", "/tides?b=2&a=1"),
        ("http://two words/", "http://two words/"),
        ("http://", "http://"),
        ("a\x00b", "a%00b"),
        ("no url \ud800", "no url \ufffd"),
        ("\ud83d\ude00", "😀"),
    ],
)
def test_what_is_no_url_is_its_own_key(text: str, key: str) -> None:
    assert url_key(text) == key


def test_lone_surrogates_are_read_as_browsers_read_them() -> None:
    assert url_key(f"{H}/a\ud800") == f"{H}/a%EF%BF%BD"
    assert url_key(f"{H}/\ud83d\ude00") == url_key(f"{H}/😀")


@pytest.mark.parametrize("value", [None, b"http://quay.example/", 7])
def test_what_is_no_str_is_refused(value: Any) -> None:
    with pytest.raises(SameishError, match="expected str"):
        url_key(value)


PIECE_TEXT = (
    "http: https: file: urn: foo: // / \\ : @ ? # #! & = ; . .. %2e %2E %41 % %% %34%31 %C3%A9 %2F %3B é 食 \ud800 \udc00 "
    "amp; &amp; utm_source=x ;utm_source=x ;a=1 ;b ;gclid=1 utm_zone=3 gclid=1 mkt_tok=1 ;jsessionid= ;JSESSIONID=AB.n1 %3Bjsessionid=a "
    "PHPSESSID=0123456789abcdef0 CFID=1 CFTOKEN=2 sid=9e107d9d372bb6826bd81d3542a419d6 (S(k2jx0b45lq3fzo55mrs1cnvu)) (X(1)) "
    "quay.example h quay. 1.2.3.4 1.2.3.256 0x7f.1 [::1] :80 :8080 ann:pw@ u@ a b a=2 C: C| | [ ] { } ^ ' \" < > + * ~ $ , ( )"
)
PIECES = PIECE_TEXT.split(" ")
MESSY = st.lists(st.sampled_from([*PIECES, " ", "\t", "\x00", "\u00a0"]), max_size=12).map("".join)
STARTS = st.sampled_from(
    ["", "http://", "http://h/", "https://quay.example", "https://h/?", "foo://", "foo:", "file:///"]
)


@given(STARTS, MESSY)
def test_the_key_of_a_key_is_itself(start: str, rest: str) -> None:
    key = url_key(start + rest)
    assert url_key(key) == key
    assert "\x00" not in key
    key.encode()


@pytest.mark.soak
def test_the_key_of_many_keys_is_itself(rounds: Callable[[int], int]) -> None:
    random = np.random.default_rng(20_240_517)
    for _ in range(rounds(200_000)):
        url = "http://h" + "".join(
            PIECES[choice] for choice in random.integers(len(PIECES), size=random.integers(1, 12))
        )
        key = url_key(url)
        assert url_key(key) == key, url
        assert site_of(key) == site_of(url), url


@given(st.text(st.characters(exclude_categories=())))
def test_any_text_has_a_key(text: str) -> None:
    assert url_key(url_key(text)) == url_key(text)


@given(st.lists(st.tuples(st.sampled_from("abc"), st.sampled_from(["=1", "=2", "="])), max_size=6), st.randoms())
def test_only_the_order_of_different_names_is_free(pairs: list[tuple[str, str]], random: Any) -> None:
    shuffled = sorted(pairs, key=lambda pair: (random.random(), pair))
    one, other = (url_key(f"{H}/?" + "&".join(map("".join, each))) for each in (pairs, shuffled))
    repeats_kept = all([p for p in pairs if p[0] == name] == [p for p in shuffled if p[0] == name] for name in "abc")
    assert (one == other) == repeats_kept


MEGABYTES = {
    "percent signs": ("http://h/", "%"),
    "half escapes": ("http://h/", "%4"),
    "escapes": ("http://h/", "%c3"),
    "entities": ("http://h/?", "amp;"),
    "ampersands": ("http://h/?", "&"),
    "parameters": ("http://h/?", "a=1&"),
    "semicolons": ("http://h/?", ";"),
    "parameters between semicolons": ("http://h/?", "a=1;"),
    "names between semicolons": ("http://h/?", "a;"),
    "slashes": ("http:", "/"),
    "host": ("http://", "a"),
    "dots in the host": ("http://a", "."),
    "user names": ("http://", "@"),
    "spaces": ("", " "),
    "sessions in the host": ("http://h", ";jsessionid=a"),
    "sessions in the path": ("http://h/", ";jsessionid=a"),
    "open parentheses": ("http://h/", "/("),
    "ASP.NET units": ("http://h/(", "X(2)"),
    "ASP.NET unit": ("http://h/(X(", "a"),
    "closed ASP.NET unit": ("http://h/(X(", "a", "))/"),
    "session value": ("http://h/?phpsessid=", "a", "'"),
    "digest": ("http://h/?session_id=", "1"),
    "dot segments": ("http://h/", "a/../"),
    "control characters": ("", "\x00a"),
    "letters": ("", "é"),
}


@pytest.mark.parametrize("parts", MEGABYTES.values(), ids=MEGABYTES)
def test_a_megabyte_takes_linear_time(parts: tuple[str, ...]) -> None:
    start, piece, *end = parts
    text = start + piece * (1_000_000 // len(piece)) + "".join(end)
    began = time.process_time()
    url_key(text)
    assert time.process_time() - began < 5
