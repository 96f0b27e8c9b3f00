"""A git server on loopback over HTTP (`git http-backend`), which lets in who brings a token, as a code host does.

with GitHttp(folder, tokens={"ghs_…": "read"}) as server:
    ...  # clone f"{server.url}/ada/wiki", user x-access-token, the token for a password; "write" may push
"""

from __future__ import annotations

import base64
import os
import subprocess
import threading
from collections.abc import Mapping
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Self
from urllib.parse import urlsplit

USERS = ("x-access-token", "oauth2")
"""Who a token is given for: on GitHub, on GitLab."""


class GitHttp:
    """Serves the bare repositories below a folder. `asked`: every request, and what its token may."""

    def __init__(self, folder: Path, tokens: Mapping[str, str]) -> None:
        self.folder, self.tokens = folder, dict(tokens)
        self.asked: list[tuple[str, str, str]] = []
        self._http = _Server(("127.0.0.1", 0), _Handler)
        self._http.owner = self
        self._thread = threading.Thread(target=self._http.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)

    @property
    def url(self) -> str:
        """Scheme, host and port."""
        return f"http://127.0.0.1:{self._http.server_address[1]}"

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._http.shutdown()
        self._http.server_close()
        self._thread.join()


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    owner: GitHttp


class _Handler(BaseHTTPRequestHandler):
    server: _Server

    def log_message(self, format: str, *args: object) -> None:
        """Quiet."""

    def do_GET(self) -> None:
        self._serve()

    def do_POST(self) -> None:
        self._serve()

    def _serve(self) -> None:
        body = self.rfile.read(int(self.headers.get("content-length", 0)))
        level, writes = self._level(), "git-receive-pack" in self.path
        self.server.owner.asked.append((self.command, self.path, level))
        if not level:
            self.send_response(401)
            self.send_header("WWW-Authenticate", 'Basic realm="loopback"')
            self.send_header("Content-Length", "0")
            self.end_headers()
        elif writes and level != "write":
            self.send_response(403)
            self.send_header("Content-Length", "0")
            self.end_headers()
        else:
            self._answer(self._backend(body))

    def _level(self) -> str:
        """What the token that came with a request may do; nothing for none, or a wrong one."""
        kind, _, given = self.headers.get("authorization", "").partition(" ")
        if kind.lower() != "basic":
            return ""
        user, _, password = base64.b64decode(given).decode().partition(":")
        return self.server.owner.tokens.get(password, "") if user in USERS else ""

    def _backend(self, body: bytes) -> bytes:
        asked = urlsplit(self.path)
        env = {
            **os.environ,
            "GIT_PROJECT_ROOT": os.fspath(self.server.owner.folder),
            "GIT_HTTP_EXPORT_ALL": "1",
            "REMOTE_USER": "x-access-token",
            "REQUEST_METHOD": self.command,
            "PATH_INFO": asked.path,
            "QUERY_STRING": asked.query,
            "CONTENT_TYPE": self.headers.get("content-type", ""),
            "CONTENT_LENGTH": str(len(body)),
            "HTTP_CONTENT_ENCODING": self.headers.get("content-encoding", ""),
            "GIT_PROTOCOL": self.headers.get("git-protocol", ""),
        }
        done = subprocess.run(["git", "http-backend"], input=body, env=env, capture_output=True, check=True)
        return done.stdout

    def _answer(self, said: bytes) -> None:
        head, _, body = said.partition(b"\r\n\r\n")
        headers = dict(line.split(": ", 1) for line in head.decode().split("\r\n"))
        self.send_response(int(headers.pop("Status", "200").split()[0]))
        for name, value in headers.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)
