"""What English words say of what is named: a manager is a role, a ledger system a system, a report an artifact."""

from __future__ import annotations

import re
from collections.abc import Mapping

from gitops.agents.writers.english import LITTLE, POINTERS
from gitops.agents.writers.phrases import key, keys
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
manual memo minutes newsletter note notice notification order pack plan playbook policy postmortem proposal quote
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
_DOINGS = frozenset(
    keys(
        """
        allocation approval assessment assignment audit booking check cleaning closing collection count delivery
        deployment dispatch escalation evaluation handover hiring inspection intake inventory invoicing maintenance
        onboarding ordering payment planning procurement purchasing reconciliation recruitment registration renewal
        replenishment reporting restocking retrospective review rollout screening shipment stocktaking testing training
        transport triage verification
        """
    )
)
"""What is done again and again. Alone they prove little: they count where something is said of a process."""
_OF = frozenset(keys("board head chief director vp president officer manager chair owner secretary"))
"""With these a role begins that is one of something: Head of Finance."""
_PLURALS: Mapping[str, AtomType] = {
    **dict.fromkeys(("roles", "people", "roles and responsibilities", "who does what", "responsibilities"), "role"),
    **dict.fromkeys(("systems", "tools", "software", "applications", "systems and tools"), "system"),
    **dict.fromkeys(("processes", "procedures"), "process"),
    **dict.fromkeys(("workflows",), "workflow"),
    **dict.fromkeys(("decisions", "decision log", "decision record", "decision records"), "decision"),
    **dict.fromkeys(("artifacts", "artefacts", "documents", "deliverables"), "artifact"),
}
_SINGULAR: Mapping[str, AtomType] = {
    "process": "process",
    "procedure": "process",
    "role": "role",
    "system": "system",
    "tool": "system",
    "workflow": "workflow",
    "decision": "decision",
    "artifact": "artifact",
    "artefact": "artifact",
    "document": "artifact",
}
LABELS: Mapping[str, EdgeType] = {
    **dict.fromkeys(("owner", "owned by", "process owner", "responsible", "accountable"), "owner"),
    **dict.fromkeys(("uses", "system", "systems", "tool", "tools", "software"), "uses"),
    **dict.fromkeys(("produces", "output", "outputs", "deliverable", "deliverables", "artifacts"), "produces"),
    **dict.fromkeys(("governed by", "policy", "policies", "governing policy"), "governed_by"),
    **dict.fromkeys(("decided by", "decider", "deciders", "decision maker", "decision makers"), "decided_by"),
    **dict.fromkeys(("stages", "steps", "stage order"), "stages"),
}
"""What a line `Label: …` or the head of a column says of what follows."""
ENDS: Mapping[EdgeType, AtomType] = {
    "owner": "role",
    "uses": "system",
    "produces": "artifact",
    "governed_by": "artifact",
    "decided_by": "role",
    "stages": "process",
}
"""What an edge leads to, where nothing else says it."""
_HEADING = re.compile(r"^([A-Za-z]+)\s*(?:[:–—]|\s-\s)\s*(\S.*)$")
_ARTICLE = re.compile(r"^(?:the|an?|our|its|their|each|every|this|any|one)\s+", re.IGNORECASE)
_AFTER = re.compile(r"^(?:in|on|at|by|for|from|since|until|after|before|with|during)\b.*?\bthe\s+", re.IGNORECASE)
"""What stands before a subject that does not begin its sentence: `On 2 May the board …`."""
_EDGES = " \t.,;:!?'\"“”‘’*_`()[]"
_CUT = re.compile(r"\s+(?:that|which|who|whose|where|when|used|for|of|by|in|with|from|to|on|at|holding|listing)\b.*$")
LONGEST_NAME = 200
"""Characters of what is looked at as a name at all."""
_WORDS = 7
"""Words of a name; what is longer is a clause."""
_NAMELESS = re.compile(r"\b(?:is|are|was|were|has|have|must|will|can|should|may|not|and|or|if|we|you|they|it)\b", re.I)


def named(text: str) -> str:
    """A name as it can be a title: no article, no marks around it; '' where it is a clause or nothing."""
    if len(text) > LONGEST_NAME:
        return ""
    bare = _AFTER.sub("", " ".join(text.split()).strip(_EDGES))
    while (cut := _ARTICLE.sub("", bare, count=1)) != bare:
        bare = cut.strip(_EDGES)
    words = bare.split()
    is_clause = len(words) > _WORDS or _NAMELESS.search(bare) is not None
    return "" if is_clause or not any(map(str.isalpha, bare)) else bare[:1].upper() + bare[1:]


def kind_of(name: str) -> AtomType | None:
    """What a name is the name of, by its head: the last word, or the first of `Head of Finance`."""
    words = keys(name)
    if not words:
        return None
    if len(words) > 2 and words[1] == "of" and words[0] in _OF:
        return "role"
    last = keys(_CUT.sub("", name))[-1:] or words[-1:]
    return HEADS.get(last[0])


def is_doing(name: str) -> bool:
    """Is this something that is done again and again, such as an approval or a check?"""
    return (keys(name)[-1:] or ("",))[0] in _DOINGS


def head_of(predicate: str) -> str:
    """The key of the word that says what something is, in what follows `X is a`; '' for none."""
    words = keys(_CUT.sub("", re.split(r"[,;:(.]", predicate, maxsplit=1)[0]))
    return words[-1] if words else ""


def kind_of_predicate(predicate: str) -> AtomType | None:
    """What `X is a …` says that X is."""
    head = head_of(predicate)
    return "role" if head in ("person", "people", "role", "job", "position") else HEADS.get(head)


def kind_of_heading(heading: str) -> AtomType | None:
    """What a heading names by its last word; one that says a doing, or stands for many, names nothing."""
    words = named(heading).split()
    if not words or words[0].casefold() in (*POINTERS, *LITTLE) or not set(":,;").isdisjoint(heading):
        return None
    if words[0].endswith("ing") and len(words) > 2 and words[1].casefold() in LITTLE:
        return None
    is_one_of = len(words) > 2 and words[1] == "of" and key(words[0]) in _OF
    if is_one_of or not is_singular(words[-1]):
        return "role" if is_one_of else None
    return kind_of(words[-1]) or ("process" if len(words) > 1 and is_doing(words[-1]) else None)


def is_singular(name: str) -> bool:
    """Does it name one, and not many? Of `Head of Claims` the first word says so, else the last."""
    last = name.partition(" of ")[0].rpartition(" ")[2].casefold()
    return key(last) == last


def is_proper(name: str) -> bool:
    """Is this written as a name is: `LedgerPro`, `SAP`, `Head of Finance`? `Roasting` may just begin a sentence."""
    words = [word for word in name.split() if word.casefold() not in LITTLE]
    if len(words) == 1:
        return any(char.isupper() or char.isdigit() for char in words[0][1:])
    return len(words) > 1 and all(not word[0].islower() for word in words)


def kind_of_group(heading: str) -> AtomType | None:
    """What stands below a heading such as `Roles`."""
    return _PLURALS.get(" ".join(heading.casefold().split()))


def typed_heading(heading: str) -> tuple[AtomType, str] | None:
    """The type and name in a heading such as `Process: Invoice approval`."""
    found = _HEADING.match(heading)
    kind = _SINGULAR.get(found[1].casefold()) if found else None
    return (kind, found[2]) if found and kind else None


def kind_of_column(head: str) -> AtomType | None:
    """What the first column of a table lists, by its head: in the singular or the plural."""
    words = " ".join(head.casefold().split())
    return _SINGULAR.get(words) or _PLURALS.get(words)


def parts(text: str) -> list[str]:
    """The members of an enumeration: `A, B and C`, `A -> B`."""
    split = re.split(r"\s*(?:[,;]|→|->|⇒|>|\band then\b|\bthen\b|\band\b|&(?=\s))\s*", text.strip(" ."))
    return [one for one in split if one]
