"""Exercises on passing cards: who gets them, and which to pass."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from cardlib.cards import Hand, Seat
from cardlib.deal import Move
from cardlib.deal import deal as dealt
from cardlib.options import Variant
from cardlib.phases.exchange import STEPS
from cardlib.play.bots import simple
from cardlib.seeds import Random
from cardlib.teach.exercises import (
    Choosing,
    Exercise,
    Reply,
    Task,
    Verdict,
    cards_in,
    refused,
    told_of,
)
from cardlib.teach.positions import ME
from cardlib.teach.voice import Voice

# ----------------------------------------------------------------------------------------------------------- who_gets


@dataclass(frozen=True)
class who_gets(Exercise):  # noqa: N801
    """Say who gets the cards you pass in deal number `deal` (from 0) of a match."""

    deal: int = 0

    def task(self, reader: Variant) -> WhoGets:
        return WhoGets(self.variant(reader), self.deal)

    def another(self, reader: Variant, rules: Sequence[str], taught: frozenset[str], random: Random) -> Exercise:
        return replace(self, deal=(self.deal + 1 + random.below(6)) % 9)


class WhoGets(Choosing):
    def __init__(self, variant: Variant, number: int) -> None:
        self.variant = variant
        self.number = number
        deal = dealt(variant, match={"deal": number})
        phase, self.rules = deal.phase, deal.pass_rules
        self.direction = getattr(phase, "direction", "none")
        receivers = phase.receivers(variant.players, ME) if self.direction != "none" else []
        self.right = frozenset(map(str, receivers)) or frozenset(["pool" if self.direction == "smoosh" else "nobody"])
        self.multiple = len(receivers) > 1

    def prompt(self) -> tuple[str, dict[str, Any]]:
        return "ask receiver", {"deal": self.number + 1, "count": self.variant.options.pass_count}

    def ids(self) -> list[str]:
        pool = ["pool"] if self.direction == "smoosh" else []
        return [*(str(seat) for seat in range(self.variant.players) if seat != ME), *pool, "nobody"]

    def choices(self, voice: Voice) -> list[tuple[str, str]]:
        return [(id, voice.labels[int(id)] if id.isdigit() else voice.say(f"choice {id}")) for id in self.ids()]

    def notes(self, voice: Voice) -> dict[str, str]:
        """Where the neighbours sit."""
        places = {(ME + step) % self.variant.players: name for name, step in STEPS.items() if name in ("left", "right")}
        places |= {(ME + 2) % 4: "across"} if self.variant.players == 4 else {}
        return {str(seat): voice.say(f"seat {place}") for seat, place in places.items()}

    def replies(self, given: frozenset[str]) -> list[Reply]:
        right = given == self.right
        tone, rule = "good" if right else "warn", self.rules["cycle"]
        facts: dict[str, Any] = {"deal": self.number + 1, "direction": self.direction}
        if self.direction in ("scatter", "smoosh"):
            opening = Reply(tone, "reply right" if right else "reply almost")
            return [opening, Reply("note", f"reply receiver {self.direction}", self.rules[self.direction], facts)]
        if self.direction == "none":
            return [Reply(tone, f"reply receiver {'right' if right else 'wrong'} none", rule, facts)]
        if right:
            return [Reply(tone, "reply receiver right", rule, facts | {"seat": Seat(int(min(self.right)))})]
        if given == {"nobody"}:
            return [Reply(tone, "reply receiver some", rule, facts)]
        wrong = min(given - self.right - {"nobody"})
        return [Reply(tone, "reply receiver wrong", rule, facts | {"given": Seat(int(wrong))})]

    def hint(self) -> tuple[str, dict[str, Any]]:
        return "receiver", {"deal": self.number + 1, "direction": self.direction}

    def hints(self) -> list[Reply]:
        two = super().hints()[:2]
        if self.direction in STEPS:
            return [*two, Reply("note", "hint receiver 3", "", {"seat": Seat(int(min(self.right)))})]
        return [*two, Reply("note", "hint receiver 3 none")] if self.direction == "none" else two


# --------------------------------------------------------------------------------------------------------- pass_cards


@dataclass(frozen=True)
class pass_cards(Exercise):  # noqa: N801
    """Choose the cards you pass, from the hand of a dealt deal, and see what you are passed."""

    seed: int = 1
    deal: int = 0

    def task(self, reader: Variant) -> PassCards:
        return PassCards(self.variant(reader), self.seed, self.deal)

    def another(self, reader: Variant, rules: Sequence[str], taught: frozenset[str], random: Random) -> Exercise:
        return replace(self, seed=random.below(1_000_000))


class PassCards(Task):
    ask = "give"

    def __init__(self, variant: Variant, seed: int, number: int) -> None:
        self.variant = variant
        cycle = variant.options.directions(variant.players)
        while cycle[number % len(cycle)] == "none" and set(cycle) != {"none"}:
            number += 1
        self.deal = dealt(variant, seed=seed, match={"deal": number}, dealer=variant.players - 1)
        self.count = variant.options.pass_count
        self.after: Any = None

    def prompt(self) -> tuple[str, dict[str, Any]]:
        direction = self.deal.direction
        if self.after:
            return "prompt received", {"cards": self.got}
        if direction in STEPS:
            return "ask give", {"count": self.count, "to": self.to}
        return f"prompt pass {direction}", {"count": self.count}

    @property
    def to(self) -> Seat:
        return Seat((ME + STEPS.get(self.deal.direction, 0)) % self.variant.players)

    def scene(self, voice: Voice) -> dict[str, Any]:
        shown = self.after or self.deal
        hand = [voice.face(card, new=card in self.got) for card in Hand(shown.hands[ME])]
        return {"hand": hand, "count": self.count}

    @property
    def got(self) -> Hand:
        """The cards the learner has been passed."""
        return Hand.of(card for event in self._received() for card in event.facts["cards"])

    def _received(self) -> list[Any]:
        events = self.after.events if self.after else []
        return [event for event in events if event.kind == "Received" and event.facts["seat"] == ME]

    def solution(self) -> list[str]:
        return [str(card) for card in simple(self.deal.view(ME)).move.cards]

    def outcomes(self) -> Iterator[tuple[str, Reply]]:
        held = [str(card) for card in Hand(self.deal.hands[ME])]
        for size in (self.count - 1, self.count, self.count + 1):
            yield f"{size}", self.check(held[:size]).replies[0]
        self.take_back()

    def check(self, answer: object, tries: int = 9) -> Verdict:
        cards = cards_in(answer, self.deal.hands[ME])
        move = Move("give", tuple(cards))
        refusal = self.deal.refusal(move)
        if refusal:
            return Verdict(False, [refused(refusal)])
        self.after = self.deal.copy()
        self.after.play(move)
        while self.after.phase and self.after.phase.name == "pass":
            self.after.play(simple(self.after.view(self.after.turn)).move)
        blind = self.deal.pass_rules["blind"]
        done = Reply("good", "reply right", blind)
        if self.deal.direction in STEPS:
            done = Reply("good", "reply give right", blind, {"cards": Hand.of(cards), "to": self.to})
        return Verdict(True, [done, *(told_of(event) for event in self._received())])

    def hint(self) -> tuple[str, dict[str, Any]]:
        return "give", {"do": Hand.parse(" ".join(self.solution()))}

    def take_back(self) -> None:
        self.after = None
