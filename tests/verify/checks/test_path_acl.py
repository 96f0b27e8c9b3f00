from __future__ import annotations

from collections.abc import Callable

import pytest

from gitops.verify.finding import Finding
from gitops.verify.view import RunFacts

Results = Callable[..., list[tuple[str, str, str, int, bool]]]
SaidBy = Callable[..., list[Finding]]

PLAIN = RunFacts(is_run=False)
LINE = "- 2024-01-02 ingest raw/a.md: +wiki/a.md (run r1)"
SECOND = "- 2024-01-03 ingest raw/b.md: +wiki/b.md (run r2)"
RUN = RunFacts(log_lines=frozenset([LINE]))


def refused(results: Results, change: dict[str, str | None], **settings: object) -> list[tuple[str, str]]:
    before = settings.pop("before", {"wiki/index.md": "Home.\n"})
    return [(one[0], one[2]) for one in results("path_acl", before, change, **settings)]


def test_regular_pages_and_pictures_pass(results: Results) -> None:
    change = {"wiki/a.md": "x", "wiki/topics/deep/b.md": "x", "wiki/plan.png": "x", "wiki/old.md": None}
    assert refused(results, change, before={"wiki/index.md": "x", "wiki/old.md": "x"}) == []


def test_a_run_may_not_take_the_index_away(results: Results) -> None:
    before = {"wiki/index.md": "Home.\n", "wiki/a.md": "x"}
    assert refused(results, {"wiki/index.md": None}, before=before) == [("index", "wiki/index.md")]
    in_its_place: dict[str, str | None] = {"wiki/index.md": None, "wiki/index.md/b.md": "x"}
    assert ("index", "wiki/index.md") in refused(results, in_its_place, before=before)
    assert refused(results, {"wiki/index.md": None}, before=before, run=PLAIN) == []


def test_an_index_that_is_put_back_was_not_taken_away(results: Results) -> None:
    before = {"wiki/index.md": "Home.\n"}
    assert results("path_acl", before, {"wiki/index.md": None}, {"wiki/index.md": "New.\n"}) == []


def test_a_dot_at_a_names_end_does_not_tell_files_apart(results: Results) -> None:
    change: dict[str, str | None] = {"wiki/index.md.": "x"}
    assert refused(results, change) == [("collision", "wiki/index.md.")]


@pytest.mark.parametrize(
    "path",
    [
        "assay.toml",
        ".gitattributes",
        ".github/workflows/ci.yml",
        "gold/queries.yaml",
        "notes.md",
        "Wiki/a.md",
        "wikis/a.md",
        "other/wiki/a.md",
        "wiki/assay.toml",
        "wiki/topics/assay.toml",
        "wiki/topics/Assay.TOML",
    ],
)
def test_a_run_writes_nothing_but_pages(results: Results, path: str) -> None:
    assert refused(results, {path: "x"}) == [("outside_wiki", path)]
    assert refused(results, {path: None}, before={path: "x"}) == [("outside_wiki", path)]


def test_the_policy_has_its_own_words(said_by: SaidBy) -> None:
    [found] = said_by("path_acl", {"assay.toml": ""}, {"assay.toml": "[verify]\n"})
    assert found.message == "the change writes the policy that judges it"


def test_a_run_in_one_workspace_may_not_write_in_another(results: Results) -> None:
    assert refused(results, {"beta/wiki/a.md": "x"}, root="alpha") == [("outside_wiki", "beta/wiki/a.md")]


def test_what_a_commit_wrote_counts_though_a_later_one_takes_it_back(said_by: SaidBy) -> None:
    found = said_by("path_acl", {"gold/q.yaml": "a"}, {"gold/q.yaml": "b"}, {"gold/q.yaml": "a", "wiki/a.md": "x"})
    assert [(one.result, one.path) for one in found] == [("outside_wiki", "gold/q.yaml")]
    assert found[0].message.endswith("(in commit 0000000000)")


@pytest.mark.parametrize("mode", [0o120000, 0o160000, 0o100755, 0o100664])
def test_mode(results: Results, mode: int) -> None:
    assert refused(results, {"wiki/a.md": "x"}, modes={"wiki/a.md": mode}) == [("mode", "wiki/a.md")]


def test_a_page_may_not_become_executable(results: Results) -> None:
    before = {"wiki/a.md": "x"}
    assert refused(results, {"wiki/a.md": "x"}, before=before, modes={"wiki/a.md": 0o100755}) == [("mode", "wiki/a.md")]


@pytest.mark.parametrize("path", ["wiki/.hidden.md", "wiki/.obsidian/a.md", "wiki/.gitattributes", "wiki/.github/x"])
def test_dot_file(results: Results, path: str) -> None:
    assert refused(results, {path: "x"}) == [("dot_file", path)]


@pytest.mark.parametrize("path", ["wiki/a\\b.md", "wiki/.GIT/config", "wiki/git~1/config", "wiki/a\x07.md"])
def test_unsafe_path(results: Results, path: str) -> None:
    assert refused(results, {path: "x"}) == [("unsafe_path", path)]


@pytest.mark.parametrize(
    ("there", "added"),
    [
        ("wiki/mill.md", "wiki/Mill.md"),
        ("wiki/mill.md", "wiki/mill.MD"),
        ("wiki/caf\u00e9.md", "wiki/cafe\u0301.md"),
        ("wiki/topics/a.md", "wiki/Topics/b.md"),
        ("wiki/caf\u00e9/a.md", "wiki/cafe\u0301/b.md"),
        ("wiki/x/topics/a.md", "wiki/x/TOPICS/deep/er/b.md"),
        ("wiki/plan.png", "wiki/PLAN.png"),
        ("wiki/log.md", "wiki/LOG.md"),
        ("wiki/stra\u00dfe.md", "wiki/STRASSE.md"),
        ("wiki/topics/a.md", "wiki/Topics"),
    ],
)
def test_collision(results: Results, there: str, added: str) -> None:
    assert refused(results, {added: "x"}, before={there: "x"}) == [("collision", added)]


def test_a_rename_that_only_changes_case_collides_with_nothing(results: Results) -> None:
    before = {"wiki/topics/mill.md": "x"}
    assert refused(results, {"wiki/topics/mill.md": None, "wiki/Topics/Mill.md": "x"}, before=before) == []


def test_two_added_pages_may_collide_with_each_other(results: Results) -> None:
    assert refused(results, {"wiki/A/x.md": "x", "wiki/a/y.md": "x"}) == [
        ("collision", "wiki/A/x.md"),
        ("collision", "wiki/a/y.md"),
    ]


def test_nobody_adds_what_lands_among_the_sources_on_some_systems(results: Results) -> None:
    for path in ("RAW/a.md", "Assay.toml", "WIKI/a.md"):
        assert refused(results, {path: "x"}, run=PLAIN)[0][0] in ("collision", "policy_changed")


@pytest.mark.parametrize("old", [None, "", "# Log\n\n", "# Log\n\n- old\n", "# Log\n\n- old"])
def test_the_tools_own_line_at_the_end_of_the_log_passes(results: Results, old: str | None) -> None:
    from gitops.runs.logline import appended

    after = appended(old.encode() if old is not None else None, LINE).decode()
    assert refused(results, {"wiki/log.md": after}, before={"wiki/log.md": old}, run=RUN) == []


@pytest.mark.parametrize(
    "after",
    [
        None,
        "# Log\n\n- old\n",
        f"# Log\n\n- old\n{LINE}\n{LINE}\n",
        f"# Log\n\n- old\n{LINE}\nand more\n",
        f"# Log\n\n- old\n\n{LINE}\n",
        f"# Log\n\n- old\n{LINE}",
        f"# Log\n\n- old\n{LINE} \n",
        f"# Log\n\n- 0ld\n{LINE}\n",
        f"# Log\n\n{LINE}\n- old\n",
        f"# Log\n\n- old\n{SECOND}\n",
        f"{LINE}\n",
    ],
)
def test_anything_else_in_the_log_is_refused(results: Results, after: str | None) -> None:
    before = {"wiki/log.md": "# Log\n\n- old\n"}
    told = refused(results, {"wiki/log.md": after, "wiki/a.md": "x"}, before=before, run=RUN)
    assert told == ([] if after == before["wiki/log.md"] else [("log", "wiki/log.md")])


def test_the_tools_line_glued_to_the_last_one_is_refused(results: Results) -> None:
    told = refused(results, {"wiki/log.md": f"- old{LINE}\n"}, before={"wiki/log.md": "- old"}, run=RUN)
    assert told == [("log", "wiki/log.md")]


def test_a_log_line_that_a_commit_of_the_run_wrote_and_took_back_is_refused(results: Results) -> None:
    before = {"wiki/log.md": "# Log\n"}
    told = results("path_acl", before, {"wiki/log.md": "forged\n"}, {"wiki/log.md": "# Log\n"}, run=RUN)
    assert [one[0] for one in told] == ["log"]


def test_peoples_history_may_hold_several_landings(results: Results) -> None:
    first, both = f"# Log\n\n{LINE}\n", f"# Log\n\n{LINE}\n{SECOND}\n"
    run = RunFacts(is_run=False, log_lines=frozenset([LINE, SECOND]))
    before = {"wiki/log.md": "# Log\n\n"}
    assert results("path_acl", before, {"wiki/log.md": first}, {"wiki/log.md": both}, run=run) == []
    forged = both.replace("ingest", "digest")
    told = results("path_acl", before, {"wiki/log.md": first}, {"wiki/log.md": forged}, run=run)
    assert [one[0] for one in told] == ["log"]


def test_people_begin_a_wiki_and_change_its_policy(results: Results) -> None:
    change = {"assay.toml": "", "wiki/log.md": "# Log\n\n", "wiki/index.md": "Home.\n", "README.md": "x"}
    told = results("path_acl", {}, change, run=PLAIN)
    assert told == [("policy_changed", "note", "assay.toml", 0, True)]


def test_the_level_is_fixed(said_by: SaidBy) -> None:
    from gitops.errors import UsageError

    with pytest.raises(UsageError, match="level is fixed"):
        said_by("path_acl", {}, {"wiki/a.md": "x"}, toml='[checks.path_acl.results]\nmode = "note"\n')


WHOLE = '[workspace]\nwiki = "."\n'
HOME = {"index.md": "Home.\n", "assay.toml": WHOLE, "kb/assay.toml": "", "a/b/c/d/e/assay.toml": ""}


@pytest.mark.parametrize(
    "path",
    [
        "assay.toml", "assay.debt.jsonl", "gold/queries.yaml", "kb/wiki/a.md", "kb/x.md", "a/b/c/d/e/wiki/x.md",
        "new/assay.toml", "new/assay.debt.jsonl", "Makefile", "setup.py", "package.json", "skills/run.sh", "CLAUDE.md",
        "deep/agents.md", "requirements.txt", "Gold/x.md",
    ],
)  # fmt: skip
def test_a_run_writes_nothing_but_pages_and_pictures_where_the_workspace_is_the_wiki(
    results: Results, path: str
) -> None:
    told = refused(results, {path: "x"}, before=HOME, toml=WHOLE)
    assert told in ([("outside_wiki", path)], [("collision", path)])


@pytest.mark.parametrize(
    ("path", "result"),
    [(".github/workflows/ci.md", "dot_file"), (".gitattributes", "dot_file"), ("x/.obsidian/a.md", "dot_file"),
     ("log.md", "log"), ("a\\b.md", "unsafe_path")],
)  # fmt: skip
def test_what_is_refused_below_a_wiki_is_refused_where_it_is_the_workspace(
    results: Results, path: str, result: str
) -> None:
    assert refused(results, {path: "x"}, before=HOME, toml=WHOLE) == [(result, path)]


@pytest.mark.parametrize("mode", [0o120000, 0o160000, 0o100755])
def test_only_plain_files_where_the_workspace_is_the_wiki(results: Results, mode: int) -> None:
    assert refused(results, {"a.md": "x"}, before=HOME, toml=WHOLE, modes={"a.md": mode}) == [("mode", "a.md")]


def test_pages_and_pictures_pass_where_the_workspace_is_the_wiki(results: Results) -> None:
    change: dict[str, str | None] = {"tables/a.md": "x", "plan.png": "x", "index.md": "New."}
    assert refused(results, change, before=HOME, toml=WHOLE) == []


def test_people_keep_more_in_such_a_workspace_than_pages(results: Results) -> None:
    change: dict[str, str | None] = {
        ".github/workflows/ci.yml": "x",
        "Makefile": "x",
        "run.sh": "x",
        "kb/wiki/a.md": "x",
    }
    assert refused(results, change, before=HOME, toml=WHOLE, run=PLAIN, modes={"run.sh": 0o100755}) == []
    told = refused(results, {"a.md": "x"}, before=HOME, toml=WHOLE, run=PLAIN, modes={"a.md": 0o100755})
    assert told == [("mode", "a.md")]


def test_sources_below_the_wiki_are_sealed_as_anywhere(results: Results) -> None:
    toml = '[workspace]\nraw = "wiki/raw"\n'
    before = {"wiki/index.md": "Home.\n"}
    assert refused(results, {"wiki/raw/a.md": "x"}, before=before, toml=toml) == []  # `raw_sealed` speaks of it
    told = results("raw_sealed", before, {"wiki/raw/a.md": "x"}, toml=toml)
    assert [one[:3] for one in told] == [("raw_write", "error", "wiki/raw/a.md")]
    assert refused(results, {"wiki/RAW/a.md": "x"}, before=before, toml=toml) == [("collision", "wiki/RAW/a.md")]


def test_debt_is_no_runs_to_write(results: Results) -> None:
    assert refused(results, {"assay.debt.jsonl": "x"}) == [("outside_wiki", "assay.debt.jsonl")]


def test_a_run_may_not_write_where_the_policy_says_that_nothing_is_a_page(results: Results) -> None:
    settings = {"toml": '[workspace]\nexclude = ["drafts/*"]\n'}
    assert refused(results, {"wiki/drafts/a.md": "x"}, **settings) == [("outside_wiki", "wiki/drafts/a.md")]
    assert refused(results, {"wiki/b.md": "x"}, **settings) == []
    assert refused(results, {"wiki/drafts/a.md": "x"}, run=PLAIN, **settings) == []
