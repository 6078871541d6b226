"""Quodlibet: twelve deals, each another contract, for four players, everybody for himself; points are penalties.

The file follows the rule sheet: options, pack and deal, choice of the contract, Snack, score and end, and the deal.
What the tricks of the other eleven contracts count stands in `cardlib.games.quodlibet_contracts`.  Rule ids are those
of the rule book (`cardlib/text/*/quodlibet.md`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Any, ClassVar

from cardlib.cards import SEATS, Card, Hand, Seat, of_ranks
from cardlib.deal import Choice, Context, Event, Game, Move, Refusal, ScoreLine, Settled, added, register, sides_at
from cardlib.errors import BadInput, raw, shortly
from cardlib.games.quodlibet_contracts import (
    BY_CARDS,
    JACKS,
    NUMBERED,
    OPEN,
    PLAYERS,
    ROUND,
    ROUNDS,
    TRICKS,
    QuodlibetTable,
    last_trick,
    rules_of,
)  # fmt: skip
from cardlib.options import Options, Variant, option
from cardlib.phases import shedding
from cardlib.phases.shedding import Shedding, SheddingView
from cardlib.phases.slots import SlotView
from cardlib.phases.tricks import TrickDeal, scored
from cardlib.reading import NATURAL, mapping, numbers, strings, whole
from cardlib.rules import Ban

# ----------------------------------------------------------------------------------------------------------- options


@dataclass(frozen=True)
class QuodlibetOptions(Options):
    """What can be changed about Quodlibet."""

    plus_scoring: str = option("lose10", "missing10", rules="quodlibet.plus.trick quodlibet.plus.none", group="score")
    all_tricks_bonus: str = option(
        "instead", "add",
        rules="quodlibet.minus.all quodlibet.bad-neighbor.points quodlibet.good-hunting.all", group="score",
    )  # fmt: skip
    heart_trick_bonus: str = option("instead", "add", rules="quodlibet.no-hearts.all-hearts", group="score")
    queens_jacks_bonus: str = option("add", "instead", rules="quodlibet.queens-jacks.both", group="score")
    bribery_tie: str = option("first", "last", "all", rules="quodlibet.bribery.lowest", group="score")
    bribery_win: str = option("add", "instead", rules="quodlibet.bribery.both", group="score")
    last_trick: int = option(50, 80, 100, rules="quodlibet.first-three-and-last.points", group="score")
    trousers_follow: str = option("free", "must", rules="quodlibet.open-trousers.no-follow", group="play")
    trousers_scoring: str = option(
        "lose10", "like-minus", rules="quodlibet.open-trousers.trick quodlibet.open-trousers.all", group="score"
    )
    snack_pickup: str = option(
        "one-pile", "one-pile-then-play", "until-playable", rules="quodlibet.snack.after-take", group="snack"
    )
    snack_single_pile: str = option("last", "any", rules="quodlibet.snack.single-pile-last", group="snack")
    first_lead: str = option("next", "dealer", rules="quodlibet.trick.lead", group="deal")
    round_dealer_tie: str = option("next-from-last-dealer", "draw", rules="quodlibet.deal.round-dealer", group="deal")
    direction: str = option(
        "clockwise", "anticlockwise", rules="quodlibet.deal.next-dealer quodlibet.bad-neighbor.points", group="deal"
    )

    presets: ClassVar[Mapping[str, Mapping[str, Any]]] = {
        "seed": {},
        "austrian": {"direction": "anticlockwise", "first_lead": "dealer"},
    }

    @property
    def anticlockwise(self) -> bool:  # type: ignore[override]  # here it is for the players to choose
        return self.direction == "anticlockwise"


# ----------------------------------------------------------------------------------------------------- pack and deal

CARDS = of_ranks("AKQJT987")
#: In Snack: the cards of a hand, and of each of the piles.
SNACK_HAND, PILES = 4, (3, 3, 3, 3, 3, 1)

# ---------------------------------------------------------------------------------------------- choosing the contract

Facts = dict[str, Any]


def of_other_round(deal: QuodlibetDeal, move: Move) -> Facts | None:
    current = deal.match.round
    return None if ROUND[move.word] == current else {"contract": move.word, "round": current}


def played_before(deal: QuodlibetDeal, move: Move) -> Facts | None:
    return None if move.word in deal.match.remaining else {"contract": move.word}


def snack_waits(deal: QuodlibetDeal, move: Move) -> Facts | None:
    others = [contract for contract in deal.match.remaining if contract != "snack"]
    return {"contract": "snack", "contracts": others} if move.word == "snack" and others else None


class Naming(Choice):
    """The dealer, who has seen his own hand, names the contract."""

    board = "offers"
    pauses = True


CHOOSE = Naming(
    "choose",
    [Move("contract", word=contract) for contract in ROUND],
    [
        Ban("quodlibet.choose.this-round", of_other_round),
        Ban("quodlibet.choose.once", played_before),
        Ban("quodlibet.choose.snack-last", snack_waits),
    ],
)

# ------------------------------------------------------------------------------------------------------------- Snack

IF_ABLE = Ban("quodlibet.snack.play-if-able", shedding.can_lay)
BANS = {
    "play": (
        Ban("quodlibet.play.own-card", shedding.not_held),
        Ban("quodlibet.snack.row-needs-jack", shedding.no_row),
        Ban("quodlibet.snack.build-outwards", shedding.not_next),
    ),
    "take": (
        IF_ABLE,
        Ban("quodlibet.snack.pile-gone", shedding.pile_gone),
        Ban("quodlibet.snack.single-pile-last", shedding.pile_closed),
    ),
    "pass": (IF_ABLE, Ban("quodlibet.snack.take-before-pass", shedding.can_take)),
}
RULES = {
    "open": "quodlibet.snack.row-needs-jack",
    "extend": "quodlibet.snack.build-outwards",
    "take": "quodlibet.snack.take",
    "openers": "quodlibet.snack.pile-jacks",
    "turn": "quodlibet.snack.after-take",
    "pass": "quodlibet.snack.take-before-pass",
    "out": "quodlibet.snack.out",
    "last": "quodlibet.snack.last",
}
#: What those who are still in pay for each card, at the first exit, the second and the third.
PAYMENTS = (10, 20, 30)


@cache
def snack(options: QuodlibetOptions) -> Shedding:
    """What the options make of it, built once."""
    single_last = options.snack_single_pile == "last"
    return Shedding("snack", JACKS, SNACK_HAND, PILES, PAYMENTS, BANS, RULES, options.snack_pickup, single_last)


# ------------------------------------------------------------------------------------------------------ score and end


@dataclass(frozen=True)
class QuodlibetContext(Context):
    """`round` 1 to 3, `remaining` contracts of it, `totals` by seat."""

    round: int
    remaining: tuple[str, ...]
    totals: tuple[int, ...]

    @property
    def deal(self) -> int:
        """How many deals have been played."""
        return 4 * self.round - len(self.remaining)

    @classmethod
    def start(cls, sides: int) -> QuodlibetContext:
        return cls(1, ROUNDS[1], (0,) * sides)

    @classmethod
    def parse(cls, data: object, sides: int) -> QuodlibetContext:
        given = mapping("match", data, cls.start(sides).__dict__)
        number = whole("round", given.get("round", 1), ROUNDS)
        remaining = strings("remaining", given.get("remaining", ROUNDS[number]))
        fits = 0 < len(remaining) == len({*remaining}) and {*remaining} <= {*ROUNDS[number]}
        if not fits or (number == 3 and "snack" not in remaining):
            raise BadInput("remaining", f"remaining cannot be {shortly(remaining)} in round {number}", key="remaining")
        ordered = tuple(contract for contract in ROUNDS[number] if contract in remaining)
        return cls(number, ordered, numbers("totals", given.get("totals", (0,) * sides), sides))


def settle(
    variant: Variant, match: QuodlibetContext, scores: Sequence[int], contract: str = "", dealer: int = PLAYERS - 1
) -> Settled:
    """Add the scores of a finished deal to the totals; say who deals next, and in the end who has won."""
    if not contract and len(match.remaining) == 1:
        contract = match.remaining[0]
    check_contract(contract, match)
    left = tuple(other for other in match.remaining if other != contract)
    after = QuodlibetContext(match.round, left, added(match.totals, scores))
    if left:
        seat = Seat((dealer + 1) % PLAYERS)
        return Settled(after, None, (Event("Dealer", "quodlibet.deal.next-dealer", {"seat": seat}),), {"dealer": seat})
    if match.round < max(ROUNDS):
        return next_round(variant.options, after, dealer)
    least = min(after.totals)
    won = sides_at(least, after.totals)
    facts = {"sides": list(won), "total": least}
    return Settled(after, won, (Event("Won", "quodlibet.score.match", facts),), {"dealer": None})


def next_round(options: QuodlibetOptions, match: QuodlibetContext, dealer: int) -> Settled:
    """A round begins with whoever has most points, of equals the first one after the last dealer."""
    rule, number, most = "quodlibet.deal.round-dealer", match.round + 1, max(match.totals)
    match = replace(match, round=number, remaining=ROUNDS[number])
    highest = sides_at(most, match.totals)
    facts: Facts = {"round": number, "total": most}
    if len(highest) > 1 and options.round_dealer_tie == "draw":
        draw = Event("Draw", rule, facts | {"sides": list(highest)})
        return Settled(match, None, (draw,), {"dealer": None, "draw": list(highest)})
    seat = min(highest, key=lambda seat: (seat - dealer - 1) % PLAYERS)
    return Settled(match, None, (Event("Dealer", rule, facts | {"seat": seat}),), {"dealer": seat})


def check_contract(contract: object, match: QuodlibetContext) -> None:
    """Raise `BadInput` for a contract that cannot be played now."""
    if contract not in match.remaining or (contract == "snack" and len(match.remaining) > 1):
        raise BadInput("contract", f"the contract cannot be {shortly(contract)}", key="contract", value=raw(contract))


# ---------------------------------------------------------------------------------------------------------- the deal


class QuodlibetDeal(TrickDeal):
    """A deal of Quodlibet: the dealer names the contract, then come eight tricks, or Snack.

    `contract` its name, empty before · Snack: `laid` the cards of the rows, `piles`, `out` the seats that are out, in
    order.
    """

    __slots__ = ("contract", "laid", "out", "piles")
    verbs: ClassVar = {
        "contract": tuple(ROUND),
        "slot": tuple(map(str, range(1, TRICKS + 1))),
        "take": tuple(map(str, range(1, len(PILES) + 1))),
        "pass": "",
    }
    outcomes: ClassVar = {"scores": None, "contract": "", "dealer": PLAYERS - 1}
    record_keys = frozenset({"piles"})
    position_keys = TrickDeal.position_keys | {"contract", "trick_winners", "owed", "rows", "piles", "out", "turn"}
    not_in_hand = "quodlibet.play.own-card"
    named = CARDS
    whole_tricks = True
    new_table = QuodlibetTable
    table: QuodlibetTable
    options: QuodlibetOptions
    match: QuodlibetContext

    # -- the cards

    @classmethod
    def pack_of(cls, variant: Variant) -> int:
        return CARDS

    @classmethod
    def dealt_from(cls, variant: Variant, seed: int, dealer: int, match: QuodlibetContext) -> dict[str, Any]:
        if match.remaining == ("snack",):
            return snack(variant.options).shuffled(seed, CARDS, PLAYERS, dealer + 1)
        return cls.shuffled(variant, seed, dealer)

    def setup(self, dealt: Mapping[str, Any]) -> None:
        position = dealt.get("position")
        self.adopt(position["contract"] if isinstance(position, Mapping) else "")
        self.laid, self.piles, self.out = 0, [0] * len(PILES), list[int]()
        super().setup(dealt)

    def adopt(self, contract: str) -> None:
        """From now on the rules of this contract hold."""
        self.contract = contract
        self.tricks, self.scoring = rules_of(self.options, contract)
        self.special = bool(self.tricks.note)

    @property
    def snack(self) -> Shedding:
        return snack(self.options)

    def check_whole(self) -> None:
        if self.match.remaining == ("snack",):
            self.snack.check_whole(self)
        elif "piles" in self.dealt:
            raise BadInput("key", "unknown key in record: piles; only Snack has them", key="piles", where="record")
        else:
            super().check_whole()

    # -- positions

    @classmethod
    def inherited(cls, record: Mapping[str, Any], variant: Variant) -> QuodlibetContext:
        """In a position the contract says which round it is."""
        position, given = record.get("position"), mapping("match", record.get("match", {}))
        if isinstance(position, Mapping):
            contract = position.get("contract")
            if isinstance(contract, str) and contract in ROUND:
                last = {"remaining": ["snack"]} if contract == "snack" and given.get("round", 3) == 3 else {}
                given = {"round": ROUND[contract]} | last | dict(given)
        match = QuodlibetContext.parse(given, PLAYERS)
        if isinstance(position, Mapping):
            check_contract(contract, match)
        return match

    def place(self, position: Mapping[str, Any]) -> dict[str, Any]:
        in_snack = self.contract == "snack"
        keys = {"rows", "piles", "out", "turn"} if in_snack else TrickDeal.position_keys | {"trick_winners"}
        keys |= {"contract"} | ({"owed"} if in_snack or self.contract in BY_CARDS else set())
        mapping("position", position, keys)
        mapping("record with a position", self.dealt, {"hands", "position"})
        made = self.snack.place(self, position) if in_snack else super().place(position)
        if not in_snack:
            self._place_tricks(position.get("trick_winners", ()))
        owed = numbers("owed", position.get("owed", (0,) * PLAYERS), PLAYERS, NATURAL)
        self.scored = [ScoreLine(seat, owed[seat], "quodlibet.score.running") for seat in SEATS[:PLAYERS] if owed[seat]]
        return made

    def _place_tricks(self, winners: Sequence[int]) -> None:
        """Note who has won the earlier tricks, and what the lowest card of this one is."""
        t, size = self.table, self.hands[self.leader].bit_count() + bool(self.trick)
        if size > TRICKS + 1 - t.number:
            text = f"hands of {size} cards at trick_number {t.number} are too many (trick_winners: {len(winners)})"
            raise BadInput("hands-late", text, key="hands", count=size, number=t.number)
        t.won = [sum(2 << i for i, winner in enumerate(winners) if winner == seat) for seat in range(PLAYERS)]
        for i, card in enumerate(self.trick if self.tricks.note else ()):
            t.player, t.leading = (self.leader + i) % PLAYERS, not i
            self.tricks.note(t, card.mask)  # type: ignore[misc]  # only where there is one

    def first_leader(self) -> int:
        return self.dealer if self.options.first_lead == "dealer" else self.eldest

    # -- the contract is named

    def begin(self) -> None:
        if self.contract == "snack":  # a position
            self.phase = self.snack
        else:
            super().begin()

    def start(self) -> None:
        self.phase, self.turn = CHOOSE, self.dealer

    def chosen(self, move: Move) -> None:
        self.adopt(move.word)
        self.log("Chosen", "quodlibet.choose.dealer-names", {"seat": Seat(self.dealer), "contract": self.contract})
        if self.contract == "snack":
            self.phase, self.turn = self.snack, self.eldest
            return
        if self.contract in OPEN:
            self.log("Exposed", OPEN[self.contract], {})
        self.lead(self.first_leader())

    def _refusal(self, move: Move) -> Refusal | None:
        refusal = super()._refusal(move)
        slot = {"slot": int(move.word)} if move.verb == "slot" else {}
        return refusal and replace(refusal, facts={"contract": self.contract, **slot, **refusal.facts})

    def out_of_phase(self, move: Move) -> str:
        if self.phase is None:
            return "quodlibet.end.deal-over"
        if self.phase is CHOOSE:
            return "quodlibet.choose.dealer-names"
        if move.verb == "contract":
            return "quodlibet.choose.fixed"
        return self.not_in_hand if move.verb == "slot" else "quodlibet.trick.one-card"

    # -- after a trick

    def trick_taken(self, winner: int, taken: int) -> None:
        last = self.last and self.ends_here is not False
        self.table.trick_over(self.options, taken, 0, winner, last)
        for seat, card in self._lowest().items():
            self.log("Lowest", "quodlibet.bribery.lowest", {"seat": seat, "card": card})
        if self.scoring.at_once or self.logging:
            self.tell_trick(self._trick_lines(winner, taken))
        self.next_trick(winner)

    def _trick_lines(self, winner: int, taken: int) -> list[ScoreLine]:
        """What the trick that was just taken brings, to whomever."""
        t, lowest = self.table.copy(), self._lowest()
        t.ended, mark = False, 1 << t.number - 1
        t.taken = [taken if seat == winner else 0 for seat in range(PLAYERS)]
        t.won = [mark if seat == winner else 0 for seat in range(PLAYERS)]
        lines = scored(self.scoring, t, SEATS, self.scoring.at_once or None)
        return [
            line if line.cards or not lowest else line._replace(cards=lowest[SEATS[line.side]].mask) for line in lines
        ]

    def _lowest(self) -> dict[Seat, Card]:
        """In Bribery the lowest cards of the trick (else of the last one), by the seats that pay for them."""
        trick, leader = (self.trick, self.leader) if self.trick else (self.last_trick, self.last_leader)
        seats = [SEATS[(leader + i) % PLAYERS] for i in range(len(trick))]
        return {
            seat: card for seat, card in zip(seats, trick, strict=True) if self.tricks.note and self.table.pays[seat]
        }

    def outcome(self) -> dict[str, Any]:
        return super().outcome() | {"contract": self.contract, "dealer": self.dealer}

    # -- who sees what

    def own_hand(self, seat: int) -> int:
        unseen = seat != self.dealer if self.phase is CHOOSE else self.contract == "open-trousers"
        return 0 if unseen else self.hands[seat]

    @property
    def open_hands(self) -> Sequence[int]:
        return range(PLAYERS) if self.contract in OPEN else ()

    def view(self, seat: int) -> QuodlibetView:
        return QuodlibetView(self, seat)

    # -- what the table shows

    @property
    def lowest(self) -> int:
        """The cards of the trick (else of the last one) that pay for being the lowest."""
        return int(Hand.of(self._lowest().values()))

    @property
    def round_contracts(self) -> tuple[str, ...]:
        """The contracts of this round, those that have been played among them."""
        return ROUNDS[self.match.round]

    @property
    def at_stake(self) -> int | None:
        if self.contract not in NUMBERED:
            return None
        left = sum(map(int.bit_count, self.hands)) + len(self.trick)
        last = bool(self.ends_here) or (left <= PLAYERS and self.ends_here is None)
        points = NUMBERED[self.contract].get(self.table.number, 0)
        return points + last_trick(self.contract, self.options) if last else points

    def receiver(self, seat: int) -> int:
        """Who gets the points of a trick that `seat` wins."""
        return (seat + 1) % PLAYERS if self.contract == "bad-neighbor" else seat


class QuodlibetView(SlotView, SheddingView):
    """What a seat sees: also the contract."""

    @property
    def contract(self) -> str:
        contract: str = self._deal.contract
        return contract


GAME = register(
    Game(
        "quodlibet", QuodlibetOptions, QuodlibetDeal, QuodlibetContext, settle, lowest_wins=True, kinds=("win", "avoid")
    )
)
