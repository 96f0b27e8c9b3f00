"""Writes man/git-assay.1 from the command's own grammar; `python man/generate.py --check` says if it is out of date.

git turns `git assay --help` into `man git-assay`, so this page is the help that most people see.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "man" / "git-assay.1"
NO_RELEASE_YET = "2026-11-21"
TOP = 2
"""How many spaces there are in `git assay COMMAND`."""

ABOVE = """\
.nh
.ad l
.SH NAME
git\\-assay \\- lets no claim land in a wiki unless its source says so
.SH SYNOPSIS
.B git assay
{options} \\fICOMMAND\\fR [\\fIARGUMENT\\fR ...]
.SH DESCRIPTION
A workspace is a git repository, or a folder of one, with sources under \\fIraw/\\fR, pages under \\fIwiki/\\fR and a
policy in \\fIassay.toml\\fR.
Whoever writes a page, a person or a language model, writes it in a
.IR run :
a branch of its own.
Finishing the run merges it with its target in memory and has that exact commit verified: is every cited source there,
does every quotation stand in it word for word, can every page be found, was nothing touched but pages?
Only a verdict of
.B commit
moves the target, and it moves it to just what was verified.
Everything else is kept, off the branch list, with the reason.
.PP
A change is judged by the policy of the commit it starts from, so it cannot loosen its own gate, and only by what it
causes: findings that stood there before are shown and do not count.
Records and verdicts are git notes in the repository itself.
.SH EXAMPLES
See it work, in a temporary folder, offline:
.PP
.RS
.nf
git assay demo
.fi
.RE
.PP
Begin a workspace, bring a source in, and write a page of it:
.PP
.RS
.nf
git assay init
git assay raw add report.pdf
RUN=$(git assay run start \\-\\-type ingest \\-\\-source raw/report.pdf)
git assay run write $RUN wiki/a.md < a.md
git assay run replace $RUN wiki/index.md \\-\\-old OLD \\-\\-new NEW
git assay run finish $RUN
.fi
.RE
.PP
Take up a rejected run, mend one place, and finish that:
.PP
.RS
.nf
RUN=$(git assay run start \\-\\-from REJECTED)
git assay run replace $RUN wiki/a.md \\-\\-old \\(aq80 %\\(aq \\-\\-new \\(aq18 %\\(aq
git assay run finish $RUN
.fi
.RE
"""

BELOW = """\
.SH EXIT STATUS
.TP
.B 0
Yes: it landed, it would land, there was nothing wrong.
.TP
.B 1
No: a verdict or a gate said so (rejected, to be revised, refused).
.TP
.B 2
The command, a path or the configuration is wrong.
.TP
.B 3
The question could not be answered: no repository, no verdict, or verified and not landed.
Nothing was lost; the second line of the message says what to do.
.TP
.B 130
Interrupted.
.TP
.B 141
Whoever read the output stopped reading.
.SH FILES
.TP
.I assay.toml
The policy of a workspace.
.TP
.I raw/
Sources. Nobody edits them; \\fBgit assay raw\\fR is the way in.
.TP
.I wiki/index.md
The root of the wiki.
.TP
.I wiki/log.md
One line for every run that landed, written by the tool alone.
.TP
.I refs/heads/run/ID
A run that is open. Agents and people may commit on it themselves.
.TP
.I refs/assay/kept/ID
What was rejected or abandoned.
.TP
.IR refs/notes/assay/runs ", " refs/notes/assay/verdicts
The records, one JSON object to a line.
.TP
.I .git/assay/index.sqlite3
The local index of runs and verdicts; \\fBgit assay index rebuild\\fR makes it anew from the notes.
.TP
.I .git/assay/cache.sqlite3
What was read before; may be deleted at any time.
.SH ENVIRONMENT
.TP
.B NO_COLOR
If set, no colours are printed. In a pipe there are none in any case.
.TP
.B ASSAY_CLOCK
Seconds since 1970 at which the clock stands still: for tests and demonstrations.
.TP
.BR GIT_DIR ", " GIT_WORK_TREE ", " GIT_INDEX_FILE
As for every git command.
.SH SEE ALSO
.BR git (1),
.BR git\\-notes (1),
.BR git\\-worktree (1),
.BR githooks (5)
"""


def page() -> str:
    """The whole page, in the man macros."""
    sys.path.insert(0, str(ROOT))
    from gitops import __version__
    from gitops.cli.parser import build

    parser = build()
    title = f'.TH GIT\\-ASSAY 1 {_date()} "git\\-assay {__version__}" "git\\-assay manual"'
    options = " ".join(_bracketed(action) for action in _options(parser) if action.dest not in ("help", "version"))
    parts = [title, ABOVE.format(options=options).rstrip(), ".SH OPTIONS", *_arguments(parser), ".SH COMMANDS"]
    parts += [*_commands(parser), BELOW.rstrip()]
    return "\n".join(parts) + "\n"


def _date() -> str:
    """The day of the latest release that the changelog names."""
    found = re.search(r"^## .*\((\d{4}-\d\d-\d\d)\)", (ROOT / "CHANGELOG.md").read_text(), re.MULTILINE)
    return found[1] if found else NO_RELEASE_YET


def _commands(parser: argparse.ArgumentParser) -> Iterator[str]:
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for each in action.choices.values():
                yield from _command(each)


def _command(parser: argparse.ArgumentParser) -> Iterator[str]:
    if parser.prog.count(" ") == TOP:
        yield f".SS {_escaped(parser.prog.rpartition(' ')[2])}"
    if inner := list(_commands(parser)):
        yield _escaped(parser.description or "")
        yield from inner
        return
    words = [f"\\fB{_escaped(parser.prog)}\\fR", *_synopsis(parser)]
    yield ".HP\n" + " ".join(words)
    yield ".RS"
    yield _escaped(parser.description or "")
    yield from _arguments(parser)
    if parser.epilog:
        yield f".PP\n{_escaped(parser.epilog)}"
    yield ".RE"


def _synopsis(parser: argparse.ArgumentParser) -> Iterator[str]:
    grouped = {id(action): group for group in parser._mutually_exclusive_groups for action in group._group_actions}
    told: set[int] = set()
    for action in [*_options(parser), *_positionals(parser)]:
        group = grouped.get(id(action))
        if action.dest == "help" or id(group) in told:
            continue
        if group is None:
            yield _bracketed(action)
        else:
            told.add(id(group))
            yield "[" + " | ".join(_named(each) for each in group._group_actions) + "]"


def _arguments(parser: argparse.ArgumentParser) -> Iterator[str]:
    for action in [*_positionals(parser), *_options(parser)]:
        if action.dest != "help":
            yield f".TP\n{', '.join(_spellings(action))}\n{_sentence(action.help or '')}"


def _options(parser: argparse.ArgumentParser) -> list[argparse.Action]:
    return [action for action in parser._actions if action.option_strings]


def _positionals(parser: argparse.ArgumentParser) -> list[argparse.Action]:
    commands = argparse._SubParsersAction
    return [action for action in parser._actions if not action.option_strings and not isinstance(action, commands)]


def _bracketed(action: argparse.Action) -> str:
    named = _named(action)
    if action.nargs in ("*", "+") or isinstance(action, argparse._AppendAction):
        named += " ..."
    return named if action.required and action.nargs not in ("?", "*") else f"[{named}]"


def _named(action: argparse.Action) -> str:
    return _spellings(action)[-1]


def _spellings(action: argparse.Action) -> list[str]:
    value = "" if action.nargs == 0 else f"\\fI{_escaped(_value(action))}\\fR"
    return [f"\\fB{_escaped(name)}\\fR {value}".rstrip() for name in action.option_strings] or [value]


def _value(action: argparse.Action) -> str:
    if action.metavar is None and action.choices is not None:
        return "|".join(map(str, action.choices))
    return str(action.metavar or action.dest.upper())


def _sentence(text: str) -> str:
    end = "" if text.endswith(("?", ".", "!")) else "."
    return _escaped(text[:1].upper() + text[1:] + end)


def _escaped(text: str) -> str:
    """Text that roff takes for text: hyphens that can be copied, no request at a line's beginning, ASCII only."""
    text = text.replace("\\", "\\e").replace("-", "\\-").replace("…", "...").replace("'", "\\(aq")
    text = "".join(char if char.isascii() else f"\\[u{ord(char):04X}]" for char in text)
    return "\\&" + text if text.startswith(".") else text


def main() -> int:
    """Write the page, or with --check compare it; 1 if it is out of date."""
    made = page()
    if sys.argv[1:] == ["--check"]:
        return 0 if PAGE.is_file() and PAGE.read_text() == made else 1
    PAGE.write_text(made)
    return 0


if __name__ == "__main__":
    sys.exit(main())
