"""STL: the solids of all parts as drawn, as binary triangles.

Lengths stay in the document's units, as is the custom of STL, which has none; the header says them.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from detent.foundation.errors import UnsupportedError
from detent.io.disk.files import write_atomically
from detent.io.drawing.drawing_units import in_units
from detent.model.document.mechanism import Mechanism
from detent.model.machine.placed import place
from detent.model.machine.solids import part_solid

if TYPE_CHECKING:
    import numpy as np

FINENESS = 96  # chords to a circle: they stay within 0.06 % of the radius, finer than printers are
_HEADER = 80  # bytes


def save(mechanism: Mechanism, path: Path) -> None:
    """Write the parts as drawn; atomically."""
    write_atomically(path, dumps(mechanism))


def dumps(mechanism: Mechanism) -> bytes:
    """The parts as drawn, as a binary STL."""
    import numpy as np

    from detent.geometry import mesh
    from detent.geometry.solid import placed

    corners = [np.zeros((0, 3, 3))]
    for name in mechanism.parts:
        solid = part_solid(mechanism, name)
        if solid is not None:
            points, faces = mesh.triangles(placed(solid, place(mechanism).frame(name)), fineness=FINENESS)
            corners.append(points[faces])
    triangles = np.concatenate(corners)
    if not len(triangles):
        raise UnsupportedError("no part has a solid shape", "give shapes: prism, block, cylinder, …")
    return binary(triangles, f"Detent, lengths {in_units(mechanism.units)}")


def binary(triangles: np.ndarray[Any, Any], header: str = "Detent") -> bytes:
    """Triangles (n x 3 x 3) as a binary STL, normals outward by the right hand."""
    import numpy as np

    normal = np.cross(triangles[:, 1] - triangles[:, 0], triangles[:, 2] - triangles[:, 0])
    length = np.linalg.norm(normal, axis=1, keepdims=True)
    normal = np.divide(normal, length, out=np.zeros_like(normal), where=length > 0)
    record = np.zeros(len(triangles), dtype=[("facet", "<f4", (4, 3)), ("spare", "<u2")])
    record["facet"][:, 0], record["facet"][:, 1:] = normal, triangles
    data: bytes = (
        header.encode("ascii").ljust(_HEADER) + len(triangles).to_bytes(4, "little") + record.tobytes()
    )
    return data
