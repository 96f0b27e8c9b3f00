"""`git assay benchmark label`: said on the command line, or asked for on a terminal."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from gitops.git import snapshot
from gitops.git.repository import open_repository
from gitops.runs.context import Context
from gitops.runs.workspace import find
from gitops.suites import measuring
from tests.cli.on_terminal import on_terminal
from tests.suites.suite_runs import a_case, a_result, a_run, a_suite

Command = Callable[..., Any]
PROJECT = Path(__file__).parents[2]
RUN = "20240102-030405-00000001"


def expecting(name: str, mode: str, value: Any = None) -> Any:
    return a_case(name, expected={"mode": mode, "value": value, "metric_thresholds": None})


@pytest.fixture
def measured(wiki: Path, git: Callable[..., str]) -> Path:
    """The wiki with a run of two repeats: one case waits for a person with one output, another with two."""
    clock = lambda: datetime(2024, 1, 2, 3, 4, 5, tzinfo=UTC)  # noqa: E731
    context = Context(open_repository(wiki), clock)
    workspace = find(context.repository, "HEAD")
    where: dict[str, Any] = {"commit": git(wiki, "rev-parse", "HEAD"), "workspace": workspace.name}
    suite = a_suite(expecting("kind", "human", "a kind word"), expecting("short", "human"), a_case("plain"))
    runs = [
        a_run(
            [
                a_result("kind", "skipped", category="human", actual_output="Dear friend,\nwelcome \x1b[2Jback."),
                a_result("short", "skipped", category="human", actual_output=f"output {repeat}"),
                a_result("plain"),
            ],
            suite,
            repeat=repeat,
            **where,
        )
        for repeat in range(2)
    ]
    measuring.record(context, workspace, runs)
    return wiki


def test_a_case_is_labelled_in_every_repeat_that_gave_that_output(measured: Path, assay: Command) -> None:
    done = assay(measured, "benchmark", "label", RUN, "kind", "pass", "--reason", "it is", "--json")
    assert done.code == 0, done.err
    told = json.loads(done.out)
    jsonschema.validate(told, json.loads(assay(measured, "schema", "benchmark-label").out))
    assert [(each["case"], each["repeat"], each["label"], each["reason"]) for each in told["labels"]] == [
        ("kind", 0, "pass", "it is"),
        ("kind", 1, "pass", "it is"),
    ]
    assert told["waiting"] == 2


def test_where_repeats_differ_it_is_to_be_said_which(measured: Path, assay: Command, refused: Command) -> None:
    refused(assay(measured, "benchmark", "label", RUN, "short", "pass"), 2, "2 different outputs", "--repeat 0")
    done = assay(measured, "benchmark", "label", RUN, "short", "fail", "--repeat", "1")
    assert (done.code, done.out) == (0, "shell/short: fail, says Ada Writer\n1 waits for a person\n")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ((RUN, "lost", "pass"), "has no case 'lost'"),
        (("20990101-000000-00000000", "kind", "pass"), "there is no benchmark run"),
        ((RUN, "kind", "pass", "--repeat", "7"), "has no such repeat"),
        ((RUN, "kind", "pass", "--suite", "other"), "has no such repeat"),
        ((RUN, "kind", "perhaps"), "'perhaps' is not a value of pass|fail"),
        ((RUN,), "must be given where nobody can be asked"),
        ((RUN, "kind"), "must be given where nobody can be asked"),
    ],
)
def test_what_makes_no_sense_is_refused(
    measured: Path, assay: Command, refused: Command, words: tuple[str, ...], said: str
) -> None:
    refused(assay(measured, "benchmark", "label", *words), 2, said)


@pytest.mark.slow
def test_on_a_terminal_each_output_that_waits_is_shown_and_asked_for_once(measured: Path) -> None:
    code, out, err = on_terminal(measured, "yes\np\nit is\ns\nf\n\n", "benchmark", "label", RUN, "--json")
    assert code == 0, err
    told = json.loads(out)
    assert [(each["case"], each["repeat"], each["label"], each["reason"]) for each in told["labels"]] == [
        ("kind", 0, "pass", "it is"),
        ("kind", 1, "pass", "it is"),
        ("short", 1, "fail", ""),
    ]
    assert told["waiting"] == 1
    for said in (
        "1 of 3: shell/kind",
        "  goal: goal of kind",
        "  look for: a kind word",
        "  output, the same of 2 runs:",
        "  | Dear friend,",
        "  | welcome \u241b[2Jback.",
        "3 of 3: shell/short",
    ):
        assert said in err
    assert err.count("[p]ass, [f]ail, [s]kip, [q]uit? ") == 4


@pytest.mark.slow
@pytest.mark.parametrize("end", ["q\n", "\x04"])
def test_what_was_labelled_before_somebody_quits_is_kept(measured: Path, end: str) -> None:
    code, out, _ = on_terminal(measured, f"p\n\n{end}", "benchmark", "label", RUN)
    assert code == 0
    assert out.splitlines() == [
        "shell/kind, repeat 0: pass, says Ada Writer",
        "shell/kind, repeat 1: pass, says Ada Writer",
        "2 wait for a person",
    ]
    code, out, err = on_terminal(measured, "q\n", "benchmark", "label", RUN)
    assert (code, out) == (0, "2 wait for a person\n")
    assert "1 of 2: shell/short" in err


@pytest.mark.slow
def test_a_case_that_does_not_wait_may_be_labelled_too(measured: Path) -> None:
    code, out, err = on_terminal(measured, "f\nno\n", "benchmark", "label", RUN, "plain")
    assert code == 0, err
    assert "shell/plain, repeat 0: fail, says Ada Writer" in out


def test_nobody_is_asked_about_a_real_session_that_the_record_does_not_hold(wiki: Path, assay: Command) -> None:
    context = Context(open_repository(wiki), lambda: datetime(2024, 1, 2, 3, 4, 5, tzinfo=UTC))
    workspace = find(context.repository, "HEAD")
    where: dict[str, Any] = {"commit": snapshot.resolve(context.repository, "HEAD"), "workspace": workspace.name}
    case = expecting("real", "human").model_copy(update={"source": "organic"})
    waits = a_result("real", "skipped", category="human", actual_output="Dear Jane")
    measuring.record(context, workspace, [a_run([waits], a_suite(case), **where)])
    done = assay(wiki, "benchmark", "label", RUN)
    assert (done.code, done.out) == (0, "1 waits for a person\n")
    assert "1 output is not shown: no record holds what real sessions came to" in done.err
    assert assay(wiki, "benchmark", "label", RUN, "real", "pass").code == 0


def test_where_nothing_waits_it_is_said(measured: Path, assay: Command) -> None:
    for words in (("kind",), ("short", "--repeat", "0"), ("short", "--repeat", "1")):
        assert assay(measured, "benchmark", "label", RUN, words[0], "pass", *words[1:]).code == 0
    done = assay(measured, "benchmark", "label", RUN)
    assert (done.code, done.out) == (0, "nothing waits for a person\n")
