"""Exercises on what follows from a complete trick: who leads next, and which side has it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from cardlib.cards import Card, Seat, parse_cards
from cardlib.options import Variant
from cardlib.seeds import Random
from cardlib.teach.exercises import TRIES, Choosing, Exercise, Reply, WhoWins, _drawn
from cardlib.teach.positions import ME
from cardlib.teach.voice import Voice


@dataclass(frozen=True)
class _AfterTrick(Exercise):
    """A question about a complete `trick`; you have played its last card."""

    trick: str
    trump: str = ""

    def task(self, reader: Variant) -> AfterTrick:
        raise NotImplementedError

    def another(self, reader: Variant, rules: Sequence[str], taught: frozenset[str], random: Random) -> Exercise:
        """Other cards, won in the same way."""
        wanted, cards = self.task(reader).trap(), parse_cards(self.trick)
        for _ in range(TRIES):
            fresh = replace(self, trick=" ".join(map(str, _drawn(self.variant(reader), cards, random))))
            if fresh != self and fresh.task(reader).trap() == wanted:
                return fresh
        return self


class AfterTrick(Choosing):
    """The task: `winner` has taken the trick with the card `best`."""

    def __init__(self, variant: Variant, trick: Sequence[Card], trump: str) -> None:
        self.variant = variant
        self.asked = WhoWins(variant, trick, trump)
        self.won = self.asked.won
        self.winner: Seat = self.won.facts["seat"]
        self.right = frozenset([self.answer()])

    def answer(self) -> str:
        """The id of the right choice."""
        raise NotImplementedError

    def trap(self) -> tuple[object, ...]:
        """What makes it easy or hard."""
        return (*self.asked.trap(), self.winner == self.asked.leader)

    def scene(self, voice: Voice) -> dict[str, Any]:
        return super().scene(voice) | self.asked.scene(voice)

    def hint(self) -> tuple[str, dict[str, Any]]:
        return "taker", self.won.facts


# --------------------------------------------------------------------------------------------------------- who_leads


@dataclass(frozen=True)
class who_leads(_AfterTrick):  # noqa: N801
    """Say who leads to the trick after this one."""

    def task(self, reader: Variant) -> WhoLeads:
        return WhoLeads(self.variant(reader), parse_cards(self.trick), self.trump)


class WhoLeads(AfterTrick):
    def answer(self) -> str:
        return str(self.winner)

    def prompt(self) -> tuple[str, dict[str, Any]]:
        return "ask leads", {}

    def ids(self) -> list[str]:
        return [str((ME + i) % self.variant.players) for i in range(self.variant.players)]

    def choices(self, voice: Voice) -> list[tuple[str, str]]:
        return [(id, voice.labels[int(id)]) for id in self.ids()]

    def replies(self, given: frozenset[str]) -> list[Reply]:
        if given == self.right:
            return [Reply("good", "reply leads right", self.won.rule, self.won.facts)]
        seat = Seat(int(min(given - self.right)))
        kind = "first" if seat == self.asked.leader else "wrong"
        return [Reply("warn", f"reply leads {kind}", self.won.rule, {**self.won.facts, "seat": seat})]


# -------------------------------------------------------------------------------------------------------- which_side


@dataclass(frozen=True)
class which_side(_AfterTrick):  # noqa: N801
    """Say to which side a trick counts."""

    def task(self, reader: Variant) -> WhichSide:
        return WhichSide(self.variant(reader), parse_cards(self.trick), self.trump)


class WhichSide(AfterTrick):
    def answer(self) -> str:
        return str(self.asked.deal.side(self.winner))

    def sides(self) -> dict[str, list[Seat]]:
        """The seats of each side, the learner's first."""
        sides: dict[str, list[Seat]] = {}
        for i in range(self.variant.players):
            seat = Seat((ME + i) % self.variant.players)
            sides.setdefault(str(self.asked.deal.side(seat)), []).append(seat)
        return sides

    def prompt(self) -> tuple[str, dict[str, Any]]:
        return "ask side", {}

    def ids(self) -> list[str]:
        return list(self.sides())

    def choices(self, voice: Voice) -> list[tuple[str, str]]:
        return [(id, voice.say("choice side", sides=seats)) for id, seats in self.sides().items()]

    def replies(self, given: frozenset[str]) -> list[Reply]:
        tone, judged = ("good", "right") if given == self.right else ("warn", "wrong")
        mine = next(iter(self.sides().values()))
        kind = "mine" if self.winner == ME else "partner" if self.winner in mine else "other"
        return [Reply(tone, f"reply side {judged} {kind}", self.won.rule, self.won.facts)]
