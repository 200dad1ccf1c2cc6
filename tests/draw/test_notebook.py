"""Display in notebooks: picture and words of every answer; nothing is loaded before something is shown."""

from __future__ import annotations

import re
import subprocess
import sys
from xml.etree import ElementTree

import numpy as np
import pytest

import detent
from detent.contact import Contacts
from detent.contact.modes import modes
from detent.foundation import Shown
from detent.io import native
from detent.record import Evidence, Trajectory, Verdict
from tests.conftest import REFERENCE

ASK = 'import sys, detent; detent.load("four_bar"); print("detent.draw.notebook" in sys.modules)'
TWO = Contacts.from_points([(0, 0), (1, 0)], [(0, 1)] * 2)


def picture(shown: Shown) -> ElementTree.Element | None:
    """The picture that a notebook would show."""
    found = re.search(r"<svg.*</svg>", shown._repr_mimebundle_()["text/html"], re.DOTALL)
    return None if found is None else ElementTree.fromstring(found.group())


def test_nothing_is_loaded_before_something_is_shown() -> None:
    run = subprocess.run([sys.executable, "-c", ASK], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "False"


@pytest.mark.parametrize(
    "shown",
    [
        detent.load("four_bar"),
        detent.move("four_bar"),
        detent.move("four_bar").run,
        detent.mate("snap_holds"),
        detent.mate("snap_holds").run.trajectory,
        detent.run("crank_engine", until=0.1),
        detent.run_both("crank_engine", until=0.1),
        detent.outlook("time_bomb"),
        TWO,
        modes(TWO),
        modes(TWO)["00|++"],
        detent.edit("four_bar", detent.SetNumber("parts.I.markers.B.0", 1)),
    ],
    ids=lambda shown: type(shown).__name__,
)
def test_a_notebook_shows_a_picture_and_the_words(shown: Shown) -> None:
    assert picture(shown) is not None
    bundle = shown._repr_mimebundle_()
    assert shown.words.splitlines()[-1].strip() in bundle["text/html"].replace("&gt;", ">")
    assert bundle["text/plain"] == repr(shown)
    assert "\n" not in repr(shown)


def test_contacts_given_as_rows_show_as_words() -> None:
    rows = native.load(REFERENCE / "contact_modes" / "box-1-rows.toml")
    assert picture(rows) is None
    assert rows._repr_html_().startswith("<pre>")


def test_records_show_as_plots_and_tables() -> None:
    run = Trajectory(times=np.arange(3.0), coordinates={"crank": np.arange(3.0)})
    assert "crank" in run._repr_html_()
    verdict = Verdict(
        question="does it <hold>?",
        answer="yes",
        confidence="computed",
        evidence=(Evidence(statement="force", value=3.5, unit="N"),),
    )
    shown = verdict._repr_html_()
    assert "3.5 N" in shown
    assert "&lt;hold&gt;" in shown


def test_coordinates_of_a_trajectory_have_their_unit_angles_in_degrees() -> None:
    columns = {"crank": np.array([0.0, np.pi]), "ram": np.array([0.0, 7.0])}
    shown = Trajectory(
        times=np.arange(2.0), coordinates=columns, units="in", coordinate_units={"crank": "rad", "ram": "in"}
    )._repr_html_()
    for label in ("crank [°]", "ram [in]", "time [s]", "100"):
        assert f'aria-label="{label}"' in shown
    assert "rad" not in shown


def test_contact_modes_show_as_their_lattice() -> None:
    mode_set = modes(TWO)
    root = picture(mode_set)
    assert root is not None
    assert "10 modes by dimension" in (root.get("aria-label") or "")
    assert picture(mode_set.where((0, "touching"), (0, "separating"))) is None
