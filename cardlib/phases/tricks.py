"""Playing tricks: who may play what, who wins, who leads next."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any, ClassVar

from cardlib.cards import ALL, PACK, SUIT_MASKS, Card, Hand, Seat, Suit, cards_of
from cardlib.deal import (
    PLAYS,
    Deal,
    Event,
    Move,
    Phase,
    Refusal,
    ScoreLine,
    View,
    disjoint,
    read_cards,
    read_hands,
)
from cardlib.errors import BadInput
from cardlib.rules import Chain, Obligation, ScoreRule, Table, WinnerClass, choices, deciding, refusing, winning


@lru_cache(maxsize=1 << 16)
def _plays(mask: int) -> tuple[Move, ...]:
    return tuple(PLAYS[card] for card in cards_of(mask))


class Tricks(Phase):
    """Each seat in turn plays a card to the trick; the winner leads to the next one."""

    name = "play"
    verbs = frozenset({"play"})

    def __init__(self, obligations: Iterable[Obligation], winners: Iterable[WinnerClass]) -> None:
        self.chain = Chain(obligations)
        self.winners = tuple(winners)

    def choice(self, deal: TrickDeal) -> int:
        """The legal cards as a mask."""
        t = deal.table
        t.hand = deal.hands[deal.turn]  # type: ignore[index]
        return choices(self.chain(t.leading, t.number == 1), t)  # type: ignore[no-any-return]

    def legal(self, deal: TrickDeal) -> Sequence[Move]:
        return _plays(self.choice(deal))

    def refusal(self, deal: TrickDeal, move: Move) -> Refusal | None:
        card = move.cards[0]
        choice = self.choice(deal)
        if choice >> card & 1:
            return None
        t = deal.table
        if not t.hand >> card & 1:
            return Refusal(f"{deal.game.id}.move.not-in-hand", {"card": card})
        dropped_by = refusing(self.chain(t.leading, t.number == 1), t, card)
        assert dropped_by is not None  # a card of the hand that is not legal was dropped by somebody
        facts = {"card": card, "do": Hand(choice)}
        if not t.leading:
            facts |= {"lead": deal.trick[0], "led": deal.trick[0].suit, "best": self.best(deal)}
        return Refusal(dropped_by.rule, facts)

    def best(self, deal: TrickDeal) -> Card:
        """The card that wins the trick as it lies."""
        return Card(winning(self.winners, deal.table).bit_length() - 1)

    def push(self, deal: TrickDeal, move: Move) -> None:
        card = move.cards[0]
        bit = 1 << card
        seat: int = deal.turn  # type: ignore[assignment]
        t = deal.table
        deal.hands[seat] ^= bit
        deal.trick.append(card)
        t.trick |= bit
        if t.leading:
            t.leading = False
            t.led = SUIT_MASKS[card >> 4]
        if deal.logging:
            deal.events.append(Event("Played", "", {"seat": Seat(seat), "card": card}))
        if len(deal.trick) < deal.players:
            deal.turn = (seat + 1) % deal.players
        else:
            self._take(deal)

    def _take(self, deal: TrickDeal) -> None:
        t = deal.table
        best = self.best(deal)
        winner = (deal.leader + deal.trick.index(best)) % deal.players
        cards = t.trick
        deal.taken[winner] |= cards
        deal.last_trick, deal.last_leader, deal.winner = deal.trick, deal.leader, winner
        if deal.logging:
            facts = {"seat": Seat(winner), "card": best, "led": deal.trick[0].suit}
            facts |= {"cards": Hand(cards), "number": t.number}
            deal.events.append(Event("TrickWon", deciding(self.winners, t).rule, facts))
        deal.trick, t.trick, t.number = [], 0, t.number + 1
        deal.trick_taken(winner, cards)


class TrickDeal(Deal):
    """A deal whose heart is tricks.

    Besides what every deal has: `trick` (cards on the table in order), `leader`, `taken` (masks by seat), `table` (the
    rules' view, with the number of the trick), and of the last complete trick `last_trick`, `last_leader`, `winner`.
    A game says in `tricks` the phase with its chain, in `score_rules` what counts, in `trick_taken` what follows a
    trick; `lead` starts the next one.
    """

    position_keys: ClassVar[frozenset[str]] = frozenset({"leader", "trick", "trick_number", "last_trick", "taken"})
    tricks: Tricks
    score_rules: Sequence[ScoreRule]
    pack: int = PACK

    def setup(self, dealt: Mapping[str, Any]) -> None:
        self.trick: list[Card] = []
        self.leader = self.eldest
        self.taken = [0] * self.players
        self.table = Table(taken=self.taken, ended=False)
        self.last_trick: list[Card] = []
        self.last_leader = 0
        self.winner: int | None = None
        self.ends_here: bool | None = None
        self.hands = read_hands(dealt.get("hands"), self.players)
        if "position" in dealt:
            self.place(dealt["position"])

    def copy(self) -> Any:
        twin = super().copy()
        twin.table.taken = twin.taken
        return twin

    # -- positions

    def place(self, position: object) -> None:
        """Take the shared keys of a position; `BadInput` names the key."""
        if not isinstance(position, Mapping):
            raise BadInput("position", f"position is not an object: {position!r}", key="position")
        for key in position:
            if key not in self.position_keys:
                raise BadInput("position-key", f"unknown key in position: {key!r}", key=str(key))
        self.leader = _whole(position, "leader", range(self.players))
        trick = read_cards("trick", position.get("trick", ""))
        self.trick = [Card.parse(word) for word in position.get("trick", "").split()]
        if len(self.trick) >= self.players:
            raise BadInput("position-key", f"trick holds {len(self.trick)} cards, at most {self.players - 1}", key="trick")
        taken = position.get("taken", [""] * self.players)
        if not isinstance(taken, list | tuple) or len(taken) != self.players:
            raise BadInput("position-key", f"taken must be {self.players} strings of cards", key="taken")
        self.taken[:] = [read_cards("taken", cards) for cards in taken]
        disjoint([*self.hands, *self.taken, trick], self.pack)
        self._check_sizes()
        count = sum(mask.bit_count() for mask in self.taken)
        default = max(2, count // self.players + 1) if count else 1
        self.table.number = _whole(position, "trick_number", range(1, 100), default)
        self.ends_here = _truth(position, "last_trick")
        self.table.trick = trick
        if self.trick:
            self.table.leading = False
            self.table.led = self.trick[0].suit.mask

    def _check_sizes(self) -> None:
        """All hands of one size, one card fewer for those who have played to the trick."""
        sizes = [hand.bit_count() for hand in self.hands]
        for i in range(len(self.trick)):
            sizes[(self.leader + i) % self.players] += 1
        if len(set(sizes)) != 1 or not sizes[0]:
            raise BadInput("hands", "hands of unequal size, allowing for the cards in the trick", key="hands")

    # -- the flow

    def lead(self, seat: int) -> None:
        """`seat` leads to the next trick."""
        t = self.table
        self.leader = self.turn = seat
        self.phase = self.tricks
        t.leading, t.led = True, ALL

    def go_on(self) -> None:
        """Continue a trick of a position."""
        self.turn = (self.leader + len(self.trick)) % self.players
        self.phase = self.tricks

    @property
    def hands_empty(self) -> bool:
        return not any(self.hands)

    def trick_taken(self, winner: int, cards: int) -> None:
        """What follows a trick: the next lead, or the end."""
        raise NotImplementedError

    def stop(self) -> None:
        """No more moves."""
        self.turn = None
        self.phase = None

    def finish(self) -> None:
        """The deal is over and scored."""
        self.stop()
        self.finished = self.table.ended = True
        for line in self.score_lines() if self.logging else ():
            self.log("Scored", line.rule, **line.facts)
        self.events += self.settled.events if self.logging else ()

    # -- the score

    def score_lines(self) -> list[ScoreLine]:
        return self.lines_of(self.table)

    def lines_of(self, t: Table) -> list[ScoreLine]:
        return [
            ScoreLine(side, rule.points(t, side), rule.rule, t.taken[side] & rule.cards)
            for side in range(self.game.sides(self.players))
            for rule in self.score_rules
            if rule.shown(t, side)
        ]

    def unseen(self, seat: int) -> list[int]:
        """Cards that lie face down among the cards taken, hidden from `seat`, by the seat that took them."""
        return [0] * self.players

    def seen_lines(self, seat: int) -> list[ScoreLine]:
        """The score lines of the cards that `seat` has seen."""
        if self.over:
            return self.score_lines()
        t = self.table.copy()
        t.taken = [taken & (ALL ^ hidden) for taken, hidden in zip(self.taken, self.unseen(seat), strict=True)]
        return self.lines_of(t)

    def view(self, seat: int) -> TrickView:
        return TrickView(self, seat)


class TrickView(View):
    """What a seat sees of a deal with tricks: also the trick, and the cards taken that have been seen."""

    _deal: TrickDeal

    @property
    def trick(self) -> tuple[Card, ...]:
        """The cards of the current trick, from the leader."""
        return tuple(self._deal.trick)

    @property
    def leader(self) -> int:
        return self._deal.leader

    @property
    def number(self) -> int:
        """The number of the current trick, from 1."""
        return int(self._deal.table.number)

    @property
    def led(self) -> Suit | None:
        return self._deal.trick[0].suit if self._deal.trick else None

    @property
    def best(self) -> Card | None:
        """The card that wins the trick as it lies."""
        return self._deal.tricks.best(self._deal) if self._deal.trick else None

    @property
    def taken(self) -> list[Hand]:
        """The cards each seat has taken, as far as this seat has seen them."""
        hidden = self._deal.unseen(self.seat) if not self.over else [0] * self.players
        return [Hand(mask & (ALL ^ unseen)) for mask, unseen in zip(self._deal.taken, hidden, strict=True)]

    @property
    def table(self) -> Table:
        """The rules' view of the table with this seat's own hand, for preferences; without what is hidden."""
        t = self._deal.table.copy()
        t.hand = int(self.hand)
        t.taken = [int(mask) for mask in self.taken]
        return t


def _whole(position: Mapping[str, Any], key: str, allowed: range, default: int | None = None) -> int:
    value = position.get(key, default)
    if type(value) is not int or value not in allowed:
        raise BadInput("position-key", f"{key} of the position cannot be {value!r}", key=key)
    return value


def _truth(position: Mapping[str, Any], key: str) -> bool | None:
    value = position.get(key)
    if value is not None and type(value) is not bool:
        raise BadInput("position-key", f"{key} of the position cannot be {value!r}", key=key)
    return value
