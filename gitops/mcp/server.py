"""The protocol: tools listed and called over standard input and output, one call at a time.

A call works in a thread of its own, and holds the one place there is until it is done: a client that cancels one is
told nothing more of it, but what it began it ends.
"""

from __future__ import annotations

import math
import signal
from typing import Any

import anyio
import anyio.from_thread
import anyio.to_thread
import mcp_types as types
from anyio.streams.memory import MemoryObjectReceiveStream
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel import Server
from mcp.server.session import ServerSession
from mcp.server.stdio import stdio_server
from mcp.shared.exceptions import MCPError

from gitops import __version__
from gitops.agents.calling import Tool
from gitops.mcp.door import Call, Door
from gitops.mcp.instructions import INSTRUCTIONS
from gitops.mcp.offers import Answer, Offer, answer, offers
from gitops.mcp.progress import Progressing, Step

NAME = "git-assay"


def run(door: Door) -> None:
    """Serve until standard input ends. CannotRun at once where the door leads to no repository."""
    door.repository()
    # Python's own way out would wait for the thread that reads standard input, which waits for the client. To be killed
    # is safe at any point: what a landing has begun, the next command completes.
    before = signal.signal(signal.SIGINT, signal.SIG_DFL)
    try:
        anyio.run(_serve, door)
    finally:
        signal.signal(signal.SIGINT, before)


async def _serve(door: Door) -> None:
    server = made(door)
    async with stdio_server() as (incoming, outgoing):
        await server.run(incoming, outgoing, server.create_initialization_options())


def made(door: Door) -> Server[dict[str, Any]]:
    """A server whose tools work behind a door."""
    one = anyio.CapacityLimiter(1)

    async def list_tools(context: ServerRequestContext[Any], asked: types.PaginatedRequestParams | None) -> Any:
        return types.ListToolsResult(tools=[declared(offer) for offer in offers().values()])

    async def call_tool(context: ServerRequestContext[Any], asked: types.CallToolRequestParams) -> Any:
        offer = offers().get(asked.name)
        if offer is None:
            raise MCPError(types.INVALID_PARAMS, f"Unknown tool: {asked.name}")
        return result(await _called(context.session, door, offer, asked.arguments or {}, one))

    return Server(
        NAME,
        version=__version__,
        title="git-assay",
        instructions=INSTRUCTIONS,
        on_list_tools=list_tools,
        on_call_tool=call_tool,
    )


async def _called(
    session: ServerSession, door: Door, offer: Offer, given: dict[str, Any], one: anyio.CapacityLimiter
) -> Answer:
    send, receive = anyio.create_memory_object_stream[Step](math.inf)

    def tell(step: Step) -> None:
        anyio.from_thread.run_sync(send.send_nowait, step)

    with send, receive:
        async with anyio.create_task_group() as group:
            group.start_soon(_report, session, receive)
            call = Call(door, offer.name, Progressing(tell))
            # Not abandoned when cancelled: a landing that has begun is carried to its end before the next call.
            found = await anyio.to_thread.run_sync(answer, offer, call, given, limiter=one)
            send.close()
    return found


async def _report(session: ServerSession, steps: MemoryObjectReceiveStream[Step]) -> None:
    async for step in steps:
        await session.report_progress(step.done, None, step.told)


def declared(offer: Offer) -> types.Tool:
    """A tool as clients are told of it."""
    reads = offer.effect == "reads"
    hints = types.ToolAnnotations(
        read_only_hint=reads, destructive_hint=offer.effect == "lands", idempotent_hint=reads, open_world_hint=False
    )
    given = Tool(offer.name, offer.description, offer.arguments, str).declared()["input_schema"]
    return types.Tool(
        name=offer.name,
        description=offer.description,
        input_schema=given,
        output_schema=offer.output_schema(),
        annotations=hints,
    )


def result(found: Answer) -> types.CallToolResult:
    """What a client is sent of an answer."""
    content: list[types.ContentBlock] = [types.TextContent(text=found.text)]
    return types.CallToolResult(content=content, structured_content=found.structured, is_error=found.is_error)
