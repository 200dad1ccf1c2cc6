"""What a DXF drawing has besides outlines: it is passed over, and said by kind."""

from __future__ import annotations

from collections import Counter
from typing import Any

from detent.foundation.names import listed

_SILENT = {"SEQEND", "VIEWPORT"}  # marks of the format, which nobody drew
_KINDS = {
    "TEXT", "MTEXT", "DIMENSION", "LEADER", "MULTILEADER", "POINT", "HATCH", "ATTDEF", "ATTRIB", "IMAGE",
    "WIPEOUT", "ACAD_TABLE", *_SILENT,
}  # fmt: skip


def is_passed_over(entity: Any) -> bool:
    """Whether an entity is not part of an outline."""
    return entity.dxftype() in _KINDS


def passed_over(drawing: Any) -> str:
    """Words for all that is not read: text and the like, and whatever is drawn in paper space."""
    kinds = Counter(entity.dxftype() for entity in drawing.modelspace() if is_passed_over(entity))
    counted = [f"{count} {kind}" for kind, count in sorted(kinds.items()) if kind not in _SILENT]
    sheets = (sheet for sheet in drawing.layouts if not sheet.is_modelspace)
    on_paper = sum(entity.dxftype() not in _SILENT for sheet in sheets for entity in sheet)
    if on_paper:
        counted.append(f"all of paper space ({on_paper} {'entity' if on_paper == 1 else 'entities'})")
    return f"Passed over: {listed(counted)}." if counted else ""
