"""Exercises on the end of a match: whether it is over after a deal, and who has won."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import gcd
from typing import Any

from cardlib.cards import Seat
from cardlib.deal import Settled
from cardlib.errors import BadInput
from cardlib.options import Variant
from cardlib.seeds import Random
from cardlib.teach.counting import moved
from cardlib.teach.exercises import (
    TRIES,
    Choosing,
    Exercise,
    Reply,
    Task,
    told_of,
)
from cardlib.teach.voice import Voice


class Ending(Choosing):
    """Whether the game is over, and who has won: `settled` says so."""

    multiple = True
    settled: Settled

    def decide(self) -> None:
        """The right answer follows from `settled`."""
        winners = self.settled.result
        self.right = frozenset(["goes-on"]) if winners is None else frozenset(map(str, winners))

    def ids(self) -> list[str]:
        return ["goes-on", *map(str, range(self.variant.players))]

    def replies(self, given: frozenset[str]) -> list[Reply]:
        right = given == self.right
        opening = Reply("good", "reply right") if right else Reply("warn", "reply almost")
        return [opening, *(told_of(event) for event in self.settled.events)]

    def hints(self) -> list[Reply]:
        winners = [Seat(seat) for seat in self.settled.result or ()]
        if not winners:
            return [*super().hints()[:2], Reply("note", "hint winners 3 goes on")]
        return [*super().hints()[:2], Reply("note", "hint winners 3", "", {"sides": winners, "count": len(winners)})]


# -------------------------------------------------------------------------------------------------------- who_has_won


@dataclass(frozen=True)
class who_has_won(Exercise):  # noqa: N801
    """Say whether the game is over after a deal, and who has won: `totals` before it and its `scores`, yours first."""

    totals: tuple[int, ...]
    scores: tuple[int, ...]
    deal: int = 6

    def task(self, reader: Variant) -> WhoHasWon:
        return WhoHasWon(self.variant(reader), self)

    def another(self, reader: Variant, rules: Sequence[str], taught: frozenset[str], random: Random) -> Exercise:
        limit = reader.options.end_score
        high = random.below(self.players)
        reach = limit - 2 + random.below(4)  # just short of the limit, on it, or just past it
        tie = random.below(3) == 0
        low = max(0, limit // 2 - random.below(10))
        scores = [random.below(6) for _ in range(self.players)]
        scores[high] = 26 - sum(scores[:high] + scores[high + 1 :])
        after = [low if tie else low + 3 * seat + random.below(3) for seat in range(self.players)]
        after[high] = reach
        totals = tuple(total - score for total, score in zip(after, scores, strict=True))
        return replace(self, totals=totals, scores=tuple(scores))


class WhoHasWon(Ending):
    def __init__(self, variant: Variant, about: who_has_won) -> None:
        self.variant = variant
        self.about = about
        context = variant.game.context.parse({"deal": about.deal, "totals": list(about.totals)}, variant.players)
        self.settled = variant.game.settle(variant, context, about.scores)
        self.decide()

    def prompt(self) -> tuple[str, dict[str, Any]]:
        return "ask winners", {}

    def choices(self, voice: Voice) -> list[tuple[str, str]]:
        after = [total + score for total, score in zip(self.about.totals, self.about.scores, strict=True)]
        return [("goes-on", voice.say("choice goes on"))] + [
            (str(seat), voice.say("choice total", seat=Seat(seat), total=after[seat], before=self.about.totals[seat]))
            for seat in range(self.variant.players)
        ]

    def hint(self) -> tuple[str, dict[str, Any]]:
        return "winners", {"limit": self.variant.options.end_score}


# -------------------------------------------------------------------------------------------------------- how_it_ends


@dataclass(frozen=True)
class how_it_ends(Exercise):  # noqa: N801
    """Say whether the game is over after a deal, and who has won: what stood on the score sheet before it, and the
    `points` and `tricks` of the deal, yours first."""

    totals: tuple[int, ...]
    marks: tuple[int, ...]
    points: tuple[int, ...]
    tricks: tuple[int, ...]

    def task(self, reader: Variant) -> HowItEnds:
        return HowItEnds(self.variant(reader), self)

    def another(self, reader: Variant, rules: Sequence[str], taught: frozenset[str], random: Random) -> Exercise:
        """Other numbers with which the game ends, or goes on, for the same reasons."""
        wanted, limit = self.task(reader).reasons(), self.variant(reader).options.strikes_to_end
        for _ in range(TRIES):
            points = moved(self.points, random)
            if min(points) < 0:
                continue
            totals = tuple(5 * random.below(30) for _ in range(self.players))
            marks = tuple(random.below(limit) for _ in range(self.players))
            fresh = replace(self, totals=totals, marks=marks, points=tuple(points))
            if fresh.task(reader).reasons() == wanted:
                return fresh
        return self


class HowItEnds(Ending):
    def __init__(self, variant: Variant, about: how_it_ends) -> None:
        self.variant = variant
        self.about = about
        given = {"deal": 5, "totals": list(about.totals), "marks": list(about.marks)}
        self.before = variant.game.context_of(given, variant)
        self.settled = variant.game.settle(variant, self.before, about.points, about.tricks)
        self.decide()

    def reasons(self) -> set[str]:
        """The rules that say how it goes on."""
        return {event.kind + event.rule for event in self.settled.events}

    def prompt(self) -> tuple[str, dict[str, Any]]:
        return "ask ends", {}

    def choices(self, voice: Voice) -> list[tuple[str, str]]:
        made = [("goes-on", voice.say("choice goes on"))]
        for seat in range(self.variant.players):
            facts = {"total": self.before.totals[seat], "marks": self.before.marks[seat]}
            facts |= {"points": self.about.points[seat], "count": self.about.tricks[seat]}
            made.append((str(seat), voice.say("choice ends", seat=Seat(seat), **facts)))
        return made

    def hint(self) -> tuple[str, dict[str, Any]]:
        return "ends", {"limit": self.variant.options.strikes_to_end}


# --------------------------------------------------------------------------------------------------------- match_ends


@dataclass(frozen=True)
class match_ends(Exercise):  # noqa: N801
    """Say whether the game is over and which side has won: `totals` before the deal and its `scores`, yours first;
    `deal` is its number (from 0), where a match has a fixed number of deals, `match` what else stood on the sheet."""

    totals: tuple[int, ...]
    scores: tuple[int, ...]
    deal: int | None = None
    match: Mapping[str, Any] = field(default_factory=dict)

    def task(self, reader: Variant) -> MatchEnds:
        return MatchEnds(self.variant(reader), self)

    def another(self, reader: Variant, rules: Sequence[str], taught: frozenset[str], random: Random) -> Exercise:
        """Other numbers."""
        for _ in range(TRIES):
            fresh = self._other(random)
            try:
                fresh.task(reader)
            except BadInput:
                continue
            if fresh != self:
                return fresh
        return self

    def _other(self, random: Random) -> match_ends:
        """What one side wins the other may lose, sometimes a deal earlier; else numbers a little higher or lower, which
        sometimes come to the same."""
        if self.deal is not None and len(self.totals) > 2:
            seats = random.shuffled(list(range(len(self.totals))))
            totals, scores = ([numbers[seat] for seat in seats] for numbers in (self.totals, self.scores))
            return replace(self, totals=tuple(totals), scores=tuple(scores), deal=self.deal + random.below(3) - 1)
        if self.deal is not None:
            total, score = (5 * (random.below(17) - 8) for _ in range(2))
            return replace(self, totals=(total, -total), scores=(score, -score), deal=self.deal + random.below(3) - 1)
        step = gcd(*self.totals, *self.scores)
        totals, scores = (
            [max(0, n + step * (random.below(5) - 2)) for n in numbers] for numbers in (self.totals, self.scores)
        )
        if random.below(3) == 0:
            totals[1] = max(0, totals[0] + scores[0] - scores[1])
        return replace(self, totals=tuple(totals), scores=tuple(scores))


class MatchEnds(Ending):
    def __init__(self, variant: Variant, about: match_ends) -> None:
        self.variant = variant
        self.about = about
        number = {} if about.deal is None else {"deal": about.deal}
        given = {**number, "totals": list(about.totals), **about.match}
        self.settled = variant.game.settle(variant, variant.game.context_of(given, variant), about.scores)
        #: What can be won, where that is more than the match: a game of it first.
        self.stages = variant.game.context.stages
        self.multiple = not self.stages
        self.decide()

    def decide(self) -> None:
        super().decide()
        if self.stages:
            self.right = frozenset([self._reached()])

    def _reached(self) -> str:
        """The last thing that is decided: a side has won the game or more, both stand equal, or it goes on."""
        won = [event.facts["side"] for event in self.settled.events if event.kind == "Won"]
        if won:
            return f"{self.stages[len(won) - 1]}-{won[-1]}"
        return {"Tie": "tie", "Drawn": "drawn"}.get(self.settled.events[0].kind, "goes-on")

    def prompt(self) -> tuple[str, dict[str, Any]]:
        if self.stages:
            return "ask what follows", {}
        return ("ask winners", {}) if self.about.deal is None else ("ask winners deal", {"deal": self.about.deal + 1})

    def ids(self) -> list[str]:
        sides = range(len(self.about.totals))
        if self.stages:
            return ["goes-on", "tie", "drawn", *(f"{stage}-{side}" for stage in self.stages for side in sides)]
        return ["goes-on", *map(str, sides)]

    def choices(self, voice: Voice) -> list[tuple[str, str]]:
        labels = {"goes-on": voice.say("choice goes on"), "tie": voice.say("choice tie")}
        labels["drawn"] = voice.say("choice drawn")
        for number, side in enumerate(voice.sides):
            labels[str(number)] = voice.side(number)
            labels |= {f"{stage}-{number}": voice.say(f"choice {stage}", side=side) for stage in self.stages}
        return [(id, labels[id]) for id in self.ids()]

    def scene(self, voice: Voice) -> dict[str, Any]:
        shown = {"totals": self.about.totals, **self.about.match, "scores": self.about.scores}
        rows = [{"label": voice.say(f"given {key}"), "text": voice.by_side(numbers)} for key, numbers in shown.items()]
        return super().scene(voice) | {"rows": rows}

    def hint(self) -> tuple[str, dict[str, Any]]:
        after = [total + score for total, score in zip(self.about.totals, self.about.scores, strict=True)]
        return ("follows", {"mine": after[0], "other": after[1]}) if self.stages else ("winners", {})

    def hints(self) -> list[Reply]:
        return Task.hints(self) if self.stages else super().hints()
