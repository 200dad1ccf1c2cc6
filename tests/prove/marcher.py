"""A quasi-static marcher: small steps, polygon overlap, bisection; nothing shared with the product.

At each time the angle is found anew: pushed away from rest until the pawl no
longer overlaps, then let back towards rest until it would. Where a step finds
no free angle nearby it is halved, down to a step that stands for a jam. The
friction test looks at the two nearest features and at how the touching point
of the pawl really moved.
"""

from __future__ import annotations

import math

import numpy as np
from numba import njit

DONE, JAM, STICK, UNSURE = 0, 1, 2, 3
SMALLEST_STEP = 1e-9
ANGLE = 1e-12  # bisected to this
SCAN = 1e-3  # [rad] coarse look while snapping


@njit(cache=True)
def _pose(pawl, hinge, velocity, t, angle, out):
    c, s = math.cos(angle), math.sin(angle)
    x, y = hinge[0] + velocity[0] * t, hinge[1] + velocity[1] * t
    for k in range(len(pawl)):
        out[k, 0] = x + c * pawl[k, 0] - s * pawl[k, 1]
        out[k, 1] = y + s * pawl[k, 0] + c * pawl[k, 1]


@njit(cache=True)
def _inside(px, py, polygon, first, last):
    odd = False
    for i in range(first, last):
        j = i + 1 if i + 1 < last else first
        ax, ay, bx, by = polygon[i, 0], polygon[i, 1], polygon[j, 0], polygon[j, 1]
        if (ay > py) != (by > py) and px < ax + (bx - ax) * (py - ay) / (by - ay):
            odd = not odd
    return odd


@njit(cache=True)
def _overlap(points, obstacles, starts):
    for o in range(len(starts) - 1):
        first, last = starts[o], starts[o + 1]
        for k in range(len(points)):
            px, py = points[k, 0], points[k, 1]
            if _inside(px, py, obstacles, first, last):
                return True
            m = k + 1 if k + 1 < len(points) else 0
            qx, qy = points[m, 0], points[m, 1]
            for i in range(first, last):
                j = i + 1 if i + 1 < last else first
                ax, ay, bx, by = obstacles[i, 0], obstacles[i, 1], obstacles[j, 0], obstacles[j, 1]
                s1 = (qx - px) * (ay - py) - (qy - py) * (ax - px)
                s2 = (qx - px) * (by - py) - (qy - py) * (bx - px)
                s3 = (bx - ax) * (py - ay) - (by - ay) * (px - ax)
                s4 = (bx - ax) * (qy - ay) - (by - ay) * (qx - ax)
                if (s1 > 0) != (s2 > 0) and (s3 > 0) != (s4 > 0):
                    return True
        for i in range(first, last):
            if _inside(obstacles[i, 0], obstacles[i, 1], points, 0, len(points)):
                return True
    return False


@njit(cache=True)
def _blocked(pawl, obstacles, starts, hinge, velocity, t, angle, scratch):
    _pose(pawl, hinge, velocity, t, angle, scratch)
    return _overlap(scratch, obstacles, starts)


@njit(cache=True)
def _edge(pawl, obstacles, starts, hinge, velocity, t, free, blocked, scratch):
    """The last free angle between a free and a blocked one."""
    while abs(free - blocked) > ANGLE:
        middle = (free + blocked) / 2
        if _blocked(pawl, obstacles, starts, hinge, velocity, t, middle, scratch):
            blocked = middle
        else:
            free = middle
    return free


@njit(cache=True)
def _away(pawl, obstacles, starts, hinge, velocity, t, angle, heading, reach, scratch):
    """The nearest free angle in one direction, or NaN."""
    step = 1e-7
    before, far = angle, 0.0
    while far < reach:
        far = min(far + step, reach)
        trial = angle + heading * far
        if not _blocked(pawl, obstacles, starts, hinge, velocity, t, trial, scratch):
            return _edge(pawl, obstacles, starts, hinge, velocity, t, trial, before, scratch)
        before = trial
        step *= 1.3
    return math.nan


@njit(cache=True)
def _relax(pawl, obstacles, starts, hinge, velocity, t, angle, scratch):
    """Back towards rest through free angles."""
    here = angle
    step = 1e-8
    while here != 0.0:
        size = min(step, abs(here))
        trial = 0.0 if size == abs(here) else here - math.copysign(size, here)
        if _blocked(pawl, obstacles, starts, hinge, velocity, t, trial, scratch):
            return _edge(pawl, obstacles, starts, hinge, velocity, t, here, trial, scratch)
        here = trial
        step = min(step * 1.5, SCAN)
    return 0.0


@njit(cache=True)
def _sticks(pawl, obstacles, starts, hinge, velocity, mu, t0, angle0, t, angle, scratch):
    """Whether the contact nearest to touching cannot slide; judged by how its point moved."""
    _pose(pawl, hinge, velocity, t, angle, scratch)
    hx, hy = hinge[0] + velocity[0] * t, hinge[1] + velocity[1] * t
    side = 1.0 if angle > 0 else -1.0
    best = 1e300
    nx, ny, cx, cy = 0.0, 0.0, 0.0, 0.0
    for o in range(len(starts) - 1):
        first, last = starts[o], starts[o + 1]
        for kind in range(2):
            n_edges = last - first if kind == 0 else len(pawl)
            n_points = len(pawl) if kind == 0 else last - first
            for e in range(n_edges):
                if kind == 0:
                    i = first + e
                    j = first + (e + 1) % n_edges
                    ax, ay, bx, by = obstacles[i, 0], obstacles[i, 1], obstacles[j, 0], obstacles[j, 1]
                else:
                    j = (e + 1) % n_edges
                    ax, ay, bx, by = scratch[e, 0], scratch[e, 1], scratch[j, 0], scratch[j, 1]
                length = math.hypot(bx - ax, by - ay)
                ox, oy = (by - ay) / length, -(bx - ax) / length
                if kind == 1:
                    ox, oy = -ox, -oy  # towards the pawl
                for p in range(n_points):
                    if kind == 0:
                        px, py = scratch[p, 0], scratch[p, 1]
                    else:
                        px, py = obstacles[first + p, 0], obstacles[first + p, 1]
                    along = ((px - ax) * (bx - ax) + (py - ay) * (by - ay)) / length
                    if along < -1e-9 or along > length + 1e-9:
                        continue
                    gap = abs((px - ax) * ox + (py - ay) * oy)
                    turning = (px - hx) * oy - (py - hy) * ox
                    if side * turning > 0 and gap < best:
                        best, nx, ny, cx, cy = gap, ox, oy, px, py
    if best > 1e-6:
        return False
    rx, ry = cx - hx, cy - hy
    # Where the pawl's own point was a step ago, turned with the pawl.
    c, s = math.cos(angle0 - angle), math.sin(angle0 - angle)
    ux = hinge[0] + velocity[0] * t0 + c * rx - s * ry
    uy = hinge[1] + velocity[1] * t0 + s * rx + c * ry
    slip = (cx - ux) * -ny + (cy - uy) * nx
    sign = 1.0 if slip > 0 else -1.0
    fx, fy = nx + mu * sign * ny, ny - mu * sign * nx
    return (rx * ny - ry * nx) * (rx * fy - ry * fx) < 0


@njit(cache=True)
def march(pawl, obstacles, starts, hinge, velocity, mu, angle, begin, until, step):
    """Times, angles, how it ended."""
    scratch = np.empty_like(pawl)
    times, angles = [begin], [angle]
    t, size = begin, step
    ended = DONE
    while t < until:
        h = min(size, until - t)
        later = t + h
        # So far the pawl may be pushed in a step: near a fold like a root, never through a part.
        reach = min(step, 4.0 * h + 3.0 * math.sqrt(h))
        new = angle
        failed = False
        if _blocked(pawl, obstacles, starts, hinge, velocity, later, angle, scratch):
            up = math.nan
            down = math.nan
            if angle >= 0:
                up = _away(pawl, obstacles, starts, hinge, velocity, later, angle, 1.0, reach, scratch)
            if angle <= 0:
                down = _away(pawl, obstacles, starts, hinge, velocity, later, angle, -1.0, reach, scratch)
            if math.isnan(up) and math.isnan(down):
                failed = True
            elif math.isnan(down):
                new = up
            elif math.isnan(up):
                new = down
            else:
                failed = True
                if h <= SMALLEST_STEP:
                    ended = UNSURE
        if failed:
            if h <= SMALLEST_STEP:
                if ended != UNSURE:
                    ended = JAM
                break
            size = h / 4
            continue
        new = _relax(pawl, obstacles, starts, hinge, velocity, later, new, scratch)
        # A snap is looked at more closely, lest the step jumped over a thin corner.
        if abs(new - angle) > 4 * step and h > 1e-6:
            size = h / 4
            continue
        slides = (
            mu == 0
            or new == 0.0
            or abs(new - angle) > 0.3
            or not _sticks(pawl, obstacles, starts, hinge, velocity, mu, t, angle, later, new, scratch)
        )
        if not slides:
            if h <= 1e-7:
                ended = STICK
                break
            size = h / 4
            continue
        t, angle = later, new
        times.append(t)
        angles.append(angle)
        size = min(size * 2, step)
    return np.array(times), np.array(angles), ended
