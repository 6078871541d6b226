"""Exercises on the score of a deal and on what becomes of the match, for games that are scored by side."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import zip_longest
from typing import Any

from cardlib.cards import JOKER, SUITS, Card, Hand, Suit, parse_cards
from cardlib.errors import BadInput
from cardlib.options import Variant
from cardlib.rules import union
from cardlib.seeds import Random
from cardlib.teach.counting import CountPoints
from cardlib.teach.exercises import TRIES, Exercise, Verdict, told_of, trick_scene
from cardlib.teach.voice import Voice

# ---------------------------------------------------------------------------------------------------------- score_it


@dataclass(frozen=True)
class ScoreIt(Exercise):
    """See `score_it`."""

    trick: str
    last: bool | None
    leader: int
    rest: str
    match: Mapping[str, Any]
    given: Mapping[str, Any] = field(default_factory=dict)

    def task(self, reader: Variant) -> ScoreItTask:
        return ScoreItTask(self.variant(reader), self)

    def another(self, reader: Variant, rules: Sequence[str], taught: frozenset[str], random: Random) -> Exercise:
        """The same kinds of cards in other suits and in another order, other numbers; scored by the same rules."""
        wanted = self.task(reader).pattern()
        for _ in range(TRIES):
            fresh = self._varied(random)
            if fresh == self:
                continue
            try:
                if fresh.task(reader).pattern() == wanted:
                    return fresh
            except BadInput:
                continue
        return self

    def _varied(self, random: Random) -> ScoreIt:
        suits = random.shuffled([0, 1, 2, 3])
        if "trump" in self.given:  # hearts may count more as trumps
            others = iter(random.shuffled([0, 2, 3]))
            suits = [1 if suit == 1 else next(others) for suit in range(4)]

        def other(text: str) -> list[Card]:
            return [card if card == JOKER else Card(16 * suits[card.suit] + card.rank) for card in parse_cards(text)]

        given = dict(self.given)
        for key, value in given.items():
            if key == "trump":
                given[key] = SUITS[suits[SUITS.index(value)]]
            elif isinstance(value, str):
                given[key] = str(Hand.of(other(value)))
            elif key == "taken":
                given[key] = _dealt_anew([other(pile) for pile in value], random)
            elif key == "declared":
                given[key] = [5 * random.below(1 + points // 5) for points in value]
            elif key == "tricks":
                mine = random.below(sum(value) + 1)
                given[key] = [mine, sum(value) - mine]
            elif key == "factor" and isinstance(value, int):
                given[key] = (1, 2, 4)[random.below(3)]
        trick = " ".join(map(str, random.shuffled(other(self.trick))))
        return replace(self, trick=trick, rest=" ".join(map(str, other(self.rest))), given=given)


def _dealt_anew(piles: Sequence[Sequence[Card]], random: Random) -> list[str]:
    """Piles of the same sizes from the same cards."""
    cards = iter(random.shuffled([card for pile in piles for card in pile]))
    return [str(Hand.of(next(cards) for _ in pile)) for pile in piles]


def score_it(
    trick: str,
    *,
    last: bool | None = None,
    leader: int = 0,
    rest: str = "",
    match: Mapping[str, Any] | None = None,
    options: Mapping[str, Any] | None = None,
    players: int = 4,
    **given: Any,
) -> ScoreIt:
    """Write down what each side scores in a deal whose last `trick` is complete (with ``last=False``: so far).

    `leader` has led it, `rest` are cards still held, by seat; `given` are other keys of the record or of its position,
    such as ``cachette="5H 2C …", tricks=[6, 5], factor=2``.
    """
    return ScoreIt(trick, last, leader, rest, match or {}, given, options=options or {}, players=players)


class ScoreItTask(CountPoints):
    def __init__(self, variant: Variant, about: ScoreIt) -> None:
        self.variant = variant
        self.about = about
        self.trick = parse_cards(about.trick)
        if len(self.trick) != variant.players:
            raise BadInput("trick", f"a complete trick has {variant.players} cards", trick=about.trick)
        self.deal = self._played()
        self.scores = self.deal.scores()

    def _played(self) -> Any:
        about, players = self.about, self.variant.players
        held = [""] * players
        for i, (card, other) in enumerate(zip_longest(self.trick, parse_cards(about.rest))):
            held[(about.leader + i) % players] = " ".join(str(one) for one in (card, other) if one is not None)
        kinds = self.variant.game.deal
        where: dict[str, Any] = {"leader": about.leader}
        if "taken" not in about.given:
            where["trick_number"] = max(2, sum(about.given.get("tricks", [1])) + 1)
        if about.last is not None:
            where["last_trick"] = about.last
        record: dict[str, Any] = {"game": self.variant.game.id, "players": players, "hands": held, "position": where}
        record |= {"options": self.variant.options.changed(), "match": dict(about.match)}
        for key, value in about.given.items():
            (record if key in kinds.record_keys else where)[key] = value
        deal: Any = kinds.from_record(record)
        for card in self.trick:
            deal.play(str(card))
        return deal

    def pattern(self) -> tuple[frozenset[str], frozenset[str]]:
        """By which rules it is scored, and what else happens."""
        told = [event for event in self.deal.events if event.kind not in ("Played", "TrickWon")]
        return frozenset(line.rule for line in self.deal.score_lines()), frozenset(event.rule for event in told)

    def prompt(self) -> tuple[str, dict[str, Any]]:
        # Whether the deal goes on is for the learner to see.
        return "ask scores" if self.deal.finished and not self.about.rest else "ask scores so far", {}

    def scene(self, voice: Voice) -> dict[str, Any]:
        piles = [Hand.parse(pile) for pile in self.about.given.get("taken", ())]
        sides = len(self.scores)
        fields = []
        for side in range(sides):
            shown = {"cards": voice.faces(Hand(union(piles[side::sides])))} if piles else {}
            fields.append({"id": str(side), "label": voice.side(side), **shown, "value": "", "mark": ""})
        rows = []
        for key, value in {**self.about.match, **self.about.given}.items():
            if key == "taken":
                continue
            row: dict[str, Any] = {"label": voice.say(f"given {key}")}
            if key == "trump":
                row |= {"text": voice.say("given suit", suit=Suit(SUITS.index(value)))}
            elif key == "twos":
                names = voice.sides
                row |= {"text": voice.listed([voice.say("given trick", number=n, side=names[s]) for n, s in value])}
            elif isinstance(value, str):
                row |= {"cards": voice.faces(parse_cards(value))}
            elif isinstance(value, int):
                row |= {"text": str(value)}
            else:
                row |= {"text": voice.by_side(value)}
            rows.append(row)
        trick = trick_scene(voice, self.trick, self.about.leader, None)
        return {"trick": trick, "rows": rows, "fields": fields}

    def check(self, answer: object, tries: int = 9) -> Verdict:
        verdict = super().check(answer, tries)
        if verdict.solved:
            kinds = ("TrickWon", "Stopped")
            verdict.replies += [told_of(event) for event in self.deal.events if event.kind in kinds]
        return verdict
