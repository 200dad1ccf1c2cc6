"""DXF: outlines in and out, one layer per part.

In: closed LWPOLYLINE and POLYLINE, CIRCLE, and LINE and ARC that chain into
closed loops; a loop inside another is its hole, and so on. A straight
piece alone on its layer is a segment. A circle stays a circle; arcs become
chords that leave them by at most 7.6e-5 of their radius (256 to a circle), which
the document's note says. Text, dimensions and the like are passed over, which
the note says too (`passed_over.py`); other curves are refused by name and layer.

Out: the view from above of every part as drawn, one layer per part. A part of one
layer keeps true arcs and circles; others are written as their sampled outline.
Links that are points and no shape are lines, their joints circles on a layer of their own
(`sticks`). The document itself goes along, so that the drawing comes back whole (`embedded.py`).

Units are converted exactly (`drawing_units.py`); parts that share holes are pinned (`bars.py`).
"""

from __future__ import annotations

import io
import math
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

from detent.foundation.errors import ModelError, Problem, UnsupportedError
from detent.foundation.exact import number
from detent.foundation.names import listed
from detent.io.disk.files import read_bytes, write_atomically
from detent.io.drawing import loops
from detent.io.drawing.bars import pinned
from detent.io.drawing.drawing_units import UNITS_KEY, code_of, refuse_units, scaled, units_of
from detent.io.drawing.dxf_version import with_version
from detent.io.drawing.embedded import document_in, embed
from detent.io.drawing.layer_names import part_name, renamed
from detent.io.drawing.loops import Loop, OutlinePiece
from detent.io.drawing.passed_over import is_passed_over, passed_over
from detent.io.native import document
from detent.model.document.mechanism import Mechanism
from detent.model.reading import convert

_CODE = re.compile(r"-?[0-9]{1,4}\Z")
JOINTS = "detent_joints"  # the layer of circles that mark joints of links without shapes
# Loose ends of a drawing meet within this share of its size.
_JOIN = 1e-6
# What is read within two seconds; an outline of a machine has some hundred vertices.
MAX_PIECES = 50_000
MAX_CHARACTERS = 3_000_000
MAX_LOOPS = 3000  # of a layer; each might lie in each other
# A drawing larger than this many times its smallest step loses it to rounding.
_FAR = 1e12
_LARGEST = 1e60
_TILTED = 1e-9  # of an entity's plane, what rounding leaves


def load(file: Path, *, units: str | None = None) -> Mechanism:
    """The Mechanism in a DXF file; `units` are those of a drawing that does not say its own."""
    data = read_bytes(file)
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        # Before 2007 a drawing was in the code page of its maker; only names depend on it.
        text = data.decode("cp1252", errors="replace")
    return loads(text, file=str(file), units=units)


def loads(text: str, *, file: str = "<text>", units: str | None = None) -> Mechanism:
    """The Mechanism that DXF text describes."""
    if len(text) > MAX_CHARACTERS:
        problem = f"is longer than {MAX_CHARACTERS // 1_000_000} million characters"
        raise ModelError.at("", problem, "keep the outlines alone", file=file)
    _refuse_broken_tags(text, file)
    drawing = _drawing(text, file)
    words: list[str] = []
    # The library fills in what a header leaves out; only what the file says counts.
    code = int(drawing.header.get(UNITS_KEY, 0)) if UNITS_KEY in text else 0
    embedded, is_current = document_in(drawing)
    if embedded is not None and (whole := _document_of(embedded)) is not None:
        if is_current:
            if units_of(code, units or whole.units, file)[0] != whole.units:
                refuse_units(whole.units, str(units), file)
            return whole
        units = units or (whole.units if code_of(whole.units) == 0 else None)
        words.append(
            "The outlines were changed since Detent wrote them: they count, joints and all else do not."
        )
    units, factor, converted = units_of(code, units, file)
    by_layer: dict[str, list[Any]] = {}
    for entity in drawing.modelspace():
        if not is_passed_over(entity):
            by_layer.setdefault(_said(entity, "layer"), []).append(entity)
    marks = [_centre(entity) for entity in by_layer.pop(JOINTS, []) if entity.dxftype() == "CIRCLE"]
    parts, names = _parts(by_layer, text, file)
    if not parts:
        raise ModelError.at(
            "", "draws no outline", "draw closed polylines, circles, lines or arcs", file=file
        )
    parts = scaled(parts, factor)
    joints, about_pins = pinned(parts, [(float(factor) * x, float(factor) * y) for x, y in marks], units)
    words += [converted, renamed(names), _hidden(drawing, list(by_layer)), passed_over(drawing), *about_pins]
    if any(_bends(entity) for drawn in by_layer.values() for entity in drawn):
        words.append(
            "Arcs of the drawing, but for whole circles, are chords that leave them by at most "
            f"{loops.LEAVES} of their radius, and {loops.SLANTS}° of their direction."
        )
    data: dict[str, Any] = {"units": units, "dimension": 2, "parts": parts}
    if joints:
        data["joints"] = joints
    if any(words):
        data["note"] = " ".join(filter(None, words))
    try:
        return convert.mechanism(data)
    except ModelError as error:
        raise error.in_file(file) from None


def _hidden(drawing: Any, layers: list[str]) -> str:
    """Says that layers which are not shown count all the same."""
    hidden = [
        repr(layer)
        for layer in layers
        if layer in drawing.layers
        and (drawing.layers.get(layer).is_off() or drawing.layers.get(layer).is_frozen())
    ]
    return f"Layers that are off or frozen are read as well: {listed(hidden)}." if hidden else ""


def _parts(by_layer: dict[str, list[Any]], text: str, file: str) -> tuple[dict[str, Any], dict[str, str]]:
    """Plain data of parts, and the layer of each."""
    parts: dict[str, Any] = {}
    names: dict[str, str] = {}
    try:
        for layer, drawn in by_layer.items():
            name = part_name(layer, parts)
            parts[name], names[name] = {"shape": _shape(drawn, layer)}, layer
    except ModelError as error:
        raise ModelError(
            *(replace(p, file=file, line=_line(p.problem, text)) for p in error.problems)
        ) from None
    return parts, names


def _document_of(text: bytes) -> Mechanism | None:
    """The document that a drawing was written from; None where it cannot be read any more."""
    try:
        return document.loads_json(text.decode())
    except (ModelError, UnicodeDecodeError):
        return None


def _centre(entity: Any) -> tuple[float, float]:
    return _facing(entity) * float(entity.dxf.center.x) + 0.0, float(entity.dxf.center.y)


def _facing(entity: Any) -> int:
    """1 of a plane entity seen from above, -1 of one seen from below, whose own x runs the other way."""
    x, y, z = entity.dxf.extrusion
    if math.hypot(x, y) > _TILTED * abs(z):
        remedy = "flatten it, or draw it in the xy-plane"
        raise ModelError.at(
            f"layer {_said(entity, 'layer')}", f"{_tag(entity)} is tilted out of the drawing", remedy
        )
    return 1 if z > 0 else -1


def _refuse_broken_tags(text: str, file: str) -> None:
    """DXF is pairs of lines: a group code, a value. The first broken pair is named by its line."""
    lines = text.splitlines()
    for index in range(0, len(lines) - 1, 2):
        code = lines[index].strip()
        if not _CODE.match(code):
            problem = f"expected a group code, found {code[:40]!r}"
            raise ModelError(Problem("", problem, "a DXF file is pairs of code and value", file, index + 1))
        if 10 <= int(code) <= 59 and not _is_double(lines[index + 1]):
            problem = f"expected a number, found {lines[index + 1].strip()[:40]!r}"
            raise ModelError(Problem("", problem, f"group code {code} is a number", file, index + 2))
    if len(lines) < 2 or [line.strip() for line in lines[-2:]] != ["0", "EOF"]:
        remedy = "it is cut short, or not an ASCII DXF; save it again"
        raise ModelError(Problem("", "does not end in EOF", remedy, file, max(len(lines), 1)))


def _line(words: str, text: str) -> int | None:
    """The line of the entity that the words name by its handle (group code 5)."""
    match = re.search(r"\(handle (\w+)\)", words)
    lines = text.splitlines()
    if match is None:
        return None
    pairs = zip(lines[::2], lines[1::2], strict=False)
    numbered = (2 * k + 2 for k, (code, value) in enumerate(pairs) if _names(code, value, match.group(1)))
    return next(numbered, None)


def _names(code: str, value: str, handle: str) -> bool:
    return code.strip() == "5" and value.strip() == handle


def _is_double(text: str) -> bool:
    """A finite number, small enough to compute with."""
    try:
        return abs(float(text)) <= _LARGEST
    except ValueError:
        return False


def _drawing(text: str, file: str) -> Any:
    """The drawing, as the library reads it."""
    import logging

    import ezdxf

    # What the library repairs or reports while reading is not our answer.
    logging.getLogger("ezdxf").addHandler(logging.NullHandler())
    try:
        drawing = ezdxf.read(io.StringIO(with_version(text)))
        # Read once here, where the words for a broken file are.
        int(drawing.header.get(UNITS_KEY, 0)), list(drawing.modelspace())
        return drawing
    except RecursionError:
        raise ModelError.at("", "is nested too deeply", "save it again", file=file) from None
    except Exception as problem:
        # The library meets broken structure with errors of any kind; whichever it
        # is, the file is at fault, and the words are the best there are.
        words = f"is not a DXF file that can be read: {str(problem)[:120] or type(problem).__name__}"
        raise ModelError.at("", words, "save it again from the program it came from", file=file) from None


def _shape(entities: list[Any], layer: str) -> dict[str, Any]:
    """The loops of a layer as one shape, holes by nesting."""
    whole: list[Loop] = []
    pieces: list[OutlinePiece] = []
    count = 0
    for entity in entities:
        try:
            _read(entity, layer, whole, pieces)
        except ModelError:  # a ValueError too, and said already
            raise
        except (AttributeError, TypeError, ValueError) as problem:
            # An entity that lacks a coordinate fails wherever that is asked for.
            words = f"{_tag(entity)} is incomplete: {str(problem)[:100]}"
            raise ModelError.at(f"layer {layer}", words, "draw it again") from None
        last: list[Loop | OutlinePiece] = [*whole[-1:], *pieces[-1:]]
        count += max(len(run.points) for run in last)
        if count > MAX_PIECES:
            remedy = "simplify the curves"
            raise ModelError.at(f"layer {layer}", f"has more than {MAX_PIECES} vertices", remedy)
    if not whole and len(pieces) == 1 and len(pieces[0].points) == 2:
        return _segment(pieces[0], layer)
    whole += loops.chained(pieces, _JOIN, f"layer {layer}")
    whole = [loops.without_repeats(loop, _JOIN) for loop in whole]
    for loop in whole:
        if not loops.sound(loop, _FAR):
            raise _unsound(loop, layer)
    if len(whole) > MAX_LOOPS:
        raise ModelError.at(
            f"layer {layer}", f"has {len(whole)} outlines; at most {MAX_LOOPS} are read", "split it"
        )
    return loops.nested(whole)


def _segment(piece: OutlinePiece, layer: str) -> dict[str, Any]:
    """A straight piece that nothing else on its layer could close."""
    start, end = piece.points
    if max(map(abs, (*start, *end))) >= _FAR * math.dist(start, end):
        raise _unsound(piece, layer)
    return {"segment": [[number(x), number(y)] for x, y in piece.points]}


def _unsound(drawn: Loop | OutlinePiece, layer: str) -> ModelError:
    problem = f"{drawn.tag} has no size, or lies too far out"
    return ModelError.at(f"layer {layer}", problem, "draw it again")


def _read(entity: Any, layer: str, whole: list[Loop], pieces: list[OutlinePiece]) -> None:
    """One entity, added to the loops or to the pieces."""
    kind = entity.dxftype()
    if kind == "CIRCLE":
        whole.append(Loop((), (_centre(entity), float(entity.dxf.radius)), _tag(entity)))
    elif kind in ("LWPOLYLINE", "POLYLINE"):
        _polyline(entity, layer, whole, pieces)
    elif kind == "LINE":
        start, end = entity.dxf.start, entity.dxf.end
        pieces.append(OutlinePiece(((start.x, start.y), (end.x, end.y)), _tag(entity)))
    elif kind == "ARC":
        pieces.append(_arc(entity))
    else:
        remedy = "convert it into polylines, lines, arcs or circles (explode, flatten)"
        raise ModelError.at(f"layer {layer}", f"{_tag(entity)} cannot be read", remedy)


def _polyline(entity: Any, layer: str, whole: list[Loop], pieces: list[OutlinePiece]) -> None:
    if entity.dxftype() == "POLYLINE" and not (entity.is_2d_polyline or entity.is_3d_polyline):
        raise ModelError.at(f"layer {layer}", f"{_tag(entity)} is a mesh", "draw outlines")
    points: list[tuple[float, float]] = []
    vertices = _vertices(entity)
    closed = bool(entity.closed if entity.dxftype() == "LWPOLYLINE" else entity.is_closed)
    if len(vertices) < 2:
        raise ModelError.at(f"layer {layer}", f"{_tag(entity)} has {len(vertices)} vertices", "draw it again")
    after = vertices[1:] + (vertices[:1] if closed else [])
    for (x, y, bulge), (x1, y1, _) in zip(vertices, after, strict=False):
        points += loops.bulged((x, y), (x1, y1), bulge)
    if closed:
        whole.append(Loop(tuple(points), None, _tag(entity)))
    else:
        pieces.append(OutlinePiece((*points, vertices[-1][:2]), _tag(entity)))


def _vertices(entity: Any) -> list[tuple[float, float, float]]:
    if entity.dxftype() == "LWPOLYLINE":
        facing = _facing(entity)
        return [
            (facing * float(x) + 0.0, float(y), facing * float(b)) for x, y, b in entity.get_points("xyb")
        ]
    vertices = []
    facing = _facing(entity) if entity.is_2d_polyline else 1  # a polyline in space is in the world's axes
    for vertex in entity.vertices:
        at = vertex.dxf.location
        bulge = float(vertex.dxf.bulge) if entity.is_2d_polyline else 0.0
        vertices.append((facing * float(at.x) + 0.0, float(at.y), facing * bulge))
    return vertices


def _bends(entity: Any) -> bool:
    """Whether chords replace it; a whole circle is kept as one."""
    kind = entity.dxftype()
    return kind == "ARC" or (kind != "CIRCLE" and kind != "LINE" and any(b for _, _, b in _vertices(entity)))


def _arc(entity: Any) -> OutlinePiece:
    (x, y), radius, facing = _centre(entity), float(entity.dxf.radius), _facing(entity)
    start = math.radians(float(entity.dxf.start_angle))
    sweep = math.radians((float(entity.dxf.end_angle) - float(entity.dxf.start_angle)) % 360) or math.tau
    steps = max(1, math.ceil(sweep / loops.CHORD))
    angles = [start + sweep * k / steps for k in range(steps + 1)]
    points = [(x + facing * radius * math.cos(a), y + radius * math.sin(a)) for a in angles]
    return OutlinePiece(tuple(points), _tag(entity))


def _tag(entity: Any) -> str:
    """An entity by its kind and its handle, by which any CAD program finds it."""
    return f"{entity.dxftype()} (handle {_said(entity, 'handle')})"


def _said(entity: Any, name: str) -> str:
    """An attribute, "0" where the entity is of no known kind and has none."""
    return str(entity.dxf.get(name, "0")) if entity.dxf.is_supported(name) else "0"


def save(mechanism: Mechanism, path: Path) -> None:
    """Write every part as drawn, seen from above; atomically."""
    write_atomically(path, dumps(mechanism).encode())


def dumps(mechanism: Mechanism) -> str:
    """Every part as drawn, seen from above, as DXF text."""
    import ezdxf

    drawing = ezdxf.new("R2010")
    drawing.header[UNITS_KEY] = code_of(mechanism.units)
    space = drawing.modelspace()
    written = 0
    for name in mechanism.parts:
        for outline in loops.outlines(mechanism, name):
            written += 1
            if name not in drawing.layers:
                drawing.layers.add(name)
            if outline.circle is not None:
                space.add_circle(outline.circle[0], outline.circle[1], dxfattribs={"layer": name})
            else:
                space.add_lwpolyline(
                    outline.vertices, format="xyb", close=outline.closed, dxfattribs={"layer": name}
                )
    written += _write_sticks(mechanism, drawing)
    if not written:
        raise UnsupportedError("no part has a shape or points to draw", "give shapes or markers to parts")
    embed(mechanism, drawing)
    stream = io.StringIO()
    drawing.write(stream)
    return stream.getvalue()


def _write_sticks(mechanism: Mechanism, drawing: Any) -> int:
    """Links without shapes as lines, one layer per link; their joints as circles on one more."""
    from detent.io.drawing.stick_links import sticks

    drawn = sticks(mechanism)
    space = drawing.modelspace()
    for name, line in drawn.links.items():
        drawing.layers.add(name)
        space.add_lwpolyline(line, close=len(line) > 2, dxfattribs={"layer": name})
    if drawn.joints:
        drawing.layers.add(JOINTS)
    for at in drawn.joints:
        space.add_circle(at, drawn.radius, dxfattribs={"layer": JOINTS})
    return len(drawn.links)
