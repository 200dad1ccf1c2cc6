"""Mutated machines: every example and reference document, with a few accidents.

Document `index` of campaign `seed` is the same wherever and whenever it is made.
"""

from __future__ import annotations

import copy
import json
import os
import random
from functools import cache
from pathlib import Path
from typing import Any

from detent.io import native
from tests.conftest import reference_documents
from tests.prove.mutate import mutated_bytes, mutated_table
from tests.prove.verbs import accidents

EXAMPLES = Path(__file__).parents[3] / "examples"
# Most accidents leave a document that can be read: those reach the methods behind the reader.
KINDS = {"machine": 80, "table": 10, "text": 10}


@cache
def originals() -> tuple[tuple[str, str, dict[str, Any]], ...]:
    """Each document's name, its text as TOML or JSON, and its tables.

    The folder DETENT_DOCUMENTS, where it is set, adds its own; a JSON file there may hold a list of them.
    """
    paths = sorted(EXAMPLES.glob("*.toml")) + reference_documents()
    gathered = [(path.stem, path.read_text(), json.loads(native.dumps(native.load(path)))) for path in paths]
    folder = os.environ.get("DETENT_DOCUMENTS")
    for path in sorted(Path(folder).rglob("*.json")) if folder else ():
        found = list(_tables(json.loads(path.read_text())))
        gathered += [(f"{path.stem}.{n}", json.dumps(table), table) for n, table in enumerate(found)]
    return tuple(gathered)


def _tables(data: Any) -> Any:
    """All documents within lists, in order."""
    if isinstance(data, dict) and "format" in data:
        yield data
    elif isinstance(data, list):
        for each in data:
            yield from _tables(each)


def mutated(seed: int, index: int) -> tuple[str, str, random.Random]:
    """A document: the name to save it under, its text, and the chance that decides what it is asked."""
    chance = random.Random(f"{seed}/{index}")
    name, text, table = chance.choice(originals())
    kind = chance.choices(list(KINDS), list(KINDS.values()))[0]
    if kind == "text":
        raw = mutated_bytes(text.encode(), chance)
        ending = "json" if text.lstrip().startswith("{") else "toml"
        return f"{name}.{ending}", raw.decode("utf-8", errors="replace"), chance
    if kind == "table":
        return f"{name}.json", json.dumps(mutated_table(table, chance)), chance
    machine = copy.deepcopy(table)
    for _ in range(chance.choice([1, 1, 2, 3])):
        accidents.happen(machine, chance)
    return f"{name}.json", json.dumps(machine), chance
