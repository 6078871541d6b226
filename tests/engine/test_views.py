"""A seat sees its own cards and what lies open, nothing else: no bot and no page can look further."""

import random

import pytest

import cardlib
from cardlib.cards import Card, Hand
from cardlib.deal import Event
from cardlib.errors import BadInput
from cardlib.phases.fishing import FishingView
from cardlib.record import load
from tests.engine.play_outs import dealt, play_out, some_move, variants
from tests.knowledge import known

VARIANTS = variants()
KITTIES = [
    cardlib.variant(f"hearts(players={players},leftover={way},pass_forward=true,bonus_card=JD,annul_only_hearts=true)")
    for players in (3, 5, 6, 7)
    for way in ("first-trick", "first-penalty", "pickup-first-trick", "pickup-first-penalty")
]


def cards_in(value):
    """Every card in what a view tells."""
    if isinstance(value, Card):
        return value.mask
    if isinstance(value, Hand):
        return int(value)
    if isinstance(value, Event):
        return cards_in(value.facts)
    if isinstance(value, dict):
        return cards_in(list(value.values()))
    if isinstance(value, (list, tuple)):
        mask = 0
        for inner in value:
            mask |= cards_in(inner)
        return mask
    return 0


def told(view):
    """All cards that a view names, in whatever way."""
    if isinstance(view, FishingView):
        lines = [line.facts for line in view.score_lines()]
        legal = [move.cards + move.takes for move in view.legal()]
        return cards_in([view.hand, view.table, view.taken, view.events, lines, legal])
    t = view.table
    masks = t.hand | t.trick | getattr(t, "low_club", 0)
    for mask in [*t.taken, *(line.cards for line in view.score_lines())]:
        masks |= mask
    legal = [move.cards for move, _ in zip(view.legal(), range(50), strict=False)]
    return masks | cards_in(
        [view.hand, view.taken, view.trick, view.best, view.events, [line.facts for line in view.score_lines()], legal]
    )


@pytest.mark.parametrize("variant", VARIANTS + KITTIES, ids=str)
def test_no_card_is_told_that_the_seat_may_not_know(variant):
    draw = random.Random(str(variant))
    for _ in range(2):
        deal, movers = dealt(variant, draw), []
        while True:
            for seat in range(deal.players) if deal.turn is None else draw.sample(range(deal.players), 2):
                seen = {str(card) for card in Hand(told(deal.view(seat)))}
                assert seen <= known(deal, movers, seat), deal.record()
            if deal.turn is None:
                break
            movers.append(deal.turn)
            move = some_move(deal, draw)
            if move.verb == "play":
                deal.push(move)
            else:
                deal.play(move)


@pytest.mark.parametrize("variant", VARIANTS[::6] + KITTIES, ids=str)
def test_hidden_cards_make_no_difference(variant):
    """Two deals that differ only in what a seat cannot see look the same to it."""
    draw = random.Random(str(variant))
    for _ in range(6):
        deal = dealt(variant, draw)
        if deal.phase.name != "pass":
            continue
        seat = draw.randrange(deal.players)
        hidden = [card for other, hand in enumerate(deal.hands) if other != seat for card in Hand(hand)]
        kitty = deal.left_over
        hidden += Hand(kitty)
        draw.shuffle(hidden)
        size = deal.hands[seat].bit_count()
        record = deal.record()
        for other in range(deal.players):
            if other != seat:
                record["hands"][other] = str(Hand.of(hidden.pop() for _ in range(size)))
        if kitty:
            record["kitty"] = str(Hand.of(hidden))
        twin = load(record)
        while deal.phase.name == "pass" and deal.turn != (deal.eldest - 1) % deal.players:
            if deal.turn == seat:
                move = some_move(deal, draw)
                deal.play(move)
                twin.play(move)
            else:
                # What the others give differs; that somebody forwards is heard by all.
                forwards = draw.random() < 0.3 and "forward" in deal.verbs and deal.refusal("forward") is None
                deal.play("forward" if forwards else deal.legal()[draw.randrange(5, 19)])
                twin.play("forward" if forwards else twin.legal()[draw.randrange(5, 19)])
            assert everything(deal.view(seat)) == everything(twin.view(seat))


def everything(view):
    t = view.table
    return (
        [view.turn, view.over, view.phase, view.hand, view.counts, view.dealer, view.match, view.options, view.seat],
        [str(move) for move, _ in zip(view.legal(), range(30), strict=False)],
        [view.trick, view.leader, view.number, view.led, view.best, view.taken],
        [view.events, view.score_lines(), view.scores()],
        [getattr(t, name, None) for kind in type(t).__mro__ for name in getattr(kind, "__slots__", ())],
    )


def test_who_is_not_on_turn_has_no_moves():
    deal = cardlib.deal("hearts", seed=1)
    other = deal.view((deal.turn + 1) % 4)
    assert len(other.legal()) == 0
    with pytest.raises(BadInput, match="not on turn"):
        other.refusal("2C")
    with pytest.raises(BadInput, match="not on turn"):
        other.refusal("nonsense")
    assert deal.view(deal.turn).refusal("2C").rule == "hearts.move.phase"
    for seat in (4, -1, "0", None, [1]):
        with pytest.raises(BadInput, match="seat"):
            deal.view(seat)


def test_a_view_leads_nowhere_else():
    view = cardlib.deal("hearts", seed=1).view(0)
    public = {name for name in dir(view) if not name.startswith("_")}
    assert public == {
        "best", "counts", "dealer", "events", "hand", "hands", "leader", "led", "legal", "match", "number", "options",
        "over", "phase", "players", "refusal", "score_lines", "scores", "seat", "shown", "table", "taken", "trick",
        "turn", "variant",
    }  # fmt: skip


def test_a_view_of_the_end_sees_all_that_is_scored():
    draw = random.Random(4)
    for variant in KITTIES:
        deal = play_out(dealt(variant, draw), draw)
        for seat in range(deal.players):
            view = deal.view(seat)
            if deal.table.ended:
                assert view.scores() == deal.scores()
                assert view.score_lines() == deal.score_lines()
                assert view.taken == deal.taken


def test_pick_up_discards_stay_face_down():
    """The winner of trick 1 takes the kitty into his hand and discards the queen: nobody else hears of it."""
    record = {
        "game": "hearts", "players": 5, "options": {"leftover": "pickup-first-trick"},
        "hands": ["3C 9D 8D", "4C 7D 6D", "5C 5D TD", "6C JD 4D", "7C KD 3D"],
        "kitty": "QS AH", "position": {"leader": 0},
    }  # fmt: skip
    deal = load(record)
    for card in ("3C", "4C", "5C", "6C", "7C"):
        deal.play(card)
    assert deal.phase.name == "discard"
    assert deal.turn == 4
    assert "QS" in str(deal.view(4).hand)
    assert deal.view(0).counts == [2, 2, 2, 2, 4]
    picked = deal.view(0).events[-1]
    assert (picked.kind, picked.rule) == ("Kitty", "hearts.kitty.pick-up")
    assert "cards" not in picked.facts
    assert deal.view(4).events[-1].facts["cards"] == Hand.parse("QS AH")
    deal.play("discard AH QS")
    assert deal.scores() == [0, 0, 0, 0, 14]
    assert deal.view(4).scores() == [0, 0, 0, 0, 14]
    assert deal.view(0).scores() == [0] * 5
    assert Hand.parse("QS AH") & deal.view(0).taken[4] == 0
    assert Hand.parse("QS AH") & deal.view(4).taken[4] == Hand.parse("QS AH")
    assert "cards" not in deal.view(2).events[-1].facts
    assert deal.view(2).events[-1].facts["count"] == 2


def test_a_pass_is_seen_by_giver_and_receiver_only():
    deal = cardlib.deal("hearts", seed=3)
    given = []
    for _ in range(4):
        move = deal.legal()[0]
        given.append((deal.turn, Hand(move.mask)))
        assert not any(event.kind == "Received" for event in deal.events)
        deal.play(move)
    for giver, cards in given:
        for seat in range(4):
            events = deal.view(seat).events
            gave = next(e for e in events if e.kind == "Gave" and e.facts["seat"] == giver)
            got = next(e for e in events if e.kind == "Received" and e.facts["source"] == giver)
            assert ("cards" in gave.facts) == (seat == giver)
            assert ("cards" in got.facts) == (seat in (giver, (giver + 1) % 4))
            assert got.facts.get("cards", cards) == cards
