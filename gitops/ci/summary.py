"""The job's summary: what the comment says, and all of what it leaves out."""

from __future__ import annotations

from gitops.ci import comment_parts as parts
from gitops.ci.comment_context import context
from gitops.ci.extraction_parts import extraction
from gitops.ci.fitting import Block, fitted
from gitops.ci.result import Result
from gitops.ci.suite_parts import suites
from gitops.ci.taming import code

MOST = 1_000_000
"""So many bytes a summary has: GitHub takes 1 MiB of one step, which may write more than this into it."""
_ALL = 1_000


def render_summary(result: Result) -> str:
    """The summary in GitHub's Markdown, to be appended to the file that `GITHUB_STEP_SUMMARY` names."""
    suite = "" if result.suite == "wiki" else f" {code(result.suite)}"
    blocks = [
        Block(f"## git-assay{suite}: {result.outcome}\n\n{parts.sentence(result)}"),
        context(result),
        *parts.metrics(result, spared=2),
        *suites(result, _ALL, _ALL, spared=2),
        *extraction(result, _ALL, spared=2),
        parts.findings(result, _ALL, spared=4),
        parts.openly(result, _ALL, spared=1),
        parts.reasoning(result),
        parts.remarks(result, _ALL, spared=3),
        *parts.every_metric(result, _ALL, spared=5),
        parts.reproduce(result),
        parts.footer(result, ""),
    ]
    return fitted(blocks, MOST, "see the result file, or --json", size=lambda text: len(text.encode()))
