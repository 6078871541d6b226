"""What the rule file of Quodlibet promises besides its checks: invariants, who sees what, and its rules on arrays."""

import random
from collections import Counter
from itertools import islice

import pytest

import cardlib
from cardlib.cards import Card, Hand
from cardlib.errors import BadInput
from cardlib.games.quodlibet import CARDS, PILES
from cardlib.games.quodlibet_contracts import BY_CARDS, JACKS, OPEN, ROUND, ROUNDS, QuodlibetTable, rules_of
from cardlib.match import Match
from cardlib.phases.shedding import read_rows, written_rows
from cardlib.phases.slots import Slots
from cardlib.play.bots import simple
from cardlib.play.session import Session
from cardlib.record import load, run_check
from tests.engine.play_outs import play_out, presets, random_variant, some_move
from tests.engine.test_arrays import stacked

GAME = cardlib.GAMES["quodlibet"]
VARIANTS = [*presets(GAME), *(random_variant(GAME, random.Random(f"quodlibet {number}")) for number in range(14))]
by_variant = pytest.mark.parametrize("variant", VARIANTS, ids=str)
by_contract = pytest.mark.parametrize("contract", ROUND)
RANKS = "789TJQKA"


def begun(variant, contract, seed=0, dealer=3, named=True):
    """A deal in which this contract has been named (or is only to be)."""
    left = ["snack"] if contract == "snack" else ROUNDS[ROUND[contract]]
    match = {"round": ROUND[contract], "remaining": left}
    deal = cardlib.deal(variant, seed=seed, dealer=dealer, match=match)
    if named:
        deal.play(f"contract {contract}")
    return deal


def finished(variant, contract, count=6):
    draw = random.Random(f"{variant} {contract}")
    for _ in range(count):
        yield play_out(begun(variant, contract, draw.getrandbits(64), draw.randrange(4)), draw)


def tricks_of(deal):
    """Winner and cards in playing order of each trick, from the record alone."""
    leader = deal.dealer if deal.options.first_lead == "dealer" else (deal.dealer + 1) % 4
    cards = [str(move) for move in deal.moves[1:]]
    for start in range(0, len(cards), 4):
        trick = cards[start : start + 4]
        led = [card for card in trick if card[1] == trick[0][1]]
        best = max(led, key=lambda card: RANKS.index(card[0]))
        yield (leader + trick.index(best)) % 4, trick, leader
        leader = (leader + trick.index(best)) % 4


# ------------------------------------------------------------------------------------------------------------- scores


def counted(deal):
    """The points of a finished deal, worked out from the rule sheet once more, in another way."""
    options, tricks, contract = deal.options, list(tricks_of(deal)), deal.contract
    won = Counter(winner for winner, _, _ in tricks)
    like_minus = [
        ({"instead": 100, "add": 180}[options.all_tricks_bonus] if won[s] == 8 else 10 * won[s]) for s in range(4)
    ]
    if contract == "plus" and options.plus_scoring == "lose10":
        return [-10 * won[s] if won[s] else 100 for s in range(4)]
    if contract == "plus":
        return [10 * (8 - won[s]) if won[s] else 100 for s in range(4)]
    if contract in ("minus", "good-hunting"):
        return like_minus
    if contract == "bad-neighbor":
        return [like_minus[s - 1] for s in range(4)]
    if contract == "open-trousers":
        return (
            like_minus
            if options.trousers_scoring == "like-minus"
            else [100 if won[s] == 8 else -10 * won[s] for s in range(4)]
        )
    points = [0] * 4
    for number, (winner, trick, leader) in enumerate(tricks, 1):
        if contract == "first-three-and-last":
            points[winner] += {1: 10, 2: 20, 3: 30, 8: options.last_trick}.get(number, 0)
        if contract == "quadrature":
            points[winner] -= {4: 40, 8: 80}.get(number, 0)
        for seat, some in of_trick(options, contract, trick, winner, leader):
            points[seat] += some
    return points


def of_trick(options, contract, trick, winner, leader):
    """What the contracts that count cards give for a trick: seats and points."""
    suits, ranks = [card[1] for card in trick], [card[0] for card in trick]
    if contract == "red-ruffians":
        yield winner, 100 if {"KH", "QD"} <= {*trick} else 50 * ("KH" in trick) + 30 * ("QD" in trick)
    if contract == "no-hearts":
        cards = sum(20 if rank in "789T" else 10 for rank, suit in zip(ranks, suits, strict=True) if suit == "H")
        full = suits == ["H"] * 4
        yield winner, (100 + cards * (options.heart_trick_bonus == "add")) if full else cards
    if contract == "queens-jacks":
        cards, both = 30 * ranks.count("Q") + 20 * ranks.count("J"), "Q" in ranks and "J" in ranks
        yield winner, (100 + cards * (options.queens_jacks_bonus == "add")) if both else cards
    if contract == "bribery":
        low = min(ranks, key=RANKS.index)
        places = [i for i in range(4) if ranks[i] == low]
        places = {"first": places[:1], "last": places[-1:], "all": places}[options.bribery_tie]
        payers = {(leader + i) % 4 for i in places}
        both = winner in payers
        yield winner, (150 if options.bribery_win == "add" else 100) if both else 30
        yield from ((seat, 20) for seat in payers - {winner})


@by_variant
def test_every_contract_scores_what_the_sheet_says(variant):
    for contract in ROUND:
        for deal in finished(variant, contract) if contract != "snack" else ():
            assert len(deal.moves) == 33
            assert deal.scores() == counted(deal), (contract, deal.record())
            assert deal.winner == list(tricks_of(deal))[-1][0]


@by_variant
def test_sums_over_the_four_seats(variant):
    options = variant.options
    for contract in ROUND:
        for deal in finished(variant, contract, 3) if contract != "snack" else ():
            total, won = sum(deal.scores()), Counter(winner for winner, _, _ in tricks_of(deal))
            all_eight, none = 8 in won.values(), 4 - len(won)
            bonus = 100 if options.all_tricks_bonus == "instead" else 180
            if contract in ("minus", "good-hunting", "bad-neighbor"):
                assert total == (bonus if all_eight else 80)
            if contract == "plus":
                assert total == (-80 + 100 * none if options.plus_scoring == "lose10" else 240 + 20 * none)
            if contract == "red-ruffians":
                assert total in (80, 100)
            if contract == "first-three-and-last":
                assert total == 60 + options.last_trick
            if contract == "quadrature":
                assert total == -120
            if contract == "open-trousers" and options.trousers_scoring == "lose10":
                assert total == (100 if all_eight else -80)


@by_variant
def test_what_is_scored_is_told_at_once(variant):
    """In the contracts that count cards the told points are the score, trick by trick; in the others nothing of the
    score is left untold, and an instead says so by a line of its own."""
    for contract in ROUND:
        for deal in finished(variant, contract, 3):
            told = Counter()
            for event in deal.events:
                if event.kind == "Scored":
                    told[event.rule, event.facts["side"]] += event.facts["points"]
            lines = Counter()
            for line in deal.score_lines():
                lines[line.rule, line.side] += line.points
            if contract in BY_CARDS or contract == "snack":
                assert told == lines
            assert lines.keys() <= told.keys()
            for key, points in lines.items():
                rule = key[0].rpartition(".")[2]
                replaced = rule == "trick" and told[key] == 80  # all eight
                assert told[key] == points or replaced or contract == "plus"


@by_variant
def test_the_lines_of_a_trick(variant):
    """The table shows of each trick what it brings, to whomever; together that is what was counted so far."""
    for contract in ROUND:
        for deal in finished(variant, contract, 2) if contract != "snack" else ():
            won = [event for event in deal.events if event.kind == "TrickWon"]
            sums = [0] * 4
            for event in won:
                for line in deal.trick_lines(event):
                    sums[line.side] += line.points
                    if contract not in ("plus", "bad-neighbor", "bribery"):
                        assert line.side == event.facts["seat"]
                    if contract == "bad-neighbor":
                        assert line.side == deal.receiver(event.facts["seat"])
                    if contract in BY_CARDS:
                        assert line.cards and line.cards & event.facts["cards"] == line.cards
            if contract in BY_CARDS or contract in ("first-three-and-last", "quadrature"):
                assert sums == deal.scores()


def test_what_is_at_stake():
    stakes = {"first-three-and-last": [10, 20, 30, 0, 0, 0, 0, 50], "quadrature": [0, 0, 0, -40, 0, 0, 0, -80]}
    for contract in ROUND:
        deal, seen = begun("quodlibet", contract), []
        while not deal.over:
            if not deal.trick:
                seen.append(deal.at_stake)
            deal.play(deal.legal()[0])
        assert contract == "snack" or seen == stakes.get(contract, [None] * 8)


def test_bribery_shows_who_pays():
    """Of the current trick so far, else of the last one; and only in Bribery."""
    deal = load(
        {
            "game": "quodlibet",
            "hands": ["KC 8D", "7C JC", "AC 8S", "7D 8H"],
            "position": {"contract": "bribery", "leader": 0, "trick_number": 7},
        }
    )
    for card, lowest in (("KC", "KC"), ("7C", "7C"), ("AC", "7C"), ("7D", "7C"), ("8S", "8S")):
        deal.play(card)
        assert Hand(deal.lowest) == Hand.parse(lowest)
    assert [event.facts for event in deal.events if event.kind == "Lowest"] == [{"seat": 1, "card": Card.parse("7C")}]
    assert begun("quodlibet", "minus").lowest == 0
    mid_trick = load(
        {
            "game": "quodlibet",
            "options": {"bribery_tie": "all"},
            "hands": ["8D", "JC", "AS", "7D 8H"],
            "position": {"contract": "bribery", "leader": 0, "trick": "9C 8C 8S", "trick_number": 7},
        }
    )
    assert Hand(mid_trick.lowest) == Hand.parse("8C 8S")


def test_the_same_rules_on_arrays():
    """Points of all contracts under all options: tables one by one, and all of them at once."""
    np = pytest.importorskip("numpy")
    draw = random.Random(7)
    for variant in VARIANTS[:9]:
        for contract in ROUND:
            _, scoring = rules_of(variant.options, contract)
            tables = []
            for deal in finished(variant, contract, 12) if contract != "snack" else ():
                for event in deal.events:
                    if event.kind == "TrickWon" and draw.random() < 0.5:
                        table = deal.table.copy()
                        table.ended, table.end = draw.random() < 0.5, draw.choice([0, 1 << draw.randint(1, 8)])
                        table.taken = [int(event.facts["cards"]) if s == event.facts["seat"] else 0 for s in range(4)]
                        table.won = [draw.getrandbits(9) & 0x1FE for _ in range(4)]
                        table.won[draw.randrange(4)] = draw.choice([0, 0x1FE])
                        table.pays = [draw.random() < 0.4 for _ in range(4)]
                        tables.append(table)
            if not tables:
                continue
            many = stacked(QuodlibetTable, tables, ("taken", "won", "ended", "end"))
            many.pays = [np.array(column) for column in zip(*(table.pays for table in tables), strict=True)]
            for rule in (*scoring.rules, *scoring.at_once):
                one_by_one = [list(rule.points(table)) for table in tables]
                at_once = [np.broadcast_to(points, len(tables)).tolist() for points in rule.points(many)]
                assert [list(points) for points in zip(*at_once, strict=True)] == one_by_one, rule.rule


# -------------------------------------------------------------------------------------------------------------- match


@by_variant
def test_a_match_is_twelve_deals_each_another_contract(variant):
    match = Match(variant, seed=len(str(variant)))
    dealers, contracts = [], []
    while not match.over:
        deal = match.deal()
        while not deal.over:
            deal.play(simple(deal.view(deal.turn)).move)
        match.add(deal)
        assert match.history[-1].dealer == deal.dealer
        dealers.append(deal.dealer)
        contracts.append(deal.contract)
    assert len(contracts) == 12
    assert sorted(contracts) == sorted(ROUND)
    for number in range(3):
        assert sorted(contracts[4 * number : 4 * number + 4]) == sorted(ROUNDS[number + 1])
        assert sorted(dealers[4 * number : 4 * number + 4]) == [0, 1, 2, 3]
    assert contracts[-1] == "snack"
    assert match.result == tuple(s for s in range(4) if match.context.totals[s] == min(match.context.totals))
    again = Match(variant, match.seed)
    again.restore([counted.outcome for counted in match.history])
    assert (again.context, again.result, again.dealer) == (match.context, match.result, match.dealer)


def test_tied_players_draw_for_the_deal():
    variant = cardlib.variant("quodlibet(round_dealer_tie=draw)")
    settled = GAME.settle(
        variant,
        GAME.context_of({"round": 1, "remaining": ["minus"], "totals": [50, 50, 50, 0]}, variant),
        scores=[30, 30, 20, 0], dealer=2,
    )  # fmt: skip
    assert settled.data() == {
        "round": 2, "remaining": list(ROUNDS[2]), "totals": [80, 80, 70, 0], "dealer": None, "draw": [0, 1],
    }  # fmt: skip
    drawn = {Match(variant, seed).next_dealer(settled) for seed in range(40)}
    assert drawn == {0, 1}
    assert all(
        Match(variant, seed).next_dealer(settled) == Match(variant, seed).next_dealer(settled) for seed in range(9)
    )


def test_settling_needs_the_contract_where_several_are_left():
    check = {"kind": "settle", "game": "quodlibet", "scores": [10, 20, 30, 20], "expect": {"error": "contract"}}
    assert run_check(check) == []
    for contract in ("bribery", "tango", 3, None):
        assert run_check(check | {"contract": contract}) == []
    snack = {"match": {"round": 3}, "contract": "snack"}
    assert run_check(check | snack) == []
    assert run_check(check | {"dealer": 4, "contract": "plus", "expect": {"error": "dealer"}}) == []


# -------------------------------------------------------------------------------------------------------------- Snack


def steps(variant, seed):
    draw = random.Random(f"{variant} {seed}")
    deal = begun(variant, "snack", seed)
    while not deal.over:
        yield deal
        deal.play(some_move(deal, draw))
    yield deal


@by_variant
def test_snack_goes_as_the_sheet_says(variant):
    for seed in range(12):
        for deal in steps(variant, seed):
            parts = [*deal.hands, deal.laid, *deal.piles]
            assert sum(parts) == CARDS and sum(map(int.bit_count, parts)) == 32
            rows = written_rows(deal.laid, JACKS, CARDS)  # which fails where a row is no run around its jack
            assert read_rows(rows, JACKS, CARDS) == deal.laid == sum(deal.view(0).rows)
            assert all(pile.bit_count() in (0, size) for pile, size in zip(deal.piles, PILES, strict=True))
            assert [not hand for hand in deal.hands] == [seat in deal.out for seat in range(4)]
            assert len({move.verb for move in deal.legal()}) == (0 if deal.over else 1)
            if not deal.over and not any(deal.piles):
                assert any(hand & deal.phase.fitting(deal) for hand in deal.hands)
            assert deal.view(0).piles == [pile.bit_count() for pile in deal.piles]
        assert len(deal.out) == 3
        last = next(seat for seat in range(4) if seat not in deal.out)
        assert sum(line.points for line in deal.score_lines() if line.rule == "quodlibet.snack.last") == 30 * (
            deal.hands[last].bit_count()
        )
        outs = [event.facts["place"] for event in deal.events if event.kind == "Out"]
        assert outs == [1, 2, 3]


@by_variant
def test_what_lies_in_a_pile_is_seen_by_its_taker_alone(variant):
    for seed in range(6):
        for deal in steps(variant, seed):
            for seat in range(4):
                for event in deal.view(seat).events:
                    if event.kind in ("Took", "Last"):
                        assert ("cards" in event.facts) == (event.facts["seat"] == seat)
                    if event.kind == "Jacks":
                        assert event.facts["cards"] & JACKS == event.facts["cards"]


def test_the_pickup_options_end_turns_as_they_say():
    counts = {}
    for pickup in ("one-pile", "one-pile-then-play", "until-playable"):
        variant = cardlib.variant(f"quodlibet(snack_pickup={pickup})")
        again = []
        for seed in range(40):
            *_, over = steps(variant, seed)
            again += [event for event in over.events if event.kind == "Again"]
        counts[pickup] = len(again)
    assert counts["one-pile"] == 0 < counts["one-pile-then-play"] < counts["until-playable"]


# ------------------------------------------------------------------------------------------------------ who sees what


@by_contract
def test_before_the_contract_only_the_dealer_sees_his_hand(contract):
    deal = begun("quodlibet", contract, 5, dealer=1, named=False)
    for seat in range(4):
        view = deal.view(seat)
        assert view.hand == (deal.hands[1] if seat == 1 else 0)
        assert not any(view.hands) and view.table.hand == view.hand
        assert view.contract == "" and view.slots == ()
    deal.play(f"contract {contract}")
    for seat in range(4):
        view = deal.view(seat)
        assert view.contract == contract
        assert view.hand == (0 if contract == "open-trousers" else deal.hands[seat])
        others = [hand if contract in OPEN and other != seat else 0 for other, hand in enumerate(deal.hands)]
        assert view.hands == others
        assert view.slots == ((None,) * 8 if contract == "open-trousers" else ())


TROUSERS = [cardlib.variant(f"quodlibet(trousers_follow={follow})") for follow in ("free", "must")]


def everything(view):
    """All that a view of Open Trousers tells, refusals of every slot and card among them."""
    t = view.table
    tries = [f"slot {number}" for number in range(1, 9)] + [str(card) for card in Hand(CARDS)] + ["pass", "take 3"]
    return (
        [view.turn, view.phase, view.contract, view.hand, view.hands, view.slots, view.counts],
        [str(move) for move in view.legal()],
        [view.refusal(text) for text in tries] if view.turn == view.seat else None,
        [view.trick, view.leader, view.number, view.led, view.best, view.taken, view.events, view.score_lines()],
        [t.hand, t.trick, t.taken, t.won, view.rows, view.piles, view.out],
    )


def slots_of(deal):
    """What lies in the slots of each seat."""
    return [deal.tricks.slots(deal, seat) for seat in range(4)]


@pytest.mark.parametrize("variant", TROUSERS, ids=str)
def test_slots_tell_nothing(variant, monkeypatch):
    """The cards of a hand in other slots: its holder sees the same, until one of them is turned up."""
    draw, turned, other = random.Random(str(variant)), 0, {}
    as_dealt = Slots.slots
    monkeypatch.setattr(
        Slots, "slots", lambda self, deal, seat: other.get((id(deal), seat)) or as_dealt(self, deal, seat)
    )
    for seed in range(25):
        deal = begun(variant, "open-trousers", seed)
        while not deal.over:
            seat, twin = draw.randrange(4), deal.copy()
            slots = list(slots_of(deal)[seat])
            groups = [[i for i, card in enumerate(slots) if deal.hands[seat] & card.mask]]
            if variant.options.trousers_follow == "must" and deal.turn == seat:
                # Which slots may be played is told by the rules; among those, and among the others, nothing else is.
                legal = {move.cards[0] for move in deal.legal()}
                groups = [[i for i in groups[0] if (slots[i] in legal) == side] for side in (True, False)]
            for group in groups:
                cards = [slots[i] for i in group]
                draw.shuffle(cards)
                for i, card in zip(group, cards, strict=True):
                    turned += slots[i] != card
                    slots[i] = card
            other[id(twin), seat] = tuple(slots)
            assert everything(twin.view(seat)) == everything(deal.view(seat))
            assert seat != deal.turn or simple(twin.view(seat)) == simple(deal.view(seat))
            other.clear()
            deal.play(str(some_move(deal, draw)))
    assert turned > 1000


@pytest.mark.parametrize("variant", TROUSERS, ids=str)
def test_a_slot_keeps_its_number(variant):
    draw = random.Random(3)
    for seed in range(20):
        deal = begun(variant, "open-trousers", seed)
        fixed = slots_of(deal)
        assert [Hand.of(slots) for slots in fixed] == deal.hands
        while not deal.over:
            seat, view = deal.turn, deal.view(deal.turn)
            moves = view.legal()
            numbers = [int(move.word) for move in moves]
            assert numbers == sorted(numbers)
            assert {fixed[seat][number - 1] for number in numbers} == {move.cards[0] for move in deal.legal()}
            move = draw.choice(moves)
            deal.play(move if draw.random() < 0.5 else str(move))
            card = fixed[seat][int(move.word) - 1]
            assert str(deal.moves[-1]) == str(card)  # the record names the card
            assert deal.view(seat).slots[int(move.word) - 1] == card
            assert slots_of(deal) == fixed
        assert slots_of(load(deal.record())) == fixed
        deal.undo(5)
        assert slots_of(deal) == fixed


def test_every_order_of_slots_is_as_likely():
    """The card in a slot is any of the hand's: the highest lies in each of the eight as often."""
    places = Counter()
    for seed in range(1600):
        for slots in slots_of(begun("quodlibet", "open-trousers", seed)):
            places[slots.index(max(slots))] += 1
    assert set(places) == set(range(8))
    assert all(abs(count - 800) < 120 for count in places.values())


def test_a_holder_cannot_call_his_cards_by_name():
    """Which cards he holds he can work out; where they lie not even the answer to a refused move may tell him."""
    for variant in TROUSERS:
        deal = begun(variant, "open-trousers", 3)
        deal.play(deal.legal()[0])
        view = deal.view(deal.turn)
        answers = {(view.refusal(str(card)).rule, *view.refusal(str(card)).facts) for card in Hand(CARDS)}
        assert answers == {("quodlibet.open-trousers.hidden",)}
        with pytest.raises(BadInput):
            view.refusal("slot 9")
        for number in range(1, 9):
            refusal = view.refusal(f"slot {number}")
            if refusal:
                assert refusal.rule == "quodlibet.trick.follow"
                assert {"card", "do"}.isdisjoint(refusal.facts)
                assert refusal.facts["slots"] == [int(move.word) for move in view.legal()]


def test_slots_where_there_are_none():
    deal = begun("quodlibet", "minus")
    assert deal.refusal("slot 1").rule == "quodlibet.play.own-card"
    assert begun("quodlibet", "snack").refusal("slot 1").rule == "quodlibet.play.own-card"
    assert begun("quodlibet", "minus", named=False).refusal("slot 1").rule == "quodlibet.choose.dealer-names"
    deal = begun("quodlibet", "open-trousers")
    seat = deal.turn
    deal.play("slot 4")
    while deal.turn != seat:
        deal.play(deal.legal()[0])
    view = deal.view(seat)
    assert view.refusal("slot 4").rule == "quodlibet.play.own-card"
    assert view.refusal("slot 4").facts["slot"] == 4


def test_a_learner_s_match_goes_through_open_trousers_and_is_stored_by_slots():
    variant = cardlib.variant("quodlibet(trousers_follow=must)")
    session = Session(variant, 4, me=0)
    contracts = []
    for _ in range(12):
        while not session.deal.over:
            session.go_on()
            if session.deal.turn == 0:
                session.play(str(simple(session.deal.view(0)).move))
                if session.deal.contract == "open-trousers" and not session.deal.over:
                    moves = [move for move in session.own_moves if not move.startswith("contract")]
                    assert all(move.startswith("slot ") for move in moves)
                again = Session.resume(GAME, session.data())
                assert not again.restarted
                assert again.deal.record() == session.deal.record()
                assert again.match.dealer == session.match.dealer
        contracts.append(session.deal.contract)
        session.next_deal()
    assert sorted(contracts) == sorted(ROUND)
    assert session.over


# --------------------------------------------------------------------------------------------------------------- bots


def test_bots_name_what_suits_their_hand():
    strong, weak = "AS KS AH KH AD KD AC KC", "7S 8S 7H 8H 7D 8D 7C 8C"
    rest = ["QS JS TS 9S QH JH TH 9H", "QD JD TD 9D QC JC TC 9C"]

    def named(hand, other):
        deal = load({"game": "quodlibet", "dealer": 0, "hands": [hand, rest[0], other, rest[1]]})
        return simple(deal.view(0))

    assert str(named(strong, weak).move) == "contract plus"
    assert named(strong, weak).reason == "bot quodlibet.choose-strong"
    assert str(named(weak, strong).move) in ("contract minus", "contract red-ruffians")
    assert named(weak, strong).reason == "bot quodlibet.choose-weak"


@by_contract
def test_bots_are_better_than_chance(contract):
    """Seats 0 and 2 think, 1 and 3 draw: over some deals thinking costs less (in Open Trousers nobody can think)."""
    draw, thinking, drawing = random.Random(1), 0, 0
    for seed in range(60):
        deal = begun("quodlibet", contract, seed, dealer=seed % 4)
        while not deal.over:
            view = deal.view(deal.turn)
            deal.play(simple(view).move if deal.turn % 2 == 0 else draw.choice(view.legal()))
        scores = deal.scores()
        thinking += scores[0] + scores[2]
        drawing += scores[1] + scores[3]
    assert contract == "open-trousers" or thinking < drawing


@by_contract
def test_hidden_cards_change_no_move_of_a_bot(contract):
    """Whatever is not seen is dealt anew, hands and piles: the bot moves as before, for the same reason."""
    draw, shuffled = random.Random(contract), 0
    for seed in range(12):
        deal = begun("quodlibet", contract, seed)
        while not deal.over:
            twin, me = deal.copy(), deal.turn
            unseen = [seat for seat in range(4) if seat != me and contract not in OPEN]
            parts = [*(deal.hands[seat] for seat in unseen), *deal.piles]
            cards = [card for part in parts for card in Hand(part)]
            draw.shuffle(cards)
            dealt = [sum(1 << cards.pop() for _ in range(part.bit_count())) for part in parts]
            shuffled += dealt != parts
            for seat, hand in zip(unseen, dealt, strict=False):
                twin.hands[seat] = hand
            twin.piles = dealt[len(unseen) :]
            chosen = simple(deal.view(me))
            assert simple(twin.view(me)) == chosen
            deal.play(chosen.move)
    assert contract in OPEN or shuffled > 100


def test_every_reason_has_a_sentence():
    from cardlib.text import messages

    reasons = set()
    for seed in range(8):
        match = Match(cardlib.variant("quodlibet"), seed)
        while not match.over:
            deal = match.deal()
            while not deal.over:
                chosen = simple(deal.view(deal.turn))
                reasons.add(chosen.reason)
                deal.play(chosen.move)
            match.add(deal)
    for lang in ("en", "ja"):
        assert all(messages(lang).has(reason) for reason in reasons if reason)
    assert len(reasons) > 15


def test_deals_of_a_seed_are_as_documented():
    """In Snack four cards one at a time from eldest hand, then five piles of three and the last card."""
    deal = begun("quodlibet", "snack", 17, dealer=2, named=False)
    from cardlib.cards import cards_of
    from cardlib.seeds import Random

    cards = Random(17, "cards").shuffled(list(cards_of(CARDS)))
    assert [Hand.of(cards[(seat - 3) % 4 : 16 : 4]) for seat in range(4)] == deal.hands
    assert [Hand.of(cards[start : start + 3]) for start in range(16, 32, 3)] == deal.piles
    assert list(islice((move.word for move in deal.legal()), 3)) == ["snack"]
