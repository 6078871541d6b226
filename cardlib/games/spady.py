"""Spady (シュパーディ), a Bohemian game of partners: follow, trump and beat if you can; 2s that win tricks score.

The file follows the rule sheet: options, pack and deal, opening lead, declarations, play, score, totals and end.
Rule ids are those of the rule book (`cardlib/text/*/spady.md`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, ClassVar

from cardlib.cards import ALL, HEARTS, PACK, Card, Seat, Suit, cards_of, of_ranks
from cardlib.deal import Context, Event, Game, Move, ScoreLine, Settled, added, register, sides_at
from cardlib.errors import BadInput, shortly
from cardlib.options import Options, Variant, option
from cardlib.phases.calls import Declarations
from cardlib.phases.tricks import TrickDeal, Tricks, deal_out
from cardlib.reading import NATURAL, numbers, pairs, suit
from cardlib.rules import Obligation, ScoreRule, Scoring, Table, When, WinnerClass, winning
from cardlib.seeds import Random

# ----------------------------------------------------------------------------------------------------------- options


@dataclass(frozen=True)
class SpadyOptions(Options):
    """What can be changed about Spady."""

    reshuffle_after_cut: bool = option(True, False, rules="spady.deal.reshuffle", group="deal")
    opening_all_trumps: str = option("allow", "redeal", rules="spady.lead.all-trumps", group="deal")
    declaration_basis: str = option("dealt", "after-lead", rules="spady.declare.basis", group="declare")
    must_beat_partner: bool = option(True, False, rules="spady.follow.beat", group="play")
    last_two_twos: str = option("replace", "add", rules="spady.two.last-two", group="score")
    carry: str = option("next-deal", "compound", rules="spady.score.carry", group="score")
    end: str = option("deals", "target", "open", rules="spady.end.match", group="end")
    deals: int = option(8, rules="spady.end.match", group="end", numbers=range(1, 1_000_000_000))
    target: int = option(50, rules="spady.end.match", group="end", numbers=range(1, 1_000_000_000))

    presets: ClassVar[Mapping[str, Mapping[str, Any]]] = {
        "sheet": {},
        "race-to-50": {"end": "target"},
        "long-run": {"last_two_twos": "add", "carry": "compound"},
        "kind-partner": {"must_beat_partner": False},
        "open-cut": {"reshuffle_after_cut": False},
        "three-handed": {"players": 3, "deals": 9},
    }

    def idle(self, players: int) -> dict[str, str]:
        idle = {}
        if players == 3:
            idle["must_beat_partner"] = "no-partner"
            idle["opening_all_trumps"] = "twelve-cards"
        if self.end != "deals":
            idle["deals"] = "not-deals"
        if self.end != "target":
            idle["target"] = "not-target"
        return idle


# ----------------------------------------------------------------------------------------------------- pack and deal


DECK = PACK ^ of_ranks("3456")
TWOS = of_ranks("2")
CARD_POINTS = {of_ranks("A"): 6, of_ranks("K"): 5, of_ranks("Q"): 4, of_ranks("J"): 3}
VALUABLE = sum(CARD_POINTS)
MAJORITY, LAST_TRICK = 40, 6

# ------------------------------------------------------------------------------------------------------ declarations

NO_COURT, NO_HIGH = of_ranks("KQJ"), of_ranks("AKQJ")
#: What can be declared, in the order of a move: word -> its rule and its points.
COMBINATIONS = {f"four-{rank}": ("spady.declare.four", 10) for rank in "AKQJ2"}
COMBINATIONS |= {f"three-{rank}": ("spady.declare.three", 5) for rank in "AKQJ2"}
COMBINATIONS |= {"blanche": ("spady.declare.blanche", 5), "bianca": ("spady.declare.bianca", 10)}
#: The rules by which declarations score; the last one is that of a position, which says only their sum.
DECLARED = (*dict.fromkeys(rule for rule, _ in COMBINATIONS.values()), "spady.declare.add")


def holds(hand: int, word: str) -> bool:
    """Whether a hand holds a combination at all."""
    if word in ("blanche", "bianca"):
        return not hand & (NO_COURT if word == "blanche" else NO_HIGH)
    number, _, rank = word.partition("-")
    return (hand & of_ranks(rank)).bit_count() >= (4 if number == "four" else 3)


def best_of_kind(hand: int, word: str) -> str:
    """The best combination of the same kind that the hand holds: a four before a three, Bianca before Blanche."""
    better = "bianca" if word == "blanche" else word.replace("three", "four")
    return better if holds(hand, better) else word


DECLARE = Declarations(COMBINATIONS, holds, best_of_kind, "spady.declare.not-held", "spady.declare.best-only")


class Opening(Tricks):
    """The opening lead: the declarations follow before anybody else plays."""

    def push(self, deal: Any, move: Move) -> None:
        super().push(deal, move)
        deal.turn, deal.phase = deal.eldest, DECLARE


# -------------------------------------------------------------------------------------------------------------- play


class SpadyTable(Table):
    """What the score asks besides, by side: `twos` tricks won by a 2, a bit for each · `declared` points by rule ·
    `last` has won the last trick; and for all: the bits of the last trick (`end`) and of the one `before` it, once the
    deal is over · `factor` by which everything counts."""

    __slots__ = ("before", "declared", "end", "factor", "last", "twos")
    twos: Sequence[Any]
    declared: Mapping[str, Sequence[Any]]
    last: Sequence[Any]
    end: int
    before: int
    factor: Any
    numbers = frozenset({"declared", "factor"})

    def trump_card(self, options: SpadyOptions, cut: Any, bottom: Any) -> Any:
        return cut if options.reshuffle_after_cut else bottom

    def void(self, options: SpadyOptions, hand: Any) -> Any:
        """Eldest hand holds nothing but trumps, and the deal is annulled."""
        return (options.opening_all_trumps == "redeal") & (hand & (ALL ^ self.trumps) == 0)

    def trick_over(self, options: SpadyOptions, trick: Any, best: Any, side: Any, last: bool) -> None:
        """Note whether a 2 has won the trick, and who has won the last one."""
        mark, two = 1 << self.number - 1, best & TWOS != 0
        self.twos = [self.pick(two & (side == taker), twos | mark, twos) for taker, twos in enumerate(self.twos)]
        if last:
            self.last = [side == taker for taker in range(len(self.taken))]
            self.end, self.before = mark, mark >> 1 if self.number > 3 else 0


def obligations(options: SpadyOptions) -> Iterator[Obligation]:
    """What a player must do, in the order in which a refusal names it."""
    yield Obligation("spady.lead.not-trump", lambda t: ALL ^ t.trumps, When.LEADING, first_trick=True)
    yield Obligation("spady.follow.suit", lambda t: t.led, When.FOLLOWING)
    yield Obligation("spady.follow.trump", lambda t: t.trumps, When.FOLLOWING)
    if options.must_beat_partner:
        yield Obligation("spady.follow.beat", lambda t: t.beaters, When.FOLLOWING)
    else:
        yield Obligation(
            "spady.follow.beat",
            lambda t: t.pick(winning(WINNERS, t) & t.partner != 0, ALL, t.beaters),
            When.FOLLOWING,
        )


WINNERS = (
    WinnerClass("spady.trick.winner", lambda t: t.trumps),
    WinnerClass("spady.trick.winner", lambda t: t.led),
)

# ------------------------------------------------------------------------------------------------------------- score

FIRST = 1 << 1
Points = list[Any]


def worth(t: Any, cards: Any) -> Any:
    """The card points of some cards."""
    return sum(points * t.count(cards & rank) for rank, points in CARD_POINTS.items())


def card_points(t: Any) -> Points:
    """The card points of each side's tricks, and 6 for the last trick."""
    return [worth(t, taken) + t.pick(last, LAST_TRICK, 0) for taken, last in zip(t.taken, t.last, strict=True)]


def majority(t: Any) -> Points:
    return [t.pick(points >= MAJORITY, 10, 0) for points in card_points(t)]


def declared_by(rule: str) -> Callable[[Any], Sequence[Any]]:
    return lambda t: t.declared[rule]


def score_rules(options: SpadyOptions, players: int) -> Iterator[ScoreRule]:
    """What a deal scores.  What one side wins the others lose, so the scores add up to 0."""
    run = 5 if options.last_two_twos == "replace" else 20
    play = [
        ScoreRule("spady.score.majority", majority),
        ScoreRule("spady.two.first", lambda t: [t.pick(twos & FIRST != 0, 20, 0) for twos in t.twos]),
        ScoreRule("spady.two.last", lambda t: [t.pick(twos & t.end & (ALL ^ FIRST) != 0, 10, 0) for twos in t.twos]),
        ScoreRule(
            "spady.two.last-two",
            lambda t: [t.pick((twos & t.end != 0) & (twos & t.before != 0), run, 0) for twos in t.twos],
        ),
        ScoreRule("spady.two.other", lambda t: [5 * t.count(twos & (ALL ^ (FIRST | t.end))) for twos in t.twos]),
    ]
    in_play = Scoring(play)
    twice = ScoreRule(
        "spady.score.hearts", lambda t: [t.pick(t.trumps == HEARTS, points, 0) for points in in_play.scores(t)]
    )
    declared = [ScoreRule(rule, declared_by(rule)) for rule in DECLARED]
    once = Scoring([*play, twice, *declared])
    tie = ScoreRule(
        "spady.score.tie",
        lambda t: [(t.factor - 1) * points for points in once.scores(t)],
        value=lambda t: [t.factor for _ in t.taken],
    )
    won = Scoring([*once.rules, tie])

    def lost(t: Any) -> Points:
        points = won.scores(t)
        return [own - sum(points) for own in points]

    yield ScoreRule(
        "spady.score.count", lambda t: [0 for _ in t.taken], shown=lambda t: [True for _ in t.taken], value=card_points
    )
    yield from won.rules
    if players == 3:
        yield ScoreRule("spady.three.scoring", won.scores)
    yield ScoreRule("spady.score.zero-sum", lost)


# ---------------------------------------------------------------------------------------------------- totals and end


@dataclass(frozen=True)
class SpadyContext(Context):
    """`deal` counts the deals of the match, `factor` is what everything counts in this one, `totals` by side."""

    deal: int = 0
    factor: int = 1
    totals: tuple[int, ...] = (0,)

    def check(self, variant: Variant) -> None:
        options: SpadyOptions = variant.options
        totals, factor = list(self.totals), self.factor
        if sum(totals):
            raise BadInput("totals-sum", f"the totals {totals} of match do not add up to 0", key="totals")
        if factor not in (1, 2) and not (options.carry == "compound" and factor.bit_count() == 1):
            raise BadInput("factor", f"the factor of match cannot be {shortly(factor)}", key="factor", value=factor)
        if options.end == "deals" and self.deal >= options.deals:
            raise BadInput("match-over", f"the match is over: deal of match is {self.deal}", key="deal")
        if options.end == "target" and max(totals) >= options.target:
            raise BadInput("match-over", f"the match is over: totals of match are {totals}", key="totals")


def settle(variant: Variant, match: SpadyContext, scores: Sequence[int], tied: bool = False) -> Settled:
    """Add the scores of a finished deal to the totals; say what a tie does, and who has won, if anybody."""
    options: SpadyOptions = variant.options
    if sum(scores):
        raise BadInput("scores-sum", f"the scores {list(scores)} do not add up to 0", key="scores")
    factor = 1 if not tied else 2 * match.factor if options.carry == "compound" else 2
    after = SpadyContext(match.deal + 1, factor, added(match.totals, scores))
    result, end = _result(variant, after)
    tie: list[Event] = []
    if tied:
        rule = "spady.score.tie" if match.factor == 1 else "spady.score.carry"
        lapsed = Event("Lapsed", "spady.end.match", {})
        tie = [Event("Tied", rule, {"factor": factor}) if result is None else lapsed]
    return Settled(after, result, (*tie, *end))


def _result(variant: Variant, match: SpadyContext) -> tuple[tuple[int, ...] | None, list[Event]]:
    options: SpadyOptions = variant.options
    rule, most = "spady.end.match", max(match.totals)
    best = sides_at(most, match.totals, variant.game.side_names(variant.players))
    if options.end == "open":
        return None, [Event("Open", rule, {})]
    if options.end == "deals" and match.deal < options.deals:
        return None, [Event("DealsLeft", rule, {"count": options.deals - match.deal})]
    if options.end == "target" and most < options.target:
        return None, [Event("Below", rule, {"target": options.target})]
    reached = Event("Reached", rule, {"side": best[0], "total": most, "target": options.target})
    over = Event("Ended", rule, {"count": options.deals}) if options.end == "deals" else reached
    return best, [over, Event("Won" if len(best) == 1 else "Shared", rule, {"sides": list(best), "total": most})]


# ---------------------------------------------------------------------------------------------------------- the deal


@cache
def rules_of(options: SpadyOptions, players: int) -> tuple[Opening, Tricks, Scoring]:
    """What the options make of play and score, built once."""
    chain = tuple(obligations(options))
    return Opening(chain, WINNERS), Tricks(chain, WINNERS), Scoring(score_rules(options, players))


class SpadyDeal(TrickDeal):
    """A deal of Spady: opening lead, declarations, tricks, score."""

    __slots__ = ("opening", "turnup")
    verbs: ClassVar = {"declare": COMBINATIONS}
    record_keys = frozenset({"trump", "turnup"})
    position_keys = TrickDeal.position_keys | {"trump", "twos", "declared"}
    outcomes: ClassVar = {"scores": None, "tied": False}
    named = DECK
    not_in_hand = "spady.play.own-card"
    new_table = SpadyTable
    table: SpadyTable
    options: SpadyOptions
    match: SpadyContext

    # -- the cards

    @classmethod
    def pack_of(cls, variant: Variant) -> int:
        return DECK

    @classmethod
    def shuffled(cls, variant: Variant, seed: int, dealer: int) -> dict[str, Any]:
        """The pack is shuffled and cut; then it is shuffled again, or the shown card goes to the bottom."""
        pack = Random(seed, "cut").shuffled(list(cards_of(DECK)))
        at = 1 + Random(seed, "place").below(len(pack) - 1)
        shown, pack = pack[at - 1], pack[at:] + pack[:at]
        dealt: dict[str, Any] = {"trump": str(shown.suit)}
        if variant.options.reshuffle_after_cut:
            pack = Random(seed, "cards").shuffled(pack)
        else:
            dealt["turnup"] = str(shown)
        return dealt | {"hands": deal_out(pack, variant.players, dealer + 1, packet=3)}

    def setup(self, dealt: Mapping[str, Any]) -> None:
        self.opening, self.tricks, self.scoring = rules_of(self.options, self.players)
        super().setup(dealt)
        t, position = self.table, self.dealt.get("position", {})
        trump, self.turnup = self._trump(dealt)
        t.trumps, t.factor = trump.mask, self.match.factor
        t.twos = self._twos(position.get("twos", []))
        nothing = (0,) * len(t.taken)
        points = numbers("declared", position.get("declared", nothing), len(nothing), NATURAL)
        t.declared = dict.fromkeys(DECLARED, nothing) | {DECLARED[-1]: points}
        t.last, t.end, t.before = (False,) * len(t.taken), 0, 0

    def _trump(self, dealt: Mapping[str, Any]) -> tuple[Suit, Card | None]:
        """The trump suit, and the card shown at the cut where it is known."""
        shown = self.turned(dealt["turnup"], held="position" not in dealt) if "turnup" in dealt else None
        if shown and self.options.reshuffle_after_cut:
            raise BadInput("turnup", "turnup is known only without a new shuffle", key="turnup")
        if not (shown or self.options.reshuffle_after_cut or "position" in dealt):
            raise BadInput("turnup", "turnup is missing: the card shown at the cut", key="turnup")
        suits = [suit("trump", where["trump"]) for where in (dealt, dealt.get("position", {})) if "trump" in where]
        if shown:
            suits.append(shown.suit)
            self.dealt["turnup"] = str(shown)
        if len(set(suits)) != 1:
            raise BadInput("trump", "trump is missing, or trump and turnup do not agree", key="trump")
        self.dealt.pop("trump", None)
        self.dealt.get("position", self.dealt)["trump"] = str(suits[0])
        return suits[0], shown

    def _twos(self, given: object) -> tuple[int, ...]:
        """The tricks won by a 2, as a position lists them: [trick, side]."""
        twos = [0] * len(self.table.taken)
        for trick, side in pairs("twos", given, range(1, self.table.number), range(len(twos))):
            if sum(twos) >> trick & 1:
                raise BadInput("twos", f"twos: trick {trick} is there twice", key="twos")
            twos[side] |= 1 << trick
        return tuple(twos)

    # -- from the opening lead through the declarations

    def begin(self) -> None:
        if self.turnup:
            facts = {"card": self.turnup, "seat": Seat(self.dealer), "trump": self.trump}
            self.log("Turned", "spady.deal.reshuffle", facts)
        else:
            self.log("Trumps", "spady.deal.trump", {"trump": self.trump})
        super().begin()

    def start(self) -> None:
        if self.table.void(self.options, self.hands[self.eldest]):
            self.log("Void", "spady.lead.all-trumps", {"seat": Seat(self.eldest)})
            self.annul()
        else:
            self.lead(self.eldest)
            self.phase = self.opening

    def declaring(self) -> int:
        """The cards on which the seat on turn declares: eldest has led one of them."""
        seat: int = self.turn  # type: ignore[assignment]
        led = self.table.trick if seat == self.eldest and self.options.declaration_basis == "dealt" else 0
        return self.hands[seat] | led

    def declared(self, seat: Seat, words: Sequence[str]) -> None:
        t = self.table
        for word in words:
            rule, points = COMBINATIONS[word]
            more = [points * (side == self.side(seat)) for side in range(len(t.taken))]
            t.declared = {**t.declared, rule: added(t.declared[rule], more)}
            self.log("Declared", rule, {"seat": seat, "call": word, "points": points})
        if not words:
            self.log("Declared", "spady.declare.optional", {"seat": seat})
        if seat == self.dealer:
            self.go_on()

    def out_of_phase(self, move: Move) -> str:
        if self.phase is None:
            return "spady.end.over"
        return "spady.declare.time" if move.verb == "declare" else "spady.declare.first"

    # -- after a trick: was it won by a 2?

    def won_facts(self, best: Card) -> dict[str, Any]:
        return {"by": "trump" if best.mask & self.table.trumps else "suit"}

    def trick_taken(self, winner: int, taken: int) -> None:
        best, last = self.last_trick[(winner - self.last_leader) % self.players], self.last
        self.table.trick_over(self.options, taken, best.mask, self.side(winner), last and self.ends_here is not False)
        if best.mask & TWOS and self.logging:
            self._log_two(best, winner)
        self.next_trick(winner)

    def _log_two(self, best: Card, winner: int) -> None:
        """Which points the 2 has won: those of its own trick, and perhaps those of the last two."""
        t, side = self.table, self.side_of(winner)
        without = t.copy()
        without.twos = tuple(twos & (twos ^ 1 << t.number - 1) for twos in t.twos)
        for rule in self.scoring.rules:
            if rule.rule.startswith("spady.two.") and (points := rule.points(t)[side] - rule.points(without)[side]):
                self.log("Two", rule.rule, {"side": side, "card": best, "points": points})

    def lines_of(self, cards: int, side: int) -> list[ScoreLine]:
        """What a trick is worth: its card points."""
        points = worth(self.table, cards)
        name = self.game.side_names(self.players)[side]
        return [ScoreLine(name, points, "spady.score.count", cards & VALUABLE, points)] if points else []

    @property
    def tied(self) -> bool:
        """Nobody has the majority."""
        return not any(majority(self.table))

    def outcome(self) -> dict[str, Any]:
        return super().outcome() | {"tied": self.tied}


GAME = register(
    Game("spady", SpadyOptions, SpadyDeal, SpadyContext, settle, range(3, 5), partners=True, kinds=("win",))
)
