"""When the kernel is lost or slow; and what goes over the line."""

import itertools
import json
import os
import re
import signal
from collections.abc import Callable, Iterator
from typing import Any

import psutil
import pytest
from playwright.sync_api import expect

from cardlib.cards import Hand
from cardlib.text import messages
from tests.browser.reader import WIDE, Reader

pytestmark = pytest.mark.browser

Opener = Callable[..., Any]


def kernel_of(page: Any) -> int:
    """The process of this page's kernel."""
    id = page.evaluate("JSON.parse(document.getElementById('jupyter-config-data').textContent).kernelId")
    for process in psutil.process_iter(["pid", "cmdline"]):
        if any(id in word for word in process.info["cmdline"] or ()):
            return int(process.info["pid"])
    raise AssertionError(f"no kernel {id}")


def test_kernel_that_dies_is_said_and_the_way_back_keeps_the_deal(new_page: Opener) -> None:
    page = new_page(**WIDE, ignore="WebSocket|404")
    reader = Reader(page, "en").open("?seed=5")
    table = reader.table()
    table.move()
    before = table.shown["hand"]
    os.kill(kernel_of(page), signal.SIGKILL)
    lost = page.get_by_role("alert").filter(has_text=messages("en").say("ui lost dead"))
    expect(lost).to_be_visible()
    lost.get_by_role("button").click()
    reader.ready()
    expect(page.locator("#app-lost")).to_be_hidden()
    assert table.shown["hand"] == before


@pytest.mark.parametrize("lang", ["en", "ja"])
def test_message_without_an_answer_is_said(new_page: Opener, lang: str) -> None:
    page = new_page(**WIDE)
    reader = Reader(page, lang).open("?seed=5")
    step = reader.root("hearts.follow.suit")
    kernel = kernel_of(page)
    os.kill(kernel, signal.SIGSTOP)
    try:
        step.locator("[data-do=hint]").click()
        expect(step.locator(".cl-status .cl-say")).to_contain_text(messages(lang).say("ui slow"))
    finally:
        os.kill(kernel, signal.SIGCONT)
    expect(step.locator(".cl-says .cl-say")).to_have_count(1)
    expect(step.locator(".cl-status .cl-say")).to_have_count(0)


# ---- what the reader's seat may not know never comes to his browser

CARD = re.compile(r'"card": "([2-9TJQKA][SHDC])"|([♠♥♦♣])(10|[2-9JQKA])')


def cards_in(value: Any) -> set[str]:
    """Every card named anywhere, as a face or in a sentence."""
    found = CARD.findall(json.dumps(value, ensure_ascii=False))
    return {
        face or rank.replace("10", "T") + dict(zip("♠♥♦♣", "SHDC", strict=True))[suit] for face, suit, rank in found
    }


def contents(frame: str | bytes) -> Any:
    """What a message of the kernel says: Jupyter writes it in one piece, or in parts after a table of offsets."""
    if isinstance(frame, str):
        return json.loads(frame)
    count = int.from_bytes(frame[:8], "little")
    offsets = [int.from_bytes(frame[8 * at : 8 * at + 8], "little") for at in range(1, count + 1)]
    parts = [frame[start:end] for start, end in itertools.pairwise(offsets)]
    return [json.loads(part) for part in parts[1:5]] + [repr(part) for part in parts[5:]]


def states(value: Any) -> Iterator[dict[str, Any]]:
    """The states of widgets anywhere in a message."""
    if isinstance(value, dict):
        if "kind" in value and "v" in value:
            yield value
            return
        value = list(value.values())
    if isinstance(value, list):
        for item in value:
            yield from states(item)


def without_states(value: Any) -> Any:
    """What else is in a message, but for our own program, which comes over the line, too."""
    if isinstance(value, dict):
        if "kind" in value and "v" in value:
            return None
        return {key: without_states(it) for key, it in value.items() if key not in ("_esm", "_css")}
    return [without_states(it) for it in value] if isinstance(value, list) else value


@pytest.mark.parametrize("rules", ["", "players:3,leftover:pickup-first-trick"])
def test_no_hidden_card_goes_over_the_line(new_page: Opener, rules: str) -> None:
    page = new_page(**WIDE)
    frames: list[str | bytes] = []
    page.on("websocket", lambda socket: socket.on("framereceived", lambda frame: frames.append(frame)))
    reader = Reader(page, "en").open(f"?seed=3&v={rules}")
    table = reader.table()
    checked = 0
    while not table.session.deal.over:
        checked += check_frames(frames, known_to(table.session))
        if table.session.waiting:
            table.go_on()
        else:
            table.move()
    assert checked > 20


def known_to(session: Any) -> set[str]:
    """What the reader's seat may know, from the record of the deal: the cards dealt to it, those it was passed or has
    taken up, and those that have been played.  (The rules themselves name ♠Q.)"""
    record = session.deal.record()
    hands = [set(hand.split()) for hand in record["hands"]]
    known = {"QS"} | hands[session.me]
    for seat, move in zip(session.seats, session.deal.moves, strict=True):
        if seat == session.me or move.verb == "play":
            known |= {str(card) for card in move.cards}
    if session.deal.phase and session.deal.phase.name == "pass":
        return known
    return known | {str(card) for card in Hand(session.deal.hands[session.me])}


def check_frames(frames: list[str | bytes], known: set[str]) -> int:
    """Look through the messages that have come since the last time; how many showed the table."""
    shown = 0
    for frame in frames:
        message = contents(frame)
        assert not cards_in(without_states(message))
        for state in states(message):
            # (Before the browser says hello, the table stands with another deal.)
            if state["kind"] == "play" and state.get("id") == "free" and state["v"] > 1:
                told = {key: value for key, value in state.items() if key not in ("side", "intro")}
                assert cards_in(told) <= known
                shown += 1
    frames.clear()
    return shown
