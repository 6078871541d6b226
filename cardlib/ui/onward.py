"""Past a lesson: a few questions by which those who know it already skip it, and the games that come after it."""

from __future__ import annotations

from typing import Any

from cardlib.deal import GAMES
from cardlib.errors import BadInput
from cardlib.games import ORDER
from cardlib.phases.tricks import TrickDeal
from cardlib.seeds import Random
from cardlib.teach.exercises import Exercise, Task, Verdict
from cardlib.teach.voice import Voice
from cardlib.ui.page import Page, PagePart
from cardlib.ui.part import button
from cardlib.ui.step import asked, house_rule, written


class QuickCheck(PagePart):
    """A few quick questions, one after the other: whoever answers all of them rightly is done with the lesson.

    Each is asked once, and a wrong answer is explained; after the last one there are fresh questions for the asking.
    """

    kind = "step"
    name = id = "questions"

    def __init__(self, *exercises: Exercise) -> None:
        super().__init__()
        self.first = exercises
        self._random = Random(0, "questions")
        self._start(exercises)
        self.page.add(self)
        self.refresh()

    def begin(self, _stored: object) -> None:
        self._start(self.first)
        self.asking = not self.page.done

    def data(self) -> None:
        """That the steps are solved is kept by the page."""

    def progress(self) -> None:
        """Who has solved all the steps need not be asked any more."""
        if self.page.done and not self.results:
            self.asking = False
        self.refresh()

    def _start(self, exercises: tuple[Exercise, ...]) -> None:
        self.exercises = exercises
        #: Questions are being asked, or have just been answered.
        self.asking = True
        self.results: list[bool] = []
        self._go_to(0)

    def _go_to(self, at: int) -> None:
        self.at = at
        self.task: Task = self.exercises[at].task(self.page.variant)
        self.verdict: Verdict | None = None
        self.answer: Any = None
        self.complaint: dict[str, Any] | None = None

    @property
    def answered(self) -> bool:
        """The question shown has been answered."""
        return len(self.results) > self.at

    @property
    def over(self) -> bool:
        """All the questions have been answered."""
        return len(self.results) == len(self.exercises)

    # -- messages

    def do_check(self, message: dict[str, Any]) -> None:
        if self.answered or not self.asking:
            raise BadInput("message", "this question has been answered", message="check")
        self.complaint = None
        self.answer = message.get("answer")
        self.verdict = self.task.check(self.answer)
        if self.answer:  # nothing chosen yet is no answer
            self.results.append(self.verdict.solved)
        if self.over and all(self.results):
            self.page.solve(*(step.id for step in self.page.steps))
        self.refresh()

    def do_onward(self, _message: dict[str, Any]) -> None:
        """The next question."""
        if not self.answered or self.over:
            raise BadInput("message", "there is no next question yet", message="onward")
        self._go_to(self.at + 1)
        self.refresh()

    def do_another(self, _message: dict[str, Any]) -> None:
        """Fresh questions of the same kinds."""
        reader = self.page.variant
        taught = frozenset(rule for step in self.page.steps for rule in step.rules)
        fresh = [exercise.another(reader, sorted(taught), taught, self._random) for exercise in self.exercises]
        self._start(tuple(fresh))
        self.refresh()

    def bad(self, error: ValueError) -> None:
        self.complaint = self.page.voice().bad(error)
        self.refresh()

    # -- drawing

    def draw(self) -> dict[str, Any]:
        voice = self.page.voice(self.task.variant)
        count = len(self.exercises)
        state: dict[str, Any] = {
            "id": self.id,
            "title": voice.say("questions title"),
            "intro": voice.say("questions intro", count=count),
            "label": voice.say("questions label", n=self.at + 1, of=count),
            "solved": self.page.done,
            "hint": None,
            "buttons": self._buttons(voice),
        }
        if not self.asking:
            done = {"tone": "good", "text": voice.say("questions done")}
            nothing = {"label": "", "intro": "", "task": "", "ask": "none", "lines": [], "right": True}
            return state | nothing | {"says": [done], "links": links(self.page, voice)}
        shown = asked(self.task, self.verdict, self.answer, voice)
        says = shown["says"] + (self._result(voice) if self.over else []) + ([self.complaint] if self.complaint else [])
        passed = self.over and all(self.results)
        return (
            shown
            | state
            | {
                "says": says,
                "right": self.answered,
                "variant": house_rule(self.page.game, self.exercises[self.at], voice.lang),
                "links": links(self.page, voice) if passed else [],
            }
        )

    def _result(self, voice: Voice) -> list[dict[str, Any]]:
        """What comes of the questions."""
        right, count = sum(self.results), len(self.results)
        if right == count:
            return [{"tone": "good", "text": voice.say("questions passed", count=count)}]
        return [{"tone": "note", "text": voice.say("questions failed", right=right, of=count)}]

    def _buttons(self, voice: Voice) -> list[dict[str, Any]]:
        again = button(voice, "another", "questions another", count=len(self.exercises))
        begin = button(voice, "next", "questions begin")
        if not self.asking or (self.over and all(self.results)):
            return [again]
        if self.over:
            return [begin | {"primary": True}, again]
        if self.answered:
            return [button(voice, "onward", "questions onward", primary=True)]
        return [button(voice, "check", "ui check", primary=True), begin]

    def text(self, lang: str) -> str:
        voice = self.page.voice(lang=lang)
        count = len(self.exercises)
        lines = [voice.say("questions title"), voice.say("questions intro", count=count)]
        for n, exercise in enumerate(self.exercises, 1):
            task = exercise.task(self.page.variant)
            lines.append(voice.say("questions label", n=n, of=count))
            lines += written(task, self.page.voice(task.variant, lang))
        return "\n".join(lines)


class Onward(PagePart):
    """The end of a lesson that is no game's: the games it leads to."""

    kind = "onward"
    name = id = "onward"

    def __init__(self) -> None:
        super().__init__()
        self.page.add(self)
        self.refresh()

    def progress(self) -> None:
        self.refresh()

    def bad(self, error: ValueError) -> None:
        """No message is answered here."""

    def draw(self) -> dict[str, Any]:
        voice = self.page.voice()
        text = voice.say("onward done" if self.page.done else "onward text")
        return {"id": self.id, "title": voice.say("onward title"), "text": text, "links": links(self.page, voice)}

    def text(self, lang: str) -> str:
        voice = self.page.voice(lang=lang)
        return "\n".join([voice.say("onward title"), voice.say("onward text")])


def links(page: Page, voice: Voice) -> list[dict[str, str]]:
    """The games of tricks besides this one, in the order in which one learns them."""
    games = [GAMES[id] for id in ORDER if id in GAMES and id != page.game.id]
    return [
        {
            "href": f"./{game.id}?lang={voice.lang}",
            "title": voice.say(f"game {game.id}"),
            "meta": voice.say(f"gallery {game.id} meta"),
            "text": voice.say(f"gallery {game.id} text"),
        }
        for game in games
        if issubclass(game.deal, TrickDeal)
    ]


def quick_check(*exercises: Exercise) -> QuickCheck:
    """Questions by which an experienced reader skips the lesson."""
    return QuickCheck(*exercises)


def onward() -> Onward:
    """The games to go on to."""
    return Onward()
