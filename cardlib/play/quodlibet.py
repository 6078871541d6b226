"""How a simple bot plays Quodlibet: it names the contract that suits its hand, knows which tricks are good or bad, and
in Snack opens the way for its own cards."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from cardlib.cards import ALL, HEARTS, Card, Hand, cards_of, of_ranks
from cardlib.deal import Move
from cardlib.games.quodlibet_contracts import HIGH_HEARTS, JACKS, KING_OF_HEARTS, LOW_HEARTS, QUEEN_OF_DIAMONDS, QUEENS
from cardlib.play.bots import SIMPLE, Chosen, Preference, preferred, ranked
from cardlib.play.hearts import below
from cardlib.rules import union

SEVENS, EDGES = of_ranks("7"), of_ranks("A7")
#: About how many tricks a card wins.
WORTH = {14: 0.9, 13: 0.6, 12: 0.3, 11: 0.15, 10: 0.05}
#: What a trick more than the average costs in each contract.
PRICE: Mapping[str, int] = {
    "plus": -40, "minus": 10, "bad-neighbor": -3, "red-ruffians": 10, "first-three-and-last": 14, "no-hearts": 15,
    "queens-jacks": 30, "bribery": 40, "open-trousers": 0, "good-hunting": 10, "quadrature": -15, "snack": 0,
}  # fmt: skip
#: The cards that cost points, the dearest first.
COSTLY: Mapping[str, tuple[int, ...]] = {
    "red-ruffians": (KING_OF_HEARTS, QUEEN_OF_DIAMONDS),
    "no-hearts": (LOW_HEARTS, HIGH_HEARTS),
    "queens-jacks": (QUEENS, JACKS),
}

# ------------------------------------------------------------------------------------------------ naming the contract


def tricks_in(hand: Hand) -> float:
    """About how many tricks a hand wins; two are the average."""
    return sum(WORTH.get(card.rank, 0.0) for card in hand)


def outlook(hand: Hand, contract: str) -> float:
    """What the contract would cost with this hand, compared with an ordinary one."""
    cost = PRICE[contract] * (tricks_in(hand) - 2)
    if contract == "red-ruffians":
        cost += 8 * sum(1 for card in (KING_OF_HEARTS, QUEEN_OF_DIAMONDS) if hand & card)
    if contract == "bribery":
        cost += 10 * ((hand & SEVENS).bit_count() - 1)
    if contract == "no-hearts":
        cost += 4 * ((hand & HEARTS).bit_count() - 2)
    return cost


def name_contract(view: Any) -> Chosen:
    moves = view.legal()
    best = min(moves, key=lambda move: outlook(view.hand, move.word))
    if len(moves) == 1:
        return Chosen(best, "")
    strong, price = tricks_in(view.hand) > 2, PRICE[best.word]
    if strong and price < 0:
        return Chosen(best, "bot quodlibet.choose-strong")
    return Chosen(best, "bot quodlibet.choose-weak" if not strong and price > 0 else "bot quodlibet.choose")


# ------------------------------------------------------------------------------------------------------------- tricks


def aim(view: Any) -> str:
    """Whether this trick is to `take`, to `duck`, or free: then high cards are to `spend`, or to `save` for later."""
    if view.contract in ("plus", "bad-neighbor"):
        return "take"
    if view.contract == "quadrature":
        return "take" if view.number == 4 else "save"
    return "spend" if view.contract == "first-three-and-last" and view.number > 3 else "duck"


def highest(cards: int) -> int:
    """The cards of the highest rank."""
    return Hand.of(card for card in cards_of(cards) if card.rank == max(other.rank for other in cards_of(cards)))


def lowest(cards: int) -> int:
    """The cards of the lowest rank."""
    return Hand.of(card for card in cards_of(cards) if card.rank == min(other.rank for other in cards_of(cards)))


def leading(view: Any, legal: int) -> list[Preference]:
    """What to think of when leading."""
    costly = union([0, *COSTLY.get(view.contract, ())])
    low = Preference("bot quodlibet.lead-low", lambda t: lowest(legal))
    if view.contract == "bribery":
        low = Preference("bot quodlibet.lead-middle", lambda t: lowest(legal & (ALL ^ lowest(legal))))
    chains = {
        "take": [Preference("bot quodlibet.lead-high", lambda t: highest(legal))],
        "spend": [Preference("bot quodlibet.spend", lambda t: highest(legal))],
        "save": [Preference("bot quodlibet.save", lambda t: lowest(legal))],
        "duck": [
            Preference("bot quodlibet.lead-beaten", lambda t: beaten(view)),
            Preference("bot quodlibet.lead-cheap", lambda t: ALL ^ costly),
            low,
        ],
    }
    return chains[aim(view)]


def beaten(view: Any) -> int:
    """The cards that somebody whose hand lies open must beat."""
    found = 0
    for hand in view.hands:
        for card in cards_of(view.hand):
            held = hand & card.suit.mask
            found |= card.mask if held and not held & (below(card) | card.mask) else 0
    return found


def following(view: Any, legal: int) -> list[Preference]:
    """What to think of, in this order, when somebody else has led."""
    wanted, last = aim(view), len(view.trick) == view.players - 1
    wins: int = view.table.beaters & legal
    loses = legal & (ALL ^ wins)
    if wanted == "spend":
        return [Preference("bot quodlibet.spend", lambda t: highest(legal))]
    if wanted == "save":
        return [Preference("bot quodlibet.save", lambda t: lowest(legal))]
    if wanted == "take":
        win = lowest(wins) if last else highest(wins)
        return [
            Preference("bot quodlibet.take", lambda t: win),
            Preference("bot quodlibet.keep-high", lambda t: lowest(legal)),
        ]
    first = [
        Preference("bot quodlibet.throw-costly", lambda t, cards=cards: cards & loses)  # type: ignore[misc]
        for cards in COSTLY.get(view.contract, ())
    ]
    if view.contract == "bribery":
        least = min(card.rank for card in view.trick)
        higher = Hand.of(card for card in cards_of(loses) if card.rank > least)
        first = [Preference("bot quodlibet.not-lowest", lambda t: highest(higher))]
    if not legal & view.led.mask:
        return [*first, Preference("bot quodlibet.throw-high", lambda t: highest(legal))]
    must = "bot quodlibet.take-high" if last else "bot quodlibet.perhaps-below"
    return [
        *first,
        Preference("bot quodlibet.stay-below", lambda t: highest(loses)),
        Preference(must, lambda t: highest(legal) if last else lowest(legal)),
    ]


def play(view: Any) -> Chosen:
    moves = view.legal()
    if moves[0].verb == "slot":  # nobody knows his own cards: one slot is as good as another
        return Chosen(moves[0], "bot quodlibet.slot" if len(moves) > 1 else "")
    if len(moves) == 1:
        return Chosen(moves[0], "")
    legal = Hand.of(move.cards[0] for move in moves)
    card, reason = preferred(following(view, legal) if view.trick else leading(view, legal), view.table, legal)
    return Chosen(Move("play", (card,)), reason)


# -------------------------------------------------------------------------------------------------------------- Snack


def way_beyond(hand: int, card: Card) -> int:
    """The cards of the hand that come later in the row, on the side of this card (on both sides of a jack)."""
    suit, lower = hand & card.suit.mask, below(card)
    if card.mask & JACKS:
        return suit & (ALL ^ card.mask)
    return suit & lower if card.rank < 11 else suit & (ALL ^ lower ^ card.mask)


def shed(view: Any) -> Chosen:
    """Lay what opens the way for the own cards; keep back what only the others wait for."""
    moves, hand = view.legal(), int(view.hand)
    if moves[0].verb != "play":
        return Chosen(moves[0], "bot quodlibet.pile" if len(moves) > 1 else "")
    if len(moves) == 1:
        return Chosen(moves[0], "")
    return ranked(
        [
            ("bot quodlibet.open-way", lambda move: way_beyond(hand, move.cards[0]).bit_count()),
            ("bot quodlibet.lay-edge", lambda move: move.mask & EDGES != 0),
            ("bot quodlibet.keep-back", lambda move: -cards_opened(move.cards[0])),
        ],
        moves,
    )


def cards_opened(card: Card) -> int:
    """How many cards still wait beyond this one, for whoever holds them."""
    return 6 if card.mask & JACKS else card.rank - 7 if card.rank < 11 else 14 - card.rank


def choose(view: Any) -> Chosen:
    """The simple player of Quodlibet."""
    if view.phase == "choose":
        return name_contract(view)
    return shed(view) if view.phase == "snack" else play(view)


SIMPLE["quodlibet"] = choose
