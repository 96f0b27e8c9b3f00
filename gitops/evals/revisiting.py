"""Measures one commit after another of the same wiki: what was parsed, found or judged at one serves the next."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field, replace

from gitops.comparing.instruments import instrument
from gitops.errors import UsageError
from gitops.evals.running import Measured, Wanted, measured, spoken_of
from gitops.runs.context import Context, epoch_of
from gitops.runs.measurements import Measurement
from gitops.runs.seating import Seat, left, offline_only
from gitops.runs.views import Bench
from gitops.runs.workspace import Workspace, rooted
from gitops.usage import NOTHING, Usage
from gitops.verify.around import Around
from gitops.verify.judge import Judge, PairQuestion, PairVote, Question, Vote
from gitops.verify.library import Library

_PAGES = 5_000
"""So many parsed pages are held."""
_DAY_S = 86_400
"""A measurement that was made within so many seconds of its commit speaks of the same time as one made later."""
Votes = dict[tuple[str, str, Question], Vote]


@dataclass(frozen=True, slots=True)
class At:
    """A measurement of a commit, and whether it stood in the notes already."""

    measurement: Measurement
    is_kept: bool


@dataclass
class Revisiting:
    """Measures commits of a workspace by one metric, as of their own time, and by one instrument.

    Judges and presets are those of `workspace`, the newest policy, and all of it where a commit has none yet; else
    folders and checks are those of each commit. All of them together spend what one evaluation may. `known` are all
    measurements there are; it grows, so that a metric that looks back sees those of the commits before. `settled` is
    called with what was measured here.
    """

    context: Context
    workspace: Workspace
    name: str
    wanted: Wanted
    known: list[Measurement]
    settled: Callable[[Measured], None] | None = None
    used: Usage = NOTHING
    _by: dict[str, object] | None = None
    _library: Library | None = None
    _votes: Votes = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._context = replace(self.context, seating=self._seated)

    def at(self, commit: str) -> At:
        """The measurement of a commit: from the notes where it was made by the same instrument."""
        if self._by is not None and (kept := self._kept(commit)) is not None:
            return At(kept, True)
        workspace = self._workspace(commit)
        (found,) = measured(self._context, workspace, commit, self.wanted, self.known, opening=self._opened)
        self.used += found.used
        if self._by is None and found.measurement.metrics[self.name].value is not None:
            # What the instrument is, the first measurement tells; it may have been made before.
            self._by = instrument(found.measurement, self.name)
            if (kept := self._kept(commit)) is not None:
                return At(kept, True)
        self.known.append(found.measurement)
        if self.settled is not None:
            self.settled(found)
        return At(found.measurement, False)

    def _kept(self, commit: str) -> Measurement | None:
        """The newest that speaks of the commit's own time."""
        time = self.context.commit(commit).time
        for one in reversed(self.known):
            if one.commit == commit and one.is_of(self.name, self.workspace.name):
                is_timely = one.is_past or abs(epoch_of(spoken_of(one)) - time) < _DAY_S
                if is_timely and instrument(one, self.name) == self._by:
                    return one
        return None

    def _workspace(self, commit: str) -> Workspace:
        newest = self.workspace.config
        try:
            found = rooted(self.context.repository, commit, self.workspace.layout.root)
        except UsageError:  # from before the wiki had a policy, or with one that nobody can read
            found = self.workspace
        verify = found.config.verify.model_copy(update={"judge": newest.verify.judge})
        budget = left(newest.llm.budgets.of("eval"), asdict(self.used))
        llm = newest.llm.model_copy(update={"budgets": newest.llm.budgets.model_copy(update={"eval": budget})})
        return replace(found, config=found.config.model_copy(update={"verify": verify, "llm": llm}))

    def _opened(self, context: Context, workspace: Workspace, commit: str) -> Bench:
        return _Shared(context, workspace, commit, of=self)

    def library(self, bench: Bench) -> Library:
        """What was parsed and read before, so long as it is read by the same policy."""
        config = bench.workspace.config.model_copy(update={"llm": self.workspace.config.llm})
        if self._library is None or self._library.config != config:
            self._library = Library(config, bench.cache, _PAGES)
        self._library.cache = bench.cache  # that of the commit before is closed
        return self._library

    def _seated(self, name: str, seat: Seat) -> Judge:
        judge = (self.context.seating or offline_only)(name, seat)
        return _Reheard(judge, self._votes, _sources(seat)) if judge.is_free else judge


@dataclass
class _Shared(Bench):
    """A bench whose pages and sources are those that others at its side have read."""

    of: Revisiting | None = None

    def __enter__(self) -> Bench:
        super().__enter__()
        assert self.of is not None
        self.library = self.of.library(self)
        return self


@dataclass
class _Reheard(Around):
    """A judge that costs nothing, and time all the same: it is asked once of the same question and the same sources."""

    votes_given: Votes
    sources: str

    def votes(self, questions: Sequence[Question]) -> list[Vote]:
        """A vote for each question, in order."""
        keys = [(self.judge.digest, self.sources, question) for question in questions]
        new = list(dict.fromkeys(key for key in keys if key not in self.votes_given))
        votes = self.judge.votes([question for _, _, question in new]) if new else []
        self.votes_given.update(zip(new, votes, strict=True))
        return [self.votes_given[key] for key in keys]

    def pair_votes(self, questions: Sequence[PairQuestion]) -> list[PairVote]:
        """The judge's."""
        return self.judge.pair_votes(questions)


def _sources(seat: Seat) -> str:
    """The tree of the sources: how common a word is in them weighs in a vote."""
    layout = seat.workspace.layout
    return getattr(seat.base.snapshot, "folder_id", lambda _: "")(layout.raw) or "" if seat.base is not None else ""
