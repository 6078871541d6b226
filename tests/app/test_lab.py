"""The copies that ``cardlib lab`` makes: brought up to date, and never taken away from the user."""

from pathlib import Path

import pytest

from cardlib.app import lab


@pytest.fixture
def originals(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "package"
    for name in ("notebooks", "tutorials"):
        (folder / name).mkdir(parents=True)
    (folder / "notebooks" / "hearts.ipynb").write_text("one", "utf-8")
    (folder / "tutorials" / "cards.ipynb").write_text("cards", "utf-8")
    monkeypatch.setattr(lab, "notebooks_dir", lambda: folder / "notebooks")
    monkeypatch.setattr(lab, "tutorials_dir", lambda: folder / "tutorials")
    return folder


def test_first_time(originals: Path, tmp_path: Path) -> None:
    mine = tmp_path / "mine"
    assert list(lab.copy_notebooks(mine)) == []
    assert (mine / "hearts.ipynb").read_text() == "one"
    assert (mine / "tutorials" / "cards.ipynb").read_text() == "cards"


def test_untouched_copy_follows_the_original(originals: Path, tmp_path: Path) -> None:
    mine = tmp_path / "mine"
    list(lab.copy_notebooks(mine))
    (originals / "notebooks" / "hearts.ipynb").write_text("two", "utf-8")
    assert list(lab.copy_notebooks(mine)) == []
    assert (mine / "hearts.ipynb").read_text() == "two"


def test_changed_copy_is_kept(originals: Path, tmp_path: Path) -> None:
    mine = tmp_path / "mine"
    list(lab.copy_notebooks(mine))
    (mine / "hearts.ipynb").write_text("my own", "utf-8")
    assert list(lab.copy_notebooks(mine)) == [], "nothing to say while there is nothing new"
    (originals / "notebooks" / "hearts.ipynb").write_text("two", "utf-8")
    (said,) = lab.copy_notebooks(mine)
    assert "hearts.ipynb is kept" in said
    assert (mine / "hearts.ipynb").read_text() == "my own"


def test_file_of_the_same_name_is_not_overwritten(originals: Path, tmp_path: Path) -> None:
    mine = tmp_path / "mine"
    mine.mkdir()
    (mine / "hearts.ipynb").write_text("somebody's", "utf-8")
    assert len(list(lab.copy_notebooks(mine))) == 1
    assert (mine / "hearts.ipynb").read_text() == "somebody's"


def test_reset_keeps_the_users_version_beside(originals: Path, tmp_path: Path) -> None:
    mine = tmp_path / "mine"
    list(lab.copy_notebooks(mine))
    for text in ("first try", "second try"):
        (mine / "hearts.ipynb").write_text(text, "utf-8")
        (said,) = lab.copy_notebooks(mine, reset=True)
        assert "hearts.mine" in said
    assert (mine / "hearts.ipynb").read_text() == "one"
    assert (mine / "hearts.mine.ipynb").read_text() == "first try"
    assert (mine / "hearts.mine-2.ipynb").read_text() == "second try"


def test_notes_that_cannot_be_read(originals: Path, tmp_path: Path) -> None:
    mine = tmp_path / "mine"
    list(lab.copy_notebooks(mine))
    (mine / lab.NOTES).write_text("[", "utf-8")
    assert list(lab.copy_notebooks(mine)) == []
    assert (mine / "hearts.ipynb").read_text() == "one"


def test_folder_that_is_a_file(originals: Path, tmp_path: Path) -> None:
    (tmp_path / "mine").write_text("", "utf-8")
    with pytest.raises(ValueError, match="is a file"):
        list(lab.copy_notebooks(tmp_path / "mine"))
