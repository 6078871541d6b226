"""`cardlib check-text` is silent on what we have, and loud when something is missing."""

import pytest

from cardlib.app import check_text
from cardlib.app.check_text import Entry, catalogue, heard_in, problems
from cardlib.deal import GAMES
from cardlib.text import LANGS


def test_nothing_is_missing():
    assert problems() == []


def test_the_checks_make_the_engine_say_all_kinds_of_things():
    kinds = {heard.id.split()[0] for heard in heard_in(GAMES["hearts"])}
    assert kinds == {"refusal", "event", "score", "bad"}


@pytest.fixture
def without(monkeypatch):
    """The catalogues without some messages, or with others in their place."""

    def change(lang, **entries):
        changed = {name: dict(catalogue(name)) for name in LANGS}
        for id, entry in entries.items():
            changed[lang].pop(id, None)
            if entry:
                changed[lang][id] = entry
        monkeypatch.setattr(check_text, "catalogue", changed.__getitem__)
        return check_text.problems()

    return change


def test_a_message_missing_in_one_language(without):
    assert "ja: message 'prompt lead' is missing" in without("ja", **{"prompt lead": None})


def test_the_reader_may_be_you_in_one_language_only(without):
    assert without("en", **{"prompt trick you": None}) == []


def test_a_fact_named_in_one_language_only(without):
    found = without("en", **{"prompt lead": Entry(("Lead {card}.",), frozenset({"card"}))})
    assert any("'prompt lead' names" in problem for problem in found)


def test_bad_input_without_a_sentence(without):
    assert "en: message 'bad seed' is missing" in without("en", **{"bad seed": None})


def test_a_fact_that_bad_input_never_gives(without):
    entry = Entry(("{card} is no seed.",), frozenset({"card"}))
    found = without("en", **{"bad seed": entry})
    assert any("'bad seed' names ['card']" in problem for problem in found)


def test_a_rule_that_nothing_names(monkeypatch):
    monkeypatch.setattr(check_text, "UNNAMED", {})
    assert any("hearts.lead.eldest is named by no refusal" in problem for problem in problems())


def test_a_rule_missing_in_the_book(monkeypatch):
    monkeypatch.setattr(check_text, "engine_ids", lambda game: frozenset({f"{game.id}.no.such"}))
    assert "rule hearts.no.such is used by the engine, but the book does not have it" in problems()
