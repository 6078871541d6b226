"""What stands in the notebooks: cardlib and Markdown in both languages, with saved outputs, and nothing else."""

import ast
import json
import re

import pytest

from cardlib.app.folders import notebooks_dir

TUTORIALS = notebooks_dir().parent / "tutorials"
LESSONS = sorted(notebooks_dir().glob("*.ipynb"))
NOTEBOOKS = [*LESSONS, *sorted(TUTORIALS.glob("*.ipynb"))]


def cells(path, kind):
    return [cell for cell in json.loads(path.read_text(encoding="utf-8"))["cells"] if cell["cell_type"] == kind]


def names(path):
    return path.stem


@pytest.mark.parametrize("path", LESSONS, ids=names)
def test_a_lesson_imports_nothing_but_cardlib(path):
    for cell in cells(path, "code"):
        for node in ast.walk(ast.parse("".join(cell["source"]))):
            if isinstance(node, ast.Import):
                assert all(name.name.split(".")[0] == "cardlib" for name in node.names)
            if isinstance(node, ast.ImportFrom):
                assert node.module.split(".")[0] == "cardlib"


@pytest.mark.parametrize("path", NOTEBOOKS, ids=names)
def test_prose_is_there_in_both_languages(path):
    for cell in cells(path, "markdown"):
        blocks = re.findall(r'<div lang="(\w+)">\n\n(.+?)\n\n</div>', "".join(cell["source"]), re.DOTALL)
        assert [lang for lang, _ in blocks] == ["en", "ja"]
        assert re.search("[ぁ-ん一-龠ァ-ヶ]", blocks[1][1])


@pytest.mark.parametrize("path", NOTEBOOKS, ids=names)
def test_outputs_are_saved_and_clean(path):
    notebook = json.loads(path.read_text(encoding="utf-8"))
    assert "widgets" not in notebook["metadata"]
    assert notebook["metadata"]["title"]
    saved = [cell for cell in cells(path, "code") if cell["outputs"]]
    assert len(saved) >= len(cells(path, "code")) - 3
    for cell in saved:
        text = json.dumps(cell["outputs"])
        assert " at 0x" not in text
        assert '"output_type": "error"' not in text


@pytest.mark.parametrize("path", LESSONS, ids=names)
def test_a_lesson_reads_without_a_kernel(path):
    """Each step stands there as text: its rule, the position, the answer, in both languages."""
    steps = [cell for cell in cells(path, "code") if re.search(r"\bstep\(", "".join(cell["source"]))]
    for cell in steps:
        text = "".join(cell["outputs"][0]["data"]["text/plain"])
        english, japanese = text.split("\n\n", 1)
        for part in (english, japanese):
            assert re.match(r"\d+\. ", part)
            assert "\n→ " in part
            assert re.search(r"\[[\w-]+\.[\w.-]+\]", part)
        assert re.search("[ぁ-ん]", japanese)
        assert not re.search("[ぁ-ん]", english)
