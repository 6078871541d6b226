"""The whole lesson in the browser: each exercise answered wrongly, with a hint, rightly, and then a fresh one."""

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import expect

from cardlib.app.gallery import entries
from tests.browser.reader import PHONE, WIDE, Reader

pytestmark = pytest.mark.browser

LESSON = [step.id for entry in entries("en") if entry.id == "hearts" for step in entry.steps]
EXERCISES = [id for id in LESSON if id != "hearts.setup.deal"]

READERS = {
    "by mouse in English": ("en", WIDE, {}),
    "by touch in Japanese on a phone": ("ja", PHONE, {"touch": True}),
    "by keyboard in Japanese": ("ja", WIDE, {"keys": True}),
    "by keyboard in English on a narrow screen": ("en", {**WIDE, "viewport": PHONE["viewport"]}, {"keys": True}),
}


@pytest.mark.parametrize("how", READERS)
def test_whole_lesson_is_learnt(new_page: Callable[..., Any], how: str) -> None:
    lang, device, ways = READERS[how]
    reader = Reader(new_page(**device), lang, **ways).open()
    hatched = 0
    for done, id in enumerate(EXERCISES, 1):
        step = reader.step(id)
        hatched += learn(step)
        count = reader.bar.locator(".cl-dots-count")
        expect(count).to_have_text(f"{done} / {len(LESSON)}")
        assert reader.bar.locator(".cl-dots .cl-on").count() == done
        expect(step.root.locator(".cl-done")).to_be_visible()
        if id != LESSON[-1]:
            reader.press(step.root.locator('[data-do="next"]'))
            after = reader.root(LESSON[LESSON.index(id) + 1])
            expect(after.locator("h2").first).to_be_focused()
    assert hatched > 5
    assert reader.kept["solved"] == EXERCISES
    assert reader.twin.solved == EXERCISES


def learn(step: Any) -> bool:
    """Go wrong, ask for help, get it right, and get another one right; whether a refused card was hatched."""
    task = step.part.task
    step.same()
    step.answer(step.wrong())
    assert not step.part.verdict.solved
    says = step.root.locator(".cl-says .cl-say")
    expect(says.first).to_be_visible()
    refused = step.root.locator('[data-zone="hand"] .cl-is-refused')
    hatched = refused.count() > 0
    if hatched:
        assert "repeating-linear-gradient" in refused.first.evaluate("it => getComputedStyle(it).backgroundImage")
        assert says.first.locator(".cl-chip").count() == 1, "the refusal names its rule"
    if task.ask == "play":
        step.undo()
    step.hint()
    solve(step)
    asked = ("rows", "hand", "trick", "choices", "fields", "task")
    before = [step.part.state.get(name) for name in asked]
    step.another()
    assert [step.part.state.get(name) for name in asked] != before
    solve(step)
    return hatched


def solve(step: Any) -> None:
    step.answer(step.part.task.solution())
    assert step.part.verdict.solved
