"""The option panel, generated from the options a game declares, with the rules as they then read."""

from __future__ import annotations

from itertools import groupby
from typing import Any

from cardlib.errors import BadInput
from cardlib.options import Value, Variant, shown
from cardlib.teach.voice import Voice
from cardlib.text import rule_book, summary
from cardlib.ui.page import PagePart
from cardlib.ui.part import button, word


class OptionPanel(PagePart):
    """Presets, every option, the variant in one sentence, and the sentences that it changes.

    What is chosen here is a draft; `use` makes it the variant of the page.
    """

    kind = "options"
    name = "options"

    def __init__(self) -> None:
        super().__init__()
        self.game = self.page.game
        self.draft = self.page.variant
        self.say: dict[str, Any] | None = None
        self.page.add(self)
        self.refresh()

    @property
    def voice(self) -> Voice:
        return self.page.voice(self.draft)

    def begin(self, _stored: object) -> None:
        self.draft = self.page.variant
        self.say = None

    def data(self) -> None:
        """The variant is kept with the match that is played by it."""

    # -- messages

    def do_set(self, message: dict[str, Any]) -> None:
        name, value = word(message, "name", 40), message.get("value")
        text = shown(value) if isinstance(value, bool | int) else str(value)
        self._draft(self._players(text) if name == "players" else self.draft.with_text(name, text[:80]))

    def _players(self, text: str) -> Variant:
        """Another number of players; options that do not fit it go back to the sheet's."""
        try:
            return self.draft.with_text("players", text)
        except BadInput as error:
            if error.code == "players":
                raise
            sheet = Variant.of(self.game, int(text))
            kept = {k: v for k, v in self.draft.options.changed().items() if k not in ("pass_cycle", "pass_count")}
            return Variant.of(self.game, sheet.players, kept)

    def do_preset(self, message: dict[str, Any]) -> None:
        name = word(message, "id", 40)
        if name not in self.game.options.presets:
            raise BadInput("message", f"no such preset: {name}", message=name)
        self._draft(Variant.preset(self.game, name))

    def do_use(self, _message: dict[str, Any]) -> None:
        """Play by these rules."""
        draft = self.draft
        self.page.use(draft)
        self.say = self.voice.note("good", "ui options used")
        self.refresh()

    def do_reset(self, _message: dict[str, Any]) -> None:
        self._draft(Variant.of(self.game))

    def _draft(self, variant: Variant) -> None:
        self.draft, self.say = variant, None
        self.refresh()

    def bad(self, error: ValueError) -> None:
        self.say = self.voice.bad(error)
        self.refresh()

    # -- drawing

    def draw(self) -> dict[str, Any]:
        voice = self.voice
        changes = self._changes(voice)
        return {
            "title": voice.say("options title"),
            "intro": voice.say("options intro"),
            "presets_label": voice.say("ui options presets"),
            "presets": self._presets(voice),
            "label": voice.say("ui options yours"),
            "text": summary(self.draft, self.lang),
            "code": f"v={self.draft.code}" if self.draft.code else "",
            "groups": self._groups(voice),
            "say": self.say,
            "text_head": voice.say("ui options reads"),
            "counts": self._counts(voice, changes),
            "changes": changes,
            "book": self._book(voice, {change["rule"]["id"] for change in changes}),
            "buttons": [
                button(voice, "use", "ui options use", primary=True, disabled=self.draft == self.page.variant),
                button(voice, "copy", "ui options copy"),
                button(voice, "reset", "ui options reset", disabled=not self.draft.changed()),
            ],
            "link": f"?lang={self.lang}" + (f"&v={self.draft.code}" if self.draft.code else ""),
        }

    def _presets(self, voice: Voice) -> list[dict[str, Any]]:
        made = []
        for name in self.game.options.presets:
            id = f"preset {self.game.id} {name}"
            note = voice.say(f"{id} note") if voice.knows(f"{id} note") else ""
            active = Variant.preset(self.game, name) == self.draft
            made.append({"id": name, "label": voice.say(id), "active": active, "note": note})
        return made

    def _groups(self, voice: Voice) -> list[dict[str, Any]]:
        players = {
            "name": "players",
            "label": voice.say("option players"),
            "changed": self.draft.players != self.game.default_players,
            "kind": "choice",
            "values": [self._value(str(n), self._number(voice, n), n == self.draft.players) for n in self.game.players],
            "value": str(self.draft.players),
            "note": self._players_note(voice),
            "idle": False,
            "rules": [],
        }
        made = [{"title": voice.say("group players"), "options": [players]}] if len(self.game.players) > 1 else []
        declared = self.game.options.declared()
        for group, fields in groupby(sorted(declared, key=_group_order), key=lambda f: f.metadata["group"]):
            made.append({"title": voice.say(f"group {group}"), "options": [self._option(voice, f) for f in fields]})
        return made

    def _option(self, voice: Voice, field: Any) -> dict[str, Any]:
        name, value = field.name, getattr(self.draft.options, field.name)
        idle = self.draft.options.idle(self.draft.players).get(name)
        note = voice.say(f"idle {idle}") if idle else self._note(voice, name)
        numbers = field.metadata["numbers"]
        return {
            "name": name,
            "label": voice.say(f"option {name}"),
            "changed": value != field.default,
            "kind": "number" if numbers else "choice",
            "values": [] if numbers else self._values(voice, field),
            "value": shown(value),
            "min": numbers[0] if numbers else None,
            "max": numbers[-1] if numbers else None,
            "note": note,
            "idle": bool(idle),
            "rules": [voice.rule(rule) for rule in field.metadata["rules"][:1]],
        }

    def _note(self, voice: Voice, name: str) -> str:
        """What is to be known about an option: always (`note NAME`), or beside a value of another one."""
        others = [f"note {name} {other} {shown(value)}" for other, value in vars(self.draft.options).items()]
        return next((voice.say(id) for id in [f"note {name}", *others] if voice.knows(id)), "")

    def _values(self, voice: Voice, field: Any) -> list[dict[str, Any]]:
        """The values that can be chosen now; where there are few, the others too, with the reason why not."""
        name, values = field.name, field.metadata["values"]
        now = getattr(self.draft.options, name)
        allowed = self.draft.options.allowed(name, self.draft.players)
        return [
            self._value(shown(v), voice.value(name, v), v == now)
            | ({} if v in allowed else self._why_not(voice, name, v))
            for v in (values if len(values) <= 3 else allowed)
        ]

    def _why_not(self, voice: Voice, name: str, value: Value) -> dict[str, Any]:
        try:
            self.draft.with_text(name, shown(value))
        except BadInput as error:
            return {"disabled": True, "why": voice.bad(error)["text"]}
        return {}

    def _players_note(self, voice: Voice) -> str:
        """What there is to know of the numbers of players, in some games."""
        id = f"note players {self.game.id}"
        return voice.say(id) if voice.knows(id) else ""

    def _number(self, voice: Voice, number: int) -> str:
        """A number of players; marked where that is a house rule."""
        marked = f"value players {self.game.id} {number}"
        return voice.say(marked) if voice.knows(marked) else str(number)

    @staticmethod
    def _value(value: str, label: str, active: bool) -> dict[str, Any]:
        return {"value": value, "label": label, "active": active}

    def _changes(self, voice: Voice) -> list[dict[str, Any]]:
        """The rules whose sentences differ from the sheet's."""
        book = rule_book(self.game.id, self.lang)
        sheet = Variant.of(self.game)
        made = []
        for id in book.ids:
            items = book.diff(id, sheet, self.draft)
            if any(item.kind != "same" for item in items):
                said = [
                    {"kind": i.kind, "label": voice.say(f"ui change {i.kind}"), "old": i.old, "new": i.new}
                    for i in items
                ]
                made.append({"rule": voice.rule(id), "items": said})
        return made

    def _counts(self, voice: Voice, changes: list[dict[str, Any]]) -> str:
        kinds = [item["kind"] for change in changes for item in change["items"] if item["kind"] != "same"]
        if not kinds:
            return voice.say("ui options same")
        parts = [
            voice.say(f"ui options {kind} count", count=kinds.count(kind))
            for kind in ("added", "removed", "replaced")
            if kind in kinds
        ]
        joined = "、".join(parts) if self.lang == "ja" else ", ".join(parts)
        return voice.say("ui options count", count=len(kinds)) + ("：" if self.lang == "ja" else ": ") + joined

    def _book(self, voice: Voice, changed: set[str]) -> list[dict[str, Any]]:
        """The whole text: the rules that say something under this variant."""
        made = []
        for title, ids in rule_book(self.game.id, self.lang).groups:
            rules = [voice.rule_text(id) | {"changed": id in changed} for id in ids if voice.sentences(id)]
            made += [{"title": title, "rules": rules}] if rules else []
        return made

    def text(self, lang: str) -> str:
        voice = self.page.voice(lang=lang)
        lines = [voice.say("options title"), summary(self.page.variant, lang)]
        for field in self.game.options.declared():
            values = field.metadata["values"]
            labels = " · ".join(voice.value(field.name, value) for value in values)
            lines.append(f"{voice.say(f'option {field.name}')}: {labels}")
        return "\n".join(lines)


ORDER = (
    "cards",
    "rank",
    "deal",
    "pass",
    "auction",
    "calls",
    "contracts",
    "declare",
    "play",
    "score",
    "snack",
    "moon",
    "strikes",
    "end",
)


def _group_order(field: Any) -> int:
    return ORDER.index(field.metadata["group"])


def options() -> OptionPanel:
    """The panel for changing the rules."""
    return OptionPanel()
