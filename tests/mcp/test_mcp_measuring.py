from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime

import pytest
from mcp.client.client import Client

from gitops.errors import UsageError
from gitops.evals.registry import registry
from gitops.mcp.measuring import begun
from gitops.runs import measurements
from tests.mcp.serving import asked, refused, said, session, told
from tests.runs.driving import Wiki, page

Git = Callable[..., str]
NOW = datetime(2026, 3, 10, 12, tzinfo=UTC)


@pytest.mark.parametrize("since", ["", "d", "0d", "-3d", "3y", "yesterday", "2026-13-01", "999999999d", "١d"])
def test_a_span_that_is_none_is_refused(since: str) -> None:
    with pytest.raises(UsageError, match="neither a span of time nor a date"):
        begun(since, NOW)


@pytest.mark.parametrize(
    ("since", "moment"),
    [
        ("48h", datetime(2026, 3, 8, 12, tzinfo=UTC)),
        ("30d", datetime(2026, 2, 8, 12, tzinfo=UTC)),
        ("2w", datetime(2026, 2, 24, 12, tzinfo=UTC)),
        ("2026-03-01", datetime(2026, 3, 1, tzinfo=UTC)),
    ],
)
def test_a_span_is_reckoned_from_now(since: str, moment: datetime) -> None:
    assert begun(since, NOW) == moment


def test_what_is_asked_wrongly_measures_nothing(wiki: Wiki, git: Git) -> None:
    refs = git(wiki.folder, "for-each-ref")

    async def talk(client: Client) -> None:
        await refused(client, "eval", "there is no metric 'M99'", "hint:", metric="M99", action="run")
        await refused(client, "eval", "neither a span", since="soon", action="run")
        await refused(client, "eval", "action: Input should be", action="ack")
        await refused(client, "eval", "no workspace is called 'tyde'", workspace="tyde", action="run")

    session(wiki.folder, talk)
    assert git(wiki.folder, "for-each-ref") == refs


def test_a_report_measures_nothing_and_names_every_metric(wiki: Wiki, git: Git) -> None:
    refs = git(wiki.folder, "for-each-ref")

    async def talk(client: Client) -> None:
        await told(client, "eval", metric="M1")
        found = await asked(client, "eval")
        report = found.structured_content["report"]
        assert (report["workspace"], found.structured_content["measured"]) == ("tides", [])
        assert [one["id"] for one in report["metrics"]] == list(registry())
        assert {one["status"] for one in report["metrics"]} == {"not_measured"}
        assert "scheduled synthesis is off" in said(found)
        for one in registry().values():
            assert f"{one.title}: not measured" in said(found)

    session(wiki.folder, talk)
    assert git(wiki.folder, "for-each-ref") == refs


@pytest.mark.slow
def test_a_run_measures_into_the_notes_alone(wiki: Wiki, git: Git) -> None:
    async def talk(client: Client) -> None:
        run = (await told(client, "run_start", type="ingest", sources=["raw/tides.md"]))["run_id"]
        await told(client, "stage_write", run=run, path="wiki/p001.md", content=page(1))
        assert (await told(client, "run_finish", run=run))["result"] == "landed"
        after = (await told(client, "eval", metric="M2"))["report"]["metrics"]
        assert [len(one["series"]) for one in after] == [1]  # M2 is measured after every ingest
        heads = git(wiki.folder, "for-each-ref", "refs/heads", "refs/assay")
        found = await told(client, "eval", action="run", metric="m1, M2")
        assert git(wiki.folder, "for-each-ref", "refs/heads", "refs/assay") == heads
        assert [row["metric"] for row in found["measured"]] == ["M1", "M2"]
        assert [one["id"] for one in found["report"]["metrics"]] == ["M1", "M2"]
        by_id = {one["id"]: one for one in found["report"]["metrics"]}
        for row in found["measured"]:
            assert by_id[row["metric"]]["score"] == row["score"]
            assert (row["score"] is None) == (row["status"] == "not_measured")

    session(wiki.folder, talk)
    kept = measurements.measurements_on(wiki.context(), git(wiki.folder, "rev-parse", "main"))
    assert {"M1", "M2"} <= {one.suite for one in kept}
