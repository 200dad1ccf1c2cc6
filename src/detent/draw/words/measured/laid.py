"""A measured curve laid over an answer, and values fitted to it, in words."""

from __future__ import annotations

import math

from detent.draw.words.layout import table_lines
from detent.foundation.names import listed
from detent.record.measured.overlay import Fit, FittedValue, LaidColumn, Overlay


def overlay_words(overlay: Overlay) -> list[str]:
    """How far the curve is off, column by column."""
    unit = f" {overlay.abscissa_unit}".rstrip()
    moved = f"shifted by {overlay.shift:.6g}{unit}{' (fitted)' if overlay.shift_fitted else ''}"
    on_leg = "" if overlay.leg is None else f", leg {overlay.leg}"
    lines = [f"measured   {overlay.source}, over {overlay.abscissa}{on_leg}; {moved}"]
    lines += table_lines(
        ("column", "points", "left out", "rms", "largest", "at", "of at most"),
        [_row(each, unit) for each in overlay.columns],
    )
    if overlay.unused:
        lines.append(f"  the answer has no {listed([repr(name) for name in overlay.unused])}")
    return [*lines, *(f"  left out: {each}" for each in overlay.scope.left_out)]


def _row(laid: LaidColumn, along: str) -> tuple[str, ...]:
    unit = f" {laid.unit}".rstrip()
    return (
        laid.name,
        str(laid.points),
        str(laid.left_out) if laid.left_out else "",
        f"{laid.rms:.4g}{unit}",
        f"{laid.largest:+.4g}{unit}",
        f"{laid.largest_at:.6g}{along}",
        f"{laid.largest_calculated:.4g}{unit}",
    )


def fit_words(fit: Fit) -> list[str]:
    """The values with their intervals, and what stays undetermined."""
    lines = [
        f"fitted     to {fit.points} points: rms from {fit.rms_before:.4g} to {fit.rms:.4g} {fit.rms_unit}, "
        f"{fit.evaluations} runs{'' if fit.settled else '; it has not settled'}"
    ]
    told = [*fit.values, *([] if fit.shift is None else [fit.shift])]
    head = ("value", "from", "to", f"{fit.confidence:.0%} interval", "")
    lines += table_lines(head, [_fitted(each) for each in told])
    lines += [f"  undetermined: {each}" for each in fit.undetermined]
    lines += [f"  assumed: {each}" for each in fit.scope.assumed]
    return lines


def _fitted(value: FittedValue) -> tuple[str, ...]:
    interval, remark = "none", "undetermined"
    if value.low is not None and value.high is not None:
        interval, remark = f"{value.low:.6g} to {value.high:.6g}", ""
        if math.copysign(1, value.low) != math.copysign(1, value.high):
            remark = "not told from zero"
    return value.path, f"{value.begin:.6g}", f"{value.value:.6g}", interval, remark
