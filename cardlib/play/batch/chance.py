"""Random cards out of thousands of hands at once."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from cardlib.play.batch.arrays import Masks


def _places() -> NDArray[np.uint8]:
    """Which bit of a lane is the one with so many set bits below it, at ``16 * lane + number``."""
    lanes = np.arange(1 << 15)
    places = np.zeros((1 << 15, 16), np.uint8)
    for bit in range(15):
        holders = lanes[lanes >> bit & 1 == 1]
        places[holders, np.bitwise_count(holders & (1 << bit) - 1)] = bit
    return places.ravel()


_PLACES = _places()
#: A byte for each of four lanes.
_BYTES, _HIGH = np.uint32(0x01010101), np.uint32(0x80808080)


def draw(rng: np.random.Generator, count: int) -> NDArray[np.uint32]:
    """Random numbers of 27 bits."""
    drawn = rng.integers(0, 1 << 64, count + 1 >> 1, np.uint64).view(np.uint32)
    drawn >>= np.uint32(5)
    return drawn[:count]


def random_bits(masks: Masks, draws: NDArray[np.uint32]) -> Masks:
    """One of the set bits of each mask, all equally likely (to 1 in 10 million).

    Of so many set bits the number `k` is wanted; running sums over the four lanes say in which lane it lies and as
    which there, and a table where that is.
    """
    sums = np.bitwise_count(masks.view(np.uint16)).view(np.uint32) * _BYTES
    k = sums >> np.uint32(24)
    k *= draws
    k >>= np.uint32(27)
    not_above = k * _BYTES  # the high bit of a byte stays where the sum is at most k
    not_above |= _HIGH
    not_above -= sums
    not_above &= _HIGH
    eighth = np.bitwise_count(not_above)
    eighth <<= np.uint8(3)
    sums <<= np.uint32(8)
    sums >>= eighth
    sums &= np.uint32(0xFF)
    k -= sums
    shift = eighth.astype(np.uint64)
    shift <<= np.uint64(1)
    lane = masks >> shift
    lane &= np.uint64(0xFFFF)
    lane <<= np.uint64(4)
    lane |= k
    shift += _PLACES[lane.view(np.int64)]
    bits: Masks = np.left_shift(np.uint64(1), shift)
    return bits
