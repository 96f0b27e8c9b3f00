"""What the mutations start from: a line of every convention, and of every trap."""

from __future__ import annotations

SEEDS = (
    'It fell.[^1]\n\n[^1]: raw/a.md, p.2, "fell by 40 %" @8\n',
    "It fell.[^s1]\n\n[^s1]: [raw/a.md](../raw/a.md), lines 3-4 \u2014 the \u201cfall\u201d (ingested 2026-01-01)\n",
    "It fell.[^s]\n\n[^s]: [raw/a.md](../raw/a.md), \u00a7 Two \u2014 a note; raw/deep/b.txt, p. 3\n",
    "It fell.[^src-a]\n\n[^src-a]: [[sources/a|A]]\n",
    'He said "it fell by 40 % in 2019" (source: raw/a.md#L3-L5; raw/a.md#0:12).\n',
    "\u6e29\u5ea6\u4e0b\u964d\u4e86\u3002\uff08\u6765\u6e90: [[sources/a]]\uff09\u300c\u5f15\u7528\u300d\n",
    "It fell.^[raw/a.md:3-4, raw/deep/b.txt]\n",
    "See [the report](../raw/a.md#two), [[raw/a]], [[A]](sources/a.md), `raw/a.md:3`.\n",
    "**Source**: `raw/a.md`, [[sources/a]] and https://example.org\n",
    "It fell [1][2].\n\n## References\n\n1. [A](../raw/a.md)\n2. arXiv:2402.1\n",
    "## \ucd9c\ucc98\n\n- [[sources/a]]\n- raw/\u00e9t\u00e9.md\n",
    '---\ntitle: P\naliases: [Q]\nsources:\n  - raw/a.md\n  - "[[sources/a]]"\n'
    "  - {resource: ../raw/a.md, id: x}\n---\n\nWords.[^x]\n",
    "> quoted words of a source\n\n(source: raw/a.md)\n\n> [!note] Title\n> words ^block-1\n",
    "$[a](b)$ \\([g_1,g_2](q)\\) %%hidden [[x]]%% <!-- [[y]] --> `[[z]]`\n\n```\n[[w]](v) [^9]\n```\n",
    "| a | b |\n|---|---|\n| [[p\\|q]] | x[^1] |\n\n- [ ] task\n  [^1]: <raw/a.md>\n",
    "[ref][r] <https://example.org> ![i](x.png \"t\") [f](<a b.md>)\n\n[r]: ./sources/ 'title'\n",
    "---\ntype: process\nid: p\ntitle: P\nrelationships:\n  - {rel: owner, target: r}\n  - {rel: uses, target: /q.md}\n"
    "---\n\n"
    '# P\n\nIt runs.[^s1]\n\n## Rationale\n\nBecause it must. So it is.[^s1]\n\n[^s1]: raw/a.md, "fell by 40 %"\n',
    "---\ntype: workflow\nid: q\ntitle: Q\nstages: [p, p.md, w]\nlinks:\n  - {target: ./p.md, rel: relates_to}\n---\n",
)
