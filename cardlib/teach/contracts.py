"""Exercises for games in which each deal has a contract that says what counts: one trick or a whole deal counted under
it, and the same cards under several."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from cardlib.cards import Card, Hand, Seat, Side, Suit, cards_of, parse_cards
from cardlib.deal import Event, ScoreLine
from cardlib.deal import deal as dealt
from cardlib.games.quodlibet_contracts import ROUND, ROUNDS
from cardlib.options import Variant, shown
from cardlib.play import quodlibet as _quodlibet  # noqa: F401  (makes its bot known)
from cardlib.play.bots import simple
from cardlib.seeds import Random
from cardlib.teach.counting import CountPoints, number_in
from cardlib.teach.exercises import (
    TRIES,
    Exercise,
    Reply,
    Verdict,
    redrawn,
    told_of,
    trick_scene,
)
from cardlib.teach.positions import ME
from cardlib.teach.voice import Voice

# ------------------------------------------------------------------------------------------------------ what it counts


def after_trick(variant: Variant, contract: str, trick: Sequence[Card], leader: int, **where: Any) -> Any:
    """The deal after this trick, with one card in each hand before it."""
    held = [""] * variant.players
    for i, card in enumerate(trick):
        held[(leader + i) % variant.players] = str(card)
    record = {"game": variant.game.id, "options": variant.options.changed(), "hands": held}
    deal: Any = variant.game.deal.from_record(record | {"position": {"contract": contract, "leader": leader} | where})
    for card in trick:
        deal.play(str(card))
    return deal


def taken_by(won: Event) -> Reply:
    """Who has won a trick that has no number."""
    return Reply("note", "reply one-trick won", won.rule, won.facts)


class UnderContract(CountPoints):
    """The points of each player under a contract; `counted` says what they are under any other contract or rules."""

    contract: str

    def counted(self, variant: Variant, contract: str) -> Any:
        """The deal, counted."""
        raise NotImplementedError

    def count(self) -> None:
        self.deal = self.counted(self.variant, self.contract)
        self.scores = self.deal.scores()

    def pattern(self) -> tuple[object, ...]:
        """By which rules it is counted, and for how many players."""
        lines = self.lines()
        return sorted(line.rule for line in lines), len({line.side for line in lines})

    def prompt(self) -> tuple[str, dict[str, Any]]:
        return f"ask {self.kind}", {"contract": self.contract}

    def check(self, answer: object, tries: int = 9) -> Verdict:
        verdict = super().check(answer, tries)
        if not verdict.solved:
            given = [number_in(answer, seat) for seat in range(len(self.scores))]
            verdict.replies[:0] = list(self.mistakes(given))[:1]
        return verdict

    def mistakes(self, given: list[int]) -> Iterator[Reply]:
        """What the wrong numbers would be right for: another contract, or other rules."""
        for other in ROUND if any(given) else ():
            if other not in (self.contract, "snack") and self.counted(self.variant, other).scores() == given:
                yield Reply("warn", "reply contract other", "", {"other": other, "contract": self.contract})
        for option in self.variant.game.options.declared():
            for value in option.metadata["values"]:
                variant = self.variant.with_value(option.name, value)
                if variant != self.variant and self.counted(variant, self.contract).scores() == given:
                    named = {"name": option.name, "value": f"{option.name} {shown(value)}"}
                    yield Reply("warn", "reply contract reading", "", named)

    def hint(self) -> tuple[str, dict[str, Any]]:
        return self.kind, super().hint()[1] | {"note": f"{self.contract} note"}


# -------------------------------------------------------------------------------------------------------- count_trick


@dataclass(frozen=True)
class count_trick(Exercise):  # noqa: N801
    """Say what each player gets for a `trick` under a contract; seat `leader` has led to it."""

    contract: str
    trick: str
    leader: int = 1

    def task(self, reader: Variant) -> CountTrick:
        return CountTrick(self.variant(reader), self)

    def another(self, reader: Variant, rules: Sequence[str], taught: frozenset[str], random: Random) -> Exercise:
        """Other cards that count by the same rules; half of the time in the same suits."""
        wanted, cards = self.task(reader).pattern(), parse_cards(self.trick)
        for _ in range(TRIES):
            other = redrawn(self.variant(reader), cards, random)
            if random.below(2):
                other = [Card(16 * old.suit + new.rank) for old, new in zip(cards, other, strict=True)]
            fresh = replace(self, trick=" ".join(map(str, other)), leader=random.below(self.players))
            if len(set(other)) == len(other) and fresh != self and fresh.task(reader).pattern() == wanted:
                return fresh
        return self


class CountTrick(UnderContract):
    kind = "one-trick"

    def __init__(self, variant: Variant, about: count_trick) -> None:
        self.variant = variant
        self.contract = about.contract
        self.trick = parse_cards(about.trick)
        self.leader = about.leader
        self.count()
        self.won = next(event for event in self.deal.events if event.kind == "TrickWon")

    def counted(self, variant: Variant, contract: str) -> Any:
        return after_trick(variant, contract, self.trick, self.leader, last_trick=False)

    def scene(self, voice: Voice) -> dict[str, Any]:
        fields = [{"id": str(n), "label": who, "value": "", "mark": ""} for n, who in enumerate(voice.labels)]
        return {"trick": trick_scene(voice, self.trick, self.leader, None), "fields": fields}

    def check(self, answer: object, tries: int = 9) -> Verdict:
        verdict = super().check(answer, tries)
        if verdict.solved:
            verdict.replies.append(taken_by(self.won))
            verdict.replies += [told_of(event) for event in self.deal.events if event.kind == "Lowest"]
        return verdict

    def mistakes(self, given: list[int]) -> Iterator[Reply]:
        if sorted(given) == sorted(self.scores):
            yield Reply("warn", "reply one-trick owner", self.won.rule, self.won.facts)
        yield from super().mistakes(given)

    def hint(self) -> tuple[str, dict[str, Any]]:
        kind, facts = super().hint()
        return kind, facts | {"led": self.trick[0].suit}


# ------------------------------------------------------------------------------------------------------- count_tricks


@dataclass(frozen=True)
class count_tricks(Exercise):  # noqa: N801
    """Say what each player gets in a deal under a contract whose tricks went to these `winners`, one after the
    other."""

    contract: str
    winners: tuple[int, ...]

    def task(self, reader: Variant) -> CountTricks:
        return CountTricks(self.variant(reader), self)

    def another(self, reader: Variant, rules: Sequence[str], taught: frozenset[str], random: Random) -> Exercise:
        """Other winners, as many different ones, counted by the same rules; but where one player has won all tricks,
        half of the time he misses one."""
        wanted, many = self.task(reader).pattern(), len(set(self.winners))
        for _ in range(TRIES):
            seats = random.shuffled(list(range(self.players)))
            winners = [seats[random.below(many)] for _ in self.winners]
            if many == 1 and random.below(2):
                winners[random.below(len(winners))] = seats[-1]
                return replace(self, winners=tuple(winners))
            fresh = replace(self, winners=tuple(winners))
            if len(set(winners)) == many and fresh != self and fresh.task(reader).pattern() == wanted:
                return fresh
        return self


class CountTricks(UnderContract):
    kind = "all-tricks"

    def __init__(self, variant: Variant, about: count_tricks) -> None:
        self.variant = variant
        self.contract = about.contract
        self.winners = about.winners
        self.count()

    def counted(self, variant: Variant, contract: str) -> Any:
        """The last trick is played: its winner holds the best card of it."""
        *before, winner = self.winners
        leader, players = before[-1], variant.players
        high, *low = cards_of(variant.game.deal.pack_of(variant) & Suit(0).mask)
        seats = [(leader + i) % players for i in range(players)]
        trick = [high if seat == winner else low[seat] for seat in seats]
        return after_trick(variant, contract, trick, leader, trick_winners=before)

    def pattern(self) -> tuple[object, ...]:
        return (sorted({line.rule for line in self.lines()}),)

    def scene(self, voice: Voice) -> dict[str, Any]:
        labels = [
            voice.say("field won", who=who, count=self.winners.count(seat)) for seat, who in enumerate(voice.labels)
        ]
        fields = [{"id": str(seat), "label": label, "value": "", "mark": ""} for seat, label in enumerate(labels)]
        in_order = " · ".join(f"{n} {voice.labels[seat]}" for n, seat in enumerate(self.winners, 1))
        return {"rows": [{"label": voice.say("given winners"), "text": in_order}], "fields": fields}


# ---------------------------------------------------------------------------------------------------- under_contracts


class Compared(CountPoints):
    """One number for each of several contracts."""

    contracts: list[str]

    def side(self, number: int) -> Seat | Side | str:
        return self.contracts[number]

    def lines(self) -> list[ScoreLine]:
        """Each contract has lines of its own: the replies tell them."""
        return []

    def check(self, answer: object, tries: int = 9) -> Verdict:
        verdict = super().check(answer, tries)
        for number, points in enumerate(self.scores):
            if points and number_in(answer, number) == -points:
                verdict.replies[:0] = [Reply("warn", "reply under sign", "", {"side": self.side(number)})]
                break
        return verdict

    def fields(self, voice: Voice) -> list[dict[str, Any]]:
        labels = [voice.say(f"contract {contract}") for contract in self.contracts]
        return [{"id": str(n), "label": label, "value": "", "mark": ""} for n, label in enumerate(labels)]

    def short(self, voice: Voice) -> str:
        return voice.listed(self._lines(voice))

    spoken = short

    def _lines(self, voice: Voice) -> list[str]:
        return [
            voice.say("reply under line", contract=contract, points=points)
            for contract, points in zip(self.contracts, self.scores, strict=True)
        ]


@dataclass(frozen=True)
class under_contracts(Exercise):  # noqa: N801
    """Say what the winner of a `trick` gets for it in each of several `contracts`; as trick `number` of the deal."""

    contracts: str
    trick: str
    leader: int = 1
    number: int = 0

    def task(self, reader: Variant) -> UnderContracts:
        return UnderContracts(self.variant(reader), self)

    def another(self, reader: Variant, rules: Sequence[str], taught: frozenset[str], random: Random) -> Exercise:
        """Another trick that counts in as many of the contracts."""
        wanted, cards = self.task(reader).counting, parse_cards(self.trick)
        for _ in range(TRIES):
            other = redrawn(self.variant(reader), cards, random)
            fresh = replace(self, trick=" ".join(map(str, other)), leader=random.below(self.players))
            if fresh.task(reader).counting == wanted:
                return fresh
        return self


class UnderContracts(Compared):
    kind = "under"

    def __init__(self, variant: Variant, about: under_contracts) -> None:
        self.variant = variant
        self.contracts = about.contracts.split()
        self.trick = parse_cards(about.trick)
        self.leader, self.number = about.leader, about.number
        where = {"last_trick": False} | ({"trick_number": about.number} if about.number else {})
        self.deals = [after_trick(variant, name, self.trick, self.leader, **where) for name in self.contracts]
        self.winner: int = self.deals[0].winner
        self.scores = [deal.scores()[self.winner] for deal in self.deals]

    @property
    def counting(self) -> list[bool]:
        """In which of the contracts the winner gets anything."""
        return [points != 0 for points in self.scores]

    def prompt(self) -> tuple[str, dict[str, Any]]:
        return ("ask under number", {"number": self.number}) if self.number else ("ask under", {})

    def scene(self, voice: Voice) -> dict[str, Any]:
        return {"trick": trick_scene(voice, self.trick, self.leader, None), "fields": self.fields(voice)}

    def check(self, answer: object, tries: int = 9) -> Verdict:
        verdict = super().check(answer, tries)
        if verdict.solved:
            verdict.replies += [taken_by(event) for event in self.deals[0].events if event.kind == "TrickWon"]
            verdict.replies += [self._line(deal, points) for deal, points in zip(self.deals, self.scores, strict=True)]
        return verdict

    def _line(self, deal: Any, points: int) -> Reply:
        """What one contract gives, with the rule that gives it (to the winner, or to somebody else)."""
        rules = [line.rule for line in sorted(deal.score_lines(), key=lambda line: line.side != self.winner)]
        return Reply("note", "reply under line", (rules or [""])[0], {"contract": deal.contract, "points": points})

    def hint(self) -> tuple[str, dict[str, Any]]:
        kind, facts = super().hint()
        return kind, facts | {"led": self.trick[0].suit}


# --------------------------------------------------------------------------------------------------------- whole_deal


@dataclass(frozen=True)
class whole_deal(Exercise):  # noqa: N801
    """Say what you get in each of several `contracts` for the same eight tricks of a deal dealt from `seed`."""

    contracts: str
    seed: int = 1

    def task(self, reader: Variant) -> WholeDeal:
        return WholeDeal(self.variant(reader), self)

    def another(self, reader: Variant, rules: Sequence[str], taught: frozenset[str], random: Random) -> Exercise:
        return replace(self, seed=random.below(1_000_000))


def named(variant: Variant, contract: str, seed: int, dealer: int) -> Any:
    """A deal from its first card on, the contract just named."""
    number = ROUND[contract]
    match = {"round": number, "remaining": list(ROUNDS[number])}
    deal: Any = dealt(variant, seed=seed, dealer=dealer, match=match)
    deal.play(f"contract {contract}")
    return deal


def played_out(deal: Any) -> Any:
    """The deal played to its end by simple players."""
    while not deal.over:
        deal.play(simple(deal.view(deal.turn)).move)
    return deal


class WholeDeal(Compared):
    kind = "whole-deal"

    def __init__(self, variant: Variant, about: whole_deal) -> None:
        self.variant = variant
        self.contracts = about.contracts.split()
        self.fresh = [named(variant, name, about.seed, variant.players - 1) for name in self.contracts]
        self.hand = Hand(self.fresh[0].hands[ME])
        played = played_out(self.fresh[0].copy())
        cards = [str(event.facts["card"]) for event in played.events if event.kind == "Played"]
        deals = [deal.copy() for deal in self.fresh]
        for deal in deals:
            for card in cards:
                deal.play(card)
        self.tricks = [event for event in played.events if event.kind == "TrickWon"]
        self.cards = parse_cards(" ".join(cards))
        self.scores = [deal.scores()[ME] for deal in deals]
        self.solved = False

    def prompt(self) -> tuple[str, dict[str, Any]]:
        return "ask whole-deal", {}

    def scene(self, voice: Voice) -> dict[str, Any]:
        rows: list[dict[str, Any]] = [{"label": voice.say("given hand"), "cards": voice.faces(self.hand)}]
        players = self.variant.players
        for n, event in enumerate(self.tricks):
            label = voice.say("given trick won", number=n + 1, seat=event.facts["seat"])
            rows.append({"label": label, "cards": voice.faces(self.cards[players * n : players * (n + 1)])})
        fields = self.fields(voice)
        for field, deal in zip(fields, self.fresh if self.solved else (), strict=False):
            field["note"] = voice.say("field played", points=played_out(deal.copy()).scores()[ME])
        return {"rows": rows, "fields": fields}

    def check(self, answer: object, tries: int = 9) -> Verdict:
        verdict = super().check(answer, tries)
        self.solved = verdict.solved
        if verdict.solved:
            verdict.replies.append(Reply("note", "reply played out"))
        return verdict

    def take_back(self) -> None:
        self.solved = False
