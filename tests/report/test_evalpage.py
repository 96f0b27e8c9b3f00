from __future__ import annotations

import html
import re
import shutil
import subprocess
from dataclasses import replace
from html.parser import HTMLParser
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from gitops.evals.reporting import Report
from gitops.report.evalpage import page
from tests.report.eval_reports import FAILING, NOW, ack_of, measurement, report, series

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
VOID = {"meta", "br", "link", "img", "hr"}


@pytest.fixture(scope="module")
def whole() -> str:
    """The page of the report by hand, with an ack and a warning."""
    return page(made())


def made() -> Report:
    broken = next(one for one in reversed(series()) if one.suite == "M1")
    return replace(report(series(), [ack_of(broken)]), floor="preset 'small' is below the capability floor")


def words(text: str) -> str:
    """What a reader sees, a space between."""
    body = re.sub(r"<style>.*?</style>", "", text, flags=re.DOTALL)
    return " ".join(html.unescape(re.sub(r"<[^>]+>", " ", body)).split())


class Read(HTMLParser):
    """The elements with their attributes, and whether each that opens is closed in its turn."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.open: list[str] = []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attributes)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attributes)))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def test_where_nothing_was_measured_the_page_says_how_to() -> None:
    made = page(report([]))
    assert "No metric has been measured here yet: git assay eval run" in words(made)
    assert 'class="verdict not_measured"' in made


def test_pages_and_people_can_write_no_markup() -> None:
    hostile = "<script>alert(1)</script>\u202e"
    claim = FAILING | dict.fromkeys(("claim", "page", "citation", "reason", "judge", "vote"), hostile)
    claim["source"] = {"source": hostile, "span": hostile, "before": hostile, "after": hostile}
    broken = measurement("M1", NOW, 0.5, "broken", details={"failing": [claim], hostile: hostile}, reason=hostile)
    failed = measurement("M9", NOW, None, "not_measured", reason=hostile)
    made = page(report([broken, failed], [ack_of(broken, hostile)]))
    assert "<script" not in made
    assert "\u202e" not in made
    assert made.count("&lt;script&gt;") > 10


def test_it_loads_nothing_and_runs_nothing(whole: str) -> None:
    for tag, attributes in Read(whole).elements:
        assert tag not in {"script", "link", "img", "iframe", "object", "embed", "base", "form"}
        assert not {name for name in attributes if name.startswith("on")}
        for name in ("src", "href", "xlink:href", "action"):
            assert (attributes.get(name) or "#").startswith("#")
    style = whole[whole.index("<style>") : whole.index("</style>")]
    assert "url(" not in style
    assert "@import" not in style
    assert "http" not in whole.replace("http-equiv", "")
    assert "default-src &#39;none&#39;" in whole or "default-src 'none'" in whole


def test_every_element_is_closed_and_every_link_leads_to_an_id(whole: str) -> None:
    read = Read(whole)
    assert read.open == []
    ids = [attributes["id"] for _, attributes in read.elements if "id" in attributes]
    assert len(ids) == len(set(ids))
    led = {(attributes.get("href") or "")[1:] for tag, attributes in read.elements if tag == "a"}
    named = {part for _, attributes in read.elements for part in (attributes.get("aria-labelledby") or "").split()}
    assert led | named <= set(ids)
    assert {"cases-m1", "cases-m5", "trend-m1-title", "curve-m4-desc"} <= led | named


def test_charts_have_a_title_and_a_text(whole: str) -> None:
    charts = re.findall(r'<svg class="chart".*?</svg>', whole, re.DOTALL)
    assert len(charts) == 7
    for chart in charts:
        assert 'role="img"' in chart
        assert re.search(r"<title id=[^>]+>\S", chart)
        assert re.search(r"<desc id=[^>]+>\S", chart)
    first = words(charts[0])
    assert "2026-04-15: 0.81 (0.68–0.90), broken" in first
    assert "≥ 0.95" in first
    assert charts[0].count("<circle") == 4
    assert charts[0].count('class="band"') == 1


def test_headings_go_down_one_by_one(whole: str) -> None:
    levels = [int(tag[1]) for tag, _ in Read(whole).elements if re.fullmatch(r"h[1-6]", tag)]
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(after - before <= 1 for before, after in pairwise(levels))


def test_claims_stand_beside_their_source_with_the_words_marked(whole: str) -> None:
    assert 'diluted with <mark class="lack">four parts</mark> of water' in whole
    assert "<mark>dilute</mark> one to one with <mark>water</mark>" in whole
    said = words(whole)
    assert "wiki/coffee/cold-brew.md:24" in said
    assert "offline (0.93) : It says four where the source has one." in said
    assert "There is nothing to show: the source is not there, or has no text." in said


@pytest.mark.parametrize(
    "said",
    [
        "M1 (acknowledged) broken; M2, M5 degraded; M3, M9 healthy. Scheduled synthesis enabled.",
        "preset 'small' is below the capability floor Metrics",
        "Ada Writer <ada@example.org> the old guide was scanned badly c0ffee0000",
        "Cold brew steeps for 12 hours. cites raw/a.md wiki/methods.md:31 Cold brew steeps for 24 hours.",
        "wiki/coffee/espresso.md hardness ×4, alkalinity",
        "How hard should water for espresso be? q-07",
        "raw/water-chemistry.md not cited",
        "crossover writing and verifying questions to the wiki",
        "wiki/tea/oolong.md:12 its source no longer says it",
        "M9 unknown to this version",
        "not measured on 2026-04-14: no topic has two pages",
    ],
)
def test_what_a_reader_sees(whole: str, said: str) -> None:
    assert said in re.sub(r"(\d|crossover) (?=writing)", r"\1 ", words(whole))


def test_the_same_report_is_the_same_page(whole: str) -> None:
    assert page(made()) == whole


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_texts_stand_out_from_their_ground(whole: str, scheme: str) -> None:
    """WCAG 2.2, 1.4.3: 4.5 to 1."""
    style = whole[whole.index("<style>") : whole.index("</style>")]
    blocks = re.findall(r":root \{(.*?)\}", style, re.DOTALL)
    colours = dict(re.findall(r"--([\w-]+): (#[0-9a-f]{6})(?=;)", blocks[0 if scheme == "light" else 1]))
    pairs = [(text, ground) for text in ("ink", "quiet") for ground in ("paper", "card", "soft")]
    pairs += [("link", "paper"), ("link", "card"), ("cut", "card"), ("mark-ink", "mark"), ("lack-ink", "lack")]
    pairs += [(name, f"{name}-soft") for name in ("good", "mild", "bad", "none", "unsure")]
    pairs += [(name, "card") for name in ("good", "mild", "bad")]
    for text, ground in pairs:
        assert contrast(colours[text], colours[ground]) >= 4.5, (text, ground)


def contrast(one: str, other: str) -> float:
    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def luminance(colour: str) -> float:
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


@pytest.mark.skipif(CHROMIUM is None, reason="no chromium here")
@pytest.mark.parametrize("width", [390, 1280])
@pytest.mark.slow
def test_nothing_is_wider_than_the_window(whole: str, tmp_path: Path, width: int) -> None:
    assert CHROMIUM is not None
    found = measured(CHROMIUM, tmp_path, whole, width)
    assert found["window"] == str(width)
    assert found["page"] == str(width)
    assert found["wider"] == ""
    long = measured(CHROMIUM, tmp_path, page(report([_long_names()])), width)
    assert long["page"] == str(width)


def _long_names() -> Any:
    word = "wiki/" + "n" * 300 + ".md"
    names = FAILING | {"page": word, "claim": word, "citation": word, "reason": word}
    names["source"] = {"source": word, "span": word}
    return measurement("M1", NOW, 0.5, "broken", details={"failing": [names], "strata": {word: {"n": 1, word: 2}}})


def measured(chromium: str, folder: Path, text: str, width: int) -> dict[str, str]:
    """What the page says of itself in a browser, in a frame so wide, for windows are never so narrow as phones.

    In this copy alone a script may run.
    """
    copy = re.sub(r'<meta http-equiv="Content-Security-Policy"[^>]*>', "", text)
    script = """<script>
      const wide = [...document.body.querySelectorAll("*")].filter((one) => {
        const box = one.getBoundingClientRect();
        return box.right > innerWidth + 0.5 && getComputedStyle(one.closest("thead") || one).position !== "absolute";
      }).map((one) => one.tagName);
      Object.assign(parent.document.documentElement.dataset, {
        window: innerWidth, page: document.documentElement.scrollWidth, wider: wide.join(" "),
      });
    </script></body>"""
    framed = html.escape(copy.replace("</body>", script))
    file = folder / f"page-{width}.html"
    frame = f'<iframe srcdoc="{framed}" style="width: {width}px; height: 844px; border: 0"></iframe>'
    file.write_text(f"<!doctype html><html><body>{frame}</body></html>", "utf-8")
    options = ["--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", f"--user-data-dir={folder}/profile"]
    call = [chromium, *options, "--window-size=1400,900", "--dump-dom", file.as_uri()]
    done = subprocess.run(call, capture_output=True, text=True, check=True, timeout=120)
    return dict(re.findall(r'data-(window|page|wider)="([^"]*)"', done.stdout[:4000]))
