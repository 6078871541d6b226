"""What the rule file of Ambition promises besides its checks (rule file, 7), and its rules on arrays."""

import random

import pytest

import cardlib
from cardlib.cards import Hand
from cardlib.deal import Deal
from cardlib.errors import BadInput
from cardlib.games.ambition import DIAMOND_THREE, STRIKES
from cardlib.match import Match
from cardlib.play.session import Session
from cardlib.record import load
from tests.engine.play_outs import dealt, play_out, presets, random_variant
from tests.engine.test_arrays import stacked

GAME = cardlib.GAMES["ambition"]
VARIANTS = [*presets(GAME), *(random_variant(GAME, random.Random(f"ambition {number}")) for number in range(60))]
by_variant = pytest.mark.parametrize("variant", VARIANTS, ids=str)


def deals(variant, count=6):
    draw = random.Random(str(variant))
    for _ in range(count):
        yield play_out(dealt(variant, draw), draw)


def tricks_of(deal):
    return [event.facts | {"why": event.rule} for event in deal.events if event.kind == "TrickWon"]


@by_variant
def test_totals_add_up(variant):
    for deal in deals(variant):
        assert sum(deal.totals()) == 83 + variant.options.last_trick_points
        assert sum(total > 52 for total in deal.totals()) <= 1
        assert sums_by_side(deal.counted_lines(), deal) == deal.totals()


def sums_by_side(lines, deal: Deal) -> list[int]:
    return [sum(line.points for line in lines if line.side == side) for side in range(deal.players)]


@by_variant
def test_the_three_of_diamonds_opens(variant):
    for deal in deals(variant):
        first = next(event for event in deal.events if event.kind == "Played")
        assert first.facts["card"].mask == DIAMOND_THREE


@by_variant
def test_who_wins_a_trick(variant):
    for deal in deals(variant):
        for facts in tricks_of(deal):
            if variant.options.two_rule != "any-card":
                assert facts["card"].suit == facts["led"]
            assert (facts["why"] == "ambition.trick.two-over-faces") == bool(facts.get("because"))
            if facts.get("because"):
                assert str(facts["card"])[0] == "2"
                assert all(str(card)[0] in "AKQJ" for card in facts["because"])


@by_variant
def test_marks_and_bonus(variant):
    options = variant.options
    for deal in deals(variant):
        before, after = deal.match, deal.settled.match
        marked = {int(event.facts["side"]): event.rule for event in deal.settled.events if event.kind == "Marked"}
        for seat in range(deal.players):
            rule = marked.get(seat)
            assert after.marks[seat] == before.marks[seat] + (rule in STRIKES)
            assert after.marks[seat] <= options.strikes_to_end
            if after.marks[seat] == options.strikes_to_end and options.fourth_under_strike == "pardoned":
                assert rule in ("ambition.score.strike", "ambition.score.second-big")
            assert after.bonus_used[seat] >= before.bonus_used[seat]
        over = max(after.marks) == options.strikes_to_end
        assert (deal.settled.result is not None) == over


@pytest.mark.parametrize("players", [3, 4])
def test_the_sheet_as_it_stands(players):
    """At default options: strikes, scores and the length of a game."""
    draw = random.Random(players)
    for _ in range(40):
        match = Match(cardlib.variant(f"ambition(players={players})"), seed=draw.getrandbits(64))
        while not match.over:
            deal = play_out(match.deal(), draw, logging=False)
            first_big = any(t > 52 and not used for t, used in zip(deal.totals(), deal.match.bonus_used, strict=True))
            struck = {event.rule for event in deal.settled.events if event.kind == "Marked"}
            struck &= {"ambition.score.strike", "ambition.score.second-big"}
            assert bool(struck) != first_big
            assert all(score in (0, 28, 35, 50) or 11 <= score <= 42 for score in deal.scores())
            match.add(deal)
        assert match.number <= 4 * players + 1
        assert match.result
        assert all(match.context.marks[seat] < 4 for seat in match.result)


@by_variant
def test_after_the_exchange_every_hand_has_its_size(variant):
    draw = random.Random(str(variant))
    deal = dealt(variant, draw)
    sizes = [hand.bit_count() for hand in deal.hands]
    while deal.phase.name == "pass":
        deal.play(deal.legal()[draw.randrange(20)])
    assert [hand.bit_count() for hand in deal.hands] == sizes
    assert sum(deal.hands) == deal.pack


def test_legal_moves_depend_on_nothing_hidden():
    draw = random.Random(5)
    deal = dealt(cardlib.variant("ambition"), draw)
    while deal.phase.name == "pass":
        deal.play(deal.legal()[0])
    while deal.turn is not None:
        legal = [str(move) for move in deal.legal()]
        others = [card for seat, hand in enumerate(deal.hands) if seat != deal.turn for card in Hand(hand)]
        twin = deal.copy()
        draw.shuffle(others)
        for seat, hand in enumerate(deal.hands):
            if seat != deal.turn:
                twin.hands[seat] = int(Hand.of(others.pop() for _ in range(hand.bit_count())))
        assert [str(move) for move in twin.legal()] == legal
        deal.play(draw.choice(legal))


@by_variant
def test_scores_on_arrays(variant):
    """Totals, scores and lines are the same for one table and for many."""
    pytest.importorskip("numpy")
    draw = random.Random(str(variant))
    deal = dealt(variant, draw)
    tables = []
    for _ in range(600):
        table = deal.table.copy()
        favoured, weight = draw.randrange(deal.players), draw.choice([0, 0.3, 0.7, 0.97, 1])
        table.taken = [0] * deal.players
        for card in Hand(deal.pack):
            seat = favoured if draw.random() < weight else draw.randrange(draw.randrange(deal.players) + 1)
            table.taken[seat] |= card.mask
        last = draw.randrange(deal.players)
        table.last = [seat == last for seat in range(deal.players)]
        table.bonus_used = [draw.random() < 0.4 for _ in range(deal.players)]
        table.ended = draw.random() < 0.9
        tables.append(table)
    many = stacked(type(tables[0]), tables, ("taken", "ended"))
    for name in ("last", "bonus_used"):
        by_seat = zip(*(getattr(table, name) for table in tables), strict=True)
        setattr(many, name, [as_flags(flags) for flags in by_seat])
    np = pytest.importorskip("numpy")
    got = [np.broadcast_to(side, len(tables)).tolist() for side in deal.scoring.scores(many)]
    expected = [deal.scoring.scores(table) for table in tables]
    assert [list(row) for row in zip(*got, strict=True)] == expected
    for rule in deal.scoring.rules:
        if rule.shown:
            shown = [np.broadcast_to(side, len(tables)).tolist() for side in rule.shown(many)]
            assert [list(row) for row in zip(*shown, strict=True)] == [list(rule.shown(table)) for table in tables]


def as_flags(flags):
    import numpy as np

    return np.array(flags, dtype=bool)


def test_the_last_trick_is_worth_two_more_once():
    """The points of the last trick belong to that trick alone, also in the story told afterwards."""
    for deal in deals(cardlib.variant("ambition"), 3):
        worth = [sum(line.points for line in deal.lines_of(f["cards"], f["seat"])) for f in tricks_of(deal)]
        assert sum(worth) == 85
        *_, last = [line for f in tricks_of(deal) for line in deal.lines_of(f["cards"], f["seat"])]
        assert last.rule == "ambition.points.last-trick"


def test_a_position_without_a_leader():
    hands = ["4D 5D 6D", "3D AD AS", "7D 8D 9D", "TD JD QD"]
    assert load({"game": "ambition", "hands": hands, "position": {}}).turn == 1
    for where in ({"trick_number": 2}, {"trick": "3D"}, {"taken": ["2S 3S 4S 5S", "", "", ""]}):
        held = hands if "trick" not in where else ["4D 5D", "AD AS 6D", "7D 8D 9D", "TD JD QD"]
        with pytest.raises(BadInput, match="leader"):
            load({"game": "ambition", "hands": held, "position": where})
    with pytest.raises(BadInput, match="leader"):
        load({"game": "ambition", "hands": ["4D", "5D", "6D", "7D"], "position": {}})


def test_a_session_is_resumed_with_marks_and_bonus():
    session = Session(cardlib.variant("ambition"), seed=8)
    for _ in range(3):
        while not session.deal.over:
            session.go_on()
            if not session.deal.over and session.deal.turn == 0:
                session.play(str(session.bot(session.deal.view(0)).move))
        session.next_deal()
    again = Session.resume(GAME, session.data())
    assert again.match.context == session.match.context
    assert sum(again.match.context.marks) > 0
    assert again.data() == session.data()
    assert set(session.data()["history"][0]) == {"points", "tricks"}
