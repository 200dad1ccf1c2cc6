"""The document inside its own drawing, so that a DXF that Detent wrote comes back whole.

A DXF holds outlines; joints, markers, springs and questions have no place there. The document goes along as
text in a record that other programs keep and do not show, with a fingerprint of the outlines. Where
somebody changed an outline since, the record is out of date: the outlines count then, and the reader is told.
"""

from __future__ import annotations

import base64
import hashlib
from typing import Any

from detent.io.drawing.drawing_units import UNITS_KEY
from detent.model.document.mechanism import Mechanism
from detent.model.reading import convert

_KEY = "DETENT_DOCUMENT"
_CHUNK = 200  # characters of a string in a DXF file; 255 bytes are the most
_DIGITS = 9  # of a coordinate, in a fingerprint: programs write the last ones as they like


def embed(mechanism: Mechanism, drawing: Any) -> None:
    """Put the document into its drawing, which is complete otherwise."""
    # In an alphabet that no program reads escapes or code pages into.
    letters = base64.b64encode(convert.canonical(mechanism)).decode("ascii")
    chunks = [(1, letters[k : k + _CHUNK]) for k in range(0, len(letters), _CHUNK)]
    record = drawing.rootdict.add_xrecord(_KEY)
    record.reset([(1, _fingerprint(drawing)), *chunks])


def document_in(drawing: Any) -> tuple[bytes | None, bool]:
    """The document's text in a drawing, if it has one, and whether the outlines are still those of it."""
    record = drawing.rootdict.get(_KEY)
    if record is None or not hasattr(record, "tags"):
        return None, False
    texts = [str(tag.value) for tag in record.tags if tag.code == 1]
    if len(texts) < 2:
        return None, False
    try:
        text = base64.b64decode("".join(texts[1:]), validate=True)
    except ValueError:
        return None, False
    return text, texts[0] == _fingerprint(drawing)


def _fingerprint(drawing: Any) -> str:
    lines = sorted(_line(entity) for entity in drawing.modelspace())
    code = drawing.header.get(UNITS_KEY, 0)
    return hashlib.sha256("\n".join([str(code), *lines]).encode()).hexdigest()


def _line(entity: Any) -> str:
    kind = entity.dxftype()
    numbers: list[float] = []
    if kind == "LWPOLYLINE":
        numbers = [float(x) for vertex in entity.get_points("xyb") for x in vertex] + [float(entity.closed)]
    elif kind == "CIRCLE":
        numbers = [*entity.dxf.center, float(entity.dxf.radius)]
    else:
        kind += "?"  # nothing that Detent writes
    layer = entity.dxf.get("layer", "0") if entity.dxf.is_supported("layer") else "0"
    return f"{kind} {layer} " + " ".join(f"{x + 0.0:.{_DIGITS}g}" for x in numbers)
