"""Whatever is done to a document, reading it gives a Mechanism or a ModelError.

No other exception, no hang, no memory; and what was read can be saved and read
back equal. The campaign runs in a child process, so that its memory is its own.
"""

from __future__ import annotations

import json
import multiprocessing
import random
import signal
from collections import Counter
from typing import Any

import pytest

from detent.foundation import ModelError
from detent.io import native
from tests.conftest import campaign, reference_documents
from tests.prove import memory
from tests.prove.mutate import mutated_bytes, mutated_table

HANG = 2.0  # [s] of processor time for one document
MEMORY = 512e6  # [byte]


def _read(data: bytes, kind: str) -> str:
    text = data.decode("utf-8", errors="surrogateescape")
    try:
        text.encode()
    except UnicodeEncodeError:
        return "refused"  # the file reader refuses it before parsing
    try:
        made = native.loads_toml(text) if kind == "toml" else native.loads_json(text)
    except ModelError:
        return "refused"
    assert native.loads_json(native.dumps(made)) == made
    return "read"


def _hung(*_: Any) -> None:
    raise AssertionError("a document hung the reader")


def _campaign(count: int, seed: int, answer: Any) -> None:
    chance = random.Random(seed)
    files = [(path.suffix[1:], path.read_bytes()) for path in reference_documents()]
    tables = [json.loads(native.dumps(native.load(path))) for path in reference_documents()]
    signal.signal(signal.SIGPROF, _hung)
    outcome: Counter[str] = Counter()
    for index in range(count):
        if index % 2:
            kind, data = chance.choice(files)
            data = mutated_bytes(data, chance)
        else:
            kind, data = "json", json.dumps(mutated_table(chance.choice(tables), chance)).encode()
        signal.setitimer(signal.ITIMER_PROF, HANG)
        try:
            outcome[_read(data, kind)] += 1
        except BaseException as problem:
            answer.put(f"seed {seed}, input {index}: {problem!r}\n{data[:2000]!r}")
            return
        finally:
            signal.setitimer(signal.ITIMER_PROF, 0)
    answer.put({"memory": memory.peak(), **outcome})


@pytest.mark.parametrize("seed", [20261115])
def test_a_mutated_document_is_read_or_refused(seed):
    spawn = multiprocessing.get_context("spawn")
    answer = spawn.Queue()
    child = spawn.Process(target=_campaign, args=(campaign(2_000, 1_000_000), seed, answer))
    child.start()
    found = answer.get()
    child.join()
    assert isinstance(found, dict), found
    assert found["read"] > 0
    assert found["refused"] > 0
    assert found["memory"] < MEMORY
