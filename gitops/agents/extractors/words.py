"""The words by which an extractor knows what is named: heads of names, headings, columns, labels, with their types."""

from __future__ import annotations

from collections.abc import Mapping

from gitops.agents.writers.phrases import keys
from gitops.okf.model import AtomType, EdgeType

_POSTS = """
administrator assistant board captain chair chairman chairperson chairwoman chief committee coordinator council desk
developer director executive lead leader manager officer operator owner partner planner president representative
specialist squad steering supervisor team
"""
"""These have to be of something to name a role: `the manager` may be any."""
_TRADES = """
accountant analyst approver architect archivist attorney auditor baker bookkeeper buyer caretaker cashier chef clerk
conservator consultant controller cook counsel courier curator custodian designer dispatcher doctor driver editor
electrician engineer foreman gardener inspector janitor lawyer librarian maintainer mechanic notary nurse paramedic
pharmacist physician porter proofreader receptionist registrar reviewer scheduler secretary steward storekeeper surveyor
teacher technician translator treasurer tutor veterinarian
ceo cfo cio ciso cmo coo cto dpo hr sre vp
"""
_SYSTEMS = """
app application bot calendar cms crm dashboard database erp intranet platform portal repository scanner server software
spreadsheet system tool tracker wiki wms
"""
_PROCESSES = "process procedure"
_WORKFLOWS = "workflow lifecycle pipeline journey"
_ARTIFACTS = """
agenda agreement archive bill brief budget catalogue certificate changelog checklist contract deck document docket
dossier draft estimate file form forecast guideline handbook inventory invoice label ledger letter list log manifest
manual memo minutes newsletter note notice notification order pack plan playbook policy postmortem proof proposal quote
receipt record register release report request roadmap rota rule runbook schedule sheet slip specification standard
statement summary template ticket timesheet
"""
_DECISIONS = "decision"
_TYPES: tuple[tuple[AtomType, str], ...] = (
    ("role", _POSTS + _TRADES),
    ("system", _SYSTEMS),
    ("process", _PROCESSES),
    ("workflow", _WORKFLOWS),
    ("artifact", _ARTIFACTS),
    ("decision", _DECISIONS),
)
HEADS: Mapping[str, AtomType] = {word: kind for kind, words in _TYPES for word in keys(words)}
"""The key of a name's last word → what is called so."""
TRADES = frozenset(keys(_TRADES))
DOINGS = frozenset(
    keys(
        """
        allocation approval assessment assignment audit booking calculation check cleaning closing collection count
        deletion delivery deployment dispatch escalation evaluation handover hiring inspection intake inventory
        invoicing maintenance migration onboarding ordering payment planning procurement purchasing qualification
        reconciliation recruitment registration renewal replenishment reporting response restocking retrospective review
        rollout screening shipment stocktaking testing training transport triage verification
        """
    )
)
"""What is done again and again. Alone they prove little: they count where something is said of a process."""
OF = frozenset(keys("board head chief director vp president officer manager chair owner secretary"))
"""With these a role begins that is one of something: Head of Finance."""
PLURALS: Mapping[str, AtomType] = {
    **dict.fromkeys(("roles", "people", "roles and responsibilities", "who does what", "responsibilities"), "role"),
    **dict.fromkeys(("systems", "tools", "software", "applications", "systems and tools"), "system"),
    **dict.fromkeys(("processes", "procedures"), "process"),
    **dict.fromkeys(("workflows",), "workflow"),
    **dict.fromkeys(("decisions", "decision log", "decision record", "decision records"), "decision"),
    **dict.fromkeys(("artifacts", "artefacts", "documents", "deliverables", "policies", "standards"), "artifact"),
}
SINGULAR: Mapping[str, AtomType] = {
    "process": "process",
    "procedure": "process",
    "role": "role",
    "system": "system",
    "tool": "system",
    "workflow": "workflow",
    "decision": "decision",
    "artifact": "artifact",
    "artefact": "artifact",
    "application": "system",
    "activity": "process",
    "document": "artifact",
}
HEADED: Mapping[str, AtomType] = {
    **dict.fromkeys(("runbook", "playbook", "sop", "standard operating procedure"), "process"),
    "policy": "artifact",
}
"""What a heading `Runbook: Month-end close` names, where a list or a table would name a document."""
LABELS: Mapping[str, EdgeType] = {
    **dict.fromkeys(("owner", "owners", "owned by", "process owner", "system owner", "business owner"), "owner"),
    **dict.fromkeys(("responsible", "accountable", "responsible role", "led by", "run by", "maintained by"), "owner"),
    **dict.fromkeys(("uses", "system", "systems", "tool", "tools", "software", "applications"), "uses"),
    **dict.fromkeys(("systems used", "tools used", "tracked in", "done in", "recorded in"), "uses"),
    **dict.fromkeys(("produces", "output", "outputs", "deliverable", "deliverables", "artifacts"), "produces"),
    **dict.fromkeys(("result", "results", "creates", "produced document"), "produces"),
    **dict.fromkeys(("governed by", "policy", "policies", "governing policy", "follows"), "governed_by"),
    **dict.fromkeys(("decided by", "decider", "deciders", "decision maker", "decision makers"), "decided_by"),
    **dict.fromkeys(("decision-maker", "decision-makers", "approved by", "agreed by", "taken by"), "decided_by"),
    **dict.fromkeys(("stages", "steps", "stage order", "phases"), "stages"),
}
"""What a line `Label: …` or the head of a column says of what follows."""
TURNED: Mapping[str, tuple[EdgeType, AtomType]] = {
    **dict.fromkeys(("owns", "responsible for", "accountable for"), ("owner", "process")),
    **dict.fromkeys(("used by", "used in", "used for", "supports"), ("uses", "process")),
    "produced by": ("produces", "process"),
}
"""The same where the edge leads from what follows to what the label is of; and what follows, if nothing says it."""
WHY_LABELS = frozenset(("why", "reason", "reasons", "rationale", "because", "justification", "grounds"))
"""Labels and heads of columns behind which a reason stands."""
NOTHING = frozenset(
    """
    n/a na none nobody no-one nothing tbd tba tbc unknown various all any everyone everybody anyone somebody someone
    us we you me other others misc several same ditto yes no
    """.split()  # noqa: SIM905
)
"""What stands where nothing is named."""
NO_DOINGS = frozenset(
    """
    anything building bring ceiling clothing during evening everything finding housing king meeting morning nothing
    opening parking rating ring saving setting something spring string thing wedding wing heading listing missing
    outstanding existing following remaining upcoming incoming outgoing
    """.split()  # noqa: SIM905
)
"""Words in -ing that are no work."""
ENDS: Mapping[EdgeType, AtomType] = {
    "owner": "role",
    "uses": "system",
    "produces": "artifact",
    "governed_by": "artifact",
    "decided_by": "role",
    "stages": "process",
}
"""What an edge leads to, where nothing else says it."""
