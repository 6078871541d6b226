"""The other games in the browser: each lesson learnt, by touch and by keyboard, and a whole deal played."""

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import expect

from cardlib.app.gallery import entries
from cardlib.ui.step import Step
from tests.browser.reader import PHONE, WIDE, Reader
from tests.browser.test_lesson import learn

pytestmark = pytest.mark.browser

Opener = Callable[..., Any]

GAMES = [entry.id for entry in entries("en") if entry.id not in ("hearts", "primer")]
READERS = {
    "by touch in Japanese on a phone": ("ja", PHONE, {"touch": True}),
    "by keyboard in English": ("en", WIDE, {"keys": True}),
}


@pytest.mark.parametrize("how", READERS)
@pytest.mark.parametrize("game", GAMES)
def test_whole_lesson_is_learnt(new_page: Opener, game: str, how: str) -> None:
    lang, device, ways = READERS[how]
    reader = Reader(new_page(**device), lang, **ways, game=game).open()
    exercises = [step.id for step in reader.twin.steps if isinstance(step, Step)]
    for id in exercises:
        step = reader.step(id)
        learn(step)
        expect(step.root.locator(".cl-done")).to_be_visible()
    assert reader.kept["solved"] == exercises


@pytest.mark.parametrize("how", READERS)
@pytest.mark.parametrize("game", GAMES)
def test_a_whole_deal(new_page: Opener, game: str, how: str) -> None:
    """Play a deal as a simple player does, be refused once, and go on to the next."""
    lang, device, ways = READERS[how]
    table = Reader(new_page(**device), lang, **ways, game=game).open("?seed=4").table()
    table.play_on(lambda: bool(table.refused) and not table.session.waiting)
    assert table.try_refused().startswith(game)
    table.play_on(lambda: table.session.deal.over)
    table.count()
    assert table.part.state["lines"]
    table.go_on()
    assert not table.session.deal.over
