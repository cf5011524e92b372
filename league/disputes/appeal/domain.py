"""The stored form of a draft of an appeal's decision."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from league.disputes.ruling.domain import Finding, RulingDecision
from league.disputes.ruling.models import Ruling


def draft_body(decision: RulingDecision, finding: Finding) -> dict[str, Any]:
    """Return a decision and its finding as JSON."""
    decision_json = asdict(decision)
    if decision.line is not None:
        decision_json["line"] = decision.line.decode()
    return {"decision": decision_json, "finding": asdict(finding)}


def draft_read(body: dict[str, Any]) -> tuple[RulingDecision, Finding]:
    """Return the decision and the finding of a stored draft."""
    decision = dict(body["decision"])
    decision["verb"] = Ruling.Verb(decision["verb"])
    if decision["line"] is not None:
        decision["line"] = decision["line"].encode()
    if decision["ranks"] is not None:
        decision["ranks"] = tuple(decision["ranks"])
    finding = dict(body["finding"])
    finding["close_to"] = tuple(finding["close_to"])
    return RulingDecision(**decision), Finding(**finding)
