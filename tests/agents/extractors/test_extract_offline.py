"""The extractor that needs no model: each pattern on a few lines, and what holds of whatever it is given."""

from __future__ import annotations

from time import perf_counter

import pytest
from hypothesis import given as drawn
from hypothesis import settings
from hypothesis import strategies as st

from gitops.agents.extracting import sources_of
from gitops.agents.extractors import offline
from gitops.agents.extractors.given import plain
from gitops.okf.draft import Draft


def extracted(text: str, name: str = "raw/a.md") -> dict[str, Draft]:
    return {draft.id: draft for draft in offline.drafts([plain(name, text)])}


def kinds(text: str, name: str = "raw/a.md") -> dict[str, str]:
    return {name: draft.type for name, draft in extracted(text, name).items()}


def edges(draft: Draft) -> list[tuple[str, str]]:
    return [(edge.rel, edge.target) for edge in draft.relationships]


def reasons(draft: Draft) -> list[str]:
    return [said.text for said in draft.rationale]


# What names an atom


def test_a_source_with_nothing_in_it_gives_nothing() -> None:
    walk = "# A walk\n\nThe rain had stopped. Every gull is a poem, and nobody is responsible for it.\n"
    assert extracted(walk) == {}
    assert extracted("") == {}


def test_a_heading_names_its_type_before_a_colon_or_by_its_last_word() -> None:
    text = "# Process: Claims intake\n\nClaims come in by post.\n\n## Shipping workflow\n\nIt ends at the door.\n"
    assert kinds(text) == {"claims-intake": "process", "shipping-workflow": "workflow"}


def test_a_heading_that_says_a_doing_or_stands_for_many_names_nothing() -> None:
    assert kinds("# Working in the system\n\nText.\n\n# Useful systems\n\nText.\n\n# How to process\n\nText.\n") == {}


def test_items_below_a_group_are_of_its_type() -> None:
    text = (
        "## Roles\n\n- **Dock Lead** — opens the gate.\n- Yard Clerk: counts.\n- Crane Operator\n- This one is told.\n"
    )
    assert kinds(text) == {"dock-lead": "role", "yard-clerk": "role", "crane-operator": "role"}


def test_headings_below_a_group_are_of_its_type() -> None:
    assert kinds("# Systems\n\n## Harbourmaster\n\nIt holds the berths.\n") == {"harbourmaster": "system"}


def test_a_definition_says_the_type_where_the_name_is_one() -> None:
    assert kinds("LedgerPro is an accounting system that holds all invoices.\n") == {"ledgerpro": "system"}
    assert kinds("Onboarding is the process by which new staff get a desk.\n") == {"onboarding": "process"}
    assert kinds("Roasting is the application of heat to seeds.\n") == {}
    assert kinds("Every concept is a file with two parts.\n") == {}


def test_a_role_is_found_by_what_it_answers_for() -> None:
    found = extracted("The Dock Lead is responsible for the berth allocation process.\n")
    assert {name: one.type for name, one in found.items()} == {
        "dock-lead": "role",
        "berth-allocation-process": "process",
    }
    assert edges(found["berth-allocation-process"]) == [("owner", "dock-lead")]


def test_two_names_of_one_role_are_one_atom() -> None:
    text = "## Roles\n\n- **Head of Ops** (also known as Operations Lead): runs the yard.\n\n"
    found = extracted(text + "# Yard process\n\nThe yard process is owned by the Operations Lead.\n")
    assert edges(found["yard-process"]) == [("owner", "head-of-ops")]


def test_names_in_capitals_and_the_process_are_found_in_passing() -> None:
    text = (
        "Ask the Harbour Board and the Head of Claims for the Berth Planning System or Incident Report.\n"
        "They changed the towing process. The same process, the long-winded process that binds us.\n"
    )
    assert kinds(text) == {
        "harbour-board": "role",
        "head-of-claims": "role",
        "berth-planning-system": "system",
        "incident-report": "artifact",
        "towing-process": "process",
    }
    assert kinds("All Harbour Board Members Meet Harbour Board Today\n") == {}


def test_another_name_in_a_sentence_is_the_same_atom() -> None:
    found = extracted(
        "The Dock Lead, also known as the Gate Manager, is here. The Gate Manager owns the towing process.\n"
    )
    assert sorted(found) == ["dock-lead", "towing-process"]
    assert edges(found["towing-process"]) == [("owner", "dock-lead")]


def test_a_name_that_is_explained_beside_it() -> None:
    text = "Requests are kept in Artbase, our collection management system. We order in Foodlink (the ordering tool).\n"
    assert kinds(text) == {"artbase": "system", "foodlink": "system"}


def test_roles_in_small_letters_by_their_trade_or_with_what_they_are_of() -> None:
    text = "The purchasing manager calls. The manager is responsible for all. The registrar owns the loan approval.\n"
    assert kinds(text) == {"purchasing-manager": "role", "registrar": "role", "loan-approval": "process"}


def test_what_is_written_in_capitals_throughout_names_nothing() -> None:
    assert kinds("IN NO EVENT SHALL THE AUTHORS BE LIABLE IN CONTRACT OR IN CONNECTION WITH THE SOFTWARE.\n") == {}


# Edges


def test_edges_of_a_process_by_verbs() -> None:
    text = (
        "# Claims process\n\nThe claims process is owned by the Claims Manager. It uses the Case Tracker.\n"
        "It produces a settlement letter and a closing report. It is governed by the Claims Policy.\n"
    )
    assert edges(extracted(text)["claims-process"]) == [
        ("owner", "claims-manager"),
        ("uses", "case-tracker"),
        ("produces", "settlement-letter"),
        ("produces", "closing-report"),
        ("governed_by", "claims-policy"),
    ]


def test_lines_with_labels_link_what_their_section_is_about() -> None:
    text = "# Pay run\n\n**Owner:** Treasurer\n**Uses:** BankGate, LedgerPro\n**Produces:** payment file\n"
    found = extracted(text)
    assert found["pay-run"].type == "process"
    assert edges(found["pay-run"]) == [
        ("owner", "treasurer"),
        ("uses", "bankgate"),
        ("uses", "ledgerpro"),
        ("produces", "payment-file"),
    ]
    description = found["treasurer"].description
    assert description is not None
    assert description.text == "Owner: Treasurer"


def test_a_table_of_processes() -> None:
    text = "| Process | Owner | Systems |\n|---|---|---|\n| Stock count | Yard Clerk | WMS |\n| `code` | A | B |\n"
    found = extracted(text)
    assert edges(found["stock-count"]) == [("owner", "yard-clerk"), ("uses", "wms")]
    assert sorted(found) == ["stock-count", "wms", "yard-clerk"]


def test_a_raci_table_gives_the_accountable_role_as_owner() -> None:
    text = "| Activity | Dock Lead | Yard Clerk |\n|---|---|---|\n| Berthing | A | R |\n| Counting | I | R |\n"
    found = extracted(text)
    assert edges(found["berthing"]) == [("owner", "dock-lead")]
    assert edges(found["counting"]) == [("owner", "yard-clerk")]


def test_an_artifact_has_one_process_that_produces_it() -> None:
    text = "The intake process produces a case file. The review process produces a case file.\n"
    found = extracted(text)
    assert edges(found["intake-process"]) == [("produces", "case-file")]
    assert edges(found["review-process"]) == []


# Stages


def test_numbered_steps_of_a_workflow_are_its_stages_in_the_order_of_their_numbers() -> None:
    text = "# Order workflow\n\n3. **Dispatch**\n1. **Intake** — by the clerk.\n2. Picking: from the shelf.\n"
    assert edges(extracted(text)["order-workflow"]) == [
        ("stages", "intake"),
        ("stages", "picking"),
        ("stages", "dispatch"),
    ]


def test_half_a_path_is_none() -> None:
    text = "# Order workflow\n\n1. **Intake**\n2. Then everybody does whatever has to be done on that day and waits.\n"
    assert edges(extracted(text)["order-workflow"]) == []


def test_stages_told_in_a_sentence() -> None:
    found = extracted("The order workflow goes through intake, picking and then dispatch.\n")
    assert edges(found["order-workflow"]) == [("stages", "intake"), ("stages", "picking"), ("stages", "dispatch")]


def test_a_path_told_from_one_end_to_the_other() -> None:
    found = extracted("The loan workflow runs from loan approval through condition check to transport.\n")
    assert [target for _, target in edges(found["loan-workflow"])] == ["loan-approval", "condition-check", "transport"]


def test_the_steps_of_a_process_are_no_stages() -> None:
    assert edges(extracted("# Count process\n\n1. Open the hall\n2. Count\n")["count-process"]) == []


# Decisions

ADR = """# ADR-007: Use Postgres for orders

## Status

Accepted

Deciders: Architecture Board

## Context

Orders lie in three databases. We lose some because nobody knows which one is right.

## Decision

We keep all orders in Postgres.

## Rationale

One database has one truth. The team knows Postgres well.

## Consequences

The old ones are shut down.
"""


def test_a_decision_record() -> None:
    found = extracted(ADR)
    assert {name: one.type for name, one in found.items()} == {
        "use-postgres-for-orders": "decision",
        "architecture-board": "role",
    }
    decision = found["use-postgres-for-orders"]
    assert decision.description is not None
    assert decision.description.text == "We keep all orders in Postgres."
    assert edges(decision) == [("decided_by", "architecture-board")]
    assert reasons(decision) == [
        "We lose some because nobody knows which one is right.",
        "One database has one truth.",
        "The team knows Postgres well.",
    ]


def test_a_decision_whose_reason_is_not_stated_has_none() -> None:
    found = extracted("The Harbour Board decided to close the north quay. Ships moor at the south quay.\n")
    assert edges(found["close-the-north-quay"]) == [("decided_by", "harbour-board")]
    assert reasons(found["close-the-north-quay"]) == []


def test_a_decision_in_a_sentence_with_its_reason() -> None:
    text = "We decided to keep paper for ten years because the tax office may ask for it.\n"
    assert reasons(extracted(text)["keep-paper-for-ten-years"]) == [text.strip()]


def test_a_reason_of_another_paragraph_is_none_of_a_decision() -> None:
    text = "We decided to sell the van. Reason: it rusts.\n\nThe shop is closed because of snow.\n"
    assert reasons(extracted(text)["sell-the-van"]) == ["Reason: it rusts."]


# Whatever it is given


def test_a_text_without_end_takes_no_time_without_end() -> None:
    begun = perf_counter()
    long = ("a-" * 50_000, "The Dock Lead owns " * 5_000, "A B C D " * 10_000, "x also called " * 5_000, "(" * 50_000)
    for text in long:
        extracted(text, "raw/a.txt")
        extracted(f"# {text}\n\n## Roles\n\n- {text}\n\n| Process | Owner |\n|---|---|\n| {text} | {text} |\n")
    assert perf_counter() - begun < 20


def test_known_atoms_are_told_where_something_comes_to_them() -> None:
    known = [Draft("role", "treasurer-1", "Treasurer"), Draft("process", "pay-run", "Pay run")]
    found = offline.drafts([plain("raw/a.md", "The Treasurer is responsible for the pay run.\n")], known)
    assert [(one.id, edges(one)) for one in found] == [("pay-run", [("owner", "treasurer-1")])]


def test_several_sources_are_one_bundle() -> None:
    one, two = (
        plain("raw/a.md", "# Pay process\n\nIt pays everybody who works here.\n"),
        plain("raw/b.txt", "The pay process uses BankGate App.\n"),
    )
    [process, system] = offline.drafts([one, two])
    assert edges(process) == [("uses", system.id)]
    assert (sources_of(process), sources_of(system)) == (["raw/a.md"], ["raw/b.txt"])


@pytest.mark.parametrize(
    "denied",
    [
        "It is not because May is cheaper.",
        "It was also said that fewer people would be needed.",
        "We looked into this, and it is not so.",
        "It played no part in the decision.",
        "Some thought it was cheaper because hay sells in May.",
        "It isn't so that the hay can be sold.",
    ],
)
def test_a_reason_that_is_denied_or_only_told_of_is_none(denied: str) -> None:
    text = f"The Dike Board decided to mow in May, because birds nest in June. {denied}\n"
    record = "# Mow in May\n\n## Status\n\nAccepted\n\n## Decision\n\nWe mow in May.\n\n"
    below = f"{record}## Rationale\n\nBirds nest. {denied}\n"
    for found, reasons in ((text, ["because birds nest in June"]), (below, ["Birds nest."])):
        [decision] = [each for each in offline.drafts([plain("raw/a.md", found)]) if each.type == "decision"]
        told = [said.text for said in decision.rationale]
        assert len(told) == 1, told
        assert reasons[0] in told[0]


WORDS = st.sampled_from(
    (
        *("The Dock Lead", "the claims process", "LedgerPro", "is responsible for", "owns", "uses", "produces", "is a"),
        *("a report", "system", "We decided to", "because", "it", "**Owner:** X", "# ", "## Roles", "- ", "1. ", "2. "),
        *(
            "| Process | Owner |",
            "|---|---|",
            "| A | B |",
            "\n",
            "\n\n",
            ".",
            ":",
            "—",
            "(",
            ")",
            "é",
            "\u202e",
            "[^1]",
        ),
        *("Decision", "Status", "Context", "Stages: a, b", "goes through", "`code`", "workflow"),
        *(
            "---",
            "decision-makers: Dock Lead, X",
            "Decision (Dock Lead):",
            "Why:",
            "- Dock Lead (DL) —",
            "owned by",
            "; ",
        ),
        *("## Steps", "## Step 2: Count", "# Runbook: Yard", "**Count** –", "TransPlan", "| No. | Decision | Reason |"),
    )
)


@settings(max_examples=150, deadline=None)
@drawn(st.lists(WORDS, max_size=60).map(" ".join) | st.text(max_size=300))
def test_whatever_is_said_stands_in_the_source_where_it_says(text: str) -> None:
    found = offline.drafts([plain("raw/a.md", text)])
    ids = {draft.id for draft in found}
    assert len(ids) == len(found)
    for draft in found:
        assert draft.title.strip()
        assert draft.id
        assert {edge.target for edge in draft.relationships} <= ids - {draft.id}
        for said in (*([draft.description] if draft.description else []), *draft.rationale):
            for passage in said.passages:
                assert passage.offset is not None
                assert " ".join(text[passage.offset :].split()).startswith(passage.quote)
    assert found == offline.drafts([plain("raw/a.md", text)])
