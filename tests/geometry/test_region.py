"""Regions of flush pieces, rotated so that rounding leaves no two edges on one line: areas add up."""

import pytest

import detent
from detent.geometry import region
from detent.model.machine import part_solid

BEAM = [[206, 398], [-274, -242], [-282, -236], [198, 404]]  # 800 x 10
BLOCK = [[-42, 84], [-93.6, 15.2], [-109.6, 27.2], [-58, 96]]  # 86 x 20, flush on the beam
OTHER_BEAM = [[-93, -387], [387, 253], [395, 247], [-85, -393]]
WEDGE = [[147, -67], [176.4, -27.8], [160.4, -15.8]]  # half of 49 x 20, flush on that beam
FLOOR = [
    ["18960/41", "14270/41"],
    ["-13040/41", "7070/41"],
    ["-13130/41", "7470/41"],
    ["18870/41", "14670/41"],
]
SLOPE = [[70, 270], ["8510/533", "137430/533"], ["5810/533", "149430/533"]]


def machine(**shapes):
    return detent.from_dict(
        {"format": "detent/1", "parts": {name: {"shape": s} for name, s in shapes.items()}}
    )


@pytest.mark.parametrize(("beam", "piece", "area"), [(BEAM, BLOCK, 9720), (OTHER_BEAM, WEDGE, 8490)])
def test_a_union_of_flush_pieces_has_all_of_them(beam, piece, area):
    drawn = machine(whole={"union": [{"outline": beam}, {"outline": piece}]})
    assert region.from_above(part_solid(drawn, "whole")).area == pytest.approx(area)


def test_parts_that_only_touch_do_not_overlap():
    drawn = machine(slope={"outline": SLOPE}, floor={"outline": FLOOR})
    assert len(detent.modes(drawn).contacts) == 2
