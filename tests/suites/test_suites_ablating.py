"""Variants that are run side by side: what is recorded of each, and what they come to."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pytest

from gitops.errors import CannotRun
from gitops.git.repository import open_repository
from gitops.runs.context import Context
from gitops.runs.workspace import find
from gitops.suites import loading
from gitops.suites.ablating import Ablating
from gitops.suites.configured import Configured
from gitops.suites.executing import Trial
from gitops.suites.flow import Wanted
from gitops.suites.model import BenchmarkRun
from tests.suites import ablation_wiki

MakeRepository = Callable[..., Path]
CommitFiles = Callable[..., str]


def ablated(
    repository: Path, variants: Sequence[Configured], wanted: Wanted, seen: list[Trial] | None = None
) -> list[BenchmarkRun]:
    context = Context(open_repository(repository))
    control = variants[0].commit
    workspace = find(context.repository, control)
    suites = loading.suites_at(context, workspace, control)

    def watch(trials: Sequence[Trial]) -> Iterator[Trial]:
        if seen is not None:
            seen.extend(trials)
        return iter(trials)

    return Ablating(context, workspace, variants, wanted, watch=watch).runs(suites)


def test_each_variant_is_measured_in_its_own_tree(make_repository: MakeRepository, commit_files: CommitFiles) -> None:
    repository = make_repository(ablation_wiki.files(4))
    base = commit_files(repository, {"wiki/a.md": "# A\n"})
    head = commit_files(repository, {"prompts/answer.md": ablation_wiki.prompt(3)})
    seen: list[Trial] = []
    variants = [Configured("base", base), Configured("head", head), Configured("odd", base, {"wrong_repeats": [1]})]
    runs = ablated(repository, variants, Wanted(repeats=2, jobs=2), seen)
    assert [(run.variant, run.repeat, run.commit) for run in runs] == [
        ("base", 0, base), ("base", 1, base), ("head", 0, head), ("head", 1, head), ("odd", 0, base), ("odd", 1, base),
    ]  # fmt: skip
    rates = [run.summary.pass_rate for run in runs if run.summary]
    assert rates == [1, 1, 0.75, 0.75, 1, 0]
    assert {run.run_id for run in runs} == {runs[0].run_id}
    assert [trial.variant for trial in seen[:3]] != [trial.variant for trial in seen[3:6]]  # places rotate
    arms = [run.config_snapshot["ablation"] for run in runs[::2]]
    assert [arm["place"] for arm in arms] == [0, 1, 2]
    states = [arm["calibrated"] for arm in arms]
    assert sorted(states[0]) == ["llm.presets.claude", "prompts/answer.md"]
    assert states[0] == states[2] != states[1]
    assert [arm["overrides"] for arm in arms] == [{}, {}, {"wrong_repeats": [1]}]


def test_files_of_cases_are_the_same_for_all_or_nothing_is_run(
    make_repository: MakeRepository, commit_files: CommitFiles
) -> None:
    files = ablation_wiki.files(2, files="given")
    repository = make_repository({**files, "gold/suites/words/given/a.txt": "a\n"})
    base = commit_files(repository, {"wiki/a.md": "# A\n"})
    other = commit_files(repository, {"gold/suites/words/given/a.txt": "b\n"})
    gone = commit_files(repository, {"gold/suites/words/given/a.txt": None})
    for commit, told in ((other, "find another a.txt at head than at the control"), (gone, "at head: .*no folder")):
        with pytest.raises(CannotRun, match=told):
            ablated(repository, [Configured("base", base), Configured("head", commit)], Wanted(repeats=1))
