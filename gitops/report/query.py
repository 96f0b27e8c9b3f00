"""An answer in words: what the wiki says, then the pages it stands on with the sources that they cite."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from rich.console import Group, RenderableType
from rich.text import Text

from gitops.agents.answers import Answer, Citation, Lead, Source
from gitops.report import text
from gitops.report.visible import inline, visible

if TYPE_CHECKING:
    from gitops.agents.querying import Estimate

_INDENT = 4


def words(found: Answer) -> RenderableType:
    """The answer or the refusal. A model's answer is followed by the words it quotes; others are those words."""
    said = found.said
    if said.refused:
        told = [inline(said.reason), *_lead(said.lead)]
        return Group(Text(said.text, style="yellow"), *(Text(line, style="dim") for line in told if line))
    parts: list[RenderableType] = [Text(visible(said.text)), Text("")]
    for citation in said.citations:
        parts += _citation(citation, quoted=bool(found.model))
    return Group(*parts)


def _lead(lead: Lead | None) -> Iterator[str]:
    """A source that says it."""
    if lead is not None:
        yield f"a source does: {inline(lead.path)}:{lead.line}"


def _citation(citation: Citation, *, quoted: bool) -> Iterator[RenderableType]:
    yield Text(f"{inline(citation.path)}:{citation.line}", style="bold")
    if quoted:
        yield text.indented(Text(f'"{inline(" ".join(citation.quote.split()))}"'), _INDENT)
    for source in citation.sources:
        yield text.indented(Text(f"cites {_named(source)}", style="dim"), _INDENT)


def _named(source: Source) -> str:
    quote = f', "{" ".join(source.quote.split())}"' if source.quote else ""
    return inline(f"{source.path}{', ' + source.locator if source.locator else ''}{quote}")


def estimate(found: Estimate) -> RenderableType:
    """What asking would take."""
    chunks = f"{found.found} chunk{'' if found.found == 1 else 's'} found"
    if not found.model:
        return Text(f"preset {found.preset} answers without a model, at no cost; {chunks}")
    usage = found.usage
    tokens = f"about {usage.read:,} tokens in and {usage.output:,} out, ${usage.usd:.4f}"
    more = "each further call reads that again, mostly from the cache"
    return Text(f"preset {found.preset} would ask {found.model}; {chunks}\nthe first call: {tokens}; {more}")
