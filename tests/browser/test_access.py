"""Nobody is kept out: axe-core finds nothing, targets are large enough, nothing is wider than the screen."""

from collections.abc import Callable
from importlib.resources import files
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.browser.reader import WIDE, Reader

pytestmark = pytest.mark.browser

Opener = Callable[..., Any]

SIZES = {"wide": (1280, 800), "phone": (360, 740), "smallest": (320, 640)}

#: Everything that can be pressed and is smaller than 44 px (rule chips, which stand in lines of text: 24 px).
SMALL = """() => [...document.querySelectorAll("main button, main a[href], main input, main select, .cl-bar button, .cl-bar a, dialog button")]
    .filter((it) => it.checkVisibility({ visibilityProperty: true }))
    .map((it) => [it, (it.closest("label") ?? it).getBoundingClientRect(), it.matches(".cl-chip, .cl-prose a") ? 24 : 44])
    .filter(([it, box, least]) => box.width && (Math.round(box.height) < least || Math.round(box.width) < least))
    .map(([it, box]) => `${it.outerHTML.slice(0, 120)}: ${box.width} x ${box.height}`)"""

#: What sticks out of the screen, so that the page could be scrolled sideways.
WIDER = """() => document.documentElement.scrollWidth <= innerWidth ? [] :
    [...document.querySelectorAll("body *")].filter((it) => it.getBoundingClientRect().right > innerWidth + 1)
    .map((it) => it.outerHTML.slice(0, 100)).slice(0, 5)"""


def at_rest(reader: Reader) -> None:
    """The page as it opens: a lesson, cards to be passed."""


def answered(reader: Reader) -> None:
    """Refused cards, hints, right and wrong answers; a card refused at the table."""
    for id in ("hearts.follow.suit", "hearts.setup.players", "hearts.score.heart", "hearts.end.hundred"):
        step = reader.step(id)
        step.answer(step.wrong())
        step.hint()
    for id in ("hearts.lead.broken", "hearts.pass.count", "hearts.score.moon"):
        step = reader.step(id)
        step.answer(step.part.task.solution())
    table = reader.table()
    table.play_on(lambda: bool(table.refused) and not table.session.waiting)
    table.try_refused()


def deal_over(reader: Reader) -> None:
    table = reader.table()
    table.play_on(lambda: table.session.deal.over)


def options_changed(reader: Reader) -> None:
    options = reader.root("options")
    reader.answered(options, lambda: options.locator("[data-preset=windows]").click())
    expect(options.locator(".cl-change").first).to_be_visible()


def whole_text(reader: Reader) -> None:
    reader.root("options").locator("[data-value=whole]").click()


#: The states of the page, each with the parts in which it is new.
STATES = {
    at_rest: ["body"],
    answered: ['[data-kind="step"]', '[id="step-free"]'],
    deal_over: ['[id="step-free"]'],
    options_changed: ['[id="step-options"]'],
    whole_text: ['[id="step-options"] .cl-rules'],
}


def opened_parts(reader: Reader) -> Any:
    """What opens over the page, one after the other."""
    for panel in ("steps", "settings", "share"):
        button = reader.bar.locator(f"[data-panel={panel}]")
        if button.is_visible():
            button.click()
            expect(button).to_have_attribute("aria-expanded", "true")
            yield panel
    reader.page.keyboard.press("Escape")
    reader.root("hearts.follow.suit").locator(".cl-chip").first.click()
    expect(reader.page.locator("dialog[open]")).to_be_visible()
    yield "dialog"
    reader.page.keyboard.press("Escape")


#: The violations of WCAG, level A and AA, in a part of the page.
AXE = """async ([part, tags]) => {
    const { violations } = await axe.run({ include: part }, { runOnly: tags, resultTypes: ["violations"] });
    return violations.flatMap((it) => it.nodes.map((node) => `${it.id}: ${node.html.slice(0, 120)} ${node.failureSummary}`));
}"""
TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]


@pytest.fixture(scope="module")
def axe_source() -> str:
    return files("axe_playwright_python").joinpath("axe.min.js").read_text("utf-8")


@pytest.mark.parametrize("lang", ["en", "ja"])
def test_nobody_is_kept_out(new_page: Opener, axe_source: str, lang: str) -> None:
    """Each state of the page, wide by day and narrow by night, or the other way round."""
    page = new_page(**WIDE)
    reader = Reader(page, lang).open("?seed=5")
    page.evaluate(axe_source)
    found: list[str] = []
    looks = {"wide": "light", "phone": "dark"} if lang == "en" else {"wide": "dark", "phone": "light"}

    def resize(size: str) -> None:
        width, height = SIZES[size]
        page.set_viewport_size({"width": width, "height": height})
        page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")

    def look(where: str, size: str, part: list[str]) -> None:
        found.extend(f"{where}, {size}, small: {it}" for it in page.evaluate(SMALL))
        found.extend(f"{where}, {size}, wide: {it}" for it in page.evaluate(WIDER))
        if size not in looks:
            return
        page.evaluate("scrollTo(0, 0)")  # the bar is not to lie on something that is looked at
        page.emulate_media(color_scheme=looks[size])
        answer = page.evaluate(AXE, [part, TAGS])
        found.extend(f"{where}, {size}, {looks[size]}: {it}" for it in answer)
        page.emulate_media(color_scheme="light")

    for state, part in STATES.items():
        state(reader)
        for size in SIZES:
            resize(size)
            look(state.__name__, size, part)
        resize("wide")
    for size in ("wide", "phone"):
        resize(size)
        for part in opened_parts(reader):
            look(part, size, ["dialog" if part == "dialog" else ".cl-bar"])
    assert not found, "\n".join(dict.fromkeys(found))
