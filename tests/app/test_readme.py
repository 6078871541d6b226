"""What the README says of the house is so: the files and functions that it names are there."""

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text("utf-8")
HOUSE = README.partition("## How the house is built")[2].partition("\n## ")[0]
CLICK = HOUSE.partition("### One click")[2].partition("\n### ")[0]
SOURCES = [*(ROOT / "cardlib").rglob("*.py"), ROOT / "cardlib/ui/static/cardlib.js"]
CODE = "\n".join(path.read_text("utf-8") for path in SOURCES)


def test_files_are_there() -> None:
    named = set(re.findall(r"`(?:cardlib/)?([\w/]+\.(?:py|js))`", README))
    assert len(named) > 12
    places = (ROOT / "cardlib", ROOT / "tests" / "bench")
    assert [name for name in sorted(named) if not any((place / name).exists() for place in places)] == []


def test_functions_are_there() -> None:
    spans = re.findall(r"`([A-Za-z_][\w.]*)(?:\([^`]*)?`", CLICK)
    named = {
        part for span in spans if "/" not in span and not span.endswith((".py", ".js")) for part in span.split(".")
    }
    assert {"pressCard", "refuse", "obligations", "refusing", "do_play", "trick_taken", "patch"} <= named
    missing = [name for name in sorted(named) if not re.search(rf"\b{name}\b", CODE)]
    assert missing == []


def test_layers_are_there() -> None:
    for name in re.findall(r"`(\w+)`", HOUSE.partition("\n| | |")[2].partition("\n\n")[0]):
        assert (ROOT / "cardlib" / name).is_dir() or (ROOT / "cardlib" / f"{name}.py").is_file(), name


def test_the_example_is_so() -> None:
    import cardlib
    from cardlib.record import load

    record = {"game": "hearts", "hands": ["KH 7C", "2S 3S", "2D 3D", "4D 5D"], "position": {"leader": 0}}
    record["position"] |= {"trick_number": 2}  # type: ignore[operator]
    deal = load(record)
    refusal = deal.refusal("KH")
    assert refusal.rule == "hearts.lead.broken"
    assert "hearts.lead.broken" in HOUSE and {"card", "do"} <= set(refusal.facts)
    assert deal.refusal("7C") is None
    assert cardlib.GAMES["hearts"].deal.trick_taken.__qualname__ == "HeartsDeal.trick_taken"
