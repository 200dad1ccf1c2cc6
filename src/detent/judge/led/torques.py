"""Torques of motors beside what they can give."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from detent.library.robots.serial_arm import Floats
from detent.motion.leading.leader import Leader
from detent.record.led.mating import PassedLimit


def passed_limits(leader: Leader, times: Floats, torques: Mapping[str, Floats]) -> tuple[PassedLimit, ...]:
    """Which motors pass their limits, at these times; how long by the times around each row."""
    found = []
    shares = np.gradient(times) if len(times) > 1 else np.zeros(len(times))
    for k, limit in enumerate(leader.torque_limit or ()):
        name = f"motor {k + 1}"
        sizes = np.abs(torques[name])
        over = sizes > limit
        if over.any():
            found.append(
                PassedLimit(
                    motor=name,
                    limit=limit,
                    largest=float(sizes.max()),
                    first=float(times[np.argmax(over)]),
                    lasted=float(shares[over].sum()),
                )
            )
    return tuple(found)
