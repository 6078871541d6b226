"""How a simple bot plays Ambition: it goes for no trick at all, for a great total, or for something safe in between."""

from __future__ import annotations

from typing import Any

from cardlib.cards import ALL, SPADES, Card, Hand
from cardlib.deal import Move
from cardlib.games.ambition import CLUB_KING, FACES, TWOS, WORTH
from cardlib.play.bots import SIMPLE, Chosen, Preference, preferred
from cardlib.rules import winning

POINTS = {card: each for _, cards, each in WORTH for card in Hand(cards)}
COSTLY = SPADES & FACES | CLUB_KING


def strength(hand: Hand) -> int:
    """About ten for an ordinary hand of 13: high cards, spades a little more."""
    return sum(max(card.rank - 10, 0) + bool(card.mask & SPADES & FACES) for card in hand)


def aim(view: Any) -> str:
    """What the seat is after: `nothing` (no trick), `more` (points), or `enough` (stay below the others)."""
    totals, hand = view.scores(), view.hand
    mine, left = totals[view.seat], view.options.all_points - sum(totals)
    share = strength(hand) * 13 / max(len(hand), 1)
    if not view.taken[view.seat] and share < 11:
        return "nothing"
    may_be_big = not view.match.bonus_used[view.seat] and mine + left > 52
    if may_be_big and (mine > 24 or share > 19):
        return "more"
    return "more" if mine < 11 else "enough"


def ahead(view: Any, legal: int) -> int:
    """The legal cards that win the trick as it then lies."""
    t, found = view.table, 0
    trick = t.trick
    for card in Hand(legal):
        t.trick = trick | card.mask
        found |= card.mask if winning(t.winners, t) == card.mask else 0
    return found


def following(view: Any, legal: int, after: str) -> list[Preference]:
    """What to think of, in this order, when somebody else has led."""
    last = len(view.trick) == view.players - 1
    wins = ahead(view, legal)
    if not legal & view.led.mask and after == "more":
        return [Preference("bot ambition.keep-points", lambda t: ALL ^ Hand.of(POINTS))]
    if not legal & view.led.mask:
        return [
            Preference("bot ambition.duck", lambda t: ALL ^ wins),
            Preference("bot ambition.throw-points", lambda t: COSTLY, highest=True),
            Preference("bot ambition.throw-high", lambda t: FACES | TWOS, highest=True),
        ]
    if after == "more":
        return [
            Preference("bot ambition.take-two", lambda t: wins & TWOS),
            Preference("bot ambition.take", lambda t: wins, highest=not last),
        ]
    reason = "bot ambition.nil-duck" if after == "nothing" else "bot ambition.duck"
    return [
        Preference(reason, lambda t: ALL ^ wins, highest=True),
        Preference("bot ambition.cheap", lambda t: ALL ^ COSTLY),
    ]


def leading(view: Any, legal: int, after: str) -> list[Preference]:
    """What to think of when leading."""
    if after == "more":
        return [Preference("bot ambition.lead-high", lambda t: FACES, highest=True)]
    return [
        Preference("bot ambition.not-two", lambda t: ALL ^ TWOS),
        Preference("bot ambition.lead-low", lambda t: ALL ^ FACES),
    ]


def give(view: Any) -> Chosen:
    """Who wants many points gives low cards, all others the high ones; in between the costly ones go."""
    count, hand = view.options.pass_count, view.hand

    def burden(card: Card) -> tuple[int, int]:
        return bool(card.mask & COSTLY), card.rank if card.rank > 2 else 10

    if strength(hand) > 19:
        return Chosen(Move("give", tuple(sorted(hand, key=burden)[:count])), "bot ambition.give-low")
    return Chosen(Move("give", tuple(sorted(hand, key=burden, reverse=True)[:count])), "bot ambition.give-high")


def choose(view: Any) -> Chosen:
    """The simple player of Ambition."""
    if view.phase == "pass":
        return give(view)
    moves = view.legal()
    if len(moves) == 1:
        return Chosen(moves[0], "")
    legal, after = Hand.of(move.cards[0] for move in moves), aim(view)
    chain = following(view, legal, after) if view.trick else leading(view, legal, after)
    card, reason = preferred(chain, view, legal)
    return Chosen(Move("play", (card,)), reason)


SIMPLE["ambition"] = choose
