"""A wiki with gold for extraction, and what was extracted from its one document."""

from __future__ import annotations

from collections.abc import Mapping

from tests.runs.driving import first_files

GOLD, EXTRACTED = "gold/extraction/tea", "extracted/tea"
POLICY = '[extraction]\nemitted = "extracted"\n'
DOCUMENT = """# Water for tea

Decided by: Tea Council

The house brews tea with soft water.
Hard water leaves a film on the cup.

The brewer does the brewing each morning. Brewing makes a pot of tea.
"""
WHY = "Hard water leaves a film on the cup."


def atom(type_: str, name: str, title: str, quote: str, edges: str = "", rationale: str = "") -> str:
    """The file of an atom; `edges` are lines of its frontmatter, `rationale` sentences with their marks."""
    cited = f'[^s1]: sources/water.md, "{quote}"\n[^s2]: sources/water.md, "{WHY}"\n'
    sources = "sources:\n  - {id: s1, resource: sources/water.md}\n  - {id: s2, resource: sources/water.md}\n"
    why = f"\n## Rationale\n\n{rationale}\n" if rationale else ""
    cited = cited if rationale else cited.splitlines(keepends=True)[0]
    sources = sources if rationale else "".join(sources.splitlines(keepends=True)[:2])
    edges = f"relationships:\n{edges}" if edges else ""
    return f"---\ntype: {type_}\nid: {name}\ntitle: {title}\n{edges}{sources}---\n\n{title}.[^s1]\n{why}\n{cited}"


def edge(rel: str, target: str) -> str:
    return f"  - {{rel: {rel}, target: {target}}}\n"


ATOMS: Mapping[str, str] = {
    "brewer.md": atom("role", "brewer", "Brewer", "The brewer does the brewing each morning."),
    "brewing.md": atom(
        "process",
        "brewing",
        "Brewing",
        "The brewer does the brewing each morning.",
        edge("owner", "brewer") + edge("produces", "pot"),
    ),
    "pot.md": atom("artifact", "pot", "Pot of tea", "Brewing makes a pot of tea."),
    "council.md": atom("role", "council", "Tea Council", "Decided by: Tea Council"),
    "soft-water.md": atom(
        "decision",
        "soft-water",
        "Soft water",
        "The house brews tea with soft water.",
        edge("decided_by", "council"),
        f"{WHY}[^s2]",
    ),
}
"""Five atoms and three edges; one sentence says why."""
MADE_UP = atom(
    "decision",
    "soft-water",
    "Soft water",
    "The house brews tea with soft water.",
    edge("decided_by", "council"),
    f"{WHY}[^s2]\nZebras gallop faster than lorries on gravel.",
)
FEW = ("council.md", "soft-water.md")
"""With these two alone atoms score 4/7 and edges 1/2."""
OTHERS = tuple(name for name in ATOMS if name not in FEW)


def gold(atoms: Mapping[str, str] = ATOMS) -> dict[str, str]:
    return {f"{GOLD}/sources/water.md": DOCUMENT, **{f"{GOLD}/atoms/{name}": text for name, text in atoms.items()}}


def extracted(*names: str) -> dict[str, str]:
    return {f"{EXTRACTED}/{name}": ATOMS[name] for name in names or ATOMS}


def without(*names: str) -> dict[str, str | None]:
    return {f"{EXTRACTED}/{name}": None for name in names}


def told(policy: str = POLICY, more: Mapping[str, str] | None = None) -> dict[str, str]:
    """The files of such a wiki."""
    return {**first_files(policy), **gold(), **(extracted() if more is None else more)}
