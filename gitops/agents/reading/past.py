"""What went before: the lines of the wiki's log, and the commits that touched a file."""

from __future__ import annotations

import re
from itertools import islice

from pydantic import Field

from gitops.agents.calling import Arguments, ToolError
from gitops.agents.fencing import fenced
from gitops.agents.reading.shelf import Shelf
from gitops.agents.reading.texts import split
from gitops.wiki.snapshot import PathVersion

_RUN = re.compile(r"^Assay-Run: (\S+)\s*$", re.MULTILINE)
_HEADING = re.compile(r"# ")


class Events(Arguments):
    """What `events` is asked."""

    limit: int = Field(default=20, ge=1, le=200, description="how many lines are wanted, newest first")


class History(Arguments):
    """What `history` is asked."""

    path: str = Field(description="a page or source")
    limit: int = Field(default=20, ge=1, le=100, description="how many commits are wanted, newest first")


def events(shelf: Shelf, asked: Events) -> str:
    """The last lines of the wiki's log, the newest first: it is written from top to bottom."""
    view = shelf.now()
    log = view.layout.log
    if view.snapshot.blob(log) is None:
        return "there is no log yet"
    lines = [line for line in split(shelf.text(log).text) if line.strip() and not _HEADING.match(line)]
    shown = lines[::-1][: asked.limit]
    if not shown:
        return "the log is empty"
    return f"{len(shown)} of {len(lines)} lines of the log, newest first. Data:\n{fenced(chr(10).join(shown), log=log)}"


def history(shelf: Shelf, asked: History) -> str:
    """The commits that brought in a version of the file, newest first: day, commit, run, subject."""
    path = shelf.path(asked.path)
    staged = shelf.staged(path)
    found = list(islice(shelf.now().history(path), asked.limit + 1))
    if not found and shelf.now().snapshot.blob(path) is None:
        raise ToolError(f"there is no file {path}, and there was none")
    rows = "\n".join(_row(version) for version in found[: asked.limit])
    now = f"; {staged} in the change that is not landed yet" if staged else ""
    if not rows:
        return f"the file has no earlier version{now}"
    more = f"the last {asked.limit} versions" if len(found) > asked.limit else f"{len(found)} versions"
    return f"{more}, newest first{now}. Data:\n{fenced(rows, path=path)}"


def _row(version: PathVersion) -> str:
    message = version.message()
    run = _RUN.search(message)
    by = f"run {run[1]}" if run else "no run"
    return f"{version.date}\t{version.commit[:10]}\t{by}\t{message.split(chr(10), 1)[0]}"
