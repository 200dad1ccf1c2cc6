"""STEP: solids whose faces are planes and cylinders, as the document's own primitives.

A solid is read where one direction runs along all its cylinders and along or
across all its planes. It is cut between each two heights at which a face lies
across that direction; a cut's circles become cylinders, its rectangles blocks,
other loops prisms, loops inside loops holes; arcs become chords, 256 to a
circle. Any other face is named and refused. The kernel that reads STEP is an
optional extra of more than a gigabyte. The text is checked before it is asked,
so that a broken file is reported by its line, and it runs in a process of its own,
because self-contradicting geometry can end it.
"""

from __future__ import annotations

import json
import math
import re
import subprocess
import sys
import tempfile
from fractions import Fraction
from importlib.util import find_spec
from itertools import pairwise
from pathlib import Path
from typing import Any

from detent.foundation.errors import ModelError, Problem, UnsupportedError, missing_extra
from detent.foundation.exact import literal, number
from detent.geometry import frame as frames
from detent.io.disk import foreign
from detent.io.disk.files import read_text
from detent.io.drawing import loops
from detent.io.drawing.loops import Loop, OutlinePiece
from detent.model.document.mechanism import Mechanism

_TOKEN = re.compile(r"'(?:[^']|'')*'|/\*.*?\*/|[();]|#\d+\s*=\s*[A-Za-z_(]?|#\d*", re.DOTALL)
# Directions and heights nearer than this (of unit vectors, of the solid's size) are one.
_SAME = 1e-7
# Coordinates are written with this many significant digits; the kernel's own are no better.
_DIGITS = 12
# [s] The kernel itself takes a few seconds to start.
_PATIENCE = 30.0


def load(file: Path) -> Mechanism:
    """The Mechanism in a STEP file, one part per solid, in millimetres."""
    refuse_broken(read_text(file), str(file))
    if find_spec("OCP") is None:
        raise missing_extra("cadquery-ocp", "step")
    result = _in_a_child(file)
    if "problem" in result:
        raise UnsupportedError(f"{file}: {result['problem']}", result["remedy"], result["at"])
    if not result["parts"]:
        raise ModelError.at("", "holds no solid", "export solids, not surfaces", file=str(file))
    note = "Read from STEP; arcs other than full circles are chords, 256 to a circle."
    data = {"units": "mm", "dimension": 3, "parts": result["parts"], "note": note}
    return foreign.mechanism(data, str(file), {})


def _in_a_child(file: Path) -> Any:
    """What the kernel makes of the file, read in a process of its own: broken geometry can end it."""
    with tempfile.TemporaryDirectory() as folder:
        answer = Path(folder) / "answer.json"
        command = [sys.executable, "-m", "detent.io.drawing.step", str(file), str(answer)]
        try:
            subprocess.run(
                command, check=True, stdin=subprocess.DEVNULL, capture_output=True, timeout=_PATIENCE
            )
            return json.loads(answer.read_text())
        except subprocess.TimeoutExpired:
            words = f"takes the kernel more than {_PATIENCE:g} s to read"
        except (subprocess.CalledProcessError, OSError):
            words = "breaks the kernel that reads STEP: its geometry contradicts itself"
    raise ModelError.at("", words, "export it again, simplified", file=str(file))


def read(file: Path) -> dict[str, Any]:
    """The parts as plain data, by the kernel, in this process; or the problem with one."""
    kernel = _kernel()
    parts: dict[str, Any] = {}
    try:
        for solid in _solids(kernel, file):
            parts[f"part{len(parts) + 1}"] = {"shape": _shape(kernel, solid)}
    except UnsupportedError as error:
        problem = error.problem
        return {"problem": problem.problem, "remedy": problem.remedy, "at": f"part{len(parts) + 1}"}
    return {"parts": parts}


def refuse_broken(text: str, file: str) -> None:
    """Frame, brackets and references of the exchange structure, by line; geometry is the kernel's."""

    def wrong(position: int, problem: str, remedy: str = "export it again") -> ModelError:
        line = text.count("\n", 0, position) + 1
        return ModelError(Problem("", problem, remedy, file, line))

    start = len(text) - len(text.lstrip())
    if not text.startswith("ISO-10303-21;", start):
        raise wrong(start, "does not begin with ISO-10303-21;", "this is not a STEP file")
    if not text.rstrip().endswith("END-ISO-10303-21;"):
        raise wrong(len(text), "does not end in END-ISO-10303-21;: it is cut short")
    depth, opened = 0, 0
    defined: set[str] = set()
    named: list[tuple[str, int]] = []
    for token in _TOKEN.finditer(text):
        word = token.group()
        if word == "(":
            depth, opened = depth + 1, token.start()
        elif word == ")":
            depth -= 1
            if depth < 0:
                raise wrong(token.start(), "this ')' closes nothing: a '(' is missing before it")
        elif word == ";" and depth > 0:
            raise wrong(opened, "this '(' is never closed: a ')' is missing")
        elif word.startswith("#") and "=" in word:
            defined.add(word.partition("=")[0].strip())
            if word.rstrip().endswith("="):
                raise wrong(token.start(), "defines no entity after '='")
            depth, opened = (depth + 1, token.end() - 1) if word.endswith("(") else (depth, opened)
        elif word.startswith("#"):
            named.append((word, token.start()))
    for name, position in named:
        if name not in defined:
            raise wrong(position, f"refers to {name}, which is not there")


def _kernel() -> Any:
    """The parts of the geometry kernel that are used."""
    from importlib import import_module
    from types import SimpleNamespace

    wanted = (
        "STEPControl", "IFSelect", "TopExp", "TopAbs", "TopoDS", "BRepAdaptor", "GeomAbs",
        "BRepAlgoAPI", "gp",
    )  # fmt: skip
    return SimpleNamespace(**{name: import_module(f"OCP.{name}") for name in wanted})


def _solids(kernel: Any, file: Path) -> list[Any]:
    reader = kernel.STEPControl.STEPControl_Reader()
    if reader.ReadFile(str(file)) != kernel.IFSelect.IFSelect_ReturnStatus.IFSelect_RetDone:
        raise UnsupportedError("its entities cannot be read", "export it again")
    reader.TransferRoots()
    whole = reader.OneShape()
    return [] if whole.IsNull() else _explored(kernel, whole, kernel.TopAbs.TopAbs_ShapeEnum.TopAbs_SOLID)


def _explored(kernel: Any, shape: Any, kind: Any) -> list[Any]:
    explorer = kernel.TopExp.TopExp_Explorer(shape, kind)
    shapes = []
    while explorer.More():
        shapes.append(explorer.Current())
        explorer.Next()
    return shapes


def _shape(kernel: Any, solid: Any) -> dict[str, Any]:
    planes, axes = _faces(kernel, solid)
    along = _direction([normal for normal, _ in planes], axes)
    moves, frame = _upright(along)
    matrix = frame.matrix[:, :3]
    size = max((abs(c) for _, at in planes for c in at), default=1.0) or 1.0
    heights = [_dot(at, along) for normal, at in planes if abs(_dot(normal, along)) > 1 - _SAME]
    cuts = _distinct(sorted(heights), _SAME * size)
    slabs: list[tuple[float, float, dict[str, Any]]] = []
    for low, high in pairwise(cuts):
        section = _section(kernel, solid, along, (low + high) / 2, matrix)
        if section is None:
            continue
        if slabs and slabs[-1][1] == low and slabs[-1][2] == section:
            slabs[-1] = (slabs[-1][0], high, section)
        else:
            slabs.append((low, high, section))
    if not slabs:
        raise UnsupportedError("a solid has no thickness", "export it again")
    raised = [_raised(section, low, high) for low, high, section in slabs]
    shape = raised[0] if len(raised) == 1 else {"union": raised}
    if not moves:
        return shape
    return {"union": [shape], "moves": moves} if "moves" in shape else {**shape, "moves": moves}


def _faces(kernel: Any, solid: Any) -> tuple[list[tuple[Any, Any]], list[Any]]:
    """Normals and points of the planes, axes of the cylinders."""
    planes, axes = [], []
    kinds = kernel.GeomAbs.GeomAbs_SurfaceType
    for face in _explored(kernel, solid, kernel.TopAbs.TopAbs_ShapeEnum.TopAbs_FACE):
        surface = kernel.BRepAdaptor.BRepAdaptor_Surface(kernel.TopoDS.TopoDS.Face(face))
        kind = surface.GetType()
        if kind == kinds.GeomAbs_Plane:
            plane = surface.Plane()
            planes.append((_three(plane.Axis().Direction()), _three(plane.Location())))
        elif kind == kinds.GeomAbs_Cylinder:
            axes.append(_three(surface.Cylinder().Axis().Direction()))
        else:
            word = str(kind).rpartition("_")[2].lower()
            remedy = "planes and cylinders are read; model the part with primitives, or simplify it"
            raise UnsupportedError(f"a face is a {word}", remedy)
    return planes, axes


def _direction(normals: list[Any], axes: list[Any]) -> tuple[float, float, float]:
    """The one direction along all cylinders and along or across all planes."""
    candidates = axes[:1] or [(0.0, 0.0, 1.0), (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), *normals]
    for along in candidates:
        round_ones = all(abs(_dot(axis, along)) > 1 - _SAME for axis in axes)
        flat_ones = all(abs(_dot(n, along)) > 1 - _SAME or abs(_dot(n, along)) < _SAME for n in normals)
        if round_ones and flat_ones and any(abs(_dot(n, along)) > 1 - _SAME for n in normals):
            lead = max(along, key=abs)
            x, y, z = (c * math.copysign(1.0, lead) for c in along)
            return x, y, z
    remedy = "read are solids with one direction along or across every face"
    raise UnsupportedError("its faces lie along more than one direction", remedy)


def _upright(along: tuple[float, float, float]) -> tuple[list[dict[str, Any]], frames.Frame]:
    """Moves that take +z to a direction, and the same as a frame."""
    if along[2] > 1 - _SAME:
        return [], frames.IDENTITY
    if along[0] > 1 - _SAME:
        return [{"turn_deg": 90, "about": "y"}], frames.turn_deg(Fraction(90), frames.AXES["y"])
    if along[1] > 1 - _SAME:
        return [{"turn_deg": -90, "about": "x"}], frames.turn_deg(Fraction(-90), frames.AXES["x"])
    axis = (_plain(-along[1]), _plain(along[0]), Fraction(0))
    angle = _plain(math.degrees(math.atan2(math.hypot(along[0], along[1]), along[2])))
    return [{"turn_deg": angle, "about": list(axis)}], frames.turn_deg(angle, axis)


def _section(kernel: Any, solid: Any, along: Any, height: float, matrix: Any) -> dict[str, Any] | None:
    """The loops of a cut across the direction, as a flat shape in the upright frame."""
    gp = kernel.gp
    at = gp.gp_Pnt(*(height * c for c in along))
    cut = kernel.BRepAlgoAPI.BRepAlgoAPI_Section(solid, gp.gp_Pln(at, gp.gp_Dir(*along)), False)
    cut.Build()
    whole: list[Loop] = []
    pieces: list[OutlinePiece] = []
    for edge in _explored(kernel, cut.Shape(), kernel.TopAbs.TopAbs_ShapeEnum.TopAbs_EDGE):
        curve = kernel.BRepAdaptor.BRepAdaptor_Curve(kernel.TopoDS.TopoDS.Edge(edge))
        first, last = curve.FirstParameter(), curve.LastParameter()
        if curve.GetType() == kernel.GeomAbs.GeomAbs_CurveType.GeomAbs_Circle:
            circle = curve.Circle()
            if last - first > math.tau - _SAME:
                u, v, _ = _three(circle.Location()) @ matrix
                whole.append(Loop((), ((_rounded(u), _rounded(v)), _rounded(circle.Radius())), "a circle"))
                continue
            steps = max(1, math.ceil((last - first) / loops.CHORD))
        else:
            steps = 1
        run = [_three(curve.Value(first + (last - first) * k / steps)) @ matrix for k in range(steps + 1)]
        pieces.append(OutlinePiece(tuple((_rounded(p[0]), _rounded(p[1])) for p in run), "an edge of a cut"))
    whole += loops.chained(pieces, _SAME, "")
    return loops.nested(whole) if whole else None


def _raised(shape: dict[str, Any], low: float, high: float) -> dict[str, Any]:
    """A flat shape between two heights; circles as cylinders, upright rectangles as blocks."""
    for operation in ("union", "difference"):
        if operation in shape:
            return {operation: [_raised(child, low, high) for child in shape[operation]]}
    height, base = _plain(high - low), _plain(low)
    if "circle" in shape:
        x, y = shape["moves"][0]["move"] if "moves" in shape else (0, 0)
        solid: dict[str, Any] = {"cylinder": {"radius": shape["circle"], "height": height}}
        return _moved(solid, [x, y, base])
    corner = _rectangle(shape["outline"])
    if corner is not None:
        x, y, width, depth = corner
        return _moved({"block": [width, depth, height]}, [x, y, base])
    return _moved({"prism": {"outline": shape["outline"], "height": height}}, [0, 0, base])


def _rectangle(points: list[Any]) -> tuple[Any, Any, Any, Any] | None:
    """Corner and sides of an outline that is a rectangle along the axes."""
    from detent.geometry.outline import cleaned

    corners = cleaned([(x, y) for x, y in points])
    xs, ys = sorted({x for x, _ in corners}), sorted({y for _, y in corners})
    if len(corners) != 4 or len(xs) != 2 or len(ys) != 2:
        return None
    return xs[0], ys[0], number(xs[1] - xs[0]), number(ys[1] - ys[0])


def _moved(shape: dict[str, Any], vector: list[Any]) -> dict[str, Any]:
    return {**shape, "moves": [{"move": vector}]} if any(c != 0 for c in vector) else shape


def _distinct(values: list[float], apart: float) -> list[float]:
    kept: list[float] = []
    for value in values:
        if not kept or value - kept[-1] > apart:
            kept.append(value)
    return kept


def _three(vector: Any) -> Any:
    import numpy as np

    return np.array([vector.X(), vector.Y(), vector.Z()])


def _dot(a: Any, b: Any) -> float:
    return float(a[0] * b[0] + a[1] * b[1] + a[2] * b[2])


def _rounded(value: float) -> float:
    return float(f"{value:.{_DIGITS}g}") + 0.0 if abs(value) > 10.0**-_DIGITS else 0.0


def _plain(value: float) -> Fraction:
    return number(_rounded(value))


if __name__ == "__main__":
    Path(sys.argv[2]).write_text(json.dumps(read(Path(sys.argv[1])), default=literal))
