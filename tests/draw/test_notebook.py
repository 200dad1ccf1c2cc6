"""Display in notebooks: there when a host is loaded, and only then."""

from __future__ import annotations

import subprocess
import sys
from xml.etree import ElementTree

import numpy as np

from detent.contact import Contacts
from detent.contact.modes import modes
from detent.draw import notebook
from detent.io import native
from detent.record import Evidence, Trajectory, Verdict
from tests.conftest import REFERENCE

ASK = """
import sys
{host}
import detent
from detent.model.document import Mechanism
detent.load
print(hasattr(Mechanism, "_repr_svg_"), "detent.draw.notebook" in sys.modules)
"""


def outcome(host: str) -> str:
    run = subprocess.run(
        [sys.executable, "-c", ASK.format(host=host)], capture_output=True, text=True, check=True
    )
    return run.stdout.strip()


def test_without_a_notebook_nothing_is_loaded() -> None:
    assert outcome("") == "False False"


def test_with_a_notebook_mechanisms_show_themselves() -> None:
    assert outcome("import types; sys.modules['IPython'] = types.ModuleType('IPython')") == "True True"


def test_a_mechanism_shows_as_a_picture_and_rows_as_words() -> None:
    notebook.register()
    shown = native.load(REFERENCE / "linkages" / "4-bar.toml")._repr_svg_()  # type: ignore[attr-defined]
    assert ElementTree.fromstring(shown).tag.endswith("svg")
    rows = native.load(REFERENCE / "contact_modes" / "box-1-rows.toml")
    assert rows._repr_svg_() is None  # type: ignore[attr-defined]


def test_records_show_as_plots_and_tables() -> None:
    notebook.register()
    run = Trajectory(times=np.arange(3.0), coordinates={"crank": np.arange(3.0)})
    assert "crank" in run._repr_svg_()  # type: ignore[attr-defined]
    verdict = Verdict(
        question="does it <hold>?",
        answer="yes",
        confidence="computed",
        evidence=(Evidence(statement="force", value=3.5, unit="N"),),
    )
    shown = verdict._repr_html_()  # type: ignore[attr-defined]
    assert "3.5 N" in shown
    assert "&lt;hold&gt;" in shown


def test_contact_modes_show_as_their_lattice() -> None:
    notebook.register()
    mode_set = modes(Contacts.from_points([(0, 0), (1, 0)], [(0, 1)] * 2))
    root = ElementTree.fromstring(mode_set._repr_svg_())  # type: ignore[attr-defined]
    assert "10 modes by dimension" in (root.get("aria-label") or "")
    assert mode_set.where((0, "touching"), (0, "separating"))._repr_svg_() is None  # type: ignore[attr-defined]
