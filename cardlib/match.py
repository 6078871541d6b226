"""A match: deals in a row, the totals between them, and the end."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from cardlib.cards import Drawn
from cardlib.deal import Event, Settled, dealer_of, read_outcome
from cardlib.deal import deal as dealt
from cardlib.errors import BadInput
from cardlib.options import Variant
from cardlib.seeds import Random, derived, parse_seed


class Counted(NamedTuple):
    """A deal of a match that is over: who dealt, what it scored, and what became of the match."""

    dealer: int
    outcome: Mapping[str, Any]
    before: Any
    settled: Settled

    @property
    def scores(self) -> list[int]:
        """What the deal added to the totals, by side."""
        if "scores" in self.outcome:
            return list(self.outcome["scores"])
        return [after - total for after, total in zip(self.settled.match.totals, self.before.totals, strict=True)]

    @property
    def void(self) -> bool:
        """It did not count: it was annulled or thrown in."""
        return bool(self.settled.match == self.before)


class Match(Drawn):
    """Deals of one variant from one seed.  `number` counts the deals dealt, annulled ones too; `context` is what the
    next deal inherits (at first `match`, by default the start of a match); `result` holds the winning sides once
    somebody has won.

    >>> import cardlib
    >>> match = Match(cardlib.variant("hearts"), seed=17)
    >>> deal = match.deal()
    >>> deal.record() == Match(cardlib.variant("hearts"), seed=17).deal().record()
    True
    """

    def __init__(
        self,
        variant: Variant,
        seed: int | str = 0,
        dealer: int | None = None,
        match: Mapping[str, Any] | None = None,
        number: int = 0,
    ) -> None:
        self.variant = variant
        self.seed = parse_seed(seed)
        self.number = number
        self.dealer = dealer_of({} if dealer is None else {"dealer": dealer}, variant.players)
        self.context: Any = variant.game.context_of(match or {}, variant)
        self.result: tuple[int, ...] | None = None
        self.history: list[Counted] = []

    def deal(self) -> Any:
        """The current deal, from its first card."""
        seed = derived(self.seed, self.number)
        return dealt(self.variant, seed=seed, dealer=self.dealer, match=self.context.data())

    def add(self, deal: Any) -> tuple[Event, ...]:
        """Settle a finished deal; returns the events that say what follows from it."""
        if not deal.finished:
            raise BadInput("unfinished", "the deal is not finished", moves=len(deal.moves))
        return self._count(deal.outcome(), deal.settled)

    def restore(self, history: Iterable[Mapping[str, Any] | None]) -> None:
        """Count deals again from their outcomes (None: a deal that was annulled), as `history` tells them."""
        for outcome in history:
            if outcome is None:
                nothing = read_outcome(self.variant, {"scores": [0] * len(self.sides)})
                self._count(nothing, Settled(self.context, None, ()))
            else:
                self._count(outcome, self.variant.game.settle(self.variant, self.context, **outcome))

    def _count(self, outcome: Mapping[str, Any], settled: Settled) -> tuple[Event, ...]:
        if self.result is not None:
            raise BadInput("match-over", "the match is over")
        self.history.append(Counted(self.dealer, outcome, self.context, settled))
        self.dealer = self.next_dealer(settled)
        self.number += 1
        self.context, self.result = settled.match, settled.result
        return settled.events

    def next_dealer(self, settled: Settled) -> int:
        """Who deals after the current deal: the next seat, unless the deal did not count or the game says otherwise.
        Where seats draw for it, they draw from the seed of the match."""
        game, drawing = self.variant.game, settled.next.get("draw")
        if drawing:
            return int(drawing[Random(derived(self.seed, self.number), "dealer").below(len(drawing))])
        if settled.next.get("dealer") is not None:
            return int(settled.next["dealer"])
        again = settled.match == self.context and not game.passes_on_void
        return self.dealer if again else (self.dealer + 1) % self.variant.players

    @property
    def sides(self) -> range:
        return range(self.variant.game.sides(self.variant.players))

    @property
    def over(self) -> bool:
        return self.result is not None

    def __repr__(self) -> str:
        return f"<Match {self.variant}, seed {self.seed}: {self.number} deals>"
