"""A force printed as a bound is one: rounded away from what the record holds, in its last digit."""

import re

import pytest

import detent

LOADS = [(3.7, -1.1), (0.3, 7.7), (-11.3, 2.9)]


@pytest.mark.parametrize("name", ["snap_t", "motion_diode", "ratchet_rack"])
def test_the_force_that_puts_a_fastener_together_is_at_most_what_is_printed(name):
    mating = detent.mate(name)
    printed = re.search(r"  force +(?:in leg 1, )?at most ([\d.e+-]+)", mating.words)
    peak = float(mating.legs[0].force.peak)
    if printed is None:
        assert peak < 0 or mating.legs[0].force.peak.unbounded
    else:
        assert peak * (1 - 1e-9) <= float(printed[1]) <= peak * (1 + 1e-5)


@pytest.mark.parametrize("load", LOADS)
def test_what_a_drive_gives_and_joints_carry_lies_within_what_is_printed(load):
    mechanism = detent.load("four_bar")
    marker = next(f"{part}.{name}" for part in ("II", "III") for name in mechanism.parts[part].markers)
    motion = detent.move(mechanism.with_("ask.move.loads", {marker: load}))
    low, high = map(float, re.search(r"  drive .* between (\S+) and ([^\s]+)", motion.words).groups())
    peak = motion.force_peaks[f"drive {motion.drives[0]}"]
    assert low <= peak["least"] + 1e-9 * abs(peak["least"])
    assert high >= peak["most"] - 1e-9 * abs(peak["most"])
    assert high - low == pytest.approx(peak["most"] - peak["least"], rel=1e-4)
    for joint in ("A", "B", "C", "D"):
        printed = float(re.search(rf"\b{joint} up to ([\d.e+-]+)", motion.words)[1])
        most = motion.force_peaks[joint]["most"]
        assert most * (1 - 1e-9) <= printed <= most * (1 + 1e-5)
