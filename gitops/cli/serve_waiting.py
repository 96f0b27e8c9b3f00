"""What a push to a server shows: where its runs' answers will be, or, asked to wait, the workers' logs as they grow."""

from __future__ import annotations

import sys
import time
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path

from gitops.runs import pushed, workers, worklog

_NAMED = 20
"""So many runs of one push are told of by name; of more, how many ended how."""
_LOOKS_EVERY_S = 0.1
_STARTS_AGAIN_S = 5.0
"""After how long without anybody at work another worker is started, once."""


def tell_where(run_ids: Sequence[str]) -> None:
    """Say where the answers will be."""
    for run_id in run_ids[:_NAMED]:
        _say(f"run {run_id} is being verified; git assay sync, then git assay run show {run_id}, has the answer")
    if (more := len(run_ids) - _NAMED) > 0:
        _say(f"and {more:,} runs more; git assay run list has them all")
    _say("git push -o assay.wait waits for it")


class Waiting:
    """Runs of one push whose answers it waits for; made before they are noted down, so that no line is missed."""

    def __init__(self, folder: Path, run_ids: list[str]) -> None:
        self._folder, self._open = folder, run_ids
        self._logs = {run_id: worklog.Follower(worklog.path_of(folder, run_id)) for run_id in run_ids}
        self._last: dict[str, str] = {}

    def stream(self, patience: int, start: Callable[[], object]) -> None:
        """Print what is logged of the runs until each has its answer, or until patience ends; then how they stand."""
        began = idle = time.monotonic()
        started_again = False
        waiting = list(self._open)
        while waiting and time.monotonic() - began < patience:
            # In this order: what is logged of an answer is there before the run is struck off.
            still = [run_id for run_id in waiting if pushed.head_of(self._folder, run_id)]
            self._show()
            if any(workers.is_at_work(self._folder, run_id) for run_id in still) or len(still) < len(waiting):
                idle = time.monotonic()
            elif time.monotonic() - idle > _STARTS_AGAIN_S and not started_again:
                started_again = True
                start()
            waiting = still
            if waiting:
                time.sleep(_LOOKS_EVERY_S)
        self._conclude(waiting, patience)

    def _show(self) -> None:
        for run_id, log in self._logs.items():
            for line in log.lines():
                if line.strip():
                    self._last[run_id] = line
                    _say(line)

    def _conclude(self, waiting: list[str], patience: int) -> None:
        """The last line says how it ended: what post-receive exits with, git does not tell who pushed."""
        for run_id in waiting:
            _say(f"run {run_id}: not answered within {patience} s; it goes on without this push")
        ended = {run_id: self._outcome(run_id, run_id in waiting) for run_id in self._open}
        told = [f"run/{run_id} {said}" for run_id, said in ended.items()]
        if len(told) > _NAMED:
            alike = Counter(said.partition(" on ")[0].partition(":")[0] for said in ended.values())
            told = [f"{count:,} {said}" for said, count in alike.most_common()]
        _say(f"outcome: {', '.join(told)}")

    def _outcome(self, run_id: str, waits: bool) -> str:
        said = self._last.get(run_id, "").partition(f"run {run_id}: ")[2]
        return "waits" if waits or not said else said


def _say(line: str) -> None:
    """Print a line to who pushed: nothing in it steers their terminal."""
    shown = worklog.plain(line)
    print(shown if shown.startswith(" ") else f"assay: {shown}", file=sys.stderr, flush=True)
