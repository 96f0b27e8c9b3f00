from __future__ import annotations

from gitops.agents.synthesis.fields import frontmatter
from gitops.config import parse
from gitops.wiki.page import parse as parse_page

PAGES = [
    parse_page(f"---\ntitle: P{n}\ntype: concept\nupdated: 2024-01-01\nowner: Ada\n---\n".encode()) for n in range(3)
]


def made(policy: str = "", pages: int = 3) -> dict[str, object]:
    return frontmatter(parse(policy.encode()), PAGES[:pages], "Synthesis", "2024-01-02", ["raw/a.md"])


def test_a_wiki_without_frontmatter_gets_none() -> None:
    assert made(pages=0) == {}
    assert frontmatter(parse(b""), [parse_page(b"# Plain\n")], "S", "2024-01-02", []) == {}


def test_what_pages_have_as_a_rule() -> None:
    assert made() == {"title": "Synthesis", "type": "synthesis", "updated": "2024-01-02"}


def test_what_the_policy_requires() -> None:
    required = made('[pages]\nrequired = ["tags", "sources", "owner", "related"]\n')
    assert {name: required[name] for name in ("tags", "sources", "owner", "related")} == {
        "tags": ["synthesis"],
        "sources": ["raw/a.md"],
        "owner": "Ada",
        "related": ["synthesis"],
    }
