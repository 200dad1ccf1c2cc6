"""Rows between those of a followed hook: in order of the way, whatever rounding makes of an even push."""

from __future__ import annotations

import math
from types import SimpleNamespace
from typing import Any

import numpy as np

from detent.motion.compliant import HookRow, finer


def _state(way: float, push: float) -> Any:
    return SimpleNamespace(mode=("slides",), way=way, push=push)


def test_rows_follow_the_way_where_an_even_push_has_tops_of_rounding() -> None:
    random = np.random.default_rng(3)

    def same(_: Any, way: float) -> Any:
        return _state(way, 4.0 + 1e-14 * math.sin(1e6 * way))

    for _ in range(20):
        ways = np.sort(random.uniform(0, 1, 12)).tolist()
        rows = [HookRow(way, same(None, way)) for way in ways]
        got = finer(rows, lambda state: state.push, same)
        assert len(got) > len(rows)  # tops were found
        assert [row.way for row in got] == sorted(row.way for row in got)


def test_a_jump_keeps_the_order_of_its_two_rows() -> None:
    before, after = _state(0.5, 3.0), _state(0.5, 1.0)
    rows = [HookRow(0.0, _state(0.0, 3.0)), HookRow(0.5, before), HookRow(0.5, after)]
    got = finer(rows, lambda state: state.push, lambda _, way: _state(way, 3.0))
    assert [row.state for row in got if row.way == 0.5] == [before, after]
