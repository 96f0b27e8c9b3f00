"""`assay.toml`: policy, read once from the base commit into one frozen value.

An unknown key is an error that names the nearest key. A change is judged by the policy of the commit
it starts from, so it cannot loosen its own gate.
"""

from __future__ import annotations

import itertools
import tomllib
from collections.abc import Mapping
from typing import Any, Literal, get_args

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator, model_validator

from gitops.canonical import digest
from gitops.errors import UsageError

FILE_NAME = "assay.toml"
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
SLUG = r"^[a-z0-9][a-z0-9._-]{0,62}$"


class Table(BaseModel):
    """A table of the file: frozen, and closed to keys it does not know."""

    model_config = ConfigDict(frozen=True, extra="forbid")


def _folder(value: str) -> str:
    folder = value.strip("/")
    parts = folder.split("/")
    if not folder or value.startswith("/") or any(p in ("", ".", "..") for p in parts) or parts[0].lower() == ".git":
        raise ValueError("must be a folder inside the workspace, such as 'raw'")
    return folder


def _folder_or_here(value: str) -> str:
    return "." if value in (".", "./") else _folder(value)


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

    _inside = field_validator("raw", "gold", "index", "log")(_folder)
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
        return 0.0 if set(self.judge) <= {"offline", "none"} else 1.0

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


class Synthesis(Table):
    """`[synthesis]`: when a synthesis is due, where below the wiki its page lies, how many claims it shows at most."""

    every: str = Field(default="7d", pattern=r"^[1-9][0-9]{0,3}[hdw]$")
    folder: str = "synthesis"
    max_claims: int = Field(default=60, ge=1, le=1_000)

    _inside = field_validator("folder")(_folder)


class Preset(Table):
    """`[llm.presets.NAME]`: a model and how to reach it. `offline` needs none and writes from the source's sentences.

    `base_url` '' is Anthropic's own. `context_tokens` is what the model reads at once; longer sources are split.
    """

    provider: Literal["anthropic", "offline"] = "anthropic"
    model: str = ""
    base_url: str = ""
    api_key_env: str = Field(default="ANTHROPIC_API_KEY", pattern=r"^[A-Za-z_][A-Za-z0-9_]*$")
    effort: Literal["", "low", "medium", "high", "xhigh", "max"] = ""
    max_tokens: int = Field(default=16_000, ge=1)
    context_tokens: int = Field(default=200_000, ge=2_000)
    concurrency: int = Field(default=8, ge=1, le=64)
    timeout_s: float = Field(default=600.0, gt=0)
    max_retries: int = Field(default=4, ge=0, le=20)

    @model_validator(mode="after")
    def _has_a_model(self) -> Preset:
        if self.provider == "anthropic" and not self.model:
            raise ValueError("needs a 'model'")
        return self


class Price(Table):
    """`[llm.prices."MODEL"]`: US dollars for a million tokens, and the day they were read."""

    input: float = Field(ge=0)
    output: float = Field(ge=0)
    cache_write: float = Field(ge=0)
    cache_read: float = Field(ge=0)
    as_of: str = Field(default="", pattern=r"^$|^\d{4}-\d\d-\d\d$")


class Budget(Table):
    """`[llm.budgets.OPERATION]`: what one operation may spend; 0 means no bound."""

    input_tokens: int = Field(default=0, ge=0)
    output_tokens: int = Field(default=0, ge=0)
    usd: float = Field(default=0.0, ge=0)

    def times(self, share: float) -> Budget:
        """A share of the budget, at least 1 of what has a bound: 0 would be none."""
        tokens = {name: max(1, round(bound * share)) if bound else 0 for name, bound in self._tokens().items()}
        return Budget(**tokens, usd=self.usd * share)

    def _tokens(self) -> dict[str, int]:
        return {"input_tokens": self.input_tokens, "output_tokens": self.output_tokens}


class Budgets(Table):
    """`[llm.budgets]`: a budget for each type of run, and for `query`; the verifier has a share of the writer's."""

    verifier_budget_multiplier: float = Field(default=0.5, gt=0)
    ingest: Budget = Budget()
    cascade: Budget = Budget()
    synthesis: Budget = Budget()
    lint: Budget = Budget()
    archive: Budget = Budget()
    eval: Budget = Budget()
    benchmark: Budget = Budget()
    extraction: Budget = Budget()
    query: Budget = Budget()

    def of(self, operation: str) -> Budget:
        """The budget of a type of run or of `query`."""
        found = getattr(self, operation)
        assert isinstance(found, Budget)
        return found

    def verifier_of(self, operation: str) -> Budget:
        """The verifier's share of it (alexandria 13, "Cost and SLA")."""
        return self.of(operation).times(self.verifier_budget_multiplier)


PRESETS: Mapping[str, Preset] = {
    "offline": Preset(provider="offline"),
    "claude": Preset(model="claude-opus-5-5"),
    "verifier": Preset(model="claude-sonnet-5-5"),
}
"""The presets there are without any configuration. The verifier reads and votes, so it is the cheaper one."""


class Llm(Table):
    """`[llm]`: which preset writes and answers, which one verifies, what they cost and what they may spend."""

    writer: str = "offline"
    verifier: str = "verifier"
    presets: Mapping[str, Preset] = Field(default_factory=dict)
    prices: Mapping[str, Price] = Field(default_factory=dict)
    budgets: Budgets = Budgets()

    @model_validator(mode="after")
    def _names_presets(self) -> Llm:
        known = sorted({*PRESETS, *self.presets})
        for name in (self.writer, self.verifier):
            if name not in known:
                raise ValueError(f"there is no preset '{name}'; known: {', '.join(known)}")
        return self

    def preset(self, name: str) -> Preset:
        """The preset of a name. UsageError with those that there are."""
        found = self.presets.get(name) or PRESETS.get(name)
        if found is None:
            raise UsageError(f"there is no preset '{name}'", f"known: {', '.join(sorted({*PRESETS, *self.presets}))}")
        return found


class Config(Table):
    """The whole of `assay.toml`."""

    workspace: Workspace = Workspace()
    citations: Citations = Citations()
    pages: Pages = Pages()
    verify: Verify = Verify()
    coverage: Coverage = Coverage()
    checks: Mapping[str, CheckSettings] = Field(default_factory=dict)
    runs: Runs = Runs()
    publish: Publish = Publish()
    synthesis: Synthesis = Synthesis()
    llm: Llm = Llm()

    def digest(self) -> str:
        """The policy's identity: what verdicts name and caches are keyed by."""
        return digest(self.model_dump(mode="json"))


def parse(data: bytes, where: str = FILE_NAME) -> Config:
    """Read the bytes of an `assay.toml`. UsageError names the file, the key, and the nearest key there is."""
    try:
        table = tomllib.loads(data.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        raise UsageError(f"{where}: not UTF-8 at byte {error.start}", f"save {where} as UTF-8") from error
    except tomllib.TOMLDecodeError as error:
        raise UsageError(f"{where}: not TOML: {error}", "mend the line it names; see docs/configuration.md") from error
    try:
        return Config.model_validate(table)
    except ValidationError as error:
        raise _told(error, where) from error


def _told(error: ValidationError, where: str) -> UsageError:
    first = error.errors(include_url=False)[0]
    path = tuple(str(part) for part in first["loc"])
    key = ".".join(path)
    if first["type"] == "extra_forbidden":
        import difflib

        near = difflib.get_close_matches(path[-1], known := _keys_beside(path), n=1, cutoff=0.5)
        hint = f"did you mean '{near[0]}'?" if near else f"known here: {', '.join(known)}"
        return UsageError(f"{where}: unknown key '{key}'", hint)
    message = str(first["msg"]).removeprefix("Value error, ")
    hint = f"change '{key}'; see docs/configuration.md"
    given = first["input"]
    told = "" if isinstance(given, dict) else f" (it is {given!r})"
    return UsageError(f"{where}: '{key}': {message}{told}", hint)


def _keys_beside(path: tuple[str, ...]) -> list[str]:
    model: type[BaseModel] = Config
    for part in path[:-1]:
        field = model.model_fields.get(part)
        if field is None:
            break
        inner = [kind for kind in (field.annotation, *get_args(field.annotation)) if isinstance(kind, type)]
        model = next((kind for kind in inner if issubclass(kind, BaseModel)), model)
    return list(model.model_fields)
