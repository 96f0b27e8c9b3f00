"""The ways to a server on loopback: `git daemon`, and `git http-backend` behind a small web server."""

from __future__ import annotations

import os
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests import git_backend
from tests.loopback import Handler, Loopback


@contextmanager
def daemon(folder: Path) -> Iterator[str]:
    """The repository by `git daemon`, which takes pushes from anybody; its address."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = ["git", "daemon", "--reuseaddr", "--export-all", "--enable=receive-pack", "--listen=127.0.0.1"]
    command += [f"--port={port}", f"--base-path={folder.parent}", os.fspath(folder)]
    with subprocess.Popen(command, stdin=subprocess.DEVNULL, stderr=subprocess.PIPE) as running:
        try:
            _reachable(port)
            yield f"git://127.0.0.1:{port}/{folder.name}"
        finally:
            running.terminate()


@contextmanager
def http(folder: Path, user: str = "ada") -> Iterator[str]:
    """The repository by `git http-backend`, as a web server calls it that has asked who `user` is; its address."""

    class Backend(Handler):
        def do_GET(self) -> None:
            git_backend.answer(self, folder.parent, user)

        do_POST = do_GET

    with Loopback(Backend) as server:
        yield f"{server.origin}/{folder.name}"


def _reachable(port: int) -> None:
    until = time.monotonic() + 10
    while True:
        try:
            socket.create_connection(("127.0.0.1", port), 1).close()
        except OSError:
            assert time.monotonic() < until, "git daemon did not come up"
            time.sleep(0.05)
        else:
            return
