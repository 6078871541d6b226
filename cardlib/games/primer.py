"""First steps: plain tricks for four, to learn what all trick games share before any of them.

With trumps or without, with partners or everybody for himself; a trick is worth a point, and one deal is the whole
game.  Nobody plays it for its own sake: its lesson is the one that the other games point beginners to.  Rule ids are
those of the rule book (`cardlib/text/*/primer.md`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from cardlib.cards import CLUBS, DIAMONDS, HEARTS, SPADES, Card
from cardlib.deal import Context, Event, Game, Settled, added, register, sides_at
from cardlib.options import Options, Variant, option
from cardlib.phases.tricks import TrickDeal, Tricks
from cardlib.rules import Obligation, ScoreRule, Scoring, Table, When, WinnerClass

# ----------------------------------------------------------------------------------------------------------- options


@dataclass(frozen=True)
class PrimerOptions(Options):
    """What trick games differ in most."""

    trumps: str = option("none", "S", "H", "D", "C", rules="primer.trump.beats primer.trump.follow", group="play")
    partners: bool = option(False, True, rules="primer.partner.side primer.score.tricks", group="play")


# -------------------------------------------------------------------------------------------------------------- play

TRUMPS = {"none": 0, "S": SPADES, "H": HEARTS, "D": DIAMONDS, "C": CLUBS}

OBLIGATIONS = (Obligation("primer.follow.suit", lambda t: t.led, When.FOLLOWING),)


def winners(options: PrimerOptions) -> Iterator[WinnerClass]:
    """The strongest trump, if there are trumps; else the strongest card of the suit led."""
    if options.trumps != "none":
        yield WinnerClass("primer.trump.beats", lambda t: t.trumps)
    yield WinnerClass("primer.trick.winner", lambda t: t.led)


# ------------------------------------------------------------------------------------------------------------- score


class PrimerTable(Table):
    """What the score asks besides: the number of `tricks` won, by seat."""

    __slots__ = ("tricks",)
    tricks: Sequence[Any]


def score_rules(options: PrimerOptions) -> Iterator[ScoreRule]:
    """A point a trick; what a partner takes counts for both."""
    step = 2 if options.partners else 4

    def tricks(t: Any) -> list[Any]:
        return [sum(t.tricks[seat % step :: step]) for seat in range(4)]

    yield ScoreRule("primer.score.tricks", tricks)


@dataclass(frozen=True)
class PrimerContext(Context):
    """A match is a single deal; `totals` by seat."""

    totals: tuple[int, ...] = (0,)


def settle(variant: Variant, match: PrimerContext, scores: Sequence[int]) -> Settled:
    """Whoever has most tricks has won."""
    totals = added(match.totals, scores)
    best = sides_at(max(totals), totals)
    won = Event("Won", "primer.score.most", {"sides": list(best), "total": max(totals)})
    return Settled(PrimerContext(totals), best, (won,))


# ---------------------------------------------------------------------------------------------------------- the deal


@cache
def rules_of(options: PrimerOptions) -> tuple[Tricks, Scoring]:
    """What the options make of play and score, built once."""
    return Tricks(OBLIGATIONS, winners(options)), Scoring(score_rules(options))


class PrimerDeal(TrickDeal):
    """A deal of plain tricks: everybody gets thirteen cards, the dealer's left neighbour leads."""

    __slots__ = ()
    not_in_hand = "primer.move.not-in-hand"
    new_table = PrimerTable
    table: PrimerTable
    options: PrimerOptions
    match: PrimerContext

    def setup(self, dealt: Mapping[str, Any]) -> None:
        self.tricks, self.scoring = rules_of(self.options)
        super().setup(dealt)
        t = self.table
        t.trumps = TRUMPS[self.options.trumps]
        t.tricks = tuple(taken.bit_count() // self.players for taken in self.taken)

    def side(self, seat: int) -> int:
        """With partners the two who sit opposite each other are a side."""
        return seat % 2 if self.options.partners else seat

    def won_facts(self, best: Card) -> dict[str, Any]:
        return {"trump": self.trump} if self.table.trumps else {}

    def trick_taken(self, winner: int, taken: int) -> None:
        t = self.table
        t.tricks = tuple(count + (seat == winner) for seat, count in enumerate(t.tricks))
        self.next_trick(winner)


GAME = register(Game("primer", PrimerOptions, PrimerDeal, PrimerContext, settle, kinds=("win",)))
