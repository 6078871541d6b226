"""Random Hearts deals beside OpenSpiel's: run ``python tests/bench/bench_hearts.py [ROUNDS]`` on a quiet machine.

Needs ``pip install open-spiel``.  Both engines play the same game, four players, preset ``openspiel``, a deal without
a pass, from dealt hands to final scores, with the same cheap choice of a move (index by ``int(random() * n)``).  The
rounds of OpenSpiel's Python loop, of ``legal`` + ``push`` (no events) and of ``legal`` + ``play`` (checked, with
events) alternate in one process; printed are microseconds a move (the 10th percentile of the rounds) and the ratio to
OpenSpiel (the median over the rounds).  Aim 0.9 and 0.5, at least 0.45 and 0.25.
"""

from __future__ import annotations

import random
import statistics
import sys
import time
from collections.abc import Callable
from typing import Any

import cardlib

DEALS = 25
MOVES = 52 * DEALS


def spiel_states() -> list[Any]:
    """States of OpenSpiel's game, dealt, nobody passes."""
    import pyspiel  # here, because pytest looks for doctests in this file too

    states = []
    game = pyspiel.load_game("hearts(pass_cards=False)")
    for seed in range(DEALS):
        draw = random.Random(seed)
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


def our_deals() -> list[Any]:
    """Deals of ours, dealt, nobody passes."""
    return [cardlib.deal("hearts(openspiel)", seed=seed, match={"deal": 3}) for seed in range(DEALS)]


def play_pushed(deals: list[Any]) -> None:
    rnd = random.random
    for deal in deals:
        deal.logging = False
        while deal.turn is not None:
            legal = deal.legal()
            deal.push(legal[int(rnd() * len(legal))])
        deal.scores()


def play_checked(deals: list[Any]) -> None:
    rnd = random.random
    for deal in deals:
        while deal.turn is not None:
            legal = deal.legal()
            deal.play(legal[int(rnd() * len(legal))])
        deal.scores()


def microseconds(play: Callable[[list[Any]], None], dealt: list[Any]) -> float:
    """The time of one move of a round; the copies of the dealt states are not counted."""
    start = time.perf_counter()
    play(dealt)
    return (time.perf_counter() - start) / MOVES * 1e6


def main(rounds: int) -> None:
    states, deals = spiel_states(), our_deals()
    times = [
        (
            microseconds(play_spiel, [state.clone() for state in states]),
            microseconds(play_pushed, [deal.copy() for deal in deals]),
            microseconds(play_checked, [deal.copy() for deal in deals]),
        )
        for _ in range(rounds)
    ]
    spiel, *ours = zip(*times, strict=True)
    quick = [sorted(column)[rounds // 10] for column in (spiel, *ours)]
    print(f"OpenSpiel, Python loop   {quick[0]:.2f} us a move")
    for name, column, figure, least in zip(
        ("legal + push, no events", "legal + play, events   "), ours, quick[1:], (0.45, 0.25), strict=True
    ):
        ratio = statistics.median(theirs / mine for theirs, mine in zip(spiel, column, strict=True))
        print(f"{name}  {figure:.2f} us a move, {ratio:.2f} of OpenSpiel's speed (at least {least})")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 200)
