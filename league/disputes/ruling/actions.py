"""The log's actions for rulings."""

from django.utils.translation import gettext_lazy as _

from league.core.log.actions import Action, register


@register
class RulingAction(Action):
    """Rulings of arbiters."""

    MADE = "ruling.made", _("ruling made")
    TEXT_REMOVED = "ruling.emptied", _("text of a ruling removed")
