"""Hearts, American rules: three to eight players, everybody for himself, penalty points for hearts and ♠Q.

The file follows the rule sheet: options, pack and deal, passing, leads, play, left-over cards, score, totals and end.
Rule ids are those of the rule book (`cardlib/text/*/hearts.md`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import chain
from typing import Any, ClassVar

from cardlib.cards import ALL, CLUBS, HEARTS, PACK, SEATS, Card, Hand, Seat
from cardlib.deal import Choice, Context, Event, Game, Move, Reminder, Settled, added, register, sides_at
from cardlib.errors import BadInput
from cardlib.options import Options, Variant, option
from cardlib.phases.exchange import Discard, PassingDeal, directions
from cardlib.phases.tricks import Tricks
from cardlib.reading import truth
from cardlib.rules import Obligation, ScoreRule, Scoring, Table, When, WinnerClass, lowest, union

QUEEN = Card.parse("QS").mask
ACE = Card.parse("AH").mask
HIGHER_SPADES = int(Hand.parse("AS KS"))
BONUS = {"none": 0, "TD": Card.parse("TD").mask, "JD": Card.parse("JD").mask}

# ----------------------------------------------------------------------------------------------------------- options

OLD_AMERICAN = {"pass_cycle": "left", "opening": "dealer-left", "hearts_lead": "free", "game_end": "open"}


@dataclass(frozen=True)
class HeartsOptions(Options):
    """What can be changed about Hearts."""

    #: Pass cycles by number of players (5: five and more); the first is what `auto` means.
    CYCLES: ClassVar[Mapping[int, Sequence[str]]] = {
        3: (
            "left-right-none", "left-right", "left", "right", "left-right-scatter", "left-right-scatter-none",
            "left-right-smoosh", "left-right-smoosh-none",
        ),
        4: (
            "left-across-right-none", "left-across-right", "left-across-right-scatter",
            "left-across-right-scatter-none", "left", "right", "across", "left-across-right-smoosh",
            "left-across-right-smoosh-none", "left-across-right-scatter-smoosh",
            "left-across-right-scatter-smoosh-none", "left-right-across-none", "left-right-none", "left-right",
        ),
        5: (
            "left-right-none", "left-right", "left-second-left-second-right-right-none",
            "left-second-left-none-second-right-right-none", "left-second-left-second-right-right", "left", "right",
            "left-right-smoosh", "left-right-smoosh-none",
        ),
    }  # fmt: skip

    leftover: str = option(
        "remove", "first-trick", "first-penalty", "pickup-first-trick", "pickup-first-penalty",
        rules="hearts.kitty.remove hearts.kitty.aside hearts.kitty.first-trick hearts.kitty.first-penalty "
        "hearts.kitty.pick-up hearts.kitty.discard hearts.kitty.last-trick",
        group="cards",
    )  # fmt: skip
    removed_card: str = option("2D", "2C", rules="hearts.kitty.remove", group="cards")
    pass_cycle: str = option(
        "auto", *dict.fromkeys(chain(*CYCLES.values())),
        rules="hearts.pass.cycle hearts.pass.direction hearts.pass.scatter hearts.pass.smoosh",
        group="pass",
    )  # fmt: skip
    pass_count: int = option(3, 4, rules="hearts.pass.count", group="pass")
    pass_forward: bool = option(False, True, rules="hearts.pass.forward", group="pass")
    opening: str = option(
        "low-club", "dealer-left", "any-club",
        rules="hearts.lead.two-of-clubs hearts.lead.any-club hearts.lead.eldest", group="play",
    )  # fmt: skip
    hearts_lead: str = option("broken", "free", rules="hearts.lead.broken", group="play")
    break_by: str = option("heart", "heart-or-queen", rules="hearts.lead.broken", group="play")
    lead_heart_with_queen: bool = option(False, True, rules="hearts.lead.queen-and-hearts", group="play")
    annul_only_hearts: bool = option(False, True, rules="hearts.lead.annul hearts.lead.annulled", group="play")
    no_penalty_first_trick: bool = option(False, True, rules="hearts.first-trick.no-penalty", group="play")
    queen_forced: bool = option(False, True, rules="hearts.queen.forced", group="play")
    queen_points: int = option(13, 0, rules="hearts.score.queen", group="score")
    ace_points: int = option(1, 5, rules="hearts.score.heart", group="score")
    bonus_card: str = option("none", "TD", "JD", rules="hearts.score.bonus-card", group="score")
    moon_requires: str = option("penalty-cards", "all-tricks", rules="hearts.score.moon-all-tricks", group="moon")
    moon_value: str | int = option("card-total", 52, rules="hearts.score.moon-value", group="moon")
    moon_mode: str = option(
        "self", "others", "others-unless-losing", "choice", rules="hearts.score.moon-mode", group="moon"
    )
    sun: bool = option(False, True, rules="hearts.score.sun", group="moon")
    no_tricks: int = option(0, -5, 50, rules="hearts.score.no-tricks", group="score")
    exact_100: str = option("off", "to-50", "to-0", rules="hearts.total.exact", group="end")
    exact_50: str = option("off", "to-0", rules="hearts.total.exact", group="end")
    exact_104_126: str = option("off", "to-0", rules="hearts.total.exact", group="end")
    win_69: bool = option(False, True, rules="hearts.end.sixty-nine", group="end")
    tie: str = option("shared", "extra-deal", rules="hearts.end.tie", group="end")
    game_end: str = option("score", "open", rules="hearts.end.open hearts.end.hundred", group="end")
    end_score: int = option(100, rules="hearts.end.hundred", group="end", numbers=range(1, 1001))

    presets: ClassVar[Mapping[str, Mapping[str, Any]]] = {
        "seed": {},
        "old-american": OLD_AMERICAN,
        "plain-hearts": OLD_AMERICAN | {"queen_points": 0},
        "windows": {"pass_cycle": "left-right-across-none", "no_penalty_first_trick": True, "moon_mode": "others"},
        "john-hay": {"pass_cycle": "left-right-across-none", "moon_mode": "choice", "tie": "extra-deal"},
        "omnibus": {"bonus_card": "TD"},
        "openspiel": {"no_penalty_first_trick": True, "break_by": "heart-or-queen", "moon_mode": "others"},
    }

    def check(self, players: int) -> None:
        if self.pass_count == 4 and players != 3:
            raise BadInput("pass-count", "pass_count 4 is for 3 players", name="pass_count", value="4")
        if self.pass_cycle not in ("auto", *self.CYCLES[min(players, 5)]):
            text = f"pass_cycle cannot be {self.pass_cycle!r} with {players} players"
            raise BadInput("pass-cycle", text, name="pass_cycle", value=self.pass_cycle, players=players)
        if players == 3 and self.pass_count == 3 and "scatter" in self.pass_cycle:
            raise BadInput("scatter-count", "a scatter with 3 players needs pass_count 4", name="pass_count", value="3")

    def idle(self, players: int) -> dict[str, str]:
        idle = {}
        if players == 4:
            idle["leftover"] = "four-players"
        if players != 3 or self.leftover != "remove":
            idle["removed_card"] = "three-players-remove"
        if not set(self.directions(players)) - {"scatter", "smoosh", "none"}:
            idle["pass_forward"] = "no-direction"
        if self.hearts_lead == "free":
            idle["lead_heart_with_queen"] = "free-hearts"
            if not self.annul_only_hearts:
                idle["break_by"] = "free-hearts"
        if self.game_end == "open":
            idle["end_score"] = idle["tie"] = "open-end"
        return idle

    def directions(self, players: int) -> list[str]:
        """The pass directions, deal by deal."""
        return directions(self.CYCLES[min(players, 5)][0] if self.pass_cycle == "auto" else self.pass_cycle)

    @property
    def penalty(self) -> int:
        """The cards that cost points."""
        return HEARTS | (QUEEN if self.queen_points else 0)

    @property
    def breakers(self) -> int:
        """The cards that break hearts."""
        return HEARTS | (QUEEN if self.break_by == "heart-or-queen" else 0)


# ----------------------------------------------------------------------------------------------------- pack and deal


def leftover_cards(players: int, options: HeartsOptions) -> int:
    """The cards that are taken out of the pack with this number of players (hearts.kitty.remove)."""
    if players == 3:
        return Card.parse(options.removed_card).mask
    return Hand.parse({4: "", 5: "2D 2C", 7: "2D 2C 3D"}.get(players, "2D 2C 3D 3C"))


# -------------------------------------------------------------------------------------------------- leads and play


class HeartsTable(Table):
    """What the rules ask besides: `low_club` the lowest club of all hands · `broken` hearts are broken · `others_pay` a
    moon counts for the others · `match` the context · and what `find_moon` finds out."""

    __slots__ = (
        "broken", "complete", "counting", "every_trick", "low_club", "match", "moon", "others_pay", "shooter", "shot",
        "sun",
    )  # fmt: skip
    low_club: Any
    broken: Any
    others_pay: Any
    match: HeartsContext
    shooter: Sequence[Any]
    shot: Any

    def opening(self, options: HeartsOptions, cards: Any) -> Any:
        """The lowest club leads, or eldest hand."""
        self.low_club = lowest(cards & CLUBS)
        return 0 if options.opening == "dealer-left" else self.low_club

    def trick_over(self, options: HeartsOptions, trick: Any, best: Any, side: Any, last: bool) -> None:
        """A trick may break hearts."""
        self.broken = self.broken | (trick & options.breakers != 0)

    def aside_goes(self, options: HeartsOptions, trick: Any, last: bool) -> Any:
        """The left-over cards go with the first trick, or with the first that holds a penalty card."""
        if options.leftover.endswith("first-trick"):
            return True
        return options.leftover != "remove" and trick & options.penalty != 0

    def ending(self, variant: Variant, stopped: Any) -> None:
        """For whom a moon counts, where nobody is asked."""
        mode = variant.options.moon_mode
        self.others_pay = mode != "self"
        if mode == "others-unless-losing":
            find_moon(variant.options, self)
            self.others_pay = self.each(self.shot, lambda t: not would_lose(variant, t), True)


def obligations(options: HeartsOptions) -> Iterator[Obligation]:
    """What a player must do, in the order in which a refusal names it."""
    penalty = options.penalty
    if options.opening == "low-club":
        yield Obligation("hearts.lead.two-of-clubs", lambda t: t.low_club, When.LEADING, first_trick=True)
    if options.opening == "any-club":
        yield Obligation("hearts.lead.any-club", lambda t: CLUBS, When.LEADING, first_trick=True)
    if options.hearts_lead == "broken":
        # Who holds nothing else may lead a heart; with the option ♠Q does not count as something else.
        no_hearts = ALL ^ HEARTS
        others = ALL ^ (HEARTS | QUEEN) if options.lead_heart_with_queen else no_hearts
        yield Obligation(
            "hearts.lead.broken",
            lambda t: t.pick(t.broken | (t.hand & others == 0), ALL, no_hearts),
            When.LEADING,
        )
    yield Obligation("hearts.follow.suit", lambda t: t.led, When.FOLLOWING)
    if options.no_penalty_first_trick:
        yield Obligation("hearts.first-trick.no-penalty", lambda t: ALL ^ penalty, first_trick=True)
    if options.queen_forced:
        # The safe chances: void in the suit led, or spades led and ♠K or ♠A already there.
        yield Obligation(
            "hearts.queen.forced",
            lambda t: t.pick((t.hand & t.led == 0) | (t.trick & HIGHER_SPADES & t.led != 0), QUEEN, ALL),
            When.FOLLOWING,
            first_trick=False if options.no_penalty_first_trick else None,
        )


WINNERS = (WinnerClass("hearts.trick.winner", lambda t: t.led),)

# ------------------------------------------------------------------------------------------------------------- score


def find_moon(options: HeartsOptions, t: Any) -> None:
    """Put on the table, by seat, who has all penalty cards (`complete`) and every trick, who has shot (`shooter`), and
    whether it is a `moon` or a `sun`; `shot`: somebody has.  Before the end nobody has.  `counting` are the cards taken
    of which penalty points are counted: none where somebody has shot."""
    penalty, nobody = options.penalty, t.ended ^ t.ended
    t.shooter = t.complete = [(taken & penalty == penalty) & t.ended for taken in t.taken]
    if options.sun or options.moon_requires == "all-tricks":
        t.every_trick = [taken == union(t.taken) for taken in t.taken]
    if options.moon_requires == "all-tricks":
        t.shooter = [complete & every for complete, every in zip(t.complete, t.every_trick, strict=True)]
    t.moon, t.sun = t.shooter, [nobody for _ in t.taken]
    if options.sun:
        t.moon = [shooter & (every == 0) for shooter, every in zip(t.shooter, t.every_trick, strict=True)]
        t.sun = [shooter & every for shooter, every in zip(t.shooter, t.every_trick, strict=True)]
    t.shot = union(t.shooter)
    t.counting = [t.pick(t.shot, 0, taken) for taken in t.taken]


def score_rules(options: HeartsOptions) -> Iterator[ScoreRule]:
    """What counts, line by line; who has shot stands on the table (`find_moon`)."""
    penalty, bonus = options.penalty, BONUS[options.bonus_card]
    ace, queen, no_tricks = options.ace_points - 1, options.queen_points, options.no_tricks
    by_cards = options.moon_value == "card-total"
    value = 13 + ace + queen if by_cards else 52

    def hearts(t: Any) -> list[Any]:
        return [t.count(taken & HEARTS) + ace * t.count(taken & ACE) for taken in t.counting]

    def for_shooter(t: Any, shooters: Sequence[Any], value: int) -> list[Any]:
        own = t.pick(t.others_pay, 0, -value)
        return [t.pick(shooter, own, 0) for shooter in shooters]

    def for_others(t: Any) -> list[Any]:
        each = t.pick(t.shot & t.others_pay, t.pick(union(t.sun), 52, value), 0)
        return [t.pick(shooter, 0, each) for shooter in t.shooter]

    yield ScoreRule("hearts.score.heart", hearts, HEARTS)
    if queen:
        yield ScoreRule("hearts.score.queen", lambda t: [queen * t.count(taken & QUEEN) for taken in t.counting], QUEEN)
    if bonus:
        yield ScoreRule("hearts.score.bonus-card", lambda t: [-10 * t.count(taken & bonus) for taken in t.taken], bonus)
    moon_id = "hearts.score.moon" if by_cards else "hearts.score.moon-value"
    yield ScoreRule(moon_id, lambda t: for_shooter(t, t.moon, value), penalty, shown=lambda t: t.moon)
    if options.sun:
        yield ScoreRule("hearts.score.sun", lambda t: for_shooter(t, t.sun, 52), penalty, shown=lambda t: t.sun)
    if options.moon_mode != "self":
        yield ScoreRule("hearts.score.moon-mode", for_others)
    if options.moon_requires == "all-tricks":
        yield ScoreRule(
            "hearts.score.moon-all-tricks",
            lambda t: [0 for _ in t.taken],
            penalty,
            shown=lambda t: [complete & (t.shot == 0) for complete in t.complete],
        )
    if no_tricks:
        yield ScoreRule(
            "hearts.score.no-tricks",
            lambda t: [t.pick((taken == 0) & t.ended & (t.shot == 0), no_tricks, 0) for taken in t.taken],
        )


# ---------------------------------------------------------------------------------------------------- totals and end


@dataclass(frozen=True)
class HeartsContext(Context):
    """`deal` counts the deals of the match and fixes the pass direction; `totals` by seat."""

    deal: int = 0
    totals: tuple[int, ...] = (0,)


def settle(variant: Variant, match: HeartsContext, scores: Sequence[int]) -> Settled:
    """Add the scores of a finished deal to the totals; say who has won, if anybody."""
    options: HeartsOptions = variant.options
    exact = {100: options.exact_100, 50: options.exact_50, 104: options.exact_104_126, 126: options.exact_104_126}
    totals, events = [], []
    for side, reached in zip(SEATS, added(match.totals, scores), strict=False):
        change = exact.get(reached, "off") if scores[side] else "off"
        totals.append(reached if change == "off" else int(change.removeprefix("to-")))
        if change != "off":
            facts = {"side": side, "before": reached, "after": totals[-1]}
            events.append(Event("Exact", "hearts.total.exact", facts))
    after = HeartsContext(match.deal + 1, tuple(totals))
    result, end = _result(options, after)
    return Settled(after, result, (*events, *end))


def _result(options: HeartsOptions, match: HeartsContext) -> tuple[tuple[int, ...] | None, list[Event]]:
    totals = match.totals
    at_69 = sides_at(69, totals)
    if options.win_69 and match.deal == 5 and at_69:
        return at_69, [Event("Won", "hearts.end.sixty-nine", {"sides": list(at_69)})]
    if options.game_end == "open":
        return None, [Event("Open", "hearts.end.open", {})]
    limit, most = options.end_score, max(totals)
    if most < limit:
        return None, [Event("GoesOn", "hearts.end.hundred", {"limit": limit})]
    facts = {"side": Seat(totals.index(most)), "total": most, "limit": limit}
    ended = Event("Ended", "hearts.end.hundred", facts)
    lowest = sides_at(min(totals), totals)
    if len(lowest) > 1 and options.tie == "extra-deal":
        return None, [ended, Event("Tie", "hearts.end.tie", {"sides": list(lowest)})]
    rule = "hearts.end.lowest" if len(lowest) == 1 else "hearts.end.tie"
    return lowest, [ended, Event("Won", rule, {"sides": list(lowest), "total": min(totals)})]


def would_lose(variant: Variant, t: HeartsTable) -> bool:
    """Whether a moon for the others would end the game and leave the shooter not lowest (level for lowest counts as
    first)."""
    options: HeartsOptions = variant.options
    totals = settle(variant, t.match, rules_of(options)[1].scores(t)).match.totals
    ends = options.game_end == "score" and max(totals) >= options.end_score
    return bool(ends and totals[t.shooter.index(True)] > min(totals))


# ---------------------------------------------------------------------------------------------------------- the deal

ANNUL = Choice("annul", [Move("annul"), Move("play-on")])
MOON = Choice("moon", [Move("moon", word="self"), Move("moon", word="others")])
DISCARD = Discard("hearts.kitty.pick-up", "hearts.kitty.discard")


@cache
def rules_of(options: HeartsOptions) -> tuple[Tricks, Scoring]:
    """What the options make of play and score, built once."""
    return Tricks(obligations(options), WINNERS), Scoring(score_rules(options), lambda t: find_moon(options, t))


class HeartsDeal(PassingDeal):
    """A deal of Hearts: pass, tricks (with the left-over cards), score."""

    __slots__ = ("breakers",)
    verbs: ClassVar = {
        "give": "cards", "forward": "", "discard": "cards", "annul": "", "play-on": "", "moon": ("self", "others"),
    }  # fmt: skip
    left_over_key = "kitty"
    record_keys = frozenset({left_over_key, "smoosh"})
    position_keys = PassingDeal.position_keys | {"hearts_broken"}
    not_in_hand = "hearts.move.not-in-hand"
    new_table = HeartsTable
    table: HeartsTable
    options: HeartsOptions
    match: HeartsContext

    # -- the cards

    @classmethod
    def pack_of(cls, variant: Variant) -> int:
        left = leftover_cards(variant.players, variant.options)
        return PACK ^ left if variant.options.leftover == "remove" else PACK

    def setup(self, dealt: Mapping[str, Any]) -> None:
        self.breakers = self.options.breakers
        self.tricks, self.scoring = rules_of(self.options)
        super().setup(dealt)
        t = self.table
        t.others_pay, t.low_club, t.match = False, 0, self.match
        t.broken = bool((t.trick | sum(self.taken)) & self.breakers)
        if "position" in dealt:
            self._check_position(dealt["position"])

    def first_leader(self) -> None:
        """A position of Hearts names its leader."""

    def _check_position(self, position: Mapping[str, Any]) -> None:
        t = self.table
        t.low_club = lowest((sum(self.hands) | t.trick) & CLUBS)
        if self.left_over.bit_count() not in (0, self.left_over_size):
            raise BadInput("kitty", "the kitty lies there whole, or is gone", key="kitty", count=self.left_over_size)
        if self.left_over and t.number > 1 and self.options.leftover.endswith("first-trick"):
            raise BadInput("kitty-gone", "the kitty is gone after trick 1", key="kitty")
        if "hearts_broken" in position:
            t.broken = truth("hearts_broken", position["hearts_broken"])
        if t.number == 1:
            self._check_opening()

    def _check_opening(self) -> None:
        """In trick 1 of a position the leader is whom the opening rule names, and has led what it allows."""
        low, led = self.table.low_club, self.trick[0].mask if self.trick else 0
        named = not low or (self.hands[self.leader] | led) & low
        if self.options.opening == "dealer-left":
            named = self.leader == self.eldest
        if not named:
            raise BadInput("leader", "in trick 1 the leader must be whom the opening rule names", key="leader")
        allowed = {"low-club": low, "any-club": CLUBS if low else 0}.get(self.options.opening)
        if led and allowed and not led & allowed:
            text = f"the trick cannot begin with {self.trick[0]}: the opening rule"
            raise BadInput("opening", text, key="trick", card=str(self.trick[0]))

    # -- from the pass to the first lead

    def lead(self, seat: int) -> None:
        """`seat` leads, or is asked first whether to annul the deal."""
        super().lead(seat)
        if self.options.annul_only_hearts and not self.table.broken and not self.hands[seat] & (ALL ^ HEARTS):
            self.phase = ANNUL

    def chosen(self, move: Move) -> None:
        seat = Seat(self.turn or 0)
        if move.verb == "play-on":
            self.log("Declared", "hearts.lead.annul", {"seat": seat})
            self.phase = self.tricks
        elif move.verb == "annul":
            self.log("Declared", "hearts.lead.annulled", {"seat": seat})
            self.annul()
        else:
            self.log("Declared", "hearts.score.moon-mode", {"seat": seat, "call": move.word})
            self.table.others_pay = move.word == "others"
            self.finish()

    # -- after a trick: hearts break, the left-over cards go, the next lead

    def trick_taken(self, winner: int, taken: int) -> None:
        t, options = self.table, self.options
        if not t.broken:
            t.trick_over(options, taken, 0, winner, False)
            if t.broken and self.logging:
                self._log_broken()
        if self.left_over and t.aside_goes(options, taken, False):
            self._take_kitty(winner)
        if self.phase is not DISCARD:
            self.next_trick(winner)

    def _log_broken(self) -> None:
        place, card = next((i, card) for i, card in enumerate(self.last_trick) if card.mask & self.breakers)
        seat = Seat((self.last_leader + place) % self.players)
        self.log("Broken", "hearts.lead.broken", {"seat": seat, "card": card})

    def _take_kitty(self, winner: int) -> None:
        pick_up = self.options.leftover.startswith("pickup")
        if pick_up and not self.last:
            DISCARD.pick_up(self, winner)
        else:
            self.take_left_over(winner, f"hearts.kitty.{'last-trick' if pick_up else self.options.leftover}")

    @property
    def reminders(self) -> Sequence[Reminder]:
        kitty = [f"hearts.kitty.{rule}" for rule in ("remove", "aside", "first-trick", "first-penalty", "pick-up")]
        left_over = Reminder("left over", ["hearts.setup.deal", *kitty], skip=1)
        return [*super().reminders, *([left_over] if self.players != 4 else [])]

    def seen_table(self, seat: int) -> HeartsTable:
        t: HeartsTable = super().seen_table(seat)
        t.low_club &= t.hand  # where it is not, it may lie in the kitty
        return t

    # -- the end

    def played_out(self, winner: int) -> None:
        """Settle for whom a moon counts, or ask the shooter."""
        t = self.table
        t.ended = True
        t.ending(self.variant, False)
        self.scoring.find(t)
        if self.options.moon_mode == "choice" and True in t.shooter:
            t.ended = False
            self.turn, self.phase = t.shooter.index(True), MOON
        else:
            self.finish()


GAME = register(
    Game("hearts", HeartsOptions, HeartsDeal, HeartsContext, settle, range(3, 9), lowest_wins=True, kinds=("avoid",))
)
