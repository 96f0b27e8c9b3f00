"""A repository in which so many runs have landed, each with a verdict that is really signed."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from benchmarks import recorded, wikis
from gitops import canonical
from gitops.git import commits, history, notes, objects, refs, signing
from gitops.git.objects import REGULAR
from gitops.git.repository import Repository, open_repository
from gitops.git.trees import edit
from gitops.runs import attesting, names, trusting
from gitops.runs.context import Context
from gitops.verify import statement
from gitops.verify.statement import Signed
from gitops.verify.verdict import Verdict

MAIN = "refs/heads/main"
PAGES = 1_000
WHO = "bench@example.org"
_POLICY = b'[workspace]\nname = "bench"\n\n[trust]\nsigned = true\nrepository = "https://example.org/bench"\n'


@dataclass(frozen=True, slots=True)
class Landings:
    """A bare repository, the key that signed there, and the commits that landed, oldest first."""

    folder: Path
    key: Path
    first: str
    commits: tuple[str, ...]


def build(folder: Path, count: int) -> Landings:
    """A wiki of a thousand pages in a hundred folders, and so many landings of one page each, all of them signed."""
    repository = recorded.opened(folder)
    key = _key(folder / "key")
    signers = f'{WHO} namespaces="{signing.NAMESPACE}" {" ".join(key.with_suffix(".pub").read_text().split()[:2])}\n'
    wikis.commit_files(folder, _files(signers.encode()))
    repository = open_repository(folder)
    first = str(refs.read(repository, MAIN))
    landed = list(_landings(repository, first, count))
    refs.move(repository, MAIN, landed[-1].candidate, first, "landings")
    context = Context(repository)
    with context.caching():
        lines = {each.candidate: [_line(each), _signature(context, key, each)] for each in landed}
    notes.append(repository, names.VERDICTS, lines, "verdicts", recorded.WHO, recorded.WHEN)
    return Landings(folder, key, first, tuple(history.between(repository, first, landed[-1].candidate)))


def _key(path: Path) -> Path:
    command = ["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-C", WHO, "-f", str(path)]
    subprocess.run(command, check=True, stdin=subprocess.DEVNULL)
    return path


def _files(signers: bytes) -> Iterator[tuple[str, bytes]]:
    yield "assay.toml", _POLICY
    yield ".assay/allowed_signers", signers
    yield "wiki/log.md", b"# Log\n"
    yield from ((_path(page), b"# Page %d\n" % page) for page in range(PAGES))


def _path(page: int) -> str:
    return f"wiki/{page % 100:02}/page-{page:04}.md"


def _landings(repository: Repository, first: str, count: int) -> Iterator[Verdict]:
    """The verdicts on a chain of merges, each of which brings in one changed page."""
    base, tree = first, commits.read(repository, first).tree
    for number in range(count):
        page = objects.write_blob(repository, b"# Page %d, revised by %d\n" % (number % PAGES, number))
        written = edit(repository, tree, {_path(number % PAGES): (page, REGULAR)})
        log = objects.write_blob(repository, b"# Log\n\n- landing %d\n" % number)
        tree = edit(repository, written, {"wiki/log.md": (log, REGULAR)})
        told = recorded.verdict(3 * number + 1)  # one that lets its change land
        when = recorded.WHEN + number
        head = commits.write(repository, written, [base], "A page\n", recorded.WHO, when, sign=False)
        pairs = (("Assay-Run", told.run_id), ("Assay-Base", base), ("Assay-Head", head))
        message = commits.with_trailers(f"Land {told.run_id}", "", pairs)
        made = commits.write(repository, tree, [base, head], message, recorded.WHO, when, sign=False)
        place = {"base": base, "head": head, "candidate": made, "tree": tree, "policy": _policy(repository, first)}
        yield told.model_copy(update=place).named()
        base = made


def _policy(repository: Repository, first: str) -> str:
    return str(Context(repository).tree(first).blob("assay.toml"))


def _line(verdict: Verdict) -> str:
    body = verdict.record()
    return canonical.line(body.pop("summary"), body)


def _signature(context: Context, key: Path, verdict: Verdict) -> str:
    """The line that `attesting.attest` leaves beside a verdict."""
    body = statement.payload(statement.statement(verdict, trusting.facts(context, "", verdict)))
    signature = signing.sign(str(key), statement.pae(body))
    envelope = canonical.dumps(statement.envelope(body, [Signed(signing.fingerprint(signature), signature)]))
    return attesting.line(verdict, envelope, f"signed by {WHO}")
