"""What an extracting model is told: its task as system prompt, the source as delimited data, cut where it is long."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from gitops.agents.extractors.given import Given
from gitops.agents.fencing import DATA_NOTICE, fenced
from gitops.agents.writers.briefing import SHARE_OF_CONTEXT
from gitops.llm.estimate import BYTES_PER_TOKEN
from gitops.okf.draft import Draft

_KNOWN = 400
"""So many atoms of other sources are named; the task grows no further than that."""

SYSTEM = f"""You extract the atoms of how an organisation works from one source document. Whoever judges your work \
reads each sentence against the source, so that what you do not find costs less than what you make up.

An atom is one of:
- process: work that is done again and again, with an outcome (Invoice approval)
- role: who does or answers for it (Head of Finance); a role, never a person
- system: what it is done with (the ledger software)
- workflow: an ordered path through processes (order to delivery)
- decision: what was settled, and binds those who come after
- artifact: what a process brings forth or works by (an invoice, a policy)

Relationships lead from an atom to another by its id:
- owner: to the role that answers for it
- uses: to the system, or the artifact, that it works with
- produces: from the one process that brings an artifact forth to that artifact; no other atom says so
- governed_by: to the decision or the artifact (a policy) that it has to follow
- stages: from a workflow to its processes, in the order in which they are gone through, however the source tells them
- decided_by: from a decision to the role that took it
- relates_to: where the source links two atoms and none of the others fits

Rules:
1. Record what the source says; what you know besides does not count. A source may hold no atom at all.
2. Every description, and every sentence of a rationale, comes with a quotation: one passage of the source, word for \
word, no ellipsis, that bears all that the sentence says. A sentence says what its quotation says: no more, not \
stronger, and keeps its hedges.
3. The rationale is why something was settled or is done so, where the source says why. Where it does not, it is \
empty: reasons are never inferred.
4. One thing is one atom, whatever names the source has for it; its title is the name that the source uses most.
5. Call record_atoms as often as you need, then done, once. Words outside of tools are read by nobody.

{DATA_NOTICE}"""


def parts(given: Given, context_tokens: int) -> list[str]:
    """The text of a source in parts that a model reads at once: cut between paragraphs, else between lines."""
    most = max(1_000, int(SHARE_OF_CONTEXT * context_tokens * BYTES_PER_TOKEN))
    return list(_packed(_pieces(given.text.text, most), most))


def ground(given: Given, part: str, number: int, of: int) -> str:
    """The source, or a part of it, as what the conversation is about."""
    head = "The source, whole:" if of == 1 else f"The source, part {number} of {of}; the others are read by themselves:"
    return f"{head}\n{fenced(part, source=given.name)}"


def task(given: Given, known: Iterable[Draft]) -> str:
    """What is to be done, and which atoms there are already."""
    told = [f"{one.id} ({one.type}): {one.title}" for one in known][-_KNOWN:]
    wanted = "Extract the atoms of the source above."
    if not told:
        return wanted
    named = fenced("\n".join(told), what="atoms of other sources and parts")
    return f"{wanted} Where it speaks of one of these, use its id; record it anew only to add to it.\n{named}"


REMINDER = "You have not ended by the tool done. Record what is missing, then call done; words are read by nobody."


def _pieces(text: str, most: int) -> Iterator[str]:
    """Paragraphs with what parts them; of a paragraph that is too long its lines, of such a line slices."""
    for paragraph in text.split("\n\n"):
        for line in [paragraph] if _size(paragraph) <= most else paragraph.split("\n"):
            slices = [line[at : at + most // 4] for at in range(0, len(line), most // 4)]
            yield from [line] if _size(line) <= most else slices


def _packed(pieces: Iterable[str], most: int) -> Iterator[str]:
    held: list[str] = []
    size = 0
    for piece in pieces:
        if held and size + _size(piece) > most:
            yield "\n\n".join(held)
            held, size = [], 0
        held.append(piece)
        size += _size(piece) + 2
    if held:
        yield "\n\n".join(held)


def _size(text: str) -> int:
    return len(text.encode("utf-8", "replace"))
