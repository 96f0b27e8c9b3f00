"""What a server does once the branch that runs land on has moved, by whatever hand.

Runs whose change a squash or rebase button brought in are told as landed, those whose landing was cut short behind the
commit point are taken up, and the digest of the new tree is made while nobody waits for it.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path

from gitops.errors import Absent, AssayError
from gitops.git import history, objects, refs
from gitops.git.locks import held
from gitops.runs import examining, names, owning, proof, settling, store, treedigest
from gitops.runs.context import Context
from gitops.runs.owning import owned
from gitops.runs.records import FINAL, Run
from gitops.runs.targets import default_target
from gitops.verify.verdict import Verdict

_LOCK, _WAITS_S = "ARRIVED", 600.0
_SEEN = "arrived"


class Arrived:
    """The moves of the target that nobody has looked at yet; where it was looked at last stands in a file."""

    def __init__(self, make: Callable[[], Context], say: Callable[[str], None]) -> None:
        self._make, self._say = make, say
        context = make()
        self._repository, self._seen = context.repository, context.folder / _SEEN
        self._target = default_target(context.repository)

    def is_due(self) -> bool:
        """Has the target moved since?"""
        return refs.read(self._repository, self._target) not in (None, self._last())

    def do(self) -> None:
        """Look at what came, if something did. What cannot be done is said, and not tried over and over."""
        if not self.is_due():
            return
        with held(self._repository.common_dir, _LOCK, wait=_WAITS_S):
            tip, last = refs.read(self._repository, self._target), self._last()
            if tip is None or tip == last:
                return
            try:
                for told in looked_at(self._make(), self._target, last, tip):
                    self._say(told)
            except (AssayError, Absent) as error:
                self._say(f"{self._target} at {tip[:10]}: {error}")
            except Exception as error:  # a fault of ours holds up no run
                import traceback

                self._say(f"{self._target} at {tip[:10]}: this should not happen: {type(error).__name__}: {error}")
                for line in traceback.format_exc().splitlines():
                    self._say(line)
            finally:
                _write(self._seen, tip)

    def _last(self) -> str:
        return self._seen.read_text() if self._seen.is_file() else ""


def begin(context: Context) -> None:
    """Take the target as it stands for known, where nothing is: what comes from now on is looked at."""
    seen, tip = context.folder / _SEEN, refs.read(context.repository, default_target(context.repository))
    if tip is not None and not seen.exists():
        seen.parent.mkdir(exist_ok=True)
        _write(seen, tip)


def _write(seen: Path, tip: str) -> None:
    beside = seen.with_name(f"{_SEEN}.{os.getpid()}")
    beside.write_text(tip)
    os.replace(beside, seen)


def looked_at(context: Context, target: str, old: str, new: str) -> Iterator[str]:
    """Settle the runs that moves of the target from `old` to `new` landed; lines that say what each step
    stands by. Where `old` is not known, nothing is looked for: what was there before the server was is history.
    """
    known = objects.exists(context.repository, old) if old else False
    for commit in _came(context, old, new) if known else ():
        found = _lands(context, target, commit)
        yield _told(context, commit, found)
        if found is not None:
            yield from _settled(context, target, commit, found)
    treedigest.tree_sha256(context, context.tree(new).tree_id, context.tree(old).tree_id if known else None)


def _told(context: Context, commit: str, found: Verdict | None) -> str:
    there = context.commit(commit)
    subject = there.message.partition("\n")[0]
    by = f"run {found.run_id}" if found is not None else "no run: judged when it was pushed"
    return f"{commit[:10]} by {there.author.name} <{there.author.email}>, {by}: {subject}"


def _came(context: Context, old: str, new: str) -> list[str]:
    """The new commits along first parents, oldest first."""
    since = set(history.between(context.repository, old, new))
    line: list[str] = []
    for commit in history.first_parent(context.repository, new):
        if commit not in since:
            break
        line.insert(0, commit)
    return line


def _lands(context: Context, target: str, commit: str) -> Verdict | None:
    """The verdict that a commit stands by: its own, or that of the candidate whose step it repeats."""
    own = store.standing(store.verdicts_on(context, commit), commit)
    return own if own is not None and own.verdict in proof.LETS else examining.covering(context, commit, target)


def _settled(context: Context, target: str, commit: str, verdict: Verdict) -> Iterator[str]:
    if not names.is_id(verdict.run_id):
        return
    with owned(context, verdict.run_id, wait=owning.WRITER_WAITS_S):
        run = store.exact(context, verdict.run_id)
        if run is None or run.status in FINAL or run.record.target != target:
            return
        if commit == verdict.candidate:
            yield from _taken_up(context, run, commit)
        else:
            settling.covered(context, run, commit, verdict)
            yield f"run {run.id} landed as {commit[:10]}, a commit made elsewhere that its verdict covers"


def _taken_up(context: Context, run: Run, commit: str) -> Iterator[str]:
    if (counting := proof.let_through(context, run, commit)) is not None:
        settling.take_up(context, run, commit, counting)
        yield f"run {run.id} landed as {commit[:10]}; its record now says so"
