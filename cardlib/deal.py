"""The contract of every game: a deal, its moves, refusals, events, score lines and views.

A deal is a sequence of *phases* (passing cards, calls, tricks …).  A phase is a rule object without state: it says
which moves are legal, why another is refused and what a move does; all state lies in the `Deal`.  Lessons, widgets,
records and tests use nothing but what stands here.

>>> import cardlib
>>> deal = cardlib.deal("hearts", seed=17, match={"deal": 3})
>>> deal.turn, [str(move) for move in deal.legal()]
(2, ['2C'])
>>> deal.refusal("AC").rule
'hearts.lead.two-of-clubs'
>>> deal.play("AC")
Traceback (most recent call last):
cardlib.deal.IllegalMove: 'AC' is refused by hearts.lead.two-of-clubs
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass, field, fields
from functools import cache
from types import MappingProxyType
from typing import Any, ClassVar, NamedTuple, Self

from cardlib.cards import ALL, PACK, SEATS, SIDES, Card, Drawn, Hand, Seat, Side, cards_of
from cardlib.errors import BadInput, raw, shortly
from cardlib.options import Options, Variant
from cardlib.reading import NATURAL, WHOLE, mapping, text, truth, whole
from cardlib.rules import Ban, Table
from cardlib.seeds import Random, parse_seed

# ---------------------------------------------------------------------------------------------- moves and refusals


@dataclass(frozen=True, slots=True)
class Move:
    """A move of any game: a verb, the cards it names and words, the cards that it takes from the table; `str` is the
    form of RECORDS.md.

    >>> str(Move("play", (Card.parse("QS"),))), str(Move("moon", word="self"))
    ('QS', 'moon self')
    >>> str(Move("play", (Card.parse("7D"),), takes=(Card.parse("2C"), Card.parse("5H"))))
    '7D takes 2C 5H'
    """

    verb: str
    cards: tuple[Card, ...] = ()
    word: str = ""
    takes: tuple[Card, ...] = ()
    #: The cards as a mask.
    mask: int = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        mask = 0
        for card in self.cards:
            mask |= 1 << card
        object.__setattr__(self, "mask", mask)

    def __str__(self) -> str:
        words = [] if self.verb == "play" else [self.verb]
        words += [str(card) for card in self.cards]
        words += ["takes", *map(str, self.takes)] if self.takes else []
        return " ".join([*words, self.word] if self.word else words)


#: Playing a card, for every card: made once.
PLAYS: dict[int, Move] = {card: Move("play", (card,)) for card in cards_of(ALL)}


@dataclass(frozen=True)
class Refusal:
    """Why a move is refused: the id of the rule, and the facts of the sentence that says so."""

    rule: str
    facts: Mapping[str, Any] = field(default_factory=dict)


class IllegalMove(ValueError):  # noqa: N818  (the name says what it is)
    """A move that the rules refuse; `refusal` says why."""

    def __init__(self, move: object, refusal: Refusal) -> None:
        super().__init__(f"{str(move)!r} is refused by {refusal.rule}")
        self.refusal = refusal


# ------------------------------------------------------------------------------------------------------------ events


class Event(NamedTuple):
    """Something that happened: what kind of thing, the rule behind it, its facts, and the seats that see the facts in
    `hidden` (None: everybody sees everything)."""

    kind: str
    rule: str
    facts: Mapping[str, Any]
    hidden: tuple[str, ...] = ()
    seen_by: tuple[int, ...] | None = None

    def seen(self, seat: int) -> Event:
        """The event as `seat` may know it: hidden facts are left out."""
        if self.seen_by is None or seat in self.seen_by:
            return self
        return self._replace(facts={k: v for k, v in self.facts.items() if k not in self.hidden})


@cache
def played(seat: int, card: Card) -> Event:
    """The event of a card played: the same object each time."""
    return Event("Played", "", {"seat": SEATS[seat], "card": card})


class ScoreLine(NamedTuple):
    """One line of the score of a deal: a side, its points, the rule that gives them, and the cards that count."""

    side: Seat | Side
    points: int
    rule: str
    cards: int = 0
    #: A number that the sentence of the line names, besides the points.
    value: int | None = None

    @property
    def facts(self) -> dict[str, Any]:
        cards = Hand(self.cards)
        facts = {"side": self.side, "points": self.points, "cards": cards, "count": self.cards.bit_count()}
        return facts if self.value is None else facts | {"value": self.value}


class Count(NamedTuple):
    """What the sides are compared by when a deal is counted: the rule, and by side the points, the cards that count,
    and the number of them (or what else is compared); also what each card counts, where that is not simply one."""

    rule: str
    points: Sequence[int]
    cards: Sequence[int]
    values: Sequence[int]
    worth: Mapping[Card, int] = {}

    def lines(self, sides: Sequence[Seat | Side]) -> Iterator[ScoreLine]:
        """A score line for each side that has points."""
        for side, points, cards, value in zip(sides, self.points, self.cards, self.values, strict=True):
            if points:
                yield ScoreLine(side, points, self.rule, cards, value)


# ----------------------------------------------------------------------------------------------------- match context


@dataclass(frozen=True)
class Context:
    """What a deal inherits from the deals before it (the key `match` of a record).

    Games add fields with what holds at the start of a match; a tuple of one stands for all sides.
    """

    #: What can be won one after the other, where that is more than a match (a game, then the rubber): codes.
    stages: ClassVar[tuple[str, ...]] = ()

    @classmethod
    def start(cls, sides: int) -> Self:
        """The context at the start of a match."""
        begin = {f.name: f.default for f in fields(cls)}
        return cls(**{name: value * sides if isinstance(value, tuple) else value for name, value in begin.items()})

    @classmethod
    def parse(cls, data: object, sides: int) -> Self:
        """Read the `match` key of a record; `BadInput` names the key."""
        start = cls.start(sides).__dict__
        given = mapping("match", data, start)
        return cls(**start | {key: _like(f"{key} of match", value, start[key]) for key, value in given.items()})

    def check(self, variant: Variant) -> None:
        """Raise `BadInput` for what cannot be the state of a match of this variant."""

    @property
    def fresh(self) -> bool:
        """The points of a new game begin with the next deal."""
        return False

    def sums(self, variant: Variant) -> Sequence[tuple[str, Sequence[int]]]:
        """The rows of sums on the score sheet: a code, and points by side."""
        return [("total", self.data()["totals"])]

    def tallies(self, variant: Variant) -> Sequence[Tally]:
        """What else the score sheet counts, besides points."""
        return ()

    def data(self) -> dict[str, Any]:
        """The JSON form."""
        return {key: list(value) if isinstance(value, tuple) else value for key, value in self.__dict__.items()}


def _like(key: str, value: object, model: object) -> object:
    """A JSON value of the same shape as the model: a count, or a list of whole numbers, or of true and false."""
    if not isinstance(model, tuple):
        return whole(key, value, NATURAL)
    if not isinstance(value, list | tuple) or len(value) != len(model):
        raise BadInput("numbers", f"{key} must be {len(model)} whole numbers", key=key, count=len(model))
    if type(model[0]) is bool:
        return tuple(truth(key, item) for item in value)
    return tuple(whole(key, number, WHOLE) for number in value)


class Tally(NamedTuple):
    """Something that is counted on the score sheet by side (strikes, say), at most `limit` of it; `name` is a code."""

    name: str
    counts: Sequence[int]
    limit: int


def added(totals: Sequence[int], scores: Sequence[int]) -> tuple[int, ...]:
    """The totals with the scores of a deal."""
    return tuple(total + score for total, score in zip(totals, scores, strict=True))


def sides_at(points: int, totals: Sequence[int], names: Sequence[Seat | Side] = SEATS) -> tuple[Seat | Side, ...]:
    """The sides that have exactly so many points."""
    return tuple(name for name, total in zip(names, totals, strict=False) if total == points)


class Reminder(NamedTuple):
    """Rules that the table keeps before the learner's eyes: under what title (a code), which, and how many sentences of
    the first of them to leave out."""

    title: str
    rules: Sequence[str]
    skip: int = 0


class Settled(NamedTuple):
    """What the scores of a finished deal do to the match: the next context, the winning sides (None: it goes on), and
    the events that say why."""

    match: Any
    result: tuple[int, ...] | None
    events: tuple[Event, ...]
    #: Where the game itself says who deals next: `dealer` (None: nobody, or whoever of the seats in `draw` draws it).
    next: Mapping[str, Any] = MappingProxyType({})

    def data(self) -> dict[str, Any]:
        """What comes out, under the keys of `match`."""
        return {**self.match.data(), **self.next}


# ------------------------------------------------------------------------------------------------------------ phases


class Phase:
    """A stage of a deal: which moves are legal, why another is refused, what a move does.  Without state."""

    name: str
    verbs: frozenset[str]
    #: What lies in the middle of the table while it lasts, if it is not a trick: a code (see `cardlib.ui.boards`).
    board: ClassVar[str] = ""
    #: When it is over there is something to look at, before others go on.
    pauses: ClassVar[bool] = False
    #: What it comes to is news also to the one whose move ends it.
    ends_with_news: ClassVar[bool] = False

    def legal(self, deal: Any) -> Sequence[Move]:
        raise NotImplementedError

    def refusal(self, deal: Any, move: Move) -> Refusal | None:
        """The answer to a move with one of the phase's own verbs."""
        raise NotImplementedError

    def canonical(self, deal: Any, move: Move) -> Move:
        """The move with its cards in canonical order."""
        return move

    def push(self, deal: Any, move: Move) -> None:
        raise NotImplementedError


def banned(bans: Iterable[Ban], deal: Any, move: Move) -> Refusal | None:
    """The refusal by the first ban that applies."""
    for ban in bans:
        facts = ban.facts(deal, move)
        if facts is not None:
            return Refusal(ban.rule, facts)
    return None


class Choice(Phase):
    """One seat says one of a few words (to annul or to play on, for whom a moon counts); the bans say which of them it
    may not say, the deal's method `chosen` acts on it."""

    def __init__(self, name: str, moves: Iterable[Move], bans: Iterable[Ban] = ()) -> None:
        self.name = name
        self.moves = tuple(moves)
        self.verbs = frozenset(move.verb for move in self.moves)
        self.bans = tuple(bans)

    def legal(self, deal: Any) -> Sequence[Move]:
        return tuple(move for move in self.moves if not self.refusal(deal, move))

    def refusal(self, deal: Any, move: Move) -> Refusal | None:
        return banned(self.bans, deal, move)

    def push(self, deal: Any, move: Move) -> None:
        deal.chosen(move)


# ------------------------------------------------------------------------------------------------------------- games


@dataclass(frozen=True)
class Game:
    """What a game file registers: its id, its options, how many can play, its deal and how a deal is settled."""

    id: str
    options: type[Options]
    deal: type[Deal]
    context: type[Context]
    #: (variant, context, outcome of a deal by name) -> what the match becomes
    settle: Callable[..., Settled]
    players: range = range(4, 5)
    default_players: int = 4
    #: With four players two play together who sit opposite each other.
    partners: bool = False
    #: Fewer points are better.
    lowest_wins: bool = False
    #: What it is for a newcomer: one is to "win" or "avoid" tricks, there is an "auction", cards "capture" others.
    kinds: tuple[str, ...] = ()
    #: The deal passes on after a deal that did not count, too.
    passes_on_void: bool = False

    def sides(self, players: int) -> int:
        """How many sides there are; the side of a seat is its number modulo this."""
        return 2 if self.partners and players == 4 else players

    def side_names(self, players: int) -> Sequence[Seat | Side]:
        """The sides by number, as events and score lines name them: `Side` for partners, else the seat."""
        return SEATS[:players] if self.sides(players) == players else SIDES

    def start(self, players: int) -> Any:
        """What the first deal of a match inherits."""
        return self.context.start(self.sides(players))

    def context_of(self, data: object, variant: Variant) -> Any:
        """Read and check the `match` key of a record."""
        context = self.context.parse(data, self.sides(variant.players))
        context.check(variant)
        return context

    def __repr__(self) -> str:
        return f"Game({self.id!r})"


GAMES: dict[str, Game] = {}


def register(game: Game) -> Game:
    """Make a game known by its id."""
    GAMES[game.id] = game
    return game


def game_of(name: object) -> Game:
    """The game with this id; `BadInput` names an unknown one."""
    game = GAMES.get(name) if isinstance(name, str) else None
    if game is None:
        raise BadInput("game", f"unknown game: {shortly(name)}", game=raw(name))
    return game


def read_variant(text: object) -> Variant:
    """Read ``hearts``, ``hearts(players=5,moon_mode=others)`` or ``hearts(windows)``."""
    if not isinstance(text, str):
        raise BadInput("variant", f"a variant is a text, not {shortly(text)}", text=raw(text))
    name, _, inside = text.strip().partition("(")
    if inside and not inside.endswith(")"):
        raise BadInput("variant", f"the variant {text!r} lacks its closing bracket", text=text)
    return Variant.parse(game_of(name.strip()), inside.removesuffix(")"))


variant = read_variant


# -------------------------------------------------------------------------------------------------------------- deal


class Deal(Drawn):
    """One deal, from its first card to its score.

    Games derive from it (most of them through `cardlib.phases.tricks.TrickDeal`) and say in `setup` what is dealt, in
    `begin` with which phase it starts, and in `score_lines` what it scores.

    Attributes that all games share: `variant`, `players`, `options`, `dealer`, `match` (the inherited context),
    `hands` (masks by seat), `turn` (the seat to move, None when over), `phase` (None when over), `moves` and `events`
    so far, `finished` (it came to its end; an excerpt that just stops is over but not finished).
    """

    __slots__ = (
        "_settled", "dealer", "dealt", "drawn", "events", "finished", "hands", "logging", "match", "moves", "options",
        "phase", "players", "seed", "turn", "variant",
    )  # fmt: skip
    #: All attributes of the class and its bases.
    state: ClassVar[tuple[str, ...]] = ()

    #: Words that a move may begin with, besides a card: verb -> "cards", "", or the words that may follow: one of a
    #: tuple, or several of a mapping's keys, in their order, or `none`.
    verbs: ClassVar[Mapping[str, str | tuple[str, ...] | Mapping[str, Any]]] = {}
    #: Keys of a record that only this game has, and the keys of `position`.
    record_keys: ClassVar[frozenset[str]] = frozenset()
    position_keys: ClassVar[frozenset[str]] = frozenset()
    #: What a finished deal hands on to the match (also the keys of a check of kind `settle`): None for whole numbers by
    #: side, () for such that may be left out, else what holds where nothing is said.
    outcomes: ClassVar[Mapping[str, bool | int | str | tuple[()] | None]] = {"scores": None}
    #: What the cards taken are worth is not the score but leads to it: the table shows it by itself.
    card_points: ClassVar[bool] = False
    #: The cards that a move may name.
    named: ClassVar[int] = PACK
    #: The cards that nobody was dealt, as long as they lie face down.
    left_over: int = 0
    #: The cards of the current trick and of the last one, and who led to it: none, where no tricks are played.
    trick: Sequence[Card] = ()
    last_trick: Sequence[Card] = ()
    leader: int = 0
    last_leader: int = 0

    def __init__(self, variant: Variant, dealer: int, match: Any, dealt: dict[str, Any], seed: int | None) -> None:
        self.variant = variant
        self.players = variant.players
        self.options = variant.options
        self.dealer = dealer
        self.match = match
        self.seed = seed
        #: What was dealt, under the keys of a record; what the deal drew from its seed on the way.
        self.dealt = dealt
        self.drawn: dict[str, Any] = {}
        self.hands: list[int] = [0] * self.players
        self.turn: int | None = None
        self.phase: Phase | None = None
        self.finished = False
        self.moves: list[Move] = []
        self.events: list[Event] = []
        self.logging = True
        self._settled: Settled | None = None
        self.setup(dealt)
        self.begin()

    # -- what a game says

    def setup(self, dealt: Mapping[str, Any]) -> None:
        """Take the cards of a record (hands, kitty …) or of its position and write them canonically into `self.dealt`;
        `BadInput` names the culprit."""
        raise NotImplementedError

    def begin(self) -> None:
        """Enter the first phase."""
        raise NotImplementedError

    @classmethod
    def pack_of(cls, variant: Variant) -> int:
        """The cards of this variant, as a mask."""
        return PACK

    @classmethod
    def badge(cls, card: Card) -> str:
        """What is written on a card to help the reader, because the card itself does not show it."""
        return ""

    @classmethod
    def shuffled(cls, variant: Variant, seed: int, dealer: int) -> dict[str, Any]:
        """The dealt cards of a seed, under the keys of a record."""
        raise NotImplementedError

    @classmethod
    def dealt_from(cls, variant: Variant, seed: int, dealer: int, match: Any) -> dict[str, Any]:
        """The same, where it depends on what the deal inherits."""
        return cls.shuffled(variant, seed, dealer)

    def score_lines(self) -> list[ScoreLine]:
        """Every line of the score; before the end of the deal, the points so far."""
        raise NotImplementedError

    def seen_lines(self, seat: int) -> list[ScoreLine]:
        """The score lines of the cards that `seat` has seen."""
        raise NotImplementedError

    def chosen(self, move: Move) -> None:
        """Act on the word said in a `Choice` phase."""
        raise NotImplementedError

    # -- who sees what

    def own_hand(self, seat: int) -> int:
        """The cards of its own hand that `seat` sees."""
        return self.hands[seat]

    @property
    def open_hands(self) -> Collection[int]:
        """The seats whose hands lie open before all eyes."""
        return ()

    def exposed(self, seat: int) -> list[int]:
        """The hands of the others that `seat` sees, by seat (0: hidden)."""
        seen = [other for other in self.open_hands if other != seat]
        return [hand if holder in seen else 0 for holder, hand in enumerate(self.hands)]

    # -- the contract

    @property
    def game(self) -> Game:
        return self.variant.game

    @property
    def over(self) -> bool:
        """No move is left."""
        return self.phase is None

    @property
    def eldest(self) -> int:
        """Eldest hand, the seat after the dealer."""
        return (self.dealer + 1) % self.players

    def legal(self) -> Sequence[Move]:
        """The legal moves of the seat on turn (empty when the deal is over)."""
        return () if self.phase is None else self.phase.legal(self)

    def refusal(self, move: Move | str) -> Refusal | None:
        """None for a legal move, else the first rule that refuses it.  `BadInput` for what is no move at all."""
        return self._refusal(self.parse(move))

    def _refusal(self, move: Move) -> Refusal | None:
        if self.phase is None or move.verb not in self.phase.verbs:
            phase = self.phase.name if self.phase else "over"
            return Refusal(self.out_of_phase(move), {"phase": phase, "move": str(move)})
        return self.phase.refusal(self, move)

    def out_of_phase(self, move: Move) -> str:
        """The rule that refuses a move which does not belong to this phase."""
        return f"{self.game.id}.move.phase"

    def play(self, move: Move | str) -> list[Event]:
        """Make a checked move and return the events it caused; `IllegalMove` carries the refusal."""
        if type(move) is not Move or move.verb != "play" or move.takes:
            move = self.parse(move)
        refusal = self._refusal(move)
        if refusal:
            raise IllegalMove(move, refusal)
        before = len(self.events)
        self.push(move)
        return self.events[before:]

    def push(self, move: Move) -> None:
        """Make a move of `legal()` unchecked; with `logging` off it leaves no events, for play-outs."""
        self.phase.push(self, move)  # type: ignore[union-attr]  # for a move of legal() there is one
        self.moves.append(move)

    def log(
        self,
        kind: str,
        rule: str,
        facts: Mapping[str, Any],
        hidden: tuple[str, ...] = (),
        seen_by: tuple[int, ...] | None = None,
    ) -> None:
        """Add an event; `hidden` names the facts that only the seats in `seen_by` know."""
        if self.logging:
            self.events.append(Event(kind, rule, facts, hidden, seen_by))

    def parse(self, move: Move | str) -> Move:
        """Read a move as written, cards in canonical order; `BadInput` names what is no move."""
        parsed = self._parsed(str(move) if isinstance(move, Move) else move)
        return self.phase.canonical(self, parsed) if self.phase else parsed

    @classmethod
    def _parsed(cls, text: object) -> Move:
        words = text.split() if isinstance(text, str) else []
        verb = words[0] if words else ""
        follows = cls.verbs.get(verb)
        if follows == "cards":
            return Move(verb, tuple(cls._card(word, text) for word in words[1:]))
        if isinstance(follows, tuple) and len(words) == 2 and words[1] in follows:
            return Move(verb, word=words[1])
        if isinstance(follows, Mapping) and (some := cls._some_of(follows, words[1:])):
            return Move(verb, word=" ".join(some))
        if follows == "" and len(words) == 1:
            return Move(verb)
        if follows is None and len(words) == 1:
            return PLAYS[cls._card(verb, text)]
        raise BadInput("move", f"no move of this game: {shortly(text)}", move=raw(text))

    @staticmethod
    def _some_of(known: Mapping[str, Any], words: list[str]) -> list[str]:
        """Different known words, put in order, or `none` alone; nothing, if they are anything else."""
        ordered = [word for word in known if word in words]
        return words if words == ["none"] else ordered if len(ordered) == len(words) else []

    @classmethod
    def _card(cls, word: str, text: object) -> Card:
        try:
            card = Card.parse(word)
        except BadInput as error:
            raise BadInput("move", f"no move of this game: {shortly(text)} ({error})", move=text) from None
        if not cls.named >> card & 1:
            raise BadInput("move", f"no move of this game: {shortly(text)}, there is no {word}", move=text)
        return card

    def scores(self) -> list[int]:
        """Points by side: the sums of the score lines."""
        return sums(self.score_lines(), self.game.sides(self.players))

    @property
    def settled(self) -> Settled:
        """What the match becomes: the next context, the result and why; before the end, what was inherited."""
        if self._settled is None:
            if not self.finished:
                return Settled(self.match, None, ())
            self._settled = self.settle()
        return self._settled

    @property
    def announce(self) -> str:
        """What the table says of the points in the cards taken: the `total` of each side, those of each `trick`, or
        nothing."""
        return "total"

    @property
    def board(self) -> str:
        """What lies in the middle of the table, if it is not a trick: a code."""
        return self.phase.board if self.phase else ""

    @property
    def reminders(self) -> Sequence[Reminder]:
        """What is worth reading now, beside the table."""
        return ()

    @property
    def stage(self) -> int:
        """Counts what is to be looked at before the others go on: complete tricks, where tricks are played."""
        return 0

    def counts(self) -> Sequence[Count]:
        """What the sides are compared by when the deal is counted, one after the other: the reader may try himself."""
        return ()

    def counted_lines(self) -> list[ScoreLine]:
        """What the cards that each side has taken are worth, where `card_points` are not the score."""
        return []

    def said(self, seat: int) -> str:
        """What a seat has called, as long as it matters: a code."""
        return ""

    @property
    def shown(self) -> Card | None:
        """A card of a hand that was dealt face up, as long as it lies open."""
        return None

    @property
    def tricks_won(self) -> Sequence[int]:
        """How many tricks each seat has taken, where their number is what counts."""
        return ()

    def payments(self) -> Sequence[tuple[Seat, Seat, int]]:
        """Who pays whom how much, where the score is paid in chips."""
        return ()

    def outcome(self) -> dict[str, Any]:
        """What the finished deal hands on to `settle`, by the keys of `outcomes`."""
        return {"scores": self.scores()}

    def settle(self) -> Settled:
        return self.game.settle(self.variant, self.match, **self.outcome())

    def side_of(self, seat: int) -> Seat | Side:
        """The side that a seat belongs to, as events and score lines name it."""
        return self.game.side_names(self.players)[self.side(seat)]

    def side(self, seat: int) -> int:
        """The side that a seat belongs to."""
        return seat % self.game.sides(self.players)

    def view(self, seat: int) -> View:
        """The deal as `seat` may know it."""
        return View(self, seat)

    # -- records

    @classmethod
    def from_record(cls, record: Mapping[str, Any]) -> Self:
        """Build the deal of a record or position and replay its moves; `BadInput` names the culprit."""
        variant = variant_of(record)
        seed = parse_seed(record["seed"]) if "seed" in record else None
        dealer, match = dealer_of(record, variant.players), cls.inherited(record, variant)
        made = cls(variant, dealer, match, cls._dealt_of(record, variant, seed, dealer, match), seed)
        moves = record.get("moves", [])
        if not isinstance(moves, list | tuple):
            raise BadInput("moves", f"moves must be a list, not {shortly(moves)}", key="moves")
        for move in moves:
            try:
                made.play(move if isinstance(move, str) else cls._parsed(move))
            except IllegalMove as illegal:
                text = f"illegal move {move!r}, refused by {illegal.refusal.rule}"
                raise BadInput("illegal", text, move=move, refusal=illegal.refusal) from illegal
        return made

    @classmethod
    def inherited(cls, record: Mapping[str, Any], variant: Variant) -> Any:
        """The context that a record names."""
        return variant.game.context_of(record.get("match", {}), variant)

    @classmethod
    def _dealt_of(
        cls, record: Mapping[str, Any], variant: Variant, seed: int | None, dealer: int, match: Any
    ) -> dict[str, Any]:
        """The keys of a record that say what was dealt; from a seed, if it has one."""
        cards = {"hands", "position"} | cls.record_keys
        mapping("record", record, {"game", "options", "players", "dealer", "match", "moves", "seed"} | cards)
        dealt = {key: record[key] for key in record if key in cards}
        if seed is None:
            return dealt
        if dealt:
            key = min(dealt)
            raise BadInput("seed-and", f"seed and {key} exclude each other", key=key)
        return cls.dealt_from(variant, seed, dealer, match)

    def record(self) -> dict[str, Any]:
        """The deal as a record: it gives exactly this deal back."""
        made: dict[str, Any] = {"game": self.game.id}
        if self.options.changed():
            made["options"] = self.options.changed()
        if self.players != self.game.default_players:
            made["players"] = self.players
        if self.dealer != self.players - 1:
            made["dealer"] = self.dealer
        if self.match != self.game.start(self.players):
            made["match"] = self.match.data()
        return made | deepcopy(self.dealt | self.drawn) | {"moves": [str(move) for move in self.moves]}

    def undo(self, moves: int = 1) -> None:
        """Take back the last move (or the last `moves`): the record is replayed without them."""
        if not 0 < moves <= len(self.moves):
            raise BadInput("undo", f"cannot undo {moves} of {len(self.moves)} moves", moves=moves)
        fresh = type(self)(self.variant, self.dealer, self.match, self.dealt, self.seed)
        fresh.logging = self.logging
        for move in self.moves[:-moves]:
            fresh.push(move)
        for name in self.state:
            setattr(self, name, getattr(fresh, name))

    def copy(self) -> Self:
        """An independent deal in the same state."""
        twin = object.__new__(type(self))
        for name in self.state:
            value = getattr(self, name)
            setattr(twin, name, value.copy() if isinstance(value, (list, dict, Table)) else value)
        return twin

    def __init_subclass__(cls) -> None:
        if "__slots__" not in cls.__dict__:  # else `copy` and `undo` would miss what lies in a __dict__
            raise TypeError(f"{cls.__name__} must name its attributes in __slots__")
        cls.state = tuple(name for base in cls.__mro__ for name in base.__dict__.get("__slots__", ()))

    def random(self, stream: str) -> Random:
        """A stream of random numbers of this deal; `BadInput` where a record has no seed to draw from."""
        if self.seed is None:
            raise BadInput("no-seed", f"the record does not say {stream}", key=stream)
        return Random(self.seed, stream)

    def __repr__(self) -> str:
        state = f"{self.phase.name}, seat {self.turn} to move" if self.phase else "over"
        return f"<{self.variant}: {len(self.moves)} moves, {state}>"


def variant_of(record: Mapping[str, Any]) -> Variant:
    """The variant that the keys `game`, `players` and `options` of a record name."""
    game = game_of(record.get("game"))
    players = whole("players", record["players"], game.players) if "players" in record else None
    return Variant.of(game, players, mapping("options", record.get("options", {})))


def dealer_of(record: Mapping[str, Any], players: int) -> int:
    """The key `dealer` of a record; the last seat by default."""
    return whole("dealer", record.get("dealer", players - 1), range(players))


def sums(lines: Iterable[ScoreLine], sides: int) -> list[int]:
    """Points by side."""
    points = [0] * sides
    for line in lines:
        points[line.side] += line.points
    return points


def read_outcome(variant: Variant, given: Mapping[str, Any]) -> dict[str, Any]:
    """The outcome of a deal as a check or a store tells it; `BadInput` names the key."""
    sides = variant.game.sides(variant.players)
    read: dict[str, Any] = {}
    for key, default in variant.game.deal.outcomes.items():
        value = given.get(key, default)
        if isinstance(default, bool):
            read[key] = truth(key, value)
        elif isinstance(default, int):
            read[key] = whole(key, value, range(variant.players))
        elif isinstance(default, str):
            read[key] = text(key, value)
        elif default == () and key not in given:
            continue
        elif not isinstance(value, list | tuple) or len(value) != sides or any(type(n) is not int for n in value):
            raise BadInput("scores", f"{key} must be {sides} whole numbers, not {shortly(value)}", key=key)
        else:
            read[key] = list(value)
    return read


# -------------------------------------------------------------------------------------------------------------- view


class View:
    """A deal as one seat may know it: what bots and pages get.

    Own hand, counts of the others, the story and the scores so far without what is hidden from the seat.
    """

    def __init__(self, deal: Deal, seat: int) -> None:
        if seat not in range(deal.players):
            raise BadInput("seat", f"no such seat: {shortly(seat)}", seat=raw(seat))
        self._deal = deal
        self.seat = seat
        self.variant = deal.variant
        self.players = deal.players
        self.options = deal.options
        self.dealer = deal.dealer
        self.match = deal.match

    @property
    def turn(self) -> int | None:
        return self._deal.turn

    @property
    def over(self) -> bool:
        return self._deal.over

    @property
    def phase(self) -> str:
        return self._deal.phase.name if self._deal.phase else "over"

    @property
    def hand(self) -> Hand:
        return Hand(self._deal.own_hand(self.seat))

    @property
    def hands(self) -> list[Hand]:
        """The hands of the others that lie open, by seat."""
        return [Hand(mask) for mask in self._deal.exposed(self.seat)]

    @property
    def shown(self) -> Card | None:
        """A card of a hand that was dealt face up, as long as it lies open."""
        return self._deal.shown

    @property
    def counts(self) -> list[int]:
        """How many cards each seat holds."""
        return [hand.bit_count() for hand in self._deal.hands]

    def legal(self) -> Sequence[Move]:
        """The seat's legal moves; none when it is not on turn."""
        return self._deal.legal() if self.turn == self.seat else ()

    def refusal(self, move: Move | str) -> Refusal | None:
        """Why the seat may not make this move; `BadInput` when it is not on turn."""
        if self.turn is not None and self.turn != self.seat:
            raise BadInput("turn", f"seat {self.seat} is not on turn, but seat {self.turn}", seat=Seat(self.turn))
        return self._deal.refusal(move)

    @property
    def events(self) -> list[Event]:
        return [event.seen(self.seat) for event in self._deal.events]

    def score_lines(self) -> list[ScoreLine]:
        """The lines of cards that the seat has seen."""
        return self._deal.seen_lines(self.seat)

    def scores(self) -> list[int]:
        return sums(self.score_lines(), self._deal.game.sides(self.players))


def deal(
    game: str | Variant,
    *,
    seed: int | str = 0,
    variant: Variant | str | None = None,
    dealer: int | None = None,
    match: Mapping[str, Any] | None = None,
) -> Any:
    """Deal the cards of a seed: the same seed gives the same deal on every machine and in every version.

    The pack, in the order spades, hearts, diamonds, clubs and within a suit from ace to 2, is shuffled by
    ``Random(seed, "cards")`` (see `cardlib.seeds`) and dealt one card at a time from eldest hand, as the rules of the
    game say; left-over cards are the last ones.
    """
    chosen = variant if isinstance(variant, Variant) else game
    if not isinstance(chosen, Variant):
        chosen = Variant.parse(game_of(chosen), variant) if isinstance(variant, str) else read_variant(chosen)
    number = parse_seed(seed)
    dealer = dealer_of({} if dealer is None else {"dealer": dealer}, chosen.players)
    context = chosen.game.context_of(match or {}, chosen)
    dealt = chosen.game.deal.dealt_from(chosen, number, dealer, context)
    return chosen.game.deal(chosen, dealer, context, dealt, number)
