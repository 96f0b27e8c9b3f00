from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from benchmarks import __main__ as command
from benchmarks import timing
from gitops.errors import CannotRun, UsageError


def ratio(seconds: tuple[float, ...], floor: tuple[float, ...], limit: float | None = 1.5) -> timing.Ratio:
    return timing.Ratio("case", "floor", limit, 10, seconds, floor)


def test_an_unknown_benchmark_is_refused() -> None:
    with pytest.raises(UsageError, match="nothing-like-it"):
        command.measure(["nothing-like-it"], rounds=1, scale=1)


def test_a_process_that_fails_is_no_measurement(tmp_path: Path) -> None:
    run = timing.process([sys.executable, "-S", "-c", "raise SystemExit(3)"], tmp_path)
    with pytest.raises(CannotRun, match="exit code 3"):
        run()


def test_rounds_that_do_not_pair_are_refused() -> None:
    with pytest.raises(ValueError, match="zip"):
        _ = ratio((1.0, 2.0), (1.0,)).spread


@pytest.mark.parametrize("arguments", [["--rounds", "0"], ["--scale", "0"], ["--nonsense"]])
def test_senseless_options_are_refused(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stopped:
        command.main(arguments)
    assert stopped.value.code == 2
    assert "usage" in capsys.readouterr().err


def test_sides_take_turns_after_a_warm_up() -> None:
    calls: list[str] = []
    seconds = timing.interleave({"a": lambda: calls.append("a"), "b": lambda: calls.append("b")}, 4)
    assert "".join(calls) == "ab" + "ab" + "ba" + "ab" + "ba"
    assert {name: len(values) for name, values in seconds.items()} == {"a": 4, "b": 4}


def test_the_ratio_is_of_medians_and_the_spread_of_paired_rounds() -> None:
    measured = ratio((2.0, 4.0, 90.0), (1.0, 4.0, 3.0))
    assert measured.ratio == 4 / 3
    assert measured.spread == (1.5, 16.0)


@pytest.mark.parametrize(("limit", "within"), [(1.3, False), (1.34, True), (None, True)])
def test_a_limit_is_kept_or_not(limit: float | None, within: bool) -> None:
    assert ratio((2.0, 4.0, 90.0), (1.0, 4.0, 3.0), limit).within is within


def test_sizes_follow_the_scale_and_never_vanish(tmp_path: Path) -> None:
    assert timing.Options(tmp_path, scale=0.01).size(1_000) == 10
    assert timing.Options(tmp_path, scale=0.01).size(10) == 1


def test_every_benchmark_has_a_docstring_to_be_listed_by(capsys: pytest.CaptureFixture[str]) -> None:
    assert command.main(["--list"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines] == sorted(command.registry())
    assert all(len(line.split()) > 3 for line in lines)


def test_what_cannot_be_compared_is_told_and_the_others_run(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def nothing_to_compare(options: timing.Options) -> list[timing.Ratio]:
        raise timing.Unavailable("no peer", "fetch it")

    benchmarks = {"alone": nothing_to_compare, "other": lambda options: [ratio((1.0,), (1.0,))]}
    monkeypatch.setattr(command, "registry", lambda: benchmarks)
    assert command.main(["--json", "--rounds", "1"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert (told["skipped"], [one["benchmark"] for one in told["ratios"]]) == ({"alone": "no peer"}, ["other"])
    assert command.main(["--only", "alone", "--rounds", "1"]) == CannotRun.exit_code
    assert "skipped" in capsys.readouterr().out


LONG = ("eval_cascade", "eval_history", "eval_sampling", "eval_topics", "incremental_verify", "lint")
"""Benchmarks that take long however small they are."""
NAMES = [pytest.param(name, marks=pytest.mark.slow if name in LONG else ()) for name in sorted(command.registry())]


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.slow
def test_every_benchmark_runs_at_a_tiny_size(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("npm_config_offline", "true")
    try:
        figures = command.measure([name], rounds=1, scale=0.001)[name]
    except timing.Unavailable as error:
        pytest.skip(error.message)
    assert figures
    assert all(one.seconds and len(one.seconds) == len(one.floor_seconds) for one in figures)


def test_the_figures_are_json_with_every_sample(capsys: pytest.CaptureFixture[str]) -> None:
    assert command.main(["--only", "raw_guard", "--json", "--rounds", "2", "--scale", "0.001"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["schema"] == "assay/benchmarks/1"
    assert {"date", "python", "git", "cores"} <= told["machine"].keys()
    assert {one["benchmark"] for one in told["ratios"]} == {"raw_guard"}
    assert all(len(one["seconds"]) == len(one["floor_seconds"]) >= 2 for one in told["ratios"])


def test_one_exceeded_limit_is_enough_to_fail_a_check() -> None:
    kept, broken = ratio((1.0,), (1.0,)), ratio((2.0,), (1.0,))
    assert command.exceeded({"one": [kept], "two": [kept, broken]})
    assert not command.exceeded({"one": [kept], "two": []})


def test_the_table_names_both_sides_and_time_alone_fails_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    assert command.main(["--only", "raw_guard", "--rounds", "1", "--scale", "0.001"]) == 0
    table = capsys.readouterr().out
    assert "nothing staged" in table
    assert "git diff --cached --quiet" in table
