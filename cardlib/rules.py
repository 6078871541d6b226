"""Obligations, winner classes and score rules: one rule text for one table and for many.

A rule function takes `t`, the table as the player to move sees it, and is written once.  On a `Table` its values are
Python ints; on a table of NumPy arrays (`uint64`, one element a deal) the same function judges thousands of deals.
That works because rule functions use only ``& | ^``, ``+ -``, comparisons, ``t.pick``, ``t.count`` and constants: a
complement is ``ALL ^ x``, a negation ``x == 0``.  ``and``, ``or``, ``not``, ``~`` and ``if`` on what lies on the table
are errors on arrays.  Options choose which rules are in a chain when it is built, never inside a function.

>>> from cardlib.cards import DIAMONDS, Card, Hand
>>> FOLLOW = Obligation("demo.follow", lambda t: t.led)
>>> t = Table(hand=Hand.parse("KD 2D AH"), led=DIAMONDS, leading=False)
>>> Hand(choices([FOLLOW], t))
Hand('KD 2D')
>>> refusing([FOLLOW], t, Card.parse("AH")).rule
'demo.follow'
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from copy import copy
from dataclasses import dataclass
from enum import Enum
from functools import reduce
from operator import or_
from typing import Any, ClassVar, Self

from cardlib.cards import ALL

#: A mask of cards, or an array of masks.  Rule functions work on both, so their values are not typed more narrowly.
Mask = Any
#: The ranks of a suit, as a mask.
RANK_MASK = 0x7FFC
Rule = Callable[[Any], Mask]


class Table:
    """The table of one deal, as the player to move sees it; a game whose rules ask more adds flags in a subclass.

    `hand` the cards he holds · `led` the suit led as a mask, `ALL` when he leads · `leading` · `trick` the cards on
    the table · `player` the seat that plays, while a game notes its card · `partner` his partner's card in the trick ·
    `trumps` · `number` of the trick, from 1 · `left` tricks to come, while a game asks · `taken` the cards taken, by
    side · `ended` no card is left · `winners` the classes that decide a trick.

    A table of arrays (`cardlib.play.batch`) replaces what looks at a value: `pick`, `count`, `top` and `each`.
    """

    #: The flags that are numbers; the others are masks or conditions.
    numbers: ClassVar[frozenset[str]] = frozenset()
    __slots__ = (
        "ended", "hand", "leading", "led", "left", "number", "partner", "player", "taken", "trick", "trumps", "winners",
    )  # fmt: skip
    player: Any
    left: int

    def __init__(self, **facts: Any) -> None:
        self.hand: Mask = 0
        self.led: Mask = ALL
        self.leading = True
        self.trick: Mask = 0
        self.partner: Mask = 0
        self.trumps: Mask = 0
        self.number = 1
        self.taken: list[Mask] = []
        self.ended: Any = False
        self.winners: Sequence[WinnerClass] = ()
        for name, value in facts.items():
            setattr(self, name, value)

    @staticmethod
    def pick(condition: Any, a: Mask, b: Mask) -> Mask:
        """`a` where the condition holds, else `b`."""
        return a if condition else b

    #: How many cards a mask holds.
    count: Callable[[Mask], Any] = staticmethod(int.bit_count)

    @staticmethod
    def top(mask: Mask) -> Mask:
        """The mask of the highest bit (0 for an empty mask)."""
        return 1 << mask.bit_length() - 1 if mask else 0

    def each(self, condition: Any, judge: Callable[[Any], Any], otherwise: Any) -> Any:
        """``judge(t)`` where the condition holds, for what is rare: of many tables it sees one at a time."""
        return judge(self) if condition else otherwise

    @property
    def beaters(self) -> Mask:
        """The cards that beat all those of the trick."""
        return beaters(self.winners, self)

    def copy(self) -> Self:
        return copy(self)

    # What the play does to the table, written like a rule function, once for one deal and for many.  A game says here
    # what it needs and calls it where its deal is that far; `number` is then already that of the next trick.

    def opening(self, options: Any, cards: Mask) -> Mask:
        """Before trick 1 all `cards` lie in the hands: note what its rules ask.  The card whose holder leads (0: eldest
        hand leads)."""
        return 0

    def trump_card(self, options: Any, cut: Mask, bottom: Mask) -> Mask:
        """The card that makes trumps, of the one at which the pack was cut and the last one dealt (None: none does)."""
        return None

    def void(self, options: Any, hand: Mask) -> Any:
        """Whether eldest hand annuls the deal."""
        return False

    def trick_over(self, options: Any, trick: Mask, best: Mask, side: Any, last: bool) -> None:
        """The card `best` has won the trick for a side."""

    def aside_goes(self, options: Any, trick: Mask, last: bool) -> Any:
        """Whether the cards set aside go with this trick."""
        return False

    def gained(self, options: Any, cards: Mask, side: Any) -> None:
        """Cards go to a side: those of a trick, or those set aside."""

    def stops(self, options: Any, points: Sequence[Any]) -> Any:
        """Whether the deal stops here, with these points by side."""
        return False

    def ending(self, variant: Any, stopped: Any) -> None:
        """No card is left: note what the score asks; `stopped`, the deal had come to its end before."""


class When(Enum):
    """The plays that an obligation binds.  Whether one leads and whether it is trick 1 is the same for all deals that
    run in lockstep, so it picks the chain instead of being asked inside a rule."""

    ALWAYS = "always"
    LEADING = "leading"
    FOLLOWING = "following"


@dataclass(frozen=True, slots=True)
class Obligation:
    """Of the cards you hold you must choose among `mask`, if you can.

    `rule` is the id that a refusal names, `when` and `first_trick` say which plays are bound at all.
    """

    rule: str
    mask: Rule
    when: When = When.ALWAYS
    first_trick: bool | None = None

    def binds(self, leading: bool, first_trick: bool) -> bool:
        kind = When.LEADING if leading else When.FOLLOWING
        return self.when in (When.ALWAYS, kind) and self.first_trick in (None, first_trick)


@dataclass(frozen=True, slots=True)
class Ban:
    """Forbids a move outright: ``facts(deal, move)`` are those of the refusal by `rule`, None where it does not apply.

    For moves that are not single cards; an ordered list of bans is asked, and the first that applies is named.
    """

    rule: str
    facts: Callable[[Any, Any], Mapping[str, Any] | None]


@dataclass(frozen=True, slots=True)
class WinnerClass:
    """Cards that win a trick before those of the classes after it; the highest of them wins, for the reason `rule`."""

    rule: str
    mask: Rule


def rank_of(card: Mask) -> Mask:
    """The rank of a single card as a mask, the same in all suits: the higher rank is the higher number."""
    return (card | card >> 16 | card >> 32 | card >> 48) & RANK_MASK


def union(masks: Iterable[Mask]) -> Mask:
    """All cards of several masks (or, of conditions: whether one of them holds)."""
    return reduce(or_, masks)


def lowest(cards: Mask) -> Mask:
    """The card of the lowest bit, of one suit the lowest (0: there is none)."""
    return cards & (ALL ^ cards - 1)


class Chain:
    """Obligations in the order in which they bind, sorted by the kind of play once and for all.

    ``chain.masks[leading][first_trick]`` are the masks to fold, ``chain.obligations[leading][first_trick]`` the same
    with their ids.
    """

    def __init__(self, obligations: Iterable[Obligation]) -> None:
        given = tuple(obligations)
        both = (False, True)
        self.obligations = tuple(
            tuple(tuple(o for o in given if o.binds(leading, first)) for first in both) for leading in both
        )
        self.masks = tuple(tuple(tuple(o.mask for o in bound) for bound in row) for row in self.obligations)


def choices(chain: Iterable[Obligation], t: Any) -> Mask:
    """The legal cards: each obligation narrows the choice, unless nothing would be left."""
    choice = t.hand
    for obligation in chain:
        narrowed = choice & obligation.mask(t)
        choice = t.pick(narrowed != 0, narrowed, choice)
    return choice


def refusing(chain: Sequence[Obligation], t: Table, card: int) -> Obligation | None:
    """The first obligation that drops a card of the hand: the reason why it is refused (None: it is legal)."""
    for i, obligation in enumerate(chain):
        if not choices(chain[: i + 1], t) >> card & 1:
            return obligation
    return None


def winning(classes: Iterable[WinnerClass], t: Any) -> Mask:
    """The card that wins the trick, as a mask: the highest of the first class that holds a card of it."""
    best = None
    for kind in classes:
        top = t.top(t.trick & kind.mask(t))
        best = top if best is None else t.pick(best == 0, top, best)
    return best


def beaters(classes: Iterable[WinnerClass], t: Any) -> Mask:
    """The cards that would win the trick as it lies: those of the classes above the one that decides it, and the
    higher ones of that class.  For classes that do not themselves depend on the cards of the trick.

    >>> from cardlib.cards import DIAMONDS, SPADES, Card, Hand
    >>> trumps_first = [WinnerClass("demo.trump", lambda t: SPADES), WinnerClass("demo.suit", lambda t: t.led)]
    >>> t = Table(trick=Hand.parse("TD QD"), led=DIAMONDS)
    >>> Hand(beaters(trumps_first, t) & Hand.parse("2S AD KD JD AC"))
    Hand('2S AD KD')
    """
    beating = above = t.trick ^ t.trick
    decided = beating != 0
    for kind in classes:
        mask = kind.mask(t) & (ALL ^ above)
        best = t.top(t.trick & mask)
        not_higher = t.pick(best != 0, best | best - 1, best)
        beating = t.pick(decided, beating, beating | mask & (ALL ^ not_higher))
        decided = decided | (best != 0)
        above = above | mask
    return beating


def deciding(classes: Iterable[WinnerClass], t: Table) -> tuple[int, str]:
    """The number of the card that wins the trick of one table, and the id of the class that decides: the why."""
    for kind in classes:
        mask = kind.mask
        best: int = t.trick & mask(t)
        if best:
            return best.bit_length() - 1, kind.rule
    raise ValueError("no class holds a card of the trick")


# ------------------------------------------------------------------------------------------------------------- score


@dataclass(frozen=True, slots=True)
class ScoreRule:
    """Points by side: ``points(t)`` on a table whose ``t.taken`` holds the cards taken by side.

    `cards` are the cards that a line shows; `shown` says by side whether there is a line (by default where there are
    points); `value` is a number by side that its sentence names (the card points that bring a bonus, say).
    """

    rule: str
    points: Callable[[Any], Sequence[Any]]
    cards: int = 0
    shown: Callable[[Any], Sequence[Any]] | None = None
    value: Callable[[Any], Sequence[Any]] | None = None


class Scoring:
    """All score rules of a variant; `find` puts on the table what several of them ask (who has shot the moon).

    Rules of `at_once` are asked after each trick, with only its cards on `t.taken`; what they give stays.
    """

    def __init__(
        self,
        rules: Iterable[ScoreRule],
        find: Callable[[Any], None] = lambda t: None,
        at_once: Iterable[ScoreRule] = (),
    ) -> None:
        self.rules = tuple(rules)
        self.find = find
        self.at_once = tuple(at_once)

    def scores(self, t: Any) -> list[Any]:
        """Points by side."""
        self.find(t)
        columns = [rule.points(t) for rule in self.rules] or [[0] * len(t.taken)]
        return list(map(sum, zip(*columns, strict=True)))
