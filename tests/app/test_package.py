"""What the build puts into the package, and that it works from there, away from the repository."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The package as a wheel holds it."""
    target = tmp_path_factory.mktemp("built")
    command = [
        sys.executable,
        "setup.py",
        "-q",
        "build",
        "-b",
        str(target / "work"),
        "--build-lib",
        str(target / "lib"),
    ]
    subprocess.run([*command], cwd=ROOT, check=True, capture_output=True)
    return target / "lib"


@pytest.mark.parametrize(
    "name",
    [
        "py.typed",
        "app/jupyter/labconfig/page_config.json",
        "app/static/shell.js",
        "app/templates/gallery.html.j2",
        "app/templates/voila/index.html.j2",
        "notebooks/hearts.ipynb",
        "text/en/hearts.md",
        "text/en/messages.mo",
        "text/ja/hearts.md",
        "text/ja/messages.mo",
        "tutorials/cards-deals-reasons.ipynb",
        "ui/static/cardlib.css",
        "ui/static/cardlib.js",
    ],
)
def test_what_is_in_the_package(built: Path, name: str) -> None:
    assert (built / "cardlib" / name).stat().st_size or name == "py.typed"


def test_nothing_else_is_in_it(built: Path) -> None:
    assert [path.name for path in built.iterdir()] == ["cardlib"]
    assert not list(built.glob("**/.ipynb_checkpoints"))


def test_package_works_from_any_folder(built: Path, tmp_path: Path) -> None:
    code = (
        "from cardlib.app.folders import notebooks_dir, tutorials_dir; from cardlib.app.gallery import entries;"
        "print(notebooks_dir()); print(tutorials_dir()); print(*(entry.title for entry in entries('ja')))"
    )
    environment = {**os.environ, "PYTHONPATH": str(built)}
    run = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, env=environment, capture_output=True, text=True, check=True
    )
    notebooks, tutorials, titles = run.stdout.splitlines()
    assert notebooks == str(built / "cardlib" / "notebooks")
    assert tutorials == str(built / "cardlib" / "tutorials")
    assert "ハート" in titles
