"""What really goes over the line: a visitor plays whole deals at the real server, and no message of the kernel names a
card that the seat may not know.

The same page stands in this process as well, is told the same, and says what the learner has seen of the deal.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from uuid import uuid4

import pytest

from cardlib.deal import GAMES
from cardlib.options import Variant
from cardlib.play.bots import simple
from cardlib.play.session import Session
from cardlib.ui.page import STATIC, Page
from cardlib.ui.part import STUB
from tests.app.test_server import connect, get, message, say_goodbye
from tests.knowledge import codes, said, told
from tests.ui.opened import PLAYED, built, part_of, tell
from tests.ui.watch import look_through


class Visitor:
    """A browser at the page of a game: its line to the kernel, and the same page here."""

    def __init__(self, line: Any, twin: Page) -> None:
        self.line, self.twin = line, twin
        self.looked_at = 0
        control = uuid4().hex
        self.ask("comm_open", comm_id=control, target_name="jupyter.widget.control", data={})
        (answer,) = self.ask("comm_msg", comm_id=control, data={"method": "request_states"})
        states = {id: widget["state"] for id, widget in answer["data"]["states"].items()}
        places = {(part.kind, part.state.get("id")): part for part in (twin, *twin.parts)}
        self.parts = {
            id: places[state["state"]["kind"], state["state"].get("id")]
            for id, state in states.items()
            if "state" in state
        }
        assert set(self.parts.values()) == {twin, *twin.parts}
        for id, state in states.items():
            self.look(id, state, set())

    def ask(self, kind: str, **content: Any) -> list[Any]:
        """Send a message; what the kernel says until it is idle again."""
        sent = json.loads(message(kind, content)) | {"metadata": {"version": "1.0.0"}}
        self.line.send(json.dumps(sent))
        said = []
        while True:
            heard = json.loads(self.line.recv())
            if heard["msg_type"] == "status":
                idle = heard["content"]["execution_state"] == "idle"
                if idle and heard["parent_header"].get("msg_id") == sent["header"]["msg_id"]:
                    return said
            else:
                assert heard["msg_type"] == "comm_msg", heard
                said.append(heard["content"])

    def tell(self, part: Any, **asked: Any) -> None:
        """Send a message to a part of the page, and look through all that comes back."""
        tell(part, **asked)
        id = next(id for id, other in self.parts.items() if other is part)
        for heard in self.ask("comm_msg", comm_id=id, data={"method": "custom", "content": asked}):
            assert heard["data"].keys() <= {"method", "state", "buffer_paths"}
            self.look(heard["comm_id"], heard["data"]["state"], codes(asked.values()))
        said = json.loads(json.dumps(part.state))
        assert self.last[id] == said, "the page here is the same"

    last: dict[str, Any]

    def look(self, id: str, state: dict[str, Any], asked: set[str]) -> None:
        """Look through what a widget says of itself."""
        self.last = getattr(self, "last", {}) | {id: state.get("state")}
        if id in self.parts:
            look_through(self.parts[id], state["state"], asked)
            self.looked_at += 1
        rest = {key: value for key, value in state.items() if key != "state" and value not in PROGRAM}
        assert not list(told(rest))


#: Our own program comes over the line, too.
PROGRAM = (STUB, *((STATIC / name).read_text("utf-8") for name in ("cardlib.js", "cardlib.css")))


#: What a text in JSON cannot hold as it is: the page is read as such a text, since it holds JSON.
NO_QUOTES = re.compile(r'["\x00-\x1f]|\\(?!u[0-9a-f]{4})')


@contextmanager
def visiting(server: str, game: str) -> Iterator[Visitor]:
    page = get(f"{server}/{game}?lang=en")
    assert not said(json.loads(f'"{NO_QUOTES.sub(" ", page.text)}"'), Variant.of(GAMES[game])), "in the page itself"
    line = connect(server, page)
    yield Visitor(line, built(game))
    line.close()
    say_goodbye(server, page)


def kept_in_round_3(seed: int) -> dict[str, Any]:
    """What the browser has kept of Quodlibet after eight deals: in the next four one sees more than one's own hand, or
    less."""
    session = Session(Variant.of(GAMES["quodlibet"]), seed)
    while len(session.match.history) < 8:
        if session.deal.over:
            session.next_deal()
        elif session.waiting:
            session.go_on()
        else:
            session.play(str(simple(session.deal.view(0)).move))
    return session.data()


@pytest.mark.parametrize("game", PLAYED)
def test_no_hidden_card_goes_over_the_line(server: str, game: str) -> None:
    link = "?lang=en" if game == "quodlibet" else "?lang=en&seed=4"
    stored = {"version": 1, "link": link, "free": kept_in_round_3(4)} if game == "quodlibet" else None
    with visiting(server, game) as visitor:
        visitor.tell(visitor.twin, do="hello", search=link, stored=stored, settings=None)
        free, contracts = part_of(visitor.twin, "free"), set()
        for number in range(4 if game == "quodlibet" else 1):
            while not free.session.deal.over:
                play_on(visitor, free)
            contracts.add(getattr(free.session.deal, "contract", ""))
            visitor.tell(visitor.twin, do="set", name="lang", value=("ja", "en")[number % 2])
            visitor.tell(free, do="next")
        assert visitor.looked_at > 30
        if game == "quodlibet":
            assert contracts == {"open-trousers", "good-hunting", "quadrature", "snack"}


def play_on(visitor: Visitor, free: Any) -> None:
    """The next trick, or a move as a simple player makes it."""
    session = free.session
    if session.waiting:
        visitor.tell(free, do="next")
    else:
        visitor.tell(free, do="play", move=str(simple(session.deal.view(session.me)).move))
