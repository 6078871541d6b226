"""Which cards a seat may know, and which cards a message names: what the tests of hidden information go by.

`known` is written from the rule sheets ("Who sees what"), not from the views under test: it looks at what was dealt,
at the moves that were made and who made them.  `told` finds every card in a message, however it is written; what a
sentence of the rule book or a fixed sentence of ours names anyway ("♠Q counts 13") is not told of this deal.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from functools import cache, lru_cache
from gettext import GNUTranslations
from typing import Any

from cardlib.cards import JOKER, PACK, Card, Hand, cards_of
from cardlib.deal import GAMES, Deal
from cardlib.options import Variant
from cardlib.text import LANGS, rule_book, summary
from cardlib.text.messages import compiled, messages

# --------------------------------------------------------------------------------------------- what a seat may know


def codes(text: object) -> set[str]:
    """The cards in a text of a record, or in several."""
    if isinstance(text, str):
        return set(re.findall(r"\b(?:[2-9TJQKA][SHDC]|JKR)\b", text))
    return set().union(*map(codes, text)) if isinstance(text, Iterable) else set()


class Story:
    """What has happened in a deal: what was dealt, the moves as they are recorded, and who made each of them."""

    def __init__(self, deal: Deal, movers: Sequence[int]) -> None:
        self.deal: Any = deal
        self.options: Any = deal.options
        self.dealt: Mapping[str, Any] = deal.dealt  # the keys of a record
        self.position: Mapping[str, Any] = self.dealt.get("position", {})
        self.moves = [(seat, str(move)) for seat, move in zip(movers, deal.moves, strict=True)]

    @property
    def plays(self) -> list[str]:
        """The cards played, with those that they take."""
        return [text for _, text in self.moves if codes(text.split(" ")[0])]

    @property
    def contract(self) -> tuple[int, str] | None:
        """The last bid, or the contract that was named, and whose it is."""
        if "contract" in self.position:
            return self.position.get("bidder", -1), self.position["contract"]
        named = [(seat, text.removeprefix("contract ")) for seat, text in self.moves if not codes(text)]
        named = [(seat, text) for seat, text in named if text.split()[0] not in ("pass", "accept", "trump", "take")]
        return named[-1] if named else None

    def held(self, seat: int) -> set[str]:
        """The hand as it was dealt, and as it now is."""
        passing = self.deal.phase is not None and self.deal.phase.name == "pass"  # nothing has changed hands yet
        return codes(self.dealt["hands"][seat]) | (set() if passing else codes(str(Hand(self.deal.hands[seat]))))


def known(deal: Deal, movers: Sequence[int], me: int) -> set[str]:
    """The cards that seat `me` may know: its own, those it has given or put down itself, all that lie or have lain
    open, and what its game lays open besides."""
    story = Story(deal, movers)
    open_keys = (*(story.position.get(key, "") for key in ("trick", "taken", "turnup")), story.dealt.get("turnup", ""))
    mine = codes([text for seat, text in story.moves if seat == me])
    return codes(open_keys) | codes(story.plays) | mine | set(SEES[deal.game.id](story, me))


def own_hand(story: Story, me: int) -> set[str]:
    """The usual case: one's own hand."""
    return story.held(me)


def hearts(story: Story, me: int) -> set[str]:
    """The kitty is seen by all once it goes to a pile; taken into a hand, and what is put down then, by nobody but its
    taker, until the cards are counted."""
    cards, picked_up = story.held(me), story.options.leftover.startswith("pickup")
    if story.deal.finished or not (story.deal.left_over or picked_up):
        cards |= codes(story.dealt.get("kitty", ""))
    if story.deal.finished:
        cards |= codes([text for _, text in story.moves if text.startswith("discard")])
    return cards


def quint(story: Story, me: int) -> set[str]:
    """The cachette is shown to all when the last trick has brought it to its winner."""
    return story.held(me) | (set() if story.deal.left_over else codes(story.dealt.get("cachette", "")))


def solo_whist(story: Story, me: int) -> set[str]:
    """In misère ouverte the bidder's hand lies open for all after trick 1 (by option, before it)."""
    cards = story.held(me)
    played = len(story.position.get("trick", "").split()) + len(story.plays)
    tricks = story.position.get("trick_number", 1) - 1 + played // story.deal.players
    playing = story.deal.phase is None or story.deal.phase.name == "play"
    laid_open = playing and (tricks or story.options.ouverte_exposed == "before-trick-1")
    if story.contract and story.contract[1] == "misere-ouverte" and laid_open:
        cards |= story.held(story.contract[0])
    return cards


def quodlibet(story: Story, me: int) -> set[str]:
    """Before the contract is named only the dealer sees his hand; what then lies open is the contract's."""
    dealer, contract = story.deal.dealer == me, story.contract
    hands = [story.held(seat) for seat in range(story.deal.players)]
    if contract is None:
        return hands[me] if dealer else set()
    if contract[1] == "good-hunting":
        return set().union(*hands)
    if contract[1] == "open-trousers":  # his own hand is a row of slots, even for the dealer, who has seen it before
        return set().union(*hands[:me], *hands[me + 1 :])
    return hands[me] | (_snack(story, me) if contract[1] == "snack" else set())


def _snack(story: Story, me: int) -> set[str]:
    """The jacks of a pile are laid out; its other cards are seen by its taker (and are then in his hand).  Which cards
    fit the rows is for all to see."""
    piles: Sequence[str] = story.position.get("piles") or story.dealt["piles"]
    taken = [piles[int(text.split()[1]) - 1] for _, text in story.moves if text.startswith("take")]
    laid = codes(story.plays) | {card for card in codes(taken) if card[0] == "J"}
    for suit, row in story.position.get("rows", {}).items():
        low, high = (RANKS.index(rank) for rank in row.split("-")) if row else (0, -1)
        laid |= {rank + suit for rank in RANKS[low : high + 1]}
    return laid | {card for suit in "SHDC" for card in _fitting(suit, laid)}


RANKS = "789TJQKA"


def _fitting(suit: str, laid: Set[str]) -> set[str]:
    """The cards next to the ends of a row, or its jack."""
    places = [place for place, rank in enumerate(RANKS) if rank + suit in laid]
    ends = {min(places) - 1, max(places) + 1} if places else {RANKS.index("J")}
    return {RANKS[place] + suit for place in ends if place in range(len(RANKS))}


def scopone(story: Story, me: int) -> set[str]:
    """The table lies open, and what is captured was seen when it was taken."""
    table = story.position.get("table", story.dealt.get("table", ""))
    return story.held(me) | codes(table)


#: What each game shows a seat besides the cards played: games that add nothing to one's own hand say so, too.
SEES = {
    "primer": own_hand,
    "hearts": hearts,
    "quint": quint,
    "spady": own_hand,
    "ambition": own_hand,
    "solo-whist": solo_whist,
    "quodlibet": quodlibet,
    "scopone": scopone,
}

# -------------------------------------------------------------------------------------------- what a message names

SUITS = dict(zip("♠♥♦♣", "SHDC", strict=True))
CODE = re.compile(r"(?<![A-Za-z0-9])((?:10|[2-9TJQKA])[SHDC]|JKR)(?![A-Za-z0-9])")
TOKEN = re.compile(r"([♠♥♦♣])\s?(10|[2-9TJQKA])(?![0-9])|(?<![0-9])(10|[2-9TJQKA])\s?([♠♥♦♣])")


@cache
def names() -> dict[str, str]:
    """What the cards are called in each language, in small letters."""
    cards = [Card(card) for card in (*cards_of(PACK), JOKER)]
    return {messages(lang).say("card", card=card).lower(): str(card) for lang in LANGS for card in cards}


@cache
def _names() -> re.Pattern[str]:
    words = "|".join(sorted(map(re.escape, names()), key=len, reverse=True))
    # Names stand between words in English, anywhere in Japanese; what stands in an id is no card.
    return re.compile(rf"(?<![a-z0-9])(?<![a-z0-9][.-])(?:{words})(?![a-z0-9]|[.-][a-z0-9])")


@lru_cache(100_000)
def written(text: str) -> frozenset[str]:
    """The cards in a text: as a code (QS), as a token (♠Q) or by name (queen of spades)."""
    found = {code.replace("10", "T") for code in CODE.findall(text)}
    for suit, rank, rank_before, suit_after in TOKEN.findall(text):
        found.add((rank or rank_before).replace("10", "T") + SUITS[suit or suit_after])
    return frozenset(found | {names()[name] for name in _names().findall(text.lower())})


def plain(text: str) -> str:
    """A text without its markup."""
    return re.sub(r"<[^>]*>|[*_`]", "", text)


class Fixed:
    """Sentences that name cards by themselves, whatever was dealt; with places for their facts."""

    def __init__(self, sentences: Iterable[str]) -> None:
        self.whole: set[str] = set()
        self.parts: list[re.Pattern[str]] = []
        for sentence in sorted(map(plain, sentences), key=len, reverse=True):
            parts = re.split(r"\{[^}]*\}", sentence)
            besides = re.sub(r"\W", "", _names().sub("", TOKEN.sub("", CODE.sub("", "".join(parts))).lower()))
            if not written(" ".join(parts)) or not besides:  # none, or nothing but the card
                continue
            self.whole.add(sentence)
            if len(besides) > 5:
                self.parts.append(re.compile("(.*?)".join(map(re.escape, parts)) + "$" * (not parts[-1]), re.S))

    def without(self, text: str) -> str:
        """A text without these sentences, but with what has been put into them."""
        if text in self.whole:
            return ""
        for sentence in self.parts:
            text = sentence.sub(lambda found: " · ".join(part or "" for part in found.groups()), text)
        return text


@cache
def messages_that_name_cards() -> Fixed:
    """The sentences of the catalogues, and single words."""
    found: set[str] = set()
    for lang in LANGS:
        with compiled(lang).open("rb") as file:
            found |= set(GNUTranslations(file)._catalog.values())  # type: ignore[attr-defined]
    return Fixed(found)


@cache
def rules_that_name_cards(variant: Variant) -> Fixed:
    """The rule book as the variant makes it read, and what its options say."""
    found: set[str] = set()
    for lang in LANGS:
        book = rule_book(variant.game.id, lang)
        found |= {title for title, _ in book.groups}
        for some in (variant, Variant.of(variant.game)):
            found |= {summary(some, lang), some.code}
            for rule in (book.rule(id, some) for id in book.ids):
                found |= {rule.title, rule.source, *rule.sentences}
    return Fixed(found)


def _id(message: Mapping[str, Any]) -> str:
    return next((str(message[key]) for key in ("rule", "id") if isinstance(message.get(key), str)), "")


@cache
def titles(id: str) -> Set[str]:
    """What a rule is called (nothing, if this is no rule)."""
    game = id.split(".")[0]
    books = [rule_book(game, lang) for lang in LANGS] if game in GAMES else []
    return {book.rule(id, Variant.of(GAMES[game])).title for book in books if id in book.ids}


@lru_cache(100_000)
def said(text: str, *variants: Variant) -> frozenset[str]:
    """The cards in a text that do not stand there anyway."""
    if not written(text):
        return frozenset()
    text = plain(text)
    for fixed in (*map(rules_that_name_cards, variants), messages_that_name_cards()):
        text = fixed.without(text)
    return written(text)


def told(message: object, *variants: Variant, path: str = "") -> Iterator[tuple[str, str]]:
    """Each card that a message names, and where; `variants` are those whose rules may be quoted."""
    if isinstance(message, Mapping):
        for key, value in message.items():
            yield from told(key, path=path)
            if not (key == "title" and value in titles(_id(message))):
                yield from told(value, *variants, path=f"{path}.{key}")
    elif isinstance(message, str):
        yield from ((card, path) for card in said(message, *variants))
    elif isinstance(message, Card):
        yield str(message), path
    elif isinstance(message, Hand):
        yield from ((str(card), path) for card in message)
    elif isinstance(message, Iterable):
        for at, value in enumerate(message):
            yield from told(value, *variants, path=f"{path}.{at}")
    else:
        assert message is None or isinstance(message, bool | float | int), f"{path}: {message!r}"
        assert message is None or abs(message) < 1 << 30, f"{path}: {message} may be a mask of cards"
