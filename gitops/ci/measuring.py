"""Measures the two sides of a change, with one instrument: what the notes have of the base is not measured again."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from gitops import assembly
from gitops.ci.chosen import OF_RETRIEVAL, Chosen
from gitops.comparing.instruments import instrument, subject
from gitops.comparing.recalling import Recalled, key
from gitops.errors import AssayError
from gitops.evals.running import Wanted, measured
from gitops.retrieval import running, workflow
from gitops.runs.context import Context
from gitops.runs.measurements import KIND, RETRIEVAL, Measurement
from gitops.runs.workspace import Workspace

_OF_THE_WIKI = frozenset(("commit", "workspace", "config_snapshot", "verifier"))


@dataclass(frozen=True, slots=True)
class Side:
    """What was measured of one commit: a measurement of each metric and of retrieval by its name, and why of what was
    asked for there is none.
    """

    commit: str
    found: Mapping[str, Measurement]
    why_not: Mapping[str, str]
    cache_hits: int = 0
    """So many questions judges had answered before."""

    def recalled(self, name: str) -> Recalled:
        """The same as a side of a comparison."""
        named = {metric: (one,) for one in self.found.values() for metric in self._named(one)}
        return Recalled(name, named, self.commit)

    def _named(self, one: Measurement) -> Iterator[str]:
        if one.kind == KIND:
            yield key(one, one.suite)
            return
        for name in OF_RETRIEVAL:
            metric = one.metrics.get(name)
            if metric is not None and metric.value is not None:
                yield key(one, name)


def side(
    context: Context,
    workspace: Workspace,
    commit: str,
    wanted: Chosen,
    known: Sequence[Measurement],
    *,
    asks: bool = False,
    shown: str = "",
) -> Side:
    """Measure a commit by the policy of the workspace as it is given; nothing is recorded.

    `known` are all measurements there are. Judges and answerers that cost something are asked only with `asks`.
    `shown` is the commit that is named, where what is measured stands for it.
    """
    found: dict[str, Measurement] = {}
    hits = 0
    if wanted.metrics:
        preset = "" if asks else _free_preset(workspace)
        how = Wanted(wanted.metrics, only_kept=not asks, answering=assembly.answered, preset=preset)
        made = measured(context, workspace, commit, how, known)
        found = {each.measurement.suite: each.measurement for each in made}
        hits = sum(each.asking.recalled for each in made)
    why_not = {name: one.reason for name, one in found.items() if one.metrics[name].status == "not_measured"}
    if wanted.retrieval:
        try:
            found[RETRIEVAL] = _retrieval(context, workspace, commit, asks=asks)
        except AssayError as error:
            why_not[RETRIEVAL] = f"{error.message}; {error.hint}" if error.hint else error.message
    return Side(shown or commit, found, why_not, hits)


def _retrieval(context: Context, workspace: Workspace, commit: str, *, asks: bool) -> Measurement:
    """Golden queries, asked through the wiki's own search; by the offline preset unless a model may be asked."""
    preset = "" if asks else _free_preset(workspace)
    answering = partial(assembly.answered, limit=running.TOP)
    prompt = assembly.prompt_version(workspace, preset)
    flow = workflow.Workflow(context, workspace, commit, answering, preset, prompt)
    gold = running.gold_at(context, workspace, commit)
    return running.measured(context, workspace, commit, running.by_workflow(flow, gold, running.TOP))


def _free_preset(workspace: Workspace) -> str:
    llm = workspace.config.llm
    return "" if llm.preset(llm.writer).provider == "offline" else "offline"


def is_alike(one: Measurement, other: Measurement) -> bool:
    """Were two measurements of one kind made with the same instrument, and of the same answerer, so that what differs
    is the wiki?
    """
    if (one.kind, one.suite) != (other.kind, other.suite) or _answerer(one) != _answerer(other):
        return False
    names = [one.suite] if one.kind == KIND else [name for name in OF_RETRIEVAL if name in one.metrics]
    shared = [name for name in names if name in other.metrics]
    return shared == names and all(instrument(one, name) == instrument(other, name) for name in names)


def _answerer(one: Measurement) -> dict[str, object]:
    """What was measured besides the wiki and its policy: who answers, by which prompt."""
    return {name: value for name, value in subject(one).items() if name not in _OF_THE_WIKI}
