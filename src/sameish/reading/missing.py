"""Recognises the sentence in which a page says that an address is missing, and repeats the address or an error's number.

Such a page is the same whatever was asked for. Only the sentence as a whole counts: `The requested page "/a" could not be
found.` is one; `The page on ferries could not be found in the almanac.` is content.
"""

from __future__ import annotations

import re
from typing import Final

_LONGEST = 160
_TRIM = " .,:;!?'\"()[]-|#•"


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_PAGE = _words(
    "page url uri address seite adresse página dirección pagina indirizzo endereço strona strony adres страница адрес"
)
_GONE = _words(
    "found exist exists available located gefunden existiert trouvée trouvé existe encontrada encontrado encontrar trovata "
    "esiste gevonden bestaat znaleziona istnieje найдена существует"
)
_NOT = _words("not cannot couldn't doesn't can't wasn't isn't nicht n'a n'existe pas no non não niet nie не")
_OTHERS = _words(
    "the a this that requested you your were looking for was is be been could can does we sorry unable to find on server at "
    "die das angeforderte aufgerufene wurde konnte werden auf diesem leider "
    "la l'adresse demandée demandé été être pu sur ce serveur "
    "el se ha podido solicitada solicitado fue en este servidor lo sentimos "
    "richiesta richiesto è stata stato a o solicitada foi "
    "de opgevraagde kon worden żądana została nie запрашиваемая запрошенная на сервере"
)
_SAID = _PAGE | _GONE | _NOT | _OTHERS
_ERROR = _words("error id ray request incident event trace support reference ref code number cloudflare")
MISSING_WORDS: Final = _SAID | _ERROR
"""The words of such a sentence, but for what it repeats."""
_ERROR_SIGNS, _GIVEN_BY_MACHINES = _words("ray request incident event trace support"), _words("id ray error cloudflare")
_ADDRESS_SIGNS = "/.?=&%_\\"
_NUMBER_LETTERS, _TELEPHONE_DIGITS = 8, 15
"""Characters that such a number has at least; digits that a telephone number has at most (E.164)."""
_UNLIKE_WORDS = re.compile(r"[/=&%_\\.?]\w|\d")
MISSING_OPENERS: Final = _ERROR.union(
    "the this requested sorry page url uri we unable no cannot die das leider seite la l'adresse adresse el lo página dirección "
    "pagina richiesta de żądana strona запрашиваемая запрошенная страница адрес".split()
)
"""Words with which such a sentence may begin."""
_BEGINNINGS = frozenset(f"{word}{end}"[:3] for word in MISSING_OPENERS for end in " :,")


def says_what_is_missing(sentence: str) -> bool:
    """Tell whether a calm sentence says that a page is missing, or the number of an error, and repeats which."""
    # nearly every sentence begins otherwise
    return sentence[:3].casefold() in _BEGINNINGS and without_what_is_missing(sentence) != sentence


def without_what_is_missing(sentence: str) -> str:
    """Return such a sentence without the address or number, any other sentence as it is."""
    if len(sentence) > _LONGEST or not _UNLIKE_WORDS.search(sentence):
        return sentence
    parts = [(part, part.casefold().strip(_TRIM)) for part in sentence.split()]
    if not parts or parts[0][1] not in MISSING_OPENERS:
        return sentence
    known = frozenset(token for _, token in parts if token)
    others = known - _SAID if not known.isdisjoint(_GONE) else known - _ERROR
    if len(others) != 1 or not _repeats(known, *others):
        return sentence
    return " ".join(part for part, token in parts if token not in others)


def _repeats(words: frozenset[str], unknown: str) -> bool:
    """Whether the one word that is not known is an address that is missing, or the number of an error."""
    if not words.isdisjoint(_GONE):
        return not (words.isdisjoint(_PAGE) or words.isdisjoint(_NOT)) and _is_address(unknown)
    # `Support: 0800 1234567` and `Event: 12.03.2026` are for readers
    named = not (words.isdisjoint(_ERROR_SIGNS) or words.isdisjoint(_GIVEN_BY_MACHINES))
    return named and _is_number(unknown)


def _is_address(token: str) -> bool:
    return any(sign in token for sign in _ADDRESS_SIGNS) and any(map(str.isalnum, token))


def _is_number(token: str) -> bool:
    """Whether letters and digits are mixed as in a number that a machine gave, or too many digits for one to dial."""
    digits = sum(map(str.isdigit, token))
    mixed = any(map(str.isalpha, token)) or digits > _TELEPHONE_DIGITS
    return len(token) >= _NUMBER_LETTERS and digits > 0 and mixed and all(c.isalnum() or c in "-." for c in token)
