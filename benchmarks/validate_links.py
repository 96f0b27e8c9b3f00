"""remark-validate-links, the link checker of the remark tool-chain: fetched from npm, and asked about a folder."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.timing import Unavailable
from gitops.errors import CannotRun

PACKAGES = ("remark-cli@12.0.1", "remark-validate-links@13.1.0", "vfile-reporter-json@4.0.0")
_OFF_THE_SHELF = "it is needed for the comparison only; run the others with --only"


@dataclass(frozen=True, slots=True)
class Complaint:
    """One link that it finds wrong. Lines and columns count from 1, columns in UTF-16 units; `rule` is its own name."""

    path: str
    line: int
    column: int
    rule: str
    message: str


def install(folder: Path) -> Path:
    """Put the tool into a folder; its executable. Unavailable where npm or the packages cannot be had."""
    npm = shutil.which("npm")
    if npm is None:
        raise Unavailable("npm is not installed, so there is no remark-validate-links", _OFF_THE_SHELF)
    folder.mkdir(parents=True, exist_ok=True)
    command = [npm, "install", "--prefix", str(folder), "--no-audit", "--no-fund", "--loglevel=error", *PACKAGES]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    executable = folder / "node_modules/.bin/remark"
    if done.returncode or not executable.exists():
        why = next((line for line in done.stderr.splitlines() if "error" in line), "npm failed")
        raise Unavailable(f"remark-validate-links cannot be fetched: {why}", _OFF_THE_SHELF)
    return executable


def command(remark: Path, paths: Sequence[str]) -> list[str]:
    """What checks the Markdown files at or below these paths, which are relative to where it runs.

    It prints no pages. Without `repository:false` it would read the links to the repository's own address too.
    """
    plugin = remark.parents[1] / "remark-validate-links/index.js"
    return [str(remark), *paths, "--no-stdout", "--quiet", "--use", f"{plugin}=repository:false"]


def complaints(remark: Path, folder: Path, paths: Sequence[str]) -> list[Complaint]:
    """All that it says of some files or folders below a folder. CannotRun when it fails."""
    reporter = remark.parents[1] / "vfile-reporter-json/index.js"
    words = [*command(remark, paths), "--report", str(reporter)]
    done = subprocess.run(words, cwd=folder, capture_output=True, text=True, check=False)
    if done.returncode:
        raise CannotRun(f"remark-validate-links: exit code {done.returncode}", f"run it by hand in {folder}")
    return [
        Complaint(file["path"], told["line"] or 0, told["column"] or 0, told["ruleId"] or "", told["reason"])
        for file in json.loads(done.stderr)
        for told in file["messages"]
    ]
