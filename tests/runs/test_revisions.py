from __future__ import annotations

from collections.abc import Callable

import pytest

from gitops.errors import CannotRun, UsageError
from gitops.runs import revisions
from gitops.verify.verdict import Verdict
from tests.runs.driving import MAIN, Wiki, branch, name, page


def _judged(wiki: Wiki, rev: str, base: str | None = None) -> Verdict:
    context = wiki.context()
    head = wiki.git("rev-parse", rev)
    start = wiki.git("rev-parse", base or revisions.default_base(context, rev, head))
    return revisions.judge_revision(context, wiki.workspace(start), start, head, rev)


def _wrong(verdict: Verdict) -> list[tuple[str, str]]:
    return [(finding.check, finding.result) for finding in verdict.findings if finding.level == "error"]


def _committed(wiki: Wiki, path: str, content: str, message: str = "By hand") -> None:
    (wiki.folder / path).parent.mkdir(exist_ok=True)
    (wiki.folder / path).write_text(content)
    wiki.git("add", "--all")
    wiki.git("commit", "--quiet", "--message", message)


def test_the_first_commit_has_nothing_to_be_judged_against(wiki: Wiki) -> None:
    with pytest.raises(UsageError, match="is the first commit"):
        _judged(wiki, "main")


def test_a_conflict_is_told(wiki: Wiki) -> None:
    wiki.git("branch", "other")
    _committed(wiki, "wiki/index.md", "# Mine\n")
    wiki.git("switch", "--quiet", "other")
    _committed(wiki, "wiki/index.md", "# Theirs\n")
    with pytest.raises(CannotRun, match=r"conflicts with .* in wiki/index\.md"):
        _judged(wiki, "other", "main")


def test_votes_that_the_policy_wants_are_wanted_here_too(make_wiki: Callable[..., Wiki]) -> None:
    wiki = make_wiki('[verify]\njudge = "none"\nmin_judged = 1.0\n')
    with pytest.raises(CannotRun, match="min_judged wants 100%"):
        _judged(wiki, branch(wiki.run()))


def test_nothing_is_recorded(wiki: Wiki) -> None:
    run = wiki.run()
    before = wiki.refs()
    assert _judged(wiki, f"run/{run.id}").verdict == "commit"
    assert wiki.refs() == before


@pytest.mark.parametrize("rev", ["branch", "commit"])
def test_a_runs_branch_is_judged_as_a_run_by_name_and_as_a_commit_by_id(wiki: Wiki, rev: str) -> None:
    run = wiki.run({name(0): page(0), "assay.toml": "[verify]\nmax_loops = 20\n"})
    judged = _judged(wiki, f"run/{run.id}" if rev == "branch" else wiki.git("rev-parse", branch(run)), "main")
    expected = [("path_acl", "outside_wiki")] if rev == "branch" else []
    assert (_wrong(judged), judged.run_id) == (expected, run.id if rev == "branch" else "")


def test_a_branch_nobody_adopted_is_judged_as_a_run_without_a_past(wiki: Wiki) -> None:
    run = wiki.run({name(0): page(0), "raw/made-up.md": "x\n"}, run_id="abc-longer")
    wiki.git("branch", "run/abc", branch(run))
    judged = _judged(wiki, "run/abc", "main")
    assert (_wrong(judged), judged.run_id) == ([("raw_sealed", "raw_write")], "")


def test_a_commit_by_hand_that_forges_a_quotation_is_refused(wiki: Wiki) -> None:
    _committed(wiki, name(0), page(0, "the sea never falls back"))
    assert _wrong(_judged(wiki, "main")) == [("quote_anchor", "altered")]


def test_a_line_in_the_log_that_no_run_made_is_refused(wiki: Wiki) -> None:
    log = wiki.show("wiki/log.md") + "\n\n- 2024-01-02 cascade: p000.md (run a-run-of-mine)\n"
    _committed(wiki, "wiki/log.md", log, "By hand\n\nAssay-Run: a-run-of-mine")
    assert _wrong(_judged(wiki, "main")) == [("path_acl", "log")]


@pytest.mark.parametrize("style", ["merge", "squash"])
@pytest.mark.slow
def test_what_landed_is_found_right_again_with_the_tools_own_line(make_wiki: Callable[..., Wiki], style: str) -> None:
    wiki = make_wiki(f'[publish]\nstyle = "{style}"\n')
    for number in range(3):
        wiki.finish(wiki.run({name(number): page(number)}))
    assert _judged(wiki, "main").verdict == _judged(wiki, "main", "main~3").verdict == "commit"


@pytest.mark.slow
def test_a_landing_that_lost_a_swap_is_found_right_by_the_plan_it_landed_with(wiki: Wiki) -> None:
    index = wiki.show("wiki/index.md")
    run = wiki.run({"wiki/index.md": f"{index}\n- [Once more](p000.md)\n", name(0): page(0)})
    moved: list[str] = []

    def meanwhile(step: str) -> None:
        if step == "publish" and not moved:
            moved.append(wiki.finish(wiki.run({name(0): page(0)})).commit)

    assert wiki.finish(run, meanwhile).result == "landed"
    assert _judged(wiki, "main").verdict == "commit"


def test_what_is_staged_is_judged_and_left_as_it_is(wiki: Wiki) -> None:
    context = wiki.context()
    (wiki.folder / name(0)).write_text(page(0, "the sea never falls back"))
    wiki.git("add", "--all")
    (wiki.folder / name(0)).write_text(page(0))
    before = wiki.git("status", "--porcelain")
    base = str(wiki.ref(MAIN))
    [first] = revisions.judge_staged(context, [wiki.workspace()], base)
    assert _wrong(first) == [("quote_anchor", "altered")]
    wiki.git("add", "--all")
    [second] = revisions.judge_staged(wiki.context(), [wiki.workspace()], base)
    assert second.verdict == "commit"
    assert before == f"AM {name(0)}"


def test_only_what_the_change_causes_gates(wiki: Wiki) -> None:
    _committed(wiki, name(0), page(0, "the sea never falls back"))
    text = (wiki.folder / name(0)).read_text()
    _committed(wiki, name(0), text.replace("# Page 0", "# Page nought"))
    judged = _judged(wiki, "main")
    assert (judged.verdict, _wrong(judged)) == ("commit", [("quote_anchor", "altered")])
    assert [finding.new for finding in judged.findings] == [False]
