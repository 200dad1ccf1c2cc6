"""Rows of joints: those of mechanics against the linkage engine's, and against the exact rows of contacts."""

import numpy as np
import pytest

from detent import UnsupportedError
from detent.app import inputs
from detent.kinematics.equations import residual_and_jacobian, rows_of
from detent.mechanics import Bodies, constraint_rows_at, held_rows, joint_table, shift_of
from detent.model import State, compile_system, plane_linkage_of
from tests.conftest import reference_documents
from tests.model.test_placed import planetary

NAMES = [*(str(path) for path in reference_documents()), *inputs.examples()]


def documents():
    """Every document with joints whose rows are known."""
    for name in NAMES:
        mechanism = inputs.load(name)
        if mechanism.joints and mechanism.rows is None:
            yield name.rsplit("/", 1)[-1], mechanism


DOCUMENTS = [*documents(), *((f"planetary {ratio}", planetary(ratio)) for ratio in (-2, 3))]
OPEN = ("fig22-break.toml",)  # its drawing does not close, which the two write differently


def to_be_inferred(mechanism):
    return any(joint.type == "infer" for joint in mechanism.joints.values())


def from_the_library(mechanism):
    """Whether a joint stands on a marker that only the library part knows, not the document."""
    places = (side.partition(".") for joint in mechanism.joints.values() for side in joint.between)
    return any(
        marker and mechanism.parts[part].library and marker not in mechanism.parts[part].markers
        for part, _, marker in places
    )


def by_name(wanted):
    """The documents that a test is about; as many as ever."""
    chosen = [(name, mechanism) for name, mechanism in DOCUMENTS if wanted(name, mechanism)]
    return pytest.mark.parametrize("mechanism", [m for _, m in chosen], ids=[n for n, _ in chosen])


@by_name(lambda name, mechanism: to_be_inferred(mechanism))
def test_rows_of_joints_to_be_inferred_are_refused_by_both(mechanism):
    for rows in (
        lambda: held_rows(Bodies.of(mechanism)),
        lambda: joint_table(compile_system(mechanism)),
    ):
        with pytest.raises(UnsupportedError, match="still to be found from shapes"):
            rows()


@by_name(lambda name, mechanism: mechanism.dimension == 2)
def test_rows_of_mechanics_are_those_of_the_linkage_engine(mechanism):
    """As drawn and at random poses; the engine measures angles by the size of the linkage."""
    linkage = plane_linkage_of(mechanism)
    system = compile_system(mechanism, drives_hold=False)
    generator = np.random.default_rng(7)
    for spread in (0.0, 0.3, 3.0):
        poses = system.drawn.poses + spread * generator.normal(size=system.drawn.poses.shape)
        rows = constraint_rows_at(system, State(poses, np.zeros_like(poses)))
        residual, jacobian = residual_and_jacobian(rows_of(linkage), poses)
        by_size = [linkage.size if ".turn" in name or ".mesh" in name else 1.0 for name in rows.names]
        scale = np.array(by_size)
        assert jacobian / scale[:, None] == pytest.approx(rows.matrix, abs=1e-12 * max(1, linkage.size))
        assert residual / scale == pytest.approx(rows.values, abs=1e-12 * max(1, linkage.size))


@by_name(lambda name, mechanism: from_the_library(mechanism))
def test_joints_on_markers_that_a_library_part_brings_are_refused_by_both(mechanism):
    for rows in (lambda: held_rows(Bodies.of(mechanism)), lambda: compile_system(mechanism)):
        with pytest.raises(UnsupportedError, match="known to the library part"):
            rows()


@by_name(
    lambda name, mechanism: (
        not to_be_inferred(mechanism) and not from_the_library(mechanism) and name not in OPEN
    )
)
def test_rows_of_mechanics_span_the_exact_rows_of_contacts(mechanism):
    """As drawn; shifted from the parts' origins to the world's."""
    exact = np.array([[float(x) for x in row] for row in held_rows(Bodies.of(mechanism))])
    system = compile_system(mechanism, drives_hold=False)
    rows = constraint_rows_at(system, system.drawn)
    assert np.abs(rows.values).max(initial=0.0) < 1e-9, "its drawing does not close"
    shifted = rows.matrix @ shift_of(system, system.drawn)
    exact = exact.reshape(-1, system.degrees)
    unit = np.tile(
        [system.metres_per_unit] * system.dimension + [1.0] * (system.freedoms - system.dimension),
        system.degrees // system.freedoms,
    )
    size = max(1.0, system.size)
    own, other = _basis(shifted / unit / size), _basis(exact / size)
    assert own.shape == other.shape
    assert own @ (own.T @ other) == pytest.approx(other, abs=1e-9)


def _basis(rows):
    """An orthonormal basis of the row space, as columns."""
    norms = np.linalg.norm(rows, axis=1, keepdims=True)
    kept = rows[norms[:, 0] > 0] / norms[norms[:, 0] > 0]
    u, s, _ = np.linalg.svd(kept.T, full_matrices=False)
    return u[:, s > 1e-9]


def test_a_planet_turns_by_hand_in_mechanics():
    """Sun held: planet / arm = 1 - ratio = 3."""
    system = compile_system(planetary(-2), drives_hold=False)
    rows = constraint_rows_at(system, system.drawn).matrix
    mesh = rows[-1]
    arm, planet = (mesh[system.columns[system.index[name]] + 2] for name in ("arm", "planet"))
    assert -arm / planet == pytest.approx(3.0)
