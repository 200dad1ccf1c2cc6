"""What a picture shows of a machine: its links, joints, springs, contacts, in their places."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest

from detent.draw.machine import machine_scene
from detent.draw.paper import page
from detent.draw.scene import Area, Arrow, Bar, DrawnDisc, DrawnLine, Scene, Symbol
from detent.foundation import UnsupportedError
from detent.io import native
from detent.model.reading import Builder, convert
from tests.conftest import REFERENCE


def drawn(area: str, stem: str, ending: str = "toml") -> Scene:
    return machine_scene(native.load(REFERENCE / area / f"{stem}.{ending}"))


def symbols(scene: Scene, *kinds: str) -> list[Symbol]:
    return [item for item in scene.items if isinstance(item, Symbol) and item.kind in kinds]


@pytest.mark.parametrize(
    ("drive", "sense"),
    [
        ({"from_deg": 0, "to_deg": -90, "steps": 2}, -1.0),
        ({"from_": 0, "to": -1, "steps": 2}, -1.0),
        ({"inputs": [0, 0.1, -1]}, -1.0),
        ({"speed": -2}, -1.0),
        ({"from_": 0, "to": 1, "steps": 2}, 1.0),
    ],
)
def test_the_arrow_of_a_drive_turns_as_the_drive_does(drive: dict[str, object], sense: float) -> None:
    crank = Builder(format="detent/1").part("ground", fixed=True, markers={"A": [0, 0]})
    crank.part("crank", markers={"A": [0, 0], "B": [1, 0]}).joint("A", "revolute", "ground.A", "crank.A")
    (turn,) = symbols(machine_scene(crank.drive("crank", joint="A", **drive).build()), "turn")
    assert turn.angle == sense


def test_a_four_bar_looks_like_a_four_bar() -> None:
    scene = drawn("linkages", "4-bar")
    bars = [item for item in scene.items if isinstance(item, Bar)]
    assert len(bars) == 3
    assert all(len(bar.points) == 2 for bar in bars)
    assert len(symbols(scene, "ground_pin")) == 2
    assert len(symbols(scene, "pin")) == 2
    assert len(symbols(scene, "turn")) == 1
    ends = {tuple(np.round(p, 6)) for bar in bars for p in bar.points}
    assert {tuple(np.round(s.at, 6)) for s in symbols(scene, "pin", "ground_pin")} == ends


def test_a_link_with_three_markers_is_a_plate() -> None:
    bars = {item.owner: item for item in drawn("linkages", "6-bar-a").items if isinstance(item, Bar)}
    assert len(bars["II"].points) == 3
    on_paper = page.on_paper(drawn("linkages", "6-bar-a"), 800)
    plate = next(i for i in on_paper.items if isinstance(i, Area) and i.owner == "II").rings[0]
    x, y = plate[:, 0], plate[:, 1]
    area = abs(float(np.sum(x * np.roll(y, -1) - y * np.roll(x, -1)))) / 2
    assert area > 5000  # [px²]: a bar of that length has a third of it


def test_a_slider_on_the_frame_runs_in_a_hatched_guide_along_its_line() -> None:
    scene = drawn("linkages", "RRP-slider-crank")
    (guide,) = symbols(scene, "ground_guide")
    (block,) = symbols(scene, "slider")
    assert guide.to is not None
    direction = math.atan2(guide.to[1] - guide.at[1], guide.to[0] - guide.at[0])
    assert direction == pytest.approx(math.radians(10))
    assert block.angle == pytest.approx(math.radians(10))
    assert block.at == pytest.approx((4.0, 0.123673019), abs=1e-6)


def test_between_two_moving_parts_the_shorter_one_carries_the_block() -> None:
    scene = drawn("linkages", "RPR-inverted-slider")
    (block,) = symbols(scene, "slider")
    assert block.at == pytest.approx((0.689441, 0.458039), abs=1e-5)
    assert not symbols(scene, "ground_guide")


def test_a_torsion_spring_is_a_spiral_at_its_hinge() -> None:
    scene = drawn("fasteners", "two_pawl_T_frictionless")
    assert {s.at for s in symbols(scene, "spiral")} == {(-25.0, 100.0), (25.0, 100.0)}


def test_a_segment_is_drawn_though_it_has_no_area() -> None:
    lines = [
        i
        for i in drawn("fasteners", "segment_over_peak").items
        if isinstance(i, DrawnLine) and i.owner == "segment"
    ]
    assert any(np.allclose(line.points, [[-8, 20], [-2, 2]]) for line in lines)


def test_a_beam_is_drawn_to_its_length_from_a_clamped_wall() -> None:
    scene = drawn("assembly", "snap_hook_beam")
    (wall,) = symbols(scene, "wall")
    beam = next(i for i in scene.items if isinstance(i, Area) and i.owner == "beam").rings[0]
    assert np.ptp(beam[:, 0]) == pytest.approx(40.0)
    assert np.ptp(beam[beam[:, 0] == beam[:, 0].min(), 1]) == pytest.approx(5.0)
    assert np.ptp(beam[beam[:, 0] == beam[:, 0].max(), 1]) == pytest.approx(2.7)
    assert wall.at[0] == pytest.approx(-40.0)


def test_pitch_circles_touch_and_turn_as_the_ratio_says() -> None:
    built = Builder(title="gears")
    built.part("frame", fixed=True, markers={"A": [0, 0], "B": [13, 0]})
    built.part("pinion", markers={"A": [0, 0]})
    built.part("wheel", markers={"B": [13, 0]})
    built.joint("A", "revolute", "frame.A", "pinion.A")
    built.joint("B", "revolute", "frame.B", "wheel.B")
    built.joint("mesh", "gear", "pinion", "wheel", ratio="-1/12")
    circles = [item for item in machine_scene(built.build()).items if isinstance(item, DrawnDisc)]
    radii = [circle.radius for circle in circles]
    assert sum(radii) == pytest.approx(13.0)
    assert radii[1] / radii[0] == pytest.approx(12.0)


def gear_pair(angle: float) -> Scene:
    built = Builder(title="gears", dimension=3)
    built.part("frame", fixed=True)
    built.part("pinion", shape={"cylinder": {"radius": 6, "height": 1, "teeth": 12}})
    moves = [{"move": [15.6, 20.8, 0]}]
    built.part("wheel", shape={"cylinder": {"radius": 20, "height": 1, "teeth": 40}, "moves": moves})
    built.joint("A", "revolute", "frame", "pinion", at=[0, 0, 0])
    built.joint("B", "revolute", "frame", "wheel", at=[15.6, 20.8, 0])
    built.joint("mesh", "gear", "pinion", "wheel", ratio="-12/40")
    back = -angle * 12 / 40
    c, s = math.cos(back), math.sin(back)
    at = (15.6 - c * 15.6 + s * 20.8, 20.8 - s * 15.6 - c * 20.8, back)
    return machine_scene(built.build(), {"pinion": (0.0, 0.0, angle), "wheel": at})


@pytest.mark.parametrize("angle", [0.0, 0.1, 0.26, 2.0])
def test_gears_show_their_teeth_and_a_tooth_of_one_is_in_a_gap_of_the_other(angle: float) -> None:
    import shapely

    scene = gear_pair(angle)
    rims = [
        max((i.rings[0] for i in scene.items if isinstance(i, Area) and i.owner == part), key=np.ptp)
        for part in ("pinion", "wheel")
    ]
    for rim, centre, radius, teeth in zip(rims, ((0, 0), (15.6, 20.8)), (6, 20), (12, 40), strict=True):
        away = np.linalg.norm(rim - centre, axis=1)
        outside = away > radius
        assert np.sum(outside & ~np.roll(outside, 1)) == teeth
        assert away.max() - radius == pytest.approx(2 * radius / teeth)
    shared = shapely.intersection(*map(shapely.Polygon, rims)).area
    tooth = 1.0  # [square units] about one module squared
    assert shared < 0.35 * tooth


def test_a_frame_is_not_named_on_another_part() -> None:
    mechanism = native.load(REFERENCE / "machines" / "ratchet_ccw.toml")
    label = next(label for label in machine_scene(mechanism).labels if label.text == "frame")
    assert all(math.hypot(*anchor) > 4.0 for anchor in label.anchors)  # the wheel's disc


@pytest.mark.parametrize(("stem", "ending"), [("box-1", "toml"), ("box-5", "json"), ("planar-fan-4", "toml")])
def test_each_contact_is_a_point_with_its_normal(stem: str, ending: str) -> None:
    mechanism = native.load(REFERENCE / "contact_modes" / f"{stem}.{ending}")
    scene = machine_scene(mechanism)
    assert len(symbols(scene, "contact")) == len(mechanism.contacts)
    assert sum(isinstance(item, Arrow) for item in scene.items) >= len(mechanism.contacts)


def test_poses_move_parts_and_the_joints_on_them() -> None:
    mechanism = native.load(REFERENCE / "machines" / "ratchet_ccw.toml")
    still = machine_scene(mechanism)
    turned = machine_scene(mechanism, {"pawl": (10.0, 0.0, 0.0)})
    first, second = (symbols(scene, "ground_pin", "pin") for scene in (still, turned))
    assert second[1].at[0] - first[1].at[0] == pytest.approx(10.0)
    assert second[0].at == first[0].at


def test_a_higher_part_hides_a_lower_one_and_its_edge_is_dashed() -> None:
    scene = drawn("machines", "escapement")
    owners = [item.owner for item in scene.items if isinstance(item, Area)]
    assert owners.index("frame") < owners.index("bwheel") < owners.index("lever")
    dashed = [i for i in scene.items if isinstance(i, DrawnLine) and i.style.dash and i.owner == "bwheel"]
    assert dashed  # the balance's rim, under the lever's fork


def test_what_does_not_move_in_layers_is_seen_at_an_angle() -> None:
    assert drawn("assembly", "rect_peg_carrier_stiff_y4_z0").axes
    assert not drawn("machines", "escapement").axes


def test_a_plate_that_a_peg_enters_is_cut_open() -> None:
    scene = drawn("assembly", "rect_peg_carrier_stiff_y4_z0")
    hatched = [item for item in scene.items if isinstance(item, Area) and item.style.hatch]
    assert hatched
    assert {item.owner for item in hatched} == {"plate"}
    assert [words for _, words in scene.key] == ["plate cut open, hatched there"]


def corner_room(side: float) -> Scene:
    """A box on the floor, pushed against a wall on one side of it."""
    built = Builder(title="corner", dimension=3)
    wall = {"block": [4, 0.2, 3], "moves": [{"move": [-2, 0.5 * side - 0.1 + 0.1 * side, 0]}]}
    built.part("wall", fixed=True, shape=wall)
    built.part("box", shape={"block": [1, 1, 1], "moves": [{"move": [-0.5, -0.5, 0]}]})
    for x in (-0.5, 0.5):
        built.contact("wall", "box", point=[x, 0.5 * side, 0], normal=[0, -side, 0])
    return machine_scene(built.build())


@pytest.mark.parametrize("side", [-1.0, 1.0])
def test_a_wall_never_hides_the_box_it_holds(side: float) -> None:
    scene = corner_room(side)
    painted = [item.owner for item in scene.items if isinstance(item, Area)]
    last_wall = max(k for k, owner in enumerate(painted) if owner == "wall")
    first_box = min(k for k, owner in enumerate(painted) if owner == "box")
    assert last_wall < first_box
    assert not any(item.style.hatch for item in scene.items if isinstance(item, Area))
    assert not scene.key


def test_a_peg_inside_its_hole_is_shown_by_a_cut() -> None:
    built = Builder(title="hole", dimension=3)
    outer = {"block": [8, 8, 8], "moves": [{"move": [-4, -4, 0]}]}
    hole = {"cylinder": {"radius": 2.1, "height": 8}}
    built.part("plate", fixed=True, shape={"difference": [outer, hole]})
    built.part("peg", shape={"cylinder": {"radius": 2, "height": 8}})
    built.contact("plate", "peg", point=[2, 0, 4], normal=[-1, 0, 0])
    scene = machine_scene(built.build())
    assert {i.owner for i in scene.items if isinstance(i, Area) and i.style.hatch} == {"plate"}


def test_the_escapement_from_its_published_text_is_the_same_picture(tmp_path: Path) -> None:
    from detent.app import inputs

    published = machine_scene(inputs.load(str(REFERENCE.parent / "padl" / "escapement.padl")))
    native_one = drawn("machines", "escapement")
    rings = [
        sorted(len(r) for i in s.items if isinstance(i, Area) for r in i.rings)
        for s in (published, native_one)
    ]
    assert rings[0] == rings[1]
    assert {i.owner for i in published.items} >= {"ewheel", "lever", "bwheel", "frame"}


def test_a_thousand_spheres_are_refused_by_their_faces_and_fewer_are_drawn_coarser():
    def row(count):
        shape = {"sphere": 1, "repeat": {"count": count, "step": ["1.5", 0, 0]}}
        return convert.mechanism({"dimension": 3, "parts": {"a": {"shape": shape}}})

    with pytest.raises(UnsupportedError, match="faces"):
        machine_scene(row(1000))
    assert machine_scene(row(100)).items


def test_a_plate_is_drawn_to_its_sides_beside_the_parts_it_joins() -> None:
    """In space, about the hook: seen faces of a box of 32 x 66 x 3, in the same axonometry as the axes."""
    machine = native.load(Path(__file__).parents[2] / "examples" / "hook_on_plate.toml")
    scene = machine_scene(machine)
    faces = [item for item in scene.items if isinstance(item, Area) and item.owner == "joints.wall"]
    axes = {name: np.array(axis) for name, axis in scene.axes}
    corners = {tuple(np.round(corner, 6)) for item in faces for ring in item.rings for corner in ring}
    seen = [(x, y, z) for x in (-27, 5) for y in (-48, 18) for z in (-1.5, 1.5)]
    wanted = {tuple(np.round(x * axes["x"] + y * axes["y"] + z * axes["z"], 6)) for x, y, z in seen}
    assert corners
    assert corners <= wanted
    assert not any(isinstance(item, Symbol) and item.kind == "rubber" for item in scene.items)
