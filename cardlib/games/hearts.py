"""Hearts, American rules: three to eight players, everybody for himself, penalty points for hearts and ♠Q.

The file follows the rule sheet: options, pack and deal, passing, leads, play, left-over cards, score, totals and end.
Rule ids are those of the rule book (`cardlib/text/*/hearts.md`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, ClassVar

from cardlib.cards import ALL, CLUBS, HEARTS, PACK, SPADES, Card, Hand, Seat, cards_of
from cardlib.deal import (
    Choice,
    Context,
    Event,
    Game,
    Move,
    Phase,
    Refusal,
    Settled,
    disjoint,
    read_cards,
    register,
    written,
)
from cardlib.errors import BadInput
from cardlib.options import Options, Variant, option
from cardlib.phases.exchange import Exchange, SomeCards, cards_refusal
from cardlib.phases.tricks import TrickDeal, Tricks, _truth
from cardlib.rules import Obligation, ScoreRule, When, WinnerClass
from cardlib.seeds import Random

QUEEN = Card.parse("QS").mask
ACE = Card.parse("AH").mask
HIGHER_SPADES = Hand.parse("AS KS")
BONUS = {"none": 0, "TD": Card.parse("TD").mask, "JD": Card.parse("JD").mask}

# ----------------------------------------------------------------------------------------------------------- options

#: Pass cycles by number of players; the first of a row is what `auto` means.
CYCLES = {
    3: (
        "left-right-none left-right left right left-right-scatter left-right-scatter-none "
        "left-right-smoosh left-right-smoosh-none"
    ).split(),
    4: (
        "left-across-right-none left-across-right left-across-right-scatter left-across-right-scatter-none left right "
        "across left-across-right-smoosh left-across-right-smoosh-none left-across-right-scatter-smoosh "
        "left-across-right-scatter-smoosh-none left-right-across-none left-right-none left-right"
    ).split(),
    5: (
        "left-right-none left-right left-second-left-second-right-right-none "
        "left-second-left-none-second-right-right-none left-second-left-second-right-right left right "
        "left-right-smoosh left-right-smoosh-none"
    ).split(),
}
ALL_CYCLES = tuple(dict.fromkeys(cycle for row in CYCLES.values() for cycle in row))
OLD_AMERICAN = {"pass_cycle": "left", "opening": "dealer-left", "hearts_lead": "free", "game_end": "open"}


def directions(cycle: str) -> list[str]:
    """The directions of a cycle, deal by deal.

    >>> directions("left-second-left-none")
    ['left', 'second-left', 'none']
    """
    return cycle.replace("second-", "second_").replace("-", " ").replace("second_", "second-").split()


@dataclass(frozen=True)
class HeartsOptions(Options):
    """What can be changed about Hearts."""

    leftover: str = option(
        "remove", "first-trick", "first-penalty", "pickup-first-trick", "pickup-first-penalty",
        rules="hearts.kitty.remove hearts.kitty.aside hearts.kitty.first-trick hearts.kitty.first-penalty "
        "hearts.kitty.pick-up hearts.kitty.discard hearts.kitty.last-trick",
        group="cards",
    )  # fmt: skip
    removed_card: str = option("2D", "2C", rules="hearts.kitty.remove", group="cards")
    pass_cycle: str = option(
        "auto", *ALL_CYCLES, rules="hearts.pass.cycle hearts.pass.direction hearts.pass.scatter hearts.pass.smoosh",
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
        if self.pass_cycle not in ("auto", *cycles(players)):
            text = f"pass_cycle cannot be {self.pass_cycle!r} with {players} players"
            raise BadInput("pass-cycle", text, name="pass_cycle", value=self.pass_cycle, players=players)
        if players == 3 and self.pass_count == 3 and "scatter" in self.pass_cycle:
            raise BadInput("scatter-count", "a scatter with 3 players needs pass_count 4", name="pass_count", value="3")

    def allowed(self, name: str, players: int) -> tuple[Any, ...]:
        if name == "pass_count" and (players != 3 or "scatter" in self.pass_cycle):
            return (4,) if players == 3 else (3,)
        if name == "pass_cycle":
            scatter = players != 3 or self.pass_count == 4
            return ("auto", *(cycle for cycle in cycles(players) if scatter or "scatter" not in cycle))
        return super().allowed(name, players)

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
        return directions(cycles(players)[0] if self.pass_cycle == "auto" else self.pass_cycle)

    @property
    def penalty(self) -> int:
        """The cards that cost points."""
        return HEARTS | (QUEEN if self.queen_points else 0)


def cycles(players: int) -> Sequence[str]:
    return CYCLES[min(players, 5)]


# ----------------------------------------------------------------------------------------------------- pack and deal


def leftover_cards(players: int, options: HeartsOptions) -> int:
    """The cards that are taken out of the pack with this number of players (hearts.kitty.remove)."""
    if players == 3:
        return Card.parse(options.removed_card).mask
    return Hand.parse({4: "", 5: "2D 2C", 7: "2D 2C 3D"}.get(players, "2D 2C 3D 3C"))


# -------------------------------------------------------------------------------------------------- leads and play


def obligations(options: HeartsOptions) -> Iterator[Obligation]:
    """What a player must do, in the order in which a refusal names it."""
    penalty = options.penalty
    if options.opening == "low-club":
        yield Obligation("hearts.lead.two-of-clubs", lambda t: t.low_club, When.LEADING, first_trick=True)
    if options.opening == "any-club":
        yield Obligation("hearts.lead.any-club", lambda t: CLUBS, When.LEADING, first_trick=True)
    if options.hearts_lead == "broken":
        # Who holds nothing else may lead a heart; with the option ♠Q does not count as something else.
        aside = HEARTS | QUEEN if options.lead_heart_with_queen else HEARTS
        yield Obligation(
            "hearts.lead.broken",
            lambda t: t.pick(t.broken | (t.hand & (ALL ^ aside) == 0), ALL, ALL ^ HEARTS),
            When.LEADING,
        )
    yield Obligation("hearts.follow.suit", lambda t: t.led, When.FOLLOWING)
    if options.no_penalty_first_trick:
        yield Obligation("hearts.first-trick.no-penalty", lambda t: ALL ^ penalty, first_trick=True)
    if options.queen_forced:
        # The safe chances: void in the suit led, or spades led and ♠K or ♠A already there.
        yield Obligation(
            "hearts.queen.forced",
            lambda t: t.pick((t.hand & t.led == 0) | (t.trick & HIGHER_SPADES != 0), QUEEN, ALL),
            When.FOLLOWING,
            first_trick=False if options.no_penalty_first_trick else None,
        )


WINNERS = (WinnerClass("hearts.trick.winner", lambda t: t.led),)

# ------------------------------------------------------------------------------------------------------------- score


def all_tricks(t: Any, side: int) -> Any:
    """`side` has won every trick."""
    others = 0
    for seat, taken in enumerate(t.taken):
        others = others if seat == side else others | taken
    return others == 0


def score_rules(options: HeartsOptions) -> Iterator[ScoreRule]:
    """What counts, line by line.  A moon cancels the penalty points of the deal; it counts once the deal has ended."""
    penalty, bonus = options.penalty, BONUS[options.bonus_card]
    ace, queen, no_tricks = options.ace_points - 1, options.queen_points, options.no_tricks
    total = 13 + ace + queen
    value = total if options.moon_value == "card-total" else 52

    def complete(t: Any, side: int) -> Any:
        return (t.taken[side] & penalty == penalty) & t.ended

    def moon(t: Any, side: int) -> Any:
        return complete(t, side) & all_tricks(t, side) if options.moon_requires == "all-tricks" else complete(t, side)

    def sun(t: Any, side: int) -> Any:
        return moon(t, side) & all_tricks(t, side) & options.sun

    def anyone(t: Any, shot: Any) -> Any:
        found = shot(t, 0)
        for side in range(1, len(t.taken)):
            found = found | shot(t, side)
        return found

    def unless_moon(points: Any) -> Any:
        return lambda t, side: t.pick(anyone(t, moon), 0, points(t, side))

    def moon_points(t: Any, side: int) -> Any:
        own = t.pick(sun(t, side), 52, value)
        others = t.pick(anyone(t, sun), 52, value)
        return t.pick(t.others_pay, t.pick(moon(t, side), 0, others), t.pick(moon(t, side), 0 - own, 0))

    def by_shooter(t: Any, side: int) -> Any:
        return t.pick(moon(t, side), moon_points(t, side), 0)

    def by_others(t: Any, side: int) -> Any:
        return t.pick(moon(t, side) | (anyone(t, moon) == 0), 0, moon_points(t, side))

    def heart_points(t: Any, side: int) -> Any:
        return t.count(t.taken[side] & HEARTS) + ace * t.count(t.taken[side] & ACE)

    moon_id = "hearts.score.moon" if options.moon_value == "card-total" else "hearts.score.moon-value"
    yield ScoreRule("hearts.score.heart", unless_moon(heart_points), HEARTS)
    if queen:
        queen_points = unless_moon(lambda t, side: queen * t.count(t.taken[side] & QUEEN))
        yield ScoreRule("hearts.score.queen", queen_points, QUEEN)
    if bonus:
        bonus_points = lambda t, side: -10 * t.count(t.taken[side] & bonus)  # noqa: E731
        yield ScoreRule("hearts.score.bonus-card", bonus_points, bonus)
    yield ScoreRule(moon_id, by_shooter, penalty, when=lambda t, side: moon(t, side) & (sun(t, side) == 0))
    if options.sun:
        yield ScoreRule("hearts.score.sun", by_shooter, penalty, when=sun)
    yield ScoreRule("hearts.score.moon-mode", by_others)
    if options.moon_requires == "all-tricks":
        missed = lambda t, side: complete(t, side) & (all_tricks(t, side) == 0)  # noqa: E731
        yield ScoreRule("hearts.score.moon-all-tricks", lambda t, side: 0, penalty, when=missed)
    if no_tricks:
        none_won = unless_moon(lambda t, side: t.pick((t.taken[side] == 0) & t.ended, no_tricks, 0))
        yield ScoreRule("hearts.score.no-tricks", none_won)


# ---------------------------------------------------------------------------------------------------- totals and end


@dataclass(frozen=True)
class HeartsContext(Context):
    """`deal` counts the deals of the match and fixes the pass direction; `totals` by seat."""

    deal: int
    totals: tuple[int, ...]

    @classmethod
    def start(cls, players: int) -> HeartsContext:
        return cls(0, (0,) * players)


def settle(variant: Variant, match: HeartsContext, scores: Sequence[int]) -> Settled:
    """Add the scores of a finished deal to the totals; say who has won, if anybody."""
    options: HeartsOptions = variant.options
    exact = {100: options.exact_100, 50: options.exact_50, 104: options.exact_104_126, 126: options.exact_104_126}
    events = []
    totals = []
    for side, (total, score) in enumerate(zip(match.totals, scores, strict=True)):
        reached = total + score
        change = exact.get(reached, "off") if score else "off"
        totals.append(reached if change == "off" else int(change.removeprefix("to-")))
        if change != "off":
            facts = {"side": Seat(side), "before": reached, "after": totals[-1]}
            events.append(Event("Exact", "hearts.total.exact", facts))
    after = HeartsContext(match.deal + 1, tuple(totals))
    result, end = _result(options, after)
    return Settled(after, result, (*events, *end))


def _result(options: HeartsOptions, match: HeartsContext) -> tuple[tuple[int, ...] | None, list[Event]]:
    totals = match.totals
    at_69 = _seats(total == 69 for total in totals)
    if options.win_69 and match.deal == 5 and at_69:
        return tuple(at_69), [Event("Won", "hearts.end.sixty-nine", {"sides": at_69})]
    if options.game_end == "open":
        return None, [Event("Open", "hearts.end.open", {})]
    limit = options.end_score
    if max(totals) < limit:
        return None, [Event("GoesOn", "hearts.end.hundred", {"limit": limit})]
    side = totals.index(max(totals))
    ended = Event("Ended", "hearts.end.hundred", {"side": Seat(side), "total": totals[side], "limit": limit})
    lowest = _seats(total == min(totals) for total in totals)
    if len(lowest) > 1 and options.tie == "extra-deal":
        return None, [ended, Event("Tie", "hearts.end.tie", {"sides": lowest})]
    rule = "hearts.end.lowest" if len(lowest) == 1 else "hearts.end.tie"
    return tuple(lowest), [ended, Event("Won", rule, {"sides": lowest, "total": min(totals)})]


def _seats(chosen: Any) -> list[Seat]:
    return [Seat(seat) for seat, yes in enumerate(chosen) if yes]


# --------------------------------------------------------------------------------------------------------- the phases


class Discard(Phase):
    """Who has taken the left-over cards into his hand puts down as many (hearts.kitty.discard)."""

    name = "discard"
    verbs = frozenset({"discard"})

    def legal(self, deal: HeartsDeal) -> Sequence[Move]:
        return SomeCards("discard", deal.hands[deal.turn or 0], (deal.kitty_size,))

    def canonical(self, deal: HeartsDeal, move: Move) -> Move:
        return Move("discard", tuple(sorted(move.cards, key=lambda card: (card & 15, card >> 4))), move.word) if (
            move.verb == "discard"
        ) else move

    def refusal(self, deal: HeartsDeal, move: Move) -> Refusal | None:
        return cards_refusal(deal, move.cards, deal.kitty_size, "hearts.kitty.discard")

    def push(self, deal: HeartsDeal, move: Move) -> None:
        deal.discarded(Hand.of(move.cards))


ANNUL = Choice("annul", [Move("annul"), Move("play-on")])
MOON = Choice("moon", [Move("moon", word="self"), Move("moon", word="others")])
DISCARD = Discard()


@cache
def play_phase(options: HeartsOptions) -> Tricks:
    return Tricks(obligations(options), WINNERS)


@cache
def scoring(options: HeartsOptions) -> tuple[ScoreRule, ...]:
    return tuple(score_rules(options))


class HeartsDeal(TrickDeal):
    """A deal of Hearts: pass, tricks (with the left-over cards), score."""

    verbs: ClassVar[Mapping[str, str | tuple[str, ...]]] = {
        "give": "cards",
        "forward": "",
        "discard": "cards",
        "annul": "",
        "play-on": "",
        "moon": ("self", "others"),
    }
    record_keys = frozenset({"kitty", "smoosh"})
    position_keys = TrickDeal.position_keys | {"hearts_broken"}
    options: HeartsOptions
    match: HeartsContext

    # -- the cards

    @classmethod
    def shuffled(cls, variant: Variant, seed: int) -> dict[str, Any]:
        players, options = variant.players, variant.options
        left = leftover_cards(players, options)
        pack = PACK ^ left if options.leftover == "remove" else PACK
        cards = Random(seed, "cards").shuffled(list(cards_of(pack)))
        size = 52 // players
        hands = [written(Hand.of(cards[seat : size * players : players])) for seat in range(players)]
        kitty = cards[size * players :]
        return {"hands": hands} | ({"kitty": written(Hand.of(kitty))} if kitty else {})

    def setup(self, dealt: Mapping[str, Any]) -> None:
        left = leftover_cards(self.players, self.options)
        self.kitty_size = left.bit_count()
        has_kitty = bool(left) and self.options.leftover != "remove"
        self.pack = PACK if has_kitty else PACK ^ left
        self.tricks = play_phase(self.options)
        self.score_rules = scoring(self.options)
        self.kitty = 0
        self.picked_up = self.face_down = 0
        self.picker: int | None = None
        self.given: list[tuple[Card, ...] | None] = [None] * self.players
        self.annulled = False
        self.direction = "none"
        super().setup(dealt)
        t = self.table
        t.broken = t.others_pay = False
        t.low_club = 0
        if "kitty" in dealt:
            self.kitty = read_cards("kitty", dealt["kitty"])
            if self.kitty.bit_count() not in ((0, self.kitty_size) if has_kitty else (0,)):
                raise BadInput("kitty", f"kitty must hold {self.kitty_size if has_kitty else 0} cards", key="kitty")
        if "position" in dealt:
            self._check_position(dealt["position"])
        else:
            self._check_whole(has_kitty)
        if "smoosh" in dealt:
            self._check_smoosh(dealt["smoosh"])

    def _check_whole(self, has_kitty: bool) -> None:
        disjoint([*self.hands, self.kitty], self.pack)
        size = 52 // self.players
        if any(hand.bit_count() != size for hand in self.hands):
            raise BadInput("hands", f"hands must hold {size} cards each", key="hands", count=size)
        if has_kitty and not self.kitty:
            raise BadInput("kitty", f"the kitty of {self.kitty_size} cards is missing", key="kitty")
        cycle = self.options.directions(self.players)
        self.direction = cycle[self.match.deal % len(cycle)]

    def _check_position(self, position: Mapping[str, Any]) -> None:
        t = self.table
        disjoint([*self.hands, *self.taken, t.trick, self.kitty], self.pack)
        if self.kitty and t.number > 1 and self.options.leftover.endswith("first-trick"):
            raise BadInput("kitty", "the kitty is gone after trick 1", key="kitty")
        t.broken = bool((self._broken_by(t.trick) | self._broken_by(sum(self.taken))) != 0)
        broken = _truth(position, "hearts_broken")
        if broken is not None:
            t.broken = broken
        if t.number == 1:
            self._check_opening()

    def _check_opening(self) -> None:
        """In trick 1 of a position the leader is the seat that the opening rule names, and has led what it allows."""
        low = self._low_club()
        first = self.trick[0] if self.trick else None
        led_low = first is not None and first.mask == low
        if self.options.opening == "dealer-left":
            named = self.leader == self.eldest
        elif not low:
            named = True
        else:
            named = led_low or bool(self.hands[self.leader] & low)
        if not named:
            raise BadInput("position-key", "in trick 1 the leader must be whom the opening rule names", key="leader")
        if first is None or self.options.opening == "dealer-left" or not low:
            return
        if not (led_low if self.options.opening == "low-club" else first.mask & CLUBS):
            raise BadInput("position-key", f"the trick cannot begin with {first}: the opening rule", key="trick")

    def _check_smoosh(self, packets: object) -> None:
        good = isinstance(packets, list | tuple) and len(packets) == self.players
        if self.direction != "smoosh" or not good or not all(isinstance(p, str) for p in packets):  # type: ignore[union-attr]
            raise BadInput("smoosh", f"smoosh is not possible here: {packets!r}", key="smoosh")
        for packet in packets:  # type: ignore[union-attr]
            read_cards("smoosh", packet)

    # -- pass

    def begin(self) -> None:
        if "position" in self.dealt:
            self.table.low_club = self._low_club()
            if self.trick:
                self.go_on()
            else:
                self.lead(self.leader)
        elif self.direction == "none":
            self.open()
        else:
            options = self.options
            count, forwarding = options.pass_count, options.pass_forward
            self.phase = Exchange("hearts", self.players, self.direction, count, forwarding)
            self.turn = self.eldest

    def exchanged(self) -> None:
        self.open()

    # -- leads

    def open(self) -> None:
        """The first lead: the holder of the lowest club, or eldest hand."""
        low = self.table.low_club = self._low_club()
        holders = [seat for seat, hand in enumerate(self.hands) if hand & low]
        self.lead(self.eldest if self.options.opening == "dealer-left" or not holders else holders[0])

    def _low_club(self) -> int:
        clubs = (sum(self.hands) | self.table.trick) & CLUBS
        return clubs & -clubs

    def lead(self, seat: int) -> None:
        super().lead(seat)
        if self.options.annul_only_hearts and not self.table.broken and not self.hands[seat] & (ALL ^ HEARTS):
            self.phase = ANNUL

    def chosen(self, move: Move) -> None:
        seat = self.turn or 0
        if move.verb == "play-on":
            self.log("Declared", "hearts.lead.annul", seat=Seat(seat))
            self.phase = self.tricks
        elif move.verb == "annul":
            self.log("Declared", "hearts.lead.annulled", seat=Seat(seat))
            self.annulled = self.finished = True
            self.stop()
        else:
            self.log("Declared", "hearts.score.moon-mode", seat=Seat(seat), call=move.word)
            self.table.others_pay = move.word == "others"
            self.finish()

    # -- after a trick: hearts break, the left-over cards go, the next lead

    def trick_taken(self, winner: int, cards: int) -> None:
        t = self.table
        if not t.broken and self._broken_by(cards):
            t.broken = True
            breaker = cards_of(self._broken_by(cards))[-1]
            by = (self.last_leader + self.last_trick.index(breaker)) % self.players
            self.log("Broken", "hearts.lead.broken", seat=Seat(by), card=breaker)
        ending = self.hands_empty or bool(self.ends_here)
        if self.kitty and self._takes_kitty(cards):
            self._take_kitty(winner, ending)
        if self.phase is not DISCARD:
            self._next(winner)

    def _broken_by(self, cards: int) -> int:
        return cards & (HEARTS | QUEEN if self.options.break_by == "heart-or-queen" else HEARTS)

    def _takes_kitty(self, cards: int) -> bool:
        return self.options.leftover.endswith("first-trick") or bool(cards & self.options.penalty)

    def _take_kitty(self, winner: int, ending: bool) -> None:
        kitty, self.kitty = self.kitty, 0
        pick_up = self.options.leftover.startswith("pickup")
        facts = {"seat": Seat(winner), "count": self.kitty_size, "cards": Hand(kitty)}
        if pick_up and not ending:
            self.picked_up, self.picker = kitty, winner
            self.hands[winner] |= kitty
            self.log("Kitty", "hearts.kitty.pick-up", ("cards",), (winner,), **facts)
            self.turn, self.phase = winner, DISCARD
        else:
            self.taken[winner] |= kitty
            rule = "last-trick" if pick_up else self.options.leftover
            self.log("Kitty", f"hearts.kitty.{rule}", **facts)

    def discarded(self, cards: Hand) -> None:
        seat = self.turn or 0
        self.hands[seat] ^= cards
        self.taken[seat] |= cards
        self.face_down = cards
        facts = {"seat": Seat(seat), "count": len(cards), "cards": cards}
        self.log("Discarded", "hearts.kitty.discard", ("cards",), (seat,), **facts)
        self._next(seat)

    def _next(self, winner: int) -> None:
        if self.hands_empty or self.ends_here:
            if self.ends_here is False:
                self.stop()
            else:
                self._end()
        else:
            self.lead(winner)

    def unseen(self, seat: int) -> list[int]:
        return [
            self.face_down if taker == self.picker and taker != seat else 0 for taker in range(self.players)
        ]

    # -- score

    def _end(self) -> None:
        """The last trick is taken: settle for whom a moon counts, or ask the shooter."""
        t = self.table
        mode = self.options.moon_mode
        t.ended, t.others_pay = True, mode != "self"
        shooter = self._shooter()
        if shooter is not None and mode == "choice":
            t.ended = False
            self.turn, self.phase = shooter, MOON
            return
        if shooter is not None and mode == "others-unless-losing":
            t.others_pay = not self._would_lose(shooter)
        self.finish()

    def _shooter(self) -> int | None:
        penalty, every = self.options.penalty, self.options.moon_requires == "all-tricks"
        shooters = [
            seat
            for seat, taken in enumerate(self.taken)
            if taken & penalty == penalty and (not every or all_tricks(self.table, seat))
        ]
        return shooters[0] if shooters else None

    def _would_lose(self, shooter: int) -> bool:
        """Whether `others` would end the game and leave the shooter not lowest (level for lowest counts as first)."""
        totals = self.settle().match.totals
        ends = self.options.game_end == "score" and max(totals) >= self.options.end_score
        return ends and totals[shooter] > min(totals)

    def settle(self) -> Settled:
        if self.annulled:
            return Settled(self.match, None, ())
        return super().settle()

    def score_lines(self) -> list[Any]:
        return [] if self.annulled else super().score_lines()


GAME = register(
    Game(
        id="hearts",
        options=HeartsOptions,
        players=range(3, 9),
        default_players=4,
        deal=HeartsDeal,
        context=HeartsContext,
        settle=settle,
    )
)
