"""Counting exercises where the points of the cards are not yet the score: what cards are worth, and what their total
comes to."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from cardlib.cards import Hand, Seat, cards_of
from cardlib.deal import ScoreLine, sums
from cardlib.deal import deal as dealt
from cardlib.options import Variant
from cardlib.seeds import Random
from cardlib.teach.exercises import TRIES, CountPoints, Ending, Exercise, Task
from cardlib.teach.voice import Voice

# ------------------------------------------------------------------------------------------------------------ add_up


@dataclass(frozen=True)
class add_up(Exercise):  # noqa: N801
    """Add up what the cards are worth that each player has `taken`, your own first; seat `last` has taken the last
    trick."""

    taken: tuple[str, ...]
    last: int | None = None

    def task(self, reader: Variant) -> Task:
        return AddUp(self.variant(reader), [Hand.parse(cards) for cards in self.taken], self.last)

    def another(self, reader: Variant, rules: Sequence[str], taught: frozenset[str], random: Random) -> Exercise:
        variant = self.variant(reader)
        cards = iter(random.shuffled(list(cards_of(variant.game.deal.pack_of(variant)))))
        sizes = [len(some.split()) for some in self.taken]
        return replace(self, taken=tuple(str(Hand.of(next(cards) for _ in range(size))) for size in sizes))


class AddUp(CountPoints):
    kind = "total"

    def __init__(self, variant: Variant, taken: Sequence[Hand], last: int | None) -> None:
        self.variant = variant
        self.taken = list(taken)
        self.last = last
        deal = dealt(variant)
        deal.taken[:] = map(int, taken)
        deal.table.last = tuple(seat == last for seat in range(variant.players))
        self._lines: list[ScoreLine] = deal.counted_lines()
        self.scores = sums(self._lines, variant.players)

    def prompt(self) -> tuple[str, dict[str, Any]]:
        return ("ask total", {}) if self.last is None else ("ask total last", {"seat": Seat(self.last)})

    def lines(self) -> list[ScoreLine]:
        return self._lines


# -------------------------------------------------------------------------------------------------------- write_down


@dataclass(frozen=True)
class write_down(Exercise):  # noqa: N801
    """Write down the scores of a finished deal from the `points` and `tricks` of each player, your own first;
    `bonus_used`: who has had the bonus before."""

    points: tuple[int, ...]
    tricks: tuple[int, ...]
    bonus_used: tuple[bool, ...] = ()

    def task(self, reader: Variant) -> Task:
        return WriteDown(self.variant(reader), self)

    def another(self, reader: Variant, rules: Sequence[str], taught: frozenset[str], random: Random) -> Exercise:
        """Other totals with the same kinds of scores among them; equal ones stay equal."""
        variant = self.variant(reader)
        wanted = WriteDown(variant, self).kinds()
        for _ in range(TRIES):
            seats = random.shuffled(list(range(self.players)))
            points = _moved(self.points, random)
            fresh = replace(
                self,
                points=tuple(points[seat] for seat in seats),
                tricks=tuple(self.tricks[seat] for seat in seats),
                bonus_used=tuple(self.bonus_used[seat] for seat in seats) if self.bonus_used else (),
            )
            if min(points) >= 0 and fresh != self and WriteDown(variant, fresh).kinds() == wanted:
                return fresh
        return self


def _moved(points: Sequence[int], random: Random) -> list[int]:
    """The points with some of them moved from one player to another; who has as many as another keeps as many, and who
    has none gets none."""
    moved = list(points)
    kinds = sorted(set(points) - {0})
    for _ in range(3):
        more, less = (kinds[random.below(len(kinds))] for _ in range(2))
        many, few = points.count(more), points.count(less)
        step = random.below(5) if more != less else 0
        for seat, before in enumerate(points):
            moved[seat] += step * few * (before == more) - step * many * (before == less)
    return moved


class WriteDown(CountPoints):
    kind = "write"

    def __init__(self, variant: Variant, about: write_down) -> None:
        self.variant = variant
        self.about = about
        used = {"bonus_used": list(about.bonus_used)} if about.bonus_used else {}
        self.match = variant.game.context_of(used, variant)
        kinds: Any = variant.game.deal
        self._lines = kinds.written_down(variant, self.match, points=about.points, tricks=about.tricks)
        self.scores = sums(self._lines, variant.players)

    def kinds(self) -> list[str]:
        """The rules that give the scores, sorted."""
        return sorted(line.rule for line in self._lines)

    def lines(self) -> list[ScoreLine]:
        return list(self._lines)

    def scene(self, voice: Voice) -> dict[str, Any]:
        return {"fields": [self._field(voice, seat) for seat in range(self.variant.players)]}

    def _field(self, voice: Voice, seat: int) -> dict[str, Any]:
        used = self.match.bonus_used[seat]
        facts = {"total": self.about.points[seat], "count": self.about.tricks[seat]}
        label = voice.say("field total used" if used else "field total", who=voice.labels[seat], **facts)
        return {"id": str(seat), "label": label, "value": "", "mark": ""}


# ------------------------------------------------------------------------------------------------------- how_it_ends


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
            points = _moved(self.points, random)
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
