"""A bare server with the receiving gate in it, and a signed wiki that pushes to it by `file://`."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from gitops import hooks
from gitops.runs.outcome import Outcome
from tests.runs.driving import Wiki, name, page
from tests.runs.signed import SignedWiki

PROJECT = Path(__file__).parents[3]
NOTES = "refs/notes/assay/*:refs/notes/assay/*"
ALTERED = {name(0): page(0, "the sea never falls back")}
"""A page that no verifier without a model lets through: only somebody's signature can."""
RUNS_BY = (
    f"#!{sys.executable}\nimport sys\nsys.path.insert(0, {os.fspath(PROJECT)!r})\n"
    "from gitops.cli import main\nsys.exit(main())\n"
)


@dataclass
class Served:
    """The server's folder, and who pushes to it."""

    folder: Path
    signed: SignedWiki

    @property
    def wiki(self) -> Wiki:
        return self.signed.wiki

    def git(self, *words: str, check: bool = True) -> str:
        """git, on the server."""
        return Wiki(self.folder).git(*words, check=check)

    def ref(self, ref: str) -> str | None:
        return self.git("rev-parse", "--verify", "--quiet", ref, check=False) or None

    def push(self, *words: str, env: Mapping[str, str] | None = None) -> subprocess.CompletedProcess[str]:
        command = ["git", "-C", os.fspath(self.wiki.folder), "push", "origin", *words]
        return subprocess.run(command, capture_output=True, text=True, check=False, env={**os.environ, **(env or {})})

    def takes(self, *words: str) -> str:
        """Push, and have it taken; what the server said."""
        done = self.push(*words)
        assert done.returncode == 0, done.stderr
        assert "Traceback" not in done.stderr
        return done.stderr

    def refuses(self, *words: str) -> str:
        """Push, and have all of it refused, with nothing of it left behind; what the server said."""
        refs, held = self.git("for-each-ref"), self.objects()
        done = self.push(*words)
        assert done.returncode == 1, done.stderr
        assert "remote: error: not taken: " in done.stderr, done.stderr
        assert "remote: hint:  " in done.stderr
        assert "Traceback" not in done.stderr
        assert "should not happen" not in done.stderr
        assert "\033" not in done.stderr
        assert (self.git("for-each-ref"), self.objects()) == (refs, held)
        found = self.git("fsck", "--full", "--strict", "--no-dangling").splitlines()
        assert [line for line in found if not line.startswith("notice: HEAD points to an unborn branch")] == []
        return done.stderr

    def objects(self) -> list[str]:
        """The files of the object store: what a push that is refused may not add to."""
        store = self.folder / "objects"
        return sorted(os.fspath(path.relative_to(store)) for path in store.rglob("*") if path.is_file())

    def commit(self, files: Mapping[str, str | None], message: str = "a change") -> str:
        """A commit of somebody's own on the branch that the wiki is on, with no hook to look at it."""
        for path, text in files.items():
            file = self.wiki.folder / path
            if text is None:
                file.unlink()
            else:
                file.parent.mkdir(parents=True, exist_ok=True)
                file.write_text(text)
        self.wiki.git("add", "--all", "--force")
        self.wiki.git("commit", "--quiet", "--no-verify", "--allow-empty", "--message", message)
        return str(self.wiki.ref("HEAD"))

    def landed(self, pages: Mapping[str, str | None] | None = None) -> str:
        """Land a sound run by a signed verdict; its commit."""
        return self._landed(self.wiki.finish(self.wiki.run(pages)))

    def unverified(self, pages: Mapping[str, str | None] = ALTERED) -> str:
        """Land what no verifier has seen, on the word of who holds the key; its commit."""
        return self._landed(self.wiki.finish(self.wiki.run(pages), no_verify=True))

    def _landed(self, outcome: Outcome) -> str:
        assert outcome.result == "landed"
        return outcome.commit


def serve(folder: Path, signed: SignedWiki) -> Served:
    """Make the server from what the wiki has on main, and have the wiki follow it."""
    served = Served(folder / "server.git", signed)
    signed.wiki.git("clone", "--quiet", "--bare", ".", os.fspath(served.folder))
    command = folder / "git-assay"
    command.write_text(RUNS_BY)
    command.chmod(0o755)
    hook = served.folder / "hooks" / hooks.RECEIVE
    hook.parent.mkdir(exist_ok=True)
    hook.write_bytes(hooks.hook_script(hooks.RECEIVE))
    hook.chmod(0o755)
    for key, value in (("assay.server", "true"), ("assay.command", os.fspath(command))):
        served.git("config", key, value)
    served.git("remote", "remove", "origin")
    signed.wiki.git("remote", "add", "origin", f"file://{served.folder}")
    signed.wiki.git("fetch", "--quiet", "origin")
    return served
