"""What the gallery at ``/`` shows: one entry a game, in the reader's language.

The games shown are the notebooks found. Their words come from ``cardlib.text``, the steps of each lesson from the
notebook itself; how far a reader has got is known only to the reader's browser (see ``static/gallery.js``).
"""

import ast
import json
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from cardlib.app.folders import notebooks_dir
from cardlib.games import ORDER
from cardlib.text import LANGS, messages, rule_book


@dataclass(frozen=True)
class PictureCard:
    """A small card in a picture: where its middle is (pixels from the picture's centre), how far it is turned."""

    rank: str
    suit: str
    x: int
    y: int
    turn: int
    chosen: bool = False
    winning: bool = False


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
    picture: tuple[PictureCard, ...]
    steps: tuple[Step, ...]


def entries(lang: str, folder: Path | None = None) -> list[Entry]:
    """The games of ``folder`` (default: the lessons of the package) in teaching order, told in ``lang``."""
    return [_entry(path, lang) for path in lessons(folder or notebooks_dir())]


def lessons(folder: Path) -> list[Path]:
    """The notebooks that have a page of their own, in teaching order; unknown ones follow by name."""
    found = [path for path in folder.glob("*.ipynb") if not path.name.startswith(".")]
    return sorted(found, key=lambda path: (ORDER.index(path.stem) if path.stem in ORDER else len(ORDER), path.stem))


def _entry(path: Path, lang: str) -> Entry:
    game = path.stem
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
        picture=PICTURES.get(game, PICTURES["hearts"]),
        steps=tuple(_steps(notebook, game, lang)),
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


def _fan(cards: str, chosen: int) -> tuple[PictureCard, ...]:
    """Cards held as a hand holds them, one of them pulled out."""
    names = cards.split()
    middle = (len(names) - 1) / 2
    return tuple(
        PictureCard(
            rank=name[:-1],
            suit=name[-1],
            x=round((i - middle) * 36),
            y=-26 if i == chosen else round(5 * (i - middle) ** 2),
            turn=0 if i == chosen else round((i - middle) * 11),
            chosen=i == chosen,
        )
        for i, name in enumerate(names)
    )


def _trick(cards: str, winning: int) -> tuple[PictureCard, ...]:
    """Four cards of a trick, clockwise from the left."""
    places = ((-52, 0), (0, -36), (52, 0), (0, 36))
    return tuple(
        PictureCard(rank=name[:-1], suit=name[-1], x=x, y=y, turn=0, winning=i == winning)
        for i, (name, (x, y)) in enumerate(zip(cards.split(), places, strict=True))
    )


PICTURES = {
    "primer": _trick("7D AS 8D AH", winning=2),
    "hearts": _fan("4H 9H QS JH KH", chosen=2),
    "quint": _fan("4D AD 5H 3C 2C", chosen=2),
    "spady": _fan("AD KD 2S QD TD", chosen=2),
    "ambition": _trick("9S KS 2S 7S", winning=2),
}
