from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from gitops.config import Config, parse
from gitops.errors import UsageError
from gitops.verify import checks
from gitops.verify.finding import Finding, Level
from gitops.verify.registry import Registered, level_of, refuse_unknown, registry

ROOT = Path(__file__).parents[2]
EVERY = [pytest.param(one, id=name) for name, one in registry().items()]
UNSEALED = [pytest.param(one, id=name) for name, one in registry().items() if not one.check.sealed]
DOCS = (ROOT / "docs/checks.md").read_text("utf-8")


def section(check: str) -> str:
    return next(part for part in re.split(r"^## ", DOCS, flags=re.MULTILINE) if part.split("\n")[0] == check)


def test_the_registry_is_the_folder() -> None:
    folder = Path(checks.__path__[0])
    assert list(registry()) == sorted(path.stem for path in folder.glob("*.py") if path.stem != "__init__")


@pytest.mark.parametrize("one", EVERY)
def test_its_twin_test_shows_every_result(one: Registered) -> None:
    twin = (ROOT / f"tests/verify/checks/test_{one.id}.py").read_text("utf-8")
    for result in one.check.results:
        assert f'"{result}"' in twin, f"{result} of {one.id} is never shown"


@pytest.mark.parametrize("one", EVERY)
def test_the_first_line_of_its_docstring_is_one_sentence(one: Registered) -> None:
    assert re.fullmatch(r"[A-Z](?:[^.]|\.(?! ))*\.", one.explanation.split("\n")[0])


@pytest.mark.parametrize("one", EVERY)
def test_its_declaration_is_whole(one: Registered) -> None:
    check = one.check
    assert check.version >= 1
    assert (check.page is None) != (check.run is None)
    assert (check.scope == "run") == (check.run is not None)
    assert check.results
    assert all(re.fullmatch(r"[a-z][a-z0-9_]*", name) for name in check.results)


@pytest.mark.parametrize("one", EVERY)
def test_the_docs_have_its_results_with_their_levels_and_an_example(one: Registered) -> None:
    told = dict(re.findall(r"^\| `(\w+)` \| (\w+) \|", section(one.id), flags=re.MULTILINE))
    assert told == {name: level.value for name, level in one.check.results.items()}
    assert re.search(rf"^> `(error|warning|note) {one.id} ", section(one.id), flags=re.MULTILINE)
    assert "Change it:" in section(one.id) or "Its levels are fixed" in section(one.id)


def test_the_docs_name_no_check_that_is_not_there() -> None:
    assert re.findall(r"^## (\w+)$", DOCS, flags=re.MULTILINE) == list(registry())


def configured(one: Registered, body: str) -> Config:
    return parse(f"[checks.{one.id}]\n{body}".encode())


@pytest.mark.parametrize("one", EVERY)
def test_settings_change_every_level_unless_the_check_is_sealed(one: Registered) -> None:
    for wanted in ("error", "warning", "note", "off"):
        config = configured(one, f'level = "{wanted}"\n')
        if one.check.sealed:
            with pytest.raises(UsageError, match="level is fixed"):
                refuse_unknown(config, "assay.toml")
        else:
            refuse_unknown(config, "assay.toml")
        for result, default in one.check.results.items():
            expected = None if wanted == "off" else Level(wanted)
            is_fixed = one.check.sealed or default is Level.NONE
            assert level_of(one, result, config) == (default if is_fixed else expected)


@pytest.mark.parametrize("one", UNSEALED)
def test_a_result_of_its_own_outranks_the_whole_check(one: Registered) -> None:
    result = next(name for name, level in one.check.results.items() if level is not Level.NONE)
    config = configured(one, f'level = "off"\nresults = {{ {result} = "warning" }}\n')
    assert level_of(one, result, config) is Level.WARNING


def test_an_unknown_check_or_result_names_the_nearest() -> None:
    with pytest.raises(UsageError, match=r"unknown check 'orphans'") as unknown_check:
        refuse_unknown(parse(b'[checks.orphans]\nlevel = "off"\n'), "assay.toml")
    assert unknown_check.value.hint == "did you mean 'orphan'?"
    with pytest.raises(UsageError, match=r"unknown result 'brokn'") as unknown_result:
        refuse_unknown(parse(b'[checks.links.results]\nbrokn = "off"\n'), "assay.toml")
    assert unknown_result.value.hint == "did you mean 'broken'?"


def test_a_level_that_the_policy_sets_holds_for_single_cases_too(said_by: Callable[..., list[Finding]]) -> None:
    versions = {"raw/a.md": [("b", "2024-02-01", "Now.\n"), ("a", "2024-01-01", "It was so then.\n")]}
    page = {"wiki/a.md": 'A claim.[^1]\n\n[^1]: raw/a.md, "It was so then"\n'}
    found = said_by("quote_anchor", {"raw/a.md": "Now.\n"}, page, versions=versions)
    assert [one.level for one in found] == ["error"]
    toml = '[checks.quote_anchor.results]\ndrifted = "warning"\n'
    found = said_by("quote_anchor", {"raw/a.md": "Now.\n"}, page, versions=versions, toml=toml)
    assert [one.level for one in found] == ["warning"]
