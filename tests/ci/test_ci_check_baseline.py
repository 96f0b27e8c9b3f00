"""Where the base's numbers are from, and what a comparison of them comes to."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from gitops.ci.checking import Asked, check
from gitops.ci.chosen import Chosen
from gitops.ci.events import Event
from gitops.ci.measuring import Side
from gitops.ci.result import Result
from gitops.ci.rows import Rows, rows
from gitops.ci.spans import span
from gitops.evals.registry import registry
from gitops.evals.running import Wanted, kept
from gitops.runs import names
from gitops.runs.measurements import Measurement, Metric, Sample
from tests.runs.driving import Wiki, first_files
from tests.runs.signed import POLICY, SignedWiki, make_key, signer

TURNS = "The tide turns twice a day on most coasts."
PAGE = f'# Turning\n\n{TURNS}[^1]\n\n[^1]: raw/turns.md, "{TURNS}"\n'
M1 = {"M1": registry()["M1"]}


@pytest.fixture
def turning(make_repository: Callable[..., Path]) -> Callable[..., Wiki]:
    """A wiki with one claim that the offline judge is sure of."""

    def make(policy: str = "", **files: str) -> Wiki:
        more = {"raw/turns.md": f"{TURNS}\n", "wiki/p000.md": PAGE}
        return Wiki(make_repository({**first_files(policy), **more, **files}))

    return make


def checked(wiki: Wiki, base: str, metric: str = "M1") -> Result:
    context = wiki.context()
    [found] = check(context, span(context, Event(), base, None), Asked(metric=metric))
    return found.result


def measured(wiki: Wiki, **how: Any) -> str:
    """Measure M1 of main, and leave a commit on it that changes a page; main's commit."""
    base = wiki.git("rev-parse", "main")
    kept(wiki.context(), wiki.workspace(base), base, Wanted(M1, **how), "")
    (wiki.folder / "wiki/p000.md").write_text(f"{PAGE}\n")
    wiki.git("commit", "--quiet", "--all", "--message", "A line more")
    return base


def test_another_instrument_is_not_compared_but_measured_again(turning: Callable[..., Wiki]) -> None:
    wiki = turning()
    assert checked(wiki, measured(wiki, seed=7)).baseline.source == "measured here"


def test_unsigned_numbers_of_the_base_count_for_nothing_where_signatures_are_wanted(
    turning: Callable[..., Wiki], tmp_path: Path
) -> None:
    key = make_key(tmp_path, "verifier")
    wiki = turning(POLICY, **{".assay/allowed_signers": signer(key)})
    SignedWiki(wiki, key, key).use(key)
    base = measured(wiki)
    assert checked(wiki, base).baseline.source == "notes"
    lines = wiki.git("notes", f"--ref={names.EVALS}", "show", base).splitlines()
    unsigned = [line for line in lines if '"kind":"metric"' in line]
    assert len(unsigned) < len(lines)
    wiki.git("notes", f"--ref={names.EVALS}", "add", "--force", "--message", "\n".join(unsigned), base)
    assert checked(wiki, base).baseline.source == "measured here"


def test_the_notes_tell_the_base_and_how_old_that_is(turning: Callable[..., Wiki]) -> None:
    wiki = turning()
    base = measured(wiki)
    wiki.later(days=2)
    found = checked(wiki, base)
    assert (found.baseline.source, found.baseline.commit, found.baseline.age_days) == ("notes", base, 2.0)
    assert found.metrics[0].trend == (1.0, 1.0)


def test_what_counts_the_last_days_is_measured_on_both_sides_at_once(turning: Callable[..., Wiki]) -> None:
    wiki = turning()
    base = wiki.git("rev-parse", "main")
    kept(wiki.context(), wiki.workspace(base), base, Wanted({"M6": registry()["M6"]}), "")
    (wiki.folder / "wiki/p000.md").write_text(f"{PAGE}\n")
    wiki.git("commit", "--quiet", "--all", "--message", "A line more")
    assert checked(wiki, base, "M6").baseline.source != "notes"


def test_gold_is_asked_without_a_model_where_the_wiki_s_own_writer_is_one(turning: Callable[..., Wiki]) -> None:
    gold = "- id: turns\n  query: How often does the tide turn on most coasts?\n  expected_topics: [p000]\n"
    gold += "  expected_citations: [raw/turns.md]\n  authored_at: 2024-01-01\n"
    wiki = turning('[llm]\nwriter = "claude"\n', **{"gold/queries.yaml": gold})
    base = wiki.git("rev-parse", "main")
    (wiki.folder / "wiki/p000.md").write_text(f"{PAGE}\n")
    wiki.git("commit", "--quiet", "--all", "--message", "A line more")
    found = checked(wiki, base, "M3")
    assert found.outcome == "passed", found.metrics
    assert (found.metrics[0].metric, found.metrics[0].verdict) == ("M3", "within noise")


# Rows


def side(value: float | None, status: str, passing: int, of: int = 20, why: str = "") -> Side:
    """A measurement of M1 over so many samples, of which so many pass."""
    samples = tuple(
        Sample(id=f"s{at}", status="pass" if at < passing else "fail", scores={"M1": float(at < passing)})
        for at in range(of if value is not None else 0)
    )
    metric = Metric.model_validate({"value": value, "n": of, "direction": "higher", "unit": "share", "status": status})
    moment = "2024-01-02T03:04:05Z"
    made = Measurement(
        summary="M1",
        kind="metric",
        run_id="r",
        commit="a" * 40,
        workspace="w",
        suite="M1",
        subject={},
        instrument={},
        started_at=moment,
        completed_at=moment,
        samples=samples,
        metrics={"M1": metric},
        reason=why,
    )
    return Side("a" * 40, {"M1": made}, {"M1": why} if why else {})


def compared(base: Side, head: Side) -> Rows:
    return rows(Chosen(M1), base, head, {})


def test_worse_by_more_than_chance_gates() -> None:
    [row] = compared(side(1.0, "healthy", 20), side(0.6, "healthy", 12)).rows
    assert (row.verdict, row.gated, row.why) == ("regressed", True, "worse by more than chance")
    assert row.p is not None
    assert row.p <= 0.05


def test_broken_at_the_head_and_not_at_the_base_gates_by_its_limit() -> None:
    [row] = compared(side(0.9, "degraded", 18), side(0.8, "broken", 16)).rows
    assert (row.verdict, row.gated, row.limit) == ("regressed", True, ">= 0.85")
    assert row.why == "broken at the head, and it was not at the base"


def test_broken_before_and_after_gates_nothing() -> None:
    [row] = compared(side(0.8, "broken", 16), side(0.75, "broken", 15)).rows
    assert (row.verdict, row.gated) == ("within noise", False)


def test_better_by_more_than_chance_is_an_improvement() -> None:
    [row] = compared(side(0.5, "broken", 10), side(1.0, "healthy", 20)).rows
    assert (row.verdict, row.gated) == ("improved", False)


def test_a_number_that_is_gone_is_lost_and_one_that_never_was_is_not() -> None:
    gone = compared(side(1.0, "healthy", 20), side(None, "not_measured", 0, why="no claim is left"))
    assert (gone.lost, gone.rows[0].verdict, gone.rows[0].why) == (("M1",), "no data", "no claim is left")
    never = compared(side(None, "not_measured", 0, why="no claim"), side(1.0, "healthy", 20))
    assert (never.lost, never.rows[0].verdict, never.gated) == ((), "no data", [])
    assert never.rows[0].why == "at the base: no claim"


def test_other_instruments_are_named_and_not_compared() -> None:
    base, head = side(1.0, "healthy", 20), side(0.5, "healthy", 10)
    other = head.found["M1"].model_copy(update={"instrument": {"judge": "another"}})
    [row] = compared(base, replace(head, found={"M1": other})).rows
    assert (row.verdict, row.gated, row.delta) == ("not comparable", False, None)
    assert "judge" in row.why


def test_what_nothing_measured_has_a_row_that_says_so() -> None:
    [row] = rows(Chosen(M1), Side("a" * 40, {}, {}), Side("b" * 40, {}, {"M1": "no page"}), {}).rows
    assert (row.metric, row.verdict, row.why) == ("M1", "no data", "no page")
