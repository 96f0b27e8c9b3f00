"""What the targets share: `git assay` in a repository of the case's own folder."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

POLICY = '[workspace]\nname = "case"\n'
INDEX = "# Index\n\nPages of this wiki.\n"


def assay(*words: str, given: str = "", codes: tuple[int, ...] = (0,)) -> str:
    """What `git assay` prints. RuntimeError with what it said, where it ends otherwise than it may."""
    return _run([sys.executable, "-m", "gitops", *words], given, codes)


def answer(*words: str, given: str = "", codes: tuple[int, ...] = (0,)) -> Any:
    """The same of a command that prints JSON."""
    return json.loads(assay(*words, "--json", given=given, codes=codes))


def repository(files: dict[str, str]) -> None:
    """Make the working folder a repository with these files committed, by an author who is always the same."""
    person = {f"GIT_{who}_{what}": value for who in ("AUTHOR", "COMMITTER") for what, value in _PERSON.items()}
    os.environ.update(person, GIT_CONFIG_NOSYSTEM="1", ASSAY_LLM="off")
    for path, text in files.items():
        file = Path(path)
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    _run(["git", "init", "-q", "-b", "main", "."])
    _run(["git", "add", "-A"])
    _run(["git", "commit", "-q", "-m", "The case's wiki"])


_PERSON = {"NAME": "case", "EMAIL": "case@localhost", "DATE": "2026-11-22T00:00:00Z"}


def _run(words: list[str], given: str = "", codes: tuple[int, ...] = (0,)) -> str:
    done = subprocess.run(words, input=given, capture_output=True, text=True, encoding="utf-8")
    if done.returncode not in codes:
        raise RuntimeError(f"{' '.join(words[:5])} ended with {done.returncode}: {done.stderr.strip()[-400:]}")
    return done.stdout
