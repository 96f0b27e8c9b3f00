"""`git assay demo`: a workspace in a temporary folder, one run that lands and six that don't. Offline.

Everything it shows happened: real branches, real verdicts, real notes; nothing is staged for show.
"""

from __future__ import annotations

import os
import shlex
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from gitops import hooks
from gitops.demo_workspace import SOURCES, Write, packed, poisons, sound
from gitops.errors import CannotRun, Refused, UsageError
from gitops.git.process import git
from gitops.git.repository import open_repository
from gitops.runs import beginning, intake, landing, names, staging
from gitops.runs.context import Context, system_clock
from gitops.runs.workspace import find
from gitops.verify.finding import Finding, Level
from gitops.verify.verdict import shown

if TYPE_CHECKING:
    from rich.console import RenderableType

MAIN = "refs/heads/main"
NAME, EMAIL = "git-assay demo", "demo@git-assay.invalid"
HISTORY = ("log", "--graph", "--first-parent", "--notes=assay/verdicts", "main", "--glob=refs/assay/kept")
WIDTH = 68
"""The longest line of a command: with its indentation it fits into 80 columns."""


@dataclass(frozen=True, slots=True)
class Scene:
    """A write and what came of it; `finding` refused it, and `commands` mend it."""

    what: str
    outcome: landing.Outcome
    as_expected: bool
    finding: Finding | None = None
    commands: tuple[str, ...] = ()
    remark: str = ""


def show_demo(folder: str | None, clock: Callable[[], datetime] = system_clock) -> int:
    """Make the workspace, play the writes, and say where everything lies; Refused where one went otherwise."""
    from gitops.report.text import show

    root = _folder(folder)
    anonymous = git(root, "var", "GIT_COMMITTER_IDENT", check=False).code != 0
    wrong: list[str] = []
    with undisturbed():
        context = begun(root, clock, anonymous)
        for parts in told(context, str(root), wrong):
            show(*parts)
    if wrong:
        raise Refused(f"it did not go as it must: {', '.join(wrong)}", f"git -C {shlex.quote(str(root))} assay log")
    return 0


def told(context: Context, place: str, wrong: list[str]) -> Iterator[list[RenderableType]]:
    """The demonstration in words, scene by scene as it is played; what went otherwise is added to `wrong`."""
    from gitops.report import demo as words

    yield words.title(place)
    for scene in play(context):
        if not scene.as_expected:
            wrong.append(scene.what)
        if scene.finding is None:
            yield words.sound(scene.what, scene.outcome.result, scene.outcome.run, scene.outcome.verdict)
        else:
            yield words.refused(scene.what, scene.finding, scene.commands, scene.remark)
    graph = git(context.repository, *HISTORY, "--format=%h %s%n%N").text
    kept = git(context.repository, "for-each-ref", "--format=%(refname)", names.KEPT).text.split()
    yield words.history(" ".join(("git", *HISTORY)), graph) + words.places(place, len(kept))


def begun(root: Path, clock: Callable[[], datetime], anonymous: bool) -> Context:
    """A new repository with a workspace and its sources; `anonymous` where git does not know its owner's name."""
    git(root, "init", "--quiet", "--initial-branch=main", ".")
    settings = {"commit.gpgsign": "false"} | ({"user.name": NAME, "user.email": EMAIL} if anonymous else {})
    for key, value in settings.items():  # so that the printed commands work for whoever types them
        git(root, "config", key, value)
    context = Context(open_repository(root), clock=clock, triggered_by="cli:demo")
    beginning.begin(context, MAIN, "", "demo")
    hooks.install(hooks.locate(root))
    intake.add(context, find(context.repository, MAIN), MAIN, {path: packed(path).encode() for path in SOURCES})
    return context


def play(context: Context) -> Iterator[Scene]:
    """The sound write, then the six."""
    outcome = _written(context, sound())
    yield Scene("a sound run", outcome, outcome.result == "landed")
    for poison in poisons():
        outcome = _written(context, poison)
        finding = next((one for one in _errors(outcome) if one.check == poison.refused_by), None)
        commands = mend(poison, finding) if finding is not None else ()
        as_expected = outcome.result == "rejected" and finding is not None
        yield Scene(poison.what, outcome, as_expected, finding, commands, poison.remark)


def _written(context: Context, write: Write) -> landing.Outcome:
    workspace = find(context.repository, MAIN)
    run = staging.start(context, workspace, MAIN, staging.Request("ingest", (write.source,), write.what, write.run_id))
    for path, content in {write.page: write.text, **write.besides}.items():
        staging.write(context, run, workspace, path, content.encode())
    if write.is_linked:
        staging.replace(context, run, workspace, "wiki/index.md", *write.link)
    return landing.finish(context, run.id)


def _errors(outcome: landing.Outcome) -> list[Finding]:
    found = shown(outcome.verdict) if outcome.verdict is not None else ()
    return [finding for finding in found if finding.new and finding.level is Level.ERROR]


def mend(write: Write, finding: Finding) -> tuple[str, ...]:
    """The lines that a person types: take the run up in a new one, change what the finding names, finish that."""
    match finding.check:
        case "quote_anchor":
            change = _replacing(finding.path, finding.evidence["written"], finding.evidence["source_says"])
        case "source_exists":
            change = _replacing(finding.path, finding.source, finding.repair.removeprefix("cite "))
        case "support":
            change = _replacing(finding.path, *write.claim)
        case "orphan":
            change = _replacing("wiki/index.md", *write.link)
        case _:
            change = ()
    return f"RUN=$(git assay run start --from {write.run_id})", *change, "git assay run finish $RUN"


def _replacing(path: str, old: str, new: str) -> tuple[str, ...]:
    command = f"git assay run replace $RUN {path}"
    was, becomes = f"--old {shlex.quote(old)}", f"--new {shlex.quote(new)}"
    if len(f"  {was} {becomes}") <= WIDTH:
        return f"{command} \\", f"  {was} {becomes}"
    return f"{command} \\", f"  {was} \\", f"  {becomes}"


def _folder(folder: str | None) -> Path:
    try:
        if folder is None:
            return Path(tempfile.mkdtemp(prefix="assay-demo-")).resolve()
        root = Path(folder).resolve()
        root.mkdir(parents=True, exist_ok=True)
        if any(root.iterdir()):
            raise UsageError(f"{root} is not empty", "name a folder that is new")
    except OSError as error:
        where = folder or "a temporary folder"
        hint = "git assay demo --keep DIR, where you may write"
        raise CannotRun(f"{where} cannot be made: {error.strerror}", hint) from error
    return root


@contextmanager
def undisturbed() -> Iterator[None]:
    """Run git as it comes, under a name of its own: no configuration, hooks, signing or GIT_* of the user's."""
    before = dict(os.environ)
    own = {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"}
    own |= {f"GIT_{role}_NAME": NAME for role in ("AUTHOR", "COMMITTER")}
    own |= {f"GIT_{role}_EMAIL": EMAIL for role in ("AUTHOR", "COMMITTER")}
    for name in [name for name in before if name.startswith("GIT_") and not name.startswith(("GIT_TRACE", "GIT_EXEC"))]:
        del os.environ[name]
    os.environ.update(own)
    try:
        yield
    finally:
        for name in own:
            os.environ.pop(name, None)
        os.environ.update({name: value for name, value in before.items() if name.startswith("GIT_")})
