"""A second server with small notebooks of its own: one that works, one that fails, one that never ends."""

from collections.abc import Iterator
from pathlib import Path

import nbformat
import pytest

from tests.conftest import serving

NOTEBOOKS = {
    "fine": ["'fine'"],
    "broken": ["'so far'", "1 / 0"],
    "slow": ["import time", "time.sleep(1000)"],
}


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    folder = tmp_path_factory.mktemp("small")
    for name, cells in NOTEBOOKS.items():
        write_notebook(folder / f"{name}.ipynb", cells)
    with serving("--notebooks", str(folder), "--max-visitors", "2", "--render-limit", "4") as address:
        yield address


def write_notebook(path: Path, cells: list[str]) -> None:
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(cell) for cell in cells])
    nbformat.write(notebook, path)
