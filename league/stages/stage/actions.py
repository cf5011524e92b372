"""Log actions of stages."""

from django.utils.translation import gettext_lazy as _

from league.core.log.actions import Action, register


@register
class StageAction(Action):
    """Actions on a stage."""

    CREATED = "stage.created", _("stage created")
    CHANGED = "stage.changed", _("stage changed")
    STARTED = "stage.started", _("stage started")
    FINISHED = "stage.finished", _("stage finished")
