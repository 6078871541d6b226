"""Ambition, three or four players, everybody for himself: many points or no trick, and a 2 that beats the face cards.

The file follows the rule sheet: options, pack and deal, card points, passing, play and the 2, score, strikes and end.
Rule ids are those of the rule book (`cardlib/text/*/ambition.md`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, reduce
from typing import Any, ClassVar

from cardlib.cards import ALL, DIAMONDS, HEARTS, PACK, SPADES, Card, Hand, Seat, of_ranks
from cardlib.deal import Context, Event, Game, Move, ScoreLine, Settled, Tally, added, register
from cardlib.errors import BadInput
from cardlib.options import Options, Variant, option
from cardlib.phases.exchange import PassingDeal, directions
from cardlib.phases.tricks import Tricks, scored
from cardlib.rules import Obligation, ScoreRule, Scoring, Table, When, WinnerClass

DIAMOND_THREE = Card.parse("3D").mask
CLUB_KING = Card.parse("KC").mask
CLUB_THREE = Card.parse("3C").mask
#: The ace is a face card here, the ten is not.
FACES, TWOS = of_ranks("AKQJ"), of_ranks("2")
RED = HEARTS | DIAMONDS

# ----------------------------------------------------------------------------------------------------------- options


@dataclass(frozen=True)
class AmbitionOptions(Options):
    """What can be changed about Ambition."""

    pass_cycle_3: str = option(
        "left-right-none", "left-right", "left-right-left-none",
        rules="ambition.pass.cycle-three-players", group="pass",
    )  # fmt: skip
    two_rule: str = option(
        "led-suit", "any-face", "any-card",
        rules="ambition.trick.two-over-faces ambition.trick.highest-of-led-suit", group="play",
    )  # fmt: skip
    announce: str = option("running-total", "trick-points", "off", rules="ambition.trick.announce", group="play")
    last_trick_points: int = option(
        2, 0, rules="ambition.points.last-trick ambition.points.total ambition.score.big-35 ambition.score.big-50",
        group="score",
    )  # fmt: skip
    nil_condition: str = option(
        "no-tricks", "no-points", rules="ambition.score.nil ambition.score.under-strike", group="score"
    )
    nil_shared: str = option("full", "split", rules="ambition.score.nil", group="score")
    under_strike_score: str = option(
        "zero", "keep", rules="ambition.score.under-strike ambition.end.pardon", group="score"
    )
    strike_on_big_round: str = option(
        "none", "best-of-rest", rules="ambition.score.strike ambition.score.second-big", group="score"
    )
    bonus_mode: str = option("replace", "add", rules="ambition.score.bonus-replaces", group="score")
    fourth_under_strike: str = option(
        "pardoned", "counts", rules="ambition.end.pardon ambition.end.fourth-strike", group="end"
    )
    strikes_to_end: int = option(
        4, 3, rules="ambition.end.fourth-strike ambition.end.elimination ambition.end.pardon", group="end"
    )

    presets: ClassVar[Mapping[str, Mapping[str, Any]]] = {"seed": {}, "post-author": {"bonus_mode": "add"}}
    pass_count: ClassVar[int] = 3
    pass_forward: ClassVar[bool] = False

    def idle(self, players: int) -> dict[str, str]:
        return {"pass_cycle_3": "four-players-cycle"} if players == 4 else {}

    def directions(self, players: int) -> list[str]:
        """The pass directions, deal by deal (ambition.pass.cycle)."""
        return ["left", "right", "across", "none"] if players == 4 else directions(self.pass_cycle_3)

    @property
    def all_points(self) -> int:
        """What a whole deal is worth (ambition.points.total)."""
        return 83 + self.last_trick_points


# ----------------------------------------------------------------------------------------------- what cards are worth

LAST = "ambition.points.last-trick"
#: Of each kind of card: its rule, the cards, the points of one; all other clubs are worth nothing.
WORTH = (
    ("ambition.points.club-king", CLUB_KING, 11),
    ("ambition.points.spade-faces", SPADES & FACES, 5),
    ("ambition.points.spade-numbers", SPADES & (ALL ^ FACES), 2),
    ("ambition.points.red-faces", RED & FACES, 2),
    ("ambition.points.red-numbers", RED & (ALL ^ FACES), 1),
)


class AmbitionTable(Table):
    """What the rules ask besides: `first_two` the 2 that was played first to the trick · by seat, `last` took the last
    trick, `bonus_used` had the bonus before · and what `add_up` and `judge` find out."""

    __slots__ = (
        "bonus_used", "first_big", "first_two", "last", "nil", "plain", "second_big", "strike", "total", "under",
        "worth",
    )  # fmt: skip
    first_two: Any
    worth: Mapping[str, Sequence[Any]]
    bonus_used: Sequence[Any]
    first_big: Sequence[Any]
    last: Sequence[Any]
    total: Sequence[Any]
    under: Sequence[Any]

    def opening(self, options: AmbitionOptions, cards: Any) -> Any:
        return DIAMOND_THREE

    def trick_over(self, options: AmbitionOptions, trick: Any, best: Any, side: Any, last: bool) -> None:
        if last:
            self.last = [side == taker for taker in range(len(self.taken))]


def add_up(options: AmbitionOptions, t: Any) -> None:
    """Put on the table, by seat, what the cards taken are `worth`, rule by rule, their `total` with the last trick, and
    who has no trick (`nil`)."""
    t.worth = {rule: [each * t.count(taken & cards) for taken in t.taken] for rule, cards, each in WORTH}
    t.worth[LAST] = [t.pick(last, options.last_trick_points, 0) for last in t.last]
    t.total = [sum(parts) for parts in zip(*t.worth.values(), strict=True)]
    t.nil = [taken == 0 for taken in t.taken]


def card_rules() -> Iterator[ScoreRule]:
    """While the deal goes on, its score is what the cards taken are worth."""

    def line(rule: str, cards: int = 0) -> ScoreRule:
        return ScoreRule(rule, lambda t: [t.pick(t.ended, 0, points) for points in t.worth[rule]], cards)

    yield from (line(rule, cards) for rule, cards, _ in WORTH)
    yield line(LAST)


# -------------------------------------------------------------------------------------------------- play, and the 2


def obligations() -> Iterator[Obligation]:
    """What a player must do, in the order in which a refusal names it."""
    yield Obligation("ambition.lead.diamond-three", lambda t: DIAMOND_THREE, When.LEADING, first_trick=True)
    yield Obligation("ambition.play.must-follow", lambda t: t.led, When.FOLLOWING)


def raising(options: AmbitionOptions, t: Any) -> Any:
    """The face cards of the trick that raise a 2."""
    return t.trick & FACES & (t.led if options.two_rule == "led-suit" else ALL)


def winners(options: AmbitionOptions) -> Iterator[WinnerClass]:
    """The 2 that a face card raises, then the suit led.  The readings differ in whose suits count (rule file, 3)."""
    rule = "ambition.trick.two-over-faces"
    yield WinnerClass(rule, lambda t: t.pick(raising(options, t) != 0, TWOS & t.led, 0))
    if options.two_rule == "any-card":
        yield WinnerClass(rule, lambda t: t.pick(raising(options, t) != 0, t.first_two, 0))
    yield WinnerClass("ambition.trick.highest-of-led-suit", lambda t: t.led)


def note_first_two(t: Any, card: Any) -> None:
    """Before a card goes to the trick: note the first 2 (asked by `any-card` only)."""
    first = (card & TWOS != 0) & (t.trick & TWOS == 0)
    t.first_two = t.pick(first, card, t.first_two)


# ------------------------------------------------------------------------------------------------------------- score


def judge(options: AmbitionOptions, t: Any) -> None:
    """Put on the table, by seat, what the totals come to: `nil`, `under` (-strike), `strike`, `plain` (the total is the
    score), `first_big` (53 or more, with a bonus) and `second_big` (the bonus was used before)."""
    if options.nil_condition == "no-points":
        t.nil = [total == 0 for total in t.total]
    rest = t.total
    if options.strike_on_big_round == "best-of-rest":
        rest = [t.pick(total > 52, 0, total) for total in t.total]
    top = reduce(lambda a, b: t.pick(a > b, a, b), rest)
    t.under = [(total < 11) & (nil == 0) for total, nil in zip(t.total, t.nil, strict=True)]
    t.strike = [(total > 10) & (total < 53) & (total == top) for total in t.total]
    t.plain = [(total > 10) & (total < 53) & (total != top) for total in t.total]
    t.first_big = [(total > 52) & (used == 0) for total, used in zip(t.total, t.bonus_used, strict=True)]
    t.second_big = [(total > 52) & used for total, used in zip(t.total, t.bonus_used, strict=True)]


def score_rules(options: AmbitionOptions) -> Iterator[ScoreRule]:
    """What is written down at the end of a deal: one line a seat, also where it says 0."""
    most = options.all_points

    def line(rule: str, whose: Any, points: Any) -> ScoreRule:
        """`points(t, seat)` for each seat of which `whose(t, seat)` holds."""
        return ScoreRule(
            rule,
            lambda t: [t.pick(whose(t, seat) & t.ended, points(t, seat), 0) for seat in range(len(t.total))],
            shown=lambda t: [whose(t, seat) & t.ended for seat in range(len(t.total))],
            value=lambda t: t.total,
        )

    def nil_points(t: Any, seat: int) -> Any:
        if options.nil_shared == "full":
            return 28
        nils = sum(t.pick(nil, 1, 0) for nil in t.nil)
        return t.pick(nils == 1, 28, t.pick(nils == 2, 14, 9))

    def total(t: Any, seat: int) -> Any:
        return t.total[seat]

    def nothing(t: Any, seat: int) -> Any:
        return 0

    few = total if options.under_strike_score == "keep" else nothing
    yield line("ambition.score.nil", lambda t, seat: t.nil[seat], nil_points)
    yield line("ambition.score.under-strike", lambda t, seat: t.under[seat], few)
    yield line("ambition.score.strike", lambda t, seat: t.strike[seat], nothing)
    yield line("ambition.score.points", lambda t, seat: t.plain[seat], total)
    for rule, low, high, bonus in (
        ("ambition.score.big-28", 53, 64, 28),
        ("ambition.score.big-35", 65, most - 1, 35),
        ("ambition.score.big-50", most, most, 50),
    ):
        yield line(rule, within(low, high), lambda t, seat, bonus=bonus: bonus)
    if options.bonus_mode == "add":
        yield line("ambition.score.bonus-replaces", lambda t, seat: t.first_big[seat], total)
    yield line("ambition.score.second-big", lambda t, seat: t.second_big[seat], nothing)


def within(low: int, high: int) -> Any:
    """Whether a first big total lies between these limits."""
    return lambda t, seat: t.first_big[seat] & (t.total[seat] >= low) & (t.total[seat] <= high)


# --------------------------------------------------------------------------------------------------- strikes and end


@dataclass(frozen=True)
class AmbitionContext(Context):
    """`deal` counts the deals and fixes the pass direction; by seat: `totals`, `marks` (strikes and under-strikes) and
    `bonus_used`."""

    deal: int = 0
    totals: tuple[int, ...] = (0,)
    marks: tuple[int, ...] = (0,)
    bonus_used: tuple[bool, ...] = (False,)

    def check(self, variant: Variant) -> None:
        limit = variant.options.strikes_to_end
        if any(mark not in range(limit) for mark in self.marks):
            raise BadInput("marks", f"marks must be numbers from 0 to {limit - 1}: {limit} end the match", limit=limit)

    def tallies(self, variant: Variant) -> Sequence[Tally]:
        return Tally("marks", self.marks, variant.options.strikes_to_end), Tally("bonus", self.bonus_used, 1)


#: The rules that add a mark, and where `judge` notes them.
STRIKES = {
    "ambition.score.under-strike": "under",
    "ambition.score.strike": "strike",
    "ambition.score.second-big": "second_big",
}


def writing(
    options: AmbitionOptions, match: AmbitionContext, points: Sequence[int], tricks: Sequence[int]
) -> tuple[Scoring, AmbitionTable]:
    """The rules of what is written down, and a table with these totals."""
    t = AmbitionTable(ended=True, total=list(points), nil=[many == 0 for many in tricks], bonus_used=match.bonus_used)
    t.taken = [0] * len(points)
    return Scoring(score_rules(options), lambda t: judge(options, t)), t


def settle(variant: Variant, match: AmbitionContext, points: Sequence[int], tricks: Sequence[int]) -> Settled:
    """Write down scores and marks for the totals (`points`) and `tricks` of a deal; say who has won, if anybody."""
    options: AmbitionOptions = variant.options
    scoring, t = writing(options, match, points, tricks)
    scores = scoring.scores(t)
    marks, events = [*match.marks], []
    for seat in range(variant.players):
        rule = _mark(options, t, seat, match.marks[seat])
        marks[seat] += rule in STRIKES
        if rule:
            facts = {"side": Seat(seat), "marks": marks[seat], "limit": options.strikes_to_end}
            events.append(Event("Marked", rule, facts))
    after = AmbitionContext(
        match.deal + 1,
        added(match.totals, scores),
        tuple(marks),
        tuple(used or big for used, big in zip(match.bonus_used, t.first_big, strict=True)),
    )
    result, end = _result(options.strikes_to_end, after)
    return Settled(after, result, (*events, *end))


def _mark(options: AmbitionOptions, t: AmbitionTable, seat: int, before: int) -> str:
    """The rule of what is marked on the score sheet beside a score: a strike of some kind, its pardon, the bonus."""
    if t.first_big[seat]:
        return "ambition.score.bonus-once"
    if t.under[seat] and options.fourth_under_strike == "pardoned" and before == options.strikes_to_end - 1:
        return "ambition.end.pardon"
    return next((rule for rule, kind in STRIKES.items() if getattr(t, kind)[seat]), "")


def _result(limit: int, match: AmbitionContext) -> tuple[tuple[int, ...] | None, list[Event]]:
    everybody = [Seat(seat) for seat in range(len(match.marks))]
    out = [seat for seat in everybody if match.marks[seat] >= limit]
    if not out:
        return None, [Event("GoesOn", "ambition.end.fourth-strike", {"limit": limit})]
    left = [seat for seat in everybody if seat not in out]
    events = [
        Event("Ended", "ambition.end.fourth-strike", {"sides": out, "limit": limit}),
        Event("Out", "ambition.end.elimination", {"sides": out})
        if left
        else Event("AllOut", "ambition.end.winner", {"sides": out}),
    ]
    most = max(match.totals[seat] for seat in left or everybody)
    won = tuple(seat for seat in left or everybody if match.totals[seat] == most)
    return won, [*events, Event("Won", "ambition.end.winner", {"sides": list(won), "total": most})]


# ---------------------------------------------------------------------------------------------------------- the deal


@cache
def rules_of(options: AmbitionOptions) -> tuple[Tricks, Scoring]:
    """What the options make of play and score, built once."""

    def find(t: Any) -> None:
        add_up(options, t)
        judge(options, t)

    tricks = Tricks(obligations(), winners(options), note_first_two if options.two_rule == "any-card" else None)
    return tricks, Scoring([*card_rules(), *score_rules(options)], find)


class AmbitionDeal(PassingDeal):
    """A deal of Ambition: pass, tricks, score."""

    __slots__ = ()
    verbs: ClassVar = {"give": "cards"}
    outcomes: ClassVar = {"points": None, "tricks": None}
    card_points = True
    whole_tricks = True
    not_in_hand = "ambition.play.own-card"
    new_table = AmbitionTable
    table: AmbitionTable
    options: AmbitionOptions
    match: AmbitionContext

    # -- the cards

    @classmethod
    def pack_of(cls, variant: Variant) -> int:
        return PACK if variant.players == 4 else PACK ^ CLUB_THREE

    def setup(self, dealt: Mapping[str, Any]) -> None:
        self.tricks, self.scoring = rules_of(self.options)
        super().setup(dealt)
        t = self.table
        t.last, t.bonus_used = (False,) * self.players, self.match.bonus_used
        t.first_two = next((card.mask for card in self.trick if card.mask & TWOS), 0)

    def first_leader(self) -> int | None:
        """In a position at the very first card, whoever holds the 3 of diamonds; any other names its leader."""
        where = self.dealt["position"]
        taken = where.get("taken", ())
        begun = where.get("trick") or where.get("trick_number", 1) != 1 or (isinstance(taken, list) and any(taken))
        holders = (seat for seat, hand in enumerate(self.hands) if hand & DIAMOND_THREE)
        return None if begun else next(holders, None)

    # -- from the pass to the end

    @property
    def pass_rules(self) -> Mapping[str, str]:
        cycle = "ambition.pass.cycle" if self.players == 4 else "ambition.pass.cycle-three-players"
        count, own = "ambition.pass.three-cards", "ambition.pass.own-cards"
        return {**super().pass_rules, "cycle": cycle, "direction": cycle, "count": count, "own": own}

    def out_of_phase(self, move: Move) -> str:
        return "ambition.move.phase" if self.phase else "ambition.move.deal-over"

    def won_facts(self, best: Card) -> dict[str, Any]:
        """The face cards that make a 2 the strongest card."""
        return {"because": Hand(raising(self.options, self.table))} if best.mask & TWOS else {}

    @classmethod
    def features(cls, trick: Sequence[Card]) -> tuple[bool, ...]:
        """Whether there is a 2 and a face card, of the suit led and of another suit."""
        cards, led = Hand.of(trick), trick[0].suit.mask
        return tuple(bool(cards & some & suit) for some in (TWOS, FACES) for suit in (led, ALL ^ led))

    def played_out(self, winner: int) -> None:
        self.table.trick_over(self.options, 0, 0, winner, True)
        self.finish()

    @property
    def announce(self) -> str:
        return {"running-total": "total", "trick-points": "trick", "off": ""}[self.options.announce]

    def counted_lines(self) -> list[ScoreLine]:
        """What the cards of each seat are worth, once the score says something else."""
        t = self.table.copy()
        t.ended = False
        return self._lines(t)

    def lines_of(self, cards: int, side: int) -> list[ScoreLine]:
        """What a trick is worth; only the last one has the points for it."""
        lines = super().lines_of(cards, side)
        return lines if cards == Hand.of(self.last_trick) else [line for line in lines if line.rule != LAST]

    def outcome(self) -> dict[str, Any]:
        tricks = [taken.bit_count() // self.players for taken in self.taken]
        return {"points": self.totals(), "tricks": tricks}

    @classmethod
    def written_down(cls, variant: Variant, match: Any, **outcome: Sequence[int]) -> list[ScoreLine]:
        """The score lines of a finished deal with this outcome."""
        return scored(*writing(variant.options, match, **outcome), variant.game.side_names(variant.players))

    def totals(self) -> list[int]:
        """The card points by seat, so far."""
        add_up(self.options, self.table)
        return list(self.table.total)


GAME = register(
    Game("ambition", AmbitionOptions, AmbitionDeal, AmbitionContext, settle, range(3, 5), kinds=("win", "avoid"))
)
