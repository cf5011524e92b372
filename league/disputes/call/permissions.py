"""The right to rule at a table while its game is open."""

import rules

from league.core.viewer.permissions import Account
from league.sheets.sheet.models import ClubOpenGame


@rules.predicate
def rules_at_table(user: Account, row: ClubOpenGame) -> bool:
    """Return True for arbiters and organisers of the club, or of the event at whose table the open
    game is played. The row must be loaded with its table or season."""
    if row.table is not None:
        return user.has_perm("league.rule_event", row.table.stage_round.stage.event)
    return user.has_perm("league.correct_games", row.club)


rules.add_perm("league.rule_at_table", rules_at_table)
