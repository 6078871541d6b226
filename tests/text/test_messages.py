"""The sentences of both languages: how facts are written, which sentence is chosen, what is an error."""

import os
import re
import sys
from pathlib import Path
from string import Formatter

import pytest
from hypothesis import given
from hypothesis import strategies as st

import cardlib
from cardlib.cards import PACK, Card, Hand, Seat, Suit, cards_of
from cardlib.text import LANGS, TextError, messages, summary
from cardlib.text import messages as messages_of
from cardlib.text.messages import compiled

NAMES = {"en": ["You", "West", "North", "East"], "ja": ["あなた", "西", "北", "東"]}
hands = st.sets(st.sampled_from(cards_of(PACK)), max_size=13).map(Hand.of)


def say(lang, message, **facts):
    return messages(lang).say(message, names=NAMES[lang], me=0, **facts)


@pytest.mark.parametrize(
    ("lang", "text"),
    [
        ("en", "♦9 was led and you hold ♦4: play it."),
        ("ja", "♦9がリードされ、手札に♦4があります。同じスートの♦4を出してください。"),
    ],
)
def test_a_refusal_names_the_fact_and_the_way_out(lang, text):
    nine = Card.parse("9D")
    facts = {"card": Card.parse("AH"), "do": Hand.parse("4D"), "lead": nine, "led": nine.suit, "best": nine}
    assert say(lang, "refusal hearts.follow.suit", **facts) == text


def test_several_cards_take_the_plural():
    facts = {"card": Card.parse("AH"), "do": Hand.parse("KD 2D"), "lead": Card.parse("9D")}
    assert say("en", "refusal hearts.follow.suit", **facts).endswith("♦K and ♦2: play one of them.")
    assert say("ja", "refusal hearts.follow.suit", **facts).endswith("♦Kか♦2を出してください。")


@pytest.mark.parametrize(
    ("lang", "value", "spec", "text"),
    [
        ("en", Card.parse("TD"), "", "♦10"),
        ("ja", Card.parse("QS"), "name", "スペードのクイーン"),
        ("en", Card.parse("TS"), "name", "10 of spades"),
        ("en", Hand.parse("9D 4D"), "", "♦9, ♦4"),
        ("ja", Hand.parse("9D 4D"), "", "♦9、♦4"),
        ("en", Hand.parse("9D 4D"), "or", "♦9 or ♦4"),
        ("ja", Hand.parse("9D 4D"), "or", "♦9か♦4"),
        ("ja", Hand.parse("9D 4D"), "and", "♦9と♦4"),
        ("en", Hand.parse("9D 4D 2C"), "and", "♦9, ♦4 and ♣2"),
        ("ja", Hand.parse("9D 4D 2C"), "or", "♦9、♦4、♣2のどれか"),
        ("ja", Hand.parse("9D 4D 2C"), "and", "♦9、♦4、♣2"),
        ("en", Hand.parse("AS"), "or", "♠A"),
        ("en", Suit(2), "", "diamonds"),
        ("ja", Suit(2), "", "ダイヤ"),
        ("en", Seat(1), "", "West"),
        ("en", Seat(0), "", "you"),
        ("ja", (Seat(1), Seat(2)), "", "西と北"),
        ("en", [Seat(1), Seat(2), Seat(3)], "", "West, North and East"),
        ("en", -10, "", "−10"),
        ("en", 13, "+", "+13"),
        ("en", 4, "number", "four"),
        ("en", 40, "number", "40"),
        ("ja", 4, "number", "4"),
        ("en", "left", "", "left"),
        ("ja", "left", "", "左隣"),
        ("en", "{n}", "", "{n}"),
        ("en", "QS", "move", "♠Q"),
        ("en", "give 2C TD QS", "move", "Pass ♣2, ♦10, ♠Q"),
        ("ja", "annul", "move", "ディールを無効にする"),
        ("en", "moon self", "move", "Minus points for me"),
        ("en", "no such move", "move", "no such move"),
        ("en", "pass", "phase", "cards are being passed, so choose the ones you give"),
    ],
)
def test_facts_are_written_by_their_type(lang, value, spec, text):
    assert messages(lang).fact(value, spec, NAMES[lang], me=0) == text


def test_the_reader_is_you():
    facts = {"card": Card.parse("KD"), "led": Suit(2), "number": 3, "cards": Hand.parse("KD QD")}
    other = say("en", "event TrickWon hearts.trick.winner", seat=Seat(1), **facts)
    own = say("en", "event TrickWon hearts.trick.winner", seat=Seat(0), **facts)
    assert other.startswith("West wins trick 3 with ♦K")
    assert own.startswith("You win trick 3 with ♦K")
    assert say("ja", "event TrickWon hearts.trick.winner", seat=Seat(0), **facts).startswith(
        "3番目のトリックは、あなたが"
    )


def test_cards_that_the_reader_gave():
    facts = {"seat": Seat(1), "source": Seat(0), "cards": Hand.parse("AS QS 2C")}
    said = say("en", "event Received hearts.pass.direction", **facts)
    assert said == "You have passed ♠A, ♠Q and ♣2 to West."
    assert say("ja", "event Received hearts.pass.direction", **facts) == "西はあなたから♠A、♠Q、♣2を受け取りました。"


@pytest.mark.parametrize("lang", LANGS)
def test_bad_input_is_shown_as_it_came(lang):
    assert "left" in say(lang, "bad move", move="left")  # not the word for the direction


def test_hidden_cards_have_a_sentence_of_their_own():
    facts = {"seat": Seat(1), "count": 2}
    known = say("en", "event Kitty hearts.kitty.pick-up", cards=Hand.parse("2D 2C"), **facts)
    assert known == "West takes the left-over cards into the hand: ♦2 and ♣2."
    assert "♦2" not in say("en", "event Kitty hearts.kitty.pick-up", **facts)


def test_winners_in_singular_plural_and_second_person():
    lowest = "event Won hearts.end.lowest"
    assert say("en", lowest, sides=[Seat(1)], total=48) == "West wins: 48 is the lowest total."
    assert say("en", lowest, sides=[Seat(0)], total=48) == "You win: 48 is the lowest total."
    both = say("en", "event Won hearts.end.tie", sides=[Seat(0), Seat(3)], total=48)
    assert both.startswith("You and East share the lowest total, 48")


def test_an_english_sentence_begins_with_a_capital():
    assert say("en", "event Played", seat=Seat(0), card=Card.parse("QS")) == "You play ♠Q."
    assert say("en", "prompt trick", seat=Seat(2)) == "North takes the trick."
    assert say("en", "score hearts.score.queen") == "queen of spades"  # a label is no sentence


@pytest.mark.parametrize("lang", LANGS)
def test_what_is_missing_is_an_error_that_names_it(lang):
    with pytest.raises(TextError, match="no message 'refusal nowhere'"):
        say(lang, "refusal nowhere")
    with pytest.raises(TextError, match=r"'prompt wait'.*'seat' is missing"):
        say(lang, "prompt wait")
    with pytest.raises(TextError, match="cannot write None"):
        say(lang, "prompt wait", seat=None)


def test_unknown_language():
    with pytest.raises(TextError, match="no such language: 'fr'"):
        messages_of("fr")


def test_a_stale_catalogue_is_refused_with_the_command_that_helps(tmp_path, monkeypatch):
    monkeypatch.setattr(sys.modules[compiled.__module__], "HERE", tmp_path / "cardlib" / "text")
    folder = tmp_path / "cardlib" / "text" / "en"
    folder.mkdir(parents=True)
    (tmp_path / "pyproject.toml").touch()
    po, mo = folder / "messages.po", folder / "messages.mo"
    po.touch()
    with pytest.raises(TextError, match=r"missing beside messages\.po; run: pybabel compile -l en"):
        compiled("en")
    mo.touch()
    os.utime(mo, (1, 1))
    with pytest.raises(TextError, match=r"older than messages\.po"):
        compiled("en")
    (tmp_path / "pyproject.toml").unlink()  # installed: files are as the build has left them
    assert compiled("en") == mo


@given(hands, st.sampled_from(LANGS), st.sampled_from(["", "and", "or"]))
def test_a_list_names_every_card_once(hand, lang, spec):
    text = messages(lang).fact(hand, spec)
    assert sorted(re.findall("[♠♥♦♣](?:10|[2-9AKQJ])", text)) == sorted(messages(lang).fact(card) for card in hand)


@given(st.sampled_from(LANGS), st.text(max_size=30))
def test_any_text_can_be_a_fact(lang, text):
    said = messages(lang).say("bad card", card=text)
    assert text in said or messages(lang).has(f"word {text}")


@given(st.sampled_from(LANGS), st.from_regex(r"[a-zA-Z0-9 ♠-]{0,20}", fullmatch=True))
def test_any_text_can_be_written_as_a_move(lang, text):
    assert isinstance(messages(lang).move(text), str)


@pytest.mark.parametrize("lang", LANGS)
def test_the_catalogue_keeps_the_house_style(lang):
    text = (Path(cardlib.__file__).parent / "text" / lang / "messages.po").read_text("utf-8")
    said = re.findall(r'^msgstr(?:\[\d\])? "(.+)"$', text, re.MULTILINE)
    assert len(said) > 500
    for sentence in said:
        list(Formatter().parse(sentence))
        assert sentence == sentence.strip()
        assert "..." not in sentence, sentence
        if lang == "ja":
            assert not re.search("[ぁ-ん一-龥ァ-ヶ] [0-9ぁ-ん一-龥ァ-ヶ]|[!?,]$|切札|台札|プレーヤー|切る", sentence), (
                sentence
            )


def test_a_variant_in_one_sentence():
    text = "hearts(pass_cycle=left-right-across-none,no_penalty_first_trick=true,bonus_card=TD)"
    variant = cardlib.variant(text)
    assert summary(variant, "en") == (
        "Four players. Passes go left, right, across, none; no penalty card in the first trick; ♦10 counts −10."
    )
    assert summary(variant, "ja") == (
        "4人。渡す方向は左隣、右隣、向かい、交換なしの順。最初のトリックに罰点は出せない。♦10は−10点。"
    )
    assert summary(cardlib.variant("hearts"), "en") == "Four players. All as in the source sheet."
    assert summary(cardlib.variant("hearts(end_score=50)"), "en") == "Four players. The game ends at 50 points."


def test_sums_of_cards():
    ways = (Hand.parse("2C 5H"), Hand.parse("AS 2H 4D"))
    for lang, both in (("en", "♥5 + ♣2 or ♠A + ♥2 + ♦4"), ("ja", "♥5 + ♣2か♠A + ♥2 + ♦4")):
        assert messages(lang).fact(ways, "or") == both
        assert messages(lang).fact(ways[1], "plus") == "♠A + ♥2 + ♦4"


def test_a_capture_is_a_move_like_any_other():
    assert messages("en").move("7D takes 2C 5H") == "♦7 takes ♣2 and ♥5"
    assert messages("ja").move("7D takes 2C 5H") == "♦7で♣2と♥5を取る"
    assert messages("en").move("7D takes 8X") == "7D takes 8X"


def test_nothing_at_all_has_a_sentence_of_its_own():
    say = messages("en")
    facts = {"card": Card.parse("JS"), "value": 8, "cards": Hand.parse("QH"), "total": 9, "ways": (), "do": Hand(0)}
    nothing = say.say("refusal scopone.capture.sum-exact", count=0, **facts)
    assert nothing == say.say("refusal scopone.capture.sum-exact none", count=0, **facts)
    assert nothing != say.say("refusal scopone.capture.sum-exact", count=1, **facts | {"ways": (Hand.parse("3C 5D"),)})


def test_the_reader_in_a_list_stays_small():
    assert messages("en").fact(["you", "West"], "and") == "you and West"
    assert messages("en").fact([Seat(0), Seat(1)], names=("You", "West"), me=0) == "you and West"
