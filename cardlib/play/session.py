"""A learner at the table with bots: one match, deal after deal, with free undo, that can be stored and resumed.

Bots are functions of what their seat sees, so a deal is given back by its seed and the learner's own moves alone; no
hand is ever stored.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self

from cardlib.deal import Event, Game, IllegalMove, Phase, Refusal, read_outcome
from cardlib.errors import BadInput
from cardlib.match import Match
from cardlib.options import Variant
from cardlib.play import ambition as _ambition  # noqa: F401  (makes its bot known)
from cardlib.play import hearts as _hearts  # noqa: F401
from cardlib.play import quint as _quint  # noqa: F401
from cardlib.play import quodlibet as _quodlibet  # noqa: F401
from cardlib.play import scopone as _scopone  # noqa: F401
from cardlib.play import solo_whist as _solo_whist  # noqa: F401
from cardlib.play import spady as _spady  # noqa: F401
from cardlib.play.bots import Player, simple
from cardlib.reading import mapping
from cardlib.seeds import parse_seed


class Session:
    """A match of one learner at seat `me` against bots.

    `deal` is the deal as it stands.  Bots move by themselves until it is the learner's turn.  After a trick that he
    does not follow up himself, and after a phase that leaves something to look at (the cards are passed), the session
    waits (`waiting`) until `go_on`.
    """

    def __init__(self, variant: Variant, seed: int, me: int = 0, bot: Player = simple, **start: Any) -> None:
        self.me = me
        self.bot = bot
        self.match = Match(variant, seed, **start)
        #: The stored moves did not fit, so the deal began again.
        self.restarted = False
        self._deal()

    @property
    def variant(self) -> Variant:
        return self.match.variant

    def _deal(self) -> None:
        self.deal = self.match.deal()
        self.seats: list[int] = []  # who made each move of the deal
        self.reasons: list[str] = []  # and why: message ids, empty for the learner
        self.own_moves: list[str] = []  # what the learner has said
        self.since = 0  # the events from here on are new to the learner
        self.waiting = False
        self._run()

    # -- moves

    def refusal(self, move: str) -> Refusal | None:
        """Why the learner may not make this move; `BadInput` for what is no move, or out of turn."""
        return self.deal.view(self.me).refusal(move)  # type: ignore[no-any-return]

    def play(self, move: str) -> list[Event]:
        """The learner's move, then those of the bots; returns what happened, as the learner sees it."""
        self.go_on()
        refusal = self.refusal(move)
        if refusal:
            raise IllegalMove(move, refusal)
        self.since, phase, stage = len(self.deal.events), self.deal.phase, self.deal.stage
        self._move(move)
        self.own_moves.append(" ".join(move.split()))
        self._run(phase if phase.ends_with_news else None, stage)
        return self.news()

    def news(self) -> list[Event]:
        """What has happened since the learner's last move, as the learner sees it."""
        return [event.seen(self.me) for event in self.deal.events[self.since :]]

    def go_on(self) -> None:
        """Clear the complete trick and let the bots play on."""
        if self.waiting:
            self.since = len(self.deal.events)
            self.waiting = False
            self._run()

    def _move(self, move: Any, reason: str = "") -> None:
        self.seats.append(self.deal.turn)
        self.reasons.append(reason)
        self.deal.play(move)

    def _run(self, before: Phase | None = None, stage: int | None = None) -> None:
        """Bots move until it is the learner's turn, or until there is something to look at first: the end of a trick
        (`stage`: where the deal stood before the learner's own card), or of the phase `before` or of this one."""
        deal = self.deal
        stage = deal.stage if stage is None else stage
        before = before or (deal.phase if deal.phase and deal.phase.pauses else None)
        while not deal.over and deal.turn != self.me:
            if deal.stage > stage or (before and deal.phase is not before):
                self.waiting = True
                return
            self._move(*self.bot(deal.view(deal.turn)))

    def undo(self) -> bool:
        """Take back the learner's last move and all that followed; False if there is none."""
        if self.me not in self.seats:
            return False
        last = len(self.seats) - 1 - self.seats[::-1].index(self.me)
        self.deal.undo(len(self.seats) - last)
        del self.seats[last:], self.reasons[last:], self.own_moves[-1:]
        self.waiting = False
        self.since = len(self.deal.events)
        return True

    # -- deals

    @property
    def over(self) -> bool:
        """The match is over."""
        return bool(self.deal.over and (self.match.over or self.deal.settled.result is not None))

    def next_deal(self) -> None:
        """Count the finished deal and deal again, unless the match is over."""
        if self.deal.over and not self.over:
            self.match.add(self.deal)
            self._deal()

    def again(self) -> None:
        """The same deal from its first card."""
        self._deal()

    # -- storing

    def data(self) -> dict[str, Any]:
        """What a browser stores: enough to resume, and no hand."""
        history = [_stored(deal.outcome) if not deal.void else None for deal in self.match.history]
        return {
            "v": self.variant.code,
            "seed": str(self.match.seed),
            "seat": self.me,
            "history": history,
            "moves": self.own_moves,
            "waiting": self.waiting,
        }

    @classmethod
    def resume(cls, game: Game, data: Mapping[str, Any], bot: Player = simple, **start: Any) -> Self:
        """The session that `data` tells of.  `BadInput` if it cannot be read; moves that do not fit (another version
        of the bots, say) begin the same deal again and set `restarted`."""
        variant = Variant.parse(game, _text(data, "v"))
        seat, history, moves = data.get("seat", 0), data.get("history", []), data.get("moves", [])
        if type(seat) is not int or seat not in range(variant.players):
            raise BadInput("stored", f"no such seat: {seat!r}", key="seat")
        if not isinstance(history, list) or len(history) > 1000:
            raise BadInput("stored", "the stored scores cannot be read", key="history")
        if not isinstance(moves, list) or not all(isinstance(move, str) for move in moves):
            raise BadInput("stored", "the stored moves cannot be read", key="moves")
        session = cls(variant, parse_seed(_text(data, "seed")), seat, bot, **start)
        session.match.restore([_outcome(variant, entry) for entry in history])
        session._deal()
        try:
            for move in moves:
                session.play(move)
            if data.get("waiting") is False:
                session.go_on()
        except ValueError:
            session._deal()
            session.restarted = True
        return session


def _text(data: Mapping[str, Any], key: str) -> str:
    value = data.get(key, "")
    if not isinstance(value, str):
        raise BadInput("stored", f"{key} is not text: {value!r}", key=key)
    return value


def _stored(outcome: Mapping[str, Any]) -> Any:
    """The outcome of a deal for the browser; just the scores where there is nothing else."""
    return outcome["scores"] if outcome.keys() == {"scores"} else dict(outcome)


def _outcome(variant: Variant, stored: object) -> dict[str, Any] | None:
    """The outcome of a deal that was played before (None: it did not count)."""
    if stored is None:
        return None
    if isinstance(stored, list):  # just the scores
        stored = {"scores": stored}
    outcome = read_outcome(variant, mapping("history", stored, variant.game.deal.outcomes))
    if any(abs(number) >= 10000 for value in outcome.values() if isinstance(value, list) for number in value):
        raise BadInput("stored", "the stored scores cannot be read", key="history")
    return outcome
