"""Which offsets and tilts of the counterpart go in: matings outward from the drawing, borders by bisection.

Nothing is known between the misalignments that were tried. From the drawing outward steps double until a
mating does not go in; between that one and the one before it the border is bisected. A border is told by both
its sides, and by what the mating beyond it says.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from detent.foundation.errors import ModelError, UnsupportedError
from detent.foundation.names import listed
from detent.foundation.progress import doing, reached
from detent.foundation.units import unit_names
from detent.judge.compliant.answer import goes_in
from detent.judge.compliant.inserting import legs_in
from detent.judge.compliant.scope import compliant_scope
from detent.judge.pegs.mated import peg_asked
from detent.judge.region.many import rigid_asked
from detent.judge.region.misaligned import Counterpart, counterpart_of
from detent.judge.region.outward import NEAR, Tried, outward, side_by_side
from detent.judge.region.peg_region import LINES, region_of_peg
from detent.library.mating.force_law import Floats
from detent.model.document.mechanism import Mechanism
from detent.model.machine.pushed.compliant import gives_way, rings_in
from detent.motion.compliant.compliant_run import CompliantRun, ConnectedLeg
from detent.motion.compliant.hooks.surfaces import many_to_come
from detent.motion.compliant.led.led_run import led_by
from detent.record.compliant_mating import GoesIn
from detent.record.going_in import AloneGoesIn, RegionBorder, RegionThatGoesIn, TiltedOffsets
from detent.record.scope import Scope

TILTS = 5  # at which offsets are bordered, unless asked otherwise
MOST_TILTS = 60
# First steps from the drawing, and how far is looked: of the size of what gives way, in degrees.
_FIRST_OFFSET, _FAR_OFFSET = 1 / 32, 1.0
_FIRST_TILT, _FAR_TILT = 1.0, 45.0
_NO_TILT = "a ring does not tilt in its bore: its law leaves that out"
_ROUNDING = 1e-12


@dataclass(frozen=True, eq=False)
class _Tries:
    """Matings by offset [document units] and tilt [deg], each once."""

    drawn: CompliantRun
    counterpart: Counterpart
    most_push: float
    borders: list[RegionBorder] = field(default_factory=list)
    known: dict[tuple[float, ...], Tried] = field(default_factory=dict)

    def __call__(self, offset: Floats, tilt: Floats) -> Tried:
        key = (*np.round(offset, 15).tolist(), *np.round(tilt, 15).tolist())
        if key not in self.known:
            reached(len(self.known), detail=f"{len(self.borders)} borders found")
            self.known[key] = self._mated(self.counterpart.misaligned(offset, np.radians(tilt)))
        return self.known[key]

    def _mated(self, mechanism: Mechanism) -> Tried:
        """What a misaligned document comes to; one that is refused, as where it begins in overlap, is no."""
        try:
            run = CompliantRun(mechanism)
        except ModelError as error:
            first = error.problems[0]
            return Tried(False, "no", f"{first.at}: {first.problem}", math.inf)
        judged = self.judged(run)
        return Tried(judged.answer == "yes", judged.answer, judged.why, _largest_push(run))

    def judged(self, run: CompliantRun) -> GoesIn:
        """In, as the drawing is: bent the same way, within what push and material allow."""
        answer = goes_in(run)
        if answer.answer != "yes":
            return answer
        other = [
            connection.name
            for leg, as_drawn in zip(_legs_in(run), _legs_in(self.drawn), strict=False)
            for connection, one, drawn in zip(run.connections, leg.followed, as_drawn.followed, strict=True)
            if one.bent is not None and drawn.bent is not None and one.bent @ drawn.bent < 0
        ]
        other = list(dict.fromkeys(other))
        if other:
            why = f"{listed(other)} {'is' if len(other) == 1 else 'are'} bent the other way than as drawn"
            return GoesIn(answer="no", why=f"{why}: the counterpart passes on the other side")
        push, names = _largest_push(run), unit_names(run.mechanism.units)
        if push > self.most_push:
            allowed = f"{self.most_push:.6g}{names.force}"
            return GoesIn(answer="no", why=f"it takes a push of {push:.6g}{names.force}, more than {allowed}")
        bending = [one.bending for leg in _legs_in(run) for one in leg.followed if one.bending is not None]
        for bent in bending:
            if bent.strain_once is not None and bent.strain > bent.strain_once:
                words = f"{100 * bent.strain:.3g} %, of {100 * bent.strain_once:.3g} % that it allows once"
                return GoesIn(answer="no", why=f"{bent.joint} is strained by {words}")
        return answer


def _legs_in(run: CompliantRun) -> tuple[ConnectedLeg, ...]:
    """The first leg and those that go on from it: what the mating itself judges."""
    return run.legs[: legs_in([leg.direction for leg in run.plan.legs])]


def _largest_push(run: CompliantRun) -> float:
    return max(float(leg.push.max()) for leg in _legs_in(run))


def region_that_goes_in(
    mechanism: Mechanism, tilts: int | None = None, *, most_push: float = math.inf
) -> RegionThatGoesIn:
    """Borders of each offset and tilt alone, and of the first offset at so many tilts about the first axis.

    `most_push` [N] is what the drive can give. Of rigid pegs that are led, maps of so many lines instead.
    """
    if rigid_asked(mechanism):
        return region_of_peg(mechanism, LINES if tilts is None else tilts, most_push=most_push)
    tilts = TILTS if tilts is None else tilts
    if not 1 <= tilts <= MOST_TILTS:
        raise ModelError.at(
            "--region", f"{tilts} tilts are no table", f"give a number from 1 to {MOST_TILTS}"
        )
    if not most_push > 0:
        raise ModelError.at("--most-push", f"{most_push:g} N moves nothing", "give a push above zero")
    run = _run_of(mechanism)
    tries = _Tries(run, counterpart_of(run.plan), most_push)
    search = _Search(run, tries)
    drawn = tries.judged(run)
    if drawn.answer == "yes":
        if search.tilted:  # hooks
            many_to_come(mechanism.dimension)
        with doing("mating"):
            alone, together = search.borders(tilts)
    else:
        alone, together = (), ()
    return RegionThatGoesIn(
        as_drawn=drawn,
        misaligned=tries.counterpart.parts,
        about=_three(tries.counterpart.about),
        alone=alone,
        together=together,
        across=_three(search.across[0]) if together else None,
        axis=_three(search.axes[0]) if together else None,
        most_push=None if math.isinf(most_push) else most_push,
        matings=len(tries.known),
        scope=_scope(run, together=bool(together)),
        notes=() if alone else ("it does not go in as drawn: borders are looked for from there alone",),
        units=mechanism.units,
    )


class _Search:
    """From the drawing outward, along each offset and tilt."""

    def __init__(self, run: CompliantRun, tries: _Tries) -> None:
        self.tries = tries
        first, second = _across(run)
        plane = run.mechanism.dimension == 2
        self.across = (first,) if plane else (first, second)
        self.axes = (second,) if plane else (second, first, run.plan.legs[0].direction)
        self.size = max(one.reach for one in run.connections) / run.plan.metres
        self.tilted = not rings_in(run.mechanism)

    def borders(self, tilts: int) -> tuple[tuple[AloneGoesIn, ...], tuple[TiltedOffsets, ...]]:
        alone, together = [], []
        for along in self.across:
            low, high = self._offsets(along, np.zeros(3))
            alone.append(AloneGoesIn(kind="offset", along=_three(along), low=low, high=high))
        if not self.tilted:
            alone += [AloneGoesIn(kind="tilt", along=_three(axis), why_not=_NO_TILT) for axis in self.axes]
            return tuple(alone), ()
        for axis in self.axes:
            low, high = (self._tilts(axis, way) for way in (-1, 1))
            alone.append(AloneGoesIn(kind="tilt", along=_three(axis), low=low, high=high))
        first = alone[len(self.across)]
        least, most = (
            0.0 if each is None or each.inside is None else each.inside for each in (first.low, first.high)
        )
        angles = np.linspace(least, most, tilts + 2)[1:-1]
        for angle in sorted({*angles.tolist(), 0.0}):
            low, high = self._offsets(self.across[0], angle * self.axes[0])
            together.append(TiltedOffsets(tilt=angle, low=low, high=high))
        return tuple(alone), tuple(together)

    def _offsets(self, along: Floats, tilt: Floats) -> tuple[RegionBorder, RegionBorder]:
        first, far = _FIRST_OFFSET * self.size, _FAR_OFFSET * self.size
        low, high = (self._border(lambda x: self.tries(x * along, tilt), way * first, far) for way in (-1, 1))
        return low, high

    def _tilts(self, axis: Floats, way: int) -> RegionBorder:
        return self._border(lambda x: self.tries(np.zeros(3), x * axis), way * _FIRST_TILT, _FAR_TILT)

    def _border(self, tried: Callable[[float], Tried], step: float, far: float) -> RegionBorder:
        """From zero, where it goes in or not, outward."""
        border: RegionBorder
        (border,) = side_by_side([outward(step, far)], lambda asked: [tried(place) for _, place in asked])
        self.tries.borders.append(border)
        return border


def _run_of(mechanism: Mechanism) -> CompliantRun:
    peg = peg_asked(mechanism)
    if peg is not None:
        problem = f"{peg.part} is a peg above a hole, and how far beside it may stand is not looked at here"
        raise UnsupportedError(
            problem, 'ask with [ask.mate] method = "rigid", which steps it over time', "--region"
        )
    if not gives_way(mechanism):
        problem = "no part gives way: there is neither an O-ring nor a hook on an elastic joint"
        raise UnsupportedError(problem, "ask it of a document with one", "--region")
    if led_by(mechanism) is not None:
        problem = "a robot or a carrier leads, and how far it gives way is not looked at here"
        raise UnsupportedError(problem, "ask it of the document whose legs push the part itself", "--region")
    return CompliantRun(mechanism)


def _across(run: CompliantRun) -> tuple[Floats, Floats]:
    """Two unit vectors across the first leg: where the parts press each other most, and across that."""
    leg = run.legs[0]
    forward = leg.leg.direction
    if run.mechanism.dimension == 2:
        return _pointing(np.array([-forward[1], forward[0], 0.0])), np.array([0.0, 0.0, 1.0])
    forces = np.where(np.isfinite(leg.load[:, :3]), leg.load[:, :3], 0.0)
    forces = forces - np.outer(forces @ forward, forward)
    sizes = np.linalg.norm(forces, axis=1)
    most = int(np.argmax(sizes))
    least = _ROUNDING * max(float(np.abs(leg.load[np.isfinite(leg.load)]).max(initial=0.0)), 1e-300)
    if sizes[most] > 1e3 * least:
        first = forces[most] / sizes[most]
    else:
        first = np.eye(3)[int(np.argmin(np.abs(forward)))]
    first = first - (first @ forward) * forward
    first = _pointing(first / np.linalg.norm(first))
    return first, _pointing(np.cross(forward, first))


def _pointing(vector: Floats) -> Floats:
    """The same line, its largest share positive, without rounding's rest."""
    clean = np.where(np.abs(vector) < 1e-9, 0.0, vector)
    clean = clean / np.linalg.norm(clean)
    return np.asarray(clean if clean[int(np.argmax(np.abs(clean)))] > 0 else -clean) + 0.0


def _three(vector: Floats) -> tuple[float, float, float]:
    x, y, z = (vector + 0.0).tolist()
    return x, y, z


def _scope(run: CompliantRun, *, together: bool) -> Scope:
    scope = compliant_scope(run)
    plane = run.mechanism.dimension == 2
    several = "several misalignments at once" + (
        ", but for the first offset with the first tilt" if together else ""
    )
    return Scope(
        certainty="sampled",
        covers="the misalignments that were mated: outward from the drawing by steps that double, each "
        f"border bisected to {100 * NEAR:g} % of it or of the first step; between them nothing is known, so "
        "a gap within a border, or another place beyond it, may be missed",
        left_out=(
            *([several] if not (plane and together) else []),
            "further legs: the first alone is judged, whose direction stays as drawn",
            *scope.left_out,
        ),
        assumed=scope.assumed,
    )
