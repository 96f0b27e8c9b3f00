"""Every ref line of a push, judged: one that is refused refuses them all, and all of them are told.

What judges a kind of ref is loaded where such a ref is pushed: a hook's start is most of what a push waits for.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from gitops.errors import Absent, AssayError
from gitops.git.failure import FETCH_MORE
from gitops.runs import names, targets
from gitops.runs.context import Context
from gitops.runs.receiving.lines import HEADS, Line, refused, short
from gitops.runs.reflines import Examined
from gitops.wiki.paths import collision_key

_NOTES = "refs/notes/assay/"
_OWN = "refs/assay/"
_REPLACE = "refs/replace/"
_RUN = names.BRANCHES.rstrip("/")
_GUARDED = (_NOTES, names.KEPT, names.CANDIDATES, names.BRANCHES, _REPLACE)


def judge(context: Context, lines: Iterable[Line]) -> list[Examined]:
    """What is to be said of each ref that is our business; nothing is written, and no model is asked.

    Notes are read as the push would have them: the verdicts that it brings along serve the commits that it brings; and
    where the notes are refused, all of it is. What cannot be judged is refused with the reason.
    """
    every = [replace(line, ref=_followed(context, line.ref)) for line in lines]
    target = targets.default_target(context.repository)
    incoming = {line.ref: line.new for line in every if line.ref.startswith(_NOTES) and not line.deletes}
    seen = replace(context, repository=replace(context.repository, incoming=incoming))
    with seen.caching():
        found = [_told(seen, line, target) for line in every]
    return [each for each in found if each is not None]


def _told(context: Context, line: Line, target: str) -> Examined | None:
    try:
        return _judged(context, line, target)
    except AssayError as error:
        return refused(line, f"it cannot be judged: {error.message}", error.hint)
    except RecursionError:
        return refused(line, "it cannot be judged: folders or records in it are nested without end", "leave them out")
    except Absent as error:
        return refused(line, f"it cannot be judged: {error} is not in what was pushed, nor here", FETCH_MORE)


def _judged(context: Context, line: Line, target: str) -> Examined | None:
    if not line.deletes and (told := _in_the_way(line.ref, target)):
        return refused(line, told, "give it another name")
    if line.ref.startswith(_NOTES):
        from gitops.runs.receiving import notelines

        return notelines.examine(context, line)
    if line.ref.startswith(_OWN):
        from gitops.runs.receiving import refs

        return refs.examine(context, line)
    if line.ref.startswith(_REPLACE):
        told = "it would show something else in the place of what was verified"
        return refused(line, told, "make a commit of it, and push that")
    if f"{line.ref}/".startswith(names.BRANCHES):
        from gitops.runs.receiving import staged

        return staged.examine(context, line)
    if not line.ref.startswith(HEADS) and line.ref != target:
        return None
    from gitops.runs.receiving import branches

    return branches.protected(context, line) if line.ref == target else branches.other(context, line)


def _in_the_way(ref: str, target: str) -> str:
    """What is wrong with a ref's name: it is a guarded one where case does not count, or leaves no room for them."""
    key = collision_key(ref)
    if key == collision_key(target) and ref != target:
        return f"on some systems it is {short(target)}"
    if any(f"{key}/".startswith(each) and not f"{ref}/".startswith(each) for each in _GUARDED):
        return "on some systems it is a ref that the tool keeps"
    if ref != _RUN and any(each.startswith(f"{ref}/") for each in _GUARDED):
        return "it leaves no room for the refs that the tool keeps"
    return ""


def _followed(context: Context, ref: str) -> str:
    """The ref that is moved in the end: of a symbolic one, what it names."""
    import pygit2

    for _ in range(5):  # git itself follows no further
        try:
            target = context.repository.handle.lookup_reference(ref).raw_target
        except (KeyError, ValueError, pygit2.GitError):
            return ref
        if not isinstance(target, bytes):
            return ref
        ref = target.decode("utf-8", "surrogateescape")
    return ref
