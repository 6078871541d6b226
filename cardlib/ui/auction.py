"""The auction as a table: the ladder of bids, who has called what and who may still speak; later, the contract."""

from __future__ import annotations

from typing import Any

from cardlib.cards import Seat
from cardlib.deal import Move
from cardlib.games.solo_whist import BIDS, HAND, contract_of
from cardlib.phases.auction import Standing, passed, standing
from cardlib.play.session import Session
from cardlib.teach.voice import Voice


def auction(session: Session, voice: Voice, mine: bool) -> dict[str, Any]:
    """The board: rungs from the strongest, what is said beside them, and the calls that are no bids."""
    deal = session.deal
    proposals = deal.options.prop_allowed
    return {
        "label": voice.say("ladder title"),
        "help": voice.say("ladder help"),
        "prompt": _prompt(deal, session.me, voice),
        "rungs": [_rung(session, voice, bid) for bid in reversed(BIDS if proposals else BIDS[1:])],
        "turned": voice.face(deal.turnup),
        "turned_label": voice.say("ladder turned", seat=Seat(deal.dealer)),
        "speakers": [_speaker(deal, (deal.eldest + i) % deal.players, voice) for i in range(deal.players)],
        "speakers_label": voice.say("ladder speakers"),
        "note": _if_passed(deal, voice),
        "calls": [_call(session, voice, call) for call in (("pass", "accept") if proposals else ("pass",))],
    }


def meaning(deal: Any, bid: str, voice: Voice) -> str:
    """What a bid asks for, in a few words."""
    contract = contract_of(deal.options, bid)
    named = bid == "declaree" and contract.trumps == "named"
    early = bid == "misere-ouverte" and deal.options.ouverte_exposed == "before-trick-1"
    turned = deal.turnup.suit if deal.turnup else deal.trump if deal.table.trumps else None
    facts = {"trump": turned} if contract.trumps == "turned" else {}
    id = f"rung {bid} named" if named else f"rung {bid} early" if early else f"rung {bid}"
    return voice.say(id, target=contract.target, **facts)


def _refusal(session: Session, voice: Voice, call: str) -> dict[str, Any] | None:
    if session.deal.turn != session.me:
        return voice.note("note", "bad turn", seat=Seat(session.deal.turn))
    refusal = session.deal.refusal(Move(call))
    return voice.refusal(refusal) if refusal else None


def _call(session: Session, voice: Voice, call: str) -> dict[str, Any]:
    return {"move": call, "label": voice.say(f"move {call}"), "refusal": _refusal(session, voice, call)}


def _rung(session: Session, voice: Voice, bid: str) -> dict[str, Any]:
    """A bid: its place, what it asks for and what it is worth; who has made it, or why it cannot be made now."""
    deal, now = session.deal, standing(session.deal.calls)
    contract, refusal = contract_of(deal.options, bid), _refusal(session, voice, bid)
    worth = voice.say("rung worth extra" if contract.extra else "rung worth", base=contract.base, extra=contract.extra)
    made_by = next((seat for seat, call in deal.calls if call == bid), None)
    state = "stands" if bid == now.bid else "outbid" if made_by is not None else "shut" if refusal else "open"
    tag, note = "", ""
    if state == "stands":
        tag = voice.say("rung stands", sides=now.seats)
    elif state == "outbid":
        note = voice.say("rung outbid", seat=made_by)
    elif refusal and "rule" in refusal:
        note = voice.say(f"short {refusal['rule']}")
    label, text = voice.say(f"move {bid}"), meaning(deal, bid, voice)
    return {
        "move": bid,
        "n": str(BIDS.index(bid) + 1),
        "label": label,
        "text": text,
        "worth": worth,
        "state": state,
        "tag": tag,
        "note": note,
        "bid": voice.say("rung bid") if state == "open" else "",
        "name": voice.joined([f"{part}." for part in (label, text, worth, tag or note) if part]),
        "refusal": refusal,
    }


def _speaker(deal: Any, seat: int, voice: Voice) -> dict[str, Any]:
    """A seat in the auction: what it has called, and whether it is still asked."""
    calls = [voice.say(f"word {call}") for caller, call in deal.calls if caller == seat]
    about = "speaker dealer" if seat == deal.dealer else "speaker first" if seat == deal.eldest else ""
    return {
        "name": voice.labels[seat],
        "about": voice.say(about) if about else "",
        "calls": " → ".join(calls),
        "status": voice.say(f"speaker {_status(deal, seat)}"),
        "turn": seat == deal.turn,
        "me": seat == voice.me,
    }


def _status(deal: Any, seat: int) -> str:
    now = standing(deal.calls)
    if seat == deal.turn:
        return "turn"
    if seat == now.bidder:
        return "stands"
    if seat == now.accepter:
        return "partner"
    if not deal.may_speak(seat):
        return "out"
    return "back" if seat in passed(deal) else "asked"


def _prompt(deal: Any, me: int, voice: Voice) -> str:
    now = standing(deal.calls)
    if deal.turn != me:
        return voice.say("prompt wait", seat=Seat(deal.turn))
    if now.bidder == me:
        return voice.say("prompt auction raise")
    if me in passed(deal):
        return voice.say("prompt auction back")
    if now.bid == "propose" and now.accepter is None:
        return voice.say("prompt auction accept", seat=now.bidder)
    return voice.say("prompt auction over", call=now.bid) if now.bid else voice.say("prompt auction")


def _if_passed(deal: Any, voice: Voice) -> str:
    """What comes next if the reader passes; nobody's cards matter for that."""
    after = deal.copy()
    after.push(Move("pass"))
    if after.over:
        return voice.say("if pass thrown in")
    if after.board:
        return voice.say("if pass next", seat=Seat(after.turn))
    if after.contract.bidder is None:
        return voice.say("if pass misery")
    sides = after.contract.seats
    return voice.say("if pass contract", sides=sides, call=after.contract.bid, seat=Seat(after.leader))


def contract(deal: Any, voice: Voice) -> dict[str, str] | None:
    """The contract that came out of the auction: who plays it, what it asks for, and how far they are."""
    now: Standing = deal.contract
    if not now.bid:
        return None
    if now.bidder is None:
        return {"name": voice.say(f"word {now.bid}"), "text": voice.say(f"rung {now.bid} {deal.options.all_pass}")}
    sides = now.seats
    text = [meaning(deal, now.bid, voice)]
    if contract_of(deal.options, now.bid).trumps == "named" and deal.table.trumps:
        text.append(voice.say("contract trump", trump=deal.trump))
    return {
        "name": voice.say("contract of", sides=sides, call=now.bid),
        "text": " · ".join(text),
        "now": _so_far(deal, voice) if deal.table.number > 1 else "",
    }


def _so_far(deal: Any, voice: Voice) -> str:
    """How the contract stands, in a few words."""
    target, taken = contract_of(deal.options, deal.contract.bid).target, deal.table.taken_by_bidder
    if target == HAND:
        return voice.say("contract lost" if taken < sum(deal.table.tricks) else "contract all", count=taken)
    if target == 0:
        return voice.say("contract lost" if taken else "contract none")
    return voice.say("contract count", taken=taken, target=target)


def payments(deal: Any, voice: Voice) -> dict[str, Any] | None:
    """Who pays whom: the seats with what each wins or loses, and the chips that pass between them."""
    paid, scores = deal.payments(), deal.scores()
    if not paid:
        return None
    seats = [(voice.me + i) % deal.players for i in range(deal.players)]
    return {
        "title": voice.say("payments title"),
        "seats": [
            {"seat": seat, "name": voice.labels[seat], "points": f"{scores[seat]:+d}".replace("-", "−")}
            for seat in seats
        ],
        "pays": [
            {"from": payer, "to": to, "amount": amount, "text": voice.say("pays", seat=payer, to=to, points=amount)}
            for payer, to, amount in paid
        ],
    }
