"""The pages that the server writes itself: the gallery and the short ones that say why there is no lesson here.

Every text is written in all languages; the page's ``lang`` decides which of them show. So the reader can change the
language on the spot, and a page works without a script in the language that the browser asked for.
"""

import hashlib
from collections.abc import Mapping
from dataclasses import asdict, replace
from functools import cache
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urlencode

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from cardlib.app.gallery import KINDS, Entry, Filter, entries, size_name, sizes, title
from cardlib.text import LANGS, messages

HERE = Path(__file__).parent
STATIC = HERE / "static"
TEMPLATES = HERE / "templates"

# The language's own name, for the switch.
LANGUAGES = {"en": "English", "ja": "日本語"}

WORDS = (
    "ui site",
    "ui home",
    "ui skip",
    "ui loading",
    "ui noscript",
    "ui retry",
    "ui failed title",
    "ui failed text",
    "ui lost gone",
    "ui lost dead",
    "ui lost server",
    "ui lost back",
    "ui continue",
    "ui start",
    "ui go-on",
    "ui again",
    "ui gallery title",
    "ui gallery sub",
    "ui filter players",
    "ui filter kind",
    "ui filter none",
    "ui filter reset",
    "ui filter bad",
)


@cache
def words(lang: str) -> dict[str, str]:
    """The fixed texts of the pages by message id."""
    return {id: messages(lang).say(id) for id in WORDS}


def choose_lang(asked: str, accepted: str) -> str:
    """The language to begin with: the link's, or else the first that the browser would like and we have."""
    for tag in (asked, *(part.split(";")[0] for part in accepted.split(","))):
        name = tag.strip().lower().split("-")[0]
        if name in LANGS:
            return name
    return "en"


class Chip(NamedTuple):
    """One thing to choose of a filter, by its name and value in a link; its words by language."""

    name: str
    value: str
    texts: Mapping[str, str]
    href: str
    on: bool


def gallery(lang: str, nonce: str, base: str, folder: Path, players: str = "", kind: str = "") -> str:
    """The page at ``/``: all games, or those that a link asks for, and where the reader stopped."""
    asked = Filter.asked(players, kind)
    told = [entries(name, folder) for name in LANGS]
    games = [dict(zip(LANGS, same_game, strict=True)) for same_game in zip(*told, strict=True)]
    steps = {
        game[lang].id: {
            "href": game[lang].href,
            "ids": [step.id for step in game[lang].steps],
            "texts": {name: _progress_texts(name, entry) for name, entry in game.items()},
        }
        for game in games
    }
    wanted = asked.known()
    shown = {game[lang].id for game in games if wanted.shows(game[lang])}
    count = {name: messages(name).say("ui filter shown", n="{n}", total=len(games)) for name in LANGS}
    return _render(
        "gallery.html.j2",
        lang,
        nonce,
        base,
        games=games,
        steps=steps,
        filters=_filters(wanted, lang),
        shown=shown,
        count=count,
        bad=asked.bad,
        query={name: _query(wanted, name) for name in LANGS},
        say={name: messages(name).say for name in LANGS},
    )


def _filters(wanted: Filter, lang: str) -> dict[str, list[Chip]]:
    """What can be chosen of each filter; the first of a row is that it does not matter."""
    numbers = {size_name(size): {name: _size(name, size) for name in LANGS} for size in sizes()}
    return {
        "players": [
            Chip("players", value, texts, _query(replace(wanted, players=value), lang), wanted.players == value)
            for value, texts in ({"": _texts("ui filter any")} | numbers).items()
        ],
        "kind": [
            Chip("kind", value, _texts(id), _query(replace(wanted, kind=value), lang), wanted.kind == value)
            for value, id in ({"": "ui filter all"} | {kind: f"ui kind {kind}" for kind in KINDS}).items()
        ],
    }


def _texts(id: str) -> dict[str, str]:
    return {name: messages(name).say(id) for name in LANGS}


def _size(lang: str, size: range) -> str:
    one = messages(lang).say("ui filter size", n=size[0])
    return one if len(size) == 1 else messages(lang).say("ui filter sizes", low=size[0], high=size[-1])


def _query(wanted: Filter, lang: str) -> str:
    """The link to the gallery with these filters."""
    return "?" + urlencode({"lang": lang} | {name: value for name, value in asdict(wanted).items() if value})


def _progress_texts(lang: str, entry: Entry) -> dict[str, object]:
    """What the gallery's script says about one game: it only fills in ``{n}``, the number it alone knows."""
    say = messages(lang).say
    total = len(entry.steps)
    return {
        "new": say("ui gallery new", total=total) if total else "",
        "some": say("ui gallery some", n="{n}", total=total),
        "all": say("ui gallery all", total=total),
        "at": say("ui gallery at", game=entry.title, n="{n}"),
        "titles": [step.title for step in entry.steps],
    }


def lesson_title(notebook: Mapping[str, object], name: str, lang: str) -> str:
    """What the browser's tab says until the lesson says it itself."""
    return f"{title(notebook, name, lang)} · {words(lang)['ui site']}"


def note(kind: str, lang: str, nonce: str, base: str, *, refresh: int = 0) -> str:
    """A page with one message and the way home: ``kind`` is missing, full or failed."""
    texts = {name: {part: messages(name).say(f"ui {kind} {part}") for part in ("title", "text")} for name in LANGS}
    return _render("note.html.j2", lang, nonce, base, kind=kind, texts=texts, refresh=refresh)


def _render(template: str, lang: str, nonce: str, base: str, **more: object) -> str:
    return _templates().get_template(template).render(**shell(lang, nonce, base), **more)


def shell(lang: str, nonce: str, base: str) -> dict[str, object]:
    """What every page needs, the lessons' template as well."""
    return {
        "lang": lang,
        "langs": LANGS,
        "languages": LANGUAGES,
        "words": {name: words(name) for name in LANGS},
        "nonce": nonce,
        "base": base,
        "early": early_script(),
        "static": {path.name: f"{base}cardlib/static/{path.name}?v={_digest(path)}" for path in STATIC.iterdir()},
    }


@cache
def early_script() -> str:
    """The script that runs before the page is drawn, so that the right language shows from the first moment."""
    return (TEMPLATES / "early.js").read_text("utf-8")


@cache
def _digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()[:16]


@cache
def _templates() -> Environment:
    return Environment(
        loader=FileSystemLoader(TEMPLATES),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
