from __future__ import annotations

import pytest

from sameish.models import Page, State
from sameish.stateless import extract

FERRY = (
    "The council has approved a winter timetable for the ferry between the point and the island. From November the boat "
    "leaves every fifty minutes, and the last crossing back to the mainland moves from eleven to nine in the evening. "
)
HOSPITAL = (
    "A nurse who lives on the island told the hearing that she would have to sleep in the ward twice a week, or give up the "
    "job she has held for twelve years. The operator answered that four people used the late boat on an average night. "
)
NAV = '<nav><a href="/">Home</a> <a href="/news">News</a> <a href="/login">Log in</a></nav>'
FOOTER = '<footer><p>The Harbour Courier. <a href="/cookies">Cookies</a> <a href="/privacy">Privacy</a></p></footer>'


def doc(title: str, body: str) -> str:
    return f"<!doctype html><html><head><title>{title}</title></head><body>{NAV}{body}{FOOTER}</body></html>"


def simple(title: str, *paragraphs: str) -> str:
    return doc(title, f"<main><h1>{title}</h1>" + "".join(f"<p>{text}</p>" for text in paragraphs) + "</main>")


def state(html: str, status: int = 200) -> State:
    return extract(Page(html, url="https://a.example/x", status=status)).state


CHALLENGES = {
    "interstitial": doc(
        "Just a moment...", "<h1>a.example</h1><p>Checking your browser before accessing a.example.</p>"
    ),
    "javascript and cookies": doc(
        "Just a moment...", "<h2>Enable JavaScript and cookies to continue</h2><p>Ray 8f1</p>"
    ),
    "security check": doc("Attention Required! | Cloudflare", "<h1>Sorry, you have been blocked</h1><p>Ray ID: 1</p>"),
    "human": doc("a.example", "<h1>One more step</h1><p>Please complete the security check to access a.example</p>"),
    "robot": doc("Are you a robot?", "<p>Please confirm that you are not a robot by clicking the box below.</p>"),
    "verify": simple("One moment", "Verify you are human by completing the action below.", "a.example needs to check."),
    "press and hold": simple("Access to this page has been denied", "Press and hold to confirm you are a human."),
    "interruption": simple(
        "Pardon Our Interruption", "As you were browsing something made us think you might be a bot."
    ),
    "incapsula": doc("", "<p>Request unsuccessful. Incapsula incident ID: 12-34</p>"),
    "traffic": simple("Sorry", "Our systems have detected unusual traffic from your computer network."),
    "ddos": simple("Please wait", "DDoS protection by a.example. This process is automatic."),
    "denied": doc(
        "Access Denied", '<h1>Access Denied</h1><p>You don\'t have permission to access "/x". Reference #18.2</p>'
    ),
    "de": simple("Sicherheitsprüfung", "Bitte bestätigen Sie, dass Sie kein Roboter sind."),
    "ru": simple("Проверка браузера", "Подождите несколько секунд, страница откроется сама."),
    "zh": simple("安全验证", "请完成验证后继续访问。"),
}


@pytest.mark.parametrize("status", [200, 403, 429, 503])
@pytest.mark.parametrize("name", CHALLENGES)
def test_a_challenge_is_blocked_whatever_its_status(name: str, status: int) -> None:
    assert state(CHALLENGES[name], status) is State.BLOCKED


MISSING = {
    "en": simple("Page not found", "The address may be mistyped. Start again from the front page."),
    "en 404": simple("404", "Nothing was found at this address."),
    "en title": doc("404 Not Found", "<p>The requested URL was not found on this server.</p>"),
    "en oops": doc("Oops", "<main><h1>We could not find that page</h1><p>It may have moved.</p></main>"),
    "en sorry": simple("Sorry", "The page you are looking for does not exist."),
    "en gone": simple("Article no longer available", "It was removed by its author."),
    "de": simple("Seite nicht gefunden", "Die gewünschte Adresse gibt es nicht (mehr)."),
    "de 2": doc("Fehler", "<h1>Diese Seite existiert leider nicht</h1><p>Zur Startseite</p>"),
    "fr": simple("Page introuvable", "La page demandée a peut-être été déplacée."),
    "es": simple("Página no encontrada", "Es posible que la dirección sea incorrecta."),
    "it": simple("Pagina non trovata", "L'indirizzo potrebbe essere errato."),
    "pt": simple("Página não encontrada", "O endereço pode estar incorreto."),
    "nl": simple("Pagina niet gevonden", "Het adres klopt misschien niet."),
    "pl": simple("Nie znaleziono strony", "Adres może być błędny."),
    "ru": simple("Страница не найдена", "Возможно, адрес набран с ошибкой."),
    "uk": simple("Сторінку не знайдено", "Можливо, адресу набрано з помилкою."),
    "zh": simple("页面不存在", "您访问的页面可能已被删除。"),
    "ja": simple("ページが見つかりません", "アドレスをご確認ください。"),
    "ko": simple("페이지를 찾을 수 없습니다", "주소를 확인해 주세요."),
    "ar": simple("الصفحة غير موجودة", "ربما تم نقلها."),
}


@pytest.mark.parametrize("name", MISSING)
def test_a_page_that_says_it_is_missing_is_an_error_although_the_status_is_200(name: str) -> None:
    assert state(MISSING[name]) is State.ERROR


@pytest.mark.parametrize("status", [400, 404, 410, 500, 502, 503])
def test_an_error_status_is_an_error_whatever_the_page_says(status: int) -> None:
    assert state(simple("Fewer ferries", FERRY, HOSPITAL), status) is State.ERROR
    assert state("", status) is State.ERROR


@pytest.mark.parametrize(
    "page",
    [
        simple("500 Internal Server Error", "Something went wrong."),
        simple("Service unavailable", "Please try again later."),
        simple("Down for maintenance", "The site is currently down for maintenance and will be back in an hour."),
        simple("An unexpected error has occurred", "Please reload the page."),
    ],
)
def test_a_page_that_says_it_failed_is_an_error(page: str) -> None:
    assert state(page) is State.ERROR


@pytest.mark.parametrize("status", [301, 302, 307, 308])
def test_a_redirect_has_no_content(status: int) -> None:
    assert state(doc("Moved", "<p>The document has moved <a href='/y'>here</a>.</p>"), status) is State.EMPTY


def test_not_modified_needs_no_body() -> None:
    found = extract(Page(status=304))
    assert found.state is State.EMPTY
    assert "304" in found.reason


LOGIN_FORM = "<form><input name=user><input type=password><button>Sign in</button></form>"


@pytest.mark.parametrize(
    "page",
    [
        doc("Members", f"<main><h1>Members</h1>{LOGIN_FORM}</main>"),
        doc("Sign in", f"<main><h1>Sign in to continue</h1><p>Use your library card.</p>{LOGIN_FORM}</main>"),
        simple("Please log in", "You must be logged in to see this page."),
        simple("Anmelden", "Bitte anmelden, um fortzufahren."),
        simple("登录", "请先登录"),
    ],
)
def test_a_login_instead_of_a_page_is_blocked(page: str) -> None:
    assert state(page) is State.BLOCKED


@pytest.mark.parametrize(
    "box",
    [
        f"<header>{LOGIN_FORM}</header>",
        f'<div class="modal">{LOGIN_FORM}</div>',
        f'<div style="display:none">{LOGIN_FORM}</div>',
        f"<aside>{LOGIN_FORM}</aside>",
        f'<div id="sidebar"><div class="box">{LOGIN_FORM}</div></div>',
    ],
)
def test_a_login_beside_a_short_page_blocks_nothing(box: str) -> None:
    page = doc("Opening hours", f"{box}<main><h1>Opening hours</h1><p>Ten to six, on Thursdays until ten.</p></main>")
    assert state(page) is State.THIN


@pytest.mark.parametrize(
    "page",
    [
        doc("a.example", "<h1>Before you continue to a.example</h1><p>We use cookies. Accept all or reject all?</p>"),
        simple("Your privacy", "We value your privacy. We and our partners store information on a device."),
        simple("Cookies", "Accept all cookies to continue to the site."),
    ],
)
def test_a_consent_wall_is_blocked(page: str) -> None:
    assert state(page) is State.BLOCKED


WALLS = [
    "Subscribe to continue reading.",
    "Already a subscriber? Log in.",
    "This article is only available to members.",
    "You have reached your monthly article limit.",
    "Weiterlesen mit dem Abo der Hafenpost.",
    "Cet article est réservé aux abonnés.",
    "Contenido exclusivo para suscriptores.",
    "Полный текст только для подписчиков.",
]


@pytest.mark.parametrize("wall", WALLS)
def test_a_teaser_above_a_wall_is_partial(wall: str) -> None:
    assert state(simple("Fewer ferries", FERRY, wall)) is State.PARTIAL
    assert state(
        doc("Fewer ferries", f"<main><h1>Fewer ferries</h1><p>{FERRY}</p></main><div class=modal>{wall}</div>")
    ) is (State.PARTIAL)


@pytest.mark.parametrize("wall", WALLS)
def test_a_whole_article_with_an_offer_below_it_is_content(wall: str) -> None:
    assert state(simple("Fewer ferries", *[FERRY, HOSPITAL] * 4, wall)) is State.CONTENT


@pytest.mark.parametrize(
    "page",
    [
        doc("Courier", "<div id=root></div>"),
        doc("Courier", "<div id=root><div class=spinner>Loading...</div></div>"),
        doc("Courier", "<div id=app></div><noscript>You need to enable JavaScript to run this app.</noscript>"),
        doc("Courier", "<noscript><strong>We're sorry but courier doesn't work properly without JavaScript enabled.</strong>"
            "</noscript><div id=app></div>"),
        doc("Courier", "<p>This site requires JavaScript.</p>"),
        doc("Courier", "<p>Bitte aktivieren Sie JavaScript in Ihrem Browser.</p>"),
        doc("", "<p>読み込み中</p>"),
        "",
        "<html><head></head><body>  \n </body></html>",
        "<!-- nothing -->",
        "<script>document.write('x')</script>",
    ],
)  # fmt: skip
def test_a_shell_is_empty_so_that_shells_are_never_duplicates(page: str) -> None:
    found = extract(Page(page))
    assert found.state is State.EMPTY, found


def about(title: str, text: str, times: int = 2) -> str:
    return simple(title, text, *[FERRY, HOSPITAL] * times)


@pytest.mark.parametrize(
    "page",
    [
        about("Why we dropped the captcha", "Visitors had to complete the captcha before they could book a ferry."),
        about("How 404 pages became an art", "The words page not found need not be the end of a visit."),
        about("Just a moment... with the harbour master", "Verify you are human, said the machine, and she laughed."),
        about("Cookies, before you continue to bake", "We value your privacy, says the cookie banner on every page."),
        about(
            "Access denied", "The museum was closed when we came, and no reason was given to the people in the queue."
        ),
        about("Sign in to continue", "The words greet everyone who opens the tablet that the library lends."),
        about("Internal server error", "The council's new booking site failed on its first day for eleven hours."),
        about("Subscribe to continue reading", "That line has become the front door of the press, our author finds."),
        about("The site is down", "An unexpected error has occurred in the tunnel, and the builders must wait."),
    ],
)
def test_an_article_about_such_pages_is_an_article(page: str) -> None:
    assert state(page) is State.CONTENT


@pytest.mark.parametrize(
    "page",
    [
        simple("Meeting not found in minutes", FERRY, HOSPITAL),
        simple("Route 404 extended", FERRY, HOSPITAL),
        simple("Cookie recipe", "Stir the butter and sugar, add the flour and bake for ten minutes until they are golden."
               " Leave them on the tray to cool before you store them in a tin with a lid."),
        simple("Log in to the river", "A log in the river has stopped the ferry; a crane from the town will lift it on Monday"
               " when the wind has dropped and the divers have looked at the chain."),
    ],
)  # fmt: skip
def test_short_pages_with_such_words_in_other_senses_are_content(page: str) -> None:
    assert state(page) is State.CONTENT


def test_little_text_is_thin_at_the_border_that_the_settings_name() -> None:
    page = Page(simple("Hours", "Ten to six, on Thursdays until ten."))
    assert extract(page).state is State.THIN
    assert extract(page, {"reading": {"thin_words": 5}}).state is State.CONTENT


def test_the_reason_names_what_decided() -> None:
    assert "just a moment" in extract(Page(CHALLENGES["interstitial"])).reason.lower()
    assert "404" in extract(Page("x", status=404)).reason
    assert "not found" in extract(Page(MISSING["en"])).reason.lower()
    assert extract(Page(simple("Fewer ferries", FERRY, HOSPITAL))).reason.endswith("words")


@pytest.mark.parametrize(
    ("content_range", "whole"),
    [
        ("bytes 0-999/1000", True),
        ("Bytes  0-0/1", True),
        ("bytes 0-499/1000", False),
        ("bytes 500-999/1000", False),
        ("bytes 0-999/*", False),
        ("bytes */1000", False),
        ("", False),
        ("pages 0-9/10", False),
    ],
)
def test_a_part_of_a_page_is_no_page(content_range: str, whole: bool) -> None:
    body = "<main><h1>Tide table</h1><p>" + "The tide turns at noon and again after midnight, says the pilot. " * 9
    page = Page(body, status=206, headers={"Content-Range": content_range} if content_range else {})
    found = extract(page)
    assert (found.state == "content") is whole
    assert whole or found.state == "error"
