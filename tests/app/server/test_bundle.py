"""The pages as they are shipped: built with the package, small, and of the same model."""

from __future__ import annotations

import gzip
import json
import re
import runpy
from pathlib import Path

from detent.app.server import STATIC

ROOT = Path(__file__).parents[3]
KB = 1000


def test_the_pages_types_are_those_of_the_schema():
    types = runpy.run_path(str(ROOT / "tools" / "make_types.py"))["types"]()
    assert (ROOT / "web" / "src" / "document.ts").read_text() == types, "run tools/make_types.py"


def test_what_the_page_loads_at_once_is_at_most_100_kb_gzipped():
    """index.html, its script, its style, and every chunk that the script imports before it runs."""
    seen, wanted = set(), {"index.html", "app.js", "app.css"}
    while wanted:
        name = wanted.pop()
        seen.add(name)
        if name.endswith(".js"):
            imports = re.findall(r'(?:from|import)\s*"\./([^"]+)"', (STATIC / name).read_text())
            wanted |= set(imports) - seen
    size = sum(len(gzip.compress((STATIC / name).read_bytes())) for name in seen)
    assert size <= 100 * KB, f"{size} bytes in {sorted(seen)}"


def test_the_lock_file_names_no_registry():
    lock = json.loads((ROOT / "web" / "package-lock.json").read_text())
    entries = [entry for name, entry in lock["packages"].items() if name]
    assert entries
    assert not any("resolved" in entry for entry in entries)
    assert all("integrity" in entry for entry in entries)
