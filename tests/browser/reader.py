"""Somebody at a page, by pointer, by touch or by keyboard alone, and the same page in Python beside it.

A `Reader` does everything twice: in the browser, and by messages to a twin of the page in this process (see
`tests.ui.opened`).  What the browser then shows is compared with the twin's state: the twin says what is right.
"""

import json
import re
from collections.abc import Callable
from typing import Any

from playwright.sync_api import expect

from cardlib.play.bots import simple
from tests.ui.opened import opened, part_of, tell

WIDE = {"viewport": {"width": 1280, "height": 800}, "reduced_motion": "reduce"}
PHONE = {"viewport": {"width": 360, "height": 740}, "has_touch": True, "is_mobile": True, "reduced_motion": "reduce"}

#: Gives a promise of the next state of a widget; asked for before the press that brings it.
LISTEN = """root => { globalThis.answered = new Promise((done, late) => {
    const seen = new MutationObserver(() => { seen.disconnect(); done(); });
    seen.observe(root, { attributes: true, attributeFilter: ["data-v"] });
    setTimeout(() => late(new Error("no answer in 20 s")), 20000);
}); }"""

#: The way to an element by Tab: 0 there, 1 forward, -1 back.  A zone of cards is one stop.
WAY = """it => {
    const here = document.activeElement, goal = (it.matches("button:is(.cl-card, .cl-stop)") && it.closest("[data-zone]")) || it;
    if (goal === here || (goal !== it && goal.contains(here))) return 0;
    if (!here || here === document.body) return 1;
    return here.compareDocumentPosition(goal) & Node.DOCUMENT_POSITION_FOLLOWING ? 1 : -1;
}"""

#: How many cards further to the right, inside a zone.
ARROWS = """it => {
    const cards = [...(it.closest("[data-zone]")?.querySelectorAll("button:is(.cl-card, .cl-stop)") ?? [])];
    return cards.indexOf(it) - cards.indexOf(document.activeElement);
}"""

#: What a widget shows, in the words of its state.
SHOWN = """root => {
    const text = (node) => node?.textContent.replace(/\\s+/g, " ").trim() ?? "";
    const all = (query) => [...root.querySelectorAll(query)];
    const looks = (node) => [...node.classList].filter((it) => it.startsWith("cl-is-") && it !== "cl-is-chosen").map((it) => it.slice(6)).sort();
    const said = (box) => {
        const words = box.querySelector("p").cloneNode(true);
        for (const chip of words.querySelectorAll(".cl-chip")) chip.remove();
        return [box.dataset.tone, text(words), box.querySelector(".cl-chip")?.dataset.rule ?? ""];
    };
    return {
        lang: root.lang,
        says: all(".cl-says .cl-say").map(said),
        refusal: all(".cl-refusal .cl-say, .cl-trial .cl-say").map(said),
        task: text(root.querySelector(".cl-task")),
        hand: all('[data-zone="hand"] [data-card]').map((card) => [card.dataset.card, looks(card)]),
        trick: all('.cl-trick [data-card], [data-zone="trick"] [data-card], .cl-played [data-card]')
            .map((card) => [card.dataset.card, looks(card)]),
        choices: all("[data-choice]").map((it) => [it.dataset.choice, looks(it)]),
        questions: all("[data-question]").map((it) => [it.dataset.question, it.matches(".cl-is-right")]),
        fields: all(".cl-field").map((it) => [it.querySelector("input").value, looks(it)]),
        lines: all(".cl-lines li").length,
        log: all(".cl-log li").map((it) => it.querySelector(".cl-chip")?.dataset.rule),
        solved: Boolean(root.querySelector(".cl-done")),
    };
}"""

OFF = "it => Boolean(it.closest('[aria-disabled=true]') ?? it.querySelector('input[aria-disabled=true]'))"
IDS = "nodes => nodes.map((it) => it.dataset.card ?? it.dataset.choice)"


def said(it: dict[str, Any]) -> list[str]:
    """A sentence of a state as `SHOWN` gives it."""
    return [it["tone"], re.sub(r"\s+", " ", it["text"]).strip(), it.get("rule", "")]


def looks(*names: str) -> list[str]:
    """The looks of a card or a choice; what is merely chosen is the reader's own business."""
    return sorted(name for name in names if name and name != "chosen")


def keep(page: Any, **stored: Any) -> None:
    """Fill the browser's storage before the first page opens: the game's progress, the settings."""
    lines = [f"localStorage['cardlib/1/{key}'] ??= {json.dumps(json.dumps(value))};" for key, value in stored.items()]
    page.add_init_script(" ".join(lines))


class Reader:
    """Opens pages and acts on them; `page` is Playwright's, `twin` the page in Python."""

    def __init__(
        self, page: Any, lang: str = "en", *, keys: bool = False, touch: bool = False, game: str = "hearts"
    ) -> None:
        self.page, self.lang, self.keys, self.touch, self.game = page, lang, keys, touch, game
        self.twin: Any = None
        self.link = ""

    # -- opening

    def open(self, search: str = "", *, stored: Any = None) -> "Reader":
        """Open the page by a link; `stored` is what the twin is to have kept."""
        link = search if "lang=" in search else f"?lang={self.lang}" + search.replace("?", "&", 1)
        self.link = link
        self.page.goto(f"/{self.game}{link}")
        self.ready()
        self.twin = opened(self.game, link, stored=stored)
        return self

    def ready(self) -> None:
        """The page is there, to its last widget."""
        expect(self.page.locator("#app-splash")).to_be_hidden()
        expect(self.page.locator(":is([data-kind=options], [data-kind=onward]):not(.cl-hidden)")).to_be_visible()

    def root(self, id: str) -> Any:
        """The widget of a step, of a table (free, or the guided deal by its step id) or of the options."""
        return self.page.locator(f'[id="step-{id}"]')

    @property
    def bar(self) -> Any:
        return self.page.locator(".cl-bar")

    @property
    def kept(self) -> Any:
        """What the browser has kept of the game."""
        return json.loads(self.page.evaluate(f"localStorage['cardlib/1/{self.game}'] ?? 'null'"))

    # -- acting

    def press(self, goal: Any, key: str = "Enter") -> None:
        """Press a button or a card, each reader in his own way."""
        if self.keys:
            self.focus(goal)
            self.page.keyboard.press(key)
            return
        refused = goal.evaluate(OFF)  # it answers all the same
        if self.touch:
            goal.tap(force=refused)
        else:
            goal.click(force=refused)

    def focus(self, goal: Any) -> None:
        """Go to an element by Tab, and with the arrows inside a zone of cards."""
        there = goal.element_handle()
        for _ in range(1000):
            way = there.evaluate(WAY)
            if not way:
                break
            self.page.keyboard.press("Tab" if way > 0 else "Shift+Tab")
        else:
            raise AssertionError(f"not reached by Tab: {goal}")
        steps = there.evaluate(ARROWS)
        for _ in range(abs(steps)):
            self.page.keyboard.press("ArrowRight" if steps > 0 else "ArrowLeft")
        assert there.evaluate("it => it === document.activeElement"), f"no focus: {goal}"

    def answered(self, root: Any, act: Callable[[], object]) -> None:
        """Do something and wait for the widget's next state."""
        root.evaluate(LISTEN)
        act()
        self.page.evaluate("globalThis.answered")

    def do(self, root: Any, what: str) -> None:
        """Press a button by what it does and wait for the answer."""
        self.answered(root, lambda: self.press(root.locator(f'[data-do="{what}"]')))

    def letter(self, root: Any, letter: str) -> None:
        """Press a letter while the focus is in the widget."""
        self.answered(root, lambda: self.page.keyboard.press(letter))

    # -- steps

    def step(self, id: str) -> "AtStep":
        return AtStep(self, id)

    def table(self, id: str = "free") -> "AtTable":
        return AtTable(self, id)


class AtPart:
    """A reader at one widget of the page, and its twin."""

    def __init__(self, reader: Reader, id: str) -> None:
        self.reader, self.root = reader, reader.root(id)
        self.part = part_of(reader.twin, id)

    def tell(self, **message: Any) -> dict[str, Any]:
        return tell(self.part, **message)

    @property
    def shown(self) -> dict[str, Any]:
        found: dict[str, Any] = self.root.evaluate(SHOWN)
        return found


class AtStep(AtPart):
    """At a step of the lesson."""

    def card(self, card: str, zone: str = "hand") -> Any:
        return self.root.locator(f'[data-zone="{zone}"] [data-card="{card}"]')

    def answer(self, answer: Any) -> None:
        """Put an answer together, as the exercise asks for it, and have it judged."""
        ask, reader = self.part.task.ask, self.reader
        if ask == "play":
            reader.answered(self.root, lambda: reader.press(self.card(answer)))
            self.tell(do="try", card=answer)
        elif ask == "give":
            self._toggle(answer)
            reader.do(self.root, "give")
            self.tell(do="give", move=" ".join(["give", *answer]))
        elif ask == "sheet":
            self._answer_in_turn(answer)
        else:
            if ask == "number":
                self._write(answer)
            elif ask == "who":
                reader.press(self.card(answer, "trick"))
            else:
                self._toggle(answer)
            reader.do(self.root, "check")
            self.tell(do="check", answer=answer)
        self.same()

    def _answer_in_turn(self, answer: dict[str, str]) -> None:
        """Answer question after question; those that are answered already stay as they are."""
        given = dict(self.part.state["given"])
        for question, id in answer.items():
            if given.get(question) != id:
                given[question] = id
                goal = self.root.locator(f'[data-question="{question}"] [data-answer="{id}"]')
                self.reader.answered(self.root, lambda goal=goal: self.reader.press(goal))
                self.tell(do="check", answer=dict(given))
                self.same()

    def _toggle(self, wanted: list[Any]) -> None:
        """Exactly these are to be pressed, in this order."""
        pressed = list(self.root.locator('[aria-pressed="true"]').evaluate_all(IDS))
        if self.part.state.get("ordered"):
            changes = [*pressed, *wanted]
        else:
            changes = sorted(set(pressed).symmetric_difference(wanted))
        for id in changes:
            self.reader.press(self.root.locator(f'button[data-card="{id}"], button[data-choice="{id}"]'))

    def _write(self, answer: dict[str, str]) -> None:
        for id, number in answer.items():
            field = self.root.locator(f'[data-field="{id}"]')
            if self.reader.keys:
                self.reader.focus(field)
                self.reader.page.keyboard.press("Control+A")
                self.reader.page.keyboard.type(number)
            else:
                field.fill(number)

    def wrong(self) -> Any:
        """A wrong answer of the kind a learner gives."""
        task = self.part.task
        right = task.solution()
        if task.ask == "mark":
            hand = [str(card) for card in task.hand]
            return hand if len(right) < len(hand) else hand[:1]
        if task.ask == "who":
            return next(card for card, reply in task.outcomes() if reply.tone != "good")
        if task.ask == "number":
            return {id: str(int(points) + 1) for id, points in right.items()}
        if task.ask == "sheet":
            first = task.questions[0]
            return {first.id: next(id for id in first.ids() if id != first.right)}
        if task.ask == "choose":
            return [next(id for id in task.ids() if id not in right)]
        if task.ask == "give":
            return right[:-1]
        replies = [(card, reply) for card, reply in task.outcomes() if reply.tone != "good"]
        refused = [card for card, reply in replies if reply.id.startswith("refusal")]
        return (refused or [card for card, _ in replies])[0]

    def hint(self) -> None:
        reader = self.reader
        if reader.keys:
            reader.letter(self.root, "h")
        else:
            reader.do(self.root, "hint")
        self.tell(do="hint")
        self.same()

    def another(self) -> None:
        self.reader.do(self.root, "another")
        self.tell(do="another")
        self.same()

    def undo(self) -> None:
        self.reader.do(self.root, "undo")
        self.tell(do="undo")
        self.same()

    def same(self) -> None:
        """The browser shows what the twin says."""
        state, shown = self.part.state, self.shown
        assert shown["lang"] == state["lang"]
        assert shown["task"] == state["task"]
        assert shown["says"] == [said(it) for it in [*state["says"], state["hint"]] if it]
        assert shown["solved"] == state["solved"]
        assert shown["hand"] == [
            [it["card"], looks(it.get("mark", ""), "new" if it.get("new") else "")] for it in state.get("hand", [])
        ]
        assert [card for card, _ in shown["trick"]] == [it["card"] for it in state.get("trick", [])]
        assert shown["choices"] == [[it["id"], looks(it["mark"])] for it in state.get("choices", [])]
        assert shown["questions"] == [[it["id"], it["done"]] for it in state.get("questions", [])]
        assert [look for _, look in shown["fields"]] == [looks(it["mark"]) for it in state.get("fields", [])]
        assert shown["lines"] == len(state["lines"])


class AtTable(AtPart):
    """At a table: the guided deal or free play."""

    @property
    def session(self) -> Any:
        return self.part.session

    def card(self, card: str) -> Any:
        return self.root.locator(f'[data-zone="hand"] [data-card="{card}"]')

    def ask(self, what: str) -> None:
        """Undo, a hint, or why."""
        if self.reader.keys:
            self.reader.letter(self.root, what[0])
        else:
            self.reader.do(self.root, what)
        self.tell(do=what)
        self.same()

    def give(self, cards: list[str], verb: str = "give") -> None:
        """Choose cards and press the button, be they enough or not."""
        for card in cards:
            self.reader.press(self.card(card), "Space")
        self.reader.do(self.root, verb)

    def go_on(self) -> None:
        """On to the next trick or the next deal; the piles are counted first."""
        self.count()
        if self.reader.keys and not self.session.deal.over:
            self.reader.focus(self.root.locator('[data-do="next"]'))
            self.reader.letter(self.root, "n")
        else:
            self.reader.do(self.root, "next")
        self.tell(do="next")
        self.same()

    def move(self, move: str = "") -> None:
        """Make a move, the simple player's if none is named."""
        move = move or str(simple(self.session.deal.view(self.session.me)).move)
        verb, *cards = move.split()
        if verb in ("give", "discard"):
            self.give(cards, verb)
        elif verb == "declare":
            self._declare(cards)
        elif self.kind == "fishing":
            self._capture(move)
        elif self.root.locator(f'[data-move="{move}"]').count():
            self.reader.answered(self.root, lambda: self.reader.press(self.root.locator(f'[data-move="{move}"]')))
        else:
            self.reader.answered(self.root, lambda: self.reader.press(self.card(move)))
        self.tell(do="play", move=move)
        self.same()

    @property
    def kind(self) -> str:
        """What lies in the middle, where it is no trick."""
        return str((self.part.state["table"]["board"] or {}).get("kind", ""))

    def choose(self, card: str) -> Any:
        """Choose the card of the hand that is to capture others, and say in which ways it can."""
        self.reader.press(self.card(card))
        expect(self.card(card)).to_have_attribute("aria-pressed", "true")
        return self.part.state["table"]["board"]["moves"][card]

    def _capture(self, move: str) -> None:
        """Choose a card, walk to what it is to take, and press it again (by keyboard: the button that has the focus)."""
        card = move.split()[0]
        ways = [it["move"] for it in self.choose(card)]
        for _ in range(ways.index(move)):
            if self.reader.keys:
                self.reader.page.keyboard.press("ArrowRight")
            else:
                self.reader.press(self.root.locator('[data-walk="1"]'))
        if self.reader.keys:
            expect(self.root.locator("[data-do=capture]")).to_be_focused()
            self.reader.answered(self.root, lambda: self.reader.page.keyboard.press("Enter"))
        else:
            self.reader.answered(self.root, lambda: self.reader.press(self.card(card)))

    def compose(self, card: str, *takes: str) -> str:
        """Put a wrong capture together, card by card, and try it: it stays as it is, and the reason stands there.
        Returns the rule."""
        self.choose(card)
        pressed = self.root.locator('[data-zone="lying"] [aria-pressed="true"]').evaluate_all(IDS)
        for other in takes or pressed:
            self.reader.press(self.root.locator(f'[data-zone="lying"] [data-card="{other}"]'))
        self.reader.do(self.root, "capture")
        self.tell(do="trial", move=f"{card} takes {' '.join(takes)}" if takes else card)
        say = self.part.state["table"]["board"]["say"]
        expect(self.root.locator(".cl-trial .cl-say")).to_be_in_viewport()
        assert self.shown["refusal"] == [said(say)]
        return str(say["rule"])

    def count(self) -> None:
        """Answer what is asked when a deal is counted, as the piles say."""
        deal = self.session.deal
        for count in deal.counts() if (self.part.state["table"].get("quiz") or {}).get("skip") else ():
            one, other = count.points
            answer = "none" if one == other else str(int(other > one))
            goal = self.root.locator(f'[data-question="{count.rule}"] [data-answer="{answer}"]')
            self.reader.answered(self.root, lambda goal=goal: self.reader.press(goal))
            self.tell(do="answer", id=count.rule, value=answer)
            self.same()
            expect(self.root.locator(f'[data-question="{count.rule}"] .cl-say')).to_have_attribute("data-tone", "good")

    def _declare(self, words: list[str]) -> None:
        """Switch on just these combinations (none: nothing at all) and say so."""
        switches = self.root.locator("[data-word]")
        for switch in switches.all():
            on = switch.get_attribute("aria-pressed") == "true"
            if on != (switch.get_attribute("data-word") in words):
                self.reader.press(switch)
        self.reader.do(self.root, "declare")

    def play_on(self, until: Callable[[], bool]) -> None:
        """Play as the simple player does until something is so."""
        while not until():
            if self.session.waiting or self.session.deal.over:
                self.go_on()
            else:
                self.move()

    @property
    def refused(self) -> list[str]:
        """The cards that are refused now; where cards capture others, those that may not be left on the table."""
        if self.kind == "fishing":
            moves = self.part.state["table"]["board"]["moves"]
            return [card for card, ways in moves.items() if card not in [it["move"] for it in ways]]
        return [it["card"] for it in self.part.state["table"]["hand"] if it["refused"]]

    def hatched(self) -> list[str]:
        return [card for card, look in self.shown["hand"] if "refused" in look]

    def try_refused(self) -> str:
        """Press a refused card: it is hatched, stays in the hand, and its sentence stands there.  Returns its rule."""
        card = self.refused[0]
        if self.kind == "fishing":
            return self.compose(card)
        face = next(it for it in self.part.state["table"]["hand"] if it["card"] == card)
        self.reader.press(self.card(card))
        expect(self.root.locator(".cl-refusal .cl-say")).to_be_in_viewport()
        shown = self.shown
        assert shown["refusal"] == [said(face["refusal"])]
        assert "refused" in dict(shown["hand"])[card]
        assert [it for it, _ in shown["hand"]] == [it["card"] for it in self.part.state["table"]["hand"]]
        return str(face["refusal"]["rule"])

    def same(self) -> None:
        """The browser shows what the twin says."""
        state, shown = self.part.state, self.shown
        table = state["table"]
        assert shown["lang"] == state["lang"]
        assert shown["task"] == table["prompt"]
        assert [card for card, _ in shown["hand"]] == [it["card"] for it in table["hand"]]
        assert shown["says"] == [said(it) for it in state["says"]]
        assert shown["log"] == [it["rule"]["id"] for it in state["log"]]
        assert shown["lines"] == len(state["lines"])
        if table["phase"] != "over":
            winning = {it["card"]: it["winning"] for it in table["trick"]}
            assert {card: "winning" in look for card, look in shown["trick"]} == winning
