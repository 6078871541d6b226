"""How a simple bot plays Hearts: get rid of dangerous cards, stay below, throw ♠Q on somebody else."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from cardlib.cards import ALL, HEARTS, SPADES, Card, Hand, by_rank
from cardlib.deal import Move
from cardlib.games.hearts import BONUS, HIGHER_SPADES, QUEEN
from cardlib.play.bots import SIMPLE, Chosen, Preference, preferred


def below(card: Card | None) -> int:
    """The cards of the same suit that this card beats."""
    return card.suit.mask & (card.mask - 1) if card else 0


def following(view: Any, legal: int) -> list[Preference]:
    """What to think of, in this order, when somebody else has led."""
    penalty, bonus = view.options.penalty, BONUS[view.options.bonus_card]
    trick, best = Hand.of(view.trick), view.best
    last = len(view.trick) == view.players - 1
    if not legal & view.led.mask:
        return [
            Preference("bot hearts.throw-queen", lambda t: QUEEN & penalty),
            Preference("bot hearts.throw-heart", lambda t: HEARTS, highest=True),
            Preference("bot hearts.throw-high", lambda t: ALL ^ bonus, highest=True),
        ]
    wins = Preference("bot hearts.take-bonus", lambda t: view.led.mask & (ALL ^ below(best)), highest=True)
    chain = []
    if trick & bonus or (last and legal & bonus and not trick & penalty):
        chain += [Preference("bot hearts.take-bonus", lambda t: bonus & wins.mask(t)), wins]
    if QUEEN & penalty and below(best) & QUEEN:
        chain.append(Preference("bot hearts.throw-queen", lambda t: QUEEN))
    if last and not trick & penalty:
        chain.append(Preference("bot hearts.take-clean", lambda t: ALL ^ (QUEEN & penalty), highest=True))
    return [
        *chain,
        Preference("bot hearts.stay-below", lambda t: below(best), highest=True),
        Preference("bot hearts.not-queen", lambda t: ALL ^ (QUEEN & penalty)),
        Preference("bot hearts.take-high", lambda t: legal, highest=last),
    ]


def leading(view: Any, legal: int) -> list[Preference]:
    """What to think of when leading."""
    unseen_queen = QUEEN & view.options.penalty & (ALL ^ (sum(view.taken) | Hand.of(view.trick)))
    dangerous = QUEEN | HIGHER_SPADES if unseen_queen else 0
    return [
        Preference("bot hearts.lead-safe", lambda t: ALL ^ dangerous),
        Preference("bot hearts.lead-plain", lambda t: ALL ^ HEARTS),
        Preference("bot hearts.lead-low", lambda t: ALL),
    ]


def burden(view: Any) -> Callable[[Card], int]:
    """How gladly a card is given away."""
    hand, penalty, bonus = int(view.hand), view.options.penalty, BONUS[view.options.bonus_card]

    def weight(card: Card) -> int:
        few_spades = (hand & SPADES).bit_count() < 5
        if card.mask & bonus:
            return -100
        if card.mask & QUEEN & penalty:
            return 100 if few_spades else 5
        if card.mask & HIGHER_SPADES and penalty & QUEEN and few_spades:
            return 80 + card.rank
        short = (hand & card.suit.mask).bit_count()
        return card.rank + (10 - 2 * short if not card.mask & HEARTS else 2)

    return weight


def give(view: Any) -> Chosen:
    count = view.options.pass_count
    cards = sorted(view.hand, key=burden(view), reverse=True)[:count]
    return Chosen(Move("give", tuple(cards)), "bot hearts.give")


def discard(view: Any) -> Chosen:
    """The discards are taken cards: get rid of high ones that cost nothing."""
    penalty = view.options.penalty
    count = len(view.legal()[0].cards)
    cards = sorted(view.hand, key=lambda card: (bool(card.mask & penalty), -card.rank))[:count]
    return Chosen(Move("discard", by_rank(cards)), "bot hearts.discard")


def play(view: Any) -> Chosen:
    moves = view.legal()
    if len(moves) == 1:
        return Chosen(moves[0], "")
    legal = Hand.of(move.cards[0] for move in moves)
    chain = following(view, legal) if view.trick else leading(view, legal)
    card, reason = preferred(chain, view, legal)
    return Chosen(Move("play", (card,)), reason)


def choose(view: Any) -> Chosen:
    """The simple player of Hearts."""
    if view.phase == "pass":
        return give(view)
    if view.phase == "discard":
        return discard(view)
    if view.phase == "annul":
        return Chosen(Move("annul"), "bot hearts.annul")
    if view.phase == "moon":
        # What the others pay counts more: three times the value against once.
        return Chosen(Move("moon", word="others"), "bot hearts.moon")
    return play(view)


SIMPLE["hearts"] = choose
