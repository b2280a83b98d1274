"""Recognises what a page says about using it: questions whether it helped, thanks for an answer, calls to share or subscribe.

Such a line is a control only as a whole: all its words belong to one construct, and it has the construct's own signs.
`Was this page helpful?` is one; `Was the guide helpful to the jury?` and `The newsletter costs 5 EUR` are not.
"""

from __future__ import annotations

import re
from typing import Final, NamedTuple

LONGEST_CONTROL: Final = 80
"""Characters that a control has at most."""
_VALUES = frozenset("0123456789$€£¥₽₴₹%")
_TRIM = " .,:;!?…¿¡？！。：«»<>›‹→←↑↓▲▼•·|-–—+()[]"
_TO_SPACES = str.maketrans(dict.fromkeys(_TRIM + "、，", " ") | {"'": " ", "’": " "})


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


class _Construct(NamedTuple):
    """Words that may stand in it, and groups of words of each of which one must."""

    words: frozenset[str]
    signs: tuple[frozenset[str], ...]
    asks: bool = False


def _construct(others: str, *signs: str, asks: bool = False) -> _Construct:
    groups = tuple(_words(sign) for sign in signs)
    return _Construct(_words(others).union(*groups), groups, asks)


_PAGE = "page article information content section topic document documentation post guide tutorial answer "
_NETWORKS = "facebook twitter linkedin whatsapp reddit pinterest telegram email "
_CONSTRUCTS = (
    # did it help?
    _construct(
        "your to for you find out of people users",
        "helpful useful",
        "was were is are did",
        "this that these the " + _PAGE,
        asks=True,
    ),
    _construct("this the it your " + _PAGE, "question questions", "answer", "did does", asks=True),
    _construct("this it the out of people users user who " + _PAGE, "helpful useful", "found"),
    _construct(
        "die der für sie dir war waren hat haben ist sind antwort inhalt beitrag",
        "hilfreich nützlich geholfen weitergeholfen",
        "diese dieser dieses dies das artikel seite informationen ihnen",
        asks=True,
    ),
    _construct(
        "cet cette ces ce t a il elle ils elles été est ont trouvé réponse",
        "utile utiles aidé aidée",
        "vous page article information informations contenu",
        asks=True,
    ),
    _construct(
        "este esta esto el la ha fue sido resultado resultó es respuesta",
        "útil ayudó",
        "te le artículo página información contenido",
        asks=True,
    ),
    _construct(
        "questo questa queste questi è stato stata state sono risultato",
        "utile utili",
        "ti articolo pagina informazioni contenuto",
        asks=True,
    ),
    _construct(
        "este esta as o a foi foram para",
        "útil úteis",
        "isso você artigo página informação informações conteúdo",
        asks=True,
    ),
    _construct(
        "dit deze de het u je was is vond", "nuttig behulpzaam", "artikel pagina informatie antwoord", asks=True
    ),
    _construct(
        "czy ten ta te był była było były",
        "pomocny pomocna pomocne przydatny przydatna przydatne",
        "artykuł strona informacje informacja",
        asks=True,
    ),
    _construct(
        "эта этот это была был было ли для",
        "полезна полезен полезной полезным полезно помогла помог помогло",
        "статья страница информация материал ответ вам вас",
        asks=True,
    ),
    # thanks for saying so
    _construct(
        "this the for your on about us with please we appreciate you site website " + _PAGE,
        "feedback",
        "thank thanks share sharing give giving send submit leave provide providing",
    ),
    _construct(
        "vielen für ihr ihre dein deine das die zu dieser seite artikel uns",
        "feedback rückmeldung",
        "dank danke geben senden",
    ),
    _construct("beaucoup pour votre vos ton tes de", "retour retours avis commentaire commentaires", "merci"),
    _construct("muchas por tu tus su sus", "comentarios opinión", "gracias"),
    # the same in another language
    _construct(
        "this page article the a ce contenu cette l este artigo conteúdo artículo contenido questo articolo diesen artikel "
        "diese seite also",
        "read view lire leer leia ler lesen leggi",
        "in en em auf",
        "english german french spanish portuguese italian dutch polish russian ukrainian chinese japanese korean arabic "
        "turkish englisch deutsch französisch spanisch anglais français allemand espagnol inglés español francés alemán "
        "inglês português inglese italiano nederlands polski русский українська 中文 日本語 한국어",
    ),
    # subscribe and share
    _construct(
        "up to for our the free weekly daily monthly email emails e mail mailing list now today here in your and of a via",
        "newsletter newsletters inbox",
        "sign signup subscribe get receive join",
    ),
    _construct(
        "jetzt unseren unserem den zum kostenlosen kostenlos hier für", "newsletter", "abonnieren anmelden bestellen"
    ),
    _construct(
        "vous à la notre nos gratuitement s i d",
        "newsletter newsletters infolettre",
        "inscrire inscrivez abonner abonnez recevez recevoir",
    ),
    _construct("a nuestro nuestra al la el", "newsletter boletín", "suscríbete suscríbase suscribirse recibe"),
    _construct(
        "story video recipe with a friend friends your the on " + _NETWORKS,
        "share tweet pin",
        "this on via by with it article story post page",
    ),
    _construct(
        "share print copy link more save whatsapp telegram reddit linkedin facebook twitter pinterest",
        "share",
        "tweet pin print email mail facebook twitter",
    ),
    _construct("twittern drucken e " + _NETWORKS, "teilen", "twittern mailen mail drucken facebook twitter whatsapp"),
    _construct("diesen diese den die das mit mail e " + _NETWORKS, "teilen", "artikel seite beitrag auf bei per"),
    _construct("cet cette l mail e " + _NETWORKS, "partager partagez", "article page sur par"),
    _construct("este esta correo " + _NETWORKS, "compartir comparte", "artículo página noticia en por"),
)
_PHRASES = frozenset(
    " ".join(
        """
    previous article | next article | previous post | next post | previous page | next page | older posts |
    newer posts | leave a comment | leave a reply | post a comment | add a comment | write a comment |
    join the conversation | please enter your email address | enter your email address | sharing is caring |
    scroll to top | vorheriger artikel | nächster artikel | vorheriger beitrag | nächster beitrag | nächste seite |
    kommentar schreiben | article précédent | article suivant | page suivante | laisser un commentaire |
    entrada anterior | entrada siguiente | deja un comentario | deixe um comentário | lascia un commento |
    skip to content | skip to main content | skip to navigation | jump to content | jump to navigation |
    back to top | return to top | scroll to top | scroll to continue | go to top | on this page | in this article |
    edit this page | edit this page on github | edit on github | edit page | suggest edits | suggest an edit |
    suggest changes | raise issue | print this page | print this article | copy link | copy page |
    copy to clipboard | copied to clipboard | link copied | click to enlarge | click to expand | click to copy |
    enlarge image | enlarge this image | view image in fullscreen | show more | show less | load more | see more |
    view more | yes no | did this help | did you find what you were looking for | was this helpful |
    zum inhalt springen | zum hauptinhalt springen | nach oben | zurück nach oben | auf dieser seite |
    seite drucken | artikel drucken | link kopieren | link kopiert | mehr anzeigen | weniger anzeigen |
    bild vergrößern | ja nein | aller au contenu | aller au contenu principal | retour en haut | haut de page |
    sur cette page | dans cet article | modifier cette page | imprimer cette page | copier le lien | afficher plus |
    voir plus | oui non | ir al contenido | volver arriba | en esta página | editar esta página | copiar enlace |
    mostrar más | ver más | sí no | voltar ao topo | nesta página | ver mais | torna su | in questa pagina |
    mostra altro | terug naar boven | op deze pagina | наверх | вернуться наверх | на этой странице |
    поделиться ссылкой | показать ещё | показать еще | 返回顶部 | 本页内容 | 这篇文章对您有帮助吗 |
    这篇文章对你有帮助吗 | 此页面对您有帮助吗 | 此页面有帮助吗 | 本页内容对您有帮助吗 | この記事は役に立ちましたか |
    このページは役に立ちましたか | この情報は役に立ちましたか | お役に立ちましたか | この記事をシェア | シェアする |
    ページトップへ | ページの先頭へ | トップへ戻る | このページの内容 | はい いいえ | 도움이 되었나요 |
    이 문서가 도움이 되었나요 | 이 페이지가 도움이 되었나요 | 맨 위로 | 공유하기 | open in a new tab |
    opens in a new tab | opens in new tab | opens in a new window | back to gallery | share this entry |
    copy link to clipboard | lien copié | mostrar comentarios | öffnet in neuem tab | öffnet in einem neuen tab |
    s'ouvre dans un nouvel onglet | improve this page | view page source | show comments | hide comments |
    view comments | load more comments
    """.split()
    ).split(" | ")
)
_FIRST_WORD = re.compile(r"\w+")
_NEVER_FIRST = _words("you your we us it to of in on for and a with our who people users as an about site by use")
CONTROL_OPENERS: Final = frozenset[str]().union(*(each.words for each in _CONSTRUCTS)) - _NEVER_FIRST | frozenset(
    phrase.split(" ", 1)[0] for phrase in _PHRASES
)
"""Words with which a control may begin."""
CONTROL_WORDS: Final = frozenset(word for phrase in _PHRASES for word in phrase.split(" ")).union(
    *(each.words for each in _CONSTRUCTS)
)
"""All words of controls."""
_SIGNS = frozenset[str]().union(*(each.signs[0] for each in _CONSTRUCTS))


def is_control(sentence: str) -> bool:
    """Tell whether a calm sentence as a whole is such a line."""
    if len(sentence) > LONGEST_CONTROL:
        return False
    text = sentence.casefold().strip(_TRIM)
    first = _FIRST_WORD.match(text)
    if first is None or not (first[0] in CONTROL_OPENERS or (first[0].isdigit() and "found" in text)):
        return False
    if text in _PHRASES or " " not in text:
        return text in _PHRASES
    words = frozenset(word for word in text.translate(_TO_SPACES).split() if not word.isdigit())
    if words.isdisjoint(_SIGNS):
        return False
    asks = sentence.rstrip("\"')").endswith(("?", "？"))
    plain = "found" in words or _VALUES.isdisjoint(text)
    return plain and any(_fits(words, each) and asks >= each.asks for each in _CONSTRUCTS)


def _fits(words: frozenset[str], construct: _Construct) -> bool:
    return words <= construct.words and all(not words.isdisjoint(signs) for signs in construct.signs)
