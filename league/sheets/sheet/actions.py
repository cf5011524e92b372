"""What the log tells of sheets."""

from django.utils.translation import gettext_lazy as _

from league.core.log.actions import Action, register


@register
class SheetAction(Action):
    """Actions on the sheet of an open game."""

    SUBMITTED = "sheet.submitted", _("sheet that was written unseen handed in")
    REMINDED = "sheet.reminded", _("reminded of a game that waits for confirmation")
    BRANCH_KEPT = "sheet.branch_kept", _("what another phone wrote kept beside a sheet")
    BRANCH_AGREED = "sheet.branch_agreed", _("agreed to what a phone sent after its key had ended")
