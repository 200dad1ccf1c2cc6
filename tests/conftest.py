"""What all tests share: where the data are, and how large a campaign runs."""

from __future__ import annotations

import os
from pathlib import Path

# Before numpy is imported: small matrices, and two cores shared with a browser.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import pytest

DATA = Path(__file__).parent / "data"
REFERENCE = DATA / "reference"


def reference_documents() -> list[Path]:
    """Every reference document, of every area."""
    files = sorted(p for p in REFERENCE.rglob("*") if p.suffix in (".toml", ".json"))
    return [p for p in files if not p.name.endswith(".expected.json")]


def campaign(share: int, full: int) -> int:
    """How many cases a campaign runs: all of them under `make prove`, else a seeded share."""
    return full if os.environ.get("DETENT_PROVE") == "full" else share


@pytest.fixture(params=reference_documents(), ids=lambda p: p.stem)
def reference_document(request: pytest.FixtureRequest) -> Path:
    path = request.param
    assert isinstance(path, Path)
    return path
