"""Scopone: captures against a reference that tries every set of table cards, and what holds of every deal."""

import random
from itertools import combinations

import pytest

import cardlib
from cardlib.cards import DIAMONDS, Card, Hand, parse_cards
from cardlib.errors import BadInput
from cardlib.games.scopone import KINGS, napola, prime
from cardlib.phases.fishing import CARDS, groups, sums, value
from cardlib.play.session import simple
from cardlib.record import load, run_check
from cardlib.seeds import Random
from tests.engine.play_outs import dealt, play_out, presets, random_variant

GAME = cardlib.GAMES["scopone"]
SCOPONE = [*presets(GAME), *(random_variant(GAME, random.Random(f"scopone {number}")) for number in range(60))]
WHOLE = cardlib.deal("scopone", seed=17).record()


def position(hand: str, table: str, **options):
    """Seat 0 is on turn with this hand; the others hold cards that are not on the table."""
    taken = set(parse_cards(f"{hand} {table}"))
    rest = [str(card) for card in Hand(CARDS) if card not in taken]
    size = len(hand.split())
    others = [" ".join(rest[seat * size : (seat + 1) * size]) for seat in range(3)]
    return load({"game": "scopone", "options": options, "hands": [hand, *others], "position": {"table": table}})


# ---- captures


def allowed(card: Card, table: list[Card], options) -> tuple[set[frozenset[Card]], bool]:
    """By the letter of the rule file, all sets of table cards tried one by one: what may be taken, and whether the card
    may stay."""
    worth = {"A": 1, "J": 8, "Q": 9, "K": 10} | {str(n): n for n in range(2, 8)}
    number = {c: worth[str(c)[0]] for c in [card, *table]}
    equal = {frozenset([c]) for c in table if number[c] == number[card]}
    if equal:
        return equal, False
    if options.ace_takes_all and number[card] == 1:
        return ({frozenset(table)}, False) if table else (set(), True)
    tried = (frozenset(some) for size in range(2, len(table) + 1) for some in combinations(table, size))
    fitting = {some for some in tried if sum(number[c] for c in some) == number[card]}
    if options.fewest_cards:
        fitting = {some for some in fitting if len(some) == min(map(len, fitting))}
    return fitting, not fitting or options.sum_capture == "optional"


@pytest.mark.parametrize("code", ["", "fewest_cards=true", "sum_capture=optional", "ace_takes_all=true"])
def test_captures_are_those_of_the_reference(code):
    draw = random.Random(code)
    options = cardlib.variant(f"scopone({code})").options
    pack = list(Hand(CARDS))
    for _ in range(400):
        cards = draw.sample(pack, draw.randrange(4, 13))
        hands, table = cards[:4], cards[4:]
        deal = load(
            {"game": "scopone", "options": options.changed(), "hands": [str(card) for card in hands],
             "position": {"table": " ".join(map(str, table)), "turn": 0}}
        )  # fmt: skip
        fitting, stays = allowed(hands[0], table, options)
        moves = [(frozenset(move.takes), bool(move.takes)) for move in deal.legal()]
        assert {takes for takes, captures in moves if captures} == fitting
        assert ((frozenset(), False) in moves) == stays
        assert len(moves) == len(fitting) + stays
        for size in range(min(len(table), 3) + 1):  # and every other set is refused
            for some in combinations(table, size):
                move = f"{hands[0]} takes {' '.join(map(str, some))}" if some else str(hands[0])
                refused = deal.refusal(move)
                assert (refused is None) == (frozenset(some) in fitting if some else stays)


def test_groups_split_all_the_cards():
    draw = random.Random(4)
    pack = list(Hand(CARDS))

    def splits(cards: tuple[Card, ...], amount: int) -> bool:
        """Whether the cards fall into groups of this amount: the first card with any others, then the rest."""
        if not cards:
            return True
        first, *rest = cards
        some = (set(more) for size in range(len(rest) + 1) for more in combinations(rest, size))
        return any(
            sum(map(value, [first, *more])) == amount and splits(tuple(c for c in rest if c not in more), amount)
            for more in some
        )

    for _ in range(300):
        amount = draw.randrange(2, 11)
        low = [card for card in pack if value(card) < amount]
        cards = tuple(draw.sample(low, min(len(low), draw.randrange(2, 8))))
        found = groups(Hand.of(cards), amount)
        assert bool(found) == splits(cards, amount)
        if found:
            assert Hand.of(card for group in found for card in group) == Hand.of(cards)
            assert {sum(map(value, group)) for group in found} == {amount}


def test_sums_are_found_quickly_on_a_large_table():
    table = Hand(CARDS ^ KINGS)
    assert all(sum(map(value, some)) == 10 for some in sums(table, 10))
    assert groups(table, 10)  # 18 groups of ten


def test_a_refusal_says_what_would_do():
    deal = position("7C KD", "AC 6H 3D 4S")
    facts = deal.refusal("7C takes AC 6H 3D 4S").facts
    assert [str(group) for group in facts["groups"]] == ["6H AC", "4S 3D"]
    assert [str(way) for way in facts["ways"]] == ["6H AC", "4S 3D"]
    assert str(deal.refusal("7C takes 6H").facts["cards"]) == "6H"
    assert deal.refusal("7C takes AC 3D").facts["total"] == 4
    deal = position("4S KD", "4C 4H 7D")
    assert str(deal.refusal("4S takes 7D").facts["do"]) == "4H 4C"
    assert str(deal.refusal("4S takes 5D 7D").facts["missing"]) == "5D"


def test_an_ace_that_takes_all_is_named_as_such():
    deal = position("AS KD", "4C", ace_takes_all=True)
    (event,) = [event for event in deal.play("AS takes 4C") if event.kind == "Captured"]
    assert event.rule == "scopone.capture.ace-takes-all"
    assert deal.events[-1].kind == "NoSweep"
    assert deal.scores() == [0, 0]


@pytest.mark.parametrize(
    ("hand", "table", "move", "rule"),
    [
        ("4S KD", "4C 7D", "4S takes 4C", "equal-must"),
        ("4S KD", "4C 4H 7D", "4S takes 4C", "equal-one"),
        ("7D KD", "2C 5H", "7D takes 2C 5H", "sum-exact"),
        ("7C KD", "AC 6H 3D 4S", "7C takes 3D 4S", "sum-choice"),
    ],
)
def test_a_capture_names_its_rule(hand, table, move, rule):
    event, *_ = position(hand, table).play(move)
    assert (event.kind, event.rule) == ("Captured", f"scopone.capture.{rule}")


@pytest.mark.parametrize(
    "text",
    ["7D takes", "7D takes ", "takes 2C", "7D grabs 2C", "7D 2C", "7D takes 2C 2C", "7D takes 8H", "8H takes 2C",
     "7D KD takes 2C", "7D takes takes 2C", " takes 2C"],
)  # fmt: skip
def test_no_move(text):
    deal = position("7D KD", "2C 5H")
    with pytest.raises(BadInput) as bad:
        deal.play(text)
    assert text in str(bad.value)
    assert ("duplicate" in str(bad.value)) == (text == "7D takes 2C 2C")


def test_moves_are_read_in_any_order_and_written_in_one():
    deal = position("KH 7D", "4S 3H 2D AC")
    deal.play("k♥ takes 4S ad ac".replace("ad ", "2d 3h "))
    assert deal.record()["moves"] == ["KH takes AC 2D 3H 4S"]


# ---- dealing


def test_a_misdeal_is_dealt_again(monkeypatch):
    """P(misdeal) = 145 / 91390, so it is forced: a shuffle that first brings the kings to the table."""
    order = list(Hand(CARDS))
    up = [12, 13, 26, 27]  # the places of the table cards: after three packets to four players, and again
    bad = [card for card in order if not KINGS & card.mask]
    for place, card in zip(up, Hand(KINGS), strict=True):
        bad.insert(place, card)
    three = bad.copy()
    three[up[3]], three[0] = three[0], three[up[3]]
    good = three.copy()
    good[up[2]], good[1] = good[1], good[up[2]]
    shuffles = [bad, three, good, order]
    monkeypatch.setattr(Random, "shuffled", lambda self, things: shuffles.pop(0))
    deal = cardlib.deal("scopone", seed=1)
    assert (deal.table & KINGS).bit_count() == 2
    assert shuffles == [order]
    assert deal.hands == load(deal.record()).hands


def test_packets_go_round_from_the_dealers_right(monkeypatch):
    order = list(Hand(CARDS))
    monkeypatch.setattr(Random, "shuffled", lambda self, things: order)
    deal = cardlib.deal("scopone", seed=1, dealer=1)
    assert deal.hands[2] == Hand.of(order[0:3] + order[14:17] + order[28:31])
    assert deal.hands[1] == Hand.of(order[9:12] + order[23:26] + order[37:40])
    assert deal.table == Hand.of(order[12:14] + order[26:28])
    assert deal.turn == 2


def test_golden_deal():
    assert WHOLE["hands"] == GOLDEN["hands"]
    assert WHOLE["table"] == GOLDEN["table"]


GOLDEN = {
    "hands": [
        "QS 7S 4S 3S 3H 2H JD 5D 3D",
        "KS 6S AH KH 4H 4D KC JC 3C",
        "AS 5S QH QD 6D AC 6C 4C 2C",
        "2S 7H 6H AD KD 7D 2D 7C 5C",
    ],
    "table": "JS JH 5H QC",
}


# ---- what holds of every deal


@pytest.mark.parametrize("variant", SCOPONE, ids=str)
def test_invariants(variant):
    draw = random.Random(str(variant))
    deal = dealt(variant, draw)
    deal = load(deal.record() | {"match": {}})
    swept = False
    while not deal.over:
        union = 0
        for part in [*deal.hands, *deal.taken, deal.table]:
            assert not union & part
            union |= part
        assert union == CARDS
        for card in Hand(deal.hands[deal.turn]):
            plays = [move for move in deal.legal() if move.cards[0] == card]
            assert plays
            equal = [move for move in plays if len(move.takes) == 1 and value(move.takes[0]) == value(card)]
            assert not equal or len(equal) == len(plays)
        last = deal.turn
        events = deal.play(draw.choice(deal.legal()))
        kinds = {event.kind for event in events}
        assert not (swept and "Captured" in kinds)
        swept = "Swept" in kinds
    assert len(deal.moves) == (40 if variant.options.deal == "scientifico" else 36)
    assert last == deal.dealer
    assert deal.table == 0
    assert deal.taken[0] | deal.taken[1] == CARDS
    assert sum((pile & DIAMONDS).bit_count() for pile in deal.taken) == 10
    lines = [line.rule for line in deal.score_lines()]
    assert lines.count("scopone.score.settebello") == 1
    extra = variant.options.napola or variant.options.re_bello
    assert extra or 1 <= sum(deal.scores()) - sum(deal.sweeps) <= 4
    assert sum(deal.sweeps) == sum(event.kind == "Swept" for event in deal.events)


def turned(record, by):
    """The same deal with all seats moved on."""
    hands = record["hands"]
    return record | {
        "hands": [hands[(seat - by) % 4] for seat in range(4)],
        "dealer": (record.get("dealer", 3) + by) % 4,
    }


@pytest.mark.parametrize("variant", SCOPONE[::4], ids=str)
def test_turning_the_seats(variant):
    draw = random.Random(str(variant))
    deal = load(dealt(variant, draw).record() | {"match": {}})
    play_out(deal, draw)
    scores = deal.scores()
    assert load(turned(deal.record(), 2)).scores() == scores
    assert load(turned(deal.record(), 1)).scores() == scores[::-1]


@pytest.mark.parametrize("variant", SCOPONE[::4], ids=str)
def test_suits_other_than_diamonds_are_alike(variant):
    draw = random.Random(str(variant))
    deal = load(dealt(variant, draw).record() | {"match": {}})
    play_out(deal, draw)
    swap = str.maketrans("SHC", "HCS")

    def swapped(text):  # a word that ends in a suit
        return " ".join(word.translate(swap) if word != "takes" else word for word in text.split())

    record = deal.record()
    changed = {key: list(map(swapped, record[key])) for key in ("hands", "moves")}
    again = load(record | changed | ({"table": swapped(record["table"])} if "table" in record else {}))
    assert again.scores() == deal.scores()


# ---- points


def test_prime():
    best = prime(Hand.parse("7D 6D AH AS AC KS"))
    assert (str(best.champions), best.points, best.suits) == ("AS AH 7D AC", 69, 4)
    assert prime(0) == (Hand(0), 0, 0)


def test_napola_needs_three_and_no_gap():
    assert len(napola(Hand.parse("AD 2D"))) == 0
    assert len(napola(Hand.parse("AD 2D 3D 5D"))) == 3
    assert len(napola(CARDS)) == 10
    assert len(napola(Hand.parse("2D 3D 4D"))) == 0


def test_who_came_first_is_handed_on():
    """With count-order a deal says which side came to the target with which line; without that it cannot be settled."""
    variant = cardlib.variant("scopone(both_reach=count-order)")
    draw = random.Random(8)
    told = 0
    for seed in range(60):
        deal = play_out(cardlib.deal(variant, seed=seed, match={"totals": [10, 10]}), draw)
        outcome = deal.outcome()
        check = {"kind": "settle", "game": "scopone", "options": {"both_reach": "count-order"}}
        check |= {"match": {"totals": [10, 10]}, "expect": {"result": list(deal.settled.result or ()) or None}}
        assert run_check(check | outcome) == []
        if "reached" in outcome:
            told += 1
            assert run_check(check | {"scores": outcome["scores"]})[0].key == "error"
            first = next(line.side for line in deal.score_lines())
            assert outcome["reached"][first] < outcome["reached"][1 - first]
            assert deal.settled.result == (first,)  # the first point of the deal wins the match
    assert told > 10


# ---- bad input


def test_a_position_says_itself_what_lies_on_the_table():
    with pytest.raises(BadInput, match="table"):
        load({"game": "scopone", "hands": ["2S", "3S", "4S", "5S"], "table": "AC", "position": {"turn": 0}})


@pytest.mark.parametrize(
    ("key", "value"),
    [("turn", 4), ("turn", None), ("turn", "0"), ("taken", [""]), ("taken", ["AS", "AS"]), ("taken", "AS"),
     ("sweeps", [1]), ("sweeps", [-1, 0]), ("sweeps", [True, 0]), ("last_capture", 2), ("last_capture", "0"),
     ("table", "8H"), ("table", ["AS"]), ("trick", "")],
)  # fmt: skip
def test_bad_positions(key, value):
    word = "duplicate" if value == ["AS", "AS"] else "8H" if value == "8H" else key
    with pytest.raises(BadInput, match=word):
        load({"game": "scopone", "hands": ["2S", "3S", "4S", "5S"], "position": {key: value}})


@pytest.mark.parametrize(
    "hands", [["", "", "", ""], ["2S", "3S", "", "5S"], ["2S 6S 7S", "3S", "4S", "5S"], ["2S"] * 3]
)
def test_sizes_of_hands_fit_the_turn(hands):
    with pytest.raises(BadInput, match="hands"):
        load({"game": "scopone", "hands": hands, "position": {}})


@pytest.mark.parametrize("totals", [[-1, 0], [11, 3], [12, 13], [1], [1, 2, 3], "11", [True, 0]])
def test_totals_of_a_match_that_is_over(totals):
    with pytest.raises(BadInput, match="totals"):
        load(WHOLE | {"match": {"totals": totals}})
    assert load(WHOLE | {"match": {"totals": [11, 11]}}).match.totals == (11, 11)


# ---- bots


def test_hidden_cards_never_change_what_a_bot_does():
    draw = random.Random(6)
    for seed in range(30):
        deal = cardlib.deal("scopone", seed=seed)
        for _ in range(draw.randrange(33)):
            deal.play(draw.choice(deal.legal()))
        twin, turn = deal.copy(), deal.turn
        others = [seat for seat in range(4) if seat != turn]
        hidden = [card for seat in others for card in Hand(deal.hands[seat])]
        draw.shuffle(hidden)
        for seat in others:
            twin.hands[seat] = int(Hand.of(hidden.pop() for _ in range(deal.hands[seat].bit_count())))
        assert simple(twin.view(turn)) == simple(deal.view(turn))


def test_bots_give_their_reasons_and_beat_chance():
    draw, points = random.Random(2), [0, 0]
    reasons: set[str] = set()
    for seed in range(25):
        deal = cardlib.deal("scopone", seed=seed)
        while not deal.over:
            chosen = simple(deal.view(deal.turn))
            assert chosen.move in deal.legal()
            reasons.add(chosen.reason)
            deal.play(chosen.move if deal.turn % 2 == 0 else draw.choice(deal.legal()))
        points = [before + now for before, now in zip(points, deal.scores(), strict=True)]
    assert points[0] > 2 * points[1]
    names = ("sweep", "safe", "settebello", "sevens", "diamonds", "cards", "keep")
    assert reasons >= {f"bot scopone.{name}" for name in names}
