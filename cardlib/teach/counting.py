"""Exercises on counting: what cards score, what they are worth where that is not yet the score, and what their total
comes to."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar

from cardlib.cards import HEARTS, PACK, Card, Hand, Seat, Side, by_rank, cards_of
from cardlib.deal import ScoreLine, sums
from cardlib.deal import deal as dealt
from cardlib.errors import BadInput
from cardlib.options import Variant
from cardlib.seeds import Random
from cardlib.teach.exercises import (
    TRIES,
    Exercise,
    Reply,
    Task,
    Verdict,
)
from cardlib.teach.voice import Voice

# ------------------------------------------------------------------------------------------------------- count_points


@dataclass(frozen=True)
class count_points(Exercise):  # noqa: N801
    """Write down what each player scores for the cards he has `taken`, your own first; at the end of a deal."""

    taken: tuple[str, ...]

    def task(self, reader: Variant) -> CountPoints:
        return CountPoints(self.variant(reader), [Hand.parse(cards) for cards in self.taken])

    def another(self, reader: Variant, rules: Sequence[str], taught: frozenset[str], random: Random) -> Exercise:
        shown = Hand.of(card for cards in self.taken for card in Hand.parse(cards))
        piles: list[list[Card]] = [[] for _ in range(self.players)]
        moon = any("moon" in rule or "sun" in rule for rule in rules)
        taker = random.below(self.players)
        for card in random.shuffled(list(shown)):
            piles[taker if moon else random.below(self.players)].append(card)
        if moon and random.below(2):  # half of the time one card is missing
            piles[(taker + 1) % self.players].append(piles[taker].pop())
        return replace(self, taken=tuple(str(Hand.of(pile)) for pile in piles))


class CountPoints(Task):
    ask = "number"
    #: What its messages are called: `ask KIND`, `reply KIND right`, `hint KIND 1` …
    kind: ClassVar[str] = "points"

    def __init__(self, variant: Variant, taken: Sequence[Hand]) -> None:
        self.variant = variant
        self.taken = list(taken)
        self.deal = ended(variant, self.taken)
        self.scores = self.deal.scores()

    def prompt(self) -> tuple[str, dict[str, Any]]:
        return f"ask {self.kind}", {}

    def scene(self, voice: Voice) -> dict[str, Any]:
        fields = [
            {"id": str(seat), "label": voice.labels[seat], "cards": voice.faces(cards), "value": "", "mark": ""}
            for seat, cards in enumerate(self.taken)
        ]
        return {"fields": fields}

    def solution(self) -> dict[str, str]:
        return {str(seat): str(score) for seat, score in enumerate(self.scores)}

    def outcomes(self) -> Iterator[tuple[str, Reply]]:
        for seat, score in enumerate(self.scores):
            yield str(seat), self._wrong(seat, score + 1, "off")
            yield str(seat), self._wrong(seat, score + 1, "wrong")

    def short(self, voice: Voice) -> str:
        return " : ".join(voice.points(score) for score in self.scores)

    def _wrong(self, seat: int, given: int, kind: str) -> Reply:
        facts = {"side": self.side(seat), "given": given, "right": self.scores[seat]}
        return Reply("warn", f"reply {self.kind} {kind}", "", facts)

    def check(self, answer: object, tries: int = 9) -> Verdict:
        given = {side: number_in(answer, side) for side in range(len(self.scores))}
        wrong = [seat for seat, number in given.items() if number != self.scores[seat]]
        marks = {str(seat): "wrong" if seat in wrong else "right" for seat in given}
        lines = self.lines()
        if not wrong:
            right = Reply("good", f"reply {self.kind} right", "", {"total": sum(self.scores)})
            return Verdict(True, [right], marks, lines)
        kind = "wrong" if tries else "off"
        replies = [self._wrong(seat, given[seat], kind) for seat in wrong[:2]]
        return Verdict(False, replies, marks, [line for line in lines if line.side in wrong] if tries else [])

    def lines(self) -> list[ScoreLine]:
        """Where the numbers come from."""
        return list(self.deal.score_lines())

    def hint(self) -> tuple[str, dict[str, Any]]:
        most = max(range(len(self.scores)), key=lambda seat: abs(self.scores[seat]))
        return self.kind, {"side": self.side(most), "points": self.scores[most]}

    def side(self, number: int) -> Seat | Side | str:
        """A side as the fact of a sentence (or the word for something else that has a number)."""
        return self.variant.game.side_names(self.variant.players)[number]

    def spoken(self, voice: Voice) -> str:
        said = [f"{line['who']}: {line['label']} = {line['points']}" for line in voice.lines(self.lines())]
        return "; ".join(said)


def number_in(answer: object, seat: int) -> int:
    text = answer.get(str(seat)) if isinstance(answer, dict) else None
    if not isinstance(text, str):
        raise BadInput("message", f"no number for seat {seat}", message=str(answer)[:40])
    word = text.strip().replace("−", "-").replace("＋", "+").removeprefix("+")
    if not word.removeprefix("-").isdecimal() or len(word) > 5:
        raise BadInput("number", f"not a number: {text!r}", number=text)
    return int(word)


def ended(variant: Variant, taken: Sequence[Hand]) -> Any:
    """A finished deal in which each side has taken these cards; a last trick without penalty cards goes to the side
    that has taken most."""
    players = variant.players
    biggest = max(range(players), key=lambda seat: len(taken[seat]))
    free = variant.game.deal.pack_of(variant) & (sum(taken) ^ PACK) & (PACK ^ HEARTS ^ Hand.parse("QS"))
    suit = next(s for s in (3, 2, 0) if len(Hand(free & PACK & 0x7FFC << 16 * s)) >= players)
    cards = by_rank(Hand(free & 0x7FFC << 16 * suit))[-players:]
    hands = {(biggest + 1 + i) % players: str(card) for i, card in enumerate(cards)}
    where = {"leader": biggest, "trick_number": 13, "last_trick": True, "taken": [str(cards) for cards in taken]}
    moves = [hands[(biggest + i) % players] for i in range(players)]
    record = {"game": variant.game.id, "players": players, "options": variant.options.changed(), "position": where}
    deal: Any = variant.game.deal.from_record(record | {"hands": [hands[seat] for seat in range(players)]})
    for move in moves:
        if deal.phase.name == "annul":
            deal.play("play-on")
        deal.play(move)
    if not deal.over:  # the shooter chooses
        deal.play("moon others")
    return deal


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
            points = moved(self.points, random)
            fresh = replace(
                self,
                points=tuple(points[seat] for seat in seats),
                tricks=tuple(self.tricks[seat] for seat in seats),
                bonus_used=tuple(self.bonus_used[seat] for seat in seats) if self.bonus_used else (),
            )
            if min(points) >= 0 and fresh != self and WriteDown(variant, fresh).kinds() == wanted:
                return fresh
        return self


def moved(points: Sequence[int], random: Random) -> list[int]:
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
