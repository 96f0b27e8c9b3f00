"""The parts a command's grammar is made of: a parser whose errors mend, groups of commands, kinds of values."""

from __future__ import annotations

import argparse
import os
import re
import sys

TYPE_CHECKING = False  # as typing has it; importing that takes longer than all of this module
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Any, NoReturn

_MOST = 2**53
"""Beyond it floats leave whole numbers out."""
_WRONG_CHOICE = re.compile(r"argument (.*?): invalid choice: '(.*)' \(choose from (.*)\)", re.DOTALL)


class Parser(argparse.ArgumentParser):
    """An argument parser whose errors take two lines, the second of which mends."""

    def __init__(self, **options: Any) -> None:
        options.setdefault("formatter_class", Formatter)
        super().__init__(allow_abbrev=False, add_help=False, **options)
        self.add_argument("-h", "--help", action="help", help="show this help")

    def error(self, message: str) -> NoReturn:
        """Say what is wrong and what was perhaps meant; leave with 2."""
        hint = f"{self.prog} --help"
        if wrong := _WRONG_CHOICE.fullmatch(message):
            choices = re.findall(r"[\w-]+", wrong[3])
            what = "a command" if wrong[1] == "COMMAND" else f"a value of {wrong[1]}"
            message = f"'{wrong[2]}' is not {what}: {', '.join(choices)}"
            hint = nearest(wrong[2], choices) or hint
        self.refuse(f"{self.prog}: {message}", hint)

    def unknown(self, words: list[str], above: argparse.ArgumentParser) -> NoReturn:
        """Refuse what nothing of this command takes; an option of `git assay` itself has only lost its place."""
        option = words[0].partition("=")[0]
        hint = nearest(option, self._option_string_actions) or f"{self.prog} --help"
        if (belonging := above._option_string_actions.get(option)) is not None:
            value = f" {belonging.metavar}" if belonging.metavar else ""
            hint = f"it goes before the command: {above.prog} {option}{value}{self.prog.removeprefix(above.prog)} …"
        self.refuse(f"{self.prog}: '{words[0]}' is one argument too many", hint)

    def _print_message(self, message: str, file: Any = None) -> None:
        """Print help; unlike argparse's own, a reader who has left is not overlooked."""
        (file or sys.stderr).write(message)

    def refuse(self, message: str, hint: str) -> NoReturn:
        """Leave with 2, having said why."""
        from gitops.cli import tell

        tell(message, hint)
        raise SystemExit(2)


class Formatter(argparse.HelpFormatter):
    """Help with room enough for the names of commands."""

    def __init__(self, prog: str, **options: Any) -> None:
        # argparse asks shutil for the width, which imports every compression there is.
        super().__init__(prog, max_help_position=26, width=_columns() - 2, **options)

    def _format_action(self, action: argparse.Action) -> str:
        """Commands stand in their group as they are, without the line that would say COMMAND again."""
        if isinstance(action, argparse._SubParsersAction):
            return "".join(self._format_action(each) for each in self._iter_indented_subactions(action))
        return super()._format_action(action)


class Commands:
    """Adds commands below a parser: a name, one line of help, a function to call."""

    def __init__(self, parser: argparse.ArgumentParser, dest: str) -> None:
        self._actions = parser.add_subparsers(
            title="commands", dest=dest, metavar="COMMAND", required=True, parser_class=Parser, prog=parser.prog
        )

    def parsers(self) -> list[Parser]:
        """Those of all commands added so far, and of theirs."""
        return [found for each in self._actions.choices.values() for found in (_inner(each) or [each])]

    def add(self, name: str, help: str, function: Callable[[argparse.Namespace], int] | None = None) -> Parser:
        """A command; without a function it is a group of commands, or is filled in later."""
        parser: Parser = self._actions.add_parser(name, help=help, description=help[0].upper() + help[1:] + ".")
        parser.set_defaults(parser=parser)
        if function is not None:
            parser.set_defaults(function=function)
        return parser


def fill_in(parser: Parser, dest: str, modules: Iterable[str]) -> None:
    """Add the commands that modules below `gitops.cli` declare; each takes `--workspace` after its name, too.

    That is the specification's own place for it; before the command, as everywhere else, it does as well.
    """
    from importlib import import_module

    inner = Commands(parser, dest)
    for module in modules:
        import_module(f"gitops.cli.{module}").declare(inner)
    for each in inner.parsers():
        if "--workspace" not in each._option_string_actions:
            named = "which workspace of the repository"
            each.add_argument("--workspace", default=argparse.SUPPRESS, metavar="NAME", help=named)


def _inner(parser: argparse.ArgumentParser) -> list[Parser]:
    """The parsers of all commands below one, groups of commands left out."""
    below = [
        each
        for action in parser._actions
        if isinstance(action, argparse._SubParsersAction)
        for each in action.choices.values()
    ]
    return [found for each in below for found in (_inner(each) or [each])]


def _columns() -> int:
    """How wide the terminal is: COLUMNS, else what the terminal says, else 80."""
    given = os.environ.get("COLUMNS", "")
    if given.isdigit() and int(given) > 0:
        return int(given)
    try:
        return os.get_terminal_size(sys.stdout.fileno()).columns or 80
    except (AttributeError, ValueError, OSError):
        return 80  # standard output is closed, replaced, or no terminal


def nearest(word: str, known: Iterable[str]) -> str:
    """`did you mean …?`, or nothing where no known word is near."""
    import difflib

    near = difflib.get_close_matches(word, list(known), n=1)
    return f"did you mean '{near[0]}'?" if near else ""


def count(text: str) -> int:
    """A whole number of at least 1."""
    if not text.isascii() or not text.isdigit() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"'{text}' is not a whole number from 1 on")
    return int(text)


def seed(text: str) -> int:
    """A whole number of at least 0, which says what is drawn."""
    if not text.isascii() or not text.isdigit():
        raise argparse.ArgumentTypeError(f"'{text}' is not a whole number from 0 on")
    return int(text)


def chance(text: str) -> float:
    """A number between 0 and 1, neither of them."""
    try:
        number = float(text)
    except ValueError:
        number = 0.0
    if not 0 < number < 1:
        raise argparse.ArgumentTypeError(f"'{text}' is not a number between 0 and 1")
    return number


def how_compared(made: Parser, *, has_files: bool = False) -> None:
    """The options that every comparison has: how sure it has to be, and as what it is told."""
    alpha = "how often chance alone may look like a difference, over all metrics (default: 0.05)"
    made.add_argument("--alpha", type=chance, default=0.05, metavar="P", help=alpha)
    if has_files:
        made.add_argument("--report", metavar="FILE.md", help="write the report as Markdown")
        made.add_argument("--html", metavar="FILE", help="write it as one page that holds everything, for a browser")
    made.add_argument("--json", action="store_true", help="print JSON")


def amount(text: str) -> float:
    """A number that is neither negative nor too large for a record."""
    try:
        number = float(text)
    except ValueError:
        number = -1.0
    if not 0 <= number < _MOST:
        raise argparse.ArgumentTypeError(f"'{text}' is not a number from 0 to {_MOST:,}")
    return number
