"""Whatever happens to a document, every verb answers or refuses in words: no traceback, no warning, no hang.

DETENT_PROVE=full pytest tests/prove/verbs          the whole campaign, hours on one core
python -m tests.prove.verbs SEED FIRST COUNT        some of its documents, with what they are asked
"""

from __future__ import annotations

import pytest

from tests.conftest import campaign
from tests.prove.verbs import documents, pool

VERBS = {"check", "explain", "move", "mate", "modes", "run", "outlook", "draw", "convert"}
VERBS |= {"predict", "edit", "read", "at"}


@pytest.mark.parametrize("seed", [20261116])
def test_every_verb_answers_whatever_happened_to_the_document(seed):
    outcome = pool.run(seed, range(campaign(40, 20_000)))
    told = "\n".join(
        f"document {index}, {name} {words}: {wrong}" for index, name, words, wrong in outcome.wrong
    )
    assert not outcome.wrong, f"seed {seed}\n{told}"
    assert set(outcome.calls) >= VERBS
    assert outcome.memory < 1e9


def test_a_mutated_document_is_the_same_every_time():
    assert [documents.mutated(7, i)[:2] for i in range(30)] == [
        documents.mutated(7, i)[:2] for i in range(30)
    ]
    assert len({documents.mutated(7, i)[1] for i in range(30)}) > 20
