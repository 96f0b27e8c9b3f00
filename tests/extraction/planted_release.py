"""A small case of gold whose numbers can be worked out by hand: nine atoms, twelve edges, three stages, two reasons.

FILES                          the atoms by path; MOST of what a test does is to change one of them
write(folder, files)           the files of a folder
text(type, id, title, …)       an atom as the text of its file
gold(folder, names)            a gold folder with that case, once for each name
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

CASE = "release"
HANDBOOK = "sources/handbook.md"
SOURCE = """\
# How we release

The release manager owns every step: build, then test, then ship. All of them run on the CI server.
A build leaves a changelog behind. The auditor may look at any of it.

## The freeze

Nothing is shipped in December. Support is thinly staffed in these weeks.
Half of the yearly turnover is made before Christmas.
"""
REASONS = ("Support is thinly staffed in these weeks.", "Half of the yearly turnover is made before Christmas.")
INVENTED = "The board insists on a quiet December for tax reasons."
QUOTES = {
    "build": "build, then test, then ship",
    "test": "then test",
    "ship": "then ship",
    "release-manager": "The release manager owns every step",
    "auditor": "The auditor may look at any of it",
    "ci-server": "All of them run on the CI server",
    "release": "every step: build, then test, then ship",
    "freeze": "Nothing is shipped in December",
    "changelog": "A build leaves a changelog behind",
}
"""The words of the source that name each atom."""
Edges = Sequence[tuple[str, str]]


def text(type: str, id: str, title: str, edges: Edges = (), reasons: Sequence[str] = ()) -> str:
    """An atom as the text of its file. It cites the words that name it and the reasons that the source has; another
    reason stands there without a citation.
    """
    cited = [QUOTES[id]] if id in QUOTES else []
    cited += [reason for reason in reasons if reason in SOURCE]
    lines = ["---", f"type: {type}", f"id: {id}", f"title: {title}"]
    if edges:
        lines += ["relationships:", *(f"  - {{rel: {rel}, target: {target}}}" for rel, target in edges)]
    if cited:
        lines += ["sources:", *(f"  - {{id: s{at}, resource: {HANDBOOK}}}" for at, _ in enumerate(cited, 1))]
    lines += ["---", "", f"# {title}", ""]
    lines += [f"{title} is named in the handbook.[^s1]", ""] if id in QUOTES else []
    if reasons:
        said = (f"{one}[^s{cited.index(one) + 1}]" if one in cited else one for one in reasons)
        lines += ["## Rationale", "", *said, ""]
    lines += [f'[^s{at}]: {HANDBOOK}, "{quote}"' for at, quote in enumerate(cited, 1)]
    return "\n".join(lines) + "\n"


BUILD: Edges = (("owner", "release-manager"), ("uses", "ci-server"), ("produces", "changelog"))
STAGES: Edges = (("stages", "build"), ("stages", "test"), ("stages", "ship"))
FREEZE: Edges = (("decided_by", "release-manager"), ("relates_to", "ship"))
FILES: Mapping[str, str] = {
    "processes/build.md": text("process", "build", "Build", BUILD),
    "processes/test.md": text("process", "test", "Test", (("owner", "release-manager"), ("uses", "ci-server"))),
    "processes/ship.md": text("process", "ship", "Ship", (("owner", "release-manager"), ("governed_by", "freeze"))),
    "roles/release-manager.md": text("role", "release-manager", "Release manager"),
    "roles/auditor.md": text("role", "auditor", "Auditor"),
    "systems/ci-server.md": text("system", "ci-server", "CI server"),
    "workflows/release.md": text("workflow", "release", "Release", STAGES),
    "decisions/freeze.md": text("decision", "freeze", "No shipping in December", FREEZE, REASONS),
    "artifacts/changelog.md": text("artifact", "changelog", "Changelog"),
}


def write(folder: Path, files: Mapping[str, str | bytes]) -> Path:
    """Write the files of a folder; UTF-8 where they are text."""
    for path, content in files.items():
        place = folder / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(content if isinstance(content, bytes) else content.encode())
    return folder


def gold(folder: Path, names: Sequence[str] = (CASE,)) -> Path:
    """A gold folder with that case under some names."""
    for name in names:
        write(folder / name, {"sources/handbook.md": SOURCE, "case.yaml": "description: How releases are made.\n"})
        write(folder / name / "atoms", FILES)
    return folder
