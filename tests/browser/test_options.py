"""The options: a rule is changed, and everything is seen to change."""

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import expect

from cardlib.text import messages
from tests.browser.reader import PHONE, WIDE, Reader, said
from tests.ui.opened import part_of, tell

pytestmark = pytest.mark.browser

Opener = Callable[..., Any]

SHOWN = """root => {
    const text = (node) => node?.textContent.replace(/\\s+/g, " ").trim() ?? "";
    const all = (query) => [...root.querySelectorAll(query)];
    return {
        text: text(root.querySelector(".cl-sentence")),
        presets: all('[data-preset][aria-pressed="true"]').map((it) => it.dataset.preset),
        changed: all(".cl-option:has(.cl-changed)").map((it) => it.dataset.option),
        changes: all(".cl-change").map((it) => [it.dataset.rule, it.querySelectorAll(".cl-sentence-change").length]),
        old: all("del").map(text),
        now: all("ins").map(text),
    };
}"""


class Panel:
    """The option panel in the browser, and its twin."""

    def __init__(self, reader: Reader) -> None:
        self.reader, self.root = reader, reader.root("options")
        self.part = part_of(reader.twin, "options")

    def choose(self, name: str, value: str) -> None:
        row = self.root.locator(f'[data-option="{name}"]')
        select, number = row.locator("select"), row.locator("input[type=number]")
        if select.count():
            self.reader.answered(self.root, lambda: select.select_option(value))
        elif number.count():
            number.fill(value)
            self.reader.answered(self.root, lambda: number.press("Enter"))
        else:
            radio = row.locator(f'label:has([data-value="{value}"])')
            self.reader.answered(self.root, lambda: self.reader.press(radio))
        tell(self.part, do="set", name=name, value=value)
        self.same()

    def same(self) -> None:
        state, shown = self.part.state, self.root.evaluate(SHOWN)
        options = [option for group in state["groups"] for option in group["options"]]
        items = [item for change in state["changes"] for item in change["items"] if item["kind"] != "same"]
        assert shown["text"] == state["text"]
        assert shown["presets"] == [it["id"] for it in state["presets"] if it["active"]]
        assert shown["changed"] == [option["name"] for option in options if option["changed"]]
        assert [rule for rule, _ in shown["changes"]] == [change["rule"]["id"] for change in state["changes"]]
        assert sum(count for _, count in shown["changes"]) == len(items)
        assert shown["old"] == [item["old"] for item in items if item["old"]]
        assert shown["now"] == [item["new"] for item in items if item["new"]]
        said_now = self.root.locator(".cl-variant .cl-say p").all_text_contents()
        assert said_now == ([said(state["say"])[1]] if state["say"] else [])


@pytest.mark.parametrize(("lang", "device"), [("en", WIDE), ("ja", PHONE)])
def test_rules_are_changed_and_played_by(new_page: Opener, lang: str, device: dict[str, Any]) -> None:
    reader = Reader(new_page(**device), lang, touch=device is PHONE).open("?seed=5")
    panel, say = Panel(reader), messages(lang).say
    panel.same()

    reader.answered(panel.root, lambda: reader.press(panel.root.locator('[data-preset="windows"]')))
    tell(panel.part, do="preset", id="windows")
    panel.same()
    panel.choose("bonus_card", "TD")
    panel.choose("end_score", "50")
    assert panel.root.evaluate(SHOWN)["changed"]

    before = panel.part.draft
    four = panel.root.locator('[data-option=pass_count] label:has([data-value="4"])')
    reader.press(four)
    expect(panel.root.locator("[data-option=pass_count] .cl-warned")).to_have_text(say("bad pass-count"))
    expect(panel.root.locator('[data-option=pass_count] [data-value="3"]')).to_be_checked()
    panel.choose("end_score", "0")
    expect(panel.root.locator(".cl-variant .cl-say")).to_be_visible()
    assert panel.part.draft == before, "a combination that cannot be leaves the old rules"
    expect(panel.root.locator("[data-option=end_score] input")).to_have_value("50")

    reader.press(panel.root.locator("[data-do=use]"))
    tell(panel.part, do="use")
    expect(panel.root.locator(".cl-variant .cl-say")).to_contain_text(say("ui options used"))
    panel.same()
    expect(panel.root.locator("[data-do=use]")).to_have_attribute("aria-disabled", "true")
    pill = reader.bar.locator(".cl-pill[data-do=variant]").first
    expect(pill).to_have_text(reader.twin.state["variant"]["label"], use_inner_text=False)
    table = reader.table()
    table.same()
    assert table.session.variant == before
    moon = reader.step("hearts.score.moon")
    moon.same()
    assert moon.part.task.solution() == {"0": "26", "1": "0", "2": "26", "3": "26"}
    moon.answer(moon.part.task.solution())
    assert reader.kept["free"]["v"] == before.code


def test_a_rule_opens_where_it_is_named(new_page: Opener) -> None:
    """A chip opens the rule; Escape goes back to the chip; from there one comes to the whole text."""
    page = new_page(**WIDE)
    reader = Reader(page, "en", keys=True).open("?v=moon_mode:others&seed=5")
    step = reader.root("hearts.score.moon")
    chip = step.locator('.cl-source .cl-chip[data-rule="hearts.score.moon-mode"]')
    reader.press(chip)
    dialog = page.locator('dialog[open][data-rule="hearts.score.moon-mode"]')
    expect(dialog).to_be_visible()
    sentence = reader.twin.voice().sentences("hearts.score.moon-mode")[0]
    expect(dialog.locator(".cl-prose")).to_contain_text(sentence)
    page.keyboard.press("Escape")
    expect(dialog).to_have_count(0)
    expect(chip).to_be_focused()
    page.keyboard.press("Enter")
    dialog.locator("[data-do=whole]").press("Enter")
    place = page.locator('[id="rule-hearts.score.moon-mode"]')
    expect(place).to_be_in_viewport()
    expect(place.locator("h5")).to_be_focused()
    expect(place.locator(".cl-changed")).to_be_visible()
    expect(place.locator(".cl-prose")).to_contain_text(sentence)
