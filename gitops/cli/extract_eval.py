"""`git assay extract eval`: score what was extracted by gold, and hold it to the bars."""

from __future__ import annotations

import argparse
import os
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING

from gitops.cli import one_line, retrieval_files, surroundings, unwinding
from gitops.cli.arguments import Commands

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from gitops.cli.extract_costs import Cost
    from gitops.cli.extract_ground import Kept
    from gitops.cli.extract_subject import Extracted, Plan
    from gitops.runs.measurements import Measurement
    from gitops.runs.transcripts import Transcript
    from gitops.usage import Usage

_EXIT = {"passed": 0, "failed": 1, "not_measured": 3}


def declare(inner: Commands) -> None:
    """Add the command."""
    made = inner.add("eval", "score what was extracted by gold, and hold it to the bars", run)
    gold = "the gold: a folder with a folder for each case (default: gold/extraction of the commit measured)"
    made.add_argument("--gold", metavar="DIR", help=gold)
    emitted = "what was extracted, by anyone: a folder for each case (default: [extraction] emitted, else extract now)"
    made.add_argument("--emitted", metavar="DIR", help=emitted)
    live = "ask models: [extraction] preset extracts, unless --emitted, and [extraction] judge judges; needs a key"
    made.add_argument("--live", action="store_true", help=live)
    made.add_argument("--yes", action="store_true", help="with --live: do not ask before anything is spent")
    made.add_argument(
        "--preset", metavar="NAME", help="who extracts (default: offline; with --live [extraction] preset)"
    )
    made.add_argument("--rev", metavar="REV", help="the commit that is measured (default: HEAD)")
    tried = "this case alone, to try it; may be given again; no measurement is kept"
    made.add_argument("--case", action="append", default=[], metavar="ID", help=tried)
    made.add_argument("--fresh", action="store_true", help="ask the judge anew what it has answered before")
    made.add_argument("--no-keep", action="store_true", help="keep neither measurement nor files")
    made.add_argument("--report", metavar="FILE.md", help="write the report as Markdown")
    made.add_argument("--html", metavar="FILE", help="write it as one page that holds everything, for a browser")
    made.add_argument("--dry-run", action="store_true", help="say what would be scored, asked and paid; do none of it")
    made.add_argument("--json", action="store_true", help="print the measurement as JSON")


def run(arguments: argparse.Namespace) -> int:
    """0 where every bar is reached, 1 where one is not, 3 where one could not be held to anything."""
    from gitops.cli import extract_costs, extract_ground, extract_subject
    from gitops.extraction import measuring

    _refuse_what_does_not_fit(arguments)
    retrieval_files.refuse_to_write(arguments, (arguments.report, arguments.html), ())
    ground = extract_ground.ground(arguments)
    ground.refuse_to_write(arguments)
    plan = extract_subject.plan(arguments, ground)
    costs = extract_costs.costs(plan)
    if arguments.dry_run:
        return _rehearsed(arguments, plan, costs)
    extract_costs.agree(arguments, costs)
    with unwinding.unwinding(), plan.extracted(arguments) as extracted:  # what nobody is to keep goes with us
        done = _evaluated(arguments, plan, extracted)
    _done(arguments, done)
    return _EXIT[measuring.state(done.made)]


def _rehearsed(arguments: argparse.Namespace, plan: Plan, costs: Sequence[Cost]) -> int:
    from gitops.cli import extract_costs

    if arguments.json:
        surroundings.print_json(extract_costs.record(plan, costs))
    else:
        print("\n".join(map(one_line, extract_costs.told(plan, costs))))
    return 0


def _refuse_what_does_not_fit(arguments: argparse.Namespace) -> None:
    from gitops.errors import UsageError

    if arguments.emitted is not None and arguments.preset is not None:
        raise UsageError("--emitted is extracted already: no preset extracts it again", "leave --preset out")
    for name in ("yes", "fresh"):
        if getattr(arguments, name) and not arguments.live:
            raise UsageError(f"--{name} is for --live: nothing is asked without it", f"leave --{name} out")


@dataclass(frozen=True, slots=True)
class Evaluated:
    """What came of it: the measurement, all that models used and said, and where files lie, as a person finds them."""

    plan: Plan
    made: Measurement
    used: Usage
    transcripts: Sequence[Transcript]
    folder: Path | None

    @property
    def called(self) -> str:
        """The folder with the files and the report; '' where there is none."""
        return "" if self.folder is None else self.plan.ground.told(self.folder)


def _evaluated(arguments: argparse.Namespace, plan: Plan, extracted: Extracted) -> Evaluated:
    """Score and measure; nothing is recorded yet."""
    from gitops.cli.extract_subject import judge_of
    from gitops.extraction import measuring, scoring

    ground, kept = plan.ground, plan.ground.kept
    judge = judge_of(arguments, kept, plan.run_id, extracted.used) if kept is not None else plan.judge
    scored = scoring.scored(plan.cases, extracted.emitted.bundles, judge, extracted.emitted.stray)
    used = extracted.used + judge.used
    setting = measuring.Setting(
        suite=ground.gold.name,
        digest=ground.gold.digest,
        judge=judge,
        bars=ground.policy.bars,
        subject=extracted.subject,
        run_id=plan.run_id,
        commit=kept.commit if kept is not None else "",
        workspace=kept.workspace.name if kept is not None else "",
        started_at=plan.started_at,
        completed_at=plan.now,
        used=used.record() if used.calls else {},
    )
    made = measuring.measurement(scored, setting).named()
    said = [*extracted.said, *getattr(judge, "transcripts", ())]
    return Evaluated(plan, made, used, said, extracted.folder)


def _done(arguments: argparse.Namespace, done: Evaluated) -> None:
    """Write, keep and tell it. A record that is too large is refused once it is written and told."""
    from gitops.errors import CannotRun
    from gitops.extraction import measuring
    from gitops.runs import evalruns

    _write(arguments, done)
    kept, why_not = done.plan.ground.kept, _why_not(arguments, done.plan)
    if kept is not None and not why_not:
        try:
            measuring.refuse_too_large(kept.context, done.made)
        except CannotRun:
            _tell(arguments, done, "its record is too large")
            raise
        target = _target(arguments, kept)
        evalruns.record(kept.context, kept.workspace, done.made, target, done.used, done.transcripts)
    _tell(arguments, done, why_not)


def _why_not(arguments: argparse.Namespace, plan: Plan) -> str:
    """Why no measurement is kept; '' where one is."""
    if plan.ground.kept is None:
        return "there is no workspace here"
    return "a part of the cases was tried" if arguments.case else "--no-keep" if arguments.no_keep else ""


def _target(arguments: argparse.Namespace, kept: Kept) -> str:
    """The branch whose log gets a line: the one whose tip is measured, and none in a job on a pull request."""
    from gitops.errors import UsageError
    from gitops.git import refs
    from gitops.runs.evalruns import is_pull_request
    from gitops.runs.targets import default_target

    if arguments.rev is not None or is_pull_request(os.environ):
        return ""
    try:
        target = default_target(kept.context.repository)
    except UsageError:
        return ""  # a detached HEAD, as CI has it, or a run's branch: what has not landed is in no log
    return target if refs.read(kept.context.repository, target) == kept.commit else ""


def _write(arguments: argparse.Namespace, done: Evaluated) -> None:
    """The report, into the run's folder and into the files that are named."""
    from gitops.canonical import dumps
    from gitops.extraction import artifacts
    from gitops.report import benchmark_md, benchmark_page
    from gitops.report.extraction_values import of_measurement

    if done.folder is None and arguments.report is None and arguments.html is None:
        return
    told = of_measurement(done.made)
    markdown, page = benchmark_md.markdown(told), benchmark_page.page(told)
    if done.folder is not None:
        files = {"report.json": f"{dumps(done.made.record())}\n", "report.md": markdown, "report.html": page}
        artifacts.write(done.folder, files)
    for name, text in ((arguments.report, markdown), (arguments.html, page)):
        if name is not None:
            retrieval_files.write_lines(arguments, name, text.rstrip("\n").split("\n"))
            if not arguments.quiet:
                print(f"wrote {one_line(name)}", file=sys.stderr)


def _tell(arguments: argparse.Namespace, done: Evaluated, why_not: str) -> None:
    if arguments.json:
        surroundings.print_json(done.made.record())
        if done.called and not arguments.quiet:
            print(f"files and report: {one_line(done.called)}", file=sys.stderr)
        return
    from gitops.report import extraction
    from gitops.report.text import show

    show(extraction.words(done.made), extraction.where(done.made, done.called, why_not))
