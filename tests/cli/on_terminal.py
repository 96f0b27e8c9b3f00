"""Runs the command before somebody who types."""

from __future__ import annotations

import os
import pty
import subprocess
import sys
from pathlib import Path

PROJECT = Path(__file__).parents[2]


def on_terminal(folder: Path, typed: str, *words: str) -> tuple[int, str, str]:
    """Run the command with a terminal as its standard input; its exit code and what it printed on either stream."""
    own, theirs = pty.openpty()
    try:
        started = subprocess.Popen(
            [sys.executable, "-m", "gitops", *words],
            cwd=folder,
            stdin=theirs,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env={**os.environ, "PYTHONPATH": os.fspath(PROJECT)},
        )
        os.write(own, typed.encode())
        out, err = started.communicate(timeout=60)
        return started.returncode, out.decode(), err.decode()
    finally:
        os.close(own)
        os.close(theirs)
