"""The comment on a pull request: one for each suite, kept up to date.

It is at most some sixty lines, or 60,000 characters where somebody tries: GitHub takes 65,536. What it shows of the
change is escaped (`taming.py`); what it links to is told by who calls.
"""

from __future__ import annotations

import re
from typing import Literal

from gitops.ci import comment_parts as parts
from gitops.ci.comment_context import context, has_others
from gitops.ci.comment_parts import Standing, is_plain, standing
from gitops.ci.extraction_parts import extraction
from gitops.ci.fitting import Block, fitted
from gitops.ci.result import Result
from gitops.ci.suite_parts import suites

MOST = 60_000
"""So many characters a comment has."""
Mode = Literal["on-change", "always", "on-failure", "off"]
_SUITE = re.compile(r"[a-z0-9][a-z0-9._-]{0,62}")
ADDRESS = re.compile(r"https?://[A-Za-z0-9.:/_~%?=&\[\]-]+")
"""A run's address that may stand as a link in a comment: no mark-up is in it."""
_FINDINGS, _ITEMS, _ROWS, _REMARKS, _CASES, _WRONG = 10, 5, 20, 8, 10, 10
_ALERTS: dict[Standing, str] = {
    "failed": "CAUTION",
    "neutral": "WARNING",
    "accepted": "WARNING",
    "passed": "TIP",
    "resolved": "TIP",
}


def marker(suite: str) -> str:
    """The comment's first line, by which it is found again. ValueError for what is no name of a suite."""
    if _SUITE.fullmatch(suite) is None:
        raise ValueError(f"{suite!r} is no name of a suite")
    return f"<!-- git-assay:ci suite={suite} v=1 -->"


def wanted(result: Result, mode: Mode, already_posted: bool) -> bool:
    """Whether a comment is to be there. One that is there is kept up to date, in every mode but `off`."""
    if mode == "off":
        return False
    if already_posted or mode == "always":
        return True
    return result.outcome == "failed" if mode == "on-failure" else not is_plain(result)


def is_resolved(result: Result) -> bool:
    """Whether a comment that is there has nothing left to say."""
    return is_plain(result)


def render_comment(result: Result, *, run_url: str = "", resolved: bool = False) -> str:
    """The comment in GitHub's Markdown, its marker first.

    `resolved` says that there was something to tell before; it does not hide what there is to tell now. `run_url` is
    who calls' own: of anything but a plain web address no link is made.
    """
    is_linked = ADDRESS.fullmatch(run_url) is not None
    summary = f"[the job's summary]({run_url})" if is_linked else "the job's summary"
    blocks = [
        Block(f"{marker(result.suite)}\n> [!{_alert(result, resolved)}]\n> {parts.sentence(result, resolved)}"),
        context(result),
        *parts.metrics(result, spared=2),
        *suites(result, _CASES, _ROWS, spared=2),
        *extraction(result, _WRONG, spared=2),
        parts.findings(result, _FINDINGS, spared=4),
        parts.openly(result, _ITEMS, spared=1),
        Block(f"<details>\n<summary>{_folded(result)}</summary>"),
        parts.reasoning(result),
        parts.remarks(result, _REMARKS, spared=5),
        *parts.every_metric(result, _ROWS, spared=6),
        parts.reproduce(result),
        Block("</details>"),
        parts.footer(result, summary if is_linked else ""),
    ]
    return fitted(blocks, MOST, f"see {summary}")


def _alert(result: Result, resolved: bool) -> str:
    """A pass that asks for a look is no tip."""
    stands = standing(result, resolved)
    is_compared = result.baseline.source != "none" or (has_others(result) and not result.metrics)
    is_clean = is_compared and not (result.policy_changed or result.overrides or result.remarks)
    return "NOTE" if stands == "passed" and not is_clean else _ALERTS[stands]


def _folded(result: Result) -> str:
    told = [f"All {len(result.metrics)} metrics"] if len(result.metrics) > 1 else []
    count = len(result.remarks)
    told += [f"{count} remark{'' if count == 1 else 's'}"] if count else []
    words = ", ".join((*told, "how to reproduce it here"))
    return words[0].upper() + words[1:]
