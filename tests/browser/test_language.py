"""Two languages on one page, and the reader's other settings."""

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import expect

from cardlib.text import messages
from tests.browser.reader import PHONE, WIDE, Reader, keep
from tests.ui.opened import tell

pytestmark = pytest.mark.browser

Opener = Callable[..., Any]

#: Words that stand in the other language: each visible text, and each name for screen readers, with the language that
#: its element declares.  Rule ids (as code) and names of programs are no language.
FOREIGN = """() => {
    const found = new Set();
    const japanese = /[\\u3040-\\u30ff\\u4e00-\\u9fff]/, latin = /[A-Za-z]{2,}/;
    const look = (text, element) => {
        const lang = element.closest("[lang]")?.lang;
        const rest = text.replace(/Windows|OpenSpiel/g, "");
        if (!(lang === "ja" ? latin : japanese).test(rest)) return;
        if (element.closest("code")) return;
        found.add(`${lang}: ${text.trim()}`);
    };
    const seen = (element) => element.checkVisibility({ visibilityProperty: true }) && !element.closest("script, style");
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
        const { data, parentElement } = walker.currentNode;
        if (data.trim() && seen(parentElement)) look(data, parentElement);
    }
    for (const element of document.querySelectorAll("[aria-label]")) {
        if (seen(element)) look(element.getAttribute("aria-label"), element);
    }
    return [...found];
}"""


def test_language_changes_on_the_spot_and_the_position_stays(new_page: Opener) -> None:
    """Marks, cards, log and place on the page stay; nothing is left in the other language."""
    page = new_page(**WIDE)
    reader = Reader(page, "en").open("?seed=5")
    table = reader.table()
    table.play_on(lambda: table.session.waiting and len(table.session.deal.moves) > 12)
    step = reader.step("hearts.follow.suit")
    step.answer(step.wrong())
    assert page.evaluate(FOREIGN) == []
    marks, cards = step.shown["hand"], table.shown
    for lang in ("ja", "en", "ja"):
        top = step.root.bounding_box()["y"]
        reader.answered(table.root, lambda lang=lang: reader.bar.locator(f'[data-value="{lang}"]').click())
        tell(reader.twin, do="set", name="lang", value=lang)
        expect(page.locator("html")).to_have_attribute("lang", lang)
        expect(page.locator(f"[data-kind]:not([lang={lang}])")).to_have_count(0)
        step.same()
        table.same()
        assert step.shown["hand"] == marks
        assert table.shown["hand"] == cards["hand"]
        assert abs(step.root.bounding_box()["y"] - top) < 400, "the reader stays where he was"
    expect(page).to_have_title(messages("ja").say("game hearts"))
    expect(page.locator(".cl-bar")).to_have_attribute("lang", "ja")
    assert page.evaluate(FOREIGN) == []


@pytest.mark.parametrize("lang", ["en", "ja"])
def test_no_text_in_the_other_language(new_page: Opener, lang: str) -> None:
    """Not in the rule book, nor at the end of a deal, nor in what opens."""
    page = new_page(**WIDE)
    reader = Reader(page, lang).open("?v=windows,players:4&seed=5" if lang == "en" else "?v=windows&seed=5")
    table = reader.table()
    table.play_on(lambda: table.session.deal.over)
    for id in ("hearts.setup.players", "hearts.score.moon", "hearts.end.hundred", "hearts.pass.cycle"):
        step = reader.step(id)
        step.answer(step.wrong())
        step.hint()
    options = reader.root("options")
    options.locator("[data-value=whole]").click()
    expect(options.locator(".cl-book")).to_be_visible()
    assert page.evaluate(FOREIGN) == []
    options.locator("[data-value=changes]").click()
    for panel in ("steps", "settings", "share"):
        reader.bar.locator(f"[data-panel={panel}]").click()
        expect(reader.bar.locator(f"[data-panel={panel}]")).to_have_attribute("aria-expanded", "true")
        assert page.evaluate(FOREIGN) == []
    page.keyboard.press("Escape")
    reader.root("hearts.follow.suit").locator(".cl-chip").first.click()
    expect(page.locator("dialog[open]")).to_be_visible()
    assert page.evaluate(FOREIGN) == []


def test_first_visit_speaks_the_language_of_the_browser(new_page: Opener) -> None:
    for locale, lang in (("ja-JP", "ja"), ("de-DE", "en")):
        page = new_page(locale=locale)
        page.goto("/hearts")
        Reader(page).ready()
        expect(page.locator("html")).to_have_attribute("lang", lang)
        expect(page.locator(f"[data-kind]:not([lang={lang}])")).to_have_count(0)


def test_settings_are_seen_and_kept(new_page: Opener) -> None:
    """Four colours tell all suits apart; cards grow and shrink; both come back after a reload."""
    page = new_page(**PHONE)
    keep(page, settings={"lang": "en"})
    reader = Reader(page, "en", touch=True).open()
    felt = reader.root("hearts.score.heart")
    colour = "it => getComputedStyle(it).color"
    heart = felt.locator(".cl-h.cl-card").first
    diamonds = reader.root("hearts.follow.suit").locator(".cl-d.cl-card").first
    assert heart.evaluate(colour) == diamonds.evaluate(colour)
    card = reader.root("hearts.follow.suit").locator("[data-zone=hand] .cl-card").first
    widths = {"M": card.bounding_box()["width"]}
    reader.press(reader.bar.locator("[data-panel=settings]"))
    for size in ("S", "L"):
        reader.press(reader.bar.locator(f'[data-set=size][data-value="{size}"]'))
        expect(page.locator("html")).to_have_attribute("data-size", size)
        widths[size] = card.bounding_box()["width"]
    assert widths["S"] < widths["M"] < widths["L"]
    reader.press(reader.bar.locator('[data-set=colours][data-value="4"]'))
    expect(page.locator("html")).to_have_attribute("data-colours", "4")
    assert heart.evaluate(colour) != diamonds.evaluate(colour)
    assert page.evaluate("document.documentElement.scrollWidth") == 360
    page.reload()
    reader.ready()
    expect(page.locator("html")).to_have_attribute("data-colours", "4")
    expect(page.locator("html")).to_have_attribute("data-size", "L")
