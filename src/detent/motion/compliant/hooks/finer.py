"""Rows between those of a followed hook, where its push changes much within one step, and at its tops.

On a steep face a hook goes many times as far as the push: a step of the push that is fine elsewhere is one of
three there, too few for the work and for a largest push between two rows.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from detent.motion.compliant.hooks.problem import HookState
from detent.numeric.roots import golden_minimum

# Of the leg's largest push: from row to row it changes by no more.
_SHARE = 0.02
# Rows put in between two.
_MOST = 200
# Golden sections to a top: 1e-6 of the step, and 1e-12 of the curve's height above its rows.
_SECTIONS = 30


class HookRow(NamedTuple):
    """One row of a leg."""

    way: float  # [m] along the leg
    state: HookState


def finer(
    rows: Sequence[HookRow],
    push: Callable[[HookState], float],
    same: Callable[[HookState, float], HookState | None],
) -> list[HookRow]:
    """With rows in between; `same` follows a state on the same contacts to a way, None where it ends.

    Where the push is even but for rounding, two neighbours may each find a top between them, in either order.
    """
    most = max((abs(push(row.state)) for row in rows), default=0.0)
    closer = list(rows[:1])
    for one, other in pairwise(rows):
        closer += [*_between(one, other, push, same, _SHARE * most), other]
    with_tops = [row for k in range(len(closer)) for row in _with_top(closer, k, push, same)]
    return sorted(with_tops, key=lambda row: row.way)  # before and after a jump stay in order


def _between(
    one: HookRow,
    other: HookRow,
    push: Callable[[HookState], float],
    same: Callable[[HookState, float], HookState | None],
    most: float,
) -> Iterator[HookRow]:
    if other.way <= one.way or one.state.mode != other.state.mode or not one.state.mode:
        return
    change = abs(push(other.state) - push(one.state))
    count = min(math.ceil(change / most), _MOST) if most > 0 else 1
    state = one.state
    for k in range(1, count):
        way = one.way + (other.way - one.way) * k / count
        after = same(state, way)
        if after is None:
            return
        state = after
        yield HookRow(way, state)


def _with_top(
    rows: Sequence[HookRow],
    k: int,
    push: Callable[[HookState], float],
    same: Callable[[HookState, float], HookState | None],
) -> list[HookRow]:
    """A row, with the top of the push beside it where it is larger, or smaller, than both its neighbours."""
    here = rows[k]
    if not 0 < k < len(rows) - 1:
        return [here]
    before, after = rows[k - 1], rows[k + 1]
    modes = {row.state.mode for row in (before, here, after)}
    if len(modes) > 1 or not here.state.mode or not before.way < here.way < after.way:
        return [here]
    one, two, three = (push(row.state) for row in (before, here, after))
    sign = next((s for s in (1, -1) if s * two > s * one and s * two >= s * three), 0)
    if not sign:
        return [here]

    def against(way: float) -> float:
        state = same(before.state, way)
        return math.inf if state is None else -sign * push(state)

    way = golden_minimum(against, before.way, after.way, steps=_SECTIONS)
    top = same(before.state, way)
    if top is None or sign * push(top) <= sign * two or way == here.way:
        return [here]
    return [here, HookRow(way, top)]
