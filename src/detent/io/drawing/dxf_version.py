"""The version of a DXF file that says none."""

from __future__ import annotations

_VERSION = ("9", "$ACADVER", "1", "AC1015")


def with_version(text: str) -> str:
    """The same with a version where it has none, and entities that release 12 had not.

    Without one a reader takes entities for those of release 12, which have no subclass markers (group
    code 100), and of entities with markers it passes over layers and flags.
    """
    lines = [line.strip() for line in text.splitlines()]
    pairs = list(zip(lines[::2], lines[1::2], strict=False))
    if ("9", "$ACADVER") in pairs or ("100", "AcDbEntity") not in pairs:
        return text
    if ("2", "HEADER") in pairs:
        begins = 2 * pairs.index(("2", "HEADER")) + 2
        return "\n".join([*lines[:begins], *_VERSION, *lines[begins:], ""])
    return "\n".join(["0", "SECTION", "2", "HEADER", *_VERSION, "0", "ENDSEC", text])
