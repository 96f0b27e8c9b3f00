"""Measurements made by hand, for what gates and reports make of them."""

from __future__ import annotations

from typing import Any

from gitops.runs import evalruns
from gitops.runs.measurements import KIND, Measurement, Metric
from tests.runs.driving import MAIN, Wiki


def made(wiki: Wiki, metric: str, value: float | None, status: str, **fields: Any) -> Measurement:
    """A measurement of a metric on the wiki's tip, at the wiki's moment, recorded nowhere."""
    commit = str(wiki.ref(MAIN))
    moment = wiki.context().now
    number = {"value": value, "n": 50, "direction": "higher", "unit": "share", "status": status}
    values: dict[str, Any] = {
        "summary": f"{metric}: {status}",
        "kind": KIND,
        "run_id": f"{wiki.now:%Y%m%d-%H%M%S}-{metric.lower()}",
        "commit": commit,
        "workspace": wiki.workspace().name,
        "suite": metric,
        "subject": {"moment": moment},
        "instrument": {"metrics": {metric: 1}},
        "started_at": moment,
        "completed_at": moment,
        "metrics": {metric: Metric.model_validate(number)},
    }
    return Measurement(**(values | fields)).named()


def measure(wiki: Wiki, metric: str, value: float | None, status: str, target: str = "", **fields: Any) -> Measurement:
    """The same, recorded with its run, as an evaluation does."""
    context = wiki.context()
    return evalruns.record(context, wiki.workspace(), made(wiki, metric, value, status, **fields), target)
