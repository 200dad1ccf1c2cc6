"""A printed table: a header, then rows, columns aligned."""

from __future__ import annotations

from collections.abc import Sequence


def table(head: Sequence[str], rows: Sequence[Sequence[str]], indent: str = "    ") -> list[str]:
    """The lines of a table; a column that is empty in every row is left out, no line ends in blanks."""
    kept = [k for k in range(len(head)) if any(row[k] for row in rows)]
    widths = [max(len(line[k]) for line in (head, *rows)) for k in kept]
    return [
        (indent + "  ".join(f"{line[k]:<{width}}" for k, width in zip(kept, widths, strict=True))).rstrip()
        for line in (head, *rows)
    ]
