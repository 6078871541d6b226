"""Obligations, winner classes and score lines: one rule text for one table and for many.

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

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Any

from cardlib.cards import ALL

#: A mask of cards, or an array of masks.  Rule functions work on both, so their values are not typed more narrowly.
Mask = Any


class Table:
    """The table of one deal, as the player to move sees it; games add flags of their own as attributes.

    `hand` the cards he holds · `led` the suit led as a mask, `ALL` when he leads · `leading` · `trick` the cards on
    the table · `trumps` · `number` of the trick, from 1.
    """

    def __init__(self, **facts: Any) -> None:
        self.hand = 0
        self.led = ALL
        self.leading = True
        self.trick = 0
        self.trumps = 0
        self.number = 1
        self.__dict__.update(facts)

    def __getattr__(self, name: str) -> Any:  # flags that games declare
        raise AttributeError(f"no flag {name!r} on this table")

    @staticmethod
    def pick(condition: Any, a: Mask, b: Mask) -> Mask:
        """`a` where the condition holds, else `b`."""
        return a if condition else b

    @staticmethod
    def narrow(choice: Mask, mask: Mask) -> Mask:
        """The cards of `choice` that are in `mask`; all of them if none is."""
        return choice & mask or choice

    @staticmethod
    def count(mask: Mask) -> Any:
        """How many cards a mask holds."""
        return mask.bit_count()

    @staticmethod
    def top(mask: Mask) -> Mask:
        """The mask of the highest bit (0 for an empty mask)."""
        return 1 << mask.bit_length() - 1 if mask else 0

    def copy(self) -> Table:
        return Table(**self.__dict__)


Rule = Callable[[Any], Mask]


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
        return (
            self.when is When.ALWAYS or (self.when is When.LEADING) == leading
        ) and self.first_trick in (None, first_trick)


@dataclass(frozen=True, slots=True)
class WinnerClass:
    """Cards that win a trick before those of the classes after it; the highest of them wins, for the reason `rule`."""

    rule: str
    mask: Rule


@dataclass(frozen=True)
class ScoreRule:
    """Points by side: ``points(t, side)`` on a table whose ``t.taken`` holds the cards taken by side.

    `cards` are the cards that the line shows; `when` says for which sides there is a line at all (by default where
    there are points).
    """

    rule: str
    points: Callable[[Any, int], Any]
    cards: int = 0
    when: Callable[[Any, int], Any] | None = None

    def shown(self, t: Any, side: int) -> Any:
        return self.when(t, side) if self.when else self.points(t, side) != 0


class Chain:
    """Obligations in the order in which they bind, sorted by the kind of play once and for all."""

    def __init__(self, obligations: Iterable[Obligation]) -> None:
        self.obligations = tuple(obligations)
        self._bound = {
            (leading, first): tuple(o for o in self.obligations if o.binds(leading, first))
            for leading in (False, True)
            for first in (False, True)
        }

    def __call__(self, leading: bool, first_trick: bool) -> tuple[Obligation, ...]:
        return self._bound[leading, first_trick]


def choices(chain: Sequence[Obligation], t: Any) -> Mask:
    """The legal cards: each obligation narrows the choice, unless nothing would be left."""
    choice = t.hand
    for obligation in chain:
        choice = t.narrow(choice, obligation.mask(t))
    return choice


def refusing(chain: Sequence[Obligation], t: Table, card: int) -> Obligation | None:
    """The first obligation that drops a card of the hand: the reason why it is refused (None: it is legal)."""
    choice = t.hand
    for obligation in chain:
        choice = t.narrow(choice, obligation.mask(t))
        if not choice >> card & 1:
            return obligation
    return None


def winning(classes: Sequence[WinnerClass], t: Any) -> Mask:
    """The mask of the card that wins the trick: the highest of the first class that holds a card of it."""
    best = t.trick ^ t.trick
    for kind in classes:
        best = t.pick(best == 0, t.top(t.trick & kind.mask(t)), best)
    return best


def deciding(classes: Sequence[WinnerClass], t: Table) -> WinnerClass:
    """The class that decides the trick, whose id is the why."""
    return next(kind for kind in classes if t.trick & kind.mask(t))
