"""Playing whole deals against bots: the guided deal, and free play to the end of a match."""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from typing import Any

from cardlib.cards import Seat
from cardlib.deal import IllegalMove, Settled
from cardlib.errors import BadInput
from cardlib.match import Counted
from cardlib.options import Variant
from cardlib.play.bots import simple
from cardlib.play.session import Session
from cardlib.seeds import parse_seed
from cardlib.teach.positions import ME
from cardlib.teach.voice import Voice
from cardlib.ui.auction import payments
from cardlib.ui.counting import Counting
from cardlib.ui.page import PagePart
from cardlib.ui.part import button, word
from cardlib.ui.table import log, side, table, tally_cells, why


class Play(PagePart):
    """A table at which the learner plays.  `name` is its key in what the browser keeps."""

    kind = "play"
    #: With what the match begins: `dealer`, `number`, `match`.
    start: Mapping[str, Any] = {}

    def __init__(self, name: str) -> None:
        super().__init__()
        self.name = name
        self.says: list[dict[str, Any]] = []
        self.trial: dict[str, Any] | None = None
        self.counting = Counting()
        self.show_legal = False
        self.session = Session(self.page.variant, self.page.seed)
        self.page.add(self)
        #: What its texts are called: `KIND title`, `KIND intro`.
        self.texts = name.split("-")[0]

    @property
    def voice(self) -> Voice:
        return self.page.voice(self.session.variant)

    # -- what is kept

    def begin(self, stored: object) -> None:
        """Take up what the browser has kept, or begin a new match from the page's variant and seed."""
        self.says, self.counting = [], Counting()
        if isinstance(stored, Mapping):
            if stored.get("seat", ME) != ME:
                raise BadInput("stored", f"who learns at this page sits at seat {ME}", key="seat")
            self.session = Session.resume(self.page.game, stored, **self.start)
            if self.session.restarted:
                self.says = [self.voice.note("bad", "bad replay")]
        else:
            self.session = self.fresh()

    def fresh(self) -> Session:
        return Session(self.page.variant, self.page.seed)

    def data(self) -> dict[str, Any]:
        return self.session.data()

    # -- messages

    def do_play(self, message: dict[str, Any]) -> None:
        move = word(message, "move")
        try:
            self.session.play(move)
        except IllegalMove as illegal:
            self._answer([self.voice.refusal(illegal.refusal)])
            return
        self._answer([])

    def do_trial(self, message: dict[str, Any]) -> None:
        """Judge a move that is being put together, without making it."""
        refusal = self.session.refusal(word(message, "move"))
        self.trial = self.voice.refusal(refusal) if refusal else None
        self.refresh()
        self.trial = None

    def do_next(self, _message: dict[str, Any]) -> None:
        if self.session.deal.over:
            self.session.next_deal()
        else:
            self.session.go_on()
        self._answer([])

    def do_answer(self, message: dict[str, Any]) -> None:
        """Who gets the points for one of the things that are counted?"""
        self.counting.answer(self.session.deal, word(message, "id"), word(message, "value"))
        self.refresh()

    def do_show(self, _message: dict[str, Any]) -> None:
        """Show the score without further questions."""
        self.counting.shown = True
        self.refresh()

    def do_undo(self, _message: dict[str, Any]) -> None:
        self._answer([] if self.session.undo() else [self.voice.note("note", "reply nothing to undo")])

    def do_again(self, _message: dict[str, Any]) -> None:
        """The same deal from its first card."""
        self.session.again()
        self._answer([])

    def do_why(self, _message: dict[str, Any]) -> None:
        self._answer(why(self.session.deal, self.session.me, self.voice))

    def do_hint(self, _message: dict[str, Any]) -> None:
        """Show which cards are legal, and what a simple player would do and why."""
        deal, me = self.session.deal, self.session.me
        if self.session.waiting or deal.turn != me:
            self._answer([self.voice.note("note", "reply no hint")])
            return
        chosen = simple(deal.view(me))
        said = [self.voice.say("hint move", move=str(chosen.move))]
        said += [self.voice.say(chosen.reason)] if chosen.reason else []
        self._answer([{"tone": "note", "text": self.voice.joined(said)}], show_legal=True)

    def do_new(self, message: dict[str, Any]) -> None:
        """A new match, from a seed or from chance."""
        seed = word(message, "seed").strip()
        self.session = Session(self.page.variant, parse_seed(seed) if seed else secrets.randbelow(1_000_000))
        self._answer([])

    def _answer(self, says: list[dict[str, Any]], show_legal: bool = False) -> None:
        self.says, self.show_legal = says, show_legal
        self.changed()
        self.refresh()
        self.page.refresh()

    def changed(self) -> None:
        """Something has happened at the table."""

    def bad(self, error: ValueError) -> None:
        self.says = [self.voice.bad(error)]
        self.refresh()

    # -- drawing

    def draw(self) -> dict[str, Any]:
        session, voice = self.session, self.voice
        deal, me = session.deal, session.me
        totals = session.match.context.totals
        shown = table(session, voice, totals, self.show_legal)
        if deal.over:
            shown["next"] = self._onward(voice)
        for composed in filter(None, (shown["compose"], shown["board"])):
            composed["say"] = self.trial
        if not deal.finished:
            self.counting = Counting()
        counting = deal.finished and self.counting.open(deal)
        told = log(deal, me, voice)
        if counting:
            shown |= {"prompt": "", "next": None}
        shown["quiz"] = self.counting.draw(deal, me, voice) if deal.finished else None
        return {
            "id": self.name,
            "title": voice.say(f"{self.texts} title"),
            "intro": voice.say(f"{self.texts} intro"),
            "table": shown,
            "says": (self.says or self._choice(voice)) + ([] if counting else self.result()),
            "log": told[: len(told) - len(deal.settled.events)] if counting else told,
            "lines": [] if counting else self._lines(voice),
            "lines_title": voice.say("sheet this deal" if deal.over else "sheet so far"),
            "payments": payments(deal, voice) if deal.finished else None,
            "sheet": None if counting else self._sheet(voice),
            "side": side(session, voice),
            "buttons": self._buttons(voice),
            "over": deal.over,
            "result": None,
            "seed": self._seed_form(voice),
        }

    def _lines(self, voice: Voice) -> list[dict[str, Any]]:
        """The score so far; at the end, what the cards were worth and what is written down for them."""
        deal, view = self.session.deal, self.session.deal.view(self.session.me)
        if not deal.over and deal.announce != "total":
            return []
        scored = view.score_lines()
        if not deal.finished or not deal.card_points:
            return voice.lines(scored)
        counted, made = deal.counted_lines(), []
        for number in range(deal.game.sides(deal.players)):
            made += voice.lines(line for line in counted if line.side == number)
            made += [line | {"total": True} for line in voice.lines(line for line in scored if line.side == number)]
        return made

    def result(self) -> list[dict[str, Any]]:
        """What a finished deal means for the match."""
        deal = self.session.deal
        return [
            self.voice.note("note", f"event {event.kind} {event.rule}", event.rule, **event.facts)
            for event in (deal.settled.events if deal.finished else ())
        ]

    def _choice(self, voice: Voice) -> list[dict[str, Any]]:
        """What another player has just chosen for this deal, and why."""
        session = self.session
        for event in session.news():
            if event.kind == "Chosen" and event.facts["seat"] != session.me:
                told = voice.note("note", f"event Chosen {event.rule}", event.rule, **event.facts)
                reason = session.reasons[0]
                said = [told["text"], voice.say(reason)] if reason else [told["text"]]
                return [told | {"text": voice.joined(said)}]
        return []

    def _seed_form(self, voice: Voice) -> dict[str, str] | None:
        """A small form for playing a deal by its number."""
        return {
            "label": voice.say("ui seed"),
            "value": str(self.session.match.seed),
            "button": voice.say("ui deal this"),
            "fresh": "" if self.session.over else voice.say("ui new game"),
        }

    def _onward(self, voice: Voice) -> dict[str, str] | None:
        """Where a finished deal leads."""
        return None if self.session.over else {"label": voice.say("ui next deal")}

    def _sheet(self, voice: Voice) -> dict[str, Any]:
        """The score sheet of the match: a row a deal, and the totals."""
        match, deal = self.session.match, self.session.deal
        played = list(match.history)
        played += [Counted(match.dealer, deal.outcome(), match.context, deal.settled)] if deal.finished else []
        after = deal.settled.match if deal.finished else match.context
        begins = max((i for i, counted in enumerate(played[:-1], 1) if counted.settled.match.fresh), default=0)
        (name, total), *other = after.sums(deal.variant)
        if deal.finished and after.fresh:  # the game that is over now
            total = [before + more for before, more in zip(match.context.totals, deal.scores(), strict=True)]
        tallies = after.tallies(deal.variant)
        count = deal.game.sides(deal.players)
        sides = [(self.session.me + i) % count for i in range(count)]
        return {
            "title": voice.say("sheet title"),
            "heads": ["", *(voice.side(side) for side in sides)],
            "rows": self._rows(voice, played, begins, sides),
            "wide": self._rounds,
            "total": [voice.say(f"sheet {name}"), *(voice.points(total[side]) for side in sides)],
            "tallies": [
                *([voice.say(f"sheet {name}"), *(voice.points(sums[side]) for side in sides)] for name, sums in other),
            ]
            + [
                [voice.say(f"sheet {tally.name}"), *(tally_cells(tally, voice)[side] for side in sides)]
                for tally in tallies
            ],
            "legend": self._legend(voice, [counted.settled for counted in played]),
            "note": self._next(voice),
            "rules": [],
        }

    @property
    def _rounds(self) -> bool:
        """The match goes in rounds of deals: the sheet shows them, and who dealt."""
        return hasattr(self.session.match.context, "round")

    def _rows(self, voice: Voice, played: Sequence[Counted], begins: int, sides: Sequence[int]) -> list[Any]:
        """A row a deal; where the match goes in rounds, under a heading each, with the totals after it."""
        rows: list[Any] = []
        earlier = self.session.match.number - len(self.session.match.history)
        for number, counted in enumerate(played[begins:], begins + 1):
            if self._rounds and (number == 1 or counted.before.round > played[number - 2].before.round):
                rows += self._begin_round(voice, counted.before, counted.dealer, sides)
            label = voice.say("sheet deal", deal=earlier + number, **counted.outcome)
            rows.append([label, *(self._cell(voice, counted, side) for side in sides)])
        return rows + (self._under_way(voice, played, sides) if self._rounds else [])

    def _begin_round(self, voice: Voice, context: Any, dealer: int, sides: Sequence[int]) -> list[Any]:
        """The totals after the round before, if there was one, and a heading."""
        totals = [voice.say("sheet total"), *(voice.points(context.totals[side]) for side in sides)]
        note = voice.say("sheet round first" if context.round == 1 else "sheet round dealer", seat=Seat(dealer))
        within = len(context.remaining) < len(self.session.deal.round_contracts)
        heading = {"text": voice.say("sheet round", round=context.round), "note": "" if within else note}
        return [{"cells": totals, "look": "cl-sub"}, heading] if context.round > 1 else [heading]

    def _under_way(self, voice: Voice, played: Sequence[Counted], sides: Sequence[int]) -> list[Any]:
        """The deal that is being played: its row is still open."""
        match, deal = self.session.match, self.session.deal
        if deal.over:
            return []
        new = not played or match.context.round > played[-1].before.round
        rows = self._begin_round(voice, match.context, match.dealer, sides) if new else []
        if deal.contract:
            label = voice.say("sheet deal", deal=match.number + 1, contract=deal.contract)
            cells = [self._signed(voice, "…", ["dealer"] if side == match.dealer else []) for side in sides]
            rows.append({"cells": [label, *cells], "look": "cl-now-row"})
        return rows

    def _cell(self, voice: Voice, counted: Counted, side: int) -> str | dict[str, str]:
        """A score, and what is marked beside it."""
        marked = [e.rule for e in counted.settled.events if e.kind == "Marked" and e.facts["side"] == side]
        marked += ["dealer"] if self._rounds and side == counted.dealer else []
        return self._signed(voice, voice.points(counted.scores[side]), marked)

    def _signed(self, voice: Voice, text: str, marked: Sequence[str]) -> str | dict[str, str]:
        """A cell with its signs."""
        if not marked:
            return text
        signs, names = (" ".join(voice.say(f"{kind} {mark}") for mark in marked) for kind in ("sign", "marked"))
        return {"text": text, "sign": signs, "name": names}

    def _legend(self, voice: Voice, played: Sequence[Settled]) -> str:
        """What the signs on the sheet mean."""
        rules = dict.fromkeys(e.rule for settled in played for e in settled.events if e.kind == "Marked")
        rules |= {"dealer": None} if self._rounds else {}
        return " · ".join(f"{voice.say(f'sign {rule}')} {voice.say(f'marked {rule}')}" for rule in rules)

    def _next(self, voice: Voice) -> str:
        deal, match = self.session.deal, self.session.match
        if not deal.finished or self.session.over:
            return ""
        after = deal.settled.match
        dealer = match.next_dealer(deal.settled)
        if not hasattr(deal, "pass_rules"):
            return voice.say("sheet next plain", deal=match.number + 2, seat=Seat(dealer))
        cycle = deal.options.directions(deal.players)
        direction = cycle[after.deal % len(cycle)]
        usual = "sheet next you" if dealer == self.session.me else "sheet next"
        id = "sheet next none" if direction == "none" else usual
        return voice.say(id, deal=match.number + 2, dealer=Seat(dealer), direction=direction)

    def _buttons(self, voice: Voice) -> list[dict[str, Any]]:
        over = self.session.deal.over
        made = [button(voice, "undo", "ui undo", disabled=not self.session.own_moves)]
        made += [] if over else [button(voice, "hint", "ui hint")]
        made += [button(voice, "why", "ui why")]
        made += [button(voice, "again", "ui again deal")] if over else []
        return made + ([button(voice, "new", "ui new game", primary=True)] if self.session.over else [])

    def text(self, lang: str) -> str:
        voice = self.page.voice(self.session.variant, lang)
        return "\n".join([voice.say(f"{self.texts} title"), voice.say(f"{self.texts} intro")])


class Free(Play):
    """Free play: a whole match."""

    def __init__(self) -> None:
        super().__init__("free")
        self.refresh()

    def changed(self) -> None:
        self.page.seed = self.session.match.seed

    def begin(self, stored: object) -> None:
        super().begin(stored)
        if isinstance(stored, Mapping):
            self.page.variant = self.session.variant
            self.changed()


class Guided(Play):
    """A whole deal that is the same for everybody, and a step at the end of the lesson, played as one likes."""

    def __init__(self, rules: str, seed: int, goal: int, title: str, start: Mapping[str, Any]) -> None:
        super().__init__("guided")
        others = sum(isinstance(step, Guided) for step in self.page.steps)
        self.name += f"-{others + 1}" if others else ""
        self.seed, self.goal, self.start = seed, goal, start
        self.rules = rules.split()
        self.n = len(self.page.steps) + 1
        self.id = self.rules[0]
        self._title = title
        self.session = self.fresh()
        self.page.steps.append(self)
        self.refresh()

    def title(self, voice: Voice) -> str:
        return voice.say(f"title {self.page.game.id} {self._title}")

    def fresh(self) -> Session:
        return Session(Variant.of(self.page.game), self.seed, **self.start)

    def begin(self, stored: object) -> None:
        super().begin(stored)
        if self.session.match.seed != self.seed:
            self.session = self.fresh()

    def do_new(self, _message: dict[str, Any]) -> None:
        raise BadInput("message", "the guided deal is always the same one", message="new")

    def changed(self) -> None:
        if self.session.deal.finished:
            self.page.solve(self.id)

    def _seed_form(self, voice: Voice) -> None:
        """The guided deal is always the same one."""

    def _onward(self, voice: Voice) -> dict[str, str]:
        """After the lesson come the house rules and free play."""
        return {"label": voice.say("ui next"), "do": "onward"}

    def result(self) -> list[dict[str, Any]]:
        deal = self.session.deal
        if not deal.finished:
            return []
        points = deal.scores()[self.session.me]
        reached = points < self.goal if deal.game.lowest_wins else points >= self.goal
        if reached:
            return [self.voice.note("good", "reply deal good", points=points)]
        return [self.voice.note("note", "reply deal over goal", points=points, goal=self.goal)]

    def draw(self) -> dict[str, Any]:
        voice = self.voice
        step = {
            "id": self.id,
            "n": self.n,
            "of": len(self.page.steps),
            "label": voice.say("ui step", n=self.n, of=len(self.page.steps)),
            "title": self.title(voice),
            "goal": voice.say("guided goal", goal=self.goal),
            "prose": [voice.rule_text(rule) for rule in self.rules],
            "solved": self.id in self.page.solved,
        }
        state = super().draw() | step
        deal = self.session.deal
        if not self.says and deal.last_trick and not deal.over:
            state["says"] = why(deal, self.session.me, voice)
        return state

    def _buttons(self, voice: Voice) -> list[dict[str, Any]]:
        kept = ("undo", "hint", "why", "again")
        return [item for item in super()._buttons(voice) if item["do"] in kept]

    def text(self, lang: str) -> str:
        voice = self.page.voice(self.session.variant, lang)
        rules = [f"[{rule}] " + ("" if lang == "ja" else " ").join(voice.sentences(rule)) for rule in self.rules]
        hand = voice.written(voice.faces(self.session.deal.view(self.session.me).hand))
        lines = [f"{self.n}. {self.title(voice)}", *rules, voice.say("guided intro"), hand]
        return "\n".join([*lines, voice.say("guided goal", goal=self.goal)])


def guided_deal(rules: str, seed: int, goal: int, title: str, **start: Any) -> Guided:
    """A whole deal from a fixed seed, as a step of the lesson; `start` may name its `dealer`, its `number` and what it
    inherits (`match`)."""
    return Guided(rules, seed, goal, title, start)


def free_play() -> Free:
    """A match against simple bots."""
    return Free()
