"""Batch and table, move by move, and a batch beside OpenSpiel: ``python tests/bench/bench_batch.py [DEALS] [ROUNDS]``.

First `DEALS` deals of each game, with every preset, every value of every option and random mixtures of them, and under
every contract, are played on tables and in a batch at once: legal cards, winners, cards taken and scores must be the
same on at least 300,000 positions, 100,000 of them of Quodlibet and Solo Whist.  Then, with ``pip install
open-spiel``, random Hearts deals on one core, four players, preset ``openspiel``, a deal without a pass, from dealt
hands to final scores: rounds of OpenSpiel's Python loop (with the cheap choice of a move, index by ``int(random() *
n)``) and of a batch alternate in one process.  Printed are deals a second of processor time and the ratio (the median
over the rounds): aim 25, at least 20.
"""

from __future__ import annotations

import os
import random
import statistics
import sys
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).resolve().parent.parent.parent))

RACE, LEAST, POSITIONS, BY_CONTRACT = 16_000, 20, 300_000, 100_000


def same_as_the_table(deals: int) -> bool:
    """Compare all variants, so many deals of each game; whether those were enough positions."""
    import numpy as np

    from cardlib.play import batch
    from tests.play.lockstep import compare, each_option, groups, mixtures, moons

    draw, rng = random.Random(1), np.random.default_rng(1)
    positions: Counter[str] = Counter()
    contracts: Counter[str] = Counter()
    variants = [*each_option(), *mixtures(25)]
    shares = Counter(variant.game.id for variant in variants)
    for number, variant in enumerate(variants):
        share = -(-deals // shares[variant.game.id])
        for tables in groups(variant, draw, share, declared=number % 2 == 0):
            compared = compare(tables, batch.Batch.of(tables), rng)
            positions[variant.game.id] += compared
            if variant.game.id in batch.BY_CONTRACT:
                contracts[contract_of(tables[0])] += compared
        if variant.game.id == "hearts":
            tables = list(moons(variant, draw, 3 * share))
            positions["hearts"] += compare(tables, batch.Batch.of(tables), rng)
    print(f"table and batch are the same in {len(variants)} variants:")
    for game, count in positions.items():
        print(f"  {game:10} {count:9,} positions")
    print(f"  {'together':10} {positions.total():9,} positions (at least {POSITIONS:,})")
    print(f"of them under {len(contracts)} contracts {contracts.total():,} positions (at least {BY_CONTRACT:,}):")
    print("  " + ", ".join(f"{contract} {count:,}" for contract, count in contracts.most_common()))
    return positions.total() >= POSITIONS and contracts.total() >= BY_CONTRACT


def contract_of(deal: Any) -> str:
    """What a deal is played under."""
    return str(getattr(deal.contract, "bid", deal.contract))


def spiel_states() -> list[Any]:
    """States of OpenSpiel's game, dealt, nobody passes."""
    import pyspiel  # here, because pytest looks for doctests in this file too

    states = []
    game = pyspiel.load_game("hearts(pass_cards=False)")
    draw = random.Random(1)
    for _ in range(RACE):
        state = game.new_initial_state()
        state.apply_action(0)  # no pass
        while state.is_chance_node():
            state.apply_action(draw.choice(state.legal_actions()))
        states.append(state)
    return states


def play_spiel(states: list[Any]) -> None:
    rnd = random.random
    for state in states:
        while not state.is_terminal():
            legal = state.legal_actions()
            state.apply_action(legal[int(rnd() * len(legal))])
        state.returns()


def play_batch(batch: Any) -> None:
    batch.play_out()
    batch.scores()


def deals_a_second(play: Callable[[Any], None], dealt: Any) -> float:
    start = time.process_time()
    play(dealt)
    return RACE / (time.process_time() - start)


def race(rounds: int) -> float:
    """The ratio of the speeds."""
    from cardlib.play.batch import Batch

    states, pairs = spiel_states(), []
    for number in range(rounds):
        spiel = deals_a_second(play_spiel, [state.clone() for state in states])
        ours = deals_a_second(play_batch, Batch("hearts(openspiel)", RACE, number))
        pairs.append((spiel, ours))
        print(f"  OpenSpiel's loop {spiel:9,.0f} deals/s, batch {ours:11,.0f} deals/s, ratio {ours / spiel:.1f}")
    ratio = statistics.median(ours / spiel for spiel, ours in pairs)
    print(f"a batch is {ratio:.1f} times as fast as OpenSpiel's Python loop (at least {LEAST}, aim 25)")
    return ratio


def main(deals: int, rounds: int) -> int:
    for threads in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
        os.environ[threads] = "1"  # before NumPy is loaded
    enough = same_as_the_table(deals)
    return 0 if race(rounds) >= LEAST and enough else 1


if __name__ == "__main__":
    arguments = [int(argument) for argument in sys.argv[1:]]
    sys.exit(main(*arguments, *(2000, 5)[len(arguments) :]))
