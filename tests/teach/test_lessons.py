"""Every step of every lesson: all its answers have sentences, its solution solves it, its drills bite."""

import pytest

import cardlib
from cardlib.app.folders import notebooks_dir
from cardlib.seeds import Random
from cardlib.teach.positions import pattern
from cardlib.teach.tricks import MarkLegal
from cardlib.teach.voice import Voice
from cardlib.ui.step import Step
from tests.ui.opened import opened

GAMES = [path.stem for path in sorted(notebooks_dir().glob("*.ipynb")) if path.stem in cardlib.GAMES]
STEPS = [
    pytest.param(game, step, id=f"{game}-{step.id}")
    for game in GAMES
    for step in opened(game).steps
    if isinstance(step, Step)
]
LANGS = ("en", "ja")


def variants(game):
    options = cardlib.GAMES[game].options
    return [cardlib.variant(f"{game}({name})") for name in options.presets]


@pytest.mark.parametrize(("game", "step"), STEPS)
def test_every_answer_has_a_sentence(game, step):
    """Accepted, refused with a rule, or a consequence: in both languages, under every preset."""
    for variant in variants(game):
        task = step.first.task(variant)
        for lang in LANGS:
            voice = Voice(lang, task.variant)
            answered = set()
            for answer, reply in task.outcomes():
                said = reply.said(voice)
                assert said["text"] and "{" not in said["text"]
                if reply.id.startswith("refusal"):
                    assert said["rule"] == reply.rule and said["title"]
                answered.add(answer)
            for card in task.scene(voice).get("hand", []) if task.ask in ("mark", "play") else []:
                assert card["card"] in answered


@pytest.mark.parametrize(("game", "step"), STEPS)
def test_the_solution_solves_it(game, step):
    for variant in variants(game):
        task = step.first.task(variant)
        verdict = task.check(task.solution())
        assert verdict.solved
        for lang in LANGS:
            voice = Voice(lang, task.variant)
            assert all(reply.said(voice)["text"] for reply in [*verdict.replies, *task.hints()])
            assert voice.lines(verdict.lines) is not None


@pytest.mark.parametrize(("game", "step"), STEPS)
def test_an_empty_answer_is_answered(game, step):
    """An empty or half answer never solves a step, and never breaks it."""
    for answer in ([], "", {}, None, 7, ["XX"], "XX", {"0": "x"}):
        task = step.first.task(cardlib.variant(game))
        try:
            assert not task.check(answer).solved
        except cardlib.BadInput as error:
            assert str(error)


@pytest.mark.parametrize(("game", "step"), STEPS)
def test_drills_bite(game, step):
    """Another one: the same rule does the same again, and no rule is met that has not been taught."""
    variant = cardlib.variant(game)
    taught = frozenset(rule for other in step.page.steps[: step.n] for rule in other.rules)
    random, exercise, seen = Random(1, "drills"), step.first, set()
    wanted = pattern(step.task.deal) if isinstance(step.task, MarkLegal) else {}
    for _ in range(8):
        exercise = exercise.another(variant, step.rules, taught, random)
        task = exercise.task(variant)
        assert task.check(task.solution()).solved
        seen.add(str(exercise))
        if isinstance(task, MarkLegal):
            found = pattern(task.deal)
            assert any(found.get(rule) == what for rule, what in wanted.items()) or not wanted
            assert set(found) <= taught | set(wanted)
    assert len(seen) > 4


def test_hearts_setup_players_is_taught_first():
    assert opened("hearts").steps[0].rules[0] == "hearts.setup.players"
