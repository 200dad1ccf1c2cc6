"""Flags that lay a measured curve over an answer, and fit values of the document to it."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from detent.draw.words.answer import Answer
from detent.foundation.errors import ModelError

if TYPE_CHECKING:
    from detent.draw.scene.scene import Scene
    from detent.model.document.mechanism import Mechanism
    from detent.record.measured.overlay import Fit, Overlay
    from detent.record.table import Tabular


@dataclass(frozen=True)
class BesideMeasured:
    """What was asked for beside the answer."""

    overlay: Overlay
    fit: Fit | None = None
    mechanism: Mechanism | None = None  # with the fitted values


def add_flags(parser: argparse.ArgumentParser, *, fit: bool) -> None:
    """--overlay and --shift, and with `fit` --fit."""
    group = parser.add_argument_group("measured")
    group.add_argument(
        "--overlay",
        metavar="CSV",
        help="lay a measured curve over the answer: named columns with units, the abscissa first "
        "(travel [mm],push [N])",
    )
    group.add_argument(
        "--shift",
        metavar="X",
        help="shift the measured abscissa by X, in the answer's unit, or `fit` it; 0 unless said",
    )
    if fit:
        group.add_argument(
            "--fit", metavar="PATH,PATH", help="fit these numbers of the document to the measured curve"
        )


def laid_over(
    args: argparse.Namespace, mechanism: Mechanism, ask: Callable[[Mechanism], Tabular]
) -> BesideMeasured | None:
    """The measured curve read, fitted if that is asked for, and laid over the answer; None without
    --overlay.
    """
    paths = getattr(args, "fit", None)
    if args.overlay is None:
        for flag, given in (("--shift", args.shift), ("--fit", paths)):
            if given is not None:
                raise ModelError.at(flag, "needs a measured curve", "add --overlay measured.csv")
        return None
    from detent.io.disk.files import read_text
    from detent.judge.measured.fitting import fit_measured
    from detent.judge.measured.laying import lay_over
    from detent.judge.measured.reading import read_measured

    shift = _shift(args.shift)
    measured = read_measured(read_text(Path(args.overlay)), args.overlay)
    if paths is None:
        return BesideMeasured(lay_over(ask(mechanism), measured, shift=shift))
    names = [path.strip() for path in paths.split(",") if path.strip()]
    if not names:
        raise ModelError.at("--fit", "names no path", "give one, as touching.friction")
    fit, fitted = fit_measured(mechanism, names, measured, ask, shift=shift)
    moved = shift if fit.shift is None else fit.shift.value
    return BesideMeasured(lay_over(ask(fitted), measured, shift=moved), fit, fitted)


def _shift(told: str | None) -> float | Literal["fit"]:
    if told is None:
        return 0.0
    if told == "fit":
        return "fit"
    try:
        return float(told)
    except ValueError:
        raise ModelError.at(
            "--shift", f"{told!r} is neither a number nor `fit`", "give one of them"
        ) from None


def with_measured(
    answer: Answer, laid: BesideMeasured | None, scene: Callable[[], Scene] | None = None
) -> Answer:
    """The answer with words, data and picture of the measured curve; `scene` is its own picture."""
    if laid is None:
        return answer
    from detent.draw.chart.measured import overlay_scene
    from detent.draw.chart.stacked import stacked
    from detent.draw.paper import picture
    from detent.draw.paper.report import Section
    from detent.draw.words.measured.laid import fit_words, overlay_words
    from detent.record.base import builtins

    lines = [*([] if laid.fit is None else fit_words(laid.fit)), *overlay_words(laid.overlay)]
    data: dict[str, Any] = {**builtins(answer.data), "overlay": builtins(laid.overlay)}
    if laid.fit is not None:
        data["fit"] = builtins(laid.fit)
    own = answer.sections

    def plot(kind: str) -> bytes:
        over = overlay_scene(laid.overlay, answer.title)
        return picture.write(over if scene is None else stacked([over, scene()]), kind)

    def sections() -> list[Section]:
        svg = picture.write(overlay_scene(laid.overlay, answer.title), "svg").decode()
        return [
            Section("Measured beside calculated", svg=svg, text="\n".join(lines)),
            *(own() if own else []),
        ]

    text = "\n".join([answer.text, *lines])
    return replace(answer, data=data, text=text, plot=plot, sections=sections)
