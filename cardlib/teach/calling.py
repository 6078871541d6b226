"""An exercise on calls: which of them may be made now?"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeVar

from cardlib.cards import Hand
from cardlib.deal import IllegalMove
from cardlib.deal import deal as dealt
from cardlib.errors import BadInput
from cardlib.options import Variant
from cardlib.phases.calls import Calls
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
        return under_some_rules(lambda reader: ChooseCall(self.variant(reader), self.calls.split(), self.seed), reader)

    def another(self, reader: Variant, rules: Sequence[str], taught: frozenset[str], random: Random) -> Exercise:
        """Other calls before yours, after which the rules of the step refuse as much as before."""
        given = self.task(reader)
        variant, wanted = given.variant, given.refused_by(rules)
        for _ in range(TRIES):
            deal = random_calls(variant, random.below(self.players), random)
            fresh = replace(self, calls=" ".join(map(str, deal.moves)), seed=random.below(1_000_000))
            if not isinstance(deal.phase, Calls) or fresh.calls == self.calls:
                continue
            if fresh.task(reader).refused_by(rules) == wanted:
                return fresh
        return self


T = TypeVar("T")


def under_some_rules(task: Callable[[Variant], T], reader: Variant) -> T:
    """A task under the reader's rules; where its calls cannot be made by them, under those of the sheet."""
    try:
        return task(reader)
    except (BadInput, IllegalMove):
        return task(Variant.of(reader.game))


def random_calls(variant: Variant, first: int, random: Random) -> Any:
    """A deal in which eldest hand, at seat `first`, and others after it have made some calls; perhaps all of them."""
    deal = dealt(variant, seed=0, dealer=(first - 1) % variant.players)
    calling = deal.phase
    for _ in range(random.below(2 * variant.players)):
        if deal.phase is not calling:
            break
        moves = deal.legal()
        deal.push(moves[0 if random.below(2) else random.below(len(moves))])  # half of them pass
    return deal


def called_rows(deal: Any, voice: Voice) -> list[dict[str, Any]]:
    """The calls of a deal, each with its caller."""
    return [{"label": voice.labels[seat], "text": voice.say(f"word {call}")} for seat, call in deal.calls]


class ChooseCall(Choosing):
    multiple = True

    def __init__(self, variant: Variant, calls: Sequence[str], seed: int) -> None:
        self.variant = variant
        deals = (self._called(calls, seed, first) for first in range(variant.players))
        self.deal: Any = next(filter(None, deals), None)
        if not self.deal:
            raise BadInput("calls", f"after the calls {' '.join(calls)} there is no call to choose", calls=len(calls))
        self.right = frozenset(map(str, self.deal.legal()))

    def _called(self, calls: Sequence[str], seed: int, first: int) -> Any:
        """The deal after these calls, if it is then the learner's turn."""
        deal = dealt(self.variant, seed=seed, dealer=(first - 1) % self.variant.players)
        for call in calls:
            deal.play(call)
        return deal if deal.turn == ME and isinstance(deal.phase, Calls) else None

    def refused_by(self, rules: Sequence[str]) -> frozenset[tuple[str, str]]:
        """What these rules refuse."""
        refusals = ((id, self.deal.refusal(id)) for id in self.ids() if id not in self.right)
        return frozenset((id, refusal.rule) for id, refusal in refusals if refusal.rule in rules)

    def prompt(self) -> tuple[str, dict[str, Any]]:
        return "ask calls", {}

    def ids(self) -> list[str]:
        return [str(move) for move in self.deal.phase.moves]

    def choices(self, voice: Voice) -> list[tuple[str, str]]:
        return [(id, voice.say(f"move {id}")) for id in self.ids()]

    def scene(self, voice: Voice) -> dict[str, Any]:
        hand = voice.faces(Hand(self.deal.hands[ME]))
        return super().scene(voice) | {"rows": called_rows(self.deal, voice), "hand": hand}

    def replies(self, given: frozenset[str]) -> list[Reply]:
        wrong = self._reasons(given - self.right)
        missed = [id for id in self.ids() if id in self.right - given]
        if wrong:
            return wrong
        if missed:
            return [Reply("warn", "reply calls missed", "", {"calls": missed})]
        refusals = self._reasons(frozenset(self.ids()) - self.right)
        return [Reply("good", "reply right"), *(reply._replace(tone="note") for reply in refusals)]

    def _reasons(self, wrong: frozenset[str]) -> list[Reply]:
        """One refusal for each rule that refuses some of the calls."""
        by_rule: dict[str, Reply] = {}
        for id in self.ids():
            if id in wrong:
                reply = refused(self.deal.refusal(id))
                by_rule.setdefault(reply.rule, reply)
        return list(by_rule.values())

    def hint(self) -> tuple[str, dict[str, Any]]:
        return "calls", {"calls": [id for id in self.ids() if id in self.right]}
