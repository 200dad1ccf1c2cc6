"""Questions that a document carries; the key is the verb, flags override."""

from __future__ import annotations

from typing import Annotated, Literal

from detent.foundation.exact import Number
from detent.model.document.base import Count, PairOf, PerFreedom, Table, Vector, doc

MethodName = Literal["kinematic", "newton_svd", "quasistatic", "compliant", "combined", "penalty", "rigid"]
Breaking = Literal["limiting", "searching", "stretching"]


class Region(Table, frozen=True):
    outline: tuple[Vector, ...]


class Range(Table, frozen=True):
    """Equal steps from one value to another."""

    from_: Number | None = None
    to: Number | None = None
    from_deg: Number | None = None
    to_deg: Number | None = None
    steps: Annotated[Count | None, doc("intervals")] = None
    values: tuple[Number, ...] | None = None


class Between(Table, frozen=True):
    """All angles from one to another, counter-clockwise."""

    from_: Number | None = None
    to: Number | None = None
    from_deg: Number | None = None
    to_deg: Number | None = None
    most_steps: Annotated[Count | None, doc("of the work; 150000 unless said")] = None


class PenaltyAsk(Table, frozen=True):
    """Contact force = overlap (stiffness + damping x its rate)."""

    stiffness: Number
    damping: Annotated[Number, doc("the product D M of Gelsey")]
    features: Annotated[
        Literal["outline", "primitives"] | None,
        doc(
            "what touches: each part's outline, as unless said, or its single primitives, as Gelsey has them"
        ),
    ] = None


class Uncertain(Table, frozen=True):
    start: Annotated[Region | None, doc("displacements of the driven part with which it may begin")] = None
    cylinder: Annotated[Number | None, doc("by how much more its line may lie to either side")] = None
    direction: Annotated[Number | None, doc("by which the first leg may lean to either side")] = None
    direction_deg: Number | None = None
    angle: Annotated[Number | None, doc("by which pawls may be turned to either side as they are let go")] = (
        None
    )
    angle_deg: Number | None = None
    most_steps: Annotated[Count | None, doc("of the work; 30000 unless said")] = None


class AskExplain(Table, frozen=True):
    pass


class AskMove(Table, frozen=True):
    method: MethodName | None = None
    breaking: Annotated[Breaking | None, doc("what happens where the linkage cannot follow")] = None
    assemblies: Annotated[bool, doc("list every assembly of the links")] = False
    contact: Annotated[bool, doc("follow contact: what moves stops where it touches, or pushes on")] = False
    loads: Annotated[dict[str, Vector], doc("forces [N] by marker")] = {}


class AskRun(Table, frozen=True):
    method: Annotated[MethodName | None, doc("rigid, as unless said, or penalty")] = None
    penalty: PenaltyAsk | None = None
    until: Annotated[Number | None, doc("[s]")] = None
    every: Annotated[Number | None, doc("[s] between rows; 600 equal ones unless said")] = None
    times: Annotated[tuple[Number, ...] | None, doc("[s] of the rows, instead of `every`")] = None
    accuracy: Annotated[Number | None, doc("of a step, relative; as the method has it unless said")] = None


class SearchAsk(Table, frozen=True):
    """Parameters of the search for a pattern (Gelsey's Algorithm 12)."""

    confirm: Annotated[Count | None, doc("patterns that must agree with the first; 2 unless said")] = None
    ignore: Annotated[int | None, doc("minima of the start that do not count; 4 unless said")] = None
    energy: Annotated[
        Number | None, doc("of the greatest kinetic energy: lower minima count; 1e-5 unless said")
    ] = None
    time: Annotated[Number | None, doc("of a pattern: durations agree within; 0.01 unless said")] = None
    state: Annotated[Number | None, doc("of a range: changes agree within; 0.02 unless said")] = None
    steps: Annotated[Count | None, doc("of simulation, at most; 20000 unless said")] = None


class ExpectAsk(Table, frozen=True):
    """A pattern that is expected; what is not written is not asked."""

    verdict: Literal["repeats", "ends", "at_rest", "undecided"] | None = None
    minima: Annotated[Count | None, doc("marks of a pattern")] = None
    duration: Annotated[Number | None, doc("[s] of a pattern")] = None
    change: Annotated[dict[str, Number], doc("by joint, per pattern: rad, or units")] = {}
    patterns: Annotated[Count | None, doc("that it lasts, at least")] = None
    within: Annotated[Number | None, doc("share of each number that does not count; 0.01 unless said")] = None


class AskOutlook(Table, frozen=True):
    method: MethodName | None = None
    penalty: PenaltyAsk | None = None
    until: Annotated[Number | None, doc("[s] the horizon asked about, not what is simulated")] = None
    at: Annotated[tuple[Number, ...] | None, doc("[s] moments whose states are asked for")] = None
    patterns: Annotated[Count | None, doc("that may be simulated in all; unless said 50 by restarts")] = None
    search: SearchAsk | None = None
    expect: ExpectAsk | None = None


class AskMate(Table, frozen=True):
    method: MethodName | None = None
    exact: Annotated[
        bool | None,
        doc("decide every event in exact arithmetic, as unless said; false: only what a float filter doubts"),
    ] = None
    until: Annotated[Number | None, doc("[s]")] = None
    depth: Annotated[Number | None, doc("travel along the first leg that counts as in")] = None
    apart: Annotated[Number | None, doc("travel back against the first leg that counts as apart")] = None
    goal: Annotated[Region | None, doc("displacements of the driven part that count as apart")] = None
    directions: Annotated[Range | None, doc("the family of directions tried for a diode")] = None
    holding_friction: Annotated[bool, doc("from which friction on it holds, and up to which it goes in")] = (
        False
    )
    holds_below: Annotated[Number | None, doc("[N] does no pull tried with less take it out of place?")] = (
        None
    )
    margin: Annotated[
        bool, doc("the smallest change of one number that alters the order of events, or the verdict")
    ] = False
    margin_steps: Annotated[Count | None, doc("of the work of `margin`; 10000 unless said")] = None
    force_digits: Annotated[
        Count | None, doc("largest forces of each pawl between two proved numbers, so many decimal places")
    ] = None
    fan: Annotated[Between | None, doc("of directions out: every one between two, not a sample")] = None
    beams: Annotated[
        Literal["bent", "hinged"] | None,
        doc("of hooks on beams: followed as they bend, as unless said, or decided exactly on hinges"),
    ] = None
    ratio: Annotated[Number | None, doc("of a force diode: out over in; 2 unless said")] = None
    uncertain: Uncertain | None = None
    dynamics: Annotated[
        Literal["linear", "full"] | None,
        doc("of a robot that leads the part: about its working point, as unless said, or in full"),
    ] = None
    step: Annotated[Number | None, doc("[s] of the rigid method; 0.001 unless said")] = None


class AskModes(Table, frozen=True):
    planes: Annotated[int, doc("tangent planes that divide sliding at each contact", ge=0, le=64)] | None = (
        None
    )
    kind: Annotated[Literal["all", "contacting_separating"] | None, doc("which modes")] = None
    cone: Annotated[
        Literal["planes", "nonlinear"] | None, doc("sliding by planes, or zero and non-zero only")
    ] = None
    exact: bool = False
    load: Annotated[
        dict[str, PerFreedom] | None,
        doc("which modes follow? by part, beside gravity: force [N], then moment about the origin [N units]"),
    ] = None
    velocity: Annotated[
        dict[str, PerFreedom],
        doc("for `load`, at rest unless said; by part: of its point at the origin, then its rotation"),
    ] = {}


class Ask(Table, frozen=True):
    explain: AskExplain | None = None
    move: AskMove | None = None
    mate: AskMate | None = None
    run: AskRun | None = None
    outlook: AskOutlook | None = None
    modes: AskModes | None = None


class Vary(Table, frozen=True):
    """One varied quantity: a range, values, or a distribution."""

    from_: Number | None = None
    to: Number | None = None
    steps: Annotated[Count | None, doc("intervals")] = None
    values: tuple[Number, ...] | None = None
    normal: Annotated[PairOf | None, doc("mean and deviation")] = None
    uniform: Annotated[PairOf | None, doc("from and to")] = None


class Study(Table, frozen=True):
    ask: Annotated[Literal["move", "mate", "run", "outlook", "modes"], doc("the verb")]
    vary: Annotated[dict[str, Vary], doc("by path in the document")] = {}
    samples: Count | None = None
    seed: int | None = None
