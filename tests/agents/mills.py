"""A small wiki whose pages contradict each other: once by sources of different days, once by undated ones."""

from __future__ import annotations

from gitops.agents.disagreements import Contradiction, Told

POLICY = '[workspace]\nname = "mills"\n'
OLD, NEW = "raw/2019-05-01-report.md", "raw/2023-02-03-survey.md"
FORTY = "The mill in Lindau employs 40 people in two halls."
SIXTY = "The mill in Lindau employs 60 people in two halls."
EIGHTY = "The wheel of the mill was built in 1880 by Otto Brandt."
NINETY = "The wheel of the mill was built in 1890 by Otto Brandt."
MILL = (
    f"# Mill\n\n{FORTY}[^1] It stands by the river.[^2]\n\n## Wheel\n\n{EIGHTY}[^3]\n\n"
    f'[^1]: {OLD}, "employs 40 people"\n'
    f'[^2]: {OLD}, "It stands by the river"\n[^3]: raw/a.md, "was built in 1880"\n'
)
TOWN = (
    f'# Town\n\n- {SIXTY}[^1]\n- {NINETY}[^2]\n\nThe town is small.[^3]\n\n[^1]: {NEW}, "employs 60 people"\n'
    f'[^2]: raw/b.md, "was built in 1890"\n[^3]: {NEW}, "The town is small"\n'
)
FILES: dict[str, str] = {
    "assay.toml": POLICY,
    OLD: f"# Report\n\n{FORTY} It stands by the river.\n",
    NEW: f"# Survey\n\n{SIXTY} The town is small.\n",
    "raw/a.md": f"# A\n\n{EIGHTY}\n",
    "raw/b.md": f"# B\n\n{NINETY}\n",
    "wiki/index.md": "# Index\n\n- [Mill](mill.md)\n- [Town](town.md)\n",
    "wiki/log.md": "# Log\n",
    "wiki/mill.md": MILL,
    "wiki/town.md": TOWN,
}
PEOPLE = Contradiction(Told("wiki/mill.md", FORTY, 3), Told("wiki/town.md", SIXTY, 3), "Mill", "40 and 60")
WHEEL = Contradiction(Told("wiki/mill.md", EIGHTY, 7), Told("wiki/town.md", NINETY, 4), "Mill", "1880 and 1890")
BOTH = (PEOPLE, WHEEL)
