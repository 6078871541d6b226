"""An exercise on calls: which of them may be made now?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from cardlib.cards import Hand
from cardlib.deal import deal as dealt
from cardlib.options import Variant
from cardlib.seeds import Random
from cardlib.teach.exercises import TRIES, Choosing, Exercise, Reply, refused
from cardlib.teach.positions import ME
from cardlib.teach.voice import Voice


@dataclass(frozen=True)
class choose_call(Exercise):  # noqa: N801
    """Choose every call that you may make, after the others have made `calls`; the hands are dealt from `seed`."""

    calls: str = ""
    seed: int = 1

    def task(self, reader: Variant) -> ChooseCall:
        return ChooseCall(self.variant(reader), self.calls.split(), self.seed)

    def another(self, reader: Variant, rules: Sequence[str], taught: frozenset[str], random: Random) -> Exercise:
        """Other calls before yours; never the same ones as before."""
        for _ in range(TRIES):
            deal = dealt(self.variant(reader), seed=self.seed)
            for _ in range(random.below(self.players)):
                moves = deal.legal()
                deal.push(moves[random.below(len(moves))])
            fresh = replace(self, calls=" ".join(map(str, deal.moves)), seed=random.below(1_000_000))
            if fresh.calls != self.calls:
                return fresh
        return self


class ChooseCall(Choosing):
    multiple = True

    def __init__(self, variant: Variant, calls: Sequence[str], seed: int) -> None:
        self.variant = variant
        self.made = list(calls)
        self.first = (ME - len(calls)) % variant.players
        self.deal: Any = dealt(variant, seed=seed, dealer=(self.first - 1) % variant.players)
        for call in calls:
            self.deal.play(call)
        self.right = frozenset(map(str, self.deal.legal()))

    def prompt(self) -> tuple[str, dict[str, Any]]:
        return "ask calls", {}

    def ids(self) -> list[str]:
        return [str(move) for move in self.deal.phase.moves]

    def choices(self, voice: Voice) -> list[tuple[str, str]]:
        return [(id, voice.say(f"move {id}")) for id in self.ids()]

    def scene(self, voice: Voice) -> dict[str, Any]:
        players = self.variant.players
        rows = [
            {"label": voice.labels[(self.first + i) % players], "text": voice.say(f"word {call}")}
            for i, call in enumerate(self.made)
        ]
        hand = voice.faces(Hand(self.deal.hands[ME]))
        return super().scene(voice) | {"rows": rows, "hand": hand}

    def replies(self, given: frozenset[str]) -> list[Reply]:
        wrong = [refused(self.deal.refusal(id)) for id in self.ids() if id in given - self.right]
        missed = [id for id in self.ids() if id in self.right - given]
        if wrong:
            return wrong
        if missed:
            return [Reply("warn", "reply calls missed", "", {"calls": missed})]
        refusals = [refused(self.deal.refusal(id))._replace(tone="note") for id in self.ids() if id not in self.right]
        return [Reply("good", "reply right"), *refusals]

    def hint(self) -> tuple[str, dict[str, Any]]:
        return "calls", {"calls": [id for id in self.ids() if id in self.right]}
