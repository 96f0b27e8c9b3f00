"""`git assay completion`: a shell's completion script, made from the grammar. Shells complete without Python."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from typing import Any

from gitops.cli.arguments import Parser

SHELLS = ("bash", "zsh", "tcsh")

_RUNS = "git for-each-ref --format='%(refname:lstrip=3)' refs/heads/run/"
_BRANCHES = "git for-each-ref --format='%(refname:lstrip=2)' refs/heads/"

PREAMBLE = {
    "bash": f"""
_assay_runs() {{ compgen -W "$({_RUNS} 2>/dev/null)" -- "$1"; }}
_assay_branches() {{ compgen -W "$({_BRANCHES} 2>/dev/null)" -- "$1"; }}
""",
    "zsh": f"""
_assay_runs() {{ compadd -- ${{(f)"$({_RUNS} 2>/dev/null)"}} }}
_assay_branches() {{ compadd -- ${{(f)"$({_BRANCHES} 2>/dev/null)"}} }}
""",
}
"""Open runs and branches, asked of git itself when they are wanted. tcsh has no functions to ask with."""

GIT_BASH = """
# `git assay <Tab>`: git's completion calls _git_NAME for a command it does not know.
_git_assay() {
  local IFS=$' \\t\\n' at=${__git_cmd_idx:-1}
  COMP_WORDS=(git-assay "${COMP_WORDS[@]:$((at + 1))}")
  COMP_CWORD=$((COMP_CWORD - at))
  _shtab_git_assay
}
"""

_FUNCTIONS = {"RUN": "_assay_runs", "BRANCH": "_assay_branches", "REV": "_assay_branches"}


def declare(name: str, parser: Parser) -> None:
    """Fill in the command."""
    parser.set_defaults(function=completion)
    parser.add_argument("shell", choices=SHELLS, help="the shell")
    parser.epilog = (
        "In ~/.bashrc: source <(git assay completion bash), after git's own completion if that is there. "
        "For zsh: git assay completion zsh > DIR/_git-assay, in a folder of $fpath. "
        "For tcsh: git assay completion tcsh > FILE, and source FILE in ~/.tcshrc."
    )


def completion(arguments: argparse.Namespace) -> int:
    """Print a completion script; the one for bash is also what git's own completion calls for `git assay`."""
    print(script(arguments.shell))
    return 0


def script(shell: str) -> str:
    """The completion script of a shell, for `git-assay`."""
    import shtab

    from gitops.cli.parser import build

    parser = build(prog="git-assay")
    for action in _actions(parser):
        if (values := _values(action.metavar)) is not None:
            action.complete = values  # type: ignore[attr-defined]
    made: str = shtab.complete(parser, shell, preamble=PREAMBLE.get(shell, ""))
    return made + GIT_BASH if shell == "bash" else made


def _values(metavar: Any) -> Any:
    """What completes an argument, by what its help calls it."""
    import shtab

    match metavar:
        case "FILE" | "PATH" | "PAGE" | "raw/FILE":
            return shtab.FILE
        case "DIR":
            return shtab.DIRECTORY
        case "RUN" | "BRANCH" | "REV":
            return dict.fromkeys(("bash", "zsh"), _FUNCTIONS[metavar])
        case _:
            return None


def _actions(parser: argparse.ArgumentParser) -> Iterator[argparse.Action]:
    for action in parser._actions:
        yield action
        if isinstance(action, argparse._SubParsersAction):
            for inner in action.choices.values():
                yield from _actions(inner)
