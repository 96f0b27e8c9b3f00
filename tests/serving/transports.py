"""The ways to a server on loopback: `git daemon`, and `git http-backend` behind a small web server."""

from __future__ import annotations

import os
import socket
import subprocess
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path


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

    class Backend(_Backend):
        root, remote_user = folder.parent, user

    with ThreadingHTTPServer(("127.0.0.1", 0), Backend) as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.05,))
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_address[1]}/{folder.name}"
        finally:
            server.shutdown()
            thread.join()


class _Backend(BaseHTTPRequestHandler):
    root: Path
    remote_user: str

    def do_GET(self) -> None:
        self._answer(b"")

    def do_POST(self) -> None:
        self._answer(self.rfile.read(int(self.headers.get("Content-Length", "0"))))

    def log_message(self, format: str, *args: object) -> None:
        pass

    def _answer(self, body: bytes) -> None:
        done = subprocess.run(
            ["git", "http-backend"], input=body, capture_output=True, env=self._environment(), check=True
        )
        head, _, content = done.stdout.partition(b"\r\n\r\n")
        fields = [line.decode().split(": ", 1) for line in head.split(b"\r\n")]
        status = next((value for name, value in fields if name == "Status"), "200 OK")
        self.send_response(int(status.split(" ")[0]))
        for name, value in fields:
            if name != "Status":
                self.send_header(name, value)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def _environment(self) -> dict[str, str]:
        path, _, query = self.path.partition("?")
        return {
            **os.environ,
            "GATEWAY_INTERFACE": "CGI/1.1",
            "REQUEST_METHOD": self.command,
            "PATH_INFO": path,
            "QUERY_STRING": query,
            "CONTENT_TYPE": self.headers.get("Content-Type", ""),
            "CONTENT_LENGTH": self.headers.get("Content-Length", ""),
            "HTTP_CONTENT_ENCODING": self.headers.get("Content-Encoding", ""),
            "GIT_PROTOCOL": self.headers.get("Git-Protocol", ""),
            "GIT_PROJECT_ROOT": os.fspath(self.root),
            "GIT_HTTP_EXPORT_ALL": "1",
            "REMOTE_USER": self.remote_user,
            "REMOTE_ADDR": self.client_address[0],
        }


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
