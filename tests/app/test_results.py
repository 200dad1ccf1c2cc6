"""No public result holds NaN, and the same input gives the same bytes: every verb, every document."""

import json
import math

import pytest

from detent.app import VERBS, main
from tests.conftest import reference_documents

# Verbs that answer a question about a document; the others have no document or no answer.
ASKING = [
    v
    for v in VERBS
    if v not in ("examples", "convert", "schema", "completion", "warmup", "cache", "open", "draw")
]


def finite(value):
    if isinstance(value, float):
        return math.isfinite(value)
    if isinstance(value, dict):
        return all(map(finite, value.values()))
    if isinstance(value, list):
        return all(map(finite, value))
    return True


def refuse(name):
    raise AssertionError(f"{name} in JSON")


# One document of each kind a day, so that the suite stays short; the campaigns take them all.
DOCUMENTS = [p for p in reference_documents() if p.parent.name not in ("certified", "random")]


@pytest.mark.parametrize("verb", ASKING)
def test_every_answer_is_finite_or_a_typed_refusal_and_repeats_to_the_byte(verb, capsys):
    for path in DOCUMENTS:
        code = main([verb, str(path), "--json"])
        first = capsys.readouterr().out
        assert code in (0, 2, 3), path
        assert finite(json.loads(first, parse_constant=refuse)), path
        main([verb, str(path), "--json"])
        assert capsys.readouterr().out == first, path
