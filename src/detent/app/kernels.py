"""Every kernel of every room, found by importing the rooms."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path

from detent.numeric.kernels import KERNELS, Kernel


def all_kernels() -> dict[str, Kernel]:
    """Kernels by name. A kernel registers itself when its module is imported."""
    package = Path(__file__).resolve().parents[1]
    for file in sorted(package.rglob("*.py")):
        if file.name != "kernels.py" and b"@kernel" in file.read_bytes():
            path = file.relative_to(package).with_suffix("")
            import_module(".".join(("detent", *path.parts)))
    return dict(KERNELS)
