"""Blocks of an article as HTML."""

from __future__ import annotations

import re
from html import escape

from sameish.demo.article import Block, Code, Figure, Items, Prose, Table
from sameish.demo.design import Scene
from sameish.demo.noise import Aspect


def inline(text: str) -> str:
    """Return a line of prose with its emphasis and code marked."""
    safe = escape(text, quote=False)
    safe = re.sub(r"\*\*(.+?)\*\*", r"<strong>\1</strong>", safe)
    safe = re.sub(r"\*(.+?)\*", r"<em>\1</em>", safe)
    return re.sub(r"`(.+?)`", r"<code>\1</code>", safe)


def body(scene: Scene, blocks: tuple[Block, ...]) -> list[str]:
    """Return the blocks in the look of the scene."""
    return [_wrapped(scene, _block(scene, block)) for block in blocks]


def plain_body(scene: Scene, blocks: tuple[Block, ...], image: str = "img") -> list[str]:
    """Return the blocks without wrapping, for the print and the AMP version."""
    return [_figure(scene, block, image) if isinstance(block, Figure) else _block(scene, block) for block in blocks]


def _wrapped(scene: Scene, html: str) -> str:
    if not scene.design.hashed:
        return html
    return f"<div {scene.name('body-block')}><div {scene.name('body-inner')}>{html}</div></div>"


def _block(scene: Scene, block: Block) -> str:
    match block:
        case Prose(kind="blockquote", text=text):
            return f"<blockquote {scene.name('body-quote')}><p>{inline(text)}</p></blockquote>"
        case Prose(kind=kind, text=text):
            return f"<{kind} {scene.name('body-' + kind)}>{inline(text)}</{kind}>"
        case Items(kind=kind, items=lines):
            inner = "".join(f"<li>{inline(line)}</li>\n" for line in lines)
            return f"<{kind} {scene.name('body-list')}>\n{inner}</{kind}>"
        case Code(text=text):
            return f'<pre {scene.name("body-code")}><code class="language-sh">{escape(text)}</code></pre>'
        case Table(rows=rows):
            return _table(scene, rows)
        case Figure():
            return _figure(scene, block)


def _table(scene: Scene, rows: tuple[tuple[str, ...], ...]) -> str:
    head, *rest = (
        "".join(f"<{cell}>{inline(text)}</{cell}>" for text in row)
        for row, cell in ((row, "td" if number else "th") for number, row in enumerate(rows))
    )
    lines = "\n".join(f"<tr>{row}</tr>" for row in rest)
    return f"<table {scene.name('body-table')}>\n<thead><tr>{head}</tr></thead>\n<tbody>\n{lines}\n</tbody></table>"


def _figure(scene: Scene, figure: Figure, image: str = "img") -> str:
    # the address of an image changes with each build; its caption does not
    build = scene.draws(Aspect.CLASSES, figure.source).hexadecimal(8)
    source = f"https://cdn.ferrycourier.example/img/{build}/{figure.source}"
    sizes = (
        f'srcset="{source}?w=480 480w, {source}?w=960 960w" loading="lazy"' if image == "img" else 'layout="responsive"'
    )
    closing = "" if image == "img" else f"</{image}>"
    picture = f'<{image} src="{source}" {sizes} width="960" height="640" alt="{escape(figure.alternative)}">{closing}'
    return f"<figure {scene.name('body-figure')}>{picture}<figcaption>{inline(figure.caption)}</figcaption></figure>"
