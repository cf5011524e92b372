"""What the log tells of sheets."""

from django.utils.translation import gettext_lazy as _

from league.core.log.actions import Action, register


@register
class SheetAction(Action):
    """Actions on the sheet of an open game."""

    SUBMITTED = "sheet.submitted", _("independently written sheet handed in")
    REMINDED = "sheet.reminded", _("reminder sent about a game waiting for confirmation")
    BRANCH_KEPT = "sheet.branch_kept", _("entries from another phone kept beside a sheet")
    BRANCH_AGREED = (
        "sheet.branch_agreed",
        _("agreed to entries that a phone sent after its key had ended"),
    )
