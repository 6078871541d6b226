"""Scopone in the browser: a whole match against bots, a wrong capture and its reason, a choice walked by arrows."""

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.browser.reader import PHONE, WIDE, Reader

pytestmark = pytest.mark.browser

Opener = Callable[..., Any]

#: In the first deal of this match the learner's first hand holds a card with two ways to capture.
SEED = 17


def at_table(new_page: Opener, lang: str = "en", **device: Any) -> Any:
    ways = {"touch": True} if device.get("has_touch") else {}
    return Reader(new_page(**device), lang, game="scopone", **ways).open(f"?seed={SEED}&step=free").table()


def lit(table: Any, look: str) -> list[str]:
    """The table cards with a look."""
    cards = table.root.locator(f'[data-zone="lying"] .cl-is-{look}')
    return sorted(cards.evaluate_all("nodes => nodes.map((it) => it.dataset.card)"))


def test_a_match_to_eleven(new_page: Opener, axe: Callable[..., list[str]]) -> None:
    """Deal after deal until somebody has 11 points; every deal is counted by five questions first."""
    table = at_table(new_page, **WIDE)
    assert table.compose("JD", "5H", "QC") == "scopone.capture.equal-before-sum"
    assert table.compose("QS", "JS", "JH") == "scopone.capture.equal-before-sum"
    while not table.session.over:
        table.play_on(lambda: table.session.deal.over)
        expect(table.root.locator("[data-question]")).to_have_count(1)
        assert table.part.state["lines"] == []
        table.count()
        assert table.session.match.number or axe(table.reader.page, within="#step-free") == []
        expect(table.root.locator("[data-question]")).to_have_count(5)
        expect(table.root.locator(".cl-shown-side .cl-card")).to_have_count(8)  # four champions a side
        assert len(table.part.state["lines"]) >= 1
        if not table.session.over:
            table.go_on()
    totals = table.session.deal.settled.match.totals
    assert max(totals) >= 11
    assert table.part.state["says"][-1]["rule"].startswith("scopone.match.")
    table.same()


def test_a_choice_is_walked_by_arrows(new_page: Opener) -> None:
    """By keyboard alone: choose a card, walk through what it can take, take it; go back, and do it by touching cards."""
    table = at_table(new_page, **WIDE)
    reader = table.reader
    reader.keys = True
    ways = table.choose("JD")
    assert [way["takes"] for way in ways] == [["JS"], ["JH"]]
    status = table.root.locator(".cl-capture [role=status]")
    assert (lit(table, "chosen"), lit(table, "fits")) == (["JS"], ["JH"])
    for key, chosen, text in [
        ("ArrowRight", "JH", "Choice 2 of 2"),
        ("ArrowRight", "JS", "Choice 1 of 2"),
        ("ArrowUp", "JH", "Choice 2 of 2"),
    ]:
        reader.page.keyboard.press(key)
        expect(status).to_contain_text(text)
        assert lit(table, "chosen") == [chosen]
    reader.answered(table.root, lambda: reader.page.keyboard.press("Enter"))
    table.tell(do="play", move="JD takes JH")
    table.same()
    assert str(table.session.deal.moves[0]) == "JD takes JH"
    expect(table.root.locator('[data-side="right"]')).to_contain_text("East")  # anticlockwise: the next seat
    expect(table.root.locator('[data-side="top"]')).to_contain_text("partner")
    table.ask("why")
    table.ask("undo")
    assert table.session.deal.moves == []
    table.ask("hint")


def test_cards_are_put_together_by_touch(new_page: Opener, axe: Callable[..., list[str]]) -> None:
    table = at_table(new_page, "ja", **PHONE)
    table.choose("JD")
    table.reader.press(table.root.locator('[data-zone="lying"] [data-card="JH"]'))
    assert lit(table, "chosen") == ["JH"]
    sizes = table.root.locator('[data-zone="lying"] button').evaluate_all(
        "nodes => nodes.map((it) => Math.min(it.offsetWidth, it.offsetHeight))"
    )
    assert min(sizes) >= 44
    assert table.reader.page.evaluate("document.documentElement.scrollWidth") <= 360
    assert axe(table.reader.page, within="#step-free") == []
    table.reader.do(table.root, "capture")
    table.tell(do="play", move="JD takes JH")
    table.same()
    expect(table.root.locator(".cl-stacks li").first).to_contain_text(str(table.session.deal.taken[0].bit_count()))


def test_the_values_of_court_cards_can_be_turned_off(new_page: Opener) -> None:
    table = at_table(new_page, **WIDE)
    jack, page = table.card("JD"), table.reader.page
    expect(jack).to_have_attribute("aria-label", "Jack of diamonds, 8")
    table.reader.bar.locator('[data-panel="settings"]').click()
    table.reader.bar.locator('[data-value="off"]').click()
    expect(jack).to_have_attribute("aria-label", "Jack of diamonds")
    expect(table.root.locator('[data-sign="8"]')).to_have_count(0)
    page.reload()
    table.reader.ready()
    expect(jack).to_have_attribute("aria-label", "Jack of diamonds")
