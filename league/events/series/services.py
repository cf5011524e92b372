"""Series of events: making all their dates at once, and changing this one and all later ones."""

from __future__ import annotations

from collections.abc import Mapping, Set
from datetime import date, datetime
from typing import Any, Final
from zoneinfo import ZoneInfo

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils.translation import gettext

from league.core.club.models import Club
from league.core.frame.names import with_name_checked
from league.core.frame.years import years_check
from league.core.log.services import Actor, club_journal
from league.events.event.actions import EventAction
from league.events.event.models import Event
from league.events.event.services import TIMES, dated, entries_move_up, event_set, events_add
from league.events.series.domain import DAYS, BadSeries, SeriesDates, dates, rule_of, times_later
from league.events.series.models import SERIES, Series
from league.events.series.queries import later_events
from league.standings.season.models import Season

OWN: Final = ("slug", "name")
"""Settings that each date of a series has for itself."""
NAME_LENGTH: Final = 110
"""So that a number fits behind it."""
SLUG_LENGTH: Final = 53
"""So that a date fits behind it."""
RULE: Final = ("every", "weekdays", "until", "count")
"""The settings that make the rule."""


def rule_taken(club: Club, settings: dict[str, Any]) -> str:
    """The rule of the settings of a series, as text; its members are taken out of them. Raises
    `ValidationError`."""
    every, weekdays, until, count = [settings.pop(name, None) for name in RULE]
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
    without: Set[date] = frozenset(),
    **settings: Any,
) -> Series:
    """A series of events in a season, with all its dates as drafts: "League night 1", "League night
    2" and so on.

    `starts_at` and the other times of `settings` are those of the first date, from which `rule`
    goes on (`league.events.series.domain.rule_of`); `without` are days that it leaves out. The same
    series again is the one that is there already. Raises `ValidationError` by field."""
    club = season.club
    checked = with_name_checked({"name": name})["name"]
    years_check({time: settings.get(time) for time in TIMES if time != "starts_at"})
    series_days = series_dates(club=club, rule=rule, starts_at=starts_at, without=without)
    wall = starts_at.astimezone(ZoneInfo(club.timezone)).replace(tzinfo=None, microsecond=0)
    series = Series(
        club=club, name=checked, rule=rule, starts_at=wall.isoformat(), without=sorted(without)
    )
    first = {"starts_at": starts_at, **settings}
    rows = [
        {
            "slug": f"{slug}-{start:%Y-%m-%d}",
            "name": f"{checked} {number}",
            **settings_on(first, start, club),
        }
        for number, start in enumerate(series_days.starts, start=1)
    ]
    with club_journal(
        club.pk, actor, alone=True
    ) as journal:  # the same form, sent twice, comes one after the other
        same = {
            field: getattr(series, field)
            for field in ("club", "name", "rule", "starts_at", "without")
        }
        if same_series := Series.objects.filter(
            events__season=season, events__slug=rows[0]["slug"], **same
        ).first():
            return same_series
        series.save(force_insert=True)
        payload = {
            "name": checked,
            "rule": rule,
            "starts_at": series.starts_at,
            "dates": len(rows),
            "without": [day.isoformat() for day in series.without],
        }
        journal.add(EventAction.SERIES_CREATED, series.public_id, payload, texts=["name"])
        journal.state(SERIES, [series])
        events_add(journal=journal, club=club, season=season, rows=rows, series=series)
    return series


def series_dates(
    *, club: Club, rule: str, starts_at: datetime, without: Set[date] = frozenset()
) -> SeriesDates:
    """The dates that a series of the club would have. Raises `ValidationError` for a series that
    can't be."""
    years_check({"starts_at": starts_at})
    zone = ZoneInfo(club.timezone)
    try:
        series_days = dates(rule, starts_at.astimezone(zone).replace(tzinfo=None), zone)
        if without and {start.date() for start in series_days.starts} <= without:
            raise ValidationError(gettext("This leaves no date of the series."))
        return dates(rule, starts_at.astimezone(zone).replace(tzinfo=None), zone, without)
    except BadSeries as bad:
        raise ValidationError(bad.message.translated(gettext)) from bad


def settings_on(settings: Mapping[str, Any], starts_at: datetime, club: Club) -> dict[str, Any]:
    """The settings of an event as they are on another date: all times move with it, on the clocks
    of the club."""
    zone = ZoneInfo(club.timezone)
    days = (starts_at.astimezone(zone).date() - settings["starts_at"].astimezone(zone).date()).days
    times = {name: settings[name] for name in TIMES if settings.get(name)}
    return {**settings, **times_later(times, days, zone), "starts_at": starts_at}


def series_change(*, event: Event, actor: Actor, **settings: Any) -> int:
    """Change this event of a series, and all later ones that aren't running or over; returns how
    many changed.

    Only what changes for this one changes for the others, so that what was said of one of them
    alone stays; times move by days and on the clocks of the club. Name and address change for this
    one only. Raises `ValidationError` by field."""
    with transaction.atomic():
        changed = []
        with club_journal(event.club_id, actor) as journal:
            later = _held(event)
            changes = {
                name: value for name, value in settings.items() if value != getattr(event, name)
            }
            shared = {name: value for name, value in changes.items() if name not in OWN}
            if event_set(journal=journal, event=event, settings=changes):
                changed.append(event)
            for later_event in later if shared else ():
                with dated(later_event):
                    if event_set(
                        journal=journal,
                        event=later_event,
                        settings=_as_here(shared, event, later_event),
                    ):
                        changed.append(later_event)
        for changed_event in changed:
            entries_move_up(event=changed_event, actor=actor)
    event.refresh_from_db()
    return len(changed)


def _held(event: Event) -> list[Event]:
    """The later events that change with this one, all rows held before the log's end, as by whoever
    enters."""
    pks = [event.pk, *(later.pk for later in later_events(event))]
    list(Event.objects.filter(pk__in=pks).select_for_update(no_key=True).order_by("pk"))
    return later_events(event)


def _as_here(changes: Mapping[str, Any], event: Event, later: Event) -> dict[str, Any]:
    """The new settings of an event, still as it was, as they are for a later one: times on its own
    date."""
    zone = ZoneInfo(event.club.timezone)
    times = {name: moment for name in TIMES if (moment := changes.get(name, getattr(event, name)))}
    days = (later.starts_at.astimezone(zone).date() - event.starts_at.astimezone(zone).date()).days
    moved = times_later(times, days, zone)
    return {name: moved.get(name, value) for name, value in changes.items()}
