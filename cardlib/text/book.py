"""The rule book of a game: every rule under its id, with the sentences that hold for a variant.

``LANG/GAME.md`` groups the rules under ``# Group`` headings.  A rule is a heading ``## rule.id``, a line ``Title: …``,
paragraphs with one sentence a line, and a line ``Source: …``.  A sentence that depends on options begins with a
condition, and ``{{end_score}}`` stands for the value of an option or ``players``::

    {players!=4;leftover=first-trick} Whoever wins the first trick takes the left-over cards as well.
    {pass_cycle=auto|*none*} No pass means that you keep the cards you were dealt.

In a condition ``;`` means that all must hold, `` or `` that one of several does; ``|`` separates values, as they are
written in a variant, and ``*`` stands for any part of a value.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from functools import cache, cached_property
from pathlib import Path
from typing import NamedTuple

from markdown_it import MarkdownIt

from cardlib.deal import GAMES, Game, game_of
from cardlib.options import Value, Variant, shown
from cardlib.text.messages import HERE, LANGS, Messages, TextError, messages

MARKED = re.compile(r"\{([^{}]*)\}\s+(.*)")
VALUE = re.compile(r"\{\{(\w+)\}\}")
TEST = re.compile(r"(\w+)(!?=)(\S+)")


class Test(NamedTuple):
    """One test of a condition: a name has, or has not, one of the values."""

    name: str
    wanted: bool
    patterns: tuple[str, ...]

    def holds(self, variant: Variant) -> bool:
        written = shown(value_of(variant, self.name))
        return any(fnmatchcase(written, pattern) for pattern in self.patterns) is self.wanted


class Condition(NamedTuple):
    """When a sentence holds: one of the alternatives must, with all of its tests."""

    alternatives: tuple[tuple[Test, ...], ...]

    @classmethod
    def parse(cls, text: str) -> Condition:
        """Read ``players!=4;leftover=remove or tie=shared``.

        >>> Condition.parse("players=6|8;sun=true").alternatives
        ((Test(name='players', wanted=True, patterns=('6', '8')), Test(name='sun', wanted=True, patterns=('true',))),)
        """
        return cls(tuple(tuple(map(_test, part.split(";"))) for part in text.split(" or ")))

    def holds(self, variant: Variant) -> bool:
        return any(all(test.holds(variant) for test in tests) for tests in self.alternatives)

    def tests(self) -> Iterator[Test]:
        for tests in self.alternatives:
            yield from tests


ALWAYS = Condition(((),))


def _test(text: str) -> Test:
    match = TEST.fullmatch(text.strip())
    if not match or not all(match[3].split("|")):
        raise TextError(f"no condition: {text!r}")
    return Test(match[1], match[2] == "=", tuple(match[3].split("|")))


def value_of(variant: Variant, name: str) -> Value:
    """The value of an option, or the number of players."""
    value: Value = variant.players if name == "players" else getattr(variant.options, name)
    return value


class Sentence(NamedTuple):
    """A sentence of a rule and when it holds."""

    condition: Condition
    text: str


@dataclass
class Entry:
    """A rule as it stands in the file: title, source, paragraphs of sentences."""

    id: str
    group: str
    title: str = ""
    source: str = ""
    paragraphs: list[list[Sentence]] = field(default_factory=list)

    def sentences(self) -> Iterator[Sentence]:
        for paragraph in self.paragraphs:
            yield from paragraph


class Rule(NamedTuple):
    """A rule as it reads in a variant; without sentences it is not in force."""

    id: str
    title: str
    sentences: tuple[str, ...]
    html: str
    source: str


class Change(NamedTuple):
    """What becomes of a sentence in another variant: `kind` is same, added, removed or replaced."""

    kind: str
    old: str
    new: str


class RuleBook:
    """The rules of one game in one language."""

    def __init__(self, game: Game, lang: str, text: str) -> None:
        self.game = game
        self.lang = lang
        self.entries = {entry.id: entry for entry in _read(text, game, f"{lang}/{game.id}.md")}

    @property
    def ids(self) -> tuple[str, ...]:
        """All rule ids, in the order of the book."""
        return tuple(self.entries)

    @cached_property
    def groups(self) -> list[tuple[str, list[str]]]:
        """The headings of the book, each with its rule ids."""
        titles = dict.fromkeys(entry.group for entry in self.entries.values())
        return [(title, [id for id, entry in self.entries.items() if entry.group == title]) for title in titles]

    def title(self, id: str) -> str:
        return self._entry(id).title

    def rule(self, id: str, variant: Variant) -> Rule:
        """A rule as it reads in this variant."""
        entry = self._entry(id)
        paragraphs = [_present(self._texts(paragraph, variant)) for paragraph in entry.paragraphs]
        markdown = "\n\n".join((" " if self.lang == "en" else "").join(texts) for texts in paragraphs if texts)
        sentences = tuple(text for texts in paragraphs for text in texts)
        return Rule(id, entry.title, sentences, _html(markdown), entry.source)

    def diff(self, id: str, old: Variant, new: Variant) -> list[Change]:
        """How the sentences of a rule change from one variant to another, in the order of the book.

        Where some go and others come at the same place, they are paired as replaced.
        """
        sentences = list(self._entry(id).sentences())
        changes: list[Change] = []
        gone: list[str] = []
        come: list[str] = []
        for before, after in zip(self._texts(sentences, old), self._texts(sentences, new), strict=True):
            if before is not None and before == after:
                changes += [*_paired(gone, come), Change("same", before, after)]
                gone, come = [], []
            else:
                gone += _present([before])
                come += _present([after])
        return changes + _paired(gone, come)

    def changed(self, old: Variant, new: Variant) -> list[str]:
        """The ids of the rules that read differently in two variants."""
        return [id for id in self.ids if any(change.kind != "same" for change in self.diff(id, old, new))]

    def _entry(self, id: str) -> Entry:
        if id not in self.entries:
            raise TextError(f"no rule {id!r} in {self.lang}/{self.game.id}.md")
        return self.entries[id]

    def _texts(self, sentences: Sequence[Sentence], variant: Variant) -> list[str | None]:
        """The text of each sentence, None where it does not hold."""
        say = messages(self.lang)

        def filled(match: re.Match[str]) -> str:
            return _written(say, variant, match[1])

        return [
            VALUE.sub(filled, sentence.text) if sentence.condition.holds(variant) else None for sentence in sentences
        ]


def _present(texts: Sequence[str | None]) -> list[str]:
    return [text for text in texts if text is not None]


def _paired(gone: Sequence[str], come: Sequence[str]) -> list[Change]:
    both = min(len(gone), len(come))
    replaced = [Change("replaced", old, new) for old, new in zip(gone, come, strict=False)]
    removed = [Change("removed", old, "") for old in gone[both:]]
    return replaced + removed + [Change("added", "", new) for new in come[both:]]


def _written(say: Messages, variant: Variant, name: str) -> str:
    """The value of an option as it reads within a sentence."""
    value = value_of(variant, name)
    written = shown(value)
    for id in (f"phrase {name} {written} {variant.players}", f"phrase {name} {written}"):
        if say.has(id):
            return say.say(id)
    return say.fact(value, "number") if isinstance(value, int) else say.fact(written, f"value {name}")


@cache
def _markdown() -> MarkdownIt:
    return MarkdownIt("commonmark", {"html": False})


@cache
def _html(markdown: str) -> str:
    html: str = _markdown().render(markdown)
    return html.strip()


# ---------------------------------------------------------------------------------------------------- reading the file


def _read(text: str, game: Game, where: str) -> list[Entry]:
    """The rules of a file; `TextError` says in which line something is wrong."""
    entries: list[Entry] = []
    group, new_paragraph = "", True
    for number, line in enumerate(text.splitlines(), 1):
        line = line.strip()
        try:
            if line.startswith("## "):
                if not group:
                    raise TextError("a rule stands before the first group heading")
                entries.append(Entry(line[3:].strip(), group))
            elif line.startswith("# "):
                group = line[2:].strip()
            elif line and not entries:
                raise TextError("text stands before the first rule")
            elif line:
                _add(entries[-1], line, new_paragraph, game)
        except TextError as error:
            raise TextError(f"{where}, line {number}: {error}") from error
        new_paragraph = not line or line.startswith(("#", "Title:"))
    _complete(entries, where)
    return entries


def _add(entry: Entry, line: str, new_paragraph: bool, game: Game) -> None:
    """Add a line to the rule it belongs to."""
    if entry.source:
        raise TextError(f"text stands after the source of {entry.id}")
    if line.startswith("Title:"):
        entry.title = line.removeprefix("Title:").strip()
    elif line.startswith("Source:"):
        entry.source = line.removeprefix("Source:").strip()
    else:
        if new_paragraph or not entry.paragraphs:
            entry.paragraphs.append([])
        entry.paragraphs[-1].append(sentence(line, game))


def _complete(entries: Sequence[Entry], where: str) -> None:
    seen = set()
    for entry in entries:
        lacks = "title" if not entry.title else "source" if not entry.source else "" if entry.paragraphs else "text"
        if lacks:
            raise TextError(f"{where}: {entry.id} has no {lacks}")
        if entry.id in seen:
            raise TextError(f"{where}: {entry.id} stands there twice")
        seen.add(entry.id)


def sentence(line: str, game: Game) -> Sentence:
    """Read one line of a rule, its condition and values checked against the options of the game."""
    condition = ALWAYS
    if line.startswith("{") and not line.startswith("{{"):
        match = MARKED.fullmatch(line)
        if not match:
            raise TextError(f"no condition: {line!r}")
        condition, line = Condition.parse(match[1]), match[2]
    for test in condition.tests():
        allowed = _values(game, test.name)
        for pattern in test.patterns:
            if not _occurs(pattern, allowed):
                raise TextError(f"{test.name} is never {pattern!r}")
    for name in VALUE.findall(line):
        _values(game, name)
    if "{" in VALUE.sub("", line) or "}" in VALUE.sub("", line):
        raise TextError(f"a stray brace: {line!r}")
    return Sentence(condition, line)


def _values(game: Game, name: str) -> Sequence[Value]:
    """All values of an option (or of ``players``)."""
    if name == "players":
        return game.players
    for option in game.options.declared():
        if option.name == name:
            values: Sequence[Value] = option.metadata["numbers"] or option.metadata["values"]
            return values
    raise TextError(f"unknown option: {name!r}")


def _occurs(pattern: str, values: Sequence[Value]) -> bool:
    """Whether some value is written like the pattern; of a long range of numbers, a number of it."""
    if isinstance(values, range):
        return pattern.isdecimal() and int(pattern) in values
    return any(fnmatchcase(shown(value), pattern) for value in values)


@cache
def rule_book(game: str, lang: str) -> RuleBook:
    """The rule book of a game in a language; `TextError` if we have no such book."""
    if lang not in LANGS:
        raise TextError(f"no such language: {lang!r} (there are {', '.join(LANGS)})")
    path: Path = HERE / lang / f"{game}.md"
    if game not in GAMES or not path.exists():
        raise TextError(f"no rule book for {game!r} in {lang}")
    return RuleBook(game_of(game), lang, path.read_text("utf-8"))
