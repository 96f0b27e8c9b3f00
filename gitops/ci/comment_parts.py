"""What is told about a change, part by part, as blocks of Markdown: the comment is made of them, and the summary."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from typing import Literal

from gitops.ci import extraction_parts, metric_rows, suite_parts
from gitops.ci.comment_context import NAME, SEPARATOR, counted, place
from gitops.ci.fitting import Block
from gitops.ci.metric_rows import is_shown
from gitops.ci.result import Line, Result
from gitops.ci.taming import code, item, pasted, said

Standing = Literal["failed", "neutral", "accepted", "passed", "resolved"]
"""How a change stands: its outcome, but that a pass by somebody's leave is no plain pass."""
HEADLINES: dict[Standing, str] = {
    "failed": "Failed.",
    "neutral": "Neutral, which is not green.",
    "accepted": "Passed, with a regression that somebody accepted.",
    "passed": "Passed.",
    "resolved": "Resolved: nothing is left of what was reported here.",
}
FIRST_RUN = "First run: no baseline, nothing gated."
_COPIED = re.compile(r'^git |"(?: @\d+)?$')
_LONG = 400


def standing(result: Result, resolved: bool = False) -> Standing:
    """How the change stands. Nothing is resolved but what passed."""
    if result.outcome != "passed":
        return result.outcome
    if result.accepted is not None:
        return "accepted"
    return "resolved" if resolved else "passed"


def is_plain(result: Result) -> bool:
    """Whether a change has nothing that somebody should look at: not even a comment."""
    told = (result.findings, result.more_findings, result.policy_changed, result.overrides, result.intakes)
    moved = any(row.verdict in ("regressed", "improved") for row in result.metrics)
    is_still = result.accepted is None and not moved and not any(told)
    is_still = is_still and suite_parts.is_plain(result) and extraction_parts.is_plain(result)
    return is_still and (result.outcome == "passed" or not result.is_touched)


def sentence(result: Result, resolved: bool = False) -> str:
    """The verdict and its cause."""
    return f"**{HEADLINES[standing(result, resolved)]}** {said(result.cause)}".rstrip()


def metrics(result: Result, spared: int) -> list[Block]:
    """The metrics that changed or gate, or why there are none."""
    first = _first_run(result)
    if any(map(is_shown, result.metrics)):
        return [Block(first), *metric_rows.gating(result.metrics, spared)]
    none = "No metric changed, and none gates." if result.metrics else "No metric was measured."
    return [Block(first or none)]


def findings(result: Result, most: int, spared: int) -> Block:
    """What the change brings in, by file and line, each with its mend; at most so many."""
    total = len(result.findings) + result.more_findings
    if not total:
        return Block("No new findings.")
    told = Counter(result.findings)  # two claims may rest on one quotation, and both are mended by mending that
    shown = list(told)[:most]
    lines = tuple(_finding(line, told[line]) for line in shown)
    counts = tuple(told[line] for line in shown)
    return Block(_headed(result, total), lines, counts=counts, more=total - sum(counts), spared=spared)


def openly(result: Result, most: int, spared: int) -> Block:
    """What people let pass or changed by hand, so that nobody misses it."""
    lines = [*_accepted(result), *(f"- **Override**: {said(each)}" for each in result.overrides[:most])]
    if len(result.overrides) > most:
        lines.append(f"- and {len(result.overrides) - most:,} more overrides")
    lines += _paths("Policy changed", "the base's rules were applied, not those of", result.policy_changed, most)
    lines += _paths("Intake", "sources added by commits of their own:", result.intakes, most)
    return Block("**By hand in this change**" if lines else "", tuple(lines), spared=spared)


def remarks(result: Result, most: int, spared: int) -> Block:
    """What to do where the check itself had no answer, and what was not looked at."""
    lines = tuple(map(item, result.remarks[:most]))
    return Block("**Remarks**" if lines else "", lines, more=len(result.remarks) - len(lines), spared=spared)


def reasoning(result: Result) -> Block:
    """The verifier's verdict and its reasons, where they are not the cause themselves."""
    if result.reasoning.rstrip(".") in result.cause and (result.reasoning or result.decision == "none"):
        return Block()
    return Block(f"**The verifier says {result.decision}**: {said(result.reasoning, 600) or 'no reason given'}")


def every_metric(result: Result, most: int, spared: int) -> list[Block]:
    """All metrics with their trends."""
    rows = result.metrics
    return [Block("**All metrics**"), *metric_rows.every(rows, most, spared)] if rows else []


def reproduce(result: Result) -> Block:
    """How the same is done here: to copy, if it is a command of ours."""
    if command := pasted(result.reproduce):
        runs = "\n\nIt runs the change's own code, in a sandbox; with `--no-benchmarks` it runs none."
        return Block(f"**The same here**\n\n```sh\n{command}\n```{runs if result.benchmarks else ''}")
    if not result.reproduce.strip():
        return Block()
    told = code(result.reproduce, 300)
    return Block(f"**The same here**: {told} is no plain `git assay ci` command: read it before you run it.")


def footer(result: Result, link: str) -> Block:
    """Which commit this is about, from when, and where the rest stands."""
    moment = f"{result.created_at[:10]} {result.created_at[11:16]} UTC"
    about = (f"git-assay {said(result.version, 40)}", said(result.workspace, NAME), code(result.head), moment, link)
    return Block(f"<sub>{SEPARATOR.join(part for part in about if part)}</sub>")


def _first_run(result: Result) -> str:
    """That there is no baseline for what was measured; that nothing was gated only where nothing was."""
    if result.baseline.source != "none" or not result.metrics:
        return ""
    if any(row.gated for row in result.metrics):
        return "First run: no baseline, nothing compared."
    return FIRST_RUN if result.outcome != "failed" else "First run: no baseline, no metric gated."


def _headed(result: Result, total: int) -> str:
    """How many there are of each level, which the verdict's cause counts too; of all, where a result has not all."""
    levels = Counter(line.level for line in result.findings)
    if result.more_findings or not levels:
        return f"**{counted(total)} new finding{'' if total == 1 else 's'}**"
    of_each = [f"{count:,} {level}{'' if count == 1 else 's'}" for level, count in levels.items()]
    if len(of_each) == 1:
        return f"**{total:,} new {of_each[0].split()[1]}**"
    return f"**{total:,} new findings**: {', '.join(of_each)}"


def _finding(line: Line, times: int) -> str:
    name = line.check if line.check == line.result else f"{line.check} {line.result}"
    level = line.level if times == 1 else f"{times:,} {line.level}s"
    told = " ".join(
        part for part in (f"**{level}**", place(line.path, line.line), f"<em>{said(name, NAME)}</em>:") if part
    )
    return f"- {told} {said(line.message)}{_mend(line.mend)}"


def _mend(mend: str) -> str:
    """How to mend it: as code, where that is a command or a citation to be copied."""
    if not mend.strip():
        return ""
    return f"<br>mend: {code(mend, _LONG) if _COPIED.search(mend) else said(mend, _LONG)}"


def _accepted(result: Result) -> list[str]:
    if (accepted := result.accepted) is None:
        return []
    label = f" (label {code(accepted.label, NAME)})" if accepted.label.strip() else ""
    reason = said(accepted.reason) or "no reason given"
    return [f"- **Regression accepted** by {said(accepted.by, NAME)}{label}: {reason}"]


def _paths(title: str, told: str, paths: Sequence[str], most: int) -> list[str]:
    if not paths:
        return []
    more = f" and {len(paths) - most:,} more" if len(paths) > most else ""
    return [f"- **{title}**: {told} {', '.join(map(code, paths[:most]))}{more}"]
