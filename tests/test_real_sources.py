"""Real sources through the command line: true quotations land; each kind of falsehood is refused by its name."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from gitops.cli import main
from gitops.wiki.citation import format_cite
from gitops.wiki.sources import SourceText, extract, page_of

WIKIS = Path(__file__).parents[1] / "../shared/data/wikis"
BEVERAGES = sorted((WIKIS / "citadel-beverages/raw").glob("*.md"))
GAZETTE = [WIKIS / "citadel-gazette/raw" / name for name in ("feature-article.pdf", "figure-brief.pdf", "preprint.pdf")]

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not BEVERAGES, reason="the real wikis are not beside the project"),
]


@pytest.fixture
def workspace(make_repository: Callable[..., Path], monkeypatch: pytest.MonkeyPatch) -> Path:
    root = make_repository({"assay.toml": "", "wiki/index.md": "# Index\n", "wiki/log.md": "# Log\n"})
    monkeypatch.chdir(root)
    assert main(["--quiet", "raw", "add", *map(str, [*BEVERAGES, *GAZETTE])]) == 0
    return root


def passages(source: SourceText, most: int) -> list[tuple[str, int]]:
    """Sentences of a source that hold at least eight words, a number among them where there is one."""
    found = [
        (" ".join(match[0].split()), match.start())
        for match in re.finditer(r"[A-Z][^.!?*|#`\n\x0c]{20,}(?:\n[^.!?*|#`\n\x0c]+){0,2}[.!?]", source.text)
        if len(match[0].split()) >= 8
    ]
    return sorted(found, key=lambda each: not re.search(r"\d", each[0]))[:most]


def cited(path: Path, most: int = 3) -> list[tuple[str, str]]:
    """(claim, citation) for true quotations of a file."""
    source = extract(path.name, path.read_bytes())
    cites = []
    for quote, start in passages(source, most):
        cites.append((quote.rstrip(".!?"), format_cite(f"raw/{path.name}", page_of(source, start), quote=quote)))
    return cites


def page(title: str, claims: list[tuple[str, str]]) -> str:
    body = "\n\n".join(f"As the source has it: {claim}.[^{n}]" for n, (claim, _) in enumerate(claims, 1))
    notes = "\n".join(f"[^{n}]: {cite}" for n, (_, cite) in enumerate(claims, 1))
    return f"---\ntitle: {title}\n---\n# {title}\n\n{body}\n\n{notes}\n"


def staged(capsys: pytest.CaptureFixture[str], pages: dict[str, str], tmp_path: Path) -> tuple[int, dict[str, object]]:
    """Stage pages with an index that links to them, finish the run, and return the exit code and the JSON."""
    assert main(["run", "start"]) == 0
    run = capsys.readouterr().out.strip()
    links = "".join(f"- [{path}]({path})\n" for path in pages)
    for path, content in {**pages, "index.md": f"# Index\n\n{links}"}.items():
        (tmp_path / "page.md").write_text(content)
        assert main(["run", "write", run, f"wiki/{path}", "--file", str(tmp_path / "page.md")]) == 0
    code = main(["run", "finish", run, "--json"])
    return code, json.loads(capsys.readouterr().out)


def test_true_quotations_of_every_real_source_land(
    workspace: Path, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    pages = {f"{path.stem}.md": page(path.stem, cited(path)) for path in [*BEVERAGES, *GAZETTE]}
    code, outcome = staged(capsys, pages, tmp_path)
    heavy = [found for found in outcome["findings"] if found["level"] != "note"]  # type: ignore[attr-defined]
    assert (code, outcome["result"], heavy) == (0, "landed", [])
    assert (workspace / "wiki" / "coffee-guide.md").exists()
    found = outcome["verdict"]["per_claim_findings"]  # type: ignore[index]
    anchors = [finding for finding in found if finding["check"] == "quote_anchor"]
    assert [anchor["result"] for anchor in anchors] == ["verified"] * len(anchors)
    assert len(anchors) >= 3 * len(BEVERAGES)


FALSEHOODS = [*BEVERAGES[:4], *GAZETTE]


@pytest.mark.parametrize("path", FALSEHOODS, ids=[path.name for path in FALSEHOODS])
@pytest.mark.parametrize("kind", ["word", "digit", "page", "file"])
def test_a_falsehood_in_a_citation_is_refused_by_its_name(
    kind: str, path: Path, workspace: Path, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    (claim, cite) = cited(path, 1)[0]
    false = falsified(kind, cite)
    assert false != cite
    code, outcome = staged(capsys, {"a.md": page("A", [(claim, false)])}, tmp_path)
    expected = {
        "word": ("quote_anchor", "altered"),
        "digit": ("quote_anchor", "altered"),
        "page": ("quote_anchor", "misattributed"),
        "file": ("source_exists", "missing"),
    }[kind]
    errors = [(f["check"], f["result"]) for f in outcome["findings"] if f["level"] == "error"]  # type: ignore[attr-defined]
    assert (code, outcome["result"], errors) == (1, "rejected", [expected])
    assert not (workspace / "wiki" / "a.md").exists()


def falsified(kind: str, cite: str) -> str:
    """A citation with one thing wrong."""
    path, quote = cite.split('"', 1)
    if kind == "word":
        words = quote.split(" ")
        longest = max(range(1, len(words) - 1), key=lambda place: len(words[place]))
        return f'{path}"' + " ".join([*words[:longest], "elsewhere", *words[longest + 1 :]])
    if kind == "digit":
        digit = re.search(r"\d", quote)
        assert digit is not None
        return f'{path}"' + quote[: digit.start()] + str((int(digit[0]) + 4) % 10) + quote[digit.end() :]
    if kind == "page":
        numbered = re.sub(r"p\.(\d+)", lambda found: f"p.{3 - int(found[1])}", cite, count=1)
        return numbered if numbered != cite else cite.replace(", ", ", p.2, ", 1)  # a text has no second page
    return cite.replace("raw/", "raw/not-", 1)


def test_a_scan_says_that_it_cannot_be_read_when_it_comes_in_and_when_it_is_quoted(
    workspace: Path, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    assert main(["raw", "add", str(WIKIS / "citadel-gazette/raw/scanned-notice.pdf")]) == 0
    assert "no text layer" in capsys.readouterr().err
    cite = 'raw/scanned-notice.pdf, p.1, "the road is closed"'
    code, outcome = staged(capsys, {"a.md": page("A", [("The road is closed", cite)])}, tmp_path)
    errors = [(f["result"], f["message"]) for f in outcome["findings"] if f["level"] == "error"]  # type: ignore[attr-defined]
    assert code == 1
    assert [result for result, _ in errors] == ["unreadable"]
    assert "no text layer" in errors[0][1]
