"""Progress: said by the work, shown on a terminal while it lasts, gone before the answer."""

import io
import threading
import time

import pytest

from detent.app import main
from detent.app import progress as terminal
from detent.app.commands import check
from detent.foundation import progress

_PATIENCE = 10.0  # [s] a line comes within a fraction of one


class Terminal(io.StringIO):
    """A stream that says it is a terminal, and when it was first written to."""

    def __init__(self):
        super().__init__()
        self.written = threading.Event()

    def isatty(self):
        return True

    def write(self, text):
        count = super().write(text)
        self.written.set()
        return count


@pytest.fixture(autouse=True)
def _at_once(monkeypatch):
    monkeypatch.setattr(terminal, "AFTER", 0.01)
    monkeypatch.setattr(terminal, "EVERY", 0.01)


def test_work_says_what_it_is_at_from_the_whole_to_the_innermost_phase():
    assert progress.now() == ""
    with progress.doing("mate"):
        with progress.doing("leg"):
            progress.reached(2, 3)
            assert progress.now() == "mate: leg 2 of 3"
        progress.reached(5, detail="modes so far")
        assert progress.now() == "mate 5, modes so far"
    assert progress.now() == ""


def test_a_phase_ends_where_its_work_fails():
    with pytest.raises(ZeroDivisionError), progress.doing("dividing"):
        raise ZeroDivisionError
    assert progress.now() == ""


def test_a_terminal_shows_work_that_lasts_and_is_clean_afterwards():
    stream = Terminal()
    shown = "move a.toml: following the drive …"
    with terminal.shown("move a.toml", stream), progress.doing("following the drive"):
        end = time.monotonic() + _PATIENCE  # the first line may be older than the phase
        while shown not in stream.getvalue() and time.monotonic() < end:
            time.sleep(0.01)
    text = stream.getvalue()
    assert shown in text
    assert text.endswith("\r\x1b[2K")


def test_a_long_line_keeps_its_innermost_phase_and_fits(monkeypatch):
    monkeypatch.setenv("COLUMNS", "40")
    stream = Terminal()
    terminal.ProgressLine(stream).show("a" * 50 + ": compiling", 12.3)
    line = stream.getvalue().removeprefix("\r\x1b[2K")
    assert line.endswith(": compiling … 12 s")
    assert len(line) < 40


def test_what_is_no_terminal_shows_nothing():
    stream = io.StringIO()
    with terminal.shown("move a.toml", stream):
        threading.Event().wait(0.05)
    assert stream.getvalue() == ""


@pytest.mark.parametrize("flags", [[], ["--json"], ["--quiet"]])
def test_every_verb_shows_progress_unless_told_to_be_quiet(monkeypatch, capsys, flags):
    stream = Terminal()
    asked = check._check

    def slow(file):
        if "--quiet" not in flags:
            assert stream.written.wait(_PATIENCE)
        return asked(file)

    monkeypatch.setattr(check, "_check", slow)
    monkeypatch.setattr("sys.stderr", stream)
    assert main(["check", "four_bar", *flags]) == 0
    assert ("check" in stream.getvalue()) == ("--quiet" not in flags)
    assert "\x1b" not in capsys.readouterr().out


def test_an_answer_that_comes_in_pieces_never_stands_behind_the_line_of_progress(capsys):
    """Both on one terminal: whatever is printed begins on a line that was cleared."""
    both = Terminal()
    with terminal.shown("modes", both), pytest.MonkeyPatch.context() as patched:
        patched.setattr("sys.stdout", both)
        for _ in range(3):
            both.written.clear()
            assert both.written.wait(_PATIENCE)
            terminal.print_a_piece("a piece")
    lines = both.getvalue().split("\n")
    assert len(lines) == 4
    assert all(line.endswith("\r\x1b[2Ka piece") for line in lines[:3])


def test_a_stream_of_modes_shows_progress(monkeypatch, capsys):
    from detent.contact.modes import streaming

    stream = Terminal()
    asked = streaming.stream_texts

    def slow(*args, **options):
        assert stream.written.wait(_PATIENCE)
        yield from asked(*args, **options)

    monkeypatch.setattr(streaming, "stream_texts", slow)
    monkeypatch.setattr("sys.stderr", stream)
    assert main(["modes", "planar_grasp", "--stream"]) == 0
    assert "modes planar_grasp" in stream.getvalue()
    assert all(line.startswith("{") for line in capsys.readouterr().out.splitlines())


def test_a_first_compilation_is_said(tmp_path):
    """In a fresh process with an empty cache: the one place where numba compiles for certain."""
    import os
    import subprocess
    import sys

    program = (
        "import numpy as np\n"
        "from detent.foundation import progress\n"
        "from detent.numeric import kernels\n"
        "said = []\n"
        "doing = progress.doing\n"
        "def heard(what):\n"
        "    said.append(what)\n"
        "    return doing(what)\n"
        "kernels.doing = heard\n"
        "from detent.app.kernels import all_kernels\n"
        "kernel = min(all_kernels().values(), key=lambda each: len(each.plain.__code__.co_code))\n"
        "kernel.compiled(*kernel.sample())\n"
        "print(said)\n"
    )
    environment = {**os.environ, "DETENT_CACHE": str(tmp_path)}
    environment.pop("NUMBA_CACHE_DIR", None)
    first, again = (
        subprocess.run(
            [sys.executable, "-c", program], env=environment, capture_output=True, text=True, check=True
        ).stdout
        for _ in range(2)
    )
    assert "compiling, once" in first
    assert again.strip() == "[]"


def test_pictures_of_a_report_say_which_is_being_made(monkeypatch, tmp_path):
    """The slices take longest; while one is made, the line names it."""
    from detent.draw.chart import slice as chart

    told = []
    made = chart.free_space
    monkeypatch.setattr(chart, "free_space", lambda *given: (told.append(progress.now()), made(*given))[1])
    report = str(tmp_path / "r.html")
    assert main(["mate", "snap_holds", "--report", report, "--quiet"]) == 0
    assert len(told) > 1
    assert told[0].startswith(f"mate snap_holds: pictures of {report}: slice of ")
    assert "leg 1 of " in told[0]
