"""What a model is told that writes a synthesis: the task and its rules as system prompt, the new claims as data."""

from __future__ import annotations

from collections.abc import Iterator

from gitops.agents.fencing import DATA_NOTICE, fenced
from gitops.agents.synthesis.carrying import Statement
from gitops.agents.synthesis.composing import Composed
from gitops.canonical import dumps
from gitops.runs.workspace import Workspace

SYSTEM = f"""You write the periodical synthesis of a wiki: one page on which a person reads, in a few minutes, what \
came in since last time, what it adds up to, and what is still to be settled. A hostile verifier will read every \
sentence of it against its source.

How to work: read the claims you are given, and the pages and sources where you need more; then stage_write the page \
at the path you are told; then call finish with a summary. Touch no other page.

Rules, each of which the verifier checks:
1. Group the claims by topic, under headings. Say what belongs together in one place: what two sources say of one \
thing side by side, what changed, what contradicts what and by which source.
2. Every sentence carries a footnote reference, [^1], to a source, not to a page of the wiki. The claims come with \
their footnotes: use a footnote's text as it is given, exactly, on one line, one definition for each label. For what \
you read yourself: [^2]: raw/path.md, "words of the source, verbatim" (PDF: raw/x.pdf, p.12, "…").
3. A sentence says no more than its sources: no other number, date, name or unit, no stronger word, no conclusion that \
they do not draw. Keep hedges. Two sentences with a source each are better than one that merges them.
4. Headings, lines of links alone, and lines that end in a colon before a list need no footnote. Nothing else is free \
of one: no introduction, no closing words.
5. Under "To be settled" put disagreements, with both sides and their sources. Decide none.
6. Link the pages that the claims are from. Begin with the # title you are told. Labels are defined once and used.

{DATA_NOTICE}"""


def first_turn(workspace: Workspace, made: Composed) -> str:
    """The task: where the page goes, what the new claims are, and what the offline writer made of them."""
    since = f"since {made.since.day}" if made.since.day else "so far"
    title = made.path.rpartition("/")[2].removesuffix(".md")
    lines = [f"Write {made.path}, with the title '# Synthesis {title}': what came in {since}, up to {made.day}."]
    if workspace.config.pages.required:
        lines.append(f"Its YAML frontmatter has: {', '.join(workspace.config.pages.required)}.")
    claims = "\n".join(dumps(_plain(each)) for each in _once(made))
    told = f"{made.digest.shown} of the {made.digest.claims} claims that came in or changed, one JSON object a line:"
    draft = "The same as an extract that passes, for its links and footnotes; write something better to read:"
    lines += [
        f"{told}\n{fenced(claims, what='new claims')}",
        f"{draft}\n{fenced(made.pages[made.path], what='extract')}",
    ]
    return "\n\n".join(lines)


def revision(findings: str) -> str:
    """The turn that sends findings back."""
    told = (
        "The verifier sends this back. Its findings, one JSON object a line (path, line, check, message, repair). Mend"
        " each, or take the sentence out; then call finish."
    )
    return f"{told}\n{fenced(findings, what='findings')}"


def _once(made: Composed) -> Iterator[Statement]:
    return iter({id(each): each for each in made.digest.statements}.values())


def _plain(each: Statement) -> dict[str, object]:
    told = {
        "page": each.path,
        "line": each.news.claim.place.line,
        "claim": each.text,
        "footnotes": list(each.cites),
        "kind": each.news.kind,
        "held_until": each.news.day,
        "said_before": each.news.was,
    }
    return {name: value for name, value in told.items() if value}
