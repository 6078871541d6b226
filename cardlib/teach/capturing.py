"""Exercises for games in which cards capture others from the table: what a card takes, whose turn it is, who makes a
sweep, and what is better left lying."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any

from cardlib.cards import Card, Hand, Seat, cards_of, parse_cards
from cardlib.deal import Event, Move, Refusal, ScoreLine
from cardlib.deal import deal as dealt
from cardlib.errors import BadInput
from cardlib.options import Variant
from cardlib.phases.fishing import by_value, value, worth
from cardlib.reading import written
from cardlib.seeds import Random
from cardlib.teach.counting import CountPoints
from cardlib.teach.exercises import (
    NOTHING,
    TRIES,
    Choosing,
    Exercise,
    Reply,
    Task,
    Verdict,
    card_in,
    cards_in,
    refused,
    told_of,
)
from cardlib.teach.positions import ME
from cardlib.teach.voice import Voice

#: The answer that a card takes nothing.
STAYS = "stays"


def lying(variant: Variant, table: int, hands: Sequence[int], turn: int = ME, **where: Any) -> Any:
    """The deal in which these cards lie on the table, and the seat `turn` is to play; `where` are further keys of the
    position."""
    record = {
        "game": variant.game.id,
        "options": variant.options.changed(),
        "dealer": (turn - 1) % variant.players,
        "hands": [written(hand) for hand in hands],
        "position": {"table": written(table), "turn": turn, **where},
    }
    return variant.game.deal.from_record(record)


def others(variant: Variant, seen: int) -> list[Card]:
    """The cards that are not seen, in an order that is always the same."""
    pack = variant.game.deal.pack_of(variant)
    return Random(0, "fill").shuffled(list(cards_of(pack & (pack ^ seen))))


def some_cards(variant: Variant, random: Random) -> list[Card]:
    """The pack, shuffled."""
    return random.shuffled(list(cards_of(variant.game.deal.pack_of(variant))))


def text_of(cards: Iterable[Card]) -> str:
    return " ".join(map(str, cards))


def just(event: Event, tone: str = "good") -> Reply:
    """What an event tells, as an answer."""
    return told_of(event)._replace(tone=tone)


# ------------------------------------------------------------------------------------------------------ count_values


@dataclass(frozen=True)
class count_values(Exercise):  # noqa: N801  (notebooks read like a script: count_values("JS", "3H QD"))
    """Write down what each of these cards, or several of them together, counts in a capture."""

    groups: tuple[str, ...]

    def __init__(self, *groups: str, **more: Any) -> None:
        super().__init__(**more)
        object.__setattr__(self, "groups", groups)

    def task(self, reader: Variant) -> CountValues:
        return CountValues(self.variant(reader), [parse_cards(group) for group in self.groups])

    def another(self, reader: Variant, rules: Sequence[str], taught: frozenset[str], random: Random) -> Exercise:
        """As many cards in each group, a court card or an ace among the single ones."""
        for _ in range(TRIES):
            cards = iter(some_cards(self.variant(reader), random))
            groups = [[next(cards) for _ in group.split()] for group in self.groups]
            if all(value(group[0]) > 7 or value(group[0]) == 1 for group in groups if len(group) == 1):
                return count_values(*map(text_of, groups), options=self.options)
        return self


def usual(cards: Iterable[Card]) -> set[int]:
    """What the cards might make together in other games: a court card 11 to 13 or 10, an ace 1, 11 or 14."""
    sums = {0}
    for card in cards:
        counts = {1, 11, 14} if value(card) == 1 else {card.rank, min(card.rank, 10)}
        sums = {total + count for total in sums for count in counts}
    return sums


class CountValues(CountPoints):
    kind = "values"

    def __init__(self, variant: Variant, groups: Sequence[Sequence[Card]]) -> None:
        self.variant = variant
        self.groups = [tuple(group) for group in groups]
        self.scores = [worth(group) for group in groups]

    def scene(self, voice: Voice) -> dict[str, Any]:
        labels = [" + ".join(voice.written([voice.face(card)]) for card in group) for group in self.groups]
        return {"fields": [{"id": str(i), "label": text, "value": "", "mark": ""} for i, text in enumerate(labels)]}

    def _wrong(self, seat: int, given: int, kind: str) -> Reply:
        """Counting a court card as in other games is a mistake of its own, and so is an ace above the king."""
        group = self.groups[seat]
        kind = "usual" if kind == "off" and given in usual(group) - {self.scores[seat]} else kind
        facts = {"cards": Hand.of(group), "given": given, "right": self.scores[seat]}
        return Reply("warn", f"reply values {kind}", "scopone.setup.values", facts)

    def outcomes(self) -> Iterator[tuple[str, Reply]]:
        yield from super().outcomes()
        yield "0", self._wrong(0, max(usual(self.groups[0])), "off")

    def lines(self) -> list[ScoreLine]:
        return []

    def hint(self) -> tuple[str, dict[str, Any]]:
        most = max(range(len(self.groups)), key=self.scores.__getitem__)
        return "values", {"cards": Hand.of(self.groups[most]), "total": self.scores[most]}

    def spoken(self, voice: Voice) -> str:
        fields = self.scene(voice)["fields"]
        return voice.listed(f"{item['label']} = {right}" for item, right in zip(fields, self.scores, strict=True))


# -------------------------------------------------------------------------------------------------------- whose_turn


@dataclass(frozen=True)
class whose_turn(Exercise):  # noqa: N801
    """Say whose turn it is when seat `dealer` has dealt and some cards have been played."""

    dealer: int
    played: int = 0

    def task(self, reader: Variant) -> WhoseTurn:
        return WhoseTurn(self.variant(reader), self.dealer, self.played)

    def another(self, reader: Variant, rules: Sequence[str], taught: frozenset[str], random: Random) -> Exercise:
        while True:
            fresh = replace(self, dealer=random.below(self.players), played=random.below(5))
            if fresh != self:
                return fresh


class WhoseTurn(Choosing):
    def __init__(self, variant: Variant, dealer: int, played: int) -> None:
        self.variant = variant
        self.dealer = Seat(dealer)
        self.played = played
        deal = dealt(variant, dealer=dealer)
        for _ in range(played):
            deal.push(deal.legal()[0])
        self.turn = Seat(deal.turn)
        self.right = frozenset([str(self.turn)])

    def prompt(self) -> tuple[str, dict[str, Any]]:
        return ("ask player" if self.played else "ask player first"), {"seat": self.dealer, "count": self.played}

    def ids(self) -> list[str]:
        return [str(seat) for seat in range(self.variant.players)]

    def choices(self, voice: Voice) -> list[tuple[str, str]]:
        return [(id, voice.labels[int(id)]) for id in self.ids()]

    def notes(self, voice: Voice) -> dict[str, str]:
        """Where they sit: the next to play sits on the right."""
        places = ("right", "across", "left")
        return {str((ME + 1 + i) % self.variant.players): voice.say(f"seat {place}") for i, place in enumerate(places)}

    def replies(self, given: frozenset[str]) -> list[Reply]:
        facts = {"seat": self.turn, "dealer": self.dealer}
        if given == self.right:
            return [Reply("good", "reply player right", "scopone.setup.direction", facts)]
        seat, players = int(min(given - self.right)), self.variant.players
        if seat == (self.turn - 2) % players:
            return [Reply("warn", "reply player clockwise", "scopone.setup.direction", facts)]
        if seat == (self.turn - 1) % players:
            return [Reply("warn", "reply player dealer", "scopone.play.first", facts)]
        return [Reply("warn", "reply player wrong", "scopone.play.first", facts)]

    def hint(self) -> tuple[str, dict[str, Any]]:
        first = Seat((self.dealer + 1) % self.variant.players)
        return "player", {"dealer": self.dealer, "first": first, "seat": self.turn}


# ----------------------------------------------------------------------------------------------------------- capture


@dataclass(frozen=True)
class capture(Exercise):  # noqa: N801
    """Mark what a `card` takes from the `table`, or say that it stays; with `every`, choose all that it may do."""

    card: str
    table: str
    every: bool = False

    def task(self, reader: Variant) -> Capture | Captures:
        kind = Captures if self.every else Capture
        return kind(self.variant(reader), Card.parse(self.card), parse_cards(self.table))

    def another(self, reader: Variant, rules: Sequence[str], taught: frozenset[str], random: Random) -> Exercise:
        """Other cards with which the same rules bite in the same way."""
        wanted, size = self.task(reader).pattern(), len(self.table.split())
        for _ in range(TRIES):
            card, *table = some_cards(self.variant(reader), random)[: size + 1]
            fresh = replace(self, card=str(card), table=text_of(table))
            if fresh.task(reader).pattern() == wanted:
                return fresh
        return self


class _Capturing(Task):
    """A card against a table; `ways` are the captures that are legal, and whether the card may stay."""

    def __init__(self, variant: Variant, card: Card, table: Sequence[Card]) -> None:
        self.variant = variant
        self.card = card
        self.table = list(table)
        self.hand = Hand.of(table)
        rest = others(variant, card.mask | self.hand)
        hands = [card.mask, *(other.mask for other in rest[: variant.players - 1])]
        self.deal = lying(variant, self.hand, hands, turn=ME)
        self.ways = [Hand.of(move.takes) for move in self.deal.legal() if move.takes]
        self.may_stay = self.deal.refusal(str(card)) is None

    def move(self, cards: Iterable[Card]) -> str:
        return str(Move("play", (self.card,), takes=tuple(cards)))

    def refusal(self, cards: Iterable[Card]) -> Refusal | None:
        refusal: Refusal | None = self.deal.refusal(self.move(cards))
        return refusal

    def tempting(self) -> dict[str, Hand]:
        """For each rule a capture that it refuses, the one that comes nearest to what is right."""
        found: dict[str, Hand] = {}
        every = [some for size in range(1, len(self.table) + 1) for some in combinations(self.table, size)]
        every.sort(key=lambda some: (abs(worth(some) - value(self.card)), len(some) == 1, len(some)))
        for some in every:
            refusal = self.refusal(some)
            if refusal and (worth(some) == value(self.card) or not refusal.rule.endswith("equal-before-sum")):
                found.setdefault(refusal.rule, Hand.of(some))
        return found

    def pattern(self) -> tuple[object, ...]:
        """What makes it easy or hard: the rules that refuse something, how many ways there are, of what kind."""
        kinds = {len(way) > 1 for way in self.ways}
        stay = self.refusal(())
        return frozenset(self.tempting()), stay and stay.rule, min(len(self.ways), 2), kinds, self.hand in self.ways

    def played(self, voice: Voice) -> dict[str, Any]:
        """The card in question, and what the zones are called."""
        shown = [voice.face(self.card, who="")]
        return {"trick": shown, "labels": {"trick": voice.say("ui you play"), "hand": voice.say("given table")}}

    def outcome(self, cards: Iterable[Card]) -> list[Reply]:
        """What comes of a legal move."""
        twin = self.deal.copy()
        events = twin.play(self.move(cards))
        return [just(event) for event in events if event.kind != "Scored"]

    def hint(self) -> tuple[str, dict[str, Any]]:
        kind = "equal" if any(len(way) == 1 for way in self.ways) else "sum" if self.ways else "none"
        facts = {"card": self.card, "value": value(self.card), "ways": tuple(self.ways), "count": len(self.ways)}
        return f"capture {kind}", facts


class Capture(_Capturing):
    ask = "mark"

    def prompt(self) -> tuple[str, dict[str, Any]]:
        return "ask capture", {"card": self.card}

    def scene(self, voice: Voice) -> dict[str, Any]:
        stays = {"id": STAYS, "label": voice.say("choice stays"), "note": "", "mark": ""}
        return self.played(voice) | {"hand": voice.faces(self.table), "choices": [stays], "multiple": True}

    def solution(self) -> list[str]:
        return [str(card) for card in self.ways[0]] if self.ways else [STAYS]

    def reply(self, cards: Iterable[Card]) -> list[Reply]:
        refusal = self.refusal(cards)
        return [refused(refusal)] if refusal else self.outcome(cards)

    def outcomes(self) -> Iterator[tuple[str, Reply]]:
        answers: list[Sequence[Card]] = [(), *([card] for card in self.table), self.table, *map(list, self.ways)]
        for cards in answers:
            for reply in self.reply(cards):
                yield str(cards[0]) if cards else STAYS, reply

    def check(self, answer: object, tries: int = 9) -> Verdict:
        if not answer:
            return NOTHING
        if answer == [STAYS]:
            return Verdict(self.may_stay, self.reply(()), {STAYS: "right" if self.may_stay else "wrong"})
        if isinstance(answer, list) and STAYS in answer:
            return Verdict(False, [Reply("warn", "reply capture both")])
        cards = cards_in(answer, self.hand)
        right = self.refusal(cards) is None
        useful = Hand(sum({card.mask for way in self.ways for card in way}))
        marks = {str(card): "right" if right else "chosen" if card in useful else "wrong" for card in cards}
        return Verdict(right, self.reply(cards) + self._other_ways(Hand.of(cards) if right else Hand(0)), marks)

    def _other_ways(self, taken: Hand) -> list[Reply]:
        """What else could have been taken."""
        left = tuple(way for way in self.ways if way != taken)
        return [Reply("note", "reply capture ways", "", {"ways": left, "count": len(left)})] if taken and left else []

    def short(self, voice: Voice) -> str:
        return voice.say("choice takes", cards=by_value(self.ways[0])) if self.ways else voice.say("choice stays")


class Captures(_Capturing, Choosing):
    ask = "choose"
    multiple = True

    def __init__(self, variant: Variant, card: Card, table: Sequence[Card]) -> None:
        super().__init__(variant, card, table)
        wrong = [cards for cards in self.tempting().values() if cards not in self.ways]
        order = sorted([*self.ways, *wrong], key=lambda cards: (len(cards), worth(cards), cards))
        #: What there is to choose from.
        self.offered = {text_of(cards): cards for cards in order}
        self.right = frozenset([text_of(way) for way in self.ways] + [STAYS] * self.may_stay)

    def prompt(self) -> tuple[str, dict[str, Any]]:
        return "ask captures", {"card": self.card}

    def ids(self) -> list[str]:
        return [*self.offered, STAYS]

    def choices(self, voice: Voice) -> list[tuple[str, str]]:
        labels = [(id, voice.say("choice takes", cards=by_value(cards))) for id, cards in self.offered.items()]
        return [*labels, (STAYS, voice.say("choice stays"))]

    def scene(self, voice: Voice) -> dict[str, Any]:
        return super().scene(voice) | self.played(voice) | {"hand": voice.faces(self.table)}

    def replies(self, given: frozenset[str]) -> list[Reply]:
        wrong = [self._refused(id) for id in self.ids() if id in given - self.right]
        if wrong:
            return wrong[:2]
        missed = tuple(self.offered[id] for id in self.ids() if id in self.right - given and id != STAYS)
        if missed:
            return [Reply("warn", "reply captures missed", "", {"ways": missed, "count": len(missed)})]
        if given != self.right:
            return [Reply("warn", "reply captures stays", "", {"card": self.card})]
        why = [self._refused(id)._replace(tone="note") for id in reversed(self.ids()) if id not in self.right]
        return [Reply("good", "reply right"), *why[:2]]

    def _refused(self, id: str) -> Reply:
        refusal = self.refusal(self.offered.get(id, Hand(0)))
        assert refusal
        return refused(refusal)


# -------------------------------------------------------------------------------------------------- cards in a row


@dataclass(frozen=True)
class _Played(Exercise):
    """Cards that are `played` one after the other, the first by seat `first`, to a `table`; with `last` they are the
    last cards of the deal."""

    played: str
    table: str = ""
    first: int = ME
    last: bool = False

    def task(self, reader: Variant) -> _InTurn:
        raise NotImplementedError

    def another(self, reader: Variant, rules: Sequence[str], taught: frozenset[str], random: Random) -> Exercise:
        """Other cards of which as much becomes; every second one, if there is such a card, empties the table."""
        variant, wanted = self.variant(reader), self.task(reader).pattern()
        for _ in range(TRIES):
            cards = some_cards(variant, random)
            table = [cards.pop() for _ in self.table.split()]
            fresh = replace(self, table=text_of(table), played="")
            for _ in self.played.split():
                left = fresh.task(reader).deal.table if fresh.played else Hand.of(table)
                fitting = [card for card in cards if value(card) == worth(cards_of(left))]
                card = fitting[0] if fitting and random.below(2) else cards[0]
                cards.remove(card)
                fresh = replace(fresh, played=f"{fresh.played} {card}".strip())
            if fresh != self and fresh.task(reader).pattern() == wanted:
                return fresh
        return self


class _InTurn(Choosing):
    """The task: `told` is what happened, `deal` the deal after it."""

    def __init__(self, variant: Variant, about: _Played) -> None:
        self.variant = variant
        self.about = about
        self.cards = parse_cards(about.played)
        self.table = Hand.parse(about.table)
        self.seats = [Seat((about.first + i) % variant.players) for i in range(len(self.cards))]
        self.deal = self._before()
        self.told: list[Event] = []
        #: Each card could do just one thing.
        self.plain = True
        for card in self.cards:
            moves = [move for move in self.deal.legal() if move.cards == (card,)]
            self.plain &= len(moves) == 1
            self.told += self.deal.play(moves[0])
        self.right = self.answer()

    def _before(self) -> Any:
        """Everybody holds what he plays; a card more, if the deal goes on."""
        hands = [0] * self.variant.players
        for seat, card in zip(self.seats, self.cards, strict=True):
            hands[seat] = card.mask
        if not self.about.last:
            more = others(self.variant, Hand.of(self.cards) | self.table)
            hands = [hand | card.mask for hand, card in zip(hands, more, strict=False)]
        piles = {"last_capture": (self.about.first + 1) % 2} if self.about.last else {}
        return lying(self.variant, self.table, hands, self.about.first, **piles)

    def happened(self, *kinds: str) -> list[Event]:
        return [event for event in self.told if event.kind in kinds]

    def answer(self) -> frozenset[str]:
        """The ids of the right choices."""
        raise NotImplementedError

    def pattern(self) -> tuple[object, ...]:
        """What comes of it, and that nobody had a choice."""
        return self.plain, len(self.happened("Swept")), len(self.happened("NoSweep")), len(self.happened("LeftOver"))

    def scene(self, voice: Voice) -> dict[str, Any]:
        row: dict[str, Any] = {"label": voice.say("given table")}
        row |= {"cards": voice.faces(self.table)} if self.table else {"text": voice.say("given nothing")}
        plays = [voice.face(card, who=voice.labels[seat]) for seat, card in zip(self.seats, self.cards, strict=True)]
        labels = {"trick": voice.say("given plays", count=len(plays))}
        return super().scene(voice) | {"rows": [row], "trick": plays, "labels": labels}


@dataclass(frozen=True)
class who_sweeps(_Played):  # noqa: N801
    """Say who makes a sweep."""

    def task(self, reader: Variant) -> WhoSweeps:
        return WhoSweeps(self.variant(reader), self)


class WhoSweeps(_InTurn):
    multiple = True

    def answer(self) -> frozenset[str]:
        return frozenset(str(event.facts["seat"]) for event in self.happened("Swept")) or frozenset(["nobody"])

    def prompt(self) -> tuple[str, dict[str, Any]]:
        return ("ask sweeps last" if self.about.last else "ask sweeps"), {"count": len(self.cards)}

    def ids(self) -> list[str]:
        return [*dict.fromkeys(map(str, self.seats)), "nobody"]

    def choices(self, voice: Voice) -> list[tuple[str, str]]:
        return [(id, voice.labels[int(id)] if id != "nobody" else voice.say("choice no sweep")) for id in self.ids()]

    def replies(self, given: frozenset[str]) -> list[Reply]:
        if given == self.right:
            story = self.happened("Swept", "NoSweep")
            return [just(event) for event in story] or [Reply("good", "reply sweeps right none", "scopone.sweep.point")]
        cancelled = {str(event.facts["seat"]): event for event in self.happened("NoSweep")}
        for id in self.ids():
            if id in given - self.right - {"nobody"}:
                if id in cancelled:
                    return [just(cancelled[id], "warn")]
                return [Reply("warn", "reply sweeps not", "scopone.sweep.point", self._play_of(id))]
        kind = "some" if given == {"nobody"} else "more" if "nobody" not in given else "both"
        return [Reply("warn", f"reply sweeps {kind}", "scopone.sweep.point")]

    def _play_of(self, id: str) -> dict[str, Any]:
        at = self.seats.index(Seat(int(id)))
        return {"seat": self.seats[at], "card": self.cards[at]}

    def hint(self) -> tuple[str, dict[str, Any]]:
        return "sweeps", {"sides": [event.facts["seat"] for event in self.happened("Swept")]}

    def hints(self) -> list[Reply]:
        made = super().hints()
        return made if self.happened("Swept") else [*made[:2], Reply("note", "hint sweeps 3 nobody")]


@dataclass(frozen=True)
class who_gets_rest(_Played):  # noqa: N801
    """Say which side gets the cards left on the table when the deal is over."""

    last: bool = True

    def task(self, reader: Variant) -> WhoGetsRest:
        return WhoGetsRest(self.variant(reader), self)


class WhoGetsRest(_InTurn):
    def answer(self) -> frozenset[str]:
        return frozenset(str(int(event.facts["side"])) for event in self.happened("LeftOver")) or frozenset(["nobody"])

    def pattern(self) -> tuple[object, ...]:
        """Whether he who captured last has also played last makes it easy or hard."""
        captured = [event.facts["seat"] for event in self.happened("Captured")]
        return *super().pattern(), bool(captured), captured[-1:] == self.seats[-1:]

    def prompt(self) -> tuple[str, dict[str, Any]]:
        return "ask rest", {}

    def ids(self) -> list[str]:
        return ["0", "1", "nobody"]

    def choices(self, voice: Voice) -> list[tuple[str, str]]:
        return [("0", voice.side(0)), ("1", voice.side(1)), ("nobody", voice.say("choice rest nobody"))]

    def replies(self, given: frozenset[str]) -> list[Reply]:
        if given == self.right:
            return [just(event) for event in self.happened("LeftOver")]
        kind = "nobody" if given == {"nobody"} else "wrong"
        return [Reply("warn", f"reply rest {kind}", "scopone.end.leftover")]

    def hint(self) -> tuple[str, dict[str, Any]]:
        captured = self.happened("Captured")[-1].facts
        return "rest", {"seat": captured["seat"], "card": captured["card"]}


# ------------------------------------------------------------------------------------------------------------- leave


@dataclass(frozen=True)
class leave(Exercise):  # noqa: N801
    """Play a card of `hand` so that your right neighbour cannot empty the `table`; what he can do is played out."""

    hand: str
    table: str = ""

    def task(self, reader: Variant) -> Leave:
        task = Leave(self.variant(reader), parse_cards(self.hand), parse_cards(self.table))
        if not task.safe():  # by rules with which an ace sweeps whatever lies there
            raise BadInput("no-safe", "whatever is played, the next player may sweep")
        return task

    def another(self, reader: Variant, rules: Sequence[str], taught: frozenset[str], random: Random) -> Exercise:
        """Some of the cards are dangerous and some are not; none of them has a choice."""
        size = len(self.hand.split())
        for _ in range(TRIES):
            cards = some_cards(self.variant(reader), random)
            fresh = replace(self, hand=text_of(cards[:size]), table=text_of(cards[size:][: len(self.table.split())]))
            task = Leave(fresh.variant(reader), parse_cards(fresh.hand), parse_cards(fresh.table))
            if len(task.deal.legal()) == size and 0 < len(task.safe()) < size and not task.own_sweep():
                return fresh
        return self


class Leave(Task):
    ask = "play"

    def __init__(self, variant: Variant, hand: Sequence[Card], table: Sequence[Card]) -> None:
        self.variant = variant
        self.cards = list(hand)
        self.table = list(table)
        self.hand = Hand.of(hand)
        self.unseen = others(variant, self.hand | Hand.of(table))
        self.deal = self._deal([])
        #: The card that was played, and the sweep that it allows.
        self.played: Any = None

    def _deal(self, next_hand: Sequence[Card]) -> Any:
        """The deal in which the right neighbour holds these cards, and everybody others up to the same number."""
        rest = [card for card in self.unseen if card not in next_hand]
        size = len(self.cards)
        rest = [*next_hand, *rest]
        hands = [int(self.hand), *(int(Hand.of(rest[size * i : size * (i + 1)])) for i in range(3))]
        return lying(self.variant, Hand.of(self.table), hands)

    def out(self, card: Card) -> Any:
        """The deal after this card and, if there is one, the answer that sweeps."""
        plain = self._after(card, self.deal)
        for other in self.unseen if plain.table else ():
            deal = self._after(card, self._deal([other]))
            move = next((move for move in deal.legal() if move.cards == (other,) and move.takes), None)
            if move and Hand.of(move.takes) == deal.table:
                deal.play(move)
                if deal.sweeps[1]:
                    return deal
        return plain

    @staticmethod
    def _after(card: Card, deal: Any) -> Any:
        deal = deal.copy()
        deal.play(next(move for move in deal.legal() if move.cards == (card,)))
        return deal

    def safe(self) -> list[Card]:
        """The cards after which nobody can sweep."""
        return [card for card in self.cards if not self.out(card).sweeps[1]]

    def own_sweep(self) -> bool:
        return any(self.out(card).sweeps[0] for card in self.cards)

    def prompt(self) -> tuple[str, dict[str, Any]]:
        return "ask leave", {"seat": Seat(ME + 1)}

    def scene(self, voice: Voice) -> dict[str, Any]:
        labels = {"trick": voice.say("given table"), "hand": voice.say("ui hand")}
        if not self.played:
            table = [voice.face(card, who="") for card in self.table]
            return {"trick": table, "hand": voice.faces(self.cards), "labels": labels}
        deal = self.played
        table = [voice.face(card, who="") for card in Hand(deal.table)]
        for event in deal.events:
            if event.kind == "Swept":
                who = voice.labels[event.facts["seat"]]
                sweeping = voice.face(event.facts["card"], who=who, winning=True, tag=voice.say("ui sweep"))
                table = [*(voice.face(card, who="") for card in event.facts["cards"]), sweeping]
        return {"trick": table, "hand": voice.faces(card for card in self.cards if deal.hands[ME] >> card & 1)} | {
            "labels": labels
        }

    def reply(self, card: Card) -> list[Reply]:
        deal = self.out(card)
        swept = [event for event in deal.events if event.kind == "Swept"]
        if swept and swept[-1].facts["seat"] != ME:
            return [Reply("warn", "reply leave cost", "scopone.sweep.point", swept[-1].facts)]
        if swept:
            return [just(swept[-1])]
        total = worth(cards_of(deal.table))
        kind = "much" if total > 10 else "safe"
        return [Reply("good", f"reply leave {kind}", "scopone.sweep.point", {"total": total})]

    def outcomes(self) -> Iterator[tuple[str, Reply]]:
        for card in self.cards:
            for reply in self.reply(card):
                yield str(card), reply

    def solution(self) -> str:
        return str(self.safe()[0])

    def check(self, answer: object, tries: int = 9) -> Verdict:
        card = card_in(answer, self.hand)
        self.played = self.out(card)
        return Verdict(not self.played.sweeps[1], self.reply(card))

    def take_back(self) -> None:
        self.played = None

    def hint(self) -> tuple[str, dict[str, Any]]:
        return "leave", {"do": Hand.of(self.safe())}
