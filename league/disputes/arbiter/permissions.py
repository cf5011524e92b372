"""Who may rule on a disputed game: those who correct games there."""

import rules

from league.disputes.correction.permissions import corrects

rules.add_perm("league.rule_on_game", corrects)
