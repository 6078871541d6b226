"""Reading records: JSON values of the right type and range, or a `BadInput` that names the culprit and its key.

>>> cards("hands", "QS 1C", PACK)
Traceback (most recent call last):
cardlib.errors.BadInput: hands: unknown card: '1C'
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import Any

from cardlib.cards import PACK, SUITS, Card, Hand, Suit, cards_of
from cardlib.errors import BadInput, raw, shortly

#: Whole numbers that fit 64 bits, and those that count something.
WHOLE = range(-(1 << 63), 1 << 63)
NATURAL = range(1 << 63)


def whole(key: str, value: object, allowed: Collection[int] | None = None) -> int:
    """A whole number; ``true`` is none."""
    if type(value) is not int or (allowed is not None and value not in allowed):
        raise BadInput("number", f"{key} cannot be {shortly(value)}", key=key, value=raw(value))
    return value


def numbers(key: str, value: object, count: int | None, allowed: Collection[int] = WHOLE) -> tuple[int, ...]:
    """A list of whole numbers, of a given length (None: of any)."""
    if not isinstance(value, list | tuple) or count not in (None, len(value)):
        many = "a list of" if count is None else count
        raise BadInput("numbers", f"{key} must be {many} whole numbers", key=key, count=count)
    return tuple(whole(key, number, allowed) for number in value)


def pairs(key: str, value: object, first: Collection[int], second: Collection[int]) -> list[tuple[int, int]]:
    """A list of pairs of whole numbers."""
    if not isinstance(value, list | tuple) or any(not isinstance(one, list | tuple) or len(one) != 2 for one in value):
        raise BadInput("pairs", f"{key} must be pairs of whole numbers, not {shortly(value)}", key=key)
    return [(whole(key, one, first), whole(key, other, second)) for one, other in value]


def truth(key: str, value: object) -> bool:
    """``true`` or ``false``."""
    if type(value) is not bool:
        raise BadInput("truth", f"{key} must be true or false, not {shortly(value)}", key=key, value=raw(value))
    return value


def text(key: str, value: object) -> str:
    """A text."""
    if not isinstance(value, str):
        raise BadInput("text", f"{key} must be a text, not {shortly(value)}", key=key, value=raw(value))
    return value


def mapping(key: str, value: object, known: Collection[str] | None = None) -> Mapping[str, Any]:
    """An object, with known keys only."""
    if not isinstance(value, Mapping):
        raise BadInput("object", f"{key} must be an object, not {shortly(value)}", key=key, value=raw(value))
    for name in value:
        if known is not None and name not in known:
            raise BadInput("key", f"unknown key in {key}: {shortly(name)}", key=raw(name), where=key)
    return value


def strings(key: str, value: object, count: int | None = None) -> list[str]:
    """A list of strings, of a given length."""
    if isinstance(value, list | tuple) and count in (None, len(value)) and all(isinstance(text, str) for text in value):
        return list(value)
    many = "" if count is None else f"{count} "
    raise BadInput("strings", f"{key} must be a list of {many}strings, not {shortly(value)}", key=key, count=count)


def cards(key: str, text: object, pack: int = PACK) -> tuple[Card, ...]:
    """A string of different cards of the pack, in the order in which they stand."""
    if not isinstance(text, str):
        raise BadInput("cards", f"{key} must be a string of cards, not {shortly(text)}", key=key)
    found: list[Card] = []
    for word in text.split():
        try:
            card = Card.parse(word)
        except BadInput as error:
            raise BadInput("card", f"{key}: {error}", key=key, card=word) from None
        if not pack >> card & 1:
            raise BadInput("pack", f"{key}: the card {word} is not in this pack", key=key, card=word)
        if card in found:
            raise BadInput("twice", f"{key}: duplicate card, {word} occurs twice", key=key, card=word)
        found.append(card)
    return tuple(found)


def card_set(key: str, text: object, pack: int = PACK) -> int:
    """A string of different cards of the pack, as a mask."""
    return int(Hand.of(cards(key, text, pack)))


def one_card(key: str, text: object, pack: int = PACK) -> Card:
    """A single card of the pack."""
    found = cards(key, text, pack)
    if len(found) != 1:
        raise BadInput("one-card", f"{key} must be one card, not {shortly(text)}", key=key)
    return found[0]


def suit(key: str, value: object) -> Suit:
    """A suit by its letter."""
    if not isinstance(value, str) or len(value) != 1 or value.upper() not in SUITS:
        raise BadInput("suit", f"{key} cannot be {shortly(value)}: S, H, D or C", key=key)
    return Suit(SUITS.index(value.upper()))


def disjoint(**parts: Iterable[int]) -> int:
    """The union of masks by key; a card that is in two of them is named, with the keys."""
    union, seen = 0, []
    for key, masks in parts.items():
        seen.append(key)
        for mask in masks:
            if union & mask:
                card = str(cards_of(union & mask)[0])
                text = f"duplicate card, {card} occurs twice in {', '.join(seen)}"
                raise BadInput("twice", text, key=key, card=card)
            union |= mask
    return union


def written(mask: int) -> str:
    """A mask as a record writes it: suit order S H D C, high to low."""
    return str(Hand(mask))
