"""Random numbers that are the same on every machine and in every version.

The generator is SplitMix64 (G. Steele, D. Lea, C. Flood, "Fast splittable pseudorandom number generators", OOPSLA
2014): a 64-bit counter that grows by the golden ratio, each value mixed by two xor-shift-multiply steps.  Numbers
below `n` are drawn by rejection, so none is favoured; a shuffle goes from the last place down and swaps each place
with one at or below it (Durstenfeld's form of the Fisher-Yates shuffle).

>>> random = Random(17)
>>> [random.below(52) for _ in range(5)]
[27, 45, 48, 23, 34]
"""

from __future__ import annotations

from typing import TypeVar

from cardlib.errors import BadInput, raw, shortly

_64 = (1 << 64) - 1
_GOLDEN = 0x9E3779B97F4A7C15
T = TypeVar("T")


def _mixed(z: int) -> int:
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9 & _64
    z = (z ^ z >> 27) * 0x94D049BB133111EB & _64
    return z ^ z >> 31


class Random:
    """A stream of numbers from a seed; streams of one seed with different names are independent of each other."""

    def __init__(self, seed: int, stream: str = "") -> None:
        self._state = seed
        for letter in stream.encode():
            self._state = _mixed(self._state ^ letter)

    def below(self, n: int) -> int:
        """A number from 0 to n - 1, each equally likely."""
        limit = (1 << 64) - (1 << 64) % n
        while True:
            self._state = (self._state + _GOLDEN) & _64
            value = _mixed(self._state)
            if value < limit:
                return value % n

    def shuffled(self, things: list[T]) -> list[T]:
        """A new list with the things in random order."""
        things = list(things)
        for place in range(len(things) - 1, 0, -1):
            other = self.below(place + 1)
            things[place], things[other] = things[other], things[place]
        return things


def derived(seed: int, number: int) -> int:
    """The seed of deal `number` (from 0) of a match; deal 0 has the seed of the match itself.

    >>> derived(17, 0), derived(17, 1) == derived(17, 1), derived(17, 1) == derived(17, 2)
    (17, True, False)
    """
    return seed if number == 0 else _mixed(seed ^ _mixed(number))


def parse_seed(text: object) -> int:
    """A seed as written by people: a whole number from 0 to 2**64 - 1, or `BadInput`.

    >>> parse_seed("17")
    17
    >>> parse_seed("-1")
    Traceback (most recent call last):
    cardlib.errors.BadInput: the seed '-1' is not a whole number from 0 to 18446744073709551615
    """
    digits = text.strip() if isinstance(text, str) else str(text) if type(text) is int and 0 <= text <= _64 else ""
    if not (digits.isascii() and digits.isdigit() and len(digits) <= 20 and int(digits) <= _64):
        raise BadInput("seed", f"the seed {shortly(text)} is not a whole number from 0 to {_64}", seed=raw(text))
    return int(digits)
