"""What one server holds: its workspace, its children, the file it was opened with."""

from __future__ import annotations

from dataclasses import dataclass

from detent.app.server.pool import Pool
from detent.app.server.workspace import Workspace


@dataclass(frozen=True)
class Bench:
    """Shared by all sessions; none of them changes it."""

    workspace: Workspace
    pool: Pool
    file: str | None = None  # a path in the workspace, or `example:NAME`
