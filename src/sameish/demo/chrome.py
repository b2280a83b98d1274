"""What stands around an article: navigation, advertising, lists, counters, comments, notices. All of it is noise."""

from __future__ import annotations

from html import escape

from sameish.demo.article import Article, plain
from sameish.demo.design import Scene, items, link
from sameish.demo.noise import Aspect


def navigation(scene: Scene) -> str:
    """Return the header; which of two menus a visitor gets is an experiment."""
    words = scene.words
    variant = "sections_b" if scene.noise.epoch(Aspect.NAVIGATION) % 2 else "sections"
    names = words.all(variant)
    links = [
        link(f"/{name}", text)
        for name, text in zip(("news", "sport", "food", "reviews", "people"), names, strict=False)
    ]
    menu = scene.box("nav", items(links), f'data-experiment="nav-{variant}"')
    logo = link("/", words.say("name"), scene.name("top-logo"))
    search = '<form action="/search" role="search"><input type="search" name="q" aria-label="q"></form>'
    return scene.box("top", f"{logo}\n{weather(scene)}\n{menu}\n{search}")


def weather(scene: Scene) -> str:
    """Return the weather widget."""
    degrees = scene.draws(Aspect.WEATHER).between(-2, 14)
    return scene.box("weather", f"<span>{scene.words.say('weather', n=degrees)}</span>")


def breadcrumbs(scene: Scene, article: Article) -> str:
    """Return the way from the front page to an article."""
    home = link("/", scene.words.say("home"))
    return scene.box("crumbs", f"{home} › {link(f'/{article.section}', article.section)}", 'aria-label="Breadcrumb"')


def advert(scene: Scene, slot: str) -> str:
    """Return an advertisement: text, picture, or an empty slot that a script will fill."""
    draws = scene.draws(Aspect.ADS, slot)
    label = scene.words.say("ad")
    number = draws.between(100000, 999999)
    text = draws.pick(scene.words.all("ads"))
    target = f"https://ads.adhub.example/click?c={number}&cb={draws.hexadecimal(12)}"
    inner = (
        f"<small>{label}</small>\n{link(target, text, 'rel=sponsored')}",
        f'<small>{label}</small>\n<iframe src="{escape(target)}" title="{label}" width="300" height="250"></iframe>',
        f'<small>{label}</small>\n<ins class="adsbyhub" data-ad-slot="{number}"></ins><script>hub.push({number})</script>',
    )[draws.below(3)]
    return scene.box("ad", inner, f'id="ad-{slot}-{draws.hexadecimal(6)}" aria-label="{label}"')


def related(scene: Scene) -> str:
    """Return four related stories."""
    chosen = scene.draws(Aspect.RELATED).shuffled(scene.others)[:4]
    lines = items([link(one.path, plain(one.title)) for one in chosen])
    return scene.box("related", f"<h3>{scene.words.say('related')}</h3>\n{lines}")


def also(scene: Scene) -> str:
    """Return the story recommended in the middle of another."""
    chosen = scene.draws(Aspect.RELATED, "also").pick(scene.others)
    return scene.box(
        "related", f"<b>{scene.words.say('also')}</b> {link(chosen.path, plain(chosen.title))}", 'role="note"'
    )


def popular(scene: Scene) -> str:
    """Return the most read stories with their counts."""
    draws = scene.draws(Aspect.RELATED, "popular")
    links = [
        f"{link(one.path, plain(one.title))} <span>{_views(scene, draws.between(900, 9000))}</span>"
        for one in draws.shuffled(scene.others)[:5]
    ]
    return scene.box("popular", f"<h3>{scene.words.say('popular')}</h3>\n{items(links)}")


def _views(scene: Scene, count: int) -> str:
    return scene.words.say("views", n=scene.words.number(count))


def share(scene: Scene) -> str:
    """Return the share buttons with their counter."""
    count = 12 + 7 * scene.noise.epoch(Aspect.COUNTERS) + scene.draws(Aspect.COUNTERS, "share").below(7)
    links = [link(f"#share-{number}", text) for number, text in enumerate(scene.words.all("share_on"))]
    return scene.box(
        "share", f"<b>{scene.words.say('share')}</b>\n{items(links)}\n<span>{scene.words.say('shares', n=count)}</span>"
    )


def counters(scene: Scene) -> str:
    """Return the line under a headline that is never the same twice."""
    words = scene.words
    epoch = scene.noise.epoch(Aspect.COUNTERS)
    views = 1200 + 117 * epoch + scene.draws(Aspect.COUNTERS, "views").below(100)
    age = scene.draws(Aspect.AGES).between(2, 58)
    spans = (words.say("updated", n=age), _views(scene, views), words.say("reading"))
    return scene.box("meta", "\n".join(f"<span {scene.name('meta-item')}>{span}</span>" for span in spans))


def remarks(scene: Scene) -> list[str]:
    """Return what readers have said so far."""
    return scene.words.all("remarks")[: 1 + scene.noise.epoch(Aspect.COMMENTS)]


def comments(scene: Scene) -> str:
    """Return the comment thread, longer at each visit until everybody has spoken."""
    words = scene.words
    said = remarks(scene)
    readers = words.all("readers")
    lines = [
        f"<b>{escape(readers[number % len(readers)])}</b> <p>{escape(remark)}</p> <button>{words.say('reply')}</button>"
        for number, remark in enumerate(said)
    ]
    head = f"<h3>{words.say('comments', n=len(said))}</h3>"
    return scene.box("comments", f"{head}\n{items(lines)}", 'id="comments"')


def newsletter(scene: Scene) -> str:
    """Return the newsletter form, with a token against forged requests."""
    words = scene.words
    token = scene.draws(Aspect.NONCES, "newsletter").hexadecimal(32)
    form = (
        f'<form method="post" action="/newsletter"><input type="hidden" name="csrf_token" value="{token}">'
        f'<input type="email" name="email" placeholder="{words.say("email")}"><button>{words.say("subscribe")}</button></form>'
    )
    return scene.box("newsletter", f"<h3>{words.say('newsletter')}</h3>\n<p>{words.say('newsletter_text')}</p>\n{form}")


def consent(scene: Scene) -> str:
    """Return the cookie banner, shown to every other visitor."""
    if scene.noise.epoch(Aspect.CONSENT) % 2:
        return ""
    words = scene.words
    buttons = f"<button>{words.say('accept')}</button><button>{words.say('reject')}</button>"
    return scene.box("consent", f"<p>{words.say('cookies')}</p>\n{buttons}", 'id="cookie-consent" role="dialog"')


def footer(scene: Scene) -> str:
    """Return the footer, which tells how long the page took to make."""
    words = scene.words
    spent = scene.draws(Aspect.FOOTER).between(41, 890)
    links = items([link(f"/about/{number}", text) for number, text in enumerate(words.all("about"))])
    inner = f"{links}\n<p>{words.say('rights')}</p>\n<p>{words.say('generated', n=f'0.{spent:03}')}</p>"
    return scene.box("foot", inner)


def pixels(scene: Scene) -> str:
    """Return the images that nobody sees."""
    draws = scene.draws(Aspect.PIXELS)
    visitor, moment = draws.hexadecimal(16), draws.between(10**8, 4 * 10**9)
    source = f"https://pixel.adhub.example/p.gif?v={visitor}&t={moment}"
    return f'<img src="{source}" width="1" height="1" alt="">\n<noscript><img src="{source}&amp;n=1" alt=""></noscript>'
