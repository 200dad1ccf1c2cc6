"""A script that lets your shell complete verbs, flags, names of examples and files.

bash:  detent completion bash > ~/.local/share/bash-completion/completions/detent
zsh:   detent completion zsh > DIR/_detent      where DIR is a folder of $fpath
fish:  detent completion fish > ~/.config/fish/completions/detent.fish

For the running shell only: source <(detent completion bash). The script holds all
it needs, and starts no program when a key is pressed: write it again after an update.
"""

from __future__ import annotations

import argparse

from detent.app import shells
from detent.draw.words.answer import Answer


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("shell", choices=tuple(shells.SCRIPTS), help="the shell that is to complete")


def run(args: argparse.Namespace) -> Answer:
    script = shells.script(args.shell)
    return Answer(data={"shell": args.shell, "script": script}, text=script.rstrip("\n"))
