"""What the workflow files say: valid, audited, pinned, with no more rights than needed, and one text with our own."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

from gitops.ci.workflows import NAMES, RELEASED, rendered
from tests.ci.github_expressions import value
from tests.ci.github_runner import ACTIONS, jobs_of, steps_of

ROOT = Path(__file__).parents[2]
TEMPLATES = {name: rendered(name) for name in NAMES}
ACTION = (ROOT / "action.yml").read_text("utf-8")
TEXTS = {**TEMPLATES, "action": ACTION, "ci": (ROOT / ".github/workflows/ci.yml").read_text("utf-8")}
PINNED = re.compile(r"uses: (?P<action>\S+?)@(?P<sha>[0-9a-f]{40}) # (?P<version>v\d+\.\d+\.\d+)$")


def tool(name: str) -> str:
    found = shutil.which(name, path=str(Path(sys.executable).parent)) or shutil.which(name)
    if found is None:
        pytest.skip(f"{name} is not installed")
    return found


def loaded(name: str) -> Any:
    """A workflow as YAML, whose key `on` YAML 1.1 takes for true."""
    document = yaml.safe_load(TEXTS[name])
    return {"on": document.pop(True, None), **document}


def written(folder: Path, texts: dict[str, str]) -> Path:
    """Files where an auditor looks for them."""
    for name, text in texts.items():
        file = folder / "action.yml" if name == "action" else folder / f".github/workflows/{name}.yml"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, "utf-8")
    return folder


# Actions


@pytest.mark.parametrize("name", TEXTS)
def test_every_action_is_pinned_by_its_sha_with_the_version_beside_it(name: str) -> None:
    for line in TEXTS[name].splitlines():
        if "uses:" in line and "uses: ./" not in line:
            found = PINNED.search(line)
            assert found, line
            assert name == "ci" or found["action"] in ACTIONS


def test_an_action_has_one_sha_everywhere() -> None:
    every = {(found["action"], found["sha"], found["version"]) for text in TEXTS.values() for found in _pins(text)}
    assert len(every) == len({action for action, _, _ in every}) == len(ACTIONS)


def _pins(text: str) -> list[re.Match[str]]:
    return [found for line in text.splitlines() if (found := PINNED.search(line))]


# Scripts


@pytest.mark.parametrize("name", TEXTS)
def test_no_expression_stands_inside_a_script(name: str) -> None:
    assert [step.name for step in steps_of(TEXTS[name]) if "${{" in step.run] == []


@pytest.mark.parametrize("name", TEXTS)
def test_shellcheck_has_nothing_to_say_about_the_scripts(name: str) -> None:
    for step in steps_of(TEXTS[name]):
        if step.run:
            done = subprocess.run(
                [tool("shellcheck"), "--shell=bash", "--enable=quote-safe-variables", "-"],
                input=f"set -euo pipefail\n{step.run}",
                capture_output=True,
                text=True,
                check=False,
            )
            assert done.returncode == 0, f"{step.name}: {done.stdout}"


@pytest.mark.parametrize("name", NAMES)
def test_a_workflow_calls_nothing_but_git_pip_and_git_assay(name: str) -> None:
    said = "\n".join(step.run for step in steps_of(TEXTS[name]))
    assert not re.search(r"\b(curl|wget|gh|jq|npm|npx|eval|source|docker)\b", said)


# Validation and audit


def validated(schema: str, *files: Path) -> subprocess.CompletedProcess[str]:
    command = [tool("check-jsonschema"), "--builtin-schema", schema, *map(str, files)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


@pytest.mark.slow
def test_the_workflows_and_the_action_are_what_github_takes(tmp_path: Path) -> None:
    folder = written(tmp_path, TEXTS)
    done = validated("vendor.github-workflows", *(folder / ".github/workflows").iterdir())
    assert done.returncode == 0, done.stdout + done.stderr
    done = validated("vendor.github-actions", folder / "action.yml")
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.slow
def test_the_validator_would_notice(tmp_path: Path) -> None:
    folder = written(tmp_path, {"evals": TEMPLATES["evals"].replace("runs-on:", "run-on:")})
    assert validated("vendor.github-workflows", *(folder / ".github/workflows").iterdir()).returncode == 1


def audited(folder: Path, *words: str) -> list[dict[str, Any]]:
    command = [tool("zizmor"), "--offline", "--persona=pedantic", "--strict-collection", "--format=json", *words]
    done = subprocess.run([*command, str(folder)], capture_output=True, text=True, check=False)
    assert done.stdout, done.stderr
    found: list[dict[str, Any]] = json.loads(done.stdout)
    return found


def test_the_audit_finds_nothing(tmp_path: Path) -> None:
    assert audited(written(tmp_path, TEXTS)) == []


def test_what_the_audit_would_find_is_the_trigger_that_two_of_them_need_and_nothing_else(tmp_path: Path) -> None:
    found = audited(written(tmp_path, {**TEMPLATES, "action": ACTION}), "--no-ignores")
    where = sorted((each["ident"], _file(each)) for each in found)
    assert where == [("dangerous-triggers", "comment.yml"), ("dangerous-triggers", "land.yml")]


def _file(finding: dict[str, Any]) -> str:
    return Path(finding["locations"][0]["symbolic"]["key"]["Local"]["verbatim_path"]).name


@pytest.mark.parametrize("name", TEXTS)
def test_whatever_is_ignored_has_its_reason(name: str) -> None:
    for line in TEXTS[name].splitlines():
        if "zizmor:" in line:
            assert re.search(r"# zizmor: ignore\[[a-z-]+\] \w+ \w+", line), line


@pytest.mark.parametrize(
    ("schema", "said"),
    [
        ("vendor.gitlab-ci", "merge_request_event"),
        ("vendor.gitlab-ci", '"schedule"'),
        ("vendor.github-workflows", "example/git-assay@"),
    ],
)
def test_a_recipe_in_the_documentation_is_what_its_host_takes(tmp_path: Path, schema: str, said: str) -> None:
    blocks = re.findall(r"^```yaml\n(.*?)^```$", (ROOT / "docs/ci.md").read_text("utf-8"), re.MULTILINE | re.DOTALL)
    (recipe,) = [block for block in blocks if said in block]
    file = tmp_path / "recipe.yml"
    file.write_text(recipe, "utf-8")
    done = validated(schema, file)
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_documentation_names_the_inputs_and_outputs_that_the_action_has() -> None:
    text = (ROOT / "docs/ci.md").read_text("utf-8")
    said = re.search(r"Inputs are (.+?)\. It installs", text, re.DOTALL)
    assert said
    action = yaml.safe_load(ACTION)
    assert re.findall(r"`([a-z-]+)`", said[1]) == [*action["inputs"], *action["outputs"]]


@pytest.mark.slow
def test_the_pre_commit_framework_takes_our_hooks_and_the_configuration_that_is_shown(tmp_path: Path) -> None:
    (shown,) = re.findall(r"^```yaml\n(.*?)^```$", (ROOT / "docs/pushing.md").read_text("utf-8"), re.M | re.S)
    (tmp_path / "shown.yaml").write_text(shown, "utf-8")
    hooks = ROOT / ".pre-commit-hooks.yaml"
    for words in (["validate-manifest", str(hooks)], ["validate-config", str(tmp_path / "shown.yaml")]):
        done = subprocess.run([tool("pre-commit"), *words], capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout + done.stderr
    offered = {each["id"] for each in yaml.safe_load(hooks.read_text("utf-8"))}
    assert {each["id"] for each in yaml.safe_load(shown)["repos"][0]["hooks"]} == offered


# Rights


RIGHTS = {
    "evals": {"contents": "read"},
    "comment": {"actions": "read", "contents": "read", "pull-requests": "write"},
    "verify-run": {"contents": "read"},
    "land": {"contents": "write", "pull-requests": "write"},
    "scheduled": {"contents": "write", "pull-requests": "write"},
    "judge": {"contents": "read"},
}
SECRETS = {
    "land": {"ASSAY_SIGNING_KEY", "ANTHROPIC_API_KEY"},
    "scheduled": {"ASSAY_SIGNING_KEY", "ANTHROPIC_API_KEY"},
    "judge": {"ANTHROPIC_API_KEY"},
}


@pytest.mark.parametrize("name", NAMES)
def test_each_has_the_rights_that_it_needs_and_no_other(name: str) -> None:
    assert loaded(name)["permissions"] == {}
    (job,) = jobs_of(TEXTS[name]).values()
    assert job["permissions"] == RIGHTS[name]


@pytest.mark.parametrize("name", NAMES)
def test_secrets_are_an_environments_and_only_where_they_are_needed(name: str) -> None:
    assert set(re.findall(r"secrets\.(\w+)", TEXTS[name])) == SECRETS.get(name, set())
    (job,) = jobs_of(TEXTS[name]).values()
    assert ("environment" in job) is (name in SECRETS)


@pytest.mark.parametrize("name", NAMES)
def test_no_checkout_keeps_the_token_and_none_is_shallow(name: str) -> None:
    for step in steps_of(TEXTS[name]):
        if step.uses.startswith("actions/checkout"):
            assert step.inputs["persist-credentials"] is False
            assert step.inputs["fetch-depth"] == 0


@pytest.mark.parametrize("name", ["evals", "verify-run"])
def test_where_a_change_brings_its_own_file_there_is_nothing_to_steal(name: str) -> None:
    assert set(loaded(name)["on"]) <= {"pull_request", "merge_group", "push"}
    assert all("ASSAY_LLM" not in step.env or step.env["ASSAY_LLM"] == "off" for step in steps_of(TEXTS[name]))
    assert RIGHTS[name] == {"contents": "read"}


def test_the_comment_never_checks_anything_out() -> None:
    assert not any("checkout" in step.uses for step in steps_of(TEXTS["comment"]))
    assert not re.search(r"\bgit (fetch|clone|pull|checkout|switch)\b", TEXTS["comment"])


@pytest.mark.parametrize("name", ["land", "scheduled"])
def test_what_may_write_checks_out_the_default_branch_alone(name: str) -> None:
    (ref,) = [step.inputs["ref"] for step in steps_of(TEXTS[name]) if step.uses.startswith("actions/checkout")]
    assert ref == "${{ github.event.repository.default_branch }}"


def test_landings_wait_for_one_another_and_none_is_dropped() -> None:
    assert loaded("land")["concurrency"] == {"group": "git-assay-land", "cancel-in-progress": False, "queue": "max"}


def test_one_listens_to_the_other_by_the_name_that_it_has() -> None:
    assert loaded("comment")["on"]["workflow_run"]["workflows"] == [loaded("evals")["name"]]
    assert loaded("land")["on"]["workflow_run"]["workflows"] == [loaded("verify-run")["name"]]


def test_the_artifact_is_uploaded_whatever_the_check_said_and_downloaded_by_its_name() -> None:
    (up,) = [step for step in steps_of(TEXTS["evals"]) if "upload" in step.uses]
    (down,) = [step for step in steps_of(TEXTS["comment"]) if "download" in step.uses]
    assert (up.condition, down.inputs["name"]) == ("always()", up.inputs["name"])
    assert down.goes_on


# Conditions


def taken(name: str, event: dict[str, Any], **variables: str) -> bool:
    (job,) = jobs_of(TEXTS[name]).values()
    return bool(value(job["if"], {"github": {"repository": "ada/wiki", "event": event}, "vars": variables}))


def pull_request(head: str, *labels: str, put: str = "") -> dict[str, Any]:
    """An event of a pull request: another push to it, or a label that was put on it."""
    told = {"pull_request": {"head": {"repo": {"full_name": head}}, "labels": [{"name": name} for name in labels]}}
    return told | ({"action": "labeled", "label": {"name": put}} if put else {"action": "synchronize"})


@pytest.mark.parametrize(
    ("event", "is_taken"),
    [
        (pull_request("eve/wiki", "git-assay:judge"), False),
        (pull_request("ada/wiki"), False),
        (pull_request("ada/wiki", "git-assay:judged"), False),
        ({"action": "synchronize", "pull_request": {"head": {}, "labels": [{"name": "git-assay:judge"}]}}, False),
        (pull_request("eve/wiki", "git-assay:judge", put="git-assay:judge"), False),
        (pull_request("ada/wiki", "bug", "git-assay:judge", put="bug"), False),
        (pull_request("ada/wiki", "bug", "git-assay:judge", put="git-assay:judge"), True),
        (pull_request("ada/wiki", "bug", "git-assay:judge"), True),
    ],
)
def test_a_model_judges_labelled_branches_of_the_repository_once_a_push(event: dict[str, Any], is_taken: bool) -> None:
    assert taken("judge", event) is is_taken


def test_a_label_that_asks_nothing_ends_no_judging_that_is_under_way() -> None:
    assert "concurrency" not in loaded("judge")
    (job,) = jobs_of(TEXTS["judge"]).values()
    assert job["concurrency"]["cancel-in-progress"] is True


def workflow_run(conclusion: str = "success", event: str = "push", head: str = "ada/wiki") -> dict[str, Any]:
    told = {"conclusion": conclusion, "event": event, "head_repository": {"full_name": head}}
    return {"workflow_run": {**told, "head_branch": "run/a-run"}}


@pytest.mark.parametrize(
    ("event", "is_taken"),
    [
        (workflow_run("failure"), False),
        (workflow_run(event="pull_request"), False),
        (workflow_run(head="eve/wiki"), False),
        (workflow_run(), True),
    ],
)
def test_a_run_lands_after_a_push_to_this_repository_that_was_verified(event: dict[str, Any], is_taken: bool) -> None:
    assert taken("land", event) is is_taken


def test_a_variable_lets_runs_be_judged_that_could_not_be_without_a_key() -> None:
    assert taken("land", workflow_run("failure"), ASSAY_LAND="any")
    assert not taken("land", workflow_run("failure", head="eve/wiki"), ASSAY_LAND="any")
    assert not taken("land", workflow_run("failure", event="pull_request"), ASSAY_LAND="any")


@pytest.mark.parametrize(
    ("event", "is_taken"),
    [
        (workflow_run("cancelled", "pull_request"), False),
        (workflow_run("skipped", "pull_request"), False),
        (workflow_run("success", "merge_group"), False),
        (workflow_run("success", "pull_request", "eve/wiki"), True),
        (workflow_run("failure", "pull_request"), True),
        (workflow_run("timed_out", "pull_request"), True),
    ],
)
def test_a_comment_is_for_pull_requests_whose_check_ended(event: dict[str, Any], is_taken: bool) -> None:
    assert taken("comment", event) is is_taken


@pytest.mark.parametrize("name", ["evals", "verify-run"])
def test_what_gates_has_no_condition_since_a_skipped_job_counts_as_passed(name: str) -> None:
    (job,) = jobs_of(TEXTS[name]).values()
    assert "if" not in job
    assert [step.name for step in steps_of(TEXTS[name]) if step.condition and "upload" not in step.uses] == []
    assert not any(step.goes_on for step in steps_of(TEXTS[name]))


# One text


@pytest.mark.parametrize("name", NAMES)
def test_our_own_workflow_is_the_template_with_another_package(name: str) -> None:
    own = (ROOT / f".github/workflows/{name}.yml").read_text("utf-8")
    found = re.search(r"^  ASSAY_PACKAGE: (.+)$", own, re.MULTILINE)
    assert found
    head, _, body = own.partition("\n\n")
    assert head == f"# Written by .ci/workflows from gitops/ci/templates/{name}.yml."
    assert body == rendered(name, found[1]), "the templates changed; .ci/workflows writes our own anew"
    assert found[1].startswith("git-assay[stats] @ git+")


@pytest.mark.parametrize("name", NAMES)
def test_a_template_installs_the_version_that_wrote_it(name: str) -> None:
    assert loaded(name)["env"] == {"ASSAY_PACKAGE": RELEASED}
    assert "VERSION" not in TEXTS[name]
