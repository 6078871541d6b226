"""Spady (シュパーディ), a Bohemian game of partners: follow, trump and beat if you can; 2s that win tricks score.

The file follows the rule sheet: options, pack and deal, opening lead, declarations, play, score, totals and end.
Rule ids are those of the rule book (`cardlib/text/*/spady.md`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import combinations
from typing import Any, ClassVar

from cardlib.cards import ALL, HEARTS, PACK, SUIT_MASKS, SUITS, Card, Hand, Seat, Suit, cards_of
from cardlib.deal import Context, Event, Game, Move, Phase, Refusal, ScoreLine, Settled, register
from cardlib.errors import BadInput, shortly
from cardlib.options import Options, Variant, option
from cardlib.phases.tricks import TrickDeal, Tricks
from cardlib.reading import NATURAL, cards, disjoint, whole, written
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


def of_ranks(ranks: str) -> int:
    """All cards of these ranks."""
    return int(Hand.parse(" ".join(rank + suit for rank in ranks for suit in SUITS)))


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


def combinations_of(hand: int) -> list[str]:
    """All that a hand may declare."""
    return [word for word in COMBINATIONS if holds(hand, word) and best_of_kind(hand, word) == word]


class Declare(Phase):
    """After the opening lead each seat, from eldest hand, declares some of its combinations, or none."""

    name = "declare"
    verbs = frozenset({"declare"})
    words = tuple(COMBINATIONS)

    def legal(self, deal: SpadyDeal) -> Sequence[Move]:
        held = combinations_of(deal.declaring())
        chosen = (words for size in range(len(held), 0, -1) for words in combinations(held, size))
        return [*(Move("declare", word=" ".join(words)) for words in chosen), Move("declare", word="none")]

    def refusal(self, deal: SpadyDeal, move: Move) -> Refusal | None:
        hand, words = deal.declaring(), called(move)
        for word in words:
            if not holds(hand, word):
                return Refusal("spady.declare.not-held", {"call": word})
        for word in words:
            if best_of_kind(hand, word) != word:
                return Refusal("spady.declare.best-only", {"call": word, "best": best_of_kind(hand, word)})
        return None

    @staticmethod
    def points(word: str) -> int:
        """What a combination scores."""
        return COMBINATIONS[word][1]

    def canonical(self, deal: SpadyDeal, move: Move) -> Move:
        if move.verb != "declare" or move.word == "none":
            return move
        return Move("declare", word=" ".join(word for word in COMBINATIONS if word in move.word.split()))

    def push(self, deal: SpadyDeal, move: Move) -> None:
        deal.declare(called(move))


def called(move: Move) -> list[str]:
    """The combinations that a move declares."""
    return [] if move.word == "none" else move.word.split()


DECLARE = Declare()


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


def total(rules: Sequence[ScoreRule], t: Any) -> Points:
    """The sums of some score rules by side."""
    return [sum(points) for points in zip(*(rule.points(t) for rule in rules), strict=True)]


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
    twice = ScoreRule(
        "spady.score.hearts", lambda t: [t.pick(t.trumps == HEARTS, points, 0) for points in total(play, t)]
    )
    declared = [ScoreRule(rule, declared_by(rule)) for rule in DECLARED]
    once = [*play, twice, *declared]
    tie = ScoreRule(
        "spady.score.tie",
        lambda t: [(t.factor - 1) * points for points in total(once, t)],
        value=lambda t: [t.factor for _ in t.taken],
    )
    won = [*once, tie]
    yield ScoreRule(
        "spady.score.count", lambda t: [0 for _ in t.taken], shown=lambda t: [True for _ in t.taken], value=card_points
    )
    yield from won
    if players == 3:
        yield ScoreRule("spady.three.scoring", lambda t: total(won, t))
    yield ScoreRule("spady.score.zero-sum", lambda t: [points - sum(total(won, t)) for points in total(won, t)])


VOID = Scoring([ScoreRule("spady.lead.all-trumps", lambda t: [0 for _ in t.taken])])

# ---------------------------------------------------------------------------------------------------- totals and end


@dataclass(frozen=True)
class SpadyContext(Context):
    """`deal` counts the deals of the match, `factor` is what everything counts in this one, `totals` by side."""

    deal: int
    factor: int
    totals: tuple[int, ...]

    @classmethod
    def start(cls, players: int) -> SpadyContext:
        return cls(0, 1, (0,) * GAME.sides(players))

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
    totals = tuple(total + score for total, score in zip(match.totals, scores, strict=True))
    after = SpadyContext(match.deal + 1, factor, totals)
    result, end = _result(variant, after)
    tie: list[Event] = []
    if tied:
        rule = "spady.score.tie" if match.factor == 1 else "spady.score.carry"
        lapsed = Event("Lapsed", "spady.end.match", {})
        tie = [Event("Tied", rule, {"factor": factor}) if result is None else lapsed]
    return Settled(after, result, (*tie, *end))


def _result(variant: Variant, match: SpadyContext) -> tuple[tuple[int, ...] | None, list[Event]]:
    options: SpadyOptions = variant.options
    names = variant.game.side_names(variant.players)
    rule, most = "spady.end.match", max(match.totals)
    if options.end == "open":
        return None, [Event("Open", rule, {})]
    if options.end == "deals":
        if match.deal < options.deals:
            return None, [Event("DealsLeft", rule, {"count": options.deals - match.deal})]
        over = Event("Ended", rule, {"count": options.deals})
    else:
        if most < options.target:
            return None, [Event("Below", rule, {"target": options.target})]
        facts = {"side": names[match.totals.index(most)], "total": most, "target": options.target}
        over = Event("Reached", rule, facts)
    best = tuple(side for side, total in zip(names, match.totals, strict=True) if total == most)
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
    verbs: ClassVar = {"declare": frozenset({"none", *COMBINATIONS})}
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
        hands = [0] * variant.players
        for i, card in enumerate(pack):  # in packets of three, from eldest hand
            hands[(dealer + 1 + i // 3) % variant.players] |= card.mask
        return dealt | {"hands": [written(hand) for hand in hands]}

    def place(self, position: Mapping[str, Any]) -> dict[str, Any]:
        return super().place({"leader": self.eldest, **position})

    def setup(self, dealt: Mapping[str, Any]) -> None:
        self.pack = DECK
        self.opening, self.tricks, self.scoring = rules_of(self.options, self.players)
        super().setup(dealt)
        t, position = self.table, self.dealt.get("position", {})
        trump, self.turnup = self._trump(dealt)
        t.trumps, t.factor = trump.mask, self.match.factor
        t.twos = self._twos(position.get("twos", []))
        nothing = (0,) * len(t.taken)
        t.declared = dict.fromkeys(DECLARED, nothing) | {DECLARED[-1]: self._points(position.get("declared", nothing))}
        t.last, t.end, t.before = (False,) * len(t.taken), 0, 0
        if not position:
            self._check_whole()

    def _trump(self, dealt: Mapping[str, Any]) -> tuple[Suit, Card | None]:
        """The trump suit, and the card shown at the cut where it is known."""
        position = dealt.get("position", {})
        shown = self._shown(dealt)
        suits = [_suit(where["trump"]) for where in (dealt, position) if "trump" in where]
        if not suits and not shown:
            raise BadInput("trump", "trump is missing: S, H, D or C", key="trump")
        if len({*suits, *([shown.suit] if shown else [])}) > 1:
            raise BadInput("trump", "the trump suits of the record (trump, turnup) do not agree", key="trump")
        trump = suits[0] if suits else shown.suit  # type: ignore[union-attr]  # one of them is there
        if position:
            self.dealt.pop("trump", None)
            self.dealt["position"]["trump"] = str(trump)
        else:
            self.dealt["trump"] = str(trump)
        if shown:
            self.dealt["turnup"] = str(shown)
        return trump, shown

    def _shown(self, dealt: Mapping[str, Any]) -> Card | None:
        known = not self.options.reshuffle_after_cut
        if "turnup" not in dealt:
            if known and "position" not in dealt:
                raise BadInput("turnup", "turnup is missing: the card shown at the cut", key="turnup")
            return None
        found = cards("turnup", dealt["turnup"], DECK)
        if not known or len(found) != 1:
            raise BadInput("turnup", "turnup is one card, and known only without a new shuffle", key="turnup")
        if "position" not in dealt and not self.hands[self.dealer] & found[0].mask:
            raise BadInput("turnup", f"turnup: {found[0]} is not in the dealer's hand", key="turnup")
        return found[0]

    def _check_whole(self) -> None:
        size = len(cards_of(DECK)) // self.players
        if any(hand.bit_count() != size for hand in self.hands):
            raise BadInput("hands", f"hands must hold {size} cards each", key="hands", count=size)
        disjoint(hands=self.hands)

    def _twos(self, given: object) -> tuple[int, ...]:
        """The tricks won by a 2, as a position lists them: [trick, side]."""
        twos = [0] * len(self.table.taken)
        for entry in given if isinstance(given, list | tuple) else [given]:
            if not isinstance(entry, list | tuple) or len(entry) != 2:
                raise BadInput("twos", f"twos must be pairs of trick and side, not {shortly(given)}", key="twos")
            trick = whole("trick of twos", entry[0], range(1, self.table.number))
            if sum(twos) >> trick & 1:
                raise BadInput("twos", f"twos: trick {trick} is there twice", key="twos")
            twos[whole("side of twos", entry[1], range(len(twos)))] |= 1 << trick
        return tuple(twos)

    def _points(self, given: object) -> tuple[int, ...]:
        count = len(self.table.taken)
        if not isinstance(given, list | tuple) or len(given) != count:
            raise BadInput("numbers", f"declared must be {count} whole numbers", key="declared", count=count)
        return tuple(whole("declared", points, NATURAL) for points in given)

    # -- from the opening lead through the declarations

    def begin(self) -> None:
        t = self.table
        if self.turnup:
            facts = {"card": self.turnup, "seat": Seat(self.dealer), "trump": self.trump}
            self.log("Turned", "spady.deal.reshuffle", facts)
        else:
            self.log("Trumps", "spady.deal.trump", {"trump": self.trump})
        if "position" in self.dealt:
            if self.trick:
                self.go_on()
            else:
                self.lead(self.leader)
        elif t.void(self.options, self.hands[self.eldest]):
            self.log("Void", "spady.lead.all-trumps", {"seat": Seat(self.eldest)})
            self.scoring, self.finished = VOID, True
            self.stop()
        else:
            self.lead(self.eldest)
            self.phase = self.opening

    @property
    def trump(self) -> Suit:
        """The trump suit of this deal."""
        return Suit(SUIT_MASKS.index(self.table.trumps))

    def declaring(self) -> int:
        """The cards on which the seat on turn declares: eldest has led one of them."""
        seat: int = self.turn  # type: ignore[assignment]
        led = self.table.trick if seat == self.eldest and self.options.declaration_basis == "dealt" else 0
        return self.hands[seat] | led

    def declare(self, words: Sequence[str]) -> None:
        seat: int = self.turn  # type: ignore[assignment]
        side = self.side(seat)
        for word in words:
            rule, points = COMBINATIONS[word]
            before = self.table.declared[rule]
            after = (*before[:side], before[side] + points, *before[side + 1 :])
            self.table.declared = {**self.table.declared, rule: after}
            self.log("Declared", rule, {"seat": Seat(seat), "call": word, "points": points})
        if not words:
            self.log("Declared", "spady.declare.optional", {"seat": Seat(seat)})
        if seat == self.dealer:
            self.go_on()
        else:
            self.turn = (seat + 1) % self.players

    def out_of_phase(self, move: Move) -> str:
        if self.phase is None:
            return "spady.end.over"
        return "spady.declare.time" if move.verb == "declare" else "spady.declare.first"

    # -- after a trick: was it won by a 2?

    def won_facts(self, best: Card) -> dict[str, Any]:
        return {"by": "trump" if best.mask & self.table.trumps else "suit"}

    def trick_taken(self, winner: int, taken: int) -> None:
        t, side = self.table, self.side(winner)
        over = bool(self.ends_here) or not any(self.hands)
        best = self.last_trick[(winner - self.last_leader) % self.players]
        t.trick_over(self.options, taken, best.mask, side, over and self.ends_here is not False)
        if best.mask & TWOS and self.logging:
            self._log_two(best, side)
        if not over:
            self.lead(winner)
        elif self.ends_here is False:
            self.stop()
        else:
            self.finish()

    def _log_two(self, best: Card, side: int) -> None:
        """Which points the 2 has won: those of its own trick, and perhaps those of the last two."""
        t = self.table
        without = t.copy()
        without.twos = tuple(twos & (twos ^ 1 << t.number - 1) for twos in t.twos)
        for rule in self.scoring.rules:
            if rule.rule.startswith("spady.two.") and (points := rule.points(t)[side] - rule.points(without)[side]):
                name = self.game.side_names(self.players)[side]
                self.log("Two", rule.rule, {"side": name, "card": best, "points": points})

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

    def settle(self) -> Settled:
        return Settled(self.match, None, ()) if self.scoring is VOID else super().settle()


def _suit(value: object) -> Suit:
    if not isinstance(value, str) or len(value) != 1 or value.upper() not in SUITS:
        raise BadInput("trump", f"trump cannot be {shortly(value)}: S, H, D or C", key="trump")
    return Suit(SUITS.index(value.upper()))


GAME = register(Game("spady", SpadyOptions, range(3, 5), 4, SpadyDeal, SpadyContext, settle, partners=True))
