"""What a notebook uses: a page, steps with exercises, a guided deal, free play, the options.

>>> from cardlib.ui import page, step, mark_legal
>>> page("hearts")                                                          # doctest: +SKIP
>>> step("hearts.follow.suit", mark_legal(trick="7D", hand="KD 2D AH QS"))  # doctest: +SKIP
"""

from cardlib.teach.auctioning import settle_it, who_opens, who_speaks
from cardlib.teach.calling import choose_call
from cardlib.teach.capturing import capture, count_values, leave, who_gets_rest, who_sweeps, whose_turn
from cardlib.teach.contracts import count_trick, count_tricks, under_contracts, whole_deal
from cardlib.teach.counting import add_up, count_points, write_down
from cardlib.teach.declaring import declare_it, order_cards
from cardlib.teach.endings import how_it_ends, match_ends, who_has_won
from cardlib.teach.passing import pass_cards, who_gets
from cardlib.teach.piles import champions, count_prime, score_deal
from cardlib.teach.playing import play_it
from cardlib.teach.rounds import choose_contract, lowest_total, mark_mine, mark_slots, who_deals_next
from cardlib.teach.scoring import score_it
from cardlib.teach.shedding import choose_turn, count_exit, mark_fitting, mark_pile
from cardlib.teach.tricks import mark_legal, which_side, who_leads, who_wins
from cardlib.ui.onward import onward, quick_check
from cardlib.ui.options import options
from cardlib.ui.page import page
from cardlib.ui.play import free_play, guided_deal
from cardlib.ui.step import step

__all__ = [
    "add_up",
    "capture",
    "champions",
    "choose_call",
    "choose_contract",
    "choose_turn",
    "count_exit",
    "count_points",
    "count_prime",
    "count_trick",
    "count_tricks",
    "count_values",
    "declare_it",
    "free_play",
    "guided_deal",
    "how_it_ends",
    "leave",
    "lowest_total",
    "mark_fitting",
    "mark_legal",
    "mark_mine",
    "mark_pile",
    "mark_slots",
    "match_ends",
    "onward",
    "options",
    "order_cards",
    "page",
    "pass_cards",
    "play_it",
    "quick_check",
    "score_deal",
    "score_it",
    "settle_it",
    "step",
    "under_contracts",
    "which_side",
    "who_deals_next",
    "who_gets",
    "who_gets_rest",
    "who_has_won",
    "who_leads",
    "who_opens",
    "who_speaks",
    "who_sweeps",
    "who_wins",
    "whole_deal",
    "whose_turn",
    "write_down",
]
