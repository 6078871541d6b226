"""What a page remembers, and what a link carries."""

import json
from collections.abc import Callable
from typing import Any
from urllib.parse import parse_qs

import pytest
from playwright.sync_api import expect

from cardlib.text import messages
from tests.browser.reader import PHONE, WIDE, Reader, keep
from tests.ui.opened import opened

pytestmark = pytest.mark.browser

Opener = Callable[..., Any]


def solve(reader: Reader, *ids: str) -> None:
    for id in ids:
        step = reader.step(id)
        step.answer(step.part.task.solution())


def reopened(reader: Reader, search: str = "") -> None:
    """Reload, or open another link; the twin gets what the browser has kept."""
    stored = reader.kept
    if search:
        reader.page.goto(f"/hearts{search}")
    else:
        reader.page.reload()
    reader.ready()
    reader.twin = opened("hearts", search or reader.link, stored=stored)


def test_reload_in_the_middle_of_a_deal(new_page: Opener) -> None:
    """The same deal, the same trick, the same step; what is solved stays solved.  Another link: another deal."""
    reader = Reader(new_page(**WIDE), "en").open("?seed=5&v=players:3")
    solve(reader, "hearts.follow.suit", "hearts.score.heart")
    table = reader.table()
    table.play_on(lambda: len(table.session.deal.moves) > 13)
    until_kept(reader, step="free")
    reader.press(reader.root("hearts.score.moon").locator("[data-do=hint]"))
    at = reader.bar.locator("[data-panel=steps]")
    at.click()
    expect(reader.bar.locator('[data-step="hearts.score.moon"]')).to_have_attribute("aria-current", "step")
    until_kept(reader, step="hearts.score.moon")
    before = table.shown
    reopened(reader)
    table = reader.table()
    table.same()
    again = table.shown
    assert {**again, "says": 0} == {**before, "says": 0}
    expect(reader.root("hearts.score.moon").locator("h2")).to_be_focused()
    expect(reader.root("hearts.score.moon")).to_be_in_viewport()
    expect(reader.bar.locator(".cl-dots .cl-on")).to_have_count(2)
    expect(reader.page.locator("[data-do=dismiss]")).to_have_count(0)

    reopened(reader, "?lang=en&seed=6")
    table = reader.table()
    table.same()
    assert table.session.match.seed == 6
    expect(table.root.locator(".cl-seat")).to_have_count(4)
    expect(reader.bar.locator(".cl-dots .cl-on")).to_have_count(2)


def until_kept(reader: Reader, **wanted: Any) -> None:
    """Wait until the browser has kept this."""
    query = """wanted => new Promise((done, late) => {
        setTimeout(() => late(new Error("not kept")), 10000);
        const look = () => {
            const kept = JSON.parse(localStorage["cardlib/1/hearts"] ?? "{}");
            if (Object.keys(wanted).every((key) => kept[key] === wanted[key])) done();
            else requestAnimationFrame(look);
        };
        look();
    })"""
    reader.page.evaluate(query, wanted)


@pytest.mark.parametrize(
    "kept",
    [
        "[", '{"version": 9, "solved": ["hearts.follow.suit"]}',
        json.dumps({"version": 1, "solved": [{}, "no.such"], "step": 7, "free": {"v": "players:99", "seed": "x"}}),
    ],
)  # fmt: skip
def test_nonsense_in_the_storage_is_left_out(new_page: Opener, kept: str) -> None:
    """The page opens as for the first time; what cannot be read is said where something is lost by it."""
    page = new_page(**WIDE)
    page.add_init_script(f"localStorage['cardlib/1/hearts'] = {json.dumps(kept)}")
    page.add_init_script('localStorage[\'cardlib/1/settings\'] = \'{"lang": 3, "size": "XXL", "colours": []}\'')
    page.goto("/hearts?lang=en")
    Reader(page, "en").ready()
    expect(page.locator('[id="step-free"] [data-zone=hand] [data-card]')).to_have_count(13)
    expect(page.locator(".cl-bar .cl-dots .cl-on")).to_have_count(0)
    said = page.locator(".cl-intro-page .cl-say")
    if "free" in kept:
        expect(said).to_contain_text(messages("en").say("bad stored"))
    else:
        expect(said).to_have_count(0)


def test_moves_that_cannot_be_played_again_are_said(new_page: Opener) -> None:
    page = new_page(**WIDE)
    stored = {"version": 1, "free": {"v": "", "seed": "5", "seat": 0, "history": [], "moves": ["give 2C 3C 4C", "AS"]}}
    keep(page, hearts=stored)
    reader = Reader(page, "ja").open(stored=stored)
    reader.table().same()
    expect(reader.root("free").locator(".cl-says")).to_contain_text(messages("ja").say("bad replay"))


def test_private_mode_plays_without_memory(new_page: Opener) -> None:
    page = new_page(**WIDE)
    page.add_init_script("""Object.defineProperty(window, "localStorage", {
        get() { throw new DOMException("denied", "SecurityError"); } });""")
    reader = Reader(page, "en").open("?seed=5")
    solve(reader, "hearts.follow.suit")
    table = reader.table()
    table.play_on(lambda: len(table.session.deal.moves) > 8)
    expect(reader.bar.locator(".cl-dots .cl-on")).to_have_count(1)


def test_progress_can_be_forgotten(new_page: Opener) -> None:
    reader = Reader(new_page(**WIDE), "en").open("?seed=5")
    solve(reader, "hearts.follow.suit")
    expect(reader.bar.locator(".cl-dots .cl-on")).to_have_count(1)
    reader.bar.locator("[data-panel=settings]").click()
    reader.bar.locator("[data-do=forget]").click()
    reader.bar.locator("[data-do=forget-no]").click()
    expect(reader.bar.locator(".cl-dots .cl-on")).to_have_count(1)
    reader.bar.locator("[data-do=forget]").click()
    reader.bar.locator("[data-do=forget-yes]").click()
    expect(reader.bar.locator(".cl-dots .cl-on")).to_have_count(0)
    expect(reader.root("hearts.follow.suit").locator(".cl-done")).to_have_count(0)
    expect(reader.page.locator(".cl-intro-page")).to_contain_text(messages("en").say("ui forgotten"))
    assert reader.kept["solved"] == []


# ---- links


@pytest.mark.parametrize(
    ("search", "culprit"),
    [("?lang=fr&seed=3", "fr"), ("?v=moon_mode:both&step=hearts.no.such", "both")],
)
def test_bad_link_says_what_is_wrong(new_page: Opener, search: str, culprit: str) -> None:
    """... in the reader's language, and the page goes on with what it had; the sentence can be put away."""
    page = new_page(**WIDE, locale="ja-JP")
    keep(page, settings={"lang": "ja"})
    page.goto(f"/hearts{search}")
    Reader(page, "ja").ready()
    said = page.locator(".cl-intro-page .cl-say")
    expect(said).to_contain_text(culprit)
    assert page.locator("html").get_attribute("lang") == "ja"
    expect(page.locator('[id="step-free"] .cl-seat')).to_have_count(4)
    said.locator("[data-do=dismiss]").click()
    expect(said).to_have_count(0)


def test_share_gives_a_link_to_this_very_place(new_page: Opener) -> None:
    """Language, rules, deal and step come with the link, and nothing of what the sender has played."""
    page = new_page(**WIDE)
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    sender = Reader(page, "ja").open("?v=players:5,moon_mode:others&seed=17&step=hearts.lead.broken")
    expect(sender.root("hearts.lead.broken").locator("h2")).to_be_focused()
    table = sender.table()
    hand = [card for card, _ in table.shown["hand"]]
    table.move()
    sender.press(sender.root("hearts.score.moon").locator("[data-do=hint]"))
    until_kept(sender, step="hearts.score.moon")
    sender.bar.locator("[data-panel=share]").click()
    field = sender.bar.locator("#cl-link")
    expect(field).to_be_focused()
    link = field.input_value()
    expect(sender.bar).to_contain_text(messages("ja").say("ui copied"))
    assert page.evaluate("navigator.clipboard.readText()") == link
    query = {key: values[0] for key, values in parse_qs(link.split("?")[1]).items()}
    assert query == {"lang": "ja", "v": "players:5,moon_mode:others", "seed": "17", "step": "hearts.score.moon"}

    receiver = new_page(**PHONE)
    receiver.goto(link)
    reader = Reader(receiver, "ja", touch=True)
    reader.ready()
    reader.twin = opened("hearts", "?" + link.split("?")[1])
    assert [card for card, _ in reader.table().shown["hand"]] == hand
    expect(receiver.locator('[id="step-free"] .cl-seat')).to_have_count(5)
    expect(receiver.locator('[id="step-hearts.score.moon"] h2')).to_be_focused()
    assert receiver.locator("html").get_attribute("lang") == "ja"
    expect(receiver.locator(".cl-bar .cl-dots .cl-on")).to_have_count(0)

    reader.press(reader.root("hearts.follow.suit").locator("[data-do=hint]"))
    until_kept(reader, step="hearts.follow.suit")
    receiver.reload()
    reader.ready()
    expect(receiver.locator('[id="step-hearts.follow.suit"] h2')).to_be_focused()
