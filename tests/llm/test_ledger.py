from __future__ import annotations

import json
import multiprocessing
import threading
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gitops.config import Budget, Price
from gitops.errors import CannotRun, OutOfBudget
from gitops.llm.ledger import Held, Ledger
from gitops.usage import NOTHING, Usage
from tests.llm.asking import CLOCK, ledger_in, logged

PRICE = Price(input=2, output=10, cache_write=2.5, cache_read=0.1)


def spend(ledger: Ledger, used: Usage, price: Price | None = None) -> None:
    ledger.settle(ledger.reserve(used.read, max(used.output, 1), price), used, {})


def test_a_call_whose_input_does_not_fit_is_not_made(tmp_path: Path) -> None:
    ledger = ledger_in(tmp_path, Budget(input_tokens=1000))
    spend(ledger, Usage(input=400, cache_read=300, cache_write=200))
    with pytest.raises(OutOfBudget, match="900 of 1000 input_tokens are used") as caught:
        ledger.reserve(101, 10, None)
    assert "[llm.budgets.ingest] input_tokens" in caught.value.hint
    assert ledger.reserve(100, 10, None).usage.output == 10


def test_no_answer_fits_once_the_output_is_used(tmp_path: Path) -> None:
    ledger = ledger_in(tmp_path, Budget(output_tokens=50))
    spend(ledger, Usage(output=50))
    with pytest.raises(OutOfBudget, match="50 of 50 output_tokens"):
        ledger.reserve(1, 10, None)


@pytest.mark.parametrize("usd", [0.0024, 0.0025])
def test_a_call_whose_dollars_do_not_fit_is_not_made(tmp_path: Path, usd: float) -> None:
    with pytest.raises(OutOfBudget, match="usd"):
        ledger_in(tmp_path, Budget(usd=usd)).reserve(1000, 10, PRICE)


def test_dollars_bound_the_answer(tmp_path: Path) -> None:
    ledger = ledger_in(tmp_path, Budget(usd=0.0035))
    assert ledger.reserve(1000, 5000, PRICE).usage.output == 100


def test_the_answer_is_bounded_by_what_is_left(tmp_path: Path) -> None:
    ledger = ledger_in(tmp_path, Budget(output_tokens=100))
    spend(ledger, Usage(output=70))
    assert ledger.reserve(1, 1000, None).usage.output == 30


def test_without_bounds_everything_fits(tmp_path: Path) -> None:
    assert ledger_in(tmp_path).reserve(10**9, 10**9, None).usage.output == 10**9


def test_calls_under_way_are_waited_for_and_not_taken_for_spent(tmp_path: Path) -> None:
    ledger = ledger_in(tmp_path, Budget(output_tokens=100))
    first = ledger.reserve(1, 80, None)
    got: list[Held] = []
    waiting = threading.Thread(target=lambda: got.append(ledger.reserve(1, 80, None)))
    waiting.start()
    waiting.join(0.1)
    assert got == []
    ledger.settle(first, Usage(output=5), {})
    waiting.join(5)
    assert got[0].usage.output == 80


def test_a_log_that_cannot_be_written_is_told_and_the_use_still_counts(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("no folder")
    ledger = ledger_in(tmp_path / "file")
    with pytest.raises(CannotRun, match="usage log"):
        spend(ledger, Usage(output=3))
    assert ledger.used.output == 3


def test_a_line_says_who_spent_what(tmp_path: Path) -> None:
    ledger = ledger_in(tmp_path)
    ledger.settle(ledger.reserve(1, 1, None), Usage(1, 2, 3, 4, 0.1 + 0.2, 1), {"model": "m", "error": None})
    assert logged(tmp_path) == [
        {
            **{"at": "2024-01-02T03:04:05+00:00", "run_type": "ingest", "workspace": "tides", "run_id": "run-1"},
            **{"role": "judge", "tokens_in": 1, "tokens_out": 2, "cache_read": 3, "cache_write": 4, "usd": 0.3},
            **{"model": "m", "error": None},
        }
    ]


def test_each_day_has_its_file(tmp_path: Path) -> None:
    days = iter([datetime(2026, 11, 21, 23, 59, tzinfo=UTC), datetime(2026, 11, 22, 0, 1, tzinfo=UTC)])
    ledger = Ledger(tmp_path / "assay", lambda: next(days), "tides", "query", "writer")
    spend(ledger, Usage(input=1))
    spend(ledger, Usage(input=2))
    names = sorted(path.name for path in (tmp_path / "assay").iterdir())
    assert names == ["llm-usage-2026-11-21.jsonl", "llm-usage-2026-11-22.jsonl"]


def append_many(folder: str, number: int) -> None:
    ledger = ledger_in(Path(folder))
    for count in range(200):
        ledger.settle(ledger.reserve(0, 1, None), NOTHING, {"request": f"{number}-{count}-" + "é" * 3000})


@pytest.mark.slow
def test_lines_of_several_processes_do_not_mix(tmp_path: Path) -> None:
    context = multiprocessing.get_context("spawn")
    workers = [context.Process(target=append_many, args=(str(tmp_path), number)) for number in range(4)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join(60)
        assert worker.exitcode == 0
    lines = (tmp_path / f"llm-usage-{CLOCK:%Y-%m-%d}.jsonl").read_text().splitlines()
    requests = {json.loads(line)["request"].rstrip("é") for line in lines}
    assert requests == {f"{number}-{count}-" for number in range(4) for count in range(200)}


CALLS = st.lists(
    st.tuples(st.integers(0, 400), st.integers(1, 400), st.floats(0, 1), st.integers(0, 300)), min_size=1, max_size=7
)
BUDGETS = st.builds(
    Budget,
    input_tokens=st.sampled_from([0, 1, 500, 1000]),
    output_tokens=st.sampled_from([0, 1, 300, 900]),
    usd=st.sampled_from([0.0, 0.0001, 0.003, 0.01]),
)


def run_all(ledger: Ledger, calls: list[tuple[int, int, float, int]], order: list[int]) -> list[int]:
    """Every call in a thread of its own, ended in this order; by how much each overran what it was granted."""
    gates = [threading.Event() for _ in calls]
    overruns: list[int] = []

    def call(number: int) -> None:
        read, wanted, share, overrun = calls[number]
        try:
            held = ledger.reserve(read, wanted, PRICE)
        except OutOfBudget:
            return
        gates[number].wait(20)
        tokens = Usage(cache_write=read, output=round(held.usage.output * share) + overrun)
        usd = (tokens.cache_write * PRICE.cache_write + tokens.output * PRICE.output) / 1_000_000
        overruns.append(overrun)
        ledger.settle(held, tokens + Usage(usd=usd), {})

    threads = [threading.Thread(target=call, args=(number,)) for number in range(len(calls))]
    for thread in threads:
        thread.start()
    for number in order:
        gates[number].set()
    for thread in threads:
        thread.join(20)
        assert not thread.is_alive(), "a call waits for room that nobody will give back"
    return overruns


@settings(deadline=None, max_examples=60)
@given(budget=BUDGETS, calls=CALLS, data=st.data(), is_honest=st.booleans())
def test_a_budget_is_exceeded_by_no_more_than_answers_that_overran_their_bound(
    budget: Budget, calls: list[tuple[int, int, float, int]], data: st.DataObject, is_honest: bool
) -> None:
    calls = [(read, wanted, share, 0 if is_honest else overrun) for read, wanted, share, overrun in calls]
    with TemporaryDirectory() as folder:
        ledger = ledger_in(Path(folder), budget)
        overruns = run_all(ledger, calls, data.draw(st.permutations(range(len(calls)))))
        used = ledger.used
    assert not budget.input_tokens or used.read <= budget.input_tokens
    assert not budget.output_tokens or used.output <= budget.output_tokens + sum(overruns)
    assert not budget.usd or used.usd <= budget.usd + sum(overruns) * PRICE.output / 1_000_000 + 1e-9


@settings(deadline=None, max_examples=60)
@given(budget=BUDGETS, calls=CALLS)
@pytest.mark.slow
def test_one_call_after_another_exceeds_a_budget_by_one_answers_overrun_at_most(
    budget: Budget, calls: list[tuple[int, int, float, int]]
) -> None:
    with TemporaryDirectory() as folder:
        ledger = ledger_in(Path(folder), budget)
        for read, wanted, _, overrun in calls:
            try:
                held = ledger.reserve(read, wanted, None)
            except OutOfBudget:
                continue
            ledger.settle(held, Usage(input=read, output=held.usage.output + overrun), {})
    worst = max(overrun for *_, overrun in calls)
    assert not budget.output_tokens or ledger.used.output <= budget.output_tokens + worst
