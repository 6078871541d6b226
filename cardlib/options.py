"""Typed options, presets and variants.

A game declares its options once, as a frozen dataclass whose fields are made by `option`; validation, the option
panel, the variant in one sentence, links and the rule-text diff all come from that declaration.  A *variant* is the
number of players plus the options, written ``hearts(players=5,moon_mode=others)`` in text and
``players:5,moon_mode:others`` in links; a preset's name may stand for its options.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import Field, dataclass, field, fields, replace
from typing import TYPE_CHECKING, Any, ClassVar

from cardlib.errors import BadInput, raw, shortly

if TYPE_CHECKING:
    from cardlib.deal import Game

Value = bool | int | str


def option(*values: Value, rules: str, group: str, numbers: range | None = None) -> Any:
    """An option: its allowed values, the default first, the rule ids it touches and its group in the panel.

    With `numbers` every integer of that range is allowed, and `values` holds the default alone.
    """
    about = {"values": values, "rules": tuple(rules.split()), "group": group, "numbers": numbers}
    return field(default=values[0], metadata=about)


@dataclass(frozen=True)
class Options:
    """The base of every game's options."""

    #: Names for sets of options: preset -> {"players": …, option: value}.
    presets: ClassVar[Mapping[str, Mapping[str, Value]]] = {"seed": {}}
    #: The turn passes to the right.
    anticlockwise: ClassVar[bool] = False

    @classmethod
    def declared(cls) -> tuple[Field[Any], ...]:
        return fields(cls)

    def changed(self) -> dict[str, Value]:
        """What differs from the defaults, by name."""
        return {f.name: getattr(self, f.name) for f in fields(self) if getattr(self, f.name) != f.default}

    def check(self, players: int) -> None:
        """Raise `BadInput` for values that exclude each other or the number of players."""

    def idle(self, players: int) -> dict[str, str]:
        """Options that have no effect in this variant: name -> a code for the reason why."""
        return {}

    def allowed(self, name: str, players: int) -> Sequence[Value]:
        """The values of an option that fit the number of players and the other options."""
        about = next(f for f in fields(self) if f.name == name).metadata
        if about["numbers"]:
            return about["numbers"]  # type: ignore[no-any-return]  # a range
        return tuple(value for value in about["values"] if self._fits({name: value}, players))

    def _fits(self, change: Mapping[str, Value], players: int) -> bool:
        try:
            replace(self, **change).check(players)
        except BadInput:
            return False
        return True


def _checked(option: Field[Any], value: object) -> Value:
    """The value if the option takes it; ``true`` is not 1."""
    if isinstance(value, (bool, int, str)):
        numbers = option.metadata["numbers"]
        if numbers and type(value) is int and value in numbers:
            return value
        for allowed in () if numbers else option.metadata["values"]:
            if type(value) is type(allowed) and value == allowed:
                return value
    text = f"{option.name} cannot be {shortly(value)}"
    raise BadInput("option-value", text, name=option.name, value=raw(value))


def _read(option: Field[Any], text: str) -> object:
    """A value as written in a link or a variant; what no value is written like stays text, which `_checked` refuses."""
    if option.metadata["numbers"]:
        return int(text) if re.fullmatch(r"0|[1-9][0-9]{0,17}", text) else text
    return next((value for value in option.metadata["values"] if shown(value) == text), text)


def shown(value: Value) -> str:
    """A value as it is written: `true`, `13`, `to-50`."""
    return str(value).lower() if isinstance(value, bool) else str(value)


@dataclass(frozen=True)
class Variant:
    """A game with a number of players and a set of options, checked to fit each other.

    >>> import cardlib
    >>> variant = cardlib.variant("hearts(players=5,moon_mode=others)")
    >>> variant.players, variant.options.moon_mode, variant.code
    (5, 'others', 'players:5,moon_mode:others')
    >>> cardlib.variant("hearts(moon_mode=both)")
    Traceback (most recent call last):
    cardlib.errors.BadInput: moon_mode cannot be 'both'
    """

    game: Game
    players: int
    options: Any  # the game's own dataclass

    @classmethod
    def of(cls, game: Game, players: object = None, options: Mapping[str, object] | None = None) -> Variant:
        """Check and build; `BadInput` names the option or `players`."""
        if players is None:
            players = game.default_players
        if type(players) is not int or players not in game.players:
            low, high = game.players[0], game.players[-1]
            text = f"players cannot be {shortly(players)}: {low} to {high} can play"
            raise BadInput("players", text, value=raw(players))
        declared = {f.name: f for f in fields(game.options)}
        values = {}
        for name, value in (options or {}).items():
            if name not in declared:
                raise BadInput("option", f"unknown option: {shortly(name)}", name=raw(name))
            values[name] = _checked(declared[name], value)
        made = game.options(**values)
        made.check(players)
        return cls(game, players, made)

    @classmethod
    def parse(cls, game: Game, text: str) -> Variant:
        """Read a preset's name or ``players:5,moon_mode:others`` (``=`` does as well as ``:``)."""
        text = text.strip()
        if text in game.options.presets:
            return cls.preset(game, text)
        declared = {f.name: f for f in fields(game.options)}
        values: dict[str, object] = {}
        for part in filter(None, text.split(",")):
            name, mark, value = (piece.strip() for piece in part.replace("=", ":").partition(":"))
            if not mark or name not in {"players", *declared}:
                raise BadInput("option", f"unknown option: {name!r}", name=name)
            if name in values:
                raise BadInput("variant", f"{name} occurs twice in {text!r}", text=text)
            if name == "players":
                values[name] = int(value) if re.fullmatch("[0-9]{1,3}", value) else value
            else:
                values[name] = _read(declared[name], value)
        return cls.of(game, values.pop("players", None), values)

    @classmethod
    def preset(cls, game: Game, name: str) -> Variant:
        values = dict(game.options.presets[name])
        return cls.of(game, values.pop("players", None), values)

    def changed(self) -> dict[str, Value]:
        """What differs from the default variant, `players` first."""
        players = {} if self.players == self.game.default_players else {"players": self.players}
        options: dict[str, Value] = self.options.changed()
        return players | options

    def with_value(self, name: str, value: object) -> Variant:
        """The same variant with one option (or ``players``) changed, checked."""
        if name == "players":
            return Variant.of(self.game, value, self.options.changed())
        return Variant.of(self.game, self.players, self.options.changed() | {name: value})

    def with_text(self, name: str, text: str) -> Variant:
        """The same, with the value as it is written: ``with_text("sun", "true")``."""
        if name == "players":
            return self.with_value(name, int(text) if re.fullmatch(r"[0-9]{1,3}", text) else text)
        declared = {f.name: f for f in fields(self.game.options)}
        if name not in declared:
            raise BadInput("option", f"unknown option: {name!r}", name=name)
        return self.with_value(name, _read(declared[name], text))

    @property
    def code(self) -> str:
        """The form for links; empty for the default variant."""
        return ",".join(f"{name}:{shown(value)}" for name, value in self.changed().items())

    def __str__(self) -> str:
        inside = ",".join(f"{name}={shown(value)}" for name, value in self.changed().items())
        return f"{self.game.id}({inside})" if inside else self.game.id

    def __repr__(self) -> str:
        return f"Variant({str(self)!r})"


__all__ = ["Options", "Value", "Variant", "option", "replace", "shown"]
