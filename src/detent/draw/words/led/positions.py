"""Which working position is better, in words: the verdict, then each position with its figures."""

from __future__ import annotations

from detent.draw.words.layout import table_lines
from detent.foundation.units import unit_names
from detent.record.led.positions import BetterPosition, WorkingPosition


def words(answer: BetterPosition, title: str) -> str:
    """The report for a person."""
    lines = [title, f"  better     {_verdict(answer)}", f"  by         {answer.criterion}"]
    if answer.searched:
        lines.append(f"  looked at  {answer.searched}")
    lines += table_lines(*head_and_rows(answer))
    lines += [f"  {each.name}: {each.why_not}" for each in answer.positions if each.why_not]
    scope = answer.scope
    lines += [scope.words, *(f"  left out: {each}" for each in scope.left_out)]
    return "\n".join([*lines, *(f"  assumed: {each}" for each in scope.assumed)])


def head_and_rows(answer: BetterPosition) -> tuple[tuple[str, ...], list[tuple[str, ...]]]:
    """A row of each position that has an answer."""
    units = unit_names(answer.units)
    speed, force = units.speed.strip(), units.force.strip()
    head = (
        "position", f"largest [{speed}]", "dip in", "overshoot in", "dip out", "overshoot out",
        f"push [{force}]", "in",
    )  # fmt: skip
    told = [each for each in answer.positions if not each.why_not]
    rows = [_row(each) for each in told]
    if any(each.impact is not None for each in told):
        impacts = ["" if each.impact is None else f"{each.impact:z.4g}" for each in told]
        rows = [(*row, impact) for row, impact in zip(rows, impacts, strict=True)]
        return (*head, f"impact [{speed}]"), rows
    return head, rows


def _verdict(answer: BetterPosition) -> str:
    if answer.better is None:
        return "none is better"
    if answer.ratio is None:
        return answer.better
    return f"{answer.better}: the next best is disturbed {answer.ratio:.3g} times as much"


def _row(each: WorkingPosition) -> tuple[str, ...]:
    told = (
        each.largest_deviation, each.dip_entering, each.overshoot_entering, each.dip_leaving,
        each.overshoot_leaving, each.peak_push,
    )  # fmt: skip
    return each.name, *("" if x is None else f"{x:z.4g}" for x in told), each.answer
