"""The kinds of exercises for captures and piles: what is right, and the answer to each kind of mistake."""

import pytest

import cardlib
from cardlib.cards import Hand
from cardlib.errors import BadInput
from cardlib.games.scopone import prime
from cardlib.seeds import Random
from cardlib.teach.capturing import STAYS, capture, count_values, leave, usual, who_gets_rest, who_sweeps, whose_turn
from cardlib.teach.piles import champions, count_prime, counted, score_deal
from cardlib.teach.voice import Voice

SHEET = cardlib.variant("scopone")
TRADITIONAL = cardlib.variant("scopone(traditional)")


def voice():
    return Voice("en", SHEET)


def told(task, answer, tries=0):
    """Whether an answer is right, and by which messages it is answered."""
    verdict = task.check(answer, tries)
    return verdict.solved, [reply.id for reply in verdict.replies]


# ---------------------------------------------------------------------------------------------------------- captures


@pytest.mark.parametrize(
    ("card", "table", "answer", "rule"),
    [
        ("4S", "4C 4H 7D", ["4C", "4H"], "equal-one"),
        ("4S", "4C 4H 7D", [STAYS], "equal-must"),
        ("JD", "5C 3H JS 2D", ["5C", "3H"], "equal-before-sum"),
        ("7C", "AC 6H 3D 4S", ["AC", "6H", "3D", "4S"], "one-combination"),
        ("7C", "AC 6H 3D 4S", ["AC", "3D"], "sum-exact"),
        ("7D", "2C 5H", [STAYS], "sum-must"),
        ("JS", "QH KD", ["QH"], "sum-exact"),
    ],
)
def test_a_wrong_capture_names_its_rule(card, table, answer, rule):
    assert told(capture(card, table).task(SHEET), answer) == (False, [f"refusal scopone.capture.{rule}"])


def test_every_legal_capture_is_right_and_the_others_are_told():
    task = capture("7C", "AC 6H 3D 4S").task(SHEET)
    for answer in (["6H", "AC"], ["3D", "4S"]):
        solved, ids = told(task, answer)
        assert solved and ids == ["event Captured scopone.capture.sum-choice", "reply capture ways"]


def test_a_card_that_takes_nothing_stays():
    task = capture("JS", "QH KD").task(SHEET)
    assert task.solution() == [STAYS]
    assert told(task, [STAYS]) == (True, ["event Stayed scopone.play.stays"])
    assert told(task, [STAYS, "QH"]) == (False, ["reply capture both"])


def test_all_captures_are_to_be_chosen():
    task = capture("7C", "AC 6H 3D 4S", every=True).task(SHEET)
    both = {"6H AC", "4S 3D"}
    assert task.right == both
    assert set(task.ids()) > both | {STAYS}
    assert told(task, ["6H AC"]) == (False, ["reply captures missed"])
    assert told(task, [*both, STAYS]) == (False, ["refusal scopone.capture.sum-must"])
    assert told(task, sorted(both))[0]


def test_what_may_be_taken_follows_the_options():
    six = capture("6S", "2C 3H 4D AS", every=True)
    assert six.task(SHEET).right == {"4D 2C", "AS 3H 2C"}
    assert six.task(cardlib.variant("scopone(fewest_cards=true)")).right == {"4D 2C"}
    seven = capture("7D", "2C 5H", every=True)
    assert seven.task(cardlib.variant("scopone(sum_capture=optional)")).right == {"5H 2C", STAYS}
    assert told(seven.task(cardlib.variant("scopone(sum_capture=optional)")), ["5H 2C"])[1] == ["reply captures stays"]


# -------------------------------------------------------------------------------------------------- values and turns


def test_counting_a_court_card_as_elsewhere_has_its_own_answer():
    task = count_values("JS", "AC 3H").task(SHEET)
    assert task.solution() == {"0": "8", "1": "4"}
    assert told(task, {"0": "11", "1": "4"})[1] == ["reply values usual"]
    assert told(task, {"0": "8", "1": "17"})[1] == ["reply values usual"]
    assert told(task, {"0": "7", "1": "4"})[1] == ["reply values off"]
    assert told(task, {"0": "11", "1": "4"}, tries=1)[1] == ["reply values wrong"]
    assert usual(Hand.parse("4S")) == {4}


@pytest.mark.parametrize("dealer", range(4))
@pytest.mark.parametrize("played", range(5))
def test_the_turn_goes_to_the_right(dealer, played):
    task = whose_turn(dealer, played).task(SHEET)
    turn = (dealer + 1 + played) % 4
    assert task.solution() == [str(turn)]
    assert told(task, str((turn + 2) % 4))[1] == ["reply player clockwise"]
    assert told(task, str((turn + 3) % 4))[1] == ["reply player dealer"]
    assert told(task, str((turn + 1) % 4))[1] == ["reply player wrong"]


# ------------------------------------------------------------------------------------------------------------ sweeps


def test_sweeps_come_in_runs():
    task = who_sweeps("2S 2D AH AC").task(SHEET)
    assert task.right == {"1", "3"}
    assert told(task, ["1"]) == (False, ["reply sweeps more"])
    assert told(task, ["0", "1", "3"]) == (False, ["reply sweeps not"])
    assert told(task, ["nobody"]) == (False, ["reply sweeps some"])
    assert told(task, ["1", "3", "nobody"]) == (False, ["reply sweeps both"])
    assert told(task, ["1", "3"]) == (True, ["event Swept scopone.sweep.point"] * 2)


def test_the_very_last_card_sweeps_or_not():
    last = who_sweeps("JH", table="JS", last=True)
    assert last.task(SHEET).right == {"0"}
    assert last.task(TRADITIONAL).right == {"nobody"}
    assert told(last.task(TRADITIONAL), ["0"])[1] == ["event NoSweep scopone.sweep.final-play"]
    early = who_sweeps("JH", table="JS")
    assert early.task(TRADITIONAL).right == {"0"}


def test_the_rest_goes_to_whoever_captured_last():
    task = who_gets_rest("5S JC", table="5H 4C 2D", first=3).task(SHEET)
    assert task.right == {"1"}
    assert told(task, "0") == (False, ["reply rest wrong"])
    assert told(task, "nobody") == (False, ["reply rest nobody"])
    assert told(task, "1") == (True, ["event LeftOver scopone.end.leftover"])


def test_what_is_left_can_be_swept_or_not():
    task = leave("4S 7H JD", table="6D 4C 3S").task(SHEET)
    assert told(task, "4S") == (False, ["reply leave cost"])
    assert task.played.sweeps == [0, 1]
    assert told(task, "JD") == (True, ["reply leave much"])
    assert task.played.sweeps == [0, 0]


@pytest.mark.parametrize("seed", range(5))
def test_nobody_can_sweep_what_is_safe(seed):
    task = leave("4S 7H JD", table="6D 4C 3S").another(SHEET, [], frozenset(), Random(seed, "drill")).task(SHEET)
    safe = task.safe()
    assert 0 < len(safe) < len(task.cards)
    for card in safe:
        table = Hand(task.out(card).table)
        assert not any(
            Hand.parse(move.partition(" takes ")[2]) == table
            for other in task.unseen
            for move in map(str, task._after(card, task._deal([other])).legal())
        )


# ------------------------------------------------------------------------------------------------------------- piles


def test_each_mistake_with_the_champions_has_its_own_answer():
    task = champions("7D 6D KH AH 4H 5S 3S 2C QC").task(SHEET)
    assert told(task, ["7D", "6D", "AH", "5S", "2C"])[1] == ["reply champions two"]
    assert told(task, ["7D", "AH", "5S"])[1] == ["reply champions none"]
    assert told(task, ["7D", "KH", "5S", "2C"])[1] == ["reply champions lower"]
    assert told(task, ["7D", "AH", "5S", "2C"]) == (True, ["reply champions right"])


def test_any_court_card_will_do_where_there_is_nothing_better():
    task = champions("7D AH 5S JC QC").task(SHEET)
    assert told(task, ["7D", "AH", "5S", "JC"])[0] and told(task, ["7D", "AH", "5S", "QC"])[0]


def test_the_prime_of_each_side():
    task = count_prime(("7D 7H 7S KC", "7C 6D 6H 6S")).task(SHEET)
    assert task.solution() == {"0": "73", "1": "75"}
    assert told(task, {"0": "73", "1": "75"}) == (True, ["reply prime won"])
    more = count_prime(("7D 6D AH 5S 2C", "AD 6S 5C 4H")).task(SHEET)
    every = sum(prime(card.mask).points for card in Hand.parse("7D 6D AH 5S 2C"))
    assert told(more, {"0": str(every), "1": "63"})[1] == ["reply prime every"]
    assert told(more, {"0": "60", "1": "63"})[1] == ["reply prime off"]
    assert told(more, {"0": "60", "1": "63"}, tries=1)[1] == ["reply prime wrong"]


FULL = (
    "AS KS QS JS 7S 2S KH QH JH 7H 6H 2H KD QD 6D 5D 2D 6C 5C 4C",
    "6S 5S 4S 3S AH 5H 4H 3H AD JD 7D 4D 3D AC KC QC JC 7C 3C 2C",
)


def test_a_deal_is_scored_question_by_question():
    task = score_deal(FULL, sweeps=(3, 2)).task(SHEET)
    right = {"cards": "nobody", "diamonds": "nobody", "settebello": "1", "prime": "0", "sweeps": "3:2"}
    assert task.solution() == right
    given = {}
    for question, id in right.items():
        assert [it["id"] for it in task.scene(voice())["questions"]] == list(right)[: len(given) + 1]
        assert not task.check(dict(given)).solved
        given[question] = id
        task.check(dict(given))
        shown = task.scene(voice())["questions"]
        assert all(it["done"] and it["note"] for it in shown[: len(given)])
    assert told(task, right) == (True, ["reply sheet right"])
    assert [face["points"] for face in shown[3]["shown"][0]["cards"]] == ["21", "21", "18", "18"]


def test_no_answer_is_shown_before_it_is_given():
    task = score_deal(FULL, sweeps=(3, 2)).task(SHEET)
    (first,) = task.scene(voice())["questions"]
    assert not first["done"] and "note" not in first and "shown" not in first


@pytest.mark.parametrize(
    ("piles", "sweeps", "answer", "reply"),
    [
        (FULL, (3, 2), {"cards": "0"}, "tie"),
        (FULL, (3, 2), {"cards": "nobody", "diamonds": "1"}, "tie"),
        (FULL, (3, 2), {"settebello": "0"}, "owner"),
        (FULL, (3, 2), {"prime": "1"}, "fewer"),
        (FULL, (3, 2), {"prime": "nobody"}, "unequal"),
        (FULL, (3, 2), {"sweeps": "1:0"}, "majority"),
        (FULL, (3, 2), {"sweeps": "2:3"}, "sweeps"),
        (("7D 7H 7S", "7C KD KH KS"), (0, 0), {"prime": "0"}, "suits"),
    ],
)
def test_each_mistake_with_the_score_has_its_own_answer(piles, sweeps, answer, reply):
    assert told(score_deal(piles, sweeps).task(SHEET), answer) == (False, [f"reply sheet {reply}"])


def test_the_questions_follow_the_options():
    more = cardlib.variant("scopone(napola=true,re_bello=true,prime_mode=most-sevens)")
    ids = [question.id for question in score_deal(FULL).task(more).questions]
    assert ids == ["cards", "diamonds", "settebello", "re-bello", "most-sevens", "napola", "sweeps"]


def test_sevens_take_the_place_of_the_prime_where_they_are_counted():
    sevens = cardlib.variant("scopone(prime_mode=most-sevens)")
    task = score_deal(("7D 7H 7S KC", "7C 6D 6H 6S"), ask="prime").task(sevens)
    assert task.solution() == {"most-sevens": "0"}
    assert count_prime(("7D 7H 7S KC", "7C 6D 6H 6S")).task(sevens).won()[0].facts["side"] == 1


@pytest.mark.parametrize("piles", [FULL, ("7D 7H 7S", "7C KD KH KS")])
def test_the_piles_are_those_of_a_finished_deal(piles):
    deal = counted(SHEET, [Hand.parse(pile) for pile in piles], (1, 2))
    assert deal.finished and deal.sweeps == [1, 2]
    assert [Hand(pile) for pile in deal.taken] == [Hand.parse(pile) for pile in piles]


def test_no_card_is_safe_where_an_ace_sweeps_everything():
    sweeping = cardlib.variant("scopone(ace_takes_all=true,ace_sweep=scores)")
    with pytest.raises(BadInput, match="sweep"):
        leave("4S 7H JD", table="6D 4C 3S").task(sweeping)
