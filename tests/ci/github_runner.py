"""Runs a job of a workflow file as GitHub's runner does: its own `run:` steps by bash, with the environment that GitHub
gives; the few actions that our workflows use are done here, with git and zip files.

    runner = Runner(tmp_path / "job", remote=bare, github={"event_name": "push", ...}, event={...})
    done = runner.run(Path("gitops/ci/templates/verify-run.yml").read_text())
    assert done.code == 0, done.log
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml

from tests.ci.github_expressions import expanded, value

ACTIONS = {
    "actions/checkout": ("ref", "fetch-depth", "persist-credentials"),
    "actions/setup-python": ("python-version", "update-environment"),
    "actions/upload-artifact": ("name", "path", "if-no-files-found", "retention-days"),
    "actions/download-artifact": ("name", "path", "run-id", "github-token", "skip-decompress"),
}
"""The actions that may be used, and the inputs of each that are known here."""

_INSTALL = re.compile(r"\bpip\b.* install\b")


@dataclass(frozen=True)
class Step:
    """A step as the file has it."""

    name: str
    run: str
    uses: str
    inputs: Mapping[str, Any]
    env: Mapping[str, Any]
    condition: str
    id: str
    goes_on: bool


@dataclass
class Finished:
    """How a job ended: 0 or the exit code of the first step that failed; None where its condition skipped it."""

    code: int | None = 0
    failed: str = ""
    log: str = ""
    outputs: dict[str, dict[str, str]] = field(default_factory=dict)
    summary: str = ""


def jobs_of(text: str) -> dict[str, Any]:
    """The jobs of a workflow, or a composite action as the one job `action`."""
    document = yaml.safe_load(text)
    jobs = document["jobs"] if "jobs" in document else {"action": {"steps": document["runs"]["steps"]}}
    return dict(jobs)


def steps_of(text: str) -> list[Step]:
    """Every step of every job."""
    return [_step(each) for job in jobs_of(text).values() for each in job["steps"]]


def _step(given: Mapping[str, Any]) -> Step:
    uses = str(given.get("uses", ""))
    return Step(
        str(given.get("name", uses)),
        str(given.get("run", "")),
        uses,
        given.get("with", {}),
        given.get("env", {}),
        str(given.get("if", "")),
        str(given.get("id", "")),
        bool(given.get("continue-on-error", False)),
    )


class Runner:
    """A machine with one workspace. `remote` is where `actions/checkout` clones from; `artifacts` is shared by jobs."""

    def __init__(
        self,
        folder: Path,
        *,
        remote: Path | str = "",
        github: Mapping[str, Any],
        event: Mapping[str, Any],
        artifacts: Path | None = None,
        secrets: Mapping[str, str] | None = None,
        variables: Mapping[str, str] | None = None,
        inputs: Mapping[str, str] | None = None,
        environment: Mapping[str, str] | None = None,
    ) -> None:
        self.workspace, self.temp = folder / "workspace", folder / "temp"
        self.workspace.mkdir(parents=True)
        self.temp.mkdir()
        self.remote = str(remote)
        self.artifacts = artifacts or folder / "artifacts"
        self.artifacts.mkdir(exist_ok=True)
        self.event = event
        self.environment = dict(environment or {})
        self.contexts: dict[str, Any] = {
            "github": {"repository": "ada/wiki", "token": "", **github, "event": event},
            "runner": {"temp": os.fspath(self.temp), "os": "Linux"},
            "secrets": dict(secrets or {}),
            "vars": dict(variables or {}),
            "inputs": dict(inputs or {}),
            "steps": {},
        }

    def run(self, text: str, *, installs: bool = False) -> Finished:
        """Run the job of a workflow, or the steps of a composite action. Unless it `installs`, what is on PATH does."""
        document = yaml.safe_load(text)
        (job,) = jobs_of(text).values()
        done = Finished()
        if "if" in job and not value(str(job["if"]), self.contexts):
            return Finished(code=None)
        if not installs and "runs" in document:
            self._as_installed()
        shared = {**document.get("env", {}), **job.get("env", {})}
        for step in map(_step, job["steps"]):
            if (done.code and "always()" not in step.condition) or (_INSTALL.search(step.run) and not installs):
                continue
            code = self._taken(step, shared, done)
            if code and not step.goes_on and not done.code:
                done.code, done.failed = code, step.name
        return done

    def _as_installed(self) -> None:
        """What is on PATH stands where the action would install it."""
        command, folder = shutil.which("git-assay"), self.temp / "git-assay-venv/bin"
        assert command
        folder.mkdir(parents=True)
        (folder / "git-assay").symlink_to(command)

    def _taken(self, step: Step, shared: Mapping[str, Any], done: Finished) -> int:
        done.log += f"--- {step.name}\n"
        if not step.uses:
            return self._ran(step, shared, done)
        action, at, _ = step.uses.partition("@")
        unknown = set(step.inputs) - set(ACTIONS[action])
        assert at, step.uses
        assert unknown == set(), step.uses
        inputs = {name: expanded(str(given), self.contexts) for name, given in step.inputs.items()}
        called = getattr(self, f"_{action.partition('/')[2].replace('-', '_')}")
        return int(called(inputs, done))

    def _ran(self, step: Step, shared: Mapping[str, Any], done: Finished) -> int:
        output, summary = self.temp / "output", self.temp / "summary"
        output.write_text("")
        summary.touch()
        event = self.temp / "event.json"
        event.write_text(json.dumps(self.event))
        env = self._environment() | {
            "GITHUB_OUTPUT": os.fspath(output),
            "GITHUB_STEP_SUMMARY": os.fspath(summary),
            "GITHUB_EVENT_PATH": os.fspath(event),
        }
        env |= {name: expanded(str(given), self.contexts) for name, given in {**shared, **step.env}.items()}
        assert "${{" not in step.run, f"{step.name}: an expression inside a script"
        ended = subprocess.run(
            ["bash", "--noprofile", "--norc", "-euo", "pipefail", "-c", step.run],
            cwd=self.workspace,
            env=env,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            check=False,
        )
        done.log += ended.stdout.decode("utf-8", "replace")
        done.summary = summary.read_text("utf-8")
        given = _outputs(output.read_text("utf-8"))
        if step.id:
            done.outputs[step.id] = given
            self.contexts["steps"][step.id] = {"outputs": given}
        return ended.returncode

    def _environment(self) -> dict[str, str]:
        """What every step has: little of the caller's, and what GitHub says of the job."""
        kept = ("PATH", "HOME", "LC_ALL", "TZ", "GIT_CONFIG_NOSYSTEM", "GIT_CONFIG_GLOBAL", "ASSAY_CLOCK")
        said = {f"GITHUB_{name.upper()}": str(given) for name, given in self._told().items()}
        machine = {"RUNNER_TEMP": os.fspath(self.temp), "GITHUB_WORKSPACE": os.fspath(self.workspace), "CI": "true"}
        own = {name: os.environ[name] for name in kept if name in os.environ}
        return {**own, **machine, "GITHUB_ACTIONS": "true", "GITHUB_RUN_ID": "7", **said, **self.environment}

    def _told(self) -> dict[str, Any]:
        """A step has no token unless it is given one."""
        github = self.contexts["github"]
        return {name: given for name, given in github.items() if name not in ("event", "token")}

    def _checkout(self, inputs: Mapping[str, str], done: Finished) -> int:
        """The whole history, and the commit that the event names, or the branch that the step names."""
        assert inputs["fetch-depth"] == "0"
        assert inputs["persist-credentials"] == "False"
        github = self.contexts["github"]
        ref, commit = inputs.get("ref", ""), str(github["sha"])
        ref = f"refs/heads/{ref}" if ref else str(github["ref"])
        self._git("init", "-q")
        self._git("remote", "add", "origin", self.remote)
        fetched = ["+refs/heads/*:refs/remotes/origin/*", "+refs/tags/*:refs/tags/*"]
        if ref.startswith("refs/pull/"):
            fetched.append(f"+{commit}:refs/remotes/{ref.removeprefix('refs/')}")
        self._git("fetch", "-q", "--no-tags", "origin", *fetched)
        if ref.startswith("refs/heads/"):
            branch = ref.removeprefix("refs/heads/")
            self._git("checkout", "-q", "-B", branch, f"refs/remotes/origin/{branch}")
        else:
            self._git("checkout", "-q", "--detach", commit)
        return 0

    def _setup_python(self, inputs: Mapping[str, str], done: Finished) -> int:
        """The Python that is there."""
        self.contexts["steps"]["python"] = {"outputs": {"python-path": shutil.which("python3")}}
        return 0

    def _upload_artifact(self, inputs: Mapping[str, str], done: Finished) -> int:
        pattern = Path(inputs["path"])
        found = sorted(pattern.parent.glob(pattern.name)) if pattern.parent.is_dir() else []
        if not found:
            done.log += f"Warning: No files were found with the provided path: {pattern}\n"
            return 1 if inputs.get("if-no-files-found") == "error" else 0
        with zipfile.ZipFile(self.artifacts / f"{inputs['name']}.zip", "w", zipfile.ZIP_DEFLATED) as archive:
            for each in found:
                archive.write(each, each.name)
        return 0

    def _download_artifact(self, inputs: Mapping[str, str], done: Finished) -> int:
        kept = self.artifacts / f"{inputs['name']}.zip"
        assert inputs["skip-decompress"] == "True"
        assert inputs["github-token"]
        assert inputs["run-id"]
        if not kept.exists():
            done.log += f"Error: Unable to download artifact(s): Artifact not found for name: {inputs['name']}\n"
            return 1
        Path(inputs["path"]).mkdir(parents=True, exist_ok=True)
        os.link(kept, Path(inputs["path"], kept.name))
        return 0

    def _git(self, *words: str) -> None:
        credentials = {
            "GIT_CONFIG_COUNT": "1",
            "GIT_CONFIG_KEY_0": "credential.helper",
            "GIT_CONFIG_VALUE_0": f"!echo username=x-access-token; echo password={self.contexts['github']['token']}; :",
        }
        env = {**os.environ, **credentials, "GIT_ALLOW_PROTOCOL": "file:http"}
        subprocess.run(["git", *words], cwd=self.workspace, env=env, check=True, capture_output=True)


def _outputs(text: str) -> dict[str, str]:
    """What a step wrote to GITHUB_OUTPUT: `name=value`, or a value of several lines between delimiters."""
    found, lines = {}, iter(text.splitlines())
    for line in lines:
        name, equals, rest = line.partition("=")
        if equals and "<<" not in name:
            found[name] = rest
            continue
        name, _, end = line.partition("<<")
        held = []
        for inner in lines:
            if inner == end:
                break
            held.append(inner)
        found[name] = "\n".join(held)
    return found
