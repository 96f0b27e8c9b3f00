"""A run writes pages, and nothing else: regular files under the wiki, whose names collide with no other.

The policy, the gold, the debt, workflows and attributes are people's commits; where the workspace is the wiki, so is
whatever is neither a page nor a picture, and what tells agents how to work. The log is the tool's own, and the
index stays. Dot files, symbolic links, submodules, executable files, and names that are the same file where case,
Unicode form or a dot at the end does not count are refused. The outcome and every commit on the way are looked at.
"""

from __future__ import annotations

from collections.abc import Iterator

from gitops.config import FILE_NAME
from gitops.verify.check import Check
from gitops.verify.collisions import collision, shadowed
from gitops.verify.finding import Level
from gitops.verify.view import Draft, RunAt
from gitops.wiki.layout import DEBT_NAME, PAGE_SUFFIXES, Layout
from gitops.wiki.paths import collision_key, is_dotfile, objections, within
from gitops.wiki.snapshot import EXECUTABLE, REGULAR, SUBMODULE, SYMLINK, Touched

_KINDS = {SYMLINK: "a symbolic link", SUBMODULE: "a submodule", EXECUTABLE: "an executable file"}

_FOR_AGENTS = ("claude.md", "agents.md", "gemini.md", "skill.md")
_ASSETS = (
    ".png", ".jpg", ".jpeg", ".gif", ".svg", ".webp", ".avif", ".bmp", ".pdf", ".csv", ".tsv", ".mp3", ".m4a", ".wav",
    ".ogg", ".mp4", ".webm", ".mov", ".canvas", ".drawio", ".excalidraw", ".bib",
)  # fmt: skip
"""What pages show. Where the workspace is the wiki, scripts and manifests lie beside them, and steer what is run."""

Objection = tuple[str, str, str]
"""Result, why, repair."""


def examine(at: RunAt) -> Iterator[Draft]:
    """The paths that the change may not write, each once, the outcome before the commits on the way."""
    seen: set[str] = set()
    for entry, where in _entries(at):
        if entry.path in seen:
            continue
        objection = _objection(at, entry)
        if objection is not None:
            seen.add(entry.path)
            result, why, repair = objection
            yield Draft(result, f"{why}{where}", entry.path, entry.path, repair=repair)


def _entries(at: RunAt) -> Iterator[tuple[Touched, str]]:
    yield from ((entry, "") for entry in at.change.touched)
    for commit in at.change.commits:
        for entry in commit.touched:
            # In people's history each landing wrote the log once; what that came to is judged as the outcome.
            if at.run.is_run or entry.path != at.head.layout.log:
                yield entry, f" (in commit {commit.commit[:10]})"


def _objection(at: RunAt, entry: Touched) -> Objection | None:
    layout, path = at.head.layout, entry.path
    if layout.is_source(path) or path == layout.raw:
        return None  # raw_sealed speaks of these
    if at.run.is_run and (foreign := _foreign(at, path)) is not None:
        return foreign
    if not at.run.is_run and entry.new_mode is not None and collision_key(path) == collision_key(layout.config):
        return "policy_changed", "the policy changes; this change is still judged by the one before it", ""
    if entry.old_mode is None and entry.new_mode is not None and (own := shadowed(at.head, path)) is not None:
        return "collision", f"on some systems it lies in {own}", "give it another name"
    if path == layout.log:
        return None if _is_appended_by_tool(at, entry) else _log(path)
    if not layout.is_wiki(path) or (layout.is_whole and not at.run.is_run and not layout.is_page(path)):
        return None  # people keep more in a workspace that is its own wiki than pages
    return _page_objection(at, entry)


def _foreign(at: RunAt, path: str) -> Objection | None:
    """What is people's, wherever it lies: a run that may write it could loosen its own gate."""
    told = _why_foreign(at, path)
    return ("outside_wiki", f"the change {told}", f"commit {path} yourself, outside any run") if told else None


def _why_foreign(at: RunAt, path: str) -> str:
    layout, name = at.head.layout, collision_key(path.rpartition("/")[2])
    if path == layout.config:
        return "writes the policy that judges it"
    if path == layout.debt:
        return "writes the debt that excuses findings"
    if not layout.is_wiki(path):
        return f"writes outside {layout.wiki}/" if not within(path, layout.wiki) else "writes where no pages are"
    if name in (FILE_NAME, DEBT_NAME):
        return "writes a policy, which would make the folder a workspace of its own"
    if (other := _workspace_around(at, path)) is not None:
        return f"writes into {other}/, which is a workspace of its own"
    if layout.is_excluded(path):
        return "writes a page that [workspace] exclude leaves unchecked"
    return _why_no_page(layout, path) if layout.is_whole else ""


def _workspace_around(at: RunAt, path: str) -> str | None:
    """The folder of another workspace below this one that holds the path, however deep it lies."""
    folder, root = path.rpartition("/")[0], at.head.layout.root
    while folder != root and within(folder, root):
        if at.base.snapshot.mode(f"{folder}/{FILE_NAME}") is not None:
            return folder
        folder = folder.rpartition("/")[0]
    return None


def _why_no_page(layout: Layout, path: str) -> str:
    """Why a file beside the pages of a workspace that is its own wiki is not for runs; '' for pages and pictures."""
    name = path.rpartition("/")[2].lower()
    if name in _FOR_AGENTS:
        return "writes what tells agents how to work"
    if name.endswith((*PAGE_SUFFIXES, *_ASSETS)) or is_dotfile(layout.inside(path)):
        return ""  # a dot file has its own finding
    return "writes what is neither a page nor a picture, in a workspace that is its own wiki"


def _page_objection(at: RunAt, entry: Touched) -> Objection | None:
    path = entry.path
    if entry.new_mode is None:
        is_gone = path == at.head.layout.index and at.head.snapshot.blob(path) is None
        return _INDEX_GONE if is_gone and at.run.is_run else None
    if entry.new_mode != REGULAR:
        kind = _KINDS.get(entry.new_mode, f"of mode {entry.new_mode:o}")
        return "mode", f"the change makes it {kind}; pages are regular files", "write it as a plain file"
    if (unsafe := objections(path)) is not None:
        return "unsafe_path", f"the path is refused: it {unsafe}", "give it another name"
    if is_dotfile(at.head.layout.inside(path)):
        return "dot_file", "dot files are not pages", "give it a name without the dot"
    if entry.old_mode is None and (other := collision(at.base, at.head, path)) is not None:
        return "collision", f"on some systems it is the same file as {other}", "give it another name"
    return None


_INDEX_GONE = ("index", "the change takes the index away, from which all pages are found", "keep it, and edit it")


def _log(path: str) -> Objection:
    return "log", "the log is written by the tool alone", f"leave {path} out of the change"


def _is_appended_by_tool(at: RunAt, entry: Touched) -> bool:
    """Did the log gain exactly the tool's own lines, each once, at its end? Its heading comes with a new log."""
    log = at.head.snapshot
    if entry.new_mode != REGULAR or entry.new_blob is None or log.blob(entry.path) != entry.new_blob:
        return False
    old = at.base.snapshot.read(entry.path) if at.base.snapshot.mode(entry.path) == REGULAR else b""
    new = log.read(entry.path)
    if not new.startswith(old):
        return False
    added = new[len(old) :]
    if old and not old.endswith(b"\n"):
        if not added.startswith(b"\n"):
            return False
        added = added[1:]
    if not old:
        if not at.run.is_run and added in (_HEADER, _HEADER + b"\n"):
            return True  # what people begin a wiki with
        added = added.removeprefix(_HEADER).removeprefix(b"\n")
    lines = added.split(b"\n")
    wrote = [line.decode("utf-8", "surrogateescape") for line in lines[:-1]]
    return lines[-1] == b"" and len(set(wrote)) == len(wrote) > 0 and at.run.log_lines.issuperset(wrote)


_HEADER = b"# Log\n"

CHECK = Check(
    scope="run",
    version=4,
    results={
        "outside_wiki": Level.ERROR,
        "policy_changed": Level.NOTE,
        "log": Level.ERROR,
        "index": Level.ERROR,
        "mode": Level.ERROR,
        "unsafe_path": Level.ERROR,
        "dot_file": Level.ERROR,
        "collision": Level.ERROR,
    },
    run=examine,
    sealed=True,
)
