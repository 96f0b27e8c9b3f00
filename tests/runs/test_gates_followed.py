"""A verdict says which measurements the gates followed, and whether they bear it can be recomputed."""

from __future__ import annotations

import pytest

from gitops.errors import Blocked
from gitops.runs import feedback, gates_followed, measurements, names
from gitops.runs.outcome import Outcome
from gitops.verify.verdict import Followed, Verdict
from tests.runs.driving import Wiki
from tests.runs.measuring import made, measure
from tests.runs.signed import SignedWiki
from tests.runs.signed import signed as signed


def landed(wiki: Wiki) -> Verdict:
    outcome: Outcome = wiki.finish(wiki.run())
    assert outcome.result == "landed"
    assert outcome.verdict is not None
    return outcome.verdict


def rests(verdict: Verdict, **changed: str) -> Verdict:
    """The same verdict, resting on something else."""
    [used] = verdict.measurements
    return verdict.model_copy(update={"measurements": (used.model_copy(update=changed),)}).named()


def test_a_measurement_that_is_not_there(wiki: Wiki) -> None:
    measure(wiki, "M2", 0.95, "healthy")
    verdict = landed(wiki)
    assert "which is not in the notes" in gates_followed.problem(wiki.context(), rests(verdict, id="0" * 40))
    wiki.git("update-ref", "-d", names.EVALS)
    assert "M2" in gates_followed.problem(wiki.context(), verdict)


def test_a_measurement_of_another_metric_or_workspace(wiki: Wiki) -> None:
    measure(wiki, "M2", 0.95, "healthy")
    verdict = landed(wiki)
    assert gates_followed.problem(wiki.context(), rests(verdict, metric="M5")).endswith(
        "which is M2 of workspace tides"
    )
    other = measurements.append(wiki.context(), made(wiki, "M2", 0.9, "healthy", workspace="elsewhere"))
    found = gates_followed.problem(wiki.context(), rests(verdict, id=other.id, commit=other.commit))
    assert found.endswith("which is M2 of workspace elsewhere")


def test_a_measurement_that_was_made_later(wiki: Wiki) -> None:
    measure(wiki, "M2", 0.95, "healthy")
    verdict = landed(wiki)
    wiki.later(days=1)
    later = measure(wiki, "M2", 0.95, "healthy")
    found = gates_followed.problem(wiki.context(), rests(verdict, id=later.id, commit=later.commit))
    assert found.endswith(f"which was measured only at {later.completed_at}")


@pytest.mark.slow
def test_a_broken_measurement_that_nobody_acknowledged_in_time(wiki: Wiki) -> None:
    broken = measure(wiki, "M2", 0.5, "broken")
    with pytest.raises(Blocked):
        wiki.run(run_type="cascade")
    feedback.acknowledge(wiki.context(), "M2", broken, "known")
    verdict = landed(wiki)
    assert gates_followed.problem(wiki.context(), verdict) == ""
    early = verdict.model_copy(update={"created_at": "2024-01-02T03:04:04Z"})
    assert "which was measured only at" in gates_followed.problem(wiki.context(), early)
    wiki.git("update-ref", "-d", names.FEEDBACK)
    assert gates_followed.problem(wiki.context(), verdict).endswith("which is broken and was not acknowledged")
    wiki.later(days=1)
    feedback.acknowledge(wiki.context(), "M2", broken, "too late")
    assert gates_followed.problem(wiki.context(), verdict).endswith("was not acknowledged")


@pytest.mark.slow
def test_an_ack_that_is_not_signed_where_the_base_demands_it(signed: SignedWiki) -> None:
    wiki = signed.wiki
    broken = measure(wiki, "M2", 0.5, "broken")
    feedback.acknowledge(wiki.context(), "M2", broken, "known")
    verdict = landed(wiki)
    assert gates_followed.problem(wiki.context(), verdict) == ""
    lines = [each for each in wiki.git("notes", f"--ref={names.FEEDBACK}", "show", broken.commit).splitlines() if each]
    bare = next(each for each in lines if '"kind":"ack"' in each)
    wiki.git("notes", f"--ref={names.FEEDBACK}", "add", "-f", "-m", bare, broken.commit)
    assert gates_followed.problem(wiki.context(), verdict).endswith("was not acknowledged")


@pytest.mark.slow
def test_a_verdict_names_what_the_gates_followed(signed: SignedWiki) -> None:
    m2 = measure(signed.wiki, "M2", 0.95, "healthy")
    measure(signed.wiki, "M1", 0.97, "healthy")
    m5 = measure(signed.wiki, "M5", 0.8, "degraded")
    signed.wiki.later(hours=1)
    measure(signed.wiki, "M5", None, "not_measured")
    verdict = landed(signed.wiki)
    used = tuple(Followed(commit=one.commit, id=one.id, metric=one.suite) for one in (m2, m5))
    assert verdict.measurements == used
    assert gates_followed.problem(signed.wiki.context(), verdict) == ""
    stated = signed.examine(verdict.candidate)
    assert stated.statement is not None
    assert stated.statement["predicate"]["measurements"] == [one.model_dump() for one in used]
    assert stated.problem == ""


def test_a_run_that_no_gate_is_asked_for_rests_on_nothing(wiki: Wiki) -> None:
    measure(wiki, "M2", 0.95, "healthy")
    outcome = wiki.finish(wiki.run(run_type="lint", reason="it mends"))
    assert outcome.verdict is not None
    assert outcome.verdict.measurements == ()
    assert "measurements" not in outcome.verdict.record()


def test_the_index_made_anew_holds_such_verdicts_too(wiki: Wiki, tmp_path_factory: pytest.TempPathFactory) -> None:
    measure(wiki, "M2", 0.95, "healthy")
    landed(wiki)
    assert wiki.rebuilt_index(tmp_path_factory.mktemp("index")) == wiki.index()
