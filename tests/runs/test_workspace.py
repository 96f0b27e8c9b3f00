from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from gitops.errors import UsageError
from gitops.runs import staging, workspace
from gitops.runs.workspace import find, rooted
from tests.runs.driving import MAIN, SOURCE, Wiki, page

Make = Callable[..., Path]


def several(make_repository: Make, *folders: str, name: str = "several") -> Wiki:
    """A repository with a workspace in each folder; '' is the top."""
    files: dict[str, str] = {}
    for folder in folders:
        start = f"{folder}/" if folder else ""
        files |= {
            f"{start}assay.toml": f'[workspace]\nname = "{folder.replace("/", "-") or "top"}"\n',
            f"{start}raw/tides.md": SOURCE,
            f"{start}wiki/index.md": "# Index\n\n- [Page](p000.md)\n",
            f"{start}wiki/log.md": "# Log\n\n",
        }
    return Wiki(make_repository(files, name=name))


def test_no_workspace_says_how_to_begin_one(make_repository: Make) -> None:
    wiki = Wiki(make_repository({"a.txt": "a\n"}))
    with pytest.raises(UsageError, match=r"no assay.toml at .*, so no workspace") as caught:
        wiki.workspace()
    assert caught.value.hint == "git assay init"


def test_a_policy_that_is_not_committed_is_told(make_repository: Make) -> None:
    wiki = Wiki(make_repository({"a.txt": "a\n"}))
    (wiki.folder / "assay.toml").write_text("")
    with pytest.raises(UsageError, match=r"assay.toml is not committed"):
        wiki.workspace()


def test_a_commit_from_before_the_policy_says_since_when_there_is_one(make_repository: Make) -> None:
    wiki = Wiki(make_repository({"a.txt": "a\n"}))
    before = wiki.git("rev-parse", "HEAD")
    (wiki.folder / "kb").mkdir()
    (wiki.folder / "kb" / "assay.toml").write_text("")
    wiki.git("add", "kb")
    wiki.git("commit", "-q", "-m", "Adopt")
    with pytest.raises(UsageError, match=r"no assay.toml at .* yet") as caught:
        wiki.workspace(before)
    assert caught.value.hint == "a commit since it came in: git log --oneline -- kb/assay.toml"


def test_which_of_several_is_asked(make_repository: Make) -> None:
    wiki = several(make_repository, "one", "two")
    with pytest.raises(UsageError, match="which workspace"):
        wiki.workspace()


def test_an_unknown_name_names_the_nearest(make_repository: Make) -> None:
    wiki = several(make_repository, "one", "tides")
    with pytest.raises(UsageError, match="no workspace is called 'tide'") as caught:
        find(wiki.context().repository, MAIN, "tide")
    assert caught.value.hint == "did you mean 'tides'?"


def test_two_of_one_name_are_refused_and_both_files_named(make_repository: Make) -> None:
    wiki = several(make_repository, "a/b", "a-b")
    with pytest.raises(UsageError, match=r"a-b/assay.toml and a/b/assay.toml"):
        find(wiki.context().repository, MAIN, "a-b")


@pytest.mark.parametrize(
    ("policy", "told"),
    [
        ("[verfy]\n", "unknown key 'verfy'"),
        ("[checks.orphans]\nlevel = 'note'\n", "unknown check 'orphans'"),
        ("[checks.raw_sealed]\nlevel = 'off'\n", "this check's level is fixed"),
        ("nonsense", "not TOML"),
    ],
)
def test_a_policy_that_makes_no_sense_is_told_with_its_commit(make_repository: Make, policy: str, told: str) -> None:
    wiki = Wiki(make_repository({"assay.toml": policy}))
    with pytest.raises(UsageError, match=told) as caught:
        wiki.workspace()
    assert f"assay.toml at {MAIN[:10]}" in caught.value.message


def test_a_workspace_that_is_gone_is_told(make_repository: Make) -> None:
    wiki = several(make_repository, "one")
    with pytest.raises(UsageError, match=r"there is no two/assay.toml"):
        rooted(wiki.context().repository, MAIN, "two")


@pytest.mark.parametrize(
    ("prefix", "found"), [("", "top"), ("wiki", "top"), ("kb", "kb"), ("kb/wiki/deep", "kb"), ("kb/sub/x", "kb-sub")]
)
def test_the_nearest_above_is_found(make_repository: Make, prefix: str, found: str) -> None:
    wiki = several(make_repository, "", "kb", "kb/sub")
    assert find(wiki.context().repository, MAIN, None, prefix).name == found


def test_the_only_one_is_found_from_anywhere(make_repository: Make) -> None:
    wiki = several(make_repository, "kb")
    assert find(wiki.context().repository, MAIN, None, "elsewhere").layout.wiki == "kb/wiki"


def test_the_policy_is_that_of_the_commit_and_of_nothing_later(make_repository: Make) -> None:
    wiki = several(make_repository, "kb")
    before = wiki.git("rev-parse", "main:kb/assay.toml")
    (wiki.folder / "kb/assay.toml").write_text("[verify]\nmax_loops = 7\n")
    assert wiki.workspace().config.verify.max_loops == 3
    assert wiki.workspace().policy == before


@pytest.mark.parametrize("root", ["kb", "wiki"])
@pytest.mark.parametrize("from_the_top", [False, True])
def test_a_page_is_named_from_the_workspace_or_from_the_top(
    make_repository: Make, root: str, from_the_top: bool
) -> None:
    wiki = several(make_repository, root)
    run = wiki.run({f"{root}/wiki/p000.md" if from_the_top else "wiki/p000.md": page(0)})
    assert wiki.finish(run).result == "landed"
    assert wiki.show(f"{root}/wiki/p000.md") == page(0).rstrip("\n")


@pytest.mark.parametrize("source", ["raw/tides.md", "kb/raw/tides.md"])
def test_a_source_is_named_from_the_workspace_or_from_the_top(make_repository: Make, source: str) -> None:
    wiki = several(make_repository, "kb")
    run = wiki.run({"wiki/p000.md": page(0)}, run_type="ingest", sources=(source,))
    assert run.record.sources == ("raw/tides.md",)
    assert wiki.finish(run).result == "landed"


@pytest.mark.slow
def test_runs_of_two_workspaces_land_side_by_side_and_write_their_own_logs(make_repository: Make) -> None:
    wiki = several(make_repository, "one", "two")
    runs = []
    for each in ("one", "two"):
        context = wiki.context()
        place = find(context.repository, MAIN, each)
        run = staging.start(context, place, MAIN, staging.Request("cascade"))
        staging.write(context, run, place, "wiki/p000.md", page(0).encode())
        runs.append(run)
    assert [wiki.finish(run).result for run in runs] == ["landed", "landed"]
    for each, run in zip(("one", "two"), runs, strict=True):
        assert wiki.show(f"{each}/wiki/log.md").count("(run ") == 1
        assert run.id in wiki.show(f"{each}/wiki/log.md")


def test_a_run_may_not_write_into_another_workspace(make_repository: Make) -> None:
    wiki = several(make_repository, "", "kb")
    outcome = wiki.finish(wiki.run({"kb/wiki/p000.md": page(0)}))
    assert outcome.result == "rejected"


def test_folders_are_looked_through_to_a_sensible_depth(make_repository: Make) -> None:
    wiki = several(make_repository, "a/b/c")
    deep = several(make_repository, "a/b/c/d/e", name="deep")
    assert list(workspace.roots(wiki.context().tree(str(wiki.ref(MAIN))))) == ["a/b/c"]
    assert list(workspace.roots(deep.context().tree(str(deep.ref(MAIN))))) == []
