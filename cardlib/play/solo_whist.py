"""A simple player of Solo Whist: it counts the tricks its hand is good for, bids no more, and plays for its side."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from cardlib.cards import ALL, PACK, SUIT_MASKS, SUITS, Hand, Suit, cards_of
from cardlib.deal import Move
from cardlib.games.solo_whist import GAME, HAND, MISERY
from cardlib.play.bots import SIMPLE, Chosen, by_rank

#: What a high card is worth as a trick, if so many others of its suit protect it: rank -> (cards needed, tricks).
TRUMP_HONOURS = {14: (1, 1.0), 13: (2, 0.9), 12: (3, 0.7), 11: (4, 0.5)}
SIDE_HONOURS = {14: (1, 0.9), 13: (2, 0.55), 12: (3, 0.2)}
#: Tricks that a hand must promise for a call.
PROPOSE, ACCEPT, SOLO, ABUNDANCE = 2.9, 2.3, 4.4, 7.3
#: How far above the safe ladder 2 4 6 8 … a hand's cards may lie together for a misère, and for one with open cards.
RISK = {"misere": 7, "misere-ouverte": 3}

# -------------------------------------------------------------------------------------------------------------- bids


def honours(cards: Hand, worth: dict[int, tuple[int, float]]) -> float:
    """The tricks of the high cards of one suit."""
    found = [worth[card.rank] for card in cards if card.rank in worth]
    return sum(tricks for needed, tricks in found if len(cards) >= needed)


def promise(hand: int, trump: Suit) -> float:
    """About how many tricks a hand takes with these trumps: high cards, long trumps, ruffs in a short suit."""
    trumps = Hand(hand & trump.mask)
    tricks = honours(trumps, TRUMP_HONOURS) + max(0.0, 0.8 * (len(trumps) - 3))
    for suit in map(Suit, range(4)):
        if suit != trump:
            side = Hand(hand & suit.mask)
            tricks += honours(side, SIDE_HONOURS) + max(0, 2 - len(side)) * (0.35 if len(trumps) > 2 else 0)
            tricks += max(0.0, 0.5 * (len(side) - 4)) if len(trumps) > 4 else 0
    return tricks


def risk(hand: int) -> int:
    """How far the cards of each suit lie above 2 4 6 8 …, which nobody can make take a trick."""
    total = 0
    for mask in SUIT_MASKS:
        low = sorted(card.rank for card in Hand(hand & mask))
        total += sum(max(0, rank - safe) for rank, safe in zip(low, range(3, 30, 2), strict=False))
    return total


def sure_tricks(hand: int) -> int:
    """The cards of each suit that run from its ace down; with enough of them also the small ones behind."""
    total = 0
    for mask in SUIT_MASKS:
        ranks = [card.rank for card in Hand(hand & mask)]
        run = next((i for i, rank in enumerate(ranks) if rank != 14 - i), len(ranks))
        total += len(ranks) if run and len(ranks) + run >= HAND else run
    return total


def best_trump(hand: int) -> Suit:
    """The suit that promises the most tricks as trumps."""
    return max(map(Suit, range(4)), key=lambda suit: promise(hand, suit))


def wishes(view: Any) -> Iterable[str]:
    """The calls that the hand is good for, the dearest first."""
    hand, turned = view.hand, promise(view.hand, view.shown.suit)
    if sure_tricks(hand) == HAND:
        yield "declaree"
    if risk(hand) <= RISK["misere-ouverte"]:
        yield "misere-ouverte"
    if turned >= ABUNDANCE:
        yield "abundance-in-trumps"
    if promise(hand, best_trump(hand)) >= ABUNDANCE:
        yield "abundance"
    if risk(hand) <= RISK["misere"]:
        yield "misere"
    if turned >= SOLO:
        yield "solo"
    if turned >= ACCEPT:
        yield "accept"
    if turned >= PROPOSE:
        yield "propose"


def call(view: Any) -> Chosen:
    """The dearest call that the hand is good for, if it is allowed."""
    legal = [move.verb for move in view.legal()]
    word = next((word for word in wishes(view) if word in legal), "pass")
    return Chosen(Move(word), f"bot {GAME.id}.{word}")


# -------------------------------------------------------------------------------------------------------------- play


def unseen(view: Any) -> int:
    """The cards that hidden hands may still hold."""
    seen: int = sum(view.taken) | sum(view.hands) | Hand.of(view.trick) | view.hand
    return PACK & (PACK ^ seen)


def masters(view: Any) -> int:
    """Cards of the own hand that nothing of their suit can beat."""
    others = unseen(view) | sum(view.hands)
    return int(Hand.of(card for card in view.hand if not others & card.suit.mask & (ALL ^ card.mask * 2 - 1)))


def friend(view: Any, seat: int) -> bool:
    """Whether a seat plays for the same side."""
    return (seat in view.contract[1:]) == (view.seat in view.contract[1:])


def winner(view: Any) -> int:
    """Whose card wins the trick as it lies."""
    return int((view.leader + view.trick.index(view.best)) % view.players)


def still_to_play(view: Any) -> list[int]:
    """The seats that play to the trick after this one."""
    return [(view.seat + step) % view.players for step in range(1, view.players - len(view.trick))]


def highest(cards: int) -> int:
    """The card of the highest rank among them, as a mask (0: there is none)."""
    return max(cards_of(cards), key=by_rank).mask if cards else 0


def lowest(cards: int) -> int:
    return min(cards_of(cards), key=by_rank).mask if cards else 0


def taking(view: Any, legal: int) -> tuple[str, int]:
    """For who wants tricks: the reason and the card."""
    t, sure = view.table, legal & masters(view)
    plain = legal & (ALL ^ t.trumps) or legal
    if not view.trick:
        mine = view.seat in view.contract[1:]
        if mine and sure & t.trumps and unseen(view) & t.trumps:
            return "pull", highest(sure & t.trumps)
        return ("master", highest(sure)) if sure else ("lead-low", lowest(plain))
    later, wins = still_to_play(view), legal & t.beaters
    rivals = [seat for seat in later if not friend(view, seat)]
    if friend(view, winner(view)) and (not rivals or not unseen(view) & t.beaters):
        return "partner", lowest(plain)
    if wins and not rivals:
        return "win-last", lowest(wins & plain) or lowest(wins)
    if wins & (sure | t.trumps):
        return "win-sure", highest(wins & sure) or lowest(wins & t.trumps)
    return "low", lowest(plain)


def avoiding(view: Any, legal: int) -> tuple[str, int]:
    """For who wants no trick."""
    below = legal & (ALL ^ view.table.beaters)
    if not view.trick:
        return "lead-low", lowest(legal)
    if not legal & view.led.mask:
        return "throw-high", highest(legal)
    if below:
        return "duck", highest(below)
    return ("must-win", lowest(legal)) if still_to_play(view) else ("must-win", highest(legal))


def forcing(view: Any, legal: int) -> tuple[str, int]:
    """For who wants the bidder of a misère to take a trick: stay below him, and get rid of high cards behind him."""
    bidder, below = view.contract.bidder, legal & (ALL ^ view.table.beaters)
    if not view.trick or bidder in still_to_play(view):
        return "force", lowest(legal)
    if winner(view) == bidder and below:
        return "leave", highest(below)
    return "unload", highest(legal)


def choose(view: Any) -> Chosen:
    """The simple player of Solo Whist."""
    if view.phase == "auction":
        return call(view)
    if view.phase == "name-trumps":
        return Chosen(Move("trump", word=SUITS[best_trump(view.hand)]), f"bot {GAME.id}.trump")
    moves = view.legal()
    if len(moves) == 1:
        return Chosen(moves[0], "")
    legal, bid = Hand.of(move.cards[0] for move in moves), view.contract.bid
    if bid == MISERY or (bid.startswith("misere") and view.seat == view.contract.bidder):
        reason, card = avoiding(view, legal)
    else:
        reason, card = forcing(view, legal) if bid.startswith("misere") else taking(view, legal)
    return Chosen(Move("play", cards_of(card)), f"bot {GAME.id}.{reason}")


SIMPLE[GAME.id] = choose
