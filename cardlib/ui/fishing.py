"""The middle of the table where cards are captured: the cards that lie there, what each card of the hand can take, the
piles of both sides, and what everybody has just played."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from cardlib.cards import Card
from cardlib.deal import Move
from cardlib.phases.fishing import by_value, value, worth
from cardlib.play.session import Session
from cardlib.teach.voice import Voice


def fishing(session: Session, voice: Voice, mine: bool) -> dict[str, Any]:
    """The board, with all that the browser needs to put a capture together."""
    view = session.deal.view(session.me)
    moves = view.legal() if mine else ()
    return {
        "label": voice.say("board fishing"),
        "prompt": voice.say("prompt fishing" if view.table else "prompt fishing empty"),
        "calls": [],
        "cards": [voice.face(card, value=value(card)) for card in by_value(view.table)],
        "empty": voice.say("board fishing empty"),
        "moves": {str(card): [_choice(move, voice) for move in moves if move.cards[0] == card] for card in view.hand},
        "values": {str(card): value(card) for card in view.hand},
        "piles_label": voice.say("board fishing piles"),
        "piles": [_pile(session, voice, side) for side in _sides(session)],
        "plays": _plays(session, voice),
        "walk": voice.say("ui choice", n="{n}", of="{of}"),
        "caption": voice.say("ui choice short", n="{n}"),
        "sum": voice.say("ui composed", cards="{cards}", total="{total}", card="{card}", value="{value}"),
        "take": voice.say("ui take", cards="{cards}"),
        "stay": voice.say("ui stay", card="{card}"),
        "back": voice.say("ui choice back"),
        "on": voice.say("ui choice on"),
    }


def _choice(move: Move, voice: Voice) -> dict[str, Any]:
    """One of the things a card can do."""
    takes = [str(card) for card in move.takes]
    if not takes:
        text = voice.say("ui stays", card=move.cards[0])
    elif worth(move.takes) != value(move.cards[0]):
        text = voice.say("ui all", card=move.cards[0], count=len(takes))
    elif len(takes) == 1:
        text = voice.say("ui equal", cards=list(move.takes), card=move.cards[0])
    else:
        text = voice.say("ui sum", cards=_sum(move.takes, voice), total=worth(move.takes))
    return {"move": str(move), "takes": takes, "text": text}


def _sum(cards: Iterable[Card], voice: Voice) -> str:
    """Cards with a plus between them; court cards with what they count."""
    return " + ".join(
        voice.say("ui counts" if voice.badge(card) else "ui plain", card=card, value=value(card)) for card in cards
    )


def _sides(session: Session) -> list[int]:
    """The reader's own side first."""
    own = session.deal.side(session.me)
    return [own, 1 - own]


def _pile(session: Session, voice: Voice, side: int) -> dict[str, Any]:
    """A pile as it lies there: so many cards face down, and one across it for each sweep."""
    view = session.deal.view(session.me)
    sweeps = view.sweeps[side]
    return {
        "name": voice.side(side),
        "size": view.sizes[side],
        "text": voice.say("pile size", count=view.sizes[side]),
        "sweeps": sweeps,
        "swept": voice.say("pile sweeps" if sweeps else "pile no sweep", count=sweeps),
        "last": voice.say("pile last") if view.last_capture == side else "",
    }


def _plays(session: Session, voice: Voice) -> list[dict[str, Any]]:
    """What each seat has played since the reader was last on turn: a card, what it took, whether that was a sweep."""
    plays: dict[int, dict[str, Any]] = {}
    for event in session.news():
        if event.kind in ("Stayed", "Captured"):
            cards = by_value(event.facts.get("cards", ()))
            card = voice.face(event.facts["card"])
            seat = int(event.facts["seat"])
            plays[seat] = {
                "seat": seat,
                "card": card,
                "takes": voice.faces(cards),
                "text": voice.event(event),
                "tag": "",
            }
        elif event.kind == "Swept":
            plays[int(event.facts["seat"])]["tag"] = voice.say("ui swept")
    return list(plays.values())
