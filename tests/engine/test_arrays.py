"""One rule text, two evaluations: every rule function gives the same on ints and on NumPy arrays of many tables."""

import random
from collections import defaultdict

import pytest

from cardlib.cards import ALL, Hand
from cardlib.deal import GAMES
from cardlib.phases.tricks import TrickDeal, Tricks
from cardlib.rules import choices, deciding, winning
from tests.engine.play_outs import VECTORS, dealt, random_variant, some_move

np = pytest.importorskip("numpy")


def arrays_of(kind):
    """A table of arrays: the game's own table with the three functions that look at a value replaced."""

    class Arrays(kind):
        @staticmethod
        def pick(condition, a, b):
            if isinstance(a, int) and isinstance(b, int) and max(a, b) >= 1 << 63:  # two masks, no points
                a, b = np.uint64(a), np.uint64(b)
            return np.where(condition, a, b)

        @staticmethod
        def count(mask):
            return np.bitwise_count(mask).astype(np.int64)

        @staticmethod
        def top(mask):
            for shift in (1, 2, 4, 8, 16, 32):
                mask = mask | mask >> np.uint64(shift)
            return mask ^ mask >> np.uint64(1)

    return Arrays


def stacked(kind, tables, names):
    """The flags `names` of many tables as arrays."""
    stack = arrays_of(kind)()
    for name in names:
        values = [getattr(table, name) for table in tables]
        if isinstance(values[0], list):
            by_side = zip(*values, strict=True)
            setattr(stack, name, [np.array(side, dtype=np.uint64) for side in by_side])
        else:
            setattr(stack, name, np.array(values, dtype=bool if isinstance(values[0], bool) else np.uint64))
    stack.winners = tables[0].winners
    return stack


def positions(variant, deals=40):
    """Tables before each play of random deals, with the legal cards, by the kind of play and its rules."""
    draw = random.Random(str(variant))
    found = defaultdict(list)
    for _ in range(deals):
        deal = dealt(variant, draw)
        deal.logging = False
        while deal.turn is not None:
            if isinstance(deal.phase, Tricks):
                table = deal.table.copy()
                table.hand = deal.hands[deal.turn]
                legal = sum(move.mask for move in deal.legal())
                found[table.leading, table.number == 1, deal.tricks].append((table, legal))
            deal.push(some_move(deal, draw))
    return found


VARIANTS = [
    pytest.param(random_variant(game, random.Random(f"{name} {number}")), id=f"{name}-{number}")
    for name, game in GAMES.items()
    if issubclass(game.deal, TrickDeal)
    for number in range(25)
]
FLAGS = {
    "ambition": ("hand", "led", "trick", "first_two"),
    "hearts": ("hand", "led", "trick", "broken", "low_club"),
    "primer": ("hand", "led", "trick", "trumps"),
    "quint": ("hand", "led", "trick"),
    "quodlibet": ("hand", "led", "trick"),
    "solo-whist": ("hand", "led", "trick", "trumps"),
    "spady": ("hand", "led", "trick", "trumps", "partner"),
}
#: The games whose score is tried here on random piles of cards; the others have tests of their own.
PILES = ("hearts",)


@pytest.mark.parametrize("variant", VARIANTS)
def test_obligations_and_winner_classes(variant):
    seen = 0
    for (leading, first, tricks), rows in positions(variant).items():
        tables, legal = zip(*rows, strict=True)
        many = stacked(type(tables[0]), tables, FLAGS[variant.game.id])
        chain = tricks.chain.obligations[leading][first]
        assert choices(chain, many).tolist() == list(legal)
        assert [choices(chain, table) for table in tables] == list(legal)
        for obligation in chain:
            one_by_one = [obligation.mask(table) for table in tables]
            assert np.broadcast_to(obligation.mask(many), len(tables)).tolist() == one_by_one
        if not leading:
            best = winning(tricks.winners, many).tolist()
            assert best == [winning(tricks.winners, table) for table in tables]
            assert best == [1 << deciding(tricks.winners, table)[0] for table in tables]
        seen += len(rows)
    assert seen > 250  # deals may end early, or be thrown in


@pytest.mark.parametrize("variant", [param for param in VARIANTS if param.values[0].game.id in PILES])
def test_score_rules(variant):
    draw = random.Random(str(variant))
    deal = dealt(variant, draw)
    tables = []
    for _ in range(2000):
        # Random piles; of three or four of five, one side has all the penalty cards, or nearly, or everything.
        table = deal.table.copy()
        shooter = draw.randrange(deal.players)
        taken = [0] * deal.players
        kind = draw.randrange(5)
        for card in Hand(deal.pack):
            penalty = card.mask & deal.options.penalty
            own = kind == 0 or (kind in (1, 2) and penalty) or (kind == 3 and penalty and draw.random() < 0.97)
            taken[shooter if own else draw.randrange(deal.players)] |= card.mask
        if kind == 2:
            other = draw.randrange(deal.players)
            taken[shooter], taken[other] = taken[shooter] | taken[other], 0 if other != shooter else taken[other]
        table.taken = taken
        table.ended, table.others_pay = draw.random() < 0.9, draw.random() < 0.5
        tables.append(table)
    many = stacked(type(tables[0]), tables, ("taken", "ended", "others_pay"))
    scores = deal.scoring.scores(many)
    expected = [deal.scoring.scores(table) for table in tables]
    got = np.array([np.broadcast_to(side, len(tables)) for side in scores]).T.tolist()
    assert got == expected
    deal.scoring.find(many)
    for rule in deal.scoring.rules:
        if rule.shown:
            for side, shown in enumerate(rule.shown(many)):
                assert shown.tolist() == [bool(rule.shown(table)[side]) for table in tables]
    if variant.game.id == "hearts":
        assert sum(any(table.shooter) for table in tables) > 200


def test_a_complement_stays_in_the_mask():
    assert ALL ^ ALL == 0
    assert int(np.uint64(5) ^ ALL) == ALL ^ 5
    assert VECTORS.is_dir()
