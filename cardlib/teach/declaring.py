"""Exercises for games with combinations and a rank of their own: what a hand may declare, which card is stronger, how
a match ends that is scored by side."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

from cardlib.cards import Card, Hand, cards_of, parse_cards
from cardlib.deal import Move
from cardlib.options import Variant
from cardlib.reading import written
from cardlib.seeds import Random
from cardlib.teach.exercises import NOTHING, TRIES, Choosing, Exercise, Reply, Task, Verdict, cards_in, refused
from cardlib.teach.positions import ME
from cardlib.teach.voice import Voice

# -------------------------------------------------------------------------------------------------------- declare_it


@dataclass(frozen=True)
class declare_it(Exercise):  # noqa: N801
    """Choose everything that you may declare with this `hand`; if a card is `led`, it is you who has led it."""

    hand: str
    led: str = ""
    trump: str = "S"

    def task(self, reader: Variant) -> DeclareIt:
        return DeclareIt(self.variant(reader), self)

    def another(self, reader: Variant, rules: Sequence[str], taught: frozenset[str], random: Random) -> Exercise:
        """Another hand with as many combinations of the same kinds: some cards are exchanged for others."""
        variant, wanted = self.variant(reader), self.task(reader).kinds()
        pack = variant.game.deal.pack_of(variant)
        for _ in range(TRIES):
            kept = random.shuffled(list(Hand.parse(self.hand)))[: len(self.hand.split()) // 2]
            shifted = _shifted(kept, random)
            rest = [card for card in random.shuffled(list(cards_of(pack))) if card not in shifted]
            hand = [*shifted, *rest[: len(self.hand.split()) - len(shifted)]]
            led = next((card for card in hand if str(card.suit) != self.trump), None) if self.led else None
            if led is None and self.led:
                continue
            fresh = replace(self, hand=str(Hand.of(hand)), led=str(led) if led is not None else "")
            if fresh.hand != self.hand and fresh.task(reader).kinds() == wanted:
                return fresh
        return self


def _shifted(cards: Sequence[Card], random: Random) -> list[Card]:
    """The same cards with their suits exchanged."""
    suits = random.shuffled([0, 1, 2, 3])
    return [Card(16 * suits[card.suit] + card.rank) for card in cards]


class DeclareIt(Choosing):
    multiple = True

    def __init__(self, variant: Variant, about: declare_it) -> None:
        self.variant = variant
        self.hand = Hand.parse(about.hand)
        self.led = Hand.parse(about.led)
        self.deal = self._before(about)
        everything: Move = self.deal.legal()[0]
        self.right = frozenset(everything.word.split())

    def _before(self, about: declare_it) -> Any:
        """The deal at the moment when the learner declares: he or the player before him has led."""
        players = self.variant.players
        pack = self.variant.game.deal.pack_of(self.variant)
        rest = Random(0, "fill").shuffled(list(cards_of(pack & (pack ^ self.hand))))
        size = len(self.hand)
        hands = [int(self.hand), *(int(Hand.of(rest[size * i : size * (i + 1)])) for i in range(players - 1))]
        eldest = ME if self.led else players - 1
        record: dict[str, Any] = {"game": self.variant.game.id, "players": players, "trump": about.trump}
        record |= {"hands": [written(hand) for hand in hands], "dealer": (eldest - 1) % players}
        # Which card was shown at the cut plays no part here.
        record["options"] = {k: v for k, v in self.variant.options.changed().items() if k != "reshuffle_after_cut"}
        deal: Any = self.variant.game.deal.from_record(record)
        deal.play(about.led or str(deal.legal()[0]))
        while deal.turn != ME:
            deal.play("declare none")
        return deal

    def kinds(self) -> list[str]:
        """What kinds of combinations there are."""
        return sorted(word.split("-")[0] for word in self.right)

    def prompt(self) -> tuple[str, dict[str, Any]]:
        return "ask declare led" if self.led else "ask declare", {"led": self.led}

    def ids(self) -> list[str]:
        """Everything that could come to mind: what two cards of a rank might be, and the hands without court cards."""
        counts = {word: sum(str(card)[0] == word[-1] for card in self.hand) for word in self.deal.phase.words}
        near = [word for word in self.deal.phase.words if "-" not in word or counts[word] > 1]
        return [*(word for word in near if word[:4] != "four" or counts[word] > 2), "none"]

    def choices(self, voice: Voice) -> list[tuple[str, str]]:
        labels = [(id, voice.say(f"call {id}" if id != "none" else "move declare none")) for id in self.ids()]
        return [(id, label[:1].upper() + label[1:]) for id, label in labels]

    def scene(self, voice: Voice) -> dict[str, Any]:
        trick = [voice.face(card, seat=ME, who=voice.labels[ME], led=True, winning=False, tag="") for card in self.led]
        return super().scene(voice) | {"hand": voice.faces(Hand(self.hand ^ self.led)), "trick": trick}

    def replies(self, given: frozenset[str]) -> list[Reply]:
        wrong = [
            refused(refusal) for id in self.ids() if id in given and (refusal := self.deal.refusal(f"declare {id}"))
        ]
        if wrong:
            return wrong
        if given != self.right:
            return [Reply("warn", "reply declare nothing" if given == {"none"} else "reply declare more")]
        points = sum(self.deal.phase.points(word) for word in given if word != "none")
        if not points:
            return [Reply("good", "reply declare right none", "spady.declare.not-held")]
        return [Reply("good", "reply declare right", "spady.declare.add", {"points": points})]

    def check(self, answer: object, tries: int = 9) -> Verdict:
        if answer and isinstance(answer, list) and "none" in answer and len(answer) > 1:
            return Verdict(False, [Reply("warn", "reply declare both")])
        return super().check(answer, tries) if answer else NOTHING

    def hint(self) -> tuple[str, dict[str, Any]]:
        return "declare", {"calls": [id for id in self.ids() if id in self.right]}


# ------------------------------------------------------------------------------------------------------- order_cards


@dataclass(frozen=True)
class order_cards(Exercise):  # noqa: N801
    """Choose the `cards` of one suit from the strongest to the weakest."""

    cards: str

    def task(self, reader: Variant) -> OrderCards:
        return OrderCards(self.variant(reader), parse_cards(self.cards))

    def another(self, reader: Variant, rules: Sequence[str], taught: frozenset[str], random: Random) -> Exercise:
        """Other cards of another suit; the weakest of all is among them again."""
        variant = self.variant(reader)
        suit = random.below(4)
        pack = [card for card in cards_of(variant.game.deal.pack_of(variant)) if card.suit == suit]
        *higher, lowest = sorted(pack, reverse=True)
        drawn = random.shuffled([*random.shuffled(higher)[: len(self.cards.split()) - 1], lowest])
        return replace(self, cards=" ".join(map(str, drawn)))


class OrderCards(Task):
    ask = "mark"

    def __init__(self, variant: Variant, cards: Sequence[Card]) -> None:
        self.variant = variant
        self.cards = list(cards)
        self.order = sorted(cards, reverse=True)  # a stronger card is a higher bit
        self.hand = Hand.of(cards)

    def prompt(self) -> tuple[str, dict[str, Any]]:
        return "ask order", {}

    def scene(self, voice: Voice) -> dict[str, Any]:
        return {"hand": voice.faces(self.cards), "ordered": True}

    def solution(self) -> list[str]:
        return [str(card) for card in self.order]

    def outcomes(self) -> Any:
        for card, other in zip(self.order, self.order[1:], strict=False):
            yield str(other), Reply("warn", "reply order wrong", "", {"card": card, "other": other})
        yield str(self.order[0]), self._right()

    def _right(self) -> Reply:
        return Reply("good", "reply order right", "", {"first": self.order[0], "last": self.order[-1]})

    def check(self, answer: object, tries: int = 9) -> Verdict:
        given = cards_in(answer, self.hand)
        if given == self.order:
            return Verdict(True, [self._right()], {str(card): "right" for card in given})
        for card, other in pairwise(given):
            if card < other:
                return Verdict(False, [Reply("warn", "reply order wrong", "", {"card": other, "other": card})])
        return Verdict(False, [Reply("warn", "reply order all")])

    def hint(self) -> tuple[str, dict[str, Any]]:
        return "order", {"cards": self.order}
