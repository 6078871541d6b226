"""Batch and table are the same, move by move; the whole comparison is in `tests/bench/bench_batch.py`."""

import random
import subprocess
import sys
from collections import Counter

import pytest

import cardlib
from cardlib.cards import HEARTS, PACK, SPADES, SUIT_MASKS, Suit, cards_of
from cardlib.deal import GAMES
from cardlib.errors import BadInput
from cardlib.games.quodlibet import ROUND
from cardlib.games.solo_whist import BIDS, MISERY
from cardlib.options import Variant
from cardlib.record import load

np = pytest.importorskip("numpy")

from cardlib.play import batch as module  # noqa: E402
from cardlib.play.batch import BY_CONTRACT, TABLE_ONLY, Batch, arrays, chance, together  # noqa: E402
from tests.play.lockstep import at_play, compare, each_option, for_batch, groups, mixtures, moons  # noqa: E402


@pytest.mark.parametrize("game", TABLE_ONLY)
def test_the_same_as_the_table(game):
    draw, rng = random.Random(game), np.random.default_rng(7)
    variants = [variant for variant in [*each_option(), *mixtures(10)] if variant.game.id == game]
    positions = 0
    for number, variant in enumerate(draw.sample(variants, min(len(variants), 24))):
        for deals in groups(variant, draw, 12 if game in BY_CONTRACT else 2, declared=number % 2 == 0):
            positions += compare(deals, Batch.of(deals), rng)
    assert positions > 1000


CONTRACTS = {
    "quodlibet": {name for name in ROUND if name != "snack"},
    "solo-whist": {*BIDS, MISERY},
}


@pytest.mark.parametrize("game", sorted(BY_CONTRACT))
def test_every_contract_is_the_same_as_on_the_table(game):
    draw, rng = random.Random(game), np.random.default_rng(7)
    seen = set()
    for options in ("", "all_pass=misery-last-trick,early_finish=true" if game == "solo-whist" else "bribery_tie=all"):
        for deals in groups(cardlib.variant(f"{game}({options})"), draw, 150, declared=True):
            compare(deals, Batch.of(deals), rng)
            seen.add(deals[0].contract if game == "quodlibet" else deals[0].contract.bid)
    assert seen == CONTRACTS[game]


def test_a_contract_that_is_decided_ends_early():
    draw, rng = random.Random(5), np.random.default_rng(7)
    early = Counter()
    for deals in groups(cardlib.variant("solo-whist(early_finish=true,overtricks=none)"), draw, 200, declared=True):
        compare(deals, Batch.of(deals), rng)
        early[deals[0].contract.bid] += sum(any(deal.hands) for deal in deals)
    assert all(early[bid] for bid in ("misere", "misere-ouverte", "declaree", "solo"))


@pytest.mark.parametrize("mode", ["self", "others", "others-unless-losing"])
@pytest.mark.parametrize("others", ["", ",sun=true,no_tricks=-5", ",moon_requires=all-tricks,end_score=80"])
def test_moons(mode, others):
    draw, rng = random.Random(mode), np.random.default_rng(7)
    shot, for_others = 0, set()
    for players in (3, 4):
        variant = cardlib.variant(f"hearts(players={players},moon_mode={mode}{others})")
        deals = list(moons(variant, draw, 60))
        compare(deals, Batch.of(deals), rng)
        shot += sum(any(deal.table.shooter) for deal in deals)
        for_others |= {deal.table.others_pay for deal in deals if any(deal.table.shooter)}
    assert shot > 10
    assert for_others == {"self": {False}, "others": {True}, "others-unless-losing": {False, True}}[mode]


def test_a_game_of_quint_ends_in_mid_play():
    draw, rng = random.Random(1), np.random.default_rng(7)
    variant = cardlib.variant("quint(tie_deal=sudden-death)")
    deals = [at_play(variant, draw, declared=False) for _ in range(60)]
    batch = Batch.of(deals)
    compare(deals, batch, rng)
    early = [any(deal.hands) for deal in deals]
    assert 10 < sum(early) < 55
    assert batch.over.all()


@pytest.mark.parametrize("variant", [v for v in each_option() if v.game.id not in BY_CONTRACT][::9], ids=str)
def test_dealing(variant):
    batch = Batch(variant, 500, seed=3)
    model = cardlib.deal(variant)
    sizes = {hand.bit_count() for hand in model.hands}
    assert set(np.bitwise_count(batch.hands).ravel().tolist()) == sizes
    dealt = np.bitwise_or.reduce(batch.hands, axis=1)
    aside = np.concatenate([part.aside for part in batch._parts])
    assert set((dealt | aside).tolist()) == {model.pack}
    assert not (dealt & aside).any()
    assert (batch.hands == Batch(variant, 500, seed=3).hands).all()
    assert (batch.hands != Batch(variant, 500, seed=4).hands).any()
    assert np.unique(batch.hands).size > 1000
    batch.play_out()
    assert batch.finished
    assert batch.over.all()
    assert (np.bitwise_or.reduce(batch.taken, axis=1)[~early(batch)] == model.pack).all()


#: How a game begins its play with nothing said before, and where what is set aside stands in a record.
BEGINNINGS = {
    "hearts(players=5,leftover=first-penalty)": ({"match": {"deal": 2}}, "kitty"),
    "hearts(opening=dealer-left)": ({"match": {"deal": 3}}, ""),
    "quint": ({"moves": ["pass"] * 4}, "cachette"),
    "spady": ({}, ""),
    "spady(players=3)": ({}, ""),
    "ambition": ({"match": {"deal": 3}}, ""),
}


@pytest.mark.parametrize("text", BEGINNINGS)
def test_its_own_deals_are_deals_of_the_table(text):
    variant = cardlib.variant(text)
    begins, aside = BEGINNINGS[text]
    batch = Batch(variant, 20, seed=9)
    part, deals = batch._parts[0], []
    for i, hands in enumerate(batch.hands.tolist()):
        record = {"game": variant.game.id, "players": variant.players, "options": variant.options.changed(), **begins}
        record["hands"] = [str(cardlib.Hand(hand)) for hand in hands]
        if aside:
            record[aside] = str(cardlib.Hand(part.aside.item(i)))
        if variant.game.id == "spady":
            record["trump"] = str(Suit(SUIT_MASKS.index(part.t.trumps.item(i))))
        deals.append(load(record))
    assert compare(deals, batch, np.random.default_rng(1)) > 500


def test_the_card_at_the_cut_makes_trumps():
    batch = Batch("spady(reshuffle_after_cut=false)", 200, seed=2)
    trumps = batch._parts[0].t.trumps
    assert set(trumps.tolist()) == set(SUIT_MASKS)
    assert (batch.hands[:, 3] & trumps != 0).all()  # it is the dealer's


def early(batch):
    return np.concatenate([part.over for part in batch._parts])


def test_every_card_comes_to_every_seat():
    hands = Batch("hearts", 20000, seed=5).hands
    for bit in (2, 14, 20, 62):
        for seat in range(4):
            assert 4700 < (hands[:, seat] >> np.uint64(bit) & np.uint64(1)).sum() < 5300


def test_parts_do_not_matter(monkeypatch):
    rng = np.random.default_rng(3)
    monkeypatch.setattr(module, "PART", 7)
    draw = random.Random(4)
    variant = cardlib.variant("hearts(players=5,leftover=first-penalty)")
    deals = [at_play(variant, draw, declared=False) for _ in range(16)]
    assert compare(deals, Batch.of(deals), rng) == 16 * 50


def test_random_cards_are_uniform():
    masks = np.full(60000, int(cardlib.Hand.parse("AS 2S TH 9H 8H KC")) | 1, np.uint64)
    bits = chance.random_bits(masks, chance.draw(np.random.default_rng(2), masks.size))
    counts = Counter(bits.tolist())
    assert sum(counts) == int(masks[0])
    assert all(abs(count - 60000 / 7) < 400 for count in counts.values())
    each = np.array([card.mask for card in cards_of(PACK | 1)], np.uint64)
    assert (chance.random_bits(each, chance.draw(np.random.default_rng(2), each.size)) == each).all()
    assert (arrays.top(each | np.uint64(1)) == each).all()
    assert (arrays.top(each | each - np.uint64(1) & np.uint64(PACK)) == each).all()
    assert arrays.top(np.zeros(1, np.uint64)).tolist() == [0]


def test_all_trumps_annul_a_deal_of_spady():
    batch = Batch("spady(opening_all_trumps=redeal)", 2)
    t = batch._parts[0].t
    t.trumps = np.array([SPADES, HEARTS], np.uint64)
    assert t.void(batch.variant.options, np.array([SPADES, SPADES], np.uint64)).tolist() == [True, False]
    batch._parts[0].over[:] = [True, False]
    batch.play_out()
    scores = batch.scores().tolist()
    assert scores[0] == [0, 0]
    assert batch.taken[0].tolist() == [0, 0]


@pytest.mark.parametrize("game", TABLE_ONLY)
def test_what_stays_with_the_table(game):
    plain = Variant.of(GAMES[game], GAMES[game].players[0])
    for name, values in TABLE_ONLY[game].items():
        for value in values:
            with pytest.raises(BadInput, match=name):
                Batch(plain.with_value(name, value), 5)
    assert for_batch(plain)
    if game == "hearts":  # nothing is left over, nobody picks up
        assert for_batch(cardlib.variant("hearts(leftover=pickup-first-trick)"))


def quodlibet(move):
    deal = cardlib.deal("quodlibet", seed=1)
    deal.play(move)
    return deal


def test_bad_input():
    with pytest.raises(BadInput, match="primer"):
        Batch("primer", 5)
    with pytest.raises(BadInput, match="n cannot be 0"):
        Batch("hearts", 0)
    with pytest.raises(BadInput, match="no deals"):
        Batch.of([])
    one, other = (cardlib.deal("hearts", seed=seed, match={"deal": 3}) for seed in (1, 2))
    Batch.of([one, other])
    other.play(other.legal()[0])
    with pytest.raises(BadInput, match="equally far"):
        Batch.of([one, other])
    with pytest.raises(BadInput, match="play of a card"):
        Batch.of([cardlib.deal("hearts")])
    with pytest.raises(BadInput, match=r"by contracts.*Batch\.of"):
        Batch("quodlibet", 5)
    minus, plus = (quodlibet(f"contract {name}") for name in ("minus", "plus"))
    with pytest.raises(BadInput, match="same contract"):
        Batch.of([minus, plus])
    again = quodlibet("contract minus")
    assert [len(group) for group in together([minus, plus, again])] == [2, 1]
    with pytest.raises(BadInput, match="one variant"):
        Batch.of([one, cardlib.deal("hearts(windows)", match={"deal": 3})])
    batch = Batch("hearts", 3)
    with pytest.raises(BadInput, match="3 masks"):
        batch.play(np.zeros(2, np.uint64))
    with pytest.raises(BadInput, match=r"deal 1 .*AH"):
        batch.play(np.array([1 << 50, 1 << 30, 1 << 50], np.uint64))
    batch.play(batch.legal())
    batch.play_out()
    for move in (batch.legal, batch.random_cards):
        with pytest.raises(BadInput, match="over"):
            move()


def test_without_numpy():
    code = "import sys; sys.modules['numpy'] = None; import cardlib.play.batch"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert "ImportError: cardlib.play.batch computes with NumPy" in done.stderr
    assert "pip install numpy" in done.stderr
