"""Which surfaces of a round peg and its hole touch on the way in, where, and with what forces.

Meitinger & Pfeiffer 1998, section 6.1: torus on torus, the peg's cylinder on the hole's torus, the peg's
torus on the hole's cylinder, numbered as there. Depths are those of the tip's centre below the hole's face;
angles are about the hole's axis from its part's x; the tilt is what the peg's axis has of the hole's x and
y. Forces are means over 20 ms, impulses of impacts included.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from detent.foundation.units import unit_names
from detent.geometry.revolved.meridian import Meridian
from detent.judge.rigid_mating.forces import Reading
from detent.judge.round_pegs.overlap import overlap_from
from detent.judge.round_pegs.pairs import PAIRS, WORDS
from detent.library.robots.serial_arm import Floats
from detent.motion.rigid.mating.mating_run import RigidMatingRun
from detent.motion.rigid.mating.traces import SmoothedForce, TracedContacts, smoothed, traced
from detent.numeric.cone_problem import OPEN, STICK

OVER = 0.02  # [s] means of forces
EVERY = 0.04  # [s] rows of the series
PUSHES = 1.0  # [N]: less does not count as a contact
CHAMFER = 0.012  # [m] depth down to which the chamfers' peak is looked for
INSIDE = 0.015  # [m] depth beyond which a contact inside the hole is a second one
READING = Reading(averaged=OVER, chamfer=CHAMFER, second=INSIDE, loaded=PUSHES)
SETTLED = 0.02  # [m] depth from which one contact is looked at
_SHORT = 0.005  # [s]: contacts that last less are events, but not in the order


@dataclass(frozen=True, eq=False)
class RoundStory:
    """One hole and one shaft over a run."""

    run: RigidMatingRun
    match: int  # of the run's matched meridians
    since: float = 0.0  # [s], of the leg that is told
    until: float = np.inf

    def __post_init__(self) -> None:
        object.__setattr__(self, "until", min(self.until, float(self.run.steps.times[-1])))

    @cached_property
    def _sides(self) -> tuple[int, int]:
        """Which of a pair's bodies has the hole, and which the peg."""
        _, first, _ = self.run.machine.rounds.matched[self.match]
        return (0, 1) if self.run.machine.rounds.meridians[first].hollow else (1, 0)

    @property
    def hole(self) -> Meridian:
        rounds = self.run.machine.rounds
        return rounds.meridians[rounds.matched[self.match][1 + self._sides[0]]]

    @property
    def peg(self) -> Meridian:
        rounds = self.run.machine.rounds
        return rounds.meridians[rounds.matched[self.match][1 + self._sides[1]]]

    @cached_property
    def contacts(self) -> TracedContacts:
        """Those of this hole and shaft."""
        machine = self.run.machine
        every, rounds = traced(self.run), machine.rounds
        flat = len(machine.candidates)
        if not len(every.step):
            return every
        times = self.run.steps.times[every.step]
        told = (times >= self.since - 1e-12) & (times <= self.until)
        both = set(rounds.matched[self.match][1:])
        own = [set(circle[1:3].tolist()) == both for circle in rounds.circles]
        row = np.maximum(every.candidate - flat, 0)
        return every.of(told & (every.candidate >= flat) & np.array(own)[rounds.listed[row, 1]])

    def _on(self, meridian: Meridian, side: int) -> tuple[Floats, Floats, Any]:
        """Angle and depth of each contact on a meridian; its piece is its own circle, or the nearest."""
        points = (self.contacts.first, self.contacts.second)[side]
        inverse = np.linalg.inv(meridian.frame)
        x, y, u = (points @ inverse[:3, :3].T + inverse[:3, 3]).T
        rho = np.hypot(x, y)
        places = list(zip(rho.tolist(), u.tolist(), strict=True))
        away = np.array([[piece.away(*place) for piece in meridian.pieces] for place in places])
        piece = away.reshape(-1, len(meridian.pieces)).argmin(axis=1)
        machine = self.run.machine
        rounds = machine.rounds
        number = rounds.matched[self.match][1 + side]
        circle = rounds.circles[rounds.listed[self.contacts.candidate - len(machine.candidates), 1]]
        piece = np.where(circle[:, 1] == number, circle[:, 0] - rounds.starts[number], piece)
        return np.arctan2(y, x), u, piece

    @cached_property
    def on_hole(self) -> tuple[Floats, Floats, Any]:
        return self._on(self.hole, self._sides[0])

    @cached_property
    def on_peg(self) -> tuple[Floats, Floats, Any]:
        return self._on(self.peg, self._sides[1])

    @cached_property
    def pair(self) -> Any:
        """(n,) number of the surfaces of each contact."""
        roles = [
            [each.pieces[piece].role.replace("edge", "rim") for piece in on[2]]
            for each, on in ((self.hole, self.on_hole), (self.peg, self.on_peg))
        ]
        return np.array([PAIRS.get(both, "7") for both in zip(*roles, strict=True)], dtype="<U1")

    @cached_property
    def numbers(self) -> tuple[str, ...]:
        """The paper's three, and what else touched."""
        return tuple(sorted({"1", "2", "3"} | set(self.pair.tolist())))

    @cached_property
    def axes(self) -> Floats:
        """(3, 3) columns: into the hole, then across."""
        across = self._world[0][:3, 0]
        return np.column_stack([self.inwards, across, np.cross(self.inwards, across)])

    @cached_property
    def whole(self) -> SmoothedForce:
        """The force on the peg, on `axes`."""
        steps, contacts = self.run.steps, self.contacts
        over, blows = np.zeros((2, len(steps.times), 3))
        for table, rows in ((over, contacts.impulses), (blows, contacts.blows)):
            np.add.at(table, contacts.step, rows[:, 1:] @ self.axes)
        return smoothed(steps, over, blows)

    @cached_property
    def forces(self) -> SmoothedForce:
        """The force on the peg along the hole's axis, inwards, then of each pair its normal force."""
        steps, contacts = self.run.steps, self.contacts
        over, blows = np.zeros((2, len(steps.times), 1 + len(self.numbers)))
        for table, rows in ((over, contacts.impulses), (blows, contacts.blows)):
            np.add.at(table[:, 0], contacts.step, rows[:, 1:] @ self.inwards)
            for column, number in enumerate(self.numbers, start=1):
                own = self.pair == number
                np.add.at(table[:, column], contacts.step[own], rows[own, 0])
        return smoothed(steps, over, blows)

    @cached_property
    def _world(self) -> tuple[Floats, Floats]:
        """The hole's frame (4, 4), and the peg's as drawn, in the world [m]."""
        frame = self.run.machine.drawn_frame
        return frame(self.hole.part) @ self.hole.frame, frame(self.peg.part) @ self.peg.frame

    @cached_property
    def mouth(self) -> tuple[float, float]:
        """Depth along the hole's axis of the face it is entered by, and the sense of going in."""
        depths = [u for piece in self.hole.pieces for _, u in (piece.start, piece.end)]
        low, high = min(depths), max(depths)
        ahead = np.linalg.inv(self._world[0]) @ self._world[1][:, 3]
        return (low, 1.0) if ahead[2] < (low + high) / 2 else (high, -1.0)

    @property
    def inwards(self) -> Floats:
        """Unit, into the hole, world axes."""
        return np.asarray(self.mouth[1] * self._world[0][:3, 2])

    @cached_property
    def _tip(self) -> tuple[Floats, Floats]:
        """The tip's centre and the direction of the peg's axis, out of the tip, in the peg's part."""
        depths = [u for piece in self.peg.pieces for _, u in (piece.start, piece.end)]
        out = 1.0 if (self._world[1][:3, 2] @ self.inwards) > 0 else -1.0
        at = max(depths) if out > 0 else min(depths)
        return self.peg.origin + at * self.peg.axis, out * self.peg.axis

    @property
    def tip_along(self) -> float:
        """Where the tip is along the peg's meridian [m]."""
        return float((self._tip[0] - self.peg.origin) @ self.peg.axis)

    def places(self, at: Any) -> tuple[Floats, Floats]:
        """(n,) depth of the tip's centre and (n, 2) tilt at times."""
        from scipy.spatial.transform import Rotation

        machine = self.run.machine
        moved = self.run.gripper_motion(*self.run.steps.at(at))[0]
        turned, gripper = Rotation.from_rotvec(moved[:, 3:]), machine.leader.gripper[:3, 3]
        frame, hole = machine.drawn_frame(self.peg.part), self._world[0]
        tip = frame[:3, :3] @ self._tip[0] + frame[:3, 3]
        points = turned.apply(tip - gripper) + gripper + moved[:, :3]
        depth = self.mouth[1] * ((points - hole[:3, 3]) @ hole[:3, 2] - self.mouth[0])
        axes = turned.apply(frame[:3, :3] @ self._tip[1])
        return depth, axes @ hole[:3, :2]

    @cached_property
    def _rows(self) -> tuple[Floats, Floats, Floats, Floats]:
        """Times of the run's rows of this leg, depths, tilts, means of forces."""
        every = self.run.steps.times
        times = every[self._first_row : np.searchsorted(every, self.until, "right")]
        return times, *self.places(times), self.forces.mean(times, OVER)

    @cached_property
    def _first_row(self) -> int:
        return int(np.searchsorted(self.run.steps.times, self.since - 1e-12))

    @cached_property
    def _row(self) -> Any:
        """(n,) of each contact among the leg's rows."""
        return self.contacts.step - self._first_row

    @cached_property
    def beside(self) -> float:
        """How far the tip is from the hole's axis at the start [m]."""
        there = (
            np.linalg.inv(self._world[0])
            @ self._world[1]
            @ np.linalg.inv(self.peg.frame)
            @ [*self._tip[0], 1.0]
        )
        return float(np.hypot(there[0], there[1]))

    def depth_at(self, times: Any) -> Floats:
        """(n,) of the tip's centre below the hole's face [m]."""
        return self.places(times)[0]

    @property
    def clearance(self) -> float:
        """Of the diameters of the narrowest wall and the widest side [m]; of rims where a part has none."""
        return 2 * (self.hole.side_radius - self.peg.side_radius)

    @property
    def larger(self) -> str:
        """By how much the peg is larger than its hole; nothing where it is not."""
        unit, play = unit_names(self.run.mechanism.units).length, self.clearance
        return f"by {-play / self.run.machine.plan.metres:.4g}{unit} in diameter" if play < 0 else ""

    @property
    def not_followed(self) -> str:
        """Why the run is not to be believed; nothing where it is."""
        since = overlap_from(self.run, self.hole, self.peg, self.since, self.until)
        if since is None:
            return ""
        both = f"{self.peg.part} and {self.hole.part}"
        return f"{both} overlap at {since:.4g} s where other than round surfaces meet, which are not followed"

    @cached_property
    def states(self) -> list[tuple[float, tuple[str, ...], str]]:
        """From when on which pairs touch, with the signs of their mode: f fixed, s sliding, 0 open."""
        contacts, times = self.contacts, self.run.steps.times
        found: list[tuple[float, tuple[str, ...], str]] = []
        by_step: dict[int, list[tuple[str, str]]] = {}
        for row, step in enumerate(contacts.step.tolist()):
            if contacts.status[row] != OPEN:
                sign = "f" if contacts.status[row] == STICK else "s"
                by_step.setdefault(step, []).append((str(self.pair[row]), sign))
        first = self._first_row
        for step in range(first, first + len(self._rows[0])):
            both = sorted(by_step.get(step, []))
            now = tuple(pair for pair, _ in both), "".join(sign for _, sign in both)
            if not found or found[-1][1:] != now:
                found.append((float(times[step]), *now))
        # Nothing for less than a step between two pairs is a hand-over.
        short = self.run.machine.step
        lifted = [
            k
            for k in range(1, len(found) - 1)
            if not found[k][1] and found[k - 1][1] and found[k + 1][0] - found[k][0] < short
        ]
        return [state for k, state in enumerate(found) if k not in lifted]

    def blow_at(self, time: float) -> float | None:
        """The normal impulses of the impact at a time of the run; none where there was none."""
        struck = self.run.steps.times[self.contacts.step] == time
        total = float(self.contacts.blows[struck, 0].sum())
        return total if total > 0 else None

    @property
    def touching_at_end(self) -> tuple[str, ...]:
        """What pushes in the leg's last step."""
        times = self.run.steps.times
        rows = times[: np.searchsorted(times, self.until, "right")]
        last = RoundStory(self.run, self.match, float(rows[max(len(rows) - 3, 0)]), self.until)
        pushes = last.contacts.impulses[:, 0] > 0
        if not pushes.any():
            return ()
        step = last.contacts.step[pushes].max()
        numbers = set(last.pair[pushes & (last.contacts.step == step)].tolist())
        return tuple(sorted(WORDS[number] for number in numbers))

    def _first(self, number: str, beyond: float = -np.inf) -> int | None:
        """The first contact row of a pair that pushes, deeper than that."""
        contacts, lasted = self.contacts, self.run.steps.lasted
        force = contacts.impulses[:, 0] / np.append(lasted, np.inf)[contacts.step]
        pushes = (force > PUSHES) | (contacts.blows[:, 0] > 0)
        deep = self._rows[1][self._row] > beyond
        found = np.flatnonzero((self.pair == number) & pushes & deep)
        return int(found[0]) if len(found) else None

    def _column(self, number: str) -> Floats:
        return np.asarray(self._rows[3][:, 1 + self.numbers.index(number)])

    @cached_property
    def order(self) -> tuple[str, ...]:
        """Which pairs push at once, one after the other; what lasts less than 5 ms is left out."""
        steps, contacts = self.run.steps, self.contacts
        lasted = steps.lasted[: self._first_row + len(self._rows[0])]
        pushing = [set[str]() for _ in lasted]
        for row in np.flatnonzero(contacts.step < len(lasted)):
            k = contacts.step[row]
            if contacts.impulses[row, 0] > PUSHES * lasted[k]:
                pushing[k].add(str(self.pair[row]))
        found: list[list[Any]] = []
        for k, several in enumerate(pushing):
            name = "".join(sorted(several))
            if found and found[-1][0] == name:
                found[-1][1] += lasted[k]
            else:
                found.append([name, lasted[k]])
        kept: list[str] = []
        for name, time in found:
            if name and time >= _SHORT and (not kept or kept[-1] != name):
                kept.append(name)
        return tuple(kept)

    def figures(self) -> dict[str, Any]:
        """What the reference answer has, by its keys; nothing of what did not come about."""
        times, depth, tilt, force = self._rows
        told: dict[str, Any] = {
            "contact_order": list(self.order),
            "pairs": {number: WORDS[number] for number in self.numbers},
        }
        if not len(self.contacts.step):
            return told
        first = None
        rows = [row for row in (self._first(number) for number in self.numbers) if row is not None]
        if rows:
            first = min(rows, key=lambda row: (self.contacts.step[row], row))
            largest = float(self._column(str(self.pair[first])).max())
            told["first_contact"] = self._where(first) | {"lambda_max_N": largest}
        to_side = self._first("2")
        if to_side is not None and first is not None and str(self.pair[first]) == "1":
            told["transfer_to_side"] = self._where(to_side)
        second = self._first("3", INSIDE)
        until = len(times) - 1 if second is None else int(self._row[second])
        one = (depth >= SETTLED) & (times <= times[until] - (0.0 if second is None else OVER / 2))
        if to_side is not None and one.any():
            carried, along = self._column("2")[one], force[one, 0]
            told["one_point"] = {
                "lambda2_N": [float(carried.min()), float(carried.max())],
                "F_z_N": [float(along.min()), float(along.max())],
                "tilt_end_mrad": [round(1e3 * float(x), 3) for x in tilt[until]],
            }
        if second is not None:
            told |= self._two_points(second, until)
        return told

    def _two_points(self, second: int, until: int) -> dict[str, Any]:
        _, _, tilt, force = self._rows
        at = self._where(second)
        at.pop("pair")
        angle3 = at.pop("angle_deg")
        sides = np.flatnonzero((self.pair == "2") & (self._row <= until))
        angles, pushes = self.on_hole[0], self.contacts.impulses[:, 0] > 0
        ends = {}
        for number in ("2", "3"):
            rows = np.flatnonzero((self.pair == number) & pushes)
            if len(rows):
                ends[f"angle{number}_end_deg"] = float(np.degrees(angles[rows[-1]]))
        after = slice(until, None)
        return {
            "second_contact": {
                **at,
                "tilt_mrad": [round(1e3 * float(x), 3) for x in tilt[until]],
                "tilt_abs_mrad": float(1e3 * np.hypot(*tilt[until])),
                **({"angle2_deg": float(np.degrees(angles[sides[-1]]))} if len(sides) else {}),
                "angle3_deg": angle3,
            },
            "two_point": {
                "lambda2_max": float(self._column("2")[after].max()),
                "lambda3_max": float(self._column("3")[after].max()),
                "F_z_min": float(force[after, 0].min()),
                **ends,
            },
        }

    def _where(self, row: int) -> dict[str, Any]:
        """Of a contact: when, how deep the tip is, and where round the hole."""
        times, depth, _, _ = self._rows
        k = int(self._row[row])
        return {
            "pair": int(self.pair[row]),
            "t": float(times[k]),
            "tip_depth_mm": float(1e3 * depth[k]),
            "angle_deg": float(np.degrees(self.on_hole[0][row])),
        }

    @cached_property
    def series(self) -> tuple[tuple[str, ...], list[list[float]]]:
        """Columns and rows of depth and forces over time."""
        times = self._rows[0]
        every = np.arange(times[0], times[-1] + 1e-9, EVERY)
        columns = ("time", "depth_mm", "F_z", *(f"lambda{number}" for number in self.numbers))
        means = self.forces.mean(every, OVER)
        return columns, np.column_stack([every, 1e3 * self.depth_at(every), means]).tolist()
