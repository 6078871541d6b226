"""A step of a lesson: a rule, an exercise on it, and fresh ones as often as the reader likes."""

from __future__ import annotations

from typing import Any

from cardlib.errors import BadInput
from cardlib.options import Variant
from cardlib.seeds import Random
from cardlib.teach.exercises import Exercise, Task, Verdict
from cardlib.teach.voice import Voice
from cardlib.text import summary
from cardlib.ui.page import current
from cardlib.ui.part import Part, button, word


class Step(Part):
    """One rule (or two), an exercise, its drill.  `id` is the first rule id, with a number if a step before has it."""

    kind = "step"

    def __init__(self, rules: str, exercise: Exercise, title: str = "") -> None:
        super().__init__()
        self.page = current()
        self.rules = rules.split()
        self.name = ""
        self._title = title
        self.first = self.exercise = exercise
        self.n = len(self.page.steps) + 1
        same = sum(step.rules[0] == self.rules[0] for step in self.page.steps)
        self.id = self.rules[0] + (f".{same + 1}" if same else "")
        self._random = Random(self.n, "drill")
        self._restart()
        self.page.steps.append(self)
        self.page.add(self)
        self.refresh()

    @property
    def lang(self) -> str:
        return self.page.lang

    def begin(self, _stored: object) -> None:
        """Begin anew under the page's variant."""
        self._use(self.first)

    def data(self) -> None:
        """Nothing is kept but that it is solved, and that the page keeps."""

    def _use(self, exercise: Exercise) -> None:
        self.exercise = exercise
        self._restart()

    def _restart(self) -> None:
        self.task: Task = self.exercise.task(self.page.variant)
        self.verdict: Verdict | None = None
        self.answer: Any = None
        self.tries = self.hinted = 0
        self.complaint: dict[str, Any] | None = None

    @property
    def voice(self) -> Voice:
        return self.page.voice(self.task.variant)

    def title(self, voice: Voice) -> str:
        return (
            voice.say(f"title {self.page.game.id} {self._title}") if self._title else voice.rule(self.rules[0])["title"]
        )

    # -- messages

    def do_check(self, message: dict[str, Any]) -> None:
        self._judge(message.get("answer"))

    def do_try(self, message: dict[str, Any]) -> None:
        self._judge(word(message, "card"))

    def do_give(self, message: dict[str, Any]) -> None:
        verb, *cards = word(message, "move").split()
        if verb != "give":
            raise BadInput("move", f"no move of this exercise: {verb!r}", move=verb)
        self._judge(cards)

    def _judge(self, answer: Any) -> None:
        self.complaint = None
        self.verdict = self.task.check(answer, self.tries)
        self.answer = answer
        self.tries += 1
        self.refresh()
        if self.verdict.solved:
            self.page.solve(self.id)

    def do_hint(self, _message: dict[str, Any]) -> None:
        self.hinted = min(self.hinted + 1, len(self.task.hints()))
        self.refresh()

    def do_show(self, _message: dict[str, Any]) -> None:
        """Show the answer."""
        self.answer = self.task.solution()
        self.verdict = self.task.check(self.answer)
        self.refresh()

    def do_another(self, _message: dict[str, Any]) -> None:
        """A fresh exercise on which the same rule bites."""
        taught = frozenset(rule for step in self.page.steps[: self.n] for rule in step.rules)
        self._use(self.exercise.another(self.page.variant, self.rules, taught, self._random))
        self.refresh()

    def do_undo(self, _message: dict[str, Any]) -> None:
        self.task.take_back()
        self.verdict, self.complaint = None, None
        self.refresh()

    do_again = do_undo

    def bad(self, error: ValueError) -> None:
        self.complaint = self.voice.bad(error)
        self.refresh()

    # -- drawing

    def draw(self) -> dict[str, Any]:
        voice, verdict = self.voice, self.verdict
        id, facts = self.task.prompt()
        scene = self.task.scene(voice)
        says = [reply.said(voice) for reply in verdict.replies] if verdict else []
        self._mark(scene, verdict.marks if verdict else {})
        hints = self.task.hints()
        return scene | {
            "id": self.id,
            "n": self.n,
            "of": len(self.page.steps),
            "title": self.title(voice),
            "label": voice.say("ui step", n=self.n, of=len(self.page.steps)),
            "prose": [voice.rule_text(rule) for rule in self.rules],
            "task": voice.say(id, **facts),
            "ask": self.task.ask,
            "says": says + ([self.complaint] if self.complaint else []),
            "lines": voice.lines(verdict.lines) if verdict else [],
            "solved": self.id in self.page.solved,
            "right": bool(verdict and verdict.solved),
            "tries": self.tries,
            "hint": hints[self.hinted - 1].said(voice) if self.hinted and not (verdict and verdict.solved) else None,
            "variant": self._house_rule(voice),
            "buttons": self._buttons(voice),
            "table": None,
        }

    def _mark(self, scene: dict[str, Any], marks: dict[str, str]) -> None:
        """Marks of the verdict, and the answer given, on what is shown."""
        for item in [*scene.get("hand", []), *(scene.get("trick", []) if self.task.ask == "who" else [])]:
            item["mark"] = marks.get(item["card"], item.get("mark", ""))
        for item in scene.get("choices", []):
            item["mark"] = marks.get(item["id"], "")
        for item in scene.get("fields", []):
            item["mark"] = marks.get(item["id"], "")
            item["value"] = self.answer.get(item["id"], "") if isinstance(self.answer, dict) else ""

    def _house_rule(self, voice: Voice) -> str:
        """The rules of this step, where they are not the reader's own."""
        options = Variant.of(self.page.game, self.exercise.players, dict(self.exercise.options))
        return summary(options, voice.lang) if options.changed() else ""

    def _buttons(self, voice: Voice) -> list[dict[str, Any]]:
        """What can be done now; once it is solved, the way on stands out."""
        solved = bool(self.verdict and self.verdict.solved)
        tapped = self.task.ask in ("play", "give")
        made = []
        if self.verdict and (self.task.ask == "play" or (solved and tapped)):
            refused = bool(self.verdict.marks)
            label = "ui retry" if refused else "ui take back"
            made.append(button(voice, "undo", label, primary=not (solved or refused)))
        elif self.task.ask == "give":  # the browser puts the chosen cards in
            made.append(button(voice, "give", "ui pass cards", primary=True, cards="{cards}"))
        elif not solved and not tapped:
            made.append(button(voice, "check", "ui check", primary=True))
        if not solved:
            made.append(button(voice, "hint", "ui hint", disabled=self.hinted >= len(self.task.hints())))
        if self.tries > 1 and not solved and not tapped:
            made.append(button(voice, "show", "ui show"))
        made.append(button(voice, "another", "ui another"))
        return [*made, button(voice, "next", "ui next", primary=solved)]

    def text(self, lang: str) -> str:
        voice = self.page.voice(self.task.variant, lang)
        id, facts = self.task.prompt()
        scene = self.task.scene(voice)
        lines = [f"{self.n}. {self.title(voice)}"]
        for rule in self.rules:
            lines += [f"[{rule}] " + ("" if lang == "ja" else " ").join(voice.sentences(rule))]
        if house := self._house_rule(voice):
            lines.append(house)
        lines.append(voice.say(id, **facts))
        trick = [f"{card['who']} {voice.written([card])}" for card in scene.get("trick", [])]
        hand = [voice.written(scene.get("hand", []))]
        fields = [f"{item['label']}: {voice.written(item['cards']) or '–'}" for item in scene.get("fields", [])]
        choices = [item["label"] for item in scene.get("choices", [])]
        lines += [" · ".join(row) for row in (trick, hand, fields, choices) if any(row)]
        lines.append(f"→ {self.task.spoken(voice)}")
        self.task.take_back()
        return "\n".join(lines)


def step(rules: str, exercise: Exercise, title: str = "") -> Step:
    """A step of the lesson: the rules it teaches (ids), an exercise, and the name of its title if it is not that of
    the first rule."""
    return Step(rules, exercise, title)
