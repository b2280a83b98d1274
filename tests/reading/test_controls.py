from __future__ import annotations

import time

import pytest

from sameish.reading.controls import is_control
from sameish.reading.sentences import calm

CONTROLS = """
    Was this page helpful?
    Did this answer your question?
    Did you find this article useful?
    12 out of 15 found this helpful
    War dieser Artikel hilfreich?
    Cet article vous a-t-il été utile ?
    ¿Te ha resultado útil este artículo?
    Questo articolo ti è stato utile?
    Este artigo foi útil?
    Was dit artikel nuttig?
    Czy ten artykuł był pomocny?
    Была ли эта статья полезной?
    この記事は役に立ちましたか？
    这篇文章对您有帮助吗？
    도움이 되었나요?
    Thanks for your feedback!
    Thank you for sharing your feedback.
    Vielen Dank für Ihr Feedback!
    Merci pour votre retour !
    ¡Gracias por sus comentarios!
    Sign up for our free weekly newsletter
    Jetzt Newsletter abonnieren
    Inscrivez-vous à notre newsletter
    Suscríbete a nuestro boletín
    Share this article
    Share on Facebook
    Artikel teilen
    Partager sur Facebook
    Skip to main content
    Edit this page on GitHub
    Back to top ↑
    Nach oben
    Enlarge image
    Yes No
    Share Tweet Pin Email
    Teilen Twittern Mailen
    Previous post
    Leave a comment
    Read this article in German
    Leia em português
    Lire ce contenu en français
"""
CONTENT = """
    Yes
    No
    Share
    Answer
    Facebook
    5
    What is the answer?
    Do you have the answer?
    Is it useful?
    Does it help?
    Was the guide helpful to the jury?
    Was this not helpful?
    Is the ferry helpful?
    Not helpful
    3 of 5 jurors found this helpful
    You may provide feedback.
    Feedback must be in writing
    The newsletter costs 5 EUR
    Get 5 newsletters
    Sign here for the newsletter stand
    Our newsletter is not free
    Share prices on Facebook
    Share 5 on Facebook
    Share this with your landlord
    Read the contract in German
    Tweet
    Pin
    Email Facebook Twitter
    Back to top speed
    Skip to main deck
    Newsletter vom Hafen abonnieren
    Retour le 5 mai
    Gracias por nada
"""


@pytest.mark.parametrize("line", [line.strip() for line in CONTROLS.strip().splitlines()])
def test_a_line_about_using_the_page_is_a_control(line: str) -> None:
    assert is_control(calm(line))


@pytest.mark.parametrize("line", [line.strip() for line in CONTENT.strip().splitlines()])
def test_a_line_that_says_anything_else_is_none(line: str) -> None:
    assert not is_control(calm(line))


@pytest.mark.parametrize("word", ["5", "€", "$", "%", "price", "ferry", "nicht", "нет"])
@pytest.mark.parametrize("line", ["Was this page helpful?", "Share this article", "Thanks for your feedback", "Yes No"])
def test_one_word_more_makes_a_control_content(line: str, word: str) -> None:
    assert not is_control(calm(f"{line} {word}"))
    assert not is_control(calm(f"{word} {line}"))


def test_judging_takes_linear_time() -> None:
    for unit in ("this ", "?", "was helpful ", "- "):
        start = time.perf_counter()
        for _ in range(1000):
            is_control((unit * 80)[:80])
        assert time.perf_counter() - start < 2
