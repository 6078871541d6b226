"""Calls and declarations: each seat in turn says one word from a fixed list, or names combinations of its hand."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import combinations
from typing import Any

from cardlib.cards import Seat
from cardlib.deal import Move, Phase, Refusal
from cardlib.rules import Ban

#: Who has made a call, and which.
Called = tuple[Seat, str]


class Calls(Phase):
    """Each seat in turn makes one of `calls`; the bans say, in order, which of them it may not make.

    The deal keeps in `calls` what has been called, as pairs of seat and call from the first one on, and goes on with
    `called`: by then it is the turn of the next seat, which the deal may change, or end the calls.
    """

    name = "calls"

    def __init__(self, calls: Iterable[str], bans: Iterable[Ban]) -> None:
        self.calls = tuple(calls)
        self.moves = tuple(Move(call) for call in self.calls)
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


class Declarations(Phase):
    """Each seat in turn declares some of the combinations of its hand, or none.

    `words` names all combinations in the order in which a move lists them, each with its rule and its points;
    ``holds(hand, word)`` says whether a hand has one, and ``best(hand, word)`` is the best one of its kind in that
    hand, the only one of its kind that may be declared.  `not_held` and `best_only` are the rules that refuse others.

    The deal says in `declaring` on which cards the seat on turn declares, and goes on with `declared`: by then it is
    the turn of the next seat, which the deal may change, or end the declarations.
    """

    def __init__(
        self,
        words: Mapping[str, tuple[str, int]],
        holds: Callable[[int, str], bool],
        best: Callable[[int, str], str],
        not_held: str,
        best_only: str,
    ) -> None:
        self.name = "declare"
        self.verbs = frozenset({"declare"})
        self.words = words
        self.holds, self.best = holds, best
        self.not_held, self.best_only = not_held, best_only

    def points(self, word: str) -> int:
        """What a combination scores."""
        return self.words[word][1]

    def held(self, hand: int) -> list[str]:
        """All that a hand may declare."""
        return [word for word in self.words if self.holds(hand, word) and self.best(hand, word) == word]

    def legal(self, deal: Any) -> Sequence[Move]:
        held = self.held(deal.declaring())
        chosen = (words for size in range(len(held), 0, -1) for words in combinations(held, size))
        return [*(Move("declare", word=" ".join(words)) for words in chosen), Move("declare", word="none")]

    def refusal(self, deal: Any, move: Move) -> Refusal | None:
        hand, words = deal.declaring(), declared(move)
        for word in words:
            if not self.holds(hand, word):
                return Refusal(self.not_held, {"call": word})
        for word in words:
            best = self.best(hand, word)
            if best != word:
                return Refusal(self.best_only, {"call": word, "best": best})
        return None

    def push(self, deal: Any, move: Move) -> None:
        seat = deal.turn
        deal.turn = (seat + 1) % deal.players
        deal.declared(Seat(seat), declared(move))


def declared(move: Move) -> list[str]:
    """The combinations that a move declares."""
    return [] if move.word == "none" else move.word.split()


def caller(deal: Any, call: str) -> Seat | None:
    """Who has made this call last, if anybody."""
    return next((seat for seat, made in reversed(deal.calls) if made == call), None)
