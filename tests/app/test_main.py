"""The command line: what it prints, where, and with which exit code."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from cardlib import __version__
from cardlib.app.main import main

VECTORS = Path(__file__).resolve().parents[1] / "vectors"


@pytest.fixture
def good() -> dict[str, object]:
    """A check that holds."""
    with (VECTORS / "hearts.jsonl").open(encoding="utf-8") as lines:
        check: dict[str, object] = json.loads(next(lines))
        return check


def write(path: Path, *checks: object) -> Path:
    path.write_text("".join(json.dumps(check) + "\n" for check in checks), "utf-8")
    return path


def test_checks_that_hold(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", str(VECTORS / "hearts.jsonl")]) == 0
    out, err = capsys.readouterr()
    assert out.splitlines()[-1] == "hearts.jsonl: 260 of 260 hold"
    assert err == ""


def test_check_that_fails_says_what_was_expected_and_what_came(
    tmp_path: Path, good: dict[str, object], capsys: pytest.CaptureFixture[str]
) -> None:
    wrong = {**good, "id": "wrong-turn", "expect": {"turn": 3}}
    path = write(tmp_path / "some.jsonl", good, wrong)
    assert main(["check", str(path)]) == 1
    first, *_, last = capsys.readouterr().out.splitlines()
    assert "wrong-turn" in first
    assert "3" in first
    assert "0" in first
    assert last == "some.jsonl: 1 of 2 hold"


@pytest.mark.parametrize("content", ["no json\n", "[1, 2]\n", "3\n", '{"a": \n', "\xff\xfe"])
def test_file_that_holds_no_checks(tmp_path: Path, content: str, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "broken.jsonl"
    path.write_bytes(content.encode("latin-1"))
    assert main(["check", str(path)]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert "broken.jsonl" in err
    assert len(err.splitlines()) == 1
    assert "Traceback" not in err


def test_missing_file_does_not_hide_the_others(
    tmp_path: Path, good: dict[str, object], capsys: pytest.CaptureFixture[str]
) -> None:
    path = write(tmp_path / "good.jsonl", good)
    assert main(["check", str(tmp_path / "none.jsonl"), str(path)]) == 2
    out, err = capsys.readouterr()
    assert out == "good.jsonl: 1 of 1 hold\n"
    assert "none.jsonl" in err


def test_file_without_checks(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "empty.jsonl"
    path.touch()
    code = main(["check", str(path)])
    out, err = capsys.readouterr()
    assert (code, out) == (0, "empty.jsonl: 0 of 0 hold\n") or (code == 2 and "empty.jsonl" in err)


def test_texts_are_complete(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check-text"]) == 0
    assert capsys.readouterr().out == "check-text: nothing missing\n"


def test_version(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="0"):
        main(["--version"])
    assert capsys.readouterr().out == f"cardlib {__version__}\n"


@pytest.mark.parametrize(
    ("argv", "named"),
    [
        ([], "COMMAND"),
        (["fly"], "fly"),
        (["check"], "FILE"),
        (["serve", "--port", "many"], "many"),
        (["serve", "--port", "0"], "0"),
        (["serve", "--port", "70000"], "70000"),
        (["serve", "--max-visitors", "-1"], "-1"),
        (["serve", "--por", "8000"], "--por"),
    ],
)
def test_wrong_words_are_named(argv: list[str], named: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="2"):
        main(argv)
    assert named in capsys.readouterr().err


def test_serve_says_what_it_cannot_do(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["serve", "--notebooks", str(tmp_path / "none")]) == 2
    assert "there is no folder" in capsys.readouterr().err
    assert main(["serve", "--notebooks", str(tmp_path)]) == 2
    assert "there is no notebook" in capsys.readouterr().err


def test_address_that_is_not_ours() -> None:
    command = [sys.executable, "-m", "cardlib.app.main", "serve", "--ip", "192.0.2.1", "--port", "8999"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 2
    assert "192.0.2.1" in done.stderr
    assert "Traceback" not in done.stderr
    assert len(done.stderr.splitlines()) == 1
