"""Looking through the messages of a page's widgets for cards that the learner's seat may not know."""

from __future__ import annotations

from collections.abc import Set
from copy import deepcopy
from typing import Any

from cardlib.cards import Hand
from cardlib.deal import Deal, Event
from cardlib.options import Variant
from cardlib.teach.positions import ME
from cardlib.text import LANGS, messages
from cardlib.ui.options import OptionPanel
from cardlib.ui.page import Page, card_names
from cardlib.ui.play import Play
from tests.knowledge import RANKS, codes, known, told, written


def look_through(part: Any, state: dict[str, Any], asked: Set[str]) -> None:
    """No card in a state of this part that the learner may not know."""
    state = deepcopy(state)
    if isinstance(part, Page) and state:
        assert state["names"] == card_names(state["lang"])  # what all cards are called
        state = {key: value for key, value in state.items() if key != "names"}
    if (state.get("table") or {}).get("board"):
        without_gaps(state["table"]["board"])
    variants, may = allowed(part)
    secrets = {path: card for card, path in told(state, *variants) if card not in may | asked}
    assert not secrets, f"{part.kind} of {part.game if isinstance(part, Page) else part.page.game} tells {secrets}"


def without_gaps(board: dict[str, Any]) -> None:
    """The rows of Snack have a place for every card of the pack, whether it lies there or not."""
    for row in board.get("rows", []):
        assert [cell["card"] for cell in row["cells"]] == [rank + row["suit"] for rank in RANKS]
        row["cells"] = [cell for cell in row["cells"] if cell["state"] == "card"]


def allowed(part: Any) -> tuple[set[Variant], set[str]]:
    """By which rules a part speaks, and which cards it may name."""
    if isinstance(part, Play):
        session = part.session
        return {session.variant}, known(session.deal, session.seats, session.me)
    if isinstance(part, Page):  # it has the browser keep what the tables give it
        plays = [allowed(play) for play in part.parts if isinstance(play, Play)]
        return {part.variant}.union(*(some for some, _ in plays)), set().union(*(cards for _, cards in plays))
    if isinstance(part, OptionPanel):
        return {part.page.variant, part.draft}, named_by_options(part.game.options)
    if hasattr(part, "task"):
        given = codes(repr(part.exercises if hasattr(part, "exercises") else part.exercise))
        return {part.page.variant, part.task.variant}, given | seen_in(part.task)
    return {part.page.variant}, set()


def seen_in(task: Any) -> set[str]:
    """The cards that an exercise may show besides those in the notebook: what the learner sees of its deals."""
    found = codes(str(Hand(task.suit.mask))) if hasattr(task, "suit") else set()  # a whole suit is asked about
    for value in vars(task).values():
        for item in value if isinstance(value, list) else [value]:
            if isinstance(item, Deal):
                found |= known(item, movers(item), ME)
            elif isinstance(item, Event) and item.kind == "TrickWon":
                found |= codes(str(item.facts["cards"]))
    return found


def named_by_options(options: Any) -> set[str]:
    """The cards that options and their values name."""
    found = set()
    for option in options.declared():
        for value in (*option.metadata["values"], ""):
            for id in (f"option {option.name}", f"value {option.name} {value}"):
                found |= codes(str(value))
                found |= {card for lang in LANGS if messages(lang).has(id) for card in written(messages(lang).say(id))}
    return found


def movers(deal: Deal) -> list[int]:
    """Who made each move of a deal that plays on for an exercise."""
    seats = []
    again = type(deal).from_record(deal.record() | {"moves": []})
    for move in deal.moves:
        seats.append(again.turn)
        again.push(move)
    return seats  # type: ignore[return-value]
