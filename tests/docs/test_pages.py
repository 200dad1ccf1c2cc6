"""What the pages show is what the program takes."""

import re
from pathlib import Path

import pytest

from detent.foundation import ModelError
from detent.io import native

DOCS = Path(__file__).parents[2] / "docs"
BLOCKS = [
    (page.name, block)
    for page in sorted(DOCS.glob("*.md"))
    for block in re.findall(r"```toml\n(.*?)```", page.read_text(), flags=re.DOTALL)
    if not block.startswith("# wrong.toml\n")  # wrong on purpose, and shown with what is said of it
]


@pytest.mark.parametrize(("page", "block"), BLOCKS, ids=[f"{p}-{i}" for i, (p, _) in enumerate(BLOCKS)])
def test_every_toml_block_of_the_pages_is_understood(page, block):
    """An excerpt may name parts that it does not show; nothing else may be wrong with it."""
    head = "" if "format =" in block else 'format = "detent/1"\ndimension = 3\n'
    try:
        native.loads_toml(head + block)
    except ModelError as error:
        wrong = [str(p) for p in error.problems if "there is no" not in str(p)]
        assert not wrong, wrong


PAGES = [page for page in sorted(DOCS.rglob("*.md")) if "_build" not in page.parts]
PYTHON = [page for page in PAGES if re.search(r"^```python", page.read_text(), flags=re.M)]


@pytest.mark.parametrize("page", PYTHON, ids=lambda page: page.stem)
def test_the_python_of_every_page_runs_as_printed(page, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    names: dict[str, object] = {}
    for number, block in enumerate(re.findall(r"^```python\n(.*?)^```", page.read_text(), flags=re.S | re.M)):
        exec(compile(block, f"{page.name}, block {number}", "exec"), names)


def test_the_pages_name_every_verb():
    from detent.app import VERBS

    text = (DOCS / "model.md").read_text()
    assert all(re.search(rf"\b{verb}\b", text) for verb in VERBS)
