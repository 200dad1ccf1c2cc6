"""The public verbs: thin functions over the rooms that do the work."""

from __future__ import annotations

import math
import os
from collections import abc
from typing import TYPE_CHECKING, Any, Literal, overload

from detent.app import inputs
from detent.app.inputs import Source
from detent.foundation.errors import ModelError, UnknownNameError, WrongTypeError
from detent.foundation.names import with_article
from detent.io import formats
from detent.model.document.mechanism import Mechanism
from detent.numeric.threads import on_one_thread
from detent.record.explanation import Explanation

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from detent.contact.contacts import Contacts
    from detent.contact.modes.enumerate import Budget
    from detent.contact.modes.mode import ModeSet
    from detent.judge.mating import AnyMating, MatingMethod
    from detent.judge.measured.reading import MeasuredTable
    from detent.judge.stepped_run import SteppedMating
    from detent.kinematics.paths.designs import DesignSweep
    from detent.model.document.drive import Drive
    from detent.model.editing.change import Change
    from detent.model.editing.operation import Operation
    from detent.motion.combined.method import Combined
    from detent.motion.compliant.method import Compliant
    from detent.motion.edit import Edited
    from detent.motion.kinematic.method import Kinematic
    from detent.motion.methods import Method
    from detent.motion.penalty.method import Penalty
    from detent.motion.quasistatic.method import Quasistatic
    from detent.motion.rigid.following.method import Following
    from detent.motion.rigid.method import Rigid
    from detent.record.compared import Compared
    from detent.record.compliant_mating import CompliantMating
    from detent.record.going_in import RegionThatGoesIn
    from detent.record.led.mating import LedMating
    from detent.record.led.positions import BetterPosition
    from detent.record.led.rigid import RigidMating
    from detent.record.mating import Mating
    from detent.record.modes import ConsistentModes
    from detent.record.motion import Motion
    from detent.record.outlook import Outlook
    from detent.record.run import Run
    from detent.record.running import Running


def load(path: str | os.PathLike[str], *, units: str | None = None) -> Mechanism:
    """The Mechanism in a file, or in a shipped example; a ModelError says what is wrong, and where.

    `detent.load("crank.toml")`, `detent.load("four_bar")`. `units` are those of a drawing that does not say
    its own: `detent.load("plate.dxf", units="mm")`.
    """
    return inputs.machine_of(path, units=units)


def loads(text: str, *, format: Literal["toml", "json"] | None = None) -> Mechanism:
    """The Mechanism in a text: JSON where it begins with a brace, else TOML; or as `format` says."""
    from detent.io.native import document

    readers = {None: document.loads, "toml": document.loads_toml, "json": document.loads_json}
    if format not in readers:
        raise UnknownNameError.at("format", f"there is no format {format!r}", "give toml or json")
    _refuse_other(text, str, "text", "`detent.load` takes a path, `detent.from_dict` a dict")
    return readers[format](text)


def from_dict(data: Mapping[str, Any]) -> Mechanism:
    """The Mechanism that plain data describe, with the document's own words; `format` may be left out.

    `mechanism.to_dict()` gives the data back.
    """
    from detent.model.reading import convert

    _refuse_other(data, abc.Mapping, "data", "`detent.loads` takes text, `detent.load` a path")
    return convert.mechanism(data)


def _refuse_other(value: object, kind: type, at: str, remedy: str) -> None:
    if not isinstance(value, kind):
        wanted = "the text of a document" if kind is str else "a dict"
        raise WrongTypeError.at(at, f"expected {wanted}, found {with_article(type(value).__name__)}", remedy)


def save(mechanism: Source, path: str | os.PathLike[str]) -> None:
    """Write the format that the name ends in (.json, .toml, .dxf, .stl, .urdf, .xml); atomically.

    `detent.save(mechanism, "crank.toml")`.
    """
    if isinstance(path, Mechanism):
        problem = "a Mechanism is not a path"
        raise WrongTypeError.at("path", problem, "the machine comes first: `detent.save(mechanism, path)`")
    formats.save(inputs.machine_of(mechanism), path)


@on_one_thread
def explain(mechanism: Source, *, at: float | None = None) -> Explanation:
    """What is this machine? Parts, joints, mobility, in words and numbers.

    `print(detent.explain("four_bar").words)`; `.mobility`, `.joints`, `.plan` are data. With `at` [s] the
    machine is run to that time, and `.instant` says what then moves with what.
    """
    from detent.draw.words.explain import in_words

    machine = inputs.machine_of(mechanism)
    if at is None:
        return in_words(machine)
    from detent.judge.running import run as ran
    from detent.motion.rigid.method import Rigid

    layered = inputs.in_layers(machine, shapes_stop=True)[0]
    (instant,) = ran(layered, method=Rigid(), until=at, at=[at]).instants
    return in_words(machine, instant)


@on_one_thread
def modes(
    of: Source | Contacts,
    *,
    kind: Literal["all", "contacting_separating"] | None = None,
    touching: str | None = None,
    planes: int | None = None,
    exact: bool = False,
    limits: Budget | None = None,
) -> ModeSet:
    """Which contact modes are possible? Of a document, or of `detent.Contacts`.

    `touching` asks for the sticking and sliding modes of one contacting/separating
    mode, such as "00+0"; `planes` divide sliding where a contact of a document names no tangents.
    What is left out is as the document asks, else all modes; which of them a load brings about is asked of
    `detent.moved_by`.
    """
    from detent.contact.contacts import Contacts
    from detent.contact.modes.mode import modes as all_modes
    from detent.contact.modes.sliding import sliding_modes

    of = of if isinstance(of, Contacts) else _machine_with_contacts(of)
    contacts = _contacts(of, planes)
    asked = of.ask.modes if isinstance(of, Mechanism) and of.ask is not None else None
    exact = exact or (asked is not None and asked.exact)
    if touching is not None:
        if kind not in (None, "all"):
            raise ModelError.at(
                "kind", f"{kind} leaves out what `touching` asks for", "leave one of them out"
            )
        return sliding_modes(contacts, touching, exact=exact, limits=limits)
    wanted = kind or (asked.kind if asked is not None else None) or "all"
    return all_modes(contacts, kind=wanted, exact=exact, limits=limits)


@on_one_thread
def moved_by(
    of: Source,
    load: Mapping[str, Sequence[float]] | None = None,
    *,
    velocity: Mapping[str, Sequence[float]] | None = None,
) -> ConsistentModes:
    """Which contact modes follow from a load, gravity and the parts' masses? As `detent modes FILE --load`.

    `detent.moved_by("box.toml", {"box": [50, 0, 0]})`: by part its force [N], then the moment about the
    origin [N times `units`]; a velocity as in `[ask.modes]`. What is not given is as the document asks.
    """
    from msgspec.structs import replace

    from detent.contact.touching.near import misses_beside
    from detent.draw.words.modes import near_pairs
    from detent.judge import modes as judging
    from detent.mechanics.inertia import by_freedom

    mechanism = _machine_with_contacts(of)
    for key, by_part in (("load", load), ("velocity", velocity)):
        if by_part is not None:
            mechanism = mechanism.with_(f"ask.modes.{key}", by_part)
    asked = mechanism.ask.modes if mechanism.ask is not None else None
    if asked is None or asked.load is None:
        numbers = "50, 0, 0" if mechanism.dimension == 2 else "50, 0, 0, 0, 0, 0"
        remedy = f"give one by part, as {{'box': [{numbers}]}}, or write it in the document"
        raise ModelError.at("ask.modes.load", "there is no load", remedy)
    mode_set = modes(mechanism, kind="all")
    moving = by_freedom(mechanism, asked.velocity) if asked.velocity else None
    answer = judging.moved_by(mechanism, mode_set, by_freedom(mechanism, asked.load), velocity=moving)
    return replace(answer, nearest=near_pairs(misses_beside(mechanism, len(mode_set.contacts))))


def _machine_with_contacts(of: Any) -> Mechanism:
    if not isinstance(of, Mechanism | str | os.PathLike):
        problem = f"{with_article(type(of).__name__)} has no contacts"
        remedy = "give a Mechanism, the path of a document, the name of an example, or `detent.Contacts`"
        raise WrongTypeError.at("modes", problem, remedy)
    return inputs.joined(inputs.machine_of(of), add=False)


def _contacts(of: Mechanism | Contacts, planes: int | None) -> Contacts:
    from detent.contact.touching.document import contacts_of

    if isinstance(of, Mechanism):
        return contacts_of(of, planes=planes)
    if planes is not None:
        problem = "these contacts have their dividing planes already"
        raise ModelError.at("planes", problem, "give `planes` to `Contacts.from_points`")
    return of


@on_one_thread
def run(
    mechanism: Source,
    *,
    method: Rigid | Penalty | None = None,
    until: float | None = None,
    every: float | None = None,
    times: Sequence[float] | None = None,
    drives: Mapping[str, Drive] | None = None,
    at: Sequence[float] = (),
) -> Running | SteppedMating:
    """What does it do over time? Its joints, contacts, forces, energy and events, up to a time [s].

    By the rigid model unless the document or `method` says otherwise; rows `every` so many seconds, or at
    `times`; `at` are times of instants that are told in full. What is led along legs is told as by `mate`.
    """
    from detent.app.runs import ran

    asked = {"method": method, "until": until, "every": every, "times": times, "drives": drives, "at": at}
    return ran(inputs.machine_of(mechanism), asked)


@on_one_thread
def run_both(
    mechanism: Source,
    *,
    until: float | None = None,
    every: float | None = None,
    times: Sequence[float] | None = None,
    rigid: Rigid | None = None,
    penalty: Penalty | None = None,
) -> Compared:
    """Do both contact models say the same? A rigid and a penalty run, and where they first differ.

    `detent.run_both("escapement", until=16).words`; `.rigid` and `.penalty` are the runs.
    """
    from detent.judge.comparing import compare_models

    machine, _ = inputs.in_layers(inputs.machine_of(mechanism), shapes_stop=True)
    return compare_models(machine, until=until, every=every, times=times, rigid=rigid, penalty=penalty)


@on_one_thread
def outlook(
    mechanism: Source,
    *,
    until: float | None = None,
    at: Sequence[float] = (),
    pattern: Sequence[int] = (),
    patterns: int | None = None,
    beside: Source | None = None,
    observed: str | os.PathLike[str] | MeasuredTable | None = None,
) -> Outlook:
    """What will it do in the long run? What repeats, how that drifts, what comes on top of it, when it ends.

    `detent.outlook("escapement").words`; `.pattern`, `.drift`, `.valid_until`, `.evidence` are data. `at` are
    times [s] and `pattern` numbers of patterns whose states are asked for; `patterns` may be simulated in
    all, unless said 50 by restarts. `until` [s] is the horizon asked about. `beside` is a sound machine, and
    `.diagnosis` where this one first departs from it; `observed` is a table of what a machine did that is
    built as the document says, and `.diagnosis` where that first departs. By the rigid model.
    """
    from detent.judge.outlook.outlook import outlook_of as looked

    machine, _ = inputs.in_layers(inputs.machine_of(mechanism), shapes_stop=True)
    other = None if beside is None else inputs.machine_of(beside, argument="beside")
    sound = None if other is None else inputs.in_layers(other, shapes_stop=True)[0]
    asked: dict[str, Any] = {"until": until, "patterns": patterns, "observed": inputs.observed(observed)}
    return looked(machine, at=at, pattern=pattern, beside=sound, **asked)


@on_one_thread
def predict(
    mechanism: Source,
    *,
    method: Method | None = None,
    drives: Mapping[str, Drive] | None = None,
    until: float | None = None,
) -> Run:
    """What will this machine do? A run: its trajectory, and the method's own evidence.

    By the method given, else the one that the document asks for, else the one that fits its drives.
    """
    from detent.motion.prediction import predict as predicted

    touches = method is not None and method.name in ("rigid", "penalty")
    machine, _ = inputs.in_layers(inputs.machine_of(mechanism), shapes_stop=touches)
    return predicted(machine, method=method, drives=drives, until=until)


@overload
def mate(mechanism: Source, *, method: Quasistatic) -> Mating: ...
@overload
def mate(mechanism: Source, *, method: Compliant | Combined) -> CompliantMating | LedMating: ...
@overload
def mate(mechanism: Source, *, method: Rigid) -> RigidMating: ...
@overload
def mate(mechanism: Source, *, method: MatingMethod | None = None) -> AnyMating: ...
@on_one_thread
def mate(mechanism: Source, *, method: MatingMethod | None = None) -> AnyMating:
    """Does it go together, with what force, and does it come apart?

    A fastener is decided exactly, or by a float filter. What gives way is followed by `Compliant()`; what a
    robot leads is a `LedMating`, by `Combined()` with rigid parts; these alone a `RigidMating`.
    `story = detent.mate("snap_holds")`, then `story.words`, `story.legs[0].events`, `story.diode`.
    """
    from detent.judge.mating import mate as mated

    return mated(inputs.joined(inputs.machine_of(mechanism), add=False), method=method)


@on_one_thread
def move(mechanism: Source, *, method: Kinematic | Following | None = None, contact: bool = False) -> Motion:
    """How does this linkage move along its drives? Positions, speeds, limits, and what stopped it.

    `motion = detent.move("four_bar")`, then `motion.words`, `motion.markers["II.C"]`, `motion.columns()`.
    `mechanism` is a Mechanism, the path of a document, or the name of an example, here as in every verb.
    With `contact` what moves follows contact, slowly: it pushes what it touches, and stops where it cannot.
    """
    from detent.motion.prediction import move as moved
    from detent.motion.rigid.following.method import Following

    if contact and method is None:
        method = Following()
    machine, view = inputs.in_layers(inputs.machine_of(mechanism))
    return inputs.with_view(moved(machine, method=method), view)


@on_one_thread
def move_designs(designs: Iterable[Source]) -> DesignSweep:
    """Move many designs of one linkage through the same positions of their drives, in lanes."""
    from detent.kinematics.paths.designs import sweep_designs

    if isinstance(designs, Mechanism | str | os.PathLike):
        problem, remedy = "one machine is not a list of designs", "give a list, or ask `detent.move` of it"
        raise WrongTypeError.at("designs", problem, remedy)
    machines = [inputs.machine_of(each, argument=f"designs[{k}]") for k, each in enumerate(designs)]
    return sweep_designs(machines)


@on_one_thread
def edit(mechanism: Source, operation: Operation | Change) -> Edited:
    """The document after a `detent.model.editing.operation`, solved, with the change that undoes it.

    `detent.edit("four_bar", detent.SetNumber("parts.I.markers.B.0", 1.1)).mechanism`.
    """
    from detent.motion import edit as editing

    return editing.edit(inputs.machine_of(mechanism), operation)


@on_one_thread
def better_position(
    mechanism: Source, beside: Mapping[str, Source] | None = None, *, search: int | None = None
) -> BetterPosition:
    """Which working position of a robot disturbs a mating least? Of documents beside it, or of a search.

    `detent.better_position("robot_oring_far", {"near": "robot_oring_near"}).better`; with `search=12` the
    radius of the wrist is looked for, in so many runs.
    """
    from detent.judge.led.positions import compared, searched

    machine = inputs.joined(inputs.machine_of(mechanism), add=False)
    if (beside is None) == (search is None):
        problem = "positions are compared, or searched"
        raise ModelError.at("beside", problem, "give documents by name, or `search`: how many runs")
    if search is not None:
        return searched(machine, search)
    others = {
        name: inputs.joined(inputs.machine_of(other, argument=f"beside[{name!r}]"), add=False)
        for name, other in (beside or {}).items()
    }
    return compared({"this": machine} | others)[0]


@on_one_thread
def region_that_goes_in(
    mechanism: Source, tilts: int | None = None, *, most_push: float = math.inf
) -> RegionThatGoesIn:
    """Which offsets and tilts of the counterpart of rings, hooks and rigid pegs go in, by many matings.

    `detent.region_that_goes_in("snap_hook").alone[0].high.inside` is how far up the counterpart may stand;
    `together` has offsets at so many tilts, of a led peg `maps` so many lines; `most_push` [N] bounds it.
    """
    from detent.judge.region.borders import region_that_goes_in as bordered

    return bordered(inputs.joined(inputs.machine_of(mechanism), add=False), tilts, most_push=most_push)
