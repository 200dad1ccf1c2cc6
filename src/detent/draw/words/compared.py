"""The answer of `detent run --method both` for a person: what the models agree on, and where they part."""

from __future__ import annotations

from typing import TYPE_CHECKING

from detent.draw.words.layout import named, table_lines
from detent.draw.words.run import joint_amount
from detent.foundation.units import unit_names

if TYPE_CHECKING:
    from detent.record.compared import Compared, Touch


def words(compared: Compared) -> str:
    """The answer for a person."""
    hard, soft = compared.rigid, compared.penalty
    time = unit_names(hard.units).time
    lines = [named(compared.title, "machine")]
    for label, running in (("rigid", hard), ("penalty", soft)):
        assert running.stop is not None
        detail = f": {running.stop.detail}" if running.stop.detail else ""
        ran = f"{running.stop.time:.6g}{time} in {running.steps} steps"
        lines.append(f"  {label:<10} {ran}, {running.stop.cause}{detail}")
    lines.append(f"  compared   up to {compared.until:.6g}{time}")
    lines.append(f"  touches    {_order(compared, time)}")
    lines += _joints(compared, time)
    lines.append(f"  certainty  {compared.scope.words}")
    lines.append(f"  left out   {', '.join(compared.scope.left_out)}")
    lines += [f"  assumed    {note}" for note in dict.fromkeys((*hard.scope.assumed, *soft.scope.assumed))]
    return "\n".join(lines)


def _order(compared: Compared, time: str) -> str:
    counted = f"the first {compared.alike}" if compared.alike != 1 else "the first"
    if compared.touch_apart is None:
        if not compared.alike:
            return "none, by both"
        every = f"all {compared.alike}" if compared.alike != 1 else "the only one"
        return f"{every} in the same order of pairs"
    begun = f"{counted} in the same order of pairs; then " if compared.alike else "differ from the first on: "
    said = [_touch(touch, time) for touch in compared.touch_apart]
    return f"{begun}rigid {said[0]}, penalty {said[1]}"


def _touch(touch: Touch | None, time: str) -> str:
    return "none" if touch is None else f"{':'.join(touch.parts)} at {touch.time:.6g}{time}"


def _joints(compared: Compared, time: str) -> list[str]:
    share = f"{100 * compared.tolerance:g} %"
    if not compared.states_apart:
        return [f"  joints     never apart by more than {share} of their ranges"]
    rows = [
        (
            name,
            f"{apart.time:.6g}{time}",
            joint_amount(compared.rigid, name, apart.rigid),
            joint_amount(compared.rigid, name, apart.penalty),
        )
        for name, apart in compared.states_apart.items()
    ]
    together = [name for name in compared.rigid.states if name not in compared.states_apart]
    lines = [
        f"  joints     apart by more than {share} of their range",
        *table_lines(("name", "first at", "rigid", "penalty"), rows),
    ]
    return lines + ([f"    not {', '.join(together)}"] if together else [])
