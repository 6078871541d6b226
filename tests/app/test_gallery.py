"""What the gallery knows about the lessons agrees with the lessons."""

import json
from pathlib import Path

import pytest

from cardlib.app.folders import notebooks_dir
from cardlib.app.gallery import entries, lessons
from cardlib.app.pages import choose_lang
from cardlib.text import LANGS
from cardlib.ui.page import Page, current


def run(path: Path) -> Page:
    """Run a notebook's code here; gives its page."""
    scope: dict[str, object] = {}
    for cell in json.loads(path.read_text("utf-8"))["cells"]:
        if cell["cell_type"] == "code":
            exec("".join(cell["source"]), scope)
    return current()


@pytest.mark.parametrize("lang", LANGS)
def test_every_lesson_has_its_words(lang: str) -> None:
    found = entries(lang)
    assert [entry.id for entry in found] == [path.stem for path in lessons(notebooks_dir())]
    for entry in found:
        assert entry.title != entry.other
        assert entry.meta
        assert entry.text
        assert entry.picture
        assert len(entry.steps) >= 6
        assert all(step.title and step.title != step.id for step in entry.steps)


def test_steps_are_the_pages_own() -> None:
    for path in lessons(notebooks_dir()):
        page = run(path)
        for lang in LANGS:
            entry = next(entry for entry in entries(lang) if entry.id == path.stem)
            told = [(step.id, step.title) for step in entry.steps]
            assert told == [(step.id, step.title(page.voice(lang=lang))) for step in page.steps]


def test_other_notebooks_are_shown_by_their_title(tmp_path: Path) -> None:
    notebook = {"cells": [], "metadata": {"title": "My own"}, "nbformat": 4, "nbformat_minor": 5}
    (tmp_path / "zz.ipynb").write_text(json.dumps(notebook), "utf-8")
    (tmp_path / ".hidden.ipynb").write_text("{}", "utf-8")
    (entry,) = entries("en", tmp_path)
    assert (entry.title, entry.href, entry.steps) == ("My own", "zz", ())


@pytest.mark.parametrize(
    ("asked", "accepted", "lang"),
    [
        ("ja", "en", "ja"),
        ("", "ja-JP,ja;q=0.9,en;q=0.8", "ja"),
        ("", "en-GB,ja;q=0.5", "en"),
        ("xx", "fr", "en"),
        ("", "", "en"),
    ],
)
def test_language(asked: str, accepted: str, lang: str) -> None:
    assert choose_lang(asked, accepted) == lang
