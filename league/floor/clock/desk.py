"""The clock of a round for organisers: set, start, stop, set back."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from django import forms
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods

from league.core.frame.forms import model_field
from league.core.frame.saying import redirect_saying
from league.core.viewer.web.confirmation import posted, run_action
from league.core.viewer.web.viewer import page_of
from league.events.event.desk.page import event_desk_page
from league.floor.clock.domain import round_clock
from league.floor.clock.services import (
    round_clock_reset,
    round_clock_set,
    round_clock_start,
    round_clock_stop,
)
from league.stages.round.desk.round import round_url
from league.stages.round.models import StageRound
from league.stages.stage.desk.stage import desk_stage_crumbs
from league.stages.table.queries.access import round_for_organiser

BUTTONS: Final[dict[str, tuple[Callable[..., bool], Any]]] = {
    "start": (round_clock_start, gettext_lazy("The clock is running.")),
    "stop": (round_clock_stop, gettext_lazy("Clock stopped.")),
    "reset": (round_clock_reset, gettext_lazy("The clock has been reset to its full time.")),
}
"""The service behind each button, and the message after it."""
SAVED: Final = (round_clock_set, gettext_lazy("Settings saved."))


class ClockForm(forms.Form):
    """The minutes of a round; without them the round has no clock."""

    minutes = model_field(
        StageRound,
        "minutes",
        label=gettext_lazy("Minutes for the round"),
        help_text=gettext_lazy("Leave it empty for a round without a clock."),
    )


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
@page_of(round_for_organiser)
def round_clock_page(request: HttpRequest, stage_round: StageRound) -> HttpResponse:
    """Show a round's clock. A POST takes the step of the button `do`, or saves the minutes without
    one."""
    button = request.POST.get("do", "")
    form = ClockForm({} if button in BUTTONS else posted(request))
    form.initial = {"minutes": stage_round.minutes}
    if form.is_bound and form.is_valid():
        service, message = BUTTONS.get(button, SAVED)
        minutes = {} if button in BUTTONS else form.cleaned_data
        if run_action(
            request, form, lambda _, actor: service(stage_round=stage_round, actor=actor, **minutes)
        ):
            return redirect_saying(request, message, round_url(stage_round, "desk-round-clock"))
    return event_desk_page(
        request,
        stage_round.stage.event,
        "league/floor/clock/desk/clock.html",
        crumbs=[
            *desk_stage_crumbs(stage_round.stage),
            (str(stage_round.number), round_url(stage_round)),
        ],
        stage=stage_round.stage,
        round=stage_round,
        clock=round_clock(stage_round),
        form=form,
    )
