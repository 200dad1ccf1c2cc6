"""Hooks on elastic supports: energy, closed forms, thresholds, the same hook written otherwise."""

from __future__ import annotations

import math
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import detent
from detent.foundation import ModelError, UnsupportedError
from detent.record import CompliantMating

EXAMPLES = Path(__file__).parents[3] / "examples"
SNAP = (EXAMPLES / "snap_hook.toml").read_text()
BEAM = "beam = { length = 40, height = [5, 2.7], width = 20, modulus = 2700000000 }"
BLOCK = "[[14, 1], [20, 1], [20, 5], [14, 5]]"
LEGS = "legs = [{ velocity = [-1, 0], distance = 22 }]"


@cache
def told(text: str) -> CompliantMating:
    mating = detent.mate(detent.loads(text))
    assert isinstance(mating, CompliantMating)
    return mating


def table(mating: CompliantMating) -> dict[str, Any]:
    return {name.partition(" [")[0]: column for name, column in mating.columns().items()}


def test_without_friction_the_push_is_the_slope_of_the_stored_energy() -> None:
    """Beside finite differences of the energy, at rows whose neighbours are on the same contacts."""
    rows = table(told(SNAP.replace("friction = 0.25", "friction = 0")))
    travel, push, stored = rows["travel"] * 1e-3, rows["push"], rows["beam.stored"]
    steps = np.diff(travel)
    even = (np.abs(steps[1:] - steps[:-1]) < 1e-9) & (steps[1:] > 1e-6)
    curved = np.abs(push[2:] - 2 * push[1:-1] + push[:-2]) < 0.05  # no event between the three
    slopes = (stored[2:] - stored[:-2]) / (travel[2:] - travel[:-2])
    kept = even & curved
    assert kept.sum() > 150
    assert np.abs(slopes - push[1:-1])[kept].max() < 1e-3 * push.max()


def test_what_the_push_does_is_stored_or_lost_in_jumps_where_nothing_rubs() -> None:
    mating = told(SNAP.replace("friction = 0.25", "friction = 0"))
    leg = mating.legs[0]
    assert leg.force.dissipated is not None
    assert leg.force.dissipated > 0
    assert leg.force.work == pytest.approx(leg.force.dissipated, rel=2e-3)  # it ends where it began
    assert [event.kind for event in leg.events].count("snap") == 3


@pytest.mark.parametrize("friction", [0.0, 0.1, 0.25, 0.6])
def test_a_hook_that_only_sinks_pushes_by_its_slope_and_its_friction(friction: float) -> None:
    """k times how far it sinks, times tan(slope + friction angle): on the ramp, and back on its way down."""
    text = SNAP.replace(BEAM, 'stiffness = [20000]\nfree = ["y"]').replace("0.25", str(friction))
    rows = table(told(text))
    ramp = (rows["travel"] > 3.5) & (rows["travel"] < 9.9)
    sunk = (rows["travel"][ramp] - 10 / 3) * 3 / 8 * 1e-3
    push = 20000 * sunk * math.tan(math.atan(3 / 8) + math.atan(friction))
    assert ramp.sum() > 50
    assert rows["push"][ramp] == pytest.approx(push, rel=1e-7)
    drawn = (rows["travel"] > 17.6) & (rows["travel"] < 18.5)
    sunk = 2.5e-3 - (rows["travel"][drawn] - 17.5) * 3.5 / 1.5 * 1e-3
    pull = -20000 * sunk * math.tan(math.atan(3.5 / 1.5) - math.atan(friction))
    assert drawn.sum() > 5
    assert rows["push"][drawn] == pytest.approx(pull, rel=1e-7)


@pytest.mark.parametrize(("friction", "cause"), [(0.428, "done"), (0.429, "jam")])
def test_a_return_locks_from_the_friction_of_its_slope_on(friction: float, cause: str) -> None:
    """A hook that only sinks comes out over a return of slope 3.5 / 1.5 up to a friction of 1.5 / 3.5."""
    text = SNAP.replace(BEAM, 'stiffness = [20000]\nfree = ["y"]').replace("0.25", str(friction))
    back = told(text.replace("distance = 22 }", "distance = 22 }, { back = true }")).legs[1]
    assert back.end.cause == cause
    assert math.isinf(back.force.peak) == (cause == "jam")


def test_a_push_that_turns_round_sticks_before_it_slides_back() -> None:
    text = SNAP.replace("distance = 22 }", "distance = 8 }, { back = true }")
    inwards, back = told(text).legs
    assert [event.kind for event in inwards.events] == ["contact"]
    assert [event.kind for event in back.events] == ["stick", "slide", "release"]
    assert back.events[1].travel == pytest.approx(8, abs=0.01)
    assert back.force.pull_in < 0 < inwards.force.peak
    last, first = (rows for rows in (inwards, back))
    assert first.force.curve_travel_push_lift[0][1] == pytest.approx(
        -last.force.curve_travel_push_lift[-1][1], rel=1e-9
    )


def test_two_hooks_that_face_each_other_take_twice_the_push_and_leave_nothing_across() -> None:
    one = told(SNAP.replace("distance = 22 }", "distance = 22 }, { back = true }"))
    two = told((EXAMPLES / "two_sided_snap.toml").read_text())
    for single, both in zip(one.legs, two.legs, strict=True):
        assert both.force.peak_push == pytest.approx(2 * single.force.peak_push, rel=1e-6)
        assert both.force.pull_in == pytest.approx(2 * single.force.pull_in, rel=1e-6)
        assert both.force.work == pytest.approx(2 * single.force.work, rel=1e-6)
        assert both.force.peak_lift is not None
        assert both.force.peak_lift < 1e-9
        assert single.force.peak_lift is not None
        assert single.force.peak_lift > 30
        assert len(both.contact_sequence) == len(single.contact_sequence)
    assert two.legs[0].bending[0].safety_once == pytest.approx(0.04 / two.legs[0].bending[0].strain)


IN_SPACE = """
format = "detent/1"
units = "mm"
dimension = 3
parts.base.fixed = true
[parts.hook.shape]
prism = { outline = [[1, 0], [12, 0], [12, 0.5], [4, 3.5], [2.5, 3.5]], height = 20 }
moves = [{ turn_deg = 90, about = "x" }, { move = [0, 10, 0] }]
[parts.counterpart]
shape = { block = [6, 30, 4], moves = [{ move = [14, -15, 1] }] }
[joints.beam]
type = "elastic"
between = ["base", "hook"]
at = [0, 0, 0]
beam = { length = 40, height = [5, 2.7], width = 20, modulus = 2700000000 }
[drives.push]
part = "counterpart"
legs = [{ velocity = [-1, 0, 0], distance = 22 }]
[touching]
friction = 0.25
"""


def test_a_beam_in_space_is_the_beam_of_the_plane() -> None:
    plane, space = told(SNAP).legs[0], told(IN_SPACE).legs[0]
    assert space.force.peak_push == pytest.approx(plane.force.peak_push, rel=1e-6)
    assert space.force.pull_in == pytest.approx(plane.force.pull_in, rel=1e-6)
    jumps = [[e.travel for e in leg.events if e.kind == "snap"] for leg in (plane, space)]
    assert jumps[0] == pytest.approx(jumps[1], abs=1e-4)
    assert plane.bending[0].stress == pytest.approx(space.bending[0].stress, rel=1e-6)


def test_a_hook_that_is_pushed_past_what_stands_still_takes_the_same_force() -> None:
    """The support goes towards the counterpart instead: forces are those of what is moved past what."""
    text = SNAP.replace("[parts.base]\nfixed = true", "[parts.base]")
    text = text.replace("[parts.counterpart]", "[parts.counterpart]\nfixed = true")
    text = text.replace('part = "counterpart"', 'part = "base"').replace("[-1, 0]", "[1, 0]")
    moved, still = told(text), told(SNAP)
    assert moved.legs[0].force.peak_push == pytest.approx(still.legs[0].force.peak_push, rel=1e-6)
    assert moved.legs[0].force.pull_in == pytest.approx(still.legs[0].force.pull_in, rel=1e-6)
    assert moved.legs[0].contact_sequence == still.legs[0].contact_sequence


def test_the_stress_of_an_even_beam_is_that_of_its_root() -> None:
    """(M + F L) h / 2 I, with the tip load of where the tip is: F = E I (12 w / L³ - 6 w, / L²) and so on."""
    text = SNAP.replace("height = [5, 2.7]", "height = 4")
    leg = told(text).legs[0]
    bent = leg.bending[0]
    rows = table(told(text))
    k = int(np.argmax(rows["beam.stress"]))
    w, turn = rows["beam.y"][k] * 1e-3, rows["beam.turn_z"][k]
    bending = 2.7e9 * 0.02 * 0.004**3 / 12
    force, moment = (
        bending * (12 * w / 0.04**3 - 6 * turn / 0.04**2),
        bending * (-6 * w / 0.04**2 + 4 * turn / 0.04),
    )
    at_root = abs(moment + force * 0.04) * 0.002 / (0.02 * 0.004**3 / 12)
    assert bent.from_root == 0
    assert bent.stress == pytest.approx(at_root, rel=1e-9)
    assert bent.strain == pytest.approx(bent.stress / 2.7e9, rel=1e-12)


def test_contacts_that_give_way_lower_the_peak_and_vanish_as_they_stiffen() -> None:
    def peak(stiffness: str) -> float:
        entry = f'\npairs."counterpart:hook" = {{ stiffness = {stiffness} }}'
        return told(SNAP.replace("friction = 0.25", "friction = 0.25" + entry)).legs[0].force.peak_push

    rigid = told(SNAP).legs[0].force.peak_push
    soft, stiff = rigid - peak("1e6"), rigid - peak("1e7")
    assert soft > stiff > 0
    assert soft / stiff == pytest.approx(10, rel=0.05)


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        (BEAM, 'stiffness = [45544, 0]\nfree = ["y", "turn_z"]', "no stiffness about z"),
        (BEAM, 'stiffness = [[4, 2], [2, 1]]\nfree = ["y", "turn_z"]', "is singular"),
        (BLOCK, "[[5, 1], [20, 1], [20, 5], [5, 5]]", "overlaps part 'hook'"),
    ],
    ids=["zero", "singular", "overlap"],
)
def test_what_cannot_be_followed_is_refused_with_its_place(old: str, new: str, words: str) -> None:
    with pytest.raises(ModelError, match=words):
        told(SNAP.replace(old, new))


def test_a_hook_that_is_joined_twice_is_refused() -> None:
    text = SNAP + '\n[joints.pin]\ntype = "revolute"\nbetween = ["base", "hook"]\nat = [0, 0]\n'
    with pytest.raises(UnsupportedError, match="carries already"):
        told(text)


def test_a_counterpart_that_passes_by_and_one_that_runs_into_the_nose_are_answers() -> None:
    past = told(SNAP.replace(BLOCK, "[[14, 10], [20, 10], [20, 15], [14, 15]]"))
    assert past.insertion.answer == "nothing touched"
    assert past.legs[0].contact_sequence == ((),)
    head_on = told(SNAP.replace(BLOCK, "[[14, -4], [20, -4], [20, 5], [14, 5]]"))
    assert head_on.insertion.answer == "no"
    assert head_on.legs[0].end.cause == "jam"
    assert math.isinf(head_on.legs[0].force.peak)
    assert head_on.legs[0].end.travel == pytest.approx(2, abs=1e-4)


def test_a_plate_without_a_foot_says_what_its_forces_belong_to() -> None:
    text = (EXAMPLES / "hook_on_plate.toml").read_text().replace(", footprint = [4, 6]", "")
    mating = told(
        text.replace('clamped = ["x=0", "y=0"]', 'clamped = ["x=0", "y=0"], knots = [[18.2], [20.8, 47.9]]')
    )
    assert any("a moment at a point has none" in line for line in mating.scope.assumed)


def test_the_hook_of_a_plate_meets_with_both_edges_once_it_lies_flush() -> None:
    """The wall tilts at first, so one edge of the ramp is met; it is level again where both are."""
    mating = told((EXAMPLES / "hook_on_plate.toml").read_text())
    leg, rows = mating.legs[0], table(mating)
    assert [len(contacts) for contacts in leg.contact_sequence] == [0, 1, 2, 1, 1, 0]
    both = (rows["travel"] > 11.7) & (rows["travel"] < 12.7)
    single = (rows["travel"] > 10.4) & (rows["travel"] < 11.5)
    assert np.abs(rows["wall.turn_x"][both]).max() < 1e-12 < np.abs(rows["wall.turn_x"][single]).min()
    assert leg.force.peak_push == pytest.approx(77.266, abs=0.01)
    snaps = [event.travel for event in leg.events if event.kind == "snap"]
    assert snaps == pytest.approx([12.8056, 18.5448], abs=1e-3)


def test_without_friction_the_plate_gives_back_the_slope_of_its_energy() -> None:
    text = (EXAMPLES / "hook_on_plate.toml").read_text().replace("0.25", "0")
    rows = table(told(text))
    for low, high in ((10.4, 11.5), (11.8, 12.6)):
        steps = np.diff(rows["travel"], prepend=0.0)
        even = np.isclose(steps, np.roll(steps, -1), rtol=1e-6)
        within = np.flatnonzero((rows["travel"] > low) & (rows["travel"] < high) & even)[1:-1]
        assert len(within) > 5
        rise = rows["wall.stored"][within + 1] - rows["wall.stored"][within - 1]
        slope = rise / (rows["travel"][within + 1] - rows["travel"][within - 1]) / 1e-3
        assert np.abs(slope - rows["push"][within]).max() < 1e-3 * rows["push"].max()


HEEL = """
format = "detent/1"
units = "mm"
[parts.housing]
fixed = true
[parts.hook]
shape.outline = [
  [0, -1.49], [7.7, -1.49], [7.7, 0.56], [4.83, 3.675], [4.285, 3.675], [3.983, 1.49], [0, 1.49],
]
[parts.cover]
shape.outline = [[9.43, 1.773], [15.731, 1.773], [15.731, 5.773], [9.207, 5.773], [9.207, 1.996]]
[joints.arm]
type = "elastic"
between = ["housing", "hook"]
at = [0, 0]
beam = { length = 20.15, height = [2.981, 2.09], width = 7.861, modulus = 3.922e9 }
[drives.push]
part = "cover"
legs = [{ velocity = [-2, 0], distance = 12.05 }, { back = true }]
[touching]
friction = 0.35
"""


def test_a_hook_that_a_steep_return_lifts_fast_meets_what_is_above_its_heel() -> None:
    """Friction holds the hook's return on the cover, which lifts it five times as fast as it goes; its heel
    meets the cover's lower face. From there two gaps of zero say where it is, and two slides what it takes.
    """
    mating = told(HEEL)
    assert "cover/0.e0:hook/0.v6" in {name for names in mating.legs[1].contact_sequence for name in names}
    rows = table(mating)
    heel = rows["arm.y"] + 1.49 * np.cos(rows["arm.turn_z"])
    left, right = 9.43 - rows["travel"], 15.731 - rows["travel"]
    beyond = (left < -1.49 * np.sin(rows["arm.turn_z"])) & (-1.49 * np.sin(rows["arm.turn_z"]) < right)
    assert (heel[beyond] < 1.773 + 1e-5).all()  # it went 0.08 mm into the cover
    leg = mating.legs[1].force
    assert leg.peak_push == pytest.approx(_push_on_both(leg.peak_at_travel), rel=1e-3)
    assert leg.peak_push == pytest.approx(723.0, rel=2e-3)  # 976 where it goes through


def test_work_counts_what_is_given_back_in_a_short_stretch() -> None:
    """A steep return lets go within 0.12 of 12.4 mm; without friction all that is lost is lost in jumps."""
    text = """
    format = "detent/1"
    units = "mm"
    parts.housing.fixed = true
    [parts.hook]
    shape.outline = [
      [0, -0.943], [5.864, -0.943], [5.864, 0.439], [2.668, 2.295],
      [2.611, 2.295], [2.586, 0.943], [0, 0.943],
    ]
    [parts.cover]
    shape.outline = [[8.169, 1.276], [13.907, 1.276], [13.907, 5.276], [7.448, 5.276], [7.448, 1.997]]
    [joints.arm]
    type = "elastic"
    between = ["housing", "hook"]
    at = [0, 0]
    beam = { length = 34.485, height = [1.886, 1.264], width = 12.248, modulus = 2.154e9 }
    [drives.push]
    part = "cover"
    legs = [{ velocity = [-2, 0], distance = 12.43 }]
    """
    (leg,) = told(text).legs
    assert leg.force.dissipated is not None
    assert leg.force.work == pytest.approx(leg.force.dissipated, rel=3e-3)  # 14 % more by three rows


def test_rigid_contacts_bring_no_overlap() -> None:
    """Met head on, the push goes on by a hair while the hook settles: that is no overlap of what is rigid."""
    text = """
    format = "detent/1"
    units = "mm"
    parts.housing.fixed = true
    [parts.hook]
    shape.outline = [
      [0, -1.475], [12.537, -1.475], [12.537, 0.0], [9.995, 2.37],
      [8.874, 2.37], [7.871, 1.475], [0, 1.475],
    ]
    [parts.cover]
    shape.outline = [
      [14.165219, -0.732993], [22.232621, -1.563121], [22.642055, 2.415869],
      [14.058379, 3.299121], [13.702069, -0.163595],
    ]
    [joints.arm]
    type = "elastic"
    between = ["housing", "hook"]
    at = [0, 0]
    beam = { length = 21.452, height = [2.95, 1.788], width = 5.516, modulus = 3.951e9 }
    [drives.push]
    part = "cover"
    legs = [{ velocity = [-2, 0], distance = 14.22 }]
    [touching]
    friction = 0.22
    """
    events = told(text).legs[0].events
    assert events[0].kind == "contact"
    assert not any("overlap" in event.detail for event in events)


def test_without_friction_a_corner_that_passes_a_corner_does_not_jam() -> None:
    """Something without friction has a least energy as long as there is room: it goes on, with less."""
    text = """
    format = "detent/1"
    units = "mm"
    parts.housing.fixed = true
    [parts.hook]
    shape.outline = [
      [0, -1.4025], [5.937, -1.4025], [5.937, -0.095], [4.388, 2.872],
      [3.276, 2.872], [2.371, 1.403], [0, 1.403],
    ]
    [parts.cover]
    shape.outline = [[8.136, 1.84], [13.693, 1.84], [13.693, 5.84], [7.797, 5.84], [7.797, 2.179]]
    [joints.arm]
    type = "elastic"
    between = ["housing", "hook"]
    at = [0, 0]
    beam = { length = 14.934, height = [2.805, 2.687], width = 5.73, modulus = 3.272e9 }
    [drives.push]
    part = "cover"
    legs = [{ velocity = [-2, 0], distance = 4.97 }]
    """
    mating = told(text)
    (leg,) = mating.legs
    assert leg.end.cause == "done"
    assert "cover/0.e4:hook/0.v3" in {name for names in leg.contact_sequence for name in names}
    stored = table(mating)["arm.stored"][-1]
    assert leg.force.work == pytest.approx(stored + (leg.force.dissipated or 0.0), rel=2e-3)


def _push_on_both(travel: float) -> float:
    """[N] Of the cover's corner on the return and the hook's heel on the cover, both sliding."""
    turn = -0.07
    corner = np.array([15.731 - travel, 1.773])
    for _ in range(50):  # the heel touches: y = 1.773 - 1.49 cos; then the corner on the return's line
        values = []
        for each in (turn, turn + 1e-7):
            y = 1.773 - 1.49 * math.cos(each)
            a, b = (_turned(point, each, y) for point in ([4.285, 3.675], [3.983, 1.49]))
            along = (b - a) / np.linalg.norm(b - a)
            values.append(float(np.cross(np.append(along, 0), np.append(corner - a, 0))[2]))
        turn -= values[0] / (values[1] - values[0]) * 1e-7
    y = 1.773 - 1.49 * math.cos(turn)
    a, b = (_turned(point, turn, y) for point in ([4.285, 3.675], [3.983, 1.49]))
    along = (b - a) / np.linalg.norm(b - a)  # down the return; the hook goes up it and the cover on
    normal = np.array([along[1], -along[0]])
    heel = _turned([0.0, 1.49], turn, y)
    forces = np.array([-normal - 0.35 * along, [0.35, -1.0]])
    arms = np.array([corner, heel]) - [0.0, y]
    moments = (arms[:, 0] * forces[:, 1] - arms[:, 1] * forces[:, 0]) * 1e-3
    stiffness = np.array(detent.explain(detent.loads(HEEL)).elastic["arm"]["stiffness"])
    stiffness[0, 1] = stiffness[1, 0] = -stiffness[0, 1]  # of (w, -w')
    loads = np.linalg.solve(np.array([forces[:, 1], moments]), stiffness @ [1e-3 * y, turn])
    assert (loads > -1e-2).all()
    return float(loads @ forces[:, 0])


def _turned(point: list[float], turn: float, y: float) -> np.ndarray[Any, Any]:
    c, s = math.cos(turn), math.sin(turn)
    return np.array([c * point[0] - s * point[1], s * point[0] + c * point[1] + y])


@pytest.mark.parametrize("distance", [6.1842, 7.1483])
def test_the_work_of_a_leg_that_ends_on_its_ramp_is_the_area_below(distance: float) -> None:
    """At these distances even steps add up to the leg but for rounding: no step is left of that."""
    text = f"""
    format = "detent/1"
    units = "mm"
    parts.housing.fixed = true
    [parts.hook]
    shape.outline = [[1, -1], [13, -1], [13, 1], [6, 3.1], [4, 3.1], [2, 1]]
    [parts.cover]
    shape.outline = [[14, 1.4], [19, 1.4], [19, 6], [14, 6]]
    [joints.arm]
    type = "elastic"
    between = ["housing", "hook"]
    at = [0, 0]
    beam = {{ length = 40, height = 2.5, width = 10, modulus = 2.5e9 }}
    [drives.push]
    part = "cover"
    legs = [{{ velocity = [-1, 0], distance = {distance} }}]
    [touching]
    friction = 0.25
    """
    (leg,) = told(text).legs
    rows = np.array(leg.force.curve_travel_push_lift, float)
    area = np.trapezoid(rows[:, 1], rows[:, 0]) * 1e-3
    assert leg.force.work == pytest.approx(area, rel=1e-3)  # -0.6 and -1.9 times that by the last step


# A hook on a hinge spring, a blade whose tip goes over its flat top and off its end, which leans back below.
UNDERCUT = """
format = "detent/1"
units = "mm"
dimension = {dimension}

[parts.base]
fixed = true

[parts.hook]
shape = {hook}

[parts.blade]
shape = {blade}

[joints.beam]
type = "elastic"
between = ["base", "hook"]
at = {at}
free = ["{turns}"]
stiffness = [[0.3]]

[drives.push]
part = "blade"
legs = [{{ velocity = {velocity}, distance = 10.4 }}]

[ask.mate]
method = "compliant"
"""


@pytest.mark.parametrize("dimension", [2, 3])
def test_a_tip_slides_down_an_undercut_end_or_lets_the_hook_go_by_its_angle_to_the_hinge(
    dimension: int,
) -> None:
    """The end goes from (3, 2.5) to (u, 0.4): across the radius from the hinge where 3 (3 - u) + 2.5 2.1 = 0,
    u = 4.75. With less the hook pushes its end against the tip; with more it springs back past it."""
    blade = "[[14, 1.2], [11.9, 4], [11.9, 8], [9, 8], [11.2, 4]]"
    for under, lets_go in ((3.5, False), (4.9, True), (5.5, True)):
        hook = f"[[1, 0], [12, 0], [12, 0.5], [6, 2.5], [3, 2.5], [{under}, 0.4], [1, 0.4]]"
        words = {"hook": f"{{ outline = {hook} }}", "blade": f"{{ outline = {blade} }}"}
        words |= {"at": "[0, 0]", "turns": "turn_z", "velocity": "[-20, 0]"}
        if dimension == 3:
            moves = 'moves = [{ turn_deg = 90, about = "x" }, { move = [0, %d, 0] }] }'
            words["hook"] = f"{{ prism = {{ outline = {hook}, height = 4 }}, {moves % 2}"
            words["blade"] = f"{{ prism = {{ outline = {blade}, height = 10 }}, {moves % 5}"
            words |= {"at": "[0, 0, 0]", "turns": "turn_y", "velocity": "[-20, 0, 0]"}
        leg = detent.mate(detent.loads(UNDERCUT.format(dimension=dimension, **words))).legs[0]
        assert leg.end.cause == "done", under
        last = leg.events[-1]
        assert (last.kind, last.after == ()) == (("snap", True) if lets_go else ("change", False)), under
