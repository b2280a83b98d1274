from __future__ import annotations

import pytest

from sameish.errors import SettingsError
from sameish.models import Page
from sameish.reading.names import rules_of_names
from sameish.stateless import extract

A = (
    "Engineers found that rain has been entering the reading room through a row of cracked slates above the east window. "
    "A volunteer who moved the atlases in August saw a brown stain spread along the plaster behind the shelves."
)
B = (
    "The repair will take five weeks, and during that time the books for children move to the hall of the old fire station, "
    "which has a ramp and its own heating. Reserved books can be collected there between ten and four."
)
C = (
    "A local foundation has promised half of the cost on condition that the gutters are replaced with copper ones. The rest "
    "comes from the maintenance fund, which the town topped up last year after the boiler failed."
)
ARTICLE = f"<h1>Library roof</h1><p>{A}</p><p>{B}</p><p>{C}</p>"


def markdown(body: str, settings: dict[str, object] | None = None) -> str:
    page = Page(f"<!doctype html><html><head><title>Library roof</title></head><body>{body}</body></html>")
    return extract(page, {"reading": settings or {}}).markdown


def holds_article(text: str) -> bool:
    return all(part in text for part in (A, B, C))


@pytest.mark.parametrize(
    ("name", "rule"),
    [
        ("nav", "navigation"),
        ("main-nav", "navigation"),
        ("siteFooter", "footer"),
        ("cookie-law-info-bar", "consent"),
        ("cookieSettings", "consent"),
        ("borlabs-cookie", "consent"),
        ("menu-info", None),
        ("law-info", None),
        ("page_footer", "footer"),
        ("ad-slot", "ads"),
        ("adsbygoogle", "ads"),
        ("cookie-banner", "consent"),
        ("SidebarWidget", "sidebar"),
        ("share-buttons", "share"),
        ("comments", "comments"),
        ("related-posts", "related"),
        ("newsletterSignup", "newsletter"),
        ("top-banner", None),
        ("banner-top", "ads"),
    ],
)
def test_a_name_of_known_words_falls_under_a_rule(name: str, rule: str | None) -> None:
    assert rules_of_names({name}).get(name) == rule


@pytest.mark.parametrize(
    "name",
    """contentWithSidebar content-with-sidebar header_row shadow download downloads-list add address gradient reading loader
    headline header roadmap shareholders navigator-guide adapter commentary socialism-essay promontory tagged-content weathered
    uploads has-sidebar no-sidebar page-with-comments footnotes footnote asides relatedness article-body menuet cookiecutter
    modality subscribers-guide banner main content post entry""".split(),
)
def test_a_name_that_only_contains_such_a_word_falls_under_none(name: str) -> None:
    assert not rules_of_names({name})


@pytest.mark.parametrize(
    "name",
    ["contentWithSidebar", "header_row", "shadow", "download", "has-sidebar", "share-price-report", "sidebar", "ads"],
)
@pytest.mark.parametrize("attribute", ["class", "id"])
def test_the_element_around_the_whole_text_stays_whatever_its_name(name: str, attribute: str) -> None:
    assert holds_article(markdown(f'<div {attribute}="{name}"><div>{ARTICLE}</div></div><p>x</p>'))


@pytest.mark.parametrize(
    "junk",
    [
        '<nav><a href="/">JUNK</a></nav>',
        '<div role="navigation">JUNK</div>',
        '<div class="ad-slot"><p>JUNK</p></div>',
        '<div id="cookie-banner"><p>JUNK: we use cookies to make this site work and to learn how it is used.</p></div>',
        '<section class="related-posts"><h2>JUNK</h2><a href="/a">One</a><a href="/b">Two</a></section>',
        '<div class="share-buttons"><a href="/s">JUNK</a></div>',
        '<div class="newsletterSignup"><p>JUNK in your inbox each week.</p></div>',
        '<div role="dialog"><p>JUNK: choose your region.</p></div>',
        "<dialog open><p>JUNK</p></dialog>",
        '<form><label>JUNK</label><input name="q"><button>Go</button></form>',
        "<div hidden><p>JUNK</p></div>",
        '<div style="display:none"><p>JUNK</p></div>',
        '<p style="color:red; visibility: hidden">JUNK</p>',
        '<span class="sr-only">JUNK</span>',
        '<p aria-hidden="true">JUNK</p>',
        "<footer><p>JUNK: The Courier, 4 Quay Lane</p></footer>",
        "<header><p>JUNK: The Courier since 1890</p></header>",
        '<aside><h3>JUNK</h3><a href="/1">One</a> <a href="/2">Two</a> <a href="/3">Three</a></aside>',
        '<ul><li><a href="/1">JUNK one</a><li><a href="/2">JUNK two</a><li><a href="/3">JUNK three</a></ul>',
        "<script>JUNK</script>",
        "<style>.JUNK{}</style>",
        "<noscript><p>JUNK: please enable scripts.</p></noscript>",
        "<template><p>JUNK</p></template>",
        "<select><option>JUNK</select>",
        "<button>JUNK</button>",
        "<textarea>JUNK</textarea>",
        "<svg><title>JUNK</title><text>JUNK</text></svg>",
        '<iframe src="/x">JUNK</iframe>',
        "<!-- JUNK -->",
    ],
)
@pytest.mark.parametrize("where", ["before", "inside", "after"])
def test_what_stands_around_the_text_goes(junk: str, where: str) -> None:
    main = f"<main>{ARTICLE}</main>"
    inside = main.replace(f"<p>{B}", f"{junk}<p>{B}") if "<header" not in junk and "<footer" not in junk else main
    body = {"before": junk + main, "inside": inside, "after": main + junk}[where]
    text = markdown(body)
    assert holds_article(text)
    assert "JUNK" not in text


@pytest.mark.parametrize(
    "body",
    [
        f'<form method="post" action="./page.aspx" id="aspnetForm"><input type="hidden" value="dDwtMTA4">{ARTICLE}</form>',
        f"<div hidden id='S:0'>{ARTICLE}</div><div>Loading</div>",
        f"<div hidden><h1>Library roof</h1><p>{A}</p></div><div hidden><p>{B}</p></div><div hidden><p>{C}</p></div>",
        f'<div aria-hidden="true" id="root">{ARTICLE}</div><div role="dialog">Choose your cookies, please.</div>',
        f'<div style="display: none" class="app">{ARTICLE}</div>',
        f'<h1>x</h1><div class="comment"><p>{A}</p></div><div class="comment"><p>{B}</p></div><div class="comment">{C}</div>',
        f'<ul class="comments"><li class="comment">{A}</li><li class="comment">{B}</li><li class="comment">{C}</li></ul>',
        f"<aside>{ARTICLE}</aside>",
        f'<div class="popup">{ARTICLE}</div>',
        f"<nav>{ARTICLE}</nav>",
        f'<p class="paywall">{A}</p><p class="paywall">{B}</p><p class="paywall">{C}</p>',
        f"<noscript>{ARTICLE}</noscript><div id=root></div>",
        f"<footer>{ARTICLE}</footer>",
        f"<header>{ARTICLE}</header>",
    ],
)
def test_no_rule_takes_what_holds_most_of_the_text(body: str) -> None:
    assert holds_article(markdown(body))


def test_a_deeply_indented_menu_does_not_outweigh_the_text() -> None:
    gap = "\n" + " " * 400
    menu = f'<div class="masthead">{gap.join(["<b>Boats</b>"] * 100)}</div>'
    text = markdown(f'{menu}<div class="sidebar-fixed">{ARTICLE}</div>')
    assert holds_article(text)
    assert "Boats" not in text


@pytest.mark.parametrize(
    "note",
    [
        '<aside class="admonition warning"><p>NOTE: do not run this as the administrator.</p></aside>',
        '<aside class="Tip"><p>NOTE: <a href="/x">see the guide</a>.</p></aside>',
        "<aside><p>NOTE: this holds for the old boats too, and for all that were built before the war.</p></aside>",
    ],
)
def test_a_note_in_the_text_stays(note: str) -> None:
    assert "NOTE" in markdown(f"<main><h1>Guide</h1><p>{A}</p>{note}<p>{B}</p></main>")


def test_a_copy_that_is_hidden_goes_and_the_shown_one_stays() -> None:
    text = markdown(f"<main>{ARTICLE}</main><div hidden>{ARTICLE}</div>")
    assert text.count(A) == text.count(B) == text.count(C) == 1


def test_lists_of_links_go_from_an_article_and_stay_on_an_index() -> None:
    links = "<ul>" + "".join(f'<li><a href="/{n}">Minutes of meeting {n}</a>' for n in range(8)) + "</ul>"
    assert "meeting 7" not in markdown(f"<main>{ARTICLE}</main>{links}")
    assert "meeting 7" in markdown(f"<h1>Minutes</h1>{links}")
    assert "meeting 7" in markdown(f"<nav><a href='/'>Home</a></nav><main><h1>Minutes</h1>{links}</main>")


def test_a_list_in_the_text_with_a_link_in_it_stays() -> None:
    steps = (
        '<ol><li>Ask for the key at <a href="/d">the desk</a> by the door<li>Open the vent before the lamp is lit</ol>'
    )
    assert "Ask for the key" in markdown(f"<main>{ARTICLE}{steps}<p>{A[::-1]}</p></main>")


def test_the_settings_remove_and_keep_have_the_last_word() -> None:
    body = f'<main>{ARTICLE}<p class="credits">Photo by Ida.</p></main><div class="sidebar"><p>Ten to six.</p></div>'
    assert "Ten to six" not in markdown(body)
    assert "Photo by Ida" in markdown(body)
    text = markdown(body, {"keep": [".sidebar"], "remove": [".credits", "h1"]})
    assert "Ten to six" in text
    assert "Photo by Ida" not in text
    assert holds_article(text)


def test_kept_elements_are_in_the_compared_text_too() -> None:
    page = Page(f"<main>{ARTICLE}</main><div class=sidebar><table><tr><td>Adults<td>12 EUR</table></div>")
    assert "Adults | 12 EUR" in extract(page, {"reading": {"keep": [".sidebar"]}}).sentences


@pytest.mark.parametrize("tag", ["noscript", "button", "nav", "form", "div hidden"])
def test_kept_elements_are_kept_whatever_they_are(tag: str) -> None:
    body = f"<main><h1>Library roof</h1><p>{A}</p><{tag} class=fee>12 thalers</{tag.split(maxsplit=1)[0]}><p>{B}</p></main>"
    assert "12 thalers" not in markdown(body)
    assert "12 thalers" in markdown(body, {"keep": [".fee"]})
    assert "12 thalers" not in markdown(body, {"keep": [".fee"], "remove": [".fee"]})


@pytest.mark.parametrize("setting", ["remove", "keep"])
@pytest.mark.parametrize("selector", ["", "..x", ":::", "a:has(", "//p", "p >", "[x=", "\0"])
def test_a_wrong_selector_is_an_error_that_names_its_setting(setting: str, selector: str) -> None:
    with pytest.raises(SettingsError, match=f"reading.{setting}"):
        markdown(ARTICLE, {setting: [selector]})


def test_removed_counts_elements_by_rule() -> None:
    page = Page(
        f"<nav>a</nav><nav>b</nav><script>c</script><main>{ARTICLE}</main><div class=ads>d</div><footer>e</footer>"
    )
    assert dict(extract(page).removed) == {"not-text": 1, "navigation": 2, "ads": 1, "page-footer": 1}


LINKS = "<ul><li><a href=/a>Opening hours</a><li><a href=/b>Catalogue</a><li><a href=/c>Reading rooms</a></ul>"


@pytest.mark.parametrize("after", ["", "<h3>Elsewhere</h3>" + LINKS, "<h3>Dates</h3><p>Closed on Mondays</p>"])
def test_the_heading_of_a_list_of_links_goes_with_it(after: str) -> None:
    assert "Visit us" not in markdown(f"<main>{ARTICLE}<div><h3>Visit us</h3>{LINKS}{after}</div></main>")


@pytest.mark.parametrize(
    "part",
    [
        f"<h3>Visit us</h3>{LINKS}<p>The rooms are heated.</p>",
        f"<h3>Visit us</h3>{LINKS}The rooms are heated.",
        f"<h3>Visit us</h3>from Tuesday on{LINKS}",
        f"<h3>Visit us</h3><p>The rooms are heated.</p>{LINKS}",
        "<h3>Visit us</h3>",
    ],
)
def test_a_heading_with_more_under_it_than_links_stays(part: str) -> None:
    assert "Visit us" in markdown(f"<main>{ARTICLE}<div>{part}</div></main>")


def test_a_heading_that_the_table_of_contents_names_stays() -> None:
    marked = f"<main>{ARTICLE}<div class=toc-content-heading id=cost><h2>What it costs</h2></div><p>{A}</p></main>"
    assert "What it costs" in markdown(marked)
    assert "What it costs" not in markdown(
        f"<main>{ARTICLE}<div class=toc-content><h2>What it costs</h2><a href=#cost>Cost</a></div><p>{A}</p></main>"
    )


def test_content_that_is_named_after_the_sidebar_beside_it_stays() -> None:
    beside = f"<div class=notes><p>{A}</p><p>{B}</p><p>{C}</p></div>"
    assert "Library roof" in markdown(f"{beside}<div class=right_sidebar id=main><h1>Library roof</h1><p>{A}</p></div>")
    assert "Library roof" not in markdown(
        f"{beside}<div class=right_sidebar id=side><h3>Library roof</h3></div>"
    ).replace("# Library roof", "", 1)


def test_code_that_a_book_wraps_around_an_example_and_does_not_show_is_not_read() -> None:
    code = '<pre><code><span class="boring">fn main() {\n</span>let ropes = 12;\n<span class="boring">}</span></code></pre>'
    found = markdown(f"<main>{ARTICLE}{code}<p>It is not <span class=boring>boring</span>.</p></main>")
    assert "let ropes = 12;" in found
    assert "fn main" not in found
    assert "not boring" in found


@pytest.mark.parametrize(
    "element",
    [
        "<div class=menu><p>Fish soup {}</p></div>",
        "<section id=menu><p>Fish soup {}</p></section>",
        "<div class=subscription><p>One year {}</p></div>",
        "<div class=popular><p>Cabin for two {}</p></div>",
        "<div class=tags><span>Adults {}</span></div>",
        "<aside><p>Adults {}</p></aside>",
        "<header><p>Adults {}</p></header>",
        "<form><span class=price>{}</span><input name=pieces><button>Buy</button></form>",
        "<button>Buy for {}</button>",
        "<p>Fee <span aria-hidden=true>{}</span></p>",
        "<p>Fee <span class=visually-hidden>{}</span></p>",
        "<h3>Recommended fee: {}</h3><ul><li><a href=/1>For members</a><li><a href=/2>For guests</a><li><a href=/3>Others</a></ul>",
    ],
)
def test_a_price_that_leads_nowhere_is_compared_whatever_it_stands_in(element: str) -> None:
    assert "12 EUR" in markdown(f"<h1>Library roof</h1><p>{A}</p>{element.format('12 EUR')}<p>{B}</p>")


@pytest.mark.parametrize(
    "element",
    [
        "<nav><p>Cart {}</p></nav>",
        "<div class=menu><a href=/cart>Cart {}</a></div>",
        "<div class=related-posts><a href=/x>Rope {}</a></div>",
        "<div class=newsletter><p>{} a month</p><input name=mail></div>",
        "<div class=ad-slot><p>Soap {}</p></div>",
        "<footer><p>Free of postage over {}</p></footer>",
        "<p hidden>{}</p>",
        "<span style='display:none'>{}</span>",
        "<div aria-hidden=true><p>Rope {}</p></div>",
    ],
)
def test_a_price_that_leads_elsewhere_or_is_not_shown_goes(element: str) -> None:
    assert "12 EUR" not in markdown(f"<h1>Library roof</h1><p>{A}</p>{element.format('12 EUR')}<p>{B}</p>")


LATE = "".join(f"<li><a href=/{number}>The ferry is late once more</a>" for number in range(4))


@pytest.mark.parametrize(
    "panel",
    [
        "<div role=tabpanel hidden>",
        "<div class='tab-pane' style='display:none'>",
        "<div class=accordion aria-hidden=true>",
    ],
)
def test_a_tab_that_readers_open_is_compared_and_a_tab_of_links_is_not(panel: str) -> None:
    text = f"<h1>Library roof</h1><p>{A}</p>{panel}{{}}</div><p>{B}</p>"
    assert "made of slate" in markdown(text.format("<p>The roof is made of slate.</p>"))
    assert "late once more" not in markdown(text.format(f"<ul>{LATE}</ul>"))
