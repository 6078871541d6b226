"""Opening a notebook's page without a browser: run its code cells, as a kernel does."""

import json
from typing import Any

from cardlib.app.folders import notebooks_dir
from cardlib.deal import GAMES
from cardlib.ui.page import PRIMER, Page, current

#: The games that have a page; those in which cards are dealt and played.
PAGES = [id for id in GAMES if (notebooks_dir() / f"{id}.ipynb").exists()]
PLAYED = [id for id in PAGES if id != PRIMER]


def opened(name: str, search: str = "", stored: Any = None, settings: Any = None) -> Page:
    """The page of a notebook after a browser has said hello with this link and these stored data."""
    page = built(name)
    tell(page, do="hello", search=search, stored=stored, settings=settings)
    return page


def built(name: str) -> Page:
    """The page of a notebook before any browser has said hello."""
    cells = json.loads((notebooks_dir() / f"{name}.ipynb").read_text(encoding="utf-8"))["cells"]
    space: dict[str, Any] = {}
    for cell in cells:
        if cell["cell_type"] == "code":
            exec("".join(cell["source"]), space)
    return current()


def tell(part: Any, **message: Any) -> dict[str, Any]:
    """Send a message as the browser does; returns the new state."""
    part._receive(part, message, [])
    state: dict[str, Any] = part.state
    return state


def part_of(page: Page, name: str) -> Any:
    """The part of the page with this step id or name."""
    return next(part for part in page.parts if name in (getattr(part, "id", ""), part.name))
