from __future__ import annotations

from collections.abc import Callable

import pytest

from gitops.errors import Refused, UsageError
from gitops.runs import adopting, standing
from tests.runs.driving import MAIN, Wiki, name, page


def _pushed(wiki: Wiki, branch: str = "run/from-afar", *, author: str = "", message: str = "Write a page") -> str:
    """A branch that somebody made by hand, in a worktree of their own."""
    place = wiki.folder.parent / branch.replace("/", "-")
    wiki.git("worktree", "add", "--quiet", "-b", branch, str(place), "main")
    there = Wiki(place)
    (place / name(0)).write_text(page(0))
    there.git("add", ".")
    there.git("commit", "--quiet", "--message", message, *(["--author", author] if author else []))
    head = there.git("rev-parse", "HEAD")
    wiki.git("worktree", "remove", str(place))
    return head


def test_a_name_that_is_no_id_is_a_finding_and_no_run(wiki: Wiki) -> None:
    _pushed(wiki, "run/Not_An_Id")
    with pytest.raises(UsageError, match="is no run id"):
        wiki.finish("run/Not_An_Id")
    assert standing.standing(wiki.context()).stray == ("run/Not_An_Id",)


@pytest.mark.parametrize("who", ["Eve <eve@elsewhere.net>", "Eve <ada@example.org.elsewhere.net>"])
@pytest.mark.slow
def test_a_stranger_is_refused_and_nothing_recorded(make_wiki: Callable[..., Wiki], who: str) -> None:
    wiki = make_wiki('[runs]\nadopt_from = ["*@example.org"]\n')
    _pushed(wiki, author=who)
    before = wiki.refs()
    with pytest.raises(Refused, match="adopt_from does not allow") as caught:
        wiki.finish("from-afar")
    assert "assay.toml, on the target" in caught.value.hint
    assert wiki.refs() == before


def test_a_strangers_commit_below_a_friends_is_seen(make_wiki: Callable[..., Wiki]) -> None:
    wiki = make_wiki('[runs]\nadopt_from = ["*@example.org"]\n')
    head = _pushed(wiki, author="Eve <eve@elsewhere.net>")
    tree = wiki.git("rev-parse", f"{head}^{{tree}}")
    wiki.git("branch", "--force", "run/from-afar", wiki.git("commit-tree", "-p", head, "-m", "Mine", tree))
    with pytest.raises(Refused, match=r"by eve@elsewhere\.net"):
        wiki.finish("from-afar")


def test_nobody_adopts_by_changing_the_policy_in_the_same_branch(make_wiki: Callable[..., Wiki]) -> None:
    wiki = make_wiki("[runs]\nadopt_from = []\n")
    _pushed(wiki)
    with pytest.raises(Refused, match="adopt_from"):
        wiki.finish("from-afar")


def test_an_id_that_has_come_to_its_end_is_not_adopted_again(wiki: Wiki) -> None:
    run = wiki.run({name(1): page(1)}, run_id="landed-once")
    wiki.finish(run)
    _pushed(wiki, "run/landed-once")
    before = wiki.ref(MAIN)
    for opened in (lambda: wiki.finish(run), lambda: adopting.open_run(wiki.context(), run.id)):
        with pytest.raises(Refused, match="committed already") as caught:
            opened()
        assert "git branch -m run/landed-once run/NEW-ID" in caught.value.hint
    assert wiki.ref(MAIN) == before


@pytest.mark.parametrize(
    ("message", "run_type", "sources"),
    [
        ("Write a page", "cascade", ()),
        ("Write a page\n\nAssay-Source: raw/tides.md", "ingest", ("raw/tides.md",)),
        ("Write a page\n\nAssay-Type: archive", "cascade", ()),
    ],
)
def test_a_pushed_branch_is_adopted_judged_and_landed(
    wiki: Wiki, message: str, run_type: str, sources: tuple[str, ...]
) -> None:
    head = _pushed(wiki, message=message, author="Bea <bea@example.org>")
    outcome = wiki.finish("from-afar")
    record = outcome.run.record
    assert (outcome.result, record.adopted, record.run_type, record.sources) == ("landed", True, run_type, sources)
    assert (record.root, record.triggered_by, record.author.email) == (head, "push:", "bea@example.org")
    assert wiki.git("log", "-1", "--format=%an", "main") == "Bea"
    assert wiki.ref("refs/heads/run/from-afar") is None


@pytest.mark.parametrize("named", ["/etc/passwd", "../x", "raw/nope.md", "raw", "raw/../assay.toml", "notes.txt"])
@pytest.mark.slow
def test_a_trailer_that_names_no_source_of_the_base_is_told_and_left_out(wiki: Wiki, named: str) -> None:
    _pushed(wiki, message=f"Write a page\n\nAssay-Source: {named}\nAssay-Source: raw/tides.md")
    assert wiki.finish("from-afar").run.record.sources == ("raw/tides.md",)
    assert wiki.told == [f"Assay-Source: {named!r} is no source of workspace tides at the base; left out"]


def test_a_branch_whose_trailers_name_no_source_is_no_ingest(wiki: Wiki) -> None:
    _pushed(wiki, message="Write a page\n\nAssay-Source: raw/nope.md")
    record = adopting.open_run(wiki.context(), "from-afar").record
    assert (record.run_type, record.sources) == ("cascade", ())


@pytest.mark.slow
def test_an_adopted_run_owes_no_account_of_its_budget(make_wiki: Callable[..., Wiki]) -> None:
    wiki = make_wiki("[llm.budgets.cascade]\nusd = 0.01\n")
    _pushed(wiki)
    assert wiki.finish("from-afar", used={"usd": 5.0}).result == "landed"


def test_a_pushed_write_into_raw_is_refused_as_any(wiki: Wiki) -> None:
    place = wiki.folder.parent / "there"
    wiki.git("worktree", "add", "--quiet", "-b", "run/from-afar", str(place), "main")
    (place / "raw/more.md").write_text("made up\n")
    there = Wiki(place)
    there.git("add", ".")
    there.git("commit", "--quiet", "--message", "Add a source\n\nAssay-Raw: raw/more.md")
    assert wiki.finish("from-afar").result == "rejected"


@pytest.mark.slow
def test_commits_that_are_pushed_while_a_run_is_judged_stay(wiki: Wiki) -> None:
    run = wiki.run()
    newer: list[str] = []

    def meanwhile(step: str) -> None:
        if step == "verdict":
            tree = wiki.git("rev-parse", f"run/{run.id}^{{tree}}")
            newer.append(wiki.git("commit-tree", "-p", f"run/{run.id}", "-m", "More", tree))
            wiki.git("update-ref", f"refs/heads/run/{run.id}", newer[0])

    assert wiki.finish(run, meanwhile).result == "landed"
    assert wiki.ref(f"refs/heads/run/{run.id}") == newer[0]
