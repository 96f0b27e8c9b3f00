"""Many files in one commit, as one stream to `git fast-import`: a pack instead of ten thousand synced files."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from gitops.errors import CannotRun
from gitops.git import objects
from gitops.git.commits import Identity
from gitops.git.failure import last_line
from gitops.git.process import DURABLE, OFFLINE, git
from gitops.git.repository import Repository
from gitops.git.trees import File

_SCRATCH = "refs/assay/import"
"""fast-import commits to a branch only; this one it is told to forget again, so it never comes to be on disk."""

_KEEP_MEMORY = {"MALLOC_TRIM_THRESHOLD_": str(1 << 27), "MALLOC_MMAP_THRESHOLD_": str(1 << 27)}
"""glibc would hand zlib's buffers back to the kernel after every object, which measured six times as slow."""


def commit(
    repository: Repository,
    edit: Mapping[str, File | None],
    parents: Sequence[str],
    message: str,
    identity: Identity,
    when: int,
) -> str:
    """Write a commit of the first parent's tree with an edit applied, and give its id; no ref moves.

    Paths are plain: no quotation marks, line breaks or spaces at the start. CannotRun when git refuses.
    """
    repository.refuse_in_quarantine("writing commits")
    stdin = b"".join(_stream(edit, parents, message, identity, when))
    # Small packs would be unpacked into loose files, one sync each.
    settings = (*DURABLE, "-c", "fastimport.unpackLimit=1")
    done = git(repository, *settings, "fast-import", "--quiet", "--done", input=stdin, env=OFFLINE | _KEEP_MEMORY)
    if len(done.text) != 40:
        raise CannotRun(f"git fast-import gave no commit: {last_line(done.stderr)}", "'git fsck' says what is damaged")
    return done.text


def _stream(
    edit: Mapping[str, File | None], parents: Sequence[str], message: str, identity: Identity, when: int
) -> Iterator[bytes]:
    who = f"{_clean(identity.name)} <{_clean(identity.email)}> {when} +0000"
    yield f"commit {_SCRATCH}\nmark :1\ncommitter {who}\n".encode()
    yield _data(message.encode("utf-8", "replace").rstrip(b"\n") + b"\n")
    for word, parent in zip(("from", *("merge" for _ in parents)), parents, strict=False):
        yield f"{word} {parent}\n".encode()
    # What goes is named first: a flat note's place may be needed as a folder.
    for path, change in sorted(edit.items(), key=lambda one: one[1] is not None):
        name = objects.encode(path)
        if change is None:
            yield b"D " + name + b"\n"
            continue
        content, mode = change
        if isinstance(content, str):
            yield b"M %o %b %b\n" % (mode, content.encode(), name)
        else:
            yield b"M %o inline %b\n" % (mode, name) + _data(content)
    yield f"\nget-mark :1\nreset {_SCRATCH}\nfrom {'0' * 40}\n\ndone\n".encode()


def _data(content: bytes) -> bytes:
    return b"data %d\n%b\n" % (len(content), content)


def _clean(text: str) -> str:
    return "".join(letter for letter in text if letter not in "<>\n\0").strip()
