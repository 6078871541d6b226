"""Exercises: a position, a question, and an answer that the engine computes.

An *exercise* is what stands in the notebook (`mark_legal(trick="7D", hand="KD 2D AH QS")`).  With the reader's variant
it becomes a *task*, which knows the right answer, judges a given one and says why.  `another` makes a fresh exercise
on which the same rule bites.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, NamedTuple

from cardlib.cards import HEARTS, JOKER, PACK, Card, Hand, Seat, Side, by_rank, cards_of, parse_cards
from cardlib.deal import Event, Move, Refusal, ScoreLine, Settled
from cardlib.deal import deal as dealt
from cardlib.errors import BadInput
from cardlib.options import Variant, shown
from cardlib.phases.exchange import STEPS
from cardlib.phases.tricks import leading_card
from cardlib.play.bots import simple
from cardlib.seeds import Random
from cardlib.teach.positions import ME, adapted, pattern, position
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


def _told(event: Event) -> Reply:
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
    """What stands in a notebook.  `options` and `players` are those of the step, on top of the reader's variant."""

    options: Mapping[str, Any] = field(default_factory=dict, kw_only=True)
    players: int = field(default=4, kw_only=True)

    def variant(self, reader: Variant) -> Variant:
        return adapted(reader, self.players, dict(self.options))

    def task(self, reader: Variant) -> Task:
        raise NotImplementedError

    def another(self, reader: Variant, rules: Sequence[str], taught: frozenset[str], random: Random) -> Exercise:
        """A fresh exercise of the same kind, on which the same rule bites."""
        raise NotImplementedError


def _card(text: object, among: int) -> Card:
    if not isinstance(text, str):
        raise BadInput("message", f"not a card: {text!r}", message=str(text)[:40])
    card = Card.parse(text)
    if not among >> card & 1:
        raise BadInput("not-shown", f"the card {card} is not there", card=str(card))
    return card


def _cards(answer: object, among: int) -> list[Card]:
    if not isinstance(answer, list) or len(answer) > 52:
        raise BadInput("message", f"not a list of cards: {answer!r}", message=str(answer)[:40])
    return list(dict.fromkeys(_card(text, among) for text in answer))


def _drawn(variant: Variant, cards: Sequence[Card], random: Random) -> list[Card]:
    """As many random cards as these; the joker stays where it is."""
    pack = variant.game.deal.pack_of(variant) & PACK
    drawn = iter(random.shuffled(list(cards_of(pack))))
    return [card if card == JOKER else next(drawn) for card in cards]


def _trick_scene(voice: Voice, trick: Sequence[Card], leader: int, best: Card | None) -> list[dict[str, Any]]:
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


def _trump_row(voice: Voice, deal: Any) -> list[dict[str, Any]]:
    """What is said of the position: the trump suit, if there is one."""
    trumps = deal.table.trumps
    return [{"label": voice.say("given trump"), "text": voice.say("given suit", suit=deal.trump)}] if trumps else []


# -------------------------------------------------------------------------------------------------------- mark_legal


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
        flags |= {"trump": self.trump} if self.trump else {}
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


class MarkLegal(Task):
    ask = "mark"

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
            "rows": _trump_row(voice, self.deal),
            "trick": _trick_scene(voice, self.deal.trick, self.deal.leader, best),
            "hand": voice.faces(self.hand),
        }

    def solution(self) -> list[str]:
        return [str(card) for card in self.legal]

    def reply(self, card: Card) -> Reply:
        refusal = self.deal.refusal(str(card))
        return refused(refusal) if refusal else Reply("good", "reply mark right", "", {"do": Hand(card.mask)})

    def outcomes(self) -> Iterator[tuple[str, Reply]]:
        for card in self.hand:
            yield str(card), self.reply(card)

    def check(self, answer: object, tries: int = 9) -> Verdict:
        marked = Hand.of(_cards(answer, self.hand))
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


# ---------------------------------------------------------------------------------------------------------- who_wins


@dataclass(frozen=True)
class who_wins(Exercise):  # noqa: N801
    """Say which card wins a complete `trick`; you play its last card."""

    trick: str
    trump: str = ""

    def task(self, reader: Variant) -> WhoWins:
        return WhoWins(self.variant(reader), parse_cards(self.trick), self.trump)

    def another(self, reader: Variant, rules: Sequence[str], taught: frozenset[str], random: Random) -> Exercise:
        wanted, cards = self.task(reader).trap(), parse_cards(self.trick)
        for _ in range(TRIES):
            fresh = replace(self, trick=" ".join(map(str, _drawn(self.variant(reader), cards, random))))
            if fresh.task(reader).trap() == wanted:
                return fresh
        return self


class WhoWins(Task):
    ask = "who"

    def __init__(self, variant: Variant, trick: Sequence[Card], trump: str = "") -> None:
        if len(trick) != variant.players:
            raise BadInput("trick", f"a complete trick has {variant.players} cards", trick=" ".join(map(str, trick)))
        self.variant = variant
        self.trick = list(trick)
        self.leader = (ME + 1) % variant.players
        flags = {"last_trick": False} | ({"trump": trump} if trump else {})
        self.trump = trump
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
        return {"rows": _trump_row(voice, self.deal), "trick": _trick_scene(voice, self.trick, self.leader, None)}

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
                if variant != self.variant and WhoWins(variant, self.trick, self.trump).best == card:
                    yield Reply("note", f"reply who reading {option.name} {shown(value)}", "", {"card": card})

    def outcomes(self) -> Iterator[tuple[str, Reply]]:
        for card in self.trick:
            yield str(card), self.reply(card)
            yield from ((str(card), reply) for reply in self.readings(card))

    def check(self, answer: object, tries: int = 9) -> Verdict:
        if not answer:
            return NOTHING
        card = _card(answer, Hand.of(self.trick))
        right = card == self.best
        more = [] if right else list(self.readings(card))[:1]
        return Verdict(right, [self.reply(card), *more], {str(card): "right" if right else "wrong"})

    def hint(self) -> tuple[str, dict[str, Any]]:
        lead, trumps = leading_card(self.trick), self.deal.table.trumps
        facts = {"lead": lead, "led": lead.suit, "best": self.best, "suit": self.best.suit}
        if trumps:
            facts["trump"] = self.deal.trump
        return "who trump" if self.best.mask & trumps else "who", facts


# ------------------------------------------------------------------------------------------------------ count_points


@dataclass(frozen=True)
class count_points(Exercise):  # noqa: N801
    """Write down what each player scores for the cards he has `taken`, your own first; at the end of a deal."""

    taken: tuple[str, ...]

    def task(self, reader: Variant) -> CountPoints:
        return CountPoints(self.variant(reader), [Hand.parse(cards) for cards in self.taken])

    def another(self, reader: Variant, rules: Sequence[str], taught: frozenset[str], random: Random) -> Exercise:
        shown = Hand.of(card for cards in self.taken for card in Hand.parse(cards))
        piles = [[] for _ in range(self.players)]  # type: list[list[Card]]
        moon = any("moon" in rule or "sun" in rule for rule in rules)
        taker = random.below(self.players)
        for card in random.shuffled(list(shown)):
            piles[taker if moon else random.below(self.players)].append(card)
        if moon and random.below(2):  # half of the time one card is missing
            piles[(taker + 1) % self.players].append(piles[taker].pop())
        return replace(self, taken=tuple(str(Hand.of(pile)) for pile in piles))


class CountPoints(Task):
    ask = "number"
    #: What its messages are called: `ask KIND`, `reply KIND right`, `hint KIND 1` …
    kind: ClassVar[str] = "points"

    def __init__(self, variant: Variant, taken: Sequence[Hand]) -> None:
        self.variant = variant
        self.taken = list(taken)
        self.deal = _ended(variant, self.taken)
        self.scores = self.deal.scores()

    def prompt(self) -> tuple[str, dict[str, Any]]:
        return f"ask {self.kind}", {}

    def scene(self, voice: Voice) -> dict[str, Any]:
        fields = [
            {"id": str(seat), "label": voice.labels[seat], "cards": voice.faces(cards), "value": "", "mark": ""}
            for seat, cards in enumerate(self.taken)
        ]
        return {"fields": fields}

    def solution(self) -> dict[str, str]:
        return {str(seat): str(score) for seat, score in enumerate(self.scores)}

    def outcomes(self) -> Iterator[tuple[str, Reply]]:
        for seat, score in enumerate(self.scores):
            yield str(seat), self._wrong(seat, score + 1, "off")
            yield str(seat), self._wrong(seat, score + 1, "wrong")

    def short(self, voice: Voice) -> str:
        return " : ".join(voice.points(score) for score in self.scores)

    def _wrong(self, seat: int, given: int, kind: str) -> Reply:
        facts = {"side": self.side(seat), "given": given, "right": self.scores[seat]}
        return Reply("warn", f"reply {self.kind} {kind}", "", facts)

    def check(self, answer: object, tries: int = 9) -> Verdict:
        given = {side: _number(answer, side) for side in range(len(self.scores))}
        wrong = [seat for seat, number in given.items() if number != self.scores[seat]]
        marks = {str(seat): "wrong" if seat in wrong else "right" for seat in given}
        lines = self.lines()
        if not wrong:
            right = Reply("good", f"reply {self.kind} right", "", {"total": sum(self.scores)})
            return Verdict(True, [right], marks, lines)
        kind = "wrong" if tries else "off"
        replies = [self._wrong(seat, given[seat], kind) for seat in wrong[:2]]
        return Verdict(False, replies, marks, [line for line in lines if line.side in wrong] if tries else [])

    def lines(self) -> list[ScoreLine]:
        """Where the numbers come from."""
        return list(self.deal.score_lines())

    def hint(self) -> tuple[str, dict[str, Any]]:
        most = max(range(len(self.scores)), key=lambda seat: abs(self.scores[seat]))
        return self.kind, {"side": self.side(most), "points": self.scores[most]}

    def side(self, number: int) -> Seat | Side:
        """A side as the fact of a sentence."""
        return self.variant.game.side_names(self.variant.players)[number]

    def spoken(self, voice: Voice) -> str:
        said = [f"{line['who']}: {line['label']} = {line['points']}" for line in voice.lines(self.lines())]
        return "; ".join(said)


def _number(answer: object, seat: int) -> int:
    text = answer.get(str(seat)) if isinstance(answer, dict) else None
    if not isinstance(text, str):
        raise BadInput("message", f"no number for seat {seat}", message=str(answer)[:40])
    word = text.strip().replace("−", "-").replace("＋", "+").removeprefix("+")
    if not word.removeprefix("-").isdecimal() or len(word) > 5:
        raise BadInput("number", f"not a number: {text!r}", number=text)
    return int(word)


def _ended(variant: Variant, taken: Sequence[Hand]) -> Any:
    """A finished deal in which each side has taken these cards; a last trick without penalty cards goes to the side
    that has taken most."""
    players = variant.players
    biggest = max(range(players), key=lambda seat: len(taken[seat]))
    free = variant.game.deal.pack_of(variant) & (sum(taken) ^ PACK) & (PACK ^ HEARTS ^ Hand.parse("QS"))
    suit = next(s for s in (3, 2, 0) if len(Hand(free & PACK & 0x7FFC << 16 * s)) >= players)
    cards = by_rank(Hand(free & 0x7FFC << 16 * suit))[-players:]
    hands = {(biggest + 1 + i) % players: str(card) for i, card in enumerate(cards)}
    where = {"leader": biggest, "trick_number": 13, "last_trick": True, "taken": [str(cards) for cards in taken]}
    moves = [hands[(biggest + i) % players] for i in range(players)]
    record = {"game": variant.game.id, "players": players, "options": variant.options.changed(), "position": where}
    deal: Any = variant.game.deal.from_record(record | {"hands": [hands[seat] for seat in range(players)]})
    for move in moves:
        if deal.phase.name == "annul":
            deal.play("play-on")
        deal.play(move)
    if not deal.over:  # the shooter chooses
        deal.play("moon others")
    return deal


# ------------------------------------------------------------------------------------------------ choosing: who gets


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


@dataclass(frozen=True)
class who_gets(Exercise):  # noqa: N801
    """Say who gets the cards you pass in deal number `deal` (from 0) of a match."""

    deal: int = 0

    def task(self, reader: Variant) -> WhoGets:
        return WhoGets(self.variant(reader), self.deal)

    def another(self, reader: Variant, rules: Sequence[str], taught: frozenset[str], random: Random) -> Exercise:
        return replace(self, deal=(self.deal + 1 + random.below(6)) % 9)


class WhoGets(Choosing):
    def __init__(self, variant: Variant, number: int) -> None:
        self.variant = variant
        self.number = number
        deal = dealt(variant, match={"deal": number})
        phase, self.rules = deal.phase, deal.pass_rules
        self.direction = getattr(phase, "direction", "none")
        receivers = phase.receivers(variant.players, ME) if self.direction != "none" else []
        self.right = frozenset(map(str, receivers)) or frozenset(["pool" if self.direction == "smoosh" else "nobody"])
        self.multiple = len(receivers) > 1

    def prompt(self) -> tuple[str, dict[str, Any]]:
        return "ask receiver", {"deal": self.number + 1, "count": self.variant.options.pass_count}

    def ids(self) -> list[str]:
        pool = ["pool"] if self.direction == "smoosh" else []
        return [*(str(seat) for seat in range(self.variant.players) if seat != ME), *pool, "nobody"]

    def choices(self, voice: Voice) -> list[tuple[str, str]]:
        return [(id, voice.labels[int(id)] if id.isdigit() else voice.say(f"choice {id}")) for id in self.ids()]

    def notes(self, voice: Voice) -> dict[str, str]:
        """Where the neighbours sit."""
        places = {(ME + step) % self.variant.players: name for name, step in STEPS.items() if name in ("left", "right")}
        places |= {(ME + 2) % 4: "across"} if self.variant.players == 4 else {}
        return {str(seat): voice.say(f"seat {place}") for seat, place in places.items()}

    def replies(self, given: frozenset[str]) -> list[Reply]:
        right = given == self.right
        tone, rule = "good" if right else "warn", self.rules["cycle"]
        facts: dict[str, Any] = {"deal": self.number + 1, "direction": self.direction}
        if self.direction in ("scatter", "smoosh"):
            opening = Reply(tone, "reply right" if right else "reply almost")
            return [opening, Reply("note", f"reply receiver {self.direction}", self.rules[self.direction], facts)]
        if self.direction == "none":
            return [Reply(tone, f"reply receiver {'right' if right else 'wrong'} none", rule, facts)]
        if right:
            return [Reply(tone, "reply receiver right", rule, facts | {"seat": Seat(int(min(self.right)))})]
        if given == {"nobody"}:
            return [Reply(tone, "reply receiver some", rule, facts)]
        wrong = min(given - self.right - {"nobody"})
        return [Reply(tone, "reply receiver wrong", rule, facts | {"given": Seat(int(wrong))})]

    def hint(self) -> tuple[str, dict[str, Any]]:
        return "receiver", {"deal": self.number + 1, "direction": self.direction}

    def hints(self) -> list[Reply]:
        two = super().hints()[:2]
        if self.direction in STEPS:
            return [*two, Reply("note", "hint receiver 3", "", {"seat": Seat(int(min(self.right)))})]
        return [*two, Reply("note", "hint receiver 3 none")] if self.direction == "none" else two


# ------------------------------------------------------------------------------------------------- choosing: the end


@dataclass(frozen=True)
class who_has_won(Exercise):  # noqa: N801
    """Say whether the game is over after a deal, and who has won: `totals` before it and its `scores`, yours first."""

    totals: tuple[int, ...]
    scores: tuple[int, ...]
    deal: int = 6

    def task(self, reader: Variant) -> WhoHasWon:
        return WhoHasWon(self.variant(reader), self)

    def another(self, reader: Variant, rules: Sequence[str], taught: frozenset[str], random: Random) -> Exercise:
        limit = reader.options.end_score
        high = random.below(self.players)
        reach = limit - 2 + random.below(4)  # just short of the limit, on it, or just past it
        tie = random.below(3) == 0
        low = max(0, limit // 2 - random.below(10))
        scores = [random.below(6) for _ in range(self.players)]
        scores[high] = 26 - sum(scores[:high] + scores[high + 1 :])
        after = [low if tie else low + 3 * seat + random.below(3) for seat in range(self.players)]
        after[high] = reach
        totals = tuple(total - score for total, score in zip(after, scores, strict=True))
        return replace(self, totals=totals, scores=tuple(scores))


class Ending(Choosing):
    """Whether the game is over, and who has won: `settled` says so."""

    multiple = True
    settled: Settled

    def decide(self) -> None:
        """The right answer follows from `settled`."""
        winners = self.settled.result
        self.right = frozenset(["goes-on"]) if winners is None else frozenset(map(str, winners))

    def ids(self) -> list[str]:
        return ["goes-on", *map(str, range(self.variant.players))]

    def replies(self, given: frozenset[str]) -> list[Reply]:
        right = given == self.right
        opening = Reply("good", "reply right") if right else Reply("warn", "reply almost")
        return [opening, *(_told(event) for event in self.settled.events)]

    def hints(self) -> list[Reply]:
        winners = [Seat(seat) for seat in self.settled.result or ()]
        if not winners:
            return [*super().hints()[:2], Reply("note", "hint winners 3 goes on")]
        return [*super().hints()[:2], Reply("note", "hint winners 3", "", {"sides": winners, "count": len(winners)})]


class WhoHasWon(Ending):
    def __init__(self, variant: Variant, about: who_has_won) -> None:
        self.variant = variant
        self.about = about
        context = variant.game.context.parse({"deal": about.deal, "totals": list(about.totals)}, variant.players)
        self.settled = variant.game.settle(variant, context, about.scores)
        self.decide()

    def prompt(self) -> tuple[str, dict[str, Any]]:
        return "ask winners", {}

    def choices(self, voice: Voice) -> list[tuple[str, str]]:
        after = [total + score for total, score in zip(self.about.totals, self.about.scores, strict=True)]
        return [("goes-on", voice.say("choice goes on"))] + [
            (str(seat), voice.say("choice total", seat=Seat(seat), total=after[seat], before=self.about.totals[seat]))
            for seat in range(self.variant.players)
        ]

    def hint(self) -> tuple[str, dict[str, Any]]:
        return "winners", {"limit": self.variant.options.end_score}


# ----------------------------------------------------------------------------------------------------------- play_it


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
        return {"trick": _trick_scene(voice, trick, leader, best), "hand": voice.faces(Hand(shown.hands[ME]))}

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
        card = _card(answer, self.hand)
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


# -------------------------------------------------------------------------------------------------------- pass_cards


@dataclass(frozen=True)
class pass_cards(Exercise):  # noqa: N801
    """Choose the cards you pass, from the hand of a dealt deal, and see what you are passed."""

    seed: int = 1
    deal: int = 0

    def task(self, reader: Variant) -> PassCards:
        return PassCards(self.variant(reader), self.seed, self.deal)

    def another(self, reader: Variant, rules: Sequence[str], taught: frozenset[str], random: Random) -> Exercise:
        return replace(self, seed=random.below(1_000_000))


class PassCards(Task):
    ask = "give"

    def __init__(self, variant: Variant, seed: int, number: int) -> None:
        self.variant = variant
        cycle = variant.options.directions(variant.players)
        while cycle[number % len(cycle)] == "none" and set(cycle) != {"none"}:
            number += 1
        self.deal = dealt(variant, seed=seed, match={"deal": number}, dealer=variant.players - 1)
        self.count = variant.options.pass_count
        self.after: Any = None

    def prompt(self) -> tuple[str, dict[str, Any]]:
        direction = self.deal.direction
        if self.after:
            return "prompt received", {"cards": self.got}
        if direction in STEPS:
            return "ask give", {"count": self.count, "to": self.to}
        return f"prompt pass {direction}", {"count": self.count}

    @property
    def to(self) -> Seat:
        return Seat((ME + STEPS.get(self.deal.direction, 0)) % self.variant.players)

    def scene(self, voice: Voice) -> dict[str, Any]:
        shown = self.after or self.deal
        hand = [voice.face(card, new=card in self.got) for card in Hand(shown.hands[ME])]
        return {"hand": hand, "count": self.count}

    @property
    def got(self) -> Hand:
        """The cards the learner has been passed."""
        return Hand.of(card for event in self._received() for card in event.facts["cards"])

    def _received(self) -> list[Any]:
        events = self.after.events if self.after else []
        return [event for event in events if event.kind == "Received" and event.facts["seat"] == ME]

    def solution(self) -> list[str]:
        return [str(card) for card in simple(self.deal.view(ME)).move.cards]

    def outcomes(self) -> Iterator[tuple[str, Reply]]:
        held = [str(card) for card in Hand(self.deal.hands[ME])]
        for size in (self.count - 1, self.count, self.count + 1):
            yield f"{size}", self.check(held[:size]).replies[0]
        self.take_back()

    def check(self, answer: object, tries: int = 9) -> Verdict:
        cards = _cards(answer, self.deal.hands[ME])
        move = Move("give", tuple(cards))
        refusal = self.deal.refusal(move)
        if refusal:
            return Verdict(False, [refused(refusal)])
        self.after = self.deal.copy()
        self.after.play(move)
        while self.after.phase and self.after.phase.name == "pass":
            self.after.play(simple(self.after.view(self.after.turn)).move)
        blind = self.deal.pass_rules["blind"]
        done = Reply("good", "reply right", blind)
        if self.deal.direction in STEPS:
            done = Reply("good", "reply give right", blind, {"cards": Hand.of(cards), "to": self.to})
        return Verdict(True, [done, *(_told(event) for event in self._received())])

    def hint(self) -> tuple[str, dict[str, Any]]:
        return "give", {"do": Hand.parse(" ".join(self.solution()))}

    def take_back(self) -> None:
        self.after = None
