"""The inputs that a document's joint drives ask for, read straight from their keys."""

from __future__ import annotations

import math

from detent.model.document import Drive, Mechanism


def drive_inputs(drive: Drive) -> list[float]:
    if drive.inputs is not None:
        return [float(x) for x in drive.inputs]
    if drive.inputs_deg is not None:
        return [math.radians(float(x)) for x in drive.inputs_deg]
    turn = drive.from_deg is not None or drive.to_deg is not None
    first, last = (drive.from_deg, drive.to_deg) if turn else (drive.from_, drive.to)
    a, b = float(first or 0), float(last or 0)
    count = int(drive.steps or 1)
    values = [a + (b - a) * i / count for i in range(count + 1)]
    return [math.radians(v) for v in values] if turn else values


def document_inputs(mechanism: Mechanism) -> list[tuple[float, ...]]:
    """One tuple a frame: the inputs of all joint drives, which advance together."""
    columns = [drive_inputs(d) for d in mechanism.drives.values() if d.joint is not None]
    return list(zip(*columns, strict=True))
