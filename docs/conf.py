"""Sphinx: MyST pages, furo's theme, nothing fetched from anywhere."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

import detent
from detent.record import batch, motion, running, trajectory
from detent.record.led import mating as led_mating

# Names of types that only a checker loads, so that a command does not wait for them.
motion.Floats = running.Floats = trajectory.Floats = led_mating.Floats = NDArray[np.float64]  # type: ignore[misc]
batch.ColumnArray = NDArray[Any]  # type: ignore[attr-defined]

project = "Detent"
author = "The Detent maintainers"
copyright = "2026, the Detent maintainers"
version = release = detent.__version__

extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.mathjax"]
myst_enable_extensions = ["dollarmath", "colon_fence"]
myst_heading_anchors = 3
source_suffix = {".md": "markdown"}
exclude_patterns = ["_build"]
autodoc_typehints = "signature"
autodoc_member_order = "bysource"
default_role = "code"  # our descriptions write names in single backticks

html_static_path = ["_static"]
html_css_files = ["cards.css"]
html_theme = "furo"
html_title = "Detent"
