"""The most memory that this process has held."""

from __future__ import annotations

import resource
from pathlib import Path


def peak() -> float:
    """[byte] of this program alone; what its parent held before starting it does not count."""
    status = Path("/proc/self/status")
    if status.exists():
        for line in status.read_text().splitlines():
            if line.startswith("VmHWM:"):
                return float(line.split()[1]) * 1024
    return float(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss) * 1024
