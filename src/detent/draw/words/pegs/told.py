"""A peg above its hole in words: sizes, springs, where it touches at which depth, wedging, the diagram."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from detent.draw.words.layout import table_lines
from detent.foundation.units import UnitNames, unit_names


def lines(pegs: Mapping[str, Mapping[str, Any]], units: str) -> list[str]:
    """Of all pegs of an explanation."""
    names = unit_names(units)
    return [line for name, told in pegs.items() for line in _lines(name, told, names)]


def _lines(name: str, told: Mapping[str, Any], units: UnitNames) -> list[str]:
    if "why_not" in told:
        return [f"  peg        on {name}: not told; {told['why_not']}", f"{'':13}{told['remedy']}"]
    scope = told["scope"]
    body = [
        *sizes(told, units),
        f"goes in: {told['goes_in']['answer']}; {told['goes_in']['why']}",
        *wedging(told, units),
    ]
    return [
        f"  peg        {body[0]}",
        *(f"{'':13}{line}" for line in body[1:]),
        *regimes(told, units),
        f"{'':13}{scope.words}",
        f"{'':13}left out: {'; '.join(scope.left_out)}",
        *([f"{'':13}assumed: {'; '.join(scope.assumed)}"] if scope.assumed else []),
    ]


def sizes(told: Mapping[str, Any], units: UnitNames) -> list[str]:
    """What the theory was given."""
    length = units.length
    stiff = "rigid" if told["K_z"] is None else f"{told['K_z']:.6g} N/m"
    said = [
        f"{told['peg']}, {told['peg_width']:.6g}{length} wide, on {told['joint']} above {told['hole']}, "
        f"{told['hole_width']:.6g}{length}: play {told['clearance']:.6g}{length}, c = {told['c']:.6g}, "
        f"friction {told['friction']:.6g}",
        f"compliance centre {told['compliance_centre']:.6g}{length} above the tip: "
        f"K_x {told['K_x']:.6g} N/m, "
        f"K_th {told['K_th']:.6g} N m/rad, K_z {stiff}",
        f"tip off by eps0 = {told['eps0']:.6g}{length}, leaning by th0 = {math.degrees(told['th0']):.6g}°",
    ]
    chamfer = told["chamfer"]
    if chamfer is None:
        said.append("no chamfer")
    elif chamfer["rounded"]:
        said.append(f"{chamfer['on']} is rounded: its crossing has no closed form here")
    else:
        angle = math.degrees(chamfer["angle"])
        said.append(
            f"chamfer on {chamfer['on']}: {chamfer['width']:.6g}{length} wide, {angle:.4g}° from the face"
        )
    return said


def usual_form(told: Mapping[str, Any], units: UnitNames) -> str:
    """By what the other figure of the chamfer's peak is, and where."""
    at = f"{told['peak_chamfer_travel']:.5g}{units.length}"
    return f"by the usual form, without r/tan a, at the same travel, {at} after the first touch"


def wedging(told: Mapping[str, Any], units: UnitNames) -> list[str]:
    """Where two contacts hold it, and whether they may lock."""
    length, twice, wedge = units.length, told["two_points"], told["wedging"]
    said = []
    peak = told["peak_chamfer"]
    if peak is not None:
        usual = told["peak_chamfer_usual_form"]
        exact = told["exact_geometry"]["peak_chamfer"]
        more = [] if usual is None else [f"{usual:.5g} N {usual_form(told, units)}"]
        more += [] if exact is None else [f"{exact:.5g} N by the exact geometry"]
        said.append(
            f"chamfer: up to {peak:.5g} N{f' ({chr(59).join(more)})' if more else ''}".replace(";", "; ")
        )
    if twice is None:
        said.append("two points: never, as far as it goes")
    else:
        exact = told["exact_geometry"]["second_contact"]
        other = "" if exact is None else f", from {exact:.5g}{length} by the exact geometry"
        said.append(
            f"two points: from {twice['begin']:.5g}{length} to {twice['end']:.5g}{length} of depth{other}"
        )
    if wedge["possible"]:
        low, high = wedge["between"]
        said.append(
            f"wedging: possible from {low:.5g} to {high:.5g}{length}: two contacts begin at l/d = "
            f"{wedge['l_over_d']:.4g} < mu = {told['friction']:.4g}"
        )
    elif wedge["l_over_d"] is not None:
        said.append(
            f"wedging: not possible, two contacts begin at l/d = {wedge['l_over_d']:.4g} > "
            f"mu = {told['friction']:.4g}"
        )
    else:
        said.append("wedging: not possible without two contacts")
    jam = told["jamming"]
    if jam is not None:
        lams = " and ".join(f"{lam:.4g}" for lam in jam["lam"])
        at = " and ".join(f"{depth:.4g}" for depth in jam["depth"])
        said.append(
            f"jamming diagram: lam = {lams} at {at}{length}; it slides in where "
            f"|F_x/F_z| < {1 / told['friction']:.4g} and |M/(r F_z) + mu (1 + lam) F_x/F_z| < lam"
        )
    return said


def regimes(told: Mapping[str, Any], units: UnitNames) -> list[str]:
    """The table of what touches at which depth."""
    rows = [
        (
            f"{each['from']:.5g}",
            f"{each['to']:.5g}",
            each["regime"],
            f"{each['F_z'][0]:.5g}",
            f"{each['F_z'][1]:.5g}",
        )
        for each in told["regimes"]
    ]
    unit = units.length.strip()
    head = (
        f"from [{unit}]" if unit else "from",
        f"to [{unit}]" if unit else "to",
        "touches",
        "F_z [N]",
        "to [N]",
    )
    return table_lines(head, rows)
