"""The log's actions for statements and evidence."""

from django.utils.translation import gettext_lazy as _

from league.core.log.actions import Action, register


@register
class StatementAction(Action):
    """Actions on a statement about a disputed game, and on the files that came with it."""

    MADE = "statement.made", _("statement made")
    EMPTIED = "statement.emptied", _("text of a statement removed")
    FILE_REMOVED = "evidence.removed", _("attachment to a statement removed")
