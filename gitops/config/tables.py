"""The tables of `assay.toml`, but for those about models: frozen, and closed to keys that they do not know."""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from typing import Any, Literal, get_args

from pydantic import BaseModel, ConfigDict, Field, field_validator, model_validator

RunType = Literal["ingest", "cascade", "synthesis", "lint", "archive", "eval", "benchmark", "extraction"]
RUN_TYPES: tuple[str, ...] = get_args(RunType)
SOURCE_HEADINGS = (
    "Sources", "Source", "References", "Citations", "Bibliography", "Works cited", "参考", "参考文献",
    "参考资料", "参考来源", "资料来源", "出处", "来源", "資料來源", "參考資料", "參考文獻", "출처", "참고",
    "참고 문헌", "참고문헌", "참고 자료", "소스", "出典", "参考資料", "Quellen", "Literatur",
    "Fuentes", "Referencias", "Fontes", "Referências", "Источники", "Литература", "Список литературы",
    "Джерела", "Джерело", "Література", "Références", "Bibliographie", "Fonti", "Riferimenti", "Bibliografia", "Zdroje",
    "Źródła", "Bronnen", "Källor", "Kilder", "Lähteet", "Források", "Kaynaklar", "Nguồn", "Tài liệu tham khảo",
)  # fmt: skip
"""Headings under which wikis list their sources (levels and numbers before them don't matter)."""
SOURCE_FIELDS = (
    "sources", "source", "raw_paths", "raw_path", "source_file", "source_files", "source_path", "source_paths", "raw",
    "raw_file", "raw_source", "raw_sources", "resource", "related_sources", "source_pages",
)  # fmt: skip
"""Frontmatter keys under which wikis name their sources."""
SOURCE_PAGES = ("sources", "_sources", "papers", "references")
"""Folders of pages that stand for one source each; globs (`src-*`) are of the pages' names."""
FREE_JUDGES = frozenset(("offline", "none"))
"""What `[verify] judge` may name without a model being needed."""
SLUG = r"^[a-z0-9][a-z0-9._-]{0,62}$"


class Table(BaseModel):
    """A table of the file: frozen, and closed to keys it does not know."""

    model_config = ConfigDict(frozen=True, extra="forbid")


def inner_folder(value: str) -> str:
    """A folder inside the workspace, without a slash around it. ValueError for what may lead elsewhere."""
    folder = value.strip("/")
    parts = folder.split("/")
    if not folder or value.startswith("/") or any(p in ("", ".", "..") for p in parts) or parts[0].lower() == ".git":
        raise ValueError("must be a folder inside the workspace, such as 'raw'")
    return folder


def _folder_or_here(value: str) -> str:
    return "." if value in (".", "./") else inner_folder(value)


class Workspace(Table):
    """`[workspace]`: what the workspace is called and where its parts lie, relative to `assay.toml`.

    `wiki = "."` where the workspace is the wiki. The sources and the gold may lie below the wiki; what matches
    `exclude` (globs below the wiki) is no page of it.
    """

    name: str = Field(default="", pattern=r"^$|" + SLUG)
    raw: str = "raw"
    wiki: str = "wiki"
    gold: str = "gold"
    index: str = "index.md"
    log: str = "log.md"
    exclude: tuple[str, ...] = ()

    _inside = field_validator("raw", "gold", "index", "log")(inner_folder)
    _anywhere = field_validator("wiki")(_folder_or_here)

    @model_validator(mode="after")
    def _apart(self) -> Workspace:
        folders = {"raw": self.raw, "gold": self.gold, "wiki": self.wiki}
        for one, other in itertools.permutations(folders, 2):
            inside, around = (f"{folders[name]}/".casefold() for name in (other, one))
            if inside == around or (one != "wiki" and inside.startswith(around)):
                raise ValueError(f"'{one}' and '{other}' must be folders apart from each other")
        for page in ("index", "log"):
            path = self.below_wiki(getattr(self, page)).casefold()
            if path.startswith((f"{self.raw}/".casefold(), f"{self.gold}/".casefold())):
                raise ValueError(f"'{page}' is a page of the wiki and lies neither in 'raw' nor in 'gold'")
        if self.index.casefold() == self.log.casefold():
            raise ValueError("'index' and 'log' must be two pages")
        return self

    def below_wiki(self, path: str) -> str:
        """The path in the workspace of what the wiki has at a path."""
        return path if self.wiki == "." else f"{self.wiki}/{path}"


class Citations(Table):
    """`[citations]`: the conventions in use, what they look for, and what a citation must carry."""

    dialects: tuple[str, ...] = ("canonical",)
    require: tuple[Literal["quote", "page", "offset"], ...] = ("quote",)
    headings: tuple[str, ...] = SOURCE_HEADINGS
    fields: tuple[str, ...] = SOURCE_FIELDS
    source_pages: tuple[str, ...] = SOURCE_PAGES


class Pages(Table):
    """`[pages]`: what the frontmatter must hold, and which pages (globs below the wiki) owe no citation."""

    required: tuple[str, ...] = ()
    exempt: tuple[str, ...] = ()


class CheckSettings(Table):
    """`[checks.ID]`: a check's levels, by result or for all its results; `off` silences it.

    The levels of `raw_sealed` and `path_acl` cannot be changed.
    """

    level: Literal["error", "warning", "note", "off"] | None = None
    results: Mapping[str, Literal["error", "warning", "note", "off"]] = Field(default_factory=dict)


class Coverage(Table):
    """`[coverage]`: how many of a source's terms count, and the share of missed pages that warns."""

    terms: int = Field(default=20, ge=1, le=200)
    warn_above: float = Field(default=0.30, ge=0, le=1)


class Verify(Table):
    """`[verify]`: who votes on meaning, what share of claims must have a vote, how often a writer may revise.

    Several judges are asked in order, each only what those before it were unsure of. Without `min_judged` every claim
    must have a vote where a judge needs a model, and none where the offline judge is alone.
    """

    judge: tuple[str, ...] = ("offline",)
    min_judged: float | None = Field(default=None, ge=0, le=1)
    max_loops: int = Field(default=3, ge=1, le=20)

    @property
    def wanted(self) -> float:
        """The share of claims that must have a vote (`PROTOCOL.md` 8)."""
        if self.min_judged is not None:
            return self.min_judged
        return 0.0 if set(self.judge) <= FREE_JUDGES else 1.0

    @field_validator("judge", mode="before")
    @classmethod
    def _one_or_many(cls, value: Any) -> Any:
        return (value,) if isinstance(value, str) else value


class Runs(Table):
    """`[runs]`: which pushed branches are adopted (globs of pusher addresses), and when a run goes stale."""

    stale_after: str = Field(default="", pattern=r"^$|^[1-9][0-9]*[hdw]$")
    adopt_from: tuple[str, ...] = ("*",)


class Publish(Table):
    """`[publish]`: how a verified candidate becomes history."""

    style: Literal["merge", "squash"] = "merge"


class Eval(Table):
    """`[eval]`: whether what is due after every ingest (M2) is measured as soon as one has landed."""

    on_ingest: bool = True


class Synthesis(Table):
    """`[synthesis]`: when a synthesis is due, where below the wiki its page lies, how many claims it shows at most."""

    every: str = Field(default="7d", pattern=r"^[1-9][0-9]{0,3}[hdw]$")
    folder: str = "synthesis"
    max_claims: int = Field(default=60, ge=1, le=1_000)

    _inside = field_validator("folder")(inner_folder)


class Trust(Table):
    """`[trust]`: whether what lands a change or opens a gate must be signed, by whom; what the repository is called.

    The files are named from the workspace's folder and are read from the base commit, as the policy is.
    """

    signed: bool = False
    repository: str = ""
    allowed_signers: str = ".assay/allowed_signers"
    revoked_keys: str = ".assay/revoked_keys"

    _inside = field_validator("allowed_signers", "revoked_keys")(inner_folder)

    @model_validator(mode="after")
    def _named(self) -> Trust:
        if self.signed and not self.repository.strip():
            raise ValueError("'signed' needs 'repository': what this repository is called, such as its address")
        return self
