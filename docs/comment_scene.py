"""Makes `docs/images/pull-request.json`: the result of a check whose comment the README shows.

`python docs/comment_scene.py` makes it anew: a repository of its own, in which the project's own wiki (`gold/`) grows
over some days and is measured on each; then a change that brings a source in, alters four quotations and edits the
policy; and `git assay ci check` of that. Clock and commits are fixed, so that the same program gives the same result.
`docs/comment_picture.py` draws it.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

GOLD = Path(__file__).parents[1] / "gold"
RESULT = Path(__file__).parent / "images" / "pull-request.json"
START, DAY = 1_794_000_000, 86_400
STEPS = (4, 7, 10, 12, 14, 15)
"""So many pages the wiki has, day by day."""
ALTERED = (
    ("wiki/markdown-footnotes.md", "GitHub added them in September 2021", "GitHub added them in March 2020"),
    ("wiki/packfiles.md", "at most 50 long", "at most 500 long"),
    ("wiki/packfiles.md", "about 6700 of them", "about 7600 of them"),
    ("wiki/unicode-normalization.md", "NFC composes, NFD decomposes", "NFC decomposes, NFD composes"),
)
"""In which quotation of which page what is written instead of what."""
SOURCE = "# Packs\n\nA packfile holds many objects in one file, beside an index of their places.\n"
POLICY = '\n[checks.uncited]\nlevel = "error"\n'


def run(folder: Path, at: int, *words: str, codes: tuple[int, ...] = (0,)) -> None:
    """Run git, or git assay, at a moment. ValueError with what it said where it ends otherwise than expected."""
    moment = {"GIT_AUTHOR_DATE": f"@{at} +0000", "GIT_COMMITTER_DATE": f"@{at} +0000", "ASSAY_CLOCK": str(at)}
    alone = {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_SYSTEM": os.devnull, "ASSAY_LLM": "off"}
    outside = {name: value for name, value in os.environ.items() if not name.startswith(("GIT_", "GITHUB_"))}
    done = subprocess.run(words, cwd=folder, env={**outside, **moment, **alone}, capture_output=True, text=True)
    if done.returncode not in codes:
        raise ValueError(f"{' '.join(words)} ended with {done.returncode}: {done.stderr}")


def assay(folder: Path, at: int, *words: str, codes: tuple[int, ...] = (0,)) -> None:
    """The same with a command of ours."""
    run(folder, at, sys.executable, "-m", "gitops", *words, codes=codes)


def committed(folder: Path, at: int, message: str) -> None:
    """Commit all there is."""
    run(folder, at, "git", "add", "--all")
    run(folder, at, "git", "commit", "--quiet", "--message", message)


def grown(folder: Path) -> int:
    """The wiki, as it grew and was measured day by day; the moment of the last."""
    run(folder, START, "git", "init", "--quiet", "--initial-branch=main")
    for name, value in (("user.name", "Ada Writer"), ("user.email", "ada@example.org")):
        run(folder, START, "git", "config", name, value)
    pages = sorted(path.relative_to(GOLD) for path in GOLD.glob("wiki/*.md"))
    accepted = shutil.ignore_patterns("measured.json", "retrieval.json", "extraction.json")
    shutil.copytree(GOLD, folder, dirs_exist_ok=True, ignore=accepted)
    for page in pages:
        (folder / page).unlink()
    at = START
    for count in STEPS:
        for page in pages[:count]:
            shutil.copyfile(GOLD / page, folder / page)
        committed(folder, at, f"{count} pages")
        assay(folder, at + 60, "eval", "run", "--metric", "M1,M3,M5", codes=(0, 1, 3, 4))
        at += DAY
    return at


def offered(folder: Path, at: int) -> None:
    """A change to it, on a branch of its own."""
    run(folder, at, "git", "switch", "--quiet", "--create", "change")
    (folder / "raw" / "packs.md").write_text(SOURCE, "utf-8")
    committed(folder, at, "Bring a source in")
    for page, said, altered in ALTERED:
        text = (folder / page).read_text("utf-8")
        claims, note, quotations = text.partition("\n[^1]: ")
        if said not in quotations:
            raise ValueError(f"{page} does not quote {said!r}")
        (folder / page).write_text(claims + note + quotations.replace(said, altered), "utf-8")
    policy = folder / "assay.toml"
    policy.write_text(policy.read_text("utf-8") + POLICY, "utf-8")
    committed(folder, at, "Say it otherwise")


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as made:
        here = Path(made)
        tip = grown(here)
        offered(here, tip)
        assay(here, tip + 2 * DAY, "ci", "check", "--base", "main", "--result", str(RESULT), codes=(1,))
