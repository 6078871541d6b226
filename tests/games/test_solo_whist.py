"""What the rule file of Solo Whist promises besides its checks (rule file, 7), who sees what, and the bots."""

import random
from itertools import pairwise

import pytest

import cardlib
from cardlib.cards import SUITS, Hand
from cardlib.errors import BadInput
from cardlib.games.solo_whist import AUCTION, BIDS, CONTRACTS, MISERY, contract_of
from cardlib.match import Match
from cardlib.phases.auction import standing
from cardlib.play.bots import simple
from cardlib.play.session import Session
from cardlib.record import load
from tests.engine.play_outs import dealt, play_out, presets, random_variant

GAME = cardlib.GAMES["solo-whist"]
VARIANTS = [*presets(GAME), *(random_variant(GAME, random.Random(f"solo-whist {n}")) for n in range(60))]
by_variant = pytest.mark.parametrize("variant", VARIANTS, ids=str)
HANDS = [" ".join(rank + suit for rank in "AKQJT98765432") for suit in "HCSD"]  # seat 3 deals and holds the diamonds


def deals(variant, count=8):
    draw = random.Random(str(variant))
    for _ in range(count):
        yield play_out(dealt(variant, draw), draw)


def whole(*moves, hands=HANDS, turnup="2D", **record):
    return load({"game": "solo-whist", "hands": hands, "turnup": turnup, "moves": list(moves), **record})


# ------------------------------------------------------------------------------------------------------- the auction


@pytest.mark.parametrize(
    ("options", "count"),
    [
        ("", 2216),
        ("prop_allowed=false", 525),
        ("auction=single-round", 321),
        ("eldest_reentry=off", 2072),
        ("eldest_reentry_when=any-proposal", 3210),
        ("eldest_reentry=accept-only", 2075),
    ],
)
def test_how_many_auctions_there_are(options, count):
    first = cardlib.deal(f"solo-whist({options})", seed=1)
    first.logging = False
    open_, found, most, passes = [first], 0, 0, 0
    while open_:
        deal = open_.pop()
        calls = [call for _, call in deal.calls]
        if deal.phase is not AUCTION:
            found += 1
            most, passes = max(most, len(calls) - calls.count("pass")), max(passes, calls.count("pass"))
            continue
        for move in deal.legal():
            after = deal.copy()
            after.push(move)
            open_.append(after)
    assert found == count
    assert most <= 8
    assert passes <= 5


@by_variant
def test_the_auction(variant):
    for deal in deals(variant):
        calls = [call for _, call in deal.calls]
        bids = [BIDS.index(call) for call in calls if call in BIDS]
        assert all(low < high for low, high in pairwise(bids))
        assert calls.count("propose") <= 1
        assert calls.count("accept") <= 1
        if "abundance-in-trumps" in calls:
            assert bids[bids.index(BIDS.index("abundance-in-trumps")) - 1] == BIDS.index("abundance")
        for seat in range(4):
            own = [call for caller, call in deal.calls if caller == seat]
            again = "pass" in own[:-1]
            assert not again or (seat == deal.eldest and own.index("pass") == len(own) - 2)


@by_variant
def test_legal_moves_depend_on_the_calls_and_the_own_hand(variant):
    draw = random.Random(str(variant))
    deal = dealt(variant, draw)
    while deal.turn is not None:
        moves = [str(move) for move in deal.legal()]
        other = deal.copy()
        hidden = [seat for seat in range(4) if seat != deal.turn]
        for seat, hand in zip(hidden, [deal.hands[seat] for seat in hidden[1:] + hidden[:1]], strict=True):
            other.hands[seat] = hand
        other.choice = 0
        assert [str(move) for move in other.legal()] == moves
        deal.push(draw.choice(deal.legal()))


# ---------------------------------------------------------------------------------------------------- play and score


@by_variant
def test_play(variant):
    for deal in deals(variant):
        won = [event.facts for event in deal.events if event.kind == "TrickWon"]
        if won and not variant.options.early_finish:
            assert len(won) == 13
        cards = [card for facts in won for card in facts["cards"]]
        assert len(cards) == len(set(cards)) == 4 * len(won)
        if deal.contract.bid and not deal.table.trumps:
            assert all(facts["card"].suit == facts["led"] for facts in won)
        first = next((event.facts["seat"] for event in deal.events if event.kind == "Played"), deal.eldest)
        assert first == (deal.contract.bidder if deal.contract.bid == "declaree" else deal.eldest)


@by_variant
def test_score(variant):
    options = variant.options
    for deal in deals(variant):
        scores, match = deal.scores(), deal.settled.match
        assert (not any(scores)) == (not deal.contract.bid) == (match == deal.match)
        assert match.deal == deal.match.deal + any(scores)
        if options.accounting == "chips":
            assert sum(scores) == 0
            paid = [0] * 4
            for payer, to, amount in deal.payments():
                assert amount > 0
                paid[payer] -= amount
                paid[to] += amount
            assert paid == scores
        elif deal.contract.bid != MISERY:
            assert [seat for seat in range(4) if scores[seat]] == sorted(deal.contract.seats)
            assert not deal.payments()


@pytest.mark.parametrize("bid", BIDS)
def test_amounts_of_the_table(bid):
    """The table of the rule file, section 4: the amount per opponent for each number of tricks."""
    variant = cardlib.variant("solo-whist")
    contract = contract_of(variant.options, bid)
    for tricks in range(14):
        made = {0: tricks == 0, 13: tricks == 13}.get(contract.target, tricks >= contract.target)
        beyond = tricks - contract.target if made else contract.target - tricks - 1
        amount = contract.base + contract.extra * beyond
        assert settled(bid, tricks)[1 if bid != "propose" else 3] == (-amount if made else amount)


def settled(bid, tricks, **options):
    """The scores if the bidder, seat 0 (with seat 2), takes so many tricks and seat 1 (3, in a pair) the others."""
    pair, last = bid == "propose", 0 if tricks else 3
    counts = [tricks - (last == 0), 0, 0, 13 - tricks - (last == 3)]
    where = {"contract": bid, "bidder": 0, "leader": last, "tricks": counts}
    where |= {"partner": 2} if pair else {}
    where |= {"trump": "S"} if CONTRACTS[bid].trumps != "none" else {}
    hands = ["5C", "4C", "3C", "2C"] if last == 0 else ["2C", "3C", "4C", "5C"]
    moves = [hands[(last + i) % 4] for i in range(4)]
    record = {"game": "solo-whist", "options": options, "hands": hands, "position": where, "moves": moves}
    return load(record).scores()


@pytest.mark.parametrize("reading", ["from-second", "from-first", "flat-once", "none"])
def test_missing_tricks(reading):
    extra = {
        "from-second": [0, 2, 4, 6, 8],
        "from-first": [2, 4, 6, 8, 10],
        "flat-once": [0, 2, 2, 2, 2],
        "none": [0] * 5,
    }[reading]
    for short in range(1, 6):
        assert settled("solo", 5 - short, undertricks=reading)[1] == 10 + extra[short - 1]


@by_variant
def test_an_early_finish_changes_no_score(variant):
    for deal in deals(variant):
        if variant.options.early_finish and deal.contract.bid and any(deal.hands):
            late = load(deal.record() | {"options": variant.with_value("early_finish", False).options.changed()})
            draw = random.Random(str(deal.scores()))
            assert play_out(late, draw).scores() == deal.scores()


# ------------------------------------------------------------------------------------------------------ who sees what


def test_the_turned_card_is_shown_until_trick_one_is_over():
    deal = whole("pass", "pass", "pass", "solo")
    assert str(deal.shown) == "2D"
    for card in ("AH", "AC", "AS"):
        deal.play(card)
        assert str(deal.view(0).shown) == "2D"
    deal.play("3D")
    assert deal.shown is None


@pytest.mark.parametrize(("option", "after"), [("after-trick-1", 4), ("before-trick-1", 0)])
def test_an_ouverte_lies_open(option, after):
    plays = ["AH", "AC", "AS", "AD", "KH", "KC"]
    deal = whole("pass", "pass", "misere-ouverte", "pass", options={"ouverte_exposed": option})
    for played, card in enumerate([*plays, ""]):
        open_now = played >= after
        for seat in (0, 1, 3):
            assert deal.view(seat).hands == [Hand(0), Hand(0), Hand(deal.hands[2] if open_now else 0), Hand(0)]
        assert not any(deal.view(2).hands)
        assert any(event.kind == "Exposed" for event in deal.events) == open_now
        if card:
            deal.play(card)


def test_a_misere_stays_hidden():
    deal = whole("misere", "pass", "pass", "pass", "AH", "AC", "AS", "AD")
    assert not any(deal.view(1).hands)


# ------------------------------------------------------------------------------------------------- records and matches


def test_positions_of_an_auction():
    hands = ["AS 2S", "KS 3S", "QS 4S", "JS 5H"]
    position = {"turnup": "5H", "calls": ["pass", "propose", "accept", "pass"]}
    deal = load({"game": "solo-whist", "hands": hands, "position": position})
    assert (deal.contract.bid, deal.turn, str(deal.trump)) == ("propose", 0, "H")
    deal.play("AS")
    assert load(deal.record()).record() == deal.record()
    deal.undo()
    assert deal.calls == load({"game": "solo-whist", "hands": hands, "position": position}).calls


@pytest.mark.parametrize(
    ("position", "word"),
    [
        ({"turnup": "AS", "calls": []}, "turnup"),
        ({"calls": ["solo"]}, "turnup"),
        ({"turnup": "5H", "calls": ["solo", "propose"]}, "must-exceed"),
        ({"turnup": "5H", "calls": ["bid"]}, "bid"),
        ({"turnup": "5H", "calls": "pass"}, "calls"),
        ({"turnup": "5H", "calls": [], "contract": "solo", "bidder": 1}, "contract"),
        ({"contract": "accept", "bidder": 1}, "contract"),
        ({"contract": "solo", "trump": "H"}, "bidder"),
        ({"contract": "solo", "bidder": 4, "trump": "H"}, "bidder"),
        ({"contract": "solo", "bidder": 0}, "trump"),
        ({"contract": "solo", "bidder": 0, "trump": "X"}, "trump"),
        ({"contract": "solo", "bidder": 0, "trump": "S", "turnup": "5H"}, "trump"),
        ({"contract": "misere", "bidder": 0, "trump": "H"}, "trump"),
        ({"contract": "abundance", "bidder": 0, "tricks": [1, 0, 0, 0], "leader": 0}, "trump"),
        ({"contract": "propose", "bidder": 0, "trump": "H"}, "partner"),
        ({"contract": "propose", "bidder": 0, "partner": 0, "trump": "H"}, "partner"),
        ({"contract": "solo", "bidder": 0, "partner": 1, "trump": "H"}, "partner"),
        ({"contract": "misery", "bidder": 0}, "bidder"),
        ({"contract": "misere", "bidder": 0, "tricks": [1, 2, 0, 0]}, "leader"),
        ({"contract": "misere", "bidder": 0, "tricks": [1, 2, 0]}, "tricks"),
        ({}, "contract"),
    ],
)
def test_bad_positions(position, word):
    with pytest.raises(BadInput, match=word):
        load({"game": "solo-whist", "hands": ["AS 2S", "KS 3S", "QS 4S", "JS 5H"], "position": position})


def test_the_deal_passes_on_after_one_that_is_thrown_in():
    match = Match(cardlib.variant("solo-whist"), seed=3)
    deal = match.deal()
    for _ in range(4):
        deal.play("pass")
    match.add(deal)
    assert (match.dealer, match.context.deal, match.number) == (0, 0, 1)
    assert match.deal().eldest == 1


def test_the_turned_card_is_the_dealers_last():
    for seed in range(30):
        deal = cardlib.deal("solo-whist", seed=seed, dealer=seed % 4)
        assert deal.turnup in Hand(deal.hands[deal.dealer])


# -------------------------------------------------------------------------------------------------------------- bots


@by_variant
def test_a_session_of_bots_ends(variant):
    session = Session(variant.with_value("deals", 3), 11)
    while not session.over:
        if session.deal.over:
            session.next_deal()
        elif session.waiting:
            session.go_on()
        else:
            session.play(str(simple(session.deal.view(0)).move))
    played = [counted for counted in session.match.history if not counted.void]
    assert len(played) == 2  # and the one that is over now
    again = Session.resume(GAME, session.data())
    assert again.deal.record() == session.deal.record()
    assert [counted.outcome for counted in again.match.history] == [
        counted.outcome if not counted.void else {"scores": [0] * 4, "contract": "thrown-in"}
        for counted in session.match.history
    ]


def test_the_session_waits_when_the_auction_is_over():
    """Also when the learner's own call has ended it: before others play, the contract can be read."""
    seen = 0
    for seed in range(40):
        session = Session(cardlib.variant("solo-whist"), seed)
        session.match.dealer = 1  # eldest hand sits at seat 2
        session.again()
        while session.deal.board:
            session.play("pass")
        if session.deal.over or session.deal.turn == session.me:
            continue
        seen += 1
        assert session.waiting
        assert not any(event.kind == "Played" for event in session.deal.events)
        session.go_on()
        assert session.deal.trick or session.deal.last_trick or session.deal.phase.name == "play"
    assert seen > 10


def test_bots_bid_what_they_can_make():
    """Over many deals all kinds of contracts come up, and those who bid make more than half of them."""
    made: dict[str, list[bool]] = {}
    for seed in range(400):
        deal = cardlib.deal("solo-whist", seed=seed)
        deal.logging = False
        while not deal.over:
            deal.push(simple(deal.view(deal.turn)).move)
        if deal.contract.bidder is not None:
            made.setdefault(deal.contract.bid, []).append(deal.scores()[deal.contract.bidder] > 0)
    assert {"propose", "solo", "misere", "abundance"} <= made.keys()
    for bid in ("propose", "solo"):
        assert sum(made[bid]) > len(made[bid]) / 2
        assert len(made[bid]) > 50


def test_a_hand_of_winners_is_declared():
    hands = [" ".join(rank + suit for rank in "AKQJT98765432") for suit in SUITS]
    deal = whole(hands=hands, turnup="2C")
    assert str(simple(deal.view(0)).move) == "declaree"
    assert standing(deal.calls).bid == ""


def test_a_misere_bidder_ducks_and_the_others_lead_low():
    where = {"contract": "misere", "bidder": 1, "leader": 0, "trick": "9D"}
    deal = load({"game": "solo-whist", "hands": ["2S", "TD 8D", "KD 3D", "AD 2D"], "position": where})
    assert str(simple(deal.view(1)).move) == "8D"
    lead = load(
        {"game": "solo-whist", "hands": ["AD 3D", "TD 8D", "KD 5D", "QD 2D"], "position": where | {"trick": ""}}
    )
    assert str(simple(lead.view(0)).move) == "3D"
