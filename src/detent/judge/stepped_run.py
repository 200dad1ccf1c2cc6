"""What does it do over time, of parts that are led along legs? The integration of `mate`, asked by `run`.

What a robot, a carrier or an elastic joint leads has inertia: its mating is stepped over time, and the answer
of a run is the mating's own record.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace as evidence_with
from typing import TYPE_CHECKING

from msgspec.structs import replace

from detent.foundation.errors import UnsupportedError
from detent.judge.led.answer import led_mating_of
from detent.judge.pegs.mated import peg_asked
from detent.judge.round_pegs.answer import mating_of_rigid
from detent.judge.running import rows_asked, rows_of
from detent.motion.compliant.led.led_run import CoupledRun
from detent.motion.compliant.method import Compliant
from detent.motion.leading.leader import leader_of
from detent.motion.leading.plan import plan_of
from detent.motion.methods import chosen, method_of
from detent.motion.prediction import predict
from detent.motion.quasistatic.method import Quasistatic
from detent.motion.rigid.method import Rigid, mates_led_parts
from detent.record.led.mating import LedMating
from detent.record.led.rigid import RigidMating
from detent.record.run import Run

if TYPE_CHECKING:
    from detent.model.document.drive import Drive
    from detent.model.document.mechanism import Mechanism

SteppedMating = LedMating | RigidMating


def steps_mating(mechanism: Mechanism, drives: Mapping[str, Drive] | None = None) -> bool:
    """Whether a run of this document is a mating that is stepped over time."""
    if mates_led_parts(mechanism, drives) is None:
        return False
    mechanism = mechanism if drives is None else replace(mechanism, drives=dict(drives))
    by = method_of(mechanism, "mate")
    return not isinstance(by, Quasistatic) and not (isinstance(by, Compliant) and _without_inertia(mechanism))


def stepped_run(
    mechanism: Mechanism,
    *,
    method: object = None,
    until: float | None = None,
    every: float | None = None,
    times: Sequence[float] | None = None,
    drives: Mapping[str, Drive] | None = None,
    at: Sequence[float] = (),
) -> SteppedMating:
    """The mating of a document that `steps_mating`, up to `until` [s], else as long as `mate` follows it.

    Rows of compliant parts stand `every` so many seconds, or at `times`.
    """
    if at:
        problem = "instants are of machines of touching parts, not of what is led along legs"
        raise UnsupportedError(problem, "leave them out", "at")
    mechanism = mechanism if drives is None else replace(mechanism, drives=dict(drives))
    by = method_of(mechanism, "mate")
    if method is not None:
        chosen(method, "run")
        if not isinstance(by, Rigid) or not isinstance(method, Rigid):
            problem = f"what is led along legs is stepped by the method {by.name!r}, as `mate` steps it"
            raise UnsupportedError(problem, "leave the method of the run out", "ask.run.method")
    until, every, times = rows_asked(mechanism, until, every, times)
    made = predict(mechanism, method=by, until=until)
    evidence = made.evidence
    if isinstance(evidence, CoupledRun):
        if every is not None or times is not None:
            rows = rows_of(float(evidence.steps.times[-1]), evidence.until, every, times)
            told = evidence_with(evidence, asked_rows=rows)
            made = Run(lambda: told.trajectory, told)
        return led_mating_of(made)
    if every is not None or times is not None:
        problem = "forces of rigid contacts are means over some milliseconds, in rows of their own"
        raise UnsupportedError(problem, "leave it out; `steps` of the run have every state", "every")
    return mating_of_rigid(made)


def _without_inertia(mechanism: Mechanism) -> bool:
    """Whether the way alone matters: a peg by its theory, or a part that nothing with inertia leads."""
    return peg_asked(mechanism) is not None or leader_of(mechanism, plan_of(mechanism)) is None
