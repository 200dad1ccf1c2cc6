"""The first five minutes, as printed: every file is written, every command is run, every line is said."""

import re
from pathlib import Path

from PIL import Image

from detent.app import main
from tests.docs.console import commands, is_shown

PAGE = Path(__file__).parents[2] / "docs" / "first_five_minutes.md"
_BLOCK = re.compile(r"^```(toml|console)\n(.*?)^```", flags=re.S | re.M)
_FILE = re.compile(r"# (\S+\.toml)(, added)?\n")


def _write(text, folder):
    """A block that names its file is that file, or goes on with it."""
    named = _FILE.match(text)
    assert named, "a file of the page says its name"
    path = folder / named[1]
    before = path.read_text() + "\n" if named[2] else ""
    path.write_text(before + text)


def test_from_an_empty_file_to_a_moving_picture_no_step_fails(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    asked = []
    for kind, text in _BLOCK.findall(PAGE.read_text()):
        if kind == "toml":
            _write(text, tmp_path)
            continue
        for command, shown in commands(text):
            assert command[0] == "detent"
            code = main(command[1:])
            out, err = capsys.readouterr()
            wrong = any("did you mean" in line for line in shown)
            assert code == (2 if wrong else 0), (command, err)
            assert is_shown(shown, out.splitlines()), (command, out)
            asked.append(command[1])
    assert {"check", "explain", "draw", "move", "mate", "modes"} <= set(asked)
    with Image.open(tmp_path / "machine.gif") as film, Image.open(tmp_path / "machine.png") as picture:
        assert film.n_frames > 10
        assert min(picture.size) > 100
    assert "<script" in (tmp_path / "machine.html").read_text()
