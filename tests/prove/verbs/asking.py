"""What a document is asked: every verb, with flags at random, and the Python functions behind them."""

from __future__ import annotations

import contextlib
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

import detent
from detent.contact import candidates, contacts_at
from detent.foundation import ModelError, UnsupportedError
from detent.io import native
from detent.mechanics import constraint_rows_at, mass_matrix_at, spring_forces, weight_at
from detent.model import compile_system
from detent.model.document import Mechanism, Part
from detent.model.editing import operation as operations
from detent.motion import Kinematic, Penalty, Quasistatic, Rigid

NUMBERS = [
    "0",
    "1",
    "-1",
    "90",
    "359.9",
    "1e-9",
    "1e7",
    "1e308",
    "-3e5",
    "3600000",
    "nan",
    "inf",
    "x",
    "1/3",
    "",
]
COUNTS = ["0", "1", "2", "7", "100", "100000", "-3", "10000000000", "x"]
Asked = tuple[str, list[str] | Callable[[], Any]]


def questions(path: Path, read: Mechanism | None, chance: random.Random) -> list[Asked]:
    """Command lines (lists of words) and calls, each with a name. A refused document is asked less."""
    every: list[Asked] = [(" ".join(words[:1]), words) for words in _command_lines(path, read, chance)]
    if read is None:
        return [every[0], chance.choice(every[1:])]
    return every + [(name, call) for name, call in _calls(read, chance)]


def _command_lines(path: Path, read: Mechanism | None, chance: random.Random) -> list[list[str]]:
    file, out = str(path), path.parent
    json = ["--json"] if chance.random() < 0.5 else []
    written = str(out / f"out.{chance.choice(['json', 'toml', 'dxf', 'stl'])}")
    picture = str(out / f"drawn.{chance.choice(['svg', 'svg', 'svg', 'png', 'html', 'gif'])}")
    return [
        ["check", file, *json],
        ["explain", file, *json, *_outputs(out, chance, ("plot", "report"))],
        ["move", file, *json, *_move_flags(read, chance, out)],
        ["mate", file, *json, *_mate_flags(chance, out)],
        ["modes", file, *json, *_modes_flags(read, chance, out)],
        ["run", file, *json, *_run_flags(read, chance, out)],
        ["outlook", file, *json, *_outlook_flags(read, chance, out)],
        ["draw", file, "-o", picture, *(["--size", chance.choice(COUNTS)] if chance.random() < 0.1 else [])],
        ["convert", file, written, "--force"],
        ["check", written],
    ]


def _outputs(out: Path, chance: random.Random, kinds: tuple[str, ...]) -> list[str]:
    ending = {
        "plot": ("svg", "svg", "svg", "png"),
        "csv": ("csv",),
        "report": ("html",),
        "film": ("html", "gif"),
    }
    ending |= {"chart": ("svg",), "slice": ("svg",), "strip": ("png",)}
    if chance.random() < 0.6:
        return []
    kind = chance.choice(kinds)
    return [f"--{kind}", str(out / f"{kind}.{chance.choice(ending[kind])}")]


def _move_flags(read: Mechanism | None, chance: random.Random, out: Path) -> list[str]:
    flags = _outputs(out, chance, ("plot", "csv", "report", "chart", "film"))
    joints = [*(read.joints if read else ()), "nowhere"]
    markers = [f"{p}.{m}" for p, part in (read.parts if read else {}).items() for m in part.markers]
    if chance.random() < 0.3:
        flags += ["--drive", chance.choice(joints)]
        for flag in ("--from", "--to"):
            flags += [flag, chance.choice(NUMBERS)] if chance.random() < 0.6 else []
        flags += ["--steps", chance.choice(COUNTS)] if chance.random() < 0.5 else []
    if chance.random() < 0.1:
        flags += ["--assemblies"]
    if chance.random() < 0.1:
        flags += ["--breaking", chance.choice(["limiting", "searching", "stretching"])]
    if chance.random() < 0.05:
        flags += ["--method", "newton_svd"]
    if chance.random() < 0.15 and markers:
        flags += ["--load", f"{chance.choice(markers)}={chance.choice(NUMBERS)},{chance.choice(NUMBERS)}"]
    return flags


def _mate_flags(chance: random.Random, out: Path) -> list[str]:
    return chance.choice([[], [], ["--exact"], ["--fast"], ["--fast"]]) + _outputs(
        out, chance, ("plot", "csv", "report", "slice", "strip", "film")
    )


def _run_flags(read: Mechanism | None, chance: random.Random, out: Path) -> list[str]:
    flags = _outputs(out, chance, ("plot", "csv", "report", "strip", "film"))
    flags += ["--until", chance.choice(["0.3", "2", "2", "2", *NUMBERS])] if chance.random() < 0.9 else []
    if chance.random() < 0.3:
        flags += ["--method", chance.choice(["rigid", "penalty", "penalty"])]
    if chance.random() < 0.15:
        flags += [chance.choice(["--every", "--accuracy"]), chance.choice(["0.01", *NUMBERS])]
    if chance.random() < 0.1:
        flags += ["--of", chance.choice([*(read.joints if read else ()), "nowhere"])]
    return flags


def _outlook_flags(read: Mechanism | None, chance: random.Random, out: Path) -> list[str]:
    flags = _outputs(out, chance, ("plot", "csv", "report"))
    flags += ["--until", chance.choice(["20", "300", *NUMBERS])] if chance.random() < 0.4 else []
    for flag in ("--at", "--pattern", "--patterns"):
        flags += [flag, chance.choice(["3", "40", *NUMBERS])] if chance.random() < 0.15 else []
    if chance.random() < 0.2:
        joint = chance.choice([*(read.joints if read else ()), "nowhere"])
        expected = chance.choice(
            ["minima=2", "duration=1", "verdict=ends", "patterns=-1", f"{joint}=0.1", "x"]
        )
        flags += ["--expect", expected]
    return flags


def _modes_flags(read: Mechanism | None, chance: random.Random, out: Path) -> list[str]:
    size = 6 if read is not None and read.dimension == 3 else 3
    moving = sum(not part.fixed for part in read.parts.values()) if read else 1
    load = ",".join(chance.choice(["0", "1", "-10", *NUMBERS[:6]]) for _ in range(max(1, size * moving)))
    flags = chance.choice(
        [
            [],
            [],
            ["--kind", "contacting_separating"],
            ["--planes", chance.choice(COUNTS)],
            ["--nonlinear"],
            ["--exact"],
            ["--count", "--seconds", "5"],
            ["--stream", "--seconds", "5"],
            ["--load", load],
            ["--load", load, "--velocity", load],
            ["--grasp", load],
            ["--mode", chance.choice(["0", "+", "0|0", "00|+-", "0+|0.", "000000"])],
            ["--friction", chance.choice(NUMBERS)],
            ["--memory", chance.choice(COUNTS)],
            ["--where", "0=touching"],
        ]
    )
    return flags + _outputs(out, chance, ("plot", "csv", "report"))


def _calls(read: Mechanism, chance: random.Random) -> list[tuple[str, Callable[[], Any]]]:
    method = chance.choice([None, None, Kinematic(), Quasistatic(exact=False), Rigid(), Penalty()])
    until = 0.5 if isinstance(method, Rigid | Penalty) else None
    operation = _operation(read, chance)
    return [
        ("predict", lambda: detent.predict(read, method=method, until=until)),
        ("words", lambda: detent.explain(read).words),
        (f"edit {type(operation).__name__}", lambda: detent.edit(read, operation)),
        ("read back", lambda: _read_back(read)),
        ("at state", lambda: _at_state(read)),
    ]


def _read_back(read: Mechanism) -> None:
    again = native.loads_json(native.dumps(read))
    assert again == read, "saved and read, it is another document"


def _at_state(read: Mechanism) -> None:
    """What methods are built from: rows, masses, springs and contacts of the machine as drawn."""
    system = compile_system(read)
    at = (system, system.drawn)
    for numbers in (
        lambda: constraint_rows_at(*at).matrix,
        lambda: weight_at(*at),
        lambda: mass_matrix_at(*at),
    ):
        with contextlib.suppress(ModelError, UnsupportedError):
            assert np.isfinite(numbers()).all()
    with contextlib.suppress(ModelError, UnsupportedError):
        spring_forces(*at)
    contacts_at(system, candidates(system), system.drawn)


def _operation(read: Mechanism, chance: random.Random) -> Any:
    parts, joints = [*read.parts, "nowhere"], [*read.joints, "nowhere"]
    markers = [*(f"{p}.{m}" for p, part in read.parts.items() for m in part.markers), "nowhere.A"]
    place = chance.choice([(0, 0), (1, 2), (1e7, 0), (1e308, 1e308), (1e-300, 0), (0, 0, 0)])
    return chance.choice(
        [
            operations.AddPart(chance.choice(["new", "a b", *parts]), Part()),
            operations.RemovePart(chance.choice(parts)),
            operations.AddMarker(f"{chance.choice(parts)}.N", place),
            operations.RemoveMarker(chance.choice(markers)),
            operations.MoveMarker(chance.choice(markers), place),
            operations.RemoveJoint(chance.choice(joints)),
            operations.ToggleJoint(chance.choice(joints)),
            operations.Join(chance.choice(markers), chance.choice(markers)),
            operations.Join(chance.choice(markers), chance.choice(markers), "prismatic"),
            operations.Ground(chance.choice(markers)),
            operations.Rename(f"parts.{chance.choice(parts)}", chance.choice(["other", "a b", "", *parts])),
            operations.Remove((f"parts.{chance.choice(parts)}", f"joints.{chance.choice(joints)}")),
            operations.SetNumber(f"joints.{chance.choice(joints)}.limits.max", chance.choice([1, -1, 1e308])),
            operations.SetNumber("touching.friction", chance.choice([0, 1, 1e308, -1])),
        ]
    )


def call(what: Callable[[], Any]) -> None:
    """A Python call: an answer, or a refusal."""
    with contextlib.suppress(ModelError, UnsupportedError):
        what()
