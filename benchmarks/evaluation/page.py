"""The reports as Markdown: one table of all wikis, then a section for each, with what could not be measured and why."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from benchmarks.evaluation.measuring import Report
from gitops.evals.registry import registry
from gitops.report.visible import inline
from gitops.runs.measurements import Measurement, Metric

FROM, TO = "<!-- from here: python -m benchmarks.evaluation -->", "<!-- to here -->"
SHOWN = 2
"""So many cases of each kind are shown: what they look like, not what they are all."""
_QUOTED, _REASON, _TOLD = 80, 240, 260
"""How many characters are shown of a wiki's own words, of why a claim fails, of why nothing was measured."""


def page(reports: Sequence[Report], facts: str) -> str:
    """Everything between the two marks, and the marks."""
    sections = [line for report in reports for line in (*_section(report), "")]
    return "\n".join([FROM, "", facts, "", *_table(reports), "", *sections, TO, ""])


def put(text: str, made: str) -> str:
    """The text with what stands between the marks replaced; with all of it at the end where there are no marks."""
    before, start, rest = text.partition(FROM)
    _, end, after = rest.partition(TO + "\n")
    if not start or not end:
        return f"{text.rstrip()}\n\n{made}" if text.strip() else made
    return before + made + after


def _table(reports: Sequence[Report]) -> Iterator[str]:
    names = list(registry())
    yield f"| wiki | pages | sources | claims | {' | '.join(names)} | s |"
    yield f"|---|--:|--:|--:|{'---|' * len(names)}--:|"
    for one in reports:
        numbers = (f"{number:,}" for number in (one.pages, one.sources, one.claims))
        found = {each.suite: each.metrics[each.suite] for each in one.measurements}
        cells = (*numbers, *(_cell(found[name]) for name in names), f"{sum(one.seconds.values()):.1f}")
        yield f"| {_plain(one.name)} | {' | '.join(cells)} |"


def _cell(number: Metric) -> str:
    unjudged = number.counts.get("unjudged", 0)
    if number.value is None:
        return f"– ({number.n:,} of {number.n + unjudged:,} judged)" if unjudged else "–"
    left = f", {unjudged:,} unjudged" if unjudged else ""
    unsure = ", uncertain" if number.uncertain else ""
    return f"{_score(number)} {number.status}{unsure}; n {number.n:,}{left}"


def _score(number: Metric) -> str:
    value = "–" if number.value is None else f"{number.value:.2f}"
    return f"**{value}**" + (f" ({number.interval[0]:.3f}–{number.interval[1]:.3f})" if number.interval else "")


def _section(one: Report) -> Iterator[str]:
    yield f"### {_plain(one.name)}"
    yield ""
    took = ", ".join(f"{name} {seconds:.1f}" for name, seconds in one.seconds.items() if seconds >= 0.05)
    size = f"{one.pages:,} pages, {one.sources:,} sources, {one.claims:,} claims that cite."
    yield f"{_origin(one)}{size} Seconds: {took or 'hardly any'}."
    yield ""
    yield from (f"- Not brought in: {_plain(told)}" for told in one.left_out)
    titles = registry()
    for each in one.measurements:
        number, title = each.metrics[each.suite], f"**{each.suite}** {titles[each.suite].title}"
        if number.value is None and number.status == "not_measured":
            why = _plain(_cut(each.reason, _TOLD)).rstrip(".")
            yield f"- {title}: not measured: {why}."
        else:
            unsure = ", uncertain" if number.uncertain else ""
            yield f"- {title}: {_score(number)}, {number.status}{unsure}; n {number.n:,}."
        yield from (f"  - {told}" for told in _told(each))


def _origin(one: Report) -> str:
    if one.ingested is None:
        return ""
    return f"Made anew by the offline writer, from {one.ingested} of {one.ingested + len(one.left_out)} sources. "


def _told(one: Measurement) -> Iterator[str]:
    """What the number was counted from, and what its failing cases look like."""
    counts = {name.replace("_", " "): count for name, count in one.metrics[one.suite].counts.items() if count}
    if counts:
        yield ", ".join(f"{name} {count:,}" for name, count in counts.items())
    if unheard := _unheard(one):
        yield unheard
    yield from _cases(one.suite, one.details)


def _unheard(one: Measurement) -> str:
    """Why claims of M1 have no vote: no judge could be asked, or none was sure."""
    left = Counter(each.details.get("judge", "") for each in one.samples if each.status == "abstained")
    if one.suite != "M1" or not left:
        return ""
    unsure = ((judge, count) for judge, count in left.items() if judge != "none")
    told = [f"{count:,} of which the {judge} judge was not sure enough" for judge, count in unsure]
    told += [f"{left['none']:,} that cite nothing that can be read here"] if left["none"] else []
    return f"without a vote: {', '.join(told)}"


def _cases(metric: str, details: Mapping[str, Any]) -> Iterator[str]:
    """What fails, as the metric keeps it: the first few."""
    match metric:
        case "M1":
            yield from map(_failing, details.get("failing", [])[:SHOWN])
        case "M2":
            yield from map(_missed, _worst(details)[:SHOWN])
        case "M5":
            yield from map(_contradiction, details.get("contradictions", [])[:SHOWN])
        case "M6":
            yield from map(_lost, details.get("lost", [])[:SHOWN])
        case _:
            pass


def _worst(details: Mapping[str, Any]) -> list[dict[str, Any]]:
    every = [page | {"sources": each["sources"]} for each in details.get("ingests", []) for page in each["worst"]]
    return sorted(every, key=lambda page: -len(page["terms"]))


def _failing(one: Mapping[str, Any]) -> str:
    said = f"{one['vote']} ({one['judge']})".replace("_", " ")
    return f"{_place(one)}: {said}: {_quoted(one['reason'], _REASON)}"


def _missed(one: Mapping[str, Any]) -> str:
    terms, sources = ", ".join(one["terms"][:5]), ", ".join(one["sources"])
    return f"missed: {_quoted(one['page'])} mentions {_quoted(terms)}; {_quoted(sources)} did not touch it"


def _contradiction(one: Mapping[str, Any]) -> str:
    places = [f"{_place(each)} {_quoted(each['claim'])}" for each in (one["a"], one["b"])]
    return f"{one['vote'].replace('_', ' ')}: {' and '.join(places)}"


def _lost(one: Mapping[str, Any]) -> str:
    return f"lost: {_place({'page': one['path'], 'line': one['line']})}: {_plain(one.get('why', ''))}"


def _place(one: Mapping[str, Any]) -> str:
    return _quoted(f"{one['page']}:{one['line']}", 200)


def _quoted(text: str, most: int = _QUOTED) -> str:
    """Words of a wiki as a code span, in which nothing of them is read as Markdown."""
    return f"`{_cut(text, most).replace('`', '')}`"


def _cut(text: str, most: int) -> str:
    flat = inline(" ".join(text.split()))
    return flat if len(flat) <= most else f"{flat[: most - 1].rstrip()}…"


def _plain(text: str) -> str:
    """Words that stand in running text, with what Markdown and HTML would read in them escaped."""
    return re.sub(r"([\\`*_\[\]<>|])", r"\\\1", inline(text))
