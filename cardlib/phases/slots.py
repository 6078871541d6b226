"""Tricks in which nobody sees his own hand: for him it is a row of slots, face down, and he picks one."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Any

from cardlib.cards import Card, Hand
from cardlib.deal import PLAYS, Move, Refusal
from cardlib.phases.tricks import TrickDeal, Tricks, TrickView
from cardlib.rules import Obligation, WinnerClass
from cardlib.seeds import Random


@lru_cache
def slots_of(hands: tuple[str, ...]) -> list[tuple[Card, ...]]:
    """What lies in the slots of each hand, given the hands as a record writes them.

    The order is drawn from the deal itself, all four hands together: so it says nothing about a single card, and a
    record, an undo or a page that is loaded again gives every slot the same card.  It is drawn once; a slot keeps its
    number when others are turned up.
    """
    random = Random(0, "slots " + " / ".join(hands))
    return [tuple(random.shuffled(list(Hand.parse(hand)))) for hand in hands]


class Slots(Tricks):
    """Whose turn it is picks a slot of his hand; the card is turned up as it is played.

    A seat that names one of its cards instead is refused by the rule `hidden` (a record may name it: it is written by
    somebody who sees all).
    """

    def __init__(self, obligations: Iterable[Obligation], winners: Iterable[WinnerClass], hidden: str) -> None:
        super().__init__(obligations, winners)
        self.verbs |= {"slot"}
        self.hidden = hidden

    def slots(self, deal: Any, seat: int) -> tuple[Card, ...]:
        """What lies in the slots of a seat, or was turned up from there."""
        return slots_of(tuple(deal.dealt["hands"]))[seat]

    def canonical(self, deal: Any, move: Move) -> Move:
        """The card of the slot, while it is there."""
        if move.verb != "slot":
            return move
        cards = dict(enumerate(self.slots(deal, deal.turn), 1))
        card = cards.get(int(move.word))
        return move if card is None or not deal.hands[deal.turn] & card.mask else PLAYS[card]

    def refusal(self, deal: TrickDeal, move: Move) -> Refusal | None:
        if move.verb == "slot":
            return Refusal(deal.not_in_hand, {"slot": int(move.word)})
        return super().refusal(deal, move)


class SlotView(TrickView):
    """What a seat sees of such a deal: of its own hand the slots, and it plays by naming one."""

    _deal: Any

    @property
    def slots(self) -> tuple[Card | None, ...]:
        """The cards turned up from the own slots, None for those that lie face down; empty if the hand is open."""
        hand = self._deal.hands[self.seat]
        return tuple(None if hand & card.mask else card for card in self._slots)

    @property
    def _slots(self) -> tuple[Card, ...]:
        tricks = self._deal.tricks
        return tricks.slots(self._deal, self.seat) if isinstance(tricks, Slots) else ()

    @property
    def _picking(self) -> bool:
        return isinstance(self._deal.phase, Slots) and self._deal.turn == self.seat

    def legal(self) -> Sequence[Move]:
        moves = super().legal()
        if not self._picking:
            return moves
        legal = {move.cards[0] for move in moves}
        return tuple(Move("slot", word=str(number)) for number, card in enumerate(self._slots, 1) if card in legal)

    def refusal(self, move: Move | str) -> Refusal | None:
        refusal = super().refusal(move)
        if not self._picking:
            return refusal
        verb, *words = str(move).split()
        if verb not in self._deal.verbs:
            return Refusal(self._deal.phase.hidden)
        if not refusal or verb != "slot":
            return refusal
        # What lies in the slot, and which cards would do, is for the others to see.
        facts = {name: fact for name, fact in refusal.facts.items() if name not in ("card", "do")}
        playable = [int(move.word) for move in self.legal()]
        return Refusal(refusal.rule, facts | {"slot": int(words[0]), "slots": playable})
