"""Baselines that follow the branch: suites that are due at its tip, and what becomes of them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from gitops.ci import suites_due
from gitops.ci.events import ACCEPT_LABEL
from gitops.ci.suite_answers import How
from gitops.ci.suites_due import Followed
from gitops.runs import feedback, measurements
from gitops.runs.feedback import Baseline
from gitops.suites import flow, loading
from tests.ci.suites_driving import TEA, WRONG, Brewery, brewing, case, files, suite
from tests.runs.driving import Wiki
from tests.runs.signed import POLICY, make_key, signer


@pytest.fixture
def make_brewery(make_repository: Callable[..., Path]) -> Callable[..., Brewery]:
    def make(policy: str = "", **more: str) -> Brewery:
        return Brewery(Wiki(make_repository(brewing(policy, more))))

    return make


@pytest.fixture
def brewery(make_brewery: Callable[..., Brewery]) -> Brewery:
    return make_brewery()


def followed(brewery: Brewery) -> Followed:
    context = brewery.wiki.context()
    tip = brewery.wiki.git("rev-parse", "main")
    [found] = suites_due.followed(context, brewery.wiki.workspace(tip), tip, How(jobs=2))
    brewery.wiki.later(minutes=1)
    return found


def accepted(brewery: Brewery) -> list[Baseline]:
    return feedback.everything(brewery.wiki.context(), Baseline)


@pytest.mark.slow
def test_the_first_run_at_the_tip_is_the_first_baseline_and_then_stands(brewery: Brewery) -> None:
    first = followed(brewery)
    assert (first.became, first.code) == ("first baseline", 0)
    [said] = accepted(brewery)
    assert (said.run, said.suite, said.commit) == (first.run, "tea", brewery.wiki.git("rev-parse", "main"))
    brewery.commit({"notes.txt": "more\n"})
    again = followed(brewery)
    assert (again.became, again.run) == ("stands", first.run)
    assert len(measurements.everything(brewery.wiki.context())) == 1


@pytest.mark.slow
def test_a_run_that_is_no_worse_is_the_new_baseline(brewery: Brewery) -> None:
    first = followed(brewery)
    head = brewery.commit({"tools/tea.sh": f"# a word\n{TEA}"})
    found = followed(brewery)
    assert (found.became, found.code, found.run != first.run) == ("new baseline", 0, True)
    assert accepted(brewery)[-1].commit == head
    assert "tools/tea.sh changed" in accepted(brewery)[-1].reason


@pytest.mark.slow
def test_what_regressed_moves_nothing_until_somebody_accepts_it(brewery: Brewery) -> None:
    followed(brewery)
    head = brewery.commit({"tools/tea.sh": WRONG})
    found = followed(brewery)
    assert (found.became, found.code) == ("regressed", 1)
    assert found.told.partition(": ")[2].startswith("green: ")
    assert found.mend == f'git assay benchmark baseline {found.run} --reason "why"'
    assert len(accepted(brewery)) == 1
    assert followed(brewery).became == "regressed"  # and is told again, as long as it stands
    context, workspace = brewery.wiki.context(), brewery.wiki.workspace(head)
    feedback.accept_regression(context, workspace, head, "of no interest", metrics=["benchmark.milk", "M1"])
    assert followed(brewery).became == "regressed"
    feedback.accept_regression(context, workspace, head, "set by grace on #7", label=ACCEPT_LABEL)
    late = followed(brewery)
    assert (late.became, late.code) == ("accepted", 0)
    assert "green got worse, accepted by" in accepted(brewery)[-1].reason
    assert followed(brewery).became == "stands"


@pytest.mark.slow
def test_what_came_after_an_acceptance_is_not_what_was_accepted(brewery: Brewery) -> None:
    followed(brewery)
    head = brewery.commit({"notes.txt": "of another suite\n"})
    context, workspace = brewery.wiki.context(), brewery.wiki.workspace(head)
    feedback.accept_regression(context, workspace, head, "set by grace on #7", label=ACCEPT_LABEL)
    worse = brewery.commit({"tools/tea.sh": WRONG})
    assert followed(brewery).became == "regressed"
    feedback.accept_regression(context, workspace, worse, "set by grace on #8", label=ACCEPT_LABEL)
    found = followed(brewery)
    assert (found.became, "#8" in found.told) == ("accepted", True)


@pytest.mark.slow
@pytest.mark.parametrize("commit", ["", "0" * 40])
def test_of_a_file_that_was_measured_elsewhere_nobody_knows_what_came_since(brewery: Brewery, commit: str) -> None:
    context, tip = brewery.wiki.context(), brewery.wiki.git("rev-parse", "main")
    workspace = brewery.wiki.workspace(tip)
    [run] = flow.run_suite(
        context, workspace, tip, loading.suite_at(context, workspace, tip, "tea"), flow.Wanted(jobs=2)
    )
    told = run.model_copy(update={"commit": commit}).model_dump_json()
    head = brewery.commit({"gold/suites/tea/baseline.json": told, "tools/tea.sh": WRONG})
    feedback.accept_regression(brewery.wiki.context(), workspace, head, "of something")
    assert followed(brewery).became == "regressed"


@pytest.mark.slow
def test_an_acceptance_of_before_the_baseline_counts_no_more(brewery: Brewery) -> None:
    old = brewery.wiki.git("rev-parse", "main")
    feedback.accept_regression(brewery.wiki.context(), brewery.wiki.workspace(old), old, "long ago")
    brewery.commit({"notes.txt": "more\n"})
    followed(brewery)
    brewery.commit({"tools/tea.sh": WRONG})
    assert followed(brewery).became == "regressed"


@pytest.mark.slow
def test_what_nothing_passed_in_is_no_baseline(make_brewery: Callable[..., Brewery]) -> None:
    brewery = make_brewery(**files(suite(cases=[case("black", "never")])))
    found = followed(brewery)
    assert (found.became, found.code) == ("no answer", 3)
    assert "nothing passed" in found.told
    assert accepted(brewery) == []


def test_a_suite_that_cannot_be_read_or_run_is_told(make_brewery: Callable[..., Brewery]) -> None:
    broken = make_brewery(**{"gold/suites/tea/suite.json": "{"})
    assert (followed(broken).became, followed(broken).code) == ("could not run", 3)
    mute = suite()
    del mute["runs"]
    broken.commit(files(mute))
    assert "'runs' is missing" in followed(broken).told


@pytest.mark.slow
def test_where_signatures_are_demanded_the_baseline_is_signed_or_is_none(
    make_brewery: Callable[..., Brewery], tmp_path: Path
) -> None:
    key = make_key(tmp_path, "verifier")
    brewery = make_brewery(POLICY, **{".assay/allowed_signers": signer(key)})
    found = followed(brewery)
    assert (found.became, accepted(brewery)) == ("could not run", [])
    brewery.wiki.git("config", "assay.signingkey", str(key))
    assert followed(brewery).became == "first baseline"
    assert followed(brewery).became == "stands"


@pytest.mark.slow
def test_the_command_tells_each_suite_and_ends_with_the_worst(brewery: Brewery) -> None:
    done = brewery.wiki.assay("ci", "benchmarks", "--jobs", "2")
    assert done.returncode == 0, done.stderr
    assert "first baseline" in done.stdout
    brewery.commit({"tools/tea.sh": WRONG})
    brewery.wiki.later(minutes=1)
    again = brewery.wiki.assay("ci", "benchmarks")
    assert (again.returncode, "regressed" in again.stdout) == (1, True)
    assert brewery.wiki.assay("--quiet", "ci", "benchmarks").stdout.count("tea") >= 1


def test_without_suites_none_is_due(make_repository: Callable[..., Path]) -> None:
    from tests.runs.driving import first_files

    done = Wiki(make_repository(first_files())).assay("ci", "benchmarks")
    assert (done.returncode, done.stdout) == (0, "no suite of benchmarks is there, so none is due\n")
