"""Reference documents whose modes were enumerated completely in rational arithmetic."""

import hashlib
import json

import pytest

import detent
from tests.conftest import REFERENCE

FOLDER = REFERENCE / "contact_modes"
DOCUMENTS = sorted(p for p in FOLDER.iterdir() if not p.name.endswith(".expected.json"))


@pytest.mark.parametrize("exact", [False, True], ids=["float", "exact"])
@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda p: p.stem)
def test_the_modes_of_a_reference_document_are_all_there_and_no_others(document, exact):
    expected = json.loads(document.with_suffix("").with_suffix(".expected.json").read_text())["modes"]
    mode_set = detent.modes(detent.load(document), exact=exact)
    answer = json.loads(mode_set.to_json())
    assert answer["counts"] == expected["counts"]
    assert sorted(answer["sliding_counts"].values()) == expected["sliding_counts_sorted"]
    text = "".join(f"{mode}\n" for mode in answer["modes"])
    assert hashlib.sha256(text.encode()).hexdigest() == expected["sha256_of_sorted_lines"]
    assert mode_set.enumeration.exact is exact
