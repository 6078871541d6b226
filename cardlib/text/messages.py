"""The sentences of a language: refusals, events, score lines, prompts, buttons.

They stand in ``LANG/messages.po`` (gettext).  Message ids are codes such as ``refusal hearts.follow.suit``, and English
is a translation like Japanese.  The engine hands over facts, the sentence names them: ``{lead} was led``.  How a fact
is written follows from its type (see `Messages.say`).

>>> from cardlib.cards import Card, Hand
>>> facts = {"card": Card.parse("AH"), "do": Hand.parse("KD 2D"), "lead": Card.parse("9D")}
>>> messages("en").say("refusal hearts.follow.suit", **facts)
'♦9 was led and you hold ♦K and ♦2: play one of them.'
>>> messages("ja").say("card", card=Card.parse("QS"))
'スペードのクイーン'
"""

from __future__ import annotations

import gettext
from collections.abc import Collection, Mapping, Sequence
from functools import cache
from pathlib import Path
from string import Formatter
from typing import Any

from cardlib.cards import JOKER, Card, Hand, Seat, Side, Suit
from cardlib.errors import BadInput
from cardlib.options import Value, Variant, shown

LANGS = ("ja", "en")
HERE = Path(__file__).parent
SYMBOLS = dict(zip("SHDC", "♠♥♦♣", strict=True))


class TextError(ValueError):
    """A text that is missing or broken: an unknown language or id, a fact that a sentence lacks, a faulty file."""


class Messages:
    """The sentences of one language."""

    def __init__(self, lang: str, catalogue: gettext.NullTranslations) -> None:
        self.lang = lang
        self._catalogue = catalogue

    def has(self, id: str) -> bool:
        """Whether there is a sentence with this id."""
        return self._pattern(id, {}) is not None

    def say(self, id: str, /, *, names: Sequence[str] | None = None, me: int | None = None, **facts: Any) -> str:
        """The sentence `id` with its facts, each written by its type.

        - `Card` ``♠Q`` · ``{card:name}`` queen of spades · ``{card:the}`` with its article, where it has one: the joker
        - `Hand` or several cards ``♦9, ♦4`` · ``{do:or}`` ♦9 or ♦4 · ``{do:and}`` ♦9 and ♦4 · ``{do:plus}`` ♦9 + ♦4
        - several `Hand`: each as a sum, ``{ways:or}`` ♦9 + ♦4 or ♦7 + ♦6
        - `Suit` diamonds, ``{trump:sign}`` ♦
        - `Seat` its name in `names` (`me` is the reader: you) · several seats: joined with *and*
        - `Side` your side, the other side
        - a number 10, −10 · ``{points:+}`` +10 · ``{n:number}`` ten, if the message ``number 10`` exists
        - a word: the message ``word WORD`` if there is one · ``{phase:phase}``: the message ``phase WORD``; several
          words likewise, joined with *and*
        - ``{move:move}``: a move as written in records · ``{key:raw}``: any text as it is

        If the fact `seat`, `side` or `sides` is the reader and ``ID you`` exists, that sentence is used; so are
        ``ID from you`` where the `source` is the reader, ``ID hidden`` where he may not know the `cards`, ``ID none``
        where the `count` is 0, and ``ID slot`` where a card that lies face down is called by its `slot`.  The fact
        `count` (else the number of `sides` or of cards to `do`) selects the plural form.
        """
        return self._say(self._variant_of(id, me, facts), names, me, facts, first=True)

    def move(self, text: str) -> str:
        """A move as people say it: ``♠Q``, ``Pass ♣2, ♦9, ♠Q``, ``Annul the deal``."""
        if self.has(f"move {text}"):
            return self.say(f"move {text}")
        verb, *words = text.split() or [text]
        if words and all(self.has(f"call {word}") for word in words) and self.has(f"move {verb}"):
            return self.say(f"move {verb}", cards=[self.say(f"call {word}") for word in words])
        if words and words[0].isdecimal() and self.has(f"move {verb}"):
            return self.say(f"move {verb}", n=int(words[0]))
        try:
            if words[:1] == ["takes"]:
                return self.say("move takes", card=Card.parse(verb), cards=[Card.parse(word) for word in words[1:]])
            if words and self.has(f"move {verb}"):
                return self.say(f"move {verb}", cards=[Card.parse(word) for word in words])
            return self._card(Card.parse(text), "")
        except BadInput:
            return text

    def value(self, name: str, value: Value, players: int) -> str:
        """The label of a value of an option, which may depend on the number of players."""
        written = shown(value)
        for id in (f"value {name} {written} {players}", f"value {name} {written}"):
            if self.has(id):
                return self.say(id)
        return self._number(value, "") if isinstance(value, int) else written

    def pattern(self, id: str) -> str:
        """The sentence as it is written, for the browser, which fills in its facts itself."""
        pattern = self._pattern(id, {})
        if pattern is None:
            raise TextError(f"no message {id!r} in {self.lang}")
        return pattern

    # -- finding the sentence

    def _variant_of(self, id: str, me: int | None, facts: Mapping[str, Any]) -> str:
        sides = facts.get("sides")
        alone = sides if isinstance(sides, list | tuple) and len(sides) == 1 else ()
        about = {who for who in (facts.get("seat"), facts.get("side"), *alone) if not isinstance(who, Side)}
        endings = [] if me is None else ["you"] * (me in about) + ["from you"] * (me == facts.get("source"))
        endings += [] if "cards" in facts else ["hidden"]
        endings += ["none"] if facts.get("count") == 0 else []
        endings += ["slot"] if "slot" in facts else []
        return next((f"{id} {ending}" for ending in endings if self.has(f"{id} {ending}")), id)

    def _pattern(self, id: str, facts: Mapping[str, Any]) -> str | None:
        pattern = self._catalogue.ngettext(id, id, _amount(facts))
        if pattern == id:  # not a message with plural forms
            pattern = self._catalogue.gettext(id)
        return None if pattern == id else pattern

    def _say(
        self, id: str, names: Sequence[str] | None, me: int | None, facts: Mapping[str, Any], first: bool = False
    ) -> str:
        pattern = self._pattern(id, facts)
        if pattern is None:
            raise TextError(f"no message {id!r} in {self.lang}")
        try:
            text = _Filler(self, names, me).vformat(pattern, (), facts)
        except (KeyError, ValueError, IndexError) as error:
            raise TextError(f"message {id!r} ({self.lang}): {error}") from error
        begins_with_fact = first and self.lang == "en" and pattern.startswith("{")
        return text[:1].upper() + text[1:] if begins_with_fact else text

    # -- writing the facts

    def fact(self, value: object, spec: str = "", names: Sequence[str] | None = None, me: int | None = None) -> str:
        """One fact, written by its type."""
        match value:
            case Card():
                return self._card(value, spec)
            case Hand():
                return self._list([self._card(card, spec) for card in value], spec)
            case Suit():
                return SYMBOLS[str(value)] if spec == "sign" else self._say(f"suit {value}", None, None, {})
            case Seat():
                return self._seat(value, names, me)
            case Side():
                return self._side(value, names, me)
            case int():
                return self._number(value, spec)
            case str():
                return self._word(value, spec)
            case list() | tuple():
                kind = spec or ("and" if any(isinstance(item, Seat | Side) for item in value) else "")
                each, kind = ("", kind) if not kind or self.has(f"list {kind}") else (kind, "and")
                each = "plus" if any(isinstance(item, Hand) for item in value) else each
                return self._list([self.fact(item, each, names, me) for item in value], kind)
        raise TextError(f"cannot write {value!r} in a sentence")

    def _card(self, card: Card, spec: str) -> str:
        if card == JOKER:
            return self._say("card joker the" if spec in ("the", "and", "or") else "card joker", None, None, {})
        rank = str(card)[0]
        if spec != "name":
            return SYMBOLS[str(card.suit)] + rank.replace("T", "10")
        facts = {"rank": self._say(f"rank {rank}", None, None, {}), "suit": card.suit}
        return self._say("card name", None, None, facts)

    def _seat(self, seat: Seat, names: Sequence[str] | None, me: int | None) -> str:
        if seat == me:
            return self._say("reader", None, None, {})
        return names[seat] if names else self._say("seat", None, None, {"n": int(seat)})

    def _side(self, side: Side, names: Sequence[str] | None, me: int | None) -> str:
        if me is not None:
            return self._say("side mine" if me % 2 == side else "side other", None, None, {})
        if names:
            return self._list([names[side], names[side + 2]], "and")
        return self._say("side", None, None, {"n": side + 1})

    def _number(self, number: int, spec: str) -> str:
        if spec and spec != "+":
            return self._word(str(number), spec)
        sign = "−" if number < 0 else "+" if spec else ""
        return f"{sign}{abs(number)}"

    def _word(self, word: str, spec: str) -> str:
        if spec == "move":
            return self.move(word)
        id = f"{spec or 'word'} {word}"
        return self._say(id, None, None, {}) if self.has(id) else word

    def _list(self, items: Sequence[str], spec: str) -> str:
        """Some things in a row; the last one is joined in the way of the language."""
        if len(items) < 2:
            return "".join(items)
        *before, last = items
        joined = before[0]
        between = "list plus" if spec == "plus" else "list comma"
        for item in before[1:]:
            joined = self._say(between, None, None, {"all": joined, "last": item})
        id = f"list {spec or 'comma'}"
        many = f"{id} many"
        return self._say(many if before[1:] and self.has(many) else id, None, None, {"all": joined, "last": last})


class _Filler(Formatter):
    """Fills a sentence; a name that is no fact is an error."""

    def __init__(self, messages: Messages, names: Sequence[str] | None, me: int | None) -> None:
        self.messages = messages
        self.names = names
        self.me = me

    def get_field(self, field_name: str, args: Sequence[Any], kwargs: Mapping[str, Any]) -> tuple[Any, str]:
        if field_name not in kwargs:
            raise ValueError(f"the fact {field_name!r} is missing")
        return kwargs[field_name], field_name

    def convert_field(self, value: Any, conversion: Any) -> Any:
        if conversion:
            raise ValueError(f"no conversions in messages: !{conversion}")
        return value

    def format_field(self, value: Any, format_spec: str) -> str:
        return self.messages.fact(value, format_spec, self.names, self.me)


def _amount(facts: Mapping[str, Any]) -> int:
    """The number that selects the plural form."""
    count = facts.get("count")
    if isinstance(count, int):
        return count
    things = facts.get("sides", facts.get("do"))
    return len(things) if isinstance(things, Collection) else 1


@cache
def messages(lang: str) -> Messages:
    """The sentences of a language; `TextError` for one that we do not have."""
    if lang not in LANGS:
        raise TextError(f"no such language: {lang!r} (there are {', '.join(LANGS)})")
    with compiled(lang).open("rb") as file:
        return Messages(lang, gettext.GNUTranslations(file))


def compiled(lang: str) -> Path:
    """The compiled catalogue, checked to be there and, in a source checkout, to be fresh."""
    po, mo = HERE / lang / "messages.po", HERE / lang / "messages.mo"
    checkout = (HERE.parents[1] / "pyproject.toml").exists()
    if not mo.exists() or (checkout and po.exists() and po.stat().st_mtime > mo.stat().st_mtime):
        state = "older than" if mo.exists() else "missing beside"
        raise TextError(f"{mo.name} ({lang}) is {state} {po.name}; run: pybabel compile -l {lang} -i {po} -o {mo}")
    return mo


def summary(variant: Variant, lang: str) -> str:
    """A variant in one sentence: the number of players and what differs from the source sheet.

    >>> import cardlib
    >>> summary(cardlib.variant("hearts(players=5,bonus_card=TD,moon_mode=others)"), "en")
    'Five players. ♦10 counts −10; a moon counts against all the others.'
    """
    say = messages(lang)
    changes = [_change(say, name, value) for name, value in variant.options.changed().items()]
    marked = f"{variant.game.id} {variant.players}"  # a number of players that is a house rule says so
    house = say.has(f"summary players {marked}")
    ids = (f"summary default {marked}", f"summary default {variant.game.id}", "summary default")
    text = changes[0] if changes else say.say(next(filter(say.has, ids)))
    for change in changes[1:]:
        text = say.say("summary comma", all=text, last=change)
    players = say.say(f"summary players {marked}") if house else say.say("summary players", n=variant.players)
    return say.say("summary join", players=players, changes=text[:1].upper() + text[1:])


def _change(say: Messages, name: str, value: Value) -> str:
    written = shown(value)
    exact = f"summary {name} {written}"
    return say.say(exact) if say.has(exact) else say.say(f"summary {name}", value=written)
