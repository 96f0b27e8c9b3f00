"""Pages as the offline writer sets them: claims as list items with footnotes, under the source they are from."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from gitops.agents.marking import begun, plain, target_of
from gitops.agents.marking import escaped as escaped
from gitops.agents.writers.document import Sentence
from gitops.agents.writers.phrases import LONGEST, WORD, is_spaceless, key
from gitops.wiki.citation import format_citation, format_cite
from gitops.wiki.names import without_suffix
from gitops.wiki.source_text import SourceText, page_of


@dataclass(frozen=True, slots=True)
class Target:
    """A page that can be linked to: where it lies and what it is called ('' where nobody needed to know yet)."""

    path: str
    title: str = ""


@dataclass(frozen=True, slots=True)
class Linking:
    """How links are written in this wiki, and the pages that can be linked to by name (`phrases.phrase`)."""

    wiki: str
    is_wiki: bool
    targets: Mapping[str, Target] = field(default_factory=dict)

    def link(self, at: str, target: Target, text: str = "") -> str:
        """A link from the page `at`."""
        shown = text or target.title
        if self.is_wiki and not re.search(r"[\[\]|#^\\`]", target.path + shown):
            inside = target.path.removeprefix(f"{self.wiki}/" if self.wiki else "")
            return f"[[{without_suffix(inside)}|{shown}]]"
        return f"[{plain(shown)}]({target_of(at, target.path)})"

    def linked(self, text: str, at: str, done: set[str]) -> str:
        """A sentence as Markdown in which each page that it names first is linked; `done` has those that were."""
        out, place = [], 0
        for start, end, target in self._named(text):
            if start < place or target.path == at or target.path in done:
                continue
            done.add(target.path)
            out += [escaped(text[place:start]), self.link(at, target, text[start:end])]
            place = end
        out.append(escaped(text[place:]))
        return begun("".join(out))

    def _named(self, text: str) -> Iterator[tuple[int, int, Target]]:
        words = [(key(found[0]), found.start(), found.end()) for found in WORD.finditer(text)]
        found = []
        for at in range(len(words)):
            for length in range(min(LONGEST, len(words) - at), 0, -1):
                name = " ".join(word for word, _, _ in words[at : at + length])
                if (target := self.targets.get(name)) is not None:
                    found.append((words[at][1], words[at + length - 1][2], target))
                    break
        for name, target in self.targets.items():
            if is_spaceless(name) and (place := text.casefold().find(name)) >= 0:
                found.append((place, place + len(name), target))
        return iter(sorted(found, key=lambda one: (one[0], -one[1])))


@dataclass(frozen=True, slots=True)
class Group:
    """Claims of one source for one page: a line that leads in ('' for none) or a heading, and the sentences."""

    lead: str
    sentences: tuple[Sentence, ...]
    is_heading: bool = False


def definition(label: int, cited: str, sentence: Sentence, source: SourceText) -> str:
    """The footnote of a claim: source, PDF page, the sentence as the source has it, offset."""
    first = page_of(source, sentence.start)
    last = page_of(source, max(sentence.start, sentence.end - 1))
    cite = format_cite(cited, first, last, sentence.quote, sentence.start)
    return format_citation(str(label), [cite])


def groups_text(groups: Iterable[Group], linking: Linking, at: str, first_label: int, done: set[str]) -> str:
    """The groups as Markdown, footnotes counted from `first_label`, without the definitions."""
    parts, label = [], first_label
    for group in groups:
        lines = []
        for sentence in group.sentences:
            lines.append(f"- {linking.linked(sentence.text, at, done)}[^{label}]")
            label += 1
        head = (f"## {escaped(group.lead)}" if group.is_heading else group.lead) if group.lead else ""
        parts.append("\n\n".join(filter(None, (head, "\n".join(lines)))))
    return "\n\n".join(parts)


def definitions_text(groups: Iterable[Group], cited: str, source: SourceText, first_label: int) -> str:
    """The footnotes of the groups' claims, a line each."""
    sentences = [sentence for group in groups for sentence in group.sentences]
    return "\n".join(definition(first_label + number, cited, one, source) for number, one in enumerate(sentences))


def head(title: str, required: Sequence[str], values: Mapping[str, str]) -> str:
    """The beginning of a new page: the frontmatter that the policy requires, if any, and the title."""
    lines = [f"{name}: {values.get(name, values['title'])}" for name in required]
    front = "---\n" + "\n".join(lines) + "\n---\n\n" if lines else ""
    return f"{front}# {escaped(title)}"
