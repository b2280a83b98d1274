from __future__ import annotations

import pytest

from sameish.models import Page
from sameish.stateless import extract

TEXT = "The backup tool copies only the blocks that changed since the run before, and keeps a catalogue of them beside."


def markdown(body: str) -> str:
    return (
        extract(Page(f"<title>Guide</title><body><main><h1>Guide</h1><p>{TEXT}</p>{body}</main>"))
        .markdown.split(TEXT)[1]
        .strip()
    )


def sentences(body: str) -> tuple[str, ...]:
    return extract(Page(f"<title>Guide</title><body><main><p>{TEXT}</p>{body}<p>{TEXT}</p></main>")).sentences


@pytest.mark.parametrize(
    ("block", "language"),
    [
        ('<pre><code class="language-js">x = 1</code></pre>', "js"),
        ('<pre class="language-js"><code>x = 1</code></pre>', "js"),
        ('<pre><code class="lang-py other">x = 1</code></pre>', "py"),
        ('<pre class="prettyprint lang-sql">x = 1</pre>', "sql"),
        ('<pre><code class="hljs python">x = 1</code></pre>', "python"),
        ('<pre><code class="hljs language-go">x = 1</code></pre>', "go"),
        ('<pre class="hljs"><code class="hljs-php hljs">x = 1</code></pre>', "php"),
        ('<pre class="brush: java; gutter: false">x = 1</pre>', "java"),
        ('<div class="highlight highlight-source-rust"><pre>x = 1</pre></div>', "rust"),
        (
            '<div class="highlight-python3 notranslate"><div class="highlight"><pre><span></span>x = 1</pre></div></div>',
            "python3",
        ),
        (
            '<div class="language-ruby highlighter-rouge"><div class="highlight"><pre><code>x = 1</code></pre></div></div>',
            "ruby",
        ),
        ('<pre class="sourceCode haskell"><code class="sourceCode haskell">x = 1</code></pre>', "haskell"),
        ('<pre data-lang="c++">x = 1</pre>', "c++"),
        ('<pre><code data-language="c#">x = 1</code></pre>', "c#"),
        ("<pre>x = 1</pre>", ""),
        ('<pre><code class="hljs">x = 1</code></pre>', ""),
        ('<pre><code class="language-none">x = 1</code></pre>', ""),
        ('<div class="highlight-default"><pre>x = 1</pre></div>', ""),
        ('<div class="lang-de"><pre>x = 1</pre></div>', ""),
    ],
)
def test_a_code_block_names_its_language_however_it_is_highlighted(block: str, language: str) -> None:
    assert markdown(block) in (f"```{language}\nx = 1\n```", f"```{language or 'none'}\nx = 1\n```")


CODE = "def peek(queue):\n    if not queue:\n        return None\n    return queue[0]"


@pytest.mark.parametrize(
    "block",
    [
        f"<pre>{CODE}</pre>",
        "<pre>" + CODE.replace("\n", "<br>") + "</pre>",
        "<pre><code>" + "\n".join(f'<span class="line"><span class="k">{line}</span></span>' for line in CODE.split("\n"))
        + "</code></pre>",
        "<pre><code>" + "".join(f'<span class="code-line">{line}\n</span>' for line in CODE.split("\n")) + "</code></pre>",
        '<table class="highlighttable"><tr><td class="linenos"><pre>1\n2\n3\n4</pre></td><td class="code"><pre>'
        + CODE + "</pre></td></tr></table>",
        "<pre>" + "\n".join(f'<span class="lineno">{n}</span>{line}' for n, line in enumerate(CODE.split("\n"))) + "</pre>",
    ],
)  # fmt: skip
def test_code_keeps_its_lines_and_their_indentation(block: str) -> None:
    assert markdown(block) == f"```\n{CODE}\n```"
    assert "if not queue:" in sentences(block)
    assert "return None" in sentences(block)


def test_a_sentence_around_inline_code_stays_one() -> None:
    assert (
        markdown("<p>Both <code>next</code> and <code>peek</code> give the same.</p>")
        == "Both `next` and `peek` give the same."
    )
    assert "Both next and peek give the same." in sentences(
        "<p>Both <code>next</code> and <code>peek</code> give the same.</p>"
    )


def rows(text: str) -> list[str]:
    return [line for line in text.splitlines() if line.startswith("|")]


def test_a_table_with_a_head() -> None:
    table = (
        "<table><thead><tr><th class=header>Bench<th>Half day<th>Full day</thead><tr><td>Wood<td>12<td>20 EUR</table>"
    )
    assert rows(markdown(table)) == ["| Bench | Half day | Full day |", "| --- | --- | --- |", "| Wood | 12 | 20 EUR |"]
    assert "Wood | 12 | 20 EUR" in sentences(table)


def test_a_table_without_a_head_is_a_table_with_all_its_rows() -> None:
    found = rows(markdown("<table><tr><td>Harrow<td>07:10<tr><td>Senn<td>08:00</table>"))
    assert found[1] == "| --- | --- |"
    assert [*found[:1], *found[2:]] == ["| Harrow | 07:10 |", "| Senn | 08:00 |"]


def test_bars_breaks_and_empty_cells_shift_no_column() -> None:
    table = (
        "<table><caption>Switches</caption><thead><tr><th>Name<th>Value<th>Default</thead><tr><td>mode<td>on|off<td>off"
        "<tr><td><td>auto<br>manual<td>auto<tr><td>level<td><td>3</table>"
    )
    found = rows(markdown(table))
    assert found[2:] == ["| mode | on\\|off | off |", "|  | auto manual | auto |", "| level |  | 3 |"]
    assert "Switches" in markdown(table)


def test_a_layout_table_is_taken_apart() -> None:
    body = f"<table><tr><td><h2>Part</h2><p>{TEXT}</p><p>Second</p></td><td><table><tr><td>a<td>b</table></td></tr></table>"
    found = extract(Page(f"<body>{body}"))
    assert found.markdown.startswith(f"## Part\n\n{TEXT}\n\nSecond")
    assert "| a | b |" in found.markdown


def test_nested_lists_and_task_lists() -> None:
    assert (
        markdown("<ul><li>One<ul><li>Two<ol><li>Three</ol></ul><li>Four</ul>") == "- One\n  - Two\n    1. Three\n- Four"
    )
    tasks = '<ul><li><input type="checkbox" checked> done<li><input type="checkbox"> open</ul>'
    assert markdown(tasks) == "- [x] done\n- [ ] open"


@pytest.mark.parametrize(
    ("image", "written"),
    [
        ('<img src="/chart.png" alt="A chart">', "![A chart](/chart.png)"),
        ('<img src="data:image/png;base64,AAAA" alt="A chart">', "![A chart](<>)"),
        ('<img src="DATA:image/png;base64,AAAA" alt="A chart">', "![A chart](<>)"),
        ('<img src="data:image/gif;base64,R0" data-src="/chart.png" alt="A chart">', "![A chart](/chart.png)"),
        ('<img src="data:image/gif;base64,R0" data-src="data:image/gif;base64,R1" alt="A chart">', "![A chart](<>)"),
        ('<img src="data:image/png;base64,AAAA">', ""),
        ('<a href="data:text/csv;base64,AAAA">The table</a>', "The table"),
    ],
)
def test_data_addresses_are_left_out_and_descriptions_stay(image: str, written: str) -> None:
    assert markdown(f"<p>{image}</p>") == written


def test_an_image_that_loads_late_changes_no_sentence() -> None:
    early, late = '<img src="data:image/gif;base64,R0" data-src="/a.png" alt="A">', '<img src="/a.png" alt="A">'
    assert sentences(f"<p>See {early} here.</p>") == sentences(f"<p>See {late} here.</p>")


@pytest.mark.parametrize(
    "body",
    [
        f"<header><h1>Fewer <em>ferries</em> &amp; buses</h1></header><main><p>{TEXT}</p></main>",
        f"<h1>Fewer ferries &amp; buses</h1><article><p>{TEXT}</p></article>",
        f"<main><h1>Fewer <b>ferries</b> &amp; buses</h1><p>{TEXT}</p></main>",
        f"<main><h1>Fewer\n ferries\N{NO-BREAK SPACE}&amp; buses</h1><p>{TEXT}</p></main>",
    ],
)
def test_the_headline_stands_above_the_text_once(body: str) -> None:
    plain = extract(Page(body)).markdown.replace("*", "").replace("\N{NO-BREAK SPACE}", " ")
    assert plain.startswith("# Fewer")
    assert plain.count("ferries & buses") == 1


def test_no_more_than_one_blank_line() -> None:
    assert "\n\n\n" not in markdown("<div><br><br><br><p>a</p><br><hr><br><br><p>b</p></div>" * 5)
