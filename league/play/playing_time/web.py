"""The page on which an account chooses its quiet hours and takes holidays."""

from __future__ import annotations

from zoneinfo import ZoneInfo

from django import forms
from django.contrib.auth.decorators import login_required
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import render
from django.utils import timezone
from django.utils.translation import gettext, gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from league.core.club.desk.club_form import zones
from league.core.frame.forms import model_field, offer
from league.core.frame.saying import redirect_saying
from league.core.viewer.web.viewer import or_404, signed_in
from league.play.playing_time.domain import HOLIDAYS_A_YEAR
from league.play.playing_time.models import Holiday, PlayingTime
from league.play.playing_time.queries import days_taken, holiday_of, holidays_of, playing_time_of
from league.play.playing_time.services import holiday_end, holiday_take, playing_time_set


class QuietHoursForm(forms.Form):
    """A time zone and the quiet hours in it."""

    timezone = forms.ChoiceField(label=gettext_lazy("My time zone"), choices=zones)
    quiet_from = model_field(
        PlayingTime,
        "quiet_from",
        label=gettext_lazy("Quiet from"),
        widget=forms.TimeInput({"type": "time"}, format="%H:%M"),
    )
    quiet_to = model_field(
        PlayingTime,
        "quiet_to",
        label=gettext_lazy("Quiet until"),
        widget=forms.TimeInput({"type": "time"}, format="%H:%M"),
        help_text=gettext_lazy(
            "Notifications from these hours arrive when they end. Twelve hours at most."
        ),
    )

    def __init__(self, data: QueryDict | None, *, chosen: PlayingTime) -> None:
        initial = {
            "timezone": chosen.timezone,
            "quiet_from": chosen.quiet_from,
            "quiet_to": chosen.quiet_to,
        }
        super().__init__(data, initial=initial)
        if chosen.timezone not in dict(zones()):
            offer(self, "timezone", [(chosen.timezone, chosen.timezone), *zones()])


class HolidayForm(forms.Form):
    """The first and the last day of a holiday."""

    first_day = model_field(
        Holiday,
        "first_day",
        label=gettext_lazy("First day"),
        widget=forms.DateInput({"type": "date"}, format="%Y-%m-%d"),
    )
    last_day = model_field(
        Holiday,
        "last_day",
        label=gettext_lazy("Last day"),
        widget=forms.DateInput({"type": "date"}, format="%Y-%m-%d"),
    )


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def playing_time_page(request: HttpRequest) -> HttpResponse:
    """Choose quiet hours and take holidays. The page has a form for each; `do` says which was
    sent.
    """
    user = signed_in(request)
    chosen = playing_time_of(user)
    sent = request.POST if request.method == "POST" else None
    is_holiday = sent is not None and sent.get("do") == "holiday"
    quiet = QuietHoursForm(None if is_holiday else sent, chosen=chosen)
    holiday = HolidayForm(sent if is_holiday else None)
    if is_holiday and _take_holiday(request, holiday):
        words = gettext("Your clocks are stopped on these days.")
        return redirect_saying(request, words, "playing-time")
    if not is_holiday and _set_quiet_hours(request, quiet):
        words = gettext("Your quiet hours are saved.")
        return redirect_saying(request, words, "playing-time")

    now = timezone.now()
    year = now.astimezone(ZoneInfo(chosen.timezone)).year
    context = {
        "quiet": quiet,
        "holiday": holiday,
        "holidays": holidays_of(user),
        "now": now,
        "year": year,
        "taken": days_taken(user).get(year, 0),
        "most": HOLIDAYS_A_YEAR,
    }
    return render(request, "league/play/playing_time/playing_time.html", context)


def _set_quiet_hours(request: HttpRequest, form: QuietHoursForm) -> bool:
    if not form.is_valid():
        return False
    data = form.cleaned_data
    try:
        playing_time_set(
            user=signed_in(request),
            zone=data["timezone"],
            quiet_from=data["quiet_from"],
            quiet_to=data["quiet_to"],
        )
    except ValidationError as error:
        form.add_error(None, error)
        return False
    return True


def _take_holiday(request: HttpRequest, form: HolidayForm) -> bool:
    if not form.is_valid():
        return False
    try:
        holiday_take(user=signed_in(request), **form.cleaned_data)
    except ValidationError as error:
        form.add_error(None, error)
        return False
    return True


@never_cache
@login_required
@require_POST
def holiday_end_button(request: HttpRequest, holiday: str) -> HttpResponse:
    """End a holiday now, or delete one that hasn't begun."""
    user = signed_in(request)
    message = gettext("Your clocks are running again.")
    if holiday_end(user=user, holiday=or_404(holiday_of, user, holiday)):
        message = gettext("The holiday has been cancelled.")
    return redirect_saying(request, message, "playing-time")
