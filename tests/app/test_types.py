"""What a type checker sees in a user's script: every public name has a type, and a wrong name is an error."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import detent

SOURCE = Path(detent.__file__).parents[1]

SCRIPT = """
import numpy as np

import detent

held = detent.Contacts.from_points(np.zeros((2, 2)), np.array([[0, 1], [1, 0]]), friction=0.5)
same = detent.Contacts.from_points([(0, 0), (1, 0)], [[0, 1], [0, 1]], tangents=[[(1, 0)], [(1, 0)]])
mechanism = detent.load("four_bar")
motion = detent.move(mechanism)
story = detent.mate("snap_t", method=detent.Quasistatic())
pushed = detent.mate("oring", method=detent.Compliant())
found = detent.modes(mechanism)
run = detent.predict(mechanism)
reveal_type(mechanism.with_("touching.friction", 0.3))
reveal_type(motion)
reveal_type(motion.inputs)
reveal_type(motion.velocities["a"])
reveal_type(motion.forces["a"])
reveal_type(motion.times)
reveal_type(motion.stopped_at)
reveal_type(motion.gaps)
reveal_type(motion.columns())
reveal_type(motion.words)
reveal_type(motion.scope.words + story.scope.words)
reveal_type(story)
reveal_type(story.legs[0].force.on_drive)
reveal_type(pushed.legs[0].force.peak)
reveal_type(pushed.words)
reveal_type(found["00"])
reveal_type(found[1:])
reveal_type(run.trajectory.forces["a"])
reveal_type(detent.edit(mechanism, detent.SetNumber("touching.friction", 0.3)).mechanism)
"""
NAMES = "".join(f"reveal_type(detent.{name})\n" for name in sorted(detent.__all__))
WRONG = """
detent.mov(mechanism)
wrong: int = motion
motion.markers["a"] = motion.inputs
detent.move(3)
"""


def test_a_users_script_is_typed_throughout(tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text(SCRIPT + NAMES + WRONG)
    check = subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", "--config-file=", f"--cache-dir={tmp_path}", str(script)],
        capture_output=True,
        text=True,
        cwd=tmp_path,
        env={**os.environ, "MYPYPATH": str(SOURCE)},
        check=False,
    )
    lines = [line for line in check.stdout.splitlines() if line.startswith("script.py")]
    revealed = [m.group(1) for line in lines if (m := re.search(r'Revealed type is "(.*)"', line))]
    assert len(revealed) == (SCRIPT + NAMES).count("reveal_type"), check.stdout
    # The number of axes of an array is not part of its type; nothing else may be unknown.
    known = [each.replace("tuple[Any, ...]", "") for each in revealed]
    assert [each for each in known if each in ("Any", "object") or each.startswith("Any")] == []
    fields = known[: SCRIPT.count("reveal_type")]
    assert [each for each in fields if re.search(r"\bAny\b", each)] == []
    errors = [line for line in lines if ": error:" in line]
    assert [re.search(r"\[([a-z-]+)\]$", line).group(1) for line in errors] == [  # type: ignore[union-attr]
        "attr-defined",
        "assignment",
        "index",
        "arg-type",
    ]
