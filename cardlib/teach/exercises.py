"""Exercises: a position, a question, and an answer that the engine computes.

An *exercise* is what stands in the notebook (`mark_legal(trick="7D", hand="KD 2D AH QS")`).  With the reader's variant
it becomes a *task*, which knows the right answer, judges a given one and says why.  `another` makes a fresh exercise
on which the same rule bites.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, NamedTuple

from cardlib.cards import JOKER, PACK, Card, Hand, cards_of
from cardlib.deal import Event, Refusal, ScoreLine
from cardlib.errors import BadInput
from cardlib.options import Variant
from cardlib.seeds import Random
from cardlib.teach.positions import adapted
from cardlib.teach.voice import Voice

TRIES = 4000


class Reply(NamedTuple):
    """An answer to the learner: tone (good, warn, note, bad), message id, the rule behind it and its facts."""

    tone: str
    id: str
    rule: str = ""
    facts: Mapping[str, Any] = {}

    def said(self, voice: Voice) -> dict[str, Any]:
        return voice.note(self.tone, self.id, self.rule, **self.facts)


def refused(refusal: Refusal) -> Reply:
    return Reply("warn", f"refusal {refusal.rule}", refusal.rule, refusal.facts)


def told_of(event: Event) -> Reply:
    return Reply("note", f"event {event.kind} {event.rule}", event.rule, event.facts)


@dataclass
class Verdict:
    """What comes of an answer: whether it solves the task, replies, marks by card, choice or field, score lines."""

    solved: bool
    replies: list[Reply]
    marks: dict[str, str] = field(default_factory=dict)
    lines: list[ScoreLine] = field(default_factory=list)


#: What an empty answer is told.
NOTHING = Verdict(False, [Reply("warn", "reply choose first")])


class Task:
    """An exercise under one variant."""

    #: How it is asked: mark, who, choose, number, play or give (the browser contract).
    ask: ClassVar[str]
    variant: Variant

    def prompt(self) -> tuple[str, dict[str, Any]]:
        """The question: message id and facts."""
        raise NotImplementedError

    def scene(self, voice: Voice) -> dict[str, Any]:
        """What is shown: trick, hand, choices, fields."""
        return {}

    def check(self, answer: object, tries: int = 9) -> Verdict:
        """Judge an answer; `BadInput` for what no answer is.  After few `tries` less is given away."""
        raise NotImplementedError

    def solution(self) -> Any:
        """The right answer, in the form that `check` takes."""
        raise NotImplementedError

    def outcomes(self) -> Iterator[tuple[str, Reply]]:
        """What each single card or choice is answered with."""
        raise NotImplementedError

    def hints(self) -> list[Reply]:
        """From a nudge to the answer."""
        kind, facts = self.hint()
        return [Reply("note", f"hint {kind} {level}", "", facts) for level in (1, 2, 3)]

    def hint(self) -> tuple[str, dict[str, Any]]:
        """The kind of hints (message ids `hint KIND 1` …) and their facts."""
        raise NotImplementedError

    def take_back(self) -> None:
        """The position as it was before the answer was played out."""

    def short(self, voice: Voice) -> str:
        """The right answer alone."""
        answer = self.solution()
        cards = [Card.parse(text) for text in ([answer] if isinstance(answer, str) else answer)]
        return voice.listed(voice.written([voice.face(card)]) for card in cards)

    def spoken(self, voice: Voice) -> str:
        """The right answer as text, with its reasons."""
        verdict = self.check(self.solution())
        return " ".join(reply.said(voice)["text"] for reply in verdict.replies)


@dataclass(frozen=True)
class Exercise:
    """What stands in a notebook.

    `options` and `players` are those of the step, on top of the reader's variant; `where` are further keys of its
    position (``{"contract": "plus"}``).
    """

    options: Mapping[str, Any] = field(default_factory=dict, kw_only=True)
    where: Mapping[str, Any] = field(default_factory=dict, kw_only=True)
    players: int = field(default=4, kw_only=True)

    def variant(self, reader: Variant) -> Variant:
        return adapted(reader, self.players, dict(self.options))

    def task(self, reader: Variant) -> Task:
        raise NotImplementedError

    def another(self, reader: Variant, rules: Sequence[str], taught: frozenset[str], random: Random) -> Exercise:
        """A fresh exercise of the same kind, on which the same rule bites."""
        raise NotImplementedError


def card_in(text: object, among: int) -> Card:
    if not isinstance(text, str):
        raise BadInput("message", f"not a card: {text!r}", message=str(text)[:40])
    card = Card.parse(text)
    if not among >> card & 1:
        raise BadInput("not-shown", f"the card {card} is not there", card=str(card))
    return card


def cards_in(answer: object, among: int) -> list[Card]:
    if not isinstance(answer, list) or len(answer) > 52:
        raise BadInput("message", f"not a list of cards: {answer!r}", message=str(answer)[:40])
    return list(dict.fromkeys(card_in(text, among) for text in answer))


def redrawn(variant: Variant, cards: Sequence[Card], random: Random) -> list[Card]:
    """As many random cards as these; the joker stays where it is."""
    pack = variant.game.deal.pack_of(variant) & PACK
    drawn = iter(random.shuffled(list(cards_of(pack))))
    return [card if card == JOKER else next(drawn) for card in cards]


def trick_scene(voice: Voice, trick: Sequence[Card], leader: int, best: Card | None) -> list[dict[str, Any]]:
    """The cards of a trick with the names of those who played them."""
    players = voice.variant.players
    return [
        voice.face(
            card,
            seat=(leader + i) % players,
            who=voice.labels[(leader + i) % players],
            led=i == 0,
            winning=card == best,
            tag=voice.say("ui winning") if card == best else "",
        )
        for i, card in enumerate(trick)
    ]


def trump_row(voice: Voice, deal: Any) -> list[dict[str, Any]]:
    """What is said of the position: the trump suit, if there is one."""
    trumps = deal.table.trumps
    return [{"label": voice.say("given trump"), "text": voice.say("given suit", suit=deal.trump)}] if trumps else []


# ------------------------------------------------------------------------------------------------------------ marking


class Marking(Task):
    """Mark the right cards of a `hand`, those in `legal`; `reply` says why a card is right or wrong."""

    ask = "mark"
    hand: Hand
    legal: Hand

    def solution(self) -> list[str]:
        return [str(card) for card in self.legal]

    def reply(self, card: Card) -> Reply:
        raise NotImplementedError

    def missing(self, cards: Hand) -> Reply:
        """What is said to right cards that are not marked."""
        raise NotImplementedError

    def done(self) -> Reply:
        """What is said to the right answer."""
        raise NotImplementedError

    def outcomes(self) -> Iterator[tuple[str, Reply]]:
        for card in self.hand:
            yield str(card), self.reply(card)

    def check(self, answer: object, tries: int = 9) -> Verdict:
        marked = Hand.of(cards_in(answer, self.hand))
        wrong, missed = Hand(marked & (self.hand ^ self.legal)), Hand(self.legal & (marked ^ self.legal))
        marks = {str(card): "right" for card in Hand(marked & self.legal)} | {str(card): "wrong" for card in wrong}
        if wrong:
            return Verdict(False, [self.reply(card) for card in wrong][:2], marks)
        if missed:
            shown = {str(card): "missed" for card in missed} if marked else {}
            return Verdict(False, [self.missing(missed) if marked else NOTHING.replies[0]], marks | shown)
        return Verdict(True, [self.done()], marks)


# ----------------------------------------------------------------------------------------------------------- choosing


class Choosing(Task):
    """Choose one answer, or several; `right` holds the ids of the right ones."""

    ask = "choose"
    right: frozenset[str]
    multiple = False

    def choices(self, voice: Voice) -> list[tuple[str, str]]:
        raise NotImplementedError

    def notes(self, voice: Voice) -> dict[str, str]:
        """What stands beside a choice."""
        return {}

    def replies(self, given: frozenset[str]) -> list[Reply]:
        """What is said to the answer, right or wrong."""
        raise NotImplementedError

    def scene(self, voice: Voice) -> dict[str, Any]:
        notes = self.notes(voice)
        made = [{"id": id, "label": label, "note": notes.get(id, ""), "mark": ""} for id, label in self.choices(voice)]
        return {"choices": made, "multiple": self.multiple}

    def ids(self) -> list[str]:
        raise NotImplementedError

    def solution(self) -> Any:
        return sorted(self.right)

    def short(self, voice: Voice) -> str:
        return voice.listed(label for id, label in self.choices(voice) if id in self.right)

    def outcomes(self) -> Iterator[tuple[str, Reply]]:
        for id in self.ids():
            for reply in self.check([id]).replies:
                yield id, reply

    def check(self, answer: object, tries: int = 9) -> Verdict:
        if not answer:
            return NOTHING
        given = [answer] if isinstance(answer, str) else answer
        if not isinstance(given, list) or any(id not in self.ids() for id in given):
            raise BadInput("message", f"no such choice: {answer!r}", message=str(answer)[:40])
        marks = {id: "right" if id in self.right else "wrong" for id in given}
        return Verdict(frozenset(given) == self.right, self.replies(frozenset(given)), marks)
