"""What the gallery at ``/`` shows: one entry a game, in the reader's language.

The games shown are the notebooks found. Their words come from ``cardlib.text``, the steps of each lesson from the
notebook itself; how far a reader has got is known only to the reader's browser (see ``static/gallery.js``).
"""

from __future__ import annotations

import ast
import json
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path

from cardlib.app.folders import notebooks_dir
from cardlib.app.pictures import Picture, picture
from cardlib.deal import GAMES, Game
from cardlib.games import ORDER
from cardlib.text import LANGS, messages, rule_book


@dataclass(frozen=True)
class Step:
    """A step of a lesson: its rule id and its heading."""

    id: str
    title: str


@dataclass(frozen=True)
class Entry:
    """One game of the gallery."""

    id: str
    title: str
    other: str
    other_lang: str
    meta: str
    text: str
    href: str
    picture: Picture
    steps: tuple[Step, ...]
    #: The filters that show it: numbers of players and kinds.
    players: tuple[str, ...] = ()
    kinds: tuple[str, ...] = ()


def entries(lang: str, folder: Path | None = None) -> list[Entry]:
    """The games of ``folder`` (default: the lessons of the package) in teaching order, told in ``lang``."""
    return [_entry(path, lang) for path in lessons(folder or notebooks_dir())]


def lessons(folder: Path) -> list[Path]:
    """The notebooks that have a page of their own, in teaching order; unknown ones follow by name."""
    found = [path for path in folder.glob("*.ipynb") if not path.name.startswith(".")]
    return sorted(found, key=lambda path: (ORDER.index(path.stem) if path.stem in ORDER else len(ORDER), path.stem))


def _entry(path: Path, lang: str) -> Entry:
    game, known = path.stem, GAMES.get(path.stem)
    notebook = json.loads(path.read_text("utf-8"))
    other_lang = next(name for name in LANGS if name != lang)
    return Entry(
        id=game,
        title=title(notebook, game, lang),
        other=title(notebook, game, other_lang),
        other_lang=other_lang,
        meta=_say(lang, f"gallery {game} meta"),
        text=_say(lang, f"gallery {game} text"),
        href=game,
        picture=picture(game),
        steps=tuple(_steps(notebook, game, lang)),
        players=tuple(size_name(size) for size in sizes() if known and size[0] in known.players),
        kinds=tuple(kind for kind in KINDS if known and kind in kinds_of(known)),
    )


def _say(lang: str, id: str) -> str:
    words = messages(lang)
    return words.say(id) if words.has(id) else ""


def title(notebook: Mapping[str, object], game: str, lang: str) -> str:
    """The game's name; a notebook that is no game's has a title in its metadata, or else its file's name."""
    metadata = notebook.get("metadata")
    own = metadata.get("title") if isinstance(metadata, dict) else None
    return _say(lang, f"game {game}") or str(own or game)


def _steps(notebook: Mapping[str, object], game: str, lang: str) -> Iterator[Step]:
    """The lesson's steps, as `cardlib.ui.step.Step` numbers and names them, read from the notebook's code."""
    seen: Counter[str] = Counter()
    for rules, title in _step_calls(notebook):
        rule = rules.split()[0]  # the first of them is what the step is called by
        seen[rule] += 1
        id = rule if seen[rule] == 1 else f"{rule}.{seen[rule]}"
        yield Step(id, _say(lang, f"title {game} {title}") if title else _rule_title(game, rule, lang))


def _rule_title(game: str, rule: str, lang: str) -> str:
    book = rule_book(game, lang)
    return book.title(rule) if rule in book.ids else rule


def _step_calls(notebook: Mapping[str, object]) -> Iterator[tuple[str, str]]:
    """The rules and the title of each ``step("RULES", …, "TITLE")`` and ``guided_deal("RULES", title="TITLE")``."""
    cells = notebook.get("cells")
    for cell in cells if isinstance(cells, list) else []:
        if cell.get("cell_type") != "code":
            continue
        source = cell.get("source", "")
        for node in ast.parse(source if isinstance(source, str) else "".join(source)).body:
            match node:
                case ast.Expr(ast.Call(ast.Name("step" | "guided_deal"), [ast.Constant(str(rules)), *rest], keywords)):
                    named = [keyword.value for keyword in keywords if keyword.arg == "title"]
                    title = [*named, *rest[1:]]
                    yield rules, str(title[0].value) if title and isinstance(title[0], ast.Constant) else ""


# ----------------------------------------------------------------------------------------------------------- filters

#: What kinds of games there are, in the order in which they can be chosen.
KINDS = ("win", "avoid", "alone", "partners", "auction", "capture")
#: Why a link cannot be followed: it asks for what no game is.
UNKNOWN = "?"


def kinds_of(game: Game) -> frozenset[str]:
    """What kind of game this is: what it says itself, and whether its players play together."""
    return frozenset(game.kinds) | {"partners" if game.partners else "alone"}


def sizes() -> list[range]:
    """The numbers of players one can ask for; those are put together at which the same games can be played."""
    numbers = sorted({n for game in GAMES.values() for n in game.players})
    together = [list(some) for _, some in groupby(numbers, lambda n: {g.id for g in GAMES.values() if n in g.players})]
    return [range(some[0], some[-1] + 1) for some in together]


def size_name(size: range) -> str:
    """As it is written in a link: ``4`` or ``5-8``."""
    return str(size[0]) if len(size) == 1 else f"{size[0]}-{size[-1]}"


@dataclass(frozen=True)
class Filter:
    """What a reader looks for: a number of players and a kind of game; nothing, where it does not matter."""

    players: str = ""
    kind: str = ""

    @classmethod
    def asked(cls, players: str, kind: str) -> Filter:
        """What a link asks for; `UNKNOWN` for what is no such thing."""
        names = {name: size_name(size) for size in sizes() for name in (*map(str, size), size_name(size))}
        return cls(names.get(players, UNKNOWN) if players else "", kind if kind in ("", *KINDS) else UNKNOWN)

    @property
    def bad(self) -> bool:
        return UNKNOWN in (self.players, self.kind)

    def known(self) -> Filter:
        """Without what is not known."""
        return Filter(self.players.replace(UNKNOWN, ""), self.kind.replace(UNKNOWN, ""))

    def shows(self, entry: Entry) -> bool:
        return self.players in ("", *entry.players) and self.kind in ("", *entry.kinds)
