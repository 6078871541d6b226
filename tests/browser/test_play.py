"""Whole deals and matches played in the browser, in each way a reader can, and by rules that change the table."""

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import expect

from cardlib.play.bots import simple
from cardlib.text import messages
from tests.browser.reader import PHONE, WIDE, AtTable, Reader, keep, said

pytestmark = pytest.mark.browser

Opener = Callable[..., Any]


def to_a_refusal(table: AtTable) -> None:
    """Play until some card may not be played."""
    table.play_on(lambda: bool(table.refused) and not table.session.waiting)


# ---- a whole deal


def test_deal_by_mouse(new_page: Opener) -> None:
    play_a_deal(Reader(new_page(**WIDE), "en").open("?seed=5"))


def test_deal_by_keyboard(new_page: Opener) -> None:
    play_a_deal(Reader(new_page(**WIDE), "ja", keys=True).open("?seed=8"))


def play_a_deal(reader: Reader) -> None:
    """Pass too few, pass, be refused, ask for a hint, take back, ask why, see the score, go on to the next deal."""
    table = reader.table()
    best = [str(card) for card in simple(table.session.deal.view(0)).move.cards]
    table.give(best[:2])
    table.tell(do="trial", move=" ".join(["give", *best[:2]]))
    assert table.shown["refusal"][0][2] == "hearts.pass.count"
    table.give(best[2:])
    table.tell(do="play", move=" ".join(["give", *best]))
    table.same()
    expect(table.root.locator(".cl-is-new")).to_have_count(3)

    to_a_refusal(table)
    table.try_refused()
    before = table.shown
    table.ask("hint")
    assert table.hatched() == table.refused
    table.move()
    assert table.hatched() == []
    table.ask("undo")
    assert table.shown["hand"] == [[card, []] for card, _ in before["hand"]]
    assert table.shown["trick"] == before["trick"]

    table.play_on(lambda: table.session.waiting and bool(table.session.deal.last_trick))
    table.ask("why")
    assert table.shown["says"][0][2] == "hearts.trick.winner"
    table.play_on(lambda: table.session.deal.over)
    the_score_is_explained(table)
    table.go_on()
    assert table.part.state["table"]["phase"] == "pass"
    assert reader.kept["free"]["history"] == [table.session.match.history[0].scores]


def the_score_is_explained(table: AtTable) -> None:
    """Each line names its rule, and the lines add up to the row of the score sheet."""
    lines = table.root.locator(".cl-lines li").evaluate_all(
        """rows => rows.map((it) => [
            it.querySelector(".cl-line-who").textContent,
            Number(it.querySelector(".cl-line-points").textContent.replace("−", "-")),
            it.querySelector(".cl-chip").dataset.rule])"""
    )
    assert all(rule.startswith("hearts.score") for _, _, rule in lines)
    heads = table.root.locator(".cl-sheet thead th").all_text_contents()
    row = table.root.locator(".cl-sheet tbody tr:not(.cl-total) td").all_text_contents()[-len(heads) :]
    added = [sum(points for who, points, _ in lines if who == head) for head in heads]
    assert [int(cell.replace("−", "-")) for cell in row] == added == table.session.deal.scores()


def test_guided_deal_by_touch_on_a_phone(new_page: Opener) -> None:
    reader = Reader(new_page(**PHONE), "en", touch=True).open()
    table = reader.table("hearts.setup.deal")
    expect(table.root.locator("[data-do=new]")).to_have_count(0)
    to_a_refusal(table)
    table.try_refused()
    table.play_on(lambda: table.session.deal.over)
    expect(table.root.locator(".cl-done")).to_be_visible()
    expect(reader.bar.locator(".cl-dots .cl-on")).to_have_count(1)
    assert reader.kept["solved"] == ["hearts.setup.deal"]
    the_score_is_explained(table)
    reader.do(table.root, "again")
    table.tell(do="again")
    table.same()


# ---- a match


def test_match_to_its_end_by_keyboard(new_page: Opener) -> None:
    """Two deals; the page says who has won, and why."""
    reader = Reader(new_page(**WIDE), "ja", keys=True).open("?v=end_score:20&seed=9")
    table = reader.table()
    table.play_on(lambda: table.session.over)
    assert [it.rule for it in table.session.deal.settled.events] == ["hearts.end.hundred", "hearts.end.lowest"]
    assert [rule for _, _, rule in table.shown["says"]] == ["hearts.end.hundred", "hearts.end.lowest"]
    expect(table.root.locator(".cl-says")).to_contain_text(messages("ja").say("reader name"))
    expect(table.root.locator("[data-do=next]")).to_have_count(0)
    assert table.root.locator(".cl-sheet tbody tr").count() == 3
    reader.do(table.root, "new")
    expect(table.root.locator('[data-zone="hand"] [data-card]')).to_have_count(13)
    expect(table.root.locator(".cl-sheet")).to_have_count(0)  # nothing to sum up yet


def test_deal_by_its_number(new_page: Opener) -> None:
    """A number begins that deal; what is no number is answered with a sentence, and the deal stays."""
    reader = Reader(new_page(**WIDE), "en").open("?seed=5")
    table = reader.table()
    field = table.root.locator(".cl-seed input")
    expect(field).to_have_value("5")
    field.fill("abc")
    reader.do(table.root, "seed")
    table.tell(do="new", seed="abc")
    table.same()
    assert "abc" in table.shown["says"][0][1]
    field.fill("17")
    reader.do(table.root, "seed")
    table.tell(do="new", seed="17")
    table.same()
    expect(field).to_have_value("17")
    assert "seed=17" in reader.twin.link()


def test_table_goes_on_by_itself_if_the_reader_wants(new_page: Opener) -> None:
    page = new_page(**WIDE)
    keep(page, settings={"pace": "run"})
    reader = Reader(page, "en").open("?seed=5")
    table = reader.table()
    table.move()
    table.play_on(lambda: table.session.waiting and bool(table.session.deal.last_trick))
    table.tell(do="next")
    expect(table.root.locator(".cl-table .cl-task")).to_have_text(table.part.state["table"]["prompt"])
    table.same()


# ---- other rules


def test_three_players_put_cards_down(new_page: Opener) -> None:
    """Who has won the first trick takes the left-over card and puts one down."""
    reader = Reader(new_page(**WIDE), "en").open("?v=players:3,leftover:pickup-first-trick&seed=3")
    table = reader.table()
    expect(table.root.locator(".cl-seat")).to_have_count(3)
    expect(table.root.locator(".cl-kitty")).to_be_visible()
    table.play_on(lambda: table.session.deal.phase.name == "discard" and not table.session.waiting)
    table.give([], "discard")
    table.tell(do="trial", move="discard")
    assert table.shown["refusal"] == [said(table.part.voice.refusal(table.session.refusal("discard")))]
    table.move()
    to_a_refusal(table)
    assert table.try_refused().startswith("hearts.")


def test_eight_players_on_a_phone(new_page: Opener) -> None:
    reader = Reader(new_page(**PHONE), "ja", touch=True).open("?v=players:8&seed=2")
    table = reader.table()
    expect(table.root.locator(".cl-seat")).to_have_count(8)
    to_a_refusal(table)
    table.try_refused()
    table.play_on(lambda: table.session.deal.over)
    the_score_is_explained(table)


def test_scatter_gives_a_card_to_each(new_page: Opener) -> None:
    """The third deal of this cycle; the order in which the cards are chosen says who gets which."""
    stored = {
        "version": 1,
        "link": "?lang=en",
        "free": {"v": "players:3,pass_cycle:left-right-scatter,pass_count:4", "seed": "5", "history": [[1, 25, 0]] * 2},
    }
    page = new_page(**WIDE)
    keep(page, hearts=stored)
    table = Reader(page, "en").open(stored=stored).table()
    assert table.session.deal.direction == "scatter"
    hand = [it["card"] for it in table.part.state["table"]["hand"]]
    chosen = [hand[5], hand[0], hand[9], hand[2]]
    table.give(chosen[:3])
    table.tell(do="trial", move=" ".join(["give", *chosen[:3]]))
    assert table.shown["refusal"][0][2] == "hearts.pass.count"
    for card in chosen[3:]:
        table.reader.press(table.card(card))
    expect(table.root.locator(".cl-order li.cl-full")).to_have_count(4)
    table.reader.do(table.root, "give")
    table.tell(do="play", move=" ".join(["give", *chosen]))
    table.same()
    to_a_refusal(table)
    table.try_refused()


def test_shooter_chooses_who_pays(new_page: Opener) -> None:
    """Take every penalty card, then say whether the others pay."""
    table = Reader(new_page(**WIDE), "ja").open("?v=moon_mode:choice&seed=0").table()
    while table.session.deal.phase.name != "moon":
        if table.session.waiting:
            table.go_on()
        else:
            if table.refused:
                table.try_refused()
            table.move(greedy(table.session.deal.view(0)))
    expect(table.root.locator("[data-move]")).to_have_count(2)
    table.move("moon others")
    assert table.session.deal.scores() == [0, 26, 26, 26]
    the_score_is_explained(table)


def greedy(view: Any) -> str:
    """Pass the lowest cards, lead the highest, win if possible."""
    if view.phase == "pass":
        return "give " + " ".join(map(str, sorted(view.hand, key=lambda card: card.rank)[:3]))
    cards = [move.cards[0] for move in view.legal()]
    if not view.trick:
        return str(max(cards, key=lambda card: card.rank))
    winning = [card for card in cards if card.suit == view.led and card > view.best]
    if winning:
        return str(max(winning, key=lambda card: card.rank))
    return str(min(cards, key=lambda card: (card.suit == 2, card.rank)))


def test_cards_sent_on_unseen(new_page: Opener) -> None:
    """With this option one may pass on what one is passed."""
    table = Reader(new_page(**WIDE), "en").open("?v=pass_forward:true&seed=4").table()
    table.reader.do(table.root, "forward")
    table.tell(do="play", move="forward")
    table.same()
    to_a_refusal(table)
    table.try_refused()
