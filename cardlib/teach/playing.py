"""An exercise in which a card is played and what comes of it is seen."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from cardlib.cards import PACK, Card, Hand, Seat, cards_of, parse_cards
from cardlib.options import Variant
from cardlib.play.bots import simple
from cardlib.seeds import Random
from cardlib.teach.exercises import (
    TRIES,
    Exercise,
    Reply,
    Task,
    Verdict,
    card_in,
    refused,
    trick_scene,
)
from cardlib.teach.positions import ME, position
from cardlib.teach.voice import Voice


@dataclass(frozen=True)
class play_it(Exercise):  # noqa: N801
    """Play a card of `hand` to `trick` so that you take no points; what you play is played out."""

    hand: str
    trick: str

    def task(self, reader: Variant) -> PlayIt:
        variant = self.variant(reader)
        return PlayIt(
            variant, position(variant, Hand.parse(self.hand), parse_cards(self.trick), flags={"last_trick": False})
        )

    def another(self, reader: Variant, rules: Sequence[str], taught: frozenset[str], random: Random) -> Exercise:
        length = len(self.trick.split())
        for _ in range(TRIES):
            cards = random.shuffled(list(cards_of(PACK)))
            trick, hand = cards[:length], Hand.of(cards[length : length + len(self.hand.split())])
            fresh = replace(self, hand=str(hand), trick=" ".join(map(str, trick)))
            costs = [points for _, points in fresh.task(reader).consequences()]
            if min(costs) <= 0 < max(costs) and len(costs) > 1:
                return fresh
        return self


class PlayIt(Task):
    ask = "play"

    def __init__(self, variant: Variant, deal: Any) -> None:
        self.variant = variant
        self.deal = deal
        self.hand = Hand(deal.hands[ME])
        self.played: Any = None

    def prompt(self) -> tuple[str, dict[str, Any]]:
        return "ask play safe", {}

    def scene(self, voice: Voice) -> dict[str, Any]:
        shown = self.played or self.deal
        trick, leader = (shown.last_trick, shown.last_leader) if self.played else (shown.trick, shown.leader)
        best = (
            next(e.facts["card"] for e in shown.events if e.kind == "TrickWon") if self.played else shown.view(ME).best
        )
        return {"trick": trick_scene(voice, trick, leader, best), "hand": voice.faces(Hand(shown.hands[ME]))}

    def out(self, card: Card) -> Any:
        """The deal after this card and those of the others who play to the trick."""
        deal = self.deal.copy()
        number = deal.table.number
        deal.play(str(card))
        while not deal.over and deal.table.number == number:
            deal.play(simple(deal.view(deal.turn)).move)
        return deal

    def consequences(self) -> list[tuple[Card, int]]:
        """Each legal card with the points it costs in this trick."""
        return [(move.cards[0], self.out(move.cards[0]).scores()[ME]) for move in self.deal.legal()]

    def solution(self) -> str:
        return str(min(self.consequences(), key=lambda pair: pair[1])[0])

    def reply(self, card: Card) -> Reply:
        refusal = self.deal.refusal(str(card))
        if refusal:
            return refused(refusal)
        after = self.out(card)
        points = after.scores()[ME]
        won = next(event for event in after.events if event.kind == "TrickWon")
        if points > 0:
            return Reply("warn", "reply play cost", won.rule, {"points": points})
        if after.winner == ME:
            return Reply("good", "reply play win", won.rule)
        return Reply("good", "reply play safe", won.rule, {"seat": Seat(after.winner)})

    def outcomes(self) -> Iterator[tuple[str, Reply]]:
        for card in self.hand:
            yield str(card), self.reply(card)

    def check(self, answer: object, tries: int = 9) -> Verdict:
        card = card_in(answer, self.hand)
        reply = self.reply(card)
        legal = self.deal.refusal(str(card)) is None
        self.played = self.out(card) if legal else None
        lines = [line for line in self.played.score_lines() if line.side == ME] if legal else []
        solved = reply.tone == "good"
        return Verdict(solved, [reply], {} if legal else {str(card): "refused"}, lines)

    def take_back(self) -> None:
        self.played = None

    def hint(self) -> tuple[str, dict[str, Any]]:
        safe = Hand.of(card for card, points in self.consequences() if points <= 0)
        return "play", {"best": self.deal.view(ME).best, "do": safe}
