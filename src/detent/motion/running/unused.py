"""What a document says and methods of touching parts do not look at, each by its key."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from detent.model.document.mechanism import Mechanism


def unused_of_contacts(mechanism: Mechanism) -> tuple[str, ...]:
    """Contacts are those of the shapes, of rigid parts."""
    lines = ["contacts that the document gives (those of its shapes count)"] if mechanism.contacts else []
    if mechanism.touching is not None and mechanism.touching.smooth is not None:
        lines.append("touching.smooth: it is for the friction of parts that give way")
    return tuple(lines)


def what_takes_time(mechanism: Mechanism) -> tuple[str, ...]:
    """Speeds at the start, and torques of drives that go through positions, where motion is slow."""
    words = [
        f"start.{name}.speed"
        for name, start in mechanism.start.items()
        if start.speed is not None or start.speed_deg is not None
    ]
    words += [
        f"drives.{name}.torque ({name} is moved through positions)"
        for name, drive in mechanism.drives.items()
        if drive.torque is not None
    ]
    return tuple(words)
