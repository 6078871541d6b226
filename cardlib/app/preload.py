"""Which scripts a lesson loads, so that the page can ask for all of them at once instead of one after the other.

The front end of Voila is cut into many small files, and finds out which it needs by running them. The list is made
when the server starts: of Voila's own numbered files those that a lesson has been seen to load (``SEEN``; a test
compares), as far as the installed version has them, and the entry files of the widget extensions, whose names carry a
digest.
"""

import json
from collections.abc import Iterator, Sequence
from pathlib import Path

EXTENSIONS = ("@voila-dashboards/widgets-manager8", "anywidget")
# fmt: off
SEEN = tuple(f"{number}.voila.js" for number in (
    5764, 8135, 3992, 9582, 8925, 7883, 7556, 6049, 1670, 6573, 3311, 4135, 1621, 3916, 3649, 8487, 9684, 4041,
    143, 7155, 3144, 1601, 4972, 9890, 5312, 6468, 3459, 630, 5688, 2930, 73, 1187, 4173, 7483, 431, 3989, 8766,
    9151, 4729, 6382, 5044, 7598, 9081, 7770, 3249, 4653, 8862, 9981, 5767, 4222, 8773, 3307, 6008, 8017, 457,
    9212,
))
# fmt: on


def scripts(static: Sequence[str], labextensions: Sequence[str]) -> list[str]:
    """Paths below the server's folder of assets, only of files that are there."""
    return [*_voila(static), *_extensions(labextensions)]


def _voila(static: Sequence[str]) -> Iterator[str]:
    for name in SEEN:
        if any((Path(folder) / name).is_file() for folder in static):
            yield f"static/{name}"


def _extensions(labextensions: Sequence[str]) -> Iterator[str]:
    for name in EXTENSIONS:
        for folder in labextensions:
            package = Path(folder) / name / "package.json"
            if package.is_file():
                build = json.loads(package.read_text("utf-8")).get("jupyterlab", {}).get("_build", {})
                if "load" in build:
                    yield f"labextensions/{name}/{build['load']}"
                break
