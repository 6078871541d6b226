"""The first steps: three questions that let the experienced skip them, the games after them, and the way there."""

import pytest

import cardlib
from cardlib.app.folders import notebooks_dir
from cardlib.phases.tricks import TrickDeal
from cardlib.ui.onward import links
from cardlib.ui.page import Page
from tests.ui.opened import opened, part_of, tell

GAMES = [path.stem for path in sorted(notebooks_dir().glob("*.ipynb")) if path.stem in cardlib.GAMES]
LANGS = ("en", "ja")


def questions(page):
    return part_of(page, "questions")


def buttons(part):
    return {item["do"]: item for item in part.state["buttons"]}


def answer_all(part, right=(True, True, True)):
    """Answer the three questions, each rightly or wrongly."""
    for number, rightly in enumerate(right, 1):
        task = part.task
        wrong = next(answer for answer, reply in task.outcomes() if reply.tone != "good")
        answer = task.solution() if rightly else [wrong] if task.ask == "mark" else wrong
        tell(part, do="check", answer=answer)
        if number < len(right):
            tell(part, do="onward")


@pytest.mark.parametrize("lang", LANGS)
def test_three_right_answers_and_the_lesson_is_done(lang):
    page = opened("primer", f"?lang={lang}")
    check = questions(page)
    assert not page.solved and not check.state["links"]
    answer_all(check)
    assert page.solved == [step.id for step in page.steps]
    assert page.state["save"]["solved"] == page.solved
    assert all(step["solved"] for step in page.state["steps"])
    assert check.state["says"][-1]["tone"] == "good"
    assert check.state["links"][0]["href"] == f"./hearts?lang={lang}"
    assert part_of(page, "onward").state["text"] == page.voice().say("onward done")


@pytest.mark.parametrize("right", [(False, True, True), (True, False, True), (True, True, False), (False,) * 3])
def test_a_wrong_answer_is_explained_and_the_lesson_begins(right):
    page = opened("primer", "?lang=en")
    check = questions(page)
    answer_all(check, right)
    assert page.solved == []
    said = check.state["says"][-1]
    assert said["tone"] == "note" and f"{sum(right)} of 3" in said["text"]
    assert not check.state["links"]
    assert buttons(check)["next"]["primary"]


def test_each_question_is_asked_once():
    page = opened("primer", "?lang=en")
    check = questions(page)
    for empty in ("", [], None):
        tell(check, do="check", answer=empty)
        assert not check.answered and not check.state["right"]
    tell(check, do="onward")
    assert check.at == 0 and check.state["says"][-1]["tone"] == "bad"
    wrong = next(answer for answer, reply in check.task.outcomes() if reply.tone != "good")
    tell(check, do="check", answer=wrong)
    assert check.results == [False] and check.state["right"]
    tell(check, do="check", answer=check.task.solution())
    assert check.results == [False]
    tell(check, do="check", answer={"x": 1})
    assert check.results == [False]


def test_fresh_questions_can_be_had_again_and_again():
    page = opened("primer", "?lang=en")
    check = questions(page)
    seen = set()
    for _ in range(6):
        answer_all(check, (True, True, False))
        seen.add(str(check.exercises))
        tell(check, do="another")
        assert not check.results and check.state["label"] == "Question 1 of 3"
    assert len(seen) == 6
    answer_all(check)
    assert page.done


def test_who_has_solved_all_steps_is_not_asked_again():
    page = opened("primer", "?lang=en")
    check = questions(page)
    for step in page.steps:
        tell(step, do="check", answer=step.task.solution())
    assert page.done and not check.asking
    assert check.state["ask"] == "none" and check.state["links"] and check.state["solved"]
    again = opened("primer", "?lang=ja", stored=page.state["save"])
    assert questions(again).state["says"][0]["text"] == again.voice().say("questions done")
    tell(questions(again), do="another")
    assert questions(again).state["ask"] == "who"
    tell(again, do="forget")
    assert not again.solved and questions(again).asking


def test_nonsense_is_answered():
    page = opened("primer", "?lang=en")
    for part in (questions(page), part_of(page, "onward")):
        for message in ({"do": "nonsense"}, {"do": "check", "answer": "2S"}, {"do": "check", "answer": 7}, {}):
            assert not tell(part, **message)["error"]
    assert questions(page).state["says"][-1]["tone"] == "bad"
    assert not questions(page).results


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("lang", LANGS)
def test_every_trick_game_shows_beginners_the_way(game, lang):
    first = opened(game, f"?lang={lang}").state["first"]
    if game == "primer" or not issubclass(cardlib.GAMES[game].deal, TrickDeal):
        assert first is None
    else:
        assert first["href"] == f"./primer?lang={lang}" and first["text"]
        assert first["label"] == Page("primer").voice(lang=lang).say("game primer")


def test_every_game_of_tricks_is_offered():
    page = opened("primer", "?lang=en")
    offered = {link["href"].removeprefix("./").partition("?")[0] for link in links(page, page.voice())}
    assert offered >= set(GAMES) - {"primer", "scopone"}
    assert "primer" not in offered


def test_there_are_no_rules_to_change():
    assert opened("primer").state["variant"]["label"] == ""
    assert opened("hearts").state["variant"]["label"]
