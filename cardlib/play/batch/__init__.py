"""Thousands of deals in lockstep: the trick play of all games that have tricks, on arrays.

A `Batch` plays with the very rules of the table: the obligations, winner classes and score rules of a game, and what
its `Table` says of the play, are called with a table whose flags are NumPy arrays, one element a deal.

>>> import cardlib
>>> from cardlib.play.batch import Batch
>>> batch = Batch(cardlib.variant("hearts(openspiel)"), 1000, seed=17)
>>> batch.play_out()
>>> batch.scores().shape, sorted(set(batch.scores().sum(axis=1).tolist()))
((1000, 4), [26, 78])

**What is dealt.**  ``Batch(variant, n, seed)`` shuffles the pack of each deal with NumPy's generator `SFC64`
(uniformly, but not as `cardlib.deal` does: its seeds give other deals) and deals to all seats from eldest hand, seat 0;
what is left over is set aside.  The play begins at once: nobody passes cards, calls or declares, and it is the first
deal of a match.  ``Batch.of(deals)`` goes on from where given deals are: whatever was passed, called or declared
before, whatever the match brought with it, as long as all are equally far.

**Contract by contract.**  Where a contract is chosen before the play (`BY_CONTRACT`: Quodlibet, Solo Whist) all deals
of a batch are played under the same one; `together` sorts given deals into such groups.  Who the bidder is, who plays
with him and which suit is trumps may differ from deal to deal.

**In lockstep.**  All deals are at the same trick and at the same place in it, each with its own leader.  A deal that
stops early (a game of Quint won in mid-play, a contract of Solo Whist that is decided) runs on, but nothing counts in
it any more; `over` says which.

**What stays with the table**: choosing a contract and all other calls; Snack, which is not played in tricks; the slots
of Open Trousers (a batch names the cards).  Decisions between the tricks, so these options are refused (`TABLE_ONLY`):
in Hearts `annul_only_hearts`, `leftover` with a pick-up, `moon_mode` `choice`.  The declarations of Spady come after
the opening lead: `Batch.of` takes deals in which they have been made; in a batch that begins before them nobody
declares.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Self

from cardlib.cards import Card
from cardlib.deal import deal, read_variant
from cardlib.errors import BadInput, raw, shortly
from cardlib.options import Variant
from cardlib.phases.tricks import TrickDeal, Tricks

try:
    import numpy as np
    from numpy.typing import NDArray
except ImportError as error:
    raise ImportError("cardlib.play.batch computes with NumPy 2.2 or newer: pip install numpy") from error

from cardlib.play.batch.arrays import Masks
from cardlib.play.batch.chance import draw
from cardlib.play.batch.lockstep import Part

#: The games that can be played in a batch: of each, the options that bring decisions between the tricks.
TABLE_ONLY: Mapping[str, Mapping[str, tuple[object, ...]]] = {
    "hearts": {
        "annul_only_hearts": (True,),
        "leftover": ("pickup-first-trick", "pickup-first-penalty"),
        "moon_mode": ("choice",),
    },
    "quint": {},
    "spady": {},
    "quodlibet": {},
    "solo-whist": {},
    "ambition": {},
}
#: Those of them that are played by contracts.
BY_CONTRACT = frozenset({"quodlibet", "solo-whist"})
#: How many deals are played at a time: their arrays stay in the cache.
PART = 8192


class Batch:
    """Deals of one variant in lockstep; cards are masks of one bit (`uint64`), one a deal.

    `variant` · `n` deals · `finished`, all tricks are played.  See the head of the module.
    """

    def __init__(self, variant: Variant | str, n: int, seed: int = 0) -> None:
        variant = variant if isinstance(variant, Variant) else read_variant(variant)
        _check(variant)
        if variant.game.id in BY_CONTRACT:
            text = f"{variant.game.id} is played by contracts: take the deals of one with Batch.of"
            raise BadInput("game", text, game=variant.game.id)
        if type(n) is not int or n < 1:
            raise BadInput("number", f"n cannot be {shortly(n)}", key="n", value=raw(n))
        self.rng = np.random.Generator(np.random.SFC64(seed))
        model = deal(variant, seed=0)
        sizes = [min(PART, n - start) for start in range(0, n, PART)]
        self._set([Part([model], size) for size in sizes])
        for part in self._parts:
            part.shuffle(self.rng, model)

    @classmethod
    def of(cls, deals: Sequence[TrickDeal], seed: int = 0) -> Self:
        """A batch that goes on from these deals: of one variant and contract, all at the same card of a trick."""
        if not deals:
            raise BadInput("number", "a batch of no deals", key="deals", value="[]")
        _check(deals[0].variant)
        for made in deals:
            if made.variant != deals[0].variant:
                text = f"the deals of a batch are of one variant, not {deals[0].variant} and {made.variant}"
                raise BadInput("variant", text, text=str(made.variant))
            if _place(made) != _place(deals[0]):
                raise BadInput("sizes", "the deals of a batch must all be equally far", key="deals")
            if _rules(made) != _rules(deals[0]):
                raise BadInput("sizes", "the deals of a batch must all be played under the same contract", key="deals")
        batch = cls.__new__(cls)
        batch.rng = np.random.Generator(np.random.SFC64(seed))
        batch._set([Part(deals[start : start + PART]) for start in range(0, len(deals), PART)])
        return batch

    def _set(self, parts: list[Part]) -> None:
        self._parts = parts
        self.variant = parts[0].variant
        self.n = sum(part.n for part in parts)

    # -- where the deals are

    @property
    def finished(self) -> bool:
        return not self._parts[0].left

    @property
    def over(self) -> NDArray[np.bool_]:
        """Which deals are over."""
        return np.concatenate([part.over | self.finished for part in self._parts])

    @property
    def number(self) -> int:
        """The number of the trick, from 1."""
        return int(self._parts[0].t.number)

    @property
    def leader(self) -> NDArray[np.uint8]:
        """Who leads to this trick: who has won the last one."""
        return np.concatenate([part.leader for part in self._parts])

    @property
    def turn(self) -> NDArray[np.uint8]:
        """The seats to move."""
        return (self.leader + np.uint8(self._parts[0].place)) % np.uint8(self.variant.players)

    @property
    def hands(self) -> Masks:
        """The hands by seat (n × players)."""
        every, seats = np.arange(self.n)[:, None], np.arange(self.variant.players)
        by_leader = np.concatenate([part.hands for part in self._parts], axis=1)
        hands: Masks = by_leader[(seats - self.leader[:, None].astype(np.int64)) % self.variant.players, every]
        return hands

    @property
    def taken(self) -> Masks:
        """The cards taken by side (n × sides)."""
        return np.concatenate([part.taken[:-1] for part in self._parts], axis=1).T

    # -- playing

    def legal(self) -> Masks:
        """The legal cards of the seats to move."""
        self._check_open()
        return np.concatenate([part.legal() for part in self._parts])

    def play(self, cards: Masks) -> None:
        """Play one of the legal cards in each deal; `BadInput` names one that is not legal."""
        legal = self.legal()
        cards = np.asarray(cards)
        if cards.shape != legal.shape or cards.dtype != np.uint64:
            raise BadInput("moves", f"cards must be {self.n} masks (uint64)")
        bad = (cards & legal != cards) | (np.bitwise_count(cards) != 1)
        if bad.any():
            i = int(bad.argmax())
            named = [str(Card(bit)) for bit in range(64) if int(cards[i]) >> bit & 1]
            raise BadInput("illegal", f"deal {i} of the batch: no legal card: {named}", move=" ".join(named))
        start = 0
        for part in self._parts:
            part.play(cards[start : start + part.n])
            start += part.n

    def random_cards(self, rng: np.random.Generator | None = None) -> Masks:
        """A random legal card in each deal, all equally likely (to 1 in 10 million)."""
        self._check_open()
        rng = rng or self.rng
        return np.concatenate([part.random_cards(draw(rng, part.n)) for part in self._parts])

    def play_out(self, rng: np.random.Generator | None = None) -> None:
        """Play all deals at random to their end."""
        for part in self._parts:
            part.play_out(rng or self.rng)

    def _check_open(self) -> None:
        if self.finished:
            raise BadInput("moves", "the deals of the batch are over")

    def scores(self) -> NDArray[np.int64]:
        """The points so far (n × sides); of deals that are over, their scores."""
        rows = [np.broadcast_to(points, part.n) for part in self._parts for points in part.points()]
        sides = len(rows) // len(self._parts)
        by_side = [np.concatenate(rows[side::sides]) for side in range(sides)]
        return np.stack(by_side, axis=1).astype(np.int64)

    def __repr__(self) -> str:
        return f"<{self.n} × {self.variant}: trick {self.number}>"


def _check(variant: Variant) -> None:
    """Raise `BadInput` for what only the table can play."""
    if variant.game.id not in TABLE_ONLY:
        raise BadInput("game", f"{variant.game.id} cannot be played in a batch", game=variant.game.id)
    idle = variant.options.idle(variant.players)
    for name, values in TABLE_ONLY[variant.game.id].items():
        value = getattr(variant.options, name)
        if value in values and name not in idle:
            text = f"{name} cannot be {value!r} in a batch: it brings decisions between the tricks (see TABLE_ONLY)"
            raise BadInput("option-value", text, name=name, value=raw(value))


def together(deals: Sequence[TrickDeal]) -> list[list[TrickDeal]]:
    """The deals in groups, each of which makes a batch."""
    groups: dict[Any, list[TrickDeal]] = {}
    for made in deals:
        groups.setdefault((made.variant, _place(made), _rules(made)), []).append(made)
    return list(groups.values())


def _place(made: TrickDeal) -> tuple[int, ...]:
    """How far a deal is: what must be the same in a batch."""
    if made.turn is None or not isinstance(made.phase, Tricks):
        raise BadInput("sizes", "the deals of a batch must all be at the play of a card", key="deals")
    if made.ends_here is not None:
        raise BadInput("sizes", "an excerpt that says where it ends cannot go on in a batch", key="deals")
    return made.table.number, len(made.trick), made.hands[made.turn].bit_count()


def _rules(made: TrickDeal) -> tuple[Any, ...]:
    """By which rules a deal is played and scored: those of a contract are built once."""
    return made.tricks, made.scoring
