"""Card games that answer back: every rule has a text, a place in the engine, a position where it bites and a sentence.

>>> import cardlib
>>> deal = cardlib.deal("hearts", seed=17)
>>> deal.players, deal.phase.name, deal.turn
(4, 'pass', 0)
"""

from cardlib import games
from cardlib.cards import Card, Hand, Seat, Suit
from cardlib.deal import GAMES, IllegalMove, Move, Refusal, deal, variant
from cardlib.errors import BadInput
from cardlib.match import Match
from cardlib.options import Variant
from cardlib.record import dump, load

__version__ = "0.1.0"
__all__ = [
    "GAMES",
    "BadInput",
    "Card",
    "Hand",
    "IllegalMove",
    "Match",
    "Move",
    "Refusal",
    "Seat",
    "Suit",
    "Variant",
    "deal",
    "dump",
    "games",
    "load",
    "variant",
]
