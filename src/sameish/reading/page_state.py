"""Judges what kind of answer a page is, from its status, its words and a few tell-tale phrases.

Phrases count only on short pages: an article about captchas is an article.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache

from sameish.models import State

_SHORT, _TEASER, _BRIEF, _FEW = 150, 250, 60, 40
"""Words up to which a tell-tale phrase decides; up to which a wall with text above it is a teaser; up to which a phrase in the
title, and anywhere, decides that articles use too."""


_NOTHING = 10
"""Words that say nothing: a banner beside them fills the screen."""


def _phrases(text: str) -> str:
    return "|".join(line.strip() for line in text.strip().splitlines())


_CHALLENGE = _phrases(
    r"""
    just a moment\.\.\.
    checking (?:your browser|if the site connection is secure)
    attention required! \| cloudflare
    enable javascript and cookies to continue
    needs to review the security of your connection
    verify(?:ing)? (?:that )?you are (?:a )?human
    (?:complete|solve) the (?:captcha|security check)
    ddos protection by
    pardon our interruption
    request unsuccessful\. incapsula
    人机验证|安全验证|请完成验证
    """
)
# what a question about an error message says too: tell-tale only where there is hardly anything else
_PERHAPS_CHALLENGE = _phrases(
    r"""
    are you a (?:robot|human)
    unusual traffic from your
    please enable cookies
    your request has been blocked
    access (?:to this page )?(?:has been )?denied
    bot (?:detection|protection|verification)
    sicherheitsprüfung
    проверка браузера
    """
)
_CONSENT = _phrases(
    r"""
    before you continue to
    we value your privacy
    we and our partners (?:store|use|process)
    accept (?:all )?cookies to (?:continue|access)
    bevor (?:du|sie) (?:zu .{1,40} )?(?:weitermachst|fortfahren)
    """
)
_MISSING = _phrases(
    r"""
    (?:page|file|document|article|content|url) (?:could ?n.t be|can ?not be|can.t be|was not|not|is not) (?:found|available)
    (?:page|file|document|article|content|url) (?:is )?no longer (?:available|exists?)
    (?:could not|cannot|can.t|couldn.t|unable to) find (?:that|the|this|your|a)? ?(?:page|file|document|article|content|url)
    (?:page|article|content).{0,30}(?:does not|doesn.t|no longer) exist
    \b(?:error )?404\b.{0,20}not found
    ^\W*(?:error\W*)?404\b
    not found\W{0,3}404
    nothing (?:was )?found (?:here|at this)
    seite (?:wurde |konnte |kann )?(?:leider )?nicht gefunden
    seite (?:existiert|gibt es) (?:leider )?nicht
    page (?:introuvable|non trouvée|(?:demandée )?n'a pas (?:pu être|été) trouvée)
    página no encontrada|no se ha encontrado la página
    pagina non trovata|pagina niet gevonden
    página não encontrada
    strona nie (?:została )?znaleziona|nie znaleziono strony
    страница не найдена|сторінку не знайдено
    页面不存在|找不到页面|页面未找到|ページが見つかりません|お探しのページ
    페이지를 찾을 수 없
    الصفحة غير موجودة
    """
)
_OUT_OF_ORDER = _phrases(
    r"""
    internal server error
    service (?:temporarily )?unavailable
    bad gateway|gateway time-?out
    (?:site|website) is (?:currently )?(?:down|under|undergoing)
    (?:down|offline|unavailable) for (?:scheduled )?maintenance|under maintenance
    wartungsarbeiten an der (?:seite|website)|wartungsmodus|site en maintenance|sitio en mantenimiento
    сайт (?:временно )?(?:недоступен|на обслуживании)|系统维护|メンテナンス中です
    an (?:unexpected )?error (?:has )?occurred
    error establishing a database connection
    (?:^|\n)\W{0,3}(?:php )?fatal error:
    """
)
_LOGIN = _phrases(
    r"""
    please (?:log|sign) ?in\b
    (?:log|sign) ?in (?:or (?:register|sign up|create an account) )?to (?:continue|read|view|see|access|post|reply|unlock)
    (?:you )?must (?:be logged in|log ?in|sign ?in)
    melden sie sich an|bitte (?:einloggen|anmelden)|anmelden,? um
    connectez-vous pour|identifiez-vous
    inicia(?:r)? sesión para
    войдите,? чтобы|авторизуйтесь
    登录后(?:查看|阅读|继续)|请(?:先)?登录|ログインして
    """
)
_PAY = _phrases(
    r"""
    subscribe (?:now )?to (?:continue|read|keep reading|unlock|access)
    (?:already )?(?:a )?subscriber\? (?:log|sign) in
    (?:this (?:article|content|story) is )?(?:only )?(?:for|available to) (?:our )?(?:subscribers|members)(?: only)?
    (?:continue|keep) reading (?:with|by) (?:a )?subscri
    you have (?:reached|read) your (?:free |monthly )?(?:article )?limit
    (?:weiterlesen|jetzt lesen) mit
    réservé (?:aux|à nos) abonnés
    exclusivo para suscriptores
    только для подписчиков
    """
)
_LOADING = _phrases(
    r"""
    (?m:^[^\w\n]{0,5}(?:loading|please wait|wird geladen|chargement|cargando|загрузка|加载中|読み込み中)[^\w\n]{0,5}$)
    (?m:^[^\w\n]{0,5}(?:redirecting|you are being redirected|sie werden weitergeleitet|redirection en cours)\b)
    (?:enable|activate|turn on) javascript|without javascript|javascript enabled|requires? javascript
    javascript (?:is )?(?:required|disabled|must be enabled|aktivieren)|aktivieren sie (?:bitte )?javascript
    activer javascript|activez javascript|(?:active|habilite) javascript|abilita(?:re)? javascript
    (?:включите|включить) javascript|(?:启用|开启|啟用) ?javascript|javascript ?を有効
    """
)


@dataclass(frozen=True, slots=True)
class Evidence:
    """What is known of a page when its state is judged.

    `.status`: HTTP. `.title`, `.headline`: as read. `.text`: the sentences that are compared, one a line. `.words`: their
    words. `.seen`: all visible text, boilerplate included, at most its first 4,000 characters. `.has_password`: a field for one.
    `.content_range`: the header of this name, "" without it.
    """

    status: int
    title: str
    headline: str
    text: str
    words: int
    seen: str
    has_password: bool
    content_range: str = ""


_WHOLE = re.compile(r"bytes\s+0-(\d+)/(\d+)", re.IGNORECASE)
"""A Content-Range (RFC 9110, 14.4) that may name all of the page."""


def _is_part(page: Evidence) -> bool:
    if page.status != 206:  # Partial Content
        return False
    found = _WHOLE.fullmatch(page.content_range.strip())
    return found is None or int(found[1]) + 1 != int(found[2])


def judge_state(page: Evidence, thin_words: int) -> tuple[State, str]:
    """Return the state and the reason for it in words."""
    challenged = _challenge_of(page)
    if page.status >= 400:
        if challenged:
            return State.BLOCKED, f"HTTP {page.status}, {challenged!r}"
        return State.ERROR, f"HTTP {page.status}"
    if _is_part(page):
        return State.ERROR, "HTTP 206, a part of the page"
    if page.words <= _SHORT:
        found = _judge_short(page, challenged)
        if found:
            return found
    if not page.words:
        return State.EMPTY, "no text"
    if page.words <= _TEASER and (wall := _wall_of(page)):
        return State.PARTIAL, f"a teaser: {wall!r}"
    if page.words < thin_words:
        return State.THIN, f"{page.words} words"
    return State.CONTENT, f"{page.words} words"


def _judge_short(page: Evidence, challenged: str) -> tuple[State, str] | None:
    if challenged:
        return State.BLOCKED, f"a challenge: {challenged!r}"
    head = f"{page.title}\n{page.headline}"
    if missing := _first(_MISSING, head) or (_first(_MISSING, page.text[:300]) if page.words <= 80 else ""):
        return State.ERROR, f"says that it is missing: {missing!r}"
    failed = f"{head}\n{page.text}" if page.words <= _FEW else head if page.words <= _BRIEF else ""
    if out := _first(_OUT_OF_ORDER, failed):
        return State.ERROR, f"says that it failed: {out!r}"
    if page.words <= _BRIEF and (consent := _first(_CONSENT, _shown(page))):
        return State.BLOCKED, f"a consent wall: {consent!r}"
    login = _first(_LOGIN, f"{head}\n{page.text}")
    if page.has_password and page.words <= _BRIEF:
        return State.BLOCKED, "a login form"
    if login:
        return (State.PARTIAL if page.words > _FEW else State.BLOCKED), f"a login wall: {login!r}"
    if _first(_LOADING, page.text) and page.words <= _FEW:
        return State.EMPTY, "a shell that a script would fill"
    return None


def _challenge_of(page: Evidence) -> str:
    if page.words > _SHORT:
        return ""
    shown = f"{page.title}\n{page.headline}\n{page.text[:600]}\n{_shown(page)[:600]}"
    return _first(_CHALLENGE, shown) or (_first(_PERHAPS_CHALLENGE, shown) if page.words <= _FEW else "")


def _wall_of(page: Evidence) -> str:
    """A headline about walls is no wall."""
    seen, text = ((one.replace(page.headline, " ") if page.headline else one) for one in (page.seen, page.text))
    return _first(_PAY, seen) or _first(_LOGIN, text)


def _shown(page: Evidence) -> str:
    """What a reader is shown first: the content, or where there is none, what stands around it."""
    return page.text if page.words > _NOTHING else f"{page.text}\n{page.seen}"


@cache
def _pattern_of(phrases: str) -> re.Pattern[str]:
    """Compile phrases when they are first sought: few pages are short enough for most of them."""
    return re.compile(phrases)


def _first(phrases: str, text: str) -> str:
    shown = text[:4000]
    # four times as fast as ignoring case; the one letter whose small form is longer moves what is quoted by a place
    match = _pattern_of(phrases).search(shown.lower())
    return " ".join(shown[match.start() : match.end()].split()) if match else ""
