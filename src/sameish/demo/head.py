"""The head of a page: meta, OpenGraph, JSON-LD, scripts and styles."""

from __future__ import annotations

import json
from html import escape
from typing import Any

from sameish.demo.article import Article, plain
from sameish.demo.chrome import remarks
from sameish.demo.design import HOST, Scene
from sameish.demo.noise import Aspect


def head(scene: Scene, title: str, description: str, *, canonical: str, charset: str, extra: str = "") -> str:
    """Return the head of a page; `extra` goes in at the end."""
    name = scene.words.say("name")
    build = scene.draws(Aspect.CLASSES, "build").hexadecimal(8)
    token = scene.draws(Aspect.NONCES, "meta").hexadecimal(32)
    nonce = scene.draws(Aspect.NONCES, "script").hexadecimal(16)
    variant = scene.noise.epoch(Aspect.NAVIGATION) % 2
    address = f"https://{HOST}{canonical}"
    return f"""<head>
<meta charset="{charset}">
<title>{escape(title)} | {escape(name)}</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="description" content="{escape(description)}">
<meta name="csrf-token" content="{token}">
<meta property="og:type" content="article">
<meta property="og:title" content="{escape(title)}">
<meta property="og:description" content="{escape(description)}">
<meta property="og:url" content="{address}">
<meta property="og:site_name" content="{escape(name)}">
<link rel="canonical" href="{address}">
<link rel="stylesheet" href="/static/site.{build}.css">
<style>.wrap{{max-width:72rem;margin:0 auto}} .is-hidden{{display:none}}</style>
<script nonce="{nonce}">window.__page={{"build":"{build}","path":"{canonical}","abtest":{variant}}};</script>
<script src="/static/app.{build}.js" defer></script>
{extra}
</head>"""


def structured(scene: Scene, article: Article) -> str:
    """Return what an article tells search engines about itself."""
    told: dict[str, Any] = {
        "@context": "https://schema.org",
        "@type": "Review" if article.price else "NewsArticle",
        "headline": plain(article.title),
        "datePublished": article.published.isoformat(),
        "author": {"@type": "Person", "name": article.author},
        "publisher": {"@type": "Organization", "name": scene.words.say("name")},
        "commentCount": len(remarks(scene)),
    }
    if article.price:
        offer = {"@type": "Offer", "price": article.price, "priceCurrency": "EUR"}
        told["itemReviewed"] = {"@type": "Product", "name": "Tarn 40", "offers": offer}
    # a "</" inside would end the script
    text = json.dumps(told, ensure_ascii=False, indent=1).replace("</", "<\\/")
    return f'<script type="application/ld+json">{text}</script>'
