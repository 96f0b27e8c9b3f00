"""What the servers on loopback that tests talk to have in common: a thread, the open connections, what went wrong.

`Loopback` is the server, to be used in a `with` block, which fails where the server itself did; `Handler` answers.
"""

from __future__ import annotations

import contextlib
import socket
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any, Self


class Loopback:
    """A server on a free port of this machine. `failures` are its own; a client that hangs up is none."""

    def __init__(self, handler: type[Handler]) -> None:
        self.failures: list[BaseException] = []
        self.lock = threading.RLock()
        self.connections: set[socket.socket] = set()
        self._http = Http(self, handler)
        self._thread = threading.Thread(target=self._http.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)

    @property
    def origin(self) -> str:
        """Scheme, host and port."""
        return f"http://127.0.0.1:{self._http.server_address[1]}"

    def close(self) -> None:
        """Stop, and cut the connections that are open."""
        self._http.shutdown()
        self._http.server_close()
        self._thread.join()
        with self.lock:
            connections = list(self.connections)
        for connection in connections:
            cut(connection)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, failure: BaseException | None, _: TracebackType | None
    ) -> None:
        self.close()
        if failure is None and self.failures:
            raise self.failures[0]


class Http(ThreadingHTTPServer):
    """The standard library's server, which knows whose it is."""

    daemon_threads = True
    request_queue_size = 128

    def __init__(self, owner: Loopback, handler: type[Handler]) -> None:
        self.owner = owner
        super().__init__(("127.0.0.1", 0), handler)

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that hangs up (a timeout is tested) is no failure of the server; anything else is."""
        failure = sys.exc_info()[1]
        if failure is not None and not isinstance(failure, OSError):
            self.owner.failures.append(failure)


class Handler(BaseHTTPRequestHandler):
    """Answers on one connection, as long as it is open."""

    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    server: Http

    def setup(self) -> None:
        super().setup()
        with self.server.owner.lock:
            self.server.owner.connections.add(self.connection)

    def finish(self) -> None:
        with self.server.owner.lock:
            self.server.owner.connections.discard(self.connection)
        super().finish()

    def log_message(self, format: str, *args: Any) -> None:
        """Quiet: the tests look at what came."""

    def body(self) -> bytes:
        """What came with the request."""
        return self.rfile.read(int(self.headers.get("content-length", 0)))

    def hang_up(self) -> None:
        """End the connection without another word."""
        self.close_connection = True
        cut(self.connection)


def cut(connection: socket.socket) -> None:
    """Shut a connection down on both sides."""
    with contextlib.suppress(OSError):  # the client was quicker
        connection.shutdown(socket.SHUT_RDWR)
