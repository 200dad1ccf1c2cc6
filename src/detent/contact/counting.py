"""How many modes there are, without a list of them.

Each contacting/separating mode is counted by itself. A separating contact that is
alone in seeing some motion (the last link of a finger, say) changes nothing for
the others and is left out. Then the planes are counted inside the open cone of the
rest, by a formula in general position (`detent.numeric.arrangement_count`), else by a
complex of that cone alone, which is dropped at once.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from detent.contact.cone import generators
from detent.contact.enumerate import Limits, Watch
from detent.contact.mode import modes
from detent.contact.row import Contacts
from detent.contact.sliding import sliding_modes, touching_of
from detent.contact.space import null_space, row_space, seen_rows, unit_rows
from detent.numeric.arrangement import EQUAL, Builder
from detent.numeric.arrangement import Floats as FloatNumbers
from detent.numeric.arrangement_count import NOT_GENERAL, faces_inside
from detent.numeric.arrangement_kernels import NONE
from detent.numeric.arrangement_rows import merge

Floats = NDArray[np.float64]

# Elementary steps for one set of planes; sets double with every plane up to the first MANY or so.
STEPS_A_SET, MANY = 2000, 20


def count_modes(
    contacts: Contacts, *, exact: bool = False, limits: Limits | None = None, watch: Watch | None = None
) -> dict[str, int]:
    """`contacting_separating` and `all`."""
    lattice = modes(contacts, kind="contacting_separating", exact=exact, limits=limits)
    floats = not (exact or lattice.found.exact)
    total = 0
    for done, touching in enumerate(lattice.texts):
        own = _count(contacts, touching) if floats else None
        # In doubt, or when asked, integers list this one.
        total += len(sliding_modes(contacts, touching, exact=True, limits=limits)) if own is None else own
        if watch is not None:
            watch(done + 1, len(lattice), total)
    return {"contacting_separating": len(lattice), "all": total}


def _count(contacts: Contacts, touching: str) -> int | None:
    """Modes of one contacting/separating mode; None where floating point is in doubt."""
    given = contacts.floats
    held = touching_of(contacts, touching)
    fixed = np.concatenate([given.held, given.normal[held]])
    free, doubt = null_space(fixed, np.eye(given.degrees))
    lifted, doubt_lifted = seen_rows(given.normal[~held], free)
    planes = np.concatenate([t if h else t[:0] for t, h in zip(given.tangent, held, strict=True)])
    rows, doubt_rows = seen_rows(planes, free)
    rows = rows[rows.any(axis=1)]
    merged = merge(rows, both_ways=True)
    if doubt + doubt_lifted + doubt_rows + merged.doubtful:
        return None
    rows = rows[merged.first == np.arange(len(rows))]
    if not len(rows):
        return 1
    lifted = _without_loners(lifted, rows)
    span, _ = row_space(np.concatenate([lifted, rows]))
    lifted, rows = unit_rows(lifted @ span), unit_rows(rows @ span)
    if len(lifted):
        rays, lines = generators(np.zeros((0, span.shape[1])), lifted, span.shape[1])
        work = STEPS_A_SET * 2 ** min(len(rows), MANY)
        count = int(faces_inside.at(work)(lifted, rows, rays, np.ascontiguousarray(lines), EQUAL))
        if count != NOT_GENERAL:
            return count
    return _by_complex(lifted, rows)


def _by_complex(lifted: Floats, rows: Floats) -> int | None:
    """The cells inside the open cone of `lifted`, divided by `rows`."""
    rank = rows.shape[1]
    builder = Builder(FloatNumbers(rank), rank, len(lifted))
    builder.half_spaces(lifted, 0)
    builder.signs()
    builder.widen(len(rows))
    builder.divide(rows, len(lifted), NONE)
    if builder.arithmetic.doubtful:
        return None
    return int(np.count_nonzero((builder.signs()[:, : len(lifted)] == 1).all(axis=1)))


def _without_loners(lifted: Floats, rows: Floats) -> Floats:
    """Separating rows that are in the span of the others; one outside it is free to be positive."""
    kept = list(range(len(lifted)))
    changed = True
    while changed:
        changed = False
        for i in kept:
            rest = np.concatenate([lifted[[k for k in kept if k != i]], rows])
            if np.linalg.matrix_rank(rest, EQUAL) < np.linalg.matrix_rank(
                np.concatenate([rest, lifted[i : i + 1]]), EQUAL
            ):
                kept.remove(i)
                changed = True
                break
    return np.ascontiguousarray(lifted[kept])
