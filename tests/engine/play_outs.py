"""Random variants and random play for the tests of all games: every draw comes from a fixed seed."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import fields
from pathlib import Path
from typing import Any

from cardlib.deal import GAMES, Deal, Game
from cardlib.errors import BadInput
from cardlib.games.quodlibet_contracts import ROUND, ROUNDS
from cardlib.options import Variant
from cardlib.phases.tricks import TrickDeal
from cardlib.rules import union

VECTORS = Path(__file__).parent.parent / "vectors"


def presets(game: Game) -> Iterator[Variant]:
    """Every preset with every number of players that it allows."""
    for name, values in game.options.presets.items():
        options = {key: value for key, value in values.items() if key != "players"}
        for players in [values["players"]] if "players" in values else game.players:
            try:
                yield Variant.of(game, players, options)
            except BadInput:
                assert players != game.default_players, f"preset {name} cannot be played"


def random_variant(game: Game, draw: random.Random) -> Variant:
    """Any number of players, about a third of the options changed."""
    while True:
        options = {}
        for field in fields(game.options):
            if draw.random() < 0.35:
                options[field.name] = draw.choice(field.metadata["numbers"] or field.metadata["values"])
        try:
            return Variant.of(game, draw.choice(game.players), options)
        except BadInput:
            continue


def variants(count: int = 80) -> list[Variant]:
    """All presets and `count` random variants of every game that is there."""
    draw = random.Random(20)
    found: list[Variant] = []
    for game in GAMES.values():
        found += [*presets(game), *(random_variant(game, draw) for _ in range(count))]
    return found


def random_match(variant: Variant, draw: random.Random) -> dict[str, Any]:
    """A context in which every direction of a cycle and every end of a match comes about, if the game allows it."""
    start: dict[str, Any] = variant.game.start(variant.players).data()
    match = dict(start)
    if "deal" in match:
        match["deal"] = draw.randrange(12)
    if "totals" in match:
        match["totals"] = [draw.choice([0, 9, 24, 37, 48, 69, 74, 87, 99]) for _ in match["totals"]]
    if "marks" in match:
        match["marks"] = [draw.randrange(variant.options.strikes_to_end) for _ in match["marks"]]
        match["bonus_used"] = [draw.random() < 0.3 for _ in match["bonus_used"]]
    if "round" in match:
        contracts = ROUNDS[draw.randint(1, 3)]
        left = draw.sample(contracts[:3], draw.randrange(4)) + [contracts[3]] * draw.randint(0, 1)
        match |= {"round": ROUND[contracts[0]], "remaining": left or [contracts[3]]}
        match["remaining"] += ["snack"] if match["round"] == 3 and "snack" not in match["remaining"] else []
    if "factor" in match:
        match["factor"] = draw.choice([1, 2])
    balanced = match | {"totals": [0, *match["totals"][2:], -sum(match["totals"][2:])]} if "totals" in match else match
    for allowed in (match, balanced, match | {"totals": start.get("totals")}, start):
        try:
            variant.game.context_of(allowed, variant)
        except BadInput:
            continue
        return allowed
    raise AssertionError("no match can begin")


def dealt(variant: Variant, draw: random.Random) -> Deal:
    from cardlib.deal import deal

    made: Deal = deal(
        variant,
        seed=draw.getrandbits(64),
        dealer=draw.randrange(variant.players),
        match=random_match(variant, draw),
    )
    return made


def some_move(deal: Deal, draw: random.Random) -> Any:
    """One of the legal moves; of very many only early ones, which are quickly found."""
    moves = deal.legal()
    return moves[draw.randrange(min(len(moves), 60))]


def play_out(deal: Deal, draw: random.Random, logging: bool = True) -> Deal:
    """Play at random to the end."""
    deal.logging = logging
    while deal.turn is not None:
        move = some_move(deal, draw)
        if logging:
            deal.play(move)
        else:
            deal.push(move)
    return deal


def on_table(deal: Any) -> int:
    """The cards that lie on the table: those of the trick, those to be captured, or rows and piles."""
    cards: int = deal.table.trick if isinstance(deal, TrickDeal) else deal.table
    return cards | getattr(deal, "laid", 0) | union([0, *getattr(deal, "piles", ())])


def facts_of(deal: Deal) -> tuple[Any, ...]:
    """All that can be told of a deal, to compare two."""
    return (
        deal.turn,
        deal.phase.name if deal.phase else None,
        list(deal.hands),
        [str(move) for move in deal.moves],
        list(deal.events),
        deal.score_lines(),
        deal.scores(),
        deal.settled,
        deal.record(),
        [str(move) for move, _ in zip(deal.legal(), range(100), strict=False)],
    )
