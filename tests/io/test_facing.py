"""Drawings as CAD programs leave them: mirrored and tilted entities, hidden layers, holes that just miss."""

import io
import itertools
from fractions import Fraction

import ezdxf
import pytest
import shapely
from ezdxf import path as ezdxf_path

import detent
from detent.app import main
from detent.foundation import ModelError
from detent.geometry import region, solid
from detent.io.drawing import dxf
from detent.model.machine import part_solid, place

UP, DOWN = (0, 0, 1), (0, 0, -1)


def text_of(drawing):
    out = io.StringIO()
    drawing.write(out)
    return out.getvalue()


def draw(extrusion, kind):
    drawing = ezdxf.new("R2010")
    drawing.header["$INSUNITS"] = 4
    space = drawing.modelspace()
    how = {"layer": "part", "extrusion": extrusion}
    if kind == "lwpolyline":
        space.add_lwpolyline(
            [(20, 0, 0.5), (30, 0, 0), (33, 10, -0.2), (22, 10, 0)], format="xyb", close=True, dxfattribs=how
        )
    elif kind == "polyline":
        space.add_polyline2d(
            [(20, 0, 0.5), (30, 0, 0), (22, 10, 0)], format="xyb", close=True, dxfattribs=how
        )
    elif kind == "circle":
        space.add_circle((7, 3), 2, dxfattribs=how)
    else:
        arc = space.add_arc((5, 2), 3, 20, 160, dxfattribs=how)
        space.add_line(arc.start_point, arc.end_point, dxfattribs={"layer": "part"})
    return drawing


def truth(drawing):
    """The outline in the world's axes, by the library's own conversion."""
    paths = [ezdxf_path.make_path(e) for e in drawing.modelspace()]
    return shapely.Polygon([(p.x, p.y) for each in paths for p in each.flattening(1e-4)]).convex_hull


@pytest.mark.parametrize("extrusion", [UP, DOWN])
@pytest.mark.parametrize("kind", ["lwpolyline", "polyline", "circle", "arc"])
def test_what_is_drawn_from_below_lies_where_it_is_seen(kind, extrusion):
    drawing = draw(extrusion, kind)
    machine = dxf.loads(text_of(drawing))
    whole = solid.placed(part_solid(machine, "part"), place(machine).frame("part"))
    read = region.from_above(whole).convex_hull
    wanted = truth(drawing)
    assert read.symmetric_difference(wanted).area < 2e-3 * wanted.area
    assert (wanted.centroid.x < 0) == (extrusion == DOWN)


@pytest.mark.parametrize("kind", ["lwpolyline", "polyline", "circle", "arc"])
def test_what_is_tilted_out_of_the_drawing_is_refused(kind):
    with pytest.raises(ModelError, match="tilted out of the drawing"):
        dxf.loads(text_of(draw((0, 1, 1), kind)))


def bars(miss):
    drawing = ezdxf.new("R2010")
    drawing.header["$INSUNITS"] = 4
    space = drawing.modelspace()
    for layer, (x0, y0, x1, y1), holes in (
        ("a", (-5, -5, 45, 5), ((0, 0), (40, 0))),
        ("b", (35, -5, 45, 50), ((40 + miss, 0), (40, 45))),
    ):
        corners = [(x0, y0), (x1, y0), (x1, y1), (x0, y1)]
        space.add_lwpolyline(corners, close=True, dxfattribs={"layer": layer})
        for hole in holes:
            space.add_circle(hole, 2, dxfattribs={"layer": layer})
    return drawing


@pytest.mark.parametrize(("miss", "pins"), [(0, 1), (1e-5, 1), (1e-3, 0), (0.3, 0), (8, 0)])
def test_holes_that_just_miss_each_other_are_named(miss, pins):
    machine = dxf.loads(text_of(bars(miss)))
    assert len(machine.joints) == pins
    note = machine.note or ""
    assert ("Not pinned" in note) == (not pins and miss < 1)
    if "Not pinned" in note:
        assert f"a and b, drawn {miss:.3g} mm apart at (40, 0)" in note


@pytest.mark.parametrize("origin", [(-40, 0), (1e4, -3e4), (1e6, 1e6)])
@pytest.mark.parametrize(("miss", "pins"), [(0, 1), (1e-5, 1), (0.004, 0), (0.3, 0), (8, 0)])
def test_where_the_origin_is_decides_nothing_about_holes(miss, pins, origin):
    drawing = bars(miss)
    for entity in drawing.modelspace():
        entity.translate(*origin, 0)
    machine = dxf.loads(text_of(drawing))
    assert len(machine.joints) == pins
    named = (machine.note or "").partition("Not pinned, as their holes are not on one spot: ")[2]
    if pins or miss > 1:
        assert not named
    else:
        x, y = 40 + origin[0], origin[1]
        assert named == f"a and b, drawn {miss:.3g} mm apart at ({x:.6g}, {y:.6g})."


def test_how_far_holes_miss_each_other_is_in_the_unit_of_the_document():
    drawing = bars(0.3)
    drawing.header["$INSUNITS"] = 5  # centimetres, converted to mm
    machine = dxf.loads(text_of(drawing))
    assert machine.units == "mm"
    assert "drawn 3 mm apart at (400, 0)" in machine.note


@pytest.mark.parametrize("origin", [0, 1e4, 1e6])
def test_an_outline_with_a_gap_is_open_wherever_it_lies(origin):
    drawing = ezdxf.new("R2010")
    drawing.header["$INSUNITS"] = 4
    corners = [(0, 0), (10, 0), (10, 5), (0, 5), (0, 0.4)]
    for (a, b), (c, d) in itertools.pairwise(corners):
        start, end = (a + origin, b + origin), (c + origin, d + origin)
        drawing.modelspace().add_line(start, end, dxfattribs={"layer": "a"})
    with pytest.raises(ModelError, match="open"):
        dxf.loads(text_of(drawing))


@pytest.mark.parametrize("hide", ["off", "freeze"])
def test_hidden_layers_are_read_and_said_to_be(hide):
    drawing = bars(0)
    getattr(drawing.layers.add("b"), hide)()
    machine = dxf.loads(text_of(drawing))
    assert set(machine.parts) == {"a", "b"}
    assert "off or frozen are read as well: 'b'" in machine.note
    assert "off or frozen" not in dxf.loads(text_of(bars(0))).note


def test_what_is_passed_over_is_counted():
    drawing = bars(0)
    space = drawing.modelspace()
    space.add_text("Bar A")
    space.add_text("Bar B", dxfattribs={"layer": "a"})
    space.add_mtext("1:2")
    space.add_point((0, 0))
    drawing.layout("Layout1").add_lwpolyline([(0, 0), (1, 0), (0, 1)], close=True)
    machine = dxf.loads(text_of(drawing))
    assert machine.parts == dxf.loads(text_of(bars(0))).parts
    assert "Passed over: 1 MTEXT, 1 POINT, 2 TEXT and all of paper space (1 entity)." in machine.note
    assert "Passed over" not in (dxf.loads(text_of(bars(0))).note or "")


@pytest.mark.parametrize(
    ("said", "length"),
    [("cm", "0.01"), ("ft", "0.3048"), ("µm", "1e-6"), ("um", "1e-6"), ("MM", "1e-3"), ("inch", "0.0254")],
)
def test_units_that_people_draw_in_can_be_said(tmp_path, said, length):
    drawing = bars(0)
    drawing.header["$INSUNITS"] = 0
    path, out = tmp_path / "bars.dxf", tmp_path / "bars.toml"
    path.write_text(text_of(drawing))
    assert main(["convert", "--units", said, str(path), str(out)]) == 0
    machine = detent.load(out)
    metres = {"m": 1, "mm": Fraction(1, 1000), "in": Fraction("0.0254")}[machine.units]
    assert Fraction(machine.joints["pin1"].at[0]) * metres == 40 * Fraction(length)


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("arm.toml", 'format = "detent/1"\nunits = "in"\n[parts.arm]\n', "in inches, and --units says mm"),
        ("cube.csg", "cube(size = [1, 2, 3], center = false);\n", "in millimetres, and --units says cm"),
    ],
)
def test_units_that_contradict_a_document_or_a_solid_are_refused_not_passed_over(
    capsys, tmp_path, name, text, said
):
    path, other = tmp_path / name, said.split()[-1]
    path.write_text(text)
    assert main(["convert", "--units", other, str(path), str(tmp_path / "out.json")]) == 2
    assert f"{said}; leave --units out" in capsys.readouterr().err
    with pytest.raises(detent.ModelError, match=said):
        detent.load(path, units=other)
    assert detent.load(path, units="inch" if "inches" in said else "MM") == detent.load(path)


def test_units_that_contradict_the_drawing_are_refused(capsys, tmp_path):
    path = tmp_path / "bars.dxf"
    path.write_text(text_of(bars(0)))
    assert main(["check", "--units", "cm", str(path)]) == 2
    assert "says that it is in millimetres, and --units says cm" in capsys.readouterr().out
    assert main(["check", "--units", "pc", str(path)]) == 2
    assert "did you mean 'm'" not in capsys.readouterr().err
