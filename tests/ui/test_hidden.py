"""No card reaches the browser that the learner's seat may not know: every message of every widget is looked through,
while the games are played by many rules, through all their phases, in both languages.

What the learner may know says `tests.knowledge`; the same is looked for in the messages of the real server in
`tests/app/test_line.py`, and in those that a real browser gets in `tests/browser/test_trouble.py`.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterator, Set
from typing import Any

import comm
import pytest

from cardlib.cards import Card, Hand
from cardlib.deal import GAMES, Event, View, read_variant
from cardlib.deal import deal as dealt
from cardlib.options import Variant
from cardlib.phases.slots import SlotView
from cardlib.play.bots import simple
from cardlib.play.session import Session
from cardlib.record import load, read_checks
from cardlib.teach.voice import Voice
from cardlib.text import LANGS, messages
from cardlib.ui import table
from cardlib.ui.play import Play
from tests.engine.play_outs import VECTORS, presets, random_variant
from tests.knowledge import SEES, codes, known, told
from tests.ui.opened import PAGES, PLAYED, built, part_of, tell
from tests.ui.watch import allowed, look_through, movers


class Line:
    """The line to the browser: all that the widgets of a page send is looked through."""

    def __init__(self, game: str, monkeypatch: pytest.MonkeyPatch) -> None:
        self.sent: list[tuple[str, Any]] = []
        self.looked_at = 0

        def publish(comm: Any, msg_type: str, data: Any = None, *rest: Any, **more: Any) -> None:
            self.sent.append((comm.comm_id, data))

        monkeypatch.setattr(comm.DummyComm, "publish_msg", publish)
        self.page = built(game)
        self.look()

    def tell(self, part: Any, **message: Any) -> None:
        """Send a message as the browser does, and look through all that comes back."""
        tell(part, **message)
        self.look(codes(message.values()))

    def look(self, asked: Set[str] = frozenset()) -> None:
        """Look through what has been sent since the last time, to somebody who asked about these cards."""
        parts = {part.model_id: part for part in (self.page, *self.page.parts)}
        for id, message in self.sent:
            assert not message.keys() - {"state", "buffer_paths", "method"}
            if id in parts:
                look_through(parts[id], message["state"].get("state", {}), asked)
            else:
                assert message["state"]["_model_name"] == "LayoutModel"
        self.looked_at += len(self.sent)
        self.sent.clear()


# -- playing


def whole_deal(line: Line, play: Any, draw: random.Random) -> None:
    """Play a deal to its end, with all that a reader can ask for on the way."""
    for _ in range(400):
        session = play.session
        if session.deal.over:
            break
        if session.waiting:
            line.tell(play, do="next")
            continue
        view = session.deal.view(session.me)
        legal = [move for move, _ in zip(view.legal(), range(60), strict=False)]
        move = str(simple(view).move if draw.random() < 0.5 else draw.choice(legal))
        aside(line, play, move, draw)
        line.tell(play, do="play", move=move)
    assert session.deal.over
    line.tell(play, do="why")


def aside(line: Line, play: Any, move: str, draw: random.Random) -> None:
    """Now and then something besides a move: most of it leads back to the same position."""
    what = draw.randrange(32)
    if what < 3:
        line.tell(play, do=("hint", "why", "undo")[what])
        play.session.go_on()
    elif what == 3:
        line.tell(play, do="trial", move=move)
    elif what == 4:
        line.tell(play, do="play", move=draw.choice(["QS", "7D", "give 2C", "slot 2", "take 1", "pass", "7D takes 3C"]))
    elif what == 5:
        line.tell(line.page, do="set", name="lang", value=draw.choice(LANGS))
    elif what == 6:  # a reload
        kept = json.loads(json.dumps(line.page.state["save"]))
        line.tell(line.page, do="hello", search=kept["link"], stored=kept, settings=line.page.settings)


#: Rules under which cards go face down from hand to hand.
MORE = {
    "hearts": (
        "hearts(players=3,leftover=pickup-first-trick)",
        "hearts(players=7,leftover=pickup-first-penalty)",
        "hearts(players=5,leftover=first-penalty,pass_forward=true)",
        "hearts(pass_cycle=left-across-right-scatter-smoosh)",
    )
}


def some_variants(game: str, draw: random.Random) -> Iterator[Variant]:
    """The sheet's rules, some presets and some mixtures of the options."""
    sheet, *others = dict.fromkeys(presets(GAMES[game]))
    yield from [sheet, *draw.sample(others, min(len(others), 2)), *map(read_variant, MORE.get(game, ()))]
    for _ in range(3):
        yield random_variant(GAMES[game], draw)


def begin(line: Line, variant: Variant, seed: int) -> Any:
    """Free play by these rules."""
    link = f"?lang={LANGS[seed % 2]}&v={variant.code}&seed={seed}"
    line.tell(line.page, do="hello", search=link, stored=None, settings=None)
    play = part_of(line.page, "free")
    assert play.session.variant == variant, line.page.notice
    return play


# -- what is looked through


def test_we_know_what_a_seat_may_know_of_every_game():
    assert GAMES.keys() <= SEES.keys()
    assert set(PAGES) <= SEES.keys()


@pytest.mark.parametrize("game", PLAYED)
def test_free_play(game, monkeypatch):
    """Matches by many rules; of Quodlibet first all twelve deals, then the third round."""
    draw, line = random.Random(game), Line(game, monkeypatch)
    for seed, variant in enumerate(some_variants(game, draw)):
        play = begin(line, variant, seed)
        if game == "quodlibet" and seed:
            play.session = Session(variant, seed, match={"round": 3})
        for _ in range(2 if game != "quodlibet" else 4 if seed else 12):
            whole_deal(line, play, draw)
            line.tell(play, do="next")
    assert line.looked_at > 300


@pytest.mark.parametrize("game", PLAYED)
def test_positions(game, monkeypatch):
    """The handed positions and records, which between them show every phase and every option, as if the learner had
    come so far at seat 0."""
    line, phases = Line(game, monkeypatch), set()
    play = begin(line, Variant.of(GAMES[game]), 0)
    for number, check in enumerate(read_checks(VECTORS / f"{game}.jsonl")):
        if check.get("kind") == "settle" or "error" in check["expect"]:
            continue
        deal = load({key: value for key, value in check.items() if key not in ("id", "why", "expect")})
        play.session = come_so_far(deal)
        line.page.settings["lang"] = LANGS[number % 2]
        line.tell(play, do="hint" if deal.turn == 0 else "why")
        assert not play.state["error"], check["id"]
        phases.add(deal.phase.name if deal.phase else "over")
    assert phases == {"over"} | PHASES[game]


#: The phases of each game.
PHASES = {
    "hearts": {"pass", "play", "annul", "discard", "moon"},
    "quint": {"calls", "play"},
    "spady": {"play", "declare"},
    "quodlibet": {"choose", "play", "snack"},
    "solo-whist": {"auction", "name-trumps", "play"},
    "ambition": {"pass", "play"},
    "scopone": {"fishing"},
}


def come_so_far(deal: Any) -> Session:
    """A learner at this deal."""
    session = Session(deal.variant, 1)
    session.deal, session.seats, session.since = deal, movers(deal), 0
    session.reasons, session.own_moves, session.waiting = [""] * len(session.seats), [], False
    return session


@pytest.mark.parametrize("game", PLAYED)
def test_guided_deal(game, monkeypatch):
    draw, line = random.Random(game), Line(game, monkeypatch)
    line.tell(line.page, do="hello", search="?lang=ja", stored=None, settings=None)
    guided = [part for part in line.page.parts if isinstance(part, Play) and part.name != "free"]
    for play in guided:
        for lang in LANGS:  # as it is printed
            assert {card for card, _ in told(play.text(lang), *allowed(play)[0])} <= allowed(play)[1]
        whole_deal(line, play, draw)
        line.tell(play, do="again")
    assert guided


@pytest.mark.parametrize("game", PAGES)
def test_lesson(game, monkeypatch):
    """Every exercise: all hints, no answer, a wrong one, the right one, and a fresh exercise."""
    line = Line(game, monkeypatch)
    for lang in LANGS:
        line.tell(line.page, do="hello", search=f"?lang={lang}", stored=None, settings=None)
        for step in (part for part in line.page.parts if hasattr(part, "task")):
            learn(line, step)
            line.tell(step, do="another")
            learn(line, step)


def learn(line: Line, step: Any) -> None:
    for _ in step.task.hints():
        line.tell(step, do="hint")
    right, ask = step.task.solution(), step.task.ask
    line.tell(step, do="check", answer=[])
    line.tell(step, do="check", answer=right[:1] if isinstance(right, list) else dict.fromkeys(right, "3"))
    if ask == "give":
        line.tell(step, do="give", move=" ".join(["give", *right]))
    elif ask == "play":
        line.tell(step, do="try", card=right)
    else:
        line.tell(step, do="check", answer=right)


# -- the test itself can fail


def hidden(play: Any) -> Card:
    """A card that the learner does not know."""
    session = play.session
    mine = known(session.deal, session.seats, session.me)
    return next(card for hand in session.deal.hands for card in Hand(hand) if str(card) not in mine)


#: Ways to give a card away.
LEAKS = {
    "code": lambda card: {"card": str(card)},
    "key": lambda card: {str(card): 1},
    "hand": lambda card: f"AS {card}",
    "card": lambda card: [card],
    "set of cards": lambda card: Hand(card.mask),
    "mask": lambda card: card.mask | 1 << 60,
    "token": lambda card: messages("en").say("log play", seat=0, card=card),
    "name in English": lambda card: f"Nobody knows the {messages('en').say('card', card=card)}.",
    "name in Japanese": lambda card: f"{messages('ja').say('card', card=card)}が見えています。",
}


@pytest.mark.parametrize("way", LEAKS)
@pytest.mark.parametrize("part", ["table", "page"])
def test_a_leak_is_found(part, way, monkeypatch):
    line = Line("hearts", monkeypatch)
    play = begin(line, Variant.of(GAMES["hearts"]), 1)
    owner = line.page if part == "page" else play
    honest = owner.draw
    monkeypatch.setattr(owner, "draw", lambda: honest() | {"more": [LEAKS[way](hidden(play))]})
    with pytest.raises(AssertionError, match=r"tells|mask"):
        line.tell(play, do="why")


def test_a_slot_that_shows_its_card_is_found(monkeypatch):
    """In Open Trousers the learner's hand lies face down."""
    line = Line("quodlibet", monkeypatch)
    play = begin(line, Variant.of(GAMES["quodlibet"]), 1)
    deal = dealt("quodlibet", seed=3, match={"round": 3})
    deal.play("contract open-trousers")
    play.session = come_so_far(deal)
    line.tell(play, do="why")
    assert [card["card"] for card in play.state["table"]["hand"]] == [f"slot {n}" for n in range(1, 9)]

    def turned_up(view: SlotView, voice: Voice, *_rest: Any) -> list[dict[str, Any]]:
        return voice.faces(view._slots)

    monkeypatch.setattr(table, "_slots", turned_up)
    with pytest.raises(AssertionError, match="tells"):
        line.tell(play, do="why")


def test_an_event_that_tells_too_much_is_found(monkeypatch):
    """What the others pass on is not for the learner."""
    line, draw = Line("hearts", monkeypatch), random.Random(1)
    play = begin(line, Variant.of(GAMES["hearts"]), 1)
    monkeypatch.setattr(Event, "seen", lambda event, seat: event)
    with pytest.raises(AssertionError, match="tells"):
        whole_deal(line, play, draw)


@pytest.mark.parametrize("game", PLAYED)
def test_a_view_that_shows_a_neighbour_s_card_is_found(game, monkeypatch):
    line = Line(game, monkeypatch)
    honest = View.hand.fget

    def leaking(view: View) -> Hand:
        others = view._deal.hands[(view.seat + 1) % view.players]
        return Hand(honest(view) | others & -others)

    play = begin(line, Variant.of(GAMES[game]), 1)
    monkeypatch.setattr(View, "hand", property(leaking))
    with pytest.raises(AssertionError, match="tells"):
        line.tell(line.page, do="set", name="lang", value="ja")
    assert play.session.deal
