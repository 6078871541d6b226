"""Quint: four players, two against two; one ranking of all 53 cards, and cards that make five score as they are taken.

The file follows the rule sheet: options, pack and deal, calls, rank of the cards, play, quints and tricks, the end of a
game, the rubber.  Rule ids are those of the rule book (`cardlib/text/*/quint.md`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Any, ClassVar

from cardlib.cards import ALL, CLUBS, DIAMONDS, HEARTS, JOKER, PACK, SIDES, SPADES, Seat, of_ranks
from cardlib.deal import Context, Event, Game, Move, Reminder, ScoreLine, Settled, Tally, added, register
from cardlib.errors import BadInput
from cardlib.options import Options, Variant, option
from cardlib.phases.calls import Calls, caller
from cardlib.phases.tricks import TrickDeal, Tricks
from cardlib.reading import NATURAL, numbers, whole
from cardlib.rules import Ban, Obligation, ScoreRule, Scoring, Table, When, WinnerClass

#: What a side needs to win a game, what the rubber brings, and what a trick is worth.
LIMIT, BONUS, TRICK = 250, 100, 5

# ----------------------------------------------------------------------------------------------------------- options


@dataclass(frozen=True)
class QuintOptions(Options):
    """What can be changed about Quint."""

    suit_order: str = option("hearts-high", "as-printed", rules="quint.rank.suits", group="rank")
    double_scope: str = option("both", "callers-side", rules="quint.call.factor", group="calls")
    joker_lead: str = option("next-sets-suit", "last-card-only", rules="quint.joker.lead", group="play")
    mid_play_end: str = option("immediate", "finish-deal", rules="quint.end.mid-play quint.end.order", group="end")
    tie_at_250: str = option("another-deal", "drawn", rules="quint.end.tie", group="end")
    tie_deal: str = option("full", "sudden-death", rules="quint.end.tie-deal", group="end")
    length: str = option("rubber", "single-game", rules="quint.rubber.win", group="end")

    presets: ClassVar[Mapping[str, Mapping[str, Any]]] = {
        "sheet": {},
        "as-printed": {"suit_order": "as-printed"},
        "without-supplements": {"joker_lead": "last-card-only", "tie_at_250": "drawn"},
        "one-game": {"length": "single-game"},
        "pair-doubling": {"double_scope": "callers-side"},
    }

    def idle(self, players: int) -> dict[str, str]:
        if self.tie_at_250 == "drawn":
            return {"tie_deal": "no-extra-deal"}
        return {"tie_deal": "played-out"} if self.mid_play_end == "finish-deal" else {}


# ----------------------------------------------------------------------------------------------------- pack and deal

CARDS = PACK | JOKER.mask

# ------------------------------------------------------------------------------------------------------------- calls

#: What a call makes of the worth of a trick.
FACTORS = {"pass": 1, "double": 2, "redouble": 4}


def once(rule: str, call: str) -> Ban:
    """A call that is made once in a deal."""

    def facts(deal: Any, move: Move) -> Mapping[str, Any] | None:
        before = caller(deal, call)
        return {"seat": before} if move.verb == call and before is not None else None

    return Ban(rule, facts)


def not_doubled(deal: Any, move: Move) -> Mapping[str, Any] | None:
    """Only a double of the other side can be redoubled."""
    doubler = caller(deal, "double")
    doubled = doubler is not None and deal.side(doubler) != deal.side(deal.turn)
    return {} if move.verb == "redouble" and not doubled else None


CALLS = Calls(
    FACTORS,
    [
        once("quint.call.double-once", "double"),
        once("quint.call.redouble-once", "redouble"),
        Ban("quint.call.redouble", not_doubled),
    ],
)

# -------------------------------------------------------------------------------------------------- rank of the cards

#: The suits from the highest.  The sheet contradicts itself: one order is its example's, the other its sentence's.
ORDERS = {"hearts-high": (HEARTS, DIAMONDS, CLUBS, SPADES), "as-printed": (CLUBS, HEARTS, DIAMONDS, SPADES)}


def winners(options: QuintOptions) -> Iterator[WinnerClass]:
    """One ranking of all cards: the highest suit in the trick decides, whatever was led; the joker is below all."""

    def suit(cards: int) -> WinnerClass:
        return WinnerClass("quint.trick.winner", lambda t: cards)

    yield from map(suit, ORDERS[options.suit_order])
    yield WinnerClass("quint.rank.joker", lambda t: JOKER.mask)


# -------------------------------------------------------------------------------------------------------------- play


class QuintTable(Table):
    """What the rules ask besides, by side: `tricks` won · `factors` of their worth · `totals` of the game before; and
    whether this is the `extra` deal after a tie, and was `played_out`, so that tricks count."""

    __slots__ = ("extra", "factors", "played_out", "totals", "tricks")
    tricks: Sequence[Any]
    factors: Sequence[Any]
    played_out: Any
    totals: Sequence[Any]
    extra: Any
    numbers = frozenset({"factors", "totals", "tricks"})

    def aside_goes(self, options: QuintOptions, trick: Any, last: bool) -> bool:
        """The cachette goes with the last trick."""
        return last

    def gained(self, options: QuintOptions, cards: Any, side: Any) -> None:
        """A trick or the cachette, which counts as one."""
        self.tricks = [tricks + (side == taker) for taker, tricks in enumerate(self.tricks)]

    def stops(self, options: QuintOptions, points: Sequence[Any]) -> Any:
        """Whether the points for quints end the game."""
        if options.mid_play_end == "finish-deal":
            return False
        one, other = (total + more for total, more in zip(self.totals, points, strict=True))
        ahead = one != other if options.tie_deal == "sudden-death" else False
        return self.pick(self.extra, ahead, (one >= LIMIT) | (other >= LIMIT))

    def ending(self, variant: Variant, stopped: Any) -> None:
        """Tricks count in a deal that has not stopped."""
        self.played_out = stopped == 0


def obligations(options: QuintOptions) -> Iterator[Obligation]:
    """What a player must do, in the order in which a refusal names it."""
    if options.joker_lead == "last-card-only":
        yield Obligation("quint.joker.lead", lambda t: PACK, When.LEADING)
    # The joker follows any suit, but who holds nothing else of the suit led is void and may play what he likes.
    yield Obligation(
        "quint.follow.must",
        lambda t: t.pick(t.hand & t.led != 0, t.led | JOKER.mask, ALL),
        When.FOLLOWING,
    )


# -------------------------------------------------------------------------------------------------- quints and tricks

#: What a quint of each suit is worth, whatever the order of the suits, and what the joker is.
VALUES = {HEARTS: 20, DIAMONDS: 15, CLUBS: 10, SPADES: 5}
ROYAL = 25
FIVES, PAIRS = of_ranks("5"), (of_ranks("A4"), of_ranks("23"))


def quints() -> Iterator[ScoreRule]:
    """What the cards of one trick, or of the cachette, bring at once to the side that takes them: a line a quint."""

    def quint(rule: str, cards: int, value: int) -> ScoreRule:
        """All of these cards together make a quint."""
        return ScoreRule(rule, lambda t: [t.pick(taken & cards == cards, value, 0) for taken in t.taken], cards)

    for suit, value in VALUES.items():
        yield quint("quint.quint.single", suit & FIVES, value)
        for pairs in PAIRS:
            yield quint("quint.quint.pair", suit & pairs, value)
    yield quint("quint.quint.values", JOKER.mask, ROYAL)


def for_tricks(t: Any) -> list[Any]:
    """The points for tricks by side, once the deal is played out."""
    each = [TRICK * factor * tricks for factor, tricks in zip(t.factors, t.tricks, strict=True)]
    return [t.pick(t.played_out, points, 0) for points in each]


SCORING = Scoring([ScoreRule("quint.score.tricks", for_tricks, value=lambda t: t.tricks)], at_once=quints())

# ------------------------------------------------------------------------------------------- end of a game, the rubber


@dataclass(frozen=True)
class QuintContext(Context):
    """By side: `totals` of this game, `games` won in this rubber, `rubber_points` of the finished games."""

    totals: tuple[int, ...] = (0,)
    games: tuple[int, ...] = (0,)
    rubber_points: tuple[int, ...] = (0,)
    stages: ClassVar = ("game", "match")

    @property
    def fresh(self) -> bool:
        """A game is over; the next deal begins a new one (in a deal somebody always scores)."""
        return not any(self.totals)

    @property
    def extra(self) -> bool:
        """This is the extra deal after a tie at the limit."""
        return self.totals[0] == self.totals[1] >= LIMIT

    def sums(self, variant: Variant) -> list[tuple[str, Sequence[int]]]:
        rubber = [("rubber", self.rubber_points)] if variant.options.length == "rubber" else []
        return [("total", self.totals), *rubber]

    def tallies(self, variant: Variant) -> list[Tally]:
        return [Tally("games", self.games, 2)] if variant.options.length == "rubber" else []

    def check(self, variant: Variant) -> None:
        options: QuintOptions = variant.options
        over = max(self.totals) >= LIMIT and (not self.extra or options.tie_at_250 == "drawn")
        if over or min(self.totals) < 0:
            raise BadInput("game-over", "totals of match: this game is over already, or never was", key="totals")
        if not {*self.games} <= ({0, 1} if options.length == "rubber" else {0}):
            raise BadInput("game-over", "games of match: this rubber is over already, or never was", key="games")
        if min(self.rubber_points) < 0:
            raise BadInput("game-over", "rubber_points of match cannot be negative", key="rubber_points")


def settle(variant: Variant, match: QuintContext, scores: Sequence[int]) -> Settled:
    """Add the scores of a finished deal to the game; say who has won it, and with it the rubber."""
    options: QuintOptions = variant.options
    totals = added(match.totals, scores)
    most, tie = max(totals), totals[0] == totals[1]
    if most < LIMIT:
        event = Event("GoesOn", "quint.end.250", {"limit": LIMIT})
    elif tie and options.tie_at_250 == "another-deal":
        event = Event("Tie", "quint.end.tie", {"total": most})
    else:
        winner = None if tie else totals.index(most)
        return _game_over(options, winner, totals, match)
    return Settled(replace(match, totals=totals), None, (event,))


def _game_over(options: QuintOptions, winner: int | None, totals: tuple[int, ...], match: QuintContext) -> Settled:
    """A game is over: won by a side, or drawn."""
    most, points, games = max(totals), added(match.rubber_points, totals), match.games
    if winner is None:
        events = [Event("Drawn", "quint.end.tie", {"total": most})]
    else:
        rule = "quint.end.higher" if min(totals) >= LIMIT else "quint.end.250"
        events = [Event("Won", rule, {"side": SIDES[winner], "total": most, "limit": LIMIT})]
        games = added(games, [side == winner for side in SIDES])
    result: tuple[int, ...] | None = None
    if options.length == "single-game":
        result = (0, 1) if winner is None else (winner,)
    elif winner is not None and games[winner] == 2:
        points = added(points, [BONUS * (side == winner) for side in SIDES])
        facts = {"side": SIDES[winner], "points": BONUS, "total": points[winner]}
        events += [
            Event("Won", "quint.rubber.win", {"side": SIDES[winner]}),
            Event("Bonus", "quint.rubber.bonus", facts),
        ]
        result = (winner,)
    else:
        events.append(Event("Kept", "quint.rubber.fresh", {}))
    return Settled(QuintContext((0, 0), games, points), result, tuple(events))


# ---------------------------------------------------------------------------------------------------------- the deal


@cache
def tricks_of(options: QuintOptions) -> Tricks:
    """What the options make of the play, built once."""
    return Tricks(obligations(options), winners(options))


class QuintDeal(TrickDeal):
    """A deal of Quint: calls, tricks whose quints score at once, the cachette, the points for tricks."""

    __slots__ = ("calls",)
    verbs: ClassVar = dict.fromkeys(FACTORS, "")
    left_over_key = "cachette"
    record_keys = frozenset({left_over_key})
    position_keys = TrickDeal.position_keys | {"factor", "quints", "tricks"}
    not_in_hand = "quint.play.own-card"
    named = CARDS
    new_table = QuintTable
    table: QuintTable
    options: QuintOptions
    match: QuintContext

    reminders = (
        Reminder("suits", ["quint.rank.suits"], skip=1),
        Reminder("quints", ["quint.quint.values", "quint.quint.pair"]),
    )

    # -- the cards

    @classmethod
    def pack_of(cls, variant: Variant) -> int:
        return CARDS

    @classmethod
    def hand_size(cls, variant: Variant) -> int:
        """Five cards are left over, the cachette."""
        return 12

    def setup(self, dealt: Mapping[str, Any]) -> None:
        self.tricks, self.scoring = tricks_of(self.options), SCORING
        self.calls: list[tuple[Seat, str]] = []
        super().setup(dealt)
        t = self.table
        t.tricks, t.factors, t.played_out = (0, 0), (1, 1), False
        t.totals, t.extra = self.match.totals, self.match.extra
        if "position" in dealt:
            self._place(dealt["position"])

    def _place(self, position: Mapping[str, Any]) -> None:
        """What only a position of Quint says."""
        t = self.table
        if "tricks" in position:
            t.tricks = numbers("tricks", position["tricks"], 2, NATURAL)
        if "factor" in position:
            t.factors = self._factors(position["factor"])
        if "quints" in position:
            given = zip(SIDES, numbers("quints", position["quints"], 2, NATURAL), strict=True)
            self.scored = [ScoreLine(side, points, "quint.quint.at-once") for side, points in given if points]
        if self._won():
            raise BadInput("quints", "quints: with these points the game is over already", key="quints")

    def _factors(self, factor: object) -> tuple[int, ...]:
        if self.options.double_scope == "callers-side" and isinstance(factor, list | tuple):
            return numbers("factor", factor, 2, FACTORS.values())
        return (whole("factor", factor, FACTORS.values()),) * 2

    # -- calls, then the first lead

    def start(self) -> None:
        self.phase, self.turn = CALLS, self.eldest

    def called(self, seat: int, call: str) -> None:
        t, factor, both = self.table, FACTORS[call], self.options.double_scope == "both"
        facts = {"seat": Seat(seat), "call": call, "points": TRICK * factor}
        if call == "pass":
            self.log("Called", "quint.call.turn", facts)
        else:
            t.factors = [factor if both or side == self.side(seat) else now for side, now in enumerate(t.factors)]
            self.log("Called", f"quint.call.{call}" if both else "quint.call.factor", facts)
        if len(self.calls) == self.players:
            self.lead(self.eldest)

    def said(self, seat: int) -> str:
        """The call of a seat; a pass matters only while the calls are made."""
        call = dict(self.calls).get(Seat(seat), "")
        return "" if call == "pass" and self.phase not in (CALLS, None) else call

    def out_of_phase(self, move: Move) -> str:
        if self.phase is None:
            return "quint.end.over"
        return "quint.call.first" if self.phase is CALLS else "quint.call.closed"

    # -- after a trick: its quints, then the cachette, then the points for tricks

    def trick_taken(self, winner: int, taken: int) -> None:
        side = self.side(winner)
        self._take(side, taken)
        if self._won():
            self._stop(side, "quint.end.order" if self.last else "quint.end.mid-play")
        else:
            self.next_trick(winner)

    def played_out(self, winner: int) -> None:
        side = self.side(winner)
        self._take(side, self.take_left_over(winner, "quint.cachette.taker"))
        if self._won():
            self._stop(side, "quint.end.order")
        else:
            self.table.ending(self.variant, False)
            self.finish()

    def _take(self, side: int, cards: int) -> None:
        """A trick goes to a side, with its quints."""
        self.table.gained(self.options, cards, side)
        self.score_at_once(cards, side)

    def _won(self) -> bool:
        """The points for quints end the game."""
        return bool(self.table.stops(self.options, self.scores()))

    def _stop(self, side: int, rule: str) -> None:
        """The game ends here: the rest is not played, and tricks do not count."""
        total = self.match.totals[side] + self.scores()[side]
        rule = "quint.end.tie-deal" if self.match.extra else rule
        self.log("Stopped", rule, {"side": SIDES[side], "total": total})
        self.finish()


GAME = register(Game("quint", QuintOptions, QuintDeal, QuintContext, settle, partners=True, kinds=("win",)))
