"""Triangles of clusters with one joint each: the dyads, grounded or floating.

Brunkhart 1994, section 3.3: RRR, RRP, RPR, RPP and PRP have closed forms; three
slides in a loop hold no travel, and that is said.
"""

from __future__ import annotations

from detent.kinematics.planning.clusters import GROUND, ClusterEdge
from detent.kinematics.planning.program import ZERO
from detent.kinematics.planning.worklist import Ledger, Step


def contract_triangle(ledger: Ledger, a: int, b: int) -> int | None:
    """Contract a triangle on this edge, if there is one; its base."""
    joined = ledger.clusters.neighbours
    for c in sorted(joined[a] & joined[b]):
        three = sorted((a, b, c))
        if GROUND in three:
            three.remove(GROUND)
            three.insert(0, GROUND)
        if _dyad(ledger, *three):
            return three[0]
    return None


def _dyad(ledger: Ledger, a: int, b: int, c: int) -> bool:
    """Fix b and c on base a, where each two share one pin or slide."""
    trio = [ledger.clusters.edges(*pair) for pair in ((a, b), (a, c), (b, c))]
    if any(len(edges) != 1 or edges[0].kind not in ("revolute", "prismatic") for edges in trio):
        return False
    ab, ac, bc = (edges[0] for edges in trio)
    one, two, three = ("R" if e.kind == "revolute" else "P" for e in (ab, ac, bc))
    kinds = (one, two, three)
    if kinds[0] == "P" and kinds[1] == "R":
        b, c, ab, ac, kinds = c, b, ac, ab, (kinds[1], kinds[0], kinds[2])
    solve = {
        ("R", "R", "R"): _rrr,
        ("R", "P", "R"): _rrp,
        ("R", "R", "P"): _rpr,
        ("R", "P", "P"): _rpp,
        ("P", "P", "R"): _prp,
    }.get(kinds)
    names = ledger.names(b, c)
    if solve is None or not solve(ledger, a, b, c, ab, ac, bc):
        if solve is None and frozenset(names) not in ledger.singular:
            ledger.singular.add(frozenset(names))
            loop = ", ".join((ab.name, ac.name, bc.name))
            ledger.steps.append(
                Step(f"three slides {loop} in a loop are singular: they hold no travel", names, 0)
            )
        return False
    ledger.dyads += 1
    word = {"RRR": "RRR", "RPR": "RRP", "RRP": "RPR", "RPP": "RPP", "PPR": "PRP"}["".join(kinds)]
    where = "on what is fixed" if a == GROUND else f"on {' '.join(ledger.names(a)[:1])}, floating"
    ledger.steps.append(Step(f"dyad {word} {where}: joints {ab.name}, {bc.name}, {ac.name}", names, 0))
    return True


def _rrr(ledger: Ledger, a: int, b: int, c: int, ab: ClusterEdge, ac: ClusterEdge, bc: ClusterEdge) -> bool:
    sketch, clusters = ledger.clusters.sketch, ledger.clusters
    (P, b1, bp), (Q, c1, cp) = ledger.pin(a, ab), ledger.pin(a, ac)
    b_end, c_end, _ = ledger.ends(b, bc)
    b2, c2 = clusters.spot(b_end), clusters.spot(c_end)
    if ledger.short(b1, b2) or ledger.short(c1, c2) or ledger.same(P, Q):
        return False
    K = sketch.pack(sketch.square(b1, b2), sketch.square(c1, c2))
    E = sketch.circles(P, Q, K, clusters.shown(a, clusters.drawn(b_end)))
    E2 = sketch.pulled(Q, E, K, 1)
    ledger.consume_triangle(a, b, c, (ab, ac, bc))
    ledger.attach(a, b, P, P, E, b1, b1, b2)
    ledger.attach(a, c, Q, Q, E2, c1, c1, c2)
    for end, row in ((bp, P), (cp, Q), (b_end, E), (c_end, E2)):
        clusters.remember(end, row)
    return True


def _rrp(ledger: Ledger, a: int, b: int, c: int, ab: ClusterEdge, ac: ClusterEdge, bc: ClusterEdge) -> bool:
    """b is pinned and c slides on the base; they share a pin."""
    sketch, clusters = ledger.clusters.sketch, ledger.clusters
    P, b1, bp = ledger.pin(a, ab)
    near, _, _ = ledger.ends(a, ac)
    U, t, c_dir = ledger.slide(a, ac)
    L = clusters.spot(near)
    b_end, c_end, _ = ledger.ends(b, bc)
    b2, s = clusters.spot(b_end), clusters.spot(c_end)
    if ledger.short(b1, b2):
        return False
    K = sketch.pack(sketch.square(b1, b2), sketch.offset(c_dir, t, s))
    S = sketch.circle_line(P, L, U, K, clusters.shown(a, clusters.drawn(c_end)))
    end = sketch.pulled(P, S, K, 0)
    ledger.consume_triangle(a, b, c, (ab, ac, bc))
    ledger.attach(a, b, P, P, end, b1, b1, b2)
    ledger.attach(a, c, S, ZERO, U, s, ZERO, c_dir)
    for mark, row in ((bp, P), (b_end, end), (c_end, S)):
        clusters.remember(mark, row)
    return True


def _rpr(ledger: Ledger, a: int, b: int, c: int, ab: ClusterEdge, ac: ClusterEdge, bc: ClusterEdge) -> bool:
    """b and c are pinned on the base and slide on each other."""
    sketch, clusters = ledger.clusters.sketch, ledger.clusters
    (P, b1, bp), (Q, c1, cp) = ledger.pin(a, ab), ledger.pin(a, ac)
    if ledger.same(P, Q):
        return False
    b_end, c_end, _ = ledger.ends(b, bc)
    b_dir = ledger.line(b, bc)
    c_dir = ledger.line(c, bc)
    e = sketch.scalar(
        sketch.offset(c_dir, clusters.spot(c_end), c1), sketch.offset(b_dir, clusters.spot(b_end), b1)
    )
    offset = 0.0 if b_end == bc.a else -bc.offset
    U = sketch.tangent(P, Q, sketch.pack(e, ZERO), clusters.drawn_direction(a, b_end, offset))
    ledger.consume_triangle(a, b, c, (ab, ac, bc))
    ledger.attach(a, b, P, ZERO, U, b1, ZERO, b_dir)
    ledger.attach(a, c, Q, ZERO, U, c1, ZERO, c_dir)
    for mark, row in ((bp, P), (cp, Q)):
        clusters.remember(mark, row)
    return True


def _rpp(ledger: Ledger, a: int, b: int, c: int, ab: ClusterEdge, ac: ClusterEdge, bc: ClusterEdge) -> bool:
    """b is pinned and c slides on the base; b and c slide on each other."""
    sketch, clusters = ledger.clusters.sketch, ledger.clusters
    P, b1, bp = ledger.pin(a, ab)
    near, far, _ = ledger.ends(a, ac)
    U, t, c_dir = ledger.slide(a, ac)
    L = clusters.spot(near)
    b_end, c_end, _ = ledger.ends(b, bc)
    b_dir, c_line = ledger.line(b, bc), ledger.line(c, bc)
    rotation = sketch.quotient(ZERO, U, c_dir)
    V = sketch.times(rotation, c_line)
    if ledger.parallel(U, V):
        return False
    # c's second line passes b's pin at the offset that b's line has from it.
    from_pin = sketch.offset(b_dir, b1, clusters.spot(b_end))
    to_line = sketch.offset(c_line, t, clusters.spot(c_end))
    K = sketch.pack(ZERO, sketch.scalar(from_pin, to_line))
    T = sketch.lines(L, U, P, V, K)
    ledger.consume_triangle(a, b, c, (ab, ac, bc))
    ledger.attach(a, c, T, ZERO, U, t, ZERO, c_dir)
    ledger.attach(a, b, P, ZERO, V, b1, ZERO, b_dir)
    for mark, row in ((bp, P), (far, T)):
        clusters.remember(mark, row)
    return True


def _prp(ledger: Ledger, a: int, b: int, c: int, ab: ClusterEdge, ac: ClusterEdge, bc: ClusterEdge) -> bool:
    """b and c slide on the base and share a pin."""
    sketch, clusters = ledger.clusters.sketch, ledger.clusters
    (U, t, b_dir), (V, r, c_dir) = ledger.slide(a, ab), ledger.slide(a, ac)
    if ledger.parallel(U, V):
        return False
    L, M = clusters.spot(ledger.ends(a, ab)[0]), clusters.spot(ledger.ends(a, ac)[0])
    b_end, c_end, _ = ledger.ends(b, bc)
    s1, s2 = clusters.spot(b_end), clusters.spot(c_end)
    K = sketch.pack(sketch.offset(b_dir, t, s1), sketch.offset(c_dir, r, s2))
    S = sketch.lines(L, U, M, V, K)
    ledger.consume_triangle(a, b, c, (ab, ac, bc))
    ledger.attach(a, b, S, ZERO, U, s1, ZERO, b_dir)
    ledger.attach(a, c, S, ZERO, V, s2, ZERO, c_dir)
    for mark in (b_end, c_end):
        clusters.remember(mark, S)
    return True
