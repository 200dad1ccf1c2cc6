"""Completion: the shells themselves are asked what they would complete."""

import shutil
import subprocess
from contextlib import redirect_stdout

import pytest

from detent.app import VERBS, main, parser_of

# What is typed, and what must come; files in the folder: my_machine.toml, 'two words.toml'.
CASES = [
    ("m", {"mate", "move", "modes"}),
    ("move four", {"four_bar"}),
    ("move --me", {"--method"}),
    ("move --method ", {"kinematic", "newton_svd"}),
    ("check my", {"my_machine.toml"}),
    ("check my_machine.toml fi", {"five_bar"}),
    ("completion f", {"fish"}),
    ("move four_bar --csv my", {"my_machine.toml"}),
    ("move four_bar --steps ", set()),
    ("schema ", set()),
]

_ASK = {
    "bash": """
source {script}
COMP_WORDS=(detent {words} '{last}'); COMP_CWORD=$(( ${{#COMP_WORDS[@]}} - 1 )); _detent
printf '%s\\n' "${{COMPREPLY[@]}}"
""",
    "fish": "source {script}; complete -C 'detent {typed}' | string replace -r '\\t.*' ''",
}
SHELLS = [shell for shell in _ASK if shell == "bash" or shutil.which(shell)]


@pytest.fixture(scope="module")
def scripts(tmp_path_factory):
    folder = tmp_path_factory.mktemp("scripts")
    for shell in ("bash", "zsh", "fish"):
        with open(folder / shell, "w") as file, redirect_stdout(file):
            assert main(["completion", shell]) == 0
    return folder


@pytest.mark.parametrize(("typed", "expected"), CASES, ids=[typed for typed, _ in CASES])
@pytest.mark.parametrize("shell", SHELLS)
def test_a_shell_completes(shell, typed, expected, scripts, tmp_path):
    (tmp_path / "my_machine.toml").touch()
    (tmp_path / "two words.toml").touch()
    words, _, last = typed.rpartition(" ")
    script = _ASK[shell].format(script=scripts / shell, words=words, last=last, typed=typed)
    done = subprocess.run([shell, "-c", script], cwd=tmp_path, capture_output=True, text=True, check=True)
    assert done.stderr == ""
    assert set(filter(None, done.stdout.splitlines())) == expected


def test_a_name_of_two_words_stays_one(scripts, tmp_path):
    (tmp_path / "our words.toml").touch()
    script = _ASK["bash"].format(script=scripts / "bash", words="move", last="our")
    done = subprocess.run(["bash", "-c", script], cwd=tmp_path, capture_output=True, text=True, check=True)
    assert done.stdout.splitlines() == ["our words.toml"]


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_every_verb_and_every_flag_is_in_every_script(shell, scripts):
    text = (scripts / shell).read_text()
    for verb in VERBS:
        assert verb in text
        for flag in parser_of(verb)._option_string_actions:
            name = flag.lstrip("-")
            dashes = {"--": " -l ", "-": " -s "}[flag[: len(flag) - len(name)]]
            assert (dashes + name if shell == "fish" else flag) in text, (verb, flag)
