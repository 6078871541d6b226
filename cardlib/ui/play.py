"""Playing whole deals against bots: the guided deal, and free play to the end of a match."""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from typing import Any

from cardlib.cards import Seat
from cardlib.deal import IllegalMove, Settled
from cardlib.errors import BadInput
from cardlib.options import Variant
from cardlib.play.bots import simple
from cardlib.play.session import Session
from cardlib.seeds import parse_seed
from cardlib.teach.voice import Voice
from cardlib.ui.page import PagePart
from cardlib.ui.part import button, word
from cardlib.ui.table import log, side, table, tally_cells, why


class Play(PagePart):
    """A table at which the learner plays.  `name` is its key in what the browser keeps."""

    kind = "play"

    def __init__(self, name: str) -> None:
        super().__init__()
        self.name = name
        self.says: list[dict[str, Any]] = []
        self.trial: dict[str, Any] | None = None
        self.show_legal = False
        self.session = Session(self.page.variant, self.page.seed)
        self.page.add(self)

    @property
    def voice(self) -> Voice:
        return self.page.voice(self.session.variant)

    # -- what is kept

    def begin(self, stored: object) -> None:
        """Take up what the browser has kept, or begin a new match from the page's variant and seed."""
        self.says = []
        if isinstance(stored, Mapping):
            self.session = Session.resume(self.page.game, stored)
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
        if shown["compose"]:
            shown["compose"]["say"] = self.trial
        return {
            "id": self.name,
            "title": voice.say(f"{self.name} title"),
            "intro": voice.say(f"{self.name} intro"),
            "table": shown,
            "says": self.says + self.result(),
            "log": log(deal, me, voice),
            "lines": self._lines(voice),
            "lines_title": voice.say("sheet this deal" if deal.over else "sheet so far"),
            "sheet": self._sheet(voice),
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
        played = [(entry.scores, entry.settled) for entry in match.history]
        played += [(deal.scores(), deal.settled)] if deal.finished else []
        after = deal.settled.match if deal.finished else match.context
        begins = max((i for i, (_, settled) in enumerate(played[:-1], 1) if settled.match.fresh), default=0)
        (name, total), *other = after.sums(deal.variant)
        if deal.finished and after.fresh:  # the game that is over now
            total = [before + more for before, more in zip(match.context.totals, deal.scores(), strict=True)]
        tallies = after.tallies(deal.variant)
        count = deal.game.sides(deal.players)
        sides = [(self.session.me + i) % count for i in range(count)]
        return {
            "title": voice.say("sheet title"),
            "heads": ["", *(voice.side(side) for side in sides)],
            "rows": [
                [voice.say("sheet deal", deal=number), *(self._cell(voice, scores, settled, side) for side in sides)]
                for number, (scores, settled) in enumerate(played[begins:], begins + 1)
            ],
            "total": [voice.say(f"sheet {name}"), *(voice.points(total[side]) for side in sides)],
            "tallies": [
                *([voice.say(f"sheet {name}"), *(voice.points(sums[side]) for side in sides)] for name, sums in other),
            ]
            + [
                [voice.say(f"sheet {tally.name}"), *(tally_cells(tally, voice)[side] for side in sides)]
                for tally in tallies
            ],
            "legend": self._legend(voice, [settled for _, settled in played]),
            "note": self._next(voice),
            "rules": [],
        }

    def _cell(self, voice: Voice, scores: Sequence[int], settled: Settled, side: int) -> str | dict[str, str]:
        """A score, and what is marked beside it."""
        marked = [e.rule for e in settled.events if e.kind == "Marked" and e.facts["side"] == side]
        if not marked:
            return voice.points(scores[side])
        signs, names = (" ".join(voice.say(f"{kind} {rule}") for rule in marked) for kind in ("sign", "marked"))
        return {"text": voice.points(scores[side]), "sign": signs, "name": names}

    def _legend(self, voice: Voice, played: Sequence[Settled]) -> str:
        """What the signs on the sheet mean."""
        rules = dict.fromkeys(e.rule for settled in played for e in settled.events if e.kind == "Marked")
        return " · ".join(f"{voice.say(f'sign {rule}')} {voice.say(f'marked {rule}')}" for rule in rules)

    def _next(self, voice: Voice) -> str:
        deal, match = self.session.deal, self.session.match
        if not deal.finished or self.session.over:
            return ""
        after = deal.settled.match
        dealer = match.dealer if after == match.context else (match.dealer + 1) % deal.players
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
        return "\n".join([voice.say(f"{self.name} title"), voice.say(f"{self.name} intro")])


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
    """A whole deal that is the same for everybody, and the last step of the lesson, played as one likes."""

    def __init__(self, rules: str, seed: int, goal: int, title: str) -> None:
        self.seed, self.goal = seed, goal
        super().__init__("guided")
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
        return Session(Variant.of(self.page.game), self.seed)

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


def guided_deal(rules: str, seed: int, goal: int, title: str) -> Guided:
    """A whole deal from a fixed seed, as a step of the lesson."""
    return Guided(rules, seed, goal, title)


def free_play() -> Free:
    """A match against simple bots."""
    return Free()
