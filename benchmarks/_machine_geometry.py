"""The machines of a benchmark, stated: sizes, inertias, dampers and springs, as the program has them."""

from __future__ import annotations

from typing import Any

from benchmarks.harness import Figures


def geometry_of(runs: dict[str, Any], whose: dict[str, str]) -> Figures:
    """Of every moving part of machines that the penalty method ran: where its pin is, how far its outline
    reaches from there, of how many edges and arcs that can touch, and what acts on it."""
    head = ["geometry, lengths in units of the documents", "sizes", "pin at", "reach", "edges", "arcs"]
    table = Figures([*head, "inertia", "damping", "spring", "relaxed [rad]"])
    for machine, run in runs.items():
        system, features, sizes = run.tree.system, run.possible.features, whose[machine]
        for joint in system.joints:
            x, y = (float(p) for p in joint.b.frame.origin[:2])
            reach = run.over.reach[joint.b.body] / system.metres_per_unit
            rows, body = features.of_body[joint.b.body], system.bodies[joint.b.body]
            arcs = int((features.kind[rows] != 0).sum())
            spring = (f"{joint.stiffness:g}", f"{joint.rest:.5g}") if joint.stiffness else ("-", "-")
            inertia = float(system.mechanism.parts[body.name].inertia)
            where = f"({x:g}, {y:g})", f"{reach:.4g}", str(len(rows) - arcs), str(arcs)
            acting = f"{inertia:g}", f"{joint.damping:g}", *spring
            table.rows.append([f"{machine}, {body.name}", sizes, *where, *acting])
    return table
