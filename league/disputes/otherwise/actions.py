"""The log's actions for rounds that are kept after a correction."""

from django.utils.translation import gettext_lazy as _

from league.core.log.actions import Action, register


@register
class KeptAction(Action):
    """Decisions about rounds after a correction."""

    ROUND_KEPT = "round.kept", _("round kept as played after a correction")
