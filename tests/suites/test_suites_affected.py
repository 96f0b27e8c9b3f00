from __future__ import annotations

from typing import Any

import pytest

from gitops.config import parse
from gitops.suites.affected import affected
from gitops.suites.loading import Loaded
from tests.suites.suite_runs import a_case, a_suite

NOTHING = parse(b"")


def a_loaded(folder: str = "gold/suites/shell", **fields: Any) -> Loaded:
    return Loaded(a_suite(a_case("a"), **fields), folder)


def because(loaded: Loaded, *paths: str, base: str = "", head: str = "") -> list[str]:
    """Why a suite is affected; nothing where it is not."""
    return [each.because for each in affected([loaded], paths, parse(base.encode()), parse(head.encode()))]


def test_a_suite_that_names_nothing_is_always_run() -> None:
    assert because(a_loaded()) == ["it names nothing that it depends on, so it is always run"]


@pytest.mark.parametrize(
    ("paths", "told"),
    [
        (["tools/count.sh"], ["tools/count.sh changed"]),
        (["tools/b/x.py", "tools/a.py"], ["tools/a.py and 1 more changed"]),
        (["prompts/ask.md"], ["prompts/ask.md changed"]),
        (["wiki/page.md", "tools"], []),
        ([], []),
    ],
)
def test_a_suite_is_run_where_what_it_names_changed(paths: list[str], told: list[str]) -> None:
    named = {"paths": ["tools/*"], "prompts": ["prompts/*.md"]}
    assert because(a_loaded(depends_on=named), *paths) == told


@pytest.mark.parametrize("folder", ["wikis/sea/gold/suites/shell", "wikis/sea/skills/shell/benchmarks"])
def test_globs_begin_at_the_workspaces_folder(folder: str) -> None:
    loaded = a_loaded(folder, depends_on={"paths": ["tools/*"]})
    assert because(loaded, "wikis/sea/tools/x") == ["tools/x changed"]
    assert because(loaded, "tools/x", "wikis/seaside/tools/x") == []


def test_gold_may_lie_deeper() -> None:
    loaded = a_loaded("a/deep/gold/suites/shell", depends_on={"paths": ["tools/*"]})
    policy = parse(b'[workspace]\ngold = "deep/gold"\n')
    assert [each.because for each in affected([loaded], ["a/tools/x"], policy, policy)] == ["tools/x changed"]


def test_a_suite_that_changed_is_run_but_not_for_another_baseline() -> None:
    loaded = a_loaded(depends_on={"paths": ["tools/*"]})
    assert because(loaded, "gold/suites/shell/cases/a.json") == ["the suite itself changed"]
    assert because(loaded, "gold/suites/shell/baseline.json", "gold/suites/shells/suite.json") == []


PRESET = '[llm.presets.small]\nprovider = "anthropic"\nmodel = "{}"\n'


def test_a_preset_that_it_depends_on_runs_it_when_its_table_changes() -> None:
    loaded = a_loaded(depends_on={"presets": ["small"]})
    one, other = PRESET.format("claude-haiku-4-5"), PRESET.format("claude-sonnet-4-5")
    assert because(loaded, "assay.toml", base=one, head=one + "[coverage]\nterms = 3\n") == []
    assert because(loaded, "assay.toml", base=one, head=other) == ["llm.presets.small changed"]
    assert because(loaded, "assay.toml", base="", head=one) == ["llm.presets.small changed"]
    assert because(a_loaded(depends_on={"presets": ["large"]}), base=one, head=other) == []


def test_a_prompt_is_asked_of_the_writer_where_it_names_no_preset() -> None:
    prompt = a_loaded(runs={"kind": "prompt", "system": "Be kind."}, depends_on={"paths": ["x"]})
    changed = '[llm]\nwriter = "small"\n' + PRESET.format("claude-haiku-4-5")
    assert because(prompt, head=changed) == ["llm.writer changed"]


def test_eviction_concerns_agents_with_tools_and_suites_that_say_so() -> None:
    named = {"paths": ["x"]}
    changed = "[eviction.weights]\nage = 2.0\n"
    agent = a_loaded(runs={"kind": "prompt", "preset": "offline", "tools": ["search"]}, depends_on=named)
    assert because(agent, head=changed) == ["eviction changed"]
    assert because(a_loaded(metadata={"component": "eviction"}, depends_on=named), head=changed) == ["eviction changed"]
    assert because(a_loaded(depends_on=named), head=changed) == []


def test_the_whole_policy_may_be_named() -> None:
    loaded = a_loaded(depends_on={"paths": ["assay.toml"]})
    assert because(loaded, "assay.toml") == ["assay.toml changed"]


def test_suites_keep_their_order_and_tell_all_reasons() -> None:
    first = a_loaded("gold/suites/one", suite_id="one", depends_on={"paths": ["tools/*"]})
    second = a_loaded("gold/suites/two", suite_id="two")
    found = affected([first, second], ["tools/x", "gold/suites/one/suite.json"], NOTHING, NOTHING)
    assert [each.loaded.suite.suite_id for each in found] == ["one", "two"]
    assert found[0].because == "the suite itself changed; tools/x changed"
