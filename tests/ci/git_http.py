"""A git server on loopback over HTTP (`git http-backend`), which lets in who brings a token, as a code host does.

with GitHttp(folder, tokens={"ghs_…": "read"}) as server:
    ...  # clone f"{server.url}/ada/wiki", user x-access-token, the token for a password; "write" may push
"""

from __future__ import annotations

import base64
from collections.abc import Mapping
from pathlib import Path

from tests import git_backend
from tests.loopback import Handler, Loopback

USERS = ("x-access-token", "oauth2")
"""Who a token is given for: on GitHub, on GitLab."""


class GitHttp(Loopback):
    """Serves the bare repositories below a folder. `asked`: every request, and what its token may."""

    def __init__(self, folder: Path, tokens: Mapping[str, str]) -> None:
        super().__init__(_Handler)
        self.folder, self.tokens = folder, dict(tokens)
        self.asked: list[tuple[str, str, str]] = []

    @property
    def url(self) -> str:
        """Scheme, host and port."""
        return self.origin


class _Handler(Handler):
    @property
    def _host(self) -> GitHttp:
        assert isinstance(self.server.owner, GitHttp)
        return self.server.owner

    def do_GET(self) -> None:
        level, writes = self._level(), "git-receive-pack" in self.path
        self._host.asked.append((self.command, self.path, level))
        if not level:
            self._refuse(401)
        elif writes and level != "write":
            self._refuse(403)
        else:
            git_backend.answer(self, self._host.folder, "x-access-token")

    do_POST = do_GET

    def _refuse(self, status: int) -> None:
        self.body()
        self.send_response(status)
        if status == 401:
            self.send_header("WWW-Authenticate", 'Basic realm="loopback"')
        self.send_header("Content-Length", "0")
        self.end_headers()

    def _level(self) -> str:
        """What the token that came with a request may do; nothing for none, or a wrong one."""
        kind, _, given = self.headers.get("authorization", "").partition(" ")
        if kind.lower() != "basic":
            return ""
        user, _, password = base64.b64decode(given).decode().partition(":")
        return self._host.tokens.get(password, "") if user in USERS else ""
