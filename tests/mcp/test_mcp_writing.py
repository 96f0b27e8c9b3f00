from __future__ import annotations

import os
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import anyio
import pytest
from mcp.client.client import Client

from gitops.mcp import server
from gitops.mcp.offers import Answer, answer
from gitops.runs import evalruns, measurements, store
from gitops.runs.measurements import Measurement
from tests.mcp.serving import asked, connected, process_session, refused, said, session, told
from tests.runs.driving import MAIN, QUOTE, Wiki, first_files, page

pytestmark = pytest.mark.slow

Git = Callable[..., str]
FALSE = page(1, "the sea falls back thrice a day")
TIDES = {"sources": ["raw/tides.md"], "type": "ingest"}


def tip(wiki: Wiki, git: Git) -> str:
    return git(wiki.folder, "rev-parse", "main")


async def begun(client: Client, **given: Any) -> str:
    return str((await told(client, "run_start", **given))["run_id"])


def test_a_false_quotation_is_rejected_mended_and_lands(wiki: Wiki, git: Git) -> None:
    before = tip(wiki, git)

    async def talk(client: Client) -> None:
        started = await told(client, "run_start", **TIDES)
        run = started["run_id"]
        assert (started["run_type"], started["triggered_by"]) == ("ingest", "mcp:run_start")
        assert (started["status"], started["base"]) == ("pending", before)

        staged = await told(client, "stage_write", run=run, path="wiki/p001.md", content=FALSE)
        assert staged == {"run_id": run, "path": "wiki/p001.md", "head": git(wiki.folder, "rev-parse", f"run/{run}")}

        found = await asked(client, "run_finish", run=run)
        assert not found.is_error
        rejected = found.structured_content
        assert (rejected["result"], rejected["status"], rejected["commit"]) == ("rejected", "rejected", None)
        [finding] = rejected["findings"]
        assert (finding["check"], finding["path"], finding["line"]) == ("quote_anchor", "wiki/p001.md", 5)
        assert "thrice a day" in said(found)
        assert f'run_start with from_run="{run}"' in rejected["next"]
        assert tip(wiki, git) == before

        again = await told(client, "run_start", from_run=run)
        assert (again["run_type"], again["sources"]) == ("ingest", ["raw/tides.md"])
        mended = {"path": "wiki/p001.md", "old": "thrice", "new": "twice"}
        await told(client, "str_replace", run=again["run_id"], **mended)
        landed = await told(client, "run_finish", run=again["run_id"], input_tokens=1200, usd=0.5)
        assert (landed["result"], landed["status"], landed["findings"]) == ("landed", "committed", [])
        assert landed["commit"] == tip(wiki, git)

        shown = await told(client, "run_show", run=again["run_id"])
        assert shown["used"] == {"input_tokens": 1200, "usd": 0.5}
        assert shown["verdict"]["verdict"] == "commit"
        assert [step["path"] for step in shown["plan"]] == ["wiki/p001.md"]

    process_session(wiki.folder, talk)
    landed = tip(wiki, git)
    assert landed != before
    assert QUOTE in git(wiki.folder, "show", "main:wiki/p001.md")
    assert '"verdict":"commit"' in git(wiki.folder, "notes", "--ref=assay/verdicts", "show", landed)
    assert git(wiki.folder, "status", "--porcelain") == ""


def test_a_warning_sends_back_and_the_same_run_lands(wiki: Wiki, git: Git) -> None:
    async def talk(client: Client) -> None:
        run = await begun(client)
        broken = page(1).replace("\n\n[^1]:", " See [[nowhere]].\n\n[^1]:")
        await told(client, "stage_write", run=run, path="wiki/p001.md", content=broken)
        back = await told(client, "run_finish", run=run)
        assert (back["result"], back["status"]) == ("revise", "pending")
        assert "links" in {one["check"] for one in back["findings"]}
        assert back["next"] == f"run {run} is still pending: mend what was found, then finish it again"
        await told(client, "str_replace", run=run, path="wiki/p001.md", old=" See [[nowhere]].", new="")
        assert (await told(client, "run_finish", run=run))["result"] == "landed"

    session(wiki.folder, talk)
    assert "nowhere" not in git(wiki.folder, "show", "main:wiki/p001.md")


def test_a_rehearsal_and_a_draft_move_nothing(wiki: Wiki, git: Git) -> None:
    before = tip(wiki, git)

    async def talk(client: Client) -> None:
        run = await begun(client)
        await told(client, "stage_write", run=run, path="wiki/p001.md", content=page(1))
        rehearsed = await told(client, "run_finish", run=run, dry_run=True)
        assert (rehearsed["result"], rehearsed["status"]) == ("would_land", "pending")
        drafted = await told(client, "run_finish", run=run, draft_only=True)
        assert (drafted["result"], drafted["verdict"]) == ("draft", None)

    session(wiki.folder, talk)
    assert tip(wiki, git) == before


FOREIGN = (
    ("raw/tides.md", "may not be written"),
    ("raw/new.md", "may not be written"),
    ("../outside.md", "leads elsewhere"),
    ("/etc/passwd", "path"),
    ("wiki/../assay.toml", "leads elsewhere"),
    ("wiki/log.md", "may not be written"),
    ("wiki/.hidden.md", "may not be written"),
    ("wiki/run.sh", "no page"),
    ("assay.toml", "may not be written"),
    (".git/config", "path"),
    (".github/workflows/ci.yml", "may not be written"),
    ("gold/queries.yaml", "may not be written"),
)


def test_nothing_but_pages_is_written(wiki: Wiki, git: Git) -> None:
    async def talk(client: Client) -> None:
        run = await begun(client)
        head = git(wiki.folder, "rev-parse", f"run/{run}")
        for path, why in FOREIGN:
            await refused(client, "stage_write", why, run=run, path=path, content="planted\n")
            await refused(client, "str_replace", run=run, path=path, old="tide", new="tyde")
        assert git(wiki.folder, "rev-parse", f"run/{run}") == head

    session(wiki.folder, talk)
    assert not (wiki.folder.parent / "outside.md").exists()
    assert git(wiki.folder, "status", "--porcelain") == ""


WRONG: tuple[tuple[str, dict[str, Any], str], ...] = (
    ("run_start", {"type": "eval"}, "type: Input should be"),
    ("run_start", {"sources": "raw/tides.md"}, "sources"),
    ("run_start", {"sources": ["raw/nothing.md"]}, "is no source of workspace tides"),
    ("run_start", {"sources": ["../secret"]}, "leads elsewhere"),
    ("run_start", {"from_run": "nobody"}, "there is no run 'nobody'"),
    ("run_start", {"target": "nowhere"}, "there is no branch 'nowhere'"),
    ("run_start", {"workspace": "tyde"}, "did you mean 'tides'?"),
    ("run_start", {"no_verify": True}, "no_verify: Extra inputs are not permitted"),
    ("stage_write", {"run": "20240102-030405-00000000", "path": "wiki/a.md", "content": ""}, "there is no run"),
    ("stage_write", {"run": "../../x", "path": "wiki/a.md", "content": ""}, "run"),
    ("stage_write", {"path": "wiki/a.md", "content": ""}, "run: Field required"),
    ("str_replace", {"run": "abc", "path": "wiki/a.md", "old": "", "new": ""}, "old: String should have at least 1"),
    ("run_finish", {"run": 7}, "run: Input should be a valid string"),
    ("run_finish", {"run": "main"}, "there is no run 'main'"),
    ("run_finish", {"run": "abc", "usd": -1}, "usd"),
    ("run_finish", {"run": "abc", "usd": 1e308}, "usd: Input should be less than"),
    ("run_finish", {"run": "abc", "input_tokens": 2**63}, "input_tokens: Input should be less than"),
    ("run_finish", {"run": "abc", "output_tokens": 2**63}, "output_tokens: Input should be less than"),
    ("run_finish", {"run": "abc", "no_verify": True}, "no_verify: Extra inputs are not permitted"),
    ("run_show", {}, "run: Field required"),
    ("run_show", {"run": "zzz"}, "there is no run 'zzz'"),
)


def test_what_is_asked_wrongly_is_told_and_changes_nothing(wiki: Wiki, git: Git) -> None:
    refs = git(wiki.folder, "for-each-ref")

    async def talk(client: Client) -> None:
        for tool, given, why in WRONG:
            await refused(client, tool, why, **given)

    session(wiki.folder, talk)
    assert git(wiki.folder, "for-each-ref") == refs


def test_only_branches_of_people_are_landed_on(wiki: Wiki, git: Git) -> None:
    other = wiki.run()
    git(wiki.folder, "update-ref", "refs/assay/kept/old", "main")
    git(wiki.folder, "branch", "release", "main")

    async def talk(client: Client) -> None:
        for target in (f"run/{other.id}", f"refs/heads/run/{other.id}", "refs/assay/kept/old"):
            await refused(client, "run_start", "is no branch to land on", target=target)
        run = await begun(client, target="release")
        await told(client, "stage_write", run=run, path="wiki/p001.md", content=page(1))
        assert (await told(client, "run_finish", run=run))["result"] == "landed"

    session(wiki.folder, talk)
    assert git(wiki.folder, "rev-parse", "release") != tip(wiki, git)


def test_a_text_that_stands_twice_is_not_replaced_and_the_run_goes_on(wiki: Wiki) -> None:
    async def talk(client: Client) -> None:
        run = await begun(client)
        await told(client, "stage_write", run=run, path="wiki/p001.md", content=page(1))
        twice = {"run": run, "path": "wiki/p001.md", "new": "x"}
        await refused(client, "str_replace", "holds the text 4 times, not once", old="1", **twice)
        assert (await told(client, "run_finish", run=run))["result"] == "landed"

    session(wiki.folder, talk)


def test_a_run_that_has_ended_takes_nothing_more(wiki: Wiki) -> None:
    async def talk(client: Client) -> None:
        run = await begun(client)
        await refused(client, "run_finish", f"run {run} changes nothing", run=run)
        await told(client, "stage_write", run=run, path="wiki/p001.md", content=page(1))
        await told(client, "run_finish", run=run)
        later = {"run": run, "path": "wiki/p002.md", "content": page(2)}
        await refused(client, "stage_write", f"run {run} is committed already", **later)
        assert (await told(client, "run_finish", run=run))["result"] == "landed"

    session(wiki.folder, talk)


def test_a_broken_metric_holds_a_run_up_as_it_does_for_people(wiki: Wiki, git: Git) -> None:
    broken(wiki, git)

    async def talk(client: Client) -> None:
        await refused(client, "run_start", "M2 is broken (0.40)", "hint:  git assay eval report", **TIDES)
        run = await begun(client, type="lint", reason="a heading is mended")
        await told(client, "stage_write", run=run, path="wiki/p001.md", content=page(1))
        assert (await told(client, "run_finish", run=run))["result"] == "landed"

    session(wiki.folder, talk)


def test_a_metric_that_breaks_meanwhile_holds_the_landing_up(wiki: Wiki, git: Git) -> None:
    async def talk(client: Client) -> None:
        run = await begun(client, **TIDES)
        await told(client, "stage_write", run=run, path="wiki/p001.md", content=page(1))
        broken(wiki, git)
        before = tip(wiki, git)
        await refused(client, "run_finish", "M2 is broken (0.40)", "hint:  git assay eval report", run=run)
        assert tip(wiki, git) == before

    session(wiki.folder, talk)


def broken(wiki: Wiki, git: Git) -> None:
    """A measurement that says that ingests skip pages."""
    number = {"value": 0.4, "n": 5, "direction": "higher", "unit": "share", "status": "broken"}
    made = Measurement.model_validate(
        {
            "summary": "M2 cascade coverage: 0.40, broken",
            "kind": measurements.KIND,
            "run_id": "20240102-030405-m2",
            "commit": tip(wiki, git),
            "workspace": "tides",
            "suite": "M2",
            "subject": {},
            "instrument": {},
            "started_at": "2024-01-02T03:04:05Z",
            "completed_at": "2024-01-02T03:04:05Z",
            "metrics": {"M2": number},
        }
    )
    evalruns.record(wiki.context(), wiki.workspace(), made)


def test_two_agents_write_at_once_and_both_land(wiki: Wiki, git: Git) -> None:
    results: list[str] = []

    async def agent(number: int) -> None:
        async with connected(wiki.folder) as client:
            for at in (number, number + 10):
                run = await begun(client, **TIDES)
                await told(client, "stage_write", run=run, path=f"wiki/p{at:03}.md", content=page(at))
                results.append((await told(client, "run_finish", run=run))["result"])

    async def both() -> None:
        async with anyio.create_task_group() as group:
            group.start_soon(agent, 1)
            group.start_soon(agent, 2)

    anyio.run(both)
    assert results == ["landed"] * 4
    pages = git(wiki.folder, "ls-tree", "--name-only", "main", "wiki/").split()
    assert {"wiki/p001.md", "wiki/p002.md", "wiki/p011.md", "wiki/p012.md"} <= set(pages)


def test_no_call_begins_before_the_one_before_it_has_ended(wiki: Wiki, monkeypatch: pytest.MonkeyPatch) -> None:
    at_once, most = 0, 0

    def watched(*given: Any) -> Answer:
        nonlocal at_once, most
        at_once += 1
        most = max(most, at_once)
        time.sleep(0.05)
        try:
            return answer(*given)
        finally:
            at_once -= 1

    monkeypatch.setattr(server, "answer", watched)

    async def talk(client: Client) -> None:
        async with anyio.create_task_group() as group:
            for _ in range(4):
                group.start_soon(partial(asked, client, "read", path="wiki/index.md"))

    session(wiki.folder, talk)
    assert most == 1


def test_calls_of_one_client_take_turns(wiki: Wiki) -> None:
    async def talk(client: Client) -> None:
        run = await begun(client)
        answers: list[dict[str, Any]] = []

        async def write(number: int) -> None:
            path = f"wiki/p{number:03}.md"
            answers.append(await told(client, "stage_write", run=run, path=path, content=page(number)))

        async with anyio.create_task_group() as group:
            for number in range(1, 9):
                group.start_soon(write, number)
        assert len({each["head"] for each in answers}) == 8
        plan = (await told(client, "run_finish", run=run)), (await told(client, "run_show", run=run))
        assert plan[0]["result"] == "landed"
        assert len(plan[1]["plan"]) == 8

    session(wiki.folder, talk)


def test_a_landing_that_the_client_cancels_is_carried_to_its_end(wiki: Wiki, git: Git) -> None:
    """A hook of git slows the swap down; the client has lost its patience by then."""
    hook = wiki.folder / ".git" / "hooks" / "reference-transaction"
    hook.parent.mkdir(exist_ok=True)
    hook.write_text('#!/bin/sh\n[ "$1" = prepared ] && grep -q refs/heads/main && sleep 2\nexit 0\n')
    hook.chmod(0o755)

    async def talk(client: Client) -> None:
        run = await begun(client)
        await told(client, "stage_write", run=run, path="wiki/p001.md", content=page(1))
        with anyio.move_on_after(1.0) as patience:
            await asked(client, "run_finish", run=run)
        assert patience.cancelled_caught
        shown = await told(client, "run_show", run=run)
        assert shown["status"] == "committed"
        assert shown["commit"] == tip(wiki, git)

    process_session(wiki.folder, talk)


def test_the_named_workspace_is_written_to(make_repository: Callable[..., Path], git: Git) -> None:
    files = {f"{name}/{path}": text for name in ("sea", "lake") for path, text in first_files().items()}
    for name in ("sea", "lake"):
        files[f"{name}/assay.toml"] = f'[workspace]\nname = "{name}"\n'
    folder = make_repository(files, name="two")

    async def talk(client: Client) -> None:
        run = await begun(client)
        assert (await told(client, "run_show", run=run))["workspace"] == "lake"
        await told(client, "stage_write", run=run, path="wiki/p001.md", content=page(1))
        assert (await told(client, "run_finish", run=run))["result"] == "landed"
        other = await begun(client, workspace="sea")
        assert (await told(client, "run_show", run=other))["workspace"] == "sea"

    process_session(folder, talk, "--workspace", "lake")
    assert git(folder, "cat-file", "-t", "main:lake/wiki/p001.md") == "blob"

    async def lost(client: Client) -> None:
        await refused(client, "run_start", "which workspace? There are lake, sea")

    session(folder, lost)


def test_records_say_that_an_agent_wrote(wiki: Wiki) -> None:
    async def talk(client: Client) -> None:
        await begun(client)

    session(wiki.folder, talk)
    [run] = store.all_runs(wiki.context()).values()
    assert run.record.triggered_by == "mcp:run_start"
    assert run.record.target == MAIN
    assert os.fspath(wiki.folder) not in run.record.model_dump_json()
