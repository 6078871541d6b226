"""The pictures of the gallery.  Each is a moment of a real deal: the engine plays the moves again and is asked for it.

A scene names the seed of the deal and the moves that led to the moment; what wins, what a card brings and what the
bids are is asked of the deal as it then stands.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, NamedTuple

from cardlib.cards import Card, Hand
from cardlib.phases.fishing import value
from cardlib.record import load


@dataclass(frozen=True)
class PictureCard:
    """A small card in a picture: where its middle is (pixels from the picture's centre), how far it is turned."""

    card: Card
    x: int
    y: int
    turn: int = 0
    scale: float = 1
    chosen: bool = False
    winning: bool = False

    @property
    def rank(self) -> str:
        return "10" if str(self.card)[0] == "T" else str(self.card)[0]

    @property
    def suit(self) -> str:
        return str(self.card.suit)


class Bar(NamedTuple):
    """What a seat took in a deal, and what was written down for it."""

    took: int
    score: int


class Call(NamedTuple):
    """A call, by the id of its words; whether it stands."""

    words: str
    stands: bool


@dataclass(frozen=True)
class Picture:
    """What a picture shows: cards, a note that needs no language, the points of the seats, the calls of an auction."""

    cards: tuple[PictureCard, ...] = ()
    note: str = ""
    bars: tuple[Bar, ...] = ()
    calls: tuple[Call, ...] = ()


# ----------------------------------------------------------------------------------------------------- ways to draw


def fan(cards: Iterable[Card], chosen: Card | None = None) -> tuple[PictureCard, ...]:
    """Cards held as a hand holds them, one of them pulled out."""
    held = tuple(cards)
    middle = (len(held) - 1) / 2
    return tuple(
        PictureCard(card, round((i - middle) * 36), -26, chosen=True)
        if card == chosen
        else PictureCard(card, round((i - middle) * 36), round(5 * (i - middle) ** 2), round((i - middle) * 11))
        for i, card in enumerate(held)
    )


def choice(deal: Any) -> Picture:
    """A hand, and the card that is played from it."""
    card, before = deal.moves[-1].cards[0], deal.copy()
    before.undo()
    return Picture(fan(Hand(before.hands[before.turn]), card))


def trick(deal: Any) -> Picture:
    """The trick just taken, clockwise from its leader on the left, and what it has brought."""
    places = ((-52, 0), (0, -36), (52, 0), (0, 36))
    won = (deal.winner - deal.last_leader) % deal.players
    cards = tuple(
        PictureCard(card, x, y, winning=i == won)
        for i, (card, (x, y)) in enumerate(zip(deal.last_trick, places, strict=True))
    )
    last = max(i for i, event in enumerate(deal.events) if event.kind == "TrickWon")
    brought = sum(event.facts["points"] for event in deal.events[last:] if event.kind in ("Scored", "Two"))
    return Picture(cards, f"+{brought}" if brought else "")


def points(deal: Any) -> Picture:
    """What each seat took in a finished deal, and what it got for it."""
    return Picture(bars=tuple(map(Bar, deal.outcome()["points"], deal.scores())))


def capture(deal: Any) -> Picture:
    """The cards that lay on the table, and the card that takes them."""
    move = deal.moves[-1]
    middle = len(move.takes) / 2
    values = [value(card) for card in move.takes]
    taken = [PictureCard(card, round((i - middle) * 38) - 15, -8, chosen=True) for i, card in enumerate(move.takes)]
    played = PictureCard(move.cards[0], round(middle * 38) + 15, -8, winning=True)
    return Picture((*taken, played), f"{' + '.join(map(str, values))} = {sum(values)}")


def rows(deal: Any) -> Picture:
    """The rows that grow out of the jacks, suit by suit."""
    cards = [(card, place) for place, row in enumerate(deal.view(0).rows) for card in Hand(row)]
    jack = Card.parse("JS").rank
    return Picture(
        tuple(PictureCard(card, 28 * (card.rank - jack), 36 * place - 54, scale=0.56) for card, place in cards)
    )


def auction(deal: Any) -> Picture:
    """The bids that were made, the last one stands; beside them the card that was turned up."""
    bids = [call for _, call in deal.calls if call not in ("pass", "accept")]
    calls = tuple(Call(f"move {bid}", i == len(bids) - 1) for i, bid in enumerate(bids))
    return Picture((PictureCard(deal.turnup, 72, 0, 6),), calls=calls)


class Scene(NamedTuple):
    """A moment of a deal: how it is drawn, the seed, the moves made so far, and what else a record says."""

    draw: Callable[[Any], Picture]
    seed: int
    moves: str
    record: Mapping[str, Any] = {}


SCENES = {
    "primer": Scene(trick, 614, "AS, KS, JS, 7S, TS, QS, 9S, 5H, 8S, AH, AD, 5S"),
    "hearts": Scene(
        choice,
        105,
        "2C, 7C, 5C, 9C, 3D, JD, 2D, 8D, 2S, 3S, 4S, 9S, 7D, QH, 4D, 9D, 3C, JC, 6C, TC, JS, 6S, 5S, 7S, "
        "QD, TH, 5D, TD, KD, 9H, 6D, AH, KC, QC, QS",
        {"match": {"deal": 3}},
    ),
    "quint": Scene(
        trick,
        1540,
        "pass, pass, pass, pass, 2S, 9S, 4S, 6S, 3S, QS, KS, 3C, 7C, QC, 4C, 2C, JS, JKR, 7S, 6D, "
        "TD, 7D, 8D, 2D, KD, QD, 9D, 3D, AD, AS, 2H, 4D",
    ),
    "spady": Scene(
        trick,
        1869,
        "8D, declare none, declare none, declare three-A, declare three-K, 9D, AD, 2D, AH, KH, QH, 2C",
    ),
    "quodlibet": Scene(
        rows,
        22,
        "contract snack, take 2, JS, QD, take 4, TS, take 3, TH, QS, 9H, KS",
        {"match": {"round": 3, "remaining": ["snack"]}},
    ),
    "solo-whist": Scene(auction, 382, "propose, solo, pass, misere, pass, pass"),
    "ambition": Scene(
        points,
        88,
        "give QS KC AD, give QD KH AS, give JS KS AH, give TS KD AC, 3D, 4D, 2D, 8D, AS, 9S, 3S, QS, "
        "3C, 5C, 4C, 6C, AD, QD, 9D, JD, KC, QC, 8C, AC, 3H, TH, QH, AH, KS, 4S, 7C, 8S, 4H, 6H, 9H, KH, "
        "6S, JS, 5S, 2H, 5H, JH, 8H, JC, 7S, 5D, 2S, 7H, TS, 6D, 2C, 9C, KD, 7D, TC, TD",
    ),
    "scopone": Scene(capture, 1430, "KS takes AD 2S 3S 4C"),
}


def dealt(game: str) -> Any:
    """The deal of a game's scene."""
    scene = SCENES[game]
    return load({"game": game, "seed": scene.seed, "moves": scene.moves.split(", "), **scene.record})


@cache
def picture(game: str) -> Picture:
    """The picture of a game; a notebook that is no game's has the one of Hearts."""
    game = game if game in SCENES else "hearts"
    return SCENES[game].draw(dealt(game))
