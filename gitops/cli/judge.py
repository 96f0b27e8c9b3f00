"""`git assay judge`: votes on claims or pairs of claims from standard input, or scores a judge on labelled ones."""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING, Any

from gitops.cli import surroundings
from gitops.cli.arguments import Parser

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gitops.usage import Usage
    from gitops.verify.judge import PairVote, Question, Vote
    from gitops.verify.judge_lines import Read
    from gitops.verify.panel import Panel, Voted


def declare(name: str, parser: Parser) -> None:
    """Fill in the command."""
    parser.set_defaults(function=judge)
    pairs = "judge pairs of claims: lines of id, a and b (default: lines of id, claim and source_text)"
    parser.add_argument("--pairs", action="store_true", help=pairs)
    score = "each line carries a label: print balanced accuracy, AUROC and calibration, not the votes"
    parser.add_argument("--score", action="store_true", help=score)
    judges = "who judges (default: offline); of several, each is asked what those before it were unsure of"
    parser.add_argument("--judge", default="offline", metavar="NAME[,NAME]", help=judges)
    parser.add_argument(
        "--skip", action="store_true", help="leave out lines that are no question (default: refuse all)"
    )
    fresh = "ask a judge that needs a model anew what it has answered before"
    parser.add_argument("--fresh", action="store_true", help=fresh)
    rehearsal = "say what a judge that needs a model would be asked, and about what it would cost; ask nobody"
    parser.add_argument("--dry-run", action="store_true", help=rehearsal)
    parser.add_argument("--json", action="store_true", help="print JSON, one line a vote")


def judge(arguments: argparse.Namespace) -> int:
    """Read every line before the first vote is asked for; answer in order."""
    from gitops.cli import judges
    from gitops.verify import judge_lines

    if arguments.dry_run and arguments.pairs:
        from gitops.errors import UsageError

        raise UsageError("--dry-run estimates claims, not pairs", "leave out --pairs or --dry-run")
    panel = judges.panel(arguments, arguments.judge)
    data = sys.stdin.buffer.read()
    try:
        if arguments.pairs:
            pairs = _usable(judge_lines.pairs(data, is_labelled=arguments.score), arguments)
            pair_votes = panel.pair_votes([line.question for line in pairs.lines])
            _tell(arguments, panel, pairs, pair_votes)
        else:
            claims = _usable(judge_lines.claims(data, is_labelled=arguments.score), arguments)
            if arguments.dry_run:
                return _rehearse(panel, [line.question for line in claims.lines])
            votes = panel.votes([line.question for line in claims.lines])
            _tell(arguments, panel, claims, votes)
    finally:
        if panel.used.calls and not arguments.quiet:
            print(f"note: {_spent(panel.used)}", file=sys.stderr)
    return 0


def _rehearse(panel: Panel, questions: Sequence[Question]) -> int:
    """What each judge that costs something would be asked, were it asked everything."""
    from gitops.runs.seating import would_ask

    dear = [judge for judge in panel.judges if not judge.is_free]
    for judge in dear:
        print(would_ask(judge, questions))
    if not dear:
        print("no judge named needs a model: nothing to pay")
    return 0


def _usable(read: Read[Any], arguments: argparse.Namespace) -> Read[Any]:
    """What was read. UsageError for a line that is no question, CannotRun where there is none that is."""
    from gitops.errors import CannotRun, UsageError

    if read.bad and not arguments.skip:
        number, why = read.bad[0]
        more = f" (and {len(read.bad) - 1} more: {_numbers(read)})" if len(read.bad) > 1 else ""
        raise UsageError(f"standard input, line {number}: {why}{more}", "mend the line, or leave such out with --skip")
    if read.bad and not arguments.quiet:
        for number, why in read.bad:
            print(f"note: line {number} is left out: {why}", file=sys.stderr)
    if not read.lines:
        shape = '{"id": 1, "a": "…", "b": "…"}' if arguments.pairs else '{"id": 1, "claim": "…", "source_text": "…"}'
        raise CannotRun("standard input holds no question", f"give lines such as {shape}")
    return read


def _numbers(read: Read[Any], most: int = 10) -> str:
    rest = [str(number) for number, _ in read.bad[1:]]
    return ", ".join(rest[:most]) + (", …" if len(rest) > most else "")


def _tell(
    arguments: argparse.Namespace,
    panel: Panel,
    read: Read[Any],
    voted: Sequence[Voted[Vote] | Voted[PairVote]],
) -> None:
    from gitops.report import judge as report

    if arguments.score:
        votes = [one.vote for one in voted]
        who = panel.judges[0] if len(panel.judges) == 1 else _Several(panel)
        scored = report.score(who, [line.label for line in read.lines], votes, is_pairs=arguments.pairs)
        if arguments.json:
            surroundings.print_json(scored)
            return
        lines = list(report.score_words(scored))
    elif arguments.json:
        for line, one in zip(read.lines, voted, strict=True):
            surroundings.print_json(report.as_json(line.id, one.vote) | {"judge": one.judge})
        return
    else:
        lines = [report.words(line.id, one.vote) for line, one in zip(read.lines, voted, strict=True)]
    for each in lines:
        print(each)


class _Several:
    """Several judges as one, by name."""

    def __init__(self, panel: Panel) -> None:
        self.id = "+".join(judge.id for judge in panel.judges)
        self.version = "+".join(judge.version for judge in panel.judges)
        self.digest = panel.digest


def _spent(used: Usage) -> str:
    calls = "1 call" if used.calls == 1 else f"{used.calls:,} calls"
    told = f"{calls}, {used.read:,} tokens read, {used.output:,} written"
    return f"{told}, ${used.usd:.4f}" if used.usd else told
