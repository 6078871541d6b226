"""What the gallery knows about the lessons agrees with the lessons."""

import json
from pathlib import Path

import pytest

from cardlib.app.folders import notebooks_dir
from cardlib.app.gallery import KINDS, UNKNOWN, Filter, entries, kinds_of, lessons, size_name, sizes
from cardlib.app.pages import choose_lang, gallery
from cardlib.app.pictures import SCENES, dealt, picture
from cardlib.cards import Hand
from cardlib.deal import GAMES
from cardlib.games import ORDER
from cardlib.phases.auction import Auction
from cardlib.phases.tricks import TrickDeal
from cardlib.text import LANGS, messages
from cardlib.ui.page import Page, current


def run(path: Path) -> Page:
    """Run a notebook's code here; gives its page."""
    scope: dict[str, object] = {}
    for cell in json.loads(path.read_text("utf-8"))["cells"]:
        if cell["cell_type"] == "code":
            exec("".join(cell["source"]), scope)
    return current()


@pytest.mark.parametrize("lang", LANGS)
def test_every_lesson_has_its_words(lang: str) -> None:
    found = entries(lang)
    assert [entry.id for entry in found] == [path.stem for path in lessons(notebooks_dir())]
    for entry in found:
        assert entry.title != entry.other
        assert entry.meta
        assert entry.text
        assert entry.picture
        assert len(entry.steps) >= 6
        assert all(step.title and step.title != step.id for step in entry.steps)


def test_steps_are_the_pages_own() -> None:
    for path in lessons(notebooks_dir()):
        page = run(path)
        for lang in LANGS:
            entry = next(entry for entry in entries(lang) if entry.id == path.stem)
            told = [(step.id, step.title) for step in entry.steps]
            assert told == [(step.id, step.title(page.voice(lang=lang))) for step in page.steps]


# ---------------------------------------------------------------------------------------------------------- pictures


def test_every_game_has_a_picture_of_a_real_deal() -> None:
    assert set(SCENES) == set(ORDER) == set(GAMES)
    for game in ORDER:
        deal, drawn = dealt(game), picture(game)
        assert deal.game.id == game and deal.moves, "a deal of this game, some way on"
        assert drawn.cards or drawn.bars or drawn.calls
        cards = [card.card for card in drawn.cards]
        assert len(set(cards)) == len(cards)
        assert not Hand.of(cards) & (2**64 - 1 ^ deal.pack_of(deal.variant)), "cards of its pack"
        assert drawn not in [picture(other) for other in ORDER if other != game]


def test_what_a_picture_shows_is_so() -> None:
    for game in ("primer", "quint", "spady"):
        deal, drawn = dealt(game), picture(game)
        (best,) = [card.card for card in drawn.cards if card.winning]
        assert [card.card for card in drawn.cards] == deal.last_trick
        assert deal.last_trick.index(best) == (deal.winner - deal.last_leader) % 4
    assert picture("quint").note == "+15"
    assert picture("spady").note == "+5"
    (chosen,) = [card.card for card in picture("hearts").cards if card.chosen]
    assert str(chosen) == "QS" == str(dealt("hearts").moves[-1])
    assert [tuple(bar) for bar in picture("ambition").bars] == [(30, 0), (7, 0), (23, 23), (25, 25)]
    assert [card.card for card in picture("scopone").cards if card.chosen] == list(dealt("scopone").moves[-1].takes)
    assert picture("scopone").note == "1 + 2 + 3 + 4 = 10"
    assert Hand.of(card.card for card in picture("quodlibet").cards) == Hand(dealt("quodlibet").laid)
    assert [call.words for call in picture("solo-whist").calls if call.stands] == ["move misere"]
    assert dealt("solo-whist").contract.bid == "misere"
    for call in picture("solo-whist").calls:
        assert all(messages(lang).has(call.words) for lang in LANGS)


def test_a_notebook_that_is_no_game_has_a_picture_too() -> None:
    assert picture("my-own") == picture("hearts")


# ----------------------------------------------------------------------------------------------------------- filters


def test_kinds_are_what_the_games_are() -> None:
    for game in GAMES.values():
        kinds = kinds_of(game)
        assert kinds <= set(KINDS)
        assert ("partners" in kinds) == game.partners
        assert ("partners" in kinds) != ("alone" in kinds)
        assert ("capture" in kinds) != issubclass(game.deal, TrickDeal)
        assert bool(kinds & {"win", "avoid"}) == issubclass(game.deal, TrickDeal)
        assert not game.lowest_wins or "avoid" in kinds
        deal = dealt(game.id)
        while deal.moves:
            deal.undo()
        assert ("auction" in kinds) == isinstance(deal.phase, Auction)
    assert {kind for game in GAMES.values() for kind in kinds_of(game)} == set(KINDS)


def test_sizes_put_together_what_is_the_same() -> None:
    assert [size_name(size) for size in sizes()] == ["3", "4", "5-8"]


@pytest.mark.parametrize(
    ("players", "kind", "shown"),
    [
        ("", "", set(ORDER)),
        ("5-8", "", {"hearts"}),
        ("6", "", {"hearts"}),
        ("3", "", {"hearts", "spady", "ambition"}),
        ("3", "partners", {"spady"}),
        ("", "capture", {"scopone"}),
        ("4", "auction", {"solo-whist"}),
        ("3", "auction", set()),
    ],
)
def test_what_a_filter_shows(players: str, kind: str, shown: set[str]) -> None:
    asked = Filter.asked(players, kind)
    assert not asked.bad
    for lang in LANGS:
        found = {entry.id for entry in entries(lang) if asked.shows(entry)}
        assert found == shown & {entry.id for entry in entries(lang)}


@pytest.mark.parametrize(("players", "kind"), [("2", ""), ("x", "win"), ("4", "poker"), ("<b>", "<b><b>")])
def test_a_bad_filter_is_left_out_and_said(players: str, kind: str) -> None:
    asked = Filter.asked(players, kind)
    assert asked.bad and not asked.known().bad
    assert UNKNOWN in (asked.players, asked.kind)
    page = gallery("en", "", "/", notebooks_dir(), players, kind)
    assert messages("en").say("ui filter bad") in page
    assert "poker" not in page and "<b><b>" not in page


@pytest.mark.parametrize("lang", LANGS)
def test_a_page_is_filtered_without_a_script(lang: str) -> None:
    page = gallery(lang, "", "/", notebooks_dir(), "3", "partners")
    shown = [part.partition(">")[0] for part in page.split("<li data-players")[1:]]
    assert sum("hidden" not in part for part in shown) == 1
    assert messages(lang).say("ui filter shown", n=1, total=len(shown)) in page
    assert f"?lang={lang}&amp;players=3&amp;kind=win" in page
    other = next(name for name in LANGS if name != lang)
    assert f"?lang={other}&amp;players=3&amp;kind=partners" in page, "the other language keeps what was asked"
    nothing = gallery(lang, "", "/", notebooks_dir(), "3", "capture")
    assert '<div class="none" id="none">' in nothing
    assert '<div class="none" id="none" hidden>' in page


def test_other_notebooks_are_shown_by_their_title(tmp_path: Path) -> None:
    notebook = {"cells": [], "metadata": {"title": "My own"}, "nbformat": 4, "nbformat_minor": 5}
    (tmp_path / "zz.ipynb").write_text(json.dumps(notebook), "utf-8")
    (tmp_path / ".hidden.ipynb").write_text("{}", "utf-8")
    (entry,) = entries("en", tmp_path)
    assert (entry.title, entry.href, entry.steps) == ("My own", "zz", ())
    assert Filter().shows(entry)
    assert not Filter(players="4").shows(entry)


@pytest.mark.parametrize(
    ("asked", "accepted", "lang"),
    [
        ("ja", "en", "ja"),
        ("", "ja-JP,ja;q=0.9,en;q=0.8", "ja"),
        ("", "en-GB,ja;q=0.5", "en"),
        ("xx", "fr", "en"),
        ("", "", "en"),
    ],
)
def test_language(asked: str, accepted: str, lang: str) -> None:
    assert choose_lang(asked, accepted) == lang
