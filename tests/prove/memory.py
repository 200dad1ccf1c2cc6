"""The most memory that this process has held."""

from __future__ import annotations

import resource
from pathlib import Path


def peak() -> float:
    """[byte] of this program alone; what its parent held before starting it does not count."""
    return _told("VmHWM")


def now() -> float:
    """[byte] that it holds at present; where the system does not tell, the most so far."""
    return _told("VmRSS")


def _told(line_of: str) -> float:
    status = Path("/proc/self/status")
    if status.exists():
        for line in status.read_text().splitlines():
            if line.startswith(f"{line_of}:"):
                return float(line.split()[1]) * 1024
    return float(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss) * 1024
