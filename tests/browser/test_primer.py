"""The first steps in the browser: worked through, or skipped by three right answers, and the games after them."""

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import expect

from cardlib.app.gallery import entries
from cardlib.text import messages
from tests.browser.reader import PHONE, WIDE, Reader
from tests.browser.test_access import SIZES, SMALL, WIDER
from tests.browser.test_lesson import READERS, learn

pytestmark = pytest.mark.browser

Opener = Callable[..., Any]

STEPS = [step.id for entry in entries("en") if entry.id == "primer" for step in entry.steps]


@pytest.mark.parametrize("how", READERS)
def test_all_steps_are_learnt(new_page: Opener, how: str) -> None:
    lang, device, ways = READERS[how]
    reader = Reader(new_page(**device), lang, **ways, game="primer").open()
    for id in STEPS:
        step = reader.step(id)
        learn(step)
        expect(step.root.locator(".cl-done")).to_be_visible()
        reader.press(step.root.locator('[data-do="next"]'))
    expect(reader.root("onward").locator("h2")).to_be_focused()
    assert reader.kept["solved"] == STEPS
    say = messages(lang).say
    expect(reader.root("onward")).to_contain_text(say("onward done"))
    expect(reader.root("questions")).to_contain_text(say("questions done"))


@pytest.mark.parametrize("how", READERS)
def test_who_knows_it_all_skips_the_steps(new_page: Opener, how: str) -> None:
    lang, device, ways = READERS[how]
    page = new_page(**device)
    reader = Reader(page, lang, **ways, game="primer").open()
    check = reader.step("questions")
    for _ in range(3):
        check.answer(check.part.task.solution())
        if not check.part.over:
            reader.do(check.root, "onward")
            check.tell(do="onward")
            check.same()
    expect(reader.bar.locator(".cl-dots-count")).to_have_text(f"{len(STEPS)} / {len(STEPS)}")
    assert reader.kept["solved"] == STEPS
    reader.press(check.root.locator('.cl-links a[href^="./hearts"]'))
    expect(page.locator("#app-splash")).to_be_hidden()
    expect(page.locator("[data-kind=page] h1")).to_contain_text(messages(lang).say("game hearts"))
    page.goto(f"/?lang={lang}")
    expect(page.locator("[data-game=primer]")).to_have_attribute("data-state", "all")


def test_a_wrong_answer_leads_to_the_first_step(new_page: Opener) -> None:
    reader = Reader(new_page(**PHONE), "ja", touch=True, game="primer").open()
    check = reader.step("questions")
    for number in range(3):
        check.answer(check.wrong() if number == 1 else check.part.task.solution())
        if not check.part.over:
            reader.do(check.root, "onward")
            check.tell(do="onward")
    assert reader.kept["solved"] == []
    check.another()
    expect(check.root.locator(".cl-overline")).to_contain_text(messages("ja").say("questions label", n=1, of=3))
    reader.press(check.root.locator('[data-do="next"]'))
    expect(reader.root(STEPS[0]).locator("h2")).to_be_focused()


@pytest.mark.parametrize("lang", ["en", "ja"])
def test_a_game_shows_beginners_the_way(new_page: Opener, lang: str) -> None:
    page = new_page(**WIDE)
    reader = Reader(page, lang).open()
    reader.press(page.locator(".cl-first a"))
    expect(page.locator("#app-splash")).to_be_hidden()
    expect(page.locator("[data-kind=page] h1")).to_contain_text(messages(lang).say("game primer"))
    expect(page.locator('[data-do="variant"]')).to_have_count(0)


@pytest.mark.parametrize(("lang", "scheme"), [("en", "dark"), ("ja", "light")])
@pytest.mark.parametrize("size", SIZES)
def test_open_to_all(new_page: Opener, axe: Any, lang: str, scheme: str, size: str) -> None:
    width, height = SIZES[size]
    page = new_page(viewport={"width": width, "height": height}, color_scheme=scheme)
    reader = Reader(page, lang, game="primer").open()
    check = reader.step("questions")
    for moment in ("asked", "answered", "done"):
        if moment == "answered":
            check.answer(check.wrong())
        elif moment == "done":
            for id in STEPS:
                step = reader.step(id)
                step.answer(step.part.task.solution())
            reader.do(check.root, "onward")
        assert axe(page) == []
        assert page.evaluate(SMALL) == []
        assert page.evaluate(WIDER) == []
