"""A machine over time, for the page: poses fine enough to be played, numbers at the rows of `detent run`.

Also its long run, as `detent outlook` tells it.

All mechanics is `detent.judge`; here a question becomes a call, and a record
becomes plain data. A run that jams, is blocked or is given up is an answer.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import msgspec
import numpy as np
from msgspec import structs

from detent.app import inputs
from detent.app.progress import watched
from detent.foundation.errors import ModelError
from detent.foundation.names import did_you_mean
from detent.foundation.units import unit_names
from detent.io.native import document
from detent.model.machine.placed import place
from detent.record.base import builtins

if TYPE_CHECKING:
    from detent.model.document.mechanism import Mechanism
    from detent.record.compared import Compared
    from detent.record.running import Running

Fields = dict[str, Any]
Plain = dict[str, Any]

METHODS = ("rigid", "penalty", "both")
# Of a film: so many frames, and so many numbers of poses at most, some megabytes of text.
FRAMES = 1800
_POSE_NUMBERS = 300_000
# Instants of events are frames too, so many of them: a click on an event shows it, not one beside it.
_EVENT_FRAMES = 1000
# [px] of the plot of a long run, a little more than the page's panel: its words stay legible there.
_PLOT = 360.0


@dataclass(frozen=True)
class Ran:
    """A run, the machine in the view in which it moves, and both models where they were compared."""

    mechanism: Mechanism
    running: Running
    compared: Compared | None = None

    @property
    def record(self) -> Running | Compared:
        """The whole answer."""
        return self.running if self.compared is None else self.compared

    @property
    def words(self) -> str:
        """As `detent run` prints it."""
        from detent.draw.words import compared, run

        return run.words(self.running) if self.compared is None else compared.words(self.compared)


def ran(question: Fields, mechanism: Mechanism) -> Ran:
    """The machine run as the document asks, but for the time `until` and the `method` of the question."""
    from detent.judge.comparing import compare_models
    from detent.judge.running import run as run_of
    from detent.motion.methods import method_to_run, penalty_of, rigid_of

    until, method = _until(question), _method(question)
    seen, view = inputs.in_layers(mechanism, shapes_stop=True)
    if method == "both":
        compared = compare_models(seen, until=until, rigid=rigid_of(seen), penalty=penalty_of(seen))
        return Ran(seen, inputs.with_view(compared.rigid, view), compared)
    running = run_of(seen, method=method_to_run(seen, method), until=until)
    return Ran(seen, inputs.with_view(running, view))


def run(question: Fields, mechanism: Mechanism, progress: Callable[[str], None]) -> Plain:
    """What the page plays, plots and lists."""
    from detent.draw.words.layout import labelled
    from detent.draw.words.run import tables

    with watched("run", lambda words, _seconds: progress(words)):
        made = ran(question, mechanism)
        running, text = made.running, made.words
        tabled = [] if made.compared else [table._asdict() for table in tables(running)]
        elsewhere = {"events", *(table["label"] for table in tabled)}
        plain: Plain = builtins(running)
        kept = ("states", "state_units", "velocities", "energy", "events", "stop", "steps", "method")
        names = unit_names(running.units)
        return {
            **{key: plain[key] for key in kept},
            "rows": plain["times"],
            **_film(made),
            "other": _other(made.compared),
            "units": {"time": names.time.strip(), "energy": names.energy.strip()},
            "words": [row for row in labelled(text, text.partition("\n")[0]) if row[0] not in elsewhere],
            "tables": tabled,
        }


def outlook(question: Fields, mechanism: Mechanism, progress: Callable[[str], None]) -> Plain:
    """The long run, as the document asks for it, beside a sound machine where the question brings one.

    Words, tables, the picture that `--plot` draws and the table that `--csv` writes.
    """
    from detent.draw.chart.outlook import can_be_drawn, chart_of_outlook
    from detent.draw.paper import svg
    from detent.draw.words.layout import labelled
    from detent.draw.words.outlook import tables, verdict_words, words
    from detent.judge.outlook.outlook import outlook_of

    with watched("outlook", lambda said, _seconds: progress(said)):
        seen, _ = inputs.in_layers(mechanism, shapes_stop=True)
        answer = outlook_of(seen, beside=_beside(question))
        text, tabled = words(answer), [table._asdict() for table in tables(answer)]
        elsewhere = {"verdict", *(table["label"] for table in tabled)}
        plotted = structs.replace(answer, title="")  # the page has it
        return {
            "verdict": answer.verdict,
            "headline": verdict_words(answer),
            "reason": answer.reason,
            "words": [row for row in labelled(text, text.partition("\n")[0]) if row[0] not in elsewhere],
            "tables": tabled,
            "picture": svg.write(chart_of_outlook(plotted, width=_PLOT)) if can_be_drawn(answer) else None,
            "csv": answer.to_csv() if answer.has_table else None,
        }


def _beside(question: Fields) -> Mechanism | None:
    """The sound machine of a question, in the view in which it moves."""
    given = question.get("beside")
    if given is None:
        return None
    try:
        sound = document.loads_json(msgspec.json.encode(given).decode(), file="beside")
    except ModelError as error:
        raise ModelError(*(replace(each, at=f"beside.{each.at}") for each in error.problems)) from None
    return inputs.in_layers(sound, shapes_stop=True)[0]


def filmed_run(question: Fields, mechanism: Mechanism, kind: str) -> bytes:
    """A film of the run, as `detent run --film` makes it."""
    from detent.app.run_pictures import film_of

    made = ran(question, mechanism)
    return film_of(made.mechanism, made.running, kind, forces=False)


def _other(compared: Compared | None) -> Plain | None:
    """Of both models: the penalty run's numbers at the same rows."""
    if compared is None:
        return None
    plain = builtins(compared.penalty)
    return {key: plain[key] for key in ("states", "velocities", "energy", "stop")}


def _film(made: Ran) -> Plain:
    """Times and poses of frames, [x, y, angle] in the view; even in time, and at the instants of events."""
    evidence = made.running.run.evidence
    moving = sum(not part.fixed for part in made.mechanism.parts.values())
    count = max(2, min(FRAMES, _POSE_NUMBERS // max(1, 3 * moving)))
    even = np.linspace(0.0, evidence.along.end, count)
    events = [event.time for event in made.running.events[:_EVENT_FRAMES]]
    times = np.union1d(even, events)
    poses = {part: _flat(rows).tolist() for part, rows in evidence.along.at(times).poses.items()}
    return {"times": times.tolist(), "poses": poses}


def _flat(rows: Any) -> Any:
    """Of poses in space how they are seen from above; their parts turn about z."""
    if rows.shape[1] == 3:
        return rows
    w, i, j, k = rows[:, 3:].T
    return np.column_stack([rows[:, :2], np.arctan2(2 * (w * k + i * j), 1 - 2 * (j * j + k * k))])


def in_space(mechanism: Mechanism, poses: Mapping[str, Any]) -> tuple[Mechanism, dict[str, list[float]]]:
    """The machine in the view in which it runs, and the page's [x, y, angle] there as poses in space."""
    seen, _ = inputs.in_layers(mechanism, shapes_stop=True)
    drawn = place(seen).known
    lifted = {}
    for part, row in poses.items():
        if part not in drawn:
            raise ModelError.at("poses", f"there is no part {part[:40]!r}", did_you_mean(part, drawn))
        x, y, turn = (float(number) for number in row)
        lifted[part] = [x, y, float(drawn[part].origin[2]), math.cos(turn / 2), 0.0, 0.0, math.sin(turn / 2)]
    return seen, lifted


def _until(question: Fields) -> float | None:
    until = question.get("until")
    if until is None:
        return None
    if isinstance(until, bool) or not isinstance(until, int | float) or not math.isfinite(until):
        raise ModelError.at("until", "expected a time", "give seconds, more than 0")
    return float(until)


def _method(question: Fields) -> str | None:
    method = question.get("method")
    if method is not None and method not in METHODS:
        remedy = did_you_mean(str(method), METHODS)
        raise ModelError.at("method", f"there is no method {str(method)[:40]!r}", remedy)
    return method
