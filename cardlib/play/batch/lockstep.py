"""Some deals in lockstep: all are at the same place in the same trick, each with its own leader."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cardlib.cards import ALL
from cardlib.phases.tricks import TrickDeal
from cardlib.play.batch.arrays import Masks, arrays, flags_of, stacked, suit_of
from cardlib.play.batch.chance import draw, random_bits
from cardlib.rules import Table, choices, union, winning


class Part:
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
        self.t = t = arrays(kind)()
        tables = [dict(flags_of(made.table, kind)) for made in deals]
        for name in tables[0].keys() - {"ended", "hand", "leading", "left", "number", "taken", "winners"}:
            setattr(t, name, stacked([flags[name] for flags in tables], times, name in kind.numbers))
        t.winners, t.number, t.leading = self.tricks.winners, model.table.number, model.table.leading
        self.taken = np.zeros((self.sides + 1, n), np.uint64)
        for side, masks in enumerate(stacked([made.table.taken for made in deals], times, False)):
            self.taken[side] = masks
        t.taken = list(self.taken[:-1])
        self.aside: Masks = stacked([made.left_over for made in deals], times, False)
        self.scored = stacked([_scored(made) for made in deals], times, True)
        self.over = np.zeros(n, np.bool_)
        self.leader = np.array([made.leader for made in deals], np.uint8).repeat(times)
        self.place = len(model.trick)
        self.left = 0 if model.turn is None else model.hands[model.turn].bit_count()
        by_leader = [made.hands[made.leader :] + made.hands[: made.leader] for made in deals]
        self.hands = np.array(stacked(by_leader, times, False))
        self.cards = np.zeros((self.players, n), np.uint64)
        for row, cards in enumerate(stacked([[card.mask for card in made.trick] for made in deals], times, False)):
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
            t.trumps = suit_of(trump)
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
        return self.legal() if self.left == 1 else random_bits(self.legal(), draws)

    def play(self, cards: Masks) -> None:
        t, place = self.t, self.place
        self.cards[place] = cards
        cards = self.cards[place]
        self.hands[place] ^= cards
        self.legal_cards = None
        if self.tricks.note:
            t.player = (self.leader + np.uint8(place)) % np.uint8(self.players)
            self.tricks.note(t, cards)
        t.trick |= cards
        if not place or self.joker:
            suit = suit_of(cards)
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
        self.left = t.left = self.left - 1
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
            t.ended = self.over.copy()

    def play_out(self, rng: np.random.Generator) -> None:
        while self.left:
            drawn = draw(rng, self.players * self.n).reshape(self.players, self.n)
            for row in range(self.place, self.players):
                self.play(self.random_cards(drawn[row]))

    def points(self) -> list[Any]:
        """The points so far, by side."""
        return [sum(points) for points in zip(self.scored, self.scoring.scores(self.t), strict=True)]


def _scored(made: TrickDeal) -> list[int]:
    """What was scored at once before, by side."""
    points = [0] * made.game.sides(made.players)
    for line in made.scored:
        points[line.side] += line.points
    return points
