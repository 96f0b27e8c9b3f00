"""remark-validate-links, the link checker that others use: fetched from npm for the one comparison."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

from gitops.errors import CannotRun

PACKAGES = ("remark-cli@12", "remark-validate-links@13")
_WAIT_S = 300


def install(folder: Path) -> Callable[[Path], Callable[[], None]]:
    """Install it below a folder; gives what makes a side of a folder of pages. CannotRun where npm cannot."""
    npm = shutil.which("npm")
    if npm is None:
        raise CannotRun("npm is not installed", "install Node.js")
    folder.mkdir(parents=True)
    command = [npm, "install", "--silent", "--no-audit", "--no-fund", "--prefix", os.fspath(folder), *PACKAGES]
    try:
        subprocess.run(command, check=True, capture_output=True, timeout=_WAIT_S)
    except (subprocess.CalledProcessError, subprocess.TimeoutExpired) as error:
        raise CannotRun(f"npm could not fetch {', '.join(PACKAGES)}", "look at: npm ping") from error
    return lambda pages: _side(folder, pages)


def _side(tool: Path, pages: Path) -> Callable[[], None]:
    remark = tool / "node_modules/.bin/remark"
    plugin = tool / "node_modules/remark-validate-links/index.js"
    command = [os.fspath(remark), "--quiet", "--no-stdout", "--use", f"{plugin}=repository:false", "wiki"]

    def run() -> None:
        subprocess.run(command, cwd=pages, check=True, capture_output=True)

    return run
