"""Finds lines that lead elsewhere within the main content: a label such as `Related articles` and the links under it.

Only links go, with the label and the dates or counters between them: a line of text ends the list, so that nothing which
a reader would miss can be hidden by a label. A label whose links are gone already goes alone.
"""

from __future__ import annotations

from sameish.reading.main_content import Layout
from sameish.reading.noise import says_when

_LABEL_WORDS, _MANY = 8, 2
"""Words that a label has at most; links that must follow a label that goes on with words of its own."""
_TRIM = " .,:;!?…»>→›|-–—*#•"
_LABELS = frozenset(
    " ".join(
        """
    related | related articles | related article | related content | related coverage | related news |
    related posts | related reading | related stories | related story | related topics | related videos |
    similar articles | similar posts | similar stories | you may also like | you might also like | you may like |
    you might like | you may also be interested in | you might also be interested in | recommended |
    recommended articles | recommended content | recommended for you | recommended reading | recommended stories |
    read also | read more | read next | read this next | also read | what to read next | keep reading | up next |
    more articles | more like this | more news | more on this story | more on this topic | more posts |
    more stories | most commented | most popular | most read | most shared | most viewed | popular |
    popular articles | popular posts | popular stories | popular videos | trending | trending articles |
    trending news | trending now | trending stories | editor's picks | editors' picks | must read | don't miss |
    in case you missed it | from around the web | around the web | promoted stories | sponsored stories |
    auch interessant | das könnte sie auch interessieren | das könnte dich auch interessieren | lesen sie auch |
    mehr zum thema | mehr zu diesem thema | weitere artikel | weitere beiträge | weitere meldungen |
    weitere nachrichten | weitere themen | weitere videos | verwandte artikel | verwandte themen | ähnliche artikel |
    ähnliche beiträge | meistgelesen | meistgelesene artikel | am meisten gelesen | beliebte artikel |
    beliebte beiträge | empfohlene artikel | à lire aussi | lire aussi | à lire également | articles similaires |
    articles liés | articles recommandés | sur le même sujet | sur le même thème | dans la même rubrique |
    vous aimerez aussi | vous pourriez aussi aimer | les plus lus | les articles les plus lus | lea también |
    lee también | te puede interesar | también te puede interesar | artículos relacionados | noticias relacionadas |
    entradas relacionadas | más noticias | lo más leído | más leídas | más leídos | más populares | leggi anche |
    potrebbe interessarti | potrebbe interessarti anche | articoli correlati | notizie correlate | i più letti |
    leia também | leia mais | veja também | artigos relacionados | notícias relacionadas | matérias relacionadas |
    mais lidas | mais notícias | lees ook | lees meer | gerelateerde artikelen | meest gelezen | czytaj także |
    czytaj też | przeczytaj także | zobacz także | zobacz też | polecane | polecane artykuły | najczęściej czytane |
    podobne artykuły | читайте также | смотрите также | похожие статьи | похожие материалы | по теме |
    материалы по теме | популярное | самое популярное | самое читаемое | другие новости | читайте також | 相关文章 |
    相关阅读 | 相关新闻 | 相关推荐 | 推荐阅读 | 热门文章 | 热门推荐 | 猜你喜欢 | 延伸阅读 | 延伸閱讀 | 相關文章 |
    相關新聞 | 推薦閱讀 | 熱門文章 | 関連記事 | 関連リンク | 関連ニュース | おすすめ記事 | あわせて読みたい |
    人気記事 | 人気記事ランキング | アクセスランキング | ランキング | 新着記事 | 관련기사 | 관련 기사 | 관련 뉴스 |
    인기기사 | 인기 기사 | 인기뉴스 | 많이 본 뉴스 | 추천 기사 | مقالات ذات صلة | اقرأ أيضا | اقرأ أيضًا |
    الأكثر قراءة | explore further | further reading on this topic | more on this | people also read |
    people also viewed | customers also viewed | berita terkait | berita lainnya | baca juga | artikel terkait |
    læs også | relaterede artikler | les også | relaterte artikler | läs också | läs även | relaterade artiklar |
    lue myös | aiheeseen liittyvää | přečtěte si také | související články | prečítajte si tiež | olvassa el ezt is |
    kapcsolódó cikkek | citiți și | articole similare | διαβάστε επίσης | σχετικά άρθρα | ilgili haberler |
    benzer yazılar | đọc thêm | bài viết liên quan | tin liên quan | อ่านเพิ่มเติม | ข่าวที่เกี่ยวข้อง |
    यह भी पढ़ें | संबंधित खबरें | קראו גם | כתבות נוספות
    """.casefold().split()
    ).split(" | ")
)
_BEGIN = (
    "more from ", "more about ", "more on ", "most read in ", "most popular in ", "popular in ", "trending in ",
    "mehr aus ", "mehr von ", "mehr zum ", "mehr zu ", "plus de ", "más de ", "más sobre ", "mais sobre ", "mais de ",
    "altro su ", "meer over ", "meer van ", "więcej o ",
)  # fmt: skip


def lines_elsewhere(layout: Layout, span: tuple[int, int]) -> frozenset[int]:
    """Return the numbers of the lines of a span that are such labels and links."""
    found: set[int] = set()
    for number in range(*span):
        if number not in found and layout.words[number] <= _LABEL_WORDS:
            least = _links_wanted(layout.lines[number])
            if least is not None:
                found.update(_list_under(layout, number, span[1], least))
    return frozenset(found)


def _links_wanted(line: str) -> int | None:
    """Return how many links must follow a line for it to be their label, None where it is none."""
    text = line.casefold().replace("’", "'").strip(_TRIM)
    if text in _LABELS:
        # `Related` or `Popular` may head other things than links, `Related articles` may not
        return 0 if " " in text else 1
    # `More from 9 EUR` says something of its own
    return _MANY if text.startswith(_BEGIN) and not any(map(str.isdigit, text)) else None


def _list_under(layout: Layout, label: int, stop: int, least: int) -> range:
    """Return the label's line and those of its list up to the last link, none where there are too few links."""
    links, end = 0, label
    for number in range(label + 1, stop):
        # what ends in a colon introduces something of its own
        if layout.linked[number] and not layout.lines[number].endswith((":", "：")):
            links, end = links + 1, number
        elif not _stands_between(layout.lines[number]):
            break
    return range(label, end + 1) if links >= least else range(0)


def _stands_between(line: str) -> bool:
    """Whether a line is a place in a ranking, a date, a counter or the like."""
    return (len(line) <= 3 and line.rstrip(".)").isdecimal()) or says_when(line)
