"""The verifier as a target of benchmarks: a change of a few files, judged again in a small repository of its own.

A suite says `"runs": {"kind": "python", "callable": "gitops.suites.replaying:verify"}`. Its cases bring the files in
`input.context`, each with its path from the workspace's folder: `text` of one that the change leaves as it is, `base`
and `head` of one that it touches, either of them null where there is none. `input.skill_args` may have `policy` (a
table of `assay.toml`'s sections), `run_type`, `sources` and `reason`; `policy` of the configuration is laid over it.

The output is a line for the decision, and one for each new error and warning:

    verdict: reject
    error quote_anchor.altered wiki/solvents.md
"""

from __future__ import annotations

import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, ValidationError

from gitops.config import Config
from gitops.git import commits, objects, trees
from gitops.git.commits import Identity
from gitops.git.objects import REGULAR
from gitops.git.repository import open_repository
from gitops.runs import judging
from gitops.runs.context import Context
from gitops.runs.judging import Judgement, gating
from gitops.runs.seating import Asking
from gitops.runs.workspace import Workspace
from gitops.suites.layering import laid_over
from gitops.verify.finding import Finding
from gitops.verify.registry import refuse_unknown
from gitops.verify.view import RunFacts
from gitops.wiki.layout import Layout
from gitops.wiki.paths import safe

CALLABLE = "gitops.suites.replaying:verify"
SECTIONS = ("workspace", "citations", "pages", "verify", "coverage", "checks")
"""The sections of a policy that a verdict on a few files can depend on."""
_WHO = Identity("case", "case@invalid")
_WHEN = 1_767_225_600
"""2026-01-01: a case is judged on the same day for ever."""


class ChangedFile(BaseModel):
    """A file of a case, before and after the change."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    path: str
    text: str | None = None
    base: str | None = None
    head: str | None = None

    @property
    def before(self) -> str | None:
        """What it holds at the base; None where it is not there."""
        return self.text if self.text is not None else self.base

    @property
    def after(self) -> str | None:
        """What it holds after the change."""
        return self.text if self.text is not None else self.head


def verify(case: Mapping[str, Any], config: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """What the verifier says of a case, by the judges that need no model; it writes below the working folder alone."""
    given = case["input"]
    told = given.get("skill_args") or {}
    try:
        files = [ChangedFile.model_validate(one) for one in given.get("context") or ()]
    except ValidationError as error:
        first = error.errors()[0]
        return {"error": f"input.context has no files of a change: {'.'.join(map(str, first['loc']))}: {first['msg']}"}
    policy = laid_over(told.get("policy") or {}, (config or {}).get("policy") or {})
    with tempfile.TemporaryDirectory(dir=Path.cwd(), prefix="case-") as folder:
        judgement = judged(Path(folder), files, policy, facts_of(told))
    found = list(gating(judgement.findings))
    return {"output": said(judgement.decision, found), "metrics": {"findings": len(found)}}


def said(decision: str, findings: Sequence[Finding]) -> str:
    """A verdict as the output of the target."""
    return "\n".join([f"verdict: {decision}", *dict.fromkeys(map(line, findings))])


def line(finding: Finding) -> str:
    """A finding as a line of the output."""
    return f"{finding.level.value} {named(finding)} {finding.path}".rstrip()


def named(finding: Finding) -> str:
    """What kind of failure a finding is: its check and result, once where both are one word."""
    return finding.check if finding.check == finding.result else f"{finding.check}.{finding.result}"


def judged(folder: Path, files: Sequence[ChangedFile], policy: Mapping[str, Any], facts: RunFacts) -> Judgement:
    """The judgement of a change, made in a new bare repository in an empty folder. UsageError for a wrong policy."""
    import pygit2

    pygit2.init_repository(str(folder), bare=True)
    context = Context(open_repository(folder))
    settings = Config.model_validate(policy)
    refuse_unknown(settings, "the case's policy")
    workspace = Workspace(Layout("", settings.workspace), settings, "")
    base = _committed(context, {one.path: one.before for one in files}, [])
    head = _committed(context, {one.path: one.after for one in files}, [base])
    return judging.judge(context, workspace, base, context.tree(head), [head], facts, Asking(only_free=True))


def _committed(context: Context, files: Mapping[str, str | None], parents: list[str]) -> str:
    """A commit of some files; those with None are not there."""
    written = {safe(path): (text.encode(), REGULAR) for path, text in files.items() if text is not None}
    tree = trees.edit(context.repository, objects.write_tree(context.repository, ()), written)
    return commits.write(context.repository, tree, parents, "Files of a case", _WHO, _WHEN, sign=False)


def facts_of(told: Mapping[str, Any]) -> RunFacts:
    """What the checks may know of the run that a case is of; of one without a `run_type`, that it is none."""
    is_run = "run_type" in told
    return RunFacts(
        run_type=str(told.get("run_type", "cascade")),
        sources=tuple(map(str, told.get("sources") or ())),
        reason=str(told.get("reason", "")),
        is_run=is_run,
    )
