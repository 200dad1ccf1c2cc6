"""Completion scripts for bash, zsh and fish, written from the parsers of the verbs."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from detent.app import inputs
from detent.app.parsing import VERBS, parser_of

# What can stand in a place: a document (a file, or an example's name), any file, a folder, an example's name,
# one of a list, something only the user knows, or nothing (a flag without a value).
Kind = Literal["document", "file", "folder", "example", "choice", "any", "none"]
_KIND_OF: dict[str, Kind] = {
    "FILE": "document",
    "IN": "document",
    "OUT": "file",
    "RUN": "file",
    "DIR": "folder",
    "NAME": "example",
}


@dataclass(frozen=True)
class Place:
    """A flag (with all its spellings) or, without one, a word that is not a flag."""

    flags: tuple[str, ...]
    kind: Kind
    choices: tuple[str, ...]
    words: str
    repeats: bool


def places(verb: str) -> list[Place]:
    """Everything that may follow a verb."""
    return [_place(action) for action in parser_of(verb)._actions]


def _place(action: argparse.Action) -> Place:
    choices = tuple(map(str, action.choices or ()))
    repeats = action.nargs in ("+", "*") or isinstance(action, argparse._AppendAction)
    return Place(tuple(action.option_strings), _kind(action), choices, action.help or "", repeats)


def _kind(action: argparse.Action) -> Kind:
    if action.nargs == 0:
        return "none"
    if action.choices:
        return "choice"
    metavar = action.metavar if isinstance(action.metavar, str) else ""
    kind = _KIND_OF.get(metavar, "any")
    return "file" if kind == "document" and action.option_strings else kind


def script(shell: str) -> str:
    """The script of one shell."""
    return SCRIPTS[shell]({verb: places(verb) for verb in VERBS}, list(inputs.examples()))


def _bash(verbs: dict[str, list[Place]], examples: list[str]) -> str:
    values, words = [], []
    for verb, following in verbs.items():
        for place in following:
            if place.flags and place.kind != "none":
                patterns = "|".join(f"{verb}:{flag}" for flag in place.flags)
                calls = "; ".join(_bash_calls(place))
                values.append(f"        {patterns}) {calls}; return ;;")
        flags = " ".join(flag for place in following for flag in place.flags)
        rest = dict.fromkeys(call for place in following if not place.flags for call in _bash_calls(place))
        otherwise = "; ".join(rest) or ":"
        words.append(f'        {verb}) if $dashed; then _detent_words "{flags}"; else {otherwise}; fi ;;')
    return _BASH.format(
        verbs=" ".join(verbs), values="\n".join(values), words="\n".join(words), examples=" ".join(examples)
    )


def _bash_calls(place: Place) -> tuple[str, ...]:
    """What fills the list of completions for a place."""
    calls: dict[Kind, tuple[str, ...]] = {
        "document": ('_detent_words "$examples"', "_detent_files -f"),
        "example": ('_detent_words "$examples"',),
        "file": ("_detent_files -f",),
        "folder": ("_detent_files -d",),
        "choice": ('_detent_words "' + " ".join(place.choices) + '"',),
    }
    return calls.get(place.kind, (":",))


_BASH = """\
# bash completion for detent; written by `detent completion bash`
_detent_words() {{ local IFS=$' \\t\\n'; COMPREPLY+=($(compgen -W "$1" -- "$cur")); }}
_detent_files() {{ local IFS=$'\\n'; COMPREPLY+=($(compgen "$1" -- "$cur")); }}
_detent() {{
    local cur="${{COMP_WORDS[COMP_CWORD]}}" prev="${{COMP_WORDS[COMP_CWORD-1]}}" dashed=false
    local examples="{examples}"
    COMPREPLY=()
    if [ "$COMP_CWORD" -eq 1 ]; then
        _detent_words "{verbs} --help --version"
        return
    fi
    # --flag=value comes as three words
    if [ "$cur" = "=" ]; then
        cur=""
    elif [ "$prev" = "=" ]; then
        prev="${{COMP_WORDS[COMP_CWORD-2]}}"
    fi
    case "${{COMP_WORDS[1]}}:$prev" in
{values}
    esac
    case "$cur" in -*) dashed=true ;; esac
    case "${{COMP_WORDS[1]}}" in
{words}
    esac
}}
complete -o filenames -F _detent detent
"""


def _zsh(verbs: dict[str, list[Place]], examples: list[str]) -> str:
    described = "\n".join(f"        {_quoted(f'{verb}:{words}')}" for verb, words in VERBS.items())
    cases = []
    for verb, following in verbs.items():
        lines = [_zsh_place(place) for place in following]
        cases.append(
            f"        {verb}) _arguments -s \\\n            " + " \\\n            ".join(lines) + " ;;"
        )
    return _ZSH.format(verbs=described, cases="\n".join(cases), examples=" ".join(examples))


def _zsh_place(place: Place) -> str:
    action = {
        "document": "_detent_documents",
        "example": "_detent_examples",
        "file": "_files",
        "folder": "_files -/",
        "choice": f"({' '.join(place.choices)})",
        "any": "",
    }.get(place.kind)
    tail = "" if action is None else f":{place.kind}:{action}"
    if not place.flags:
        return _quoted(("*" if place.repeats else "") + (tail if place.repeats else ":" + tail[1:]))
    words = "".join("\\" + c if c in "[]:" else c for c in place.words)
    star = "*" if place.repeats else ""
    group = f"({' '.join(place.flags)})" if len(place.flags) > 1 and not star else ""
    return " ".join(_quoted(f"{star or group}{flag}[{words}]{tail}") for flag in place.flags)


_ZSH = """\
#compdef detent
# zsh completion for detent; written by `detent completion zsh`
_detent_examples() {{ compadd -- {examples} }}
_detent_documents() {{ _detent_examples; _files }}
_detent() {{
    local -a verbs
    verbs=(
{verbs}
    )
    if (( CURRENT == 2 )); then
        _describe verb verbs
        return
    fi
    local verb=$words[2]
    shift words
    (( CURRENT-- ))
    case $verb in
{cases}
    esac
}}
if [ "$funcstack[1]" = "_detent" ]; then
    _detent "$@"
else
    compdef _detent detent
fi
"""


def _fish(verbs: dict[str, list[Place]], examples: list[str]) -> str:
    lines = ["# fish completion for detent; written by `detent completion fish`", "complete -c detent -f"]
    lines.append("complete -c detent -n __fish_use_subcommand -l version -d 'the version'")
    for verb, words in VERBS.items():
        lines.append(f"complete -c detent -n __fish_use_subcommand -a {verb} -d {_fish_quoted(words)}")
    for verb, following in verbs.items():
        for place in following:
            lines.append(_fish_place(verb, place, examples))
    return "\n".join(lines) + "\n"


def _fish_place(verb: str, place: Place, examples: list[str]) -> str:
    value = {
        "document": f"-F -a {_fish_quoted(' '.join(examples))}",
        "example": f"-a {_fish_quoted(' '.join(examples))}",
        "file": "-F",
        "folder": "-a '(__fish_complete_directories)'",
        "choice": f"-a {_fish_quoted(' '.join(place.choices))}",
    }.get(place.kind, "")
    line = f"complete -c detent -n '__fish_seen_subcommand_from {verb}'"
    for flag in place.flags:
        line += f" -l {flag[2:]}" if flag.startswith("--") else f" -s {flag[1:]}"
    if place.flags:
        line += {"none": "", "file": " -r", "document": " -r"}.get(place.kind, " -x")
        line += f" -d {_fish_quoted(place.words)}"
    return f"{line} {value}".rstrip()


def _quoted(text: str) -> str:
    return "'" + text.replace("'", "'\\''") + "'"


def _fish_quoted(text: str) -> str:
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"


SCRIPTS: dict[str, Callable[[dict[str, list[Place]], list[str]], str]] = {
    "bash": _bash,
    "zsh": _zsh,
    "fish": _fish,
}
