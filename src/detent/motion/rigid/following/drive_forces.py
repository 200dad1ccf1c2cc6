"""What each driven coordinate takes along a run that follows contact, with its extremes and its ranges."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from detent.motion.rigid.following.shares import drive_ranges

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from detent.motion.rigid.following.following_run import FollowingRun

    Floats = NDArray[np.float64]
    Flags = NDArray[np.bool_]

NO_LEVER = "a contact there has no lever on what it holds"
HELD = "it is held there"


class DriveForces(NamedTuple):
    """By names of drives, as a Motion has them."""

    series: dict[str, Any]
    components: dict[str, Any]
    ranges: dict[str, Any]  # least and most at each place, where statics leaves open what the drive takes
    peaks: dict[str, Any]


def drive_forces(run: FollowingRun, places: Floats) -> DriveForces:
    """At places in order, where springs, weights or torques act."""
    course, plan = run.course, run.plan
    balance = course.balance
    none = DriveForces({}, {}, {}, {})
    if not balance.pulls() or run.nowhere:
        return none
    units = np.array([balance.unit(k) for k in plan.coordinates])
    nodes, loose = _at_nodes(run)
    nodes = nodes / units[:, None]
    stopped = run.cause in ("jam", "blocked", "stick", "limit")
    at = np.searchsorted(np.array(course.places), places + 1e-12, side="right") - 1
    plain = run.mechanism.units == "1"
    for k in range(len(plan.coordinates)):
        name = f"drive {plan.shown[k]}"
        unit = "" if plain else " [N]" if plan.lengths[k] else " [N m]"
        none.components[name] = (f"{'along' if plan.lengths[k] else 'torque'}{unit}",)
        each = nodes[:, k]
        open_ones = loose[:, k]
        values = np.where(open_ones, np.nan, each[:, 0])[at]
        side = int(np.sign(plan.rates(run.end)[k]))  # it pushes on the way it goes
        if stopped:
            values[-1] = np.copysign(np.inf, side)
        none.series[name] = values
        if np.isfinite(each[open_ones]).any():
            none.ranges[name] = np.where(np.isfinite(values)[:, None], values[:, None], each[at])
            if stopped:
                none.ranges[name][-1] = values[-1]
        none.peaks[name] = _peaks(run, none.components[name], each, open_ones, values, stopped)
    return none


def _at_nodes(run: FollowingRun) -> tuple[Floats, Flags]:
    """Least and most at each position that was computed (positions, driven, 2), and whether they differ."""
    course = run.course
    count = len(run.plan.coordinates)
    rows = np.full((len(course.places), count, 2), np.nan)
    differ = np.zeros((len(course.places), count), np.bool_)
    for k, (held, loose) in enumerate(zip(course.drive_forces, course.open_forces, strict=True)):
        if len(held) < count:
            continue
        rows[k] = held[-count:, None]
        if loose[-count:].any():
            touching, status = course.acted[k]
            ranges = drive_ranges(course.balance, course.nodes[k], course.places[k], touching, status)
            rows[k] = np.where(loose[-count:, None], ranges, rows[k])
            differ[k] = loose[-count:] & (rows[k, :, 0] != rows[k, :, 1])
    return rows, differ


def _peaks(
    run: FollowingRun,
    components: tuple[str, ...],
    each: Floats,
    open_ones: Flags,
    values: Floats,
    stopped: bool,
) -> dict[str, Any]:
    """The least and the most of the run; where there is no bound, and to which side it grows."""
    folds = [fold.place for fold in run.boundless]
    boundless = np.isinf(values)
    if boundless.any():
        places = [*folds, *([run.end] if stopped else [])]
        why = " or ".join([*([NO_LEVER] if folds else []), *([HELD] if stopped else [])])
        missing = values[~np.isfinite(values)]
        toward = [int(np.sign(value)) if np.isinf(value) else 0 for value in missing]
        times = [run.time(place) for place in places]
        return {"unbounded": True, "at": times[0], "all_at": times, "why": why, "toward": toward}
    told = each[~np.isnan(each).any(axis=1)]
    if not open_ones.any():
        return {"least": float(told.min()), "most": float(told.max()), "sampled": True} if len(told) else {}
    peaks: dict[str, Any] = {"sampled": True, "undetermined": list(components)}
    if len(told):
        least, most = told.min(axis=0), told.max(axis=0)
        peaks |= {"least": float(least[0]), "most": float(most[1])}
        peaks |= {"least_range": least.tolist(), "most_range": most.tolist()}
    return peaks
