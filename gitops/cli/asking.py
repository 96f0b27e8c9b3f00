"""Asks a person on a terminal: on standard error, so that standard output holds the result alone."""

from __future__ import annotations

import sys


def line(prompt: str, undone: str, hint: str) -> str | None:
    """What is typed after a prompt; None where the input ended. UsageError where it is no text.

    `undone` says what then came of the command, `hint` how it is begun again.
    """
    print(prompt, end="", file=sys.stderr, flush=True)
    try:
        typed = sys.stdin.readline()
    except UnicodeDecodeError as error:
        from gitops.errors import UsageError

        raise UsageError(f"{undone}: what was typed is not UTF-8", hint) from error
    return typed.strip() if typed else None


def say(text: str) -> None:
    """Say one line, as far to the right as it begins."""
    from gitops.cli import one_line

    print(text[: len(text) - len(text.lstrip())] + one_line(text), file=sys.stderr)
