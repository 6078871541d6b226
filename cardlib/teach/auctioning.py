"""Exercises on an auction and what comes of it: who speaks next, who leads first, who pays whom how much."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from cardlib.cards import SUITS, Seat
from cardlib.deal import Event
from cardlib.deal import deal as dealt
from cardlib.options import Variant
from cardlib.phases.auction import standing
from cardlib.seeds import Random
from cardlib.teach.calling import called_rows, random_calls, under_some_rules
from cardlib.teach.counting import CountPoints
from cardlib.teach.exercises import TRIES, Choosing, Exercise, Reply, Verdict, told_of
from cardlib.teach.positions import ME
from cardlib.teach.voice import Voice

# -------------------------------------------------------------------------------------------------------- who_speaks


@dataclass(frozen=True)
class who_speaks(Exercise):  # noqa: N801
    """Say who speaks next after `calls`, or that the auction is over; eldest hand sits at seat `first`."""

    calls: str
    first: int = 1

    def task(self, reader: Variant) -> WhoSpeaks:
        return under_some_rules(lambda reader: WhoSpeaks(self.variant(reader), self.calls.split(), self.first), reader)

    def another(self, reader: Variant, rules: Sequence[str], taught: frozenset[str], random: Random) -> Exercise:
        """Other calls, after which it goes on for the same reason."""
        given = self.task(reader)
        for _ in range(TRIES):
            first = random.below(self.players)
            deal = random_calls(given.variant, first, random)
            fresh = replace(self, calls=" ".join(map(str, deal.moves)), first=first)
            if fresh != self and fresh.task(reader).reason == given.reason:
                return fresh
        return self


class WhoSpeaks(Choosing):
    def __init__(self, variant: Variant, calls: Sequence[str], first: int) -> None:
        self.variant = variant
        self.deal: Any = dealt(variant, seed=1, dealer=(first - 1) % variant.players)
        events: list[Event] = []
        for call in calls:
            events = self.deal.play(call)
        self.over = not self.deal.board
        self.told = next((event for event in events if event.kind in ("Asked", "Contract", "ThrownIn")), None)
        self.right = frozenset(["over" if self.over else str(self.deal.turn)])
        #: Why it goes on as it does: the rule, and whether this seat has spoken before.
        again = any(seat == self.deal.turn for seat, _ in self.deal.calls)
        self.reason = (self.told.rule if self.told else "", again)

    def prompt(self) -> tuple[str, dict[str, Any]]:
        return "ask speaks", {}

    def ids(self) -> list[str]:
        return [*(str((ME + i) % self.variant.players) for i in range(self.variant.players)), "over"]

    def choices(self, voice: Voice) -> list[tuple[str, str]]:
        return [(id, voice.say("choice auction over") if id == "over" else voice.labels[int(id)]) for id in self.ids()]

    def scene(self, voice: Voice) -> dict[str, Any]:
        return super().scene(voice) | {"rows": called_rows(self.deal, voice)}

    def replies(self, given: frozenset[str]) -> list[Reply]:
        if given != self.right:
            return [self._wrong(next(iter(given - self.right)))]
        order = Reply("note", "reply speaks order", "solo-whist.auction.order", {"seat": Seat(self.deal.turn or 0)})
        reason = told_of(self.told) if self.told else order
        return [Reply("good", "reply right"), reason]

    def _wrong(self, id: str) -> Reply:
        now = standing(self.deal.calls)
        if id == "over":
            return Reply("warn", "reply speaks not over", "solo-whist.auction.close")
        seat = Seat(int(id))
        facts = {"seat": seat}
        if seat in now[1:]:
            return Reply("warn", "reply speaks stands", "solo-whist.auction.order", facts)
        if not self.over and self.deal.may_speak(seat):
            return Reply("warn", "reply speaks later", "solo-whist.auction.order", facts)
        return Reply("warn", "reply speaks out", "solo-whist.auction.pass-final", facts)

    def hint(self) -> tuple[str, dict[str, Any]]:
        return ("speaks over", {}) if self.over else ("speaks", {"seat": Seat(self.deal.turn)})


# --------------------------------------------------------------------------------------------------------- who_opens


@dataclass(frozen=True)
class who_opens(Exercise):  # noqa: N801
    """Say who leads to the first trick of a `contract` that `bidder` plays."""

    contract: str
    bidder: int
    dealer: int = 3

    def task(self, reader: Variant) -> WhoOpens:
        return WhoOpens(self.variant(reader), self)

    def another(self, reader: Variant, rules: Sequence[str], taught: frozenset[str], random: Random) -> Exercise:
        """Another bidder and another dealer."""
        bidder, dealer = random.below(self.players), random.below(self.players)
        return replace(self, bidder=bidder, dealer=dealer)


class WhoOpens(Choosing):
    def __init__(self, variant: Variant, about: who_opens) -> None:
        self.variant = variant
        self.about = about
        hands = [f"A{suit} 2{suit}" for suit in SUITS]
        where = {"contract": about.contract, "bidder": about.bidder}
        record = {"game": variant.game.id, "options": variant.options.changed(), "hands": hands}
        kinds: Any = variant.game.deal
        deal = kinds.from_record(record | {"dealer": about.dealer, "position": where})
        if deal.phase.name != "play":
            deal.play(deal.legal()[0])
        self.leads = next(event for event in deal.events if event.kind == "Leads")
        self.right = frozenset([str(deal.leader)])

    def prompt(self) -> tuple[str, dict[str, Any]]:
        return "ask opens", {
            "seat": Seat(self.about.bidder),
            "dealer": Seat(self.about.dealer),
            "call": self.about.contract,
        }

    def ids(self) -> list[str]:
        return [str((ME + i) % self.variant.players) for i in range(self.variant.players)]

    def choices(self, voice: Voice) -> list[tuple[str, str]]:
        return [(id, voice.labels[int(id)]) for id in self.ids()]

    def replies(self, given: frozenset[str]) -> list[Reply]:
        opening = Reply("good", "reply right") if given == self.right else Reply("warn", "reply almost")
        return [opening, told_of(self.leads)]

    def hint(self) -> tuple[str, dict[str, Any]]:
        return "opens", self.leads.facts


# --------------------------------------------------------------------------------------------------------- settle_it


@dataclass(frozen=True)
class settle_it(Exercise):  # noqa: N801
    """Say what each player wins or loses: the `contract` of `bidder` (and `partner`), and the `tricks` by seat."""

    contract: str
    tricks: tuple[int, ...]
    bidder: int = 0
    partner: int | None = None

    def task(self, reader: Variant) -> SettleIt:
        return SettleIt(self.variant(reader), self)

    def another(self, reader: Variant, rules: Sequence[str], taught: frozenset[str], random: Random) -> Exercise:
        """Other numbers of tricks, settled by the same rules; another bidder."""
        wanted = self.task(reader).pattern()
        for _ in range(TRIES):
            tricks = [0] * self.players
            for _ in range(sum(self.tricks)):
                tricks[random.below(self.players)] += 1
            seats = random.shuffled(list(range(self.players)))
            partner = None if self.partner is None else seats[1]
            if not self.tricks[self.bidder] and self.partner is None:  # the bidder has taken none
                tricks[seats[1]] += tricks[seats[0]]
                tricks[seats[0]] = 0
            fresh = replace(self, tricks=tuple(tricks), bidder=seats[0], partner=partner)
            if fresh != self and fresh.task(reader).pattern() == wanted:
                return fresh
        return self


class SettleIt(CountPoints):
    kind = "settle"

    def __init__(self, variant: Variant, about: settle_it) -> None:
        self.variant = variant
        self.about = about
        players = variant.players
        last = next(seat for seat in range(players) if about.tricks[seat])
        hands = {(last + i) % players: card for i, card in enumerate(("AC", "KC", "QC", "JC"))}
        before = [tricks - (seat == last) for seat, tricks in enumerate(about.tricks)]
        where: dict[str, Any] = {"contract": about.contract, "tricks": before, "leader": last}
        where |= {} if about.contract == "misery" else {"bidder": about.bidder}
        where |= {} if about.partner is None else {"partner": about.partner}
        where |= {} if about.contract.startswith("mis") or self._plain(about.contract) else {"trump": "H"}
        record = {"game": variant.game.id, "options": variant.options.changed(), "position": where}
        kinds: Any = variant.game.deal
        self.deal = kinds.from_record(record | {"hands": [hands[seat] for seat in range(players)]})
        for i in range(players):
            self.deal.play(hands[(last + i) % players])
        self.scores = self.deal.scores()

    def _plain(self, contract: str) -> bool:
        """The contract has no trumps."""
        return contract == "declaree" and self.variant.options.declaree_trump == "none"

    def pattern(self) -> frozenset[str]:
        """The rules by which it is settled."""
        return frozenset(line.rule for line in self.deal.score_lines())

    def scene(self, voice: Voice) -> dict[str, Any]:
        about = self.about
        sides = self.deal.contract.seats
        played = (
            voice.say("contract of", sides=sides, call=about.contract) if sides else voice.say(f"word {about.contract}")
        )
        rows = [{"label": voice.say("given bid"), "text": played}]
        fields = [
            {
                "id": str(seat),
                "label": voice.say("field settle", who=voice.labels[seat], count=count),
                "value": "",
                "mark": "",
            }
            for seat, count in enumerate(about.tricks)
        ]
        return {"rows": rows, "fields": fields}

    def short(self, voice: Voice) -> str:
        """What the bidder wins or loses; the rest follows from it."""
        return voice.points(self.scores[self.about.bidder])

    def check(self, answer: object, tries: int = 9) -> Verdict:
        verdict = super().check(answer, tries)
        if verdict.solved:
            verdict.replies += [
                told_of(event) for event in self.deal.settled.events if event.kind in ("Made", "Failed")
            ]
        return verdict
