"""What this room does, as the log tells it."""

from django.utils.translation import gettext_lazy as _

from league.log.actions import Action, register


@register
class KeptAction(Action):
    """What is decided about rounds after a correction."""

    ROUND_KEPT = "round.kept", _("round kept as played after a correction")
