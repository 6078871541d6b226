"""Spady: what holds in every deal (the invariants of the rule file), the cut, declarations, what beats what."""

import random

import pytest

import cardlib
from cardlib.cards import HEARTS, SUIT_MASKS, Card, Hand, cards_of
from cardlib.deal import IllegalMove
from cardlib.errors import BadInput
from cardlib.games.spady import COMBINATIONS, DECK, GAME, TWOS, card_points, majority
from cardlib.play.spady import choose
from cardlib.record import load
from cardlib.rules import Table, WinnerClass, beaters, winning
from tests.engine.play_outs import dealt, play_out, presets, random_variant, some_move

VARIANTS = [*presets(GAME), *(random_variant(GAME, random.Random(f"spady {n}")) for n in range(60))]
by_variant = pytest.mark.parametrize("variant", VARIANTS, ids=str)


def deals(variant, count=8):
    draw = random.Random(str(variant))
    for _ in range(count):
        yield dealt(variant, draw), draw


@by_variant
def test_the_cards_are_dealt_in_packets_of_three(variant):
    for deal, _ in deals(variant):
        assert [hand.bit_count() for hand in deal.hands] == [36 // deal.players] * deal.players
        assert sum(deal.hands) == DECK
        if variant.options.reshuffle_after_cut:
            assert deal.turnup is None and "turnup" not in deal.record()
        else:
            assert deal.hands[deal.dealer] & deal.turnup.mask & deal.table.trumps


@by_variant
def test_declarations(variant):
    """Exactly one a seat, from eldest round to the dealer; nothing is always among what may be said."""
    for deal, draw in deals(variant):
        deal.play(some_move(deal, draw))
        spoken = []
        while deal.phase.name == "declare":
            words = deal.phase.held(deal.declaring())
            legal = [str(move) for move in deal.legal()]
            assert len(legal) == len(set(legal)) == 2 ** len(words)
            assert legal[-1] == "declare none"
            assert sum(COMBINATIONS[word][1] for word in words) <= (25 if variant.players == 4 else 40)
            for word in COMBINATIONS:
                refusal = deal.refusal(f"declare {word}")
                assert (refusal is None) == (word in words)
            spoken.append(deal.turn)
            deal.play(some_move(deal, draw))
        assert spoken == [(deal.eldest + i) % deal.players for i in range(deal.players)]
        assert deal.turn == (deal.eldest + 1) % deal.players


@by_variant
def test_legal_cards_all_beat_or_none_does(variant):
    for deal, draw in deals(variant):
        while not deal.over:
            t = deal.table
            if deal.trick and deal.phase.name == "play":
                legal = Hand.of(move.cards[0] for move in deal.legal())
                partner = len(deal.trick) > 1 and deal.tricks.best(deal) == deal.trick[-2] and deal.players == 4
                assert t.partner == (deal.trick[-2].mask if len(deal.trick) > 1 and deal.players == 4 else 0)
                if variant.options.must_beat_partner or not partner:
                    assert legal & t.beaters in (0, legal)
            deal.play(some_move(deal, draw))


@by_variant
def test_points_and_scores(variant):
    for deal, draw in deals(variant):
        play_out(deal, draw)
        scores, t = deal.scores(), deal.table
        assert sum(scores) == sum(deal.settled.match.totals) == 0
        assert all(score % 5 == 0 for score in scores)
        assert sum(card_points(t)) == 78
        assert sum(bool(points) for points in majority(t)) <= 1
        if variant.players == 4:
            assert deal.tied == (card_points(t) == [39, 39])
        won = [event for event in deal.events if event.kind == "TrickWon"]
        by_two = [event for event in won if event.facts["card"].mask & TWOS]
        assert len(by_two) <= 4
        assert sum(twos.bit_count() for twos in t.twos) == len(by_two)
        for event in by_two:
            card = event.facts["card"]
            assert event.facts["number"] > 1 or card.mask & t.trumps
            assert card.mask & t.trumps or card.suit == event.facts["led"]
        told = sum(event.facts["points"] for event in deal.events if event.kind == "Two")
        lines = [line.points for line in deal.score_lines() if line.rule.startswith("spady.two.")]
        assert told == sum(lines)


@by_variant
def test_renaming_suits_changes_no_score(variant):
    """Any suits but hearts, which may count twice; the trump suit goes along."""
    for deal, draw in deals(variant, 4):
        play_out(deal, draw)
        names = dict(zip("SDC", draw.sample("SDC", 3), strict=True)) | {"H": "H"}

        def renamed(text, names=names):
            words = text.split()
            if words and words[0] == "declare":
                return text
            return " ".join(word[:-1] + names[word[-1]] for word in words)

        record = deal.record()
        record["hands"] = [renamed(hand) for hand in record["hands"]]
        record["moves"] = [renamed(move) for move in record["moves"]]
        record["trump"] = names[record["trump"]]
        if "turnup" in record:
            record["turnup"] = renamed(record["turnup"])
        assert load(record).scores() == deal.scores()


def test_swapping_the_sides_swaps_the_scores():
    for deal, draw in deals(cardlib.variant("spady"), 20):
        play_out(deal, draw)
        record = deal.record()
        record["hands"] = record["hands"][-1:] + record["hands"][:-1]
        record["dealer"] = (deal.dealer + 1) % 4
        if "match" in record:
            record["match"]["totals"].reverse()
        assert load(record).scores() == deal.scores()[::-1]


# --------------------------------------------------------------------------------------------------- what beats what

CHAINS = {
    "no trumps": [WinnerClass("a", lambda t: t.led)],
    "trumps": [WinnerClass("a", lambda t: t.trumps), WinnerClass("b", lambda t: t.led)],
    "two trump suits": [
        WinnerClass("a", lambda t: t.trumps),
        WinnerClass("b", lambda t: HEARTS),
        WinnerClass("c", lambda t: t.led),
    ],
    "a card above all": [WinnerClass("a", lambda t: 1 << Card.parse("7D")), WinnerClass("b", lambda t: t.led)],
}


def random_tables(count=3000):
    draw = random.Random(5)
    pack = list(cards_of(DECK))
    for _ in range(count):
        trick = draw.sample(pack, draw.randrange(1, 4))
        yield Table(trick=int(Hand.of(trick)), led=trick[0].suit.mask, leading=False, trumps=draw.choice(SUIT_MASKS))


@pytest.mark.parametrize("name", CHAINS)
def test_beaters_are_the_cards_that_would_win(name):
    chain = CHAINS[name]
    for t in random_tables():
        found = beaters(chain, t)
        for card in cards_of(DECK & ~t.trick):
            after = t.copy()
            after.trick |= card.mask
            assert bool(found & card.mask) == (winning(chain, after) == card.mask), (Hand(t.trick), card)


@pytest.mark.parametrize("name", CHAINS)
def test_beaters_of_many_tables_at_once(name):
    np = pytest.importorskip("numpy")
    from tests.engine.test_arrays import stacked

    tables = list(random_tables())
    many = stacked(Table, tables, ("trick", "led", "trumps"))
    assert beaters(CHAINS[name], many).tolist() == [beaters(CHAINS[name], t) for t in tables]
    assert many.trick.dtype == np.uint64


@by_variant
def test_scores_of_many_tables_at_once(variant):
    np = pytest.importorskip("numpy")
    from tests.engine.test_arrays import arrays_of

    ended = [play_out(deal, draw) for deal, draw in deals(variant, 60)]
    tables = [deal.table for deal in ended if deal.tricks.winners and deal.scoring is ended[0].scoring]
    many = arrays_of(type(tables[0]))()
    sides = range(len(tables[0].taken))

    def column(pick, kind=np.uint64):
        return np.array([pick(t) for t in tables], dtype=kind)

    many.taken = [column(lambda t, s=s: t.taken[s]) for s in sides]
    many.twos = [column(lambda t, s=s: t.twos[s]) for s in sides]
    many.last = [column(lambda t, s=s: t.last[s], bool) for s in sides]
    many.declared = {
        rule: [column(lambda t, s=s, rule=rule: t.declared[rule][s], np.int64) for s in sides]
        for rule in tables[0].declared
    }
    many.trumps, many.factor = column(lambda t: t.trumps), column(lambda t: t.factor, np.int64)
    many.end, many.before = tables[0].end, tables[0].before  # they are the same in all whole deals
    scores = ended[0].scoring.scores(many)
    assert np.array(scores).T.tolist() == [ended[0].scoring.scores(t) for t in tables]


# ---------------------------------------------------------------------------------------------------------- the rest


def test_the_cut_without_a_new_shuffle_is_told_to_everybody():
    deal = cardlib.deal("spady(open-cut)", seed=4)
    (told,) = deal.events
    assert (told.kind, told.rule) == ("Turned", "spady.deal.reshuffle")
    assert told.facts["seat"] == deal.dealer and Hand(deal.hands[deal.dealer]) & told.facts["card"].mask
    assert str(deal.trump) == deal.record()["trump"] == str(told.facts["card"])[1]


def test_the_same_seed_gives_the_same_deal_forever():
    deal = cardlib.deal("spady", seed=17)
    assert deal.record() == cardlib.deal("spady", seed=17).record()
    assert deal.record() == FIXED


FIXED = {
    "game": "spady",
    "trump": "S",
    "hands": [
        "AS KS QS 8S 7H 2H AD QD 2C",
        "JH 8H KD 9D 8D 2D QC TC 9C",
        "TS 9S KH QH TD AC KC JC 7C",
        "JS 7S 2S AH TH 9H JD 7D 8C",
    ],
    "moves": [],
}


def test_declared_words_in_any_order():
    hands = [
        "KS KH KD KC QS QH QD QC JS",
        "AS AH AD AC 2S 2H 2D 2C 7S",
        "JH JD JC TS TH TD TC 9S 9H",
        "9D 9C 8S 8H 8D 8C 7H 7D 7C",
    ]
    deal = load({"game": "spady", "trump": "S", "hands": hands, "moves": ["KH", "declare none"]})
    deal.play("declare blanche four-2 four-A")
    assert deal.record()["moves"][-1] == "declare four-A four-2 blanche"


@pytest.mark.parametrize(
    "move",
    ["declare", "declare none none", "declare none blanche", "declare three-T", "declare four-A four-A", "declare AS"],
)
def test_what_is_no_declaration_is_bad_input(move):
    deal = cardlib.deal("spady", seed=1)
    deal.play(deal.legal()[0])
    with pytest.raises(BadInput):
        deal.play(move)


def test_a_void_deal_is_dealt_again_by_the_same_dealer():
    hands = [
        "AH KH QH JH TH 9H 8H 7H 2H",
        "AS AD AC KS KD KC QS QD QC",
        "JS JD JC TS TD TC 9S 9D 9C",
        "8S 8D 8C 7S 7D 7C 2S 2D 2C",
    ]
    record = {"game": "spady", "trump": "H", "hands": hands, "options": {"opening_all_trumps": "redeal"}}
    deal = load(record | {"match": {"factor": 2}})
    assert deal.over and deal.finished and deal.scores() == [0, 0]
    assert deal.settled.match == deal.match
    with pytest.raises(IllegalMove, match=r"spady\.end\.over"):
        deal.play("AH")


def test_a_match_of_simple_players_goes_to_its_end():
    match = cardlib.Match(cardlib.variant("spady"), seed=9)
    while not match.over:
        deal = match.deal()
        while not deal.over:
            deal.play(choose(deal.view(deal.turn)).move)
        match.add(deal)
    assert match.number == 8
    assert sum(match.context.totals) == 0
    assert [entry.dealer for entry in match.history] == [3, 0, 1, 2, 3, 0, 1, 2]
