"""The results as tables for people, as lists of single cases, and as JSON."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from benchmarks.accuracy.intervals import told, wilson
from benchmarks.accuracy.labelled import Reference
from benchmarks.accuracy.measuring import Measured, Results
from benchmarks.accuracy.peer import Differences
from benchmarks.accuracy.planted import Outcome
from benchmarks.accuracy.taking import Found

Row = tuple[str, ...]
Table = tuple[str, Row, list[Row]]
"""A title, headings, and rows."""


def tables(results: Results) -> list[Table]:
    """All the tables of what was measured."""
    found: list[Table] = []
    if results.measured is not None:
        found += _measured(results.measured, results.half)
    if results.planted is not None:
        found += _planted(results.planted)
    if results.compared is not None:
        found.append(_compared(results.compared))
    found += [("Skipped", ("what", "why"), list(results.skipped.items()))] if results.skipped else []
    return found


def cases(results: Results) -> Iterator[str]:
    """Each single case that is not as it should be, one a line."""
    if results.measured is not None:
        one = results.measured
        yield from (f"false: {_place(each)}: {each.message}" for each in one.precision.false)
        yield from (f"unread: {_place(each)}: {each.message}" for each in one.precision.unread)
        yield from (f"missed: {_labelled(each)}: {each.why}" for each in one.recall.missed)
        yield from (
            f"alarm: {_labelled(label)}: {each.check} {each.result}: {each.message}" for label, each in one.alarms
        )
    for outcome in results.planted or ():
        if not outcome.is_right:
            yield _told(outcome)
    if results.compared is not None:
        yield from (f"ours alone: {_place(each)}: {each.message}" for each in results.compared.ours)
        yield from (
            f"theirs alone: {wiki}/{each.path}:{each.line}:{each.column} {each.rule}: {each.message}"
            for wiki, each in results.compared.theirs
        )


def as_json(results: Results) -> dict[str, Any]:
    """Every figure with its counts and interval, and the single cases."""
    shown: dict[str, Any] = {"schema": "assay/accuracy/1", "wikis": list(results.wikis), "half": results.half}
    if (one := results.measured) is not None:
        shown["findings"] = [
            {"wiki": key[0], "check": key[1], "result": key[2], "level": key[3], "count": count}
            for key, count in sorted(_counts(one.found).items())
        ]
        shown["precision"] = _shares(_precision(one))
        shown["recall"] = _shares(_recall(one))
        shown["unread"] = len(one.precision.unread)
        shown["alarms"] = _share(
            len({label for label, _ in one.alarms}), sum(not each.is_defect for each in one.labels)
        )
    if results.planted is not None:
        shown["planted"] = [
            {"check": key[0], "mutation": key[1], "form": key[2], **_share(right, of)}
            for key, (right, of) in sorted(_outcomes(results.planted).items())
        ]
    if (two := results.compared) is not None:
        shown["compared"] = {"both": len(two.both), "ours_alone": len(two.ours), "theirs_alone": len(two.theirs)}
    return {**shown, "skipped": results.skipped, "cases": list(cases(results))}


def _measured(one: Measured, half: str) -> Iterator[Table]:
    counted = [(*key, str(count)) for key, count in sorted(_counts(one.found).items())]
    yield "Findings", ("wiki", "check", "result", "level", "count"), counted
    unread = f", {len(one.precision.unread)} not read" if one.precision.unread else ""
    yield _share_table(f"Precision of errors ({half}{unread})", "true", _precision(one))
    yield _share_table(f"Recall of known defects ({half})", "found", _recall(one))
    right = sum(not each.is_defect for each in one.labels)
    alarmed = len({label for label, _ in one.alarms})
    row = ("references that are right", str(right), str(alarmed), told(alarmed, right))
    yield f"False alarms among labelled references ({half})", ("what", "n", "alarms", "share"), [row]


def _share_table(title: str, what: str, shares: dict[str, tuple[int, int]]) -> Table:
    every = {**shares, "all": (sum(hits for hits, _ in shares.values()), sum(of for _, of in shares.values()))}
    rows: list[Row] = [(check, str(of), str(hits), told(hits, of)) for check, (hits, of) in every.items()]
    return title, ("check", "n", what, "share (95 %)"), rows


def _planted(outcomes: Sequence[Outcome]) -> Iterator[Table]:
    defects, forms = ([one for one in outcomes if one.is_defect == is_defect] for is_defect in (True, False))
    yield "Planted defects by check", ("check", "n", "found", "share (95 %)", "as error or warning"), _by_check(defects)
    for title, every, what in (("Planted defects", defects, "found"), ("Changes of form", forms, "spared")):
        heads = ("n", what, "share (95 %)")
        yield f"{title} by mutation", ("mutation", *heads), _by(every, lambda one: one.mutation.kind)
        yield f"{title} by how it is written", ("written as", *heads), _by(every, lambda one: one.mutation.form)


def _by_check(outcomes: Sequence[Outcome]) -> list[Row]:
    groups: dict[str, list[Outcome]] = defaultdict(list)
    for one in outcomes:
        groups[_answers(one)].append(one)
        groups["~"].append(one)
    return [
        (
            "all" if check == "~" else check,
            str(len(group)),
            str(found := sum(one.is_right for one in group)),
            told(found, len(group)),
            str(sum(one.gates for one in group)),
        )
        for check, group in sorted(groups.items())
    ]


def _by(outcomes: Iterable[Outcome], what: Callable[[Outcome], str]) -> list[Row]:
    counted: dict[str, list[bool]] = defaultdict(list)
    for one in outcomes:
        counted[what(one)].append(one.is_right)
    every = [*sorted(counted.items()), ("all", [right for group in counted.values() for right in group])]
    return [(name, str(len(group)), str(sum(group)), told(sum(group), len(group))) for name, group in every]


def _compared(found: Differences) -> Table:
    rows = [
        ("both", len(found.both)),
        ("ours alone", len(found.ours)),
        ("remark-validate-links alone", len(found.theirs)),
    ]
    return "Markdown links that are wrong, reported by", ("whom", "count"), [(who, str(count)) for who, count in rows]


def _counts(found: Iterable[Found]) -> Counter[Row]:
    return Counter((one.wiki, one.check, one.result, one.level) for one in found)


def _precision(one: Measured) -> dict[str, tuple[int, int]]:
    true, false = (Counter(each.check for each in side) for side in (one.precision.true, one.precision.false))
    return {check: (true[check], true[check] + false[check]) for check in sorted({*true, *false})}


def _recall(one: Measured) -> dict[str, tuple[int, int]]:
    found = Counter(defect.check for defect, _ in one.recall.found)
    missed = Counter(defect.check for defect in one.recall.missed)
    return {check: (found[check], found[check] + missed[check]) for check in sorted({*found, *missed})}


def _outcomes(outcomes: Iterable[Outcome]) -> dict[Row, tuple[int, int]]:
    counted: dict[Row, tuple[int, int]] = defaultdict(lambda: (0, 0))
    for one in outcomes:
        key = (_answers(one), one.mutation.kind, one.mutation.form)
        right, of = counted[key]
        counted[key] = (right + one.is_right, of + 1)
    return dict(counted)


def _answers(one: Outcome) -> str:
    return " or ".join(sorted(one.mutation.checks))


def _shares(shares: dict[str, tuple[int, int]]) -> dict[str, dict[str, Any]]:
    return {check: _share(hits, of) for check, (hits, of) in shares.items()}


def _share(hits: int, of: int) -> dict[str, Any]:
    bounds = wilson(hits, of)
    return {"n": of, "hits": hits, "share": hits / of if of else None, "interval": list(bounds) if bounds else None}


def _place(one: Found) -> str:
    return f"{one.wiki}/{one.path}:{one.line}:{one.column} {one.check} {one.result}"


def _labelled(one: Reference) -> str:
    return f"{one.wiki}/{one.path}:{one.line}:{one.column} {one.truth}"


def _told(outcome: Outcome) -> str:
    one = outcome.mutation
    said = "; ".join(f"{each.check} {each.result} {each.level}: {each.message}" for each in outcome.said)
    what = " ".join(repr(new) for _, _, new in one.splices[:2]) or f"without {', '.join(one.removed)}"
    head = "planted, not found" if outcome.is_defect else "form, not spared"
    return f"{head}: {outcome.wiki}/{one.path}:{one.line} {one.kind} ({one.form}) {what}" + (
        f": {said}" if said else ""
    )
