"""Matches: deal after deal from one seed, the dealer, the totals, the end."""

import random

import pytest

import cardlib
from cardlib.errors import BadInput
from cardlib.match import Match
from cardlib.record import load
from tests.engine.play_outs import play_out, variants


def test_the_same_seed_gives_the_same_match():
    draw = random.Random(1)
    one, other = (Match(cardlib.variant("hearts(players=5)"), seed="17", dealer=2) for _ in range(2))
    for _ in range(6):
        deal = one.deal()
        assert deal.record() == other.deal().record()
        play_out(deal, draw)
        assert one.add(deal) == other.add(load(deal.record()))
    assert (one.dealer, one.number, one.context) == (other.dealer, other.number, other.context)
    assert one.deal().direction == ["left", "right", "none"][one.context.deal % 3]


def test_deals_of_a_match_differ():
    match, draw, seen = Match(cardlib.variant("hearts(game_end=open)"), seed=3), random.Random(1), set()
    for number in range(12):
        deal = match.deal()
        assert deal.direction == ["left", "across", "right", "none"][number % 4]
        assert deal.dealer == (3 + number) % 4
        seen.add(str(deal.record()["hands"]))
        match.add(play_out(deal, draw, logging=False))
    assert len(seen) == 12


@pytest.mark.parametrize("variant", variants(20), ids=str)
def test_a_match_is_restored_from_its_outcomes(variant):
    draw = random.Random(str(variant))
    match = Match(variant, seed=draw.getrandbits(64))
    history = []
    while not match.over and match.number < 12:
        deal = play_out(match.deal(), draw, logging=False)
        match.add(deal)
        history.append(None if match.history[-1].void else deal.outcome())
    again = Match(variant, seed=match.seed)
    again.restore(history)
    assert (again.dealer, again.number, again.context, again.result) == (
        match.dealer,
        match.number,
        match.context,
        match.result,
    )
    assert [counted.scores for counted in again.history] == [counted.scores for counted in match.history]


def test_a_match_checks_its_arguments():
    for wrong in (4, -1, "0", True):
        with pytest.raises(BadInput, match="dealer"):
            Match(cardlib.variant("hearts"), dealer=wrong)
    for wrong in ("x", -1, 1.5, None):
        with pytest.raises(BadInput, match="seed"):
            Match(cardlib.variant("hearts"), seed=wrong)
