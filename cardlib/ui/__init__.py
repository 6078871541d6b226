"""What a notebook uses: a page, steps with exercises, a guided deal, free play, the options.

>>> from cardlib.ui import page, step, mark_legal
>>> page("hearts")                                                          # doctest: +SKIP
>>> step("hearts.follow.suit", mark_legal(trick="7D", hand="KD 2D AH QS"))  # doctest: +SKIP
"""

from cardlib.teach.calling import choose_call
from cardlib.teach.counting import add_up, how_it_ends, write_down
from cardlib.teach.declaring import declare_it, match_ends, order_cards
from cardlib.teach.exercises import count_points, mark_legal, pass_cards, play_it, who_gets, who_has_won, who_wins
from cardlib.teach.scoring import score_it, what_follows
from cardlib.teach.tricks import which_side, who_leads
from cardlib.ui.onward import onward, quick_check
from cardlib.ui.options import options
from cardlib.ui.page import page
from cardlib.ui.play import free_play, guided_deal
from cardlib.ui.step import step

__all__ = [
    "add_up",
    "choose_call",
    "count_points",
    "declare_it",
    "free_play",
    "guided_deal",
    "how_it_ends",
    "mark_legal",
    "match_ends",
    "onward",
    "options",
    "order_cards",
    "page",
    "pass_cards",
    "play_it",
    "quick_check",
    "score_it",
    "step",
    "what_follows",
    "which_side",
    "who_gets",
    "who_has_won",
    "who_leads",
    "who_wins",
    "write_down",
]
