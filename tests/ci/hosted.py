"""A wiki on a host that runs workflows, on loopback: git over HTTP with tokens, pull requests, events, artifacts."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from gitops.ci.workflows import rendered
from tests.ci.git_http import GitHttp
from tests.ci.github_runner import Finished, Runner
from tests.ci.github_server import GitHubServer, Pull
from tests.runs.driving import first_files

REPOSITORY = "ada/wiki"
READS = "ghs_reads"


class Host:
    """The host's bare repository `remote`, a person's clone `clone`, and the jobs that are run there."""

    def __init__(self, folder: Path, files: Mapping[str, str] | None = None) -> None:
        self.folder = folder
        self.remote, self.clone, self.artifacts = folder / REPOSITORY, folder / "clone", folder / "artifacts"
        self.artifacts.mkdir()
        self.jobs = 0
        self._git(folder, "init", "-q", "--bare", "-b", "main", os.fspath(self.remote))
        self._git(folder, "clone", "-q", os.fspath(self.remote), os.fspath(self.clone))
        self.commit({**first_files(), **(files or {})})
        self.push("main")
        self.server = GitHttp(folder, {READS: "read"})
        self.api = GitHubServer(REPOSITORY, git=self.remote)

    def __enter__(self) -> Host:
        self.server.__enter__()
        self.api.__enter__()
        return self

    def __exit__(self, *failure: Any) -> None:
        self.server.__exit__(*failure)
        self.api.__exit__(*failure)

    def git(self, *words: str, at: Path | None = None) -> str:
        """What git says, in the clone or at another place."""
        return self._git(at or self.clone, *words)

    def commit(self, files: Mapping[str, str | None], message: str = "Change") -> str:
        """A commit of these files in the clone."""
        for path, content in files.items():
            file = self.clone / path
            if content is None:
                file.unlink()
            else:
                file.parent.mkdir(parents=True, exist_ok=True)
                file.write_text(content, "utf-8")
        self.git("add", "-A")
        self.git("commit", "-q", "-m", message)
        return self.git("rev-parse", "HEAD")

    def push(self, *refs: str) -> None:
        """From the clone to the host."""
        self.git("push", "-q", "origin", *refs)

    def refs(self) -> str:
        """Every ref of the host's repository."""
        return self.git("for-each-ref", at=self.remote)

    def offered(self, files: Mapping[str, str | None], branch: str = "topic", fork: str = "", **more: Any) -> Pull:
        """A pull request with one commit; GitHub's merge of both lies in the repository, as it does there."""
        self.git("checkout", "-q", "-B", branch, "origin/main")
        head = self.commit(files)
        pull = self.api.pull(head, head_ref=branch, fork=fork, base_sha=self.git("rev-parse", "origin/main"), **more)
        self.push(f"HEAD:refs/pull/{pull.number}/head" if fork else f"HEAD:refs/heads/{branch}")
        return pull

    def pull_request_event(self, pull: Pull, action: str = "opened") -> dict[str, Any]:
        """What GitHub tells a workflow of a pull request."""
        return {
            "action": action,
            "number": pull.number,
            "repository": {"full_name": REPOSITORY, "default_branch": "main"},
            "pull_request": {
                "number": pull.number,
                "title": pull.title,
                "labels": [{"name": each} for each in pull.labels],
                "base": {"ref": pull.base_ref, "sha": pull.base_sha, "repo": {"full_name": REPOSITORY}},
                "head": {"ref": pull.head_ref, "sha": pull.head_sha, "repo": {"full_name": pull.head_repo}},
            },
        }

    def checked(self, pull: Pull, name: str = "evals", **more: Any) -> Finished:
        """The check of a pull request, on the merge of both that GitHub makes."""
        base, head = pull.base_sha, pull.head_sha
        tree = self.git("merge-tree", "--write-tree", base, head, at=self.remote)
        merged = self.git("commit-tree", tree, "-p", base, "-p", head, "-m", "Merge", at=self.remote)
        self.git("update-ref", f"refs/pull/{pull.number}/merge", merged, at=self.remote)
        github = {"event_name": "pull_request", "ref": f"refs/pull/{pull.number}/merge", "sha": merged, "token": READS}
        return self.job(name, github, self.pull_request_event(pull, more.pop("action", "synchronize")), **more)

    def commented(self, pull: Pull, ended: Finished, **more: Any) -> Finished:
        """The workflow that tells what the check of a pull request found; it has no repository to check out."""
        token = self.api.token(actions="read", contents="read", pull_requests="write")
        event = self.after(ended, "pull_request", pull.head_ref, pull.head_sha, pull.head_repo or "")
        github = self.on_main(event_name="workflow_run", token=token)
        return self.job("comment", github, event, **more)

    def verified(self, branch: str, **more: Any) -> Finished:
        """The workflow that a push of a branch starts."""
        tip = self.git("rev-parse", branch, at=self.remote)
        ref = f"refs/heads/{branch}"
        github = {"event_name": "push", "ref": ref, "ref_name": branch, "sha": tip, "token": READS}
        event = {"ref": ref, "before": "0" * 40, "after": tip, "repository": {"default_branch": "main"}}
        return self.job("verify-run", github, event, **more)

    def landed(self, branch: str, ended: Finished, **more: Any) -> Finished:
        """The workflow that lands what was verified; its token may write, unless `token` is another."""
        tip = self.git("rev-parse", branch)
        github = self.on_main(event_name="workflow_run", token=more.pop("token", None) or self.writing())
        return self.job("land", github, self.after(ended, "push", branch, tip), **more)

    def writing(self) -> str:
        """A token that the job of git-assay-land has: of git and of the interface alike."""
        token = self.api.token(contents="write", pull_requests="write")
        self.server.tokens[token] = "write"
        return token

    def after(
        self, ended: Finished, event: str, head_branch: str, head_sha: str, head_repository: str = REPOSITORY
    ) -> dict[str, Any]:
        """What GitHub tells the workflow that listens to another one's end."""
        return {
            "action": "completed",
            "repository": {"full_name": REPOSITORY, "default_branch": "main"},
            "workflow_run": {
                "id": 7,
                "event": event,
                "conclusion": "failure" if ended.code else "success",
                "head_branch": head_branch,
                "head_sha": head_sha,
                "head_repository": {"full_name": head_repository},
                "repository": {"full_name": REPOSITORY},
                "run_started_at": f"2024-01-02T03:{self.jobs:02}:00Z",
                "html_url": f"{self.server.url}/{REPOSITORY}/actions/runs/7",
            },
        }

    def on_main(self, **more: Any) -> dict[str, Any]:
        """What the `github` context says of a job on the default branch."""
        return {"ref": "refs/heads/main", "sha": self.git("rev-parse", "main", at=self.remote), **more}

    def job(self, name: str, github: Mapping[str, Any], event: Mapping[str, Any], **more: Any) -> Finished:
        """Run a workflow's job as it is written for others; `text` runs another, `token` is what it may do there."""
        self.jobs += 1
        text, installs = more.pop("text", None) or rendered(name), more.pop("installs", False)
        told = {"repository": REPOSITORY, "server_url": self.server.url, "api_url": self.api.url, **github}
        environment = {"GITHUB_WORKFLOW": name, **more.pop("environment", {})}
        self.runner = Runner(
            self.folder / f"job-{self.jobs}",
            remote=f"{self.server.url}/{REPOSITORY}",
            github=told,
            event=event,
            artifacts=self.artifacts,
            environment=environment,
            **more,
        )
        return self.runner.run(text, installs=installs)

    @staticmethod
    def _git(folder: Path, *words: str) -> str:
        done = subprocess.run(["git", "-C", os.fspath(folder), *words], capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        return done.stdout.strip()
