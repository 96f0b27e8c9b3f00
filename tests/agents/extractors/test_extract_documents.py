"""Whole documents of kinds that people have, read without a model: every atom and every edge that comes of them."""

from __future__ import annotations

import pytest

from gitops.agents.extractors import offline
from gitops.agents.extractors.given import plain
from gitops.okf.draft import Draft

RUNBOOK = """# Runbook: Month-end close

**Owner:** Financial Controller (FC)
**Last reviewed:** 2026-03-02

The month-end close turns the transactions of a month into reviewed figures. It is run by the Financial Controller on
the first three working days of each month and is governed by the Accounting Policy. Steps are tracked in CloseBoard.

## Steps

1. **Freeze the sub-ledgers.** The Accounts Payable Clerk stops new postings in LedgerPro.
2. **Bank reconciliation** – The Treasury Analyst compares the bank statement with LedgerPro and produces the
   reconciliation sheet.
3. **Accruals posting** – The FC posts accruals.

## If something goes wrong

1. Check the job log in LedgerPro.
2. Restart the export.

## Why we freeze first

We freeze the sub-ledgers first because late postings made us reconcile twice in 2024.
"""
RECORD = """---
status: "accepted"
decision-makers: Platform Team, Head of Engineering
---

# Use Temporal for long-running jobs

## Context and Problem Statement

Nightly exports are started by cron on three hosts. When a host reboots, jobs are lost.

## Decision Drivers

* Jobs must survive the restart of a host
* We do not want to run another database

## Considered Options

* Temporal
* Keep cron

## Decision Outcome

Chosen option: "Temporal", because it is the only option that resumes a job in the middle.

### Consequences

* Good, because the data deletion process no longer depends on a single host.
"""
PEOPLE = """# Who does what at Fernhill Logistics

We are 85 people. This page says who to ask.

## Leadership

- Maria Stone, Chief Operating Officer — owns the network planning process and chairs the operations board
- Head of Warehousing – owns cycle counting and the Warehouse Handbook
- Head of Transport (HoT) – responsible for route planning and carrier onboarding; uses TransPlan

## Customer service

- Claims handling: owned by the Claims Specialist, done in ClaimBase, produces the claims report each Friday
- **TransPlan** – plans routes and drivers. Owner: HoT
- **StockHub** – our warehouse management system. Owner: Head of Warehousing
- Opening hours: ask the front office
"""
SYSTEMS = """# Systems and owners

This list is kept by the IT Operations Manager.

| System | What it does | Owner | Used by |
| --- | --- | --- | --- |
| Salesforce | Holds customers and offers | Head of Sales | Lead qualification, Sales |
| NetSuite | General ledger | Finance Director | Invoicing; Dunning |
| Legacy FTP | Takes files of two customers | – | n/a |

## Processes

| Process | Accountable | Tools | Result | Policy |
|---|---|---|---|---|
| Invoicing | Billing Lead | NetSuite, Salesforce | Invoice | Revenue Recognition Policy |
| Dunning | Billing Lead | NetSuite | Reminder letter | |

## Decisions

| No. | Decision | Taken by | Reason |
|---|---|---|---|
| D1 | Keep Legacy FTP | Finance Director | Two customers pay us for it. |
| D2 | Drop fax | Finance Director | |
"""
MINUTES = """# Operations board, 14 January 2026

Present: Head of Warehousing, Head of Transport
Apologies: Head of People
Minutes: Shift Lead

## 1. Returns

The returns process is owned by nobody since the reorganisation.

Decision: The Head of Warehousing takes over the returns process from 1 February.
Reason: Most of the delay is in the warehouse.

Action: IT Manager to set up a queue.

## 2. Night shift

**Decided:** Close the night shift at Leeds at the end of March.
**Decided by:** Operations Board
**Why:** Volumes fell by 40 %.

## 3. Order to delivery

It was agreed that the order to delivery workflow consists of order intake, picking, loading and delivery. The Order
Desk Lead owns order intake. Picking and loading use StockHub. Delivery uses TransPlan and produces a proof of delivery.

## 4. AOB

- Agreed to move the carrier call to Tuesdays, so that the depot managers can attend.
- Decision (IT Manager): all scanners are replaced by phones in Q2
- Everybody was thanked.
"""
POLICY = """# Policy on supplier onboarding

This policy applies to every supplier. It is owned by the Head of Procurement.

## Supplier onboarding

The category buyer is responsible for supplier onboarding. A request is opened in Coupa, and the request is screened.
At the end the buyer issues a supplier record. Supplier onboarding follows the Anti-Bribery Standard.

## Yearly review

Each January the procurement team reviews all suppliers. The yearly supplier review produces a supplier scorecard. The
review is done with the Vendor Risk Tool (VRT). Findings stay in the VRT.

## Exceptions

Exceptions go to the Procurement Board. The board decided in 2024 to refuse suppliers without a bank reference, since
two payments had gone to fraudsters.
"""


def read(text: str, name: str = "raw/a.md") -> list[Draft]:
    return offline.drafts([plain(name, text)])


def atoms(text: str) -> set[str]:
    return {f"{draft.type}: {draft.title}" for draft in read(text)}


def edges(text: str) -> set[str]:
    return {f"{draft.id} {edge.rel} {edge.target}" for draft in read(text) for edge in draft.relationships}


def reasons(text: str, of: str) -> list[str]:
    return [said.text for draft in read(text) if draft.id == of for said in draft.rationale]


def lines(text: str) -> set[str]:
    return {line.strip() for line in text.strip().splitlines()}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            RUNBOOK,
            """
            month-end-close owner financial-controller
            month-end-close governed_by accounting-policy
            month-end-close uses closeboard
            month-end-close uses ledgerpro
            month-end-close stages freeze-the-sub-ledgers
            month-end-close stages bank-reconciliation
            month-end-close stages accruals-posting
            freeze-the-sub-ledgers uses ledgerpro
            bank-reconciliation uses ledgerpro
            bank-reconciliation produces reconciliation-sheet
            """,
        ),
        (
            RECORD,
            """
            use-temporal-for-long-running-jobs decided_by platform-team
            use-temporal-for-long-running-jobs decided_by head-of-engineering
            """,
        ),
        (
            PEOPLE,
            """
            network-planning-process owner chief-operating-officer
            cycle-counting owner head-of-warehousing
            warehouse-handbook owner head-of-warehousing
            route-planning owner head-of-transport
            carrier-onboarding owner head-of-transport
            head-of-transport uses transplan
            claims-handling owner claims-specialist
            claims-handling uses claimbase
            claims-handling produces claims-report
            transplan owner head-of-transport
            stockhub owner head-of-warehousing
            """,
        ),
        (
            SYSTEMS,
            """
            salesforce owner head-of-sales
            netsuite owner finance-director
            lead-qualification uses salesforce
            invoicing owner billing-lead
            invoicing uses netsuite
            invoicing uses salesforce
            invoicing produces invoice
            invoicing governed_by revenue-recognition-policy
            dunning owner billing-lead
            dunning uses netsuite
            dunning produces reminder-letter
            keep-legacy-ftp decided_by finance-director
            drop-fax decided_by finance-director
            """,
        ),
        (
            MINUTES,
            """
            returns-process owner head-of-warehousing
            close-the-night-shift-at-leeds-at-the-end-of-march decided_by operations-board
            all-scanners-are-replaced-by-phones-in-q2 decided_by it-manager
            order-to-delivery-workflow stages order-intake
            order-to-delivery-workflow stages picking
            order-to-delivery-workflow stages loading
            order-to-delivery-workflow stages delivery
            order-intake owner order-desk-lead
            picking uses stockhub
            loading uses stockhub
            delivery uses transplan
            delivery produces proof-of-delivery
            """,
        ),
        (
            POLICY,
            """
            policy-on-supplier-onboarding owner head-of-procurement
            supplier-onboarding owner category-buyer
            supplier-onboarding uses coupa
            supplier-onboarding produces supplier-record
            supplier-onboarding governed_by anti-bribery-standard
            yearly-review produces supplier-scorecard
            yearly-review uses vendor-risk-tool
            refuse-suppliers-without-a-bank-reference decided_by procurement-board
            """,
        ),
    ],
    ids=["runbook", "decision record", "organisation", "tables", "minutes", "policy"],
)
def test_the_edges_of_a_document(text: str, expected: str) -> None:
    assert edges(text) == lines(expected)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            RECORD,
            """
            decision: Use Temporal for long-running jobs
            role: Platform Team
            role: Head of Engineering
            process: Data deletion process
            """,
        ),
        (
            MINUTES,
            """
            role: Head of Warehousing
            role: Head of Transport
            role: Head of People
            role: Shift Lead
            role: Operations Board
            role: Order Desk Lead
            role: IT Manager
            process: Returns process
            process: Order intake
            process: Picking
            process: Loading
            process: Delivery
            workflow: Order to delivery workflow
            system: StockHub
            system: TransPlan
            artifact: Proof of delivery
            decision: The Head of Warehousing takes over the returns process from 1 February
            decision: Close the night shift at Leeds at the end of March
            decision: Move the carrier call to Tuesdays
            decision: All scanners are replaced by phones in Q2
            """,
        ),
    ],
    ids=["decision record", "minutes"],
)
def test_the_atoms_of_a_document(text: str, expected: str) -> None:
    assert atoms(text) == lines(expected)


def test_stages_come_in_the_order_of_their_numbers_and_what_mends_a_mishap_is_none() -> None:
    [workflow] = [draft for draft in read(RUNBOOK) if draft.type == "workflow"]
    stages = [edge.target for edge in workflow.relationships if edge.rel == "stages"]
    assert stages == ["freeze-the-sub-ledgers", "bank-reconciliation", "accruals-posting"]


def test_headings_that_number_the_steps_of_a_runbook_are_its_stages() -> None:
    text = (
        "# Runbook: Restore\n\nIt brings the shop back.\n\n## Step 1: Fail over\n\nIt is done in DbConsole.\n\n"
        "## Step 2: Smoke test\n\nIt is owned by the Release Manager.\n"
    )
    assert edges(text) == {
        "restore stages fail-over",
        "restore stages smoke-test",
        "fail-over uses dbconsole",
        "smoke-test owner release-manager",
    }


def test_reasons_that_documents_give() -> None:
    assert reasons(RUNBOOK, "month-end-close") == [
        "We freeze the sub-ledgers first because late postings made us reconcile twice in 2024."
    ]
    assert reasons(RECORD, "use-temporal-for-long-running-jobs") == [
        "Jobs must survive the restart of a host",
        "We do not want to run another database",
        'Chosen option: "Temporal", because it is the only option that resumes a job in the middle.',
    ]
    assert reasons(SYSTEMS, "keep-legacy-ftp") == ["Two customers pay us for it."]
    assert reasons(SYSTEMS, "drop-fax") == []
    assert reasons(MINUTES, "close-the-night-shift-at-leeds-at-the-end-of-march") == ["Why: Volumes fell by 40 %."]
    assert reasons(POLICY, "refuse-suppliers-without-a-bank-reference")


@pytest.mark.parametrize("text", [RUNBOOK, RECORD, PEOPLE, SYSTEMS, MINUTES, POLICY])
def test_every_description_and_reason_is_a_quotation_in_its_place(text: str) -> None:
    for draft in read(text):
        assert draft.description is not None
        for said in (draft.description, *draft.rationale):
            [passage] = said.passages
            assert passage.offset is not None
            assert " ".join(text[passage.offset :].split()).startswith(passage.quote)


def test_what_stands_where_nothing_is_named_is_no_atom() -> None:
    text = "| Process | Owner | System |\n|---|---|---|\n| Pay run | TBD | n/a |\n| Stock count | nobody | – |\n"
    assert atoms(text) == {"process: Pay run", "process: Stock count"}


def test_workflows_that_are_stages_of_each_other_stop_at_the_first_circle() -> None:
    text = (
        "The claims workflow consists of the appeal workflow and the payment process.\n\n"
        "The appeal workflow consists of the claims workflow and the payment process.\n"
    )
    assert edges(text) == {
        "claims-workflow stages appeal-workflow",
        "claims-workflow stages payment-process",
        "appeal-workflow stages payment-process",
    }


def test_marks_of_code_and_labels_of_items_name_nothing() -> None:
    text = (
        "# Process: Pay run\n\n**Owner:** <img src=x onerror=alert(1)>\n**Uses:** [[Page|alias]], LedgerPro\n\n"
        "## Decisions\n\n- Decision: drop fax\n"
    )
    assert atoms(text) == {"process: Pay run", "system: LedgerPro", "decision: Drop fax"}


def test_a_name_in_short_stands_for_the_one_that_it_can_mean_and_of_two_for_none() -> None:
    one = "The Harbour Board meets in May. The board owns the towing process.\n"
    assert edges(one) == {"towing-process owner harbour-board"}
    assert edges(f"The Works Board meets in June. {one}") == set()


def test_a_list_behind_a_colon_and_a_place_name_no_system() -> None:
    text = "# Claims process\n\nClaims are kept in Leeds.\n\n- What did not change: our order system\n- Tea: a drink\n"
    assert atoms(text) == {"process: Claims process"}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The Yard Report is produced by the yard process.", {"yard-process produces yard-report"}),
        ("BerthApp System is used for the yard process.", {"yard-process uses berthapp-system"}),
        ("We use the Berth System for the yard process.", {"yard-process uses berth-system"}),
        ("The Quay Policy governs the yard process.", {"yard-process governed_by quay-policy"}),
        ("Responsibility for the yard process lies with the Yard Lead.", {"yard-process owner yard-lead"}),
        ("The owner of the yard process is the Yard Lead.", {"yard-process owner yard-lead"}),
        ("Ask the Yard Lead, who owns the yard process, for a form.", {"yard-process owner yard-lead"}),
        ("The yard process is still owned by the Yard Lead.", {"yard-process owner yard-lead"}),
        (
            "The yard process opens at six, is owned by the Yard Lead and follows the Quay Policy.",
            {"yard-process owner yard-lead", "yard-process governed_by quay-policy"},
        ),
        ("The yard process is old. It is owned by the Yard Lead.", {"yard-process owner yard-lead"}),
        ("# Yard process\n\nOwned by the Yard Lead.", {"yard-process owner yard-lead"}),
        (
            "# Yard process\n\nTrucks are sent away in line with the Quay Policy.",
            {"yard-process governed_by quay-policy"},
        ),
        (
            "## Decisions\n\n- **Close the gate** — approved by the Harbour Board",
            {"close-the-gate decided_by harbour-board"},
        ),
        ("The yard process makes noise. It is loved by the Yard Lead.", set[str]()),
        ("The Yard Lead, who lives in Kiel, likes the yard process.", set[str]()),
    ],
)
def test_one_thing_said_in_many_ways(text: str, expected: set[str]) -> None:
    assert edges(f"{text}\n") == expected
