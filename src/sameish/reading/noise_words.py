"""The words of the constructs that `sameish.reading.noise` knows, in the languages of its examples."""

from __future__ import annotations


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


MONTHS = _words(
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
DAYS = _words(
    "monday tuesday wednesday thursday friday saturday sunday mon tue tues wed thu thur thurs fri sat sun "
    "today yesterday montag dienstag mittwoch donnerstag freitag samstag sonntag mo di mi do fr sa so heute "
    "gestern lundi mardi mercredi jeudi vendredi samedi dimanche hier lunes martes miércoles jueves viernes "
    "sábado domingo hoy ayer понедельник вторник среда четверг пятница суббота воскресенье сегодня вчера 今天 "
    "昨天 今日 昨日"
)
CLOCK = _words(
    "am pm a p m uhr utc gmt cet cest est edt pst pdt bst jst msk z h st nd rd th t time ист 時 分 秒 时 点 年 "
    "月 日 г года в 오전 오후 년 월 일 上午 下午"
)
GLUE = _words(
    "في on at the of in by to op and de le la el du um am der den vom il y a a à às as em den 于 於 | с от о и и"
)
UPDATED = _words(
    "نشر حدث تحديث updated update last modified posted published created edited first revised reviewed since "
    "publication aktualisiert aktualisierung stand zuletzt geändert veröffentlicht erstellt letzte letztes "
    "publié mis mise jour mises à modifié dernière actualizado actualización última publicado modificado "
    "aggiornato pubblicato ultimo aggiornamento atualizado bijgewerkt gepubliceerd aktualizacja opublikowano "
    "обновлено опубликовано изменено последнее обновление оновлено опубліковано 更新 发布 發布 最后 最終 公開 "
    "時間 更新日 公開日 تحديث آخر نشر"
)
SURELY_UPDATED = UPDATED - _words(
    "à jour first last since letzte letztes zuletzt dernière última ultimo последнее 最后 最終 時間 آخر"
)
"""Those that say it by themselves: the last boat is no update."""
UNITS = _words(
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
YEARS = _words("year years jahr jahre jahren an ans año años 年")
AGO = _words("قبل ago vor hace há il fa geleden temu назад тому 前 전 منذ")
DID_UPDATE = _words(
    "updated edited modified posted published reviewed aktualisiert geändert veröffentlicht publié actualizado publicado "
    "aggiornato pubblicato atualizado bijgewerkt gepubliceerd обновлено опубликовано оновлено"
)
JUST_NOW = _words("just now gerade eben ahora adesso nu 剛剛 刚刚 たった今 방금")
SEVERAL = _words(
    "an one two few about almost nearly less more than over ein einer einem eine über mehr als une un una uno um uma plus "
    "d environ más mais oltre più di circa een meer dan ponad około около более чем 约 約 間 以上 超过 超過 간"
)
THIS = _words("this diese dieser diesen cette ce esta este questa questo deze dit этой этом")
WITHIN = _words("last past")
COUNTED = _words(
    "مشاهدة مشاهدات قراءات view views viewed viewers watching read reads reader readers share shares like likes comment comments "
    "reply replies vote votes follower followers favorite favorites favourites download downloads visitor "
    "visitors hit hits click clicks upvotes retweets aufrufe aufruf ansichten kommentar kommentare leser "
    "gelesen vues vue commentaire commentaires partages visitas vistas comentarios comentario visualizzazioni "
    "commenti condivisioni visualizações comentários просмотр просмотров просмотра комментарий комментариев "
    "комментария переглядів 阅读 閱讀 浏览 瀏覽 评论 評論 点赞 次 閲覧 回 件 コメント "
    "訪問者 訪問者数 アクセス数 再生回数 조회 댓글 مشاهدة تعليق"
)
COUNTED_SIGNS = COUNTED - _words("回 次 件")
"""Those that say what was counted; the others count anything: `1日3回` is a dose."""
COUNTER_GLUE = _words(
    "في に k m b k. times time people page this article total online user users von by 万 萬 and | no 0 new "
    "today yesterday 今日 昨日 本日 累計 合計"
)
READ = _words("read reading lesezeit lesedauer lecture lectura lettura 阅读 閱讀 読了 чтения قراءة")
READING_TIME = READ | _words(
    "约需 约 約 まで دقيقة دقائق "
    "min minute minutes read reading time mins lesezeit minuten lesedauer lecture temps de of the estimated "
    "分钟 阅读 чтения время"
)
GENERATION = _words(
    "page generated rendered executed built loaded created in with seconds second secs sec s ms milliseconds "
    "queries query sql time server clock took script execution memory mb kb used cache cached hit miss from "
    "render load processing php database db seite erzeugt generiert sekunden abfragen and the was at on of "
    "page's using to"
)
MADE = _words("page seite generated rendered executed erzeugt generiert")
GENERATED = _words("generated rendered executed query queries erzeugt generiert render took")
TOOK = _words("seconds second secs sec s ms milliseconds sekunden")
RELATIVE_DAYS = _words("today yesterday heute gestern hier hoy ayer сегодня вчера 今天 昨天 今日 昨日")


AD_LABELS = frozenset(
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
    """.strip().split("\n")
)
AD_WORDS = frozenset(word for label in AD_LABELS for word in label.split())
STAFF = _words(
    "staff reporter reporters correspondent correspondents editor editors desk agency agencies redaktion rédaction"
)
# "By Appointment Only" and "BY USING THIS SERVICE" are written like names
NO_NAMES = _words(
    "you your yours this these not no never without only using accessing clicking submitting continuing registering visiting "
    "signing entering agreeing placing law order appointment request invitation phone telephone email mail post fax text bus "
    "car train boat ferry bike bicycle foot plane taxi air sea road rail category brand price date region country state city "
    "year month day week size age weight color colour name default design definition popular demand example favor ejemplo "
    "exemple téléphone courrier teléfono correo ihnen sie uns"
)
JOINING = _words("and und et y e en и & , de van von der la le del da du di")
DATE_BEGINS = MONTHS | DAYS | UPDATED
DATE_LINE = MONTHS | DAYS | CLOCK | GLUE | UPDATED | _words("date 日期 時間 时间")
RELATIVE = AGO | UNITS | GLUE | UPDATED | SEVERAL
LATELY = UNITS | GLUE | UPDATED | THIS | WITHIN
COUNTER = COUNTED | COUNTER_GLUE
FACTS = DATE_LINE | RELATIVE | COUNTER | READING_TIME
PAGE_MADE = GENERATION | MONTHS | DAYS | CLOCK
KNOWN = DATE_LINE | RELATIVE | LATELY | JUST_NOW | COUNTER | READING_TIME | PAGE_MADE
OPENERS = KNOWN.union(
    (line.split(" ")[0] for line in AD_LABELS if line),
    "all alle tous todos tutti copyright by words story text report reporting written posted von par por di door".split(),
)
