"""What lies in the middle of the table where it is not a trick, as the browser draws it.

A phase names its kind of board by a code (`Phase.board`); `BOARDS` has for each a function that describes it to one
seat.  A board may bring its own `prompt` and the `calls` that stand below it as buttons.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from cardlib.cards import Card, Hand, Seat, Suit, cards_of
from cardlib.deal import Event, Move
from cardlib.play.session import Session
from cardlib.teach.voice import Voice
from cardlib.ui.auction import auction
from cardlib.ui.fishing import fishing

#: A session, the voice of its reader, and whether it is his turn.
Board = Callable[[Session, Voice, bool], dict[str, Any]]


def board(session: Session, voice: Voice, mine: bool) -> dict[str, Any] | None:
    """The board of the phase the deal is in (None: it is a trick, or there is nothing to show any more)."""
    kind = session.deal.board
    return {"kind": kind, **BOARDS[kind](session, voice, mine)} if kind else None


def refused(session: Session, voice: Voice, mine: bool, move: str) -> dict[str, Any] | None:
    """Why the reader cannot make a move now (None: he can)."""
    if not mine:
        return voice.note("note", "bad turn", seat=Seat(session.deal.turn))
    refusal = session.refusal(move)
    return voice.refusal(refusal) if refusal else None


# ------------------------------------------------------------------------------------------------ choosing a contract


def offers(session: Session, voice: Voice, mine: bool) -> dict[str, Any]:
    """The contracts of this round: those that can be chosen, and those that have been played."""
    deal = session.deal
    dealt = {counted.outcome["contract"]: counted.dealer for counted in session.match.history}
    return {
        "label": voice.say("board offers", round=deal.match.round),
        "prompt": voice.say("prompt choose" if len(deal.match.remaining) > 1 else "prompt choose last"),
        "calls": [],
        "items": [
            {
                "move": f"contract {name}",
                "label": voice.say(f"contract {name}"),
                "text": counts(name, voice),
                "note": voice.say("offer played", seat=Seat(dealt[name])) if name in dealt else "",
                "refusal": refused(session, voice, mine, f"contract {name}"),
            }
            for name in deal.round_contracts
        ],
    }


def counts(contract: str, voice: Voice) -> str:
    """What counts in a contract, in a line; an option may have a line of its own."""
    options = voice.variant.options
    ids = [f"counts {contract} {name}={value}" for name, value in options.changed().items()]
    id = next((id for id in ids if voice.knows(id)), f"counts {contract}")
    return voice.say(id, **vars(options))


# -------------------------------------------------------------------------------------------------------------- rows


def rows(session: Session, voice: Voice, mine: bool) -> dict[str, Any]:
    """Rows that grow out of the jacks, a line a suit, and the piles that are left."""
    deal, view = session.deal, session.deal.view(session.me)
    laid = Hand.of(card for event in session.news() for card in _laid(event))
    fits = [str(move) for move in view.legal() if move.verb == "play"] if mine else []
    return {
        "label": voice.say("board rows"),
        "prompt": _prompt(session, voice, mine, len(fits)),
        "calls": [_pass(session, voice, mine)],
        "rows": [_row(Suit(suit), view.rows[suit], deal.pack, voice, laid) for suit in range(4)],
        "piles_label": voice.say("board piles"),
        "piles": [_pile(number, count, session, voice, mine) for number, count in enumerate(view.piles, 1)],
        "fits": fits,
        "fits_word": voice.say("board fits"),
        "news": [voice.event(event) for event in session.news() if event.kind in NEWS],
    }


def _laid(event: Event) -> list[Card]:
    """The cards that an event lays on the table."""
    if event.kind == "Laid":
        return [event.facts["card"]]
    return list(event.facts["cards"]) if event.kind == "Jacks" else []


def _prompt(session: Session, voice: Voice, mine: bool, fits: int) -> str:
    if not mine:
        return voice.say("prompt wait", seat=Seat(session.deal.turn))
    if fits:
        return voice.say("prompt snack play", count=fits)
    return voice.say("prompt snack take" if Move("pass") not in session.deal.legal() else "prompt snack pass")


def _pass(session: Session, voice: Voice, mine: bool) -> dict[str, Any]:
    return {"move": "pass", "label": voice.say("move pass"), "refusal": refused(session, voice, mine, "pass")}


def _row(suit: Suit, lies: int, pack: int, voice: Voice, laid: Hand) -> dict[str, Any]:
    """A row with its gaps; the gaps next to its ends are where a card fits (of a row that is not open, the jack's)."""
    cards = sorted(cards_of(suit.mask & pack))
    on = [bool(lies >> card & 1) for card in cards]
    ends = [at for at, card in enumerate(cards) if not on[at] and (_next_to(on, at) if lies else str(card)[0] == "J")]
    facts = {"suit": suit, "ends": Hand.of(cards[at] for at in ends), "cards": Hand(lies)}
    name = "row open" if lies and ends else "row full" if lies else "row shut"
    return {
        "suit": str(suit),
        "name": voice.say(name, **facts),
        "cells": [
            voice.face(card, state="card" if on[at] else "end" if at in ends else "gap", new=bool(laid & card.mask))
            for at, card in enumerate(cards)
        ],
    }


def _next_to(on: list[bool], at: int) -> bool:
    return any(on[max(at - 1, 0) : at + 2])


def _pile(number: int, count: int, session: Session, voice: Voice, mine: bool) -> dict[str, Any]:
    note = voice.say("pile cards", count=count) if count else voice.say("pile gone")
    return {
        "n": str(number),
        "move": f"take {number}",
        "count": count,
        "name": voice.say("pile name", pile=number, note=note),
        "note": note,
        "refusal": refused(session, voice, mine, f"take {number}"),
    }


#: What is told beside the rows of what has happened since the reader's last move, besides the log.
NEWS = frozenset({"Again", "Jacks", "Laid", "Out", "Passed", "Took"})

BOARDS: dict[str, Board] = {"fishing": fishing, "offers": offers, "rows": rows, "auction": auction}
