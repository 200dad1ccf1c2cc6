"""One linkage, moved by `move` and dragged live: the same points at the same inputs."""

import numpy as np
import pytest
from msgspec.structs import replace

import detent
from detent.app import inputs
from detent.foundation import Number
from detent.motion import prepare
from tests.conftest import reference_documents

NAMES = [*(str(path) for path in reference_documents()), *inputs.examples()]
SEED, COUNT = 11, 12


def one_drive():
    for name in NAMES:
        mechanism = inputs.load(name)
        drives = list(mechanism.drives.values())
        if mechanism.dimension == 2 and len(drives) == 1 and drives[0].joint is not None:
            yield name.rsplit("/", 1)[-1], mechanism


LINKAGES = list(one_drive())


@pytest.mark.parametrize("mechanism", [m for _, m in LINKAGES], ids=[n for n, _ in LINKAGES])
def test_a_linkage_dragged_to_random_inputs_is_where_move_puts_it(mechanism):
    """Inputs in order between the positions of the drive, up to where both must stop.

    Freedoms that nothing drives are moved as little as possible step by step, and the two take different
    steps, so of those machines only the driven part is compared.
    """
    first = detent.move(mechanism)
    loose = any("not driven" in note for note in first.notes)
    reached = np.asarray(first.inputs, float)
    assert reached[0] != reached[-1]
    generator = np.random.default_rng(SEED)
    share = np.sort(generator.uniform(0.02, 0.98, COUNT))
    wanted = reached[0] + share * (reached[-1] - reached[0])
    asked = [reached[0], *wanted]
    ((name, drive),) = mechanism.drives.items()
    listed = replace(
        drive, from_=None, from_deg=None, to=None, to_deg=None, steps=None, inputs_deg=None,
        inputs=tuple(Number(x) for x in asked),
    )  # fmt: skip
    moved = detent.move(replace(mechanism, drives={name: listed}))
    driven = {end.split(".")[0] for end in mechanism.joints[drive.joint].between}
    live = prepare(mechanism)
    size = max(float(np.ptp(track)) for track in moved.markers.values()) or 1.0
    for k, value in enumerate(moved.inputs):
        points = live.to(value)
        if live.limit is not None:
            continue
        for i, names in enumerate(live.points):
            expected = moved.markers[names[0]][k]
            if not loose or any(n.split(".")[0] in driven for n in names):
                assert [points[2 * i], points[2 * i + 1]] == pytest.approx(list(expected), abs=1e-8 * size)
