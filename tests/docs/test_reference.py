"""The reference has every public name, and no other."""

import inspect
import io
import re
import subprocess
import sys
from pathlib import Path

import docutils.core

import detent

PAGE = Path(__file__).parents[2] / "docs" / "reference.md"


def test_the_reference_has_every_public_name_once():
    named = re.findall(r"^\.\. auto(?:class|function):: detent\.(\w+)$", PAGE.read_text(), flags=re.M)
    assert sorted([*named, "__version__"]) == sorted(detent.__all__)
    assert "`detent.__version__`" in PAGE.read_text()


def _docstrings():
    for name in detent.__all__:
        value = getattr(detent, name)
        yield name, inspect.getdoc(value)
        if inspect.isclass(value):
            members = {m: v for m, v in vars(value).items() if not m.startswith("_")}
            yield from ((f"{name}.{m}", inspect.getdoc(v)) for m, v in members.items())


def test_every_docstring_of_the_reference_is_sound_as_it_is_typeset():
    """What the built page would stop at: a list without its blank line, an indentation that means nothing."""
    wrong = {}
    for name, text in _docstrings():
        complaints = io.StringIO()
        settings = {"report_level": 2, "halt_level": 5, "warning_stream": complaints}
        docutils.core.publish_doctree(text or "", settings_overrides=settings)
        if complaints.getvalue():
            wrong[name] = complaints.getvalue()
    assert wrong == {}


def test_every_signature_of_the_reference_can_be_written():
    """In a process of its own, as the pages are built: `conf.py` gives records the names of types that only a
    checker loads."""
    program = """
import inspect, runpy, detent
runpy.run_path("docs/conf.py")
for name in detent.__all__:
    value = getattr(detent, name)
    if callable(value) and not (inspect.isclass(value) and issubclass(value, Exception)):
        inspect.signature(value)
"""
    ran = subprocess.run([sys.executable, "-c", program], cwd=PAGE.parents[1], capture_output=True, text=True)
    assert ran.returncode == 0, ran.stderr
