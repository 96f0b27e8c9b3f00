from __future__ import annotations

from collections.abc import Callable

import pytest

from gitops.verify.finding import Finding

Results = Callable[..., list[tuple[str, str, str, int, bool]]]
SaidBy = Callable[..., list[Finding]]

RAW = {"raw/mill.md": "The mill was built in 1911.\n", "raw/coffee-guide.md": "Grind it finely.\n"}


def page(path: str) -> str:
    return f'A claim.[^1]\n\n[^1]: {path}, "built in 1911"\n'


def test_a_source_that_is_there_says_nothing(results: Results) -> None:
    assert results("source_exists", RAW, {"wiki/a.md": page("raw/mill.md")}) == []


@pytest.mark.parametrize("form", ["caf\u00e9", "cafe\u0301"])
def test_a_source_is_found_in_either_unicode_form(results: Results, form: str) -> None:
    before = {f"raw/{form}.md": "built in 1911"}
    assert results("source_exists", before, {"wiki/a.md": page("raw/cafe\u0301.md")}) == []


def test_a_source_whose_name_is_composed_in_part_is_found(results: Results) -> None:
    before = {"raw/e\u0301t\u00e9.md": "built in 1911"}
    assert results("source_exists", before, {"wiki/a.md": page("raw/\u00e9t\u00e9.md")}) == []


def test_a_missing_source_suggests_the_command_that_brings_it_in(said_by: SaidBy) -> None:
    [found] = said_by("source_exists", RAW, {"wiki/a.md": page("raw/nope.md")})
    assert (found.result, found.level, found.line) == ("missing", "error", 3)
    assert found.repair == "bring the source in with: git assay raw add nope.md"


@pytest.mark.parametrize("slip", ["raw/Mill.md", "RAW/mill.md", "raw/mil.md", "mill.md", "raw/old/mill.md"])
def test_a_slip_of_the_name_suggests_the_source_that_is_there(said_by: SaidBy, slip: str) -> None:
    [found] = said_by("source_exists", RAW, {"wiki/a.md": page(slip)})
    assert (found.result, found.level, found.repair) == ("missing", "error", "cite raw/mill.md")


@pytest.mark.parametrize(
    ("cited", "why"),
    [
        ("wiki/b.md", "is not under raw/"),
        ("assay.toml", "is not under raw/"),
        (".git/config", "leads into '.git'"),
        (".GIT/config", "leads into '.git'"),
        ("raw/../wiki/b.md", "leads elsewhere"),
        ("../other/raw/mill.md", "leads elsewhere"),
        ("/etc/passwd", "is absolute"),
        ("C:/mill.md", "drive letter"),
        ("raw", "is a folder"),
        ("beta/raw/notes.md", "is not under raw/"),
    ],
)
def test_what_is_no_source_is_refused(said_by: SaidBy, cited: str, why: str) -> None:
    before = RAW | {"wiki/b.md": "built in 1911", "assay.toml": "", "beta/raw/notes.md": "built in 1911"}
    [found] = said_by("source_exists", before, {"wiki/a.md": page(cited)})
    assert (found.result, found.level) == ("not_a_source", "error")
    assert why in found.message


def test_a_file_url_is_no_way_around_the_raw_folder(results: Results) -> None:
    told = results("source_exists", RAW, {"wiki/a.md": page("file:/etc/passwd")})
    assert [one[:2] for one in told] == [("missing", "error")]


def test_another_workspace_has_no_say(results: Results) -> None:
    before = {"alpha/raw/mill.md": "built in 1911", "beta/raw/own.md": "built in 1911"}
    told = results("source_exists", before, {"beta/wiki/a.md": page("../alpha/raw/mill.md")}, root="beta")
    assert [one[:2] for one in told] == [("not_a_source", "error")]
    assert results("source_exists", before, {"beta/wiki/a.md": page("raw/own.md")}, root="beta") == []


@pytest.mark.parametrize(
    ("path", "mode", "told"),
    [
        ("raw/link.md", 0o120000, ("not_a_source", "error")),
        ("raw/module", 0o160000, ("unresolvable", "note")),
    ],
)
def test_symbolic_links_are_no_sources_and_submodules_cannot_be_read(
    results: Results, path: str, mode: int, told: tuple[str, str]
) -> None:
    before = RAW | {path: "mill.md"}
    for cited in (path, f"{path}/deeper.md"):
        found = results("source_exists", before, {"wiki/a.md": page(cited)}, modes_before={path: mode})
        assert [one[:2] for one in found] == [told]


@pytest.mark.parametrize("cited", ["https://example.org/mill", "arXiv:1706.03762", "doi:10.1000/182"])
def test_what_lies_outside_the_repository_is_noted(results: Results, cited: str) -> None:
    told = results("source_exists", RAW, {"wiki/a.md": page(cited)})
    assert told == [("unresolvable", "note", "wiki/a.md", 3, True)]


def test_a_large_file_pointer_and_an_absent_blob_are_noted(results: Results) -> None:
    pointer = "version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 1\n"
    before = {"raw/big.pdf": pointer, "raw/lost.md": b"\0absent"}
    for cited in before:
        told = results("source_exists", before, {"wiki/a.md": page(cited)})
        assert [one[:2] for one in told] == [("unresolvable", "note")]


def test_each_claim_that_leans_on_a_missing_source_is_named(said_by: SaidBy) -> None:
    note = '[^1]: raw/nope.md, "x y"\n'
    before = {"wiki/a.md": f"Old.[^1]\n\n{note}"}
    found = said_by("source_exists", before, {"wiki/a.md": f"Old.[^1]\n\nFresh.[^1]\n\n{note}"})
    assert sorted((one.claim, one.new) for one in found) == [("Fresh.", True), ("Old.", False)]


def test_deleting_a_source_accuses_the_untouched_pages_that_cite_it(results: Results) -> None:
    before = RAW | {"wiki/a.md": page("raw/mill.md")}
    assert results("source_exists", before, {"raw/mill.md": None}) == [("missing", "error", "wiki/a.md", 3, True)]


def test_deleting_a_decomposed_source_accuses_them_too(results: Results) -> None:
    before = {"raw/cafe\u0301.md": "built in 1911", "wiki/a.md": page("raw/caf\u00e9.md")}
    assert [one[0] for one in results("source_exists", before, {"raw/cafe\u0301.md": None})] == ["missing"]


LOOSE = '[citations]\ndialects = ["frontmatter"]\nrequire = []\n'


def front(key: str, value: str) -> str:
    return f"---\n{key}: {value}\n---\n\nWords.\n"


def test_a_name_that_several_sources_have_is_ambiguous(said_by: SaidBy) -> None:
    before = {"raw/one/twin.md": "1", "raw/two/twin.md": "2"}
    [found] = said_by("source_exists", before, {"wiki/a.md": front("source", "twin.md")}, toml=LOOSE)
    assert (found.result, found.level) == ("ambiguous", "note")
    assert found.message == "twin.md may mean raw/one/twin.md or raw/two/twin.md"


def test_a_file_of_the_repository_that_is_no_source_is_there(results: Results) -> None:
    before = RAW | {"docs/plan.md": "x"}
    assert results("source_exists", before, {"wiki/a.md": front("source", "docs/plan.md")}, toml=LOOSE) == []


def test_a_source_that_goes_accuses_the_pages_that_cite_it_by_its_bare_name(results: Results) -> None:
    before = RAW | {"raw/deep/x.pdf": "%PDF", "raw/deep/y.pdf": "%PDF", "wiki/a.md": front("sources", "[x.pdf]")}
    told = results("source_exists", before, {"raw/deep/x.pdf": None}, toml=LOOSE)
    assert [one[:3] for one in told] == [("missing", "error", "wiki/a.md")]


def test_a_source_that_goes_from_behind_a_source_page_is_said_there_and_noted_by_those_who_cite_it(
    results: Results,
) -> None:
    before = RAW | {
        "wiki/sources/mill.md": front("source_file", "raw/mill.md"),
        "wiki/a.md": front("sources", '["[[sources/mill]]"]'),
    }
    assert results("source_exists", before, {"wiki/b.md": "x"}, toml=LOOSE) == []
    told = results("source_exists", before, {"raw/mill.md": None}, toml=LOOSE)
    assert sorted(one[:3] for one in told) == [
        ("missing", "error", "wiki/sources/mill.md"),
        ("unresolvable", "note", "wiki/a.md"),
    ]


def test_a_source_page_that_names_another_source_is_felt_by_those_who_cite_it(results: Results) -> None:
    before = RAW | {
        "wiki/sources/mill.md": front("source_file", "raw/mill.md"),
        "wiki/a.md": front("sources", '["[[sources/mill]]"]'),
    }
    told = results("source_exists", before, {"wiki/sources/mill.md": "No source any more.\n"}, toml=LOOSE)
    assert [one[:3] for one in told] == [("unresolvable", "note", "wiki/a.md")]


@pytest.mark.parametrize("rules", [{".gitignore": "*.pdf\n"}, {"raw/.gitignore": "reports/\n"}])
def test_a_source_that_git_is_told_to_ignore_is_not_missing(said_by: SaidBy, rules: dict[str, str]) -> None:
    text = (
        front("sources", "[raw/reports/2019.pdf]") + page("raw/reports/2020.pdf") + "\n[x](../raw/reports/2021.pdf)\n"
    )
    toml = '[citations]\ndialects = ["frontmatter", "canonical"]\n'
    found = said_by("source_exists", RAW | rules, {"wiki/a.md": text}, toml=toml)
    assert [(one.result, one.level) for one in found] == [("unresolvable", "note")] * 2
    [name] = rules
    assert found[0].message.endswith(f"{name} tells git to ignore it")
    assert said_by("links", RAW | rules, {"wiki/a.md": text}, toml=toml) == []


def test_a_source_beside_what_git_ignores_is_missing(said_by: SaidBy) -> None:
    found = said_by("source_exists", RAW | {".gitignore": "*.pdf\n"}, {"wiki/a.md": page("raw/nope.md")})
    assert [one.result for one in found] == ["missing"]


def test_a_finding_stays_the_same_one_however_its_claim_is_typed(said_by: SaidBy) -> None:
    before = {**RAW, "wiki/a.md": page("raw/nope.md").replace("A claim.", 'It was "a claim" - so.')}
    typed = before["wiki/a.md"].replace('"a claim" - so', "“a  claim” — so")
    [found] = said_by("source_exists", before, {"wiki/a.md": typed})
    assert (found.result, found.new) == ("missing", False)


@pytest.mark.parametrize("path", ["wiki/changelog.md", "wiki/x/AGENTS.md", "wiki/templates/a.md"])
def test_no_page_is_a_place_for_claims_without_sources(results: Results, path: str) -> None:
    told = results("source_exists", RAW, {path: front("sources", "[raw/gone.md]")}, toml=LOOSE)
    assert [one[:2] for one in told] == [("missing", "error")]
