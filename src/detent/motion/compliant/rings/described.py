"""What a ring in its bore is: squeeze, line load, how far off the axis it may stand, where it is nipped."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np

from detent.foundation.units import unit_names
from detent.geometry.revolved.wall import BoreWall, Port
from detent.library.mating.oring import OringLaw
from detent.motion.leading.plan import PushPlan
from detent.numeric.roots import bisect
from detent.record.table import with_unit

_SAMPLES = 2001  # of the depth, in which an offset that locks is searched
_ALONG = 41  # places of a ring past an edge
_NEAR = 1e-9  # of the section's radius: one place
_BLUNT = 0.01  # of the section's radius: a rim of less is an edge


def description(law: OringLaw, plan: PushPlan, narrowest: BoreWall, sense: int) -> Mapping[str, Any]:
    """Plain data, lengths in document units, and lines for a person."""
    unit, scale = plan.mechanism.units, plan.metres
    length = "" if unit == "1" else unit
    ring, least = law.ring, narrowest.least
    squeeze = max(ring.middle + ring.tube - least, 0.0)
    x, y, z = plan.frame(law.name)[:3, 3].tolist()
    depth, offset, _ = law.depth_and_offset(x, y, z)
    most = max(ring.middle + ring.tube - least + offset, 0.0)
    end = depth + sense * plan.legs[0].length
    locks, grounds = largest_offset(law, sense, depth, end), offset_of_ground(law, depth, end)
    bounds = [each for each in (locks, grounds) if each is not None]
    goes_in = min(bounds) if bounds else None
    edges = edges_passed(law, depth, sense, scale)
    data: dict[str, Any] = {
        "kind": "ring",
        "name": law.name,
        "bore": narrowest.name.partition("/")[0],
        with_unit("section", length): 2 * ring.tube / scale,
        with_unit("groove_radius", length): ring.groove / scale,
        with_unit("bore_radius", length): least / scale,
        with_unit("c1", "N/m²" if length else ""): ring.c1,
        with_unit("c2", "N/m³" if length else ""): ring.c2,
        "friction": law.friction,
        "groove_friction": law.groove_friction,
        with_unit("offset", length): offset / scale,
        with_unit("squeeze", length): squeeze / scale,
        "squeeze [%]": 50 * squeeze / ring.tube,
        with_unit("squeeze_most", length): most / scale,
        "squeeze_most [%]": 50 * most / ring.tube,
        with_unit("line_load", "N/m" if length else ""): ring.elastic(squeeze),
        with_unit("offset_that_goes_in", length): None if goes_in is None else goes_in / scale,
        with_unit("offset_touching_all_round", length): squeeze / scale,
        "ports": [_port(port, depth, sense, scale) for port in law.bore.ports],
        "edges": edges,
    }
    return data | {"said": _said(law, data, unit, offset, goes_in, goes_in != locks, squeeze, scale)}


def _said(
    law: OringLaw, data: Mapping[str, Any], unit: str, offset: float, goes_in: float | None,
    grounded: bool, squeeze: float, scale: float,
) -> list[str]:  # fmt: skip
    u = unit_names(unit).length
    per_length = "" if unit == "1" else " N/m"
    gap = float(data[with_unit("bore_radius", "" if unit == "1" else unit)]) * scale
    gap -= law.ring.middle + law.ring.tube
    lines = [
        f"{law.name} in {data['bore']}: squeezed by {squeeze / scale:.4g}{u}, {data['squeeze [%]']:.3g} % of "
        f"its section, carrying {law.ring.elastic(squeeze):.4g}{per_length}"
        if squeeze > 0
        else f"{law.name} in {data['bore']}: narrower than the bore by {gap / scale:.4g}{u}"
    ]
    if offset:
        most = squeeze + offset if squeeze > 0 else max(offset - gap, 0.0)
        words = f"stands {offset / scale:.4g}{u} beside the bore's axis"
        if most >= 2 * law.ring.tube:
            words += ": there the groove's ground meets the bore's wall"
        elif most > 0:
            words += f": squeezed there by {most / scale:.4g}{u}, {50 * most / law.ring.tube:.3g} %, at most"
        lines.append(words)
    if squeeze > 0:
        lines.append(f"touches all round while it stands less than {squeeze / scale:.4g}{u} beside the axis")
    if goes_in is not None and goes_in <= 0:
        why = "the groove's ground meets the wall" if grounded else "friction locks it"
        lines.append(f"goes in nowhere: {why} on the axis too")
    elif goes_in is not None:
        beyond = "; from there on the groove's ground meets the wall" if grounded else ""
        lines.append(f"goes in while it stands less than {goes_in / scale:.4g}{u} beside the axis{beyond}")
    for port in data["ports"]:
        lines.append(
            f"may be nipped at {port['name']}, from a travel of {port['from']:.4g} to {port['to']:.4g}{u}, "
            f"{port['width_deg']:.3g}° wide about ({', '.join(f'{x:.4g}' for x in port['towards'])})"
        )
    lines += [
        f"is pressed in over an edge of {entry['angle_deg']:.4g}° at {entry['name']}, at a travel of "
        f"{entry['travel']:.4g}{u}, which may nip it"
        for entry in data["edges"]
    ]
    return lines


def _port(port: Port, depth: float, sense: int, scale: float) -> dict[str, Any]:
    ends = sorted(sense * (u - depth) / scale for u in (port.start, port.end))
    return {
        "name": port.name,
        "from": ends[0],
        "to": ends[1],
        "towards": port.towards,
        "width_deg": math.degrees(port.width),
    }


def largest_offset(law: OringLaw, sense: int, start: float, end: float) -> float | None:
    """How far beside the axis the ring may stand so that friction locks it nowhere on its way [m].

    The bracket does not hang on the offset: a ring locks where it touches a stretch of wall whose bracket is
    not above zero. None where no such stretch is there. The depths are sampled, their ends bisected.
    """
    (low, high), tube = law.bore.span, law.ring.tube
    wide = _WideRing(law, sense)
    near, far = max(low - tube, min(start, end)), min(high + tube, max(start, end))
    depths = np.linspace(near, far, _SAMPLES).tolist() if near < far else []
    reach = [wide(z) for z in depths]
    best = math.inf
    for k, (radius, locks) in enumerate(reach):
        if locks:
            best = min(best, radius)
        for other in (k - 1, k + 1):
            if locks and 0 <= other < len(reach) and not reach[other][1] and reach[other][0] < math.inf:
                best = min(best, _boundary(wide, depths[k], depths[other]))
    return None if best == math.inf else best - law.ring.middle


def offset_of_ground(law: OringLaw, start: float, end: float) -> float | None:
    """From which offset on the groove's ground meets a wall on the ring's way [m].

    There the ring is squeezed by its whole section on one side. Faces across the way are left to friction,
    which locks the ring at them. None where no wall lies on its way.
    """
    (low, high), tube = law.bore.span, law.ring.tube
    near, far = max(low - tube, min(start, end)), min(high + tube, max(start, end))
    if near >= far:
        return None
    marks = [u for wall in law.bore.walls for u in (wall.start, wall.at, wall.end) if near <= u <= far]
    laid = [law.bore.laid(z, tube) for z in [*np.linspace(near, far, _SAMPLES).tolist(), *marks]]
    return min((each.radius + tube - law.ring.groove for each in laid if each is not None), default=None)


class _WideRing:
    """Where a ring wide enough to touch would have its centre, and whether friction would lock it there."""

    def __init__(self, law: OringLaw, sense: int) -> None:
        self.law, self.sense = law, sense

    def __call__(self, depth: float) -> tuple[float, bool]:
        laid = self.law.bore.laid(depth, self.law.ring.tube)
        if laid is None:
            return math.inf, False
        offset = abs(laid.radius - self.law.ring.middle) + self.law.ring.tube
        return laid.radius, self.law.state(depth, offset, float(self.sense)).bracket <= 0


def _boundary(wide: _WideRing, locked: float, free: float) -> float:
    last, _ = bisect(lambda depth: wide(depth)[1], locked, free)
    return wide(last)[0]


def edges_passed(law: OringLaw, depth: float, sense: int, scale: float) -> list[dict[str, Any]]:
    """Edges that the ring, on the axis, is pressed in over, along the first leg's sense."""
    return [
        {
            "name": wall.name,
            "travel": sense * (wall.at - depth) / scale,
            "angle_deg": math.degrees(wall.corner),
        }
        for wall in law.bore.walls
        if wall.bend is not None and 0 <= wall.bend <= _BLUNT * law.ring.tube and _bites(wall, law, sense)
    ]


def _bites(wall: BoreWall, law: OringLaw, sense: int) -> bool:
    """Whether the ring touches the edge itself somewhere while it is being compressed."""
    tube = law.ring.tube
    for z in np.linspace(wall.at - tube, wall.at + tube, _ALONG).tolist():
        laid = law.bore.laid(z, tube)
        if laid is None or laid.name != wall.name or laid.radius >= law.ring.middle:
            continue
        if abs(z + tube * laid.sine - wall.at) <= _NEAR * tube and laid.sine * sense > 0:
            return True
    return False
