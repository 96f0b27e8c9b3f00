"""`git http-backend` behind a web server on loopback: git's own side of a push over HTTP."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path
from urllib.parse import urlsplit

from tests.loopback import Handler


def answer(handler: Handler, folder: Path, user: str) -> None:
    """Answer one request for a bare repository below a folder, as a web server that has asked who `user` is."""
    body = handler.body()
    command = ["git", "http-backend"]
    done = subprocess.run(command, input=body, env=_cgi(handler, folder, user), capture_output=True, check=True)
    head, _, content = done.stdout.partition(b"\r\n\r\n")
    headers = dict(line.split(": ", 1) for line in head.decode().split("\r\n"))
    handler.send_response(int(headers.pop("Status", "200").split()[0]))
    for name, value in headers.items():
        handler.send_header(name, value)
    handler.send_header("Content-Length", str(len(content)))
    handler.end_headers()
    handler.wfile.write(content)


def _cgi(handler: Handler, folder: Path, user: str) -> dict[str, str]:
    """The request as RFC 3875 tells it to a program."""
    asked = urlsplit(handler.path)
    return {
        **os.environ,
        "GATEWAY_INTERFACE": "CGI/1.1",
        "REQUEST_METHOD": handler.command,
        "PATH_INFO": asked.path,
        "QUERY_STRING": asked.query,
        "CONTENT_TYPE": handler.headers.get("content-type", ""),
        "CONTENT_LENGTH": handler.headers.get("content-length", ""),
        "HTTP_CONTENT_ENCODING": handler.headers.get("content-encoding", ""),
        "GIT_PROTOCOL": handler.headers.get("git-protocol", ""),
        "GIT_PROJECT_ROOT": os.fspath(folder),
        "GIT_HTTP_EXPORT_ALL": "1",
        "REMOTE_USER": user,
        "REMOTE_ADDR": handler.client_address[0],
    }
