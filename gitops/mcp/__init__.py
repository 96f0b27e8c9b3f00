"""The MCP server: an agent reads the wiki, writes to it through the gate, and asks how it stands. A door over stdio.

offers      every tool that is offered, by name
reading     the verifier's reading tools, over the target or over a run as it is staged
writing     run_start stage_write str_replace run_finish run_show: the flows of `git assay run`
measuring   eval
door        one call's repository, workspace and run
server      the protocol: the only module that needs the SDK
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from gitops.errors import CannotRun

if TYPE_CHECKING:
    from gitops.mcp.door import Door

_SDK = ("mcp", "mcp_types", "anyio")


def serve(door: Door) -> None:
    """Serve one client over standard input and output until it leaves. CannotRun where the SDK is not installed."""
    try:
        from gitops.mcp import server
    except ModuleNotFoundError as error:
        missing = (error.name or "").partition(".")[0]
        if missing not in _SDK:
            raise
        told = f"the MCP server needs the package '{missing}', which is not installed"
        raise CannotRun(told, "pip install 'git-assay[mcp]'") from error
    server.run(door)
