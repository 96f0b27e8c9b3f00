"""A push of a ten-page run with its signed verdict, judged before it is taken, against a push that nobody looks at.

The floor is the same push to the same repository with a pre-receive hook that does nothing, and then one Python that
imports pygit2: what a hook in Python costs that does no more. Every push goes to a bare clone of its own, which knows
the tree digests of the base, as a server does since its last push (post-receive keeps them up).
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from functools import partial
from itertools import count
from pathlib import Path

import gitops
from benchmarks import wikis
from benchmarks.timing import Options, Ratio, interleave
from benchmarks.wikis import Wiki
from gitops import hooks
from gitops.errors import CannotRun
from gitops.git import signing
from gitops.git.repository import open_repository
from gitops.runs.context import CACHE, Context
from gitops.runs.treedigest import tree_sha256

LIMIT = 2.0
PAGES = 100_000
FEWEST = 40
WHO = "bench@example.org"
NOTES = "refs/notes/assay/*:refs/notes/assay/*"
_TRUST = '\n[trust]\nsigned = true\nrepository = "https://example.org/bench"\n'
_EMPTY = "#!/bin/sh\nexec cat >/dev/null\n"


def run(options: Options) -> list[Ratio]:
    """The one figure."""
    wiki = wikis.build(options.scratch / "wiki", max(FEWEST, options.size(PAGES)))
    command = _command(options.scratch)
    _signed(wiki, options.scratch / "key")
    server = _server(wiki, options.scratch / "server.git", command)
    _land(wiki, command)
    pushes = {
        "floor": _pushes(wiki, server, options.scratch, "idle", _EMPTY.encode()),
        "ours": _pushes(wiki, server, options.scratch, "gate", hooks.hook_script(hooks.RECEIVE)),
    }
    rounds = options.rounds + 2  # one to see what is said, and interleave warms up with one
    ready = {name: iter([next(sides) for _ in range(rounds)]) for name, sides in pushes.items()}
    python = [sys.executable, "-c", "import pygit2"]

    def floor() -> None:
        next(ready["floor"])()
        subprocess.run(python, check=True)

    if "landed with a verdict" not in next(ready["ours"])():
        raise CannotRun("the gate did not take the verdict that came along", "python -m benchmarks --only pre_receive")
    seconds = interleave({"floor": floor, "ours": lambda: next(ready["ours"])()}, options.rounds)
    told = "the same push, an empty hook, and python -c 'import pygit2'"
    return [Ratio("push of a landed run", told, LIMIT, wiki.pages, seconds["ours"], seconds["floor"])]


def _signed(wiki: Wiki, key: Path) -> None:
    """Have the wiki want signed verdicts, by a new key that it names."""
    subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-C", WHO, "-f", key], check=True)
    public = " ".join(key.with_suffix(".pub").read_text().split()[:2])
    policy = wiki.folder / "assay.toml"
    policy.write_text(policy.read_text() + _TRUST)
    (wiki.folder / ".assay").mkdir()
    (wiki.folder / ".assay/allowed_signers").write_text(f'{WHO} namespaces="{signing.NAMESPACE}" {public}\n')
    _git(wiki.folder, "add", "assay.toml", ".assay")
    _git(wiki.folder, "commit", "--quiet", "--message", "Verdicts are signed")
    _git(wiki.folder, "config", "assay.signingkey", os.fspath(key))


def _server(wiki: Wiki, folder: Path, command: Path) -> Path:
    """A bare clone that is a gate and has digested what it holds."""
    _git(wiki.folder, "clone", "--quiet", "--bare", ".", os.fspath(folder))
    for name, value in (("assay.server", "true"), ("assay.command", os.fspath(command)), ("gc.auto", "0")):
        _git(folder, "config", name, value)
    context = Context(open_repository(folder))
    tree_sha256(context, context.tree(_git(folder, "rev-parse", "main")).tree_id)
    return folder


def _land(wiki: Wiki, command: Path) -> None:
    run_id = wikis.begin(wiki, 0)
    subprocess.run(
        [command, "-C", wiki.folder, "--quiet", "run", "finish", run_id], check=True, stdout=subprocess.DEVNULL
    )


def _pushes(wiki: Wiki, server: Path, scratch: Path, name: str, hook: bytes) -> Iterator[Callable[[], str]]:
    """Pushes of the landing and its records, each to a clone of its own that has this hook."""
    for number in count():
        folder = scratch / f"{name}-{number}.git"
        _git(server, "clone", "--quiet", "--bare", "--local", ".", os.fspath(folder))
        shutil.copy2(server / "config", folder / "config")
        (folder / "assay").mkdir()
        shutil.copy2(server / "assay" / CACHE, folder / "assay" / CACHE)
        script = folder / "hooks" / hooks.RECEIVE
        script.parent.mkdir(exist_ok=True)
        script.write_bytes(hook)
        script.chmod(0o755)
        yield partial(_push, wiki, folder)


def _push(wiki: Wiki, folder: Path) -> str:
    """What the server said of it. CannotRun where it was not taken."""
    command = ["git", "-C", os.fspath(wiki.folder), "push", f"file://{folder}", "main", NOTES]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise CannotRun(f"the push was refused: {done.stderr.strip()}", f"push it by hand from {wiki.folder}")
    return done.stderr


def _command(scratch: Path) -> Path:
    """An executable git-assay that runs this tree, its modules compiled once as where the package is installed."""
    path = scratch / "git-assay"
    root = os.fspath(Path(gitops.__file__).parents[1])
    path.write_text(
        f"#!{sys.executable}\nimport sys\nsys.dont_write_bytecode = False\n"
        f"sys.pycache_prefix = {os.fspath(scratch / 'compiled')!r}\nsys.path.insert(0, {root!r})\n"
        "from gitops.cli import main\nsys.exit(main())\n"
    )
    path.chmod(0o755)
    return path


def _git(folder: Path, *words: str) -> str:
    done = subprocess.run(["git", "-C", folder, *words], capture_output=True, text=True, check=False)
    if done.returncode:
        raise CannotRun(f"git {' '.join(words)}: {done.stderr.strip()}", f"run it by hand in {folder}")
    return done.stdout.strip()
