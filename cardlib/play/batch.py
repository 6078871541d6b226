"""Thousands of deals in lockstep: the trick phase of Hearts, Quint, Spady and Ambition on arrays.

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

**In lockstep.**  All deals are at the same trick and at the same place in it, each with its own leader.  A deal that
stops early (a game of Quint won in mid-play) runs on, but nothing counts in it any more; `over` says which.

**What stays with the table**: decisions between the tricks, so these options are refused (`TABLE_ONLY`): in Hearts
`annul_only_hearts`, `leftover` with a pick-up, `moon_mode` `choice`.  The declarations of Spady come after the opening
lead: `Batch.of` takes deals in which they have been made; in a batch that begins before them nobody declares.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Self

from cardlib.cards import ALL, Card
from cardlib.deal import deal, read_variant
from cardlib.errors import BadInput, raw, shortly
from cardlib.options import Variant
from cardlib.phases.tricks import TrickDeal, Tricks
from cardlib.rules import Table, choices, union, winning

try:
    import numpy as np
    from numpy.typing import NDArray
except ImportError as error:
    raise ImportError("cardlib.play.batch computes with NumPy 2.2 or newer: pip install numpy") from error

Masks = NDArray[np.uint64]

#: The games that can be played in a batch: of each, the options that bring decisions between the tricks.
TABLE_ONLY: Mapping[str, Mapping[str, tuple[object, ...]]] = {
    "hearts": {
        "annul_only_hearts": (True,),
        "leftover": ("pickup-first-trick", "pickup-first-penalty"),
        "moon_mode": ("choice",),
    },
    "quint": {},
    "spady": {},
    "ambition": {},
}
#: How many deals are played at a time: their arrays stay in the cache.
PART = 8192

# ------------------------------------------------------------------------------------------------- a table of arrays


def _pick(condition: Any, a: Any, b: Any) -> Any:
    if isinstance(condition, bool):  # the same for all deals
        return a if condition else b
    if isinstance(a, int) and isinstance(b, int) and max(a, b) >= 1 << 63:  # two masks, no points
        a, b = np.uint64(a), np.uint64(b)
    return np.where(condition, a, b)


def _count(mask: Any) -> Any:
    return np.bitwise_count(mask).astype(np.int64)


def _top(mask: Masks) -> Masks:
    """The highest bits, by way of the exponent of a float; between the lanes of a mask of cards there are always gaps,
    so rounding never reaches the next power of 2."""
    bits = mask.view(np.int64).astype(np.float64).view(np.int64)
    bits &= 0x7FF << 52
    return bits.view(np.float64).astype(np.int64).view(np.uint64)


class _Arrays:
    """What a table of arrays does otherwise than a table of ints."""

    __slots__ = ()
    pick = staticmethod(_pick)
    count = staticmethod(_count)
    top = staticmethod(_top)

    def each(self, condition: Any, judge: Any, otherwise: Any) -> Any:
        result = np.full(condition.shape, otherwise)
        for i in np.flatnonzero(condition):
            result[i] = judge(self.one(int(i)))
        return result

    def one(self, i: int) -> Table:
        """The table of one of the deals, on ints."""
        kind = type(self).__mro__[2]
        assert issubclass(kind, Table)
        return kind(**{name: _item(value, i) for name, value in _flags(self, kind)})


def _arrays(kind: type[Table]) -> type[Any]:
    """The table of a game, on arrays."""
    return type(kind.__name__, (_Arrays, kind), {"__slots__": ()})


def _flags(t: Any, kind: type[Table]) -> Iterator[tuple[str, Any]]:
    """The flags of a table that are set."""
    for base in kind.__mro__:
        for name in getattr(base, "__slots__", ()):
            if hasattr(t, name):
                yield name, getattr(t, name)


def _item(value: Any, i: int) -> Any:
    """A flag of one deal."""
    if isinstance(value, np.ndarray):
        return value.item(i)
    if isinstance(value, Mapping):
        return {key: _item(part, i) for key, part in value.items()}
    return [_item(part, i) for part in value] if isinstance(value, list) else value


def _stacked(values: Sequence[Any], times: int, number: bool) -> Any:
    """A flag of several deals as an array, each deal so many times; a flag by side as a list of arrays."""
    first = values[0]
    if isinstance(first, Mapping):
        return {key: _stacked([value[key] for value in values], times, number) for key in first}
    if isinstance(first, list | tuple):
        return [_stacked(column, times, number) for column in zip(*values, strict=True)]
    if isinstance(first, bool):
        return np.repeat(np.array(values, np.bool_), times)
    if isinstance(first, int):
        return np.repeat(np.array(values, np.int64 if number else np.uint64), times)
    return first if all(value == first for value in values) else np.array([*values, None], object)[:-1]


def _suit(cards: Masks) -> Masks:
    """The suit of each of the cards, as a mask; all cards for the joker, which sets none."""
    suits: Masks = ((cards.view(np.uint16) != 0) * np.uint16(0x7FFC)).view(np.uint64)
    return suits


# ---------------------------------------------------------------------------------------------------- random numbers


def _places() -> NDArray[np.uint8]:
    """Which bit of a lane is the one with so many set bits below it, at ``16 * lane + number``."""
    lanes = np.arange(1 << 15)
    places = np.zeros((1 << 15, 16), np.uint8)
    for bit in range(15):
        holders = lanes[lanes >> bit & 1 == 1]
        places[holders, np.bitwise_count(holders & (1 << bit) - 1)] = bit
    return places.ravel()


_PLACES = _places()
#: A byte for each of four lanes.
_BYTES, _HIGH = np.uint32(0x01010101), np.uint32(0x80808080)


def _draws(rng: np.random.Generator, count: int) -> NDArray[np.uint32]:
    """Random numbers of 27 bits."""
    drawn = rng.integers(0, 1 << 64, count + 1 >> 1, np.uint64).view(np.uint32)
    drawn >>= np.uint32(5)
    return drawn[:count]


def _random_bits(masks: Masks, draws: NDArray[np.uint32]) -> Masks:
    """One of the set bits of each mask, all equally likely (to 1 in 10 million).

    Of so many set bits the number `k` is wanted; running sums over the four lanes say in which lane it lies and as
    which there, and a table where that is.
    """
    sums = np.bitwise_count(masks.view(np.uint16)).view(np.uint32) * _BYTES
    k = sums >> np.uint32(24)
    k *= draws
    k >>= np.uint32(27)
    not_above = k * _BYTES  # the high bit of a byte stays where the sum is at most k
    not_above |= _HIGH
    not_above -= sums
    not_above &= _HIGH
    eighth = np.bitwise_count(not_above)
    eighth <<= np.uint8(3)
    sums <<= np.uint32(8)
    sums >>= eighth
    sums &= np.uint32(0xFF)
    k -= sums
    shift = eighth.astype(np.uint64)
    shift <<= np.uint64(1)
    lane = masks >> shift
    lane &= np.uint64(0xFFFF)
    lane <<= np.uint64(4)
    lane |= k
    shift += _PLACES[lane.view(np.int64)]
    bits: Masks = np.left_shift(np.uint64(1), shift)
    return bits


# ------------------------------------------------------------------------------------------------ deals in lockstep


class _Part:
    """Some deals in lockstep.

    Row by row: `hands` in the order of play of this trick, `cards` what has been played to it, `taken` by side (and of
    no side: of deals that are over); `leader` by deal; for all deals `place` in the trick and `left`, the cards of the
    hand that plays next.
    """

    def __init__(self, deals: Sequence[TrickDeal], times: int = 1) -> None:
        model = deals[0]
        self.n = n = len(deals) * times
        self.variant, self.players = model.variant, model.players
        self.tricks, self.scoring = model.tricks, model.scoring
        self.sides = model.game.sides(model.players)
        self.nobody = np.uint8(self.sides)
        kind = model.new_table
        self.may_stop = kind.stops is not Table.stops
        self.joker = bool(model.pack & 1)
        self.t = t = _arrays(kind)()
        tables = [dict(_flags(made.table, kind)) for made in deals]
        for name in tables[0].keys() - {"ended", "hand", "leading", "number", "taken", "winners"}:
            setattr(t, name, _stacked([flags[name] for flags in tables], times, name in kind.numbers))
        t.winners, t.number, t.leading = self.tricks.winners, model.table.number, model.table.leading
        self.taken = np.zeros((self.sides + 1, n), np.uint64)
        for side, masks in enumerate(_stacked([made.table.taken for made in deals], times, False)):
            self.taken[side] = masks
        t.taken = list(self.taken[:-1])
        self.aside: Masks = _stacked([made.aside for made in deals], times, False)
        self.scored = _stacked([_scored(made) for made in deals], times, True)
        self.over = np.zeros(n, np.bool_)
        self.leader = np.array([made.leader for made in deals], np.uint8).repeat(times)
        self.place = len(model.trick)
        self.left = 0 if model.turn is None else model.hands[model.turn].bit_count()
        by_leader = [made.hands[made.leader :] + made.hands[: made.leader] for made in deals]
        self.hands = np.array(_stacked(by_leader, times, False))
        self.cards = np.zeros((self.players, n), np.uint64)
        for row, cards in enumerate(_stacked([[card.mask for card in made.trick] for made in deals], times, False)):
            self.cards[row] = cards
        self.every = np.arange(n)
        self.legal_cards: Masks | None = None

    # -- dealing

    def shuffle(self, rng: np.random.Generator, model: TrickDeal) -> None:
        """Deal new hands to all seats, from eldest hand, for the first trick."""
        t, options = self.t, self.variant.options
        pack = np.array([1 << bit for bit in range(64) if model.pack >> bit & 1], np.uint64)
        shuffled = rng.permuted(np.broadcast_to(pack, (self.n, len(pack))), axis=1)
        self.left = model.hands[0].bit_count()
        for seat in range(self.players):
            np.bitwise_or.reduce(shuffled[:, seat * self.left : (seat + 1) * self.left], axis=1, out=self.hands[seat])
        dealt = self.players * self.left
        self.aside = np.bitwise_or.reduce(shuffled[:, dealt:], axis=1)
        trump = t.trump_card(options, rng.choice(pack, self.n), shuffled[:, dealt - 1].copy())
        if trump is not None:
            t.trumps = _suit(trump)
        self.over |= t.void(options, self.hands[0])
        self.place, t.number, t.leading = 0, 1, True
        card = t.opening(options, union(self.hands))
        self.leader = np.zeros(self.n, np.uint8)
        for seat in range(1, self.players):
            self.leader[self.hands[seat] & card != 0] = seat
        self._roll(self.leader)

    def _roll(self, places: NDArray[np.uint8]) -> None:
        """Let the hands begin with these places."""
        twice = np.concatenate((self.hands, self.hands)).ravel()
        at = places * np.int64(self.n)
        at += self.every
        for hand in self.hands:
            np.take(twice, at, out=hand, mode="clip")
            at += self.n

    # -- playing

    def legal(self) -> Masks:
        if self.legal_cards is None:
            t = self.t
            self.legal_cards = t.hand = self.hands[self.place]
            if self.left > 1:  # the last card is always legal
                chain = self.tricks.chain.obligations[t.leading][t.number == 1]
                self.legal_cards = choices(chain, t)
        return self.legal_cards

    def random_cards(self, draws: NDArray[np.uint32]) -> Masks:
        return self.legal() if self.left == 1 else _random_bits(self.legal(), draws)

    def play(self, cards: Masks) -> None:
        t, place = self.t, self.place
        self.cards[place] = cards
        cards = self.cards[place]
        self.hands[place] ^= cards
        self.legal_cards = None
        if self.tricks.note:
            self.tricks.note(t, cards)
        t.trick |= cards
        if not place or self.joker:
            suit = _suit(cards)
            if self.joker:
                suit = np.where(cards == 1, np.uint64(ALL), suit)
            t.led = suit if not place else np.where(t.led == ALL, suit, t.led)
        t.leading = False
        self.place += 1
        if self.place == self.players:
            self._take()
        elif self.sides != self.players and place:
            t.partner = self.cards[place - 1]

    def _take(self) -> None:
        """The trick is complete."""
        t, options, players = self.t, self.variant.options, np.uint8(self.players)
        best = winning(t.winners, t)
        places = np.zeros(self.n, np.uint8)
        for row in range(1, self.players):
            places += (self.cards[row] == best).view(np.uint8) * np.uint8(row)
        self.leader = self.leader + places
        self.leader -= (self.leader >= players).view(np.uint8) * players
        side = self.leader % self.nobody if self.sides < self.players else self.leader
        side = np.where(self.over, self.nobody, side)
        trick, t.trick = t.trick, np.zeros(self.n, np.uint64)
        t.partner = 0
        t.number += 1
        self.left -= 1
        last = not self.left
        t.trick_over(options, trick, best, side, last)
        self._gain(trick, side)
        goes = t.aside_goes(options, trick, last)
        if goes is not False:
            self._gain(t.pick(goes, self.aside, 0), np.where(goes & (self.over == 0), side, self.nobody))
            self.aside = t.pick(goes, np.zeros_like(self.aside), self.aside)
        self.place, t.leading, t.led = 0, True, ALL
        if last:
            t.ended = True
            t.ending(self.variant, self.over)
        else:
            self._roll(places)

    def _gain(self, cards: Masks, side: NDArray[np.uint8]) -> None:
        """Cards go to a side, with what they score at once."""
        t, options = self.t, self.variant.options
        at = side * np.int64(self.n)
        at += self.every
        self.taken.ravel()[at] |= cards
        t.gained(options, cards, side)
        if self.scoring.at_once:
            gains = t.copy()
            gains.ended = False
            gains.taken = [np.where(side == taker, cards, np.uint64(0)) for taker in range(self.sides)]
            for rule in self.scoring.at_once:
                self.scored = [sum(points) for points in zip(self.scored, rule.points(gains), strict=True)]
        if self.may_stop:
            self.over |= t.stops(options, self.points())

    def play_out(self, rng: np.random.Generator) -> None:
        while self.left:
            draws = _draws(rng, self.players * self.n).reshape(self.players, self.n)
            for row in range(self.place, self.players):
                self.play(self.random_cards(draws[row]))

    def points(self) -> list[Any]:
        """The points so far, by side."""
        return [sum(points) for points in zip(self.scored, self.scoring.scores(self.t), strict=True)]


def _scored(made: TrickDeal) -> list[int]:
    """What was scored at once before, by side."""
    points = [0] * made.game.sides(made.players)
    for line in made.scored:
        points[line.side] += line.points
    return points


class Batch:
    """Deals of one variant in lockstep; cards are masks of one bit (`uint64`), one a deal.

    `variant` · `n` deals · `finished`, all tricks are played.  See the head of the module.
    """

    def __init__(self, variant: Variant | str, n: int, seed: int = 0) -> None:
        variant = variant if isinstance(variant, Variant) else read_variant(variant)
        _check(variant)
        if type(n) is not int or n < 1:
            raise BadInput("number", f"n cannot be {shortly(n)}", key="n", value=raw(n))
        self.rng = np.random.Generator(np.random.SFC64(seed))
        model = deal(variant, seed=0)
        sizes = [min(PART, n - start) for start in range(0, n, PART)]
        self._set([_Part([model], size) for size in sizes])
        for part in self._parts:
            part.shuffle(self.rng, model)

    @classmethod
    def of(cls, deals: Sequence[TrickDeal], seed: int = 0) -> Self:
        """A batch that goes on from these deals: of one variant, all at the same card of the same trick."""
        if not deals:
            raise BadInput("number", "a batch of no deals", key="deals", value="[]")
        _check(deals[0].variant)
        for made in deals:
            if made.variant != deals[0].variant:
                text = f"the deals of a batch are of one variant, not {deals[0].variant} and {made.variant}"
                raise BadInput("variant", text, text=str(made.variant))
            if _progress(made) != _progress(deals[0]):
                raise BadInput("sizes", "the deals of a batch must all be equally far", key="deals")
        batch = cls.__new__(cls)
        batch.rng = np.random.Generator(np.random.SFC64(seed))
        batch._set([_Part(deals[start : start + PART]) for start in range(0, len(deals), PART)])
        return batch

    def _set(self, parts: list[_Part]) -> None:
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
        return np.concatenate([part.random_cards(_draws(rng, part.n)) for part in self._parts])

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


def _progress(made: TrickDeal) -> tuple[int, ...]:
    """How far a deal is: what must be the same in a batch."""
    if made.turn is None or not isinstance(made.phase, Tricks):
        raise BadInput("sizes", "the deals of a batch must all be at the play of a card", key="deals")
    if made.ends_here is not None:
        raise BadInput("sizes", "an excerpt that says where it ends cannot go on in a batch", key="deals")
    return made.table.number, len(made.trick), made.hands[made.turn].bit_count()
