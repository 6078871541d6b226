"""An auction: players bid in turn, each bid must be higher than the last one, and who has passed is out."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import Any, ClassVar, NamedTuple

from cardlib.cards import SEATS, Seat
from cardlib.deal import Move
from cardlib.errors import BadInput, shortly
from cardlib.phases.calls import Called, Calls, caller
from cardlib.phases.tricks import TrickDeal, TrickView
from cardlib.reading import strings, whole


class Standing(NamedTuple):
    """The last bid made, who made it and who has accepted it."""

    bid: str = ""
    bidder: Seat | None = None
    accepter: Seat | None = None

    @property
    def unaccepted(self) -> bool:
        """It is a proposal that nobody has accepted."""
        return self.bid == "propose" and self.accepter is None

    @property
    def seats(self) -> list[Seat]:
        """The bidder and, if there is one, his partner."""
        return [seat for seat in self[1:] if seat is not None]


def standing(calls: Iterable[Called]) -> Standing:
    """The bid that stands after these calls."""
    now = Standing()
    for seat, call in calls:
        if call == "accept":
            now = now._replace(accepter=seat)
        elif call != "pass":
            now = Standing(call, seat)
    return now


def passed(deal: Any) -> list[Seat]:
    """The seats whose last word was to pass."""
    return [seat for seat, call in dict(deal.calls).items() if call == "pass"]


Facts = Callable[[Any, Move], Mapping[str, Any] | None]


def not_higher(bids: Sequence[str]) -> Facts:
    """The facts of a ban: a bid must be higher than the one that stands; `bids` go from the weakest up."""

    def facts(deal: Any, move: Move) -> Mapping[str, Any] | None:
        now = standing(deal.calls)
        if move.verb not in bids or not now.bid or bids.index(move.verb) > bids.index(now.bid):
            return None
        return {"standing": now.bid, "seat": now.bidder}

    return facts


def nothing_to_accept(deal: Any, move: Move) -> Mapping[str, Any] | None:
    """The facts of a ban: only another player's proposal that stands and has no partner can be accepted."""
    now = standing(deal.calls)
    if move.verb != "accept" or (now.unaccepted and deal.turn != now.bidder):
        return None
    proposed = caller(deal, "propose") is not None
    return {"why": "own" if now.unaccepted else "taken" if now.accepter else "overcalled" if proposed else "none"}


class Auction(Calls):
    """Calls of which all but `pass` and `accept` are bids; the bid `propose` can be accepted.

    The deal, besides what calls ask of it, says in `may_speak` who will be asked again as things are.
    """

    name = "auction"
    board: ClassVar[str] = "auction"
    pauses: ClassVar[bool] = True
    ends_with_news: ClassVar[bool] = True

    def next_to_speak(self, deal: Any, seat: int) -> int | None:
        """Who is asked after this seat; None if nobody is left to ask."""
        others = ((seat + step) % deal.players for step in range(1, deal.players))
        return next(filter(deal.may_speak, others), None)

    def start(self, deal: Any, calls: object) -> None:
        """Eldest hand is to speak; then the calls that a position tells of are made."""
        deal.phase, deal.turn = self, deal.eldest
        for call in strings("calls", calls):
            if call not in self.calls:
                raise BadInput("move", f"no call: {shortly(call)}", move=call)
            move = Move(call)
            refusal = deal.refusal(move)
            if refusal:
                text = f"illegal call {call!r}, refused by {refusal.rule}"
                raise BadInput("illegal", text, move=call, refusal=refusal)
            self.push(deal, move)


class AuctionView(TrickView):
    """What a seat sees besides: the calls, and the contract once there is one."""

    def __init__(self, deal: AuctionDeal, seat: int) -> None:
        super().__init__(deal, seat)
        self.calls, self.contract = deal.calls, deal.contract


class AuctionDeal(TrickDeal):
    """A deal whose contract comes out of an auction: besides what deals with tricks have, the `calls` so far and the
    `contract`, which is empty as long as the auction goes on.

    A game says in `auction` how to bid, in `contracts` what can come out of it (`unbid`, if nobody bids), in `agree`
    what a contract means and in `open_play` what comes before the first lead.
    """

    __slots__ = ("calls", "contract")
    auction: ClassVar[Auction]
    contracts: ClassVar[Collection[str]]
    unbid: ClassVar[str]
    position_keys = TrickDeal.position_keys | {"contract", "bidder", "partner", "calls"}

    def setup(self, dealt: Mapping[str, Any]) -> None:
        self.calls: list[Called] = []
        self.contract = Standing()
        super().setup(dealt)

    def place(self, position: Mapping[str, Any]) -> dict[str, Any]:
        """A position tells of the contract, or of the calls so far."""
        if "calls" not in position:
            self.agree(self._read_contract(position))
        elif "contract" in position:
            raise BadInput("contract", "contract: the auction is still under way", key="contract")
        return super().place(position)

    def _read_contract(self, position: Mapping[str, Any]) -> Standing:
        """The contract of a position: a bid with its bidder, a proposal with a partner; without either if unbid."""
        bid, bidder, partner = (position.get(key) for key in ("contract", "bidder", "partner"))
        if not isinstance(bid, str) or bid not in self.contracts:
            raise BadInput("contract", f"contract cannot be {shortly(bid)}", key="contract")
        if bid != self.unbid or bidder is not None:
            bidder = Seat(whole("bidder", bidder, () if bid == self.unbid else range(self.players)))
        if bid == "propose" or partner is not None:
            others = {*range(self.players)} - {bidder} if bid == "propose" else ()
            partner = Seat(whole("partner", partner, others))
        return Standing(bid, bidder, partner)

    def begin(self) -> None:
        if self.trick:
            self.go_on()
        elif self.contract.bid:
            self.open_play()
        else:
            self.auction.start(self, self.dealt.get("position", {}).get("calls", []))

    def agree(self, contract: Standing) -> None:
        """This is the contract."""
        self.contract = contract

    def open_play(self) -> None:
        """What comes between the auction and the first lead."""
        self.lead(self.leader)

    def said(self, seat: int) -> str:
        """The contract of the bidder, and who has accepted."""
        if seat == self.contract.bidder:
            return self.contract.bid
        return "accept" if seat == self.contract.accepter else ""

    def view(self, seat: int) -> AuctionView:
        return AuctionView(self, seat)

    def paid(self, one_each: bool) -> list[tuple[Seat, Seat, int]]:
        """The payments that make up the scores; with `one_each` every seat settles with one other."""
        scores = self.scores()
        payers, receivers = ([seat for seat in SEATS[: self.players] if sign * scores[seat] > 0] for sign in (-1, 1))
        if one_each:
            return [(payer, to, scores[to]) for payer, to in zip(payers, receivers, strict=True)]
        amount = abs(min(scores)) // len(receivers) if payers else 0
        return [(payer, to, amount) for payer in payers for to in receivers]
