from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from gitops import assembly
from gitops.config import parse
from gitops.errors import CannotRun
from gitops.evals import floor_ground
from gitops.evals.floor import Floor, test, verdict
from gitops.evals.floor_sources import sources
from gitops.git.repository import open_repository
from gitops.runs import landing, staging, transcripts
from gitops.runs.context import Context
from gitops.runs.outcome import Options, Outcome
from gitops.runs.workspace import Workspace
from gitops.usage import Usage
from tests.messages_server import MessagesServer, tool_use, tool_uses

floor_test = test
del test  # pytest would take it for one of its own


@pytest.fixture
def ground(make_repository: Callable[..., Path], tmp_path: Path) -> Context:
    asking = Context(open_repository(make_repository({"assay.toml": ""})), seating=assembly.seated)
    folder = tmp_path / "ground"
    folder.mkdir()
    return floor_ground.begin(asking, folder, parse(b""), "offline", ("offline",))


def nothing(message: str) -> None:
    """Say nothing."""


def results(found: Floor) -> list[str]:
    return [one.result for one in found.tried]


@pytest.mark.parametrize(
    ("m1", "m2", "expected"),
    [
        (None, 1.0, "not_measured"),
        (1.0, None, "not_measured"),
        (0.0, 0.0, "unsupported"),
        (1.0, 0.799, "unsupported"),
        (0.849, 1.0, "unsupported"),
        (0.85, 0.80, "degraded"),
        (0.949, 1.0, "degraded"),
        (1.0, 0.899, "degraded"),
        (0.95, 0.90, "supported"),
        (1.0, 1.0, "supported"),
    ],
)
def test_the_cuts_of_the_specification(m1: float | None, m2: float | None, expected: str) -> None:
    assert verdict({"M1": m1, "M2": m2}) == expected


def failing(*names: str) -> Callable[..., Outcome | None]:
    """Ingests as usual, but for some sources, of which nothing comes."""

    def ingest(
        context: Context, workspace: Workspace, target: str, file: Path, preset: str, options: Options
    ) -> Outcome | None:
        if file.name in names:
            raise CannotRun("the model gave no answer", "ask another")
        return assembly.ingested(context, workspace, target, file, preset, options)

    return ingest


def test_where_nothing_could_be_ingested_there_is_no_floor(ground: Context) -> None:
    files, said = sources()[:2], list[str]()
    with pytest.raises(CannotRun, match="could ingest nothing: the model gave no answer") as raised:
        floor_test(ground, "offline", files, failing(*(file.name for file in files)), said.append)
    assert raised.value.hint == "ask another"
    assert said == [f"ingesting {files[0].name} (1 of 2)"]  # no run was begun: the other was not tried


@pytest.mark.slow
def test_a_source_of_which_nothing_comes_does_not_hold_the_next(ground: Context) -> None:
    files = sources()[:3]
    found = floor_test(ground, "offline", files, failing(files[1].name), nothing)
    assert results(found) == ["landed", "failed", "landed"]
    assert found.tried[1].error == "the model gave no answer"
    assert found.tried[1].record()["error"] == "the model gave no answer"


def test_a_wiki_with_nothing_in_it_is_not_measured(ground: Context) -> None:
    def ingest(*_: object, **__: object) -> Outcome | None:
        return None

    found = floor_test(ground, "offline", sources()[:2], ingest, nothing)
    assert results(found) == ["nothing", "nothing"]
    assert (found.score("M1"), found.score("M2"), found.verdict) == (None, None, "not_measured")


@pytest.mark.slow
def test_two_sources_offline_are_written_verified_and_measured(ground: Context) -> None:
    said: list[str] = []
    files = sources()[:2]
    found = floor_test(ground, "offline", files, assembly.ingested, said.append)
    assert results(found) == ["landed", "landed"]
    assert said == [
        *(f"ingesting {file.name} ({number} of 2)" for number, file in enumerate(files, 1)),
        "measuring M1 and M2",
    ]
    assert found.score("M1") is not None
    assert found.score("M2") is not None
    assert found.verdict != "not_measured"
    assert (found.tool_call_count, found.used.calls) == (0.0, 0)


def test_tool_calls_and_what_models_used_are_counted_of_every_attempt(ground: Context) -> None:
    turns: Sequence[dict[str, object]] = [
        {"role": "user", "content": "Write."},
        {"role": "assistant", "content": [{"type": "text", "text": "So."}, {"type": "tool_use", "name": "read"}]},
        {"role": "user", "content": [{"type": "tool_result", "content": "…"}]},
        {"role": "assistant", "content": [{"type": "tool_use"}, {"type": "tool_use"}]},
    ]
    used = Usage(input=100, output=7, usd=0.5, calls=2)

    def ingest(
        context: Context, workspace: Workspace, target: str, file: Path, preset: str, options: Options
    ) -> Outcome | None:
        outcome = None
        for attempt in ("first", "second"):
            asked = staging.Request("ingest", (), f"{attempt} attempt")
            run = staging.start(context, workspace, target, asked)
            staging.write(context, run, workspace, f"wiki/{attempt}.md", b"# Nobody leads here\n\nIt is said.\n")
            transcripts.keep(context, run, "writer", "Write.", turns, used)
            transcripts.keep(context, run, "verifier", "Judge.", turns, used)
            outcome = landing.finish(context, run.id, Options(writer=used))
        return outcome

    found = floor_test(ground, "offline", sources()[:1], ingest, nothing)
    [one] = found.tried
    assert (one.result, one.runs, one.tool_calls) == ("rejected", 2, 6)
    assert (one.used.input, one.used.output, one.used.usd, one.used.calls) == (200, 14, 1.0, 4)
    assert found.tool_call_count == 6.0
    assert found.used == one.used


@pytest.mark.slow
def test_a_model_s_tool_calls_are_those_that_its_conversation_shows(
    make_repository: Callable[..., Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ANTHROPIC_API_KEY", "a-key-of-tests")
    monkeypatch.delenv("ASSAY_LLM")
    quote = "The dredging cost 5.6 million crowns, of which the county paid one third."
    page = f'# Harbour\n\nThe dredging cost 5.6 million crowns.[^1]\n\n[^1]: raw/01-harbour-report.md, "{quote}"\n'
    index = "# Index\n\n- [Harbour](harbour.md)\n"
    writes = [("stage_write", {"path": "wiki/harbour.md", "content": page})]
    writes += [("stage_write", {"path": "wiki/index.md", "content": index})]
    with MessagesServer([tool_uses(writes), tool_use("finish", {"summary": "wrote a page"})]) as server:
        asking = Context(open_repository(make_repository({"assay.toml": ""})), seating=assembly.seated)
        folder = tmp_path / "ground"
        folder.mkdir()
        policy = parse(server.toml().encode())
        ground = floor_ground.begin(asking, folder, policy, "claude", ("offline",))
        found = floor_test(ground, "claude", sources()[:1], assembly.ingested, nothing)
    [one] = found.tried
    assert (one.result, one.runs, one.tool_calls) == ("landed", 1, 3)
    assert one.used.calls == 2
    assert found.score("M1") == 1.0
