"""What the log tells of sheets."""

from django.utils.translation import gettext_lazy as _

from league.core.log.actions import Action, register


@register
class SheetAction(Action):
    """Actions on the sheet of an open game."""

    SUBMITTED = "sheet.submitted", _("independently written sheet handed in")
    REMINDED = "sheet.reminded", _("reminder of an unconfirmed game sent")
    BRANCH_KEPT = "sheet.branch_kept", _("entries from another phone kept beside a sheet")
    BRANCH_AGREED = (
        "sheet.branch_agreed",
        _("player agreed to entries sent after a key had ended"),
    )
