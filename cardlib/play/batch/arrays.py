"""A table of arrays, on which the rule functions of the games judge thousands of deals at once."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cardlib.rules import Table

Masks = NDArray[np.uint64]


def _pick(condition: Any, a: Any, b: Any) -> Any:
    if isinstance(condition, bool):  # the same for all deals
        return a if condition else b
    if isinstance(a, int) and isinstance(b, int) and max(a, b) >= 1 << 63:  # two masks, no points
        a, b = np.uint64(a), np.uint64(b)
    return np.where(condition, a, b)


def _count(mask: Any) -> Any:
    return np.bitwise_count(mask).astype(np.int64)


def top(mask: Masks) -> Masks:
    """The highest bits, by way of the exponent of a float; between the lanes of a mask of cards there are always gaps,
    so rounding never reaches the next power of 2."""
    bits = mask.view(np.int64).astype(np.float64).view(np.int64)
    bits &= 0x7FF << 52
    return bits.view(np.float64).astype(np.int64).view(np.uint64)


class _Arrays:
    """What a table of arrays does otherwise than a table of ints."""

    __slots__ = ()
    pick = staticmethod(_pick)
    count = staticmethod(_count)
    top = staticmethod(top)

    def each(self, condition: Any, judge: Any, otherwise: Any) -> Any:
        result = np.full(condition.shape, otherwise)
        for i in np.flatnonzero(condition):
            result[i] = judge(self.one(int(i)))
        return result

    def one(self, i: int) -> Table:
        """The table of one of the deals, on ints."""
        kind = type(self).__mro__[2]
        assert issubclass(kind, Table)
        return kind(**{name: _item(value, i) for name, value in flags_of(self, kind)})


def arrays(kind: type[Table]) -> type[Any]:
    """The table of a game, on arrays."""
    return type(kind.__name__, (_Arrays, kind), {"__slots__": ()})


def flags_of(t: Any, kind: type[Table]) -> Iterator[tuple[str, Any]]:
    """The flags of a table that are set."""
    for base in kind.__mro__:
        for name in getattr(base, "__slots__", ()):
            if hasattr(t, name):
                yield name, getattr(t, name)


def _item(value: Any, i: int) -> Any:
    """A flag of one deal."""
    if isinstance(value, np.ndarray):
        return value.item(i)
    if isinstance(value, Mapping):
        return {key: _item(part, i) for key, part in value.items()}
    return [_item(part, i) for part in value] if isinstance(value, list) else value


def stacked(values: Sequence[Any], times: int, number: bool) -> Any:
    """A flag of several deals as an array, each deal so many times; a flag by side as a list of arrays."""
    first = values[0]
    if isinstance(first, Mapping):
        return {key: stacked([value[key] for value in values], times, number) for key in first}
    if isinstance(first, list | tuple):
        return [stacked(column, times, number) for column in zip(*values, strict=True)]
    if isinstance(first, bool):
        return np.repeat(np.array(values, np.bool_), times)
    if isinstance(first, int):
        return np.repeat(np.array(values, np.int64 if number else np.uint64), times)
    return first if all(value == first for value in values) else np.array([*values, None], object)[:-1]


def suit_of(cards: Masks) -> Masks:
    """The suit of each of the cards, as a mask; all cards for the joker, which sets none."""
    suits: Masks = ((cards.view(np.uint16) != 0) * np.uint16(0x7FFC)).view(np.uint64)
    return suits
