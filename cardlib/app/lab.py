"""``cardlib lab``: the notebooks and the tutorials in JupyterLab, as copies that the user may change.

Beside the copies lies ``.cardlib.json``: the digest of each original as it was copied. So a copy that nobody touched
can be brought up to date, and one that somebody changed is never overwritten.
"""

import hashlib
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from cardlib.app.folders import notebooks_dir, tutorials_dir

NOTES = ".cardlib.json"
# Settings of ours: no question whether news may be fetched, no catalogue of extensions, less talk.
CONFIG = Path(__file__).parent / "jupyter"


def lab(folder: Path, *, port: int = 8888, open_browser: bool = True, reset: bool = False) -> int:
    """Copy what is new, say what was done, and run JupyterLab until it is stopped."""
    folder = folder.resolve()
    for line in copy_notebooks(folder, reset=reset):
        print(line)
    print(f"your notebooks are in {folder}", flush=True)
    command = [sys.executable, "-m", "jupyterlab", f"--ServerApp.root_dir={folder}", f"--port={port}"]
    if not open_browser:
        command.append("--no-browser")
    if hasattr(os, "geteuid") and os.geteuid() == 0:
        command.append("--allow-root")
    path = os.pathsep.join(filter(None, [str(CONFIG), os.environ.get("JUPYTER_CONFIG_PATH", "")]))
    try:
        return subprocess.run(command, env={**os.environ, "JUPYTER_CONFIG_PATH": path}, check=False).returncode
    except KeyboardInterrupt:
        return 0


def copy_notebooks(folder: Path, *, reset: bool = False) -> Iterator[str]:
    """Bring the originals into ``folder``; yields a sentence for every file that is not as one would expect."""
    if folder.exists() and not folder.is_dir():
        raise ValueError(f"{folder} is a file, not a folder")
    notes = _read_notes(folder / NOTES)
    for original, name in _originals():
        target = folder / name
        new = _digest(original)
        mine = _digest(target) if target.exists() else ""
        changed = mine not in ("", new, notes.get(name))
        if changed and not reset:
            if notes.get(name) != new:
                yield f"{name} is kept as you changed it; there is a newer original (--reset brings it)"
            continue
        if changed:
            kept = _free_name(target)
            target.rename(kept)
            yield f"{name} is the original again; yours is now {kept.name}"
        if mine != new:
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(original, target)
        notes[name] = new
    folder.mkdir(parents=True, exist_ok=True)
    (folder / NOTES).write_text(json.dumps(notes, indent=1) + "\n", "utf-8")


def _originals() -> Iterator[tuple[Path, str]]:
    """Every notebook of the package and its name in the user's folder."""
    for folder, place in ((notebooks_dir(), ""), (tutorials_dir(), "tutorials/")):
        for path in sorted(folder.glob("*.ipynb")):
            yield path, place + path.name


def _read_notes(path: Path) -> dict[str, str]:
    try:
        notes = json.loads(path.read_text("utf-8"))
    except (OSError, ValueError):
        return {}  # without notes every file that differs counts as the user's own
    return {str(key): str(value) for key, value in notes.items()} if isinstance(notes, dict) else {}


def _digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def _free_name(path: Path) -> Path:
    """A name beside ``path`` that nobody has: NAME.mine.ipynb, NAME.mine-2.ipynb, …"""
    number = 1
    while True:
        kept = path.with_name(f"{path.stem}.mine{'' if number == 1 else f'-{number}'}{path.suffix}")
        if not kept.exists():
            return kept
        number += 1
