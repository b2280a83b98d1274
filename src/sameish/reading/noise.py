"""Recognises sentences that change from load to load and say nothing: by what they are, never by "ignore the digits".

A sentence is noise only as a whole: it must be short, and every word of it must belong to the construct (a date line, a
counter, a relative time ...). `Price: 64.90 EUR` and `Delivered from 21 October` hold words that belong to none, so they
stay. All look-ups are set look-ups over one tokenisation: linear in the length of the text.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

_MAX_CHARACTERS = 160
_WORD, _NUMBER = re.compile(r"[^\W\d_]+|[%°$€£¥₽]"), re.compile(r"\d")
_SIGN = re.compile(r"[^\W_]|[%°$€£¥₽+<>=✓✔✗✘✅❌]")


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_MONTHS = _words(
    "january february march april may june july august september october november december jan feb mar apr jun "
    "jul aug sep sept oct nov dec januar februar märz mai juni juli oktober dezember jänner mär okt dez "
    "janvier février mars avril juin juillet août septembre octobre novembre décembre janv févr avr juil déc "
    "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre ene abr ago dic "
    "gennaio febbraio aprile maggio giugno luglio settembre ottobre dicembre gen mag giu lug set ott janeiro "
    "fevereiro março maio junho julho setembro outubro novembro dezembro fev januari februari maart augustus "
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
_GLUE = _words("on at the of in by to and de le la el du um am der den vom il y a a à às as em den 于 於 | с от о и и")
_UPDATED = _words(
    "updated update last modified posted published created edited first revised reviewed date since "
    "publication aktualisiert aktualisierung stand zuletzt geändert veröffentlicht erstellt letzte letztes "
    "publié mis mise jour mises à modifié dernière actualizado actualización última publicado modificado "
    "aggiornato pubblicato ultimo aggiornamento atualizado bijgewerkt gepubliceerd aktualizacja opublikowano "
    "обновлено опубликовано изменено последнее обновление оновлено опубліковано 更新 发布 發布 最后 最終 公開 "
    "時間 时间 日期 更新日 公開日 تحديث آخر نشر"
)
_UNITS = _words(
    "second seconds sec secs minute minutes min mins hour hours hr hrs day days week weeks month months year "
    "years moment moments sekunde sekunden minuten stunde stunden tag tage tagen woche wochen monat monate "
    "monaten jahr jahre jahren seconde secondes heure heures jour jours semaine semaines mois an ans segundo "
    "segundos minuto minutos hora horas día días semana semanas mes meses año años секунд секунды минут минуты "
    "минуту час часа часов день дня дней неделю недели месяц назад 秒 分钟 分鐘 分 小时 小時 时间 時間 天 日 "
    "周 週 个月 ヶ月 月"
)
_AGO = _words("ago just now vor hace il depuis fa geleden temu назад тому 前 剛剛 刚刚 전 منذ")
_COUNTED = _words(
    "view views viewed viewers watching read reads reader readers share shares like likes comment comments "
    "reply replies vote votes follower followers favorite favorites favourites download downloads visitor "
    "visitors hit hits click clicks upvotes retweets aufrufe aufruf ansichten kommentar kommentare leser "
    "gelesen vues vue commentaire commentaires partages visitas vistas comentarios comentario visualizzazioni "
    "commenti condivisioni visualizações comentários просмотр просмотров просмотра комментарий комментариев "
    "комментария переглядів 阅读 閱讀 浏览 瀏覽 评论 評論 点赞 次 閲覧 回 件 コメント 조회 댓글 مشاهدة تعليق"
)
_COUNTER_GLUE = _words("k m b k. times time people page this article total online user users von by 万 萬 and | no 0")
_READING_TIME = _words(
    "min minute minutes read reading time mins lesezeit minuten lesedauer lecture temps de of the estimated "
    "分钟 阅读 чтения время"
)
_GENERATION = _words(
    "page generated rendered executed built loaded created in with seconds second secs sec s ms milliseconds "
    "queries query sql time server clock took script execution memory mb kb used cache cached hit miss from "
    "render load processing php database db seite erzeugt generiert sekunden abfragen and the was at on of "
    "page's using to"
)
_GENERATION_CORE = _words(
    "generated rendered executed built loaded queries query took execution erzeugt generiert render"
)
_RIGHTS = re.compile(
    r"^(?:all rights reserved|alle rechte vorbehalten|tous droits réservés|todos los derechos reservados)\W*$"
)
_COPYRIGHT = ("copyright", "(c)", "©", "版权所有")
_COPYRIGHT_WORDS = 16


@dataclass(frozen=True, slots=True)
class _Pattern:
    """A construct: every word must be known to it, one must be from its core (if it has one), a number may be needed."""

    name: str
    known: frozenset[str]
    core: frozenset[str] = frozenset()
    needs_number: bool = True
    fewest_words: int = 0

    def matches(self, words: frozenset[str], has_number: bool) -> bool:
        if self.needs_number and not has_number:
            return False
        return (
            words <= self.known
            and len(words) >= self.fewest_words
            and (not self.core or not words.isdisjoint(self.core))
        )


_PATTERNS = (
    _Pattern("date line", _MONTHS | _DAYS | _CLOCK | _GLUE | _UPDATED),
    _Pattern("relative time", _AGO | _UNITS | _GLUE | _UPDATED, core=_AGO, needs_number=False),
    _Pattern("counter", _COUNTED | _COUNTER_GLUE, core=_COUNTED),
    _Pattern("reading time", _READING_TIME, fewest_words=1),
    _Pattern("generation time", _GENERATION | _MONTHS | _DAYS | _CLOCK, core=_GENERATION_CORE),
)
_KNOWN = frozenset().union(*(pattern.known for pattern in _PATTERNS))


def noise_pattern(sentence: str) -> str | None:
    """Return the name of the pattern that a calm sentence falls under, None where it is content."""
    if len(sentence) > _MAX_CHARACTERS:
        return None
    text = sentence.casefold()
    if (text.startswith(_COPYRIGHT) and text.count(" ") < _COPYRIGHT_WORDS) or _RIGHTS.match(text):
        return "copyright"
    found = set()
    for word in _WORD.finditer(text):
        if word[0] not in _KNOWN:
            return None  # nearly every sentence ends here, at its first or second word
        found.add(word[0])
    words = frozenset(found)
    has_number = bool(_NUMBER.search(text))
    if not words and not has_number:
        return None if _SIGN.search(text) else "no words"
    return next((pattern.name for pattern in _PATTERNS if pattern.matches(words, has_number)), None)
