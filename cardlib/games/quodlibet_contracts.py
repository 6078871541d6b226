"""The contracts of Quodlibet: how the tricks of each are played, and what they count.

In the order of the rule sheet, round by round; Snack, which has no tricks, stands in `cardlib.games.quodlibet`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cache, partial
from typing import TYPE_CHECKING, Any

from cardlib.cards import ALL, HEARTS, Card, Hand, of_ranks
from cardlib.phases.slots import Slots
from cardlib.phases.tricks import Tricks
from cardlib.rules import Obligation, ScoreRule, Scoring, Table, When, WinnerClass, rank_of, union

if TYPE_CHECKING:
    from cardlib.games.quodlibet import QuodlibetOptions

PLAYERS, TRICKS = 4, 8
QUEENS, JACKS = of_ranks("Q"), of_ranks("J")
KING_OF_HEARTS, QUEEN_OF_DIAMONDS = Card.parse("KH").mask, Card.parse("QD").mask
LOW_HEARTS, HIGH_HEARTS = int(Hand.parse("TH 9H 8H 7H")), int(Hand.parse("AH KH QH JH"))

#: The contracts of each round, in canonical order.
ROUNDS = {
    1: ("plus", "minus", "bad-neighbor", "red-ruffians"),
    2: ("first-three-and-last", "no-hearts", "queens-jacks", "bribery"),
    3: ("open-trousers", "good-hunting", "quadrature", "snack"),
}
ROUND = {contract: number for number, contracts in ROUNDS.items() for contract in contracts}
#: Those whose hands lie open, and why; those that count cards, at once.
OPEN = {"open-trousers": "quodlibet.open-trousers.hidden", "good-hunting": "quodlibet.good-hunting.open"}
BY_CARDS = ("red-ruffians", "no-hearts", "queens-jacks", "bribery")

# -------------------------------------------------------------------------------------------------------- trick play


class QuodlibetTable(Table):
    """What the score asks besides: by seat the tricks `won`, a bit for each (trick 1 is bit 1), and who `pays` for the
    lowest card of the trick; the bit of the last trick (`end`, 0 before it) and the `lowest` rank of the trick."""

    __slots__ = ("end", "lowest", "pays", "won")
    won: Sequence[Any]
    pays: Sequence[Any]

    def __init__(self, **facts: Any) -> None:
        self.won, self.pays = (0,) * PLAYERS, (False,) * PLAYERS
        self.end = self.lowest = 0
        super().__init__(**facts)

    def trick_over(self, options: QuodlibetOptions, trick: Any, best: Any, side: Any, last: bool) -> None:
        """Note who has won the trick, and whether it was the last one."""
        mark = 1 << self.number - 1
        self.won = [self.pick(side == seat, won | mark, won) for seat, won in enumerate(self.won)]
        if last:
            self.end = mark


FOLLOW = (Obligation("quodlibet.trick.follow", lambda t: t.led, When.FOLLOWING),)
WINNERS = (WinnerClass("quodlibet.trick.winner", lambda t: t.led),)

#: A number (or a condition) by the table and what a seat has won: the tricks as bits, or the cards of one trick.
Judge = Callable[[Any, Any], Any]


def by_tricks(rule: str, points: Judge, value: Judge = lambda t, won: t.count(won)) -> ScoreRule:
    """Points for the tricks won in the deal; the line names how many they are."""

    def each(judge: Judge) -> Callable[[Any], list[Any]]:
        return lambda t: [judge(t, won) for won in t.won]

    return ScoreRule(rule, each(points), value=each(value))


def tricks_count(rules: tuple[str, str], each: int = 10, besides: bool = False) -> list[ScoreRule]:
    """So many points a trick; 100 for all eight, `besides` or instead."""
    trick, all_tricks = rules

    def points(t: Any, won: Any) -> Any:
        return t.pick((t.count(won) == TRICKS) & (not besides), 0, each * t.count(won))

    return [by_tricks(trick, points), by_tricks(all_tricks, lambda t, won: t.pick(t.count(won) == TRICKS, 100, 0))]


def cards_count(rules: tuple[str, str], values: Mapping[int, int], special: Judge, besides: bool = False) -> Scoring:
    """Points for cards taken, trick by trick; 100 for a special trick, `besides` or instead."""

    def points(t: Any, taken: Any) -> Any:
        counted = sum(value * t.count(taken & cards) for cards, value in values.items())
        return t.pick(special(t, taken) & (not besides), 0, counted)

    def bonus(t: Any, taken: Any) -> Any:
        return t.pick(special(t, taken), 100, 0)

    def line(rule: str, judge: Judge) -> ScoreRule:
        return ScoreRule(rule, lambda t: [judge(t, taken) for taken in t.taken], union(values))

    return Scoring((), at_once=map(line, rules, (points, bonus)))


# ----------------------------------------------------------------------------------------------------------- round 1


def plus(options: QuodlibetOptions) -> Scoring:
    """Tricks are good, none at all is bad."""

    def none(t: Any, won: Any) -> Any:
        return t.ended & (won == 0)

    def missed(t: Any, won: Any) -> Any:
        return t.count(union(t.won)) - t.count(won)

    trick = by_tricks("quodlibet.plus.trick", lambda t, won: -10 * t.count(won))
    if options.plus_scoring == "missing10":
        trick = by_tricks("quodlibet.plus.trick", lambda t, won: t.pick(none(t, won), 0, 10 * missed(t, won)), missed)
    return Scoring([trick, by_tricks("quodlibet.plus.none", lambda t, won: t.pick(none(t, won), 100, 0))])


def minus(options: QuodlibetOptions, rule: str = "quodlibet.minus.trick") -> Scoring:
    return Scoring(tricks_count((rule, "quodlibet.minus.all"), besides=options.all_tricks_bonus == "add"))


def bad_neighbor(options: QuodlibetOptions) -> Scoring:
    """As in Minus, but written to the next seat."""

    def moved(column: Callable[[Any], Sequence[Any]]) -> Callable[[Any], list[Any]]:
        return lambda t: [column(t)[seat - 1] for seat in range(PLAYERS)]

    own = minus(options, "quodlibet.bad-neighbor.points").rules
    return Scoring(replace(rule, points=moved(rule.points), value=moved(rule.value)) for rule in own if rule.value)


def red_ruffians(options: QuodlibetOptions) -> Scoring:
    both = KING_OF_HEARTS | QUEEN_OF_DIAMONDS
    return cards_count(
        ("quodlibet.red-ruffians.cards", "quodlibet.red-ruffians.both"),
        {KING_OF_HEARTS: 50, QUEEN_OF_DIAMONDS: 30},
        lambda t, taken: taken & both == both,
    )


# ----------------------------------------------------------------------------------------------------------- round 2

#: Tricks that count by their number.
NUMBERED = {"first-three-and-last": {1: 10, 2: 20, 3: 30}, "quadrature": {4: -40}}


def numbered(contract: str, options: QuodlibetOptions) -> Scoring:
    """Points for tricks by their number, and for the last one."""
    rule, last = f"quodlibet.{contract}.points", last_trick(contract, options)

    def trick(number: int, points: int) -> ScoreRule:
        return by_tricks(rule, lambda t, won: t.pick(won & 1 << number != 0, points, 0), lambda t, won: number)

    end = by_tricks(rule, lambda t, won: t.pick(won & t.end != 0, last, 0), lambda t, won: t.end.bit_length() - 1)
    return Scoring([*(trick(number, points) for number, points in NUMBERED[contract].items()), end])


def last_trick(contract: str, options: QuodlibetOptions) -> int:
    """What the last trick counts, where tricks count by their number."""
    return options.last_trick if contract == "first-three-and-last" else -80


def no_hearts(options: QuodlibetOptions) -> Scoring:
    """The low hearts cost double."""
    return cards_count(
        ("quodlibet.no-hearts.cards", "quodlibet.no-hearts.all-hearts"),
        {LOW_HEARTS: 20, HIGH_HEARTS: 10},
        lambda t, taken: t.count(taken & HEARTS) == PLAYERS,
        besides=options.heart_trick_bonus == "add",
    )


def queens_jacks(options: QuodlibetOptions) -> Scoring:
    return cards_count(
        ("quodlibet.queens-jacks.cards", "quodlibet.queens-jacks.both"),
        {QUEENS: 30, JACKS: 20},
        lambda t, taken: (taken & QUEENS != 0) & (taken & JACKS != 0),
        besides=options.queens_jacks_bonus == "add",
    )


def note_lowest(tie: str) -> Callable[[Any, Any], None]:
    """Who pays for the lowest card of a trick: of equal ones the first, the last, or each."""

    def note(t: Any, card: Any) -> None:
        rank = rank_of(card)
        lower, equal = t.leading | (rank < t.lowest), rank == t.lowest
        instead = lower | equal if tie == "last" else lower
        pays = instead | equal if tie == "all" else instead
        t.pays = [t.pick(t.player == seat, pays, paid & (instead == 0)) for seat, paid in enumerate(t.pays)]
        t.lowest = t.pick(lower, rank, t.lowest)

    return note


def bribery(options: QuodlibetOptions) -> Scoring:
    """The winner pays, and whoever has played the lowest card; if that is the same player, it is dear."""

    def wins(t: Any, seat: int) -> Any:
        return t.taken[seat] != 0

    def both(t: Any, seat: int) -> Any:
        return wins(t, seat) & t.pays[seat]

    def counts(t: Any, seat: int) -> Any:
        return (both(t, seat) == 0) | (options.bribery_win == "add")

    def line(rule: str, points: int, condition: Judge, cards: int = 0) -> ScoreRule:
        return ScoreRule(rule, lambda t: [t.pick(condition(t, seat), points, 0) for seat in range(PLAYERS)], cards)

    return Scoring(
        (),
        at_once=[
            line("quodlibet.bribery.trick", 30, lambda t, seat: wins(t, seat) & counts(t, seat), ALL),
            line("quodlibet.bribery.lowest", 20, lambda t, seat: t.pays[seat] & counts(t, seat)),
            line("quodlibet.bribery.both", 100, both),
        ],
    )


# ----------------------------------------------------------------------------------------------------------- round 3


def open_trousers(options: QuodlibetOptions) -> Scoring:
    if options.trousers_scoring == "like-minus":
        return minus(options)
    return Scoring(tricks_count(("quodlibet.open-trousers.trick", "quodlibet.open-trousers.all"), -10))


def good_hunting(options: QuodlibetOptions) -> Scoring:
    rules = ("quodlibet.good-hunting.trick", "quodlibet.good-hunting.all")
    return Scoring(tricks_count(rules, besides=options.all_tricks_bonus == "add"))


SCORINGS: Mapping[str, Callable[[QuodlibetOptions], Scoring]] = {
    "plus": plus,
    "minus": minus,
    "bad-neighbor": bad_neighbor,
    "red-ruffians": red_ruffians,
    "first-three-and-last": partial(numbered, "first-three-and-last"),
    "no-hearts": no_hearts,
    "queens-jacks": queens_jacks,
    "bribery": bribery,
    "open-trousers": open_trousers,
    "good-hunting": good_hunting,
    "quadrature": partial(numbered, "quadrature"),
}
PLAIN, UNCOUNTED = Tricks(FOLLOW, WINNERS), Scoring(())


@cache
def rules_of(options: QuodlibetOptions, contract: str) -> tuple[Tricks, Scoring]:
    """What contract and options make of play and score, built once; before there is one, nothing counts."""
    tricks = PLAIN
    if contract == "bribery":
        tricks = Tricks(FOLLOW, WINNERS, note_lowest(options.bribery_tie))
    elif contract == "open-trousers":
        tricks = Slots(FOLLOW if options.trousers_follow == "must" else (), WINNERS, OPEN[contract])
    return tricks, SCORINGS[contract](options) if contract in SCORINGS else UNCOUNTED
