"""The same random deals in OpenSpiel's Hearts (its rules are the preset `openspiel`): the same legal cards, points."""

import random

import pytest

import cardlib
from cardlib.cards import Hand
from cardlib.record import load

pyspiel = pytest.importorskip("pyspiel")
#: Their option -> ours, with what is ours when it is off.
OPTIONS = {
    "jd_bonus": ("bonus_card", "JD", "none"),
    "can_lead_any_club": ("opening", "any-club", "low-club"),
    "must_break_hearts": ("hearts_lead", "broken", "free"),
    "qs_breaks_hearts": ("break_by", "heart-or-queen", "heart"),
    "can_lead_hearts_instead_of_qs": ("lead_heart_with_queen", True, False),
    "no_pts_on_first_trick": ("no_penalty_first_trick", True, False),
    "avoid_all_tricks_bonus": ("no_tricks", -5, 0),
}


@pytest.mark.parametrize("number", range(128))
def test_the_same_as_openspiel(number):
    draw = random.Random(number)
    on = {name: bool(number >> bit & 1) for bit, name in enumerate(OPTIONS)}
    theirs = pyspiel.load_game("hearts", {"pass_cards": False, **on})
    options = {"moon_mode": "others"}
    options |= {name: value if on[key] else off for key, (name, value, off) in OPTIONS.items()}
    for _ in range(4):
        state = theirs.new_initial_state()
        state.apply_action(0)
        hands = [[] for _ in range(4)]
        for card in range(52):
            action = draw.choice(state.legal_actions())
            hands[card % 4].append(state.action_to_string(action).split()[-1])
            state.apply_action(action)
        record = {"game": "hearts", "options": options, "hands": [" ".join(hand) for hand in hands]}
        deal = load(record | {"match": {"deal": 3}})
        while deal.turn is not None:
            assert deal.turn == state.current_player()
            legal = {state.action_to_string(action): action for action in state.legal_actions()}
            assert set(legal) == {str(move) for move in deal.legal()}
            card = draw.choice(sorted(legal))
            state.apply_action(legal[card])
            deal.play(card)
        assert state.is_terminal()
        # Theirs are gains, from a base that is the same for all.
        gains, points = state.returns(), deal.scores()
        assert [gains[0] - gain for gain in gains] == [point - points[0] for point in points]


def test_names_are_the_same():
    assert [str(card) for card in Hand.parse("TH 2C")] == ["TH", "2C"]
    assert cardlib.variant("hearts(openspiel)").options.no_penalty_first_trick
