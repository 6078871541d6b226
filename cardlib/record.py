"""Records, positions and checks: the text format of a deal (RECORDS.md), read from JSON and JSON Lines."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from cardlib.deal import Deal, game_of, read_outcome, variant_of
from cardlib.errors import BadInput, raw, shortly
from cardlib.reading import mapping


def load(record: Mapping[str, Any] | str) -> Any:
    """The deal of a record, given as an object or as JSON text; `BadInput` names what is wrong with it.

    >>> load('{"game": "hearts", "hands": ["2D"]}')
    Traceback (most recent call last):
    cardlib.errors.BadInput: hands must be a list of 4 strings, not ['2D']
    """
    if isinstance(record, str):
        record = _parsed(record)
    if not isinstance(record, Mapping):
        raise BadInput("record", f"a record is an object, not {shortly(record)}", record=raw(record)[:80])
    return game_of(record.get("game")).deal.from_record(record)


def dump(deal: Deal) -> str:
    """A deal as one line of JSON."""
    return json.dumps(deal.record())


def _parsed(text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        raise BadInput("record", f"not JSON: {error}", record=text[:80]) from error


# ------------------------------------------------------------------------------------------------------------ checks


class Difference(NamedTuple):
    """What a check expected of `key`, and what came."""

    key: str
    expected: Any
    came: Any

    def __str__(self) -> str:
        return f"{self.key}: expected {json.dumps(self.expected)}, came {json.dumps(self.came)}"


def read_checks(path: str | Path) -> Iterator[dict[str, Any]]:
    """The checks of a file, one object a line; `BadInput` names the line that is none."""
    try:
        lines = Path(path).read_text(encoding="utf-8").split("\n")
    except UnicodeDecodeError as error:
        raise BadInput("check", f"{path} is not UTF-8: {error}", line=1) from error
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            check = json.loads(line)
        except (ValueError, RecursionError) as error:
            raise BadInput("check", f"{path}, line {number}: not JSON ({error})", line=number) from error
        if not isinstance(check, dict) or not isinstance(check.get("expect"), dict):
            raise BadInput("check", f"{path}, line {number}: not a check (an object with expect)", line=number)
        yield check


def run_check(check: Mapping[str, Any]) -> list[Difference]:
    """Whether a check holds: an empty list, or what differs."""
    record = {key: value for key, value in check.items() if key not in ("id", "why", "expect", "kind")}
    expect = mapping("expect", check.get("expect"))
    try:
        came = _settled(record) if check.get("kind") == "settle" else _played(record, expect)
    except BadInput as error:
        if "error" in expect and str(expect["error"]) in str(error):
            return []
        return [Difference("error", expect.get("error"), str(error))]
    if "error" in expect:
        return [Difference("error", expect["error"], None)]
    return [
        Difference(key, wanted, came.get(key, "no such key"))
        for key, wanted in expect.items()
        if key not in came or not _same(key, wanted, came[key])
    ]


def _same(key: str, wanted: Any, came: Any) -> bool:
    if key == "legal" and isinstance(wanted, list):  # in any order
        return sorted(map(str, wanted)) == sorted(came)
    if key == "match" and isinstance(wanted, dict):  # only the keys given are compared
        return all(name in came and came[name] == value for name, value in wanted.items())
    return bool(wanted == came)


def _played(record: Mapping[str, Any], expect: Mapping[str, Any]) -> dict[str, Any]:
    """What a record or position comes to, under the keys of `expect`."""
    deal = load(record)
    came: dict[str, Any] = {
        "turn": deal.turn,
        "scores": deal.scores(),
        "match": deal.settled.data(),
        "result": _listed(deal.settled.result),
        "winner": getattr(deal, "winner", None),
    }
    if "legal" in expect:
        came["legal"] = [str(move) for move in deal.legal()]
    if "refused" in expect:
        refusals = {move: deal.refusal(move) for move in mapping("refused", expect["refused"])}
        came["refused"] = {move: refusal and refusal.rule for move, refusal in refusals.items()}
    return came


def _settled(record: Mapping[str, Any]) -> dict[str, Any]:
    """What the scores of a finished deal do to a match."""
    variant = variant_of(record)
    mapping("settle", record, {"game", "options", "players", "match", "dealer", *variant.game.deal.outcomes})
    match = variant.game.context_of(record.get("match", {}), variant)
    settled = variant.game.settle(variant, match, **read_outcome(variant, record))
    return {"match": settled.data(), "result": _listed(settled.result)}


def _listed(result: tuple[int, ...] | None) -> list[int] | None:
    return None if result is None else list(result)
