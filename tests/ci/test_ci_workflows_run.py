"""The workflows as they are written, run here: their steps by bash, git over HTTP with tokens, GitHub on loopback."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import zipfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
import yaml

from gitops import __version__
from gitops.ci import result
from gitops.ci.workflows import rendered
from tests.ci.github_runner import Finished, jobs_of
from tests.ci.github_server import Pull
from tests.ci.hosted import READS, Host
from tests.ci.suites_driving import WRONG, brewing
from tests.runs.driving import QUOTE, name, page

ROOT = Path(__file__).parents[2]
SOUND = {name(0): page(0)}
ALTERED = {name(0): page(0, "the sea never falls back")}


@pytest.fixture(autouse=True)
def _on_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An executable `git-assay`, as an installation puts one on PATH."""
    folder = tmp_path / "bin"
    folder.mkdir()
    script = folder / "git-assay"
    script.write_text(
        f"#!{sys.executable}\nimport sys\nsys.path.insert(0, {os.fspath(ROOT)!r})\n"
        "from gitops.cli import main\nsys.exit(main())\n"
    )
    script.chmod(0o755)
    monkeypatch.setenv("PATH", f"{folder}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.setenv("ASSAY_CLOCK", "1704164645")


@pytest.fixture
def host(tmp_path: Path) -> Iterator[Host]:
    with Host(tmp_path) as started:
        yield started


def uploaded(host: Host, artifact: str = "git-assay-result") -> list[result.Result]:
    with zipfile.ZipFile(host.artifacts / f"{artifact}.zip") as archive:
        return [result.parse(archive.read(each), each) for each in archive.namelist()]


def staged(host: Host, number: int = 0, quote: str = QUOTE) -> str:
    """A run with one page, staged in the clone."""
    run = assay(host, "run", "start", "--type", "cascade")
    assay(host, "run", "write", run, name(number), stdin=page(number, quote))
    return run


def pushed(host: Host, number: int = 0, quote: str = QUOTE) -> str:
    """A run's branch, pushed to the host."""
    branch = f"run/{staged(host, number, quote)}"
    host.push(branch)
    return branch


def landed_here(host: Host) -> None:
    """A run lands in the clone, and is pushed with its records."""
    assay(host, "run", "finish", staged(host), "--push")
    assay(host, "sync")


def assay(host: Host, *words: str, stdin: str = "") -> str:
    done = subprocess.run(
        ["git", "assay", *words], cwd=host.clone, input=stdin, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


# evals.yml


def test_a_wrong_token_ends_the_job_before_anything_is_checked(host: Host) -> None:
    pull = host.offered(SOUND)
    text = rendered("evals").replace("${{ github.token }}", "ghs_wrong")
    done = host.checked(pull, text=text)
    assert done.failed == "Fetch the records"
    assert not list(host.artifacts.iterdir())


@pytest.mark.slow
def test_a_change_whose_quotation_is_altered_fails_the_check_and_its_result_goes_on(host: Host) -> None:
    pull = host.offered(ALTERED, fork="eve/wiki")
    before = host.refs()
    done = host.checked(pull)
    assert (done.code, done.failed) == (1, "Check the change"), done.log
    (told,) = uploaded(host)
    assert (told.outcome, told.head) == ("failed", pull.head_sha)
    assert "the sea never falls back" in done.summary
    assert "::error file=wiki/p000.md,line=5" in done.log
    assert set(before.splitlines()) == {line for line in host.refs().splitlines() if "/merge" not in line}
    assert {level for *_, level in host.server.asked} == {"", "read"}


@pytest.mark.slow
def test_a_sound_change_passes_and_the_records_are_there(host: Host) -> None:
    landed_here(host)
    pull = host.offered({name(1): page(1)})
    done = host.checked(pull)
    assert done.code == 0, done.log
    (told,) = uploaded(host)
    assert (told.outcome, told.head, told.base) == ("passed", pull.head_sha, pull.base_sha)
    assert host.git("notes", "--ref=assay/runs", "list", at=host.runner.workspace)


@pytest.mark.slow
def test_what_touches_no_wiki_is_told_too(host: Host) -> None:
    done = host.checked(host.offered({"notes.txt": "changed\n"}))
    assert done.code == 0, done.log
    assert [each.outcome for each in uploaded(host)] == ["neutral"]


@pytest.mark.slow
def test_in_a_merge_queue_the_group_is_checked_against_its_base(host: Host) -> None:
    pull = host.offered(ALTERED, branch="gh-readonly-queue/main/pr-1")
    group = {"base_sha": pull.base_sha, "head_sha": pull.head_sha, "base_ref": "refs/heads/main"}
    github = {"event_name": "merge_group", "ref": f"refs/heads/{pull.head_ref}", "sha": pull.head_sha, "token": READS}
    done = host.job("evals", github, {"action": "checks_requested", "merge_group": group})
    assert done.code == 1, done.log
    assert [each.outcome for each in uploaded(host)] == ["failed"]


# comment.yml


@pytest.mark.slow
def test_the_comment_comes_and_is_resolved_in_place(host: Host) -> None:
    pull = host.offered(ALTERED, fork="eve/wiki")
    done = host.commented(pull, host.checked(pull))
    assert done.code == 0, done.log
    (comment,) = host.api.comments_on(pull)
    assert comment.body.startswith("<!-- git-assay:ci suite=tides v=1 -->\n> [!CAUTION]")
    assert "wiki/p000.md:5" in comment.body
    assert list(host.runner.workspace.iterdir()) == []
    pull.head_sha = host.commit(SOUND)
    host.push(f"HEAD:refs/pull/{pull.number}/head")
    done = host.commented(pull, host.checked(pull))
    assert done.code == 0, done.log
    assert [each.id for each in host.api.comments_on(pull)] == [comment.id]
    assert "esolved" in comment.body


@pytest.mark.slow
def test_a_check_that_left_nothing_is_told_as_that(host: Host) -> None:
    pull = host.offered(SOUND)
    done = host.commented(pull, Finished(code=3))
    assert done.code == 0, done.log
    (comment,) = host.api.comments_on(pull)
    assert "left no result behind" in comment.body


@pytest.mark.slow
def test_an_artifact_of_a_gigabyte_is_not_read(host: Host) -> None:
    pull = host.offered(SOUND)
    (host.artifacts / "git-assay-result.zip").write_bytes(b"PK\3\4")
    os.truncate(host.artifacts / "git-assay-result.zip", 2**30)
    done = host.commented(pull, Finished(code=0))
    assert done.code == 1, done.log
    assert "1,073,741,824 bytes" in done.log
    (comment,) = host.api.comments_on(pull)
    assert "does not count" in comment.body


@pytest.mark.slow
def test_a_result_that_the_change_wrote_for_another_commit_is_refused(host: Host) -> None:
    pull = host.offered(ALTERED, fork="eve/wiki")
    checked = host.checked(pull)
    (told,) = uploaded(host)
    forged = told.model_copy(update={"outcome": "passed", "findings": (), "head": "1" * 40})
    with zipfile.ZipFile(host.artifacts / "git-assay-result.zip", "w") as archive:
        archive.writestr("result.json", json.dumps(forged.record()))
    done = host.commented(pull, checked)
    assert done.code == 1, done.log
    assert "does not count" in host.api.comments_on(pull)[0].body


@pytest.mark.slow
@pytest.mark.parametrize(("mode", "comments"), [("off", 0), ("always", 1)])
def test_a_variable_of_the_repository_says_when_there_is_a_comment(host: Host, mode: str, comments: int) -> None:
    pull = host.offered(SOUND)
    done = host.commented(pull, host.checked(pull), variables={"ASSAY_COMMENT": mode})
    assert done.code == 0, done.log
    assert len(host.api.comments_on(pull)) == comments


# verify-run.yml


@pytest.mark.slow
def test_a_pushed_run_with_an_altered_quotation_fails_and_nothing_is_recorded(host: Host) -> None:
    branch = pushed(host, quote="the sea never falls back")
    before = host.refs()
    done = host.verified(branch)
    assert (done.code, done.failed) == (1, "Verify the run"), done.log
    assert "quote_anchor altered" in done.log
    assert [each.decision for each in uploaded(host, "git-assay-run")] == ["reject"]
    assert host.refs() == before


@pytest.mark.slow
def test_a_sound_pushed_run_verifies_with_a_token_that_only_reads(host: Host) -> None:
    branch = pushed(host)
    done = host.verified(branch)
    assert done.code == 0, done.log
    assert [each.decision for each in uploaded(host, "git-assay-run")] == ["commit"]
    assert "git-receive-pack" not in str(host.server.asked)


@pytest.mark.slow
def test_a_branch_that_is_named_as_an_option_or_a_command_is_no_run(host: Host) -> None:
    host.git("branch", "run/$(touch${IFS}pwned)", "main")
    host.push("run/$(touch${IFS}pwned)")
    done = host.verified("run/$(touch${IFS}pwned)")
    assert done.code == 2, done.log
    assert not list(host.runner.workspace.rglob("pwned"))


@pytest.mark.slow
def test_names_that_look_like_commands_to_the_runner_are_text(host: Host) -> None:
    branch = pushed(host)
    host.git("switch", "-q", branch)
    host.commit(dict.fromkeys(("::set-output name=verdict::commit", " ::warning::sp", "##[error]old"), "x\n"))
    host.push(branch)
    done = host.verified(branch)
    assert done.code == 1, done.log
    shown = re.search(r"^::stop-commands::(\w{32})\n(.*)^::\1::$", done.log, re.MULTILINE | re.DOTALL)
    assert shown
    assert "\n::set-output name=verdict::commit\n" in shown[2]
    assert not re.search(r"^\s*::|##\[", done.log.replace(shown[0], ""), re.MULTILINE)


# land.yml


@pytest.mark.slow
def test_a_verified_run_lands_and_its_records_are_pushed_and_a_second_time_nothing_happens(host: Host) -> None:
    branch = pushed(host)
    verified = host.verified(branch)
    done = host.landed(branch, verified)
    assert done.code == 0, done.log
    assert host.git("show", f"main:{name(0)}", at=host.remote) == page(0).strip()
    assert host.git("notes", "--ref=assay/verdicts", "list", at=host.remote)
    assert host.git("log", "-1", "--format=%cn", "refs/notes/assay/verdicts", at=host.remote) == "github-actions[bot]"
    landed = host.git("rev-parse", "main", at=host.remote)
    done = host.landed(branch, verified)
    assert done.code == 0, done.log
    assert host.git("rev-parse", "main", at=host.remote) == landed


@pytest.mark.slow
def test_where_the_branch_takes_no_push_there_is_a_pull_request(host: Host) -> None:
    branch, before = pushed(host), host.git("rev-parse", "main", at=host.remote)
    hook = host.remote / "hooks/update"
    hook.write_text('#!/bin/sh\n[ "$1" != refs/heads/main ] || { echo "protected branch"; exit 1; }\n')
    hook.chmod(0o755)
    done = host.landed(branch, Finished())
    assert done.code == 0, done.log
    (pull,) = host.api.pulls.values()
    assert (pull.base_ref, pull.state) == ("main", "open")
    assert host.git("rev-parse", "main", at=host.remote) == before
    assert host.git("show", f"{pull.head_ref}:{name(0)}", at=host.remote) == page(0).strip()


@pytest.mark.slow
def test_a_run_whose_own_workflow_said_yes_to_an_altered_quotation_does_not_land(host: Host) -> None:
    branch, before = pushed(host, quote="the sea never falls back"), host.git("rev-parse", "main", at=host.remote)
    done = host.landed(branch, Finished(code=0))
    assert (done.code, done.failed) == (1, "Land the run"), done.log
    assert "quote_anchor altered" in done.log
    assert host.git("rev-parse", "main", at=host.remote) == before


def test_a_run_of_a_fork_or_one_that_failed_is_not_even_looked_at(host: Host) -> None:
    branch = "run/20240102-030405-0a1b2c3d"
    host.git("branch", branch, "main")
    assert host.landed(branch, Finished(code=1)).code is None
    event = host.after(Finished(), "push", branch, "1" * 40, "eve/wiki")
    assert host.job("land", host.on_main(event_name="workflow_run", token=""), event).code is None


@pytest.fixture
def key(tmp_path: Path) -> Path:
    subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-C", "ci", "-f", tmp_path / "key"], check=True)
    return tmp_path / "key"


def signed(host: Host, key: Path) -> None:
    """From here on, verdicts of the host's wiki are signed by a key."""
    policy = (host.clone / "assay.toml").read_text()
    host.git("switch", "-q", "main")
    signer = f'ci@example.org namespaces="git-assay-verdict" {key.with_suffix(".pub").read_text()}'
    said = '\n[trust]\nsigned = true\nrepository = "https://example.org/wiki"\n'
    host.commit({"assay.toml": policy + said, ".assay/allowed_signers": signer}, "Verdicts are signed")
    host.push("main")


@pytest.mark.slow
def test_where_verdicts_are_signed_nothing_lands_without_the_key(host: Host, key: Path) -> None:
    signed(host, key)
    branch, before = pushed(host), host.git("rev-parse", "main", at=host.remote)
    done = host.landed(branch, Finished())
    assert (done.code, done.failed) == (3, "Land the run"), done.log
    assert "::notice::The environment git-assay has no secret ASSAY_SIGNING_KEY" in done.log
    assert host.git("rev-parse", "main", at=host.remote) == before


@pytest.mark.slow
def test_a_secret_that_is_no_key_ends_the_job_before_the_run_is_looked_at(host: Host) -> None:
    done = host.landed("main", Finished(), secrets={"ASSAY_SIGNING_KEY": "no key"})
    assert done.failed == "Put the signing key where ssh-keygen finds it", done.log
    assert "no key" not in done.log.replace("is no key", "")
    assert not list(host.runner.temp.glob("assay-key*"))


def test_a_key_without_its_last_line_break_is_one_all_the_same(host: Host, key: Path, tmp_path: Path) -> None:
    """The job as far as the step that puts the key where it is found."""
    job = yaml.safe_load(rendered("land"))
    steps = job["jobs"]["land"]["steps"]
    del steps[1 + next(place for place, each in enumerate(steps) if each.get("name", "").startswith("Put the")) :]
    text = yaml.safe_dump(job)
    secrets = {"ASSAY_SIGNING_KEY": key.read_text().rstrip("\n")}
    done = host.landed("main", Finished(), secrets=secrets, text=text)
    assert done.code == 0, done.log
    put = host.git("config", "assay.signingkey", at=host.runner.workspace)
    assert Path(put).stat().st_mode & 0o77 == 0
    (tmp_path / "told").write_text("told")
    subprocess.run(["ssh-keygen", "-q", "-Y", "sign", "-n", "test", "-f", put, tmp_path / "told"], check=True)


@pytest.mark.slow
def test_the_verdict_is_signed_by_a_key_from_a_web_form_and_the_key_does_not_stay(host: Host, key: Path) -> None:
    signed(host, key)
    secret = key.read_text().replace("\n", "\r\n")
    done = host.landed(pushed(host), Finished(), secrets={"ASSAY_SIGNING_KEY": secret})
    assert done.code == 0, done.log
    assert key.read_text().splitlines()[1] not in done.log
    assert not list(host.runner.temp.glob("assay-key*"))
    host.git("pull", "-q")
    assay(host, "sync")
    assert "ci@example.org" in assay(host, "verdict", "verify", "main")


# scheduled.yml


@pytest.mark.slow
def test_what_is_due_is_measured_and_recorded_and_what_nobody_votes_on_is_not_green(host: Host) -> None:
    landed_here(host)
    event = {"schedule": "17 3 * * *", "repository": {"default_branch": "main"}}
    done = host.job("scheduled", host.on_main(event_name="schedule", token=host.writing()), event)
    assert (done.code, done.failed) == (3, "Do what is due"), done.log
    assert "nothing is signed" in done.log
    assert "| `--workspace tides eval run --due --push` | 3 | could not run |" in done.summary
    assert "| 4 | held up by a metric |" in done.summary
    assert host.git("notes", "--ref=assay/evals", "list", at=host.remote)


@pytest.mark.slow
def test_a_synthesis_that_may_not_be_pushed_is_put_up_and_the_next_night_waits_for_it(host: Host) -> None:
    landed_here(host)
    subprocess.run(["git", "assay", "eval", "run", "--metric", "M1,M2"], cwd=host.clone, check=False)
    for metric in ("M1", "M2"):
        assay(host, "eval", "ack", metric, "--reason", "known")
    assay(host, "sync")
    hook = host.remote / "hooks/update"
    hook.write_text('#!/bin/sh\n[ "$1" != refs/heads/main ] || { echo "protected branch"; exit 1; }\n')
    hook.chmod(0o755)
    event = {"schedule": "17 3 * * *", "repository": {"default_branch": "main"}}
    for shown in ("verified; a pull request waits", "one synthesis at a time"):
        done = host.job("scheduled", host.on_main(event_name="schedule", token=host.writing()), event)
        assert done.code == 0, done.log
        assert shown in done.log
        assert re.search(
            r"^\| `--workspace tides synthesize --due --push` \| [13] \| waits \|", done.summary, re.MULTILINE
        )
    (pull,) = host.api.pulls.values()
    assert (pull.base_ref, pull.state) == ("main", "open")


# judge.yml


@pytest.mark.slow
def test_without_a_key_no_model_was_asked_and_the_job_says_so(host: Host) -> None:
    pull = host.offered(SOUND, labels=["git-assay:judge"])
    done = host.checked(pull, "judge")
    assert (done.code, done.failed) == (3, "Check the change, and have a model judge it")
    assert "has no secret ANTHROPIC_API_KEY: no model was asked" in done.log


def test_a_fork_is_not_judged_whatever_its_labels(host: Host) -> None:
    pull = host.offered(SOUND, fork="eve/wiki", labels=["git-assay:judge"])
    assert host.checked(pull, "judge", secrets={"ANTHROPIC_API_KEY": "sk-1"}).code is None


# action.yml


def acted(host: Host, pull: Pull, inputs: Mapping[str, str], environment: Mapping[str, str] | None = None) -> Finished:
    """The composite action after a checkout, with inputs beside its defaults. With an environment, it installs."""
    action = yaml.safe_load((ROOT / "action.yml").read_text("utf-8"))
    (steps,) = [job["steps"] for job in jobs_of(rendered("evals")).values()]
    checkout = next(each for each in steps if "actions/checkout" in each.get("uses", ""))
    text = yaml.safe_dump({"runs": {"steps": [checkout, *action["runs"]["steps"]]}})
    given = {name: str(each.get("default", "")) for name, each in action["inputs"].items()} | {"token": READS, **inputs}
    here = {**(environment or {}), "GITHUB_ACTION_PATH": os.fspath(ROOT)}
    return host.checked(pull, text=text, installs=bool(environment), environment=here, inputs=given)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("inputs", "code", "said"),
    [
        ({"annotations": "yes"}, 2, "::error::The input annotations is 'true' or 'false', and not 'yes'."),
        ({"fail-on-neutral": "no\n::warning::x"}, 2, "::error::The input fail-on-neutral is 'true' or 'false'"),
        ({"base": "--upload-pack=touch pwned"}, 2, "--upload-pack=touch pwned"),
        ({"head": "$(touch pwned)"}, 2, "$(touch pwned)"),
        ({"metric": 'M1";touch pwned;"'}, 2, "touch pwned"),
        ({"judge": "`touch pwned`"}, 2, "`touch pwned`"),
        ({"annotations": "false", "metric": "none", "fail-on-neutral": "true"}, 1, "failed"),
    ],
)
def test_what_the_action_is_given_is_never_run(host: Host, inputs: dict[str, str], code: int, said: str) -> None:
    done = acted(host, host.offered(ALTERED), inputs)
    assert (done.code, done.failed) == (code, "Check the change"), done.log
    assert said.casefold() in done.log.casefold()
    assert not re.search(r"^::warning|^::error file", done.log, re.MULTILINE)
    assert not list(host.folder.rglob("pwned"))


# What is installed


@pytest.fixture(scope="session")
def wheels(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with this version's wheel, as a release has it."""
    pytest.importorskip("hatchling")
    folder = tmp_path_factory.mktemp("wheels")
    build = [sys.executable, "-m", "hatchling", "build", "--target", "wheel", "--directory", os.fspath(folder)]
    subprocess.run(build, cwd=ROOT, check=True, capture_output=True)
    return folder


@pytest.fixture
def installing(wheels: Path) -> dict[str, str]:
    """No network: pip finds the one wheel, and what it depends on is here already. Its 0 means no isolated build."""
    here = os.pathsep.join(path for path in sys.path if path.endswith("site-packages"))
    said = {"PIP_NO_BUILD_ISOLATION": "0", "PIP_NO_DEPS": "1", "PIP_NO_INDEX": "1", "PIP_IGNORE_INSTALLED": "1"}
    said["PIP_NO_COMPILE"] = "1"
    return {"PYTHONPATH": here, "PIP_FIND_LINKS": os.fspath(wheels), **said}


@pytest.mark.slow
def test_the_job_installs_the_version_that_wrote_it_and_checks_with_that(
    host: Host, installing: dict[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", tmp_path / "venv"], check=True)
    pip = tmp_path / "venv/bin/pip"
    first = f"#!{tmp_path}/venv/bin/python\n"
    pip.write_text(f"{first}import sys\nfrom pip._internal.cli.main import main\nsys.exit(main())\n")
    pip.chmod(0o755)
    monkeypatch.setenv("PATH", os.pathsep.join([os.fspath(tmp_path / "venv/bin"), "/usr/bin", "/bin"]))
    done = host.checked(host.offered(ALTERED), installs=True, environment=installing)
    assert done.code == 1, done.log
    assert f"Successfully installed git-assay-{__version__}" in done.log
    assert [each.outcome for each in uploaded(host)] == ["failed"]


@pytest.mark.slow
def test_the_action_installs_itself_beside_the_jobs_python_and_gives_its_outputs(
    host: Host, installing: dict[str, str]
) -> None:
    planted = {f"{name}.py": "raise SystemExit('planted')\n" for name in ("venv", "pip", "ensurepip", "hatchling")}
    pull = host.offered(ALTERED | planted)
    done = acted(host, pull, {}, installing)
    assert done.code == 1, done.log
    given = done.outputs["check"]
    assert (given["verdict"], given["outcome"], given["regressions"]) == ("reject", "failed", "")
    told = result.parse(Path(given["result-path"]).read_bytes(), "result")
    assert told.head == pull.head_sha
    assert "::error file=wiki/p000.md" in done.log


# Elsewhere


@pytest.mark.slow
def test_the_recipe_for_gitlab_fails_with_the_check_and_leaves_its_files(host: Host) -> None:
    landed_here(host)
    host.git("switch", "-q", "-c", "topic")
    host.commit({name(1): page(1, "the sea never falls back")})
    job = recipe("merge_request_event")["git-assay"]
    fetch, script = [line for line in job["before_script"] if "pip install" not in line], job["script"]
    host.git("update-ref", "refs/remotes/origin/main", "main~1")
    host.git("tag", "origin/main", "topic")
    told = {"CI_MERGE_REQUEST_TARGET_BRANCH_NAME": "main", "CI_COMMIT_SHA": host.git("rev-parse", "topic")}
    done = on_gitlab(host.clone, job, [*fetch, *script], told)
    assert done.returncode == 1, done.stderr
    assert host.git("rev-parse", "refs/remotes/origin/main") == host.git("rev-parse", "main", at=host.remote)
    assert "quote_anchor altered" in done.stdout
    for pattern in job["artifacts"]["paths"]:
        assert len(list(host.clone.glob(pattern))) == 1


@pytest.mark.slow
def test_the_recipe_that_lands_on_gitlab_signs_pushes_and_leaves_no_key(host: Host, key: Path, tmp_path: Path) -> None:
    signed(host, key)
    branch = pushed(host)
    job = recipe('"schedule"')["git-assay-land"]
    steps = [line for line in [*job["before_script"], *job["script"][:1]] if "pip install" not in line]
    folder = tmp_path / "builds/wiki"
    host.git("clone", "-q", "--no-local", os.fspath(host.remote), os.fspath(folder), at=tmp_path)
    host.git("checkout", "-q", "--detach", at=folder)
    told = {
        "CI_DEFAULT_BRANCH": "main",
        "CI_SERVER_URL": host.server.url,
        "CI_PROJECT_URL": f"{host.server.url}/ada/wiki",
        "CI_PROJECT_DIR": os.fspath(folder),
        "ASSAY_SIGNING_KEY": os.fspath(key),
        "ASSAY_PUSH_TOKEN": "glpat-writes",
    }
    host.server.tokens["glpat-writes"] = "write"
    key.chmod(0o666)
    os.symlink(host.remote, host.remote.with_suffix(".git"))
    done = on_gitlab(folder, job, steps, told)
    assert done.returncode == 0, done.stderr
    assert host.git("show", f"main:{name(0)}", at=host.remote) == page(0).strip()
    assert branch not in host.refs()
    assert on_gitlab(folder, job, job["after_script"], told).returncode == 0
    assert not list((tmp_path / "builds/wiki.tmp").iterdir())
    host.git("pull", "-q")
    assay(host, "sync")
    assert "ci@example.org" in assay(host, "verdict", "verify", "main")


def on_gitlab(
    folder: Path, job: Mapping[str, Any], lines: list[str], told: Mapping[str, str]
) -> subprocess.CompletedProcess[str]:
    """Lines of a job, with its variables as GitLab expands them: `$$` stands for a dollar sign."""
    known = {**os.environ, **told, "GIT_ALLOW_PROTOCOL": "file:http"}
    variables = {
        each: re.sub(r"\$(\$|[A-Z_]+)", lambda found: "$" if found[1] == "$" else known.get(found[1], ""), value)
        for each, value in job["variables"].items()
    }
    command = ["bash", "-euo", "pipefail", "-c", "\n".join(lines)]
    return subprocess.run(command, cwd=folder, env={**known, **variables}, capture_output=True, text=True, check=False)


@pytest.mark.slow
def test_the_recipe_for_a_shell_says_what_the_job_says(host: Host) -> None:
    landed_here(host)
    host.git("switch", "-q", "-c", "topic", "origin/main")
    host.commit({name(1): page(1)})
    text = (ROOT / "docs/ci.md").read_text("utf-8")
    (block,) = [each for each in re.findall(r"^```sh\n(.*?)^```$", text, re.MULTILINE | re.DOTALL) if "origin" in each]
    done = subprocess.run(
        ["bash", "-euo", "pipefail", "-c", block], cwd=host.clone, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert result.parse((host.clone / "result.json").read_bytes(), "result").outcome == "passed"
    assert "**Passed" in (host.clone / "summary.md").read_text("utf-8")


def recipe(trigger: str) -> Any:
    """The recipe in docs/ci.md that has this in it."""
    text = (ROOT / "docs/ci.md").read_text("utf-8")
    found = re.findall(r"^```yaml\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    (block,) = [each for each in found if trigger in each]
    return yaml.safe_load(block)


# Benchmarks, from the pull request to the night after it is merged


@pytest.mark.slow
def test_a_planted_regression_is_commented_accepted_by_a_label_and_becomes_the_baseline(host: Host) -> None:
    host.commit(brewing())
    assay(host, "ci", "benchmarks")
    host.push("main")
    assay(host, "sync")
    pull = host.offered({"tools/tea.sh": WRONG})
    done = host.checked(pull)
    assert (done.code, done.failed) == (1, "Check the change"), done.log
    (told,) = uploaded(host)
    assert told.cause == "benchmark.tea regressed (1 case)"
    assert host.commented(pull, done).code == 0
    [comment] = host.api.comments_on(pull)
    assert "| `tea` | brewer | 3 | 100" in comment.body
    assert "- **regressed** `tea` `green`" in comment.body
    host.api.label(pull, "benchmark:accept-regression", "grace")
    again = host.checked(pull, action="labeled")
    assert again.code == 0, again.log
    assert host.commented(pull, again).code == 0
    assert "**Regression accepted** by a label" in host.api.comments_on(pull)[0].body
    commit = host.api.merge(pull)
    github = host.on_main(event_name="schedule", token=host.writing())
    night = host.job("scheduled", github, {}, environment={"ASSAY_CLOCK": "1704168000"})
    assert night.code == 0, night.log
    said = host.git("notes", "--ref=assay/feedback", "show", commit, at=host.remote)
    assert "the label benchmark:accept-regression on #1, set by grace" in said
    assert "green got worse, accepted by github-actions[bot]" in night.log
    assert "| `tides` | `tea` | accepted | green got worse" in night.summary
    host.git("fetch", "--quiet", "origin")
    after = host.checked(host.offered({"tools/tea.sh": f"# again\n{WRONG}"}, branch="next"))
    assert after.code == 0, after.log
