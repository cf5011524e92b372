"""Series of events: creating all their dates at once, and changing an event with all later ones."""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from datetime import date, datetime
from typing import Any, Final
from zoneinfo import ZoneInfo

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils.translation import gettext

from league.core.club.models import Club
from league.core.frame.names import with_name_checked
from league.core.frame.years import years_check
from league.core.log.services import Actor, Journal, club_journal
from league.events.event.actions import EventAction
from league.events.event.models import Event
from league.events.event.services import TIMES, dated, entries_move_up, event_set, events_add
from league.events.series.domain import DAYS, BadSeries, SeriesDates, dates, rule_of, times_later
from league.events.series.models import SERIES, Series
from league.events.series.queries import later_events
from league.standings.season.models import Season

SETTINGS_OF_ONE_EVENT: Final = ("slug", "name")
"""The settings that each event of a series has for itself."""
NAME_LENGTH: Final = 110
"""The longest name of a series; events have a number after it."""
SLUG_LENGTH: Final = 53
"""The longest slug of a series; events have a date after it."""
RULE: Final = ("every", "weekdays", "until", "count")
"""The settings that make up the rule."""


def pop_rule(club: Club, settings: dict[str, Any]) -> str:
    """Remove the members of the rule from the settings of a series, and return the rule as text.
    Raise `ValidationError` for an impossible rule."""
    every = settings.pop("every", None)
    weekdays = settings.pop("weekdays", None)
    until = settings.pop("until", None)
    count = settings.pop("count", None)
    years_check({"starts_at": settings["starts_at"], "until": until})
    days = {DAYS.index(day) for day in weekdays}
    first = settings["starts_at"].astimezone(ZoneInfo(club.timezone))
    try:
        return rule_of(every, days or {first.weekday()}, until=until, count=count)
    except BadSeries as bad:
        raise ValidationError(str(bad.message)) from bad


def series_create(
    *,
    season: Season,
    actor: Actor,
    rule: str,
    slug: str,
    name: str,
    starts_at: datetime,
    days_left_out: Set[date] = frozenset(),
    **settings: Any,
) -> Series:
    """Create a series of events in a season, with all its dates as drafts: "League night 1",
    "League night 2" and so on.

    `starts_at` and the other times of `settings` are those of the first date, from which `rule`
    continues (`league.events.series.domain.rule_of`); on `days_left_out` there is no event. Return
    the existing series if it was created before. Raise `ValidationError` with messages by field.
    """
    club = season.club
    checked_name = with_name_checked({"name": name})["name"]
    years_check({time: settings.get(time) for time in TIMES if time != "starts_at"})
    series_days = series_dates(
        club=club, rule=rule, starts_at=starts_at, days_left_out=days_left_out
    )
    first = {"starts_at": starts_at, **settings}
    rows = []
    for number, start in enumerate(series_days.starts, start=1):
        row = settings_on(first, start, club)
        row["slug"] = f"{slug}-{start:%Y-%m-%d}"
        row["name"] = f"{checked_name} {number}"
        rows.append(row)

    clock_time = starts_at.astimezone(ZoneInfo(club.timezone)).replace(tzinfo=None, microsecond=0)
    fields = {
        "club": club,
        "name": checked_name,
        "rule": rule,
        "starts_at": clock_time.isoformat(),
        "without": sorted(days_left_out),
    }
    # Locked from the start (`alone`), so that a form that is sent twice finds the series that it
    # created the first time.
    with club_journal(club.pk, actor, lock_at_once=True) as journal:
        same_series = Series.objects.filter(
            events__season=season, events__slug=rows[0]["slug"], **fields
        ).first()
        if same_series is not None:
            return same_series

        series = Series(**fields)
        series.save(force_insert=True)
        payload = {
            "name": checked_name,
            "rule": rule,
            "starts_at": series.starts_at,
            "dates": len(rows),
            "without": [day.isoformat() for day in series.without],
        }
        journal.add(EventAction.SERIES_CREATED, series.public_id, payload, texts=["name"])
        journal.record(SERIES, [series])
        events_add(journal=journal, club=club, season=season, rows=rows, series=series)
    return series


def series_dates(
    *, club: Club, rule: str, starts_at: datetime, days_left_out: Set[date] = frozenset()
) -> SeriesDates:
    """Return the dates that a series of the club would have, except for `days_left_out`. Raise
    `ValidationError` for an impossible series.
    """
    years_check({"starts_at": starts_at})
    zone = ZoneInfo(club.timezone)
    clock_time = starts_at.astimezone(zone).replace(tzinfo=None)
    try:
        all_dates = dates(rule, clock_time, zone)
        if days_left_out and {start.date() for start in all_dates.starts} <= days_left_out:
            raise ValidationError(gettext("This leaves no dates in the series."))
        return dates(rule, clock_time, zone, days_left_out)
    except BadSeries as bad:
        raise ValidationError(bad.message.translated(gettext)) from bad


def settings_on(settings: Mapping[str, Any], starts_at: datetime, club: Club) -> dict[str, Any]:
    """Return the settings of an event for another date: all times move by as many days, on the
    clocks of the club.
    """
    zone = ZoneInfo(club.timezone)
    days = _days_between(settings["starts_at"], starts_at, zone)
    times = {name: settings[name] for name in TIMES if settings.get(name)}
    return {**settings, **times_later(times, days, zone), "starts_at": starts_at}


def _days_between(first: datetime, second: datetime, zone: ZoneInfo) -> int:
    return (second.astimezone(zone).date() - first.astimezone(zone).date()).days


def series_change(*, event: Event, actor: Actor, **settings: Any) -> int:
    """Change this event of a series, and all later ones that aren't running or over; return how
    many have changed.

    Later events get only the settings that change for this one, so that their own settings stay.
    Times move by days on the clocks of the club. Name and slug change for this event only. Raise
    `ValidationError` with messages by field.
    """
    with transaction.atomic():
        changed = []
        with club_journal(event.club_id, actor) as journal:
            later = _later_events_lock(event)
            changes = {
                name: value for name, value in settings.items() if value != getattr(event, name)
            }
            changes_of_all = {
                name: value for name, value in changes.items() if name not in SETTINGS_OF_ONE_EVENT
            }
            if event_set(journal=journal, event=event, settings=changes):
                changed.append(event)
            if changes_of_all:
                changed += _later_events_set(journal, event, later, changes_of_all)
        for changed_event in changed:
            entries_move_up(event=changed_event, actor=actor)
    event.refresh_from_db()
    return len(changed)


def _later_events_lock(event: Event) -> list[Event]:
    event_ids = [event.pk, *(later.pk for later in later_events(event))]
    # Like everybody who enters, take these locks before that of the club's log.
    list(Event.objects.filter(pk__in=event_ids).select_for_update(no_key=True).order_by("pk"))
    return later_events(event)


def _later_events_set(
    journal: Journal, event: Event, later: Sequence[Event], changes: Mapping[str, Any]
) -> list[Event]:
    changed = []
    for later_event in later:
        moved = _changes_for(later_event, changes, event)
        with dated(later_event):
            is_changed = event_set(journal=journal, event=later_event, settings=moved)
        if is_changed:
            changed.append(later_event)
    return changed


def _changes_for(later: Event, changes: Mapping[str, Any], event: Event) -> dict[str, Any]:
    """Return the changes of `event` as they apply to a later event: times move with its date. The
    dates are compared by `event`, which still has its former settings."""
    times = {}
    for name in TIMES:
        moment = changes.get(name, getattr(event, name))
        if moment:
            times[name] = moment
    zone = ZoneInfo(event.club.timezone)
    days = _days_between(event.starts_at, later.starts_at, zone)
    moved = times_later(times, days, zone)
    return {name: moved.get(name, value) for name, value in changes.items()}
