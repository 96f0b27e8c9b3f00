"""The files of gold as cases, with all that is wrong in their layout: nothing is overlooked, and reading goes on."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from gitops.extraction.case_file import CaseFile, parsed
from gitops.extraction.model import Case, Source
from gitops.okf import reading
from gitops.okf.model import Bundle, Fault
from gitops.runs.bad_input import BadInput, decoded
from gitops.wiki.disk import FOLDER
from gitops.wiki.layout import joined
from gitops.wiki.snapshot import EXECUTABLE, REGULAR, SUBMODULE, SYMLINK, Snapshot

CASE_FILE = "case.yaml"
SOURCES = "sources"
ATOMS = "atoms"
BESIDE = ("README.md",)
"""What may lie beside the cases: what a person reads who looks into the folder."""


@dataclass(frozen=True, slots=True)
class Read:
    """The cases by their names, those with faults among them, and what is wrong with their files."""

    cases: tuple[Case, ...]
    faults: tuple[Fault, ...]


def read(tree: Snapshot, folder: str, called: str) -> Read:
    """All cases below a folder of a tree; `called` is what the folder is called in places and faults.

    What begins with a dot is of no interest. `Absent` where this clone lacks the content of a file.
    """
    start = f"{folder}/" if folder else ""
    inside = sorted(path.removeprefix(start) for path in tree.paths(folder))
    files = _Files(tree, folder, called)
    if folder and tree.mode(folder) not in (None, FOLDER):
        files.no_folder()
    by_case: dict[str, list[str]] = {}
    for path in inside:
        if any(part.startswith(".") for part in path.split("/")):
            continue
        name, slash, rest = path.partition("/")
        if slash:
            by_case.setdefault(name, []).append(rest)
        elif name not in BESIDE:
            files.stray(name, f"a case is a folder with {SOURCES}/ and {ATOMS}/")
    return Read(tuple(files.case(name, paths) for name, paths in by_case.items()), tuple(files.faults))


@dataclass
class _Files:
    tree: Snapshot
    folder: str
    called: str
    faults: list[Fault] = field(default_factory=list)

    def case(self, name: str, paths: Sequence[str]) -> Case:
        """One case, as far as it can be read."""
        said = self._case_file(name) if CASE_FILE in paths else CaseFile()
        sources = tuple(self._sources(name, [path for path in paths if path.startswith(f"{SOURCES}/")]))
        if not any(path.startswith(f"{SOURCES}/") for path in paths):
            told = "the case has no source document"
            self._fault("no_source", name, told, f"put the document into {name}/{SOURCES}/")
        gold = self._gold(name, [path for path in paths if path.startswith(f"{ATOMS}/")], said)
        for path in paths:
            if path != CASE_FILE and not path.startswith((f"{SOURCES}/", f"{ATOMS}/")):
                self.stray(f"{name}/{path}", f"a case holds {CASE_FILE}, {SOURCES}/ and {ATOMS}/ alone")
        return Case(name, sources, gold, said.description, said.tags, self._called(name))

    def no_folder(self) -> None:
        """Tell that a link, a submodule or a file stands where the cases should lie."""
        told = "this is no folder, and no case behind it is read"
        self.faults.append(Fault("gold", "error", "no_file", told, self.called, 0, "put the folder itself there"))

    def stray(self, path: str, rule: str) -> None:
        """Tell of a file that belongs to nothing."""
        self._fault("stray_file", path, f"this file belongs to no case: {rule}", "move it there, or remove it")

    def _case_file(self, name: str) -> CaseFile:
        path = f"{name}/{CASE_FILE}"
        text = self._text(path)
        if text is None:
            return CaseFile()
        said, wrong = parsed(text)
        for one in wrong:
            self._fault("bad_case_file", path, one.message, one.mend, one.line)
        return said

    def _sources(self, name: str, paths: Sequence[str]) -> Iterator[Source]:
        for path in paths:
            text = self._text(f"{name}/{path}")
            if text is not None and not text.strip():
                self._fault("empty_source", f"{name}/{path}", "the document is empty", "write it, or remove the file")
            elif text is not None:
                yield Source(path.removeprefix(f"{SOURCES}/"), self._called(f"{name}/{path}"), text)

    def _gold(self, name: str, paths: Sequence[str], said: CaseFile) -> Bundle:
        """The atoms; that there are none must be said, so that nobody forgets them."""
        for path in paths:
            if self._is_file(f"{name}/{path}") and not path.endswith(".md"):
                self.stray(f"{name}/{path}", "atoms are Markdown files")
        gold = reading.bundle(self.tree, joined(self.folder, f"{name}/{ATOMS}"), name, strict=True)
        if said.has_none and gold.files:
            told = f"`atoms: none`, and {ATOMS}/ holds {gold.files}"
            self._fault("not_none", f"{name}/{CASE_FILE}", told, "remove the line, or the atoms")
        if not (said.has_none or gold.files):
            told = "no atom is expected, and nothing says that there is none"
            self._fault("no_atom", name, told, f"write `atoms: none` into {name}/{CASE_FILE}, or the atoms")
        return gold

    def _text(self, path: str) -> str | None:
        """The text of a file; None where it is none, which is told."""
        at = joined(self.folder, path)
        if not self._is_file(path):
            return None
        try:
            if self.tree.size(at) > reading.LARGEST:
                told = f"the file is larger than {reading.LARGEST >> 20} MiB"
                self._fault("too_large", path, told, "cut it down to what the atoms need")
                return None
            text = decoded(self.tree.read(at), path)
        except BadInput as error:
            self._fault("not_text", path, error.faults[0].message, "save it as UTF-8", error.faults[0].line)
            return None
        except OSError as error:
            self._fault("not_read", path, f"cannot be read: {error.strerror or error}", "put that right")
            return None
        if "\0" in text:
            self._fault("not_text", path, "the file holds NUL: it is no text", "put its text there")
            return None
        return text

    def _is_file(self, path: str) -> bool:
        mode = self.tree.mode(joined(self.folder, path))
        if mode in (REGULAR, EXECUTABLE):
            return True
        kind = {SYMLINK: "a symbolic link", SUBMODULE: "a submodule"}.get(mode or 0, "no regular file")
        self._fault("no_file", path, f"this is {kind}", "put the file itself there")
        return False

    def _fault(self, result: str, path: str, message: str, mend: str, line: int = 0) -> None:
        self.faults.append(Fault("gold", "error", result, message, self._called(path), line, mend))

    def _called(self, path: str) -> str:
        return f"{self.called.rstrip('/')}/{path}" if self.called else path
