"""What one server holds: its workspace, its children, the file it was opened with."""

from __future__ import annotations

from dataclasses import dataclass, field

from detent.app.server.pool import Pool
from detent.app.server.workspace import Workspace


@dataclass(frozen=True)
class Context:
    """Shared by all sessions."""

    workspace: Workspace
    pool: Pool
    file: str | None = None  # a path in the workspace, or `example:NAME`
    pictures: dict[str, bytes] = field(default_factory=dict)  # of the gallery, drawn once
