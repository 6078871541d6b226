"""What holds of every game: the contract of `Deal`, on random deals of all presets and many random variants."""

import json
import random
from functools import cache
from itertools import chain, islice

import pytest

from cardlib.cards import Card, Hand
from cardlib.deal import GAMES, Deal, IllegalMove, Move
from cardlib.errors import BadInput
from cardlib.match import Match
from cardlib.phases.tricks import TrickDeal
from cardlib.record import dump, load, run_check
from tests.engine.play_outs import dealt, facts_of, on_table, play_out, presets, some_move, variants

VARIANTS = variants()
by_variant = pytest.mark.parametrize("variant", VARIANTS, ids=str)


@cache
def played(variant, seed=0) -> Deal:
    """A deal of the variant played at random to its end."""
    draw = random.Random(f"{variant} {seed}")
    return play_out(dealt(variant, draw), draw)


def steps(variant, seed=0):
    """The same deal before each of its moves, with the move."""
    whole = played(variant, seed)
    deal = load(whole.record() | {"moves": []})
    for move in whole.moves:
        yield deal, move
        deal.play(move)


def moves_of(deal, *texts):
    """The texts that are moves of the deal's game at all."""
    cards = [text for text in texts if len(text) == 2 and deal.named & Card.parse(text).mask]
    return cards + [text for text in texts if text.split()[0] in deal.verbs]


@by_variant
def test_cards_are_conserved(variant):
    for deal, _ in steps(variant):
        given = [0 if cards is None else Hand.of(cards) for cards in getattr(deal, "given", [])]
        passing = given if deal.phase.name == "pass" else []
        parts = [*deal.hands, *deal.taken, on_table(deal), deal.left_over, *passing]
        union = 0
        for part in parts:
            assert union & part == 0
            union |= part
        assert union == deal.pack_of(variant)


@by_variant
def test_who_is_on_turn_has_a_legal_move(variant):
    for deal, _ in steps(variant):
        assert 0 <= deal.turn < deal.players
        assert not deal.over
        moves = deal.legal()
        assert len(moves) > 0
        assert moves[0] in moves
    assert played(variant).turn is None
    assert played(variant).over
    assert len(played(variant).legal()) == 0


@by_variant
def test_exactly_the_legal_moves_are_not_refused(variant):
    draw = random.Random(str(variant))
    for deal, _ in steps(variant):
        legal = {str(move) for move, _ in zip(deal.legal(), range(300), strict=False)}
        for text in legal:
            assert deal.refusal(text) is None
        few = len(deal.legal()) <= 300
        cards = [str(card) for card in Hand(deal.pack_of(variant))]
        given = moves_of(deal, "give {} {} {}", "give {} {} {} {}", "discard {}")
        tries = cards + [text.format(*draw.sample(cards, 4)) for text in given]
        if deal.board == "fishing":
            lying = [str(card) for card in Hand(on_table(deal) | Card.parse(cards[0]).mask)]
            for card in Hand(deal.hands[deal.turn]):
                tries += [f"{card} takes {' '.join(draw.sample(lying, n))}" for n in range(1, min(len(lying), 4) + 1)]
        tries += [verb for verb, follows in deal.verbs.items() if follows == ""]
        tries += [f"{verb} {word}" for verb, words in deal.verbs.items() if isinstance(words, tuple) for word in words]
        for text in tries:
            canonical = deal.parse(text)
            refusal = deal.refusal(text)
            if few:
                assert (refusal is None) == (str(canonical) in legal), text
            assert (canonical in deal.legal()) == (refusal is None), text


@by_variant
def test_a_refused_move_changes_nothing(variant):
    for deal, _ in islice(steps(variant), 0, None, 7):
        before = facts_of(deal)
        for text in moves_of(deal, "2H", "QS", "AC", "give 2C 2C 2C", "discard"):
            refusal = deal.refusal(text)
            if refusal:
                with pytest.raises(IllegalMove, match=refusal.rule):
                    deal.play(text)
        for nonsense in ["", "1S", "fold", "2C 3C", "give JKR 2C 3C", "moon", "moon all", "forward 2C", "annul now"]:
            with pytest.raises(BadInput):
                deal.play(nonsense)
            with pytest.raises(BadInput):
                deal.refusal(nonsense)
        assert facts_of(deal) == before


@by_variant
def test_a_record_gives_the_deal_back(variant):
    whole = played(variant)
    assert facts_of(load(dump(whole))) == facts_of(whole)
    for deal, _ in islice(steps(variant), 0, None, 9):
        record = deal.record()
        assert json.loads(json.dumps(record)) == record
        again = load(record)
        assert facts_of(again) == facts_of(deal)


@by_variant
def test_a_record_shares_nothing_with_the_deal(variant):
    deal = played(variant)
    before = facts_of(deal)
    record = deal.record()
    record["hands"].clear()
    record["moves"].clear()
    assert facts_of(deal) == before
    given = deal.record() | {"moves": []}
    fresh = load(given)
    given["hands"][0] = ""
    assert fresh.record()["hands"] == deal.record()["hands"]


@by_variant
def test_undo_goes_back_step_by_step(variant):
    whole = played(variant)
    deal = whole.copy()
    states = [facts_of(before) for before, _ in steps(variant)]
    for expected in reversed(states[1:][-12:]):  # the first move is left for below
        deal.undo()
        assert facts_of(deal)[:8] == expected[:8]  # all but the record, which may know what a smoosh gave
    with pytest.raises(BadInput):
        deal.undo(0)
    with pytest.raises(BadInput):
        deal.undo(len(deal.moves) + 1)
    deal.undo(len(deal.moves))
    assert deal.moves == []
    assert deal.hands == load(whole.record() | {"moves": []}).hands


@by_variant
def test_after_undo_other_moves_can_be_made(variant):
    draw = random.Random(1)
    deal = dealt(variant, draw)
    play_out(deal, draw)
    deal.undo(len(deal.moves))
    play_out(deal, draw)
    assert deal.over
    assert facts_of(load(deal.record())) == facts_of(deal)


@by_variant
def test_a_copy_is_independent(variant):
    whole = played(variant)
    for deal, _ in islice(steps(variant), 0, None, 11):
        before = facts_of(deal)
        twin = deal.copy()
        assert facts_of(twin) == before
        for move in whole.moves[len(deal.moves) :]:
            twin.play(move)
        assert facts_of(twin) == facts_of(whole)
        assert facts_of(deal) == before


@by_variant
def test_push_does_what_play_does(variant):
    whole = played(variant)
    quiet = load(whole.record() | {"moves": []})
    quiet.logging = False
    told = list(quiet.events)  # what the dealing itself has told
    for move in whole.moves:
        quiet.push(move)
    assert quiet.events == told
    assert (quiet.scores(), quiet.settled, quiet.record()) == (whole.scores(), whole.settled, whole.record())


@by_variant
def test_play_returns_the_events_it_causes(variant):
    whole = played(variant)
    deal = load(whole.record() | {"moves": []})
    told = list(deal.events)
    for move in whole.moves:
        told += deal.play(str(move))
    assert told == deal.events == whole.events


@by_variant
def test_scores_are_the_sums_of_the_lines(variant):
    for deal, _ in chain(islice(steps(variant), 0, None, 5), [(played(variant), None)]):
        sums = [0] * deal.game.sides(deal.players)
        for line in deal.score_lines():
            sums[line.side] += line.points
            assert line.facts["points"] == line.points
        assert sums == deal.scores()
        if isinstance(deal, TrickDeal):  # which may score at once, trick by trick, or by the table
            for line in deal.scored:
                sums[line.side] -= line.points
            assert sums == deal.scoring.scores(deal.table)


@by_variant
def test_settling_the_scores_is_what_the_end_of_the_deal_does(variant):
    deal = played(variant)
    assert deal.finished
    record = deal.record()
    check = {key: record[key] for key in ("game", "options", "players", "match") if key in record}
    expect = {"match": deal.settled.match.data(), "result": deal.settled.result and list(deal.settled.result)}
    if "annul" in map(str, deal.moves):
        assert deal.settled.match == deal.match
        assert deal.scores() == [0] * deal.players
    else:
        assert run_check(check | {"kind": "settle", "expect": expect} | deal.outcome()) == []


@by_variant
def test_turning_the_seats_turns_the_results(variant):
    if variant.game.sides(variant.players) != variant.players:
        pytest.skip("sides are no seats")
    whole = played(variant)
    for k in (1, variant.players - 1):

        def turned(items, k=k):
            return [items[(place - k) % len(items)] for place in range(len(items))]

        record = whole.record()
        record["hands"] = turned(record["hands"])
        record["dealer"] = (whole.dealer + k) % whole.players
        if "smoosh" in record:
            record["smoosh"] = turned(record["smoosh"])
        for key, value in record.get("match", {}).items():
            if isinstance(value, list):
                record["match"][key] = turned(value)
        again = load(record)
        assert again.scores() == turned(whole.scores())
        assert list(again.settled.match.totals) == turned(whole.settled.match.totals)
        if whole.settled.result is not None:
            assert sorted((seat + k) % whole.players for seat in whole.settled.result) == list(again.settled.result)


@by_variant
def test_every_answer_has_a_sentence_in_both_languages(variant):
    from cardlib.text import messages

    for lang in ("en", "ja"):
        say = messages(lang)
        names = [f"N{seat}" for seat in range(variant.players)]
        for deal, _ in islice(steps(variant), 0, None, 5):
            for text in moves_of(deal, "2H", "QS", "5D", "give 2C", "forward", "discard 2C 2D", "annul"):
                refusal = deal.refusal(text)
                if refusal:
                    assert say.say(f"refusal {refusal.rule}", names=names, **refusal.facts)
        for seat in (None, 0, 1):
            events = played(variant).events if seat is None else played(variant).view(seat).events
            for event in events:
                kind = "score" if event.kind == "Scored" else f"event {event.kind}"
                assert say.say(f"{kind} {event.rule}".strip(), names=names, **event.facts), event
        for line in played(variant).score_lines():
            assert say.say(f"score {line.rule}", names=names, **line.facts)


@pytest.mark.parametrize("game", GAMES)
def test_a_match_goes_to_its_end(game):
    draw = random.Random(3)
    for variant in [v for v in VARIANTS if v.game.id == game][::3]:
        match = Match(variant, seed=draw.getrandbits(64))
        for _ in range(100):
            deal = play_out(match.deal(), draw, logging=False)
            number, dealer = match.number, match.dealer
            match.add(deal)
            assert match.number == number + 1
            after = deal.settled.next  # where the game itself says who deals
            again = deal.settled.match == deal.match
            named = [dealer if again else (dealer + 1) % variant.players, after.get("dealer"), *after.get("draw", ())]
            assert match.dealer in named[1:] if after and not match.over else match.dealer == named[0]
            if match.over:
                break
        if variant in list(presets(GAMES[game])) and variant.options.changed().get("game_end") != "open":
            assert match.over
        if match.over:
            with pytest.raises(BadInput):
                match.add(deal)


def test_a_match_takes_no_unfinished_deal():
    match = Match(VARIANTS[0], seed=1)
    deal = match.deal()
    with pytest.raises(BadInput):
        match.add(deal)
    excerpt = load(
        {
            "game": "hearts",
            "hands": ["2D", "3D", "4D", "5D"],
            "position": {"leader": 0, "trick_number": 3, "last_trick": False},
        }
    )
    for card in ("2D", "3D", "4D", "5D"):
        excerpt.play(card)
    assert excerpt.over
    with pytest.raises(BadInput):
        match.add(excerpt)


def test_moves_are_values():
    assert (
        Move("play", (Hand.parse("QS").__iter__().__next__(),))
        == load(
            {"game": "hearts", "hands": ["QS", "3D", "4D", "5D"], "position": {"leader": 0, "trick_number": 3}}
        ).legal()[0]
    )
    assert len({Move("forward"), Move("forward")}) == 1


def test_hostile_moves_do_not_come_in_as_objects():
    deal = load({"game": "hearts", "hands": ["QS", "3D", "4D", "5D"], "position": {"leader": 0, "trick_number": 3}})
    for move in (Move("moon", word="everything"), Move("fold"), Move("give", (0,)), 7, None, ["QS"]):
        with pytest.raises(BadInput):
            deal.play(move)


def test_some_move_is_legal():
    draw = random.Random(5)
    deal = dealt(VARIANTS[0], draw)
    assert some_move(deal, draw) in deal.legal()


def test_a_deal_names_its_attributes():
    with pytest.raises(TypeError, match="__slots__"):
        type("Careless", (Deal,), {})
