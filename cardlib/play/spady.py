"""A simple player of Spady: it declares all it holds, wins as cheaply as it must, and keeps its 2s for a trick."""

from __future__ import annotations

from typing import Any

from cardlib.cards import ALL, SUIT_MASKS, Hand
from cardlib.deal import Move
from cardlib.games.spady import DECK, TWOS, VALUABLE
from cardlib.play.bots import SIMPLE, Chosen, Preference, preferred


def unseen(view: Any) -> int:
    """The cards that the others may still hold."""
    seen: int = sum(view.taken) | Hand.of(view.trick) | view.hand
    return DECK & (DECK ^ seen)


def masters(view: Any) -> int:
    """Cards of the own hand that no card of their suit in another hand can beat."""
    others = unseen(view)
    return int(Hand.of(card for card in view.hand if not others & card.suit.mask & (ALL ^ card.mask * 2 - 1)))


def following(view: Any, legal: int) -> list[Preference]:
    """What to think of, in this order, when somebody else has led."""
    t = view.table
    last = len(view.trick) == view.players - 1
    if legal & t.beaters:
        safe_two = Preference("bot spady.two", lambda t: TWOS & t.beaters)
        keep = Preference("bot spady.save-two", lambda t: ALL ^ TWOS)
        win = Preference("bot spady.sure", lambda t: VALUABLE, highest=True)
        return [safe_two, win] if last else [keep, Preference("bot spady.cheap", lambda t: ALL)]
    chain = [Preference("bot spady.save-two", lambda t: ALL ^ TWOS)]
    if last and view.best.mask & t.partner:
        return [Preference("bot spady.feed", lambda t: VALUABLE, highest=True), *chain]
    return [Preference("bot spady.worthless", lambda t: ALL ^ VALUABLE), *chain]


def leading(view: Any, legal: int) -> list[Preference]:
    """What to think of when leading."""
    trumps, others = view.table.trumps, unseen(view)
    empty = sum(suit for suit in SUIT_MASKS if not others & (suit | trumps))
    return [
        Preference("bot spady.two", lambda t: TWOS & empty),
        Preference("bot spady.master", lambda t: masters(view) & (ALL ^ trumps), highest=True),
        Preference("bot spady.save-two", lambda t: ALL ^ TWOS),
        Preference("bot spady.plain", lambda t: ALL ^ trumps),
        Preference("bot spady.low", lambda t: ALL),
    ]


def choose(view: Any) -> Chosen:
    """The simple player of Spady."""
    moves = view.legal()
    if view.phase == "declare":
        return Chosen(moves[0], "bot spady.declare" if len(moves) > 1 else "")
    if len(moves) == 1:
        return Chosen(moves[0], "")
    legal = Hand.of(move.cards[0] for move in moves)
    card, reason = preferred(following(view, legal) if view.trick else leading(view, legal), view.table, legal)
    return Chosen(Move("play", (card,)), reason)


SIMPLE["spady"] = choose
