"""Takes out of texts what tells who somebody is, before they become cases (silas 20.7): by scrubadub, where installed.

What is found is replaced by what it is and a number, `{{EMAIL-1}}`, the same for the same text throughout one case. The
library finds e-mail addresses, telephone numbers, URLs, names of accounts, and numbers of cards, taxes, national
insurance and postal codes; `private_text` finds keys, users' folders, addresses of machines and accounts of banks.
Nobody finds all names of persons: those that are told are taken out.
"""

from __future__ import annotations

import warnings
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING, Any

from gitops.errors import CannotRun
from gitops.git.process import git
from gitops.suites.model import MODES, BenchmarkExpected, BenchmarkInput
from gitops.suites.modes import contains, llm_judge
from gitops.suites.private_text import Span, named, spans
from gitops.suites.replaying import ChangedFile

if TYPE_CHECKING:
    from gitops.git.repository import Repository

INSTALL = "pip install 'git-assay[scrub]'"
PERSON = "PERSON"
_LOCALES = ("en_US", "en_GB")
"""What numbers of telephones without a country, postal codes and tax numbers are read by."""
_DETECTORS = (
    "email",
    "phone",
    "url",
    "twitter",
    "credit_card",
    "social_security_number",
    "national_insurance_number",
    "tax_reference_number",
    "postalcode",
)
"""Those of the library that end where the number ends: `credential` and `skype` take the rest of the text along."""
_MODELS = (BenchmarkInput, BenchmarkExpected, contains.Wanted, llm_judge.Wanted, ChangedFile)
FIELDS = frozenset(
    {"description", "input", "expected", "tags", "json", "policy", "run_type", "sources", "reason", *MODES}.union(
        *(model.model_fields for model in _MODELS)
    )
)
"""The names of fields that a case is made of: they stay, whoever is called like one of them."""
_LEAST_DIGITS = 7
"""So many digits can be somebody's number; what has fewer is a count or a year."""
_LABELS = {"twitter": "ACCOUNT", "social_security_number": "NUMBER", "national_insurance_number": "NUMBER"}
_LABELS |= {"tax_reference_number": "NUMBER", "postalcode": "POSTCODE"}


@dataclass
class Scrubber:
    """Scrubs texts; `names` are persons' names, `removed` counts what was taken out so far, by what it was."""

    names: Iterable[str] = ()
    removed: Counter[str] = field(default_factory=Counter)

    def __post_init__(self) -> None:
        self._named = named(self.names)
        self._library = detectors()

    def value(self, value: Any) -> Any:
        """A JSON value with every text and number in it scrubbed, names of fields among them but for `FIELDS`: one text
        has one replacement.
        """
        return self._value(value, {})

    def text(self, text: str) -> str:
        """One text, scrubbed."""
        return self._text(text, {})

    def _value(self, value: Any, known: dict[tuple[str, str], str]) -> Any:
        if isinstance(value, str):
            return self._text(value, known)
        if isinstance(value, Mapping):
            return {self._name(str(name), known): self._value(each, known) for name, each in value.items()}
        if isinstance(value, list | tuple):
            return [self._value(each, known) for each in value]
        return self._number(value, known) if type(value) is int else value

    def _name(self, name: str, known: dict[tuple[str, str], str]) -> str:
        return name if name in FIELDS else self._text(name, known)

    def _number(self, value: int, known: dict[tuple[str, str], str]) -> int | str:
        """A number that is somebody's (of a telephone, of a card) is one too where it is no text."""
        told = str(value)
        if len(told) < _LEAST_DIGITS:
            return value
        clean = self._text(told, known)
        return value if clean == told else clean

    def _text(self, text: str, known: dict[tuple[str, str], str]) -> str:
        parts, at = [], 0
        for found in _apart(self._found(text)):
            said = text[found.start : found.end]
            key = found.label, " ".join(said.split()).casefold()
            if key not in known:
                number = sum(label == found.label for label, _ in known) + 1
                known[key] = f"{{{{{found.label}-{number}}}}}"
            self.removed[found.label] += 1
            parts += [text[at : found.start], known[key]]
            at = found.end
        return "".join((*parts, text[at:]))

    def _found(self, text: str) -> Iterator[Span]:
        yield from spans(text)
        if self._named is not None:
            yield from (Span(*found.span(), PERSON) for found in self._named.finditer(text))
        for detector in self._library:
            for filth in detector.iter_filth(text):
                if _is_whole(text, filth.beg, filth.end) and not _is_offset(text[filth.beg : filth.end]):
                    yield Span(filth.beg, filth.end, _LABELS.get(filth.type, str(filth.type).upper()))


def _is_whole(text: str, start: int, end: int) -> bool:
    """Whether a stretch is no part of a longer word: in a digest, what looks like somebody's number is none."""
    around = text[start - 1 : start], text[start : start + 1], text[end - 1 : end], text[end : end + 1]
    before, first, last, after = (each.isalnum() for each in around)
    return not (before and first) and not (last and after)


def _is_offset(text: str) -> bool:
    """Whether what looks like an account is the place of a quotation in its source (`@20`)."""
    return text.startswith("@") and text[1:].isdigit()


def _apart(found: Iterable[Span]) -> Iterator[Span]:
    """Stretches that do not overlap, in order: those that do are one, called as the longest of them."""
    run: list[Span] = []
    for one in sorted(span for span in found if span.end > span.start):
        if run and one.start >= max(each.end for each in run):
            yield _joined(run)
            run = []
        run.append(one)
    if run:
        yield _joined(run)


def _joined(run: list[Span]) -> Span:
    longest = max(run, key=lambda one: (one.end - one.start, one.label))
    return Span(run[0].start, max(one.end for one in run), longest.label)


@cache
def detectors() -> tuple[Any, ...]:
    """The library's detectors. CannotRun where it is not installed."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of the libraries that it stands on
            from scrubadub.detectors import detector_catalogue
    except ImportError as error:
        told = "scrubadub, which finds personal data, is not installed, and no case is made of texts that may hold some"
        raise CannotRun(told, INSTALL) from error
    known = detector_catalogue.get_all()
    return tuple(known[name](locale=locale) for name in _DETECTORS for locale in _locales(known[name]))


def _locales(kind: Any) -> list[str]:
    """The locales that a detector is to be asked in: one where it finds the same in all of them."""
    if not hasattr(kind, "supported_locale"):
        return list(_LOCALES[:1])
    return [locale for locale in _LOCALES if kind.supported_locale(locale)]


def persons(repository: Repository) -> list[str]:
    """The names of all who wrote or committed here, by git's history: the persons that a machine can know of.

    Programs are none: what a host commits by itself, and what calls itself a bot.
    """
    done = git(repository, "log", "--all", "--format=%an <%ae>%n%cn <%ce>", check=False)
    told = (line.rpartition(" <") for line in done.text.split("\n"))
    return sorted({name for name, _, mail in told if len(name) > 2 and not _is_program(name, mail.removesuffix(">"))})


def _is_program(name: str, mail: str) -> bool:
    return name.endswith("[bot]") or mail == "noreply@github.com"
