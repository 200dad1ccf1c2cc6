"""The reference has every public name, and no other."""

import re
from pathlib import Path

import detent

PAGE = Path(__file__).parents[2] / "docs" / "reference.md"


def test_the_reference_has_every_public_name_once():
    named = re.findall(r"^\.\. auto(?:class|function):: detent\.(\w+)$", PAGE.read_text(), flags=re.M)
    assert sorted([*named, "__version__"]) == sorted(detent.__all__)
    assert "`detent.__version__`" in PAGE.read_text()
