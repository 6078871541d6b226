"""``cardlib check-text``: does every rule, option and message have its text, in every language?

What the engine says is found by listening: the handed checks are played through it, and each refusal, event, score
line and bad input that comes up is said in every language, from every side of the table.  What the pages say is found
in their source: every literal that looks like a message id must be one.
"""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import Field
from functools import cache
from itertools import chain, product
from pathlib import Path
from string import Formatter
from typing import Any, NamedTuple

import cardlib
from cardlib.app.folders import notebooks_dir
from cardlib.cards import Seat
from cardlib.deal import GAMES, Event, Game, read_outcome
from cardlib.errors import BadInput
from cardlib.options import Variant, shown
from cardlib.record import load, read_checks
from cardlib.text import LANGS, RuleBook, TextError, messages, rule_book
from cardlib.text.messages import HERE, compiled

PACKAGE = Path(cardlib.__file__).resolve().parent
VECTORS = PACKAGE.parent / "tests" / "vectors"

#: Endings of message ids that a language may have or leave out: the sentence without them serves as well.
ENDINGS = (" from you", " you", " hidden")
#: Rules that no refusal, event, score line or step names, each with the reason why that is all right.
UNNAMED = {
    "hearts.kitty.aside": "says what left-over cards are; what happens to them has rules and events of its own",
    "hearts.lead.eldest": "takes other first leads away instead of refusing anything",
    "hearts.queen.card": "says what the rules about ♠Q do not depend on",
}
#: Messages that name different facts in different languages, each with the reason.
DIFFERENT: dict[str, str] = {}
#: Literals in the source that look like message ids and are none.
NO_IDS = {"log every request"}
#: Facts of `say` that are no facts of the sentence.
NOT_FACTS = {"names", "me"}


def problems() -> list[str]:
    """What is wrong with the texts, one sentence a problem; empty if all is well."""
    try:
        for lang in LANGS:
            compiled(lang)
            for game in books():
                rule_book(game.id, lang)
    except TextError as error:
        return [str(error)]
    found = chain(_languages(), _books(), _options(), _engine(), _named(), _calls(), _widgets())
    return list(dict.fromkeys(found))


def books() -> list[Game]:
    """The games with a rule book in some language."""
    return [game for game in GAMES.values() if any((HERE / lang / f"{game.id}.md").exists() for lang in LANGS)]


# -------------------------------------------------------------------------------------------------------- catalogues


class Entry(NamedTuple):
    """A message as it stands in a catalogue: its plural forms (one for most) and the facts it names."""

    forms: tuple[str, ...]
    facts: frozenset[str]


@cache
def catalogue(lang: str) -> dict[str, Entry]:
    """All messages of a language by id; what is marked fuzzy counts as missing."""
    from babel.messages.pofile import read_po

    with (HERE / lang / "messages.po").open("rb") as file:
        read = read_po(file, locale=lang, abort_invalid=True)
    entries = {}
    for message in read:
        if message.id and not message.fuzzy:
            id = message.id if isinstance(message.id, str) else message.id[0]
            forms = (message.string,) if isinstance(message.string, str) else tuple(message.string or ("",))
            entries[id] = Entry(forms, frozenset(chain.from_iterable(map(placeholders, forms))))
    return entries


def placeholders(pattern: str) -> set[str]:
    """The facts that a sentence names."""
    return {name for _, name, _, _ in Formatter().parse(pattern) if name}


def _languages() -> Iterator[str]:
    """Ids and facts are the same in all languages, and nothing is empty or there twice."""
    for lang in LANGS:
        ids = re.findall(r'^msgid "(.+)"$', (HERE / lang / "messages.po").read_text("utf-8"), re.MULTILINE)
        yield from (f"{lang}: message {id!r} stands there twice" for id in sorted({i for i in ids if ids.count(i) > 1}))
        yield from (f"{lang}: message {id!r} is empty" for id, e in catalogue(lang).items() if not all(e.forms))
    for lang, other in product(LANGS, LANGS):
        for id in catalogue(other).keys() - catalogue(lang).keys():
            base = id.removesuffix(next((end for end in ENDINGS if id.endswith(end)), ""))
            if base == id or base not in catalogue(lang):
                yield f"{lang}: message {id!r} is missing"
    for lang, (id, entry) in product(LANGS[1:], catalogue(LANGS[0]).items()):
        facts = catalogue(lang).get(id, entry).facts
        if facts != entry.facts and id not in DIFFERENT:
            yield f"message {id!r} names {sorted(entry.facts)} in {LANGS[0]} and {sorted(facts)} in {lang}"


# ------------------------------------------------------------------------------------------------- books and options


def _books() -> Iterator[str]:
    """The books of a game have the same rules in the same order, and all rules that the engine names."""
    for game in books():
        ids = {lang: rule_book(game.id, lang).ids for lang in LANGS}
        for lang, other in product(LANGS, LANGS):
            yield from (f"{lang}: rule {id} is missing in the book" for id in ids[other] if id not in ids[lang])
        if len(set(ids.values())) > 1 and len(set(map(frozenset, ids.values()))) == 1:
            yield f"{game.id}: the rules stand in different orders in {' and '.join(LANGS)}"
        if len({tuple(len(group) for _, group in rule_book(game.id, lang).groups) for lang in LANGS}) > 1:
            yield f"{game.id}: the groups of the book differ in {' and '.join(LANGS)}"
        for id in sorted(engine_ids(game) - set(ids[LANGS[0]])):
            yield f"rule {id} is used by the engine, but the book does not have it"


@cache
def engine_ids(game: Game) -> frozenset[str]:
    """The rule ids that the engine names: in the source of the game and its phases, in options, and when played."""
    literals = chain.from_iterable(_literals(path) for path in (PACKAGE / "games").glob("*.py"))
    rule = re.compile(rf"{game.id}(\.[a-z0-9-]+){{2,}}")
    written = {word for literal in literals for word in literal.split() if rule.fullmatch(word)}
    declared = {id for option in game.options.declared() for id in option.metadata["rules"]}
    return frozenset(written | declared | {heard.rule for heard in heard_in(game) if heard.rule})


def with_one_change(game: Game) -> Iterator[tuple[str, Variant, Variant]]:
    """Every value of every option with each number of players that it fits, and in each preset: the variants before and
    after."""
    bases = [Variant.of(game, players) for players in game.players]
    for variant in [*bases, *(Variant.preset(game, name) for name in game.options.presets)]:
        for option in game.options.declared():
            yield from ((option.name, variant, changed) for changed in _changed(variant, option))


def _changed(variant: Variant, option: Field[Any]) -> Iterator[Variant]:
    """The variant with each value of an option that fits."""
    numbers = option.metadata["numbers"]
    for value in (numbers[0], numbers[-1]) if numbers else option.metadata["values"]:
        try:
            yield variant.with_value(option.name, value)
        except BadInput:
            continue


def _options() -> Iterator[str]:
    """Options, values, presets and groups have their words, and every option changes a sentence of the book."""
    for game in books():
        names = [option.name for option in game.options.declared()]
        wanted = [f"game {game.id}", "option players", "group players"]
        wanted += [f"option {name}" for name in names]
        wanted += [f"preset {game.id} {preset}" for preset in game.options.presets]
        for option in game.options.declared():
            wanted.append(f"group {option.metadata['group']}")
            if not option.metadata["numbers"]:
                wanted += [f"value {option.name} {shown(value)}" for value in option.metadata["values"]]
        changes = list(with_one_change(game))
        for _, _, variant in changes:
            wanted += [f"idle {code}" for code in variant.options.idle(variant.players).values()]
        for lang in LANGS:
            say = messages(lang)
            yield from (f"{lang}: message {id!r} is missing" for id in dict.fromkeys(wanted) if not say.has(id))
            book = rule_book(game.id, lang)
            for option in game.options.declared():
                if not _speaks(book, option, changes):
                    yield f"{lang}: option {option.name} changes no sentence"
            yield from _summaries(game, lang)


def _speaks(book: RuleBook, option: Field[Any], changes: Sequence[tuple[str, Variant, Variant]]) -> bool:
    """Whether an option changes a sentence, by itself or beside another one that is changed."""
    alone = any(name == option.name and book.changed(before, after) for name, before, after in changes)
    beside = ((after, changed) for _, _, after in changes for changed in _changed(after, option))
    return alone or any(book.changed(before, after) for before, after in beside)


def _summaries(game: Game, lang: str) -> Iterator[str]:
    """Every value but the default has a phrase in the variant's one sentence."""
    say = messages(lang)
    for option in game.options.declared():
        for value in option.metadata["values"][1:]:
            if not say.has(f"summary {option.name} {shown(value)}") and not say.has(f"summary {option.name}"):
                yield f"{lang}: message 'summary {option.name} {shown(value)}' is missing"


# -------------------------------------------------------------------------------------------------- listening to play


class Heard(NamedTuple):
    """Something the engine said: the message id, its rule (none for bad input), the facts, and who hears it."""

    id: str
    rule: str
    facts: Mapping[str, Any]
    me: int | None = None

    @property
    def kind(self) -> tuple[object, ...]:
        """What decides how the sentence reads: the facts there are, and where the hearer is among them."""
        mine = {name for name, value in self.facts.items() if isinstance(value, Seat) and value == self.me}
        alone = [self.me] in [list(value) for value in self.facts.values() if isinstance(value, list | tuple)]
        return self.id, frozenset(self.facts), frozenset(mine), alone


@cache
def heard_in(game: Game) -> tuple[Heard, ...]:
    """What is said when the checks of a game are played; nothing where there are no checks (an installed package)."""
    path = VECTORS / f"{game.id}.jsonl"
    if not path.exists():
        return ()
    said: dict[tuple[object, ...], Heard] = {}
    for check in read_checks(path):
        for heard in _said(check):
            said.setdefault(heard.kind, heard)
    return tuple(said.values())


def _said(check: Mapping[str, Any]) -> Iterator[Heard]:
    """Everything that comes up in one check."""
    record = {key: value for key, value in check.items() if key not in ("id", "why", "expect", "kind")}
    try:
        if check.get("kind") == "settle":
            variant = Variant.of(GAMES[record["game"]], record.get("players"), record.get("options"))
            match = variant.game.context_of(record.get("match", {}), variant)
            events: Sequence[Event] = variant.game.settle(variant, match, **read_outcome(variant, record)).events
            yield from _events(events, variant.players)
            return
        deal = load(record)
        for move in check["expect"].get("refused", ()):
            refusal = deal.refusal(move)
            yield Heard(f"refusal {refusal.rule}", refusal.rule, refusal.facts)
    except BadInput as error:
        yield Heard(f"bad {error.code}", "", error.facts)
        return
    yield from _events((*deal.events, *deal.settled.events), deal.players)
    for line in deal.score_lines():
        yield Heard(f"score {line.rule}", line.rule, line.facts)


def _events(events: Sequence[Event], players: int) -> Iterator[Heard]:
    """Each event as everybody at the table hears it, and as a record tells it; score lines are heard as such."""
    for event in events:
        if event.kind != "Scored":
            id = f"event {event.kind} {event.rule}".strip()
            yield Heard(id, event.rule, event.facts)
            for seat in range(players):
                yield Heard(id, event.rule, event.seen(seat).facts, seat)


def _engine() -> Iterator[str]:
    """All that the engine can say is said in every language, to every seat."""
    names = tuple("ABCDEFGH")
    for game in books():
        for heard, lang in product(heard_in(game), LANGS):
            try:
                messages(lang).say(heard.id, names=names, me=heard.me, **heard.facts)
            except TextError as error:
                yield str(error)
    for (code, facts), lang in product(sorted(_bad_codes().items()), LANGS):
        entry = catalogue(lang).get(f"bad {code}")
        if entry is None:
            yield f"{lang}: message 'bad {code}' is missing"
        elif entry.facts - facts:
            yield f"{lang}: message 'bad {code}' names {sorted(entry.facts - facts)}, which is not always given"


def _bad_codes() -> dict[str, set[str]]:
    """The codes of bad input in the source, and the facts that each of them always has."""
    codes: dict[str, set[str]] = {}
    for path in PACKAGE.rglob("*.py"):
        for node in ast.walk(_tree(path)):
            match node:
                case ast.Call(func=ast.Name(id="BadInput"), args=[ast.Constant(value=str(code)), *_], keywords=given):
                    facts = {word.arg for word in given if word.arg}
                    codes[code] = codes.get(code, facts) & facts
    return codes


def _named() -> Iterator[str]:
    """Every rule is named by a refusal, an event, a score line or a step."""
    for game in books():
        heard = heard_in(game)
        if not heard:
            continue
        named = {said.rule for said in heard} | _in_notebooks(game)
        for id in rule_book(game.id, LANGS[0]).ids:
            if id not in named and id not in UNNAMED:
                yield f"rule {id} is named by no refusal, event, score line or step"


def _in_notebooks(game: Game) -> set[str]:
    """The rule ids that stand in the code cells of the notebooks."""
    ids: set[str] = set()
    for path in notebooks_dir().glob("*.ipynb"):
        for cell in json.loads(path.read_text("utf-8"))["cells"]:
            if cell["cell_type"] == "code":
                ids.update(re.findall(rf"\b{game.id}(?:\.[a-z0-9-]+){{2,}}", "".join(cell["source"])))
    return ids


# ------------------------------------------------------------------------------------------------ what the pages say


@cache
def _tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text("utf-8"), str(path))


def _literals(path: Path) -> Iterator[str]:
    """The strings of a source file, without docstrings."""
    tree = _tree(path)
    docs = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in docs:
            yield node.value


def _templates(path: Path) -> Iterator[tuple[str, re.Pattern[str]]]:
    """The f-strings of a source file that begin like a message id: their beginning, and what they can become."""
    for node in ast.walk(_tree(path)):
        match node:
            case ast.JoinedStr(values=[ast.Constant(value=str(start)), *_]) if re.match(r"[a-z]+ ", start):
                parts = [re.escape(str(p.value)) if isinstance(p, ast.Constant) else ".+" for p in node.values]
                yield start, re.compile("".join(parts))


def _sources() -> Iterator[Path]:
    """The source above the engine, where messages are said."""
    for floor in ("play", "teach", "ui", "app"):
        yield from sorted((PACKAGE / floor).rglob("*.py"))


def _calls() -> Iterator[str]:
    """Literals that look like message ids are ids, and calls of `say` give the facts that the sentence names."""
    kinds = {id.split()[0] for id in catalogue(LANGS[0]) if " " in id}
    looks = re.compile(rf"(?:{'|'.join(sorted(kinds))})(?: [A-Za-z0-9._-]+){{1,4}}")
    for path in _sources():
        if path == Path(__file__).resolve():
            continue
        for literal in _literals(path):
            for lang in LANGS if looks.fullmatch(literal) and literal not in NO_IDS else ():
                if literal not in catalogue(lang):
                    yield f"{path.relative_to(PACKAGE)}: there is no message {literal!r} in {lang}"
        for start, pattern in _templates(path):
            if start.split(" ")[0] in kinds and not any(map(pattern.fullmatch, catalogue(LANGS[0]))):
                yield f"{path.relative_to(PACKAGE)}: there is no message like {start!r}"
        for node in ast.walk(_tree(path)):
            match node:
                case ast.Call(func=ast.Attribute(attr="say"), args=[ast.Constant(value=str(id))], keywords=given):
                    yield from _lacking(path, node.lineno, id, given)


def _lacking(path: Path, line: int, id: str, given: Sequence[ast.keyword]) -> Iterator[str]:
    names = {word.arg for word in given}
    if None in names:  # facts that the source does not spell out
        return
    for lang in LANGS:
        entry = catalogue(lang).get(id)
        lacks = entry.facts - (names - NOT_FACTS) if entry else set()
        if lacks:
            yield f"{path.relative_to(PACKAGE)}, line {line}: {id!r} ({lang}) lacks {', '.join(sorted(lacks))}"


def _widgets() -> Iterator[str]:
    """The words that the browser asks for by a key have a message ``ui KEY``."""
    for path in sorted((PACKAGE / "ui" / "static").glob("*.js")):
        for key in sorted(set(re.findall(r'\bsay\("([a-z0-9_]+)"\)', path.read_text("utf-8")))):
            if f"ui {key.replace('_', ' ')}" not in catalogue(LANGS[0]):
                yield f"{path.name}: there is no message 'ui {key.replace('_', ' ')}'"
