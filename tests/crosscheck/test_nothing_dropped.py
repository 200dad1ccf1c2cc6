"""Whatever a document says counts, is refused, or is named: no key is dropped without a word.

Each key is added to a machine that has it not; then a verb says something else than before, or it speaks of
what the key means in any case ("inertia" among what is left out). Keys that mean nothing there (the mass of a
fixed part) are not asked.
"""

from __future__ import annotations

import copy
import json
import re
from typing import Any

import pytest

import detent
from detent.app import main
from detent.io import native

Document = dict[str, Any]

FOUR_BAR: Document = {
    "format": "detent/1",
    "units": "mm",
    "parts": {
        "ground": {"fixed": True, "markers": {"A": [0, 0], "D": [40, 0]}},
        "crank": {
            "markers": {"A": [0, 0], "B": [10, 5]},
            "shape": {"outline": [[-1, -1], [11, 4], [10, 6], [-1, 1]]},
        },
        "coupler": {"markers": {"B": [10, 5], "C": [45, 30]}},
        "rocker": {"markers": {"D": [40, 0], "C": [45, 30]}},
    },
    "joints": {
        "A": {"type": "revolute", "between": ["ground.A", "crank.A"]},
        "B": {"type": "revolute", "between": ["crank.B", "coupler.B"]},
        "C": {"type": "revolute", "between": ["coupler.C", "rocker.C"]},
        "D": {"type": "revolute", "between": ["ground.D", "rocker.D"]},
    },
    "drives": {"turn": {"joint": "A", "from_deg": 0, "to_deg": 360, "steps": 12}},
}
SWING: Document = {
    "format": "detent/1",
    "units": "mm",
    "gravity": [3, -9.81],
    "parts": {
        "base": {
            "fixed": True,
            "shape": {"outline": [[-100, -30], [100, -30], [100, -20], [-100, -20]]},
        },
        "arm": {
            "shape": {"outline": [[0, -2], [60, -2], [60, 2], [0, 2]]},
            "mass": 0.5,
            "center": [30, 0],
            "inertia": 0.0005,
        },
        "cart": {
            "shape": {"outline": [[-60, 30], [-40, 30], [-40, 40], [-60, 40]]},
            "mass": 0.2,
            "center": [-50, 35],
            "inertia": 0.0001,
        },
    },
    "joints": {
        "pin": {"type": "revolute", "between": ["base", "arm"], "at": [0, 0]},
        "guide": {"type": "prismatic", "between": ["base", "cart"], "at": [-50, 35], "along": [1, 0]},
    },
    "ask": {"run": {"until": 0.2}},
}
SNAP: Document = json.loads(native.dumps(detent.load("snap_holds")))
# Words that name what a key means, said of machines that do not have it.
MEANS = {
    "inertia": "inertia|mass",
    "mass": "inertia|mass|weight",
    "friction": "friction",
    "restitution": "rebound|restitution|impacts|contact",
    "damping": "damp",
    "limits": "limits",
}
ASKED: list[tuple[str, Document, tuple[str, ...]]] = [
    ("move", FOUR_BAR, ()),
    ("move", FOUR_BAR, ("--load", "rocker.C=0,-10")),
    ("move", FOUR_BAR, ("--contact",)),
    ("run", SWING, ()),
    ("run", SWING, ("--method", "penalty")),
    ("mate", SNAP, ()),
]


def _keys(document: Document) -> list[tuple[str, Any]]:
    """Paths and values of keys that mean something to this machine."""
    moving = [name for name, part in document["parts"].items() if not part.get("fixed")]
    joined = [
        name for name, joint in document["joints"].items() if joint["type"] in ("revolute", "prismatic")
    ]
    keys: list[tuple[str, Any]] = [("touching.restitution", 0.5), ("touching.friction", 0.45)]
    first, second = list(document["parts"])[:2]
    keys.append(("contacts", [{"between": [first, second], "point": [1, 2], "normal": [0, 1]}]))
    keys += [(f"parts.{name}.mass", {"mass": 2, "center": [1, 1], "inertia": 0.01}) for name in moving]
    for name in joined:
        slides = document["joints"][name]["type"] == "prismatic"
        pin = {} if slides else {"radius": 2}
        keys += [
            (f"joints.{name}.spring", {"stiffness": 3, "rest": 0.2}),
            (f"joints.{name}.damping", 0.7),
            (f"joints.{name}.friction", {"coefficient": 0.2, **pin}),
            (f"joints.{name}.limits", {"min": 0, "max": 0.1}),
            (f"start.{name}", {"at": 0.1}),
            (f"start.{name}", {"speed": 0.1}),
        ]
    for name, drive in document.get("drives", {}).items():
        keys += [(f"drives.{name}.torque", 1)] + ([(f"drives.{name}.speed", 1)] if "legs" in drive else [])
    return keys


def _with(document: Document, path: str, value: Any) -> Document | None:
    """The document with the key; None where it has it already."""
    changed = copy.deepcopy(document)
    *above, last = path.split(".")
    table = changed
    for name in above:
        table = table.setdefault(name, {})
    if last in table:
        return None
    if isinstance(value, dict) and last == "mass":
        table.update(value)
    else:
        table[last] = value
    return changed


@pytest.mark.parametrize(("verb", "document", "flags"), ASKED, ids=lambda x: x if isinstance(x, str) else "")
def test_no_key_is_dropped_without_a_word(verb, document, flags, tmp_path, capsys):
    def said(machine: Document) -> tuple[int, str]:
        path = tmp_path / "machine.json"
        path.write_text(json.dumps(machine))
        code = main([verb, str(path), *flags])
        out, err = capsys.readouterr()
        return code, out + err

    before = said(document)
    assert before[0] == 0
    dropped = []
    for path, value in _keys(document):
        machine = _with(document, path, value)
        key = path.split(".")[-1]
        if machine is None or (key in MEANS and re.search(MEANS[key], before[1])):
            continue
        after = said(machine)
        assert after[0] in (0, 2, 3), path
        if after == before:
            dropped.append(path)
    assert not dropped
