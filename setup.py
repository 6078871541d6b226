"""What pyproject.toml cannot say: the folders mapped into the package, and the messages compiled on the way."""

from pathlib import Path

from setuptools import find_packages, setup
from setuptools.command.build_py import build_py

ROOT = Path(__file__).resolve().parent
# Folders of the repository that travel inside the package.
MAPPED = {f"cardlib.{name}": name for name in ("notebooks", "tutorials") if (ROOT / name).is_dir()}


def compile_messages(source: Path, target: Path) -> None:
    """Compile every LANG/messages.po below ``source`` to a LANG/messages.mo below ``target``."""
    from babel.messages.mofile import write_mo
    from babel.messages.pofile import read_po

    for po in sorted(source.glob("*/*.po")):
        mo = (target / po.relative_to(source)).with_suffix(".mo")
        mo.parent.mkdir(parents=True, exist_ok=True)
        with po.open("rb") as read, mo.open("wb") as write:
            write_mo(write, read_po(read, locale=po.parent.name, abort_invalid=True))


class BuildPy(build_py):
    """Builds the package as usual, then its message catalogues; an editable install gets them beside their sources."""

    def run(self) -> None:
        super().run()
        base = ROOT if self.editable_mode else Path(self.build_lib)
        compile_messages(ROOT / "cardlib" / "text", base / "cardlib" / "text")


setup(
    packages=[*find_packages(include=["cardlib", "cardlib.*"]), *MAPPED],
    package_dir=MAPPED,
    cmdclass={"build_py": BuildPy},
)
