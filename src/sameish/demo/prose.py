"""Articles of 150 to 500 words that nobody has written, each about something else, and what editors change in them.

A sentence is put together from short pieces, so that two articles share hardly a run of three words.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, timedelta
from functools import lru_cache

from sameish.demo.article import Article, Block, Items, Prose
from sameish.demo.noise import Draws
from sameish.demo.words import lot, word

_NOUNS = """anchor attic ballot barge barrel bell bicycle blanket bonfire bookcase bridge bucket canal candle carriage cellar
chapel chart chimney clock coat compass cottage cupboard curtain ditch dome drawer drum engine envelope fence fiddle
flag flute fountain furnace garden gate glove granary hammer harbour harvest hedge helmet hinge horn kettle kiln
kitchen ladder lamp lantern ledger letter library lock loom map meadow mill mirror mosaic net oar orchard organ oven
paddle parcel pavement pier pillar plough pond pump quarry quilt rope roof saddle sail school shed shelf shovel spade
stable staircase statue stove stream table tent theatre tower trumpet tunnel umbrella valley vault violin wagon wall
weathercock well wheel windmill workshop""".split()
_ADJECTIVES = """ancient awkward blue borrowed bright broken brown careful cheap clumsy cold copper crooked curious damp dusty
early empty enormous famous fragile frozen gentle golden green grey heavy hidden hollow honest humble idle iron late lazy
leaking light lonely loose loud lucky marble muddy narrow neglected new noisy old painted pale patient plain polished
proud quiet rare red restored round rusty salty sandy shallow silent silver slow small smoky solid spare steep stolen
striped stubborn tall tidy tiny unfinished useful warm wide wooden worn yellow""".split()
_VERBS = """abandoned admired bought built carried catalogued cleaned copied counted covered defended described designed
discovered dragged drew dug emptied examined exchanged filled followed forgot found gave hauled hid hired inherited
inspected insured invented kept lent lifted lost lowered measured mended mentioned missed moved noticed opened ordered
packed painted photographed planned praised protected raised refused rented repaired replaced rescued restored
returned sanded sketched sold sorted stored swapped tested traded treated tuned visited wanted washed weighed wrapped""".split()
_TRADES = """baker beekeeper binder blacksmith carpenter cartographer clerk cobbler conductor cooper dentist diver farmer ferryman
gardener glazier grocer joiner judge librarian mason miller musician nurse painter pharmacist pilot plumber potter
printer roofer sailor surveyor tailor teacher translator turner vet warden weaver""".split()
_LINKS = """although and yet because but so until when where while before after unless since""".split()
_SPOTS = """above across against along behind below beneath beside beyond inside near opposite outside past through towards under
within""".split()
_WHENS = (
    "in autumn|in spring|last winter|at dawn|at noon|after dark|for years|during the flood|"
    "every evening|in silence|by accident|in a hurry|without a word|on foot|for a while|"
    "on the first try|at great cost|in the rain|with some luck|by candlelight"
).split("|")
_SAYINGS = "said|admitted|recalled|explained|wrote|replied|insisted|remembered".split("|")


@dataclass(frozen=True, slots=True)
class Story:
    """An article as editors see it: paragraphs of sentences; `.price` stands in one of the sentences."""

    title: str
    author: str
    published: date
    paragraphs: tuple[tuple[str, ...], ...]
    price: int
    goods: str

    @property
    def price_line(self) -> str:
        """The sentence with the price."""
        return f"The {self.goods} will cost {self.price} crowns."


@lru_cache(maxsize=20_000)
def story(seed: int, name: str, version: int = 0) -> Story:
    """The story of a content, after so many edits."""
    if version:
        return _edited(story(seed, name, version - 1), lot(seed, "edit", name, version))
    draws = lot(seed, "story", name)
    target, total, paragraphs = draws.between(140, 370), 0, []
    while total < target:
        paragraph = tuple(sentence(draws) for _ in range(draws.between(2, 4)))
        total += sum(len(one.split()) for one in paragraph)
        paragraphs.append(paragraph)
    published = date(2026, 2, 1) + timedelta(days=draws.below(28))
    return Story(title(seed, name), _person(draws), published, tuple(paragraphs), draws.between(12, 900), _thing(draws))


@lru_cache(maxsize=20_000)
def title(seed: int, name: str) -> str:
    """The headline of a content."""
    draws = lot(seed, "title", name)
    return f"{word(draws, 3).capitalize()} {draws.pick(_TRADES)} {draws.pick(_VERBS)} {_thing(draws)}"


def sentence(draws: Draws) -> str:
    """A sentence of 8 to 25 words."""
    made = _SENTENCES[draws.below(len(_SENTENCES))](draws)
    return made[0].upper() + made[1:]


def article(told: Story, section: str, slug: str, draws: Draws) -> Article:
    """A story as the site's templates take it; `draws` decides on headings, lists and quotations."""
    blocks: list[Block] = []
    for number, paragraph in enumerate(told.paragraphs):
        blocks.append(Prose("p", " ".join(paragraph)))
        if number == 1:
            blocks.append(Prose("p", told.price_line))
        elif number > 1 and draws.below(3) == 0:
            blocks.append(_decoration(draws))
    return Article(slug, told.title, told.author, told.published, section, "en", tuple(blocks))


def _decoration(draws: Draws) -> Block:
    match draws.below(3):
        case 0:
            return Prose("h2", f"{word(draws, 3).capitalize()} and the {_thing(draws)}")
        case 1:
            return Prose("blockquote", sentence(draws))
        case _:
            return Items("ul", tuple(f"{draws.between(2, 9)} {_thing(draws)}s from {_place(draws)}" for _ in range(3)))


def _edited(old: Story, draws: Draws) -> Story:
    spot = draws.below(len(old.paragraphs))
    paragraph, price = old.paragraphs[spot], old.price
    changed: tuple[tuple[str, ...], ...] = (paragraph,)
    match draws.below(4):
        case 0:
            price += draws.between(3, 40)
        case 1:
            changed = ((sentence(draws), *paragraph[1:]),)
        case 2:
            changed = ((*paragraph, sentence(draws)),)
        case _:
            changed = (paragraph, (sentence(draws), sentence(draws)))
    paragraphs = (*old.paragraphs[:spot], *changed, *old.paragraphs[spot + 1 :])
    return Story(old.title, old.author, old.published, paragraphs, price, old.goods)


def _person(draws: Draws) -> str:
    return f"{word(draws).capitalize()} {word(draws, 3).capitalize()}"


def _place(draws: Draws) -> str:
    return word(draws, 3).capitalize()


def _thing(draws: Draws) -> str:
    return f"{draws.pick(_ADJECTIVES)} {draws.pick(_NOUNS)}"


def _somebody(draws: Draws) -> str:
    match draws.below(4):
        case 0:
            return _person(draws)
        case 1:
            return f"{_person(draws)}, {draws.pick(_TRADES)} of {_place(draws)},"
        case 2:
            return f"{draws.between(2, 19)} {draws.pick(_TRADES)}s"
        case _:
            return f"the {draws.pick(_ADJECTIVES)} {draws.pick(_TRADES)}"


def _clause(draws: Draws) -> str:
    return f"{_somebody(draws)} {draws.pick(_VERBS)} the {_thing(draws)}"


def _where(draws: Draws) -> str:
    return f"{draws.pick(_SPOTS)} the {draws.pick(_NOUNS)} of {_place(draws)}"


_SENTENCES: tuple[Callable[[Draws], str], ...] = (
    lambda draws: f"{_clause(draws)} {_where(draws)} {draws.pick(_WHENS)}.",
    lambda draws: f"{draws.pick(_WHENS)} {_clause(draws)}, {draws.pick(_LINKS)} {_clause(draws)}.",
    lambda draws: f"{_where(draws)} {_clause(draws)}, {draws.pick(_LINKS)} {_clause(draws)}.",
    lambda draws: f'"{_clause(draws).capitalize()}," {draws.pick(_SAYINGS)} {_person(draws)}.',
    lambda draws: (
        f"{_clause(draws)} and {draws.pick(_VERBS)} {draws.between(2, 60)} {draws.pick(_NOUNS)}s {_where(draws)}."
    ),
)
