"""Whatever comes in is understood or is `BadInput` that names the culprit; what goes out comes in again."""

import copy
import json

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

import cardlib
from cardlib.cards import ALL, JOKER, PACK, RANKS, SUITS, Card, Hand, by_rank, cards_of, parse_cards
from cardlib.deal import GAMES
from cardlib.errors import BadInput, shortly
from cardlib.options import Variant
from cardlib.phases.exchange import SomeCards
from cardlib.record import load, read_checks, run_check
from tests.engine.play_outs import VECTORS, random_variant

ANYTHING = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(max_size=8)
    | st.sampled_from(["QS", "2C", "hearts"]),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=6), inner, max_size=3),
    max_leaves=6,
)
MASKS = st.integers(0, ALL).map(lambda bits: bits & (PACK | JOKER.mask))


def refused(call, *arguments):
    """The text of the `BadInput` that a call raises; None when it does not."""
    try:
        call(*arguments)
    except BadInput as error:
        return str(error) if error.code else ""
    return None


# -- cards


@pytest.mark.parametrize("rank", RANKS)
@pytest.mark.parametrize("suit", SUITS)
def test_a_card_has_many_spellings(rank, suit):
    card = Card.parse(rank + suit)
    assert str(card) == rank + suit
    symbol = "♠♥♦♣"[SUITS.index(suit)]
    white = "♤♡♢♧"[SUITS.index(suit)]
    written = {"T": "10"}.get(rank, rank)
    for text in (
        rank.lower() + suit.lower(),
        written + suit,
        symbol + written,
        rank + symbol,
        symbol + "\ufe0f" + rank,
        white + rank,
        suit + rank,
    ):
        assert Card.parse(text) is card, text


@given(st.text(max_size=5))
@example("Qſ")
@example("1010")
@example("QSS")
def test_any_text_is_a_card_or_bad_input(text):
    message = refused(Card.parse, text)
    assert message is None or repr(text)[1:-1] in message


@pytest.mark.parametrize(
    "text", ["", "1C", "11C", "QX", "Q", "S", "QS ", "joker", "JK", "ＱＳ", "0S", None, 5, [], b"QS"]
)
def test_no_card(text):
    with pytest.raises(BadInput):
        Card.parse(text)


@given(MASKS)
def test_a_hand_is_read_back(mask):
    text = str(Hand(mask))
    assert Hand.parse(text) == mask
    assert Hand.parse(text.lower().replace("t", "10")) == mask
    assert [str(card) for card in Hand(mask)] == text.split()
    assert len(Hand(mask)) == len(cards_of(mask)) == len(parse_cards(text))
    assert all(card in Hand(mask) for card in cards_of(mask))


def test_a_hand_stands_in_order():
    assert str(Hand(PACK | JOKER.mask)).split() == [r + s for s in SUITS for r in reversed(RANKS)] + ["JKR"]
    assert " ".join(map(str, by_rank(Hand.parse("AH QS 2C 2S 2D QC")))) == "2S 2D 2C QS QC AH"


@given(st.text(alphabet="QKS2 10TJR♥hcx\t", max_size=20))
def test_any_text_is_a_hand_or_bad_input(text):
    refused(Hand.parse, text)


def test_a_card_twice_is_named():
    with pytest.raises(BadInput, match="TH"):
        Hand.parse("TH 10h")


# -- moves


@pytest.mark.parametrize("name", GAMES)
def test_a_legal_move_is_read_back(name):
    for variant in (
        "hearts",
        "hearts(players=3,pass_count=4,pass_cycle=left-right-scatter)",
        "hearts(pass_forward=true)",
    ):
        deal = cardlib.deal(variant, seed=4, match={"deal": 2 if "scatter" in variant else 0})
        moves = deal.legal()
        assert len(moves) == len(set(map(str, moves)))
        for number, move in enumerate(moves):
            if number % 97 == 0:
                assert move in moves
                assert deal.parse(str(move)) == deal.parse(move) == move
                assert moves[number] == move
    assert name in GAMES


def test_some_cards_is_a_sequence():
    moves = SomeCards("give", Hand.parse("AS KS QS JS TS"), (2, 1))
    assert len(moves) == len(list(moves)) == 30
    assert moves[0] == moves[-30]
    assert moves[-1] == list(moves)[-1]
    assert moves[3:5] == list(moves)[3:5]
    with pytest.raises(IndexError):
        moves[30]
    assert "give" not in moves
    assert cardlib.Move("give", (Card.parse("KS"), Card.parse("AS"), Card.parse("QS"))) in moves
    assert cardlib.Move("give", (Card.parse("AS"), Card.parse("KS"), Card.parse("QS"))) not in moves  # not canonical
    assert cardlib.Move("give", (Card.parse("KS"), Card.parse("AS"), Card.parse("2S"))) not in moves


@given(st.text(max_size=12))
@example("give")
@example("give QS")
@example("GIVE 2C 3C 4C")
@example("2C\u2003")
@example("discard JKR")
def test_any_text_is_a_move_or_bad_input(text):
    for variant in ("hearts", "hearts(pass_cycle=left-across-right-scatter)"):
        deal = cardlib.deal(variant, seed=4)
        message = refused(deal.refusal, text)
        assert message is None or "no move" in message


# -- variants


@given(st.integers(0, 10**9))
def test_a_variant_is_read_back(number):
    import random

    for game in GAMES.values():
        variant = random_variant(game, random.Random(number))
        assert Variant.parse(game, variant.code) == variant
        assert cardlib.variant(str(variant)) == variant
        assert hash(cardlib.variant(str(variant))) == hash(variant)


@given(st.text(max_size=30) | st.text(alphabet="players:5,moon_mode=others()hearts ", max_size=30))
@example("hearts(")
@example("hearts)")
@example("hearts(players=5))")
@example("hearts(players=１)")
@example("hearts(players=٣)")
@example("hearts(end_score=007)")
def test_any_text_is_a_variant_or_bad_input(text):
    refused(cardlib.variant, text)
    refused(Variant.parse, GAMES["hearts"], text)
    refused(cardlib.deal, text)


@pytest.mark.parametrize(
    ("text", "culprit"),
    [
        ("spades", "spades"),
        ("hearts(nil=1)", "nil"),
        ("hearts(moon_mode=both)", "both"),
        ("hearts(players=9)", "players"),
        ("hearts(players=x)", "x"),
        ("hearts(sun=1)", "sun"),
        ("hearts(sun=True)", "sun"),
        ("hearts(ace_points=true)", "ace_points"),
        ("hearts(end_score=0)", "end_score"),
        ("hearts(end_score=1001)", "1001"),
        ("hearts(end_score=1e2)", "end_score"),
        ("hearts(players=3,players=4)", "players"),
        ("hearts(windows,tie=shared)", "windows"),
        ("hearts(players=5,pass_cycle=across)", "pass_cycle"),
        ("hearts(pass_cycle=second-left)", "second-left"),
        ("hearts(pass_count=4)", "pass_count"),
        ("hearts(players=3,pass_cycle=left-right-scatter)", "pass_count"),
        ("hearts(sun", "hearts(sun"),
        (None, "None"),
        (5, "5"),
    ],
)
def test_a_bad_variant_names_the_culprit(text, culprit):
    assert culprit in refused(cardlib.variant, text)


def test_a_deal_checks_its_arguments():
    for wrong in (4, -1, True, "0", 1.0, [0]):
        assert "dealer" in refused(lambda wrong=wrong: cardlib.deal("hearts", dealer=wrong))
    assert "match" in refused(lambda: cardlib.deal("hearts", match=[1]))
    assert "totals" in refused(lambda: cardlib.deal("hearts", match={"totals": [1, 2, 3]}))
    assert "seed" in refused(lambda: cardlib.deal("hearts", seed="x"))
    assert "no such seat" in refused(lambda: cardlib.deal("hearts").view(4))


# -- records


def every_record():
    for path in sorted(VECTORS.glob("*.jsonl")):
        if path.stem in GAMES:
            yield from read_checks(path)


RECORDS = [check for check in every_record() if "error" not in check["expect"] and check.get("kind") != "settle"]


def test_every_handed_record_comes_back():
    for check in RECORDS:
        record = {key: value for key, value in check.items() if key not in ("id", "why", "expect")}
        deal = load(record)
        written = deal.record()
        assert json.loads(json.dumps(written)) == written
        again = load(written)
        assert again.record() == written
        assert (again.turn, again.scores(), again.settled, again.events) == (
            deal.turn,
            deal.scores(),
            deal.settled,
            deal.events,
        )


def paths(value, here=()):
    """The places of a JSON value."""
    yield here
    if isinstance(value, dict):
        for key in value:
            yield from paths(value[key], (*here, key))
    elif isinstance(value, list):
        for place, inner in enumerate(value):
            yield from paths(inner, (*here, place))


def put(value, path, new):
    if not path:
        return new
    for step in path[:-1]:
        value = value[step]
    value[path[-1]] = new
    return None


@settings(max_examples=700, suppress_health_check=[HealthCheck.too_slow], deadline=None)
@given(st.data())
def test_a_broken_record_is_bad_input(data):
    record = copy.deepcopy(data.draw(st.sampled_from(RECORDS)))
    expect = record.pop("expect")
    for key in ("id", "why"):
        record.pop(key)
    place = data.draw(st.sampled_from([path for path in paths(record) if path]))
    put(record, place, data.draw(ANYTHING))
    if not refused(load, record):
        deal = load(record)
        written = deal.record()
        assert load(written).record() == written
        assert len(deal.scores()) == deal.game.sides(deal.players)
    run_check(record | {"expect": expect})


@settings(max_examples=200, deadline=None)
@given(ANYTHING)
def test_anything_is_no_record(value):
    assert refused(load, value) is not None
    assert refused(load, json.dumps(value)) is not None
    assert run_check({"expect": {}, "game": value})
    assert run_check({"kind": "settle", "expect": {"result": [9]}, "game": "hearts", "scores": value})


def whole(**changes):
    """A whole deal of Hearts in which nobody passes, changed."""
    hands = [" ".join(rank + suit for rank in "AKQJT98765432") for suit in "CDSH"]
    return {"game": "hearts", "match": {"deal": 3}, "hands": hands} | changes


def place(**changes):
    """A small position of Hearts, changed."""
    position = {"leader": 0, "trick_number": 3} | changes.pop("position", {})
    return {"game": "hearts", "hands": ["2D", "3D", "4D", "5D"], "position": position} | changes


DEEP = json.loads("[" * 900 + "]" * 900)
WRONG = [None, True, False, 0, -1, 7, 1.5, float("nan"), float("inf"), 10**400, 10**5000, "", "x", [], [[]], {}, DEEP]


@pytest.mark.parametrize("wrong", WRONG, ids=lambda wrong: shortly(wrong)[:12])
@pytest.mark.parametrize(
    "key", ["game", "options", "players", "dealer", "match", "hands", "moves", "kitty", "smoosh", "position", "seed"]
)
def test_a_wrong_type_names_its_key(key, wrong):
    allowed = {
        "options": [{}], "dealer": [0], "match": [{}], "moves": [[]], "kitty": [""],
    }.get(key, [])  # fmt: skip
    message = refused(load, whole(**{key: wrong}))
    named = {"position": "leader"} if wrong == {} else {"players": "hands"} if wrong == 7 else {}
    if any(type(wrong) is type(value) and wrong == value for value in allowed):
        assert message is None
    else:
        assert message is not None
        assert named.get(key, key.removesuffix("s")) in message


@pytest.mark.parametrize("wrong", WRONG, ids=lambda wrong: shortly(wrong)[:12])
@pytest.mark.parametrize("key", ["leader", "trick", "trick_number", "last_trick", "taken", "hearts_broken", "turn", ""])
def test_a_wrong_type_in_a_position_names_its_key(key, wrong):
    allowed = {
        "leader": [0], "trick": [""], "trick_number": [7], "last_trick": [True, False], "hearts_broken": [True, False],
    }.get(key, [])  # fmt: skip
    message = refused(load, place(position={key: wrong}))
    if any(type(wrong) is type(value) and wrong == value for value in allowed):
        assert message is None
    else:
        assert message is not None
        assert (key or "position") in message


@pytest.mark.parametrize("wrong", WRONG, ids=lambda wrong: shortly(wrong)[:12])
def test_a_wrong_type_elsewhere_names_its_key(wrong):
    for key in ("deal", "totals"):
        message = refused(load, whole(match={key: wrong}))
        assert (message is None) == (key == "deal" and type(wrong) is int and 0 <= wrong < 1 << 63)
        assert message is None or key in message
    message = refused(load, whole(match={"totals": [0, 0, 0, wrong]}))
    assert (message is None) == (type(wrong) is int and abs(wrong) < 1 << 63)
    assert message is None or "totals" in message
    message = refused(load, whole(options={"ace_points": wrong}))
    assert "ace_points" in message
    message = refused(load, whole(moves=[wrong]))
    assert "no move" in message
    message = refused(load, whole(hands=["", "", "", wrong]))
    assert "hands" in message or message.endswith("'x'")
    check = {"kind": "settle", "game": "hearts", "scores": [0, 0, 0, wrong], "expect": {"error": "scores"}}
    if type(wrong) is not int:
        assert run_check(check) == []


@pytest.mark.parametrize(
    ("record", "culprit"),
    [
        (whole(extra=1), "extra"),
        (whole(position={}), "leader"),
        (whole(players=7), "hands"),
        (whole(seed=3), "hands"),
        ({"game": "hearts", "seed": 3, "kitty": ""}, "kitty"),
        ({"game": "hearts", "seed": -3}, "-3"),
        ({"game": "hearts"}, "hands"),
        ({}, "game"),
        (whole(game="Hearts"), "Hearts"),
        (whole(match={"deals": 3}), "deals"),
        (whole(match={"deal": -1}), "deal"),
        (whole(match={"deal": True}), "deal"),
        (whole(match={"totals": [0, 0, 0, 0.5]}), "totals"),
        (whole(match={"totals": [0] * 5}), "totals"),
        (whole(players=4.0), "players"),
        (whole(players="4"), "players"),
        (whole(players=2), "players"),
        (whole(dealer=-1), "dealer"),
        (whole(dealer=True), "dealer"),
        (whole(dealer="3"), "dealer"),
        (whole(options={"sun": 1}), "sun"),
        (whole(options={"sun": "true"}), "sun"),
        (whole(options={"queen_points": 13.0}), "queen_points"),
        (whole(options={"moon_value": "52"}), "moon_value"),
        (whole(options={"end_score": True}), "end_score"),
        (whole(options={"end_score": 1001}), "end_score"),
        (whole(options={"leftover": None}), "leftover"),
        (whole(kitty="2C"), "kitty"),
        (whole(smoosh=["2C 3C 4C"] * 4), "smoosh"),
        (whole(moves="2C"), "moves"),
        (whole(moves=["2C", "2C"]), "hearts.move.not-in-hand"),
        (whole(moves=["AC"]), "AC"),
        (whole(moves=["AC"]), "hearts.lead.two-of-clubs"),
        (whole(moves=["2c", "10♦", "Kd"]), "Kd"),
        (whole(moves=["give 2C 3C 4C"]), "hearts.move.phase"),
        (whole(moves=["give 2C 3C JKR"]), "give 2C 3C JKR"),
        (whole(moves=["JKR"]), "JKR"),
        (whole(moves=["moon both"]), "moon both"),
        (whole(moves=["annul"]), "hearts.move.phase"),
        (whole(hands=["♣1"] * 4), "♣1"),
        (whole(hands=["10C 10C", "", "", ""]), "10C"),
        (whole(hands=["TC", "10C", "", ""]), "TC"),
        (whole(hands=["JKR", "", "", ""]), "JKR"),
        (place(position={"leader": 4}), "leader"),
        (place(position={"trick_number": 0}), "trick_number"),
        (place(position={"trick": "9X"}), "9X"),
        (place(position={"trick": "2D"}), "2D"),
        (place(position={"trick": "6D 7D 8D 9D"}), "trick"),
        (place(position={"taken": ["6D"]}), "taken"),
        (place(position={"taken": ["6D", "6D", "", ""]}), "6D"),
        (place(position={"taken": ["2D", "", "", ""]}), "2D"),
        (place(position={"taken": "6D"}), "taken"),
        (place(position={"last_trick": 1}), "last_trick"),
        (place(position={"last_trick": None}), "last_trick"),
        (place(position={"hearts_broken": "yes"}), "hearts_broken"),
        (place(position={"turn": 0}), "turn"),
        (place(hands=["", "", "", ""]), "hands"),
        (place(hands=["2D 6D", "3D", "4D", "5D"]), "hands"),
        (place(smoosh=["", "", "", ""]), "smoosh"),
        (place(kitty="6D"), "kitty"),
        (place(players=5, hands=["2S", "3S", "4S", "5S", "2D"]), "2D"),
        (place(players=5, hands=["2S", "3S", "4S", "5S", "6S"], kitty="7S 8S"), "kitty"),
        (
            place(players=5, hands=["2S", "3S", "4S", "5S", "6S"], kitty="7S", options={"leftover": "first-penalty"}),
            "kitty",
        ),
        (
            place(players=5, hands=["2S", "3S", "4S", "5S", "6S"], kitty="7S 8S", options={"leftover": "first-trick"}),
            "kitty",
        ),
        (
            place(
                players=5, hands=["2S", "3S", "4S", "5S", "6S"], kitty="7S 2S", options={"leftover": "first-penalty"}
            ),
            "2S",
        ),
        (place(hands=["3C", "2C", "4D", "5D"], position={"trick_number": 1}), "leader"),
        (place(hands=["3C 6D", "4C 7D", "4D 8D", "5D 9D"], position={"trick_number": 1, "leader": 1}), "leader"),
        (place(hands=["3C", "3D 4D", "5D 6D", "7D 8D"], position={"trick": "4C", "trick_number": 1}), "trick"),
        (
            place(
                hands=["3C", "3D 4D", "5D 6D", "7D 8D"],
                position={"trick": "9D", "trick_number": 1},
                options={"opening": "any-club"},
            ),
            "trick",
        ),
        (place(position={"trick_number": 1, "leader": 1}, options={"opening": "dealer-left"}), "leader"),
    ],
)
def test_a_bad_record_names_the_culprit(record, culprit):
    message = refused(load, record)
    assert message is not None
    assert culprit in message
    assert run_check(record | {"expect": {"error": culprit}}) == []


@pytest.mark.parametrize(
    "text", ["", "{", "[]", "null", "NaN", '"hearts"', "[" * 100_000, '{"game": 1' + "0" * 5000 + "}", "\ud800"]
)
def test_no_json_record(text):
    assert refused(load, text) is not None


def test_a_record_from_a_seed():
    deal = load({"game": "hearts", "seed": "17", "moves": []})
    assert deal.record() == cardlib.deal("hearts", seed=17).record()
    assert "seed" not in deal.record()


def test_records_are_written_canonically():
    deal = load(whole(hands=[h.lower() for h in whole()["hands"]], moves=["2♣", "♦2", "2s", "h2"], dealer=3, players=4))
    assert deal.record() == whole(moves=["2C", "2D", "2S", "2H"], match={"deal": 3, "totals": [0, 0, 0, 0]})
    deal = load(
        place(position={"trick": "10h 2h", "taken": ["2s 10s", "", "", ""]}, hands=["3d", "4d", "5d 6d", "7d 8d"])
    )
    assert deal.record()["position"]["trick"] == "TH 2H"
    assert deal.record()["position"]["taken"][0] == "TS 2S"
    assert deal.record()["hands"][2] == "6D 5D"
