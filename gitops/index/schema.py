"""The index's tables: the specifications' names, columns, checks and indices, as ordered migrations.

`workspaces`, `runs`, `eval_runs` and `eval_gold_queries` are alexandria-13's and -14's; `aggregate_json` and
`config_json` of `eval_runs` and the table `eval_query_results` are kebab p5-2's; `eviction_feedback` holds silas
§19.2's `EvictionFeedback` with what calibration (§19.4) needs of its proposal.
"""

from __future__ import annotations

MIGRATIONS: tuple[tuple[str, ...], ...] = (
    (
        """CREATE TABLE workspaces (
          slug  TEXT PRIMARY KEY NOT NULL,
          root  TEXT NOT NULL DEFAULT '',      -- the folder of assay.toml, relative to the repository
          raw   TEXT NOT NULL DEFAULT 'raw',
          wiki  TEXT NOT NULL DEFAULT 'wiki',
          gold  TEXT NOT NULL DEFAULT 'gold'
        )""",
        """CREATE TABLE runs (
          run_id           TEXT PRIMARY KEY,
          workspace        TEXT NOT NULL REFERENCES workspaces(slug),
          triggered_by     TEXT NOT NULL,          -- 'mcp:<tool>' | 'cli:<cmd>' | 'push:' | 'ci:' | 'daemon:<job>'
          run_type         TEXT NOT NULL,          -- 'ingest' | 'cascade' | 'synthesis' | 'lint' | 'archive' | …
          status           TEXT NOT NULL,          -- 'pending'|'verifying'|'committed'|'rejected'|'abandoned'
          started_at       TEXT NOT NULL,
          ended_at         TEXT,
          verifier_preset  TEXT,                   -- what was used for verification
          verdict          TEXT,                   -- 'commit'|'reject'|'revise'|'commit_override' (null until verified)
          reject_reason    TEXT,
          loop_count       INTEGER NOT NULL DEFAULT 1,
          budget_input_tokens_used  INTEGER DEFAULT 0,
          budget_output_tokens_used INTEGER DEFAULT 0,
          budget_usd_used  REAL DEFAULT 0,
          target           TEXT,                   -- the branch it lands on
          base             TEXT,                   -- commits, in hexadecimal
          root             TEXT,
          head             TEXT,
          candidate        TEXT,
          unverified       INTEGER NOT NULL DEFAULT 0,
          sources          TEXT NOT NULL DEFAULT '[]',    -- JSON array of paths
          plan             TEXT,                   -- JSON: operations, targets, content hashes
          CHECK (status IN ('pending','verifying','committed','rejected','abandoned'))
        )""",
        "CREATE INDEX idx_runs_workspace_started ON runs(workspace, started_at DESC)",
        "CREATE INDEX idx_runs_status_started    ON runs(status, started_at DESC)",
        """CREATE TABLE eval_runs (
          run_id       TEXT PRIMARY KEY REFERENCES runs(run_id),
          workspace    TEXT NOT NULL REFERENCES workspaces(slug),
          metric       TEXT NOT NULL,        -- 'M1'|'M2'|'M3'|'M4'|'M5'|…
          run_at       TEXT NOT NULL,
          score        REAL,                 -- NULL when not measured
          status       TEXT NOT NULL,        -- 'healthy'|'degraded'|'broken'|'not_measured'
          tokens_used  INTEGER DEFAULT 0,
          usd_used     REAL DEFAULT 0,
          details      TEXT,                 -- JSON: per-sample findings
          aggregate_json TEXT,               -- JSON: AggregateMetrics
          config_json    TEXT                -- JSON: chunker, embedding, prompt and model
        )""",
        "CREATE INDEX idx_eval_runs_workspace_metric ON eval_runs(workspace, metric, run_at DESC)",
        """CREATE TABLE eval_gold_queries (
          id           TEXT PRIMARY KEY,
          workspace    TEXT NOT NULL REFERENCES workspaces(slug),
          query        TEXT NOT NULL,
          expected_topics TEXT NOT NULL,     -- JSON array
          expected_citations TEXT NOT NULL,  -- JSON array of raw file paths
          authored_at  TEXT NOT NULL,
          authored_by  TEXT NOT NULL,        -- 'user' or 'auto'
          UNIQUE(workspace, query)
        )""",
        """CREATE TABLE eval_query_results (
          run_id       TEXT NOT NULL REFERENCES eval_runs(run_id),
          query_id     TEXT NOT NULL,
          hits_top_k   TEXT,                 -- JSON array, best first
          answer       TEXT,                 -- JSON: text, citations, grounded
          error        TEXT,
          latency_ms   REAL,
          PRIMARY KEY (run_id, query_id)
        )""",
        """CREATE TABLE wiki_claim_provenance (
          run_id              TEXT NOT NULL,
          workspace           TEXT NOT NULL,
          page_path           TEXT NOT NULL,
          claim               TEXT NOT NULL,
          claim_hash          TEXT NOT NULL,     -- sha256 of claim
          label               TEXT NOT NULL DEFAULT '',
          source_path         TEXT NOT NULL,
          source_page         INTEGER,           -- of a PDF, from 1
          source_quote        TEXT,              -- the source's exact slice
          source_quote_hash   TEXT,              -- sha256 of source_quote
          source_quote_offset INTEGER,           -- in code points of the extracted text
          result              TEXT NOT NULL,
          extractor           TEXT,
          extractor_version   TEXT,
          source_blob         TEXT,
          candidate           TEXT NOT NULL DEFAULT '',
          recorded_at         TEXT NOT NULL
        )""",
        # What makes two rows one: the same pointer of the same claim in the same candidate. NULLs are distinct in a
        # unique index, hence the ifnull.
        """CREATE UNIQUE INDEX idx_provenance_identity ON wiki_claim_provenance(
          run_id, candidate, page_path, claim_hash, label, source_path,
          ifnull(source_page, -1), ifnull(source_quote_hash, ''), ifnull(source_quote_offset, -1)
        )""",
        "CREATE INDEX idx_provenance_source ON wiki_claim_provenance(workspace, source_path)",
        """CREATE TABLE eviction_feedback (
          proposal_id  TEXT PRIMARY KEY,
          scope_id     TEXT NOT NULL,
          resolved_at  TEXT NOT NULL,
          resolved_by  TEXT NOT NULL,
          evicted      TEXT NOT NULL,        -- JSON array of ctx_ids
          excluded     TEXT NOT NULL,        -- JSON array of {ctx_id, relevance_score, exclude_reason}
          turn_number  INTEGER,
          proposed_at  TEXT,
          scorer_model TEXT,
          candidates   TEXT,                 -- JSON array of {ctx_id, zone, relevance_score, age_turns, token_count}
          CHECK (resolved_by IN ('llm','user','auto'))
        )""",
        """CREATE TABLE verdicts (
          id          TEXT PRIMARY KEY,
          run_id      TEXT,                  -- NULL for a judgement outside a run
          workspace   TEXT NOT NULL,
          target      TEXT,
          base        TEXT,
          head        TEXT,
          candidate   TEXT NOT NULL,
          tree        TEXT,
          policy      TEXT,                  -- digest of assay.toml at the base
          verifier    TEXT,
          judge       TEXT,
          verdict     TEXT NOT NULL,
          reasoning   TEXT,
          judged      INTEGER,
          unjudged    INTEGER,
          unverified  INTEGER,
          tokens_used INTEGER,
          created_at  TEXT NOT NULL,
          supersedes  TEXT,
          record      TEXT NOT NULL,         -- JSON: the whole statement
          CHECK (verdict IN ('commit','reject','revise','commit_override'))
        )""",
        "CREATE INDEX idx_verdicts_run ON verdicts(run_id, created_at DESC)",
        "CREATE INDEX idx_verdicts_candidate ON verdicts(candidate)",
    ),
    # The whole statement stands in its note; a copy here was half of the file. ALTER TABLE … DROP COLUMN needs a
    # SQLite of 2021.
    (
        "ALTER TABLE verdicts RENAME TO verdicts_1",
        """CREATE TABLE verdicts (
          id          TEXT PRIMARY KEY,
          run_id      TEXT,                  -- NULL for a judgement outside a run
          workspace   TEXT NOT NULL,
          target      TEXT,
          base        TEXT,
          head        TEXT,
          candidate   TEXT NOT NULL,
          tree        TEXT,
          policy      TEXT,                  -- digest of assay.toml at the base
          verifier    TEXT,
          judge       TEXT,
          verdict     TEXT NOT NULL,
          reasoning   TEXT,
          judged      INTEGER,
          unjudged    INTEGER,
          unverified  INTEGER,
          tokens_used INTEGER,
          created_at  TEXT NOT NULL,
          supersedes  TEXT,
          CHECK (verdict IN ('commit','reject','revise','commit_override'))
        )""",
        """INSERT INTO verdicts SELECT id, run_id, workspace, target, base, head, candidate, tree, policy, verifier,
          judge, verdict, reasoning, judged, unjudged, unverified, tokens_used, created_at, supersedes
          FROM verdicts_1""",
        "DROP TABLE verdicts_1",
        "CREATE INDEX idx_verdicts_run ON verdicts(run_id, created_at DESC)",
        "CREATE INDEX idx_verdicts_candidate ON verdicts(candidate)",
    ),
)
"""Each entry brings a database from `user_version` n to n + 1. Entries are appended, never changed."""

APPLICATION_ID = 0x61737331
"""'ass1' in the file's header: what tells our index from another program's database."""

KEYS: dict[str, tuple[str, ...]] = {
    "workspaces": ("slug",),
    "runs": ("run_id",),
    "eval_runs": ("run_id",),
    "eval_gold_queries": ("id",),
    "eval_query_results": ("run_id", "query_id"),
    "wiki_claim_provenance": ("run_id", "page_path", "claim_hash"),
    "eviction_feedback": ("proposal_id",),
    "verdicts": ("id",),
}
"""Every table, those referred to before those that refer, with the columns no row may leave out."""

IDENTITIES: dict[str, tuple[str, ...]] = {
    "wiki_claim_provenance": (
        *("run_id", "candidate", "page_path", "claim_hash", "label", "source_path"),
        *("source_page", "source_quote_hash", "source_quote_offset"),
    ),
}
"""Columns that make two rows one by a unique index of their own, not by the table's key."""

JSON_COLUMNS = frozenset(
    {
        *("sources", "plan", "details", "aggregate_json", "config_json", "expected_topics", "expected_citations"),
        *("hits_top_k", "answer", "evicted", "excluded", "candidates"),
    }
)
"""Columns whose text is JSON, in whichever table they stand."""
