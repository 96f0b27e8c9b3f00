"""`[llm]`: models, how to reach them, what they cost and what they may spend."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from pydantic import Field, model_validator

from gitops.config.tables import Table
from gitops.errors import UsageError


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
    "scorer": Preset(model="claude-haiku-4-5"),
    "escalate": Preset(model="claude-opus-5-5"),
}
"""The presets there are without any configuration. The verifier reads and votes, so it is the cheaper one; `escalate`
judges rationales, where a wrong vote costs most (dossier DEC-0009).
"""


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
