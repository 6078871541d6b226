"""The same cards on tables and in a batch, compared move by move; used by the tests and by the bench."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import fields
from typing import Any

import numpy as np

import cardlib
from cardlib.deal import GAMES, Deal
from cardlib.errors import BadInput
from cardlib.games.quodlibet import ROUNDS
from cardlib.options import Variant
from cardlib.phases.auction import Auction
from cardlib.phases.tricks import Tricks
from cardlib.play.batch import TABLE_ONLY, Batch, together
from cardlib.record import load
from tests.engine.play_outs import presets, random_match, random_variant, some_move


def for_batch(variant: Variant) -> bool:
    """Whether a batch takes this variant."""
    idle = variant.options.idle(variant.players)
    refused = TABLE_ONLY[variant.game.id]
    return not any(getattr(variant.options, name) in refused[name] for name in refused if name not in idle)


def each_option() -> list[Variant]:
    """Every game as it is, with every preset, and with every value of every option, with each number of players."""
    found: dict[Variant, None] = {}
    for game in map(GAMES.__getitem__, TABLE_ONLY):
        found |= dict.fromkeys(presets(game))
        for players in game.players:
            plain = Variant.of(game, players)
            for field in fields(game.options):
                for value in field.metadata["values"] if not field.metadata["numbers"] else (3, 60):
                    try:
                        found[plain.with_value(field.name, value)] = None
                    except BadInput:
                        continue
    return [variant for variant in found if for_batch(variant)]


def mixtures(count: int) -> list[Variant]:
    """Random mixtures of options, so many of each game."""
    draw = random.Random(31)
    found = []
    for game in map(GAMES.__getitem__, TABLE_ONLY):
        several: list[Variant] = []
        while len(several) < count:
            variant = random_variant(game, draw)
            if for_batch(variant):
                several.append(variant)
        found += several
    return found


def match_of(variant: Variant, draw: random.Random) -> dict[str, Any]:
    """A context from which every kind of end, and every contract, comes about."""
    if variant.game.id == "quodlibet":
        number = draw.choice([1, 2, 3])
        return {"round": number, "remaining": list(ROUNDS[number])}
    if variant.game.id == "quint" and draw.random() < 0.8:
        level = draw.choice([250, 275])
        for totals in ([level, level], [draw.choice([0, 150, 235]), draw.choice([0, 215, 245])]):
            try:
                variant.game.context_of({"totals": totals}, variant)
            except BadInput:
                continue
            if draw.random() < 0.5:
                return {"totals": totals}
    return random_match(variant, draw)


def at_play(variant: Variant, draw: random.Random, declared: bool) -> Any:
    """A deal at the beginning of its play; in Spady that is the opening lead, or the play after the declarations."""
    while True:
        dealer, match = draw.randrange(variant.players), match_of(variant, draw)
        deal: Any = cardlib.deal(variant, seed=draw.getrandbits(64), dealer=dealer, match=match)
        deal.logging = False
        while deal.turn is not None and deal.phase is not deal.tricks:
            if isinstance(deal.phase, Tricks) and not declared:  # the opening lead
                break
            moves = deal.legal()
            if isinstance(deal.phase, Auction):  # mostly passes and low bids: every contract is to come about
                deal.push(moves[min(draw.randrange(len(moves)) for _ in range(3))])
            else:
                deal.push(some_move(deal, draw))
        if deal.turn is not None:
            return deal


def groups(variant: Variant, draw: random.Random, count: int, declared: bool) -> list[list[Any]]:
    """So many deals at the beginning of their play, by the contract that they are played under."""
    return together([at_play(variant, draw, declared) for _ in range(count)])


def moons(variant: Variant, draw: random.Random, count: int) -> Iterator[Deal]:
    """Positions of Hearts before the last trick, in most of which somebody is about to shoot the moon."""
    pack = variant.game.deal.pack_of(variant)  # type: ignore[attr-defined]
    players, penalty = variant.players, variant.options.penalty
    for _ in range(count):
        cards = [1 << bit for bit in range(64) if pack >> bit & 1]
        draw.shuffle(cards)
        plain = [card for card in cards if not card & penalty]
        last, shooter = plain[:players], draw.randrange(players)
        taken = [0] * players
        kind = draw.randrange(3)  # everything, the penalty cards, or any pile
        for card in cards:
            if card not in last:
                own = kind == 0 or (kind == 1 and card & penalty)
                taken[shooter if own else draw.randrange(players)] |= card
        yield load(
            {
                "game": "hearts",
                "players": players,
                "options": variant.options.changed(),
                "match": random_match(variant, draw),
                "hands": [str(cardlib.Hand(card)) for card in last],
                "position": {
                    "taken": [str(cardlib.Hand(some)) for some in taken],
                    "trick_number": 52 // players,
                    "leader": draw.randrange(players),
                },
            }
        )


def declare_nothing(deal: Deal) -> None:
    while deal.phase is not None and deal.phase.name == "declare":
        deal.play("declare none")


def compare(deals: list[Any], batch: Batch, rng: np.random.Generator) -> int:
    """Play random cards of the batch on the tables too; all must be the same.  How many positions were compared."""
    positions = 0
    for deal in deals:
        deal.logging = False
    while not batch.finished:
        legal, turn, cards = batch.legal().tolist(), batch.turn.tolist(), batch.random_cards(rng)
        batch.play(cards)
        leader, taken, over, scores = batch.leader.tolist(), batch.taken.tolist(), batch.over, batch.scores().tolist()
        hands = batch.hands.tolist()
        for i, deal in enumerate(deals):
            if deal.turn is None:
                continue
            positions += 1
            assert deal.turn == turn[i]
            moves = {move.mask: move for move in deal.legal()}
            assert legal[i] == sum(moves)
            deal.push(moves[int(cards[i])])
            declare_nothing(deal)
            if not deal.trick:  # the trick is taken
                assert deal.winner == leader[i]
                assert deal.table.taken == taken[i]
                assert deal.scores() == scores[i]
            assert deal.hands == hands[i]
            assert (deal.turn is None) == over[i]
    assert all(deal.finished for deal in deals)
    assert [deal.scores() for deal in deals] == batch.scores().tolist()
    return positions
