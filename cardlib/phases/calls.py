"""Calls before the play: each seat in turn says one word from a fixed list."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from cardlib.cards import Seat
from cardlib.deal import Move, Phase, Refusal
from cardlib.rules import Ban


class Calls(Phase):
    """Each seat in turn makes one of `calls`; the bans say, in order, which of them it may not make.

    The deal keeps in `calls` what has been called, as pairs of seat and call from the first one on, and goes on with
    `called`: by then it is the turn of the next seat, which the deal may change, or end the calls.
    """

    name = "calls"

    def __init__(self, calls: Iterable[str], bans: Iterable[Ban]) -> None:
        self.moves = tuple(Move(call) for call in calls)
        self.verbs = frozenset(move.verb for move in self.moves)
        self.bans = tuple(bans)

    def legal(self, deal: Any) -> Sequence[Move]:
        return tuple(move for move in self.moves if not self.refusal(deal, move))

    def refusal(self, deal: Any, move: Move) -> Refusal | None:
        for ban in self.bans:
            facts = ban.facts(deal, move)
            if facts is not None:
                return Refusal(ban.rule, {"call": move.verb, **facts})
        return None

    def push(self, deal: Any, move: Move) -> None:
        seat = deal.turn
        deal.calls.append((Seat(seat), move.verb))
        deal.turn = (seat + 1) % deal.players
        deal.called(seat, move.verb)


def caller(deal: Any, call: str) -> Seat | None:
    """Who has made this call last, if anybody."""
    return next((seat for seat, made in reversed(deal.calls) if made == call), None)
