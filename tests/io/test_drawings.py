"""Drawings in and out: units, names, bars that become links, and every shipped document there and back."""

import io
import math
import re
from fractions import Fraction
from itertools import pairwise

import ezdxf
import pytest
import shapely

import detent
from detent.app import inputs, main
from detent.foundation import ModelError
from detent.geometry import region, solid
from detent.io.drawing import dxf
from detent.model.machine import part_solid, place
from detent.model.reading import convert

SQUARE = [(0, 0), (2, 0), (2, 1), (0, 1)]


def text_of(drawing):
    stream = io.StringIO()
    drawing.write(stream)
    return stream.getvalue()


def drawn(layers, code=4):
    """A drawing of closed polylines and circles by layer."""
    drawing = ezdxf.new("R2010")
    drawing.header["$INSUNITS"] = code
    for layer, outlines in layers.items():
        for outline in outlines:
            if isinstance(outline[0], tuple):
                drawing.modelspace().add_lwpolyline(outline, close=True, dxfattribs={"layer": layer})
            else:
                x, y, radius = outline
                drawing.modelspace().add_circle((x, y), radius, dxfattribs={"layer": layer})
    return text_of(drawing)


# Lengths in metres by definition: international yard and pound agreement, SI, the US survey foot.
METRES = {
    1: "0.0254", 2: "0.3048", 3: "1609.344", 4: "0.001", 5: "0.01", 6: "1", 7: "1000", 8: "0.0000000254",
    9: "0.0000254", 10: "0.9144", 11: "1e-10", 12: "1e-9", 13: "1e-6", 14: "0.1", 15: "10", 16: "100",
    17: "1e9", 18: "149597870700", 19: "9460730472580800", 21: "1200/3937", 22: "100/3937", 23: "3600/3937",
    24: "6336000/3937",
}  # fmt: skip
UNIT = {"m": Fraction(1), "mm": Fraction(1, 1000), "in": Fraction("0.0254")}


@pytest.mark.parametrize("code", METRES)
def test_every_unit_of_a_drawing_is_converted_exactly(code):
    machine = dxf.loads(drawn({"plate": [SQUARE, (1, 0.5, 0.25)]}, code))
    cut = machine.parts["plate"].shape.difference
    corner, radius = cut[0].outline[2], cut[1].circle
    in_metres = [Fraction(x) * UNIT[machine.units] for x in (*corner, radius)]
    assert in_metres == [length * Fraction(METRES[code]) for length in (2, 1, Fraction(1, 4))]


@pytest.mark.parametrize("code", [0, 20, 99])
def test_a_drawing_without_units_asks_for_them(code):
    text = drawn({"plate": [SQUARE]}, code)
    with pytest.raises(ModelError, match="--units mm"):
        dxf.loads(text)
    assert dxf.loads(text, units="in").units == "in"
    with pytest.raises(ModelError, match="inches"):
        dxf.loads(drawn({"plate": [SQUARE]}, 1), units="mm")


@pytest.mark.parametrize("said", ["mm", "m", "in", "cm", "ft", "1"])
@pytest.mark.parametrize(("code", "unit"), [(1, "in"), (2, "ft"), (4, "mm"), (5, "cm"), (6, "m")])
def test_units_that_contradict_a_drawing_are_refused_whatever_its_unit(code, unit, said):
    text = drawn({"plate": [SQUARE]}, code)
    if said == unit:
        assert dxf.loads(text, units=said) == dxf.loads(text)
        return
    with pytest.raises(ModelError, match=rf"--units says {said}; leave --units out"):
        dxf.loads(text, units=said)


@pytest.mark.parametrize("units", ["mm", "1"])
def test_units_that_contradict_a_drawing_of_ours_are_refused(units):
    data = {"units": units, "parts": {"plate": {"shape": {"outline": [[0, 0], [2, 0], [2, 1], [0, 1]]}}}}
    machine = detent.from_dict(data)
    text = dxf.dumps(machine)
    assert dxf.loads(text, units=units) == dxf.loads(text) == machine
    with pytest.raises(ModelError, match="--units says in"):
        dxf.loads(text, units="in")


def test_a_header_that_leaves_units_out_is_not_metres(tmp_path, capsys):
    lines = drawn({"plate": [SQUARE]}, 4).splitlines()
    at = lines.index("$INSUNITS")
    path = tmp_path / "plate.dxf"
    path.write_text("\n".join(lines[: at - 1] + lines[at + 3 :]) + "\n")
    assert main(["check", str(path)]) == 2
    assert "does not say its units; say them: --units mm" in capsys.readouterr().out
    out = tmp_path / "plate.toml"
    assert main(["convert", "--units", "mm", str(path), str(out)]) == 0
    assert detent.load(out).units == "mm"
    for verb in ("check", "explain"):
        assert main([verb, "--units", "mm", str(path)]) == 0
    assert detent.load(path, units="mm").units == "mm"


def test_layers_keep_their_names_as_far_as_ascii_goes(tmp_path, capsys):
    path = tmp_path / "hook.dxf"
    path.write_text(drawn({"Haken Ö": [SQUARE], "été": [[(x + 5, y) for x, y in SQUARE]]}))
    assert main(["convert", str(path), str(tmp_path / "hook.toml")]) == 0
    assert "layer 'Haken Ö' is part Haken_Oe, layer 'été' is part ete" in capsys.readouterr().err
    assert list(detent.load(tmp_path / "hook.toml").parts) == ["Haken_Oe", "ete"]


def bar(a, b, width=1.0):
    """A rectangle along two holes."""
    line = shapely.LineString([a, b]).buffer(width, cap_style="square")
    return [list(line.exterior.coords[:-1]), (*a, 0.4), (*b, 0.4)]


def test_bars_that_share_holes_are_links(tmp_path, capsys):
    places = {"A": (0, 0), "B": (0, 30), "C": (80, 70), "D": (100, 0), "E": (150, 90)}
    bars = {"frame": "AD", "crank": "AB", "coupler": "BC", "rocker": "DC", "extra": "CE"}
    layers = {name: bar(places[a], places[b]) for name, (a, b) in bars.items()}
    layers["near"] = bar((0, 31), (0, 60))  # its hole is beside B
    path = tmp_path / "bars.dxf"
    path.write_text(drawn(layers))
    machine = detent.load(path)
    pins = sorted(
        (tuple(sorted(joint.between)), tuple(map(float, joint.at))) for joint in machine.joints.values()
    )
    assert pins == [
        (("coupler", "crank"), (0, 30)),
        (("coupler", "rocker"), (80, 70)),
        (("crank", "frame"), (0, 0)),
        (("extra", "rocker"), (80, 70)),  # three bars on one spot are two pins
        (("frame", "rocker"), (100, 0)),
    ]
    assert all(joint.type == "revolute" for joint in machine.joints.values())
    data = machine.to_dict()
    data["parts"]["frame"]["fixed"] = True
    del data["parts"]["near"], data["parts"]["extra"], data["joints"]["pin5"]
    assert detent.explain(detent.from_dict(data)).mobility.actual == 1
    assert main(["convert", str(path), str(tmp_path / "bars.toml")]) == 0
    assert "Holes that parts share are pins" in capsys.readouterr().err


def test_parts_that_share_two_holes_are_held_together():
    machine = dxf.loads(drawn({"a": bar((0, 0), (9, 0)), "b": bar((0, 0), (9, 0), 2)}))
    (joint,) = machine.joints.values()
    assert joint.type == "fixed"
    assert "share 2 holes" in machine.note


def regions(machine):
    """Every part as drawn, seen from above, by name."""
    poses = place(machine)
    solids = {name: part_solid(machine, name) for name in machine.parts}
    return {
        name: region.from_above(solid.placed(whole, poses.frame(name)))
        for name, whole in solids.items()
        if whole is not None
    }


def can_be_drawn(name):
    machine = detent.load(name)
    drawable = any(part.shape is not None or part.markers for part in machine.parts.values())
    library = any(part.library for part in machine.parts.values())  # an arm is no outline
    return drawable and not library and not machine.contacts and machine.rows is None


DRAWABLE = [name for name in inputs.examples() if can_be_drawn(name)]


def test_most_examples_can_be_drawn():
    assert len(DRAWABLE) > 20


@pytest.mark.parametrize("name", DRAWABLE)
def test_a_drawing_of_a_document_comes_back_whole(name):
    machine = detent.load(name)
    again = dxf.loads(dxf.dumps(machine))
    assert convert.canonical(again) == convert.canonical(machine)


@pytest.mark.parametrize("name", DRAWABLE)
def test_outlines_alone_come_back_as_the_same_parts(name):
    """As a foreign program would hand them back: without our record, areas and outlines are the same."""
    machine = detent.load(name)
    drawing = ezdxf.read(io.StringIO(dxf.dumps(machine)))
    drawing.rootdict.discard("DETENT_DOCUMENT")
    again = regions(dxf.loads(text_of(drawing), units=None if machine.units != "1" else "1"))
    for part, wanted in regions(machine).items():
        if wanted.area:
            assert again[part].area == pytest.approx(wanted.area, rel=1e-3)
            assert shapely.hausdorff_distance(again[part], wanted) < 2e-3 * wanted.length
        else:
            assert shapely.hausdorff_distance(again[part], wanted) < 1e-9 * (1 + wanted.length)


def test_a_changed_outline_counts_more_than_the_document_that_went_along():
    machine = detent.load("snap_t")
    drawing = ezdxf.read(io.StringIO(dxf.dumps(machine)))
    line = next(iter(drawing.modelspace().query("LWPOLYLINE")))
    line.translate(5, 0, 0)
    again = dxf.loads(text_of(drawing))
    assert not again.joints
    assert "changed since" in again.note


def test_a_cutter_sees_outlines_and_holes_alone():
    machine = detent.load("four_bar")
    kinds = {e.dxftype() for e in ezdxf.read(io.StringIO(dxf.dumps(machine))).modelspace()}
    assert kinds <= {"LWPOLYLINE", "CIRCLE"}
    assert dxf.loads(dxf.dumps(machine)).joints


@pytest.mark.parametrize("first", range(5))
def test_an_open_outline_is_named_at_its_gap_wherever_it_is_followed_from(first):
    """Five lines around a square, apart by 0.5 in one corner and joined in the others, in any order."""
    lines = [
        ((0, 0), (30, 0)),
        ((30.5, 0), (30, 20)),
        ((30, 20), (10, 20)),
        ((0, 20), (10, 20)),
        ((0, 20), (0, 0)),
    ]
    drawing = ezdxf.new("R2010")
    drawing.header["$INSUNITS"] = 4
    for start, end in (*lines[first:], *lines[:first]):
        drawing.modelspace().add_line(start, end)
    with pytest.raises(ModelError, match=r"at \(30(.5)?, 0\), 0.5 from the nearest end, at \(30(.5)?, 0\)"):
        dxf.loads(text_of(drawing))


def test_what_chords_are_said_to_leave_their_arc_by_is_a_bound():
    """A half disc: the middle of a chord lies inside the circle by what is said, or by less."""
    drawing = ezdxf.new("R2010")
    drawing.header["$INSUNITS"] = 4
    drawing.modelspace().add_lwpolyline([(1, 0, 1), (-1, 0)], format="xyb", close=True)
    read = dxf.loads(text_of(drawing))
    (part,) = read.parts.values()
    rim = [(float(x), float(y)) for x, y in part.shape.outline]
    middles = [math.hypot(a[0] + b[0], a[1] + b[1]) / 2 for a, b in pairwise(rim)]
    away = 1 - min(m for m in middles if m > 0.5)
    said, slant = map(float, re.findall(r"at most (\S+) of their radius, and (\S+)°", read.note)[0])
    assert away <= said < 1.02 * away
    assert math.degrees(math.acos(1 - away)) <= slant < 0.72


@pytest.mark.parametrize("scale", [1, 1000, 0.01])
def test_a_hole_drawn_in_several_arcs_is_round_and_a_pin(scale):
    """As two bulges, two arcs and three arcs, in one place; a hexagon beside them is not round."""
    drawing = ezdxf.new("R2010")
    drawing.header["$INSUNITS"] = 1
    space = drawing.modelspace()

    def closed(layer, *vertices):
        points = [(scale * x, scale * y, *bulge) for x, y, *bulge in vertices]
        space.add_lwpolyline(points, format="xyb", close=True, dxfattribs={"layer": layer})

    for layer, turns in {"a": (), "b": (17, 200), "c": (240, 0, 110)}.items():
        closed(layer, (-1, -1), (7, -1), (7, 9), (-1, 9))
        closed(layer, (5.5, 8), (5.25, 8.43), (4.75, 8.43), (4.5, 8), (4.75, 7.57), (5.25, 7.57))
        for k, start in enumerate(turns):
            end, at = turns[(k + 1) % len(turns)], {"layer": layer}
            space.add_arc((3.3 * scale, 2.7 * scale), 0.5 * scale, start, end, dxfattribs=at)
    closed("a", (3.6, 3.1, 1), (3, 2.3, 1))
    read = dxf.loads(text_of(drawing))
    for part in read.parts.values():
        (circle,) = [hole for hole in part.shape.difference if hole.circle is not None]
        assert float(circle.circle) == pytest.approx(0.5 * scale, rel=1e-12)
    pins = {(joint.between, tuple(map(float, joint.at))) for joint in read.joints.values()}
    place = (pytest.approx(3.3 * scale), pytest.approx(2.7 * scale))
    assert [between for between, _ in sorted(pins)] == [("a", "b"), ("b", "c")]
    assert all(at == place for _, at in pins)


@pytest.mark.parametrize("miss", [0.0, 1e-9])
def test_a_closed_polyline_that_repeats_its_vertices_has_each_of_them_once(miss):
    corners = [(100, 0), (140, 0), (140, 20), (100, 20)]
    plain, again = ezdxf.new("R2010"), ezdxf.new("R2010")
    for drawing, points in (
        (plain, corners),
        (again, [corners[0], corners[0], *corners[1:], corners[-1], (100 + miss, 0)]),
    ):
        drawing.header["$INSUNITS"] = 4
        drawing.modelspace().add_lwpolyline(points, close=True, dxfattribs={"layer": "plate"})
        # A rim closed by the arc that ends where it began.
        rim = [(100, 50, 1), (120, 50, 1)] + ([(100, 50, 0)] if drawing is again else [])
        drawing.modelspace().add_lwpolyline(rim, format="xyb", close=True, dxfattribs={"layer": "disc"})
    assert dxf.loads(text_of(again)) == dxf.loads(text_of(plain))


@pytest.mark.parametrize(
    "header", [[], ["0", "SECTION", "2", "HEADER", "9", "$INSUNITS", "70", "4", "0", "ENDSEC"]]
)
def test_closed_polylines_of_a_drawing_without_version_keep_layer_and_closing_side(header):
    entities = []
    for layer, x in (("base", 0), ("lever", 50)):
        corners = [str(n) for a, b in SQUARE for n in (10, a + x, 20, b)]
        entities += ["0", "LWPOLYLINE", "100", "AcDbEntity", "8", layer, "100", "AcDbPolyline"]
        entities += ["90", "4", "70", "1", *corners]
    lines = [*header, "0", "SECTION", "2", "ENTITIES", *entities, "0", "ENDSEC", "0", "EOF"]
    machine = dxf.loads("\n".join(lines) + "\n", units=None if header else "mm")
    outlines = {name: part.shape.outline for name, part in machine.parts.items()}
    assert outlines == {"base": tuple(SQUARE), "lever": tuple((x + 50, y) for x, y in SQUARE)}
