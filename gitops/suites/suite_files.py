"""The files of one suite, with all that is wrong in them: nothing is overlooked, and reading goes on behind a fault."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import TypeVar

from pydantic import BaseModel

from gitops.canonical import sha256
from gitops.errors import Absent, CannotRun
from gitops.git.failure import FETCH_MORE
from gitops.runs.bad_input import BadInput
from gitops.suites.grading import faults
from gitops.suites.model import BenchmarkCase, BenchmarkRun, BenchmarkSuite, PromptTarget
from gitops.suites.places import BASELINE, CASES, SUITE
from gitops.suites.reading import lines, model_of, object_of
from gitops.wiki.paths import objections
from gitops.wiki.snapshot import EXECUTABLE, REGULAR, SYMLINK, Snapshot

MOST = 16 * 1024 * 1024
"""How many bytes a file of JSON may have: a case that long is a mistake, and a gigabyte of it is not read."""
_FILES = (REGULAR, EXECUTABLE)
_Model = TypeVar("_Model", bound=BaseModel)


@dataclass
class Files:
    """The files in a folder of a tree. `called` is what the folder is called in faults.

    `is_organic`: they are cases from real sessions, and no other kind is. `is_begun`: there need not be a case yet.
    """

    tree: Snapshot
    folder: str
    called: str
    is_organic: bool = False
    is_begun: bool = False
    faults: list[str] = field(default_factory=list)
    _of_files: dict[str, BenchmarkCase] = field(default_factory=dict, init=False)

    def suite(self) -> BenchmarkSuite | None:
        """The suite, with the cases in `suite.json` and then those in `cases/`, by their files' names."""
        found = self._model(BenchmarkSuite, SUITE)
        more = self.cases()
        if found is None:
            if not self.faults:
                self.faults.append(f"{self._told(SUITE)} is not there")
            return None
        self._refuse_unfit(SUITE, found.cases)
        self._refuse_doubles({case.case_id: SUITE for case in found.cases})
        if not (found.cases or more or self.is_begun or self.faults):
            self._fault(SUITE, "the suite holds no case")
        return found.model_copy(update={"cases": [*found.cases, *more]})

    def cases(self) -> list[BenchmarkCase]:
        """Those in `cases/`, by their files' names."""
        self._of_files.clear()
        if self.tree.mode(self._at(CASES)) == SYMLINK:
            self._fault(CASES, "is a symbolic link: put the cases there themselves")
        for name in self._names(CASES):
            inside = name.removeprefix(f"{CASES}/")
            if inside.startswith(".") or not inside.lower().endswith(".json"):
                continue
            if "/" in inside:
                self._fault(name, f"cases lie in {CASES}/ itself, not in folders below it")
            elif (found := self._model(BenchmarkCase, name)) is not None:
                self._refuse_unfit(name, [found])
                self._of_files[name] = found
        if self.is_organic:
            self._refuse_doubles({})
        return list(self._of_files.values())

    def baseline(self, suite: BenchmarkSuite | None) -> BenchmarkRun | None:
        """The run that was accepted last, where `baseline.json` has one."""
        found = self._model(BenchmarkRun, BASELINE)
        if found is not None and suite is not None and found.suite_id != suite.suite_id:
            self._fault(BASELINE, f"suite_id: is a run of '{found.suite_id}', not of '{suite.suite_id}'")
        return found

    def digests(self, suite: BenchmarkSuite | None) -> Mapping[str, str]:
        """The sha256 of each file that its cases find, by its path there; an executable one's with a `+x` after it."""
        if suite is None:
            return {}
        if isinstance(suite.runs, PromptTarget) and suite.runs.system_file:
            self._refuse_absent("runs.system_file", suite.runs.system_file)
        return dict(self._given(suite.files)) if suite.files and self._is_inside("files", suite.files) else {}

    def _given(self, folder: str) -> Iterator[tuple[str, str]]:
        names = self._names(folder)
        if not names:
            self._fault(SUITE, f"files: there is no folder '{folder}' with a file in it beside {SUITE}")
        for name in names:
            if (data := self._bytes(name, is_bounded=False)) is not None:
                mark = "+x" if self.tree.mode(self._at(name)) == EXECUTABLE else ""
                yield name.removeprefix(f"{folder}/"), sha256(data) + mark

    def _refuse_absent(self, what: str, name: str) -> None:
        if self._is_inside(what, name) and self.tree.mode(self._at(name)) not in _FILES:
            self._fault(SUITE, f"{what}: there is no file '{name}' beside {SUITE}")

    def _is_inside(self, what: str, name: str) -> bool:
        if why := objections(name):
            self._fault(SUITE, f"{what}: '{name}' {why}")
        return why is None

    def _refuse_unfit(self, name: str, cases: list[BenchmarkCase]) -> None:
        """Cases that expect what no output could be held to, and those of the wrong kind: real sessions are not
        committed, and nothing else lies among them.
        """
        for case in cases:
            self.faults += [f"{self._told(name)}: {told}" for told in faults(case)]
            if self.is_organic and case.source != "organic":
                self._fault(name, f"source: the case {case.case_id} is {case.source}; only organic ones lie here")
            elif not self.is_organic and case.source == "organic":
                told = f"source: the case {case.case_id} is organic: it belongs below data/benchmarks/, not here"
                self._fault(name, told)

    def _refuse_doubles(self, known: dict[str, str]) -> None:
        """Ids that two cases have: `known` is where each of the others is."""
        for name, case in self._of_files.items():
            if (other := known.setdefault(case.case_id, name)) != name:
                self._fault(name, f"case_id: '{case.case_id}' is the id of a case in {other} too")

    def _model(self, kind: type[_Model], name: str) -> _Model | None:
        """A file as a model; None where it is not there, or has faults."""
        data = self._bytes(name)
        if data is None:
            return None
        called = self._told(name)
        try:
            return model_of(kind, object_of(data, called), called)
        except BadInput as error:
            self.faults += lines(error)
            return None

    def _bytes(self, name: str, *, is_bounded: bool = True) -> bytes | None:
        """The bytes of a file; None where nothing stands there, or something else."""
        path = self._at(name)
        mode = self.tree.mode(path)
        if mode is None:
            return None
        if mode not in _FILES:
            self._fault(name, "is a symbolic link" if mode == SYMLINK else "is no file")
            return None
        try:
            if is_bounded and self.tree.size(path) > MOST:
                self._fault(name, f"is larger than {MOST >> 20} MiB")
                return None
            return self.tree.read(path)
        except Absent as error:
            raise CannotRun(f"the content of {path} is not in this clone", FETCH_MORE) from error
        except OSError as error:
            self._fault(name, f"cannot be read: {error.strerror or error}")
            return None

    def _names(self, folder: str) -> list[str]:
        start = f"{self.folder}/" if self.folder else ""
        return sorted(path.removeprefix(start) for path in self.tree.paths(self._at(folder)))

    def _at(self, name: str) -> str:
        return f"{self.folder}/{name}" if self.folder else name

    def _told(self, name: str) -> str:
        return f"{self.called}/{name}"

    def _fault(self, name: str, told: str) -> None:
        joint = " " if told.startswith(("is ", "cannot ")) else ": "
        self.faults.append(f"{self._told(name)}{joint}{told}")
