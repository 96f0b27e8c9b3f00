from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from gitops.agents.calling import Tool, ToolError
from gitops.agents.desk import Desk
from gitops.agents.tools import reading_tools, writing_tools
from gitops.errors import Refused
from gitops.runs import abandoning
from gitops.runs.records import Run
from tests.runs.driving import Wiki, first_files, name, page


@pytest.fixture
def wiki(make_repository: Callable[..., Path]) -> Wiki:
    return Wiki(make_repository(first_files('[verify]\njudge = "none"\n')))


@pytest.fixture
def run(wiki: Wiki) -> Run:
    return wiki.run({})


@pytest.fixture
def desk(wiki: Wiki, run: Run) -> Iterator[Desk]:
    with Desk(wiki.context(), run, wiki.workspace()) as opened:
        yield opened


def use(desk: Desk, name: str, **arguments: object) -> str:
    tools: dict[str, Tool] = {tool.name: tool for tool in [*reading_tools(desk.shelf()), *writing_tools(desk)]}
    tool = tools[name]
    return tool.run(tool.arguments.model_validate(arguments))


FOREIGN = {
    "assay.toml": "writes the policy that judges it",
    "assay.debt.jsonl": "writes the debt that excuses findings",
    "raw/tides.md": "sources are sealed",
    "raw/new.md": "sources are sealed",
    "gold/queries.yaml": "writes outside wiki/",
    "notes.txt": "writes outside wiki/",
    ".github/workflows/ci.yml": "writes outside wiki/",
    ".gitattributes": "writes outside wiki/",
    "wiki/log.md": "the log is written by the tool alone",
    "wiki/.hidden.md": "dot files are not pages",
    "wiki/INDEX.md": "same file as wiki/index.md",
    "Wiki/a.md": "writes outside wiki/",
    "wiki/x/assay.toml": "writes a policy",
    "wiki/run.sh": "it is no page",
    "wiki/index.md/a.md": "file",
    "../../.git/hooks/pre-commit": "leads elsewhere or nowhere",
    "wiki/../assay.toml": "leads elsewhere or nowhere",
    ".git/config": "leads into '.git'",
    "wiki/.git/config": "leads into '.git'",
    "/etc/passwd": "is absolute",
    "wiki/a\u202e.md\n": "control character",
    "": "is empty",
}


@pytest.mark.parametrize("path", FOREIGN)
def test_what_no_run_may_write_is_refused_with_the_reason_and_nothing_is_written(
    wiki: Wiki, desk: Desk, path: str
) -> None:
    before = wiki.refs()
    with pytest.raises(ToolError) as refused:
        use(desk, "stage_write", path=path, content="# Mine now\n")
    assert FOREIGN[path] in str(refused.value)
    assert wiki.refs() == before
    assert desk.written == []


@pytest.mark.parametrize(
    ("path", "old"), [("assay.toml", "tides"), ("raw/tides.md", "Tides"), ("wiki/log.md", "# Log")]
)
def test_nor_may_it_be_replaced_in(wiki: Wiki, desk: Desk, path: str, old: str) -> None:
    before = wiki.refs()
    with pytest.raises(ToolError, match="may not be written"):
        use(desk, "str_replace", path=path, old=old, new="j")
    assert wiki.refs() == before


@pytest.mark.parametrize(
    ("old", "told"), [("never stood there", "holds the text 0 times"), ("page", "holds the text 2 times")]
)
def test_a_replacement_that_does_not_fit_once_is_told_and_leaves_the_run_as_it_is(
    wiki: Wiki, desk: Desk, run: Run, old: str, told: str
) -> None:
    use(desk, "stage_write", path=name(1), content=page(1).replace("Page", "page"))
    before = wiki.refs()
    with pytest.raises(ToolError, match=told):
        use(desk, "str_replace", path=name(1), old=old, new="x")
    assert wiki.refs() == before
    assert wiki.find(run).status == "pending"


def test_a_replacement_in_a_page_that_is_not_there_is_told(desk: Desk) -> None:
    with pytest.raises(ToolError, match=r"there is no page wiki/none.md; stage_write makes one"):
        use(desk, "str_replace", path="wiki/none.md", old="a", new="b")


@pytest.mark.parametrize("path", ["wiki/index.md", "wiki/none.md"])
def test_a_strict_desk_rejects_the_run_at_a_replacement_that_does_not_fit(wiki: Wiki, run: Run, path: str) -> None:
    with (
        Desk(wiki.context(), run, wiki.workspace(), strict=True) as desk,
        pytest.raises(Refused, match=f"run {run.id} is rejected"),
    ):
        use(desk, "str_replace", path=path, old="never stood there", new="x")
    assert wiki.find(run).status == "rejected"


def test_a_run_that_ended_in_the_meantime_takes_no_more(wiki: Wiki, desk: Desk, run: Run) -> None:
    abandoning.abandon(wiki.context(), run.id, "no more")
    with pytest.raises(Refused, match="is abandoned already"):
        use(desk, "stage_write", path=name(1), content=page(1))


def test_a_staged_page_is_a_commit_on_the_runs_branch_and_nowhere_else(wiki: Wiki, desk: Desk, run: Run) -> None:
    main = wiki.ref("main")
    assert use(desk, "stage_write", path=name(1), content=page(1)) == f"staged {name(1)} ({len(page(1))} characters)"
    assert wiki.show(name(1), f"run/{run.id}") == page(1).rstrip("\n")
    assert wiki.ref("main") == main
    assert not (wiki.folder / name(1)).exists()
    assert desk.written == [name(1)]


def test_what_is_staged_is_read_listed_followed_and_found_at_once(desk: Desk) -> None:
    use(desk, "stage_write", path=name(1), content=page(1))
    assert "The tide turns, as page 1 knows." in use(desk, "read", path=name(1))
    assert f"{name(1)}\t{len(page(1))}\tnew in this change" in use(desk, "list", path="wiki")
    assert "the quotation: verified" in use(desk, "follow", page=name(1), target="1")
    assert f"→ {name(1)}" in use(desk, "follow", page="wiki/index.md", target="p001.md")
    assert name(1) in use(desk, "search", words="tide turns knows")
    use(desk, "str_replace", path=name(1), old="page 1 knows", new="everyone knows")
    assert "as everyone knows" in use(desk, "read", path=name(1))
    assert desk.written == [name(1)]


def test_history_names_the_run_that_landed_a_page(wiki: Wiki) -> None:
    landed = wiki.run()
    wiki.finish(landed)
    with Desk(wiki.context(), wiki.run({}), wiki.workspace()) as desk:
        told = use(desk, "history", path=name(0))
    assert f"\trun {landed.id}\tWrite {name(0)}" in told


def test_finish_ends_the_turn_and_keeps_the_summary(desk: Desk) -> None:
    (finish,) = [tool for tool in writing_tools(desk) if tool.ends]
    assert finish.name == "finish"
    assert use(desk, "finish", summary="One page about tides.") == desk.summary == "One page about tides."


def test_what_was_written_through_a_desk_lands_like_anything_else(wiki: Wiki, desk: Desk, run: Run) -> None:
    use(desk, "stage_write", path=name(1), content=page(1))
    assert wiki.finish(run).run.status == "committed"
    assert wiki.show(name(1)) == page(1).rstrip("\n")
