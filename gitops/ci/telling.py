"""From what a check left behind to the comments on its pull request.

Which pull request that is, and which head it has, GitHub is asked; what the check's own job says of it, the change
could have written. So a result of another head is refused, and where none came, or none that counts, that is told.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from gitops.ci import artifact, ended, pull_requests, sticky
from gitops.ci.comment import Mode, is_resolved, render_comment, wanted
from gitops.ci.github import GitHub
from gitops.ci.github_answers import Forbidden
from gitops.ci.pull_requests import PullRequest
from gitops.ci.result import Result
from gitops.ci.sticky import Stamp, Sticky
from gitops.ci.workflow_run import WorkflowRun
from gitops.errors import AssayError, UsageError
from gitops.llm.failures import one_line


@dataclass(slots=True)
class Report:
    """What was done: a line for each comment, remarks, and comments that the token may not write."""

    done: list[str] = field(default_factory=list)
    remarks: list[str] = field(default_factory=list)
    unwritten: list[str] = field(default_factory=list)
    addresses: list[str] = field(default_factory=list)
    """Of the comments that stand there now."""
    refused: AssayError | None = None
    """Why what the check left behind does not count. It is told on the pull request first."""


@dataclass(frozen=True, slots=True)
class _Check:
    """What is known of a check from others than itself."""

    at: str
    url: str
    silence: str = ""
    """What to say of a suite that the check tells nothing of; nothing is said without it."""
    is_wrong: bool = False
    """Whether that is to be said where there is no comment yet."""


def after(teller: Teller, run: WorkflowRun, path: Path) -> Report:
    """Tell what the check that just ended found. It never reads the change, and believes nothing that the check says
    of where it ran.
    """
    report = teller.report
    if run.event != "pull_request" or run.head_repository is None:
        why = f"the check ran for {run.event}" if run.event != "pull_request" else "the fork that it ran for is gone"
        report.remarks.append(f"{one_line(why)}: there is no pull request to tell")
        return report
    found = pull_requests.of_head(teller.github, run.head_repository.full_name, run.head_branch or "", run.head_sha)
    if not found:
        report.remarks.append(f"no open pull request has {run.head_sha[:10]} as its head: it moved on, or was closed")
        return report
    results, refused = _results(path, run.head_sha)
    is_absent = isinstance(refused, artifact.Absent)
    is_wrong = run.conclusion != "success" if is_absent or refused is None else True
    check = _Check(run.run_started_at, run.html_url, ended.silence(run, refused), is_wrong)
    results = ended.confronted(results, run.conclusion)
    for pull in found:
        teller.tell(pull, [each for each in results if _is_about(teller.github, pull, each, len(found))], check)
    if is_absent and refused is not None:
        report.remarks.append(refused.message)
    elif refused is not None:
        report.refused = refused
    return report


def by_hand(teller: Teller, path: Path, number: int | None, run_url: str = "") -> Report:
    """Tell what a result at hand says: on the pull request named, else on the one whose head it is of."""
    results = artifact.results(path)
    head = results[0].head
    if any(each.head != head for each in results):
        raise UsageError(f"{path.name}: results of several heads", "give the results of one check")
    check = _Check(max(each.created_at for each in results), run_url)
    named = [pull_requests.numbered(teller.github, number)] if number is not None else _found(teller.github, head)
    for pull in named:
        if pull.state != "open" or pull.head.sha != head:
            stands = "is closed" if pull.state != "open" else f"has {pull.head.sha[:10]} as its head now"
            told = f"the result is of {head[:10]}, and pull request #{pull.number} {stands}"
            raise UsageError(told, "git assay ci check --result FILE makes one of what stands there")
        teller.tell(pull, results, check)
    return teller.report


def _found(github: GitHub, head: str) -> list[PullRequest]:
    found = pull_requests.of_commit(github, github.repository, head)
    if not found:
        told = f"{github.repository} has no open pull request with {head[:10]} as its head"
        raise UsageError(told, "push it first, or name the pull request: --pr N")
    return found


def _results(path: Path, head: str) -> tuple[list[Result], AssayError | None]:
    """The results of an artifact, or why it has none that count: then nothing of it does."""
    try:
        results = artifact.results(path)
    except UsageError as error:
        return [], error
    other = next((each for each in results if each.head != head), None)
    if other is not None:
        told = f"the result of {other.suite} is of {other.head[:10]}, and what was checked is {head[:10]}"
        return [], UsageError(told, "somebody changed the artifact: look at the workflow as the change has it")
    return results, None


def _is_about(github: GitHub, pull: PullRequest, result: Result, among: int) -> bool:
    """Where several pull requests have one head, a result is of those that left their base where it says."""
    return among == 1 or result.base in (pull.base.sha, pull_requests.forked_at(github, pull))


@dataclass(frozen=True, slots=True)
class Teller:
    """Who tells: at which repository, when a comment is wanted, and whose comments are ours."""

    github: GitHub
    mode: Mode
    login: str = ""
    report: Report = field(default_factory=Report)

    def tell(self, pull: PullRequest, results: Sequence[Result], check: _Check) -> None:
        """Bring the comments on one pull request up to date: of each suite with a result, and of those of which
        a comment stands but no result came.
        """
        login = sticky.author(self.github, self.login)
        stands = self._standing(pull, login)
        if results:
            stands = self._without_unknown(pull, stands, results, check)
        silent = {each.suite for each in stands} - {each.suite for each in results} if check.silence else set()
        if not results and not silent and check.is_wrong:
            silent = {ended.UNKNOWN}
        nothing = [ended.nothing(suite, pull, check.at, check.silence) for suite in sorted(silent)]
        suites = {each.suite for each in stands}
        for each in (*results, *nothing):
            where, is_there = f"{each.suite} on #{pull.number}", each.suite in suites
            if not wanted(each, self.mode, is_there):
                self.report.done.append(f"{where}: no comment: {each.outcome}, and the mode is {self.mode}")
                continue
            if not is_there and len(suites) >= artifact.MOST_RESULTS:
                self.report.remarks.append(f"{where}: no comment: there are {len(suites)} of ours already")
                continue
            suites.add(each.suite)
            resolved = is_there and is_resolved(each)
            body = (
                ended.told(each, check.url)
                if each.suite in silent
                else render_comment(each, run_url=check.url, resolved=resolved)
            )
            self._keep(pull, login, body, Stamp(pull.head.sha, check.at), stands, where)

    def _standing(self, pull: PullRequest, login: str) -> list[Sticky]:
        try:
            return sticky.ours(self.github, pull.number, login)
        except Forbidden as error:
            self.report.remarks.append(f"{error.message}; {error.hint}")
            return []

    def _without_unknown(
        self, pull: PullRequest, stands: Sequence[Sticky], results: Sequence[Result], check: _Check
    ) -> list[Sticky]:
        """What stands, without the comment that no result came at all: that is over, unless a newer check says it."""
        left: list[Sticky] = []
        for each in stands:
            is_newer = each.stamp is not None and each.stamp.at > check.at
            if each.suite != ended.UNKNOWN or any(one.suite == each.suite for one in results):
                left.append(each)
            elif self.mode != "off" and not is_newer:
                self._take_back(pull, each)
        return left

    def _take_back(self, pull: PullRequest, comment: Sticky) -> None:
        try:
            self.github.delete(f"/issues/comments/{comment.id}")
        except Forbidden as error:
            self.report.remarks.append(f"{error.message}; {error.hint}")
            return
        self.report.done.append(f"#{pull.number}: taken back, since a result came: {one_line(comment.address)}")

    def _keep(
        self, pull: PullRequest, login: str, body: str, stamp: Stamp, stands: Sequence[Sticky], where: str
    ) -> None:
        try:
            kept = sticky.keep(self.github, pull.number, login, body, stamp, stands)
        except Forbidden as error:  # a fork's token: the check itself has said yes or no already
            self.report.remarks.append(f"{where}: {error.message}; {error.hint}")
            self.report.unwritten.append(body)
            return
        self.report.done.append(f"{where}: {kept.action}: {one_line(kept.address)}")
        self.report.addresses.append(one_line(kept.address))
