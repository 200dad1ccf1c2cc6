"""The plot of a mating shows each leg's force and marks its events."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from detent.app.cli import main
from detent.draw.mating import scene_of_mating
from detent.draw.scene import Line, Text
from detent.io import native
from detent.judge.mate import mate
from tests.conftest import REFERENCE

DOCUMENT = REFERENCE / "fasteners" / "two_pawl_T_mu_1_10.toml"


def test_each_leg_has_its_line_and_its_peak_is_the_largest_force() -> None:
    found = mate(native.load(DOCUMENT))
    scene = scene_of_mating(found, "a fastener")
    words = {item.text for item in scene.items if isinstance(item, Text)}
    assert {"leg 1", "leg 2", "time [s]", "force against the push [N]"} <= words
    lines = [item for item in scene.items if isinstance(item, Line) and item.style.width == 2.0]
    assert len(lines) >= len(found.legs)
    # The highest point of the first line lies where the record has its peak.
    first = found.legs[0].force
    times = np.array(first.times)
    peak = times[int(np.argmax(first.on_drive))]
    line = lines[0].points
    share = (line[int(np.argmin(line[:, 1])), 0] - line[:, 0].min()) / np.ptp(line[:, 0])
    assert share == pytest.approx((peak - times[0]) / np.ptp(times), abs=5e-3)


@pytest.mark.parametrize(
    ("verb", "area", "stem"),
    [
        ("mate", "fasteners", "segment_over_peak"),
        ("modes", "contact_modes", "foot-3"),
        ("explain", "linkages", "4-bar"),
        ("move", "linkages", "4-bar"),
    ],
)
def test_verbs_draw_their_answers(verb: str, area: str, stem: str, tmp_path: Path) -> None:
    for name, start in (("a.svg", b"<svg"), ("a.png", b"\x89PNG")):
        out = tmp_path / name
        assert main([verb, str(REFERENCE / area / f"{stem}.toml"), "--plot", str(out), "--quiet"]) == 0
        assert out.read_bytes().startswith(start)
