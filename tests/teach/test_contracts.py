"""Exercises on contracts and on shedding: what is right, and what each kind of mistake is told."""

import pytest

import cardlib
from cardlib.cards import Card
from cardlib.games.quodlibet_contracts import ROUNDS
from cardlib.seeds import Random
from cardlib.teach.contracts import count_trick, count_tricks, under_contracts, whole_deal
from cardlib.teach.rounds import choose_contract, lowest_total, mark_mine, mark_slots, who_deals_next
from cardlib.teach.shedding import choose_turn, count_exit, mark_fitting, mark_pile
from cardlib.text import messages

SHEET = cardlib.variant("quodlibet")


def task(exercise, **options):
    return exercise.task(cardlib.variant(f"quodlibet({','.join(f'{k}={v}' for k, v in options.items())})"))


def numbers(*points):
    return {str(seat): str(number) for seat, number in enumerate(points)}


def told(exercise, answer):
    """The message ids with which an answer is told to be wrong."""
    verdict = task(exercise).check(answer)
    assert not verdict.solved
    return [reply.id for reply in verdict.replies]


# The examples of the rule sheet.
@pytest.mark.parametrize(
    ("exercise", "points"),
    [
        (count_tricks("plus", (0, 0, 1, 2, 2, 0, 1, 2)), (-30, -20, -30, 100)),
        (count_tricks("minus", (0, 0, 1, 2, 2, 0, 1, 2)), (30, 20, 30, 0)),
        (count_tricks("minus", (1,) * 8), (0, 100, 0, 0)),
        (count_tricks("bad-neighbor", (0, 0, 1, 2, 2, 0, 1, 2)), (0, 30, 20, 30)),
        (count_tricks("first-three-and-last", (1, 1, 2, 0, 3, 3, 0, 1)), (0, 80, 30, 0)),
        (count_tricks("quadrature", (1, 1, 2, 0, 3, 3, 0, 1)), (-40, -80, 0, 0)),
        (count_trick("red-ruffians", "QD KD AD KH"), (0, 0, 0, 100)),
        (count_trick("no-hearts", "9H 8H TH KS"), (0, 0, 0, 60)),
        (count_trick("queens-jacks", "QS JS 9S AS"), (150, 0, 0, 0)),
        (count_trick("bribery", "TC KC 8C 9C"), (0, 0, 30, 20)),
        (count_trick("bribery", "8H KD JC 9S", leader=0), (150, 0, 0, 0)),
        (count_exit((0, 1, 4, 3), who=0), (0, 10, 40, 30)),
        (count_exit((0, 0, 5, 2), who=1, out=(0,), owed=(0, 10, 40, 30)), (0, 10, 140, 70)),
        (count_exit((0, 0, 4, 0), who=3, out=(0, 1), owed=(0, 10, 140, 70), piles=2), (0, 10, 380, 70)),
    ],
)
def test_points(exercise, points):
    asked = task(exercise)
    assert asked.solution() == numbers(*points)
    assert asked.check(numbers(*points)).solved


def test_the_contract_decides_who_is_glad():
    asked = task(under_contracts("plus minus bad-neighbor red-ruffians", "QD KD AD KH"))
    assert asked.scores == [-10, 10, 0, 100]
    verdict = asked.check(asked.solution())
    rules = [reply.rule for reply in verdict.replies if reply.id == "reply under line"]
    assert rules == [
        "quodlibet.plus.trick",
        "quodlibet.minus.trick",
        "quodlibet.bad-neighbor.points",
        "quodlibet.red-ruffians.both",
    ]


def test_one_deal_is_counted_under_every_contract():
    names = "plus minus bad-neighbor first-three-and-last quadrature"
    asked = task(whole_deal(names, seed=5))
    won = [int(event.facts["seat"]) for event in asked.tricks]
    counted = [task(count_tricks(name, tuple(won))).scores[0] for name in names.split()]
    assert asked.scores == counted
    assert asked.check(asked.solution()).solved


@pytest.mark.parametrize(
    ("exercise", "answer", "id"),
    [
        # the points of another contract, written down for the wrong player, or by other rules
        (count_tricks("bad-neighbor", (0, 0, 1, 2, 2, 0, 1, 2)), numbers(30, 20, 30, 0), "reply contract other"),
        (count_tricks("minus", (1,) * 8), numbers(0, 180, 0, 0), "reply contract reading"),
        (count_trick("red-ruffians", "QD KD AD KH"), numbers(100, 0, 0, 0), "reply one-trick owner"),
        (count_trick("no-hearts", "JH QH KH AH"), numbers(140, 0, 0, 0), "reply contract reading"),
        (count_trick("queens-jacks", "QS JS 9S AS"), numbers(50, 0, 0, 0), "reply one-trick wrong"),
        (
            under_contracts("plus minus bad-neighbor red-ruffians", "QD KD AD KH"),
            numbers(10, 10, 0, 100),
            "reply under sign",
        ),
        # what was paid before is forgotten, or what lies there
        (
            count_exit((0, 0, 5, 2), who=1, out=(0,), owed=(0, 10, 40, 30)),
            numbers(0, 10, 100, 70),
            "reply exit only now",
        ),
        (
            count_exit((0, 0, 4, 0), who=3, out=(0, 1), owed=(0, 10, 140, 70), piles=2),
            numbers(0, 10, 260, 70),
            "reply exit piles",
        ),
        (count_exit((0, 1, 4, 3), who=0), numbers(0, 1, 4, 3), "reply exit wrong"),
    ],
)
def test_each_kind_of_mistake_has_its_own_answer(exercise, answer, id):
    assert told(exercise, answer)[0] == id


def test_contracts_are_chosen_from_those_left():
    exercise = choose_contract("open-trousers good-hunting snack", seed=4)
    assert task(exercise).right == {"contract open-trousers", "contract good-hunting"}
    assert told(exercise, ["contract snack"]) == ["refusal quodlibet.choose.snack-last"]
    assert told(exercise, ["contract quadrature"]) == ["refusal quodlibet.choose.once"]
    assert told(exercise, ["contract plus"]) == ["refusal quodlibet.choose.this-round"]
    assert told(exercise, ["contract open-trousers"]) == ["reply name-contract missed"]


@pytest.mark.parametrize(("left", "dealer"), [("", "2"), ("minus", "3")])
def test_who_deals_next(left, dealer):
    exercise = who_deals_next("red-ruffians", dealer=2, totals=(80, 20, 140, 10), scores=(0, 50, 0, 30), left=left)
    assert task(exercise).right == {dealer}
    assert told(exercise, ["nobody"]) == ["reply next-dealer on"]
    assert told(exercise, ["0"]) == ["reply next-dealer wrong" if left else "reply next-dealer not-highest"]
    other = ["2", "reply next-dealer within"] if left else ["3", "reply next-dealer new-round"]
    assert told(exercise, other[:1]) == other[1:]


def test_nobody_deals_after_the_last_deal():
    assert told(who_deals_next("snack", 2, (0, 0, 0, 0), (0, 10, 20, 30)), ["3"]) == ["reply next-dealer over"]
    assert task(who_deals_next("snack", 2, (0, 0, 0, 0), (0, 10, 20, 30))).right == {"nobody"}


def test_the_lowest_total_wins():
    exercise = lowest_total("snack", totals=(350, 240, 830, -40), scores=(20, 0, 40, 20))
    assert task(exercise).right == {"3"}
    assert told(exercise, ["2"]) == ["reply highest"]
    assert told(exercise, ["1"]) == ["reply winners not lowest"]
    assert told(lowest_total("snack", (0, 0, 50, 60), (10, 10, 0, 0)), ["0"]) == ["reply winners shared"]
    assert task(lowest_total("snack", (0, 0, 50, 60), (10, 10, 0, 0))).right == {"0", "1"}


def test_what_nobody_else_holds_is_mine():
    asked = task(mark_mine("open-trousers", "H", seed=3))
    seen = [card for hand in asked.deal.exposed(0) for card in cardlib.Hand(hand)]
    assert not any(card in seen for card in asked.legal)
    assert set(asked.hand) <= set(asked.legal) | set(seen)
    other = next(str(card) for card in asked.hand if card in seen)
    assert told(mark_mine("open-trousers", "H", seed=3), [other]) == ["reply mine seen"]


@pytest.mark.parametrize("seed", range(1, 6))
def test_where_one_may_play_without_seeing(seed):
    """Anywhere; where suit must be followed the places of the suit led, of which no card is told."""
    exercise = mark_slots("open-trousers", seed=seed)
    free, bound = task(exercise), task(exercise, trousers_follow="must")
    assert free.solution() == free.hand == bound.hand
    held = [card for card in cardlib.Hand(bound.deal.hands[0]) if card.suit == bound.deal.trick[0].suit]
    assert len(bound.solution()) == (len(held) or len(bound.hand))
    for slot in bound.hand:
        if slot not in bound.solution():
            reply = bound.check([slot]).replies[0]
            assert reply.rule == "quodlibet.trick.follow"
            assert "card" not in reply.facts
    assert told(exercise, free.hand[:1]) == ["reply slots missed"]


def test_what_fits_a_row():
    exercise = mark_fitting({"H": "J-J", "S": "J-J", "D": "J-J"}, "9S QH JC KS")
    assert task(exercise).solution() == ["QH", "JC"]
    assert told(exercise, ["9S"]) == ["refusal quodlibet.snack.build-outwards"]
    assert told(mark_fitting({"H": "J-J"}, "9S QH"), ["9S"]) == ["refusal quodlibet.snack.row-needs-jack"]


@pytest.mark.parametrize(
    ("rows", "hand", "piles", "options", "right"),
    [
        ({"H": "J-J"}, "QH 7S", 6, {}, {"card"}),
        ({"H": "J-J"}, "AD TS 9C QS", 6, {}, {"pile"}),
        ({"H": "J-J"}, "AD TS 9C QS", 6, {"snack_single_pile": "any"}, {"pile", "single"}),
        ({"H": "J-J"}, "AD TS 9C QS", 1, {}, {"single"}),
        ({"H": "J-J"}, "AD TS 9C QS", 0, {}, {"pass"}),
    ],
)
def test_card_pile_or_pass(rows, hand, piles, options, right):
    asked = task(choose_turn(rows, hand, piles), **options)
    assert asked.right == right
    assert asked.check(sorted(right)).solved
    for id in asked.ids():
        if id not in right:
            assert all(reply.id.startswith("refusal quodlibet.snack.") for reply in asked.check([id]).replies)


def test_the_jacks_of_a_pile_go_down():
    exercise = mark_pile({"H": "J-J"}, "AD TS 9C QS", "TC JS JD")
    assert task(exercise).solution() == ["JS", "JD"]
    assert told(exercise, ["JS", "TC"]) == ["reply pile stays"]
    assert told(exercise, ["JS"]) == ["reply pile jack"]
    assert told(exercise, []) == ["reply choose first"]


@pytest.mark.parametrize("exercise", [mark_fitting({"H": "9-Q"}, "8H KH AD 7S"), choose_turn({"H": "9-Q"}, "AD 7S")])
def test_fresh_positions_are_whole(exercise):
    """All 32 cards are somewhere, and each row is a run around its jack: else the engine would refuse the position."""
    random = Random(7, "rows")
    for _ in range(20):
        exercise = exercise.another(SHEET, (), frozenset(), random)
        deal = task(exercise).deal
        where = [*deal.hands, *deal.piles, deal.laid]
        assert sum(map(int.bit_count, where)) == 32
        assert all(deal.laid >> Card.parse(f"J{suit}") & 1 for suit in exercise.rows)


@pytest.mark.parametrize("lang", ["en", "ja"])
def test_every_contract_has_a_name_and_an_explanation(lang):
    say = messages(lang)
    for name in (name for names in ROUNDS.values() for name in names):
        assert say.has(f"contract {name}")
        assert say.has(f"contract {name} note")
