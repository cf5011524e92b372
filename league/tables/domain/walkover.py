"""Tables at which too few are left to play."""

from __future__ import annotations

from league.tables.domain.stage import StageFacts, StageTable


def gone_from(facts: StageFacts, table: StageTable) -> tuple[int, ...]:
    """The entries of those at a table who aren't there: withdrawn, not come, or not checked in (any more)."""
    return tuple(entry for entry in table.entries if not facts.members[entry].plays)


def is_left(facts: StageFacts, table: StageTable) -> bool:
    """True if so many have left a table that isn't finished that those who are there have nothing to play for: one
    alone has no opponent, and of a knock-out's table no more may be there than go on from it."""
    absent = gone_from(facts, table)
    enough = 1 + (facts.stage.advance if facts.stage.knock_out else 1)
    return bool(absent) and not table.finished and len(table.entries) - len(absent) < enough
