"""Tables that can be given without play: too few players are left, or their game is void."""

from __future__ import annotations

from league.stages.stage.domain.facts import StageFacts, StageTable


def absent_entries(facts: StageFacts, table: StageTable) -> tuple[int, ...]:
    """Return the entries at a table that aren't there: withdrawn, or not checked in."""
    return tuple(entry for entry in table.entries if not facts.members[entry].plays)


def has_too_few_left(facts: StageFacts, table: StageTable) -> bool:
    """Return True if so few players are left at an open table that they have nothing to play for:
    one alone or, in a knock-out, no more than go on from the table."""
    absent = absent_entries(facts, table)
    if table.finished or not absent:
        return False
    winners = facts.stage.advance if facts.stage.knock_out else 1
    return len(table.entries) - len(absent) <= winners


def has_only_void_games(facts: StageFacts, table: StageTable) -> bool:
    """Return True if all games of a table are void, so that it can be closed without being played
    again. A table of a knock-out can't: some of its players have to go on."""
    all_void = bool(table.voided) and not table.games
    return all_void and not table.finished and not facts.stage.knock_out


def may_be_given(facts: StageFacts, table: StageTable) -> bool:
    """Return True if a table can be given without play, because too few players are left or all its
    games are void. A free table can be taken back even if games were played there."""
    if facts.stage.format_rules.free:
        return table.walkover is None
    return has_too_few_left(facts, table) or has_only_void_games(facts, table)


def entries_without_share(facts: StageFacts, table: StageTable) -> tuple[int, ...]:
    """Return the entries to which a table given without play brings nothing: those of players who
    aren't there. These are all entries if the table's games were void, or it is a free table, at
    which nobody had to sit."""
    if facts.stage.format_rules.free or not has_too_few_left(facts, table):
        return table.entries
    return absent_entries(facts, table)
