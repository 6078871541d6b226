"""How a simple bot plays Quint: take tricks cheaply, give quints to the partner's, keep them from the others'."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from cardlib.cards import ALL, JOKER, Card, Hand, cards_of
from cardlib.deal import Move
from cardlib.games.quint import CARDS, FIVES, ORDERS, PAIRS, VALUES
from cardlib.play.bots import SIMPLE, Chosen, Preference, preferred

REASONS = {"pass": "bot quint.pass", "double": "bot quint.double", "redouble": "bot quint.redouble"}
#: Cards that are a quint by themselves.
SINGLE = FIVES | JOKER.mask


def strength(view: Any) -> Callable[[Card], int]:
    """The place of a card in the ranking of all cards."""
    order = ORDERS[view.options.suit_order]
    return lambda card: 0 if card == JOKER else 16 * (4 - order.index(card.suit.mask)) + card.rank


def sure(view: Any, cards: int) -> int:
    """Those of the cards that nothing which has not been seen yet can beat."""
    seen = int(view.hand) | sum(view.taken) | Hand.of(view.trick)
    place = strength(view)
    left = max(map(place, cards_of(CARDS & (CARDS ^ seen))), default=-1)
    return Hand.of(card for card in cards_of(cards) if place(card) > left)


def quints_with(trick: int) -> int:
    """The cards that would make a quint, by themselves or with a card of the trick."""
    cards = SINGLE
    for suit in VALUES:
        for pairs in PAIRS:
            pair = suit & pairs
            if (pair & trick).bit_count() == 1:
                cards |= pair & (ALL ^ trick)
    return cards


def following(view: Any) -> list[Preference]:
    """What to think of, in this order, when somebody else has led."""
    t, trick, best = view.table, Hand.of(view.trick), view.best.mask
    last = len(view.trick) == view.players - 1
    making = quints_with(trick)
    spare = Preference("bot quint.spare", lambda t: ALL ^ making)
    low = Preference("bot quint.low", lambda t: ALL)
    if best == t.partner and (last or sure(view, best)):
        return [Preference("bot quint.feed", lambda t: making, highest=True), low]
    if best == t.partner:
        return [spare, low]
    if last:
        return [Preference("bot quint.win-last", lambda t: t.beaters), spare, low]
    worth_it = trick & quints_with(0) or sure(view, t.beaters & t.hand)
    wins = [Preference("bot quint.win", lambda t: t.beaters & (ALL ^ SINGLE), highest=True)] if worth_it else []
    return [*wins, spare, low]


def leading(view: Any) -> list[Preference]:
    """What to think of when leading."""
    certain = sure(view, view.hand)
    return [
        Preference("bot quint.lead-sure", lambda t: certain, highest=True),
        Preference("bot quint.lead-plain", lambda t: ALL ^ SINGLE),
    ]


def call(view: Any) -> Chosen:
    """Double or redouble with many cards of the highest suit and high ones of the two highest; else pass."""
    highest, second, *_ = ORDERS[view.options.suit_order]
    high = sum(card.rank >= 12 for card in cards_of(view.hand & (highest | second)))
    power = int.bit_count(view.hand & highest) + high
    words = [move.verb for move in view.legal()]
    word = words[-1] if power >= 8 else "pass"
    return Chosen(Move(word), REASONS[word] if len(words) > 1 else "")


def choose(view: Any) -> Chosen:
    """The simple player of Quint."""
    if view.phase == "calls":
        return call(view)
    moves = view.legal()
    if len(moves) == 1:
        return Chosen(moves[0], "")
    chain = following(view) if view.trick else leading(view)
    card, reason = preferred(chain, view.table, Hand.of(move.cards[0] for move in moves), strength(view))
    return Chosen(Move("play", (card,)), reason)


SIMPLE["quint"] = choose
