"""Tables at which too few are left to play, and those whose game is void and isn't played again."""

from __future__ import annotations

from league.stages.stage.domain.facts import StageFacts, StageTable


def gone_from(facts: StageFacts, table: StageTable) -> tuple[int, ...]:
    """The entries of those at a table who aren't there: withdrawn, not come, or not checked in (any
    more)."""
    return tuple(entry for entry in table.entries if not facts.members[entry].plays)


def is_left(facts: StageFacts, table: StageTable) -> bool:
    """True if so many have left a table that isn't finished that those who are there have nothing
    to play for: one alone has no opponent, and of a knock-out's table no more may be there than go
    on from it."""
    absent = gone_from(facts, table)
    enough = 1 + (facts.stage.advance if facts.stage.knock_out else 1)
    return bool(absent) and not table.finished and len(table.entries) - len(absent) < enough


def is_emptied(facts: StageFacts, table: StageTable) -> bool:
    """True if all that was played at a table is void, so that it can be closed without being played
    again. A knock-out needs those who go on from it."""
    return (
        bool(table.voided) and not table.games and not table.finished and not facts.stage.knock_out
    )


def may_be_given(facts: StageFacts, table: StageTable) -> bool:
    """True if a table can be given without play: too few are left, or all that was played there is
    void. A free table can be taken back whatever was played there."""
    if facts.stage.format_rules.free:
        return table.walkover is None
    return is_left(facts, table) or is_emptied(facts, table)


def without_share(facts: StageFacts, table: StageTable) -> tuple[int, ...]:
    """The entries of those at a table to whom it brings nothing when it is given without play: who
    aren't there; or everybody, where it was played and that is void, and at a free table, which
    nobody had to sit at."""
    is_owed = is_left(facts, table) and not facts.stage.format_rules.free
    return gone_from(facts, table) if is_owed else table.entries
