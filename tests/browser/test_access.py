"""Nobody is kept out: axe-core finds nothing, targets are large enough, nothing is wider than the screen."""

from collections.abc import Callable
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


STATES = (at_rest, answered, deal_over, options_changed, whole_text)


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


@pytest.mark.parametrize("lang", ["en", "ja"])
def test_nobody_is_kept_out(new_page: Opener, axe: Any, lang: str) -> None:
    """Each state of the page, wide by day and narrow by night or the other way round."""
    page = new_page(**WIDE)
    reader = Reader(page, lang).open("?seed=5")
    found: list[str] = []

    def look(where: str, *, sizes: Any = SIZES) -> None:
        for size in sizes:
            width, height = SIZES[size]
            page.set_viewport_size({"width": width, "height": height})
            found.extend(f"{where}, {size}, small: {it}" for it in page.evaluate(SMALL))
            found.extend(f"{where}, {size}, wide: {it}" for it in page.evaluate(WIDER))
        for size, scheme in (("wide", "light"), ("wide", "dark"), ("phone", "light"), ("phone", "dark")):
            if (lang == "en") == ((size, scheme) in (("wide", "light"), ("phone", "dark"))) and size in sizes:
                width, height = SIZES[size]
                page.set_viewport_size({"width": width, "height": height})
                page.emulate_media(color_scheme=scheme)
                found.extend(f"{where}, {size}, {scheme}: {it}" for it in axe(page))
        page.emulate_media(color_scheme="light")
        page.set_viewport_size(WIDE["viewport"])

    for state in STATES:
        state(reader)
        look(state.__name__)
    for size in ("wide", "phone"):
        width, height = SIZES[size]
        page.set_viewport_size({"width": width, "height": height})
        for part in opened_parts(reader):
            look(part, sizes=[size])
            page.set_viewport_size({"width": width, "height": height})
    assert not found, "\n".join(dict.fromkeys(found))
