"""Exercises on a trick: which cards may be played to it, which one wins, who leads next, and which side has it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from cardlib.cards import HEARTS, JOKER, PACK, Card, Hand, Seat, cards_of, parse_cards
from cardlib.errors import BadInput
from cardlib.options import Variant, shown
from cardlib.phases.tricks import leading_card
from cardlib.seeds import Random
from cardlib.teach.exercises import (
    NOTHING,
    TRIES,
    Choosing,
    Exercise,
    Marking,
    Reply,
    Task,
    Verdict,
    card_in,
    cards_in,
    redrawn,
    refused,
    trick_scene,
    trump_row,
)
from cardlib.teach.positions import ME, pattern, position
from cardlib.teach.voice import Voice

# --------------------------------------------------------------------------------------------------------- mark_legal


@dataclass(frozen=True)
class mark_legal(Exercise):  # noqa: N801  (notebooks read like a script: mark_legal(hand="…"))
    """Mark every card that you may play: `hand` against `trick` (to lead, if it is empty)."""

    hand: str
    trick: str = ""
    number: int | None = None
    taken: tuple[str, ...] = ()
    broken: bool | None = None
    trump: str = ""

    def task(self, reader: Variant) -> MarkLegal:
        flags: dict[str, Any] = {} if self.broken is None else {"hearts_broken": self.broken}
        flags |= dict(self.where) | ({"trump": self.trump} if self.trump else {})
        variant = self.variant(reader)
        hand, trick = Hand.parse(self.hand), parse_cards(self.trick)
        return MarkLegal(variant, position(variant, hand, trick, number=self.number, taken=self.taken, flags=flags))

    def another(self, reader: Variant, rules: Sequence[str], taught: frozenset[str], random: Random) -> Exercise:
        given = self.task(reader)
        wanted = pattern(given.deal)
        bites = {rule for rule in wanted if rule in rules} or set(wanted)
        changes = self._changes(reader, given)
        for _ in range(TRIES):
            fresh = self._random(self.variant(reader), random)
            try:
                task = fresh.task(reader)
                if fresh._changes(reader, task) != changes:
                    continue
            except BadInput:
                continue
            found = pattern(task.deal)
            same = all(found.get(rule) == wanted[rule] for rule in bites) and task.tempting == given.tempting
            if same and all(rule in taught or rule in wanted for rule in found):
                return fresh
        return self

    def _changes(self, reader: Variant, task: MarkLegal) -> bool:
        """Whether the house rules of the step change the answer."""
        return bool(self.options) and replace(self, options={}).task(reader).legal != task.legal

    def _random(self, variant: Variant, random: Random) -> mark_legal:
        """A random position of the same size: mostly cards of the suit led in the trick; for a hand of hearts (and ♠Q)
        a hand from just these."""
        mine, length = Hand.parse(self.hand), len(self.trick.split())
        narrow, pack = HEARTS | Hand.parse("QS"), variant.game.deal.pack_of(variant) & PACK
        pool = narrow if not mine & (PACK ^ narrow) else pack
        cards = random.shuffled(list(cards_of(pack)))
        first = parse_cards(self.trick)[0] if length and self.number == 1 else cards[0]  # what opens a deal is ruled
        same = [card for card in cards if card.suit == first.suit and card != first]
        other = [card for card in cards if card.suit != first.suit]
        trick = [first, *(same.pop() if random.below(4) else other.pop() for _ in range(length - 1))] if length else []
        left = [card for card in random.shuffled(list(cards_of(pool))) if card not in trick]
        hand = left[: len(mine)]
        # The joker, if it is there, stays where it is.
        trick = [was if was == JOKER else card for was, card in zip(parse_cards(self.trick), trick, strict=True)]
        hand = [JOKER, *hand[1:]] if JOKER in mine else hand
        return replace(self, hand=" ".join(map(str, hand)), trick=" ".join(map(str, trick)))


class MarkLegal(Marking):
    def __init__(self, variant: Variant, deal: Any) -> None:
        self.variant = variant
        self.deal = deal
        self.hand = Hand(deal.hands[ME])
        self.legal = Hand.of(move.cards[0] for move in deal.legal())

    @property
    def tempting(self) -> bool:
        """A trump is among the cards that are refused."""
        return bool(self.hand & (self.hand ^ self.legal) & self.deal.table.trumps)

    def prompt(self) -> tuple[str, dict[str, Any]]:
        kind, facts = self.hint()
        first = " first" if self.deal.table.number == 1 and "first" not in kind else ""
        after = " after" if len(self.deal.trick) > 1 and self.deal.trick[0] == JOKER else ""
        return f"ask {kind}{first}{after}", facts

    def scene(self, voice: Voice) -> dict[str, Any]:
        best = self.deal.view(ME).best
        return {
            "rows": trump_row(voice, self.deal),
            "trick": trick_scene(voice, self.deal.trick, self.deal.leader, best),
            "hand": voice.faces(self.hand),
        }

    def reply(self, card: Card) -> Reply:
        refusal = self.deal.refusal(str(card))
        return refused(refusal) if refusal else Reply("good", "reply mark right", "", {"do": Hand(card.mask)})

    def check(self, answer: object, tries: int = 9) -> Verdict:
        marked = Hand.of(cards_in(answer, self.hand))
        if not marked:
            return Verdict(False, [Reply("warn", "reply mark none")])
        wrong, missed = Hand(marked & (self.hand ^ self.legal)), Hand(self.legal & (marked ^ self.legal))
        marks = {str(card): "right" for card in Hand(marked & self.legal)}
        marks |= {str(card): "refused" for card in wrong}
        if wrong:
            return Verdict(False, self._reasons(wrong), marks)
        if missed:
            marks |= {str(card): "missed" for card in missed}
            return Verdict(False, [Reply("warn", "reply mark missed", "", {"do": missed})], marks)
        marks |= {str(card): "refused" for card in Hand(self.hand ^ self.legal)}
        others = Hand(self.hand ^ self.legal)
        right = Reply("good", "reply mark right" if others else "reply mark right all", "", {"do": self.legal})
        return Verdict(True, [right, *self._reasons(others, "note")], marks)

    def _reasons(self, cards: Hand, tone: str = "warn") -> list[Reply]:
        """One refusal for each rule that refuses some of the cards."""
        by_rule: dict[str, Reply] = {}
        for card in cards:
            reply = self.reply(card)
            by_rule.setdefault(reply.rule, reply._replace(tone=tone))
        return list(by_rule.values())

    def hint(self) -> tuple[str, dict[str, Any]]:
        if self.deal.trick:
            lead = leading_card(self.deal.trick)
            if lead == JOKER:
                return "mark any", {"do": self.legal}
            return "mark follow", {"do": self.legal, "lead": lead, "led": lead.suit, "best": self.deal.view(ME).best}
        return "mark lead first" if self.deal.table.number == 1 else "mark lead", {"do": self.legal}


# ----------------------------------------------------------------------------------------------------------- who_wins


@dataclass(frozen=True)
class who_wins(Exercise):  # noqa: N801
    """Say which card wins a complete `trick`; you play its last card."""

    trick: str
    trump: str = ""

    def task(self, reader: Variant) -> WhoWins:
        return WhoWins(self.variant(reader), parse_cards(self.trick), self.trump, self.where)

    def another(self, reader: Variant, rules: Sequence[str], taught: frozenset[str], random: Random) -> Exercise:
        wanted, cards = self.task(reader).trap(), parse_cards(self.trick)
        for _ in range(TRIES):
            fresh = replace(self, trick=" ".join(map(str, redrawn(self.variant(reader), cards, random))))
            if fresh.task(reader).trap() == wanted:
                return fresh
        return self


class WhoWins(Task):
    ask = "who"

    def __init__(
        self, variant: Variant, trick: Sequence[Card], trump: str = "", where: Mapping[str, Any] | None = None
    ) -> None:
        if len(trick) != variant.players:
            raise BadInput("trick", f"a complete trick has {variant.players} cards", trick=" ".join(map(str, trick)))
        self.variant = variant
        self.trick = list(trick)
        self.leader = (ME + 1) % variant.players
        self.trump, self.where = trump, dict(where or {})
        flags = {"last_trick": False} | self.where | ({"trump": trump} if trump else {})
        self.deal = deal = position(variant, trick[-1].mask, trick[:-1], flags=flags)
        self.won = next(event for event in deal.play(str(trick[-1])) if event.kind == "TrickWon")
        self.best: Card = self.won.facts["card"]

    def trap(self) -> tuple[bool, ...]:
        """What makes the answer easy or hard: whether the best card of the suit led wins, whether the highest rank of
        all does, whether anybody has followed, and whether everybody has; or what else makes it so in this game."""
        lead = leading_card(self.trick)
        same = [card for card in self.trick if card.suit == lead.suit and card != JOKER]
        highest = max(card.rank for card in self.trick)
        kinds: Any = self.variant.game.deal
        if features := kinds.features(self.trick):
            return self.best == max(same), *features
        return self.best == max(same), self.best.rank == highest, len(same) > 1, len(same) == len(self.trick)

    def prompt(self) -> tuple[str, dict[str, Any]]:
        return "ask who", {}

    def scene(self, voice: Voice) -> dict[str, Any]:
        return {"rows": trump_row(voice, self.deal), "trick": trick_scene(voice, self.trick, self.leader, None)}

    def solution(self) -> str:
        return str(self.best)

    def reply(self, card: Card) -> Reply:
        if card == self.best:
            return Reply("good", "reply who right", self.won.rule, self.won.facts)
        kind = "joker" if card == JOKER else "lower" if card.suit == self.best.suit else "off-suit"
        kind = "no-trump" if kind == "off-suit" and self.best.mask & self.deal.table.trumps else kind
        facts = {**self.won.facts, **self.hint()[1], "card": card}
        return Reply("warn", f"reply who {kind}", self.won.rule, facts)

    def readings(self, card: Card) -> Iterator[Reply]:
        """Where a wrong card would win if the rule that decides were read in another way."""
        for option in self.variant.game.options.declared() if card != self.best else ():
            for value in option.metadata["values"] if self.won.rule in option.metadata["rules"] else ():
                variant = self.variant.with_value(option.name, value)
                if variant != self.variant and WhoWins(variant, self.trick, self.trump, self.where).best == card:
                    yield Reply("note", f"reply who reading {option.name} {shown(value)}", "", {"card": card})

    def outcomes(self) -> Iterator[tuple[str, Reply]]:
        for card in self.trick:
            yield str(card), self.reply(card)
            yield from ((str(card), reply) for reply in self.readings(card))

    def check(self, answer: object, tries: int = 9) -> Verdict:
        if not answer:
            return NOTHING
        card = card_in(answer, Hand.of(self.trick))
        right = card == self.best
        more = [] if right else list(self.readings(card))[:1]
        return Verdict(right, [self.reply(card), *more], {str(card): "right" if right else "wrong"})

    def hint(self) -> tuple[str, dict[str, Any]]:
        lead, trumps = leading_card(self.trick), self.deal.table.trumps
        facts = {"lead": lead, "led": lead.suit, "best": self.best, "suit": self.best.suit}
        if trumps:
            facts["trump"] = self.deal.trump
        return "who trump" if self.best.mask & trumps else "who", facts


# ------------------------------------------------------------------------------------------------------ after a trick


@dataclass(frozen=True)
class _AfterTrick(Exercise):
    """A question about a complete `trick`; you have played its last card."""

    trick: str
    trump: str = ""

    def task(self, reader: Variant) -> AfterTrick:
        raise NotImplementedError

    def another(self, reader: Variant, rules: Sequence[str], taught: frozenset[str], random: Random) -> Exercise:
        """Other cards, won in the same way."""
        wanted, cards = self.task(reader).trap(), parse_cards(self.trick)
        for _ in range(TRIES):
            fresh = replace(self, trick=" ".join(map(str, redrawn(self.variant(reader), cards, random))))
            if fresh != self and fresh.task(reader).trap() == wanted:
                return fresh
        return self


class AfterTrick(Choosing):
    """The task: `winner` has taken the trick with the card `best`."""

    def __init__(self, variant: Variant, trick: Sequence[Card], trump: str) -> None:
        self.variant = variant
        self.asked = WhoWins(variant, trick, trump)
        self.won = self.asked.won
        self.winner: Seat = self.won.facts["seat"]
        self.right = frozenset([self.answer()])

    def answer(self) -> str:
        """The id of the right choice."""
        raise NotImplementedError

    def trap(self) -> tuple[object, ...]:
        """What makes it easy or hard."""
        return (*self.asked.trap(), self.winner == self.asked.leader)

    def scene(self, voice: Voice) -> dict[str, Any]:
        return super().scene(voice) | self.asked.scene(voice)

    def hint(self) -> tuple[str, dict[str, Any]]:
        return "taker", self.won.facts


# --------------------------------------------------------------------------------------------------------- who_leads


@dataclass(frozen=True)
class who_leads(_AfterTrick):  # noqa: N801
    """Say who leads to the trick after this one."""

    def task(self, reader: Variant) -> WhoLeads:
        return WhoLeads(self.variant(reader), parse_cards(self.trick), self.trump)


class WhoLeads(AfterTrick):
    def answer(self) -> str:
        return str(self.winner)

    def prompt(self) -> tuple[str, dict[str, Any]]:
        return "ask leads", {}

    def ids(self) -> list[str]:
        return [str((ME + i) % self.variant.players) for i in range(self.variant.players)]

    def choices(self, voice: Voice) -> list[tuple[str, str]]:
        return [(id, voice.labels[int(id)]) for id in self.ids()]

    def replies(self, given: frozenset[str]) -> list[Reply]:
        if given == self.right:
            return [Reply("good", "reply leads right", self.won.rule, self.won.facts)]
        seat = Seat(int(min(given - self.right)))
        kind = "first" if seat == self.asked.leader else "wrong"
        return [Reply("warn", f"reply leads {kind}", self.won.rule, {**self.won.facts, "seat": seat})]


# -------------------------------------------------------------------------------------------------------- which_side


@dataclass(frozen=True)
class which_side(_AfterTrick):  # noqa: N801
    """Say to which side a trick counts."""

    def task(self, reader: Variant) -> WhichSide:
        return WhichSide(self.variant(reader), parse_cards(self.trick), self.trump)


class WhichSide(AfterTrick):
    def answer(self) -> str:
        return str(self.asked.deal.side(self.winner))

    def sides(self) -> dict[str, list[Seat]]:
        """The seats of each side, the learner's first."""
        sides: dict[str, list[Seat]] = {}
        for i in range(self.variant.players):
            seat = Seat((ME + i) % self.variant.players)
            sides.setdefault(str(self.asked.deal.side(seat)), []).append(seat)
        return sides

    def prompt(self) -> tuple[str, dict[str, Any]]:
        return "ask side", {}

    def ids(self) -> list[str]:
        return list(self.sides())

    def choices(self, voice: Voice) -> list[tuple[str, str]]:
        return [(id, voice.say("choice side", sides=seats)) for id, seats in self.sides().items()]

    def replies(self, given: frozenset[str]) -> list[Reply]:
        tone, judged = ("good", "right") if given == self.right else ("warn", "wrong")
        mine = next(iter(self.sides().values()))
        kind = "mine" if self.winner == ME else "partner" if self.winner in mine else "other"
        return [Reply(tone, f"reply side {judged} {kind}", self.won.rule, self.won.facts)]
