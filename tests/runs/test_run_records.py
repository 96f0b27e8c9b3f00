from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import suppress
from itertools import permutations
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gitops.canonical import line, strict_json
from gitops.git import notes
from gitops.runs import names, store
from gitops.runs.notelines import parse
from gitops.runs.records import (
    LandedRecord,
    Operation,
    Person,
    PlanRecord,
    Record,
    Run,
    RunRecord,
    StateRecord,
    Status,
    fold,
    id_of,
)
from gitops.verify.verdict import Decision, Verdict
from tests.runs.driving import MAIN, Wiki, name, page

AT = "2024-01-02T03:04:05Z"


def begun(run_id: str = "a-run", root: str = "a" * 40) -> RunRecord:
    return RunRecord(
        summary="began",
        run_id=run_id,
        workspace="tides",
        run_type="cascade",
        triggered_by="cli:run",
        target=MAIN,
        base="b" * 40,
        root=root,
        started_at=AT,
        author=Person(name="Ada", email="ada@example.org"),
    )


def state(number: int, status: Status, **fields: Any) -> StateRecord:
    return StateRecord(summary=status, run_id="a-run", number=number, status=status, at=AT, **fields)


def plan(base: str, head: str, path: str) -> PlanRecord:
    steps = (Operation(op="create", path=path, blob=None, sha256=None),)
    return PlanRecord(summary="plan", run_id="a-run", base=base, head=head, operations=steps)


def folded(*records: Record) -> Run:
    read = parse([record.line() for record in records], "here")
    assert read.skipped == []
    return fold(read.records)["a-run"]


def test_no_state_is_no_run() -> None:
    assert fold(parse([begun().line()], "here").records) == {}


def test_a_run_that_has_ended_does_not_begin_again() -> None:
    ended = folded(begun(), state(0, "pending"), state(1, "rejected"), state(2, "pending"), state(3, "verifying"))
    assert ended.status == "rejected"


def test_a_rejected_run_is_committed_by_an_override_and_stays_so() -> None:
    run = folded(begun(), state(0, "pending"), state(1, "rejected"), state(2, "committed"), state(3, "abandoned"))
    assert run.status == "committed"


@pytest.mark.parametrize(
    ("one", "other", "stronger"),
    [
        ("verifying", "pending", "verifying"),
        ("committed", "rejected", "committed"),
        ("abandoned", "pending", "abandoned"),
    ],
)
def test_of_two_states_with_one_number_the_stronger_stands(one: Status, other: Status, stronger: Status) -> None:
    for pair in permutations([state(1, one), state(1, other)]):
        assert folded(begun(), state(0, "pending"), *pair).status == stronger


def test_the_plan_is_that_of_the_base_it_was_made_against() -> None:
    first, second = plan("1" * 40, "2" * 40, "wiki/a.md"), plan("3" * 40, "2" * 40, "wiki/b.md")
    states = [
        state(0, "pending"),
        state(1, "verifying", base="1" * 40, head="2" * 40),
        state(2, "verifying", base="3" * 40, head="2" * 40),
    ]
    run = folded(begun(), *states, first, second)
    assert run.plan is not None
    assert run.plan.operations[0].path == "wiki/b.md"


STATES = st.builds(
    state,
    st.integers(0, 5),
    st.sampled_from(["pending", "verifying", "committed", "rejected", "abandoned"]),
    head=st.sampled_from(["", "1" * 40, "2" * 40]),
    verdict=st.sampled_from(["", "revise", "reject"]),
)
PLANS = st.builds(plan, st.sampled_from(["", "1" * 40]), st.sampled_from(["1" * 40, "2" * 40]), st.just("wiki/a.md"))
LANDED = st.builds(
    LandedRecord,
    summary=st.just("landed"),
    run_id=st.just("a-run"),
    commit=st.sampled_from(["1" * 40, "2" * 40]),
    verdict_id=st.just("v"),
    at=st.just(AT),
)


@given(st.lists(st.one_of(STATES, PLANS, LANDED), max_size=8), st.randoms())
def test_order_and_duplicates_change_nothing(records: list[Record], chance: Any) -> None:
    lines = [record.line() for record in [begun(), begun(root="c" * 40), *records]]
    shuffled = [*lines, *chance.sample(lines, len(lines) // 2)]
    chance.shuffle(shuffled)
    assert fold(parse(lines, "here").records) == fold(parse(shuffled, "here").records)


@given(st.lists(STATES, min_size=1, max_size=8))
def test_the_state_of_a_run_is_one_that_was_recorded_and_no_end_is_undone(states: list[StateRecord]) -> None:
    run = folded(begun(), *states)
    if any(each.status == "committed" for each in states):
        assert run.status == "committed"
    assert run.status in {each.status for each in states}


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("no json", "Expecting value"),
        ("[1]", "not a JSON object"),
        ('{"kind":"run","kind":"state"}', "a name occurs twice"),
        ('{"a":{"b":1,"b":2}}', "a name occurs twice"),
        ('{"kind":"confession"}', "unknown kind of record 'confession'"),
        ('{"kind":["run"]}', "unknown kind of record"),
        ('{"kind":"run","x":NaN}', "NaN is not JSON"),
        ("[" * 100_000, "nested too deeply"),
        (begun().line().replace('"cascade"', '"archive"'), "its id is not the digest of its content"),
        (line("s", {"kind": "state", "id": id_of({"kind": "state"})}), "validation errors for StateRecord"),
    ],
)
def test_a_line_that_is_no_record_is_named_and_skipped(text: str, why: str) -> None:
    read = parse([begun().line(), text, "  ", state(0, "pending").line()], "refs/notes/assay/runs on abc")
    assert len(read.records) == 2
    assert [told.partition(": ")[0] for told in read.skipped] == ["refs/notes/assay/runs on abc, line 2"]
    assert why in read.skipped[0]


def test_a_record_of_a_later_version_with_more_fields_is_read() -> None:
    body = json.loads(state(0, "pending").line()) | {"mood": "hopeful"}
    text = line(
        "later", {key: value for key, value in body.items() if key not in ("id", "summary")} | {"id": id_of(body)}
    )
    assert parse([text], "here").skipped == []


def test_the_summary_comes_first_and_is_outside_the_id() -> None:
    text = state(0, "pending").line()
    assert text.startswith('{"summary":"pending",')
    assert parse([text.replace('"summary":"pending"', '"summary":"whatever"')], "here").skipped == []


@given(st.text())
def test_reading_a_line_never_raises_anything_else(text: str) -> None:
    with suppress(ValueError):
        strict_json(text)
    parse(text.split("\n"), "here")


def _noted(wiki: Wiki, ref: str, target: str, *lines: str) -> None:
    context = wiki.context()
    notes.append(context.repository, ref, {target: list(lines)}, "by hand", context.identity, context.epoch)


def test_a_damaged_line_in_the_notes_is_told_and_the_run_is_read(wiki: Wiki) -> None:
    run = wiki.run()
    _noted(wiki, names.RUNS, run.record.root, "gibberish", '{"kind":"state","kind":"run"}')
    assert wiki.find(run) == run
    assert [told.partition(": ")[0] for told in wiki.told] == [
        f"refs/notes/assay/runs on {run.record.root[:10]}, line {number}" for number in _lines_by_hand(wiki, run)
    ]
    assert wiki.finish(run).result == "landed"


def _lines_by_hand(wiki: Wiki, run: Run) -> list[int]:
    context = wiki.context()
    lines = notes.read(context.repository, names.RUNS, run.record.root)
    return [number for number, text in enumerate(lines, 1) if text[0] == "g" or '"kind":"state","kind"' in text]


def test_records_of_a_run_on_a_commit_where_it_did_not_begin_count_for_nothing(wiki: Wiki) -> None:
    run = wiki.run()
    forged = state(7, "committed").model_copy(update={"run_id": run.id})
    _noted(wiki, names.RUNS, str(wiki.ref(MAIN)), forged.line(), begun(run.id, run.record.root).line())
    assert store.all_runs(wiki.context())[run.id].status == "pending"
    assert any("did not begin there" in told for told in wiki.told)


def test_a_run_that_two_clones_began_is_one_run_everywhere(wiki: Wiki) -> None:
    head = str(wiki.ref(MAIN))
    for root in (head, wiki.git("commit-tree", "-m", "another", f"{head}^{{tree}}")):
        _noted(wiki, names.RUNS, root, begun(root=root).line(), state(0, "pending").line())
    assert store.all_runs(wiki.context())["a-run"] == store.exact(wiki.context(), "a-run")
    assert any("was begun twice" in told for told in wiki.told)


def verdict(decision: Decision, reasoning: str = "", commit: str = "c" * 40, **fields: Any) -> Verdict:
    return Verdict(
        summary=decision,
        workspace="tides",
        base="b" * 40,
        head="d" * 40,
        candidate=commit,
        tree="e" * 40,
        policy="",
        verifier="somebody/1",
        verdict=decision,
        reasoning=reasoning,
        created_at=AT,
        **fields,
    ).named()


def _line(made: Verdict) -> str:
    body = made.record()
    return line(body.pop("summary"), body)


def _changed(made: Verdict) -> str:
    return _line(made).replace('"verdict":"reject"', '"verdict":"commit"')


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (_changed(verdict("reject")), "its id is not the digest of its content"),
        (_line(verdict("commit")).replace('"tree":', '"tree":"f","tree":'), "a name occurs twice"),
        (_line(verdict("commit", commit="9" * 40)), "it judges 9999999999, another commit"),
        ("{}", "validation errors for Verdict"),
    ],
)
def test_a_forged_or_damaged_verdict_counts_for_nothing(wiki: Wiki, text: str, why: str) -> None:
    commit = str(wiki.ref(MAIN))
    made = verdict("reject", commit=commit)
    _noted(wiki, names.VERDICTS, commit, _line(made), text.replace("c" * 40, commit))
    assert store.verdicts_on(wiki.context(), commit) == [made]
    assert len(wiki.told) == 1
    assert why in wiki.told[0] or "its id is not" in wiki.told[0]


def test_a_forged_yes_lands_nothing(wiki: Wiki) -> None:
    run = wiki.run({name(0): page(0, "the sea never falls back")})

    def forge(step: str) -> None:
        commit = wiki.ref(names.candidate(run.id))
        if step == "verify" and commit is not None:
            yes = verdict("commit", "trust me", commit, run_id=run.id)
            _noted(wiki, names.VERDICTS, commit, _line(yes), _line(yes).replace("trust me", "do trust me"))

    before = wiki.ref(MAIN)
    assert wiki.finish(run, forge).result == "rejected"
    assert wiki.ref(MAIN) == before


NO, YES, MAYBE = verdict("reject"), verdict("commit"), verdict("revise")


@pytest.mark.parametrize(
    ("given", "stands"),
    [
        ([], None),
        ([YES], YES),
        ([YES, NO], NO),
        ([YES, MAYBE], MAYBE),
        ([NO, YES, MAYBE], NO),
        ([verdict("commit_override"), NO], NO),
        ([verdict("commit_override"), YES], verdict("commit_override")),
        ([NO, verdict("commit_override", supersedes=(NO.id,))], verdict("commit_override", supersedes=(NO.id,))),
        ([NO, verdict("commit", supersedes=(NO.id,))], verdict("commit", supersedes=(NO.id,))),
        ([NO, verdict("commit", supersedes=("another",))], NO),
        ([verdict("commit", commit="9" * 40)], None),
    ],
)
def test_of_contradictory_verdicts_reject_wins_unless_superseded_by_name(
    given: list[Verdict], stands: Verdict | None
) -> None:
    for ordered in permutations(given):
        assert store.standing(ordered, "c" * 40) == stands


def test_the_same_judgement_is_recorded_once(wiki: Wiki) -> None:
    commit = str(wiki.ref(MAIN))
    first = store.append_verdict(wiki.context(), verdict("commit", commit=commit))
    later = verdict("commit", commit=commit).model_copy(update={"created_at": "2025-01-01T00:00:00Z"}).named()
    assert store.append_verdict(wiki.context(), later) == first
    assert store.verdicts_on(wiki.context(), commit) == [first]


def test_a_prefix_names_a_run_and_two_do_not(make_wiki: Callable[..., Wiki]) -> None:
    from gitops.errors import UsageError

    wiki = make_wiki()
    one = wiki.run({}, run_id="spring-one")
    wiki.run({}, run_id="spring-two")
    assert wiki.find("spring-o").id == one.id
    with pytest.raises(UsageError, match="may be any of spring-one, spring-two"):
        wiki.find("spring")
    with pytest.raises(UsageError, match="there is no run 'neap'"):
        wiki.find("neap")
    with pytest.raises(UsageError, match="is no run id"):
        wiki.find("../neap")
