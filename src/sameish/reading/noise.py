"""Recognises sentences that change from load to load and say nothing: by what they are, never by "ignore the digits".

A sentence is noise only as a whole: it must be short, every word of it must belong to the construct (a date line, a
counter, a relative time ...), and it must have the construct's own sign (a date, the word for what is counted, "ago").
`Price: 64.90 EUR` and `Delivered from 21 October` hold words that belong to none, so they stay; so do bare numbers, which
may be a price, a score or a telephone, and bare times and days, which may be opening hours. All look-ups are set look-ups
over one tokenisation and patterns without nested repetition: linear in the length of the text.
"""

from __future__ import annotations

import re

_MAX_CHARACTERS = 160
_NUMBER = re.compile(r"\d")
_SIGN = re.compile(r"[^\W_]|[%°$€£¥₽+<>=✓✔✗✘✅❌]")


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_MONTHS = _words(
    "january february march april may june july august september october november december jan feb mar apr jun "
    "jul aug sep sept oct nov dec januar februar märz mai juni juli oktober dezember jänner mär okt dez "
    "janvier février mars avril juin juillet août septembre octobre novembre décembre janv févr avr juil déc "
    "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre ene abr ago dic "
    "gennaio febbraio aprile maggio giugno luglio settembre ottobre dicembre gen mag giu lug set ott janeiro "
    "fevereiro março maio junho julho setembro outubro novembro dezembro fev januari februari maart mei augustus "
    "stycznia lutego marca kwietnia maja czerwca lipca sierpnia września października listopada grudnia января "
    "февраля марта апреля мая июня июля августа сентября октября ноября декабря січня лютого березня квітня "
    "травня червня липня серпня вересня жовтня листопада грудня يناير فبراير مارس أبريل مايو يونيو يوليو أغسطس "
    "سبتمبر أكتوبر نوفمبر ديسمبر"
)
_DAYS = _words(
    "monday tuesday wednesday thursday friday saturday sunday mon tue tues wed thu thur thurs fri sat sun "
    "today yesterday montag dienstag mittwoch donnerstag freitag samstag sonntag mo di mi do fr sa so heute "
    "gestern lundi mardi mercredi jeudi vendredi samedi dimanche hier lunes martes miércoles jueves viernes "
    "sábado domingo hoy ayer понедельник вторник среда четверг пятница суббота воскресенье сегодня вчера 今天 "
    "昨天 今日 昨日"
)
_CLOCK = _words(
    "am pm a p m uhr utc gmt cet cest est edt pst pdt bst jst msk z h st nd rd th t time ист 時 分 秒 时 点 年 "
    "月 日 г года в 오전 오후 년 월 일 上午 下午"
)
_GLUE = _words(
    "في on at the of in by to op and de le la el du um am der den vom il y a a à às as em den 于 於 | с от о и и"
)
_UPDATED = _words(
    "نشر حدث تحديث updated update last modified posted published created edited first revised reviewed since "
    "publication aktualisiert aktualisierung stand zuletzt geändert veröffentlicht erstellt letzte letztes "
    "publié mis mise jour mises à modifié dernière actualizado actualización última publicado modificado "
    "aggiornato pubblicato ultimo aggiornamento atualizado bijgewerkt gepubliceerd aktualizacja opublikowano "
    "обновлено опубликовано изменено последнее обновление оновлено опубліковано 更新 发布 發布 最后 最終 公開 "
    "時間 更新日 公開日 تحديث آخر نشر"
)
_UNITS = _words(
    "دقيقة دقائق ساعة ساعات يوم أيام "
    "s m h d w mo y minuti minuto ora ore giorno giorni settimana settimane godzina godziny godzin minut minuty dzień "
    "dni tydzień tygodnie dia dias semanas uur dagen weken "
    "second seconds sec secs minute minutes min mins hour hours hr hrs day days week weeks month months year "
    "years moment moments sekunde sekunden minuten stunde stunden tag tage tagen woche wochen monat monate "
    "monaten jahr jahre jahren seconde secondes heure heures jour jours semaine semaines mois an ans segundo "
    "segundos minuto minutos hora horas día días semana semanas mes meses año años секунд секунды минут минуты "
    "минуту час часа часов день дня дней неделю недели месяц назад 秒 分钟 分鐘 分 小时 小時 时间 時間 天 日 "
    "周 週 个月 ヶ月 月"
)
_AGO = _words("قبل ago vor hace há il depuis fa geleden temu назад тому 前 전 منذ")
_JUST_NOW = _words("just now gerade eben ahora adesso nu 剛剛 刚刚 たった今 방금")
_SEVERAL = _words("an one two few about less more than over ein einer einem une un una uno около 约 約 간")
_COUNTED = _words(
    "مشاهدة مشاهدات قراءات view views viewed viewers watching read reads reader readers share shares like likes comment comments "
    "reply replies vote votes follower followers favorite favorites favourites download downloads visitor "
    "visitors hit hits click clicks upvotes retweets aufrufe aufruf ansichten kommentar kommentare leser "
    "gelesen vues vue commentaire commentaires partages visitas vistas comentarios comentario visualizzazioni "
    "commenti condivisioni visualizações comentários просмотр просмотров просмотра комментарий комментариев "
    "комментария переглядів 阅读 閱讀 浏览 瀏覽 评论 評論 点赞 次 閲覧 回 件 コメント 조회 댓글 مشاهدة تعليق"
)
_COUNTER_GLUE = _words(
    "في に k m b k. times time people page this article total online user users von by 万 萬 and | no 0"
)
_READ = _words("read reading lesezeit lesedauer lecture lectura lettura 阅读 閱讀 読了 чтения قراءة")
_READING_TIME = _READ | _words(
    "约需 约 約 まで دقيقة دقائق "
    "min minute minutes read reading time mins lesezeit minuten lesedauer lecture temps de of the estimated "
    "分钟 阅读 чтения время"
)
_GENERATION = _words(
    "page generated rendered executed built loaded created in with seconds second secs sec s ms milliseconds "
    "queries query sql time server clock took script execution memory mb kb used cache cached hit miss from "
    "render load processing php database db seite erzeugt generiert sekunden abfragen and the was at on of "
    "page's using to"
)
_GENERATED = _words("generated rendered executed query queries erzeugt generiert render took")
_TOOK = _words("seconds second secs sec s ms milliseconds sekunden")
# a day in a month, a month in a year, or all in digits; not `3.5`, `10:00`, `1-2`
_DATE = re.compile(
    r"(?<!\d)(?:\d{4}[-./]\d{1,2}[-./]\d{1,2}|\d{1,2}[-./]\d{1,2}[-./](?:\d{4}|\d\d)|\d{1,2} ?[月월] ?\d{1,2} ?[日일])(?!\d)"
)
_TIME = re.compile(r"\d:\d\d")
_SECONDS = re.compile(r"\d:\d\d:\d\d")
_RELATIVE_DAYS = _words("today yesterday heute gestern hier hoy ayer сегодня вчера 今天 昨天 今日 昨日")
_RIGHTS = re.compile(
    r"^(?:all rights reserved|alle rechte vorbehalten|tous droits réservés|todos los derechos reservados|"
    r"tutti i diritti riservati|todos os direitos reservados|все права защищены)\W*$"
)
_COPYRIGHT = ("©", "copyright ©", "copyright (c)", "版权所有", "版權所有")
_COPYRIGHT_YEAR = re.compile(r"^(?:copyright|\(c\))[ ,:]*(?:by )?(?:19|20)\d\d(?!\d)")
_COPYRIGHT_WORDS = 16
_LIST_NUMBER = re.compile(r"^\(?\d{1,3}[.)]$")


_AD_LABELS = frozenset(
    line.strip()
    for line in """
    advertisement
    advertisements
    advertisement - continue reading below
    advertisement - scroll to continue
    article continues below advertisement
    story continues below advertisement
    skip advertisement
    ad
    sponsored
    sponsored content
    anzeige
    werbung
    publicité
    publicidad
    pubblicità
    publicidade
    advertentie
    reklama
    реклама
    広告
    广告
    廣告
    광고
    إعلان
    """.split("\n")
)
_LEADS_ELSEWHERE = re.compile(
    r"^(?:read (?:also|more|next)|also read|see also|related(?: (?:story|article|coverage))?|more on this(?: story)?|recommended"
    r"|lesen sie auch|mehr zum thema|auch interessant|siehe auch|(?:à )?lire aussi|voir aussi|lea también|te puede interesar"
    r"|leggi anche|leia (?:também|mais)|lees ook|czytaj (?:też|także)|читайте (?:также|ещё)|читать также|читайте також"
    r"|延伸阅读|相关阅读|相关文章|推荐阅读|延伸閱讀|あわせて読みたい|関連記事|こちらも読みたい|관련 ?기사|اقرأ أيضا)\b"
)
_BYLINE = re.compile(
    r"^(?:(?:(?:words|story|text|report|reporting|written|posted) )?by|von|par|por|di|door|автор|текст|文|记者|記者|作者|撰文"
    r"|بقلم)(?: ?[:：] ?| )(\S.{1,60})$",
    re.IGNORECASE,
)
_NAMES_WITHOUT_CASE = 3
_STAFF = _words(
    "staff reporter reporters correspondent correspondents editor editors desk agency agencies redaktion rédaction"
)
# Arabic is written with or without them
_VOWEL_SIGNS = re.compile("[\u064b-\u0652\u0670]")
_JOINING = _words("and und et y e en и & , de van von der la le del da du di")


_DATE_LINE = _MONTHS | _DAYS | _CLOCK | _GLUE | _UPDATED | _words("date 日期 時間 时间")
_RELATIVE = _AGO | _UNITS | _GLUE | _UPDATED | _SEVERAL
_COUNTER = _COUNTED | _COUNTER_GLUE
_FACTS = _DATE_LINE | _RELATIVE | _COUNTER | _READING_TIME
_PAGE_MADE = _GENERATION | _MONTHS | _DAYS | _CLOCK
_KNOWN = _DATE_LINE | _RELATIVE | _JUST_NOW | _COUNTER | _READING_TIME | _PAGE_MADE
_WORD = re.compile(r"[^\W\d_]+|[%°$€£¥₽=<>]")
_FIRST_WORD = re.compile(r"\b[A-Za-z]++(?=[ ,.:;])")
_OPENERS = _KNOWN.union(
    (line.split(" ")[0] for line in _AD_LABELS if line),
    "all alle tous todos tutti copyright by words story text report reporting written posted von par por di door".split(),
)
_SPACELESS = re.compile("|".join(sorted((word for word in _KNOWN if word >= "\u2e80"), key=len, reverse=True)))


PATTERN_NAMES = (
    "advertisement label", "related link", "byline", "copyright", "no words", "list number", "date line", "relative time",
    "counter", "reading time", "generation time", "page facts",
)  # fmt: skip
"""The names that `noise_pattern` returns, in the order in which it asks."""


def noise_pattern(sentence: str, *, linked: bool = False) -> str | None:
    """Return the name of the pattern that a calm sentence falls under, None where it is content.

    `linked` tells that the sentence is mostly a link.
    """
    if len(sentence) > _MAX_CHARACTERS or (not linked and _begins_as_content(sentence)):
        return None
    text = _VOWEL_SIGNS.sub("", sentence.casefold())
    if text in _AD_LABELS:
        return "advertisement label"
    if linked and _LEADS_ELSEWHERE.match(text):
        return "related link"
    if _is_byline(sentence):
        return "byline"
    if _is_copyright(text):
        return "copyright"
    words = _known_words(text)
    if words is None:
        return None
    has_number = bool(_NUMBER.search(text))
    if not words and not has_number:
        return None if _SIGN.search(text) else "no words"
    if _LIST_NUMBER.match(text):
        return "list number"
    return next((name for name, fits in _PATTERNS if fits(text, words, has_number)), None)


def _begins_as_content(sentence: str) -> bool:
    """See at the first word, where that is plain ASCII, that no construct begins so: it is so of nearly every sentence."""
    first = _FIRST_WORD.match(sentence)
    return first is not None and first[0].lower() not in _OPENERS


def _known_words(text: str) -> frozenset[str] | None:
    """Return the words, None if one belongs to no construct: nearly every sentence ends at its first or second word."""
    found = set()
    for match in _WORD.finditer(text):
        word = match[0]
        if word in _KNOWN:
            found.add(word)
            continue
        # scripts without spaces run words together
        parts = _SPACELESS.findall(word) if word >= "\u2e80" else ()
        if "".join(parts) != word:
            return None
        found.update(parts)
    return frozenset(found)


def _is_byline(sentence: str) -> bool:
    """A word such as `by`, then one name or a few: capitals where the script has them."""
    found = _BYLINE.match(sentence)
    if not found:
        return False
    names = sentence[found.start(1) :].replace(",", " ").split()
    if len(names) > 8 or sentence.endswith((".", "!", "?", "。")) or any(name[0].isdecimal() for name in names):
        return False
    cased = [name for name in names if name.casefold() not in _JOINING | _STAFF]
    with_case = bool(names[0][0].upper() != names[0][0].lower())
    if with_case:
        enough = len(cased) > 1 or any(name.casefold() in _STAFF for name in names)
        return enough and all(name[0].isupper() for name in cased)
    return len(names) <= _NAMES_WITHOUT_CASE and not any(name.isascii() for name in names)


def _is_copyright(text: str) -> bool:
    if text.count(" ") >= _COPYRIGHT_WORDS:
        return False
    if text.startswith(_COPYRIGHT) or _RIGHTS.match(text):
        return True
    # `(c)` alone numbers a clause, and `copyright` may begin a sentence about it
    return bool(_COPYRIGHT_YEAR.match(text))


def _is_date_line(text: str, words: frozenset[str], has_number: bool) -> bool:
    """Dates that a word or their form says are dates of the page; a bare date may be the day of the concert."""
    if not has_number or not words <= _DATE_LINE:
        return False
    if _SECONDS.search(text) or not words.isdisjoint(_RELATIVE_DAYS):
        return True
    return not words.isdisjoint(_UPDATED) and bool(_DATE.search(text) or _TIME.search(text) or words & _MONTHS)


def _is_relative_time(_: str, words: frozenset[str], has_number: bool) -> bool:
    if words and words <= _JUST_NOW | _UPDATED:
        return not words.isdisjoint(_JUST_NOW)
    return (
        words <= _RELATIVE
        and not words.isdisjoint(_AGO)
        and not words.isdisjoint(_UNITS)
        and (has_number or not words.isdisjoint(_SEVERAL | {"a"}))
    )


def _is_counter(_: str, words: frozenset[str], has_number: bool) -> bool:
    return has_number and words <= _COUNTER and not words.isdisjoint(_COUNTED)


def _is_reading_time(_: str, words: frozenset[str], has_number: bool) -> bool:
    return has_number and words <= _READING_TIME and not words.isdisjoint(_READ)


def _is_generation_time(text: str, words: frozenset[str], has_number: bool) -> bool:
    if not has_number or not words <= _PAGE_MADE or words.isdisjoint(_GENERATED):
        return False
    return not words.isdisjoint(_TOOK) or bool(_DATE.search(text) or _TIME.search(text))


def _is_page_facts(_: str, words: frozenset[str], has_number: bool) -> bool:
    """Several of the above in one line: `Updated 5 minutes ago 1,204 views 3 min read`."""
    said = (words & _UPDATED, words & _AGO, words & _COUNTED, words & _READ)
    return (
        has_number and words <= _FACTS and sum(map(bool, said)) > 1 and not words.isdisjoint(_AGO | _COUNTED | _MONTHS)
    )


_PATTERNS = (
    ("date line", _is_date_line),
    ("relative time", _is_relative_time),
    ("counter", _is_counter),
    ("reading time", _is_reading_time),
    ("generation time", _is_generation_time),
    ("page facts", _is_page_facts),
)
