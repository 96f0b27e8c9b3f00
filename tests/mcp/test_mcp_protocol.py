from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import gitops.mcp
from gitops.cli import main
from gitops.errors import CannotRun
from gitops.mcp import serve
from gitops.mcp.door import Door
from gitops.mcp.instructions import INSTRUCTIONS
from gitops.runs.context import system_clock
from tests.mcp.serving import ENVELOPE, INITIALIZED, PROJECT, initialize, request, spoken
from tests.runs.driving import Wiki

pytestmark = pytest.mark.slow

READING = {"list", "grep", "search", "read", "follow", "events", "history"}


def test_outside_a_repository_nothing_is_served(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["-C", str(tmp_path), "mcp"]) == 3
    printed = capsys.readouterr()
    assert printed.out == ""
    assert printed.err.startswith("error: ")
    assert len(printed.err.splitlines()) == 2


def unload(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have the server's module imported anew."""
    monkeypatch.delitem(sys.modules, "gitops.mcp.server", raising=False)
    monkeypatch.delattr(gitops.mcp, "server", raising=False)


@pytest.mark.parametrize("missing", ["mcp", "mcp_types", "anyio"])
def test_without_the_sdk_the_mend_is_told(wiki: Wiki, monkeypatch: pytest.MonkeyPatch, missing: str) -> None:
    unload(monkeypatch)
    for name in [name for name in sys.modules if name.partition(".")[0] == missing]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, missing, None)
    with pytest.raises(CannotRun, match=f"needs the package '{missing}'") as refused:
        serve(Door(wiki.folder, None, system_clock, print))
    assert refused.value.hint == "pip install 'git-assay[mcp]'"


def test_another_module_that_is_missing_is_no_missing_sdk(wiki: Wiki, monkeypatch: pytest.MonkeyPatch) -> None:
    unload(monkeypatch)
    monkeypatch.setitem(sys.modules, "gitops.mcp.progress", None)
    with pytest.raises(ModuleNotFoundError):
        serve(Door(wiki.folder, None, system_clock, print))


def test_its_help_does_not_load_the_sdk() -> None:
    loaded = "print([name for name in ('mcp', 'anyio', 'pydantic') if name in sys.modules])"
    script = f"import sys; from gitops.cli import main; main(['mcp', '-h']); {loaded}"
    done = subprocess.run([sys.executable, "-c", script], cwd=PROJECT, capture_output=True, check=True, text=True)
    assert done.stdout.splitlines()[-1] == "[]"


def test_it_ends_cleanly_where_the_client_says_nothing(wiki: Wiki) -> None:
    assert spoken(wiki.folder, []) == (0, [], "")


def test_an_interrupt_ends_it_though_the_client_is_still_there(wiki: Wiki) -> None:
    command = [sys.executable, "-m", "gitops", "-C", str(wiki.folder), "mcp"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=PROJECT) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(json.dumps(initialize("2025-11-25")).encode() + b"\n")
        process.stdin.flush()
        process.stdout.readline()
        process.send_signal(signal.SIGINT)
        assert process.wait(10) == -signal.SIGINT


@pytest.mark.parametrize("version", ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"])
def test_every_older_protocol_is_spoken(wiki: Wiki, version: str) -> None:
    show = request(3, "tools/call", name="eval", arguments={})
    code, answers, errors = spoken(wiki.folder, [initialize(version), INITIALIZED, request(2, "tools/list"), show])
    assert (code, errors) == (0, "")
    greeted, listed, called = (answer["result"] for answer in answers)
    assert greeted["protocolVersion"] == version
    assert greeted["serverInfo"]["name"] == "git-assay"
    assert greeted["instructions"] == INSTRUCTIONS
    assert "tools" in greeted["capabilities"]
    assert len(listed["tools"]) == 15
    assert called["content"][0]["text"].startswith("how workspace tides stands")


def test_a_version_of_the_future_is_answered_with_one_that_is_known(wiki: Wiki) -> None:
    _, [answer], _ = spoken(wiki.folder, [initialize("2199-01-01")])
    assert answer["result"]["protocolVersion"] == "2025-11-25"


def test_the_newest_protocol_needs_no_handshake(wiki: Wiki) -> None:
    code, [answer], errors = spoken(wiki.folder, [request(1, "tools/list", _meta=ENVELOPE)])
    assert (code, errors) == (0, "")
    assert len(answer["result"]["tools"]) == 15


def test_a_line_that_is_no_message_does_not_end_the_session(wiki: Wiki) -> None:
    wrong = ["{", "[]", "\x00\xff", '{"jsonrpc":"2.0"}']
    code, answers, errors = spoken(
        wiki.folder, [initialize("2025-11-25"), INITIALIZED, *wrong, request(2, "tools/list")]
    )
    assert code == 0
    assert "Traceback" not in errors
    assert len(answers[-1]["result"]["tools"]) == 15


def test_only_messages_are_written_to_standard_output(wiki: Wiki) -> None:
    """Everything that is told beside the answers goes to standard error: here, a note that nobody can read."""
    run = wiki.run({"wiki/p001.md": "# One\n"})
    root = run.record.root
    environment = {**os.environ}
    subprocess.run(
        ["git", "-C", str(wiki.folder), "notes", "--ref=assay/runs", "append", "-m", "no record", root],
        check=True,
        env=environment,
    )
    show = request(2, "tools/call", name="run_show", arguments={"run": run.id})
    _, answers, errors = spoken(wiki.folder, [initialize("2025-11-25"), INITIALIZED, show])
    assert answers[-1]["result"]["structuredContent"]["run_id"] == run.id
    assert "skipped" in answers[-1]["result"]["content"][0]["text"].splitlines()[-2]
    assert errors.startswith("note: ")
    assert spoken(wiki.folder, [initialize("2025-11-25"), INITIALIZED, show], "-q")[2] == ""


def test_an_unknown_tool_is_an_error_of_the_protocol(wiki: Wiki) -> None:
    call = request(2, "tools/call", name="run_override", arguments={})
    _, answers, _ = spoken(wiki.folder, [initialize("2025-11-25"), INITIALIZED, call])
    assert answers[-1]["error"] == {"code": -32602, "message": "Unknown tool: run_override"}


def tools(wiki: Wiki) -> dict[str, Any]:
    _, answers, _ = spoken(wiki.folder, [initialize("2025-11-25"), INITIALIZED, request(2, "tools/list")])
    return {tool["name"]: tool for tool in answers[-1]["result"]["tools"]}


def test_the_tools_say_what_they_change(wiki: Wiki) -> None:
    found = tools(wiki)
    told = {"run_show", "eval", "eviction_propose", "eviction_resolve"}
    assert set(found) == READING | told | {"run_start", "stage_write", "str_replace", "run_finish"}
    reading = {name for name, tool in found.items() if tool["annotations"]["readOnlyHint"]}
    assert reading == READING | told
    assert {name for name, tool in found.items() if tool["annotations"]["destructiveHint"]} == {"run_finish"}
    assert not any(tool["annotations"]["openWorldHint"] for tool in found.values())


def test_each_tool_and_argument_is_explained(wiki: Wiki) -> None:
    for tool in tools(wiki).values():
        assert len(tool["description"]) > 30
        assert tool["inputSchema"]["additionalProperties"] is False
        for name, argument in tool["inputSchema"]["properties"].items():
            assert argument.get("description"), f"{tool['name']}.{name}"
        if "outputSchema" in tool:
            assert tool["outputSchema"]["type"] == "object"


def test_the_instructions_are_as_short_as_clients_show_them() -> None:
    assert len(INSTRUCTIONS) <= 2048
