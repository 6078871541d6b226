"""Guided deals that begin in the middle of a match: each has its own place on the page, and in what a browser keeps."""

import json

from cardlib.play.bots import simple
from cardlib.ui.play import Guided
from tests.ui.opened import opened, tell


def guided(page):
    return [step for step in page.steps if isinstance(step, Guided)]


def play_out(part):
    while not part.session.deal.over:
        deal = part.session.deal
        if part.session.waiting:
            tell(part, do="next")
        else:
            tell(part, do="play", move=str(simple(deal.view(part.session.me)).move))


def test_each_guided_deal_has_its_place():
    page = opened("quodlibet")
    deals = guided(page)
    assert [part.name for part in deals] == ["guided", "guided-2", "guided-3"]
    assert len({part.id for part in page.steps}) == len(page.steps)
    assert len({part.title(part.voice) for part in deals}) == len(deals)
    assert {part.state["intro"] for part in deals} == {deals[0].state["intro"]}


def test_a_guided_deal_begins_where_it_is_told_to():
    first, trousers, snack = guided(opened("quodlibet"))
    assert (first.session.deal.dealer, first.session.deal.phase.name) == (0, "choose")
    assert trousers.session.deal.contract == "open-trousers"
    assert not trousers.session.deal.view(0).hand
    assert snack.session.deal.contract == "snack"
    assert snack.session.match.number == 11


def test_a_guided_deal_is_kept_and_taken_up_again():
    page = opened("quodlibet")
    for part in guided(page):
        play_out(part)
        assert part.id in page.solved
        assert part.state["sheet"]["rows"]
    kept = json.loads(json.dumps(page.save()))
    again = opened("quodlibet", stored=kept)
    for before, after in zip(guided(page), guided(again), strict=True):
        assert after.session.deal.record() == before.session.deal.record()
        assert not after.session.restarted


def test_the_sheet_counts_the_deals_before():
    snack = guided(opened("quodlibet"))[2]
    rows = json.dumps(snack.state["sheet"]["rows"])
    assert "12" in rows
    play_out(snack)
    assert "12" in json.dumps(snack.state["sheet"]["rows"][-1])
