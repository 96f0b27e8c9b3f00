from __future__ import annotations

from gitops.eviction import features
from gitops.eviction.features import first_seen, rows, unit_name
from tests.eviction.resolutions import candidate, many, resolved


def test_each_candidate_is_a_row_that_says_whether_it_was_kept_back() -> None:
    pair = resolved([candidate("a"), candidate("b", references=2)], ["b"], reason="for the sums")
    [first, second] = rows([pair])
    assert (first.candidate.ctx_id, first.is_excluded, first.reason) == ("a", False, "")
    assert (second.is_excluded, second.reason, second.candidate.references) == (True, "for the sums", 2)
    assert (second.at, second.by, second.scope) == ("2026-01-01T00:00:00Z", "llm", "talk")


def test_what_nobody_answered_says_nothing_of_need() -> None:
    pairs = [resolved([candidate("a")], by="auto"), resolved([candidate("b")], ["b"], number=1, by="user")]
    assert [row.candidate.ctx_id for row in rows(pairs)] == ["b"]


def test_a_candidate_of_which_nothing_is_said_is_no_row() -> None:
    proposal, feedback = resolved([candidate("a"), candidate("b")])
    told = feedback.model_copy(update={"evicted": ["a"]})
    assert [row.candidate.ctx_id for row in rows([(proposal, told)])] == ["a"]


def test_rows_come_in_the_order_in_which_proposals_were_resolved_and_of_one_scope_alone_if_asked() -> None:
    pairs = [resolved([candidate("late")], number=9), resolved([candidate("early")], number=1, scope="other")]
    assert [row.candidate.ctx_id for row in rows(pairs)] == ["early", "late"]
    assert [row.candidate.ctx_id for row in rows(pairs, "talk")] == ["late"]


def test_only_the_first_time_that_an_item_is_proposed_counts_to_learn_from() -> None:
    pairs = [
        resolved([candidate("a", age=3)], ["a"]),
        resolved([candidate("a", age=9), candidate("b")], ["a"], number=1),
        resolved([candidate("a")], number=2, scope="other"),  # another conversation's item has the same id
    ]
    kept = first_seen(rows(pairs))
    assert [(row.scope, row.candidate.ctx_id, row.candidate.age_turns) for row in kept] == [
        ("talk", "a", 3),
        ("talk", "b", 3),
        ("other", "a", 3),
    ]


def test_rows_count_as_drawn_by_proposal_and_where_there_are_many_scopes_by_scope() -> None:
    few = rows(many(3, 30))
    assert unit_name(few) == "proposal"
    assert len(features.by_unit(few)) == 30
    scopes = [pair for number in range(20) for pair in many(1, 3, scope=f"talk-{number}")]
    wide = rows(scopes)
    assert unit_name(wide) == "scope"
    assert len(features.by_unit(wide)) == 20
    of_one = [row for row in wide if row.scope == "talk-3"]
    assert len(features.by_unit(of_one)) == 3  # of one scope nothing else is left to draw
