"""Whether a bundle keeps OKF and whether it keeps our profile, answered apart."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from gitops.errors import UsageError
from gitops.okf import graph, reading
from gitops.okf.model import ATOM_TYPES, Bundle, Fault, FaultLevel
from gitops.okf.profile import is_atom


@dataclass(frozen=True, slots=True)
class Answer:
    """What one standard finds. `asked`: of how many concepts it could be asked, of the profile atoms alone."""

    asked: int
    faults: tuple[Fault, ...]

    def count(self, level: FaultLevel) -> int:
        """How many faults are of a level."""
        return sum(fault.level == level for fault in self.faults)

    @property
    def is_kept(self) -> bool | None:
        """Whether there is no error; None where there was nothing to ask it of."""
        return not self.count("error") if self.asked or self.count("error") else None


@dataclass(frozen=True, slots=True)
class Validated:
    """A bundle, called as it was asked for, with the number of its concepts by type and what each standard says.

    A standard that was not asked is None.
    """

    called: str
    is_folder: bool
    bundle: Bundle
    types: Mapping[str, int]
    okf: Answer | None
    profile: Answer | None

    @property
    def answers(self) -> list[Answer]:
        """Those of the standards that were asked."""
        return [answer for answer in (self.okf, self.profile) if answer is not None]


def validated(path: Path, called: str, only: str = "") -> Validated:
    """A folder or a file, held to OKF and to the profile, or to one of them (`only`: `okf`, `profile`).

    UsageError where nothing stands. How atoms hang together is not asked of a single file.
    """
    if not called or not path.exists():
        raise UsageError(f"there is no file or folder {called or repr(called)}", "name a folder of concepts, or a file")
    is_folder = path.is_dir()
    bundle = reading.in_folder(path) if is_folder else reading.of_file(path)
    every = [*bundle.every_fault, *(graph.faults(bundle) if is_folder else ())]
    every.sort(key=lambda fault: (fault.path, fault.line, fault.standard, fault.result, fault.message))
    types = Counter(atom.type.casefold() if is_atom(atom.type) else atom.type for atom in bundle.atoms)
    atoms = sum(types[type] for type in ATOM_TYPES)
    okf = Answer(bundle.files, tuple(fault for fault in every if fault.standard == "okf"))
    unread = (_unread(path) for path in bundle.unread) if only == "profile" else ()
    profile = Answer(atoms, (*unread, *(fault for fault in every if fault.standard != "okf")))
    ordered = dict(sorted(types.items(), key=lambda one: (not is_atom(one[0]), -one[1], one[0])))
    return Validated(
        called,
        is_folder,
        bundle,
        ordered,
        okf if only != "profile" else None,
        profile if only != "okf" else None,
    )


def _unread(path: str) -> Fault:
    """What the profile alone can say of a file that OKF's own rules leave unread."""
    return Fault("profile", "error", "unread", "no atom can be read from the file", path, 0, "--only okf says why")
