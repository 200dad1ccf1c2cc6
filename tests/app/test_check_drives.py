"""`check` says of drives that contradict each other what `move` says, and without importing arrays."""

from __future__ import annotations

import subprocess
import sys

import pytest

import detent
from detent.foundation import ModelError
from detent.model.machine import problems

DOCUMENT = """
format = "detent/1"
[parts.ground]
fixed = true
markers = {{ A = [0, 0], E = [4, 0] }}
[parts.left]
markers = {{ A = [0, 0], B = [-0.3, 0.9] }}
[parts.one]
markers = {{ B = [-0.3, 0.9], C = [2.1, 2.7] }}
[parts.two]
markers = {{ C = [2.1, 2.7], D = [4.5, 0.9] }}
[parts.right]
markers = {{ E = [4, 0], D = [4.5, 0.9] }}
[joints]
A = {{ type = "revolute", between = ["ground.A", "left.A"] }}
B = {{ type = "revolute", between = ["left.B", "one.B"] }}
C = {{ type = "revolute", between = ["one.C", "two.C"] }}
D = {{ type = "revolute", between = ["two.D", "right.D"] }}
E = {{ type = "revolute", between = ["ground.E", "right.E"] }}
[drives.a]
joint = "A"
{one}
[drives.e]
joint = "E"
{other}
"""

AGREE = [
    ("from_deg = 0\nto_deg = 20\nsteps = 4", "from_deg = 0\nto_deg = 10\nsteps = 4"),
    ("from_deg = 0\nto_deg = 20\nsteps = 4\nspeed_deg = 2", "inputs_deg = [0, 2, 4, 6, 8]\nspeed_deg = 0.8"),
    ("from_deg = 0\nto_deg = 20\nsteps = 4\nspeed_deg = -2", "from_deg = 0\nto_deg = 10\nsteps = 4"),
    ("inputs_deg = [0, 5, 5]\nspeed_deg = 1", "inputs_deg = [0, 0, 5]\nspeed_deg = 1"),
    ("inputs_deg = [0, 5, 9]\nspeed_deg = 1.0000000001", "inputs_deg = [0, 5, 9]\nspeed_deg = 1"),
]  # fmt: skip
CONTRADICT = [
    ("from_deg = 0\nto_deg = 20\nsteps = 4", "from_deg = 0\nto_deg = 10\nsteps = 5", "drives", "[5, 6]"),
    ("from_deg = 0\nto_deg = 20\nsteps = 4\nspeed_deg = 2", "inputs_deg = [0, 1]", "drives", "[2, 5]"),
    ("inputs_deg = [0, 5, 9]\nspeed_deg = 1.00000001", "inputs_deg = [0, 5, 9]\nspeed_deg = 1",
     "drives.e.speed", "from position 0 to 1"),
    ("inputs_deg = [0, 5, 9]\nspeed_deg = 1", "inputs_deg = [0, 5, 8]\nspeed_deg = 1",
     "drives.e.speed", "from position 1 to 2"),
    ("inputs_deg = [0, 5, 5]\nspeed_deg = 1", "inputs_deg = [0, 0, 5]", "drives", "from position 1 to 2"),
    ("inputs_deg = [0, 5, 5]", "inputs_deg = [0, 0, 5]\nspeed_deg = 0", "drives.e.speed", "at no speed"),
]  # fmt: skip


def document(tmp_path, one, other):
    file = tmp_path / "two.toml"
    file.write_text(DOCUMENT.format(one=one, other=other))
    return file


def check(file):
    program = (
        "import sys\n"
        "from detent.app.cli import main\n"
        "code = main(sys.argv[1:])\n"
        "assert not {'numpy', 'scipy', 'numba'} & set(sys.modules)\n"
        "sys.exit(code)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, "check", str(file)], capture_output=True, text=True, check=False
    )
    return done.returncode, done.stdout + done.stderr


@pytest.mark.parametrize(("one", "other"), AGREE)
def test_drives_that_agree_are_sound_and_move(tmp_path, one, other):
    file = document(tmp_path, one, other)
    code, said = check(file)
    assert (code, "sound" in said) == (0, True), said
    assert detent.move(detent.load(file)).stop == "done"


@pytest.mark.parametrize(("one", "other", "at", "words"), CONTRADICT)
def test_drives_that_contradict_each_other_are_named_by_check_as_by_move(tmp_path, one, other, at, words):
    file = document(tmp_path, one, other)
    code, said = check(file)
    assert code == 2
    assert at in said
    assert words in said
    mechanism = detent.load(file)
    with pytest.raises(ModelError) as refused:
        detent.move(mechanism)
    assert [(p.at, p.problem, p.remedy) for p in refused.value.problems] == [
        (p.at, p.problem, p.remedy) for p in problems(mechanism.drives)
    ]
