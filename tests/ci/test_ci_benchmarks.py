"""What a check of a change says of the benchmark suites that it affects: real suites of small shell programs."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from gitops.ci import rules
from gitops.ci.events import ACCEPT_LABEL, Event
from gitops.ci.suite_answers import How
from gitops.runs import feedback
from tests.ci.suites_driving import CASES, LIMITS, TEA, WRONG, Brewery, brewing, case, files, suite
from tests.runs.driving import Wiki

PATHS = {
    "skills/tea/benchmarks/suite.json": True,
    "skills/tea/benchmarks": True,
    "Skills/Tea/BENCHMARKS./cases/a.json": True,
    "gold/suites/tea/suite.json": True,
    "Gold/suites/tea/helper.py": True,
    "golden/suites/tea/suite.json": False,
    "skills/tea/SKILL.md": False,
    "skills/benchmarks/notes.md": False,
    "more/skills/tea/benchmarks/suite.json": False,
}


@pytest.fixture
def make_brewery(make_repository: Callable[..., Path]) -> Callable[..., Brewery]:
    def make(policy: str = "", more: Mapping[str, str] | None = None) -> Brewery:
        return Brewery(Wiki(make_repository(brewing(policy, more))))

    return make


@pytest.fixture
def brewery(make_brewery: Callable[..., Brewery]) -> Brewery:
    return make_brewery()


@pytest.mark.slow
def test_a_planted_regression_fails_the_check_and_is_named(brewery: Brewery) -> None:
    brewery.measured()
    base = brewery.wiki.git("rev-parse", "HEAD")
    brewery.commit({"tools/tea.sh": WRONG})
    found = brewery.checked(base)
    assert (found.result.outcome, found.exit_code()) == ("failed", 1)
    assert found.result.cause == "benchmark.tea regressed (1 case)"
    [row] = found.result.benchmarks
    assert (row.suite, row.agent, row.verdict, row.gated, row.cases) == ("tea", "brewer", "regressed", True, 3)
    assert [(each.case, each.kind) for each in row.regressions] == [("green", "pass_to_fail")]
    assert (row.before, round(row.after or 0, 3)) == (1.0, 0.667)
    assert "tools/tea.sh" in row.because


@pytest.mark.slow
def test_a_change_that_keeps_what_passed_passes_and_needs_no_page(brewery: Brewery) -> None:
    brewery.measured()
    base = brewery.wiki.git("rev-parse", "HEAD")
    brewery.commit({"tools/tea.sh": f"# a word\n{TEA}"})
    found = brewery.checked(base, metric=None)
    assert (found.result.outcome, found.exit_code(fail_on_neutral=True)) == ("passed", 0)
    assert found.result.cause.endswith("no metric was measured; of 1 benchmark suite none regressed.")
    assert found.result.benchmarks[0].verdict == "no regression"


def test_a_change_that_a_suite_does_not_depend_on_runs_none(brewery: Brewery) -> None:
    base = brewery.wiki.git("rev-parse", "HEAD")
    brewery.commit({"notes.txt": "more\n"})
    found = brewery.checked(base)
    assert (found.result.is_touched, found.result.benchmarks) == (False, ())


@pytest.mark.slow
def test_without_a_baseline_nothing_is_gated_and_that_is_told(brewery: Brewery) -> None:
    brewery.measured(accept=False)
    base = brewery.wiki.git("rev-parse", "HEAD")
    brewery.commit({"tools/tea.sh": WRONG})
    found = brewery.checked(base)
    assert (found.result.outcome, found.exit_code(), found.exit_code(fail_on_neutral=True)) == ("neutral", 0, 3)
    assert found.result.cause == "benchmark.tea has no baseline, nothing gated"
    assert found.result.benchmarks[0].verdict == "no baseline"


@pytest.mark.slow
def test_a_label_or_a_record_lets_it_pass_and_the_result_says_so(brewery: Brewery) -> None:
    brewery.measured()
    base = brewery.wiki.git("rev-parse", "HEAD")
    head = brewery.commit({"tools/tea.sh": WRONG})
    labelled = Event(labels=(ACCEPT_LABEL,))
    found = brewery.checked(base, event=labelled)
    assert (found.result.outcome, found.result.accepted is not None) == ("passed", True)
    assert (found.result.benchmarks[0].gated, found.result.benchmarks[0].accepted) == (False, True)
    told = brewery.checked(base, accept="Green tea is out").result
    assert (told.outcome, told.accepted is not None and told.accepted.reason) == ("passed", "Green tea is out")
    [record] = feedback.accepted_on(brewery.wiki.context(), head, base)
    assert record.metrics == ("benchmark.tea",)
    assert brewery.checked(base).result.outcome == "passed"


@pytest.mark.slow
def test_what_was_accepted_of_another_change_is_not_taken_over_by_a_merge(brewery: Brewery) -> None:
    brewery.measured()
    wiki, base = brewery.wiki, brewery.wiki.git("rev-parse", "HEAD")
    wiki.git("switch", "--quiet", "--create", "other")
    accepted = brewery.commit({"notes.txt": "more\n"})
    feedback.accept_regression(wiki.context(), wiki.workspace(base), accepted, "set by grace on #7", base=base)
    wiki.git("switch", "--quiet", "--create", "change", base)
    brewery.commit({"tools/tea.sh": WRONG})
    wiki.git("merge", "--quiet", "--no-ff", "--no-edit", "other")  # of which a record is
    assert brewery.checked(base).result.outcome == "failed"
    wiki.git("branch", "--force", "main", "other")  # which has landed, and is merged into the change again
    wiki.git("switch", "--quiet", "--create", "newer", base)
    brewery.commit({"tools/tea.sh": WRONG})
    wiki.git("merge", "--quiet", "--no-ff", "--no-edit", "main")
    assert brewery.checked("main").result.outcome == "failed"
    wiki.git("switch", "--quiet", "--create", "evil", base)
    wiki.git("merge", "--quiet", "--no-ff", "--no-commit", "other")
    brewery.commit({"tools/tea.sh": WRONG}, "Merge, and more")
    assert brewery.checked(base).result.outcome == "failed"


@pytest.mark.slow
def test_a_queue_merges_what_somebody_accepted(brewery: Brewery) -> None:
    brewery.measured()
    wiki, base = brewery.wiki, brewery.wiki.git("rev-parse", "HEAD")
    wiki.git("switch", "--quiet", "--create", "change")
    head = brewery.commit({"tools/tea.sh": WRONG})
    feedback.accept_regression(wiki.context(), wiki.workspace(base), head, "Green tea is out", base=base)
    wiki.git("switch", "--quiet", "--detach", base)
    moved = brewery.commit({"notes.txt": "more\n"})
    wiki.git("merge", "--quiet", "--no-ff", "--no-edit", "change")
    found = brewery.checked(moved).result
    assert (found.outcome, found.accepted is not None and found.accepted.reason) == ("passed", "Green tea is out")


@pytest.mark.slow
def test_a_change_cannot_mend_its_suite_its_files_or_its_baseline(brewery: Brewery) -> None:
    brewery.measured()
    base = brewery.wiki.git("rev-parse", "HEAD")
    loose = suite(cases=[case("black", "boil"), case("green", "boil"), case("mate", "ask")])
    brewery.commit({"tools/tea.sh": WRONG, **files(loose)})
    brewery.measured()
    found = brewery.checked(base)
    assert found.result.outcome == "failed"
    assert [each.case for each in found.result.benchmarks[0].regressions] == ["green"]
    assert found.result.policy_changed == ("gold/suites/tea/suite.json",)
    brewery.commit({"gold/suites/tea/suite.json": None})
    assert brewery.checked(base).result.outcome == "failed"


@pytest.mark.slow
@pytest.mark.parametrize("folder", ["gold/suites/kit", "skills/brewing/benchmarks"])
def test_what_lies_beside_a_suite_is_run_as_the_base_has_it(make_brewery: Callable[..., Brewery], folder: str) -> None:
    there = files(suite("kit", runs={"kind": "command", "words": ["sh", "{suite}/run.sh"]}), folder)
    brewery = make_brewery("", {**there, f"{folder}/run.sh": 'sh "$ASSAY_ROOT/tools/tea.sh"\n'})
    brewery.measured("kit")
    base = brewery.wiki.git("rev-parse", "HEAD")
    brewery.commit({"tools/tea.sh": WRONG, f"{folder}/run.sh": TEA})
    [row] = [row for row in brewery.checked(base).result.benchmarks if row.suite == "kit"]
    assert [each.case for each in row.regressions] == ["green"]


@pytest.mark.slow
def test_a_suite_that_only_the_change_has_is_shown_and_gates_nothing(brewery: Brewery) -> None:
    base = brewery.wiki.git("rev-parse", "HEAD")
    failing = suite("milk", cases=[case("black", "never")])
    brewery.commit(files(failing, "skills/milk/benchmarks"))
    row = brewery.row(base)
    assert (row.suite, row.verdict, row.gated, row.after) == ("milk", "new", False, 0.0)
    assert brewery.checked(base).result.policy_changed == ("skills/milk/benchmarks/suite.json",)


@pytest.mark.slow
def test_a_case_that_passed_and_cannot_be_judged_now_has_no_answer(make_brewery: Callable[..., Brewery]) -> None:
    passing = {"mode": "exact+metric_threshold", "value": "boil", "metric_thresholds": {"steep_s": 60.0}}
    one = {**case("black", "boil"), "expected": passing}
    telling = 'echo \'{"output": "boil", "metrics": {"steep_s": 5}}\'\n'
    brewery = make_brewery("", {**files(suite(cases=[one])), "tools/tea.sh": telling})
    brewery.measured()
    base = brewery.wiki.git("rev-parse", "HEAD")
    brewery.commit({"tools/tea.sh": "echo boil\n"})
    found = brewery.checked(base)
    [row] = found.result.benchmarks
    assert (row.verdict, row.lost, row.skipped) == ("no answer", ("black",), 1)
    assert (found.result.outcome, found.exit_code()) == ("neutral", 3)
    assert "black passed at the baseline and has no answer now" in found.missing


@pytest.mark.slow
def test_with_no_benchmarks_the_change_s_code_is_not_run_and_that_is_told(brewery: Brewery) -> None:
    brewery.measured()
    base = brewery.wiki.git("rev-parse", "HEAD")
    brewery.commit({"tools/tea.sh": WRONG})
    found = brewery.checked(base, benchmarks=How(is_on=False))
    assert found.result.benchmarks[0].verdict == "not run"
    assert any("benchmarks were not run, and the change affects tea" in told for told in found.result.remarks)


@pytest.mark.slow
def test_a_flaky_case_is_named_and_gates_on_its_pass_rate_over_as_many_repeats(
    make_brewery: Callable[..., Brewery],
) -> None:
    turns = "test $((ASSAY_SEED % 2)) = 0 && echo boil || echo warm\n"
    brewery = make_brewery("", {**files(suite(cases=[case("black", "boil")])), "tools/tea.sh": turns})
    brewery.measured(repeats=10)
    base = brewery.wiki.git("rev-parse", "HEAD")
    brewery.commit({"tools/tea.sh": f"# as often\n{turns}"})
    row = brewery.row(base)
    assert (row.verdict, row.flaky, row.repeats, row.before, row.after) == ("no regression", ("black",), 10, 0.5, 0.5)
    brewery.commit({"tools/tea.sh": "echo warm\n"})
    row = brewery.row(base)
    assert (row.verdict, row.gated, [each.kind for each in row.regressions]) == ("regressed", True, ["pass_rate"])


@pytest.mark.slow
def test_what_fails_four_times_of_five_in_every_case_fails_the_check(brewery: Brewery) -> None:
    brewery.measured(repeats=5)
    base = brewery.wiki.git("rev-parse", "HEAD")
    brewery.commit({"tools/tea.sh": f"test $((ASSAY_SEED % 5)) = 0 || exit 3\n{TEA}"})
    found = brewery.checked(base)
    assert (found.result.outcome, found.exit_code()) == ("failed", 1)
    [case] = found.result.benchmarks[0].regressions
    assert "the 3 cases that differ passed 15 of 15, pass 3 of 15" in case.told


@pytest.mark.slow
def test_a_change_may_mend_a_suite_that_the_base_has_broken(make_brewery: Callable[..., Brewery]) -> None:
    brewery = make_brewery("", {"gold/suites/odd/suite.json": "{"})
    brewery.measured()
    base = brewery.wiki.git("rev-parse", "HEAD")
    brewery.commit({"tools/tea.sh": f"# a word\n{TEA}", **files(suite("odd"), "gold/suites/odd")})
    found = brewery.checked(base)
    assert (found.result.outcome, found.exit_code()) == ("passed", 0)
    assert [(row.suite, row.verdict) for row in found.result.benchmarks] == [("tea", "no regression"), ("odd", "new")]
    assert any("at the base, and so not run: gold/suites/odd/suite.json" in told for told in found.result.remarks)


def test_benchmarks_of_skills_are_rules_and_the_skills_are_not(brewery: Brewery) -> None:
    workspace = brewery.wiki.workspace()
    told = {path: rules.is_rule(workspace, path) for path in PATHS}
    assert told == PATHS


@pytest.mark.slow
def test_what_would_land_is_run_and_not_what_a_stale_branch_has(brewery: Brewery) -> None:
    wiki = brewery.wiki
    wiki.git("branch", "stale")
    more = suite(cases=[*CASES, case("oolong", "simmer")])
    newer = TEA.replace("*black*)", "*oolong*) echo simmer;; *black*)")
    brewery.commit(
        {
            "tools/brew.sh": newer,
            **files({**more, "runs": {"kind": "command", "words": ["sh", "{root}/tools/brew.sh"]}}),
        }
    )
    brewery.measured()
    wiki.git("switch", "--quiet", "stale")
    brewery.commit({"tools/other.sh": "true\n"})
    row = brewery.row("main")
    assert (row.verdict, row.cases, row.after) == ("no regression", 4, 1.0)


@pytest.mark.slow
def test_a_target_that_is_gone_regresses_and_a_broken_suite_of_the_change_is_told(brewery: Brewery) -> None:
    brewery.measured()
    base = brewery.wiki.git("rev-parse", "HEAD")
    brewery.commit({"tools/tea.sh": None})
    assert brewery.checked(base).result.outcome == "failed"
    brewery.commit({"tools/tea.sh": TEA, "gold/suites/odd/suite.json": "{"})
    found = brewery.checked(base)
    assert (found.result.outcome, found.exit_code()) == ("neutral", 3)
    assert "the change leaves a suite that cannot be read: gold/suites/odd/suite.json" in found.missing


def test_a_suite_of_a_model_is_not_asked_by_a_check(make_brewery: Callable[..., Brewery]) -> None:
    prompt = suite(runs={"kind": "prompt", "preset": "claude", "system": "Brew."})
    brewery = make_brewery("", files(prompt))
    base = brewery.wiki.git("rev-parse", "HEAD")
    brewery.commit({"tools/tea.sh": WRONG})
    row = brewery.row(base)
    assert (row.verdict, row.repeats) == ("no baseline", 0)
    assert "a check asks no model that costs something" in row.why


@pytest.mark.slow
def test_no_secret_is_handed_to_a_change_s_code_unless_somebody_says_so(
    make_brewery: Callable[..., Brewery], monkeypatch: pytest.MonkeyPatch
) -> None:
    asking = suite(limits={**LIMITS, "env": ["TEA_KEY"]})
    brewery = make_brewery("", files(asking))
    brewery.measured()
    base = brewery.wiki.git("rev-parse", "HEAD")
    brewery.commit({"tools/tea.sh": 'echo "$TEA_KEY"\n'})
    monkeypatch.setenv("TEA_KEY", "s3cret")
    monkeypatch.setenv("ASSAY_BENCHMARK_SECRETS", "TEA_KEY")  # said of this repository, not of every change to it
    found = brewery.checked(base)
    assert (found.result.outcome, found.exit_code(), found.result.benchmarks[0].verdict) == ("neutral", 3, "no answer")
    assert "would be handed TEA_KEY of this environment" in found.missing
    assert found.result.benchmarks[0].lost == ("black", "green", "mate")
    assert brewery.checked(base, event=Event(labels=(ACCEPT_LABEL,))).result.outcome == "passed"
    assert "--benchmarks" in found.mend
    told = brewery.checked(base, benchmarks=How(is_told=True))
    assert "s3cret" in told.result.benchmarks[0].regressions[0].told
    monkeypatch.delenv("TEA_KEY")
    assert brewery.checked(base).result.outcome == "failed"


def test_a_suite_that_the_change_brings_in_gets_no_network(brewery: Brewery) -> None:
    base = brewery.wiki.git("rev-parse", "HEAD")
    brewery.commit(files(suite("milk", limits={**LIMITS, "network": True}), "skills/milk/benchmarks"))
    row = brewery.row(base)
    assert (row.verdict, row.repeats, "asks for the network" in row.why) == ("new", 0, True)


# The hard rule


PROMPTED = suite(depends_on={"paths": ["tools/*"], "prompts": ["prompts/*.md"]})


@pytest.mark.slow
def test_a_prompt_that_changes_without_an_ablation_fails_and_no_label_helps(
    make_brewery: Callable[..., Brewery],
) -> None:
    brewery = make_brewery("", {**files(PROMPTED), "prompts/brew.md": "Be kind.\n"})
    brewery.measured()
    base = brewery.wiki.git("rev-parse", "HEAD")
    head = brewery.commit({"prompts/brew.md": "Be brief.\n"})
    found = brewery.checked(base, event=Event(labels=(ACCEPT_LABEL,)))
    assert (found.result.outcome, found.exit_code()) == ("failed", 1)
    assert found.result.cause == "prompts/brew.md changed without an ablation that shows no harm"
    [hard] = found.result.unablated
    assert (hard.key, hard.suite) == ("prompts/brew.md", "tea")
    assert hard.mend.startswith(f"git assay benchmark ablation {base[:10]} {head[:10]} --suite tea")
    assert found.result.remarks[0] == f"mend: {hard.mend}"


@pytest.mark.slow
def test_an_ablation_that_shows_no_harm_lets_the_change_pass(make_brewery: Callable[..., Brewery]) -> None:
    brewery = make_brewery("[benchmarks]\nmargin = 0.5\n", {**files(PROMPTED), "prompts/brew.md": "Be kind.\n"})
    brewery.measured()
    base = brewery.wiki.git("rev-parse", "HEAD")
    head = brewery.commit({"prompts/brew.md": "Be brief.\n"})
    [hard] = brewery.checked(base).result.unablated
    brewery.wiki.git("branch", "offered")
    done = brewery.wiki.assay(*hard.mend.split()[2:], "--jobs", "2")  # what the check says mends it
    assert done.returncode == 0, done.stderr
    found = brewery.checked(base)
    assert (found.result.outcome, found.result.unablated) == ("passed", ())
    brewery.commit({"prompts/brew.md": "Be rude.\n"})
    assert brewery.checked(base).result.unablated[0].key == "prompts/brew.md"
    assert brewery.checked(base, head=head).result.outcome == "passed"


@pytest.mark.slow
def test_a_preset_is_held_to_it_beside_what_the_base_has_now(
    make_brewery: Callable[..., Brewery],
) -> None:
    asked = suite(depends_on={"paths": ["tools/*"], "presets": ["fast"]})
    policy = '[llm.presets.fast]\nmodel = "one"\n'
    brewery = make_brewery(policy, files(asked))
    brewery.measured()
    base = brewery.wiki.git("rev-parse", "HEAD")
    config = brewery.wiki.show("assay.toml")
    brewery.wiki.git("branch", "stale")
    brewery.commit({"assay.toml": f"{config}\n".replace('"one"', '"two"')})
    found = brewery.checked(base)
    assert found.result.unablated[0].key == "llm.presets.fast"
    assert found.result.benchmarks[0].because == "llm.presets.fast changed"
    brewery.wiki.git("switch", "--quiet", "stale")  # which touches the policy elsewhere, and not what main did to it
    brewery.commit({"assay.toml": config.replace("[workspace]", "# Tides\n[workspace]")})
    assert brewery.checked("main").result.unablated == ()


def test_eviction_that_no_suite_is_about_does_not_change_unmeasured(make_brewery: Callable[..., Brewery]) -> None:
    brewery = make_brewery()
    base = brewery.wiki.git("rev-parse", "HEAD")
    config = brewery.wiki.show("assay.toml")
    brewery.commit({"assay.toml": f"{config}\n[eviction]\nkeep = 0.4\n"})
    found = brewery.checked(base)
    assert (found.result.outcome, found.result.unablated[0].key) == ("failed", "eviction")
