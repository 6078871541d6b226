"""When the kernel is lost or slow; and what goes over the line."""

import itertools
import json
import os
import signal
from collections.abc import Callable, Iterator
from typing import Any

import psutil
import pytest
from playwright.sync_api import expect

from cardlib.text import messages
from tests.browser.reader import WIDE, Reader
from tests.knowledge import told
from tests.ui.watch import look_through

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


# ---- what the reader's seat may not know never comes to his browser (all games: `tests/app/test_line.py`)


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
    table = Reader(page, "en").open(f"?seed=3&v={rules}").table()
    checked = 0
    while not table.session.deal.over:
        checked += look_through_all(frames, table.reader.twin)
        if table.session.waiting:
            table.go_on()
        else:
            table.move()
    assert checked > 20


def look_through_all(frames: list[str | bytes], twin: Any) -> int:
    """Look through the messages that have come since the last time; how many showed the table."""
    parts = {(part.kind, part.state.get("id")): part for part in (twin, *twin.parts)}
    shown = 0
    for frame in frames:
        message = contents(frame)
        assert not list(told(without_states(message)))
        for state in states(message):
            if state["v"] > 1:  # before the browser says hello, the table stands with another deal
                look_through(parts[state["kind"], state.get("id")], state, set())
                shown += state["kind"] == "play"
    frames.clear()
    return shown
