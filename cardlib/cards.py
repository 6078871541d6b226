"""Cards, suits and hands as small integers, and their notation.

A card is ``16 * suit + rank`` (rank 2 to 14, the ace high), the joker is 0.  A set of cards is a bit mask with one bit
a card: each suit has a lane of 16 bits, so a suit is a mask and within it the highest card is the highest bit.  Rules
compute with plain masks; `Card`, `Hand`, `Suit` and `Seat` are the same integers with a face for people.

>>> hand = Hand.parse("2C QS 10h ♥A")
>>> print(hand)
QS AH TH 2C
>>> Card.parse("QS") in hand, len(hand), hand & HEARTS == Hand.parse("AH TH")
(True, 4, True)
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from typing import Any

from cardlib.errors import BadInput, raw, shortly

RANKS = "23456789TJQKA"
SUITS = "SHDC"
JOKER_NAME = "JKR"

#: What draws an object in a notebook: type -> function to a MIME bundle.  `cardlib.ui.draw` fills it.
painters: dict[type, Callable[[Any], dict[str, str]]] = {}


class Drawn:
    """An object that is its own picture in a notebook, once a painter for its type is there."""

    __slots__ = ()

    def _repr_mimebundle_(self, **_: object) -> dict[str, str]:
        for kind in type(self).__mro__:
            if kind in painters:
                return painters[kind](self)
        return {"text/plain": repr(self)}


class Suit(int):
    """A suit: 0 spades, 1 hearts, 2 diamonds, 3 clubs."""

    @property
    def mask(self) -> int:
        """All thirteen cards of the suit, as a mask."""
        return SUIT_MASKS[self]

    def __str__(self) -> str:
        return SUITS[self]

    def __repr__(self) -> str:
        return f"Suit({SUITS[self]!r})"


class Seat(int):
    """A seat at the table, 0 to players - 1 in order of play."""

    def __repr__(self) -> str:
        return f"Seat({int(self)})"

    __str__ = int.__repr__


#: The seats of the largest table.
SEATS = tuple(Seat(number) for number in range(8))


class Side(int):
    """A side of partners: 0 for the even seats, 1 for the odd ones."""

    def __repr__(self) -> str:
        return f"Side({int(self)})"

    __str__ = int.__repr__


SIDES = (Side(0), Side(1))


class Card(int):
    """One card; equal to its number, written as rank and suit.

    >>> Card.parse("10♥"), str(Card.parse("qs")), Card.parse("QS").suit
    (Card('TH'), 'QS', Suit('S'))
    """

    @classmethod
    def parse(cls, text: str) -> Card:
        """Read `QS`, `10h`, `♥9` or `9♥`; `BadInput` names what is no card."""
        card = _BY_NAME.get(_fold(text)) if isinstance(text, str) else None
        if card is None:
            raise BadInput("card", f"unknown card: {shortly(text)}", card=raw(text))
        return card

    @property
    def suit(self) -> Suit:
        return _SUITS[self >> 4]

    @property
    def rank(self) -> int:
        """2 to 14, the ace high (0 for the joker)."""
        return self & 15

    @property
    def mask(self) -> int:
        return 1 << self

    def __str__(self) -> str:
        return _NAMES[self]

    def __repr__(self) -> str:
        return f"Card({_NAMES[self]!r})"


def _all_cards() -> Iterator[Card]:
    for suit in range(4):
        for rank in range(2, 15):
            yield Card(16 * suit + rank)


JOKER = Card(0)
_SUITS = tuple(Suit(number) for number in range(4))
_NAMES = {JOKER: JOKER_NAME} | {card: RANKS[(card & 15) - 2] + SUITS[card >> 4] for card in _all_cards()}
_BY_NAME = {name: card for card, name in _NAMES.items()}
_SYMBOLS = str.maketrans("♠♥♦♣♤♡♢♧", "SHDCSHDC", "\ufe0e\ufe0f")


@lru_cache(maxsize=1024)
def _fold(text: str) -> str:
    """The canonical spelling of a card: symbols to letters, 10 to T, rank first."""
    folded = text.translate(_SYMBOLS).upper().replace("10", "T")
    return folded[::-1] if re.fullmatch(r"[SHDC][2-9TJQKA]", folded) else folded


class Hand(Drawn, int):
    """A set of cards: the mask itself, iterated and written in suit order S H D C, high to low."""

    @classmethod
    def parse(cls, text: str) -> Hand:
        """Read card names with spaces between them; a card that occurs twice is `BadInput`."""
        return cls.of(parse_cards(text))

    @classmethod
    def of(cls, cards: Iterable[int]) -> Hand:
        mask = 0
        for card in cards:
            if mask >> card & 1:
                raise BadInput("twice", f"duplicate card, {Card(card)} occurs twice", card=str(Card(card)))
            mask |= 1 << card
        return cls(mask)

    def __iter__(self) -> Iterator[Card]:
        return iter(cards_of(self))

    def __len__(self) -> int:
        return self.bit_count()

    def __contains__(self, card: object) -> bool:
        return isinstance(card, int) and bool(self >> card & 1)

    def __str__(self) -> str:
        return " ".join(_NAMES[card] for card in cards_of(self))

    def __repr__(self) -> str:
        return f"Hand({str(self)!r})"


SUIT_MASKS = tuple(0x7FFC << 16 * suit for suit in range(4))
SPADES, HEARTS, DIAMONDS, CLUBS = SUIT_MASKS
ALL = (1 << 64) - 1
PACK = SPADES | HEARTS | DIAMONDS | CLUBS


@lru_cache(maxsize=64)
def of_ranks(ranks: str) -> int:
    """All cards of these ranks, as a mask.

    >>> Hand(of_ranks("A2"))
    Hand('AS 2S AH 2H AD 2D AC 2C')
    """
    return int(Hand.parse(" ".join(rank + suit for rank in ranks for suit in SUITS)))


@lru_cache(maxsize=1 << 16)
def _lane(suit: int, bits: int) -> tuple[Card, ...]:
    return tuple(Card(16 * suit + rank) for rank in range(14, 1, -1) if bits >> rank & 1)


def cards_of(mask: int) -> tuple[Card, ...]:
    """The cards of a mask in suit order S H D C, high to low, the joker last.

    >>> cards_of(Hand.parse("2C AS KS"))
    (Card('AS'), Card('KS'), Card('2C'))
    """
    cards = (
        _lane(0, mask & 0x7FFC)
        + _lane(1, mask >> 16 & 0x7FFC)
        + _lane(2, mask >> 32 & 0x7FFC)
        + _lane(3, mask >> 48 & 0x7FFC)
    )
    return (*cards, JOKER) if mask & 1 else cards


def parse_cards(text: str) -> list[Card]:
    """The cards of a string such as ``"QS TH 2C"``, in the order in which they stand.

    >>> parse_cards("TH  10h")
    [Card('TH'), Card('TH')]
    """
    return [Card.parse(word) for word in text.split()]


def by_rank(cards: Iterable[Card]) -> tuple[Card, ...]:
    """Sorted by rank 2 … A, then S H D C: the canonical order of cards given or discarded.

    >>> " ".join(map(str, by_rank(Hand.parse("AH QS 2C 2S"))))
    '2S 2C QS AH'
    """
    return tuple(sorted(cards, key=lambda card: (card & 15, card >> 4)))
