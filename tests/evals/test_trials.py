from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest

from gitops.errors import CannotRun
from gitops.evals.edited import Edited, change, edited
from gitops.evals.foretold import Foretold
from gitops.evals.planting.ground import Ground
from gitops.evals.planting.kinds import IN_QUOTATION, KINDS
from gitops.evals.tally import metrics, outcome, sample
from gitops.evals.trials import Drawn, Tried, draw, verified
from gitops.runs.verifier_tests import CAUGHT, CONTROL, REFUSED
from gitops.usage import NOTHING
from gitops.verify.judge import Question, Vote
from gitops.wiki.names import Files
from gitops.wiki.snapshot import MemorySnapshot

Make = Callable[..., Ground]


def tried(ground: Ground, *judges: Any, size: int = 9) -> list[Tried]:
    drawn = draw(ground, size, 0)
    return verified(ground.view, drawn.trials, [Foretold(judge) for judge in judges], iter)


def counted(found: list[Tried], drawn: Drawn | None = None) -> dict[str, Any]:
    passed = dict.fromkeys((*KINDS, CONTROL), 0)
    return metrics([outcome(one) for one in found], passed, NOTHING)


def test_without_a_judge_the_checks_catch_what_they_can(make_ground: Make) -> None:
    found = counted(tried(make_ground()))
    for kind in IN_QUOTATION:
        assert found[kind].value == 1
        assert found[kind].counts["by_checks"] == found[kind].n > 0
    assert found["digit"].counts == {
        "refused": 0, "by_checks": 0, "by_judge": 0, "noted": 0, "unjudged": found["digit"].n, "not_applicable": 0
    }  # fmt: skip
    assert found[REFUSED].value == 0


def test_a_judge_that_says_yes_to_all_catches_nothing_that_the_checks_leave(
    make_ground: Make, make_judge: Callable[..., Any]
) -> None:
    yes = make_judge(lambda question: Vote("supports", 1.0, "yes", may_gate=True))
    found, without = counted(tried(make_ground(), yes)), counted(tried(make_ground()))
    assert found[CAUGHT].counts["refused"] == without[CAUGHT].counts["refused"]
    assert found[CAUGHT].counts["by_judge"] == 0
    assert found[REFUSED].counts["refused"] == 0


def test_a_judge_that_says_no_to_all_refuses_every_sound_claim(
    make_ground: Make, make_judge: Callable[..., Any]
) -> None:
    no = make_judge(lambda question: Vote("does_not_support", 1.0, "no", may_gate=True))
    found = counted(tried(make_ground(), no))
    assert found[CAUGHT].value == 1
    assert found[REFUSED].value == 1
    assert found[REFUSED].counts["by_judge"] == found[REFUSED].n == 6


def test_a_judge_that_knows_catches_all_and_refuses_nothing_sound(
    make_ground: Make, make_judge: Callable[..., Any], knowing: Callable[[Question], Vote]
) -> None:
    found = counted(tried(make_ground(), make_judge(knowing)))
    assert {kind: found[kind].value for kind in KINDS} == dict.fromkeys(KINDS, 1)
    assert found[REFUSED].value == 0
    assert found[REFUSED].n == 6


def test_a_judge_that_is_unsure_only_notes(make_ground: Make, make_judge: Callable[..., Any]) -> None:
    unsure = make_judge(lambda question: Vote("does_not_support", 0.6, "perhaps not"))
    found = counted(tried(make_ground(), unsure))
    assert found["digit"].counts["refused"] == 0
    assert found["digit"].counts["noted"] == found["digit"].n
    assert found[REFUSED].counts["noted"] == 6


def test_a_judge_that_abstains_has_said_nothing(make_ground: Make, make_judge: Callable[..., Any]) -> None:
    silent = make_judge(lambda question: Vote("abstained", 0.0, "?"))
    every = [outcome(one) for one in tried(make_ground(), silent)]
    assert {one.status for one in every if one.kind in ("digit", CONTROL)} == {"abstained"}


def test_a_judge_that_fails_ends_it(make_ground: Make, make_judge: Callable[..., Any]) -> None:
    def rule(question: Question) -> Vote:
        raise CannotRun("the network is down", "wait")

    with pytest.raises(CannotRun, match="network"):
        tried(make_ground(), make_judge(rule))


def test_a_dear_judge_is_asked_all_at_once_and_nothing_that_the_checks_refuse(
    make_ground: Make, make_judge: Callable[..., Any], knowing: Callable[[Question], Vote]
) -> None:
    judge = make_judge(knowing)
    found = tried(make_ground(), judge)
    asked = [question for batch in judge.asked for question in batch if batch]
    assert len([batch for batch in judge.asked if batch]) == 1
    assert len(set(asked)) == len(asked)
    kinds = Counter(one.trial.kind for one in found)
    left = sum(kinds.values()) - sum(kinds[kind] for kind in IN_QUOTATION)
    assert len(asked) <= left + 6  # two claims share a footnote: where that is changed, both are asked


def test_a_second_judge_is_asked_only_what_the_first_is_unsure_of(
    make_ground: Make, make_judge: Callable[..., Any], knowing: Callable[[Question], Vote]
) -> None:
    def first(question: Question) -> Vote:
        vote = knowing(question)
        return vote if vote.vote != "supports" else Vote("abstained", 0.0, "?")

    second = make_judge(knowing, id="second")
    found = counted(tried(make_ground(), make_judge(first, is_free=True), second))
    assert found[CAUGHT].value == 1
    assert found[REFUSED].value == 0
    asked = {question.claim for batch in second.asked for question in batch}
    assert asked == {one.claim.text for one in make_ground().sound}


def test_rewording_is_not_refused_as_such(make_ground: Make) -> None:
    results = {found.check for one in tried(make_ground()) for found in one.findings if found.level == "error"}
    assert results <= {"quote_anchor", "locator", "source_exists"}


def test_the_draw_keeps_to_its_size_and_is_the_same_again(make_ground: Make) -> None:
    first, again, other = (draw(make_ground(), 2, seed) for seed in (0, 0, 5))
    assert max(Counter(trial.kind for trial in first.trials).values()) == 2
    assert first.trials == again.trials
    assert [trial.id for trial in first.trials] != [trial.id for trial in other.trials]
    assert len({trial.id for trial in first.trials}) == len(first.trials)


def test_claims_that_share_a_footnote_are_made_wrong_once(make_ground: Make) -> None:
    drawn = draw(make_ground(), 9, 0)
    swapped = [trial for trial in drawn.trials if trial.kind == "swapped_source"]
    assert sum("raw/harbour.md" in one.sources for one in (trial.sound for trial in swapped)) == 1
    assert len({trial.change for trial in drawn.trials}) == len(drawn.trials)


def test_claims_that_a_kind_cannot_be_planted_in_are_counted(make_ground: Make) -> None:
    drawn = draw(make_ground(), 9, 0)
    planted = Counter(trial.kind for trial in drawn.trials)
    assert {kind: planted[kind] + drawn.not_applicable[kind] for kind in KINDS} == dict.fromkeys(KINDS, 6)
    assert drawn.not_applicable[CONTROL] == 0


def test_a_sample_says_what_was_planted_and_who_refused_it(
    make_ground: Make, make_judge: Callable[..., Any], knowing: Callable[[Question], Vote]
) -> None:
    every = [outcome(one) for one in tried(make_ground(), make_judge(knowing))]
    one = sample(next(each for each in every if each.kind == "quantifier"))
    assert (one.status, one.tags) == ("pass", ("quantifier",))
    assert one.details["path"] in ("wiki/plant.md", "wiki/docks.md")
    assert one.details["claim"] != one.details["planted"]
    assert "was" not in one.details
    swapped = sample(next(each for each in every if each.kind == "swapped_source"))
    assert {swapped.details["was"], swapped.details["planted"]} == {"harbour.md", "report.md"}


def test_an_edited_revision_differs_in_one_file(make_ground: Make) -> None:
    view = make_ground().view
    tree, path = view.snapshot, "wiki/docks.md"
    snapshot = Edited(tree, path, b"# Other\n")
    assert snapshot.read(path) == b"# Other\n"
    assert (snapshot.size(path), snapshot.mode(path)) == (8, tree.mode(path))
    assert snapshot.blob(path) == MemorySnapshot({path: b"# Other\n"}).blob(path)
    assert list(snapshot.paths()) == list(tree.paths())
    assert all(snapshot.blob(other) == tree.blob(other) for other in tree.paths() if other != path)
    after = edited(view, path, b"# Other\n", Files(tree.paths))
    (touched,) = change(view, after, path).touched
    assert (touched.old_blob, touched.new_blob) == (tree.blob(path), snapshot.blob(path))
