"""STEP: the text is checked by line; what the kernel reads has the volume it was made with."""

from __future__ import annotations

import math
from importlib.util import find_spec

import pytest

from detent.foundation import ModelError, UnsupportedError
from detent.geometry import moments
from detent.infer import infer
from detent.io import formats
from detent.io.drawing import step
from detent.model.machine import solids
from tests.conftest import DATA

FILE = DATA / "step" / "plate_and_shaft.step"
TEXT = FILE.read_text()


def test_a_plate_and_a_shaft_come_as_blocks_and_cylinders_or_the_extra_is_named() -> None:
    """A plate 40 x 30 x 10 with a hole and a pocket; a stepped shaft along x."""
    if find_spec("OCP") is None:
        with pytest.raises(UnsupportedError, match=r"pip install 'detent\[step\]'"):
            formats.load(FILE)
        return
    read = formats.load(FILE)
    wanted = {
        "part1": 40 * 30 * 10 - math.pi * 9 * 10 - 15 * 20 * 5,
        "part2": math.pi * (25 * 20 + 9 * 15),
    }
    for name, volume in wanted.items():
        solid = solids.part_solid(read, name)
        assert solid is not None
        assert moments.moments(solid).volume == pytest.approx(volume, rel=1e-6)


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("ISO-10303-21;", "ISO-10303-22;", ":1: does not begin with ISO-10303-21"),
        ("END-ISO-10303-21;", "", "does not end in END-ISO-10303-21"),
        (
            "#11 = AXIS2_PLACEMENT_3D('',#12",
            "#11 = AXIS2_PLACEMENT_3D('',#99999",
            "refers to #99999, which is not there",
        ),
        ("#12 = CARTESIAN_POINT('',(0.,0.,0.));", "#12 = CARTESIAN_POINT('',(0.,0.,0.);", "a ')' is missing"),
        (
            "#12 = CARTESIAN_POINT('',(0.,0.,0.));",
            "#12 = CARTESIAN_POINT('',0.,0.,0.)));",
            "a '(' is missing",
        ),
    ],
)
def test_a_broken_file_is_told_by_its_line(old: str, new: str, words: str) -> None:
    broken = TEXT.replace(old, new) if old.startswith("END") else TEXT.replace(old, new, 1)
    with pytest.raises(ModelError) as caught:
        step.refuse_broken(broken, "a.step")
    said = str(caught.value)
    assert said.startswith("a.step:")
    assert words in said
    if "#12 =" in old:
        line = next(n for n, row in enumerate(TEXT.splitlines(), 1) if row.startswith("#12 ="))
        assert said.startswith(f"a.step:{line}:")


def test_a_text_may_hold_anything() -> None:
    """Brackets, references and equal signs within quotes mean nothing."""
    step.refuse_broken(TEXT.replace("'international standard'", "'a ( b; #77777 = (c''d'", 1), "a.step")


def test_a_sound_file_passes_the_check_of_its_text() -> None:
    step.refuse_broken(TEXT, "a.step")


def test_a_pin_in_a_bore_is_a_joint_with_its_play_or_the_extra_is_named() -> None:
    """A plate with a bore of 10.1, a pin of 10 through it."""
    file = DATA / "step" / "pin_in_bore.step"
    if find_spec("OCP") is None:
        with pytest.raises(UnsupportedError, match=r"pip install 'detent\[step\]'"):
            formats.load(file)
        return
    (joint,) = infer(formats.load(file)).joints
    assert (joint.type, joint.direction, joint.play) == ("revolute", (0, 0, 1), pytest.approx(0.1))
    assert "a pin of part2, diameter 10, in a hole of part1" in joint.why
