"""Change a rule and see everything change: each value of each option changes a sentence and the outcome of a check."""

import pytest

import cardlib
from cardlib.options import Variant
from cardlib.record import read_checks, run_check
from cardlib.text import rule_book
from tests.engine.test_vectors import VECTORS

#: Options that only change what is displayed; no check can tell.
DISPLAY = {("ambition", "announce"), ("quodlibet", "direction"), ("solo-whist", "ouverte_exposed")}
#: Another name for the default with the default number of players.
SAME = {("hearts", "pass_cycle", "left-across-right-none")}


def values():
    for game in cardlib.GAMES.values():
        for field in game.options.declared():
            numbers = field.metadata["numbers"]
            others = [field.default + 1] if numbers else [v for v in field.metadata["values"] if v != field.default]
            for value in others:
                if (game.id, field.name, value) not in SAME:
                    yield pytest.param(game, field.name, value, id=f"{game.id}-{field.name}-{value}")


VALUES = list(values())


def variants_with(game, name, value):
    """Variants that have the value, with whatever else it needs."""
    for players in game.players:
        for extra in ({}, *({key: v} for f in game.options.declared() for key, v in _others(f) if key != name)):
            try:
                yield Variant.of(game, players, {name: value} | extra)
            except cardlib.BadInput:
                continue


def _others(field):
    return [(field.name, value) for value in field.metadata["values"] if value != field.default]


@pytest.mark.parametrize(("game", "name", "value"), VALUES)
def test_a_value_changes_a_sentence(game, name, value):
    for lang in ("en", "ja"):
        book = rule_book(game.id, lang)
        assert any(
            book.rule(rule, variant).sentences
            != book.rule(rule, variant.with_value(name, field_default(game, name))).sentences
            for variant in variants_with(game, name, value)
            if fits(variant, name, field_default(game, name))
            for rule in book.ids
        )


def field_default(game, name):
    return next(field.default for field in game.options.declared() if field.name == name)


def fits(variant, name, value):
    try:
        variant.with_value(name, value)
    except cardlib.BadInput:
        return False
    return True


@pytest.mark.parametrize(("game", "name", "value"), VALUES)
def test_a_value_changes_the_outcome_of_a_check(game, name, value):
    path = VECTORS / f"{game.id}.jsonl"
    if not path.exists():
        pytest.skip(f"no checks for {game.id}")
    if (game.id, name) in DISPLAY:
        pytest.skip("only changes what is displayed")
    for check in read_checks(path):
        if "error" in check["expect"]:
            continue
        given = dict(check.get("options", {}))
        default = field_default(game, name)
        changed = given | {name: default if given.get(name, default) == value else value}
        try:
            Variant.of(game, check.get("players"), changed)
        except cardlib.BadInput:
            continue
        if run_check(check | {"options": changed}):
            return
    pytest.fail(f"no check of {game.id} can tell {name}={value}")
