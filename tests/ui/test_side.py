"""The boxes beside the table: the rules that a deal wants to be read, as the options make them read."""

from __future__ import annotations

import pytest

import cardlib
from cardlib.play.session import Session
from cardlib.teach.voice import Voice
from cardlib.text import LANGS
from cardlib.ui.table import side


def boxes(variant: str, lang: str) -> dict[str, str]:
    """The texts of the boxes by their titles."""
    chosen = cardlib.variant(variant)
    return {box["title"]: box["text"] for box in side(Session(chosen, seed=1), Voice(lang, chosen))}


@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize("game", sorted(cardlib.GAMES))
def test_every_game_has_its_boxes(game: str, lang: str) -> None:
    for title, text in boxes(game, lang).items():
        assert title and "{" not in text


def test_left_over_cards_are_explained_where_there_are_some() -> None:
    title = Voice("en", cardlib.variant("hearts")).say("side left over")
    assert title not in boxes("hearts", "en")
    assert "taken out of the pack" in boxes("hearts(players=5)", "en")[title]
    told = boxes("hearts(players=5,leftover=pickup-first-penalty)", "en")[title]
    assert "penalty card" in told and "face down" in told


def test_the_pass_is_blind_only_while_it_lasts() -> None:
    chosen = cardlib.variant("hearts")
    session, voice = Session(chosen, seed=1), Voice("en", chosen)
    title = voice.say("side pass")
    assert title in [box["title"] for box in side(session, voice)]
    session.play(str(session.deal.legal()[0]))
    assert session.deal.phase.name != "pass"
    assert title not in [box["title"] for box in side(session, voice)]


def test_quint_keeps_its_rank_in_sight() -> None:
    voice = Voice("en", cardlib.variant("quint"))
    suits, printed = voice.say("side suits"), "quint(suit_order=as-printed)"
    assert boxes("quint", "en")[suits] != boxes(printed, "en")[suits]
    assert voice.say("side quints") in boxes("quint", "en")
