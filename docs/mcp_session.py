"""Holds the session that `docs/mcp.md` shows, with a real client and a real server: `python docs/mcp_session.py`.

The server is `git assay mcp` as a process of its own, in a new repository in a temporary folder.
"""

from __future__ import annotations

import json
import os
import re
import sys
import tempfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import anyio
from mcp.client.client import Client
from mcp.client.stdio import StdioServerParameters, stdio_client
from mcp_types import CallToolResult, TextContent

from gitops.demo import begun, undisturbed
from gitops.demo_workspace import packed

PAGE = Path(__file__).with_name("mcp.md")
MOMENT = datetime(2026, 11, 21, 12, 0, tzinfo=UTC)
PROJECT = Path(__file__).parents[1]
_NAMES = ((r"\d{8}-\d{6}-[0-9a-f]{8}", "RUN"), (r"\b[0-9a-f]{10}\b", "COMMIT"), (r"data-[0-9a-f]{12}", "data-CODE"))
"""What is another each time, and what it is shown as."""


def session() -> str:
    """The session as the page shows it: each call behind `>`, and the words that answer it."""
    with tempfile.TemporaryDirectory() as folder, undisturbed():
        root = Path(folder).resolve()
        begun(root, lambda: MOMENT, anonymous=True)
        return anyio.run(_held, root)


async def _held(root: Path) -> str:
    lines: list[str] = []

    async def call(tool: str, **given: Any) -> dict[str, Any]:
        found = await client.call_tool(tool, given)
        assert isinstance(found, CallToolResult)
        lines.append(f"> {tool} {json.dumps(given, ensure_ascii=False)}")
        lines.extend(block.text for block in found.content if isinstance(block, TextContent))
        lines.append("")
        return dict(found.structured_content or {})

    async with _connected(root) as client:
        await call("search", words="how far does the tide rise", limit=1)
        run = (await call("run_start", type="ingest", sources=["raw/tides.md"]))["run_id"]
        index = "# The shore: index\n\n- [Spring tides](spring-tides.md)\n"
        false = packed("wiki/spring-tides.md").replace("about 20 % larger than", "about 20 % less than")
        await call("stage_write", run=run, path="wiki/spring-tides.md", content=false)
        await call("stage_write", run=run, path="wiki/index.md", content=index)
        await call("stage_write", run=run, path="raw/tides.md", content="The tide is flat.")
        await call("run_finish", run=run)
        again = (await call("run_start", from_run=run))["run_id"]
        await call("str_replace", run=again, path="wiki/spring-tides.md", old="20 % less than", new="20 % larger than")
        await call("run_finish", run=again)
    return _steady("\n".join(lines).strip())


@asynccontextmanager
async def _connected(root: Path) -> AsyncIterator[Client]:
    env = {**os.environ, "PYTHONPATH": os.fspath(PROJECT), "ASSAY_CLOCK": f"{MOMENT.timestamp():.0f}"}
    words = ["-m", "gitops", "-C", os.fspath(root), "mcp"]
    server = StdioServerParameters(command=sys.executable, args=words, env=env)
    with open(os.devnull, "w") as nowhere:
        async with Client(stdio_client(server, errlog=nowhere)) as client:
            yield client


def _steady(text: str) -> str:
    for pattern, name in _NAMES:
        text = re.sub(pattern, name, text)
    return text


if __name__ == "__main__":
    print(session())
