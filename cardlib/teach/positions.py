"""Filling in what an exercise leaves out, so that its position is valid."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from cardlib.cards import CLUBS, Card, Hand, cards_of
from cardlib.errors import BadInput
from cardlib.options import Variant
from cardlib.seeds import Random

#: The learner's seat.
ME = 0


def adapted(variant: Variant, players: int, options: dict[str, Any]) -> Variant:
    """The reader's variant for a position with `players` and options of its own; his options that do not fit them
    (a pass cycle for five, say) are left out."""
    wanted = variant.options.changed() | options
    try:
        return Variant.of(variant.game, players, wanted)
    except BadInput:
        kept = dict(options)
        for name, value in variant.options.changed().items():
            try:
                Variant.of(variant.game, players, kept | {name: value})
            except BadInput:
                continue
            kept.setdefault(name, value)
        return Variant.of(variant.game, players, kept)


def position(
    variant: Variant,
    hand: int,
    trick: Sequence[Card] = (),
    *,
    number: int | None = None,
    taken: Sequence[str] = (),
    flags: Mapping[str, Any] | None = None,
) -> Any:
    """The deal in which the learner, with this hand, is to play to this trick (to lead, if it is empty).

    He sits so that the trick fits; the other hands are dealt from the cards that are left, from a fixed seed.
    `flags` are further keys of the position (``{"hearts_broken": True}``).
    """
    players = variant.players
    leader = (ME - len(trick)) % players
    used = hand | Hand.of(trick)
    for cards in taken:
        used |= Hand.parse(cards)
    pack = variant.game.deal.pack_of(variant)
    rest = [card for card in cards_of(pack & (used ^ pack)) if number != 1 or _may_be_out(card, hand | Hand.of(trick))]
    rest = Random(0, "fill").shuffled(rest)
    hands = [""] * players
    for seat in range(players):
        played = (seat - leader) % players < len(trick)
        size = hand.bit_count() - played
        mine = Hand(hand) if seat == ME else Hand.of(rest[:size])
        rest = rest if seat == ME else rest[size:]
        hands[seat] = str(mine)
    where: dict[str, Any] = {"leader": leader, "trick": " ".join(map(str, trick))} | dict(flags or {})
    if number is not None or not taken:
        where["trick_number"] = number or 2
    if taken:
        where["taken"] = list(taken)
    record = {"game": variant.game.id, "hands": hands, "position": where, "dealer": (leader - 1) % players}
    record |= {"players": players, "options": variant.options.changed()}
    deal = variant.game.deal.from_record(record)
    if deal.phase and deal.phase.name == "annul":
        deal.play("play-on")
    return deal


def _may_be_out(card: Card, seen: int) -> bool:
    """In trick 1 no lower club than those that can be seen may be in another hand: the lowest club has opened."""
    return not (card.mask & CLUBS) or not seen & CLUBS or card > cards_of(seen & CLUBS)[-1]


def pattern(deal: Any) -> dict[str, str]:
    """What each obligation does in this position: it `drops` cards of the hand, or `yields` since none would do."""
    t = deal.table
    t.hand = choice = deal.hands[deal.turn]
    found = {}
    for obligation in deal.tricks.chain.obligations[t.leading][t.number == 1]:
        narrowed = choice & obligation.mask(t)
        if narrowed != choice:
            found[obligation.rule] = "drops" if narrowed else "yields"
        choice = narrowed or choice
    return found
