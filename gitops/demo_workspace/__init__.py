"""What the demonstration plays with: seven sources, a page about each, and six ways of getting such a page wrong."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from importlib.resources import files

NAMES = ("tides", "salt-marsh", "dunes", "limpets", "kelp", "sea-fog", "lighthouse")
SOURCES = tuple(f"raw/{name}.md" for name in NAMES)


@dataclass(frozen=True, slots=True)
class Write:
    """A write to the wiki: what it is, the id of its run, the source it reads, the page, whatever else it stages."""

    what: str
    run_id: str
    source: str
    page: str
    text: str
    besides: Mapping[str, str]
    entry: str
    """What the index calls the page."""
    is_linked: bool = True
    """Whether it makes a link of that entry."""
    refused_by: str = ""
    """The check that must refuse it; '' for the sound one."""
    remark: str = ""
    claim: tuple[str, str] = ("", "")
    """What the page claims, and what it should: where it is the claim that is wrong."""

    @property
    def link(self) -> tuple[str, str]:
        """The entry in the index without its link, and with it."""
        return f"- {self.entry}", f"- [{self.entry}]({self.page.removeprefix('wiki/')})"


def packed(path: str) -> str:
    """A file of the workspace."""
    return (files("gitops") / "demo_workspace" / path).read_text("utf-8")


def sound() -> Write:
    """The write that lands, and with it the index, which names the pages that are still to come."""
    page = "wiki/spring-tides.md"
    index = {"wiki/index.md": packed("wiki/index.md")}
    return Write("a sound run", "spring-tides", "raw/tides.md", page, packed(page), index, "Spring tides")


def poisons() -> list[Write]:
    """The six that must not land, in the order in which models commit them. Mended, each of them lands."""
    salt = _about("salt-marsh", "Salt marsh")
    dunes = _about("dunes", "Dunes")
    limpets = _about("limpets", "Limpets")
    kelp = _about("kelp", "Kelp")
    fog = _about("sea-fog", "Sea fog")
    lamp = _about("lighthouse", "Lighthouse")
    return [
        replace(
            salt,
            what="an altered quotation",
            run_id="altered-quotation",
            text=salt.text.replace("18 %", "80 %"),
            refused_by="quote_anchor",
        ),
        replace(
            dunes,
            what="a citation to a file that is not there",
            run_id="missing-source",
            text=dunes.text.replace("raw/dunes.md", "raw/dunes.pdf"),
            refused_by="source_exists",
        ),
        replace(limpets, what="an orphan page", run_id="orphan-page", is_linked=False, refused_by="orphan"),
        replace(
            kelp,
            what="a true quotation under a false claim",
            run_id="false-claim",
            text=kelp.text.replace(KELP[1], KELP[0]),
            refused_by="support",
            claim=KELP,
        ),
        replace(
            fog,
            what="a write into raw/",
            run_id="raw-write",
            besides={fog.source: packed(fog.source).replace("cooler", "warmer")},
            refused_by="raw_sealed",
            remark="A new run takes the pages alone; sources come in by git assay raw sync",
        ),
        replace(
            lamp,
            what="a write that loosens assay.toml",
            run_id="loose-policy",
            besides={"assay.toml": '[checks.quote_anchor]\nlevel = "off"\n'},
            refused_by="path_acl",
            remark="A new run takes the pages alone; people change the policy themselves",
        ),
    ]


KELP = ("giant kelp grows by up to 6 cm in a day", "giant kelp grows by up to 60 cm in a day")


def _about(name: str, entry: str) -> Write:
    page = f"wiki/{name}.md"
    return Write(entry, name, f"raw/{name}.md", page, packed(page), {}, entry)
