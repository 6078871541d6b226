"""Where the notebooks are, in an installed package as well as in the repository."""

from pathlib import Path

import cardlib


def notebooks_dir() -> Path:
    """The folder of the lessons that ``cardlib serve`` shows."""
    return _mapped("notebooks")


def tutorials_dir() -> Path:
    """The folder of the notebooks for those who write with the library."""
    return _mapped("tutorials")


def _mapped(name: str) -> Path:
    """A folder of the repository that the build maps into the package; an editable install uses the original."""
    package = Path(cardlib.__file__).resolve().parent
    inside, beside = package / name, package.parent / name
    if not inside.is_dir() and (package.parent / "pyproject.toml").is_file():
        return beside
    return inside
