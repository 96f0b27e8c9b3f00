"""The server in this process or as one of its own, and a real client of the SDK that speaks to it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path
from typing import Any

import anyio
import jsonschema
from mcp.client.client import Client
from mcp.client.stdio import StdioServerParameters, stdio_client
from mcp_types import CallToolResult, TextContent

from gitops.mcp.door import Door
from gitops.mcp.offers import offers
from gitops.mcp.server import made
from tests.runs.driving import CLOCK

PROJECT = Path(__file__).parents[2]
ENVELOPE = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientInfo": {"name": "test", "version": "1"},
    "io.modelcontextprotocol/clientCapabilities": {},
}


@asynccontextmanager
async def connected(folder: Path, *options: str, mode: str = "legacy") -> AsyncIterator[Client]:
    """A client of a server that was started in a folder; what it says on standard error goes to `server.log` there."""
    env = {**os.environ, "PYTHONPATH": os.fspath(PROJECT)}
    words = ["-m", "gitops", "-C", os.fspath(folder), *options, "mcp"]
    server = StdioServerParameters(command=sys.executable, args=words, env=env, cwd=PROJECT)
    with (folder.parent / f"{folder.name}.log").open("a") as log:
        async with Client(stdio_client(server, errlog=log), mode=mode) as client:
            yield client


@asynccontextmanager
async def within(folder: Path, workspace: str | None = None) -> AsyncIterator[Client]:
    """A client of a server in this process: the same handlers, over streams in memory."""
    told: list[str] = []
    door = Door(folder, workspace, lambda: CLOCK, told.append)
    async with Client(made(door), mode="legacy") as client:
        yield client


Talk = Callable[[Client], Awaitable[None]]


def session(folder: Path, talk: Talk, workspace: str | None = None) -> None:
    """Have a conversation with a server in this process."""
    _held(within(folder, workspace), talk)


def process_session(folder: Path, talk: Talk, *options: str, mode: str = "legacy") -> None:
    """Have a conversation with a server that is a process of its own, which tells no traceback meanwhile."""
    _held(connected(folder, *options, mode=mode), talk)
    assert "Traceback" not in (folder.parent / f"{folder.name}.log").read_text()


def _held(connection: AbstractAsyncContextManager[Client], talk: Talk) -> None:
    async def held() -> None:
        async with connection as client:
            await talk(client)

    try:
        anyio.run(held)
    except BaseExceptionGroup as group:
        raise _only(group) from None


def _only(error: BaseException) -> BaseException:
    """What went wrong, without the groups that task groups put around it."""
    if isinstance(error, BaseExceptionGroup) and len(error.exceptions) == 1:
        return _only(error.exceptions[0])
    return error


async def asked(client: Client, tool: str, **given: Any) -> CallToolResult:
    """Call a tool."""
    found = await client.call_tool(tool, given)
    assert isinstance(found, CallToolResult)
    return found


async def told(client: Client, tool: str, **given: Any) -> dict[str, Any]:
    """Call a tool that succeeds; its structured answer, which is as its schema says."""
    found = await asked(client, tool, **given)
    assert not found.is_error, said(found)
    jsonschema.validate(found.structured_content, offers()[tool].output_schema())
    return dict(found.structured_content or {})


def said(found: CallToolResult) -> str:
    """The words of an answer."""
    return "\n".join(block.text for block in found.content if isinstance(block, TextContent))


async def refused(client: Client, tool: str, *words: str, **given: Any) -> str:
    """Call a tool that fails: one line that says why, at most one that mends, and nothing structured."""
    found = await asked(client, tool, **given)
    text = said(found)
    lines = text.split("\n")
    assert found.is_error, text
    assert found.structured_content is None
    assert lines[0].startswith("error: "), text
    assert len(lines) == 1 or (len(lines) == 2 and lines[1].startswith("hint:  ")), text
    assert "should not happen" not in text
    for word in words:
        assert word in text, text
    return text


def spoken(folder: Path, messages: Sequence[Mapping[str, Any] | str], *options: str) -> tuple[int, list[Any], str]:
    """Write raw lines to a server and close its input; its exit code, what it wrote, and its standard error."""
    lines = (message if isinstance(message, str) else json.dumps(message) for message in messages)
    process = subprocess.Popen(
        [sys.executable, "-m", "gitops", "-C", os.fspath(folder), *options, "mcp"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        cwd=PROJECT,
        text=True,
        encoding="utf-8",
    )
    assert process.stdin is not None
    assert process.stdout is not None
    assert process.stderr is not None
    answers: list[Any] = []
    with process:
        for line in lines:
            process.stdin.write(line + "\n")
            process.stdin.flush()
            if '"id"' in line:
                answers.append(json.loads(process.stdout.readline()))
        process.stdin.close()
        answers += [json.loads(line) for line in process.stdout]
        errors = process.stderr.read()
    return process.returncode, answers, errors


def request(number: int, method: str, **params: Any) -> dict[str, Any]:
    """A JSON-RPC request."""
    return {"jsonrpc": "2.0", "id": number, "method": method, "params": params}


def initialize(version: str) -> dict[str, Any]:
    """The handshake's first message."""
    about = {"name": "test", "version": "1"}
    return request(1, "initialize", protocolVersion=version, capabilities={}, clientInfo=about)


INITIALIZED = {"jsonrpc": "2.0", "method": "notifications/initialized"}
