"""Elastic joints in words: where each gives way, its stiffness and compliance, how they were computed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from detent.draw.words.layout import table_lines
from detent.foundation.names import listed
from detent.model.document.mechanism import Mechanism
from detent.model.machine.elastic.directions import direction_words, turns
from detent.model.machine.graph import parts_of


def lines(mechanism: Mechanism, elastic: Mapping[str, Mapping[str, Any]]) -> list[str]:
    """Of all elastic joints, in document order."""
    return [line for name, told in elastic.items() for line in _lines(mechanism, name, told)]


def _lines(mechanism: Mechanism, name: str, told: Mapping[str, Any]) -> list[str]:
    directions = [direction.lstrip("-") for direction in told["directions"]]
    ways = [
        direction_words(direction)
        if coordinate == direction
        else f"{direction_words(direction)} ({coordinate})"
        for direction, coordinate in zip(directions, told["coordinates"], strict=True)
    ]
    _, part = parts_of(mechanism.joints[name])
    rigid = [direction_words(direction) for direction in told["rigid"]]
    held = f"; it is rigid {listed(rigid)}, which the count of mobility leaves out" if rigid else ""
    loose = [direction_words(direction) for direction in told["loose"]]
    free = f"; no spring holds it {listed(loose)}" if loose else ""
    scope = told["scope"]
    left_out = f"left out: {'; '.join(scope.left_out)}"
    assumed = [f"assumed: {'; '.join(scope.assumed)}"] if scope.assumed else []
    loads = [f"moment {d[-1]} [N m]" if turns(d) else f"force {d} [N]" for d in directions]
    moves = [
        f"{coordinate} [{'rad' if turns(direction) else 'm'}]"
        for direction, coordinate in zip(directions, told["coordinates"], strict=True)
    ]
    if told["kind"] == "beam" and told["directions"][-1].startswith("-"):
        loads[-1] = "moment -z [N m]"
    return [
        f"  elastic    {name}: {part} gives way {listed(ways)}{held}{free}",
        *_matrix("stiffness, per", loads, moves, told["stiffness"]),
        *_matrix("compliance, per", moves, loads, told["compliance"]),
        *(f"{'':13}{line}" for line in (told["computed"], scope.words, left_out, *assumed)),
    ]


def _matrix(label: str, rows: list[str], columns: list[str], matrix: Any) -> list[str]:
    numbers = [["free" if x is None else f"{x:.6g}" for x in row] for row in matrix]
    return table_lines((label, *columns), [(name, *row) for name, row in zip(rows, numbers, strict=True)])
