"""The table as the learner's seat sees it, in the form of the browser contract.

Only the seat's own view goes down: no card that it may not know ever reaches the browser.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from cardlib.cards import Card, Hand, Seat
from cardlib.deal import Event, Reminder, ScoreLine, Tally
from cardlib.phases.auction import Standing
from cardlib.phases.exchange import STEPS, PassingDeal
from cardlib.phases.tricks import TrickDeal, leading_card
from cardlib.play.session import Session
from cardlib.teach.voice import Voice
from cardlib.ui.auction import contract
from cardlib.ui.boards import board, counts

#: Moves that are said, not played: they stand on the table as buttons.
CALLS = ("annul", "play-on", "moon self", "moon others")


def table(session: Session, voice: Voice, totals: Sequence[int], show_legal: bool = False) -> dict[str, Any]:
    """The state `Table`."""
    deal, me = session.deal, session.me
    view = deal.view(me)
    *_, done = _trick(session)
    mine = view.turn == me and not session.waiting
    middle = board(session, voice, mine)
    calls = middle["calls"] if middle else _calls(session, voice)
    return {
        "phase": view.phase,
        "prompt": middle["prompt"] if middle and mine else prompt(session, voice),
        "head": _head(session, voice),
        "me": me,
        "seats": _seats(session, voice, totals),
        "anticlockwise": voice.anticlockwise,
        "dealer_label": voice.say("ui dealer"),
        "arrow": deal.direction if view.phase == "pass" else "",
        "mid": _mid(session, voice),
        "contract": contract_line(session, voice, done),
        "board": middle,
        "trick": _plays(session, voice),
        "done": done,
        "hand": _hand(session, voice, mine),
        "show_legal": show_legal,
        "compose": _compose(session, voice) if mine else None,
        "calls": calls if mine else [],
        "next": {"label": voice.say(_next_label(session))} if session.waiting else None,
        "kitty": _kitty(session, voice),
    }


def _trick(session: Session) -> tuple[Sequence[Card], int, bool]:
    """The cards on the table: the current trick, or the complete one until the next card is led."""
    deal = session.deal
    if deal.trick:
        return deal.trick, deal.leader, False
    return deal.last_trick, deal.last_leader, bool(deal.last_trick)


def _plays(session: Session, voice: Voice) -> list[dict[str, Any]]:
    """The cards of the trick: who played them, which one wins, and which is the lowest, where that matters."""
    deal = session.deal
    trick, leader, done = _trick(session)
    if not trick:
        return []
    best = _won(deal).facts["card"] if done else deal.view(session.me).best
    return [
        voice.face(
            card,
            seat=(leader + i) % deal.players,
            winning=card == best,
            led=i == 0,
            tag=voice.say("ui winning") if card == best else "",
            also=voice.say("ui lowest") if deal.lowest & card.mask else "",
        )
        for i, card in enumerate(trick)
    ]


def contract_line(session: Session, voice: Voice, done: bool) -> dict[str, str] | None:
    """What this deal is about, and what that means for the trick that is played now."""
    deal = session.deal
    name = getattr(deal, "contract", "")
    if isinstance(name, Standing):
        return contract(deal, voice)
    if not name or not voice.knows(f"counts {name}"):
        return None
    now = ""
    if deal.phase and not done and deal.at_stake is not None:
        now = voice.say("now stake" if deal.at_stake else "now nothing", number=deal.stage, points=deal.at_stake)
    elif deal.receiver(session.me) != session.me:
        now = voice.say("now receiver", seat=Seat(deal.receiver(session.me)))
    return {"name": voice.say(f"contract {name}"), "text": counts(name, voice), "now": now}


def _won(deal: Any) -> Event:
    """How the last complete trick was won."""
    won: Event = next(event for event in reversed(deal.events) if event.kind == "TrickWon")
    return won


def _next_label(session: Session) -> str:
    return "ui next trick" if session.deal.last_trick else "ui begin play"


def prompt(session: Session, voice: Voice) -> str:
    """What the learner is to do now."""
    deal, me = session.deal, session.me
    view = deal.view(me)
    if view.over:
        if session.over or not deal.finished:
            return voice.say("prompt match over" if session.over else "prompt over")
        return voice.say("prompt over points", points=view.scores()[deal.side(me)])
    if session.waiting:
        return _to_look_at(session, voice)
    if view.turn != me:
        return voice.say("prompt wait", seat=Seat(view.turn))
    if view.phase == "pass":
        count = deal.phase.count
        if deal.direction not in STEPS:
            return voice.say(f"prompt pass {deal.direction}", count=count)
        to = Seat(deal.phase.receivers(view.players, me)[0])
        return voice.say("prompt pass forward" if deal.phase.forwarding else "prompt pass", count=count, to=to)
    if view.phase == "discard":
        return voice.say("prompt discard", count=deal.left_over_size)
    if view.phase == "declare":
        return voice.say("prompt declare" if len(view.legal()) > 1 else "prompt declare none")
    if view.phase != "play":
        return voice.say(f"prompt {view.phase}")
    if slots := getattr(view, "slots", ()):
        free = [move.word for move in view.legal()]
        return voice.say("prompt slot" if len(free) == slots.count(None) else "prompt slot follow", slots=free)
    if not view.trick and not deal.moves and view.table.trumps:
        return voice.say("prompt lead first", trump=deal.trump)
    if not view.trick:
        return voice.say("prompt lead won" if deal.last_trick else "prompt lead")
    if view.led is None:
        return voice.say("prompt follow any")
    lead = leading_card(view.trick)
    if view.hand & lead.suit.mask:
        return voice.say("prompt follow", lead=lead, led=lead.suit)
    trumping = all(move.mask & view.table.trumps for move in view.legal())
    return voice.say("prompt trump" if trumping else "prompt follow void", lead=lead, led=lead.suit)


def _to_look_at(session: Session, voice: Voice) -> str:
    """What has happened, before the others go on: a trick is complete, cards were received, somebody has chosen, an
    auction is over."""
    if session.deal.last_trick:
        return taken(session.deal, voice)
    if received := _received(session):
        return voice.say("prompt received", cards=received)
    agreed = [event for event in session.news() if event.kind == "Contract"]
    return voice.event(agreed[0]) if agreed else voice.say("prompt look")


def _head(session: Session, voice: Voice) -> str:
    deal, number = session.deal, session.match.number + 1
    facts = {"deal": number, "round": getattr(deal.match, "round", 0)}
    if deal.phase and deal.phase.name in ("pass", "calls", "auction"):
        return voice.say("prompt head deal" if deal.phase.name == "pass" else f"prompt head {deal.phase.name}", **facts)
    shown = deal.stage - (1 if not deal.trick and deal.last_trick else 0)
    whole = deal.over or deal.board
    parts = [voice.say("prompt head deal", **facts) if whole else voice.say("prompt head", trick=shown, **facts)]
    if isinstance(deal, TrickDeal) and deal.table.trumps:
        parts.append(voice.say("prompt head trump", trump=deal.trump))
    if getattr(deal.match, "factor", 1) > 1:
        parts.append(voice.say("prompt head factor", factor=deal.match.factor))
    return " · ".join(parts)


def _mid(session: Session, voice: Voice) -> dict[str, str] | None:
    """What stands in the middle of the table while cards are passed."""
    deal = session.deal
    if not deal.phase or deal.phase.name != "pass":
        return None
    receivers = deal.phase.receivers(deal.players, session.me)
    to = voice.say("mid to", to=Seat(receivers[0]), count=deal.phase.count) if len(receivers) == 1 else ""
    return {"head": voice.say("mid pass", direction=deal.direction), "text": to}


def _seats(session: Session, voice: Voice, totals: Sequence[int]) -> list[dict[str, Any]]:
    """The seats in order of play from the learner."""
    deal, me = session.deal, session.me
    view = deal.view(me)
    receivers = deal.phase.receivers(view.players, me) if view.phase == "pass" else []
    given = deal.given if view.phase == "pass" else [None] * view.players
    said = [voice.say("table so far", count=view.scores()[deal.side(seat)]) for seat in range(view.players)]
    open_totals = deal.card_points and deal.announce == "total" and view.phase == "play"
    tricks = [voice.say("table tricks", count=count) for count in deal.tricks_won] or [""] * view.players
    so_far = said if open_totals else tricks
    tallies = [(tally.counts, tally_cells(tally, voice)) for tally in deal.match.tallies(deal.variant)]
    return [
        {
            "seat": seat,
            "name": voice.labels[seat],
            "me": seat == me,
            "cards": view.counts[seat],
            "turn": seat == view.turn and not session.waiting,
            "dealer": seat == view.dealer,
            "points": voice.say("sheet points", count=totals[deal.side(seat)]),
            "so_far": so_far[seat],
            "marks": [cells[deal.side(seat)] for counts, cells in tallies if counts[deal.side(seat)]],
            "note": voice.say("ui passed") if given[seat] is not None and seat != me else _said(session, seat, voice),
            "gives_to": seat in receivers,
            "hand": voice.faces(view.hands[seat]) or None,
        }
        for seat in ((me + i) % view.players for i in range(view.players))
    ]


def _said(session: Session, seat: int, voice: Voice) -> str:
    """What a seat has called, as long as it matters; what it has declared, while the first trick is played; otherwise
    whether it is the partner's."""
    deal, me = session.deal, session.me
    if call := deal.said(seat):
        return voice.say(f"word {call}")
    if seat in getattr(deal, "out", ()):
        return voice.say("ui out")
    words = [move.word for move in deal.moves if move.verb == "declare"] if deal.stage == 1 else []
    place = (seat - deal.eldest) % deal.players
    if place < len(words):
        return voice.listed([voice.say(f"short {word}") for word in words[place].split()])
    partner = seat != me and deal.game.sides(deal.players) < deal.players and deal.side(seat) == deal.side(me)
    return voice.say("ui partner") if partner else ""


def tally_cells(tally: Tally, voice: Voice) -> list[dict[str, str]]:
    """A tally by side: signs for the eye, words for the ear."""
    sign, rest = voice.say(f"sign {tally.name}"), voice.say("sign none")

    def name(count: int) -> str:
        exact = f"tally {tally.name} {count:d}"
        return voice.say(exact) if voice.knows(exact) else voice.say(f"tally {tally.name}", n=count, limit=tally.limit)

    return [{"sign": sign * n + rest * (tally.limit - n), "name": name(n)} for n in tally.counts]


def _hand(session: Session, voice: Voice, mine: bool) -> list[dict[str, Any]]:
    view = session.deal.view(session.me)
    fresh = _received(session)
    waits = None if view.over or mine else _waits(session, voice)
    one_by_one = mine and view.phase not in ("pass", "discard")
    playable = {move.cards[0] for move in view.legal() if move.verb == "play"} if one_by_one else set()
    hand = []
    for card in view.hand:
        refusal = view.refusal(str(card)) if one_by_one and card not in playable else None
        said = voice.refusal(refusal) if refusal else waits
        hand.append(voice.face(card, refusal=said, refused=refusal is not None, new=card in fresh))
    return hand + _slots(view, voice, mine, waits)


def _slots(view: Any, voice: Voice, mine: bool, waits: dict[str, Any] | None) -> list[dict[str, Any]]:
    """The hand of a seat that does not see its own cards: a back for each that still lies there, by its place."""
    backs = []
    for n, card in enumerate(getattr(view, "slots", ()), 1):
        if card is None:
            refusal = view.refusal(f"slot {n}") if mine else None
            said = voice.refusal(refusal) if refusal else waits
            back = {"card": f"slot {n}", "n": str(n), "name": voice.say("ui slot", n=n), "back": True, "new": False}
            backs.append({**back, "refusal": said, "refused": refusal is not None})
    return backs


def _waits(session: Session, voice: Voice) -> dict[str, Any]:
    """What is said to a card that is tapped while the learner is not on turn."""
    if session.waiting:
        return {"tone": "note", "text": voice.say("reply press next", label=voice.say(_next_label(session)))}
    return voice.note("note", "bad turn", seat=Seat(session.deal.turn))


def _received(session: Session) -> Hand:
    """The cards that have just come to the learner."""
    got = [e for e in session.news() if e.kind == "Received" and e.facts["seat"] == session.me]
    kitty = [e for e in session.news() if e.kind == "Kitty" and e.facts["seat"] == session.me]
    cards = Hand.of({card for event in got + kitty for card in event.facts.get("cards", ())})
    return Hand(cards & session.deal.hands[session.me])


def _compose(session: Session, voice: Voice) -> dict[str, Any] | None:
    """Moves that are put together from several cards."""
    deal, me = session.deal, session.me
    phase = deal.phase.name
    if phase == "discard":
        return {
            "verb": "discard",
            "count": deal.left_over_size,
            "ordered": False,
            "labels": [],
            "button": voice.say("ui discard cards", cards="{cards}"),
            "forward": None,
        }
    if phase == "declare":
        return _declarations(deal, voice)
    if phase != "pass":
        return None
    receivers = deal.phase.receivers(deal.players, me)
    scatter = deal.direction == "scatter"
    shares = [seat for seat, share in zip(receivers, deal.phase.shares, strict=False) for _ in range(share)]
    one = len(receivers) == 1
    button = (
        voice.say("ui pass cards to", cards="{cards}", to=Seat(receivers[0]))
        if one
        else voice.say("ui pass cards", cards="{cards}")
    )
    return {
        "verb": "give",
        "count": deal.phase.count,
        "ordered": scatter,
        "labels": [voice.labels[seat] for seat in shares] if scatter else [],
        "button": button,
        "forward": voice.say("move forward") if deal.phase.forwarding else None,
    }


def _declarations(deal: Any, voice: Voice) -> dict[str, Any]:
    """What the learner may declare: all of it is switched on, and he may switch off what he wants to keep quiet."""
    everything, *_ = deal.legal()
    words = everything.word.split() if everything.word != "none" else []
    labels = {word: voice.say(f"call {word}") for word in words}
    return {
        "verb": "declare",
        "label": voice.say("ui declare"),
        "toggles": [
            {
                "word": word,
                "label": label[:1].upper() + label[1:],
                "said": label,
                "note": voice.say("ui declare points", points=deal.phase.points(word)),
                "on": True,
            }
            for word, label in labels.items()
        ],
        "button": voice.say("move declare", cards="{cards}"),
        "none": voice.say("move declare none"),
        "join": ", " if voice.lang == "en" else "、",
    }


def _calls(session: Session, voice: Voice) -> list[dict[str, Any]]:
    """Words that may be said now, the refused ones with the reason."""
    made = []
    for move in getattr(session.deal.phase, "moves", ()):
        refusal = session.deal.refusal(move)
        said = voice.refusal(refusal) if refusal else None
        made.append({"move": str(move), "label": voice.say(f"move {move}"), "refusal": said})
    return made


def _kitty(session: Session, voice: Voice) -> dict[str, Any] | None:
    """The left-over cards: face down, or open where they have just been turned up; or the card dealt face up."""
    shown = next((e.facts["cards"] for e in session.news() if e.kind == "Kitty" and "cards" in e.facts), Hand(0))
    if session.deal.shown and not session.deal.board:
        return {"count": 1, "label": voice.say("ui shown card"), "cards": voice.faces([session.deal.shown])}
    count = session.deal.left_over.bit_count() or len(shown)
    return {"count": count, "label": voice.say("ui left over"), "cards": voice.faces(shown)} if count else None


# -------------------------------------------------------------------------------------------------------------- side


def side(session: Session, voice: Voice) -> list[dict[str, Any]]:
    """Boxes beside the table: what holds for this deal, from the rule book as the options make it read."""
    deal = session.deal
    boxes = [_reminder(voice, reminder) for reminder in deal.reminders]
    if isinstance(deal, PassingDeal):
        boxes.append(_cycle(session, voice))
    if getattr(deal, "round_contracts", None):
        boxes.append(_round(session, voice))
    if deal.board == "rows":
        rules = [voice.rule(f"{deal.game.id}.snack.{name}") for name in ("out", "last")]
        boxes.append({"title": voice.say("side exits"), "text": voice.say("side exits text"), "rules": rules})
    return [*boxes, {"title": voice.say("ui rules"), "text": voice.summary(), "rules": []}]


def _reminder(voice: Voice, about: Reminder) -> dict[str, Any]:
    """The first sentence of each rule that is in force; of the first rule the one after `skip` others."""
    first = about.rules[0]
    said = {id: sentences[about.skip * (id == first)] for id in about.rules if (sentences := voice.sentences(id))}
    rules = [voice.rule(id) for id in said]
    return {"title": voice.say(f"side {about.title}"), "text": voice.joined(said.values()), "rules": rules[-1:]}


def _round(session: Session, voice: Voice) -> dict[str, Any]:
    """The contracts of this round: which have been played, which is played now; and who deals and chooses next."""
    deal = session.deal
    ways = []
    for name in deal.round_contracts:
        id = "side contract" if name in deal.match.remaining else "side contract done"
        ways.append({"label": voice.say(id, contract=name), "now": name == deal.contract})
    left = len(deal.match.remaining) > 1
    after = "next" if left else "round" if deal.match.round < 3 else "none"
    text = voice.say(f"side dealer {after}", seat=Seat(deal.eldest))
    rule = voice.rule(f"{deal.game.id}." + ("score.match" if after == "none" else f"deal.{after}-dealer"))
    title = voice.say("side round", round=deal.match.round)
    return {"title": title, "path": ways, "loose": True, "text": text, "rules": [rule]}


def _cycle(session: Session, voice: Voice) -> dict[str, Any]:
    """The directions of the pass, deal by deal, and which it is now."""
    cycle = session.deal.options.directions(session.deal.players)
    now = session.match.context.deal % len(cycle)
    ways = [{"label": voice.say("side way", direction=way), "now": at == now} for at, way in enumerate(cycle)]
    rule = voice.rule(session.deal.pass_rules["cycle"])
    return {"title": voice.say("side cycle"), "path": ways, "text": "", "rules": [rule]}


# --------------------------------------------------------------------------------------------------------------- log


def log(deal: Any, me: int, voice: Voice) -> list[dict[str, Any]]:
    """The story of the deal, one line a trick."""
    lines: list[dict[str, Any]] = []
    plays: list[str] = []
    for event in (event.seen(me) for event in deal.events):
        if event.kind == "Played":
            plays.append(voice.say("log play", **event.facts))
        elif event.kind == "TrickWon":
            said = [voice.say("log trick", number=event.facts["number"], plays=plays), won(deal, event, voice)]
            lines.append({"text": " ".join(said), "rule": voice.rule(event.rule)})
            plays = []
        elif event.kind != "Scored":
            lines.append({"text": voice.event(event), "rule": voice.rule(event.rule)})
    return lines


def won(deal: Any, event: Event, voice: Voice) -> str:
    """Who wins a trick, and what it costs."""
    return _won_by(deal, event, voice, "log win none", "log win")


def taken(deal: Any, voice: Voice) -> str:
    """The same of the last trick, for the line above the hand."""
    return _won_by(deal, _won(deal), voice, "prompt trick", "prompt trick cost")


def _won_by(deal: Any, event: Event, voice: Voice, plain: str, cost: str) -> str:
    """Who wins a trick, and its points: those of the winner, or of everybody who gets some."""
    seat, lines = event.facts["seat"], _points(deal, event)
    points = dict.fromkeys(sorted({line.side for line in lines}), 0)
    for line in lines:
        points[line.side] += line.points
    if not any(points.values()):
        return voice.say(plain, seat=seat)
    if points.keys() == {deal.side(seat)}:
        return voice.say(cost, seat=seat, points=points[deal.side(seat)])
    shares = [voice.say("share", side=voice.sides[side], points=number) for side, number in points.items()]
    return voice.joined([voice.say(plain, seat=seat), voice.say("shares", shares=shares)])


def _points(deal: Any, event: Event) -> list[ScoreLine]:
    """What a trick is worth, as far as the table says it."""
    return [line for line in deal.trick_lines(event) if line.points] if deal.announce else []


def why(deal: Any, me: int, voice: Voice) -> list[dict[str, Any]]:
    """Why the last complete trick went where it went, and what it costs."""
    if deal.board or not deal.last_trick:
        return _why_so(deal, me, voice)
    event = _won(deal)
    says = [voice.note("note", f"event {event.kind} {event.rule}", event.rule, **event.facts)]
    best = event.facts["card"]
    higher = [card for card in event.facts["cards"] if card.suit != best.suit and card.rank > best.rank]
    if higher:
        says.append(voice.note("note", "why off-suit", cards=Hand.of(higher)))
    costly = _points(deal, event)
    if not deal.announce:
        return says
    if any(not line.cards or line.side != deal.side(event.facts["seat"]) for line in costly):
        return says + [_why_line(line, voice) for line in costly]
    if costly:
        cards = Hand.of({card for line in costly for card in Hand(line.cards)})
        points = sum(line.points for line in costly)
        says.append(voice.note("note", "why cost", costly[0].rule, count=points, cards=cards))
    else:
        says.append(voice.note("note", "why no cost"))
    return says


def _why_line(line: ScoreLine, voice: Voice) -> dict[str, Any]:
    """One line of what a trick has brought, in a sentence with its rule."""
    label = voice.say(f"score {line.rule}", **line.facts)
    return voice.note("note", "why line", line.rule, side=line.side, points=line.points, label=label)


def _why_so(deal: Any, me: int, voice: Voice) -> list[dict[str, Any]]:
    """Where there is no trick to explain: the last things that happened, each with its rule."""
    told = [event.seen(me) for event in deal.events if event.rule and event.kind != "Scored"]
    says = [voice.note("note", f"event {e.kind} {e.rule}", e.rule, **e.facts) for e in told[-deal.players :]]
    return says or [voice.note("note", "why nothing yet")]
