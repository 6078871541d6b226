"""Fishing: in each turn one card is played and captures others from the table by their value, or stays there."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any

from cardlib.cards import Card, Hand, Seat, cards_of
from cardlib.deal import PLAYS, Move, Phase, Refusal, View
from cardlib.rules import Ban

#: What the ranks count in a capture.
VALUES = {14: 1, 2: 2, 3: 3, 4: 4, 5: 5, 6: 6, 7: 7, 11: 8, 12: 9, 13: 10}


def value(card: Card) -> int:
    return VALUES[card.rank]


def worth(cards: Iterable[Card]) -> int:
    """The values of several cards, added up."""
    return sum(map(value, cards))


def by_value(cards: Iterable[Card]) -> tuple[Card, ...]:
    """The canonical order of captured cards: by value, then S H D C.

    >>> " ".join(map(str, by_value(Hand.parse("KS 2C 2S AH"))))
    'AH 2S 2C KS'
    """
    return tuple(sorted(cards, key=lambda card: (value(card), card.suit)))


#: The four cards of each value.
OF_VALUE = {n: int(Hand.of(Card(16 * suit + rank) for suit in range(4))) for rank, n in VALUES.items()}
#: The pack of 40 cards: those that have a value.
CARDS = sum(OF_VALUE.values())


@lru_cache(maxsize=1 << 12)
def sums(cards: int, amount: int) -> tuple[Hand, ...]:
    """All sets of two or more of the cards that add up to the amount, the shortest first.

    >>> [str(some) for some in sums(Hand.parse("AC 6H 3D 4S QS"), 7)]
    ['6H AC', '4S 3D']
    """

    def some(left: Sequence[Card], amount: int) -> Iterator[int]:
        for place, card in enumerate(left):
            rest = amount - value(card)
            if rest == 0:
                yield card.mask
            elif rest > 0:
                yield from (card.mask | more for more in some(left[place + 1 :], rest))

    found = map(Hand, some(by_value(cards_of(cards)), amount))
    return tuple(sorted((some for some in found if len(some) > 1), key=len))


@lru_cache(maxsize=1 << 12)
def groups(cards: int, amount: int) -> tuple[Hand, ...]:
    """Several groups that each add up to the amount and together are all the cards; none, if they do not split so."""
    if not cards or worth(cards_of(cards)) % amount:
        return ()
    *_, highest = by_value(cards_of(cards))
    for group in sums(cards, amount):
        rest = cards ^ group
        if highest in group and (not rest or groups(rest, amount)):
            return (group, *groups(rest, amount))
    return ()


def capturing(card: Card, cards: Iterable[Card]) -> Move:
    """The move of a card that captures others."""
    return Move("play", (card,), takes=by_value(cards))


class Judged:
    """A move that is judged: the card played, the cards it is to take, the equal cards on the table, and the ways in
    which it could capture."""

    def __init__(self, deal: Any, move: Move) -> None:
        self.card = move.cards[0]
        self.value = value(self.card)
        self.held = deal.hands[deal.turn] & move.mask
        self.cards = Hand.of(move.takes)
        self.missing = Hand(self.cards ^ self.cards & deal.table)
        self.equal = Hand(deal.table & OF_VALUE[self.value])
        self.ways = deal.captures(self.card)
        self.exact = not self.cards or self.cards in self.ways or worth(self.cards) == self.value
        self.groups = () if self.exact else groups(self.cards, self.value)

    def facts(self) -> Mapping[str, Any]:
        """What a sentence about it may name; `do` are the cards that would do, the first of several sums."""
        do = self.equal or (self.ways[0] if self.ways else Hand(0))
        ways = {"do": do, "ways": self.ways, "count": len(self.ways)}
        named = {"cards": self.cards, "total": worth(self.cards), "missing": self.missing, "groups": self.groups}
        return {"card": self.card, "value": self.value} | named | ways


def ban(rule: str, applies: Callable[[Any, Judged], Any]) -> Ban:
    """Forbids what `applies(deal, judged)` to."""
    return Ban(rule, lambda deal, judged: judged.facts() if applies(deal, judged) else None)


class Fishing(Phase):
    """One card a turn, until all hands are empty; the bans say, in order, what it may not do.

    The deal keeps the cards on the table in `table`, says in `captures(card)` what a card can take, and acts in
    `capture` and `end`.
    """

    name = "fishing"
    board = "fishing"
    verbs = frozenset({"play"})

    def __init__(self, bans: Iterable[Ban], stays: str) -> None:
        self.bans = tuple(bans)
        #: The rule by which a card stays on the table.
        self.stays = stays

    def legal(self, deal: Any) -> Sequence[Move]:
        return [move for card in cards_of(deal.hands[deal.turn]) for move in self.plays(deal, card)]

    def plays(self, deal: Any, card: Card) -> list[Move]:
        """What a card of the hand can do: capture in one way or another, or stay."""
        moves = [capturing(card, cards) for cards in deal.captures(card)]
        return moves if self.refusal(deal, PLAYS[card]) else [*moves, PLAYS[card]]

    def refusal(self, deal: Any, move: Move) -> Refusal | None:
        judged = Judged(deal, move)
        refusals = ((ban.rule, ban.facts(deal, judged)) for ban in self.bans)
        return next((Refusal(rule, facts) for rule, facts in refusals if facts is not None), None)

    def canonical(self, deal: Any, move: Move) -> Move:
        return capturing(move.cards[0], move.takes) if move.takes else move

    def push(self, deal: Any, move: Move) -> None:
        seat, card = Seat(deal.turn), move.cards[0]
        deal.hands[seat] ^= move.mask
        if move.takes:
            deal.capture(seat, card, Hand.of(move.takes))
        else:
            deal.table |= move.mask
            deal.log("Stayed", self.stays, {"seat": seat, "card": card})
        deal.turn = (seat + 1) % deal.players
        if not any(deal.hands):
            deal.end()


class FishingView(View):
    """What a seat sees: also the table, the sizes of the piles and the sweeps; the piles once they are counted."""

    _deal: Any

    @property
    def table(self) -> Hand:
        return Hand(self._deal.table)

    @property
    def sizes(self) -> list[int]:
        """How many cards lie on the pile of each side."""
        return [pile.bit_count() for pile in self._deal.taken]

    @property
    def taken(self) -> list[Hand]:
        """The cards each side has taken, once they are turned up."""
        return [Hand(pile if self._deal.finished else 0) for pile in self._deal.taken]

    @property
    def sweeps(self) -> list[int]:
        return list(self._deal.sweeps)

    @property
    def last_capture(self) -> int | None:
        """The side that has captured last."""
        last: int | None = self._deal.last_capture
        return last
