"""The plot of a mating shows each leg's force and marks its events."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image
from scipy.ndimage import find_objects, label

import detent
from detent.app import main
from detent.draw.chart import BOUNDLESS, mating_scene
from detent.draw.film import captions, film
from detent.draw.scene import DrawnLine, Text
from detent.io import native
from detent.judge import mate
from detent.motion.quasistatic.answer import TURNING, trajectory
from detent.motion.quasistatic.exact import run_plan
from detent.motion.quasistatic.machine import fastener
from tests.conftest import REFERENCE

DOCUMENT = REFERENCE / "fasteners" / "two_pawl_T_mu_1_10.toml"


def test_each_leg_has_its_line_and_its_peak_is_the_largest_force() -> None:
    mating = mate(native.load(DOCUMENT))
    scene = mating_scene(mating, "a fastener")
    words = {item.text for item in scene.items if isinstance(item, Text)}
    assert {"leg 1", "leg 2", "time", "force against the push"} <= words
    lines = [item for item in scene.items if isinstance(item, DrawnLine) and item.style.width == 2.0]
    assert len(lines) >= len(mating.legs)
    # The highest point of the first line lies where the record has its peak.
    first = mating.legs[0].force
    times = np.array(first.times)
    peak = times[int(np.argmax(first.on_drive))]
    line = lines[0].points
    share = (line[int(np.argmin(line[:, 1])), 0] - line[:, 0].min()) / np.ptp(line[:, 0])
    assert share == pytest.approx((peak - times[0]) / np.ptp(times), abs=5e-3)


@pytest.mark.parametrize(
    ("verb", "area", "stem"),
    [
        ("mate", "fasteners", "segment_over_peak"),
        ("modes", "contact_modes", "foot-3"),
        ("explain", "linkages", "4-bar"),
        ("move", "linkages", "4-bar"),
    ],
)
def test_verbs_draw_their_answers(verb: str, area: str, stem: str, tmp_path: Path) -> None:
    for name, start in (("a.svg", b"<svg"), ("a.png", b"\x89PNG")):
        out = tmp_path / name
        assert main([verb, str(REFERENCE / area / f"{stem}.toml"), "--plot", str(out), "--quiet"]) == 0
        assert out.read_bytes().startswith(start)


def test_a_force_without_bound_is_an_arrow_and_a_peak_has_its_value() -> None:
    mating = mate(native.load(REFERENCE / "fasteners" / "fig7b_kinematic.toml"))
    said = [item.text for item in mating_scene(mating, "").items if isinstance(item, Text)]
    peak = mating.legs[0].force.peak.value
    assert "without bound" in said
    assert f"{peak:.4g}" in said  # in units of its own, without N


def test_a_frictionless_fold_pulls_without_bound_and_the_arrow_points_down() -> None:
    """At a fold the lever of the contact vanishes, whichever way the root is then drawn."""
    mating = mate(native.load(REFERENCE / "fasteners" / "segment_over_peak.toml"))
    items = mating_scene(mating, "").items
    arrows = [item for item in items if isinstance(item, DrawnLine) and item.style.stroke == BOUNDLESS]
    heads = [item.points for item in arrows if len(item.points) == 3]
    assert len(heads) == 1
    assert heads[0][1, 1] > heads[0][0, 1]  # paper counts downwards


def test_the_strip_says_what_happens_and_shows_where_a_snap_lands() -> None:
    mechanism = native.load(REFERENCE / "fasteners" / "diode_triangle_ABC.toml")
    machine = fastener(mechanism)
    run = trajectory(mechanism, machine, run_plan(machine))
    captions_by_row = captions(run)
    lines = [line for lines in captions_by_row.values() for line in lines]
    assert "63.6491: snap, hinge lets go" in lines
    assert "63.6491: landed" in lines
    snap = next(event for event in run.events if event.kind == "snap")
    rows = [row for row, said in captions_by_row.items() if any("63.6491" in line for line in said)]
    angles = run.coordinates["hinge"][rows]
    assert angles[0] == pytest.approx(snap.coordinate, abs=1e-12)
    assert angles[1] == pytest.approx(0.312592, abs=1e-6)
    assert len(captions_by_row) == len(set(captions_by_row))


def test_the_strip_has_one_scale_and_one_key(tmp_path: Path) -> None:
    """A box of 14 by 11 pixels in the colour of each part, however many pictures there are."""
    document = REFERENCE / "fasteners" / "diode_triangle_ABC.toml"
    assert main(["mate", str(document), "--quiet", "--strip", str(tmp_path / "strip.png")]) == 0
    pixels = np.asarray(Image.open(tmp_path / "strip.png").convert("RGB"))
    machine = fastener(native.load(document))
    shown = film(native.load(document), trajectory(native.load(document), machine, run_plan(machine)))
    for colour, name in shown.scene(0).key:
        fill = np.array([int(colour[k : k + 2], 16) for k in (1, 3, 5)])
        boxes = find_objects(label((pixels == fill).all(axis=2))[0])
        sizes = [(rows.stop - rows.start, columns.stop - columns.start) for rows, columns in boxes]
        assert sum(9 <= high <= 11 and 12 <= wide <= 14 for high, wide in sizes) == 1, name


def test_a_film_shows_a_snap_turning_while_time_stands_still() -> None:
    mechanism = native.load(REFERENCE / "fasteners" / "diode_triangle_ABC.toml")
    machine = fastener(mechanism)
    shown = film(mechanism, trajectory(mechanism, machine, run_plan(machine)))
    times = np.asarray(shown.trajectory.times)[shown.rows]
    angles = shown.trajectory.coordinates["hinge"][shown.rows]
    frozen = np.abs(times - 63.6491106) < 1e-6
    assert frozen.sum() == TURNING
    assert (np.diff(angles[frozen]) < 0).all()
    assert "snap at 63.649" in shown.words(int(shown.rows[frozen][-1]))


def _rack(scale: float, units: str) -> dict[str, Any]:
    """A pawl dragged over four teeth, over which its angle goes up and down; the same size in any unit."""
    teeth = [
        [17, 0.2],
        [16.9, 0.9],
        [15, 0.2],
        [14.9, 0.9],
        [13, 0.2],
        [12.9, 0.9],
        [11, 0.2],
        [10.9, 0.9],
        [9, 0.2],
    ]
    strap = [[0, -1], [20, -1], [20, 0.2], *teeth, [3, 0.2], [0.5, -0.5]]
    pawl = [[-5, 2.8], [-4.6, 3.3], [0.2, 1.1], [0.35, 0.5], [0.1, 0.4]]

    def scaled(points: list[list[float]]) -> list[list[float]]:
        return [[float(f"{scale * x:.9g}") for x in point] for point in points]

    return {
        "units": units,
        "parts": {
            "head": {},
            "pawl": {"shape": {"outline": scaled(pawl)}},
            "strap": {"fixed": True, "shape": {"outline": scaled(strap)}},
        },
        "joints": {
            "living": {
                "type": "revolute",
                "between": ["head", "pawl"],
                "at": scaled([[-4.8, 3.1]])[0],
                "spring": {"stiffness": 0.01},
            }
        },
        "drives": {"pull": {"part": "head", "legs": [{"velocity": [4 * scale, 0], "for": 4}]}},
        "touching": {"friction": 0.25},
    }


def test_teeth_are_not_an_arc() -> None:
    words = detent.mate(detent.from_dict(_rack(1, "mm"))).words
    assert "arc" not in words
    assert words.count("change") == 6


def test_events_of_a_small_machine_in_metres_keep_their_digits() -> None:
    """The same rack in millimetres and metres: the travel of each event agrees to 1e-5 of the largest."""
    travels = [
        [float(line.split()[2]) for line in words.splitlines() if " change " in line]
        for words in (detent.mate(detent.from_dict(_rack(s, u))).words for s, u in ((1, "mm"), (1e-3, "m")))
    ]
    assert travels[1] == pytest.approx([t / 1000 for t in travels[0]], abs=1e-7)


def test_a_rounded_nose_is_one_line() -> None:
    """Over a bar the nose's angle goes up and then down: that is one arc, however many its chords."""
    nose = [
        [float(f"{12 + 3 * np.cos(a):.6f}"), float(f"{3 * np.sin(a):.6f}")]
        for a in np.linspace(-2.8, 1.5, 24)
    ]
    rack = _rack(1, "mm")
    rack["parts"]["pawl"]["shape"]["outline"] = [[0, -1], *nose, [0, 1]]
    rack["parts"]["strap"]["shape"]["outline"] = [[30, -10], [34, -10], [34, -2], [30, -2]]
    rack["joints"]["living"]["at"] = [0, 0]
    rack["drives"]["pull"]["legs"][0]["for"] = 7
    mating = detent.mate(detent.from_dict(rack | {"touching": {"friction": 0}}))
    top = max((abs(e.coordinate or 0.0), e.coordinate or 0.0) for e in mating.legs[0].events)[1]
    (line,) = [line for line in mating.words.splitlines() if "slides along the arc" in line]
    assert f"by way of {np.degrees(top):+.5f}°" in line


def _hook(wall: list[list[float]], legs: list[dict[str, object]]) -> detent.Mechanism:
    nose = [[-1.5, 1], [1.5, 1], [1.5, -13.2], [5.4, -15.9], [5.4, -17.2], [1.5, -20.6], [-1.5, -20.6]]
    return detent.from_dict(
        {
            "units": "mm",
            "parts": {
                "grip": {},
                "hook": {"shape": {"outline": nose}},
                "wall": {"fixed": True, "shape": {"outline": wall}},
            },
            "joints": {
                "hinge": {"type": "revolute", "between": ["grip", "hook"], "at": [0, 0]}
                | {"spring": {"stiffness": 2.5}}
            },
            "drives": {"push": {"part": "grip", "legs": legs}},
        }
    )


def test_ramp_land_and_return_of_a_nose_are_not_an_arc() -> None:
    """Straight edges alone: each of four changes has a line with its travel."""
    wall = [[1.5, -23.8], [6.1, -20.8], [6.1, -30.4], [1.7, -30.4]]
    words = detent.mate(_hook(wall, [{"velocity": [0, -1], "for": 35}])).words
    assert "arc" not in words
    assert words.count("  change  ") == 4


def test_a_leg_on_which_the_springs_draw_is_not_told_as_a_negative_bound() -> None:
    """Bent by a leg across, straightened by the next, that goes on down and away from the wall."""
    wall = [[3, -60], [9, -60], [9, -21], [3, -21]]
    legs = [{"velocity": [0, -1], "for": 10}, {"velocity": [-1, -1], "for": 2}]
    mating = detent.mate(_hook(wall, legs))
    (line,) = [line for line in mating.words.splitlines() if "in leg 2, " in line]
    peak = mating.legs[1].force.peak
    assert peak == max(mating.legs[1].force.on_drive) < 0
    printed = re.search(r"none against the push, the springs draw it on with at least (\S+) N, at ", line)
    assert -peak * (1 - 1e-5) <= float(printed[1]) <= -peak * (1 + 1e-9)
