"""Sphinx: MyST pages, furo's theme, nothing fetched from anywhere."""

from __future__ import annotations

import detent

project = "Detent"
author = "The Detent maintainers"
copyright = "2026, the Detent maintainers"
version = release = detent.__version__

extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.mathjax"]
myst_enable_extensions = ["dollarmath", "colon_fence"]
myst_heading_anchors = 3
source_suffix = {".md": "markdown"}
exclude_patterns = ["_build"]
autodoc_typehints = "description"

html_static_path = ["_static"]
html_css_files = ["cards.css"]
html_theme = "furo"
html_title = "Detent"
