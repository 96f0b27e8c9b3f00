from __future__ import annotations

import json
from typing import Any

import jsonschema
import pytest
from pydantic import TypeAdapter

from gitops.evals.reporting import Report
from gitops.report.evalrecord import record
from gitops.runs.printed_eval_report import EvalReport
from tests.report.eval_reports import NOW, ack_of, measurement, report, series

SCHEMA = TypeAdapter(EvalReport).json_schema(by_alias=True, mode="serialization")


def printed(told: Report, *detailed: str) -> Any:
    return json.loads(json.dumps(record(told, [one for one in told.standings if one.id in detailed])))


@pytest.mark.parametrize("every", [[], series()], ids=["nothing", "everything"])
def test_it_is_what_its_schema_says(every: Any) -> None:
    jsonschema.Draft202012Validator.check_schema(SCHEMA)
    acks = [ack_of(one) for one in every[-1:]]
    jsonschema.validate(printed(report(every, acks), "M1", "M5"), SCHEMA)


def test_it_says_all_that_the_words_say() -> None:
    told = printed(report())
    m1, m4, m5 = (next(one for one in told["metrics"] if one["id"] == name) for name in ("M1", "M4", "M5"))
    assert (m1["score"], m1["status"], m1["n"], m1["interval"]) == (0.81, "broken", 47, [0.676, 0.897])
    assert m1["uncertain"] == {"cut": 0.85, "settled_by": 313}
    assert m1["cuts"] == {"healthy": 0.95, "degraded": 0.85}
    assert m1["blocks"] == ["synthesis"]
    assert m1["trend"] == [0.98, 0.96, 0.94, 0.81]
    assert [point["status"] for point in m1["series"]] == ["healthy", "healthy", "degraded", "broken"]
    sets = [figure["set"] for figure in m1["judges"][0]["published"]]
    assert sets == ["wice-dev", "begin-wow-dev", "faithdial-audit"]
    assert (m4["unit"], m4["score"], m4["cuts"]) == ("week", 6.0, None)
    assert m5["measured_at"] == "2026-04-07T09:00:00Z"
    assert m5["not_measured"]["reason"] == "no topic has two pages"
    assert told["held"] == {"synthesis": ["M1"]}
    assert told["synthesis"] == {"enabled": False, "frozen_by": []}
    assert (told["at"], told["since"]) == ("2026-04-16T09:00:00Z", "2026-03-17T09:00:00Z")
    assert told["details"] == {}


def test_the_details_are_whole_measurements() -> None:
    every = series()
    told = printed(report(every), "M1", "M3")
    broken = next(one for one in reversed(every) if one.suite == "M1")
    assert set(told["details"]) == {"M1", "M3"}
    assert told["details"]["M1"] == json.loads(json.dumps(broken.record()))


def test_nothing_measured_is_null_and_never_zero() -> None:
    told = printed(report([measurement("M1", NOW, None, "not_measured", n=0, reason="an empty wiki")]))
    for one in told["metrics"]:
        assert one["score"] is None
        assert one["status"] == "not_measured"
        assert one["trend"] == [None] * 4
    assert told["metrics"][0]["not_measured"]["reason"] == "an empty wiki"
    assert told["metrics"][1]["not_measured"] is None
