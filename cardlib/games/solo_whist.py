"""Solo Whist: four players, each for himself; an auction decides who plays which contract against the others.

The file follows the rule sheet: options, pack and deal, auction, contracts, play, settlement, end.  Rule ids are those
of the rule book (`cardlib/text/*/solo-whist.md`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, ClassVar, NamedTuple

from cardlib.cards import PACK, SEATS, SUITS, Card, Hand, Seat, cards_of
from cardlib.deal import Choice, Context, Event, Game, Move, Settled, added, register, sides_at
from cardlib.errors import BadInput, shortly
from cardlib.options import Options, Variant, option
from cardlib.phases.auction import Auction, AuctionDeal, Standing, not_higher, nothing_to_accept, passed, standing
from cardlib.phases.calls import caller
from cardlib.phases.tricks import Tricks, deal_out
from cardlib.reading import numbers, suit
from cardlib.rules import Ban, Obligation, Rule, ScoreRule, Scoring, Table, When, WinnerClass, union
from cardlib.seeds import Random

PLAYERS, HAND = 4, 13

# ----------------------------------------------------------------------------------------------------------- options


@dataclass(frozen=True)
class SoloWhistOptions(Options):
    """What can be changed about Solo Whist."""

    auction: str = option("multi-round", "single-round", rules="solo-whist.auction.order", group="auction")
    eldest_reentry: str = option(
        "full", "accept-only", "off", rules="solo-whist.auction.eldest-reentry", group="auction"
    )
    eldest_reentry_when: str = option(
        "proposal-standing", "any-proposal", rules="solo-whist.auction.eldest-reentry", group="auction"
    )
    unaccepted_proposal: str = option(
        "any-higher", "solo-only", "throw-in", rules="solo-whist.auction.unaccepted-proposal", group="auction"
    )
    all_pass: str = option(
        "throw-in",
        "misery-last-trick",
        "misery-most-tricks",
        rules="solo-whist.auction.all-pass solo-whist.score.misery",
        group="auction",
    )
    prop_allowed: bool = option(
        True,
        False,
        rules="solo-whist.auction.straight-solo solo-whist.contract.ranking solo-whist.players.temporary-partner",
        group="contracts",
    )
    prop_target: int = option(8, 7, rules="solo-whist.contract.propose-accept", group="contracts")
    declaree_trump: str = option(
        "none",
        "bidder-choice",
        rules="solo-whist.contract.declaree solo-whist.auction.name-trumps solo-whist.play.trumps",
        group="contracts",
    )
    ouverte_exposed: str = option(
        "after-trick-1",
        "before-trick-1",
        rules="solo-whist.play.exposed-hand solo-whist.contract.misere-ouverte",
        group="play",
    )
    early_finish: bool = option(False, True, rules="solo-whist.play.to-the-end", group="play")
    accounting: str = option("chips", "bidder-only", rules="solo-whist.score.transfer", group="score")
    pair_payment: str = option("one-each", "both-each", rules="solo-whist.score.pair", group="score")
    overtricks: str = option("each", "none", rules="solo-whist.score.overtricks", group="score")
    undertricks: str = option(
        "from-second", "from-first", "flat-once", "none", rules="solo-whist.score.undertricks", group="score"
    )
    deals: int = option(4, rules="solo-whist.end.agreed-deals", group="end", numbers=range(1, 100))

    presets: ClassVar[Mapping[str, Mapping[str, Any]]] = {
        "seed": {},
        "pagat": {"eldest_reentry": "accept-only", "overtricks": "none", "undertricks": "none"},
        "straight-solo": {"prop_allowed": False},
    }

    def idle(self, players: int) -> dict[str, str]:
        proposals = ("eldest_reentry", "eldest_reentry_when", "unaccepted_proposal", "prop_target", "pair_payment")
        if not self.prop_allowed:
            return dict.fromkeys(proposals, "no-proposals")
        idle = {} if self.eldest_reentry == "full" else {"eldest_reentry_when": "not-full"}
        return idle | ({} if self.accounting == "chips" else {"pair_payment": "no-chips"})


# --------------------------------------------------------------------------------------------------------- contracts


class Contract(NamedTuple):
    """What a bid stands for: its rule, where trumps come from, the tricks to take, and what they are worth."""

    rule: str
    trumps: str
    target: int
    base: int
    extra: int = 0


#: The bids, weakest first; and what is played if nobody bids.
MISERY = "misery"
CONTRACTS = {
    "propose": Contract("solo-whist.contract.propose-accept", "turned", 8, 10, 2),
    "solo": Contract("solo-whist.contract.solo", "turned", 5, 10, 2),
    "misere": Contract("solo-whist.contract.misere", "none", 0, 20),
    "abundance": Contract("solo-whist.contract.abundance", "named", 9, 30, 3),
    "abundance-in-trumps": Contract("solo-whist.contract.abundance-in-trumps", "turned", 9, 30, 3),
    "misere-ouverte": Contract("solo-whist.contract.misere-ouverte", "none", 0, 40),
    "declaree": Contract("solo-whist.contract.declaree", "none", HAND, 60),
    MISERY: Contract("solo-whist.auction.all-pass", "none", 0, 10),
}
BIDS = tuple(CONTRACTS)[:-1]


@cache
def contract_of(options: SoloWhistOptions, bid: str) -> Contract:
    """What a bid stands for under these options."""
    contract = CONTRACTS[bid]
    if bid == "propose":
        return contract._replace(target=options.prop_target)
    if bid == "declaree" and options.declaree_trump == "bidder-choice":
        return contract._replace(trumps="named")
    return contract


# ----------------------------------------------------------------------------------------------------------- auction


def straight(deal: SoloWhistDeal, move: Move) -> Mapping[str, Any] | None:
    return {} if move.verb in ("propose", "accept") and not deal.options.prop_allowed else None


def no_abundance(deal: SoloWhistDeal, move: Move) -> Mapping[str, Any] | None:
    return {} if move.verb == "abundance-in-trumps" and caller(deal, "abundance") is None else None


def only_accept(deal: SoloWhistDeal, move: Move) -> Mapping[str, Any] | None:
    returning = deal.options.eldest_reentry == "accept-only" and deal.turn in passed(deal)
    return {} if returning and move.verb in BIDS else None


def only_solo(deal: SoloWhistDeal, move: Move) -> Mapping[str, Any] | None:
    """Nobody has accepted, the proposer speaks once more."""
    bound = deal.options.unaccepted_proposal == "solo-only" and deal.turn == standing(deal.calls).bidder
    return {} if bound and move.verb in BIDS and move.verb != "solo" else None


AUCTION = Auction(
    ("pass", "accept", *BIDS),
    [
        Ban("solo-whist.auction.straight-solo", straight),
        Ban("solo-whist.auction.accept", nothing_to_accept),
        Ban("solo-whist.auction.abundance-in-trumps", no_abundance),
        Ban("solo-whist.auction.must-exceed", not_higher(BIDS)),
        Ban("solo-whist.auction.eldest-reentry", only_accept),
        Ban("solo-whist.auction.unaccepted-proposal", only_solo),
    ],
)
NAME_TRUMPS = Choice("name-trumps", [Move("trump", word=letter) for letter in SUITS])
#: The rules by which calls are made.
CALLED = {bid: CONTRACTS[bid].rule for bid in BIDS} | {
    "pass": "solo-whist.auction.pass-final",
    "accept": "solo-whist.auction.accept",
}

# -------------------------------------------------------------------------------------------------------------- play


class SoloWhistTable(Table):
    """What the settlement asks, by seat: `tricks` taken · who is `allied`, the bidder and his partner · who has won the
    `last` trick; and the `scoring` of the contract."""

    __slots__ = ("allied", "last", "scoring", "tricks")
    tricks: Sequence[Any]
    allied: Sequence[Any]
    last: Sequence[Any]
    scoring: Scoring
    numbers = frozenset({"tricks"})

    def __init__(self, **facts: Any) -> None:
        nobody = (False,) * PLAYERS
        super().__init__(**{"tricks": (0,) * PLAYERS, "allied": nobody, "last": nobody} | facts)

    def trick_over(self, options: SoloWhistOptions, trick: Any, best: Any, side: Any, last: bool) -> None:
        self.tricks = [tricks + (side == taker) for taker, tricks in enumerate(self.tricks)]
        if last:
            self.last = [side == taker for taker in range(PLAYERS)]

    def stops(self, options: SoloWhistOptions, points: Sequence[Any]) -> Any:
        """Whether the scores stay the same, whoever takes the tricks that are left; not in a misery."""
        if not options.early_finish:
            return False
        t, ends = self.copy(), []
        t.ended, t.allied = True, [*self.allied, True, False]
        for more in range(self.left + 1):  # those that are left, as if two more seats took them, one on either side
            t.tricks = [*self.tricks, more, self.left - more]
            ends.append(self.scoring.scores(t))
        changes = (score != end for scores in ends for score, end in zip(scores, ends[0], strict=True))
        return union(self.allied) & (union(changes) == 0)

    @property
    def taken_by_bidder(self) -> Any:
        """The tricks of the bidder, with his partner's."""
        return sum(self.pick(ally, tricks, 0) for ally, tricks in zip(self.allied, self.tricks, strict=True))


TRICKS = Tricks(
    [Obligation("solo-whist.play.must-follow", lambda t: t.led, When.FOLLOWING)],
    [
        WinnerClass("solo-whist.play.trick-winner", lambda t: t.trumps),
        WinnerClass("solo-whist.play.trick-winner", lambda t: t.led),
    ],
)

# -------------------------------------------------------------------------------------------------------- settlement


def shares(options: SoloWhistOptions, pair: bool) -> tuple[int, int]:
    """How many times the amount the bidder settles (each of a pair), and each of the others."""
    if options.accounting == "bidder-only":
        return 1, 0
    both = 2 if options.pair_payment == "both-each" else 1
    return (both, both) if pair else (3, 1)


def settlement(contract: Contract, options: SoloWhistOptions, pair: bool) -> Iterator[ScoreRule]:
    """The base, then what tricks above and below the target are worth; nothing before the end."""
    (_, _, target, base, extra), (mine, theirs) = contract, shares(options, pair)

    def made(t: Any) -> Any:
        if target == HAND:
            return sum(t.tricks) == t.taken_by_bidder
        return t.taken_by_bidder == 0 if target == 0 else t.taken_by_bidder >= target

    def over(t: Any) -> Any:
        return t.pick(made(t), t.taken_by_bidder - target, 0) if options.overtricks == "each" else 0

    def under(t: Any) -> Any:
        short = target - t.taken_by_bidder
        counted = {"from-second": short - 1, "from-first": short, "flat-once": t.pick(short >= 2, 1, 0), "none": 0}
        return t.pick(made(t), 0, counted[options.undertricks])

    def line(rule: str, amount: Rule, mine: int, theirs: int, value: Rule | None = None) -> ScoreRule:
        def points(t: Any) -> list[Any]:
            paid = t.pick(t.ended, amount(t), 0)
            return [t.pick(ally, mine * paid, -theirs * paid) for ally in t.allied]

        return ScoreRule(rule, points, value=value and (lambda t: [value(t)] * PLAYERS))

    others = "solo-whist.score.pair" if pair else "solo-whist.score.transfer"
    yield line("solo-whist.score.made", lambda t: t.pick(made(t), base, 0), mine, 0)
    yield line("solo-whist.score.failed", lambda t: t.pick(made(t), 0, -base), mine, 0)
    yield line(others, lambda t: t.pick(made(t), base, -base), 0, theirs)
    if extra:
        yield line("solo-whist.score.overtricks", lambda t: extra * over(t), mine, theirs, over)
        yield line("solo-whist.score.undertricks", lambda t: -extra * under(t), mine, theirs, under)


def misery(contract: Contract, options: SoloWhistOptions) -> Iterator[ScoreRule]:
    """Nobody has bid: whoever wins the last trick, or shares the most tricks, pays each of the others."""

    def points(t: Any) -> list[Any]:
        losers = t.last
        if options.all_pass == "misery-most-tricks":
            losers = [sum(other > tricks for other in t.tricks) == 0 for tricks in t.tricks]
        count = sum(t.pick(loser, 1, 0) for loser in losers)
        pays, gets = (PLAYERS - count, count) if options.accounting == "chips" else (1, 0)
        return [t.pick(t.ended, contract.base * t.pick(loser, -pays, gets), 0) for loser in losers]

    yield ScoreRule("solo-whist.score.misery", points)


@cache
def scoring_of(options: SoloWhistOptions, bid: str, pair: bool) -> Scoring:
    """How a contract is settled, built once."""
    contract = contract_of(options, bid)
    return Scoring(misery(contract, options) if bid == MISERY else settlement(contract, options, pair))


# --------------------------------------------------------------------------------------------------------------- end


@dataclass(frozen=True)
class SoloWhistContext(Context):
    """`deal` counts the deals played, `totals` the balances by seat."""

    deal: int = 0
    totals: tuple[int, ...] = (0,)

    def check(self, variant: Variant) -> None:
        if self.deal >= variant.options.deals:
            raise BadInput("match-over", f"the match is over: deal of match is {self.deal}", key="deal")


THROWN_IN = "thrown-in"


def settle(variant: Variant, match: SoloWhistContext, scores: Sequence[int], contract: str = THROWN_IN) -> Settled:
    """Add the scores of a deal to the balances; one that is thrown in does not count."""
    if contract not in (*CONTRACTS, THROWN_IN):
        raise BadInput("contract", f"contract cannot be {shortly(contract)}", key="contract")
    if not any(scores):
        return Settled(match, None, (Event("ThrownIn", "solo-whist.score.thrown-in", {}),))
    after = SoloWhistContext(match.deal + 1, added(match.totals, scores))
    left, rule = variant.options.deals - after.deal, "solo-whist.end.agreed-deals"
    if left:
        return Settled(after, None, (Event("GoesOn", rule, {"count": left}),))
    most = max(after.totals)
    best = sides_at(most, after.totals)
    won = Event("Won", "solo-whist.end.winner", {"sides": list(best), "total": most})
    return Settled(after, best, (Event("Ended", rule, {"count": after.deal}), won))


# ---------------------------------------------------------------------------------------------------------- the deal


class SoloWhistDeal(AuctionDeal):
    """A deal of Solo Whist: auction, perhaps the naming of trumps, tricks, settlement."""

    __slots__ = ("turnup",)
    verbs: ClassVar = dict.fromkeys(AUCTION.calls, "") | {"trump": tuple(SUITS)}
    record_keys = frozenset({"turnup"})
    position_keys = AuctionDeal.position_keys | {"trump", "turnup", "tricks"}
    auction = AUCTION
    contracts = CONTRACTS
    unbid = MISERY
    outcomes: ClassVar = {"scores": None, "contract": THROWN_IN}
    not_in_hand = "solo-whist.play.own-card"
    new_table = SoloWhistTable
    table: SoloWhistTable
    options: SoloWhistOptions
    match: SoloWhistContext

    # -- the cards

    @classmethod
    def shuffled(cls, variant: Variant, seed: int, dealer: int) -> dict[str, Any]:
        """Four rounds of three cards from eldest hand, then one each; the last card is turned up."""
        pack = Random(seed, "cards").shuffled(list(cards_of(PACK)))
        return {"hands": deal_out(pack, PLAYERS, dealer + 1, packet=3), "turnup": str(pack[-1])}

    def setup(self, dealt: Mapping[str, Any]) -> None:
        self.tricks, self.scoring = TRICKS, Scoring(())
        self.turnup: Card | None = None
        super().setup(dealt)
        if "position" not in dealt:
            self.turnup = self.turned(dealt.get("turnup"), held=True)
            self.dealt["turnup"] = str(self.turnup)

    # -- positions

    def place(self, position: Mapping[str, Any]) -> dict[str, Any]:
        t, turnup = self.table, position.get("turnup", self.dealt.get("turnup"))
        t.tricks = numbers("tricks", position.get("tricks", t.tricks), PLAYERS, range(HAND + 1))
        if "calls" in position or turnup is not None:
            self.turnup = self.turned(turnup, held="calls" in position)
        placed = super().place(position)
        if self.contract.bid:
            t.number = position.get("trick_number", sum(t.tricks) + 1)
            t.trumps = self._trumps(position.get("trump"))
        return placed

    def first_leader(self) -> int | None:
        """Who leads to trick 1; positions of later tricks name their leader."""
        if any(self.table.tricks) or self.dealt["position"].get("trick_number", 1) != 1:
            return None
        return int(self.leads_first)

    @property
    def leads_first(self) -> Seat:
        """Eldest hand, in a déclarée its bidder."""
        bidder = self.contract.bidder
        return bidder if self.contract.bid == "declaree" and bidder is not None else Seat(self.eldest)

    def _trumps(self, given: object) -> int:
        """The trumps of a position; in one at trick 1 they may still have to be named."""
        source, t = contract_of(self.options, self.contract.bid).trumps, self.table
        named = None if given is None else suit("trump", given)
        trump = None if source == "none" else self.turnup.suit if source == "turned" and self.turnup else named
        unnamed = source == "named" and t.number == 1 and t.leading
        if named not in (None, trump) or (trump is None and source != "none" and not unnamed):
            raise BadInput("trump", f"trump cannot be {shortly(given)} in this contract", key="trump")
        return 0 if trump is None else trump.mask

    # -- the auction

    def begin(self) -> None:
        if self.turnup and self.table.number == 1:
            self.log("Turned", "solo-whist.deal.turn-up", {"seat": Seat(self.dealer), "card": self.turnup})
        super().begin()

    def may_speak(self, seat: int) -> bool:
        """Whether a seat will be asked again, as things are."""
        now, spoken = standing(self.calls), dict(self.calls)
        if seat in now[1:]:
            return False
        out = seat in spoken if self.options.auction == "single-round" else seat in passed(self)
        return not out or (seat == self.eldest and self.may_return())

    def may_return(self) -> bool:
        """Eldest hand may speak once more after passing."""
        own = [call for seat, call in self.calls if seat == self.eldest]
        if own[-1:] != ["pass"] or "pass" in own[:-1] or self.options.eldest_reentry == "off":
            return False
        anytime = (self.options.eldest_reentry, self.options.eldest_reentry_when) == ("full", "any-proposal")
        by_another = caller(self, "propose") not in (None, self.eldest)
        return standing(self.calls).unaccepted or (anytime and by_another)

    def called(self, seat: int, call: str) -> None:
        before, now = standing(self.calls[:-1]), standing(self.calls)
        self.log("Called", CALLED[call], {"seat": Seat(seat), "call": call})
        if before.accepter is not None and now.bid != before.bid:
            self.log("Dissolved", "solo-whist.auction.overcall-pair", {"sides": [before.bidder, before.accepter]})
        final = call == "declaree" or seat == before.bidder
        following = None if final else AUCTION.next_to_speak(self, seat)
        if following is not None:
            if following in passed(self):
                self.log("Asked", "solo-whist.auction.eldest-reentry", {"seat": Seat(following)})
            self.turn = following
        elif now.unaccepted and not final and self.options.unaccepted_proposal != "throw-in":
            self.turn = now.bidder
            self.log("Asked", "solo-whist.auction.unaccepted-proposal", {"seat": now.bidder})
        elif now.unaccepted or (not now.bid and self.options.all_pass == "throw-in"):
            self.finish()
        else:
            self._close(now if now.bid else Standing(MISERY))

    def _close(self, now: Standing) -> None:
        """The standing bid is the contract."""
        self.agree(now)
        contract = contract_of(self.options, now.bid)
        facts: dict[str, Any] = {"seat": now.bidder, "partner": now.accepter}
        if contract.trumps == "turned" and self.turnup:
            self.table.trumps = self.turnup.suit.mask
            facts["trump"] = self.turnup.suit
        self.log("Contract", contract.rule, {name: fact for name, fact in facts.items() if fact is not None})
        self.leader = self.leads_first
        self.open_play()

    def agree(self, contract: Standing) -> None:
        super().agree(contract)
        self.table.allied = tuple(seat in contract.seats for seat in SEATS[:PLAYERS])
        self.scoring = self.table.scoring = scoring_of(self.options, contract.bid, contract.accepter is not None)

    def out_of_phase(self, move: Move) -> str:
        return "solo-whist.move.phase" if self.phase else "solo-whist.move.deal-over"

    # -- from the naming of trumps to the end

    def open_play(self) -> None:
        """The bidder names trumps, if that is his to do; then the lead."""
        if contract_of(self.options, self.contract.bid).trumps == "named" and not self.table.trumps:
            self.phase, self.turn = NAME_TRUMPS, self.contract.bidder
            return
        if self.table.number == 1:
            rule = "declaree-lead" if self.contract.bid == "declaree" else "first-lead"
            self.log("Leads", f"solo-whist.play.{rule}", {"seat": Seat(self.leader)})
        self._lay_open("before-trick-1")
        self.lead(self.leader)

    def chosen(self, move: Move) -> None:
        trump = suit("trump", move.word)
        self.table.trumps = trump.mask
        self.log("Trumps", "solo-whist.auction.name-trumps", {"seat": self.contract.bidder, "trump": trump})
        self.open_play()

    def _lay_open(self, now: str) -> None:
        """The bidder of an ouverte lays his cards open."""
        bidder = self.contract.bidder
        if self.contract.bid == "misere-ouverte" and self.options.ouverte_exposed == now and bidder is not None:
            self.log("Exposed", "solo-whist.play.exposed-hand", {"seat": bidder, "cards": Hand(self.hands[bidder])})

    @property
    def shown(self) -> Card | None:
        """The turned card lies open until trick 1 is over."""
        return self.turnup if self.table.number == 1 and not self.over else None

    @property
    def open_hands(self) -> Sequence[int]:
        """That of the bidder of an ouverte."""
        now = self.table.number > 1 or self.options.ouverte_exposed == "before-trick-1"
        return self.contract.seats if now and self.contract.bid == "misere-ouverte" else ()

    @property
    def tricks_won(self) -> Sequence[int]:
        return self.table.tricks if self.contract.bid else ()

    def won_facts(self, best: Card) -> dict[str, Any]:
        return {"by": "trump" if best.mask & self.table.trumps else "suit"}

    def trick_taken(self, winner: int, taken: int) -> None:
        t = self.table
        t.left = max(map(int.bit_count, self.hands))
        t.trick_over(self.options, taken, 0, winner, self.last)
        if not self.last and t.stops(self.options, ()):
            self.log("Stopped", "solo-whist.play.to-the-end", {})
            self.finish()
            return
        if self.table.number == 2:
            self._lay_open("after-trick-1")
        self.next_trick(winner)

    def settle(self) -> Settled:
        """What becomes of the match; before that, whether the contract is made."""
        settled, bid, bidder = super().settle(), self.contract.bid, self.contract.bidder
        if bidder is None:
            return settled
        kind, rule = ("Made", "made") if self.scores()[bidder] > 0 else ("Failed", "failed")
        facts: dict[str, Any] = {"sides": self.contract.seats, "call": bid}
        facts |= {"count": self.table.taken_by_bidder, "target": contract_of(self.options, bid).target}
        return settled._replace(events=(Event(kind, f"solo-whist.score.{rule}", facts), *settled.events))

    def outcome(self) -> dict[str, Any]:
        return super().outcome() | {"contract": self.contract.bid or THROWN_IN}

    def payments(self) -> list[tuple[Seat, Seat, int]]:
        if not self.finished or self.options.accounting != "chips":
            return []
        return self.paid(self.contract.bid == "propose" and self.options.pair_payment == "one-each")


GAME = register(
    Game(
        "solo-whist",
        SoloWhistOptions,
        SoloWhistDeal,
        SoloWhistContext,
        settle,
        passes_on_void=True,
        kinds=("win", "avoid", "auction"),
    )
)
