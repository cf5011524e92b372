"""The draft of an appeal's decision as it is stored."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from league.disputes.ruling.domain import Finding, RulingDecision
from league.disputes.ruling.models import Ruling


def draft_body(decision: RulingDecision, finding: Finding) -> dict[str, Any]:
    """Return a decision and its finding as JSON has them."""
    decided = asdict(decision)
    decided["line"] = decision.line.decode() if decision.line is not None else None
    return {"decision": decided, "finding": asdict(finding)}


def draft_read(body: dict[str, Any]) -> tuple[RulingDecision, Finding]:
    """Return the decision and the finding that a draft stores."""
    decided = dict(body["decision"])
    found = dict(body["finding"])
    line, ranks = decided.pop("line"), decided.pop("ranks")
    decision = RulingDecision(
        **{**decided, "verb": Ruling.Verb(decided["verb"])},
        line=line.encode() if line is not None else None,
        ranks=tuple(ranks) if ranks is not None else None,
    )
    return decision, Finding(**{**found, "close_to": tuple(found["close_to"])})
