"""Counting a deal that is over: the piles turned up, and a question for each thing by which the sides are compared,
so that the reader can say who gets the points before the score says it."""

from __future__ import annotations

from typing import Any

from cardlib.cards import SUIT_MASKS, Hand
from cardlib.deal import Count
from cardlib.teach.piles import comparison, laid_out, more_of
from cardlib.teach.voice import Voice

#: The answer that no side gets more points.
NOBODY = "none"


class Counting:
    """The questions on a deal, and the answers given so far, by rule id."""

    def __init__(self) -> None:
        self.answers: dict[str, str] = {}
        #: The reader wants to see the score.
        self.shown = False

    def open(self, deal: Any) -> bool:
        """There is still something to ask."""
        return not self.shown and len(self.answers) < len(deal.counts())

    def answer(self, deal: Any, rule: str, given: str) -> None:
        """Note an answer; one that was asked for already, or was never asked, is left alone."""
        if any(count.rule == rule for count in deal.counts()) and given in (*map(str, range(2)), NOBODY):
            self.answers.setdefault(rule, given)

    def draw(self, deal: Any, me: int, voice: Voice) -> dict[str, Any] | None:
        """The state `quiz` of a table; nothing where nothing is counted, or where the score was asked for at once."""
        counts = deal.counts()
        if not counts or (self.shown and not self.answers):
            return None
        own = deal.side(me)
        sides = [own, 1 - own]
        known = [count for count in counts if count.rule in self.answers]
        asked = known if self.shown else counts[: len(known) + 1]
        return {
            "title": voice.say("quiz title" if self.open(deal) else "quiz done"),
            "piles": [_pile(deal, side, voice) for side in sides],
            "items": [self._item(count, sides, voice) for count in asked],
            "place": voice.say("quiz place", n=min(len(known) + 1, len(counts)), of=len(counts)),
            "options": [
                *({"value": str(side), "label": voice.side(side)} for side in sides),
                {"value": NOBODY, "label": voice.say("quiz nobody")},
            ],
            "skip": voice.say("quiz show") if self.open(deal) else "",
        }

    def _item(self, count: Count, sides: list[int], voice: Voice) -> dict[str, Any]:
        """A question; once it is answered, with what holds and the cards that make it so."""
        given = self.answers.get(count.rule)
        item = {"id": count.rule, "ask": voice.say(f"question {count.rule}"), "given": given or ""}
        if given is None:
            return item
        right = given == _answer(count)
        said = comparison(count, sides, voice)
        text = voice.joined([voice.say("quiz right" if right else "quiz wrong"), *said])
        rule = voice.rule(count.rule)
        say = {"tone": "good" if right else "warn", "text": text, "rule": rule["id"], "title": rule["title"]}
        shown = [laid_out(count, side, voice) for side in sides] if any(count.worth) else []
        return item | {"right": right, "say": say, "shown": shown}


def _answer(count: Count) -> str:
    winner = more_of(count)
    return NOBODY if winner is None else str(winner)


def _pile(deal: Any, side: int, voice: Voice) -> dict[str, Any]:
    """A pile turned up, suit by suit, with the cards that mark its sweeps."""
    rows = [voice.faces(Hand(deal.taken[side] & suit)) for suit in SUIT_MASKS]
    sweeps = deal.sweeps[side]
    swept = voice.say("pile sweeps" if sweeps else "pile no sweep", count=sweeps)
    return {"name": voice.side(side), "rows": rows, "sweeps": sweeps, "swept": swept, "mark": voice.say("pile mark")}
