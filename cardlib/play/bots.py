"""Bots: players that see a view, and can say why they move as they do.

A bot of level `random` draws among the legal moves.  A `simple` bot has *preferences*, chains of masks in the style
of the rules' obligations: each narrows the choice unless nothing would be left, and the first one that narrows it is
the reason of the move.  A game keeps its preferences in `cardlib/play/GAME.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from cardlib.cards import Card, cards_of
from cardlib.deal import Move


class Chosen(NamedTuple):
    """A bot's move, and the message id of its reason (empty: it had no choice)."""

    move: Move
    reason: str


@dataclass(frozen=True)
class Preference:
    """Prefer the cards of `mask`, the highest or the lowest of them; `reason` is a message id."""

    reason: str
    mask: Callable[[Any], Any]
    highest: bool = False


def ranked(chain: Sequence[tuple[str, Callable[[Move], int]]], moves: Sequence[Move]) -> Chosen:
    """The move that a chain of ratings picks: each keeps the moves that it rates highest, and the first one that drops
    some is the reason."""
    reason = ""
    for id, rate in chain:
        rates = [rate(move) for move in moves]
        kept = [move for move, rated in zip(moves, rates, strict=True) if rated == max(rates)]
        reason = reason or (id if len(kept) < len(moves) else "")
        moves = kept
    return Chosen(moves[0], reason)


Player = Callable[[Any], Chosen]

#: The simple player of each game, by game id.
SIMPLE: dict[str, Player] = {}


def simple(view: Any) -> Chosen:
    """The move of a player who knows the rules and plays plainly."""
    return SIMPLE[view.variant.game.id](view)


def by_rank(card: Card) -> tuple[int, int]:
    """How high a card is, where only ranks count."""
    return card & 15, card


def preferred(
    chain: Sequence[Preference], t: Any, legal: int, strength: Callable[[Card], Any] = by_rank
) -> tuple[Card, str]:
    """The card that a chain of preferences picks among the legal ones, and the reason that decided."""
    choice, reason, highest = legal, "", False
    for preference in chain:
        narrowed = choice & preference.mask(t)
        if narrowed:
            if not reason and narrowed != choice:
                reason, highest = preference.reason, preference.highest
            choice = narrowed
    ranked = sorted(cards_of(choice), key=strength)
    return ranked[-1 if highest else 0], reason
