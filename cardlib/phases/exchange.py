"""Passing cards before the play: to a neighbour, to everybody (scatter), or through a shuffled pool (smoosh)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations, islice
from math import comb
from typing import Any

from cardlib.cards import Card, Hand, Seat, by_rank, cards_of
from cardlib.deal import Deal, Move, Phase, Refusal, Reminder
from cardlib.errors import BadInput
from cardlib.phases.tricks import TrickDeal
from cardlib.reading import card_set, disjoint, strings, written

#: How many seats onwards the cards go.
STEPS = {"left": 1, "right": -1, "across": 2, "second-left": 2, "second-right": -2}


def directions(cycle: str) -> list[str]:
    """The directions of a cycle, deal by deal.

    >>> directions("left-second-left-none")
    ['left', 'second-left', 'none']
    """
    return re.findall(r"second-\w+|\w+", cycle)


class SomeCards(Sequence[Move]):
    """All moves that name some of the cards of a hand, made one by one: `shares` cards for each receiver in turn.

    >>> moves = SomeCards("discard", Hand.parse("AS KS QS"), (2,))
    >>> len(moves), [str(move) for move in moves]
    (3, ['discard KS AS', 'discard QS AS', 'discard QS KS'])
    """

    def __init__(self, verb: str, hand: int, shares: Sequence[int], others: Sequence[Move] = ()) -> None:
        self.verb = verb
        self.hand = hand
        self.shares = tuple(shares)
        self.others = tuple(others)

    def __len__(self) -> int:
        total, left = 1, self.hand.bit_count()
        for share in self.shares:
            total *= comb(left, share)
            left -= share
        return total + len(self.others)

    def __iter__(self) -> Iterator[Move]:
        yield from self.others
        for cards in self._choices(self.hand, self.shares):
            yield Move(self.verb, cards)

    def _choices(self, hand: int, shares: Sequence[int]) -> Iterator[tuple[Card, ...]]:
        if not shares:
            yield ()
            return
        for some in combinations(cards_of(hand), shares[0]):
            for rest in self._choices(hand ^ Hand.of(some), shares[1:]):
                yield by_rank(some) + rest

    def __contains__(self, move: object) -> bool:
        if move in self.others:
            return True
        if not isinstance(move, Move) or move.verb != self.verb or len(set(move.cards)) != sum(self.shares):
            return False
        held = all(self.hand >> card & 1 for card in move.cards)
        return held and move.cards == in_shares(move.cards, self.shares)

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, slice):
            return list(self)[index]
        place = range(len(self))[index]
        if place < len(self.others):
            return self.others[place]
        found = islice(self._choices(self.hand, self.shares), place - len(self.others), None)
        return Move(self.verb, next(found))


def in_shares(cards: Sequence[Card], shares: Sequence[int]) -> tuple[Card, ...]:
    """The cards with each receiver's share in canonical order."""
    ordered: list[Card] = []
    for share in shares:
        ordered += by_rank(cards[len(ordered) : len(ordered) + share])
    return tuple(ordered) + tuple(cards[len(ordered) :])


class PuttingDown(Phase):
    """A phase whose moves name some cards of the hand: so many of them, all different, and held."""

    def cards_refusal(self, deal: Deal, cards: Sequence[Card], count: int, rule: str, own: str) -> Refusal | None:
        """Why these cards cannot be put down by the seat on turn: not `count` different ones (`rule`), or not held
        (`own`)."""
        different = len(set(cards))
        if len(cards) != count or different != count:
            return Refusal(rule, {"count": count, "given": different})
        missing = next((card for card in cards if not deal.hands[deal.turn or 0] & card.mask), None)
        return Refusal(own, {"card": missing}) if missing else None


class Discard(PuttingDown):
    """The winner of a trick picks up the left-over cards, which nobody else sees, and puts down as many."""

    name = "discard"
    verbs = frozenset({"discard"})

    def __init__(self, pick_up: str, rule: str) -> None:
        self.picked_up, self.rule = pick_up, rule

    def pick_up(self, deal: Any, seat: int) -> None:
        """The cards come into the hand of this seat, which is then on turn to discard."""
        cards, deal.left_over = deal.left_over, 0
        deal.hands[seat] |= cards
        facts = {"seat": Seat(seat), "count": cards.bit_count(), "cards": Hand(cards)}
        deal.log("Kitty", self.picked_up, facts, ("cards",), (seat,))
        deal.turn, deal.phase = seat, self

    def legal(self, deal: Any) -> Sequence[Move]:
        return SomeCards("discard", deal.hands[deal.turn], (deal.left_over_size,))

    def canonical(self, deal: Any, move: Move) -> Move:
        return Move(move.verb, by_rank(move.cards)) if move.verb == "discard" else move

    def refusal(self, deal: Any, move: Move) -> Refusal | None:
        return self.cards_refusal(deal, move.cards, deal.left_over_size, self.rule, deal.not_in_hand)

    def push(self, deal: Any, move: Move) -> None:
        seat = deal.turn
        deal.hands[seat] ^= move.mask
        facts = {"seat": Seat(seat), "count": len(move.cards), "cards": Hand(move.mask)}
        deal.log("Discarded", self.rule, facts, ("cards",), (seat,))
        deal.put_down[seat] = move.mask
        deal.taken[seat] |= move.mask
        deal.next_trick(seat)


class Exchange(PuttingDown):
    """Before a `PassingDeal` each seat from eldest hand gives `count` cards, or forwards unseen what it is passed; then
    all change hands."""

    name = "pass"
    pauses = True
    verbs = frozenset({"give", "forward"})

    def __init__(self, players: int, direction: str, count: int, forwarding: bool = False) -> None:
        self.direction = direction
        self.count = count
        self.forwarding = forwarding and direction in STEPS
        scatter = direction == "scatter"
        self.shares = (count // (players - 1),) * (players - 1) if scatter else (count,)

    def legal(self, deal: Any) -> Sequence[Move]:
        forward = (Move("forward"),) if self.forwarding else ()
        return SomeCards("give", deal.hands[deal.turn], self.shares, forward)

    def canonical(self, deal: Any, move: Move) -> Move:
        if move.verb != "give" or len(move.cards) != self.count:
            return move
        return Move("give", in_shares(move.cards, self.shares))

    def refusal(self, deal: Any, move: Move) -> Refusal | None:
        if move.verb == "forward":
            return None if self.forwarding else Refusal(deal.pass_rules["forward"])
        return self.cards_refusal(deal, move.cards, self.count, deal.pass_rules["count"], deal.pass_rules["own"])

    def push(self, deal: Any, move: Move) -> None:
        seat = deal.turn
        given = [*deal.given]
        given[seat] = move.cards
        everybody = None not in given
        # What comes back from a smoosh may be wrong: looked at before anything changes.
        packets = self._smooshed(deal, given) if everybody and self.direction == "smoosh" else None
        deal.given = given
        deal.hands[seat] ^= move.mask
        if move.verb == "forward":
            deal.log("Gave", deal.pass_rules["forward"], {"seat": Seat(seat)})
        else:
            rule = deal.pass_rules["scatter" if self.direction == "scatter" else "count"]
            facts = {"seat": Seat(seat), "count": self.count, "cards": Hand(move.mask)}
            deal.log("Gave", rule, facts, ("cards",), (seat,))
        deal.turn = (seat + 1) % deal.players
        if packets:
            self._receive(deal, packets)
        elif everybody:
            self._change_hands(deal)
        if everybody:
            deal.exchanged()

    # -- how the cards travel

    def receivers(self, players: int, seat: int) -> list[int]:
        """Who gets the cards of a giver, share by share (nobody in particular in a smoosh)."""
        if self.direction in STEPS:
            return [(seat + STEPS[self.direction]) % players]
        if self.direction == "scatter":
            return [(seat + away) % players for away in range(1, players)]
        return []

    def _change_hands(self, deal: Any) -> None:
        for seat, cards in enumerate(deal.given):
            shares = iter(cards)
            for receiver, share in zip(self.receivers(deal.players, seat), self.shares, strict=True):
                packet = Hand.of(islice(shares, share))
                if packet:
                    self._pass(deal, seat, receiver, packet)

    def _pass(self, deal: Any, source: int, receiver: int, packet: Hand) -> None:
        """A packet travels past all who forward to the next seat that gave cards of its own."""
        step = (receiver - source) % deal.players
        rule = "scatter" if self.direction == "scatter" else "direction"
        while not deal.given[receiver]:
            receiver = (receiver + step) % deal.players
            rule = "forward"
        deal.hands[receiver] |= packet
        facts = {"seat": Seat(receiver), "cards": packet, "source": Seat(source)}
        deal.log("Received", deal.pass_rules[rule], facts, ("cards",), (receiver, source))

    def _receive(self, deal: Any, packets: Sequence[Hand]) -> None:
        """What each seat gets back from the pool."""
        for seat, packet in enumerate(packets):
            deal.hands[seat] |= packet
            facts = {"seat": Seat(seat), "cards": packet}
            deal.log("Received", deal.pass_rules["smoosh"], facts, ("cards",), (seat,))

    def _smooshed(self, deal: Any, given: Sequence[Sequence[Card]]) -> list[Hand]:
        """The packets that come back from the pool: as the record says, or shuffled by the deal's own generator."""
        pool = [card for cards in given for card in cards]
        if "smoosh" not in deal.dealt:
            mixed = deal.random("smoosh").shuffled(pool)
            packets = [Hand.of(mixed[i : i + self.count]) for i in range(0, len(mixed), self.count)]
            deal.drawn = {"smoosh": [written(packet) for packet in packets]}
            return packets
        packets = [Hand.parse(text) for text in deal.dealt["smoosh"]]
        if Hand(sum(packets)) != Hand.of(pool):
            raise BadInput("smoosh", f"smoosh must use the cards given: {written(Hand.of(pool))}", key="smoosh")
        return packets


class PassingDeal(TrickDeal):
    """A deal with tricks before which cards are passed, in a direction that changes from deal to deal.

    Its options say the `directions`, `pass_count` and `pass_forward`, its match context counts the deals.  `given` is
    what each seat gave (None: not yet, empty: it forwards).  `pass_rules` are the rule ids: `cycle` of the directions,
    `count` and `own` of what may be given, `direction` (or `scatter`, `smoosh`, `forward`) of how the cards travel.
    `exchanged` says what follows.
    """

    __slots__ = ("direction", "given")

    @property
    def pass_rules(self) -> Mapping[str, str]:
        """Where the rule book says what of passing."""
        named = ("cycle", "blind", "count", "direction", "scatter", "smoosh", "forward")
        return {name: f"{self.game.id}.pass.{name}" for name in named} | {"own": self.not_in_hand}

    def setup(self, dealt: Mapping[str, Any]) -> None:
        super().setup(dealt)
        self.given: list[tuple[Card, ...] | None] = [None] * self.players
        cycle = ["none"] if "position" in dealt else self.options.directions(self.players)
        self.direction = cycle[self.match.deal % len(cycle)]
        if "smoosh" in dealt:
            self.dealt["smoosh"] = self._read_smoosh(dealt["smoosh"])

    def _read_smoosh(self, packets: object) -> list[str]:
        """What each seat got back from the shuffled pool, canonically written."""
        if self.direction != "smoosh":
            raise BadInput("no-smoosh", "smoosh: this deal has none", key="smoosh")
        masks = [card_set("smoosh", packet, self.pack) for packet in strings("smoosh", packets, self.players)]
        disjoint(smoosh=masks)
        count = self.options.pass_count
        if any(mask.bit_count() != count for mask in masks):
            raise BadInput("smoosh-count", f"smoosh must give {count} cards to each seat", key="smoosh", count=count)
        return [written(mask) for mask in masks]

    @property
    def reminders(self) -> Sequence[Reminder]:
        passing = self.phase is not None and self.phase.name == Exchange.name
        return [Reminder("pass", [self.pass_rules["blind"]])] if passing else []

    def start(self) -> None:
        if self.direction == "none":
            self.exchanged()
        else:
            options = self.options
            self.phase = Exchange(self.players, self.direction, options.pass_count, options.pass_forward)
            self.turn = self.eldest

    def exchanged(self) -> None:
        """The cards have changed hands, if they do: the play begins."""
        self.first_lead()
