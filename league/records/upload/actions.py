"""Log actions of uploads."""

from django.utils.translation import gettext_lazy as _

from league.core.log.actions import Action, register


@register
class ImportAction(Action):
    """Actions on an uploaded file."""

    UPLOADED = "import.uploaded", _("file uploaded")
    CONFIRMED = "import.confirmed", _("import confirmed")
    DROPPED = "import.dropped", _("file discarded")
    ENDED = "import.ended", _("import finished")
