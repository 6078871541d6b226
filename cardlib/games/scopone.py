"""Scopone: four players, two against two; no tricks, but cards that capture others from the table by their value.

The file follows the rule sheet: options, pack and deal, captures, play, sweeps, points, the end of a match.  Rule ids
are those of the rule book (`cardlib/text/*/scopone.md`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

from cardlib.cards import DIAMONDS, SIDES, SUIT_MASKS, Card, Hand, Seat, cards_of
from cardlib.deal import Context, Count, Deal, Event, Game, Move, ScoreLine, Settled, added, register
from cardlib.errors import BadInput, shortly
from cardlib.options import Options, Variant, option
from cardlib.phases.fishing import CARDS, OF_VALUE, Fishing, FishingView, Judged, ban, by_value, sums, value, worth
from cardlib.reading import NATURAL, card_set, disjoint, mapping, numbers, strings, whole, written
from cardlib.seeds import Random

# ----------------------------------------------------------------------------------------------------------- options


@dataclass(frozen=True)
class ScoponeOptions(Options):
    """What can be changed about Scopone."""

    deal: str = option("nine-four", "scientifico", rules="scopone.deal.packets scopone.deal.scientifico", group="deal")
    fewest_cards: bool = option(
        False, True, rules="scopone.capture.sum-choice scopone.capture.fewest-cards", group="play"
    )
    sum_capture: str = option("mandatory", "optional", rules="scopone.capture.sum-must", group="play")
    ace_takes_all: bool = option(False, True, rules="scopone.capture.ace-takes-all", group="play")
    final_play_sweep: str = option("counts", "never", rules="scopone.sweep.final-play", group="play")
    ace_sweep: str = option("no-sweep", "scores", rules="scopone.sweep.ace", group="play")
    prime_mode: str = option("primiera", "most-sevens", rules="scopone.prime.most-sevens", group="score")
    prime_missing_suit: str = option(
        "suits-first", "zero", "no-point", rules="scopone.prime.missing-suit", group="score"
    )
    re_bello: bool = option(False, True, rules="scopone.score.re-bello", group="score")
    napola: bool = option(False, True, rules="scopone.score.napola", group="score")
    target_score: int = option(11, 16, 21, 31, rules="scopone.match.target", group="end")
    both_reach: str = option("higher-then-play-on", "count-order", rules="scopone.match.both-reach", group="end")

    anticlockwise: ClassVar = True
    presets: ClassVar[Mapping[str, Mapping[str, Any]]] = {
        "seed": {},
        "traditional": {"final_play_sweep": "never"},
        "scientifico": {"deal": "scientifico", "target_score": 21},
    }

    def idle(self, players: int) -> dict[str, str]:
        reasons = {} if self.ace_takes_all else {"ace_sweep": "no-ace-takes-all"}
        return reasons if self.prime_mode == "primiera" else reasons | {"prime_missing_suit": "no-prime"}


# ----------------------------------------------------------------------------------------------------- pack and deal

ACE, SEVENS, KINGS = 1, OF_VALUE[7], OF_VALUE[10]
SETTEBELLO, RE_BELLO = SEVENS & DIAMONDS, KINGS & DIAMONDS
#: So many kings on the table, and the cards are dealt again.
MISDEAL = 3
#: Round by round, how many cards each player gets, and how many are then turned up on the table.
PACKETS = {"nine-four": ((3, 2), (3, 2), (3, 0)), "scientifico": ((3, 0), (3, 0), (3, 0), (1, 0))}


def packets(cards: list[Card], rounds: Iterable[tuple[int, int]], seats: Sequence[int]) -> tuple[list[int], int]:
    """Deal in packets, beginning with the first of the seats: the hands and the table."""
    hands, table, left = [0] * len(seats), 0, iter(cards)
    for each, up in rounds:
        for seat in seats:
            hands[seat] |= Hand.of(next(left) for _ in range(each))
        table |= Hand.of(next(left) for _ in range(up))
    return hands, table


# ---------------------------------------------------------------------------------------------------------- captures


def captures(options: ScoponeOptions, card: Card, table: int) -> tuple[Hand, ...]:
    """All that a card can capture: an equal card, else a sum; none, and it stays on the table."""
    equal = cards_of(table & OF_VALUE[value(card)])
    if equal:
        return tuple(Hand(card.mask) for card in equal)
    if options.ace_takes_all and value(card) == ACE:
        return (Hand(table),) if table else ()
    found = sums(table, value(card))
    return tuple(cards for cards in found if len(cards) == len(found[0])) if options.fewest_cards else found


def ace_takes_less(deal: ScoponeDeal, it: Judged) -> bool:
    """An ace that should take the whole table."""
    return deal.options.ace_takes_all and it.value == ACE and not it.equal and it.cards != deal.table


def may_stay(deal: ScoponeDeal, it: Judged) -> bool:
    return not it.ways or deal.options.sum_capture == "optional"


#: What a card may not do, in the order in which a refusal names it.
BANS = (
    ban("scopone.play.own-card", lambda deal, it: not it.held),
    ban("scopone.capture.on-table", lambda deal, it: it.missing),
    ban("scopone.capture.equal-must", lambda deal, it: it.equal and not it.cards),
    ban("scopone.capture.equal-one", lambda deal, it: it.equal & it.cards and len(it.cards) > 1),
    ban("scopone.capture.equal-before-sum", lambda deal, it: it.equal and not it.equal & it.cards),
    ban("scopone.capture.ace-takes-all", ace_takes_less),
    ban("scopone.capture.one-combination", lambda deal, it: it.groups),
    ban("scopone.capture.sum-exact", lambda deal, it: not it.exact),
    ban("scopone.capture.fewest-cards", lambda deal, it: it.cards and it.cards not in it.ways),
    ban("scopone.capture.sum-must", lambda deal, it: not it.cards and not may_stay(deal, it)),
)
PLAY = Fishing(BANS, stays="scopone.play.stays")

# ------------------------------------------------------------------------------------------------------------ points

#: What the cards count for the prime, by rank.
PRIME_POINTS = {7: 21, 6: 18, 14: 16, 5: 15, 4: 14, 3: 13, 2: 12, 11: 10, 12: 10, 13: 10}
PRIME_OF = {card: PRIME_POINTS[card.rank] for card in cards_of(CARDS)}


class Prime(NamedTuple):
    """The prime of a pile: the best card of each suit, their points, and how many suits there are."""

    champions: Hand
    points: int
    suits: int


def prime(pile: int) -> Prime:
    """Of each suit the best card of the pile."""
    suits = [cards_of(pile & suit) for suit in SUIT_MASKS if pile & suit]
    best = Hand.of(max(cards, key=PRIME_OF.__getitem__) for cards in suits)
    return Prime(best, sum(PRIME_OF[card] for card in best), len(suits))


def prime_rank(options: ScoponeOptions, its: Prime) -> tuple[int, ...]:
    """What is compared of two primes, the higher one wins."""
    if options.prime_missing_suit == "suits-first":
        return its.suits, its.points
    return (0 if options.prime_missing_suit == "no-point" and its.suits < len(SUIT_MASKS) else its.points,)


def napola(pile: int) -> Hand:
    """The unbroken run of diamonds from the ace, if it has three cards or more."""
    run = 0
    for card in by_value(cards_of(CARDS & DIAMONDS)):
        if not pile & card.mask:
            break
        run |= card.mask
    return Hand(run) if run.bit_count() >= 3 else Hand(0)


def majority(rule: str, ranks: Sequence[Any], cards: Sequence[int], values: Sequence[int]) -> Count:
    """A point for the side that has more."""
    return Count(rule, [int(ranks[0] > ranks[1]), int(ranks[1] > ranks[0])], cards, values)


def most(rule: str, piles: Sequence[int], of: int = 0) -> Count:
    """A point for more cards of a kind, or just for more cards."""
    numbers = [int.bit_count(pile & (of or CARDS)) for pile in piles]
    return majority(rule, numbers, [pile & of for pile in piles], numbers)


def each(rule: str, points: Sequence[int], cards: Sequence[int] = (0, 0)) -> Count:
    """So many points for each side."""
    return Count(rule, points, cards, points)


def higher_prime(options: ScoponeOptions, piles: Sequence[int]) -> Count:
    primes = [prime(pile) for pile in piles]
    ranks = [prime_rank(options, its) for its in primes]
    champions, points = [its.champions for its in primes], [its.points for its in primes]
    return majority("scopone.score.prime", ranks, champions, points)._replace(worth=PRIME_OF)


def counts(options: ScoponeOptions, piles: Sequence[int], sweeps: Sequence[int]) -> Iterator[Count]:
    """What brings points when a deal is over, in the order in which it is counted."""
    yield most("scopone.score.cards", piles)
    yield most("scopone.score.diamonds", piles, DIAMONDS)
    yield most("scopone.score.settebello", piles, SETTEBELLO)
    if options.re_bello:
        yield most("scopone.score.re-bello", piles, RE_BELLO)
    if options.prime_mode == "most-sevens":
        yield most("scopone.prime.most-sevens", piles, SEVENS)
    else:
        yield higher_prime(options, piles)
    if options.napola:
        runs = [napola(pile) for pile in piles]
        yield each("scopone.score.napola", [len(run) for run in runs], runs)
    yield each("scopone.score.sweeps", sweeps)


def scored(options: ScoponeOptions, piles: Sequence[int], sweeps: Sequence[int]) -> list[ScoreLine]:
    """The lines of a finished deal, in the order in which they are counted."""
    return [line for count in counts(options, piles, sweeps) for line in count.lines(SIDES)]


# ------------------------------------------------------------------------------------------------ the end of a match


@dataclass(frozen=True)
class ScoponeContext(Context):
    """By side: `totals` of the match."""

    totals: tuple[int, ...] = (0,)

    def check(self, variant: Variant) -> None:
        if min(self.totals) < 0 or (max(self.totals) >= variant.options.target_score and len(set(self.totals)) > 1):
            raise BadInput("match-won", "totals of match: this match is over already, or never was", key="totals")


def settle(
    variant: Variant, match: ScoponeContext, scores: Sequence[int], reached: Sequence[int] | None = None
) -> Settled:
    """Add the scores of a finished deal; say who has won the match.  `reached` says for each side with which of the
    counted lines it came to the target, where that decides."""
    options, limit = variant.options, variant.options.target_score
    totals = added(match.totals, scores)
    there = [side for side in SIDES if totals[side] >= limit]
    both, rule = len(there) == 2, "scopone.match.both-reach" if len(there) == 2 else "scopone.match.target"
    ranks: Sequence[Any] = totals
    if both and options.both_reach == "count-order":
        if reached is None:
            raise BadInput("reached", "reached: both sides are at the target, which came first?", key="reached")
        ranks = [(-reached[side], totals[side]) for side in SIDES]
    if not there or (both and ranks[0] == ranks[1]):
        kind, facts = ("Tie", {"total": max(totals)}) if both else ("GoesOn", {})
        return Settled(ScoponeContext(totals), None, (Event(kind, rule, {"limit": limit, **facts}),))
    winner = SIDES[ranks[0] < ranks[1]]
    won = Event("Won", rule, {"side": winner, "total": totals[winner], "limit": limit})
    return Settled(ScoponeContext(totals), (int(winner),), (won,))


# ---------------------------------------------------------------------------------------------------------- the deal


class ScoponeDeal(Deal):
    """A deal of Scopone.

    `table` the cards on the table, as a mask · `taken` the pile of each side · `sweeps` by side · `last_capture` the
    side that has captured last.
    """

    __slots__ = ("last_capture", "sweeps", "table", "taken")
    record_keys = frozenset({"table"})
    position_keys = frozenset({"last_capture", "sweeps", "table", "taken", "turn"})
    outcomes: ClassVar = {"scores": None, "reached": ()}
    named = CARDS
    options: ScoponeOptions
    match: ScoponeContext

    # -- the cards

    @classmethod
    def pack_of(cls, variant: Variant) -> int:
        return CARDS

    @classmethod
    def badge(cls, card: Card) -> str:
        """The value of a court card, which does not show it."""
        return str(value(card)) if value(card) > 7 else ""

    @classmethod
    def shuffled(cls, variant: Variant, seed: int, dealer: int) -> dict[str, Any]:
        """Dealt again as long as it is a misdeal."""
        random, players = Random(seed, "cards"), variant.players
        seats = [(dealer + 1 + i) % players for i in range(players)]
        table = KINGS
        while (table & KINGS).bit_count() >= MISDEAL:
            cards = random.shuffled(list(cards_of(CARDS)))
            hands, table = packets(cards, PACKETS[variant.options.deal], seats)
        return {"hands": [written(hand) for hand in hands], "table": written(table)}

    def setup(self, dealt: Mapping[str, Any]) -> None:
        hands = strings("hands", dealt.get("hands"), self.players)
        self.hands = [card_set("hands", hand, CARDS) for hand in hands]
        self.dealt = {"hands": [written(hand) for hand in self.hands]}
        self.turn = self.eldest
        self.taken, self.sweeps = [0, 0], [0, 0]
        self.last_capture: int | None = None
        if "position" in dealt:
            if "table" in dealt:
                raise BadInput("key", "table: a position says itself what lies there", key="table", where="record")
            self.dealt["position"] = self._place(mapping("position", dealt["position"], self.position_keys))
        else:
            self.table = card_set("table", dealt.get("table", ""), CARDS)
            self.dealt |= {"table": written(self.table)} if self.table else {}
            self._check_whole()
        disjoint(hands=self.hands, table=[self.table], taken=self.taken)

    def _check_whole(self) -> None:
        """The numbers of cards of a whole deal, and that it is no misdeal."""
        size, up = map(sum, zip(*PACKETS[self.options.deal], strict=True))
        if any(hand.bit_count() != size for hand in self.hands):
            raise BadInput("hands", f"hands must hold {size} cards each", key="hands", count=size)
        if self.table.bit_count() != up:
            raise BadInput("table", f"the table must hold {up} cards", key="table", count=up)
        if (self.table & KINGS).bit_count() >= MISDEAL:
            raise BadInput("misdeal", f"misdeal: {MISDEAL} or more kings on the table", count=MISDEAL)

    def _place(self, position: Mapping[str, Any]) -> dict[str, Any]:
        """Take the keys of a position and return it as it is written; `BadInput` names the key."""
        self.table = card_set("table", position.get("table", ""), CARDS)
        self.turn = whole("turn", position.get("turn", self.eldest), range(self.players))
        self.taken = [card_set("taken", pile, CARDS) for pile in strings("taken", position.get("taken", ["", ""]), 2)]
        self.sweeps = list(numbers("sweeps", position.get("sweeps", [0, 0]), 2, NATURAL))
        last = position.get("last_capture")
        self.last_capture = None if last is None else whole("last_capture", last, SIDES)
        sizes = [self.hands[(self.turn + i) % self.players].bit_count() for i in range(self.players)]
        if not sizes[0] or sizes != sorted(sizes, reverse=True) or sizes[0] - sizes[-1] > 1:
            raise BadInput("sizes", "hands of sizes that do not fit the turn", key="hands")
        as_written = {"table": written(self.table), "taken": [written(pile) for pile in self.taken]}
        return {key: as_written.get(key, value) for key, value in position.items()}

    def begin(self) -> None:
        self.phase = PLAY

    # -- moves

    @classmethod
    def _parsed(cls, text: object) -> Move:
        words = text.split() if isinstance(text, str) else []
        if len(words) < 3 or words[1] != "takes":
            return super()._parsed(text)
        card, *takes = (cls._card(word, text) for word in (words[0], *words[2:]))
        if len(set(takes)) < len(takes):
            raise BadInput("move", f"no move of this game: {shortly(text)}, duplicate card", move=text)
        return Move("play", (card,), takes=tuple(takes))

    def out_of_phase(self, move: Move) -> str:
        return "scopone.end.hands-empty"

    # -- a capture, a sweep, the end

    def captures(self, card: Card) -> tuple[Hand, ...]:
        """All that a card can capture now."""
        return captures(self.options, card, self.table)

    def capture(self, seat: Seat, card: Card, cards: Hand) -> None:
        """A card takes others: both go to the pile of the side."""
        side, facts = SIDES[self.side(seat)], {"seat": seat, "card": card, "cards": cards, "value": value(card)}
        self.log("Captured", self._why(card, cards), facts)
        cleaned = worth(cards) != value(card)  # by an ace that takes all
        self.table ^= cards
        self.taken[side] |= card.mask | cards
        self.last_capture = int(side)
        if self.table:
            return
        if cleaned and self.options.ace_sweep == "no-sweep":
            self.log("NoSweep", "scopone.sweep.ace", facts | {"side": side})
        elif self.options.final_play_sweep == "never" and not any(self.hands):
            self.log("NoSweep", "scopone.sweep.final-play", facts | {"side": side})
        else:
            self.sweeps[side] += 1
            self.log("Swept", "scopone.sweep.point", facts | {"side": side})

    def _why(self, card: Card, cards: Hand) -> str:
        """The rule by which the card captures just these."""
        several = len(self.captures(card)) > 1
        if worth(cards) != value(card):
            return "scopone.capture.ace-takes-all"
        if len(cards) == 1:
            return "scopone.capture.equal-one" if several else "scopone.capture.equal-must"
        return "scopone.capture.sum-choice" if several else "scopone.capture.sum-exact"

    def end(self) -> None:
        """All hands are empty: who has captured last gets what is left, then the piles are counted."""
        self.turn, self.phase, self.finished = None, None, True
        if self.table and self.last_capture is not None:
            facts = {"side": SIDES[self.last_capture], "cards": Hand(self.table)}
            self.log("LeftOver", "scopone.end.leftover", facts)
            self.taken[self.last_capture] |= self.table
            self.table = 0
        for line in self.score_lines():
            self.log("Scored", line.rule, line.facts)
        if self.logging:
            self.events += self.settled.events

    # -- the score

    def score_lines(self) -> list[ScoreLine]:
        if not self.finished:
            return list(each("scopone.score.sweeps", self.sweeps).lines(SIDES))
        return scored(self.options, self.taken, self.sweeps)

    def counts(self) -> list[Count]:
        return list(counts(self.options, self.taken, self.sweeps)) if self.finished else []

    def seen_lines(self, seat: int) -> list[ScoreLine]:
        return self.score_lines()  # sweeps are made before all eyes, and the piles are counted openly

    def outcome(self) -> dict[str, Any]:
        scores = self.scores()
        totals = added(self.match.totals, scores)
        decides = self.options.both_reach == "count-order" and min(totals) >= self.options.target_score
        return {"scores": scores} | ({"reached": self._reached()} if decides else {})

    def _reached(self) -> list[int]:
        """For each side how many lines had been counted when it came to the target; sweeps are counted together."""
        totals, places = list(self.match.totals), [0, 0]
        for place, line in enumerate(self.score_lines(), 1):
            if totals[line.side] < self.options.target_score:
                totals[line.side] += line.points
                places[line.side] = 100 if line.rule == "scopone.score.sweeps" else place
        return places

    def view(self, seat: int) -> FishingView:
        return FishingView(self, seat)


GAME = register(Game("scopone", ScoponeOptions, ScoponeDeal, ScoponeContext, settle, partners=True, kinds=("capture",)))
