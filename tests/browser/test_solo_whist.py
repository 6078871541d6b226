"""Solo Whist in the browser: the ladder of bids, and a session of four deals to its end."""

import re
from collections.abc import Callable
from importlib.resources import files
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.browser.reader import PHONE, WIDE, Reader, said
from tests.browser.test_access import AXE, SIZES, SMALL, TAGS, WIDER

pytestmark = pytest.mark.browser

Opener = Callable[..., Any]

READERS = {
    "by touch in Japanese on a phone": ("ja", PHONE, {"touch": True}),
    "by keyboard in English": ("en", WIDE, {"keys": True}),
}
by_reader = pytest.mark.parametrize("how", READERS)


def at_table(new_page: Opener, how: str, search: str) -> Any:
    lang, device, ways = READERS[how]
    return Reader(new_page(**device), lang, **ways, game="solo-whist").open(search).table()


def texts(locator: Any) -> list[str]:
    return [re.sub(r"\s+", " ", text).strip() for text in locator.all_text_contents()]


def rung(table: Any, bid: str) -> Any:
    return table.root.locator(f'[data-zone="ladder"] [data-move="{bid}"]')


@by_reader
def test_the_ladder(new_page: Opener, how: str) -> None:
    """A rung that is refused says why and stays; one that is open is bid; who speaks and what stands can be seen."""
    table = at_table(new_page, how, "?seed=4")
    board = table.part.state["table"]["board"]
    shown = table.root.locator('[data-zone="ladder"] [data-move]').evaluate_all(
        "its => its.map((it) => it.dataset.move)"
    )
    assert shown == [it["move"] for it in board["rungs"]]
    assert [it["state"] for it in board["rungs"]] == ["open", "open", "shut", "open", "open", "open", "open"]

    table.reader.press(rung(table, "abundance-in-trumps"))
    refusal = next(it["refusal"] for it in board["rungs"] if it["move"] == "abundance-in-trumps")
    assert refusal["rule"] == "solo-whist.auction.abundance-in-trumps"
    expect(table.root.locator(".cl-refusal .cl-say")).to_be_visible()
    assert table.shown["refusal"] == [said(refusal)]
    table.reader.press(table.root.locator('[data-move="accept"]'))
    accept = next(it["refusal"] for it in board["calls"] if it["move"] == "accept")
    expect(table.root.locator(".cl-refusal .cl-chip")).to_have_attribute("data-rule", accept["rule"])
    assert not table.session.deal.calls

    table.move("solo")
    assert table.session.deal.calls[0] == (0, "solo")
    table.ask("undo")
    assert not table.session.deal.calls
    expect(table.root.locator(".cl-speakers > li")).to_have_count(4)
    expect(table.root.locator(".cl-speakers > .cl-turn")).to_have_count(1)


@by_reader
def test_a_session_of_four_deals(new_page: Opener, how: str) -> None:
    """Against bots to the end of the match; the sheet shows each deal, and who pays whom adds up to it."""
    table = at_table(new_page, how, "?seed=5")
    session = table.session
    played = 0
    while True:
        table.play_on(lambda: session.deal.over)
        deal = session.deal
        played += any(deal.scores())
        pays = table.part.state["payments"]
        shown = texts(table.root.locator(".cl-pay-list > li"))
        assert shown == ([re.sub(r"\s+", " ", it["text"]) for it in pays["pays"]] if pays else [])
        assert bool(pays) == any(deal.scores())
        if session.over:
            break
        table.go_on()
    assert played == 4

    # The score sheet, row by row.
    sheet = table.root.locator(".cl-box table").last
    rows = [texts(row.locator("td")) for row in sheet.locator("tr:has(th[scope=row])").all()]
    history = [counted.scores for counted in session.match.history] + [session.deal.scores()]
    signed = [[f"−{-score}" if score < 0 else str(score) for score in scores] for scores in history]
    assert rows[: len(history)] == signed
    balance = [sum(scores) for scores in zip(*history, strict=True)]
    assert rows[len(history)] == [f"−{-total}" if total < 0 else str(total) for total in balance]
    winners = session.deal.settled.result
    assert [seat for seat in range(4) if balance[seat] == max(balance)] == list(winners)
    assert table.shown["says"][-1][2] == "solo-whist.end.winner"


@pytest.mark.parametrize("lang", ["en", "ja"])
def test_nobody_is_kept_out(new_page: Opener, lang: str) -> None:
    """The auction, the open hand of an ouverte and the settlement: by axe-core, large enough, not too wide."""
    page = new_page(**WIDE)
    table = Reader(page, lang, game="solo-whist").open("?seed=14").table()
    page.evaluate(files("axe_playwright_python").joinpath("axe.min.js").read_text("utf-8"))
    session, found = table.session, []

    def look(where: str) -> None:
        for size, (width, height) in SIZES.items():
            page.set_viewport_size({"width": width, "height": height})
            page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
            found.extend(f"{where}, {size}, small: {it}" for it in page.evaluate(SMALL))
            found.extend(f"{where}, {size}, wide: {it}" for it in page.evaluate(WIDER))
            if size != "smallest":
                page.evaluate("scrollTo(0, 0)")
                page.emulate_media(color_scheme="dark" if (size == "phone") == (lang == "en") else "light")
                answer = page.evaluate(AXE, [['[id="step-free"]'], TAGS])
                found.extend(f"{where}, {size}: {it}" for it in answer)
        page.set_viewport_size(WIDE["viewport"])

    table.reader.press(rung(table, "abundance-in-trumps"))
    look("auction")
    table.move("pass")
    table.play_on(lambda: any(session.deal.exposed(0)) and not session.waiting)
    look("open hand")
    table.play_on(lambda: session.deal.over)
    look("settlement")
    assert not found, "\n".join(dict.fromkeys(found))
