"""Quodlibet in the browser: a whole match of twelve deals, and nothing on the line that the learner may not know."""

import json
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import expect

from cardlib.cards import Hand
from cardlib.text import messages
from tests.browser.reader import PHONE, WIDE, AtTable, Reader, keep, said
from tests.browser.test_access import AXE, SMALL, TAGS, WIDER, axe_source  # noqa: F401  (a fixture)

pytestmark = pytest.mark.browser

Opener = Callable[..., Any]

#: What eight and eleven deals of a match have left behind: round 3 begins with the learner as its dealer.
EIGHT = [
    {"scores": scores, "contract": contract, "dealer": dealer}
    for contract, dealer, scores in (
        ("red-ruffians", 3, [0, 0, 50, 30]),
        ("bad-neighbor", 0, [60, 0, 10, 10]),
        ("minus", 1, [10, 10, 40, 20]),
        ("plus", 2, [-10, -40, -30, 100]),
        ("no-hearts", 3, [0, 100, 50, 0]),
        ("first-three-and-last", 0, [0, 0, 60, 50]),
        ("bribery", 1, [160, 130, 60, 50]),
        ("queens-jacks", 2, [210, 60, 0, 30]),
    )
]
ELEVEN = [
    *EIGHT,
    {"scores": [20, 30, 20, 10], "contract": "good-hunting", "dealer": 0},
    {"scores": [-40, 0, -80, 0], "contract": "quadrature", "dealer": 1},
    {"scores": [-30, -10, -20, -20], "contract": "open-trousers", "dealer": 2},
]


def opened_at(page: Any, lang: str, history: list[Any], **ways: bool) -> AtTable:
    """The table of a match of which some deals have been played."""
    link = f"?lang={lang}"
    free = {"v": "", "seed": "6", "seat": 0, "history": history, "moves": [], "waiting": True}
    stored = {"version": 1, "link": link, "step": "free", "solved": [], "free": free}
    keep(page, quodlibet=stored)
    return Reader(page, lang, game="quodlibet", **ways).open(link, stored=stored).table()


def sheet(table: AtTable) -> list[list[str]]:
    """The rows of the score sheet, without headings and signs."""
    rows: list[list[str]] = table.root.locator(".cl-sheet tbody tr:not(.cl-group)").evaluate_all(
        "rows => rows.map((row) => [...row.cells].map((cell) => (cell.querySelector('span') ?? cell).textContent.trim()))"
    )
    return rows


def number(points: int) -> str:
    return f"−{-points}" if points < 0 else str(points)


def test_a_whole_match(new_page: Opener) -> None:
    """Twelve deals as a simple player plays them; by keyboard where the learner deals, and in Snack."""
    table = Reader(new_page(**WIDE), game="quodlibet").open("?seed=4&step=free").table()
    reader, session = table.reader, table.session
    played: list[str] = []
    chosen = refused = 0
    while True:
        deal = session.deal
        if deal.board == "offers":
            reader.keys = True
            refused += refuse_a_contract(table)
            table.move()
            chosen += 1
        reader.keys = session.deal.board == "rows"
        table.play_on(lambda: session.deal.over)
        played.append(session.deal.contract)
        if session.over:
            break
        reader.keys = False
        table.go_on()
    assert len(set(played)) == 12 and played[-1] == "snack"
    assert chosen == 3 and refused  # once a round; the learner does not begin all of them
    check_the_sheet(table, played)


def refuse_a_contract(table: AtTable) -> bool:
    """Name a contract that cannot be had now: it says why.  False where all of them are still there."""
    shut = [item for item in table.part.state["table"]["board"]["items"] if item["refusal"] and item["note"]]
    if not shut:
        return False
    table.reader.press(table.root.locator(f'[data-move="{shut[0]["move"]}"]'))
    expect(table.root.locator(".cl-refusal .cl-say")).to_be_in_viewport()
    assert table.shown["refusal"] == [said(shut[0]["refusal"])]
    assert shut[0]["refusal"]["rule"] == "quodlibet.choose.once"
    return True


def check_the_sheet(table: AtTable, played: list[str]) -> None:
    """Twelve rows in three rounds, each with a dealer; the totals are the sums, and what the engine says."""
    say = messages("en")
    deals = [*table.session.match.history, table.session.deal]
    scores = [list(counted.scores if i < 11 else counted.scores()) for i, counted in enumerate(deals)]
    named = [f"{n} {say.say(f'contract {contract}')}" for n, contract in enumerate(played, 1)]
    expected: list[list[str]] = []
    for n, (name, row) in enumerate(zip(named, scores, strict=True), 1):
        expected.append([name, *map(number, row)])
        if n % 4 == 0:
            sums = [sum(column) for column in zip(*scores[:n], strict=True)]
            expected.append([say.say("sheet total"), *map(number, sums)])
    assert sheet(table) == expected
    assert [int(total) for total in table.session.deal.settled.match.totals] == sums
    expect(table.root.locator(".cl-sheet .cl-group")).to_have_count(3)
    expect(table.root.locator(".cl-sheet .cl-sign")).to_have_count(12)
    winners = table.session.deal.settled.result
    assert [sums[seat] for seat in winners] == [min(sums)] * len(winners)


@pytest.mark.parametrize("lang", ["en", "ja"])
def test_own_cards_stay_unknown(new_page: Opener, lang: str) -> None:
    """In Open Trousers nothing that is sent, and nothing that is kept, names a card of the learner's own hand."""
    page = new_page(**(PHONE if lang == "ja" else WIDE))
    frames: list[Any] = []
    page.on("websocket", lambda socket: socket.on("framereceived", lambda it: frames.append(it)))
    table = opened_at(page, lang, EIGHT, touch=lang == "ja")
    table.move("contract open-trousers")
    for n in range(8):
        frames.clear()
        table.ask("hint")
        table.ask("why")
        expect(table.root.locator('[data-zone="hand"] .cl-back')).to_have_count(8 - n)
        expect(table.root.locator(".cl-open-hand")).to_have_count(3)
        table.move()
        if n == 3:  # what is taken back is face down again
            table.ask("undo")
            frames.clear()
            table.ask("why")
            look_through(table, frames)
            table.move()
        look_through(table, frames)
        if table.session.waiting:
            table.go_on()
            look_through(table, frames)
    assert table.session.deal.over
    assert [move.split()[0] for move in table.reader.kept["free"]["moves"]] == ["contract", *["slot"] * 8]


def look_through(table: AtTable, frames: list[Any]) -> None:
    """No frame, and nothing in the browser's storage, names a card that still lies face down."""
    hand = Hand(table.session.deal.hands[0])
    say = messages(table.reader.lang)
    known = json.dumps(table.reader.kept) + "".join(map(readable, frames))
    others = [card for seen in table.session.deal.exposed(0) for card in Hand(seen)]
    assert not others or any(f'"{card}"' in known for card in others)  # the frames can be read
    for card in hand:
        for word in (f'"{card}"', say.fact(card), say.say("card", card=card)):
            assert word not in known, word


def readable(frame: Any) -> str:
    """What a frame from the server says, as text, without the names of all cards that every page has."""
    raw = frame if isinstance(frame, str) else frame.decode("utf-8", "ignore")
    return "".join(json.dumps(found, ensure_ascii=False) for found in objects(raw))


def objects(raw: str) -> Iterator[Any]:
    """The JSON objects in a frame; of the page, all but its list of card names."""
    read, at = json.JSONDecoder(), raw.find("{")
    while at >= 0:
        try:
            found, end = read.raw_decode(raw, at)
        except ValueError:
            end = at + 1
        else:
            state = found.get("data", {}).get("state", {}) if isinstance(found, dict) else {}
            if isinstance(state, dict) and isinstance(state.get("state"), dict):
                state["state"].pop("names", None)
            yield found
        at = raw.find("{", end)


@pytest.mark.parametrize("lang", ["en", "ja"])
def test_the_boards_are_open_to_all(new_page: Opener, axe_source: str, lang: str) -> None:  # noqa: F811
    """Choosing, slots beside open hands, and Snack: axe finds nothing, targets are large, nothing is too wide for a phone."""
    found: list[str] = []
    for history in (EIGHT, ELEVEN):
        page = new_page(**(PHONE if lang == "ja" else WIDE))
        table = opened_at(page, lang, history)
        page.evaluate(axe_source)
        if table.session.deal.board == "offers":
            found += faults(page)
            table.move("contract open-trousers")
        played = len(table.session.own_moves)
        table.play_on(lambda: len(table.session.own_moves) > played and not table.session.waiting)  # noqa: B023
        found += faults(page)
    assert not found, "\n".join(dict.fromkeys(found))


def faults(page: Any) -> list[str]:
    """What is wrong with the table as it now stands."""
    page.evaluate("scrollTo(0, 0)")  # the bar is not to lie on something that is looked at
    return [*page.evaluate(AXE, ['[id="step-free"]', TAGS]), *page.evaluate(SMALL), *page.evaluate(WIDER)]
