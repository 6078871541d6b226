"""How a simple bot plays Scopone: sweep, leave no sweep, take ♦7, sevens, diamonds and cards, and give none away."""

from __future__ import annotations

from typing import Any

from cardlib.cards import DIAMONDS, Hand
from cardlib.deal import Move
from cardlib.games.scopone import SETTEBELLO, SEVENS
from cardlib.phases.fishing import CARDS, OF_VALUE, worth
from cardlib.play.bots import SIMPLE, Chosen, ranked


def unseen(view: Any) -> int:
    """The cards that the others hold: all but the own hand, the table and what has been captured before all eyes."""
    captured = [(event.facts["card"], event.facts["cards"]) for event in view.events if event.kind == "Captured"]
    seen = int(view.hand | view.table)
    for card, cards in captured:
        seen |= card.mask | cards
    return CARDS & ~seen


def choose(view: Any) -> Chosen:
    """The simple player of Scopone."""
    hidden = unseen(view)

    def left(move: Move) -> Hand:
        """The table after the move."""
        return Hand(view.table ^ Hand.of(move.takes) if move.takes else view.table | move.mask)

    def sweeps(move: Move) -> int:
        return bool(move.takes) and not left(move)

    def safe(move: Move) -> int:
        """The fewer cards are out that could clear what is left, the better."""
        return -(hidden & OF_VALUE.get(worth(left(move)), 0)).bit_count()

    def gained(move: Move, kind: int) -> int:
        """How many cards of a kind it brings."""
        return (kind & (move.mask | Hand.of(move.takes))).bit_count() if move.takes else 0

    def kept(move: Move) -> int:
        """A card that stays should be no seven and no diamond."""
        return 0 if move.takes else -bool(move.mask & DIAMONDS) - bool(move.mask & SEVENS)

    chain = [
        ("bot scopone.sweep", sweeps),
        ("bot scopone.safe", safe),
        ("bot scopone.settebello", lambda move: gained(move, SETTEBELLO)),
        ("bot scopone.sevens", lambda move: gained(move, SEVENS)),
        ("bot scopone.diamonds", lambda move: gained(move, DIAMONDS)),
        ("bot scopone.cards", lambda move: gained(move, CARDS)),
        ("bot scopone.keep", kept),
    ]
    return ranked(chain, view.legal())


SIMPLE["scopone"] = choose
