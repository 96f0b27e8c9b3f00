"""What the offline writer would write of a source: which page gains which of its sentences. Values only."""

from __future__ import annotations

from collections.abc import Sequence

from gitops.agents.writers import extracting, passages, placing, selecting, topics
from gitops.agents.writers.document import Document, Sentence, Unreadable
from gitops.agents.writers.ground import Ground, Plan, Step, mentioning
from gitops.agents.writers.pages import Linking, Target
from gitops.agents.writers.phrases import mentions
from gitops.agents.writers.setting import Setter
from gitops.agents.writers.topics import Topic
from gitops.wiki.dated import normalised
from gitops.wiki.layout import is_entry
from gitops.wiki.names import source_key

FEW = 2
"""Claims for a page that the source speaks of only by the way."""
_UPDATE = 6
"""Claims for a page that is there already."""
MOST_LINKED = 60
"""Pages that are touched for nothing but a link: more would be a nuisance, and the verdict may then say `revise`."""


def plan(ground: Ground, source: str, without: frozenset[str] = frozenset()) -> Plan:
    """What to write of the source at a repository path; `without` are claims (normalised) to leave out.

    Unreadable where the source cannot be read or holds no sentence that could stand as a claim.
    """
    text = ground.view.source(source)
    passages.demand_text(text, source)
    passages.demand_name(ground.view.layout.cited(source))
    data = ground.view.snapshot.read(source) if text.extractor == "html" else b""
    document = passages.read(text, source, data)
    usable = extracting.usable(document.sentences)
    if without:
        usable = [one for one in usable if normalised(one.text) not in without]
    if not usable:
        told = f"{source} holds no sentence that could stand as a claim: whole, in prose, about something it names"
        raise Unreadable(told, "a preset with a model reads lists, tables and notes too: --preset claude")
    return _Planner(ground, source, document, usable).plan()


class _Planner:
    """Collects what each page gains; no sentences are a link to the source's own page."""

    def __init__(self, ground: Ground, source: str, document: Document, usable: Sequence[Sentence]) -> None:
        self.ground, self.source, self.document, self.usable = ground, source, document, usable
        self.places = placing.Places(ground.view)
        self.own = Target(self.places.of_source(source), document.title)
        self.naming = topics.naming(self.places.names, usable)
        self.citing = frozenset(ground.view.graph.citing(source_key(source)))
        self.gains: dict[str, tuple[Sentence, ...]] = {}

    def plan(self) -> Plan:
        """Everything, in the order of paths."""
        found, targets = self._topics()
        for path, sentences in sorted(self.naming.items()):
            if len(sentences) >= topics.FEWEST:
                self._gain(path, _UPDATE)
        self._cover()
        linking = Linking(self.ground.view.layout.wiki, self.places.is_wiki, targets)
        self.gains[self.own.path] = selecting.overview(self.usable, [topic.name for topic in found])
        setter = Setter(self.ground, self.places, self.source, self.document, self.own, linking)
        listed = [self._target(targets[topic.name].path, targets) for topic in found]
        steps = [setter.step(self._target(path, targets), self.gains[path], listed) for path in sorted(self.gains)]
        made = [step for step in steps if step is not None]
        index = setter.index([self._target(step.path, targets) for step in made if step.is_new])
        return Plan(self.source, self.document.title, _in_order([*made, *([index] if index is not None else [])]))

    def _topics(self) -> tuple[list[Topic], dict[str, Target]]:
        """The topics that have or get a page, and the pages that can be linked to by name, these among them."""
        known = {name: Target(path) for name, path in self.places.names.items()}
        kept = []
        for topic in topics.topics(self.document, self.usable, self.ground.corpus):
            there = next((known[name] for name in topic.names if name in known), None) or self._fuller(topic.name)
            target = there or Target(self.places.of_topic(topic.title), topic.title)
            names = {*topic.names, *self.places.called(target.path)}
            sentences = selecting.about(self.usable, sorted(names), _UPDATE if there else selecting.MOST)
            if sentences or there:
                kept.append(topic)
                known.setdefault(topic.name, target)
            if sentences:
                self.gains.setdefault(target.path, sentences)
        return kept, known

    def _fuller(self, name: str) -> Target | None:
        """The page of a longer name that the source uses too: `Lina` of a source that names Lina Marchetti once."""
        if " " in name:
            return None
        for words, path in self.places.names.items():
            if f" {name} " in f" {words} " and any(mentions(one.text, words) for one in self.document.sentences):
                return Target(path)
        return None

    def _target(self, path: str, targets: dict[str, Target]) -> Target:
        if path == self.own.path:
            return self.own
        known = next((target for target in targets.values() if target.path == path and target.title), None)
        return known or Target(path, self.places.title(path))

    def _gain(self, path: str, most: int) -> None:
        """Let a page that is there gain what the source says of it."""
        if path in self.naming and path not in self.gains and path != self.own.path:
            sentences = selecting.about(self.naming[path], self.places.called(path), most)
            if sentences:
                self.gains[path] = sentences

    def _cover(self) -> None:
        """Touch the pages that speak of the source's key terms: by what it says of them, else by a link to its page.

        Only as many are linked as the policy wants touched (`[coverage] warn_above`), those with most terms first.
        A page that cites the source was touched by an earlier ingest of it.
        """
        text = self.ground.view.source(self.source).text
        spoken = [path for path, _ in mentioning(self.ground, text) if path != self.own.path]
        for path in spoken:
            self._gain(path, FEW)
        untouched = [path for path in spoken if path not in self.gains and path not in self.citing]
        untouched.sort(key=is_entry)
        allowed = int(self.ground.view.config.coverage.warn_above * len(spoken))
        for path in untouched[: min(MOST_LINKED, max(0, len(untouched) - allowed))]:
            self.gains[path] = ()


def _in_order(steps: Sequence[Step]) -> tuple[Step, ...]:
    return tuple(sorted(steps, key=lambda step: step.path))
