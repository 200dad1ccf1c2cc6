"""Where drives take a linkage, and whether those that move together agree on it.

Several drives take their n-th positions at one instant, so all have equally many. A `speed` is how fast
a coordinate, or a marker on its path, goes along its positions, in either direction; it gives each leg a
duration, and two drives must agree on it. Plain Python, so that `check` can ask without importing arrays.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from itertools import pairwise

from msgspec.structs import replace

from detent.foundation.errors import Problem, UnsupportedError
from detent.foundation.exact import number
from detent.model.document.base import angle_of
from detent.model.document.drive import Drive
from detent.model.document.mechanism import Mechanism

# Two drives agree on the duration of a leg within this part of it.
SAME_TIME = 1e-9
# Of one answer of `move`: positions, speeds, accelerations and forces of all positions; each number takes so
# many bytes while it is computed and written as JSON.
NUMBERS, BYTES = 6_000_000, 130

Points = tuple[tuple[float, ...], ...]  # one row per position: a coordinate, or x and y of a marker


def problems(drives: Mapping[str, Drive]) -> list[Problem]:
    """What does not fit together in the drives that have positions, which are those that `move` takes."""
    problems = [p for name, drive in drives.items() for p in _problems_of_one(name, drive)]
    return problems or list(_problems_together(drives))


def gives_torque(drive: Drive) -> bool:
    """Whether a drive gives a torque or force to a joint, and no positions."""
    keys = (drive.from_, drive.from_deg, drive.inputs, drive.inputs_deg)
    return drive.joint is not None and drive.torque is not None and all(key is None for key in keys)


def moving_drives(drives: Mapping[str, Drive]) -> dict[str, Drive]:
    """The drives that move something through positions; all of them where none does."""
    return {name: drive for name, drive in drives.items() if not gives_torque(drive)} or dict(drives)


def speed_of(drive: Drive) -> float | None:
    """How fast it goes, by its own key: [rad/s] or document units per second."""
    return angle_of(drive.speed, drive.speed_deg)


def sizes_of_speeds(drives: Mapping[str, Drive]) -> list[str]:
    """What is to be said of negative speeds beside positions: these say which way a drive goes."""
    said = []
    for name, drive in drives.items():
        speed = speed_of(drive)
        if speed is not None and speed < 0.0 and _has_positions(drive):
            key = "speed" if drive.speed is not None else "speed_deg"
            where = "its path says" if drive.path is not None else "its positions say"
            said.append(
                f"drives.{name}.{key} is negative: {where} which way it goes, so only its size counts"
            )
    return said


def refuse_too_many(mechanism: Mechanism, drives: Mapping[str, Drive]) -> None:
    """An answer that would not fit into memory is refused before anything of it is computed."""
    markers = sum(len(part.markers) for part in mechanism.parts.values())
    each = 6 * markers + 9 * len(mechanism.parts) + 4 * len(mechanism.joints)
    most = max(NUMBERS // max(each, 1), 1)
    for name, drive in drives.items():
        count = max(drive.steps or 0, len(drive.inputs or ()), len(drive.inputs_deg or ()))
        if count > most:
            raise UnsupportedError(
                f"{count} positions of {len(mechanism.parts)} parts and {markers} markers take about "
                f"{count * each * BYTES / 1e9:.2g} GB, of which 1 is allowed",
                f"take at most {most} steps, or go through the range in pieces",
                f"drives.{name}.steps",
            )


def positions(drive: Drive, *, length: float, most: int | None = None) -> tuple[float, ...]:
    """Coordinates that a drive visits: [rad] in degrees or plain, plain ones times `length` on a slide.

    `most`: of evenly spaced ones, only so many of the first.
    """
    if drive.inputs is not None:
        return tuple(float(x) * length for x in drive.inputs)
    if drive.inputs_deg is not None:
        return tuple(math.radians(float(x)) for x in drive.inputs_deg)
    first, last = angle_of(drive.from_, drive.from_deg), angle_of(drive.to, drive.to_deg)
    if first is None or last is None:
        return ()
    plain = length if drive.from_deg is None else 1.0
    steps = drive.steps or 1
    count = steps + 1 if most is None else min(steps + 1, most)
    return tuple(plain * (first + (last - first) * i / steps) for i in range(count))


def at_first_position(drive: Drive) -> Drive:
    """The same drive at its first position alone."""
    if drive.path is not None:
        return Drive(marker=drive.marker, path=drive.path[:1])
    return Drive(joint=drive.joint, inputs=tuple(number(x) for x in positions(drive, length=1.0)[:1]))


def in_few_steps(drive: Drive, steps: int) -> Drive:
    """A drive from end to end in so many steps; one that visits given positions as it is."""
    return replace(drive, steps=steps) if _evenly_spaced(drive) and drive.steps else drive


def path_points(drive: Drive, *, length: float = 1.0) -> Points:
    """The points of a path times `length`, as given, or with `steps` shared out over its legs.

    Every point of the path stays a position: the line between positions is straight, so that one
    left out would cut its corner.
    """
    assert drive.path is not None
    corners = tuple((float(p[0]) * length, float(p[1]) * length) for p in drive.path)
    if drive.steps is None or len(corners) < 2:
        return corners
    shares = _shared_steps([math.dist(a, b) for a, b in pairwise(corners)], drive.steps)
    points = [corners[0]]
    for (a, b), parts in zip(pairwise(corners), shares, strict=True):
        along = b[0] - a[0], b[1] - a[1]
        points += [(a[0] + along[0] * (i / parts), a[1] + along[1] * (i / parts)) for i in range(1, parts)]
        points += [b] * (parts > 0)
    return tuple(points)


def durations(paths: Mapping[str, tuple[Points, float | None]]) -> list[tuple[float, str]]:
    """How long each leg takes [s], by the first drive that has a speed and moves there, and its name."""
    times: list[tuple[float, str]] = []
    for name, (points, speed) in paths.items():
        for k, (a, b) in enumerate(pairwise(points)):
            if k == len(times):
                times.append((0.0, ""))
            if speed is not None and not times[k][1] and (duration := math.dist(a, b) / abs(speed)):
                times[k] = duration, name
    return times


def _problems_of_one(name: str, drive: Drive) -> Iterator[Problem]:
    if not _has_positions(drive):
        return
    if speed_of(drive) == 0.0:
        words = "at no speed it never reaches its next position"
        yield Problem(f"drives.{name}.speed", words, "give a speed, or none")
    if drive.path is not None and drive.steps is not None:
        least = sum(a[:2] != b[:2] for a, b in pairwise(drive.path))
        if drive.steps < least:
            yield Problem(
                f"drives.{name}.steps",
                f"{drive.steps} steps cannot visit every point of a path of {least} legs",
                f"give at least {least}, or leave `steps` out to take the points as they are",
            )


def _problems_together(drives: Mapping[str, Drive]) -> Iterator[Problem]:
    positioned = {name: drive for name, drive in drives.items() if _has_positions(drive)}
    if len(positioned) < 2:
        return
    counts = sorted({_count(drive) for drive in positioned.values()})
    if len(counts) > 1:
        yield Problem(
            "drives",
            f"drives that move together have different numbers of positions: {counts}",
            "give all of them the same number of positions",
        )
    elif any(speed_of(drive) is not None for drive in positioned.values()):
        # Where all are evenly spaced, every leg is as the first: millions of them need not be made.
        most = 2 if all(map(_evenly_spaced, positioned.values())) else None
        paths = {name: (_points(drive, most), speed_of(drive)) for name, drive in positioned.items()}
        yield from _time_problems(paths)


def _time_problems(paths: Mapping[str, tuple[Points, float | None]]) -> Iterator[Problem]:
    """The first leg whose duration the speeds contradict, or do not say."""
    times = durations(paths)
    for name, (points, speed) in paths.items():
        for k, (a, b) in enumerate(pairwise(points)):
            duration = 0.0 if speed is None else math.dist(a, b) / abs(speed)
            if duration and abs(duration - times[k][0]) > SAME_TIME * times[k][0]:
                yield Problem(
                    f"drives.{name}.speed",
                    f"it takes {duration:.6g} s from position {k} to {k + 1}, "
                    f"and {times[k][1]} {times[k][0]:.6g} s; "
                    "drives that move together reach each position at one instant",
                    "give one of them a speed, or speeds in the ratio of their distances",
                )
                return
    for k, (_, by) in enumerate(times):
        if not by and any(points[k] != points[k + 1] for points, _ in paths.values()):
            yield Problem(
                "drives",
                f"from position {k} to {k + 1} only drives without a speed move, so that it has no duration",
                "give them a speed too, or none",
            )
            return


def _has_positions(drive: Drive) -> bool:
    if drive.joint is None:
        return drive.marker is not None and drive.path is not None
    ends = angle_of(drive.from_, drive.from_deg), angle_of(drive.to, drive.to_deg)
    return bool(drive.inputs or drive.inputs_deg) or None not in ends


def _evenly_spaced(drive: Drive) -> bool:
    return drive.joint is not None and drive.inputs is None and drive.inputs_deg is None


def _count(drive: Drive) -> int:
    """How many positions there are, without making them: `steps` may be in the millions."""
    shared_out = drive.path is not None and drive.steps is not None and len(drive.path) > 1
    return (drive.steps or 1) + 1 if shared_out or _evenly_spaced(drive) else len(_points(drive))


def _points(drive: Drive, most: int | None = None) -> Points:
    if drive.joint is None:
        return path_points(drive)
    return tuple((x,) for x in positions(drive, length=1.0, most=most))


def _shared_steps(lengths: list[float], steps: int) -> list[int]:
    """Steps of each leg: one at least, the others one by one to where steps are longest."""
    moving = sum(length > 0.0 for length in lengths)
    if not moving:
        return [steps, *(0 for _ in lengths[1:])]
    spare, total = steps - moving, math.fsum(lengths)
    parts = [max(1, int(spare * x // total)) if x > 0.0 else 0 for x in lengths]
    while sum(parts) < steps:
        most = max(range(len(parts)), key=lambda k: lengths[k] / max(parts[k], 1))
        parts[most] += 1
    return parts
