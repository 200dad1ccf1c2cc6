"""Ctrl-C ends a count or a stream with what there is by then."""

import json

import pytest

from detent.app import main
from detent.contact.modes import counting, streaming


def plainly():
    raise KeyboardInterrupt


def out_of_a_dispatcher():
    """As numba's passes it on when it falls into the loading of a kernel."""
    try:
        raise KeyboardInterrupt
    except KeyboardInterrupt as stop:
        raise SystemError("returned a result with an exception set") from stop


def stopping(steps, stop=plainly):
    """A generator's steps, then Ctrl-C."""

    def made(*args, **kwargs):
        yield from steps
        stop()

    return made


@pytest.mark.parametrize("stop", [plainly, out_of_a_dispatcher])
def test_an_interrupted_count_is_a_lower_bound(monkeypatch, capsys, stop):
    monkeypatch.setattr(counting, "running_count", stopping([(1, 51, 10), (2, 78, 10)], stop))
    assert main(["modes", "box_in_corner", "--count"]) == 130
    assert "interrupted: at least 78 modes, in 2 of 10 contacting/separating modes" in capsys.readouterr().out


@pytest.mark.parametrize("stop", [plainly, out_of_a_dispatcher])
@pytest.mark.parametrize("flags", [[], ["--json"]])
def test_an_interrupted_stream_keeps_its_lines(monkeypatch, capsys, flags, stop):
    monkeypatch.setattr(streaming, "stream_texts", stopping([("0+", ["0+|+.", "0+|-."])], stop))
    assert main(["modes", "box_in_corner", "--stream", *flags]) == 130
    first, last = (json.loads(line) for line in capsys.readouterr().out.splitlines())
    assert first == {"mode": "0+", "count": 2, "modes": ["0+|+.", "0+|-."]}
    assert last == {"counts": {"contacting_separating": 1, "all": 2}, "complete": False}
