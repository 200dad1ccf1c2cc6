"""A document's O-rings as force laws, each in the bore that is nearest to its axis."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np

from detent.foundation.errors import ModelError, UnsupportedError
from detent.foundation.names import listed
from detent.foundation.units import METRES, unit_names
from detent.geometry.frame import Frame
from detent.geometry.revolved.bore import bore_of
from detent.geometry.revolved.wall import Bore, BoreWall
from detent.geometry.solid import Solid, placed
from detent.library.mating.oring import OringLaw, RingSection, constants_of_table
from detent.library.working_point import settings_of
from detent.model.document.settings import OringSettings
from detent.model.machine.pushed.compliant import rings_in
from detent.model.machine.solids import part_solid
from detent.model.machine.touching import TouchingPairs
from detent.motion.compliant.followed import Connection, FollowedLeg
from detent.motion.compliant.rings.described import description
from detent.motion.compliant.rings.following import follow_ring
from detent.motion.leading.plan import PushPlan, StraightLeg

_PARALLEL = 1e-6  # a sine below which a leg, a ring and a bore have one axis
_DEEP = 0.4  # of the section: a squeeze beyond it is out of what (28) stands for
_ROUNDING = 1e-9  # of a table's largest squeeze
ASSUMED = (
    "the ring's outer contour is a rigid circle that gives way radially, each piece by itself, and does not "
    "tilt in the bore (Meitinger & Pfeiffer, section 5.1)",
    "the offset is small against the ring: its square over the ring's radius is neglected beside the squeeze",
    "in a cylinder the groove's friction acts as it did on the slope that the ring came over last",
)


def ring_connections(plan: PushPlan, rings: tuple[str, ...]) -> list[Connection]:
    """One per ring that goes with the push; a ring on what stands still is refused."""
    if plan.mechanism.dimension != 3:
        problem = "an O-ring is round, and this document is of the plane"
        raise UnsupportedError(problem, "write dimension = 3", "dimension")
    for ring in rings:
        if ring not in plan.moving:
            problem = f"the ring is neither pushed nor fixed to {plan.part!r}, which is"
            raise UnsupportedError(problem, "push the ring, or join it by a fixed joint", f"parts.{ring}")
    return [RingConnection(plan, ring) for ring in rings]


@dataclass(frozen=True)
class RingConnection:
    """One ring in its bore."""

    plan: PushPlan
    name: str

    def __post_init__(self) -> None:
        """Refuse here what could never be followed, so that `check` says it too."""
        for leg in self.plan.legs:
            self._refuse_across(leg)
        _refuse_start(self)

    @cached_property
    def settings(self) -> OringSettings:
        settings: OringSettings = settings_of(self.plan.mechanism, self.name)
        return settings

    @cached_property
    def _constants(self) -> tuple[float, float, tuple[str, ...]]:
        """c1, c2, and what is to be said of a fit."""
        at = f"parts.{self.name}.set"
        if self.settings.pressure is not None:
            c1, c2 = map(float, self.settings.pressure)
            return c1, c2, ()
        table = self.settings.pressure_table
        if table is None:
            problem = "says neither pressure nor pressure_table, so nothing says how hard the section pushes"
            raise ModelError.at(
                at, problem, "give pressure = [c1, c2], or a table of squeezes and line loads"
            )
        squeezes = self.plan.metres * np.array([float(row[0]) for row in table])
        c1, c2, misfit = constants_of_table(squeezes, np.array([float(row[1]) for row in table]))
        deepest = float(squeezes.max())
        if not (c1 >= 0 and c1 + 2 * c2 * deepest >= 0 and c1 + c2 * deepest > 0):
            problem = f"its fit, c1 = {c1:.4g} N/m², c2 = {c2:.4g} N/m³, does not rise with the squeeze"
            raise ModelError.at(f"{at}.pressure_table", problem, "give loads that rise with the squeeze")
        told = f"pressure_table: fitted by c1 = {c1:.6g} N/m², c2 = {c2:.6g} N/m³, within {misfit:.3g} N/m"
        return c1, c2, (told,)

    @cached_property
    def section(self) -> RingSection:
        scale = self.plan.metres
        tube = scale * float(self.settings.section) / 2
        groove = self.settings.groove_radius
        radius = float(groove) if groove is not None else float(self.settings.inner_diameter or 0) / 2
        c1, c2, _ = self._constants
        return RingSection(tube, scale * radius, c1, c2)

    @property
    def reach(self) -> float:
        """[m] The ring's outer radius."""
        return self.section.middle + self.section.tube

    @cached_property
    def bore(self) -> Bore:
        pairs = TouchingPairs(self.plan.mechanism)
        scale = METRES[self.plan.mechanism.units]
        walls: dict[str, Solid] = {}
        for part in self.plan.fixed:
            solid = part_solid(self.plan.mechanism, part, scale=scale)
            if solid is not None and pairs.may_touch(self.name, part):
                walls[part] = placed(solid, _scaled(self.plan.placed.frame(part), scale))
        ring = self.plan.frame(self.name)
        near = self.section.middle + self.section.tube
        bore = bore_of(walls, ring[:3, 3], self.plan.legs[0].direction, near)
        if bore is None:
            problem = (
                "no bore lies ahead: nothing that stands still has a round hole along the first leg there"
            )
            remedy = (
                "subtract a cylinder about the ring's axis from a fixed part, or move the ring in front of it"
            )
            raise ModelError.at(f"parts.{self.name}", problem, remedy)
        narrow = self._passed_too_narrow(bore)
        if narrow is not None:
            unit = unit_names(self.plan.mechanism.units).length
            least = narrow.least / self.plan.metres
            problem = (
                f"the bore's radius is {least:.6g}{unit} at {narrow.name}, not above that of the "
                f"groove's ground, {self.section.groove / self.plan.metres:.6g}{unit}: what carries the ring "
                "does not go in"
            )
            raise ModelError.at(
                f"parts.{self.name}.set", problem, "make the bore wider, or the groove deeper"
            )
        return bore

    def _passed_too_narrow(self, bore: Bore) -> BoreWall | None:
        """A wall within the groove's ground that the ring would go all through, or that is all there is."""
        groove, legs = self.section.groove, self.plan.legs
        if bore.narrowest(groove) is None:
            return bore.narrowest()
        places = self.plan.frame(self.name)[:3, 3] + np.concatenate(
            [leg.displacement(np.array([0.0, leg.length])) for leg in legs]
        )
        depths = (places - np.array(bore.origin)) @ np.array(bore.axis)
        passed = [wall for wall in bore.walls if depths.min() < wall.start and wall.end < depths.max()]
        return min(
            (wall for wall in passed if wall.least <= groove), key=lambda wall: wall.least, default=None
        )

    @property
    def narrowest(self) -> BoreWall:
        """The wall that squeezes the ring most; narrower ones end its way."""
        wall = self.bore.narrowest(self.section.groove)
        assert wall is not None
        return wall

    @cached_property
    def law(self) -> OringLaw:
        frame, ring = self.plan.frame(self.plan.part), self.plan.frame(self.name)
        x, y, z = (frame[:3, :3].T @ (ring[:3, 3] - frame[:3, 3])).tolist()
        friction = self._friction
        own = self.settings.groove_friction
        return OringLaw(
            self.name,
            self.plan.part,
            self.section,
            self.bore,
            friction,
            friction if own is None else float(own),
            (x, y, z),
        )

    @property
    def _friction(self) -> float:
        """Between ring and bore; none where the document gives none."""
        given = TouchingPairs(self.plan.mechanism).friction(self.name, self.bore_part)
        return 0.0 if given is None else float(given)

    @property
    def _deepest(self) -> float:
        """The largest squeeze about the ring, where it begins beside the axis; at most its section."""
        _, offset, _ = self.depth(self.plan.legs[0])
        most = self.section.middle + self.section.tube - self.narrowest.least + offset
        return min(most, 2 * self.section.tube)

    @property
    def _beyond_table(self) -> str:
        """What is to be said of a squeeze beyond those of `pressure_table`."""
        table, scale = self.settings.pressure_table, self.plan.metres
        if self.settings.pressure is not None or table is None:
            return ""
        squeezes = [float(row[0]) for row in table]
        deep = self._deepest / scale
        if deep <= max(squeezes) * (1 + _ROUNDING):
            return ""
        unit = unit_names(self.plan.mechanism.units).length
        return (
            f"parts.{self.name}.set.pressure_table: it has squeezes from {min(squeezes):.4g} to "
            f"{max(squeezes):.4g}{unit}; up to {deep:.4g}{unit}, {deep - max(squeezes):.4g}{unit} beyond, "
            "c1 a + c2 a² is extrapolated"
        )

    @property
    def bore_part(self) -> str:
        """The part that has the narrowest wall."""
        return self.narrowest.name.partition("/")[0]

    @property
    def notes(self) -> tuple[str, ...]:
        names = {wall.name.partition("/")[0] for wall in self.bore.walls} - {self.bore_part}
        pairs = TouchingPairs(self.plan.mechanism)
        own = pairs.friction(self.name, self.bore_part)
        others = sorted(name for name in names if pairs.friction(self.name, name) != own)
        told = [f"{self.name}: friction is that with {self.bore_part} on {name} too" for name in others]
        beyond = [self._beyond_table] if self._beyond_table else []
        return (*self._constants[2], *beyond, *told)

    @property
    def assumed(self) -> tuple[str, ...]:
        lines = list(ASSUMED)
        if TouchingPairs(self.plan.mechanism).friction(self.name, self.bore_part) is None:
            lines.append(
                f"touching.friction: none between {self.name} and {self.bore_part}, as none is given"
            )
        if self.settings.groove_friction is None:
            lines.append(f"parts.{self.name}.set.groove_friction: as between ring and bore")
        if self._beyond_table:
            lines.append(self._beyond_table)
        deep = self._deepest
        if deep > _DEEP * 2 * self.section.tube:
            share = 50 * deep / self.section.tube
            lines.append(f"{self.name}: c1 a + c2 a² holds up to the squeeze of {share:.3g} % of its section")
        return tuple(lines)

    @property
    def left_out(self) -> tuple[str, ...]:
        lines = [
            f"the ring's stretch on its groove{self._stretch}, which thins its section, and its friction in "
            "circumference",
            "tilt of the ring's plane against the bore, squeeze and force alike: its centre alone counts",
            "how a squeezed ring spreads along the groove, fills it and swells into gaps",
        ]
        rigid = [part for part in self.plan.moving if part != self.name and part_drawn(self.plan, part)]
        carries = listed(rigid) or "what carries the ring"
        lines.append(f"contact of {carries} with what stands still: the ring alone touches")
        if self.bore.ports:
            lines.append(
                "ports: the wall counts as closed there; over them the ring is pressed less and bulges in"
            )
        return tuple(lines)

    @property
    def _stretch(self) -> str:
        """By how much, where the document says how wide the ring is by itself."""
        inner, groove = self.settings.inner_diameter, self.settings.groove_radius
        if inner is None or groove is None:
            return ""
        return f" ({200 * float(groove) / float(inner) - 100:.3g} %)"

    @property
    def described(self) -> Mapping[str, Any]:
        return description(self.law, self.plan, self.narrowest, self.sense(self.plan.legs[0]))

    def sense(self, leg: StraightLeg) -> int:
        """1 along the bore's axis, -1 against it."""
        return 1 if leg.direction @ np.array(self.bore.axis) > 0 else -1

    def depth(self, leg: StraightLeg, way: float = 0.0) -> tuple[float, float, Any]:
        """Depth, offset and its direction on a leg."""
        x, y, z = (self.plan.frame(self.name)[:3, 3] + leg.displacement(way)[0]).tolist()
        return self.law.depth_and_offset(x, y, z)

    def follow(self, leg: StraightLeg, before: FollowedLeg | None) -> FollowedLeg:
        """Along a leg; a ring remembers nothing."""
        depth, offset, outward = self.depth(leg)
        return follow_ring(
            self.law,
            leg,
            depth,
            offset,
            np.array(outward),
            self.sense(leg),
            self.plan.frame(self.plan.part),
            self.plan.metres,
            self.plan.mechanism.units,
            named="" if len(rings_in(self.plan.mechanism)) == 1 else f"{self.name}.",
        )

    def _refuse_across(self, leg: StraightLeg) -> None:
        ring = self.plan.frame(self.name)[:3, 2]
        tilted = float(np.linalg.norm(np.cross(ring, leg.direction)))
        if tilted > _PARALLEL:
            angle = math.degrees(math.asin(min(tilted, 1.0)))
            problem = f"leg {leg.number} goes {angle:.3g} degrees across the axis of {self.name!r}"
            remedy = "push along the ring's z axis; where it stands beside the bore is its pose"
            raise UnsupportedError(problem, remedy, leg.at)


def _refuse_start(ring: RingConnection) -> None:
    depth, offset, _ = ring.depth(ring.plan.legs[0])
    state = ring.law.state(depth, offset, 0.0)
    if state.laid is not None:
        unit, scale = unit_names(ring.plan.mechanism.units).length, ring.plan.metres
        squeeze = (state.squeeze + offset) / scale
        problem = f"begins in {state.laid.name}, squeezed by {squeeze:.4g}{unit}"
        remedy = "begin in front of the bore; the way out is a leg `{ back = true }`"
        raise ModelError.at(f"parts.{ring.name}.pose", problem, remedy)


def part_drawn(plan: PushPlan, part: str) -> bool:
    return plan.mechanism.parts[part].shape is not None


def _scaled(frame: Frame, scale: Fraction) -> Frame:
    x, y, z = (scale * c for c in frame.origin)
    return Frame(frame.rows, (x, y, z), frame.approximated)
