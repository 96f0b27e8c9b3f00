"""Proposals for other harnesses: kept until they are resolved, resolved once, and recorded whatever is killed."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gitops.errors import CannotRun, Refused, UsageError
from gitops.eviction import handed_in, harness, opening, pending, storing
from gitops.eviction.harness import Answer, Wanted
from gitops.eviction.model import ContextItem
from gitops.eviction.resolving import resolved
from gitops.index import records as rows
from gitops.index.database import open_index
from gitops.runs import mirror, remaking, store
from gitops.runs.context import Context
from gitops.runs.health import Symptom, examine
from gitops.runs.workspace import Workspace, find
from tests.agents.asked import CLOCK, FILES, context_of

ITEMS = [
    ContextItem(ctx_id="prompt", zone="system", token_count=900),
    ContextItem(ctx_id="a", zone="workspace", token_count=3000, turn=1, snippet="read wiki/a.md"),
    ContextItem(ctx_id="b", zone="chronicle", token_count=300, turn=9, last_reference=11),
    ContextItem(ctx_id="c", zone="memory", token_count=1200, turn=3, references=2),
]


class Place:
    """A wiki whose clock can be set, and its workspace."""

    def __init__(self, folder: Path) -> None:
        self.told: list[str] = []
        self.now = CLOCK
        self.context = replace(context_of(folder, self.told), clock=lambda: self.now)
        self.workspace: Workspace = find(self.context.repository, "HEAD")

    def propose(self, items: Sequence[ContextItem] = ITEMS, **wanted: Any) -> str:
        return harness.propose(self.context, self.workspace, items, Wanted(**wanted)).proposal_id

    def resolve(self, proposal: str, *exclude: str, by: Any = "llm", reason: str = "") -> harness.Came:
        return harness.resolve(self.context, self.workspace, proposal, Answer(by, exclude, reason))

    def waiting(self) -> list[str]:
        return [one.proposal.proposal_id for one in pending.every(self.context.folder, self.told.append)]


@pytest.fixture
def place(make_repository: Callable[..., Path]) -> Place:
    return Place(make_repository(FILES))


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("[]", "not a JSON object"),
        ('{"ctx_id": "a"', "not JSON"),
        ('{"ctx_id": "a", "zone": "workspace"}', "token_count: Field required"),
        ('{"ctx_id": "a", "zone": "attic", "token_count": 1}', "zone: Input should be"),
        ('{"ctx_id": "a", "zone": "memory", "token_count": "1"}', "token_count: Input should be a valid integer"),
        ('{"ctx_id": "a", "zone": "memory", "token_count": 1, "turn": 10000000000000}', "turn: more than 1,000,000"),
        ('{"ctx_id": "a", "zone": "memory", "token_count": -1}', "token_count: Input should be greater"),
        ('{"ctx_id": "", "zone": "memory", "token_count": 1}', "ctx_id: String should have"),
        ('{"ctx_id": "a", "zone": "memory", "token_count": 1, "age": 3}', "age: Extra inputs"),
        ('{"ctx_id": "a", "ctx_id": "b", "zone": "memory", "token_count": 1}', "a name occurs twice"),
        ('{"ctx_id": "first", "zone": "memory", "token_count": 1}', "ctx_id 'first' came before"),
        ('{"ctx_id": "a ", "zone": "memory", "token_count": 1}', "ctx_id: begins or ends with a space"),
        ('{"ctx_id": "a\\u001b[1m", "zone": "memory", "token_count": 1}', "ctx_id: has characters that nobody sees"),
    ],
)
def test_a_line_that_is_no_item_is_named(line: str, told: str) -> None:
    good = '{"ctx_id": "first", "zone": "memory", "token_count": 1}'
    with pytest.raises(UsageError, match="items:3: ") as refused:
        handed_in.read(f"{good}\n\n{line}\n".encode(), "items")
    assert told in refused.value.message


@given(st.binary(max_size=200))
def test_whatever_bytes_are_handed_in_are_items_or_refused(data: bytes) -> None:
    with suppress(UsageError):
        assert all(item.ctx_id for item in handed_in.read(data, "items"))


def test_items_are_read_as_their_model_writes_them() -> None:
    lines = "".join(f"{json.dumps(item.model_dump(mode='json'))}\n" for item in ITEMS)
    assert handed_in.read(lines.encode(), "items") == ITEMS


def test_there_is_no_proposal_of_nothing_or_of_the_prompt(place: Place) -> None:
    with pytest.raises(UsageError, match="no items"):
        place.propose([])
    with pytest.raises(UsageError, match="ctx_id 'a' comes 2 times"):
        place.propose([ITEMS[1], ITEMS[1]])
    with pytest.raises(Refused, match="every item is the system prompt's"):
        place.propose(ITEMS[:1])
    assert place.waiting() == []


@pytest.mark.parametrize(
    ("wanted", "ids"),
    [
        ({}, ["a", "c", "b"]),
        ({"limit": 2}, ["a", "c"]),
        ({"need": 3_001}, ["a", "c"]),
        ({"need": 9_000}, ["a", "c", "b"]),
    ],
)
def test_the_least_relevant_are_proposed_first_and_no_more_than_is_needed(
    place: Place, wanted: Mapping[str, Any], ids: list[str]
) -> None:
    made = harness.propose(place.context, place.workspace, ITEMS, Wanted(**wanted))
    assert [one.ctx_id for one in made.candidates] == ids
    assert (made.scope_id, made.turn_number, made.scorer_model) == ("tides", 11, "heuristic")
    assert [one.age_turns for one in made.candidates] == [10, 8, 0][: len(ids)]


def test_the_policys_weights_rank(make_repository: Callable[..., Path]) -> None:
    weights = "\n[eviction.weights]\nworkspace = 9.0\n"
    place = Place(make_repository({**FILES, "assay.toml": f"{FILES['assay.toml']}{weights}"}))
    made = harness.propose(place.context, place.workspace, ITEMS, Wanted())
    assert [one.ctx_id for one in made.candidates] == ["c", "b", "a"]


def test_what_is_kept_back_is_recorded_with_its_reason_and_all_else_is_evicted(place: Place) -> None:
    proposal = place.propose()
    assert place.waiting() == [proposal]
    came = place.resolve(proposal, "c", reason="still\n needed")
    assert came.feedback.evicted == ["a", "b"]
    assert [(one.ctx_id, one.exclude_reason) for one in came.feedback.excluded] == [("c", "still needed")]
    assert (came.feedback.resolved_by, came.is_repeated) == ("llm", False)
    assert place.waiting() == []
    assert storing.feedback(place.context) == [(came.proposal, came.feedback)]


def test_the_same_answer_again_changes_nothing_and_another_is_refused(place: Place) -> None:
    proposal = place.propose()
    first = place.resolve(proposal, "c")
    assert place.resolve(proposal, "c").feedback == first.feedback
    assert place.resolve(proposal, "c", by="user").is_repeated
    with pytest.raises(Refused, match=r"was resolved before, by llm; kept back: c"):
        place.resolve(proposal, "a")
    with pytest.raises(UsageError, match="'x' is no candidate"):
        place.resolve(proposal, "x")
    assert storing.feedback(place.context) == [(first.proposal, first.feedback)]


@pytest.mark.parametrize(
    ("exclude", "by", "told"),
    [
        (("x",), "llm", "'x' is no candidate of"),
        (("prompt",), "llm", "'prompt' is no candidate of"),
        (("a", "c", "a"), "llm", "'a' is to be kept back twice"),
        (("a",), "auto", "what nobody answered keeps nothing back"),
    ],
)
def test_an_answer_that_makes_no_sense_leaves_the_proposal_waiting(
    place: Place, exclude: tuple[str, ...], by: str, told: str
) -> None:
    proposal = place.propose()
    with pytest.raises(UsageError, match=told):
        place.resolve(proposal, *exclude, by=by)
    assert place.waiting() == [proposal]
    assert storing.feedback(place.context) == []


@pytest.mark.parametrize("proposal", ["ev-0123456789abcdef", "", "../../config", "ev-0123456789abcdeg"])
def test_a_proposal_that_there_is_not_is_refused(place: Place, proposal: str) -> None:
    with pytest.raises(UsageError, match="waits in workspace tides of this clone"):
        place.resolve(proposal)


def test_a_late_answer_counts_as_long_as_nobody_said_anything_before(place: Place) -> None:
    proposal = place.propose(timeout_ms=50)
    place.now += timedelta(hours=3)
    assert place.resolve(proposal, "a", by="user").feedback.resolved_by == "user"


def test_where_nobody_says_otherwise_an_answer_may_take_two_seconds(place: Place) -> None:
    place.propose()
    assert [one.timeout_ms for one in pending.every(place.context.folder, place.told.append)] == [2000]


def test_the_next_proposal_of_the_scope_resolves_what_nobody_came_back_for(place: Place) -> None:
    forgotten, other = place.propose(scope="talk-1"), place.propose(scope="talk-2")
    place.now += timedelta(seconds=3)
    in_time = place.propose(scope="talk-1")  # two seconds have passed for certain only after three
    assert set(place.waiting()) == {forgotten, other, in_time}
    place.now += timedelta(seconds=1)
    last = place.propose(scope="talk-1")
    assert set(place.waiting()) == {other, in_time, last}
    ((proposal, feedback),) = storing.feedback(place.context)
    assert (proposal.proposal_id, feedback.resolved_by, feedback.excluded) == (forgotten, "auto", [])
    assert place.told == [f"{forgotten} of the same scope was never resolved: all of it counts as evicted"]
    with pytest.raises(Refused, match="by auto; kept back: nothing"):
        place.resolve(forgotten, "a")
    assert place.resolve(forgotten).is_repeated


@pytest.mark.parametrize("scope", ["a\nb", "x" * 201, " talk", "talk\udcff"])
def test_a_scope_that_nobody_could_name_is_refused(place: Place, scope: str) -> None:
    with pytest.raises(UsageError, match="the scope "):
        place.propose(scope=scope)
    assert place.waiting() == []


def test_what_another_scope_forgot_is_resolved_a_day_later(place: Place) -> None:
    forgotten = place.propose(scope="talk-1")
    place.now += timedelta(hours=23)
    second = place.propose(scope="talk-2")
    assert set(place.waiting()) == {forgotten, second}
    place.now += timedelta(hours=2)
    third = place.propose(scope="talk-2")
    assert place.waiting() == [third]
    assert f"{forgotten} of talk-1 was never resolved: all of it counts as evicted" in place.told
    assert {feedback.resolved_by for _, feedback in storing.feedback(place.context)} == {"auto"}


def test_killed_between_note_and_row_the_row_comes_with_the_next_answer(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    place.resolve(place.propose(scope="before"))  # the index is there already
    proposal = place.propose()
    with monkeypatch.context() as killed:
        killed.setattr(mirror, "put_evicted", _killed)
        with pytest.raises(KeyboardInterrupt):
            place.resolve(proposal, "c")
    assert proposal not in {row[0] for row in _rows(place.context)}
    assert place.resolve(proposal, "c").is_repeated
    assert proposal in {row[0] for row in _rows(place.context)}


def test_killed_between_note_and_file_nothing_is_lost_or_told_twice(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    proposal = place.propose()
    with monkeypatch.context() as killed:
        killed.setattr(pending, "drop", _killed)
        with pytest.raises(KeyboardInterrupt):
            place.resolve(proposal, "c")
    assert place.waiting() == [proposal]
    assert place.resolve(proposal, "c").is_repeated
    assert place.waiting() == []
    assert len(storing.feedback(place.context)) == 1


def _killed(*_: Any) -> None:
    raise KeyboardInterrupt


def test_of_several_that_answer_at_once_one_counts(place: Place) -> None:
    proposal = place.propose()
    came: list[object] = []

    def answer(ctx_id: str) -> None:
        mine = Place(Path(str(place.context.repository.common_dir)).parent)
        try:
            came.append(mine.resolve(proposal, ctx_id).feedback)
        except Refused as error:
            came.append(error)

    threads = [threading.Thread(target=answer, args=(ctx_id,)) for ctx_id in ("a", "b", "c")]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sum(isinstance(one, Refused) for one in came) == 2
    assert len(storing.feedback(place.context)) == 1


def test_a_damaged_file_is_told(place: Place) -> None:
    proposal = place.propose()
    (place.context.folder / "eviction" / f"{proposal}.json").write_text('{"workspace": ')
    with pytest.raises(CannotRun, match="cannot be read"):
        place.resolve(proposal)
    place.now += timedelta(seconds=9)
    following = place.propose()  # which does not hang on it
    assert place.waiting() == [following]
    assert f"{proposal}.json cannot be read" in place.told[0]


def test_another_workspace_has_no_such_proposal(make_repository: Callable[..., Path]) -> None:
    both = {f"{root}/{path}": text for root in ("one", "two") for path, text in FILES.items()}
    both["two/assay.toml"] = '[workspace]\nname = "moon"\n'
    folder = make_repository(both)
    context = context_of(folder)
    one, two = (find(context.repository, "HEAD", name) for name in ("tides", "moon"))
    proposal = harness.propose(context, one, ITEMS, Wanted()).proposal_id
    with pytest.raises(UsageError, match="waits in workspace moon"):
        harness.resolve(context, two, proposal, Answer("llm"))
    harness.resolve(context, one, proposal, Answer("llm"))
    assert [len(storing.feedback(context, name)) for name in ("tides", "moon")] == [1, 0]


# Notes and rows


def _rows(context: Context) -> list[tuple[Any, ...]]:
    with mirror.opened(context) as index:
        return rows.dump(index)["eviction_feedback"]


def _of_the_index(symptoms: Iterable[Symptom]) -> list[Symptom]:
    return [one for one in symptoms if "index" in one.what]


def test_the_index_made_anew_has_the_same_rows_either_way(place: Place, tmp_path: Path) -> None:
    for _ in range(3):
        place.resolve(place.propose(), "a")
        place.now += timedelta(seconds=1)
    live = _rows(place.context)
    assert len(live) == 3
    assert _of_the_index(examine(place.context, mend=False)) == []
    (place.context.folder / "index.sqlite3").unlink()
    assert remaking.remake(place.context).left_out == []
    assert _rows(place.context) == live
    index = open_index(tmp_path / "filled.sqlite3")
    try:
        assert mirror.fill(index, *store.everything(place.context)) == []
        assert rows.dump(index)["eviction_feedback"] == live
    finally:
        index.close()


def test_doctor_brings_back_a_row_that_is_lost(place: Place) -> None:
    place.resolve(place.propose(), "a")
    live = _rows(place.context)
    with mirror.opened(place.context) as index:
        index.execute("DELETE FROM eviction_feedback")
    assert [one.mended for one in _of_the_index(examine(place.context, mend=True))] == [True]
    assert _rows(place.context) == live


def test_a_record_that_is_none_is_passed_over_in_both(place: Place) -> None:
    from gitops.runs.authority import Authority
    from gitops.runs.feedback import Evicted, keep, person

    place.resolve(place.propose(), "a")
    sound = storing.feedback(place.context)[0]
    plain = [each.model_dump(mode="json") for each in sound]
    commit = str(store.everything(place.context)[3][0].commit)
    for number, (made, became) in enumerate(
        [
            ({}, {}),
            (plain[0], plain[1] | {"proposal_id": "ev-1", "resolved_by": "nobody"}),
            (plain[0] | {"candidates": "all"}, plain[1] | {"proposal_id": "ev-2", "evicted": {"a": 1}}),
            (plain[0], plain[1] | {"excluded": [], "evicted": ["a", "b", "c"]}),
        ]
    ):
        place.now += timedelta(seconds=1)
        said = Evicted(
            summary=f"by hand, {number}",
            workspace="tides",
            commit=commit,
            reason="",
            by=person(place.context),
            at=place.context.now,
            proposal=made,
            resolution=became,
        )
        keep(Authority(place.context, "tides"), said, "by hand", is_signed=False)
    assert storing.feedback(place.context) == [sound]  # of what was resolved twice the first
    assert len(place.told) == 3
    made_anew = remaking.remake(place.context)
    assert len(made_anew.left_out) == 1  # whose `resolved_by` is none
    assert sound[0].proposal_id in {row[0] for row in _rows(place.context)}


def test_what_cannot_be_recorded_stops_no_conversation_and_is_told(place: Place, git: Callable[..., str]) -> None:
    made = harness.propose(place.context, place.workspace, ITEMS, Wanted())
    folder = Path(place.context.repository.common_dir).parent
    git(folder, "symbolic-ref", "HEAD", "refs/heads/none")
    unborn = context_of(folder, place.told)
    store_it = opening.recorder(unborn, place.workspace)
    for _ in range(2):
        store_it(made, resolved(made, CLOCK, "auto"))
    assert place.told == [
        "what was left out of a conversation is not recorded: there is no commit to record an eviction on"
    ]
    assert storing.feedback(place.context) == []
