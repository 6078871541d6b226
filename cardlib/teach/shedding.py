"""Exercises on getting rid of cards along rows: what fits, what a turn may be, what a pile does, who pays when somebody
goes out."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate, pairwise
from typing import Any

from cardlib.cards import SUITS, Card, Hand, Seat, Suit, cards_of
from cardlib.errors import BadInput
from cardlib.games.quodlibet import CARDS, PILES
from cardlib.games.quodlibet_contracts import JACKS
from cardlib.options import Variant
from cardlib.phases.shedding import read_rows, runs, written_rows
from cardlib.reading import written
from cardlib.seeds import Random
from cardlib.teach.counting import CountPoints, number_in
from cardlib.teach.exercises import TRIES, Choosing, Exercise, Marking, Reply, Verdict, refused, told_of
from cardlib.teach.positions import ME
from cardlib.teach.tricks import MarkLegal
from cardlib.teach.voice import Voice

Rows = Mapping[str, str]


def at_turn(variant: Variant, hand: int, rows: Rows, left: int, pile: int = 0) -> Any:
    """The deal in which the learner is on turn with this hand: the last `left` piles still lie there, the first of them
    with the cards `pile`, if there are any.  All other cards are dealt from a fixed seed."""
    laid = read_rows(rows, JACKS, CARDS)
    rest = Random(0, "fill").shuffled(list(cards_of(CARDS ^ (hand | laid | pile))))
    piles = [0] * len(PILES)
    for number in range(len(PILES) - left, len(PILES)):
        if pile and number == len(PILES) - left:
            piles[number] = pile
        else:
            size = PILES[number]
            piles[number], rest = Hand.of(rest[:size]), rest[size:]
    hands = [hand, *(int(Hand.of(rest[seat :: variant.players - 1])) for seat in range(variant.players - 1))]
    return _loaded(variant, hands, laid, piles, {"turn": ME})


def _loaded(variant: Variant, hands: Sequence[int], laid: int, piles: Sequence[int], where: Mapping[str, Any]) -> Any:
    place = {"contract": "snack", "rows": written_rows(laid, JACKS, CARDS), "piles": [written(pile) for pile in piles]}
    record = {"game": variant.game.id, "options": variant.options.changed(), "position": place | dict(where)}
    return variant.game.deal.from_record(record | {"hands": [written(hand) for hand in hands]})


def shown_rows(voice: Voice, laid: int) -> list[dict[str, Any]]:
    """The rows on the table, a line for each suit."""
    made = []
    for number, letter in enumerate(SUITS):
        suit = Suit(number)
        cards = Hand(laid & suit.mask)
        lies = {"cards": voice.faces(reversed(list(cards)))} if cards else {"text": voice.say("given no row")}
        made.append({"label": voice.say("given row", suit=suit), "id": letter, **lies})
    return made


def shown_piles(voice: Voice, piles: Sequence[int]) -> dict[str, Any]:
    """How many piles are left."""
    *threes, single = piles
    count = sum(pile != 0 for pile in threes)
    id = "given pile sizes" if count else "given single pile" if single else "given no piles"
    return {"label": voice.say("given piles"), "text": voice.say(id, count=count)}


def _random_rows(random: Random) -> dict[str, str]:
    """Some rows, each with a few cards around its jack."""
    rows = {}
    for number, letter in enumerate(SUITS):
        around = list(runs(Suit(number).mask & CARDS, JACKS))
        if random.below(4):
            rows[letter] = around[random.below(len(around))]
    return rows


def _random_hand(rows: Rows, size: int, random: Random) -> str:
    left = random.shuffled(list(cards_of(CARDS ^ read_rows(rows, JACKS, CARDS))))
    return str(Hand.of(left[:size]))


# ------------------------------------------------------------------------------------------------------- mark_fitting


@dataclass(frozen=True)
class mark_fitting(Exercise):  # noqa: N801
    """Mark every card of the `hand` that fits the `rows` (``{"H": "9-Q"}``)."""

    rows: Rows
    hand: str

    def task(self, reader: Variant) -> MarkFitting:
        return MarkFitting(self.variant(reader), self)

    def another(self, reader: Variant, rules: Sequence[str], taught: frozenset[str], random: Random) -> Exercise:
        """Other rows and another hand, of which some fit and the others do not for the same reasons."""
        wanted = self.task(reader).pattern()
        for _ in range(TRIES):
            rows = _random_rows(random)
            fresh = replace(self, rows=rows, hand=_random_hand(rows, len(self.hand.split()), random))
            try:
                task = fresh.task(reader)
            except BadInput:  # so much lies on the table that hands are empty
                continue
            if task.legal and task.pattern() == wanted:
                return fresh
        return self


class MarkFitting(MarkLegal):
    def __init__(self, variant: Variant, about: mark_fitting) -> None:
        self.variant = variant
        self.hand = Hand.parse(about.hand)
        self.deal = at_turn(variant, self.hand, about.rows, len(PILES))
        self.legal = Hand.of(card for move in self.deal.legal() for card in move.cards)

    def pattern(self) -> tuple[bool, set[str]]:
        """Whether a jack may be played, and by which rules other cards are refused."""
        return bool(self.legal & JACKS), {self.reply(card).rule for card in self.hand}

    def prompt(self) -> tuple[str, dict[str, Any]]:
        return "ask fitting", {}

    def scene(self, voice: Voice) -> dict[str, Any]:
        return {"rows": shown_rows(voice, self.deal.laid), "hand": voice.faces(self.hand)}

    def hint(self) -> tuple[str, dict[str, Any]]:
        return "fitting", {"do": self.legal}


# -------------------------------------------------------------------------------------------------------- choose_turn


@dataclass(frozen=True)
class choose_turn(Exercise):  # noqa: N801
    """Choose what you may do with this `hand` at these `rows`: play, take a pile (the last `piles` of them are left),
    pass."""

    rows: Rows
    hand: str
    piles: int = len(PILES)

    def task(self, reader: Variant) -> ChooseTurn:
        return ChooseTurn(self.variant(reader), self)

    def another(self, reader: Variant, rules: Sequence[str], taught: frozenset[str], random: Random) -> Exercise:
        """Another position; what may be done changes, too."""
        for _ in range(TRIES):
            rows, piles = _random_rows(random), (0, 1, 1 + random.below(len(PILES)), len(PILES))[random.below(4)]
            fresh = replace(self, rows=rows, piles=piles, hand=_random_hand(rows, len(self.hand.split()), random))
            try:
                fits = "card" in fresh.task(reader).right
            except BadInput:
                continue
            if fresh != self and fits == (random.below(3) == 0):
                return fresh
        return self


class ChooseTurn(Choosing):
    multiple = True

    def __init__(self, variant: Variant, about: choose_turn) -> None:
        self.variant = variant
        self.hand = Hand.parse(about.hand)
        self.deal = at_turn(variant, self.hand, about.rows, about.piles)
        left = [number for number, pile in enumerate(self.deal.piles[:-1], 1) if pile]
        #: A move for each thing that could be done.
        self.moves = {"card": str(self._card()), "pile": f"take {left[0] if left else 1}"}
        self.moves |= {"single": f"take {len(PILES)}", "pass": "pass"}
        self.right = frozenset(id for id, move in self.moves.items() if self.deal.refusal(move) is None)

    def _card(self) -> Card:
        """A card that fits, if there is one."""
        return next(iter([card for move in self.deal.legal() for card in move.cards] or self.hand))

    def prompt(self) -> tuple[str, dict[str, Any]]:
        return "ask turn", {}

    def ids(self) -> list[str]:
        return list(self.moves)

    def choices(self, voice: Voice) -> list[tuple[str, str]]:
        return [(id, voice.say(f"choice {id}")) for id in self.ids()]

    def scene(self, voice: Voice) -> dict[str, Any]:
        rows = [*shown_rows(voice, self.deal.laid), shown_piles(voice, self.deal.piles)]
        return super().scene(voice) | {"rows": rows, "hand": voice.faces(self.hand)}

    def replies(self, given: frozenset[str]) -> list[Reply]:
        wrong = [refused(self.deal.refusal(self.moves[id])) for id in self.ids() if id in given - self.right]
        if wrong:
            return wrong
        if given != self.right:
            return [Reply("warn", "reply turn missed")]
        others = [id for id in self.ids() if id not in self.right]
        reasons = {reply.rule: reply._replace(tone="note") for reply in self._refusals(others)}
        return [Reply("good", "reply turn right"), *reasons.values()]

    def _refusals(self, ids: Sequence[str]) -> Iterator[Reply]:
        for id in ids:
            yield refused(self.deal.refusal(self.moves[id]))

    def hint(self) -> tuple[str, dict[str, Any]]:
        return "turn", {"moves": [id for id in self.ids() if id in self.right]}


# ---------------------------------------------------------------------------------------------------------- mark_pile


@dataclass(frozen=True)
class mark_pile(Exercise):  # noqa: N801
    """Mark the cards of a `pile` that go to the table as soon as you have taken it; nothing of your `hand` fits."""

    rows: Rows
    hand: str
    pile: str

    def task(self, reader: Variant) -> MarkPile:
        return MarkPile(self.variant(reader), self)

    def another(self, reader: Variant, rules: Sequence[str], taught: frozenset[str], random: Random) -> Exercise:
        """Other rows, another hand that does not fit, and a pile with a jack or two."""
        for _ in range(TRIES):
            rows = _random_rows(random)
            left = CARDS ^ read_rows(rows, JACKS, CARDS)
            jacks = random.shuffled(list(cards_of(left & JACKS)))[: 1 + random.below(2)]
            pile, hand = jacks, random.shuffled(list(cards_of(left & (CARDS ^ JACKS))))
            while len(pile) < len(self.pile.split()):
                pile = [*pile, hand.pop()]
            held = Hand.of(hand[: len(self.hand.split())])
            fresh = replace(self, rows=rows, hand=str(held), pile=" ".join(map(str, random.shuffled(pile))))
            try:
                if jacks and at_turn(self.variant(reader), held, rows, len(PILES)).legal()[0].verb == "take":
                    return fresh
            except BadInput:
                continue
        return self


class MarkPile(Marking):
    def __init__(self, variant: Variant, about: mark_pile) -> None:
        self.variant = variant
        self.held = Hand.parse(about.hand)
        self.hand = Hand.parse(about.pile)
        self.deal = at_turn(variant, self.held, about.rows, len(PILES), self.hand)
        after = self.deal.copy()
        self.events = after.play("take 1")
        laid = next((event for event in self.events if event.kind == "Jacks"), None)
        self.legal = laid.facts["cards"] if laid else Hand(0)
        self.rule = laid.rule if laid else ""

    def prompt(self) -> tuple[str, dict[str, Any]]:
        return "ask pile", {}

    def scene(self, voice: Voice) -> dict[str, Any]:
        held = {"label": voice.say("given hand"), "cards": voice.faces(self.held)}
        labels = {"hand": voice.say("given pile")}
        rows = [*shown_rows(voice, self.deal.laid), held]
        return {"rows": rows, "hand": voice.faces(self.hand), "labels": labels}

    def reply(self, card: Card) -> Reply:
        if self.legal >> card & 1:
            return Reply("good", "reply pile right", self.rule, {"do": Hand(card.mask)})
        return Reply("warn", "reply pile stays", self.rule, {"card": card})

    def missing(self, cards: Hand) -> Reply:
        return Reply("warn", "reply pile jack", self.rule, {"card": next(iter(cards))})

    def done(self) -> Reply:
        return Reply("good", "reply pile right", self.rule, {"do": self.legal})

    def hint(self) -> tuple[str, dict[str, Any]]:
        return "pile", {"do": self.legal}


# --------------------------------------------------------------------------------------------------------- count_exit


@dataclass(frozen=True)
class count_exit(Exercise):  # noqa: N801
    """Say what each player has paid when seat `who` plays his last card: `held` are the cards in each hand then, `out`
    those who were out before, `owed` the points so far, `piles` how many piles are left."""

    held: tuple[int, ...]
    who: int
    out: tuple[int, ...] = ()
    owed: tuple[int, ...] = ()
    piles: int = 0

    def task(self, reader: Variant) -> CountExit:
        return CountExit(self.variant(reader), self)

    def another(self, reader: Variant, rules: Sequence[str], taught: frozenset[str], random: Random) -> Exercise:
        """Other seats and other numbers of cards."""
        seats = random.shuffled(list(range(self.players)))
        held, owed = [0] * self.players, [0] * self.players
        for old, new in enumerate(seats):
            held[new] = 1 + random.below(6) if self.held[old] else 0
            owed[new] = 10 * (1 + random.below(6)) if self.owed and self.owed[old] else 0
        out = tuple(seats[seat] for seat in self.out)
        paid = tuple(owed) if self.owed else ()
        return replace(self, held=tuple(held), who=seats[self.who], out=out, owed=paid)


class CountExit(CountPoints):
    kind = "exit"

    def __init__(self, variant: Variant, about: count_exit) -> None:
        self.variant = variant
        self.about = about
        self.deal = self._before()
        self.card = str(self.deal.legal()[0])
        self.left = [pile for pile in self.deal.piles if pile]
        self.deal.play(self.card)
        self.scores = self.deal.scores()

    def _before(self) -> Any:
        """The cards furthest from the jacks are still held, so that the rows are whole; the nearest one of these fits
        and is played."""
        about = self.about
        jack = next(iter(cards_of(JACKS))).rank
        outer = Random(0, "fill").shuffled(list(cards_of(CARDS ^ JACKS)))
        outer.sort(key=lambda card: -abs(card.rank - jack))
        kept = [PILES[number] for number in range(len(PILES) - about.piles, len(PILES))]
        hands = [1 if seat == about.who else count for seat, count in enumerate(about.held)]
        order = [seat for seat in range(len(hands)) if seat != about.who]
        sizes = [*kept, *(hands[seat] for seat in order), 1]
        ends = [0, *accumulate(sizes)]
        cut = [int(Hand.of(outer[a:b])) for a, b in pairwise(ends)]
        dealt = dict(zip([*order, about.who], cut[len(kept) :], strict=True))
        piles = [0] * (len(PILES) - about.piles) + cut[: len(kept)]
        where: dict[str, Any] = {"turn": about.who, "out": list(about.out)}
        where |= {"owed": list(about.owed)} if about.owed else {}
        laid = CARDS ^ Hand.of(outer[: ends[-1]])
        return _loaded(self.variant, [dealt[seat] for seat in range(len(hands))], laid, piles, where)

    def prompt(self) -> tuple[str, dict[str, Any]]:
        return "ask exit", {"seat": Seat(self.about.who)}

    def scene(self, voice: Voice) -> dict[str, Any]:
        fields = []
        for seat, who in enumerate(voice.labels):
            gone = seat == self.about.who or seat in self.about.out
            label = (
                voice.say("field out", who=who)
                if gone
                else voice.say("field held", who=who, count=self.about.held[seat])
            )
            fields.append({"id": str(seat), "label": label, "value": "", "mark": ""})
        before = zip(voice.sides, self.about.owed, strict=False)
        said = [voice.say("given by side", side=side, number=number) for side, number in before]
        rows = [{"label": voice.say("given owed"), "text": voice.listed(said)}] if said else []
        last = len(self.about.out) + 2 == self.variant.players
        pile_row = shown_piles(voice, [*([0] * len(PILES)), *self.left][-len(PILES) :])
        return {"rows": [*rows, *([pile_row] if last else [])], "fields": fields}

    def check(self, answer: object, tries: int = 9) -> Verdict:
        verdict = super().check(answer, tries)
        if verdict.solved:
            kinds = ("Out", "Last")
            verdict.replies += [told_of(event) for event in self.deal.events if event.kind in kinds]
            return verdict
        given = [number_in(answer, seat) for seat in range(len(self.scores))]
        verdict.replies[:0] = list(self._mistakes(given))[:1]
        return verdict

    def _mistakes(self, given: Sequence[int]) -> Iterator[Reply]:
        """The payments before are forgotten, or the piles."""
        rules = {event.kind: event.rule for event in self.deal.events}
        owed = self.about.owed or (0,) * len(given)
        for seat, number in enumerate(given):
            if owed[seat] and number == self.scores[seat] - owed[seat]:
                yield Reply("warn", "reply exit only now", rules["Out"], {"side": Seat(seat)})
        unpaid = sum(pile.bit_count() for pile in self.left)
        for line in self.deal.score_lines():
            if line.rule == rules.get("Last"):
                each = line.points // line.value
                if unpaid and given[line.side] == self.scores[line.side] - each * unpaid:
                    yield Reply("warn", "reply exit piles", line.rule)
