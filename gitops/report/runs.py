"""Runs and verdicts in words."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from rich.console import Console, ConsoleOptions, Group, RenderableType, RenderResult
from rich.text import Text

from gitops.report import text
from gitops.report.visible import inline
from gitops.runs.records import Run
from gitops.verify.statement import PASSES
from gitops.verify.verdict import Verdict, shown

_RESULTS = {
    "landed": ("landed", "bold green"),
    "would_land": ("would land", "green"),
    "rejected": ("rejected", "bold red"),
    "revise": ("revise", "yellow"),
    "not_landed": ("verified, not landed", "yellow"),
    "draft": ("draft", "cyan"),
}
_REHEARSED = ("would_land", "draft")
_STATUS = {"committed": "green", "rejected": "red", "abandoned": "dim", "pending": "yellow", "verifying": "cyan"}
_WIDE = 160
"""From this width on, verdicts and their reasons fit into the rows of one table."""


def outcome(result: str, run: Run, verdict: Verdict | None, commit: str, signer: str | None = None) -> RenderableType:
    """What came of finishing a run: one line, the findings, and what to do next.

    `signer` is whose signature of the verdict holds; None where that was not looked at.
    """
    word, style = _RESULTS[result]
    target = run.record.target.removeprefix("refs/heads/")
    where = f" on {target} as {commit[:10]}" if result == "landed" else ""
    parts: list[RenderableType] = [Text.assemble((word, style), f"  run {run.id}{where}")]
    if verdict is not None:
        parts.append(text.indented(Text(inline(verdict.reasoning), style="dim"), 2))
        parts.append(text.indented(Text(counts(verdict), style="dim"), 2))
        wrong = shown(verdict)
        if wrong:
            parts += [Text(), text.findings(wrong)]
        if signer is not None and result not in _REHEARSED:
            parts.append(text.indented(Text(text.worth_of(verdict.verdict, signer), style="dim"), 2))
    if (after := _next(result, run)) is not None:
        parts += [Text(), after]
    return Group(*parts)


def _next(result: str, run: Run) -> Text | None:
    if result == "rejected":
        told = "the target is untouched, the write is kept; to mend it in a new run:\n"
        told += f"  git assay run start --from {run.id}"
    elif result == "revise":
        told = f"the run is pending: mend it with git assay run write {run.id} …, and finish it again"
    elif result == "draft":
        told = f"nothing was judged: git assay run diff {run.id} shows it, git assay run finish {run.id} lands it"
    else:
        return None
    return Text(told, style="dim")


def listing(
    runs: Iterable[Run], landed: Sequence[Verdict] = (), signers: Mapping[str, str] = MappingProxyType({})
) -> RenderableType:
    """One line for each run; below them, for a person, what the verdicts are worth that some of them landed by."""
    rows = [
        (
            Text(run.id),
            Text(run.status, style=_STATUS[run.status]),
            Text(_decision(run)),
            Text(run.record.run_type),
            Text(inline(" ".join(run.record.sources) or run.record.reason or "-")),
        )
        for run in runs
    ]
    table = text.table(("run", "status", "verdict", "type", "of"), rows, whole=("run",))
    return Group(table, _ForAPerson(Text(worth_of_all(landed, signers), style="dim"))) if landed else table


@dataclass(frozen=True, slots=True)
class _ForAPerson:
    """Shown on a terminal alone: in a pipe a run is a line, and nothing else is one."""

    told: Text

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        if console.is_terminal:
            yield self.told


def _decision(run: Run) -> str:
    marks = [run.state.verdict or "-"]
    if run.state.unverified:
        marks.append("(unverified)")
    if run.state.draft_only:
        marks.append("(draft)")
    return " ".join(marks)


def detail(run: Run, verdict: Verdict | None, signer: str = "") -> RenderableType:
    """A run with its transitions, its plan and its verdict; `signer` is whose signature of it holds."""
    parts: list[RenderableType] = [
        text.hanging(Text(name, style="dim"), Text(inline(value)), 11) for name, value in _head(run) if value
    ]
    parts += [Text(), Text("transitions", style="bold")]
    parts += [_transition(state.at, state.status, state.reason) for state in run.states]
    if run.plan is not None:
        parts += [Text(), Text("plan", style="bold")]
        steps = [(Text(f"  {s.op}"), Text((s.sha256 or "-")[:12]), Text(inline(s.path))) for s in run.plan.operations]
        parts.append(text.table(("", "", ""), steps, show_header=False))
    if verdict is not None:
        parts += [Text(), Text("verdict", style="bold"), text.verdict_line("  " + verdict.verdict, verdict.reasoning)]
        by = f"by {verdict.verifier}, judge {verdict.judge}, {verdict.created_at}; {counts(verdict)}"
        parts.append(text.indented(Text(inline(by), style="dim"), 2))
        if wrong := shown(verdict):
            parts += [Text(), text.findings(wrong)]
        parts.append(Text(text.worth_of(verdict.verdict, signer), style="dim"))
    return Group(*parts)


def _head(run: Run) -> list[tuple[str, str]]:
    record = run.record
    return [
        ("run", run.id),
        ("status", run.status),
        ("type", record.run_type),
        ("workspace", record.workspace),
        ("of", " ".join(record.sources)),
        ("reason", record.reason),
        ("target", record.target.removeprefix("refs/heads/")),
        ("base", (run.state.base or record.base)[:10]),
        ("head", run.state.head[:10]),
        ("candidate", run.state.candidate[:10]),
        ("spent", "; ".join(_spent(role, totals) for role, totals in run.state.spent.items())),
        ("begun", f"{record.started_at} by {record.author.name} ({record.triggered_by})"),
    ]


def _spent(role: str, totals: Mapping[str, float]) -> str:
    read = sum(totals.get(name, 0) for name in ("input", "cache_read", "cache_write"))
    return f"{role} {read:,.0f} tokens in, {totals.get('output', 0):,.0f} out, ${totals.get('usd', 0):.4f}"


def _transition(at: str, status: str, reason: str) -> RenderableType:
    head = Text.assemble(f"  {at}  ", (f"{status:<10}", _STATUS[status]))
    return text.hanging(head, Text(inline(reason)), 34)


def counts(verdict: Verdict) -> str:
    """`judged n of m`, and how many claims were not verified at all."""
    judged, unjudged, unverified = verdict.counts.judged, verdict.counts.unjudged, verdict.counts.unverified
    told = f"judged {judged} of {judged + unjudged + unverified} claims"
    return told + (f", {unverified} not verified" if unverified else "")


def verdict_table(verdicts: Sequence[Verdict], signers: Mapping[str, str] = MappingProxyType({})) -> RenderableType:
    """Verdicts in the order given, with the reminder of what unsigned ones are worth; `signers` are by verdict id."""
    return Group(_Verdicts(tuple(verdicts)), Text(worth_of_all(verdicts, signers), style="dim"))


def worth_of_all(verdicts: Sequence[Verdict], signers: Mapping[str, str]) -> str:
    """What the verdicts of a table are worth: how many of those that let something land are signed."""
    yes = [each.id in signers for each in verdicts if each.verdict in PASSES]
    return text.worth(sum(yes), len(yes)) if yes or not verdicts else text.NO_UNSIGNED


@dataclass(frozen=True, slots=True)
class _Verdicts:
    """One row for each verdict where there is room (a pipe has it); else its reason below it, indented."""

    verdicts: tuple[Verdict, ...]

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        rows = [(*_row(each), Text(inline(each.reasoning))) for each in self.verdicts]
        if options.max_width >= _WIDE:
            yield text.table(("when", "verdict", "run", "candidate", "judged", "why"), rows)
            return
        for when, decision, run, candidate, judged, why in rows:
            yield Text.assemble(when, "  ", decision, "  ", run, "  ", candidate)
            yield text.indented(Text(f"{judged.plain}; {why.plain}", style="dim"), 2)


def _row(verdict: Verdict) -> tuple[Text, Text, Text, Text, Text]:
    return (
        Text(verdict.created_at),
        Text(verdict.verdict, style=text.VERDICT_STYLES[verdict.verdict]),
        Text(inline(verdict.run_id) or "-"),
        Text(verdict.candidate[:10]),
        Text(counts(verdict)),
    )
