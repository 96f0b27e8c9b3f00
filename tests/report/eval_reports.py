"""Measurements by hand, and the report that they come to: one number is broken, one uncertain, one missing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

from gitops.evals.due import Due
from gitops.evals.reporting import Report, told
from gitops.runs.feedback import SCHEMA, Ack
from gitops.runs.measurements import Measurement, Metric, Sample, Uncertain
from gitops.runs.records import Person

NOW = datetime(2026, 4, 16, 9, 0, tzinfo=UTC)
COMMIT = "c0ffee" + "0" * 34
OFFLINE = {"id": "offline", "version": "2", "digest": "d" * 64}
FAILING = {
    "id": "1" * 16,
    "page": "wiki/coffee/cold-brew.md",
    "line": 24,
    "claim": "Cold brew concentrate is diluted with four parts of water before it is served.",
    "citation": 'raw/coffee-guide.md, "dilute one to one"',
    "vote": "does_not_support",
    "reason": "It says four where the source has one.",
    "judge": "offline",
    "confidence": 0.93,
    "unsupported": ["four parts"],
    "source": {
        "source": "raw/coffee-guide.md",
        "page": None,
        "start": 812,
        "end": 870,
        "before": "Steep for eighteen hours in the refrigerator, then filter twice.",
        "span": "Before serving the concentrate,\ndilute one to one with water.",
        "after": "It keeps for two weeks.",
    },
}
GONE = FAILING | {
    "id": "2" * 16,
    "page": "wiki/tea/oolong.md",
    "line": 7,
    "claim": "Oolong is <b>half</b> oxidised.",
    "citation": "raw/gone.md",
    "vote": "source_missing",
    "reason": "raw/gone.md is not there",
    "judge": "source_exists",
    "confidence": None,
    "unsupported": [],
    "source": None,
}
APART = {
    "runs": ["20260401-080000-aaaaaaaa"],
    "n": 5,
    "share": 0.4,
    "interval": [0.12, 0.77],
    "n_without": 42,
    "share_without": 0.857143,
    "interval_without": [0.72, 0.93],
    "phi": -0.36,
}
INGEST = {
    "run": "20260414-101500-0badcafe",
    "commit": COMMIT,
    "landed_at": "2026-04-14T10:15:00Z",
    "sources": ["raw/water-chemistry.md"],
    "terms": ["hardness", "alkalinity", "magnesium"],
    "share": 0.333333,
    "mentioning": 3,
    "reached": 1,
    "missed": 2,
    "worst": [
        {"page": "wiki/coffee/espresso.md", "terms": ["hardness", "alkalinity"], "times": {"hardness": 4}},
        {"page": "wiki/tea/green.md", "terms": ["hardness"], "times": {"hardness": 2}},
    ],
    "idle": ["wiki/index.md"],
    "idle_pages": 1,
}
CONTRADICTION = {
    "id": "3" * 16,
    "topic": "Cold brew",
    "vote": "direct_contradiction",
    "confidence": 0.97,
    "reason": "One says 12 hours, the other 24.",
    "judge": "offline",
    "a": {
        "page": "wiki/coffee/cold-brew.md",
        "line": 9,
        "claim": "Cold brew steeps for 12 hours.",
        "citation": "raw/a.md",
    },
    "b": {
        "page": "wiki/methods.md",
        "line": 31,
        "claim": "Cold brew steeps for 24 hours.",
        "citation": "",
        "sources": [],
    },
}
LOST = {
    "path": "wiki/tea/oolong.md",
    "line": 12,
    "claim": "Oolong is withered in the sun.",
    "source": "raw/tea.md",
    "cited": 'raw/tea.md, "withered in the sun"',
    "why": "its source no longer says it",
}
DATED = {key: value for key, value in LOST.items() if key != "why"} | {"line": 14}
WORST = {
    "id": "q-07",
    "query": "How hard should water for espresso be?",
    "expected": {"topics": ["espresso", "water"], "citations": ["raw/water-chemistry.md"]},
    "got": {"topics": ["water", "tea"], "citations": []},
}


def week(number: int, ingest: int, query: int, hypothetical: int, sound: int) -> dict[str, Any]:
    """A point of a cost curve."""
    begins = datetime(2026, 2, 2, tzinfo=UTC) + timedelta(weeks=number - 1)
    return {
        "week": number,
        "from": f"{begins:%Y-%m-%d}",
        "ingest": ingest,
        "query": query,
        "queries": query // 4_000,
        "corpus": 28_000 + 2_000 * number,
        "hypothetical": hypothetical,
        "sound": sound,
        "usd": round(ingest * 4e-6, 2),
        "tokens": {"ingest": ingest, "query": query},
    }


def measurement(
    metric: str,
    at: datetime,
    value: float | None,
    status: str = "healthy",
    *,
    interval: tuple[float, float] | None = None,
    n: int = 50,
    **fields: Any,
) -> Measurement:
    """One measurement of a metric."""
    counts, uncertain = fields.pop("counts", {}), fields.pop("uncertain", None)
    unit = {"M3": "product", "M4": "week"}.get(metric, "share")
    number: dict[str, Any] = {"direction": "higher", "unit": unit, "status": status}
    known: dict[str, Any] = {
        "summary": f"{metric}: {value}",
        "kind": "metric",
        "run_id": f"{at:%Y%m%d-%H%M%S}-00000000",
        "commit": COMMIT,
        "workspace": "beverages",
        "suite": metric,
        "suite_version": "1",
        "subject": {},
        "instrument": {"judges": [OFFLINE]} if metric in ("M1", "M5") else {},
        "started_at": f"{at:%Y-%m-%dT%H:%M:%SZ}",
        "completed_at": f"{at:%Y-%m-%dT%H:%M:%SZ}",
        "metrics": {metric: Metric(value=value, n=n, interval=interval, counts=counts, uncertain=uncertain, **number)},
    }
    return Measurement(**known | fields).named()


def series() -> list[Measurement]:
    """Four weeks: M1 falls and breaks, M2 is degraded, M3 has its worst query, M4 its curve, M9 nobody knows."""
    found = []
    scores = [(0.98, 0.90, 1.0), (0.96, 0.87, 0.99), (0.94, 0.84, 0.98)]
    for number, (value, low, high) in enumerate(scores):
        at = NOW - timedelta(days=22 - 7 * number)
        status = "healthy" if value >= 0.95 else "degraded"
        found.append(measurement("M1", at, value, status, interval=(low, high)))
        found.append(measurement("M2", at + timedelta(hours=1), 0.95 - 0.05 * number, n=40))
    found.append(_broken())
    at = NOW - timedelta(days=2)
    found.append(measurement("M2", at, 0.75, "degraded", n=3, details={"macro": 0.75, "ingests": [INGEST]}))
    found.append(_benchmark())
    found.append(_cost())
    found += [_consistency(), measurement("M5", at, None, "not_measured", n=0, reason="no topic has two pages")]
    survival = {"lost": [LOST], "dated": [DATED], "pages": 43}
    found.append(measurement("M6", at, 0.99, n=317, details=survival))
    novel = {"oldest": [{"page": "wiki/a.md", "days": 12}], "hints": ["renew it"], "share": 0.5}
    found.append(measurement("M9", at, 0.5, "healthy", n=4, details=novel))
    return sorted(found, key=lambda one: (one.completed_at, one.id))


def _broken() -> Measurement:
    return measurement(
        "M1",
        NOW - timedelta(days=1),
        0.81,
        "broken",
        n=47,
        interval=(0.676, 0.897),
        uncertain=Uncertain(cut=0.85, settled_by=313),
        counts={"claims": 358, "unjudged": 3, "unverified": 5, "overridden": 1},
        details={"failing": [FAILING, GONE], "overrides": APART, "strata": {"coffee": {"claims": 200, "sampled": 28}}},
        samples=(Sample(id="1" * 16, status="fail"), Sample(id="3" * 16, status="pass")),
    )


def _benchmark() -> Measurement:
    details = {
        "topic_overlap": 0.93,
        "citation_overlap": 0.9,
        "worst": [WORST],
        "trend": {"previous": 0.82, "drop": -0.02},
    }
    return measurement("M3", NOW - timedelta(days=15), 0.84, n=30, interval=(0.74, 0.92), details=details)


def _consistency() -> Measurement:
    details = {"contradictions": [CONTRADICTION], "topics": [{"topic": "Cold brew", "pages": 4, "pairs": 18}]}
    at = NOW - timedelta(days=9)
    return measurement("M5", at, 0.91, "degraded", n=120, interval=(0.84, 0.95), details=details)


def _cost() -> Measurement:
    weeks = [
        week(1, 60_000, 8_000, 0, 30_000),
        week(2, 95_000, 20_000, 0, 160_000),
        week(6, 140_000, 66_000, 2_640_000, 800_000),
    ]
    return measurement("M4", NOW, 6.0, n=11, details={"weeks": weeks, "units": {"corpus": "bytes / 3.5"}})


def ack_of(one: Measurement, reason: str = "the old guide was scanned badly", **fields: Any) -> Ack:
    """Somebody lets a measurement pass."""
    known: dict[str, Any] = {
        "summary": "",
        "schema": SCHEMA,
        "workspace": one.workspace,
        "metric": one.suite,
        "measurement": one.id,
        "commit": one.commit,
        "reason": reason,
        "by": Person(name="Ada Writer", email="ada@example.org"),
        "at": f"{NOW:%Y-%m-%dT%H:%M:%SZ}",
    }
    made = Ack(**known | fields)
    return made.model_copy(update={"id": made.record()["id"]})


def report(
    every: Sequence[Measurement] | None = None, acks: Sequence[Ack] = (), coming: Mapping[str, Due] | None = None
) -> Report:
    """The report of the last 30 days."""
    within = (NOW - timedelta(days=30), NOW)
    return told("beverages", COMMIT, within, series() if every is None else every, acks, coming or {})
