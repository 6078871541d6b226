"""The shuffle is specified: the same seed gives the same deal on every machine and in every version."""

import hashlib
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

import cardlib
from cardlib.cards import PACK, Hand
from cardlib.errors import BadInput
from cardlib.seeds import Random, derived, parse_seed


def test_splitmix64_as_published():
    """The outputs that its authors' C code gives for the seed 1234567; below 2**64 they are the numbers drawn."""
    random = Random(1234567)
    drawn = [random.below(1 << 64) for _ in range(5)]
    assert drawn == [
        6457827717110365317,
        3203168211198807973,
        9817491932198370423,
        4593380528125082431,
        16408922859458223821,
    ]


def test_golden_deals():
    assert cardlib.deal("hearts", seed=17).record()["hands"] == [
        "AS QS TS 8S QH 8H 4H 3H KD 8D 2D TC 4C",
        "4S JH 6H 5H 2H AD QD TD 7D 5D 3D 8C 7C",
        "KS 9S 5S AH KH 9D AC KC 9C 6C 5C 3C 2C",
        "JS 7S 6S 3S 2S TH 9H 7H JD 6D 4D QC JC",
    ]
    assert cardlib.deal("hearts(players=5,leftover=first-trick)", seed=2**64 - 1).record() == GOLDEN_FIVE
    assert cardlib.deal("hearts(players=3)", seed="0").record()["hands"] == GOLDEN_THREE


GOLDEN_FIVE = {
    "game": "hearts",
    "options": {"leftover": "first-trick"},
    "players": 5,
    "hands": [
        "TH 8H 7H 3H AD 5D KC 8C 7C 4C",
        "AH JH 9H 9D 8D 3D AC TC 5C 2C",
        "7S 2S 5H 2H TD 7D 6D QC 9C 3C",
        "AS KS TS 5S KH QH 6H 4H 2D 6C",
        "QS 9S 8S 6S 4S 3S KD QD 4D JC",
    ],
    "kitty": "JS JD",
    "moves": [],
}
GOLDEN_THREE = [
    "QS JS 7S 5S 3S KH JH 9H 8H 6H 5H 2H KD QD AC KC 5C",
    "9S 6S 4S 2S 7H 4H 3H TD 7D 6D 5D 9C 8C 7C 4C 3C 2C",
    "AS KS TS 8S AH QH TH AD JD 9D 8D 4D 3D QC JC TC 6C",
]


@pytest.mark.parametrize("players", range(3, 9))
def test_golden_digest(players):
    text = ""
    for leftover in ("remove", "first-penalty"):
        for seed in range(50):
            deal = cardlib.deal(f"hearts(players={players},leftover={leftover})", seed=seed)
            text += "|".join(deal.dealt["hands"]) + deal.dealt.get("kitty", "")
    assert hashlib.sha256(text.encode()).hexdigest()[:16] == DIGESTS[players]


DIGESTS = {
    3: "d384b62d8bd4225c",
    4: "e7bb0210a5c90e57",
    5: "94474901443fd718",
    6: "f022e618e2c59ed8",
    7: "c241994d4d4f80b6",
    8: "36de3afede3823f0",
}


def test_golden_smoosh():
    deal = cardlib.deal("hearts(pass_cycle=left-across-right-smoosh)", seed=5, match={"deal": 3})
    while deal.phase.name == "pass":
        deal.play(deal.legal()[0])
    assert deal.record()["smoosh"] == GOLDEN_SMOOSH


GOLDEN_SMOOSH = ["9S 8S 7S", "KS TS 6S", "5S 3S KH", "AS QS JS"]


def test_every_card_comes_to_every_seat_alike():
    counts = [[0] * 4 for _ in range(64)]
    for seed in range(2000):
        for seat, hand in enumerate(cardlib.deal("hearts", seed=seed).hands):
            for card in Hand(hand):
                counts[card][seat] += 1
    chi = sum((count - 500) ** 2 / 500 for card in Hand(PACK) for count in counts[card])
    assert 90 < chi < 230  # 156 degrees of freedom


def test_numbers_below_are_even():
    draw = Random(3)
    counts = [0] * 7
    for _ in range(7000):
        counts[draw.below(7)] += 1
    assert all(880 < count < 1120 for count in counts)


def test_streams_and_deals_of_a_match_differ():
    assert derived(17, 0) == 17
    seeds = [derived(seed, number) for seed in (0, 1, 17) for number in range(200)]
    assert len(set(seeds)) == 600
    assert Random(1, "cards").below(1 << 60) != Random(1, "smoosh").below(1 << 60)


@given(st.integers(0, 2**64 - 1))
def test_a_seed_is_read_back(seed):
    assert parse_seed(seed) == parse_seed(str(seed)) == parse_seed(f" {seed} ") == seed


@pytest.mark.parametrize(
    "text",
    ["", "x", "-1", "1.5", "1e3", "0x10", "１７", "²", "1 2", str(2**64), "9" * 5000, -1, 2**64, 10**5000, 1.0, True,
     None, [], float("nan"), b"1"],
    ids=lambda text: type(text).__name__,
)  # fmt: skip
def test_no_seed(text):
    with pytest.raises(BadInput, match="seed"):
        parse_seed(text)


@given(st.text())
def test_any_text_is_a_seed_or_bad_input(text):
    try:
        assert 0 <= parse_seed(text) < 2**64
    except BadInput as error:
        assert error.code == "seed"


def test_shuffled_leaves_the_list_alone():
    things = list(range(10))
    assert sorted(Random(1).shuffled(things)) == things == list(range(10))
    assert random.Random(1).random() == random.Random(1).random()
