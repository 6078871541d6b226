"""The table of Scopone: what a card of the hand can take, what is wrong with a capture, and counting the piles."""

import pytest

import cardlib
from cardlib.play.bots import simple
from tests.ui.opened import opened, part_of, tell


def at_table(lang="en", seed=17, **settings):
    page = opened("scopone", f"?lang={lang}&seed={seed}", settings=settings)
    return page, part_of(page, "free")


def played_out(table):
    """The deal as a simple player plays it."""
    while not table.session.deal.over:
        state = tell(table, do="play", move=str(simple(table.session.deal.view(0)).move))
    return state


def test_every_card_says_what_it_can_take():
    _, free = at_table()
    board = free.state["table"]["board"]
    deal = free.session.deal
    offered = [choice["move"] for choices in board["moves"].values() for choice in choices]
    assert sorted(offered) == sorted(map(str, deal.legal()))
    assert board["moves"]["JD"][1] == {"move": "JD takes JH", "takes": ["JH"], "text": "♦J takes ♥J: the same value."}
    assert {it["card"]: it["value"] for it in board["cards"]} == {"5H": 5, "JS": 8, "JH": 8, "QC": 9}
    assert [face["refused"] for face in free.state["table"]["hand"]] == [False] * 9


def test_an_ace_that_takes_all_says_so():
    variant = cardlib.variant("scopone(ace_takes_all=true)")
    seed = next(n for n in range(100) if any(len(move.takes) == 4 for move in cardlib.deal(variant, seed=n).legal()))
    free = part_of(opened("scopone", f"?v=ace_takes_all:true&seed={seed}"), "free")
    ways = [it for ways in free.state["table"]["board"]["moves"].values() for it in ways if len(it["takes"]) == 4]
    assert [it["text"][2:] for it in ways] == [" takes all 4 cards on the table."] * len(ways)


def test_a_capture_that_is_tried_answers_with_its_rule():
    _, free = at_table()
    state = tell(free, do="trial", move="JD takes 5H QC")
    assert state["table"]["board"]["say"]["rule"] == "scopone.capture.equal-before-sum"
    assert free.session.deal.moves == []
    assert tell(free, do="trial", move="JD takes JH")["table"]["board"]["say"] is None
    state = tell(free, do="play", move="JD")
    assert state["says"][0]["rule"] == "scopone.capture.equal-must"
    assert tell(free, do="trial", move="JD grabs JH")["says"][0]["tone"] == "bad"


def test_the_next_player_sits_on_the_right():
    _, free = at_table()
    table = free.state["table"]
    assert table["anticlockwise"]
    assert [(seat["name"], seat["note"]) for seat in table["seats"]] == [
        ("You", ""), ("East", ""), ("North", "partner"), ("West", ""),
    ]  # fmt: skip


def test_what_everybody_has_played_is_shown():
    _, free = at_table()
    state = tell(free, do="play", move="JD takes JH")
    plays = state["table"]["board"]["plays"]
    assert [play["seat"] for play in plays] == [0, 1, 2, 3]
    assert ([it["card"] for it in plays[0]["takes"]], plays[0]["card"]["card"]) == (["JH"], "JD")
    mine, theirs = state["table"]["board"]["piles"]
    deal = free.session.deal
    assert [mine["size"], theirs["size"]] == [pile.bit_count() for pile in deal.taken]
    assert [bool(mine["last"]), bool(theirs["last"])] == [deal.last_capture == 0, deal.last_capture == 1]


@pytest.mark.parametrize("lang", ["en", "ja"])
def test_the_piles_are_counted_question_by_question(lang):
    _, free = at_table(lang)
    state = played_out(free)
    assert (state["lines"], state["sheet"], state["table"]["next"], state["table"]["prompt"]) == ([], None, None, "")
    deal = free.session.deal
    assert not any(it.get("rule", {}).get("id", "").startswith("scopone.match") for it in state["log"])
    for number, count in enumerate(deal.counts(), 1):
        quiz = state["table"]["quiz"]
        assert len(quiz["items"]) == number
        assert quiz["items"][-1]["id"] == count.rule
        assert not quiz["items"][-1]["given"]
        one, other = count.points
        right = "none" if one == other else str(int(other > one))
        state = tell(free, do="answer", id=count.rule, value=right if number % 2 else "none")
        item = state["table"]["quiz"]["items"][number - 1]
        assert item["say"]["tone"] == ("good" if item["right"] else "warn")
        assert item["right"] == (right == item["given"])
        assert item["say"]["rule"] == count.rule
    prime = next(it for it in state["table"]["quiz"]["items"] if it["id"] == "scopone.score.prime")
    for side in prime["shown"]:
        assert sum(int(card["points"]) for card in side["cards"]) == int(side["total"])
    assert state["lines"]
    assert state["sheet"]["total"]
    assert state["table"]["next"]
    assert state["table"]["quiz"]["skip"] == ""


def test_an_answer_stands_and_nonsense_is_left_alone():
    _, free = at_table()
    played_out(free)
    tell(free, do="answer", id="scopone.score.cards", value="none")
    tell(free, do="answer", id="scopone.score.cards", value="0")
    tell(free, do="answer", id="scopone.score.nothing", value="0")
    state = tell(free, do="answer", id="scopone.score.diamonds", value="7")
    assert free.counting.answers == {"scopone.score.cards": "none"}
    assert len(state["table"]["quiz"]["items"]) == 2


def test_the_score_can_be_shown_at_once_and_the_next_deal_asks_again():
    _, free = at_table()
    played_out(free)
    state = tell(free, do="show")
    assert state["table"]["quiz"] is None
    assert state["lines"]
    tell(free, do="next")
    assert free.session.match.number == 1
    state = played_out(free)
    assert len(state["table"]["quiz"]["items"]) == 1
    state = tell(free, do="undo")
    assert not state["over"]


def test_other_games_ask_nothing():
    page = opened("quint", "?seed=4")
    free = part_of(page, "free")
    while not free.session.deal.over:
        move = str(simple(free.session.deal.view(0)).move) if not free.session.waiting else ""
        state = tell(free, do="play", move=move) if move else tell(free, do="next")
    assert state["table"]["quiz"] is None
    assert state["lines"]


def test_the_setting_for_values_is_offered_where_cards_have_one():
    page, _ = at_table(badges="off")
    assert page.settings["badges"] == "off"
    assert page.state["badges"]
    assert not opened("quint").state["badges"]
