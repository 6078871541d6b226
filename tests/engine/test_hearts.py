"""Hearts, rule by rule (`rules/hearts.md`); each test is named after the paragraph that it holds the engine to."""

import random
from itertools import product

import pytest

import cardlib
from cardlib.cards import CLUBS, HEARTS, PACK, SPADES, Card, Hand
from cardlib.deal import GAMES
from cardlib.errors import BadInput
from cardlib.games.hearts import BONUS, HeartsContext, HeartsOptions, settle
from cardlib.phases.exchange import directions
from cardlib.record import load
from tests.engine.play_outs import dealt, play_out, random_variant, some_move, variants

HEARTS_GAME = GAMES["hearts"]
VARIANTS = [variant for variant in variants(120) if variant.game is HEARTS_GAME]
QUEEN = Card.parse("QS").mask


def position(hands, options=None, players=4, **more):
    """A position in the middle of a deal: leader 0, trick 3, where nothing else is said."""
    where = {"leader": 0, "trick_number": 3}
    for key in list(more):
        if key in {"leader", "trick", "trick_number", "last_trick", "taken", "hearts_broken"}:
            where[key] = more.pop(key)
    record = {"game": "hearts", "players": players, "options": options or {}, "hands": hands, "position": where}
    return load(record | more)


def legal(deal):
    return sorted(map(str, deal.legal()))


def why(deal, move):
    refusal = deal.refusal(move)
    return refusal and refusal.rule


def end(taken, options=None, players=4, **more):
    """The last trick of a deal: clubs 2, 3, 4 … to seat `players - 1`, who has it already among `taken`."""
    clubs = [f"{rank}C" for rank in "23456789"[:players]]
    deal = position(clubs, options, players, taken=taken, **more)
    for card in clubs:
        deal.play(card)
    return deal


# -- setup and deal


@pytest.mark.parametrize(
    ("players", "size", "left"), [(3, 17, 1), (4, 13, 0), (5, 10, 2), (6, 8, 4), (7, 7, 3), (8, 6, 4)]
)
def test_setup_deal_and_kitty(players, size, left):
    for leftover in ("remove", "first-trick", "first-penalty", "pickup-first-trick", "pickup-first-penalty"):
        deal = cardlib.deal(f"hearts(players={players},leftover={leftover})", seed=players)
        assert [hand.bit_count() for hand in deal.hands] == [size] * players
        kitty = Hand.parse(deal.record().get("kitty", ""))
        assert len(kitty) == (0 if leftover == "remove" else left)
        assert sum(deal.hands) | kitty == (deal.pack if leftover == "remove" else PACK)
        assert deal.pack.bit_count() == (52 - left if leftover == "remove" else 52)
    removed = {3: "2D", 4: "", 5: "2D 2C", 6: "2D 2C 3D 3C", 7: "2D 2C 3D", 8: "2D 2C 3D 3C"}
    assert PACK ^ cardlib.deal(f"hearts(players={players})").pack == Hand.parse(removed[players])


def test_kitty_remove_two_of_clubs():
    deal = cardlib.deal("hearts(players=3,removed_card=2C)", match={"deal": 2})
    assert PACK ^ deal.pack == Hand.parse("2C")
    assert legal(deal) == ["3C"]


def test_setup_dealer():
    assert cardlib.deal("hearts").turn == 0
    assert cardlib.deal("hearts", dealer=1).turn == 2


# -- pass


@pytest.mark.parametrize("players", range(3, 9))
def test_pass_cycle(players):
    for cycle in HeartsOptions.CYCLES[min(players, 5)]:
        count = 4 if players == 3 and "scatter" in cycle else 3
        for number, direction in enumerate(directions(cycle) * 2):
            deal = cardlib.deal(
                f"hearts(players={players},pass_cycle={cycle},pass_count={count})", match={"deal": number}, seed=1
            )
            assert deal.direction == direction
            assert (deal.phase.name == "pass") == (direction != "none")


def test_pass_cycle_names():
    assert HeartsOptions.CYCLES[4][0] == "left-across-right-none"
    assert HeartsOptions.CYCLES[3][0] == HeartsOptions.CYCLES[5][0] == "left-right-none"
    assert [len(HeartsOptions.CYCLES[n]) for n in (3, 4, 5)] == [8, 14, 9]
    assert directions("left-second-left-none-second-right-right-none") == [
        "left", "second-left", "none", "second-right", "right", "none",
    ]  # fmt: skip


STEPS = {"left": 1, "right": -1, "across": 2, "second-left": 2, "second-right": -2}


@pytest.mark.parametrize("players", range(3, 9))
def test_pass_direction(players):
    draw = random.Random(players)
    cycles = [
        cycle for cycle in HeartsOptions.CYCLES[min(players, 5)] if "scatter" not in cycle and "smoosh" not in cycle
    ]
    for cycle in cycles:
        for number, direction in enumerate(directions(cycle)):
            deal = cardlib.deal(
                f"hearts(players={players},pass_cycle={cycle})", dealer=2, match={"deal": number}, seed=number
            )
            if direction == "none":
                continue
            before, given = list(deal.hands), {}
            assert deal.turn == 3 % players
            while deal.phase.name == "pass":
                seat, move = deal.turn, some_move(deal, draw)
                given[seat] = move.mask
                deal.play(move)
            for seat in range(players):
                source = (seat - STEPS[direction]) % players
                assert deal.hands[seat] == before[seat] ^ given[seat] | given[source]


def test_pass_blind():
    deal = cardlib.deal("hearts", seed=2)
    sizes = []
    while deal.phase.name == "pass":
        deal.play(deal.legal()[0])
        sizes.append([hand.bit_count() for hand in deal.hands])
    assert sizes == [[10, 13, 13, 13], [10, 10, 13, 13], [10, 10, 10, 13], [13] * 4]


def test_pass_left_then_right_gives_back_the_deal():
    left = cardlib.deal("hearts", seed=8)
    before = left.record()["hands"]
    moves = []
    while left.phase.name == "pass":
        moves.append(str(left.legal()[7]))
        left.play(moves[-1])
    right = load({"game": "hearts", "match": {"deal": 2}, "hands": [str(Hand(hand)) for hand in left.hands]})
    for move in [moves[-1], *moves[:-1]]:  # seat 0 now holds what seat 3 gave
        right.play(move)
    assert [str(Hand(hand)) for hand in right.hands] == before


def test_pass_count():
    deal = cardlib.deal("hearts", seed=2)
    first, *others = Hand(deal.hands[0])
    three = f"{others[0]} {others[1]}"
    for wrong in (f"give {three}", f"give {first} {three} {others[2]}", f"give {first} {first} {three}", "give"):
        assert why(deal, wrong) == "hearts.pass.count"
    assert why(deal, f"give {first} {first} {first}") == "hearts.pass.count"
    foreign = next(iter(Hand(deal.hands[1])))
    assert why(deal, f"give {foreign} {three}") == "hearts.move.not-in-hand"
    assert why(deal, f"give {foreign} {foreign}") == "hearts.pass.count"
    assert why(deal, f"give {first} {three}") is None


def test_pass_canonical():
    deal = cardlib.deal("hearts", seed=2)
    cards = [str(card) for card in Hand(deal.hands[0])][:3]
    deal.play("give " + " ".join(reversed(cards)).lower())
    ranks = "23456789TJQKA"
    assert str(deal.moves[0]) == "give " + " ".join(
        sorted(cards, key=lambda card: (ranks.index(card[0]), "SHDC".index(card[1])))
    )


@pytest.mark.parametrize(
    ("variant", "number"),
    [("pass_cycle=left-across-right-scatter", 3), ("players=3,pass_count=4,pass_cycle=left-right-scatter", 2)],
)
def test_pass_scatter(variant, number):
    draw = random.Random(1)
    deal = cardlib.deal(f"hearts({variant})", seed=6, match={"deal": number}, dealer=1)
    players, before, given = deal.players, list(deal.hands), {}
    share = deal.options.pass_count // (players - 1)
    while deal.phase.name == "pass":
        cards = draw.sample(list(Hand(deal.hands[deal.turn])), deal.options.pass_count)
        given[deal.turn] = cards
        deal.play("give " + " ".join(map(str, cards)))
    for giver, cards in given.items():
        for away in range(1, players):
            for card in cards[(away - 1) * share : away * share]:
                assert deal.hands[(giver + away) % players] & card.mask
                assert not before[(giver + away) % players] & card.mask
    assert [hand.bit_count() for hand in deal.hands] == [hand.bit_count() for hand in before]


def test_pass_scatter_order_matters_between_receivers_only():
    deal = cardlib.deal("hearts(players=3,pass_count=4,pass_cycle=left-right-scatter)", seed=6, match={"deal": 2})
    a, b, c, d = sorted(Hand(deal.hands[0]), key=lambda card: (card & 15, card))[:4]
    assert str(deal.parse(f"give {b} {a} {d} {c}")) == f"give {a} {b} {c} {d}"
    assert str(deal.parse(f"give {c} {d} {b} {a}")) == f"give {c} {d} {a} {b}"
    assert len(deal.legal()) == 14280


def test_pass_smoosh():
    deal = cardlib.deal("hearts(pass_cycle=left-across-right-smoosh)", seed=6, match={"deal": 3})
    before, pool = list(deal.hands), 0
    while deal.phase.name == "pass":
        move = deal.legal()[3]
        pool |= move.mask
        deal.play(move)
    back = [after ^ after & hand for after, hand in zip(deal.hands, before, strict=True)]
    assert sum(Hand.parse(packet) for packet in deal.record()["smoosh"]) == pool
    assert all(one & ~pool == 0 for one in back)
    assert [hand.bit_count() for hand in deal.hands] == [13] * 4


def test_pass_smoosh_of_a_record():
    deal = cardlib.deal("hearts(pass_cycle=left-across-right-smoosh)", seed=6, match={"deal": 3})
    record = deal.record()
    moves = []
    while deal.phase.name == "pass":
        moves.append(str(deal.legal()[3]))
        deal.play(moves[-1])
    packets = deal.record()["smoosh"]
    assert load(record | {"moves": moves, "smoosh": packets}).hands == deal.hands
    assert load(record | {"moves": moves[:3]}).turn == 3
    turned = load(record | {"moves": moves, "smoosh": packets[1:] + packets[:1]})
    assert turned.hands != deal.hands
    for wrong in (
        packets[:3],
        [*packets[:3], packets[0]],
        ["", *packets[1:]],
        [*packets[:3], "2C 3C"],
        None,
        "x",
        [1, 2, 3, 4],
    ):
        with pytest.raises(BadInput, match="smoosh"):
            load(record | {"moves": moves, "smoosh": wrong})
    # A loaded deal has no generator: the last gift is refused, and nothing has moved.
    loaded = load(record | {"moves": moves[:3]})
    before = (list(loaded.hands), loaded.turn, len(loaded.moves), list(loaded.given), len(loaded.events))
    with pytest.raises(BadInput, match="smoosh"):
        loaded.play(moves[3])
    assert before == (list(loaded.hands), loaded.turn, len(loaded.moves), list(loaded.given), len(loaded.events))


@pytest.mark.parametrize("players", [3, 4, 5, 8])
def test_pass_forward(players):
    """Against the words of the rule: t gets the packet of the first seat in t - step, t - 2 step … that gave."""
    for number, direction in enumerate(directions(HeartsOptions.CYCLES[min(players, 5)][0])):
        if direction == "none":
            continue
        step = STEPS[direction]
        for forwards in product((False, True), repeat=min(players, 5)):
            forwards += (False,) * (players - len(forwards))
            deal = cardlib.deal(f"hearts(players={players},pass_forward=true)", seed=number, match={"deal": number})
            before, given = list(deal.hands), {}
            while deal.phase.name == "pass":
                seat = deal.turn
                move = "forward" if forwards[seat] else deal.legal()[4]
                given[seat] = 0 if forwards[seat] else move.mask
                deal.play(move)
            for seat in range(players):
                source = next(
                    ((seat - i * step) % players for i in range(1, players + 1) if given[(seat - i * step) % players]),
                    seat,
                )
                expected = before[seat] if forwards[seat] else before[seat] ^ given[seat] | given[source]
                # Across, two seats pass to each other and two others to each other.
                if not forwards[seat] and (step % players) * 2 % players == 0:
                    partner = (seat + step) % players
                    expected = before[seat] ^ given[seat] | (given[partner] or given[seat])
                assert deal.hands[seat] == expected
            if all(forwards):
                assert deal.hands == before


def test_pass_forward_refused():
    assert why(cardlib.deal("hearts"), "forward") == "hearts.pass.forward"
    for cycle in ("left-across-right-scatter", "left-across-right-smoosh"):
        deal = cardlib.deal(f"hearts(pass_cycle={cycle},pass_forward=true)", match={"deal": 3})
        assert why(deal, "forward") == "hearts.pass.forward"
        assert "forward" not in [str(move) for move in deal.legal()]
    assert why(cardlib.deal("hearts", match={"deal": 3}), "forward") == "hearts.move.phase"


# -- the first lead


@pytest.mark.parametrize("variant", VARIANTS, ids=str)
def test_lead_first(variant):
    draw = random.Random(str(variant))
    deal = dealt(variant, draw)
    while deal.phase.name == "pass":
        deal.play(some_move(deal, draw))
    clubs = sum(deal.hands) & CLUBS
    low = clubs & -clubs
    opening = variant.options.opening
    if opening == "dealer-left":
        assert deal.turn == (deal.dealer + 1) % deal.players
    else:
        assert deal.hands[deal.turn] & low
        if opening == "low-club":
            assert legal(deal) == [str(Hand(low))]
        else:
            assert legal(deal) == sorted(str(card) for card in Hand(deal.hands[deal.turn] & CLUBS))


def test_lead_two_of_clubs_then_not_in_hand():
    deal = position(["2C AC KH QS", "9D 8D 7D 6D", "5D TD JD 4D", "3D 2D KD AD"], trick_number=1)
    assert why(deal, "AC") == why(deal, "KH") == why(deal, "QS") == "hearts.lead.two-of-clubs"
    assert why(deal, "9D") == "hearts.move.not-in-hand"
    assert why(deal, "annul") == why(deal, "give 2C") == why(deal, "moon self") == "hearts.move.phase"


def test_lead_eldest_may_not_lead_a_heart():
    hands = ["AH 3H 2C", "9D 8D 7D", "5D TD JD", "2D KD AD"]
    deal = position(hands, {"opening": "dealer-left"}, trick_number=1)
    assert legal(deal) == ["2C"]
    assert why(deal, "AH") == "hearts.lead.broken"
    free = position(hands, {"opening": "dealer-left", "hearts_lead": "free"}, trick_number=1)
    assert legal(free) == ["2C", "3H", "AH"]


# -- play, over all variants, judged by the words of the rule sheet


@pytest.mark.parametrize("variant", VARIANTS, ids=str)
def test_play(variant):
    """Each set of legal cards, worked out anew as the section *State and exact algorithms* says it."""
    options = variant.options
    draw = random.Random(str(variant))
    penalty = HEARTS | (QUEEN if options.queen_points else 0)
    for _ in range(3):
        deal = dealt(variant, draw)
        played, trick, number, leader = [], [], 1, None
        while deal.turn is not None:
            if deal.phase.name == "annul":
                broken = {
                    card for card in played if card.suit == 1 or (options.break_by != "heart" and card.mask == QUEEN)
                }
                assert options.annul_only_hearts
                assert not broken
                assert deal.hands[deal.turn] & ~HEARTS == 0
                deal.play("play-on" if draw.random() < 0.7 else "annul")
                continue
            if deal.phase.name != "play":
                deal.play(some_move(deal, draw))
                continue
            hand = set(Hand(deal.hands[deal.turn]))
            choice = set(hand)
            if not trick:
                if leader is not None:
                    assert deal.turn == leader
                broken = {
                    card for card in played if card.suit == 1 or (options.break_by != "heart" and card.mask == QUEEN)
                }
                clubs = [card for h in deal.hands for card in Hand(h) if card.suit == 3]
                if number == 1 and options.opening == "low-club":
                    choice = {min(clubs)}
                elif number == 1 and options.opening == "any-club":
                    choice = {card for card in hand if card.suit == 3}
                elif options.hearts_lead == "broken" and not broken:
                    aside = {
                        card
                        for card in hand
                        if card.suit == 1 or (options.lead_heart_with_queen and card.mask == QUEEN)
                    }
                    if hand - aside:
                        choice = {card for card in hand if card.suit != 1}
            else:
                choice = {card for card in hand if card.suit == trick[0].suit} or choice
            if number == 1 and options.no_penalty_first_trick:
                choice = {card for card in choice if not card.mask & penalty} or choice
            queen = Card.parse("QS")
            if (
                trick
                and options.queen_forced
                and queen in choice
                and not (number == 1 and options.no_penalty_first_trick)
            ):
                void = all(card.suit != trick[0].suit for card in hand)
                if void or (trick[0].suit == 0 and any(str(card) in ("KS", "AS") for card in trick)):
                    choice = {queen}
            assert {move.cards[0] for move in deal.legal()} == choice
            first = (deal.turn - len(trick)) % deal.players
            card = draw.choice(sorted(choice))
            trick.append(card)
            deal.play(str(card))
            if len(trick) == deal.players:
                best = max(card for card in trick if card.suit == trick[0].suit)
                leader = (first + trick.index(best)) % deal.players
                assert deal.winner == leader
                played += trick
                trick, number = [], number + 1
    assert deal.over


@pytest.mark.parametrize(
    ("options", "trick", "hand", "expected", "rule"),
    [
        ({}, "7D", "KD 2D AH QS", "2D KD", "hearts.follow.suit"),
        ({}, "7D", "QS AH 3C", "3C AH QS", None),
        ({"queen_forced": True}, "7D", "QS AH 3C", "QS", "hearts.queen.forced"),
        ({"queen_forced": True}, "KS", "QS 2S 3C", "QS", "hearts.queen.forced"),
        ({"queen_forced": True}, "2S AS", "QS 3S 3C", "QS", "hearts.queen.forced"),
        ({"queen_forced": True}, "2S 4S", "QS 3S 3C", "3S QS", "hearts.follow.suit"),
        ({"queen_forced": True}, "2D AS", "QS 3D 3C", "3D", "hearts.follow.suit"),
        ({"queen_forced": True, "queen_points": 0}, "7D", "QS AH 3C", "QS", "hearts.queen.forced"),
        ({"queen_forced": True}, "7D", "AH 2S 3C", "2S 3C AH", None),
    ],
)
def test_queen_forced_and_follow_suit(options, trick, hand, expected, rule):
    cards, size = trick.split(), len(hand.split())
    filler = iter(["4C", "5C", "6C", "7C", "8C", "9C", "TC", "JC", "QC", "TH", "JH", "QH", "KH", "9H", "8H", "7H"])
    before = [" ".join(next(filler) for _ in range(size - 1)) for _ in cards]
    after = [" ".join(next(filler) for _ in range(size)) for _ in range(3 - len(cards))]
    deal = position([*before, hand, *after], options, trick=trick)
    assert legal(deal) == expected.split()
    for card in hand.split():
        if card not in expected.split():
            follows = Card.parse(card).suit == deal.trick[0].suit
            revoke = not follows and any(Card.parse(other).suit == deal.trick[0].suit for other in hand.split())
            assert why(deal, card) == ("hearts.follow.suit" if revoke else rule)
            facts = deal.refusal(card).facts
            assert facts["led"] == deal.trick[0].suit
            assert facts["lead"] == deal.trick[0]
            assert facts["do"] == Hand.parse(expected)
            assert facts["best"] == max(c for c in deal.trick if c.suit == deal.trick[0].suit)


@pytest.mark.parametrize(("points", "hand"), [(13, "QS AH 4H"), (0, "QS AD 4D")])
def test_queen_forced_not_in_trick_one_with_no_penalty(points, hand):
    hands = ["3C 4C", hand, "QD JD 9D", "KD 2D 8D"]
    options = {"queen_forced": True, "queen_points": points}
    forced = position(hands, options, trick_number=1, trick="2C")
    assert legal(forced) == ["QS"]
    free = position(hands, options | {"no_penalty_first_trick": True}, trick_number=1, trick="2C")
    assert legal(free) == sorted(hand.split())
    later = position(hands, options | {"no_penalty_first_trick": True}, trick_number=2, trick="2C")
    assert legal(later) == ["QS"]


def test_first_trick_no_penalty():
    options = {"no_penalty_first_trick": True}
    deal = position(["3C 4C", "QS AH 4D", "QD JD 9D", "KD AD 8D"], options, trick_number=1, trick="2C")
    assert legal(deal) == ["4D"]
    assert why(deal, "QS") == why(deal, "AH") == "hearts.first-trick.no-penalty"
    only = position(["3C 4C", "QS AH 4H", "QD JD 9D", "KD AD 8D"], options, trick_number=1, trick="2C")
    assert legal(only) == ["4H", "AH", "QS"]
    cheap = position(
        ["3C 4C", "QS AH 4D", "QD JD 9D", "KD AD 8D"], options | {"queen_points": 0}, trick_number=1, trick="2C"
    )
    assert legal(cheap) == ["4D", "QS"]
    second = position(["3C 4C", "QS AH 4D", "QD JD 9D", "KD AD 8D"], options, trick_number=2, trick="2C")
    assert legal(second) == ["4D", "AH", "QS"]
    leader = position(
        ["QS AH 4D", "3C 4C 5C", "QD JD 9D", "KD AD 8D"], options | {"opening": "dealer-left"}, trick_number=1
    )
    assert legal(leader) == ["4D"]


@pytest.mark.parametrize(
    ("options", "hand", "taken", "expected"),
    [
        ({}, "AH 7C", "", "7C"),
        ({}, "AH 7C", "2H 3C 4C 5C", "7C AH"),
        ({}, "AH 7C", "QS 3C 4C 5C", "7C"),
        ({"break_by": "heart-or-queen"}, "AH 7C", "QS 3C 4C 5C", "7C AH"),
        ({"break_by": "heart-or-queen", "queen_points": 0}, "AH 7C", "QS 3C 4C 5C", "7C AH"),
        ({}, "AH 3H", "", "3H AH"),
        ({}, "AH QS", "", "QS"),
        ({"lead_heart_with_queen": True}, "AH QS", "", "AH QS"),
        ({"lead_heart_with_queen": True, "queen_points": 0}, "AH QS", "", "AH QS"),
        ({"hearts_lead": "free"}, "AH 7C", "", "7C AH"),
    ],
)
def test_lead_broken(options, hand, taken, expected):
    deal = position([hand, "9D 8D", "7D 6D", "5D TD"], options, taken=[taken, "", "", ""], trick_number=4)
    assert legal(deal) == expected.split()
    for card in hand.split():
        assert why(deal, card) == (None if card in expected.split() else "hearts.lead.broken")


def test_a_heart_in_the_kitty_or_discarded_breaks_nothing():
    hands = ["3C 9H 8D", "4C 7D 6D", "5C 5D TD", "6C JD 4D", "7C KD 3H"]
    for leftover in ("first-trick", "pickup-first-trick"):
        deal = position(hands, {"leftover": leftover}, 5, trick_number=1, kitty="QS AH")
        for card in ("3C", "4C", "5C", "6C", "7C"):
            deal.play(card)
        if leftover.startswith("pickup"):
            deal.play("discard AH QS")
        assert not deal.table.broken
        assert why(deal, "3H") == "hearts.lead.broken"


# -- annul


def test_lead_annul():
    options = {"annul_only_hearts": True}
    deal = position(["AH 3H", "9D 8D", "7D 6D", "5D TD"], options, match={"deal": 2, "totals": [9, 0, 40, 3]})
    assert deal.phase.name == "annul"
    assert legal(deal) == ["annul", "play-on"]
    assert why(deal, "AH") == "hearts.move.phase"
    again = deal.copy()
    again.play("play-on")
    assert legal(again) == ["3H", "AH"]
    assert why(again, "annul") == "hearts.move.phase"
    deal.play("annul")
    assert deal.over
    assert deal.scores() == [0] * 4
    assert deal.score_lines() == []
    assert deal.settled.match == deal.match
    assert deal.settled.result is None
    assert why(deal, "AH") == "hearts.move.phase"


def test_lead_annul_not_when_broken_and_also_with_free_hearts():
    options = {"annul_only_hearts": True}
    hands = ["AH 3H", "9D 8D", "7D 6D", "5D TD"]
    assert position(hands, options, hearts_broken=True).phase.name == "play"
    assert position(["AH 3H", "9D 8D", "7D 6D", "5D TD"], {}).phase.name == "play"
    assert position(["AH 3C", *hands[1:]], options).phase.name == "play"
    assert position(hands, options | {"hearts_lead": "free"}).phase.name == "annul"
    queen = ["QS 2C", "", "", ""]
    assert position(hands, options | {"break_by": "heart-or-queen"}, taken=queen, trick_number=4).phase.name == "play"
    assert position(hands, options, taken=queen, trick_number=4).phase.name == "annul"


def test_an_annulled_deal_is_dealt_again_by_the_same_dealer():
    match = cardlib.Match(cardlib.variant("hearts(annul_only_hearts=true)"), seed=1, dealer=2)
    annulled = position(["AH 3H", "9D 8D", "7D 6D", "5D TD"], {"annul_only_hearts": True}, dealer=2)
    annulled.play("annul")
    first = match.deal().record()
    match.add(annulled)
    assert (match.dealer, match.number, match.context.deal) == (2, 1, 0)
    assert match.deal().record() != first


# -- left-over cards


@pytest.mark.parametrize("leftover", ["first-trick", "first-penalty", "pickup-first-trick", "pickup-first-penalty"])
def test_kitty(leftover):
    hands = ["3C 9H 8D", "4C 7D 6D", "5C 5D TD", "6C JD 4D", "7C KD 3D"]
    deal = position(hands, {"leftover": leftover}, 5, trick_number=1, kitty="QS JH")
    tricks = [("3C", "4C", "5C", "6C", "7C"), ("KD", "8D", "7D", "TD", "JD"), ("3D", "9H", "6D", "5D", "4D")]
    goes = 1 if leftover.endswith("first-trick") else 3
    for number, cards in enumerate(tricks, 1):
        for card in cards:
            deal.play(card)
        if number < goes:
            assert deal.left_over == Hand.parse("QS JH")
        elif number == goes:
            assert deal.left_over == 0
            if leftover == "pickup-first-trick":
                assert deal.phase.name == "discard"
                assert len(deal.legal()) == 6  # two of the two cards left and the two of the kitty
                assert why(deal, "KD") == "hearts.move.phase"
                assert why(deal, "discard KD") == "hearts.kitty.discard"
                assert why(deal, "discard KD KD") == "hearts.kitty.discard"
                assert why(deal, "discard KD 2S") == "hearts.move.not-in-hand"
                assert why(deal, "discard KD 3D JH") == "hearts.kitty.discard"
                deal.play("discard QS JH")
                assert str(deal.moves[-1]) == "discard JH QS"
                assert deal.turn == 4
    kind = {"first-trick": "first-trick", "first-penalty": "first-penalty", "pickup-first-penalty": "last-trick"}
    told = [event.rule for event in deal.events if event.kind == "Kitty"]
    assert told == [f"hearts.kitty.{kind.get(leftover, 'pick-up')}"]
    taker = 4 if goes == 1 else deal.winner
    assert deal.scores()[taker] >= 14
    assert sum(deal.scores()) == 15


def test_kitty_in_a_moon():
    """The cards of the kitty count as taken: they can complete a moon."""
    taken = [str(Hand(HEARTS ^ Card.parse("2H").mask)), "", "", "", ""]
    deal = position(
        ["AC", "3C", "4C", "5C", "6C"],
        {"leftover": "first-trick"},
        5,
        trick_number=1,
        kitty="QS 2H",
        taken=taken,
        leader=1,
    )
    for card in ("3C", "4C", "5C", "6C", "AC"):
        deal.play(card)
    assert deal.scores() == [-26, 0, 0, 0, 0]


# -- the score of a deal

MOON = str(Hand(HEARTS | QUEEN))
ALL_HEARTS = str(Hand(HEARTS))


@pytest.mark.parametrize(
    ("options", "taken", "scores"),
    [
        ({}, ["2H 3H", "QS AH", "", ""], [2, 14, 0, 0]),
        ({"ace_points": 5}, ["2H 3H", "QS AH", "", ""], [2, 18, 0, 0]),
        ({"queen_points": 0}, ["2H 3H", "QS AH", "", ""], [2, 1, 0, 0]),
        ({"bonus_card": "TD"}, ["2H TD", "JD", "", ""], [-9, 0, 0, 0]),
        ({"bonus_card": "JD"}, ["2H TD", "JD", "", ""], [1, -10, 0, 0]),
        ({}, [MOON, "", "", ""], [-26, 0, 0, 0]),
        ({"ace_points": 5}, [MOON, "", "", ""], [-30, 0, 0, 0]),
        ({"queen_points": 0}, [ALL_HEARTS, "QS", "", ""], [-13, 0, 0, 0]),
        ({"queen_points": 0, "ace_points": 5}, [ALL_HEARTS, "QS", "", ""], [-17, 0, 0, 0]),
        ({}, [ALL_HEARTS, "QS", "", ""], [13, 13, 0, 0]),
        ({"moon_value": 52}, [MOON, "", "", ""], [-52, 0, 0, 0]),
        ({"moon_mode": "others"}, [MOON, "", "", ""], [0, 26, 26, 26]),
        ({"moon_mode": "others", "moon_value": 52}, [MOON, "", "", ""], [0, 52, 52, 52]),
        ({"moon_mode": "others", "bonus_card": "TD"}, [MOON, "TD", "", ""], [0, 16, 26, 26]),
        ({"bonus_card": "TD"}, [MOON + " TD", "", "", ""], [-36, 0, 0, 0]),
        # Seat 3 wins the last trick: nobody else can have every trick.
        ({"moon_requires": "all-tricks"}, [MOON, "", "", ""], [26, 0, 0, 0]),
        ({"moon_requires": "all-tricks"}, ["", "", "", MOON], [0, 0, 0, -26]),
        ({"moon_requires": "all-tricks"}, ["", "2D", "", MOON], [0, 0, 0, 26]),
        ({"moon_requires": "all-tricks", "moon_mode": "others"}, ["", "", "", MOON], [26, 26, 26, 0]),
        ({"sun": True}, ["", "", "", MOON], [0, 0, 0, -52]),
        ({"sun": True}, ["", "2D", "", MOON], [0, 0, 0, -26]),
        ({"sun": True, "moon_mode": "others"}, ["", "", "", MOON], [52, 52, 52, 0]),
        ({"sun": True, "moon_value": 52, "ace_points": 5}, ["", "", "", MOON], [0, 0, 0, -52]),
        ({"sun": True, "moon_requires": "all-tricks"}, ["", "", "", MOON], [0, 0, 0, -52]),
        ({"sun": True, "moon_requires": "all-tricks"}, ["2D", "", "", MOON], [0, 0, 0, 26]),
        ({"no_tricks": -5}, ["2H 3H", "QS AH", "", ""], [2, 14, -5, 0]),
        ({"no_tricks": 50}, ["2H 3H", "", "", ""], [2, 50, 50, 0]),
        ({"no_tricks": 50}, [MOON, "", "", ""], [-26, 0, 0, 0]),
        ({"no_tricks": -5, "moon_requires": "all-tricks"}, [MOON, "", "", ""], [26, -5, -5, 0]),
    ],
)
def test_score(options, taken, scores):
    deal = end(taken, options, trick_number=9)
    assert deal.scores() == scores
    assert deal.finished
    assert [event.facts["points"] for event in deal.events if event.kind == "Scored"] == [
        line.points for line in deal.score_lines()
    ]


def test_score_lines_name_the_rules():
    deal = end(["2H AH TD", "QS", "", ""], {"bonus_card": "TD", "no_tricks": 50}, trick_number=9)
    lines = [(line.side, line.points, line.rule, str(Hand(line.cards))) for line in deal.score_lines()]
    assert lines == [
        (0, 2, "hearts.score.heart", "AH 2H"),
        (0, -10, "hearts.score.bonus-card", "TD"),
        (1, 13, "hearts.score.queen", "QS"),
        (2, 50, "hearts.score.no-tricks", ""),
    ]
    lines = end([MOON, "", "", ""], {"moon_mode": "others"}, trick_number=9).score_lines()
    assert [(line.side, line.points, line.rule) for line in lines] == [
        (0, 0, "hearts.score.moon"),
        *[(side, 26, "hearts.score.moon-mode") for side in (1, 2, 3)],
    ]
    lines = end([MOON, "", "", ""], {"moon_requires": "all-tricks"}, trick_number=9).score_lines()
    assert ("hearts.score.moon-all-tricks", 0) in [(line.rule, line.points) for line in lines]
    assert {line.rule for line in end(["", "", "", MOON], {"sun": True}, trick_number=9).score_lines()} == {
        "hearts.score.sun"
    }
    assert (
        end([MOON, "", "", ""], {"moon_value": 52}, trick_number=9).score_lines()[0].rule == "hearts.score.moon-value"
    )


@pytest.mark.parametrize(
    ("totals", "options", "scores"),
    [
        ([0, 0, 0, 0], {}, [0, 26, 26, 26]),  # nobody reaches 100
        ([80, 74, 0, 0], {}, [-26, 0, 0, 0]),  # 100 is reached and the shooter would not be lowest
        ([26, 74, 0, 0], {}, [0, 26, 26, 26]),  # level for lowest counts as first
        ([27, 74, 0, 0], {}, [-26, 0, 0, 0]),
        ([80, 74, 0, 0], {"game_end": "open"}, [0, 26, 26, 26]),
        ([80, 74, 0, 0], {"end_score": 101}, [0, 26, 26, 26]),
        ([80, 74, 0, 0], {"exact_100": "to-50"}, [0, 26, 26, 26]),  # 100 becomes 50: no end
        ([40, 24, 24, 24], {"end_score": 50, "exact_50": "to-0"}, [0, 26, 26, 26]),
    ],
)
def test_score_moon_mode_others_unless_losing(totals, options, scores):
    deal = end(
        [MOON, "", "", ""], options | {"moon_mode": "others-unless-losing"}, trick_number=9, match={"totals": totals}
    )
    assert deal.scores() == scores


@pytest.mark.parametrize(("word", "scores"), [("self", [-26, 0, 0, 0]), ("others", [0, 26, 26, 26])])
def test_score_moon_mode_choice(word, scores):
    deal = end([MOON, "", "", ""], {"moon_mode": "choice"}, trick_number=9)
    assert (deal.phase.name, deal.turn) == ("moon", 0)
    assert legal(deal) == ["moon others", "moon self"]
    assert deal.scores() == [26, 0, 0, 0]  # the points so far
    assert not deal.finished
    assert deal.settled.match == deal.match
    assert why(deal, "2C") == "hearts.move.phase"
    deal.play(f"moon {word}")
    assert deal.scores() == scores
    deal.undo()
    assert deal.phase.name == "moon"
    assert end(["2H", "", "", ""], {"moon_mode": "choice"}, trick_number=9).over


@pytest.mark.parametrize("variant", VARIANTS, ids=str)
def test_score_sums(variant):
    options = variant.options
    draw = random.Random(str(variant))
    for _ in range(3):
        deal = play_out(dealt(variant, draw), draw, logging=False)
        if "annul" in map(str, deal.moves):
            continue
        scores = deal.scores()
        bonus = -10 if sum(deal.taken) & BONUS[options.bonus_card] else 0
        shooters = [seat for seat, taken in enumerate(deal.taken) if taken & options.penalty == options.penalty]
        if not any(deal.table.shooter):
            idle = sum(1 for taken in deal.taken if not taken)
            assert sum(scores) == 12 + options.ace_points + options.queen_points + bonus + idle * options.no_tricks
        else:
            value = 12 + options.ace_points + options.queen_points if options.moon_value == "card-total" else 52
            if options.sun and sum(map(bool, deal.taken)) == 1:
                value = 52
            assert len(shooters) == 1
            assert sum(scores) - bonus in (-value, (deal.players - 1) * value)


# -- positions that end, or just stop


def test_position_last_trick():
    hands = ["2D 6H", "3D 6C", "4D 7C", "5D 8C"]
    taken = ["AH", "", "", ""]
    ends = position(hands, taken=taken, last_trick=True, trick_number=5)
    stops = position(["2D", "3D", "4D", "5D"], taken=taken, last_trick=False, trick_number=5)
    goes_on = position(hands, taken=taken, trick_number=5)
    for deal in (ends, stops, goes_on):
        for card in ("2D", "3D", "4D", "5D"):
            deal.play(card)
    assert (ends.turn, ends.finished, ends.settled.match.deal) == (None, True, 1)
    assert (stops.turn, stops.finished, stops.settled.match.deal) == (None, False, 0)
    assert (goes_on.turn, goes_on.finished) == (3, False)
    assert ends.scores() == stops.scores() == goes_on.scores() == [1, 0, 0, 0]


def test_position_defaults():
    assert position(["2D", "3D", "4D", "5D"], trick_number=2).table.number == 2
    record = {"game": "hearts", "hands": ["2D", "3D", "4D", "5D"], "position": {"leader": 0}}
    assert load(record).table.number == 1
    for count, number in [(1, 2), (3, 2), (4, 2), (8, 3), (11, 3), (12, 4)]:
        taken = " ".join(f"{rank}S" for rank in "AKQJT98765432"[:count])
        record["position"] = {"leader": 0, "taken": [taken, "", "", ""]}
        assert load(record).table.number == number
    assert position(["2C 6H", "3D 6C", "4D 7C", "5D 8C"], trick_number=9).table.broken is False
    assert position(["3D", "4D", "5D 9H", "6D 8H"], trick="7D TH").table.broken is True
    assert position(["3D", "4D", "5D 9H", "6D 8H"], trick="7D TH", hearts_broken=False).table.broken is False


def test_a_position_needs_no_whole_trick():
    deal = position(["3D", "4D", "5D 9H", "6D 8H"], trick="7D TH")
    assert deal.turn == 2
    assert deal.winner is None
    assert legal(deal) == ["5D"]


# -- totals and the end


def settled(totals, scores, number=0, **options):
    variant = cardlib.options.Variant.of(HEARTS_GAME, len(totals), options)
    done = settle(variant, HeartsContext(number, tuple(totals)), scores)
    assert done.match.deal == number + 1
    return list(done.match.totals), done.result and list(done.result)


@pytest.mark.parametrize(
    ("totals", "scores", "options", "after", "result"),
    [
        ([90, 0, 5, 9], [10, 3, 0, 0], {}, [100, 3, 5, 9], [1]),
        ([90, 0, 5, 9], [9, 3, 0, 0], {}, [99, 3, 5, 9], None),
        ([90, 3, 3, 9], [10, 0, 0, 0], {}, [100, 3, 3, 9], [1, 2]),
        ([90, 3, 3, 9], [10, 0, 0, 0], {"tie": "extra-deal"}, [100, 3, 3, 9], None),
        ([90, 0, 5, 9], [10, 0, 0, 0], {"game_end": "open"}, [100, 0, 5, 9], None),
        ([40, 0, 5, 9], [10, 0, 0, 0], {"end_score": 50}, [50, 0, 5, 9], [1]),
        ([90, 0, 5, 9], [10, 0, 0, 0], {"exact_100": "to-50"}, [50, 0, 5, 9], None),
        ([90, 0, 5, 9], [10, 0, 0, 0], {"exact_100": "to-0"}, [0, 0, 5, 9], None),
        ([110, 0, 5, 9], [-10, 0, 0, 0], {"exact_100": "to-0"}, [0, 0, 5, 9], None),
        ([90, 0, 5, 9], [10, 0, 0, 0], {"exact_100": "to-50", "exact_50": "to-0"}, [50, 0, 5, 9], None),
        ([100, 0, 5, 9], [0, 0, 26, 0], {"exact_100": "to-0"}, [100, 0, 31, 9], [1]),
        ([40, 0, 5, 9], [10, 0, 0, 0], {"exact_50": "to-0"}, [0, 0, 5, 9], None),
        ([94, 0, 5, 116], [10, 0, 0, 10], {"exact_104_126": "to-0"}, [0, 0, 5, 0], None),
        ([94, 0, 5, 9], [10, 0, 0, 0], {"exact_100": "to-0"}, [104, 0, 5, 9], [1]),
        ([-20, 0, 5, 9], [-10, 0, 0, 0], {}, [-30, 0, 5, 9], None),
    ],
)
def test_total_exact_and_end_hundred(totals, scores, options, after, result):
    assert settled(totals, scores, **options) == (after, result)


def test_end_sixty_nine():
    assert settled([60, 0, 69, 9], [9, 100, 0, 0], 4, win_69=True) == ([69, 100, 69, 9], [0, 2])
    assert settled([60, 0, 69, 9], [9, 0, 0, 0], 3, win_69=True)[1] is None
    assert settled([60, 0, 69, 9], [9, 0, 0, 0], 5, win_69=True)[1] is None
    assert settled([60, 0, 69, 9], [9, 0, 0, 0], 4)[1] is None
    assert settled([60, 0, 9, 9], [9, 0, 0, 0], 4, win_69=True, game_end="open")[1] == [0]


# -- options


def test_presets():
    presets = HEARTS_GAME.options.presets
    assert list(presets) == ["seed", "old-american", "plain-hearts", "windows", "john-hay", "omnibus", "openspiel"]
    assert str(cardlib.variant("hearts(plain-hearts)")) == (
        "hearts(pass_cycle=left,opening=dealer-left,hearts_lead=free,queen_points=0,game_end=open)"
    )


def test_allowed_values_are_those_that_can_be_chosen():
    draw = random.Random(2)
    for _ in range(200):
        variant = random_variant(HEARTS_GAME, draw)
        for field in HEARTS_GAME.options.declared():
            if field.metadata["numbers"]:
                continue
            allowed = variant.options.allowed(field.name, variant.players)
            assert getattr(variant.options, field.name) in allowed
            for value in field.metadata["values"]:
                try:
                    variant.with_value(field.name, value)
                except BadInput:
                    assert not any(value == other and type(value) is type(other) for other in allowed)
                else:
                    assert any(value == other and type(value) is type(other) for other in allowed)


def test_idle_options_change_nothing():
    """An option that says it has no effect: the same deal goes the same way with every value of it."""
    draw = random.Random(9)
    for _ in range(60):
        variant = random_variant(HEARTS_GAME, draw)
        for name in variant.options.idle(variant.players):
            field = next(f for f in HEARTS_GAME.options.declared() if f.name == name)
            deal = play_out(dealt(variant, draw), draw, logging=False)
            if variant.players != 4 and name == "leftover":
                continue
            for value in (field.metadata["numbers"] or variant.options.allowed(name, variant.players))[:3]:
                other = variant.with_value(name, value)
                record = deal.record()
                record["options"] = other.options.changed()
                again = load(record)
                assert again.scores() == deal.scores()
                assert again.settled == deal.settled


def test_spades_and_clubs_cost_nothing_but_the_queen():
    deal = end([str(Hand(SPADES ^ QUEEN)), "", "", ""], trick_number=9)
    assert deal.scores() == [0, 0, 0, 0]
