"""What an ablation is to run: its variants, its suites, how often, as the arguments say."""

from __future__ import annotations

import argparse
from dataclasses import dataclass
from typing import TYPE_CHECKING

from gitops.cli import surroundings

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gitops.runs.context import Context
    from gitops.runs.workspace import Workspace
    from gitops.suites.configured import Configured
    from gitops.suites.flow import Wanted
    from gitops.suites.loading import Loaded


@dataclass(frozen=True, slots=True)
class Planned:
    """The workspace of the control, the variants, the control first, the suites, and how they are run."""

    workspace: Workspace
    variants: Sequence[Configured]
    suites: Sequence[Loaded]
    wanted: Wanted

    @property
    def margin(self) -> float:
        """How much worse a treatment may come out and still do no harm."""
        return self.workspace.config.benchmarks.margin


def planned(arguments: argparse.Namespace, context: Context) -> Planned:
    """Read all there is to read. UsageError for what is no variant or no suite, CannotRun where nothing is to run."""
    from gitops.suites import concerned
    from gitops.suites.configured import configured
    from gitops.suites.evidence import REPEATS
    from gitops.suites.flow import Wanted

    variants = configured(context, surroundings.folder(arguments), arguments.configs)
    control = variants[0]
    workspace = surroundings.workspace(arguments, context, control.commit)
    if arguments.suite:
        suites = concerned.named(context, workspace, control, arguments.suite)
    elif arguments.all:
        suites = concerned.every(context, workspace, control)
    elif arguments.affected_by is not None:
        suites = concerned.of_key(context, workspace, control, arguments.affected_by)
    else:
        suites = concerned.of_difference(context, workspace, variants)
    for each in suites:
        each.demand_target()
    wanted = Wanted(repeats=arguments.runs or REPEATS, jobs=arguments.jobs or 0, seed=arguments.seed)
    return Planned(workspace, variants, suites, wanted)


def rehearsed(planned: Planned) -> int:
    """Say what would be run."""
    from gitops.report.benchmark_values import counted
    from gitops.report.visible import inline

    cases = sum(len(one.suite.cases) for one in planned.suites)
    names = " → ".join(inline(one.name) for one in planned.variants)
    asked = cases * len(planned.variants) * planned.wanted.repeats
    print(f"{names}: {', '.join(one.suite.suite_id for one in planned.suites)}")
    much = (counted(cases, "case"), f"{len(planned.variants)} variants", counted(planned.wanted.repeats, "repeat"))
    print(f"{' × '.join(much)}: {asked:,} trials")
    for line in too_few(planned):
        print(line)
    return 0


def too_few(planned: Planned) -> list[str]:
    """The suites of which so many repeats cannot show that there is no harm, however well they come out."""
    from gitops.report.benchmark_values import counted
    from gitops.stats.harmless import least_repeats

    told = []
    for one in planned.suites:
        least = least_repeats(len(one.suite.cases), planned.margin)
        if least is not None and least > planned.wanted.repeats:
            few = f"{counted(planned.wanted.repeats, 'repeat')} of {counted(len(one.suite.cases), 'case')}"
            told.append(f"{one.suite.suite_id}: {few} cannot show that there is no harm, {least} may (--runs {least})")
    return told
