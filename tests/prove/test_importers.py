"""Whatever is done to a foreign file or a shape, it is read, or refused with its place.

No other exception, no hang, no memory. What was read is looked through by the
check of shapes, which must answer too. The campaign runs in a child process, so
that its memory is its own.
"""

from __future__ import annotations

import json
import multiprocessing
import random
import re
import signal
from collections import Counter
from typing import Any

import pytest

from detent.foundation import ModelError, Problem, UnsupportedError
from detent.io import native
from detent.io.csg import openscad, padl
from detent.io.drawing import dxf, step
from detent.model.machine.drawn import shape_checks
from detent.model.reading import convert
from tests.conftest import DATA, campaign, reference_documents
from tests.prove import memory
from tests.prove.mutate import mutated_bytes, mutated_table

HANG = 2.0  # [s] of processor time for one file
MEMORY = 512e6  # [byte]
NUMBERS = ["0", "-1", "1e300", "1e-300", "9" * 30, "-0.0", "1e5", "3", "0.1", "360", "1e-9", "1/3"]


def _squares() -> str:
    """A small drawing, as any program writes it: lines, arcs, circles, polylines, two layers."""
    import io

    import ezdxf

    made = ezdxf.new(setup=False)
    space = made.modelspace()
    space.add_lwpolyline(
        [(0, 0), (4, 0, 0.5), (4, 3), (0, 3)], format="xyb", close=True, dxfattribs={"layer": "a"}
    )
    space.add_circle((1, 1), 0.5, dxfattribs={"layer": "a"})
    for p, q in [((9, 0), (12, 0)), ((12, 0), (12, 2)), ((12, 2), (9, 2))]:
        space.add_line(p, q, dxfattribs={"layer": "b"})
    space.add_arc((9, 1), 1, 90, 270, dxfattribs={"layer": "b"})
    space.add_polyline2d([(20, 0), (21, 0), (21, 1)], close=True, dxfattribs={"layer": "c"})
    stream = io.StringIO()
    made.write(stream)
    return stream.getvalue()


def _texts() -> list[tuple[str, bytes]]:
    drawing = _squares()
    # The entities alone: accidents should not all fall on tables that mean nothing here.
    entities = drawing[drawing.index("  2\nENTITIES") - len("  0\nSECTION\n") :]
    entities = entities[: entities.index("ENDSEC")] + "ENDSEC\n  0\nEOF\n"
    return [
        ("padl", (DATA / "padl" / "escapement.padl").read_bytes()),
        ("phys", (DATA / "padl" / "escapement.phys").read_bytes()),
        ("scad", (DATA / "openscad" / "plate.scad").read_bytes()),
        ("scad", (DATA / "openscad" / "plate.csg").read_bytes()),
        ("dxf", drawing.encode()),
        ("dxf", entities.encode()),
        ("dxf", entities.encode()),
        ("step", (DATA / "step" / "plate_and_shaft.step").read_bytes()),
    ]


def _mutated(data: bytes, chance: random.Random) -> bytes:
    """Accidents to bytes, or numbers and words exchanged, which get past the parsers."""
    if chance.random() < 0.5:
        return mutated_bytes(data, chance)
    text = data.decode()
    found = list(re.finditer(r"\d+\.?\d*|[A-Za-z_]+", text))
    for _ in range(chance.randint(1, 3)):
        at = chance.choice(found)
        new = chance.choice(NUMBERS) if at.group()[0].isdigit() else chance.choice(found).group()
        text = text[: at.start()] + new + text[at.end() :]
        found = list(re.finditer(r"\d+\.?\d*|[A-Za-z_]+", text))
    return text.encode()


def _read(kind: str, data: bytes) -> str:
    try:
        text = data.decode()
    except UnicodeDecodeError:
        return "refused"  # the file reader refuses it before parsing
    try:
        if kind == "step":
            step.refuse_broken(text, "m")
            return "read"
        if kind == "phys":
            made = padl.loads((DATA / "padl" / "escapement.padl").read_text(), text, file="m", extra_file="m")
        else:
            made = {"padl": padl.loads, "scad": openscad.loads, "dxf": dxf.loads}[kind](text, file="m")
    except ModelError as error:
        unplaced = [p for p in error.problems if p.file != "m" or not _placed(p, kind)]
        if unplaced:
            raise AssertionError(f"refused without a place: {unplaced}") from error
        return "refused"
    shape_checks.problems(made)
    return "read"


def _placed(problem: Problem, kind: str) -> bool:
    """A line or a layer; a drawing of broken structure and a nest too deep have the file alone."""
    return problem.line is not None or bool(problem.at) or kind == "dxf" or "nested" in problem.problem


def _look(data: bytes) -> str:
    try:
        made = convert.mechanism(json.loads(data))
    except ModelError:
        return "refused"
    try:
        return "unsound" if shape_checks.problems(made) else "sound"
    except UnsupportedError:
        return "unsound"


def _hung(*_: Any) -> None:
    raise AssertionError("it hung")


def _campaign(kind: str, count: int, seed: int, answer: Any) -> None:
    chance = random.Random(seed)
    texts = _texts()
    tables = [json.loads(native.dumps(native.load(path))) for path in reference_documents()]
    tables = [table for table in tables if any("shape" in p for p in table.get("parts", {}).values())]
    signal.signal(signal.SIGPROF, _hung)
    outcome: Counter[str] = Counter()
    for index in range(count):
        if kind == "files":
            ending, data = chance.choice(texts)
            data = _mutated(data, chance)
        else:
            ending, data = "json", json.dumps(mutated_table(chance.choice(tables), chance)).encode()
        signal.setitimer(signal.ITIMER_PROF, HANG)
        try:
            outcome[_read(ending, data) if kind == "files" else _look(data)] += 1
        except BaseException as problem:
            answer.put(f"seed {seed}, input {index} ({ending}): {problem!r}\n{data[:3000]!r}")
            return
        finally:
            signal.setitimer(signal.ITIMER_PROF, 0)
    answer.put({"memory": memory.peak(), **outcome})


@pytest.mark.parametrize("seed", [20261115])
@pytest.mark.parametrize(("kind", "share", "full"), [("files", 600, 500_000), ("shapes", 600, 200_000)])
def test_a_mutated_file_or_shape_is_read_or_refused(kind: str, share: int, full: int, seed: int) -> None:
    spawn = multiprocessing.get_context("spawn")
    answer = spawn.Queue()
    child = spawn.Process(target=_campaign, args=(kind, campaign(share, full), seed, answer))
    child.start()
    found = answer.get()
    child.join()
    assert isinstance(found, dict), found
    assert found["refused"] > 0
    assert found["read" if kind == "files" else "sound"] > 0
    assert found["memory"] < MEMORY
