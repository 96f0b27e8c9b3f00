"""What came of landing runs, in words: a line each for a log, and a table for the job's summary."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from gitops.ci.landed import Landed
from gitops.ci.taming import code, said
from gitops.report import markdown as md
from gitops.report.visible import inline
from gitops.verify.finding import Finding
from gitops.verify.verdict import called

_FINDINGS = 20
_WORDS = {
    "landed": "landed",
    "pull_request": "verified; a pull request waits",
    "rejected": "rejected",
    "revise": "to be revised",
    "not_landed": "verified, not landed",
    "no_verdict": "no verdict",
    "refused": "refused",
    "waiting": "waiting",
    "ended": "ended before",
}


def line(each: Landed) -> str:
    """One line on a run."""
    where = f" as {each.commit[:10]}" if each.result == "landed" else f" {each.address}" if each.address else ""
    told = f"run {each.run_id}: {_WORDS[each.result]}{where}"
    return _logged(f"{told}: {each.why}" if each.why else told)


def mend(each: Landed) -> str:
    """What to do about it; '' where nothing is."""
    return _logged(each.hint)


def found(finding: Finding) -> str:
    """One line on a finding."""
    place = f"{finding.path}:{finding.line}" if finding.line else finding.path
    told = f"  {finding.level} {called(finding)} {place}: {finding.message}"
    return _logged(f"{told}; mend: {finding.repair}" if finding.repair else told)


def _logged(text: str) -> str:
    """A line for a job's log: a command to the job's runner begins with `##[` wherever on a line, or with `::` at its
    beginning, where ours has a word of its own.
    """
    return inline(text).replace("##[", "## [")


def summary(done: Sequence[Landed]) -> str:
    """The job's summary, in Markdown that no name and no page can get out of."""
    if not done:
        return "## git-assay land\n\nNo run waits to be landed.\n"
    rows = [(code(each.run_id), _WORDS[each.result], _commit(each), said(_told(each), 400)) for each in done]
    parts = ["## git-assay land", md.table(("run", "came to", "as", "why"), rows).rstrip()]
    for each in done:
        if each.findings:
            parts.append(f"### {code(each.run_id)}")
            parts.append("\n".join(_findings(each.findings)))
    return "\n\n".join(parts) + "\n"


def _told(each: Landed) -> str:
    return "; ".join(part for part in (each.why, each.hint) if part)


def _commit(each: Landed) -> str:
    return code(each.commit[:10]) if each.result in ("landed", "pull_request", "not_landed") else ""


def _findings(findings: Sequence[Finding]) -> Iterable[str]:
    for each in findings[:_FINDINGS]:
        place = code(f"{each.path}:{each.line}" if each.line else each.path)
        told = f"- {each.level} {said(called(each))} {place}: {said(each.message, 500)}"
        yield told + (f" Mend: {said(each.repair, 500)}" if each.repair else "")
    if len(findings) > _FINDINGS:
        yield f"- and {len(findings) - _FINDINGS:,} more: the log has them all"
