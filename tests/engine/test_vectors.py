"""The handed checks (`tests/vectors`), one test each, for every game that is there."""

import json

import pytest

from cardlib.deal import GAMES
from cardlib.record import read_checks, run_check
from tests.engine.play_outs import VECTORS

CHECKS = [
    pytest.param(check, id=check["id"])
    for path in sorted(VECTORS.glob("*.jsonl"))
    if path.stem in GAMES
    for check in read_checks(path)
]


@pytest.mark.parametrize("check", CHECKS)
def test_check(check):
    assert run_check(check) == [], check["why"]


def test_all_are_there():
    assert len(CHECKS) >= 260


@pytest.mark.parametrize(
    ("key", "wrong"),
    [
        ("turn", 2),
        ("legal", ["AC"]),
        ("legal", "2C"),
        ("refused", {"AC": "hearts.follow.suit"}),
        ("winner", 1),
        ("scores", [0, 0, 0, 1]),
        ("match", {"deal": 7}),
        ("match", {"nothing": 0}),
        ("match", None),
        ("result", [0]),
        ("error", "QS"),
        ("nonsense", None),
    ],
)
def test_a_wrong_expectation_is_told(key, wrong):
    check = next(iter(read_checks(VECTORS / "hearts.jsonl")))
    check = check | {"expect": {key: wrong}}
    (difference,) = run_check(check)
    assert difference.key == key
    assert json.dumps(wrong) in str(difference)
    assert difference.came != wrong or key == "nonsense"


def test_an_error_is_told_where_none_is_expected():
    (difference,) = run_check({"game": "hearts", "expect": {"turn": 0}})
    assert difference.key == "error"
    assert "hands" in str(difference)


@pytest.mark.parametrize("text", ["{", "[]", '{"id": "a"}', '{"expect": 3}', "[" * 100_000, '{"expect": {}} x'])
def test_a_line_that_is_no_check_is_named(tmp_path, text):
    from cardlib.errors import BadInput

    path = tmp_path / "checks.jsonl"
    path.write_text('\n{"expect": {}, "why": "two\u2028lines\x85or one"}\n' + text + "\n", encoding="utf-8")
    with pytest.raises(BadInput, match="line 3"):
        list(read_checks(path))


def test_a_file_that_is_no_text_is_named(tmp_path):
    from cardlib.errors import BadInput

    path = tmp_path / "checks.jsonl"
    path.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(BadInput, match=r"checks\.jsonl"):
        list(read_checks(path))
