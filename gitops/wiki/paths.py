"""The one gate for every path that comes in: from a person, an agent, a citation or a tree.

The rules about `.git` are git's own (`verify_path` in read-cache.c, `is_hfs_dotgit` in utf8.c,
`is_ntfs_dotgit` in path.c), held on every platform: a tree written here is checked out elsewhere.
"""

from __future__ import annotations

import re
import unicodedata

from gitops.errors import UsageError

# What HFS+ ignores when it compares names: git's `next_hfs_char`.
_HFS_IGNORED = dict.fromkeys((*range(0x200C, 0x2010), *range(0x202A, 0x202F), *range(0x206A, 0x2070), 0xFEFF))
# NTFS reads `.git`, its short name, either with trailing dots and spaces, and either's streams as one folder.
_DOT_GIT = re.compile(r"(?:\.git|git~1)[. ]*(?::.*)?")
_DRIVE = re.compile(r"[A-Za-z]:")
_PLAIN = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_. -]*+(?:/[A-Za-z0-9_][A-Za-z0-9_. -]*+)*+")
"""What nothing can be wrong with, unless it is long: `.git`, `git~1`, `..`, `c:` and all that is not ASCII are not."""
_CONTROL = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029]")
_SURROGATE = re.compile("[\ud800-\udfff]")
_LONGEST = 255
_HINT = "name a file by its path inside the repository, such as 'wiki/topics/auth.md'"


def safe(path: str) -> str:
    """The path in NFC, `/`-separated, inside the repository. UsageError says what is wrong with it."""
    if reason := objections(path):
        raise UsageError(f"path {path!r} {reason}", _HINT)
    return unicodedata.normalize("NFC", path)


def objections(path: str) -> str | None:
    """Why a path is refused, as words that go on after its name; None when nothing is wrong."""
    if len(path) <= _LONGEST and _PLAIN.fullmatch(path):
        return None
    if not path:
        return "is empty"
    if _SURROGATE.search(path):
        return "is not UTF-8"
    if control := _CONTROL.search(path):
        return f"holds the control character U+{ord(control[0]):04X}"
    if "\\" in path:
        return "holds a backslash; folders are separated by '/'"
    if path.startswith("/"):
        return "is absolute"
    if _DRIVE.match(path):
        return "begins with a drive letter"
    return next((reason for segment in path.split("/") if (reason := _segment_objection(segment))), None)


def _segment_objection(segment: str) -> str | None:
    if not segment:
        return "holds an empty segment ('//' or a '/' at its end)"
    seen = unicodedata.normalize("NFC", segment).translate(_HFS_IGNORED).casefold()
    if not seen.rstrip(". "):
        return f"holds {segment!r}, which leads elsewhere or nowhere"
    if _DOT_GIT.fullmatch(seen):
        return f"leads into '.git' ({segment!r})"
    if len(segment.encode()) > _LONGEST:
        return f"holds a name of more than {_LONGEST} bytes, which no common file system takes"
    return None


def is_dotfile(path: str) -> bool:
    """Whether any segment begins with a dot: a hidden file, or a file in a hidden folder."""
    return any(segment.startswith(".") for segment in path.split("/"))


def collision_key(path: str) -> str:
    """What a file system that folds case, composes Unicode or (NTFS) drops dots and spaces at a name's end takes the
    path for: two with one key collide.
    """
    composed = unicodedata.normalize("NFC", path)
    folded = unicodedata.normalize("NFC", composed.casefold())
    return "/".join(segment.rstrip(". ") or segment for segment in folded.split("/"))


def within(path: str, folder: str) -> bool:
    """Whether the path lies below the folder; everything lies below '', a folder not below itself."""
    return not folder or path.startswith(folder.rstrip("/") + "/")
