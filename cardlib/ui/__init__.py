"""What a notebook uses: a page, steps with exercises, a guided deal, free play, the options.

>>> from cardlib.ui import page, step, mark_legal
>>> page("hearts")                                                          # doctest: +SKIP
>>> step("hearts.follow.suit", mark_legal(trick="7D", hand="KD 2D AH QS"))  # doctest: +SKIP
"""

from cardlib.teach.exercises import count_points, mark_legal, pass_cards, play_it, who_gets, who_has_won, who_wins
from cardlib.ui.options import options
from cardlib.ui.page import page
from cardlib.ui.play import free_play, guided_deal
from cardlib.ui.step import step

__all__ = [
    "count_points",
    "free_play",
    "guided_deal",
    "mark_legal",
    "options",
    "page",
    "pass_cards",
    "play_it",
    "step",
    "who_gets",
    "who_has_won",
    "who_wins",
]
