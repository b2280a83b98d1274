"""The answers that are no article: walls, challenges, error pages."""

from __future__ import annotations

from html import escape

from sameish.demo import chrome
from sameish.demo.article import Article, plain
from sameish.demo.design import Scene
from sameish.demo.head import head, structured
from sameish.demo.markup import inline
from sameish.demo.noise import Aspect


def teaser(scene: Scene, article: Article, charset: str) -> str:
    """Return the beginning of an article with a request to log in for the rest."""
    top = head(
        scene, plain(article.title), plain(article.teaser), canonical=article.path, charset=charset,
        extra=structured(scene, article),
    )  # fmt: skip
    story = f"<h1>{inline(article.title)}</h1>\n<p>{inline(article.teaser)}</p>\n{_login_form(scene)}"
    return f"""<!DOCTYPE html>
<html lang="{article.language}" dir="{scene.words.say("direction")}">
{top}
<body>
{chrome.navigation(scene)}
{scene.box("article", story)}
{chrome.related(scene)}
{chrome.footer(scene)}
{chrome.consent(scene)}
</body></html>
"""


def login(scene: Scene) -> str:
    """Return the login page."""
    top = head(scene, scene.words.say("login"), scene.words.say("name"), canonical="/login", charset="utf-8")
    inner = f"{chrome.navigation(scene)}\n{_login_form(scene)}\n{chrome.footer(scene)}"
    return f'<!DOCTYPE html>\n<html lang="en">\n{top}\n<body>\n{inner}\n</body></html>\n'


def _login_form(scene: Scene) -> str:
    words = scene.words
    token = scene.draws(Aspect.NONCES, "login").hexadecimal(32)
    return f"""<div class="paywall" id="login-wall"><h2>{words.say("login")}</h2>
<p>{words.say("login_text")}</p>
<form method="post" action="/login"><input type="hidden" name="csrf_token" value="{token}">
<label>{words.say("email")} <input type="email" name="user"></label>
<label>{words.say("password")} <input type="password" name="password"></label>
<button>{words.say("login")}</button></form></div>"""


def challenge(scene: Scene) -> str:
    """Return the page that wants to know whether the visitor is human."""
    ray = scene.draws(Aspect.NONCES, "ray").hexadecimal(16)
    return f"""<!DOCTYPE html>
<html lang="en-US"><head><title>Just a moment...</title><meta name="robots" content="noindex,nofollow">
<meta http-equiv="refresh" content="8"></head>
<body><div class="main-wrapper"><h1>www.ferrycourier.example</h1>
<h2>Checking your browser before you proceed</h2>
<p>This takes a few seconds. Please enable JavaScript and cookies to continue.</p>
<form id="challenge-form" action="?__ch={ray}" method="post"><input type="hidden" name="r" value="{ray}"></form>
<script>(function(){{window._ch_opt={{ray:"{ray}",mode:"managed"}};}})();</script>
<div class="footer">Ray ID: <code>{ray}</code></div></div></body></html>
"""


def missing(scene: Scene, path: str) -> str:
    """Return the page that says that there is no page."""
    top = head(scene, "Page not found", "Page not found", canonical=scene.path, charset="utf-8")
    text = (
        f"<h1>Page not found</h1>\n<p>Sorry, the page <code>{escape(path)}</code> does not exist or has been moved.</p>\n"
        '<p>Check the address for typing errors, or go back to the <a href="/">front page</a>.</p>'
    )
    inner = f"{chrome.navigation(scene)}\n{scene.box('article', text)}\n{chrome.popular(scene)}\n{chrome.footer(scene)}"
    return f'<!DOCTYPE html>\n<html lang="en">\n{top}\n<body class="error-404">\n{inner}\n</body></html>\n'


def broken(scene: Scene, status: int) -> str:
    """Return the page of a server that has failed."""
    text = {500: "Internal Server Error", 503: "Service Temporarily Unavailable", 410: "Gone"}[status]
    request = scene.draws(Aspect.NONCES, "request").hexadecimal(20)
    return (
        f"<html><head><title>{status} {text}</title></head>\n<body>\n<center><h1>{status} {text}</h1></center>\n"
        f"<hr><center>courier-edge/2.4</center>\n<!-- request {request} -->\n</body></html>\n"
    )
