"""`git assay mcp`: an MCP server over standard input and output, for agents."""

from __future__ import annotations

import argparse
import sys

from gitops.cli.arguments import Parser


def declare(name: str, parser: Parser) -> None:
    """Fill in the command."""
    parser.set_defaults(function=mcp)
    parser.epilog = "An agent starts it: claude mcp add assay -- git assay mcp"


def mcp(arguments: argparse.Namespace) -> int:
    """Serve until the client leaves."""
    from pathlib import Path

    from gitops.cli import surroundings
    from gitops.mcp import serve
    from gitops.mcp.door import Door
    from gitops.runs.context import system_clock

    folder = Path(arguments.directory) if arguments.directory else None
    log = _silent if arguments.quiet else _told
    serve(Door(folder, arguments.workspace, surroundings.fixed_clock() or system_clock, log))
    return 0


def _told(message: str) -> None:
    """Standard error is the client's log; standard output is the protocol's."""
    from gitops.cli import one_line

    print(f"note: {one_line(message)}", file=sys.stderr, flush=True)


def _silent(message: str) -> None:
    """Say nothing."""
