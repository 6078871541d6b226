"""Quint: the invariants of its rule file that the common battery lacks, on random deals and random variants."""

import random

import pytest

from cardlib.cards import CLUBS, DIAMONDS, HEARTS, JOKER, SPADES, Hand
from cardlib.deal import GAMES, variant
from cardlib.errors import BadInput
from cardlib.games.quint import LIMIT, SCORING, QuintDeal, QuintTable
from cardlib.match import Match
from cardlib.play.quint import choose
from cardlib.record import load
from tests.engine.play_outs import dealt, facts_of, play_out, random_variant
from tests.engine.test_arrays import arrays_of

QUINT = GAMES["quint"]
VARIANTS = [*(variant(f"quint({name})") for name in QUINT.options.presets)]
VARIANTS += [random_variant(QUINT, random.Random(number)) for number in range(30)]
by_variant = pytest.mark.parametrize("variant", VARIANTS, ids=str)
RANKING = {"hearts-high": (SPADES, CLUBS, DIAMONDS, HEARTS), "as-printed": (SPADES, DIAMONDS, HEARTS, CLUBS)}


def deals(variant, count=12, **match):
    draw = random.Random(str(variant))
    for _ in range(count):
        deal = dealt(variant, draw)
        if match:
            deal = load({**deal.record(), "match": match})
        yield play_out(deal, draw)


def strength(variant, card):
    """The place of a card in the ranking, as the rule file writes it."""
    if card == JOKER:
        return -1
    suit = RANKING[variant.options.suit_order].index(card.suit.mask)
    return 13 * suit + card.rank - 2


@by_variant
def test_calls(variant):
    for deal in deals(variant, 30):
        calls = [str(move) for move in deal.moves[:4]]
        assert len(deal.calls) == 4
        assert calls.count("double") <= 1
        assert calls.count("redouble") <= 1
        if "redouble" in calls:
            by, doubled = calls.index("redouble"), calls.index("double")
            assert doubled < by
            assert doubled % 2 != by % 2
        if calls[3] == "double":
            assert 4 not in deal.table.factors


@by_variant
def test_the_highest_card_in_the_one_ranking_wins(variant):
    for deal in deals(variant):
        for event in deal.events:
            if event.kind == "TrickWon":
                best = max(event.facts["cards"], key=lambda card: strength(variant, card))
                assert event.facts["card"] == best != JOKER


@by_variant
def test_a_joker_in_hand_is_always_legal_but_when_it_may_not_be_led(variant):
    seen = 0
    for whole in deals(variant):
        deal = load(whole.record() | {"moves": []})
        for move in whole.moves:
            if deal.phase is deal.tricks and deal.hands[deal.turn] & JOKER.mask:
                waits = variant.options.joker_lead == "last-card-only" and not deal.trick
                alone = deal.hands[deal.turn] == JOKER.mask
                refusal = deal.refusal("JKR")
                assert (refusal is None) == (alone or not waits)
                assert refusal is None or refusal.rule == "quint.joker.lead"
                seen += 1
            deal.play(move)
    assert seen


@by_variant
def test_quints_and_tricks(variant):
    for deal in deals(variant):
        at_once = sum(line.points for line in deal.scored)
        lines = [line for line in deal.score_lines() if line.rule == "quint.score.tricks"]
        cards = [line.cards for line in deal.scored]
        assert len(cards) == len(set(cards))
        assert at_once <= 175
        if deal.table.played_out:
            assert at_once >= 75
            assert sum(deal.table.tricks) == 13
            assert sum(line.value for line in lines) == 13
            if variant.options.double_scope == "both":
                assert sum(line.points for line in lines) in (65, 130, 260)
        else:
            assert variant.options.mid_play_end == "immediate"
            assert lines == []
            totals = [a + b for a, b in zip(deal.match.totals, deal.scores(), strict=True)]
            assert totals.index(max(totals)) == deal.winner % 2
            assert deal.legal() == ()


@by_variant
def test_doubling_changes_neither_quints_nor_cards(variant):
    for deal in deals(variant, 6):
        cards = deal.moves[4:]
        if not deal.table.played_out:
            continue
        other = load(deal.record() | {"moves": ["pass", "double", "pass", "pass"]})
        for move in cards:
            other.play(move)
        assert [line[:4] for line in other.scored] == [line[:4] for line in deal.scored]


@by_variant
def test_a_swap_of_the_partnerships_swaps_all_scores(variant):
    for deal in deals(variant, 6):
        record = deal.record()
        match = {key: value[::-1] for key, value in deal.match.data().items()}
        hands = record["hands"]
        swapped = load(record | {"hands": [hands[-1], *hands[:-1]], "dealer": (deal.dealer + 1) % 4, "match": match})
        assert swapped.scores() == deal.scores()[::-1]
        assert swapped.settled.match.totals == deal.settled.match.totals[::-1]


def test_sudden_death_always_decides():
    chosen = variant("quint(tie_deal=sudden-death)")
    for deal in deals(chosen, 40, totals=[260, 260]):
        first, second = deal.scores()
        assert first != second
        assert not deal.table.played_out
        assert sum(deal.settled.match.games) == 1
        stopped = next(event for event in deal.events if event.kind == "Stopped")
        assert stopped.rule == "quint.end.tie-deal"


@pytest.mark.parametrize("code", ["", "length:single-game", "tie_at_250:drawn", "mid_play_end:finish-deal"])
def test_matches_come_to_an_end(code):
    chosen = variant(f"quint({code})")
    for seed in range(6):
        match = Match(chosen, seed)
        while not match.over:
            deal = match.deal()
            while not deal.over:
                deal.play(choose(deal.view(deal.turn)).move)
            match.add(deal)
            assert len(match.history) < 40
        assert match.result
        if chosen.options.length == "rubber":
            assert sorted(match.context.games)[1] == 2
            assert max(match.context.rubber_points) >= 100 + 2 * LIMIT


def test_nobody_sees_the_cachette_before_it_is_taken():
    deal = next(deals(variant("quint"), 1))
    start = load(deal.record() | {"moves": []})
    cachette = Hand(start.left_over)
    for move in deal.moves[:-1]:
        start.play(move)
        for seat in range(4):
            for event in start.view(seat).events:
                assert not cachette & sum(card.mask for card in event.facts.get("cards", ()))
    start.play(deal.moves[-1])
    if deal.table.played_out:
        assert any(event.kind == "Kitty" for event in start.view(0).events)


def test_the_score_rules_serve_many_tables():
    np = pytest.importorskip("numpy")
    draw, rules = random.Random(5), [*SCORING.at_once, *SCORING.rules]
    cards = list(Hand(QuintDeal.pack_of(variant("quint"))))
    tables = []
    for _ in range(400):
        t = QuintTable(taken=[int(Hand.of(draw.sample(cards, draw.randrange(6)))) for _ in range(2)])
        t.tricks = [draw.randrange(14) for _ in range(2)]
        t.factors = [draw.choice([1, 2, 4]) for _ in range(2)]
        t.played_out = draw.random() < 0.5
        tables.append(t)
    many = arrays_of(QuintTable)()
    many.taken = [np.array([t.taken[side] for t in tables], dtype=np.uint64) for side in range(2)]
    many.tricks = [np.array([t.tricks[side] for t in tables]) for side in range(2)]
    many.factors = [np.array([t.factors[side] for t in tables]) for side in range(2)]
    many.played_out = np.array([t.played_out for t in tables])
    for rule in rules:
        one = [list(rule.points(t)) for t in tables]
        assert np.array(rule.points(many)).T.tolist() == one, rule.rule
        assert any(any(points) for points in one)


def position(**keys):
    return {"game": "quint", "hands": ["9D", "8D", "7D", "6D"], "position": {"leader": 0, **keys}}


@pytest.mark.parametrize(
    ("record", "word"),
    [
        (position(factor=0), "factor"),
        (position(factor=True), "factor"),
        (position(factor=[2, 4]), "factor"),
        (position(factor=[2, 3]) | {"options": {"double_scope": "callers-side"}}, "factor"),
        (position(factor=[2]) | {"options": {"double_scope": "callers-side"}}, "factor"),
        (position(quints=[5]), "quints"),
        (position(quints=[-5, 0]), "quints"),
        (position(quints=[250, 0]), "quints"),
        (position(quints=[5, 0]) | {"match": {"totals": [245, 0]}}, "quints"),
        (position(tricks="many"), "tricks"),
        (position(trumps="S"), "trumps"),
        (position() | {"cachette": "KS QS JS TS 7S 6S"}, "cachette"),
        (position() | {"cachette": "9D"}, "9D"),
        (position() | {"cachette": ["KS"]}, "cachette"),
        (position() | {"match": {"totals": [-1, 0]}}, "totals"),
        (position() | {"match": {"totals": [260, 250]}}, "totals"),
        (position() | {"match": {"totals": [250, 250]}, "options": {"tie_at_250": "drawn"}}, "totals"),
        (position() | {"match": {"games": [1, 0]}, "options": {"length": "single-game"}}, "games"),
        (position() | {"match": {"games": [-1, 0]}}, "games"),
        (position() | {"match": {"rubber": [0, 0]}}, "rubber"),
        (position() | {"match": {"rubber_points": [1.5, 0]}}, "rubber_points"),
        (position() | {"moves": ["9D", "8D", "7D", "6D", "KS"]}, "quint.end.over"),
    ],
)
def test_bad_input_names_the_culprit(record, word):
    with pytest.raises(BadInput, match=word):
        load(record)


def test_a_position_may_be_an_extra_deal():
    record = position(tricks=[5, 5]) | {"match": {"totals": [250, 250]}}
    deal = load(record)
    assert facts_of(load(deal.record())) == facts_of(deal)
    assert deal.match.extra


def test_a_position_ends_at_once_if_a_quint_in_it_ends_the_game():
    record = {
        "game": "quint",
        "hands": ["5D 2S", "8D 3S", "7D 4S", "6D AS"],
        "position": {"leader": 0, "last_trick": False},
        "match": {"totals": [0, 235]},
    }
    deal = load(record | {"moves": ["5D", "8D", "7D", "6D"]})
    assert deal.finished
    assert deal.settled.match.games == (0, 1)
