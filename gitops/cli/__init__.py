"""The command line: the only place, with the other doors, that prints and exits.

Each module here declares its commands and imports what they need only when they run, so that `-h` and
the commands that need little start fast.
"""

from __future__ import annotations

import gc
import io
import os
import sys
from collections.abc import Sequence

_COLLECTING = (20_000, 20, 20)
"""Hardly anything that is imported or parsed is garbage: looking for it as often as Python does costs a tenth."""


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; returns its exit code. 130 when interrupted, as a shell would say."""
    words = list(sys.argv[1:] if argv is None else argv)
    gc.set_threshold(*_COLLECTING)
    try:
        return _run(words)
    except KeyboardInterrupt:
        tell("interrupted; nothing is half done", "git assay status says how things stand")
        _leave_threads_behind(130)
        return 130
    except BrokenPipeError:
        # Whoever read us has read enough; say nothing more, not even while the interpreter closes.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 141


def _leave_threads_behind(code: int) -> None:
    """End at once where threads still wait for a model's answers: Python itself would wait with them."""
    import threading

    others = (thread for thread in threading.enumerate() if thread is not threading.main_thread())
    if any(not thread.daemon for thread in others):
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)


def _run(words: list[str]) -> int:
    from gitops.cli import parser

    _print_whatever_files_are_called()
    try:
        arguments = parser.parse(words)
        code = int(arguments.function(arguments) or 0)
        sys.stdout.flush()
        return code
    except SystemExit as leaving:  # argparse's own way out: help, version, a wrong flag
        sys.stdout.flush()
        return leaving.code if isinstance(leaving.code, int) else 2
    except BrokenPipeError:
        raise
    except Exception as error:
        if "--debug" in words:
            import traceback

            traceback.print_exc()
        return _told(error)


def _print_whatever_files_are_called() -> None:
    """A name that the terminal's encoding does not have is printed escaped, and stops no command."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")


def _told(error: Exception) -> int:
    """Tell a failure and give its exit code. One that nobody foresaw is told like any other."""
    import errno

    from gitops.errors import Absent, AssayError

    if isinstance(error, AssayError):
        tell(error.message, error.hint)
        return error.exit_code
    if isinstance(error, Absent):
        told = f"this clone lacks an object that is needed here: {error}"
        tell(told, "git fetch --refetch --no-filter, or git fetch --unshallow")
        return 3
    if isinstance(error, OSError) and error.errno in (errno.ENOSPC, errno.EDQUOT):
        tell(f"no space left: {error}", "nothing was half done; free some space and run the command again")
        return 3
    what = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
    tell(f"this should not happen: {what}", "run it again as 'git assay --debug …' and report what it prints")
    return 3


def tell(message: str, hint: str = "") -> None:
    """Two lines on standard error: what is wrong, and what mends it."""
    colour = sys.stderr.isatty() and "NO_COLOR" not in os.environ
    red, green, off = ("\033[1;31m", "\033[32m", "\033[m") if colour else ("", "", "")
    print(f"{red}error:{off} {one_line(message)}", file=sys.stderr)
    if hint:
        print(f"{green}hint:{off}  {one_line(hint)}", file=sys.stderr)


def one_line(text: str) -> str:
    """Text without line breaks or control characters, whatever a file is called and however git puts it.

    `##[` is broken: wherever it stands on a line that a job prints, a command to the job's runner begins.
    """
    joined = " ".join(line.strip() for line in text.splitlines() if line.strip())
    return "".join(char if char.isprintable() else "?" for char in joined).replace("##[", "## [")
