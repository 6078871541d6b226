"""The page of a game: it owns the link, the language, the settings, and what the browser keeps.

The browser keeps ``localStorage["cardlib/1/GAME"]``, written verbatim from the page's `save`:

    {"version": 1, "link": the link it was opened with, "step": id of the place last worked at,
     "solved": [ids of solved steps], "play": see `cardlib.play.session.Session.data`, "guided": the same}

and ``localStorage["cardlib/1/settings"]`` for all games:
``{"lang": "ja", "colours": 2, "size": "M", "pace": "wait", "badges": "on"}``.
Both are untrusted: what cannot be read is said and left out.
"""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, urlencode

from cardlib.cards import JOKER, PACK, Suit, cards_of
from cardlib.deal import game_of
from cardlib.errors import BadInput
from cardlib.options import Variant
from cardlib.phases.tricks import TrickDeal
from cardlib.seeds import parse_seed
from cardlib.teach.voice import Voice
from cardlib.text import messages, summary
from cardlib.ui.part import LANGS, Part, word

STATIC = Path(__file__).parent / "static"
SETTINGS: dict[str, tuple[Any, ...]] = {
    "lang": LANGS,
    "colours": (2, 4),
    "size": ("S", "M", "L"),
    "pace": ("wait", "run"),
    "badges": ("on", "off"),
}
PRIMER = "primer"
GLANCE = ("players", "cards", "before", "play", "aim", "end", "length")

_current: Page | None = None


def current() -> Page:
    """The page of this notebook."""
    if _current is None:
        raise BadInput("no-page", 'begin the notebook with page("hearts")')
    return _current


class Page(Part):
    """The bar on top, the title and the rules at a glance; keeps the parts of the page in one language and variant."""

    _esm = STATIC / "cardlib.js"
    _css = STATIC / "cardlib.css"
    kind = "page"

    def __init__(self, game: str) -> None:
        super().__init__()
        self.game = game_of(game)
        self.settings: dict[str, Any] = {name: values[0] for name, values in SETTINGS.items()} | {"size": "M"}
        self.variant = Variant.of(self.game)
        self.seed = 1
        self.parts: list[Any] = []
        self.steps: list[Any] = []
        self.solved: list[str] = []
        self.step = ""
        self.opened_with = ""
        self.notice: dict[str, Any] | None = None
        self._goto = ("", 0)
        self._voices: dict[Any, Voice] = {}
        self.refresh()

    @property
    def lang(self) -> str:
        return str(self.settings["lang"])

    def voice(self, variant: Variant | None = None, lang: str = "") -> Voice:
        """The page's voice for a variant (the reader's own, if none is given)."""
        key = (lang or self.lang, variant or self.variant)
        if key not in self._voices:
            self._voices[key] = Voice(*key)
        return self._voices[key]

    def add(self, part: Any) -> None:
        """A part of the page, to be drawn again when language or variant change."""
        self.parts.append(part)

    @property
    def places(self) -> list[str]:
        """Where a reader can be, and a link can lead: the steps, free play, the options."""
        return [getattr(part, "id", part.name) for part in self.parts]

    # -- messages from the browser

    def do_hello(self, message: dict[str, Any]) -> None:
        """The browser is there: read its link and what it has kept."""
        self.notice = None
        stored = message.get("stored")
        stored = dict(stored) if isinstance(stored, Mapping) and stored.get("version") == 1 else {}
        kept = message.get("settings")
        language = str(message.get("language", ""))[:2]
        self._set({"lang": language} if language in LANGS else {})
        self._set(kept if isinstance(kept, Mapping) else {})
        link = self._read_link(str(message.get("search") or "")[:2000])
        self.opened_with = str(message.get("search") or "")[:2000]
        if isinstance(stored.get("solved"), list):
            known = {step.id for step in self.steps} | {"guided"}
            self.solved = [id for id in stored["solved"] if isinstance(id, str) and id in known]
        if isinstance(stored.get("step"), str):
            self.step = stored["step"] if stored["step"] in self.places else ""
        same = stored.get("link") == self.opened_with  # a reload, most likely
        self._begin({} if link.keys() & {"v", "seed"} and not same else stored, link)
        self.step = self.step if same and self.step else link.get("step", self.step)
        self._goto = (self.step, self._goto[1] + 1)
        self.redraw()

    def _read_link(self, search: str) -> dict[str, Any]:
        """The parts of a link that can be read; the first that cannot is said."""
        read: dict[str, Any] = {}
        for key, value in parse_qsl(search.lstrip("?"), keep_blank_values=True):
            try:
                if key == "lang":
                    self._set({"lang": _one_of(LANGS, value, "language")})
                elif key == "seed":
                    read["seed"] = parse_seed(value)
                elif key == "v":
                    read["v"] = Variant.parse(self.game, value)
                elif key == "step":
                    read["step"] = _one_of(self.places, value, "step")
            except BadInput as error:
                self.notice = self.notice or self.voice().bad(error)
        return read

    def _begin(self, stored: Mapping[str, Any], link: Mapping[str, Any]) -> None:
        """Set variant and seed, and let the parts take up what was kept for them."""
        self.variant = link.get("v", Variant.of(self.game))
        self.seed = link.get("seed", secrets.randbelow(1_000_000))
        for part in self.parts:
            try:
                part.begin(stored.get(part.name) if stored else None)
            except BadInput:
                part.begin(None)
                self.notice = self.notice or self.voice().note("bad", "bad stored")

    def _set(self, values: Mapping[Any, Any]) -> None:
        for name, allowed in SETTINGS.items():
            if values.get(name) in allowed and type(values[name]) is type(allowed[0]):
                self.settings[name] = values[name]

    def do_set(self, message: dict[str, Any]) -> None:
        name = word(message, "name")
        if name not in SETTINGS or message.get("value") not in SETTINGS[name]:
            raise BadInput("message", f"no such setting: {name}", message=name)
        self._set({name: message["value"]})
        if name == "lang":
            self.notice = None
            self.redraw()
        else:
            self.refresh()

    def do_at(self, message: dict[str, Any]) -> None:
        """The reader is at this place now."""
        self.step = _one_of(self.places, word(message, "step"), "step")
        self.refresh()

    def do_dismiss(self, _message: dict[str, Any]) -> None:
        self.notice = None
        self.refresh()

    def do_forget(self, _message: dict[str, Any]) -> None:
        """Begin anew: nothing solved, a new match."""
        self.solved, self.step = [], ""
        self._begin({}, {})
        self.notice = self.voice().note("note", "ui forgotten")
        self.redraw()

    def bad(self, error: ValueError) -> None:
        self.notice = self.voice().bad(error)
        self.refresh()

    # -- what other parts call

    def solve(self, *ids: str) -> None:
        """Steps are solved."""
        fresh = [id for id in ids if id not in self.solved]
        self.solved += fresh
        self.refresh()
        for part in self.parts if fresh else ():
            part.progress()

    @property
    def done(self) -> bool:
        """All steps are solved."""
        return all(step.id in self.solved for step in self.steps)

    def use(self, variant: Variant) -> None:
        """Play by other rules from now on."""
        self.variant = variant
        for part in self.parts:
            part.begin(None)
        self.redraw()

    def redraw(self) -> None:
        self.refresh()
        for part in self.parts:
            part.refresh()

    # -- drawing

    def draw(self) -> dict[str, Any]:
        voice = self.voice()
        changed = len(self.variant.changed())
        label = voice.say("ui rules yours", count=changed) if changed else voice.say("ui rules sheet")
        label = label if "options" in self.places else ""  # there is nothing to change
        return {
            "game": self.game.id,
            "title": voice.say(f"game {self.game.id}"),
            "other": messages(_other(self.lang)).say(f"game {self.game.id}"),
            "other_lang": _other(self.lang),
            "sub": voice.say(f"ui sub {self.game.id}"),
            "home": "./",
            "first": self._first(voice),
            "settings": self.settings,
            "badges": any(map(voice.badge, cards_of(self.game.deal.pack_of(self.variant)))),
            "ui": chrome(self.lang),
            "names": card_names(self.lang),
            "steps": [
                {"id": step.id, "n": step.n, "title": step.title(voice), "solved": step.id in self.solved}
                for step in self.steps
            ],
            "at": self.step,
            "goto": self._goto[0],
            "goto_n": self._goto[1],
            "variant": {
                "text": summary(self.variant, self.lang),
                "code": self.variant.code,
                "changed": changed,
                "label": label,
            },
            "link": self.link(),
            "notice": self.notice,
            "glance": self._glance(voice),
            "save": self.save(),
        }

    def _glance(self, voice: Voice) -> list[dict[str, str]]:
        return [
            {"label": voice.say(f"glance label {row}"), "text": voice.say(f"glance {self.game.id} {row}")}
            for row in GLANCE
        ]

    def _first(self, voice: Voice) -> dict[str, str] | None:
        """Where those go who have never played a game of tricks; the first steps themselves lead nowhere else."""
        if self.game.id == PRIMER or not issubclass(self.game.deal, TrickDeal):
            return None
        href = f"./{PRIMER}?lang={self.lang}"
        return {"text": voice.say("ui first question"), "label": voice.say(f"game {PRIMER}"), "href": href}

    def link(self) -> str:
        """The query of a link to this page as it stands."""
        parts = {"lang": self.lang, "v": self.variant.code, "seed": str(self.seed), "step": self.step}
        return "?" + urlencode({key: value for key, value in parts.items() if value}, safe=":,")

    def save(self) -> dict[str, Any]:
        """What the browser is to keep."""
        if not self._goto[1]:
            return {}
        kept = {"version": 1, "link": self.opened_with, "step": self.step, "solved": self.solved}
        return kept | {part.name: data for part in self.parts if (data := part.data()) is not None}

    def text(self, lang: str) -> str:
        voice = self.voice(lang=lang)
        rows = [f"{row['label']}: {row['text']}" for row in self._glance(voice)]
        return "\n".join([voice.say(f"game {self.game.id}"), voice.say(f"ui sub {self.game.id}"), *rows])


def _one_of(allowed: Any, value: str, code: str) -> str:
    if value not in allowed:
        raise BadInput(code, f"no such {code}: {value!r}", **{code: value[:60], "value": value[:60]})
    return value


def _other(lang: str) -> str:
    return "en" if lang == "ja" else "ja"


#: Words that the browser puts in by itself: messages `ui WORD`.
CHROME = """
slow, broken, back, steps, solved, settings, language, colours, colours 2, colours 4, size, size S, size M, size L,
pace, pace wait, pace run, badges, badges on, badges off, share, link, copied, forget, forget sure, yes, no, dismiss,
close, hand, trick, seats, hidden, led, led by, winning, turn, card, cards, new, refused, right, wrong, missed, lines,
log, sheet, presets, changed, changes, whole
"""


@cache
def chrome(lang: str) -> dict[str, str]:
    """Words of the browser, by their ids with underscores."""
    say = messages(lang)
    ids = [id.strip() for id in CHROME.split(",")]
    return {id.replace(" ", "_"): say.pattern(f"ui {id}") for id in ids}


@cache
def card_names(lang: str) -> dict[str, str]:
    """What cards and suits are called."""
    say = messages(lang).say
    cards = {str(card): say("card", card=card) for card in (*cards_of(PACK), JOKER)}
    return cards | {str(Suit(suit)): say(f"suit {Suit(suit)}") for suit in range(4)}


class PagePart(Part):
    """A widget that belongs to the page of its notebook: it speaks the page's language, begins anew when the page does,
    and may have something kept by the browser under its `name`."""

    name = ""

    def __init__(self) -> None:
        super().__init__()
        self.page = current()

    @property
    def lang(self) -> str:
        return self.page.lang

    def begin(self, stored: Any) -> None:
        """Begin anew under the page's variant, or take up what the browser has kept."""

    def data(self) -> Any:
        """What the browser is to keep (None: nothing)."""


def page(game: str) -> Page:
    """Begin the page of a game; what follows in the notebook belongs to it."""
    global _current
    _current = Page(game)
    return _current
