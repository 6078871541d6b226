"""Exercises on a match of contracts: which of them may be named, who deals next, who has won at the end, and what one
knows of one's own hand where nobody sees it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from cardlib.cards import SUITS, Card, Hand, Seat, Suit
from cardlib.deal import Event
from cardlib.deal import deal as dealt
from cardlib.errors import BadInput
from cardlib.games.quodlibet_contracts import ROUND, ROUNDS
from cardlib.options import Variant
from cardlib.play.bots import simple
from cardlib.seeds import Random
from cardlib.teach.calling import ChooseCall
from cardlib.teach.contracts import named
from cardlib.teach.endings import Ending
from cardlib.teach.exercises import (
    NOTHING,
    TRIES,
    Choosing,
    Exercise,
    Marking,
    Reply,
    Task,
    Verdict,
    refused,
    told_of,
    trick_scene,
)
from cardlib.teach.positions import ME
from cardlib.teach.voice import Voice

# ---------------------------------------------------------------------------------------------------- choose_contract


@dataclass(frozen=True)
class choose_contract(Exercise):  # noqa: N801
    """Choose every contract that you may name as the dealer: `remaining` is left of this round; the hand is dealt from
    `seed`."""

    remaining: str
    seed: int = 1

    def task(self, reader: Variant) -> ChooseContract:
        return ChooseContract(self.variant(reader), self)

    def another(self, reader: Variant, rules: Sequence[str], taught: frozenset[str], random: Random) -> Exercise:
        """Another round, or another rest of it."""
        for _ in range(TRIES):
            number = 1 + random.below(3)
            names = random.shuffled(list(ROUNDS[number]))[1 + random.below(2) :]
            left = [name for name in ROUNDS[number] if name in names or name == "snack"]
            fresh = replace(self, remaining=" ".join(left), seed=random.below(1_000_000))
            if fresh.remaining != self.remaining:
                return fresh
        return self


class ChooseContract(ChooseCall):
    def __init__(self, variant: Variant, about: choose_contract) -> None:
        self.variant = variant
        self.remaining = about.remaining.split()
        self.round = ROUND[self.remaining[0]]
        match = {"round": self.round, "remaining": self.remaining}
        self.deal = dealt(variant, seed=about.seed, dealer=ME, match=match)
        self.right = frozenset(map(str, self.deal.legal()))

    def prompt(self) -> tuple[str, dict[str, Any]]:
        return "ask name-contract", {"round": self.round}

    def ids(self) -> list[str]:
        """The contracts of this round, and the first of the next one."""
        other = ROUNDS[self.round % len(ROUNDS) + 1][0]
        return [f"contract {name}" for name in (*ROUNDS[self.round], other)]

    def notes(self, voice: Voice) -> dict[str, str]:
        return {id: voice.say(f"{id} note") for id in self.ids()}

    def scene(self, voice: Voice) -> dict[str, Any]:
        left = voice.listed(voice.say(f"contract {name}") for name in self.remaining)
        rows = [{"label": voice.say("given round left"), "text": left}]
        return Choosing.scene(self, voice) | {"rows": rows, "hand": voice.faces(Hand(self.deal.hands[ME]))}

    def replies(self, given: frozenset[str]) -> list[Reply]:
        replies = super().replies(given)
        if given == self.right:
            replies[0] = Reply("good", "reply name-contract right")
        elif given < self.right:
            missed = [id.split()[1] for id in self.ids() if id in self.right - given]
            replies = [Reply("warn", "reply name-contract missed", "", {"contracts": missed})]
        return replies

    def hint(self) -> tuple[str, dict[str, Any]]:
        return "name-contract", {"contracts": [id.split()[1] for id in self.ids() if id in self.right]}


# ------------------------------------------------------------------------------------- who_deals_next, lowest_total


@dataclass(frozen=True)
class who_deals_next(Exercise):  # noqa: N801
    """Say who deals after a deal: its `contract` and `dealer`, what is `left` of the round, the `totals` before it and
    its `scores`, yours first."""

    contract: str
    dealer: int
    totals: tuple[int, ...]
    scores: tuple[int, ...]
    left: str = ""

    def task(self, reader: Variant) -> WhoDealsNext:
        return WhoDealsNext(self.variant(reader), self)

    def another(self, reader: Variant, rules: Sequence[str], taught: frozenset[str], random: Random) -> Exercise:
        """Other numbers and another dealer, decided by the same rule."""
        wanted = self.task(reader).settled.events[0].rule
        for _ in range(TRIES):
            seats = random.shuffled(list(range(self.players)))
            totals = tuple(10 * random.below(40) for _ in seats)
            moved = tuple(self.scores[seat] for seat in seats)
            fresh = replace(self, dealer=random.below(self.players), totals=totals, scores=moved)
            if fresh.task(reader).settled.events[0].rule == wanted:
                return fresh
        return self


class AfterDeal(Ending):
    """What a finished deal does to the match."""

    multiple = False

    def __init__(self, variant: Variant, about: Any) -> None:
        self.variant = variant
        self.about = about
        number = ROUND[about.contract]
        left = [name for name in ROUNDS[number] if name in (about.contract, *about.left.split())]
        match = {"round": number, "remaining": left, "totals": list(about.totals)}
        self.context = variant.game.context_of(match, variant)
        outcome = {"scores": list(about.scores), "contract": about.contract, "dealer": about.dealer}
        self.settled = variant.game.settle(variant, self.context, **outcome)
        self.decide()

    def choices(self, voice: Voice) -> list[tuple[str, str]]:
        totals = zip(self.context.totals, self.settled.match.totals, strict=True)
        return [
            (str(seat), voice.say("choice total", seat=Seat(seat), total=after, before=before))
            for seat, (before, after) in enumerate(totals)
        ]


class WhoDealsNext(AfterDeal):
    def decide(self) -> None:
        dealer = self.settled.next["dealer"]
        if dealer is None and "draw" in self.settled.next:
            raise BadInput("draw", "the cards decide who deals next")
        self.right = frozenset(["nobody" if dealer is None else str(dealer)])

    def prompt(self) -> tuple[str, dict[str, Any]]:
        return "ask next-dealer", {"dealer": Seat(self.about.dealer), "contract": self.about.contract}

    def ids(self) -> list[str]:
        return [*map(str, range(self.variant.players)), "nobody"]

    def choices(self, voice: Voice) -> list[tuple[str, str]]:
        return [*super().choices(voice), ("nobody", voice.say("choice nobody deals"))]

    def scene(self, voice: Voice) -> dict[str, Any]:
        left = voice.listed(voice.say(f"contract {name}") for name in self.about.left.split())
        row = {"label": voice.say("given round left"), "text": left or voice.say("given nothing left")}
        return super().scene(voice) | {"rows": [row]}

    def replies(self, given: frozenset[str]) -> list[Reply]:
        if given == self.right:
            return [Reply("good", "reply right"), *(told_of(event) for event in self.settled.events)]
        totals, rule = self.settled.match.totals, self.settled.events[0].rule
        if "nobody" in given:
            return [Reply("warn", "reply next-dealer on", rule)]
        seat = int(min(given))
        if not self.settled.match.remaining:
            kind = "over"
        elif self.about.left:
            kind = "within" if totals[seat] == max(totals) else "wrong"
        else:
            kind = "new-round" if seat == (self.about.dealer + 1) % self.variant.players else "not-highest"
        return [Reply("warn", f"reply next-dealer {kind}", rule, {"seat": Seat(seat), "total": totals[seat]})]

    def hints(self) -> list[Reply]:
        two, (id,) = Task.hints(self)[:2], self.right
        last = Reply("note", "hint next-dealer 3", "", {"seat": Seat(int(id))}) if id.isdigit() else None
        return [*two, last or Reply("note", "hint next-dealer 3 over")]

    def hint(self) -> tuple[str, dict[str, Any]]:
        return "next-dealer", {}


@dataclass(frozen=True)
class lowest_total(Exercise):  # noqa: N801
    """Say who has won after the last deal of a match: the `totals` before it and its `scores`, yours first."""

    contract: str
    totals: tuple[int, ...]
    scores: tuple[int, ...]
    dealer: int = 3
    left: str = ""

    def task(self, reader: Variant) -> LowestTotal:
        return LowestTotal(self.variant(reader), self)

    def another(self, reader: Variant, rules: Sequence[str], taught: frozenset[str], random: Random) -> Exercise:
        """Other totals; sometimes the lowest is shared."""
        after = [10 * (random.below(60) - 5) for _ in self.totals]
        if random.below(3) == 0:
            after[random.below(len(after))] = min(after)
        scores = random.shuffled(list(self.scores))
        totals = tuple(total - score for total, score in zip(after, scores, strict=True))
        return replace(self, totals=totals, scores=tuple(scores))


class LowestTotal(AfterDeal):
    multiple = True

    def prompt(self) -> tuple[str, dict[str, Any]]:
        return "ask lowest-total", {}

    def ids(self) -> list[str]:
        return [*map(str, range(self.variant.players))]

    def replies(self, given: frozenset[str]) -> list[Reply]:
        if given == self.right:
            return super().replies(given)
        totals, rule = self.settled.match.totals, self.settled.events[0].rule
        wrong = [Seat(int(id)) for id in sorted(given - self.right)]
        if not wrong:
            winners = [Seat(seat) for seat in self.settled.result or ()]
            return [Reply("warn", "reply winners shared", rule, {"sides": winners})]
        kind = "highest" if totals[wrong[0]] == max(totals) else "winners not lowest"
        return [Reply("warn", f"reply {kind}", rule, {"side": wrong[0], "total": totals[wrong[0]]})]

    def hint(self) -> tuple[str, dict[str, Any]]:
        return "lowest-total", {}

    def hints(self) -> list[Reply]:
        winners = [Seat(seat) for seat in self.settled.result or ()]
        return [*Task.hints(self)[:2], Reply("note", "hint winners 3", "", {"sides": winners, "count": len(winners)})]


# ---------------------------------------------------------------------------------------------------------- mark_mine


@dataclass(frozen=True)
class mark_mine(Exercise):  # noqa: N801
    """Mark the cards of a suit that are in your own hand, which you do not see, though you see the others'; in a
    contract that is played like this, dealt from `seed`."""

    contract: str
    suit: str
    seed: int = 1

    def task(self, reader: Variant) -> MarkMine:
        return MarkMine(self.variant(reader), self)

    def another(self, reader: Variant, rules: Sequence[str], taught: frozenset[str], random: Random) -> Exercise:
        """Other hands and another suit, of which the learner holds some."""
        for _ in range(TRIES):
            fresh = replace(self, suit=SUITS[random.below(4)], seed=random.below(1_000_000))
            if 1 < len(fresh.task(reader).legal) < 5:
                return fresh
        return self


def open_hands(deal: Any, voice: Voice) -> list[dict[str, Any]]:
    """The hands that the learner sees, a row each."""
    return [
        {"label": voice.say("given held", seat=Seat(seat)), "cards": voice.faces(Hand(cards))}
        for seat, cards in enumerate(deal.exposed(ME))
        if cards
    ]


class MarkMine(Marking):
    def __init__(self, variant: Variant, about: mark_mine) -> None:
        self.variant = variant
        self.deal = named(variant, about.contract, about.seed, variant.players - 1)
        self.suit = Suit(SUITS.index(about.suit))
        self.hand = Hand(variant.game.deal.pack_of(variant) & self.suit.mask)
        self.legal = Hand(self.deal.hands[ME] & self.hand)

    def prompt(self) -> tuple[str, dict[str, Any]]:
        return "ask mine", {"suit": self.suit}

    def scene(self, voice: Voice) -> dict[str, Any]:
        return {"rows": open_hands(self.deal, voice), "hand": voice.faces(self.hand)}

    def reply(self, card: Card) -> Reply:
        holder = next(seat for seat, hand in enumerate(self.deal.hands) if hand >> card & 1)
        if holder == ME:
            return Reply("good", "reply mine right")
        return Reply("warn", "reply mine seen", "", {"card": card, "seat": Seat(holder)})

    def missing(self, cards: Hand) -> Reply:
        return Reply("warn", "reply mine missed", "", {"do": cards})

    def done(self) -> Reply:
        return Reply("good", "reply mine right", self.rule)

    @property
    def rule(self) -> str:
        """The rule by which the hands lie so: that of the event that has opened them."""
        opened: Event = next(event for event in self.deal.events if event.kind == "Exposed")
        return opened.rule

    def hint(self) -> tuple[str, dict[str, Any]]:
        return "mine", {"suit": self.suit, "do": self.legal}


# --------------------------------------------------------------------------------------------------------- mark_slots


@dataclass(frozen=True)
class mark_slots(Exercise):  # noqa: N801
    """Mark the places of your hand, which you do not see, from which you may play to the first trick; in a contract
    that is played like this, dealt from `seed`."""

    contract: str
    seed: int = 1

    def task(self, reader: Variant) -> MarkSlots:
        return MarkSlots(self.variant(reader), self)

    def another(self, reader: Variant, rules: Sequence[str], taught: frozenset[str], random: Random) -> Exercise:
        """Other hands; the learner holds the suit led."""
        for _ in range(TRIES):
            fresh = replace(self, seed=random.below(1_000_000))
            deal = fresh.task(reader).deal
            if deal.hands[ME] & deal.trick[0].suit.mask:
                return fresh
        return self


class MarkSlots(Task):
    ask = "mark"

    def __init__(self, variant: Variant, about: mark_slots) -> None:
        self.variant = variant
        self.deal = named(variant, about.contract, about.seed, variant.players - 2)
        while self.deal.turn != ME:
            self.deal.play(simple(self.deal.view(self.deal.turn)).move)
        self.view = self.deal.view(ME)
        self.hand = [f"slot {n}" for n, card in enumerate(self.view.slots, 1) if card is None]
        self.right = [str(move) for move in self.view.legal()]

    def prompt(self) -> tuple[str, dict[str, Any]]:
        return "ask slots", {"lead": self.deal.trick[0]}

    def scene(self, voice: Voice) -> dict[str, Any]:
        places = [int(slot.split()[1]) for slot in self.hand]
        backs = [
            {"card": f"slot {n}", "n": str(n), "name": voice.say("ui slot", n=n), "back": True, "mark": ""}
            for n in places
        ]
        trick = trick_scene(voice, self.deal.trick, self.deal.leader, self.view.best)
        return {"rows": open_hands(self.deal, voice), "trick": trick, "hand": backs}

    def solution(self) -> list[str]:
        return self.right

    def short(self, voice: Voice) -> str:
        return voice.listed(slot.split()[1] for slot in self.right)

    def reply(self, slot: str) -> Reply:
        refusal = self.view.refusal(slot)
        return refused(refusal) if refusal else Reply("good", "reply slots right", "", self.facts())

    def facts(self) -> dict[str, Any]:
        return {"slots": [int(slot.split()[1]) for slot in self.right]}

    def outcomes(self) -> Iterator[tuple[str, Reply]]:
        for slot in self.hand:
            yield slot, self.reply(slot)

    def check(self, answer: object, tries: int = 9) -> Verdict:
        if not isinstance(answer, list) or any(slot not in self.hand for slot in answer):
            raise BadInput("message", f"no places of this hand: {answer!r}", message=str(answer)[:40])
        wrong = [slot for slot in self.hand if slot in answer and slot not in self.right]
        missed = [slot for slot in self.right if slot not in answer]
        marks = {slot: "refused" if slot in wrong else "right" for slot in answer}
        if not answer:
            return NOTHING
        if wrong:
            return Verdict(False, [self.reply(wrong[0])], marks)
        if missed:
            return Verdict(False, [Reply("warn", "reply slots missed")], marks | dict.fromkeys(missed, "missed"))
        everywhere = len(self.right) == len(self.hand)
        return Verdict(True, [Reply("good", "reply slots any")] if everywhere else [self.reply(self.right[0])], marks)

    def hint(self) -> tuple[str, dict[str, Any]]:
        return "slots", self.facts()
