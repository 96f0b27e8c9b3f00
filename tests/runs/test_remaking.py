from __future__ import annotations

from contextlib import closing
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks import recorded
from gitops.git import notes
from gitops.index.database import open_index
from gitops.index.records import dump
from gitops.runs import mirror, names, remaking, store
from gitops.runs.context import Context
from gitops.runs.indexrows import of_run
from gitops.runs.notelines import parse
from gitops.runs.records import Record, StateRecord, fold
from tests.runs.driving import MAIN, Wiki, name, page
from tests.runs.signed import SignedWiki
from tests.runs.signed import signed as signed
from tests.runs.test_mirror import _session
from tests.runs.test_run_records import PLANS, STATES, _line, begun, state, verdict


def _both_ways(context: Context, folder: Path) -> None:
    """An index remade equals one filled with models, and both tell the same of what they skip."""
    told: dict[str, list[str]] = {"straight": [], "careful": []}
    straight = Context(context.repository, warn=told["straight"].append)
    made = remaking.remake(straight)
    with mirror.opened(straight) as index:
        remade = dump(index)
    careful = Context(context.repository, warn=told["careful"].append)
    runs, verdicts, measured, evicted = store.everything(careful)
    with closing(open_index(folder / "filled.sqlite3")) as index:
        left_out = mirror.fill(index, runs, verdicts, measured, evicted)
        assert dump(index) == remade
    assert (made.runs, made.verdicts, made.left_out) == (len(runs), len(verdicts), left_out)
    assert told["straight"] == told["careful"]


@pytest.mark.slow
def test_a_signature_beside_a_verdict_is_passed_over_without_making_a_model_of_it(
    signed: SignedWiki, tmp_path: Path
) -> None:
    commit, verdict = signed.landed()
    lines = signed.lines(commit)
    straight = remaking.verdicts_of(commit, lines)
    assert straight is not None
    assert [each["id"] for each in straight] == [verdict.id]
    forged = [line.replace('"keyid":"SHA256:', '"keyid":"SHA255:') for line in lines]
    assert remaking.verdicts_of(commit, forged) is None  # which then is told as everywhere else
    signed.write(commit, *forged)
    _both_ways(signed.wiki.context(), tmp_path)


def test_damaged_forged_and_misplaced_lines_count_for_nothing_either_way(wiki: Wiki, tmp_path: Path) -> None:
    context = wiki.context()
    wiki.finish(wiki.run())
    run = wiki.run({name(1): page(1)}, reason="wiki/caf\udce9.md")
    head = str(wiki.ref(MAIN))
    another = wiki.git("commit-tree", "-m", "another", f"{head}^{{tree}}")
    on_runs = {
        run.record.root: ["gibberish", state(7, "committed").line(), begun("b-run", run.record.root).line()],
        head: [
            begun(root=head).line(),
            state(0, "pending").line(),
            state(0, "pending").line().replace("pend", "sp", 1),
        ],
        another: [begun(root=another).line(), state(0, "pending").line()],
    }
    yes, no = verdict("commit", commit=head, run_id="a-run"), verdict("reject", commit=another)
    on_verdicts = {head: [_line(yes), _line(yes).replace('"tree":', '"tree":"f","tree":'), _line(no)], another: ["{}"]}
    for ref, lines in ((names.RUNS, on_runs), (names.VERDICTS, on_verdicts)):
        notes.append(context.repository, ref, lines, "by hand", context.identity, context.epoch)
    _both_ways(context, tmp_path)


@pytest.mark.slow
def test_after_a_long_mixed_day_both_ways_say_the_same(wiki: Wiki, tmp_path: Path) -> None:
    _session(wiki)
    live = wiki.index()
    _both_ways(wiki.context(), tmp_path)
    assert wiki.index() == live


def test_records_of_landings_go_the_straight_way(tmp_path: Path) -> None:
    repository = recorded.opened(tmp_path / "records.git")
    recorded.fill(repository, 6)
    for root, lines in notes.read_all(repository, names.RUNS):
        assert remaking.run_of(root, lines) is not None
    for commit, lines in notes.read_all(repository, names.VERDICTS):
        assert remaking.verdicts_of(commit, lines) is not None
    _both_ways(Context(repository), tmp_path)


def test_what_a_day_really_records_goes_the_straight_way(wiki: Wiki) -> None:
    run = wiki.run()
    wiki.finish(run)
    context = wiki.context()
    assert remaking.run_of(run.record.root, notes.read(context.repository, names.RUNS, run.record.root)) is not None
    ((commit, lines),) = notes.read_all(context.repository, names.VERDICTS)
    assert remaking.verdicts_of(commit, lines) is not None


@given(st.lists(st.one_of(STATES, PLANS), max_size=8), st.randoms())
def test_a_run_folds_to_the_same_row_either_way(records: list[Record], chance: Random) -> None:
    lines = [record.line() for record in [begun(), *records]]
    lines += chance.sample(lines[1:], len(records) // 2)
    chance.shuffle(lines)
    straight = remaking.run_of("a" * 40, lines)
    folded = fold(parse(lines, "here").records)
    assert (straight is not None) == any(isinstance(record, StateRecord) for record in records)
    assert (straight.row if straight else None) == (of_run(folded["a-run"]) if folded else None)
