"""OpenSCAD in, DXF in and out, STL out, and the one table of endings."""

from __future__ import annotations

import io
import math
import struct
from pathlib import Path
from typing import Any

import ezdxf
import numpy as np
import pytest

from detent.foundation import ModelError, UnsupportedError
from detent.geometry import mesh, moments, region
from detent.io import formats, native
from detent.io.csg import openscad
from detent.io.drawing import dxf, stl
from detent.model.document import Mechanism
from detent.model.machine import solids
from detent.model.reading import convert
from tests.conftest import DATA, reference_documents


def solid(mechanism: Mechanism, name: str) -> Any:
    whole = solids.part_solid(mechanism, name)
    assert whole is not None
    return whole


def scad_problem(text: str) -> str:
    with pytest.raises(ModelError) as caught:
        openscad.loads(text, file="m.scad")
    return str(caught.value)


def test_a_plate_has_the_volume_it_is_drawn_with() -> None:
    read = formats.load(DATA / "openscad" / "plate.scad")
    assert list(read.parts) == ["part1", "part2"]
    assert read.units == "mm"
    plate = 40 * 20 * 3 - 2 * math.pi * 4 * 3 - 10 * 4 * 3
    assert moments.moments(solid(read, "part1")).volume == pytest.approx(plate, rel=1e-13)
    hexagon = 3 * math.sqrt(3) / 2 * 36 * 3
    assert moments.moments(solid(read, "part2")).volume == pytest.approx(hexagon, rel=1e-13)


def test_what_openscad_writes_out_is_the_same_machine() -> None:
    """A .csg file has matrices of six digits where the .scad file has rotations and moves."""
    by_hand = formats.load(DATA / "openscad" / "plate.scad")
    written_out = formats.load(DATA / "openscad" / "plate.csg")
    assert by_hand.parts == written_out.parts


def test_openscad_moves_compose_from_the_inside_out() -> None:
    read = openscad.loads("translate([10, 0, 0]) rotate([90, 0, 90]) cube([1, 2, 3]);")
    low, high = (
        mesh.triangles(solid(read, "part1"))[0].min(axis=0),
        mesh.triangles(solid(read, "part1"))[0].max(axis=0),
    )
    # x by 90: (x, -z, y); then z by 90: (z, x, y); then along x.
    assert (*low, *high) == pytest.approx((10, 0, 0, 13, 1, 2))


@pytest.mark.parametrize(
    ("text", "volume"),
    [
        ("scale(2) sphere(d = 2);", 4 / 3 * math.pi * 8),
        ("cylinder(h = 3, r1 = 2, r2 = 0);", 4 * math.pi),
        ("cylinder(3, 2, 2, center = true);", 12 * math.pi),
        ("intersection() { cube(2, center = true); cube([1, 1, 1]); }", 1),
        ("linear_extrude(2) polygon([[0,0],[4,0],[0,4],[1,1],[2,1],[1,2]], [[0,1,2],[3,4,5]]);", 15),
        ("mirror([1, 0, 0]) color([1, 0, 0]) group() { cube(1); translate([1, 0, 0]) cube(1); }", 2),
        ("multmatrix([[0,-2,0,1],[2,0,0,2],[0,0,2,3],[0,0,0,1]]) cube(1);", 8),
    ],
)
def test_openscad_objects_have_their_volume(text: str, volume: float) -> None:
    body = moments.moments(solid(openscad.loads(text), "part1"))
    assert body.volume == pytest.approx(volume, rel=1e-9)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("cube(1);\nhull() { cube(1); }", "m.scad:2:1: 'hull' is not read"),
        ("cube([1, 2, 3]", "m.scad:1:5: this '(' is never closed: a ')' is missing"),
        ("module a() { cube(1); }", "m.scad:1:1: 'module' belongs to OpenSCAD's language"),
        ("// for\n\nfor (i = [0:3]) cube(i);", "m.scad:3:1: 'for' belongs"),
        ("scale([1, 2, 1]) sphere(1);", "m.scad:1:1: a scale other than one factor"),
        ("scale([1, 0, 1]) cube(1);", "m.scad:1:1: a scale other than one factor"),
        ("scale([1, 2, 1]) rotate(30) cube(1);", "m.scad:1:1: a scale other than one factor"),
        ("scale([2, 1]) circle(1);", "m.scad:1:1: a scale other than one factor"),
        (
            "cube(1);\nmultmatrix([[2,0,0,0],[0,1,0,0],[0,0,1,0]]) cylinder(1);",
            "m.scad:2:1: a matrix that bends",
        ),
        ("multmatrix([[0,0,0,0],[0,1,0,0],[0,0,1,0]]) cube(1);", "bends or stretches"),
        ("multmatrix([[1,1,0,0],[0,1,0,0],[0,0,1,0]]) cube(1);", "bends or stretches"),
        ("linear_extrude(5, twist = 30) square(1);", "m.scad:1:1: a twisted extrusion"),
        ("cube(1); square(2);", "flat and solid objects"),
        ("union() { cube(1); square(2); }", "flat and solid shapes"),
        ("cube([1, 0, 2]);", "m.scad:1: parts.part1.shape.block: must be above zero"),
        ("cube(w);", "m.scad:1:6: 'w' has no value"),
        ("", "draws nothing"),
        ("translate([1, 0, 0]) " * 3000 + "cube(1);", "nested too deeply"),
    ],
)
def test_what_openscad_text_cannot_say_here_is_refused_with_its_line(text: str, words: str) -> None:
    assert words in scad_problem(text)


STRETCHED = [
    "multmatrix([[2,0,0,0],[0,1,0,0],[0,0,1,0],[0,0,0,1]]) {}",
    "scale([2, 1, 1]) {}",
    "scale([2, 1]) {}",
]


@pytest.mark.parametrize("stretch", STRETCHED)
@pytest.mark.parametrize(
    ("text", "low", "high"),
    [
        ("cube([1, 2, 3]);", (0, 0, 0), (2, 2, 3)),
        ("translate([1, 1, 1]) cube([1, 2, 3], center = true);", (1, 0, -0.5), (3, 2, 2.5)),
        ("rotate([0, 0, 90]) cube([1, 2, 3]);", (-4, 0, 0), (0, 1, 3)),
        ("translate([5, 1, 0]) rotate(90) translate([-5, -1, 0]) cube([1, 2, 3]);", (8, -4, 0), (12, -3, 3)),
        ("rotate([30, 0, 0]) cube([1, 1, 1]);", (0, -0.5, 0), (2, math.sqrt(3) / 2, (1 + math.sqrt(3)) / 2)),
        ("mirror([1, 0, 0]) cube([1, 2, 3]);", (-2, 0, 0), (0, 2, 3)),
        (
            "union() { cube(1); translate([2,0,0]) cube(1); translate([4,0,0]) cube(1); }",
            (0, 0, 0),
            (10, 1, 1),
        ),
        ("linear_extrude(3) polygon([[0, 0], [1, 0], [0, 1]]);", (0, 0, 0), (2, 1, 3)),
        ("cylinder(h = 2, r = 1, $fn = 4);", (-2, -1, 0), (2, 1, 2)),
        ("rotate([0, 90, 0]) cylinder(h = 3, r = 1);", (0, -1, -1), (6, 1, 1)),
    ],
)
def test_what_is_stretched_along_an_axis_reaches_as_far_as_its_corners_do(
    stretch: str, text: str, low: tuple[float, ...], high: tuple[float, ...]
) -> None:
    read = openscad.loads(stretch.format(text))
    corners = mesh.triangles(solid(read, "part1"))[0]
    assert corners.min(axis=0) == pytest.approx(low, abs=1e-9)
    assert corners.max(axis=0) == pytest.approx(high, abs=1e-9)


@pytest.mark.parametrize(
    ("text", "area"),
    [
        ("scale([2, 3]) square(1);", 6),
        ("multmatrix([[2,0,0,0],[0,3,0,0],[0,0,1,0],[0,0,0,1]]) polygon([[0, 0], [1, 0], [0, 1]]);", 3),
        ("multmatrix([[0,-3,0,0],[2,0,0,0],[0,0,1,0],[0,0,0,1]]) square(1);", 6),
        ("multmatrix([[2,0,0,0],[0,2,0,0],[0,0,1,0],[0,0,0,1]]) circle(1, $fn = 4);", 8),
    ],
)
def test_flat_objects_are_stretched_before_and_after_they_are_extruded(text: str, area: float) -> None:
    assert region.from_above(solid(openscad.loads(text), "part1")).area == pytest.approx(area)
    extruded = openscad.loads(f"linear_extrude(5) {text}")
    assert moments.moments(solid(extruded, "part1")).volume == pytest.approx(5 * area)


def test_a_factor_within_an_extrusion_leaves_its_height() -> None:
    read = openscad.loads("linear_extrude(5) scale(2) circle(1);")
    assert moments.moments(solid(read, "part1")).volume == pytest.approx(20 * math.pi)


def drawing(draw: Any, units: int = 4) -> str:
    document = ezdxf.new()
    document.header["$INSUNITS"] = units
    draw(document.modelspace())
    stream = io.StringIO()
    document.write(stream)
    return stream.getvalue()


def test_lines_and_arcs_chain_into_an_outline_whatever_their_order() -> None:
    def slot(space: Any) -> None:
        space.add_arc((4, 0), 1, -90, 90)
        space.add_line((0, 1), (4, 1))
        space.add_line((4, -1), (0, -1))
        space.add_arc((0, 0), 1, 90, 270)

    read = dxf.loads(drawing(slot))
    assert read.units == "mm"
    # A chord of 1.4 degrees leaves 1e-4 of a disc's area.
    assert region.from_above(solid(read, "layer_0")).area == pytest.approx(8 + math.pi, rel=1e-4)


def test_layers_are_parts_and_loops_nest_into_holes_and_islands() -> None:
    def draw(space: Any) -> None:
        wheel = {"layer": "wheel"}
        space.add_circle((1, 2), 5, dxfattribs=wheel)
        space.add_circle((1, 2), 3, dxfattribs=wheel)
        space.add_lwpolyline([(0, 1), (2, 1), (2, 3), (0, 3)], close=True, dxfattribs=wheel)
        space.add_text("wheel", dxfattribs=wheel)
        space.add_lwpolyline(
            [(20, 0, 1), (22, 0, 1)], format="xyb", close=True, dxfattribs={"layer": "pin 1"}
        )

    read = dxf.loads(drawing(draw))
    assert list(read.parts) == ["wheel", "pin_1"]
    assert region.from_above(solid(read, "wheel")).area == pytest.approx(math.pi * 16 + 4, rel=2e-4)
    assert region.from_above(solid(read, "pin_1")).area == pytest.approx(math.pi, rel=2e-4)


def outlines_alone(text: str) -> str:
    """A drawing without the document that goes along in it."""
    document = ezdxf.read(io.StringIO(text))
    document.rootdict.discard("DETENT_DOCUMENT")
    stream = io.StringIO()
    document.write(stream)
    return stream.getvalue()


def test_a_linkage_without_shapes_is_lines_and_circles_and_can_be_read_back() -> None:
    """Bars as lines of their length, a plate of three pins as a triangle, each pin marked once."""
    bar = {"markers": {"A": [0, 0], "B": [30, 40]}}
    plate = {"markers": {"A": [30, 40], "B": [90, 40], "C": [60, 80], "D": [60, 50]}}
    ground = {"fixed": True, "markers": {"A": [0, 0], "B": [90, 0]}}
    rocker = {"markers": {"A": [0, 0], "B": [0, 40]}, "pose": {"at": [90, 0]}}
    pins = [
        ("ground.A", "crank.A"),
        ("crank.B", "plate.A"),
        ("plate.B", "joints.B"),
        ("joints.A", "ground.B"),
    ]
    parts = {"ground": ground, "crank": bar, "plate": plate, "joints": rocker}
    joints = {f"j{k}": {"type": "revolute", "between": list(pair)} for k, pair in enumerate(pins)}
    joints["twice"] = {"type": "revolute", "between": ["crank.B", "joints.B"]}
    mechanism = convert.mechanism({"units": "mm", "parts": parts, "joints": joints})
    read = dxf.loads(outlines_alone(dxf.dumps(mechanism)))
    assert list(read.parts) == ["crank", "plate", "joints"]
    pins = {(*joint.between, *map(float, joint.at)) for joint in read.joints.values()}
    assert pins == {("crank", "plate", 30, 40), ("plate", "joints", 90, 40)}
    assert read.units == "mm"
    start, end = read.parts["crank"].shape.segment
    assert math.dist(tuple(map(float, start)), tuple(map(float, end))) == pytest.approx(50)
    assert [tuple(map(float, p)) for p in read.parts["joints"].shape.segment] == [(90, 0), (90, 40)]
    assert region.from_above(solid(read, "plate")).area == pytest.approx(60 * 40 / 2)
    circles = ezdxf.read(io.StringIO(dxf.dumps(mechanism))).modelspace().query("CIRCLE")
    assert len(circles) == 4


def test_a_drawing_with_a_gap_says_where_it_is_open() -> None:
    def open_square(space: Any) -> None:
        space.add_line((0, 0), (4, 0))
        space.add_line((4, 0), (4, 4))
        space.add_line((4, 4), (0, 4.5))

    text = drawing(open_square)
    words = r"layer 0: .*LINE .* open: it ends at \(0, 4.5\), 4.5 from the nearest end, at \(0, 0\)"
    with pytest.raises(ModelError, match=words) as caught:
        dxf.loads(text)
    # The line is that of the entity's handle; its kind is two lines before.
    (problem,) = caught.value.problems
    assert problem.line is not None
    assert text.splitlines()[problem.line - 3].strip() == "LINE"


def test_curves_that_are_not_read_are_named() -> None:
    with pytest.raises(ModelError, match=r"layer 0: SPLINE \(handle \w+\) cannot be read"):
        dxf.loads(drawing(lambda space: space.add_spline([(0, 0, 0), (1, 2, 0), (3, 0, 0), (4, 4, 0)])))


@pytest.mark.parametrize(
    ("drawn", "chords"),
    [
        (lambda space: space.add_circle((0, 0), 5), False),
        (lambda space: space.add_lwpolyline([(0, 1), (2, 1), (2, 3)], close=True), False),
        (lambda space: space.add_lwpolyline([(0, 0, 1), (2, 0, 0)], format="xyb", close=True), True),
    ],
    ids=["circle", "straight", "half a disc"],
)
def test_a_drawing_notes_chords_only_where_they_stand_for_arcs(drawn: Any, chords: bool) -> None:
    assert ("chords" in dxf.loads(drawing(drawn)).note) is chords


def test_a_broken_pair_of_a_dxf_file_is_named_by_its_line() -> None:
    lines = drawing(lambda space: space.add_circle((0, 0), 1)).splitlines()
    lines[40] = "--1"
    with pytest.raises(ModelError, match=r"a\.dxf:41: expected a group code, found '--1'"):
        dxf.loads("\n".join(lines) + "\n", file="a.dxf")
    lines[40] = "zehn"
    with pytest.raises(ModelError, match=r"a\.dxf:41: expected a group code, found 'zehn'"):
        dxf.loads("\n".join(lines) + "\n", file="a.dxf")
    with pytest.raises(ModelError, match="does not end in EOF"):
        dxf.loads("\n".join(lines[:20]), file="a.dxf")


@pytest.mark.parametrize(
    "file",
    [f for f in reference_documents() if f.parent.name in ("machines", "fasteners")],
    ids=lambda f: f.stem,
)
def test_a_drawing_written_and_read_covers_the_same_plane(file: Path) -> None:
    mechanism = native.load(file)
    units = "1" if mechanism.units == "1" else None
    again = dxf.loads(outlines_alone(dxf.dumps(mechanism)), units=units)
    for name, part in mechanism.parts.items():
        if part.shape is not None:
            before, after = (region.from_above(solid(m, name), fineness=256) for m in (mechanism, again))
            # True arcs were written; both sides sample them anew, by chords laid differently.
            assert before.symmetric_difference(after).area <= 3e-4 * before.area


def test_a_segment_written_and_read_is_the_same_segment() -> None:
    shape = {"segment": [[0, 0], [4, 3]]}
    mechanism = convert.mechanism(
        {"units": "mm", "parts": {"wire": {"shape": shape, "pose": {"at": [2, 1]}}}}
    )
    (name, part), *others = dxf.loads(outlines_alone(dxf.dumps(mechanism))).parts.items()
    assert (name, others) == ("wire", [])
    assert part.shape is not None
    assert part.shape.segment is not None
    assert {tuple(map(float, end)) for end in part.shape.segment} == {(2, 1), (6, 4)}


def test_a_line_alone_on_its_layer_is_a_segment() -> None:
    def draw(space: Any) -> None:
        space.add_line((1, 2), (3, 5), dxfattribs={"layer": "wire"})
        space.add_circle((9, 9), 1, dxfattribs={"layer": "disc"})

    shape = dxf.loads(drawing(draw)).parts["wire"].shape
    assert shape is not None
    assert shape.segment == ((1, 2), (3, 5))
    with pytest.raises(ModelError, match=r"layer 0: LINE \(handle \w+\) has no size"):
        dxf.loads(drawing(lambda space: space.add_line((1, 1), (1, 1))))


def test_a_written_circle_is_a_circle() -> None:
    text = dxf.dumps(
        convert.mechanism({"parts": {"disc": {"shape": {"circle": "1/3"}, "pose": {"at": [2, 0]}}}})
    )
    (circle,) = ezdxf.read(io.StringIO(text)).modelspace()
    assert circle.dxftype() == "CIRCLE"
    assert (circle.dxf.center.x, circle.dxf.radius) == pytest.approx((2, 1 / 3))
    assert circle.dxf.layer == "disc"


def test_stl_holds_the_solid_where_it_stands() -> None:
    """Read back by its own layout: closed, outward, of the right volume, moved by the pose."""
    part = {"shape": {"block": [1, 2, 3]}, "pose": {"at": [10, 0, 0], "turn_deg": 90}}
    data = stl.dumps(convert.mechanism({"dimension": 3, "parts": {"b": part}}))
    (count,) = struct.unpack_from("<I", data, 80)
    assert len(data) == 84 + 50 * count
    facets = np.frombuffer(
        data, dtype=np.dtype([("n", "<f4", 3), ("v", "<f4", (3, 3)), ("s", "<u2")]), offset=84
    )
    corners = facets["v"].astype(float)
    volume = np.einsum("ij,ij->i", corners[:, 0], np.cross(corners[:, 1], corners[:, 2])).sum() / 6
    assert volume == pytest.approx(6)
    assert (corners.min(axis=(0, 1)), corners.max(axis=(0, 1))) == (
        pytest.approx([8, 0, 0]),
        pytest.approx([10, 1, 3]),
    )
    edges = [tuple(sorted((tuple(t[i]), tuple(t[i - 1])))) for t in corners for i in range(3)]
    assert all(edges.count(edge) == 2 for edge in edges)


def test_a_flat_part_has_no_triangles() -> None:
    with pytest.raises(UnsupportedError, match="no thickness"):
        stl.dumps(convert.mechanism({"parts": {"p": {"shape": {"circle": 1}}}}))


def test_every_readable_ending_names_a_module_that_loads_and_every_writable_one_that_saves() -> None:
    from importlib import import_module

    for kind in formats.FORMATS.values():
        module = import_module(kind.module)
        assert hasattr(module, "load") or not kind.reads
        assert hasattr(module, "save") or not kind.writes


def test_an_unknown_ending_says_what_can_be_read(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match=r"\.igs files cannot be read; known here: \.toml"):
        formats.load(tmp_path / "a.igs")
    with pytest.raises(ModelError, match=r"\.step files cannot be written"):
        formats.save(convert.mechanism({}), tmp_path / "a.step")


def test_few_chords_set_for_the_whole_file_make_polygons() -> None:
    read = openscad.loads("$fn = 4;\ncylinder(h = 2, r = 1);\ncylinder(h = 2, r = 1, $fn = 100);")
    assert moments.moments(solid(read, "part1")).volume == pytest.approx(4)
    assert moments.moments(solid(read, "part2")).volume == pytest.approx(2 * math.pi)


def test_a_perforated_plate_keeps_its_holes_and_an_older_file_its_letters(tmp_path: Path) -> None:
    def plate(space: Any) -> None:
        layer = {"layer": "Träger"}
        space.add_lwpolyline([(0, 0), (40, 0), (40, 40), (0, 40)], close=True, dxfattribs=layer)
        for i in range(30):
            for j in range(30):
                space.add_circle((5 + i, 5 + j), 0.25, dxfattribs=layer)

    file = tmp_path / "old.dxf"
    file.write_bytes(drawing(plate).encode("cp1252"))
    read = formats.load(file)
    (name,) = read.parts
    assert name == "Traeger"
    assert region.from_above(solid(read, name)).area == pytest.approx(1600 - 900 * math.pi / 16, rel=1e-4)


def test_a_picture_is_drawn_not_converted(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match="`detent draw`"):
        formats.save(convert.mechanism({}), tmp_path / "a.svg")


@pytest.mark.parametrize("comment", ["/* sphere(2);", "/*/ sphere(2);"])
def test_a_comment_of_openscad_that_is_never_closed_does_not_swallow_the_rest(comment: str) -> None:
    assert "m.scad:2:1: this comment is never closed" in scad_problem(f"cube(1);\n{comment}\n")
