"""The contract of every game: a deal, its moves, refusals, events, score lines and views.

A deal is a sequence of *phases* (passing cards, calls, tricks …).  A phase is a rule object without state: it says
which moves are legal, why another is refused and what a move does; all state lies in the `Deal`.  Lessons, widgets,
records and tests use nothing but what stands here.

>>> import cardlib
>>> deal = cardlib.deal("hearts", seed=17, match={"deal": 3})
>>> deal.turn, [str(move) for move in deal.legal()]
(1, ['2C'])
>>> deal.refusal("AS").rule
'hearts.lead.two-of-clubs'
>>> deal.play("AS")
Traceback (most recent call last):
cardlib.deal.IllegalMove: 'AS' is refused by hearts.lead.two-of-clubs
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import Any, ClassVar, NamedTuple, Self

from cardlib.cards import Card, Drawn, Hand, Seat, by_rank, cards_of, parse_cards
from cardlib.errors import BadInput
from cardlib.options import Options, Variant
from cardlib.seeds import Random

# ---------------------------------------------------------------------------------------------- moves and refusals


@dataclass(frozen=True, slots=True)
class Move:
    """A move of any game: a verb, the cards it names and words; `str` is the form of RECORDS.md.

    >>> str(Move("play", (Card.parse("QS"),))), str(Move("moon", word="self"))
    ('QS', 'moon self')
    """

    verb: str
    cards: tuple[Card, ...] = ()
    word: str = ""

    def __str__(self) -> str:
        words = [] if self.verb == "play" else [self.verb]
        words += [str(card) for card in self.cards]
        return " ".join([*words, self.word] if self.word else words)


#: Playing a card, for every card: made once.
PLAYS: dict[int, Move] = {card: Move("play", (card,)) for card in (Card(0), *cards_of((1 << 64) - 1))}


@dataclass(frozen=True)
class Refusal:
    """Why a move is refused: the id of the rule, and the facts of the sentence that says so."""

    rule: str
    facts: Mapping[str, Any] = field(default_factory=dict)


class IllegalMove(ValueError):
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


class ScoreLine(NamedTuple):
    """One line of the score of a deal: a side, its points, the rule that gives them, and the cards that count."""

    side: int
    points: int
    rule: str
    cards: int = 0

    @property
    def facts(self) -> dict[str, Any]:
        cards = Hand(self.cards)
        return {"side": Seat(self.side), "points": self.points, "cards": cards, "count": len(cards)}


# ----------------------------------------------------------------------------------------------------- match context


@dataclass(frozen=True)
class Context:
    """What a deal inherits from the deals before it (the key `match` of a record); games add fields."""

    @classmethod
    def start(cls, players: int) -> Self:
        """The context at the start of a match."""
        raise NotImplementedError

    @classmethod
    def parse(cls, data: object, players: int) -> Self:
        """Read the `match` key of a record; `BadInput` names the key."""
        start = cls.start(players)
        if not isinstance(data, Mapping):
            raise BadInput("match", f"match is not an object: {data!r}", key="match")
        values = {f.name: getattr(start, f.name) for f in fields(cls)}
        for key, value in data.items():
            if key not in values:
                raise BadInput("match-key", f"unknown key in match: {key!r}", key=str(key))
            values[key] = _like(key, value, values[key])
        return cls(**values)

    def data(self) -> dict[str, Any]:
        """The JSON form."""
        return {f.name: _plain(getattr(self, f.name)) for f in fields(self)}


def _like(key: str, value: object, model: object) -> object:
    """A JSON value of the same shape as the model: a count, or a list of whole numbers."""
    if isinstance(model, tuple):
        if isinstance(value, list | tuple) and len(value) == len(model) and all(type(v) is int for v in value):
            return tuple(value)
    elif type(value) is int and value >= 0:
        return value
    raise BadInput("match-key", f"{key} of match cannot be {value!r}", key=key)


def _plain(value: object) -> object:
    return list(value) if isinstance(value, tuple) else value


class Settled(NamedTuple):
    """What the scores of a finished deal do to the match: the next context, the winning sides (None: it goes on), and
    the events that say why."""

    match: Any
    result: tuple[int, ...] | None
    events: tuple[Event, ...]


# ------------------------------------------------------------------------------------------------------------ phases


class Phase:
    """A stage of a deal: which moves are legal, why another is refused, what a move does.  Without state."""

    name: ClassVar[str]
    verbs: ClassVar[frozenset[str]]

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


class Choice(Phase):
    """One seat says one of a few words (to annul or to play on, for whom a moon counts); the deal's method `chosen`
    acts on it."""

    def __init__(self, name: str, moves: Iterable[Move]) -> None:
        self.name = name  # type: ignore[misc]
        self.moves = tuple(moves)
        self.verbs = frozenset(move.verb for move in self.moves)  # type: ignore[misc]

    def legal(self, deal: Any) -> Sequence[Move]:
        return self.moves

    def refusal(self, deal: Any, move: Move) -> Refusal | None:
        return None

    def push(self, deal: Any, move: Move) -> None:
        deal.chosen(move)


# ------------------------------------------------------------------------------------------------------------- games


@dataclass(frozen=True)
class Game:
    """What a game file registers: its id, its options, how many can play, its deal and how a deal is settled."""

    id: str
    options: type[Options]
    players: range
    default_players: int
    deal: type[Deal]
    context: type[Context]
    #: (variant, context, scores) -> what the match becomes
    settle: Callable[[Variant, Any, Sequence[int]], Settled]

    def sides(self, players: int) -> int:
        return players

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
        raise BadInput("game", f"unknown game: {name!r}", game=str(name))
    return game


def variant(text: str) -> Variant:
    """Read ``hearts``, ``hearts(players=5,moon_mode=others)`` or ``hearts(windows)``."""
    name, _, inside = text.strip().partition("(")
    if inside and not inside.endswith(")"):
        raise BadInput("variant", f"the variant {text!r} lacks its closing bracket", text=text)
    return Variant.parse(game_of(name.strip()), inside.removesuffix(")"))


# -------------------------------------------------------------------------------------------------------------- deal


class Deal(Drawn):
    """One deal, from its first card to its score.

    Games derive from it (most of them through `cardlib.phases.tricks.TrickDeal`) and say in `setup` what is dealt, in
    `begin` with which phase it starts, and in `lines` what it scores.

    Attributes that all games share: `variant`, `players`, `options`, `dealer`, `match` (the inherited context),
    `hands` (masks by seat), `turn` (the seat to move, None when over), `phase` (None when over), `moves` and `events`
    so far, `finished` (it came to its scored end; an excerpt that just stops is over but not finished).
    """

    #: Words that a move may begin with, besides a card: verb -> "cards", "" or the words that may follow.
    verbs: ClassVar[Mapping[str, str | tuple[str, ...]]] = {}
    #: Keys of a record that only this game has, and the keys of `position`.
    record_keys: ClassVar[frozenset[str]] = frozenset()
    position_keys: ClassVar[frozenset[str]] = frozenset()

    def __init__(self, variant: Variant, dealer: int, match: Any, dealt: dict[str, Any], seed: int | None) -> None:
        self.variant = variant
        self.players = variant.players
        self.options = variant.options
        self.dealer = dealer
        self.match = match
        self.seed = seed
        self.dealt = dealt
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
        """Take the cards of a record (hands, kitty …) or of its position; `BadInput` names the culprit."""
        raise NotImplementedError

    def begin(self) -> None:
        """Enter the first phase."""
        raise NotImplementedError

    @classmethod
    def shuffled(cls, variant: Variant, seed: int) -> dict[str, Any]:
        """The dealt cards of a seed, under the keys of a record."""
        raise NotImplementedError

    def score_lines(self) -> list[ScoreLine]:
        """Every line of the score; before the end of the deal, the points so far."""
        raise NotImplementedError

    def chosen(self, move: Move) -> None:
        """Act on the word said in a `Choice` phase."""
        raise NotImplementedError

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
        return self.phase.legal(self) if self.phase else ()

    def refusal(self, move: Move | str) -> Refusal | None:
        """None for a legal move, else the first rule that refuses it.  `BadInput` for what is no move at all."""
        return self._refusal(self.parse(move))

    def _refusal(self, move: Move) -> Refusal | None:
        if self.phase is None or move.verb not in self.phase.verbs:
            phase = self.phase.name if self.phase else "over"
            return Refusal(f"{self.game.id}.move.phase", {"phase": phase, "move": str(move)})
        return self.phase.refusal(self, move)

    def play(self, move: Move | str) -> list[Event]:
        """Make a checked move and return the events it caused; `IllegalMove` carries the refusal."""
        if type(move) is not Move or move.verb != "play":
            move = self.parse(move)
        refusal = self._refusal(move)
        if refusal:
            raise IllegalMove(move, refusal)
        before = len(self.events)
        self.push(move)
        return self.events[before:]

    def push(self, move: Move) -> None:
        """Make a move of `legal()` unchecked; with `logging` off it leaves no events, for play-outs."""
        self.moves.append(move)
        self.phase.push(self, move)  # type: ignore[union-attr]

    def log(self, kind: str, rule: str, hidden: Iterable[str] = (), seen_by: Iterable[int] = (), **facts: Any) -> None:
        """Add an event; `hidden` names the facts that only the seats in `seen_by` know."""
        if self.logging:
            names = tuple(hidden)
            self.events.append(Event(kind, rule, facts, names, tuple(seen_by) if names else None))

    def parse(self, move: Move | str) -> Move:
        """Read a move as written, cards in canonical order; `BadInput` names what is no move."""
        if isinstance(move, str):
            move = self._parsed(move)
        return self.phase.canonical(self, move) if self.phase else move

    @classmethod
    def _parsed(cls, text: str) -> Move:
        words = text.split()
        verb = words[0] if words else ""
        follows = cls.verbs.get(verb)
        if follows == "cards":
            return Move(verb, by_rank_or_written(words[1:]))
        if isinstance(follows, tuple) and len(words) == 2 and words[1] in follows:
            return Move(verb, word=words[1])
        if follows == "" and len(words) == 1:
            return Move(verb)
        if follows is None and len(words) == 1:
            card = Card.parse(verb)
            if card:
                return PLAYS[card]
        raise BadInput("move", f"no move of this game: {text!r}", move=text)

    def scores(self) -> list[int]:
        """Points by side: the sums of the score lines."""
        sums = [0] * self.game.sides(self.players)
        for line in self.score_lines():
            sums[line.side] += line.points
        return sums

    @property
    def settled(self) -> Settled:
        """What the match becomes: the next context, the result and why; before the end, what was inherited."""
        if self._settled is None:
            if not self.finished:
                return Settled(self.match, None, ())
            self._settled = self.settle()
        return self._settled

    def settle(self) -> Settled:
        return self.game.settle(self.variant, self.match, self.scores())

    def view(self, seat: int) -> View:
        """The deal as `seat` may know it."""
        return View(self, seat)

    # -- records

    @classmethod
    def from_record(cls, record: Mapping[str, Any], seed: int | None = None) -> Self:
        """Build the deal of a record or position and replay its moves; `BadInput` names the culprit."""
        from_seed = "seed" in record
        made = cls(
            variant := _variant_of(record),
            _dealer_of(record, variant.players),
            variant.game.context.parse(record.get("match", {}), variant.players),
            cls._dealt_of(record, variant),
            _seed_of(record) if from_seed else seed,
        )
        moves = record.get("moves", [])
        if not isinstance(moves, list | tuple):
            raise BadInput("moves", f"moves is not a list: {moves!r}", key="moves")
        for move in moves:
            if not isinstance(move, str):
                raise BadInput("move", f"no move of this game: {move!r}", move=str(move))
            try:
                made.play(move)
            except IllegalMove as illegal:
                rule = illegal.refusal.rule
                raise BadInput(
                    "illegal", f"illegal move {move!r}, refused by {rule}", move=move, refusal=illegal.refusal
                ) from illegal
        return made

    @classmethod
    def _dealt_of(cls, record: Mapping[str, Any], variant: Variant) -> dict[str, Any]:
        """The keys of a record that say what was dealt; from a seed, if it has one."""
        known = {"game", "options", "players", "dealer", "match", "moves", "hands", "position", "seed"}
        for key in record:
            if key not in known | cls.record_keys:
                raise BadInput("record-key", f"unknown key: {key!r}", key=str(key))
        dealt = {key: record[key] for key in record if key in {"hands", "position"} | cls.record_keys}
        if "seed" not in record:
            return dealt
        if dealt:
            raise BadInput("record-key", f"seed and {min(dealt)} exclude each other", key=min(dealt))
        return cls.shuffled(variant, _seed_of(record))

    def record(self) -> dict[str, Any]:
        """The deal as a record: it gives exactly this deal back."""
        made: dict[str, Any] = {"game": self.game.id}
        if self.options.changed():
            made["options"] = self.options.changed()
        if self.players != self.game.default_players:
            made["players"] = self.players
        if self.dealer != self.players - 1:
            made["dealer"] = self.dealer
        if self.match != self.game.context.start(self.players):
            made["match"] = self.match.data()
        return made | self.dealt | {"moves": [str(move) for move in self.moves]}

    def undo(self, moves: int = 1) -> None:
        """Take back the last move (or the last `moves`): the record is replayed without them."""
        if not 0 < moves <= len(self.moves):
            raise BadInput("undo", f"cannot undo {moves} of {len(self.moves)} moves", moves=moves)
        kept = self.moves[:-moves]
        fresh = type(self)(self.variant, self.dealer, self.match, self.dealt, self.seed)
        for move in kept:
            fresh.push(move)
        self.__dict__.update(fresh.__dict__)

    def copy(self) -> Self:
        """An independent deal in the same state."""
        twin = object.__new__(type(self))
        twin.__dict__.update(
            (name, value.copy() if hasattr(value, "copy") and not isinstance(value, int) else value)
            for name, value in self.__dict__.items()
        )
        return twin

    def random(self, stream: str) -> Random:
        """A stream of random numbers of this deal; `BadInput` where a record has no seed to draw from."""
        if self.seed is None:
            raise BadInput("record-key", f"the record does not say {stream}", key=stream)
        return Random(self.seed, stream)

    def __repr__(self) -> str:
        state = "over" if self.over else f"{self.phase.name}, seat {self.turn} to move"  # type: ignore[union-attr]
        return f"<{self.variant}: {len(self.moves)} moves, {state}>"


def by_rank_or_written(words: Sequence[str]) -> tuple[Card, ...]:
    """Cards as written; phases put them into canonical order."""
    return tuple(parse_cards(" ".join(words)))


def _variant_of(record: Mapping[str, Any]) -> Variant:
    options = record.get("options", {})
    if not isinstance(options, Mapping):
        raise BadInput("options", f"options is not an object: {options!r}", key="options")
    players = record.get("players")
    if "players" in record and type(players) is not int:
        raise BadInput("players", f"players cannot be {players!r}", value=str(players))
    return Variant.of(game_of(record.get("game")), players, options)


def _dealer_of(record: Mapping[str, Any], players: int) -> int:
    dealer = record.get("dealer", players - 1)
    if type(dealer) is not int or not 0 <= dealer < players:
        raise BadInput("dealer", f"dealer cannot be {dealer!r}: there are {players} seats from 0", value=str(dealer))
    return dealer


def _seed_of(record: Mapping[str, Any]) -> int:
    from cardlib.seeds import parse_seed

    return parse_seed(record["seed"])


def read_hands(cards: object, players: int) -> list[int]:
    """The key `hands` of a record as masks; `BadInput` names a card, or `hands`."""
    if not isinstance(cards, list | tuple) or len(cards) != players or not all(isinstance(c, str) for c in cards):
        raise BadInput("hands", f"hands must be {players} strings of cards", key="hands", players=players)
    return [Hand.parse(hand) for hand in cards]


def read_cards(key: str, cards: object) -> int:
    """A key of a record that holds one string of cards."""
    if not isinstance(cards, str):
        raise BadInput(key, f"{key} is not a string of cards: {cards!r}", key=key)
    return Hand.parse(cards)


def disjoint(masks: Iterable[int], pack: int) -> int:
    """The union of masks; `BadInput` names a card that occurs twice or is not in the pack."""
    union = 0
    for mask in masks:
        if union & mask:
            card = cards_of(union & mask)[0]
            raise BadInput("twice", f"the card {card} occurs twice", card=str(card))
        if mask & (pack ^ ((1 << 64) - 1)):
            card = cards_of(mask & (pack ^ ((1 << 64) - 1)))[0]
            raise BadInput("pack", f"the card {card} is not in this pack", card=str(card))
        union |= mask
    return union


def written(mask: int) -> str:
    """A mask as a record writes it: suit order S H D C, high to low."""
    return str(Hand(mask))


# -------------------------------------------------------------------------------------------------------------- view


class View:
    """A deal as one seat may know it: what bots and pages get.

    Own hand, counts of the others, the story and the scores so far without what is hidden from the seat.
    """

    def __init__(self, deal: Deal, seat: int) -> None:
        if seat not in range(deal.players):
            raise BadInput("seat", f"no such seat: {seat}", seat=seat)
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
        return Hand(self._deal.hands[self.seat])

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
        return self._deal.seen_lines(self.seat)  # type: ignore[attr-defined, no-any-return]

    def scores(self) -> list[int]:
        sums = [0] * self._deal.game.sides(self.players)
        for line in self.score_lines():
            sums[line.side] += line.points
        return sums


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
    from cardlib.seeds import parse_seed

    if isinstance(game, Variant):
        chosen = game
    elif isinstance(variant, Variant):
        chosen = variant
    else:
        chosen = Variant.parse(game_of(game), variant or "") if "(" not in game else _variant(game)
    number = parse_seed(seed)
    record: dict[str, Any] = {"dealer": dealer} if dealer is not None else {}
    return chosen.game.deal(
        chosen,
        _dealer_of(record, chosen.players),
        chosen.game.context.parse(match or {}, chosen.players),
        chosen.game.deal.shuffled(chosen, number),
        number,
    )


_variant = variant
