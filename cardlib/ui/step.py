"""A step of a lesson: a rule, an exercise on it, and fresh ones as often as the reader likes."""

from __future__ import annotations

from typing import Any

from cardlib.deal import Game, IllegalMove
from cardlib.errors import BadInput
from cardlib.options import Value, Variant, shown
from cardlib.seeds import Random
from cardlib.teach.exercises import TRIES, Exercise, Task, Verdict
from cardlib.teach.voice import Voice
from cardlib.text import summary
from cardlib.ui.page import PagePart
from cardlib.ui.part import button, word


class Step(PagePart):
    """One rule (or two), an exercise, its drill.  `id` is the first rule id, with a number if a step before has it.

    `switch` names an option that the reader can change on the spot, for this step only, to see the answer change.
    """

    kind = "step"

    def __init__(self, rules: str, exercise: Exercise, title: str = "", switch: str = "") -> None:
        super().__init__()
        self.rules = rules.split()
        self.name = ""
        self._title = title
        self.first = self.exercise = exercise
        self.switch = switch
        #: The value that is switched on in this step (None: as in the reader's own rules).
        self.switched: Value | None = None
        self.n = len(self.page.steps) + 1
        same = sum(step.rules[0] == self.rules[0] for step in self.page.steps)
        self.id = self.rules[0] + (f".{same + 1}" if same else "")
        self._random = Random(self.n, "drill")
        self._restart()
        self.page.steps.append(self)
        self.page.add(self)
        self.refresh()

    def begin(self, _stored: object) -> None:
        """Begin anew under the page's variant."""
        self.switched = None
        self._use(self.first)

    def data(self) -> None:
        """Nothing is kept but that it is solved, and that the page keeps."""

    def _use(self, exercise: Exercise) -> None:
        self.exercise = exercise
        self._restart()

    def _restart(self) -> None:
        self.task: Task = self._task()
        self.verdict: Verdict | None = None
        self.answer: Any = None
        self.tries = self.hinted = 0
        self.complaint: dict[str, Any] | None = None

    def _task(self) -> Task:
        """The exercise under the reader's rules; under those of the sheet where his make it impossible."""
        try:
            return self.exercise.task(self.reader)
        except (BadInput, IllegalMove):
            return self.exercise.task(Variant.of(self.page.game))

    @property
    def voice(self) -> Voice:
        return self.page.voice(self.task.variant)

    @property
    def reader(self) -> Variant:
        """The reader's variant, with what is switched in this step."""
        variant = self.page.variant
        return variant if self.switched is None else variant.with_value(self.switch, self.switched)

    def _values(self) -> list[Value]:
        """The values that can be switched to."""
        return list(self.reader.options.allowed(self.switch, self.exercise.players)) if self.switch else []

    def _under(self, value: Value) -> Task:
        """The exercise as it stands, under another value of the switch."""
        return self.exercise.task(self.reader.with_value(self.switch, value))

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

    def do_switch(self, message: dict[str, Any]) -> None:
        """Change the option of the switch in this step; an answer that was given is judged again."""
        if not self.switch:
            raise BadInput("message", "there is nothing to switch here", message="switch")
        variant = self.reader.with_text(self.switch, word(message, "value", 80))
        self.switched = getattr(variant.options, self.switch)
        answer, tries = self.answer, self.tries
        self._restart()
        if answer is not None:
            self.answer, self.tries = answer, tries
            self.verdict = self.task.check(answer, tries)
        self.refresh()

    def do_another(self, _message: dict[str, Any]) -> None:
        """A fresh exercise on which the same rule bites; with a switch, one on which it makes a difference."""
        taught = frozenset(rule for step in self.page.steps[: self.n] for rule in step.rules)
        before = source = self.exercise
        for _ in range(TRIES):
            self._use(source.another(self.reader, self.rules, taught, self._random))
            bites = len({str(self._under(value).solution()) for value in self._values()}) != 1
            if bites and not (self.switch and self.exercise == before):
                break
            source = self.first  # what was drawn may have lost what the switch is about
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
        shown = asked(self.task, verdict, self.answer, voice)
        hints = self.task.hints()
        return shown | {
            "id": self.id,
            "n": self.n,
            "of": len(self.page.steps),
            "title": self.title(voice),
            "label": voice.say("ui step", n=self.n, of=len(self.page.steps)),
            "prose": [voice.rule_text(rule) for rule in self.rules],
            "says": shown["says"] + ([self.complaint] if self.complaint else []),
            "solved": self.id in self.page.solved,
            "tries": self.tries,
            "hint": hints[self.hinted - 1].said(voice) if self.hinted and not (verdict and verdict.solved) else None,
            "variant": self._house_rule(voice),
            "switch": self._switch(voice),
            "buttons": self._buttons(voice),
            "table": None,
        }

    def _house_rule(self, voice: Voice) -> str:
        return house_rule(self.page.game, self.exercise, voice.lang)

    def _switch(self, voice: Voice) -> dict[str, Any] | None:
        """The switch as it stands; once the step is solved, the answer under each of its values."""
        if not self.switch:
            return None
        now = getattr(self.reader.options, self.switch)
        shown_answers = self.id in self.page.solved or bool(self.verdict and self.verdict.solved)
        values = []
        for value in self._values():
            answer = self._under(value).short(voice) if shown_answers else ""
            values.append(
                {
                    "value": shown(value),
                    "label": voice.value(self.switch, value),
                    "active": value == now,
                    "answer": voice.say("ui switch answer", answer=answer) if answer else "",
                }
            )
        own = now == getattr(self.page.variant.options, self.switch)
        note = voice.say("ui switch note") if own else voice.say("ui switch other")
        return {"name": self.switch, "label": voice.say(f"option {self.switch}"), "values": values, "note": note}

    def _buttons(self, voice: Voice) -> list[dict[str, Any]]:
        """What can be done now; once it is solved, the way on stands out."""
        solved = bool(self.verdict and self.verdict.solved)
        tapped = self.task.ask in ("play", "give")
        one_by_one = self.task.ask == "sheet"  # each question is judged as soon as it is answered
        made = []
        if self.verdict and (self.task.ask == "play" or (solved and tapped)):
            refused = bool(self.verdict.marks)
            label = "ui retry" if refused else "ui take back"
            made.append(button(voice, "undo", label, primary=not (solved or refused)))
        elif self.task.ask == "give":  # the browser puts the chosen cards in
            made.append(button(voice, "give", "ui pass cards", primary=True, cards="{cards}"))
        elif not solved and not tapped and not one_by_one:
            made.append(button(voice, "check", "ui check", primary=True))
        if not solved:
            made.append(button(voice, "hint", "ui hint", disabled=self.hinted >= len(self.task.hints())))
        if self.tries > 1 and not solved and not tapped:
            made.append(button(voice, "show", "ui show"))
        made.append(button(voice, "another", "ui another"))
        return [*made, button(voice, "next", "ui next", primary=solved)]

    def text(self, lang: str) -> str:
        voice = self.page.voice(self.task.variant, lang)
        lines = [f"{self.n}. {self.title(voice)}"]
        for rule in self.rules:
            lines += [f"[{rule}] " + ("" if lang == "ja" else " ").join(voice.sentences(rule))]
        if house := self._house_rule(voice):
            lines.append(house)
        lines += written(self.task, voice)
        for value in self._values():
            lines.append(f"{voice.value(self.switch, value)} → {self._under(value).short(voice)}")
        return "\n".join(lines)


def house_rule(game: Game, exercise: Exercise, lang: str) -> str:
    """The rules of an exercise, where they are not the reader's own."""
    variant = Variant.of(game, exercise.players, dict(exercise.options))
    return summary(variant, lang) if variant.changed() else ""


def asked(task: Task, verdict: Verdict | None, answer: Any, voice: Voice) -> dict[str, Any]:
    """A task as the browser shows it: the question, what is on the table, the answer given and what is said to it."""
    id, facts = task.prompt()
    scene, marks = task.scene(voice), verdict.marks if verdict else {}
    for item in [*scene.get("hand", []), *(scene.get("trick", []) if task.ask == "who" else [])]:
        item["mark"] = marks.get(item["card"], item.get("mark", ""))
    for item in scene.get("choices", []):
        item["mark"] = marks.get(item["id"], "")
    for item in scene.get("fields", []):
        item["mark"] = marks.get(item["id"], "")
        item["value"] = answer.get(item["id"], "") if isinstance(answer, dict) else ""
    return scene | {
        "task": voice.say(id, **facts),
        "ask": task.ask,
        "says": [reply.said(voice) for reply in verdict.replies] if verdict else [],
        "lines": voice.lines(verdict.lines) if verdict else [],
        "right": bool(verdict and verdict.solved),
    }


def written(task: Task, voice: Voice) -> list[str]:
    """A task and its answer as lines of text."""
    id, facts = task.prompt()
    scene = task.scene(voice)
    lines = [voice.say(id, **facts)]
    lines += [f"{row['label']}: {row.get('text') or voice.written(row['cards'])}" for row in scene.get("rows", [])]
    trick = [f"{card['who']} {voice.written([card])}".strip() for card in scene.get("trick", [])]
    hand = [voice.written(scene["hand"])] if scene.get("hand") else []
    for name, row in (("trick", trick), ("hand", hand)):
        row[:1] = [f"{scene['labels'][name]}: {text}" if name in scene.get("labels", {}) else text for text in row[:1]]
    fields = [
        f"{item['label']}: {voice.written(item['cards']) or '–'}" if "cards" in item else item["label"]
        for item in scene.get("fields", [])
    ]
    choices = [item["label"] for item in scene.get("choices", [])]
    lines += [" · ".join(row) for row in (trick, hand, fields, choices) if any(row)]
    lines.append(f"→ {task.spoken(voice)}")
    task.take_back()
    return lines


def step(rules: str, exercise: Exercise, title: str = "", switch: str = "") -> Step:
    """A step of the lesson: the rules it teaches (ids), an exercise, the name of its title if it is not that of the
    first rule, and an option that the reader may switch on the spot."""
    return Step(rules, exercise, title, switch)
