"""Exercises on the piles of a finished deal: the prime, and what each question of the score is answered with."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from cardlib.cards import SUIT_MASKS, SUITS, Card, Hand, Suit, cards_of, parse_cards
from cardlib.deal import Count, ScoreLine
from cardlib.errors import BadInput
from cardlib.games.scopone import PRIME_POINTS, Prime, prime
from cardlib.options import Variant
from cardlib.reading import written
from cardlib.seeds import Random
from cardlib.teach.capturing import lying, others, some_cards, text_of
from cardlib.teach.counting import CountPoints
from cardlib.teach.exercises import NOTHING, TRIES, Exercise, Reply, Task, Verdict, cards_in
from cardlib.teach.voice import Voice

# ------------------------------------------------------------------------------------------------------------- prime


def counted(variant: Variant, taken: Sequence[Hand], sweeps: Sequence[int] = (0, 0)) -> Any:
    """The finished deal in which each side has taken these cards: a last card was played that the pile of its side
    then gets, or, if there are others left, one that nobody gets."""
    spare = others(variant, taken[0] | taken[1])
    side = 0 if taken[0] else 1
    card = spare[0] if spare else cards_of(taken[side])[0]
    piles = [written(pile & (pile ^ card.mask)) for pile in taken]
    last = {} if spare else {"last_capture": side}
    deal = lying(variant, 0, [card.mask, 0, 0, 0], taken=piles, sweeps=list(sweeps), **last)
    deal.play(str(card))
    return deal


def redealt(piles: Sequence[str], random: Random) -> tuple[str, ...]:
    """The same cards in piles of the same sizes."""
    cards = iter(random.shuffled([card for pile in piles for card in parse_cards(pile)]))
    return tuple(text_of(Hand.of(next(cards) for _ in pile.split())) for pile in piles)


def points_face(voice: Voice, card: Card) -> dict[str, Any]:
    """A card with its prime points."""
    return voice.face(card) | {"badge": str(PRIME_POINTS[card.rank])}


def added_up(its: Prime) -> str:
    """``21 + 18 + 16 + 15 = 70``"""
    return f"{' + '.join(str(PRIME_POINTS[card.rank]) for card in its.champions)} = {its.points}"


@dataclass(frozen=True)
class champions(Exercise):  # noqa: N801
    """Mark the cards of a `pile` that count for the prime."""

    pile: str

    def task(self, reader: Variant) -> Champions:
        return Champions(self.variant(reader), Hand.parse(self.pile))

    def another(self, reader: Variant, rules: Sequence[str], taught: frozenset[str], random: Random) -> Exercise:
        """As many cards of other suits and ranks; the pile has cards of as many suits."""
        wanted, size = prime(Hand.parse(self.pile)).suits, len(self.pile.split())
        for _ in range(TRIES):
            pile = Hand.of(some_cards(self.variant(reader), random)[:size])
            if prime(pile).suits == wanted and str(pile) != self.pile:
                return replace(self, pile=str(pile))
        return self


class Champions(Task):
    ask = "mark"

    def __init__(self, variant: Variant, pile: Hand) -> None:
        self.variant = variant
        self.hand = pile
        self.prime = prime(pile)
        self.solved = False

    def prompt(self) -> tuple[str, dict[str, Any]]:
        return "ask champions", {}

    def scene(self, voice: Voice) -> dict[str, Any]:
        """Once it is solved each champion shows its points."""
        shown = self.prime.champions if self.solved else Hand(0)
        hand = [points_face(voice, card) if card in shown else voice.face(card) | {"badge": ""} for card in self.hand]
        return {"hand": hand, "labels": {"hand": voice.say("ui pile")}}

    def solution(self) -> list[str]:
        return [str(card) for card in self.prime.champions]

    def best(self, card: Card) -> Card:
        """The champion of its suit."""
        return next(best for best in self.prime.champions if best.suit == card.suit)

    def reply(self, card: Card) -> Reply:
        best = self.best(card)
        if self._as_good(card):
            return Reply("good", "reply champions good", "scopone.prime.best-per-suit", {"card": card})
        points = {"points": PRIME_POINTS[card.rank], "more": PRIME_POINTS[best.rank]}
        return Reply("warn", "reply champions lower", "scopone.prime.values", {"card": card, "best": best} | points)

    def _as_good(self, card: Card) -> bool:
        return PRIME_POINTS[card.rank] == PRIME_POINTS[self.best(card).rank]

    def outcomes(self) -> Iterator[tuple[str, Reply]]:
        for card in self.hand:
            yield str(card), self.reply(card)
        for number, suit in enumerate(SUIT_MASKS):
            if self.hand & suit:
                for kind in ("two", "none"):
                    yield SUITS[number], self._suit_reply(kind, number)

    def _suit_reply(self, kind: str, suit: int) -> Reply:
        return Reply("warn", f"reply champions {kind}", "scopone.prime.best-per-suit", {"suit": Suit(suit)})

    def check(self, answer: object, tries: int = 9) -> Verdict:
        marked = Hand.of(cards_in(answer, self.hand))
        if not marked:
            return NOTHING
        marks = {str(card): "right" if self._as_good(card) else "wrong" for card in marked}
        for number, suit in enumerate(SUIT_MASKS):
            chosen = cards_of(marked & suit)
            if len(chosen) > 1:
                return Verdict(False, [self._suit_reply("two", number)], {str(card): "chosen" for card in marked})
            if chosen and not self._as_good(chosen[0]):
                return Verdict(False, [self.reply(chosen[0])], marks)
        for number, suit in enumerate(SUIT_MASKS):
            if self.hand & suit and not marked & suit:
                return Verdict(False, [self._suit_reply("none", number)], marks)
        self.solved = True
        facts = {"cards": self.prime.champions, "sum": added_up(self.prime), "total": self.prime.points}
        return Verdict(True, [Reply("good", "reply champions right", "scopone.prime.best-per-suit", facts)], marks)

    def take_back(self) -> None:
        self.solved = False

    def hint(self) -> tuple[str, dict[str, Any]]:
        return "champions", {"do": self.prime.champions}


@dataclass(frozen=True)
class count_prime(Exercise):  # noqa: N801
    """Count the prime of each side from the cards it has `taken`, your side first."""

    taken: tuple[str, str]

    def task(self, reader: Variant) -> CountPrime:
        variant = self.variant(reader.with_value("prime_mode", "primiera"))  # sevens are counted in a step of their own
        return CountPrime(variant, [Hand.parse(pile) for pile in self.taken])

    def another(self, reader: Variant, rules: Sequence[str], taught: frozenset[str], random: Random) -> Exercise:
        """Other cards in piles of the same sizes; as many suits are missing."""
        wanted = [prime(Hand.parse(pile)).suits for pile in self.taken]
        for _ in range(TRIES):
            cards = iter(some_cards(self.variant(reader), random))
            first, second = (text_of(Hand.of(next(cards) for _ in pile.split())) for pile in self.taken)
            fresh = replace(self, taken=(first, second))
            if [prime(Hand.parse(pile)).suits for pile in fresh.taken] == wanted:
                return fresh
        return self


class CountPrime(CountPoints):
    kind = "prime"

    def __init__(self, variant: Variant, taken: Sequence[Hand]) -> None:
        self.variant = variant
        self.taken = list(taken)
        self.primes = [prime(pile) for pile in taken]
        self.scores = [its.points for its in self.primes]
        self.deal = counted(variant, taken)

    def scene(self, voice: Voice) -> dict[str, Any]:
        fields = [
            {"id": str(side), "label": voice.side(side), "cards": voice.faces(pile), "value": "", "mark": ""}
            for side, pile in enumerate(self.taken)
        ]
        return {"fields": fields}

    def _wrong(self, seat: int, given: int, kind: str) -> Reply:
        """Whoever adds every card of the pile makes a mistake of his own."""
        every = sum(PRIME_POINTS[card.rank] for card in self.taken[seat])
        kind = "every" if given == every and kind == "off" else kind
        its = self.primes[seat]
        facts = {"side": self.side(seat), "given": given, "cards": its.champions, "sum": added_up(its)}
        return Reply("warn", f"reply prime {kind}", "scopone.prime.best-per-suit", facts)

    def outcomes(self) -> Iterator[tuple[str, Reply]]:
        yield from super().outcomes()
        yield "0", self._wrong(0, sum(PRIME_POINTS[card.rank] for card in self.taken[0]), "off")

    def lines(self) -> list[ScoreLine]:
        return [line for line in self.deal.score_lines() if line.rule == "scopone.score.prime"]

    def check(self, answer: object, tries: int = 9) -> Verdict:
        verdict = super().check(answer, tries)
        return replace(verdict, replies=self.won()) if verdict.solved else replace(verdict, lines=[])

    def won(self) -> list[Reply]:
        """Who has won the prime, and why."""
        sums = {"mine": added_up(self.primes[0]), "other": added_up(self.primes[1])}
        if not self.lines():
            return [Reply("good", "reply prime nobody", "scopone.score.prime", sums)]
        side = self.lines()[0].side
        said = [Reply("good", "reply prime won", "scopone.score.prime", sums | {"side": side})]
        if self.primes[side].suits > self.primes[1 - side].suits:
            said.append(Reply("note", "reply prime suits", "scopone.prime.missing-suit", {"side": side}))
        return said

    def hint(self) -> tuple[str, dict[str, Any]]:
        its = self.primes[0]
        return self.kind, {"cards": its.champions, "sum": added_up(its)}

    def spoken(self, voice: Voice) -> str:
        return " ".join(reply.said(voice)["text"] for reply in self.won())


# -------------------------------------------------------------------------------------------------------- score_deal


@dataclass(frozen=True)
class score_deal(Exercise):  # noqa: N801
    """Say what a finished deal scores, question by question, from the cards that each side has `taken`, yours first,
    and its `sweeps`; `ask` names the questions (nothing: all of them)."""

    taken: tuple[str, str]
    sweeps: tuple[int, int] = (0, 0)
    ask: str = ""

    def task(self, reader: Variant) -> ScoreDeal:
        return ScoreDeal(self.variant(reader), self)

    def another(self, reader: Variant, rules: Sequence[str], taught: frozenset[str], random: Random) -> Exercise:
        """The same cards dealt out anew, other sweeps; as many questions are answered by “nobody”."""
        nobody = self.task(reader).nobody()
        for _ in range(TRIES):
            first, second = redealt(self.taken, random)
            sweeps = (random.below(4), random.below(4)) if any(self.sweeps) else self.sweeps
            fresh = replace(self, taken=(first, second), sweeps=sweeps)
            if fresh.task(reader).nobody() == nobody:
                return fresh
        return self


def more_of(count: Count) -> int | None:
    """The side that gets more points by a comparison; None for neither."""
    one, other = count.points
    return None if one == other else int(other > one)


def comparison(count: Count, sides: Sequence[int], voice: Voice) -> list[str]:
    """A comparison in figures, and who gets what for it; `sides` is in the order of the reader: his own first."""
    winner = more_of(count)
    facts: dict[str, Any] = {"mine": count.values[sides[0]], "theirs": count.values[sides[1]]}
    facts |= {} if winner is None else {"side": voice.sides[winner]}
    got = [
        voice.say("count points", side=voice.sides[side], count=count.points[side])
        for side in sides
        if count.points[side]
    ]
    return [voice.say(f"count {count.rule}", **facts), *(got or [voice.say("count nothing")])]


def laid_out(count: Count, side: int, voice: Voice) -> dict[str, Any]:
    """The cards of a side that count, each with what it counts, and their sum."""
    cards = [{**voice.face(card), "badge": "", "points": str(count.worth[card])} for card in Hand(count.cards[side])]
    return {"name": voice.side(side), "total": str(count.values[side]), "cards": cards}


class Question:
    """A comparison as a question: the ids of the answers, and the answer to each mistake."""

    def __init__(self, count: Count) -> None:
        self.count = count
        self.id = count.rule.rpartition(".")[2]

    @property
    def right(self) -> str:
        if self.id == "sweeps":
            return _pair(self.count.points)
        side = more_of(self.count)
        return "nobody" if side is None else str(side)

    def ids(self) -> list[str]:
        """For sweeps the points of both sides, also those that one gets who gives a point for having more."""
        if self.id != "sweeps":
            return ["0", "1", "nobody"]
        one, other = self.count.points
        pairs = [(one, other), self._majority(), (other, one), (0, 0), (one + 1, other)]
        return sorted({_pair(pair) for pair in pairs})

    def _majority(self) -> tuple[int, int]:
        one, other = self.count.values
        return int(one > other), int(other > one)

    def facts(self) -> dict[str, Any]:
        return dict(zip(("mine", "other"), self.count.values, strict=True))

    def mistake(self, given: str) -> Reply:
        """The answer to a wrong answer."""
        rule, suits = self.count.rule, [len(Hand(cards)) for cards in self.count.cards]
        if self.id == "sweeps":
            kind = "majority" if given == _pair(self._majority()) else "sweeps"
        elif self.id in ("settebello", "re-bello", "napola"):
            kind = "owner"
        elif self.count.worth and suits[0] != suits[1]:
            kind, rule = "suits", "scopone.prime.missing-suit"
        else:
            kind = "tie" if self.right == "nobody" else "unequal" if given == "nobody" else "fewer"
        return Reply("warn", f"reply sheet {kind}", rule, self.facts())

    def asked(self, voice: Voice) -> str:
        return voice.say("question sweeps" if self.id == "sweeps" else f"question {self.count.rule}")

    def label(self, voice: Voice, id: str) -> str:
        """An answer in words."""
        if self.id == "sweeps":
            return voice.by_side([int(number) for number in id.split(":")])
        return voice.say("quiz nobody") if id == "nobody" else voice.side(int(id))

    def shown(self, voice: Voice) -> dict[str, Any]:
        """What is shown once it is answered: the figures; for the prime the champions with their points."""
        piles = [laid_out(self.count, side, voice) for side in (0, 1)] if any(self.count.worth) else []
        return {"note": comparison(self.count, (0, 1), voice)[0], "shown": piles}


def _pair(points: Sequence[int]) -> str:
    return ":".join(map(str, points))


class ScoreDeal(Task):
    ask = "sheet"

    def __init__(self, variant: Variant, about: score_deal) -> None:
        self.variant = variant
        self.about = about
        self.deal = counted(variant, [Hand.parse(pile) for pile in about.taken], about.sweeps)
        wanted = about.ask.replace("prime", "prime most-sevens").split()  # what takes its place stands for it
        every = [Question(count) for count in self.deal.counts()]
        self.questions = [question for question in every if not wanted or question.id in wanted]
        self.given: dict[str, str] = {}

    def nobody(self) -> list[str]:
        """The questions that are answered by “nobody”."""
        return [question.id for question in self.questions if question.right == "nobody"]

    def prompt(self) -> tuple[str, dict[str, Any]]:
        return "ask sheet", {"count": len(self.questions)}

    def scene(self, voice: Voice) -> dict[str, Any]:
        rows = [self._row(voice, side) for side in (0, 1)]
        answered = [question for question in self.questions if self.given.get(question.id) == question.right]
        shown = [self._question(voice, question) for question in self.questions[: len(answered) + 1]]
        return {"rows": rows, "questions": shown, "given": {question.id: question.right for question in answered}}

    def _row(self, voice: Voice, side: int) -> dict[str, Any]:
        sweeps = self.about.sweeps[side]
        label = voice.say("given captured", side=voice.sides[side], count=sweeps) if sweeps else voice.side(side)
        return {"label": label, "cards": voice.faces(Hand(self.deal.taken[side]))}

    def _question(self, voice: Voice, question: Question) -> dict[str, Any]:
        given = self.given.get(question.id, "")
        done = given == question.right
        marks = {given: "right" if done else "wrong"}
        choices = [{"id": id, "label": question.label(voice, id), "mark": marks.get(id, "")} for id in question.ids()]
        made: dict[str, Any] = {"id": question.id, "text": question.asked(voice), "choices": choices, "done": done}
        return made | (question.shown(voice) if done else {})

    def solution(self) -> dict[str, str]:
        return {question.id: question.right for question in self.questions}

    def outcomes(self) -> Iterator[tuple[str, Reply]]:
        for question in self.questions:
            for id in question.ids():
                if id != question.right:
                    yield question.id, question.mistake(id)

    def check(self, answer: object, tries: int = 9) -> Verdict:
        if not answer:
            return NOTHING
        if not isinstance(answer, Mapping):
            raise BadInput("message", f"no answers: {answer!r}", message=str(answer)[:40])
        known = {question.id: question.ids() for question in self.questions}
        if any(given not in known.get(id, ()) for id, given in answer.items()):
            raise BadInput("message", f"no such answer: {answer!r}", message=str(answer)[:40])
        self.given = dict(answer)
        wrong = [question for question in self.questions if answer.get(question.id, question.right) != question.right]
        if wrong:
            return Verdict(False, [wrong[0].mistake(answer[wrong[0].id])])
        if len(answer) < len(self.questions):
            return Verdict(False, [Reply("good", "reply right")])
        return Verdict(True, [Reply("good", "reply sheet right", "", self._totals())], {}, self._lines())

    def _lines(self) -> list[ScoreLine]:
        sides = self.variant.game.side_names(self.variant.players)
        return [line for question in self.questions for line in question.count.lines(sides)]

    def _totals(self) -> dict[str, Any]:
        mine, other = (sum(question.count.points[side] for question in self.questions) for side in (0, 1))
        return {"mine": mine, "other": other}

    def take_back(self) -> None:
        self.given = {}

    def hint(self) -> tuple[str, dict[str, Any]]:
        answered = [question for question in self.questions if self.given.get(question.id) == question.right]
        at = self.questions[min(len(answered), len(self.questions) - 1)]
        return f"sheet {at.id}", at.facts()

    def short(self, voice: Voice) -> str:
        return voice.say("choice sheet", **self._totals())

    def spoken(self, voice: Voice) -> str:
        told = [f"{question.asked(voice)} {question.label(voice, question.right)}" for question in self.questions]
        return " · ".join([*told, voice.say("reply sheet right", **self._totals())])
