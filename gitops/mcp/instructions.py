"""What an agent is told of this server before it calls anything."""

from __future__ import annotations

from gitops.agents.fencing import DATA_NOTICE

INSTRUCTIONS = f"""This wiki takes no claim unless its source says so. Read with list, grep, search, read, follow, \
events and history. Write only through a run; nothing lands before a verifier has read it claim by claim:
1. run_start (type "ingest" with `sources`, or "cascade") gives a run_id.
2. stage_write a whole page, or str_replace in one. Reading with `run` shows what is staged.
3. run_finish: landed; or revise: mend the findings in the same run and finish again; or rejected: run_start with \
`from_run` takes the pages up in a new run; mend them there.
Pages alone can be written: never sources, the log, or the policy.

Rules that the verifier checks:
- Every sentence you add carries a footnote reference, [^1], and its definition is one line, exactly so:
  [^1]: raw/path.md, "words of the source, verbatim"
  Of a PDF the page stands before the quotation: raw/x.pdf, p.12, "…". Inside it, " is written \\" and \\ is \\\\.
- Quote one passage word for word, no ellipsis. The claim says what it says: no more, no other number, date or name.
- Labels are unique on a page, each defined once and used. A new page begins with a # title and is linked from the \
index or another page.
- Never remove or reword a cited claim. Where sources disagree, keep it as "As of YYYY-MM-DD, old claim.[^1]" beside \
the new one.

eval says how the wiki stands; a broken metric may hold up runs until a person looks.
{DATA_NOTICE}"""
"""Under 2,048 characters: clients cut what is longer."""
