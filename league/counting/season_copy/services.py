"""Copying a season with the dates of its events, an event, and its stages to later dates of a
series."""

from __future__ import annotations

import re
from datetime import date, datetime
from typing import Any, Final, NamedTuple
from zoneinfo import ZoneInfo

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils.translation import gettext

from league.core.frame.slug import free_slug
from league.core.frame.years import years_check
from league.core.log.services import Actor, club_journal
from league.counting.event_counting.models import EventCounting
from league.counting.event_counting.services import counting_change
from league.counting.season_copy.actions import CopyAction
from league.events.event.models import Event
from league.events.event.services import SETTINGS, event_create, events_add
from league.events.series.domain import days_later
from league.events.series.services import settings_on
from league.stages.stage.models import Stage
from league.stages.stage.queries.stage import unplanned_dates
from league.stages.stage.services.stage import SETTINGS as STAGE
from league.stages.stage.services.stage import stage_create
from league.standings.season.models import Season
from league.standings.season.services.season import season_create, season_values

MOST_COPIED: Final = 200
DATED: Final = re.compile(r"-\d{4}-\d{2}-\d{2}(-\d+)?$")
LONGEST_SLUG: Final = 48
"""The longest slug before a date and a number are added."""


@transaction.atomic
def season_copy(*, season: Season, actor: Actor, slug: str, name: str, starts_on: date) -> Season:
    """Create a season with the settings of this one, and with its events and their stages as
    drafts.

    Cancelled events are left out; the others have their dates from `season_dates`. Copying again
    under the same slug, name and start returns the same copy. Raise `ValidationError` with messages
    by field."""
    # The club is locked from here until the transaction ends: a form that is sent twice finds its
    # first copy.
    with club_journal(season.club_id, actor, lock_at_once=True) as journal:
        new_season = Season.objects.filter(
            club=season.club_id, slug=slug, name=name, starts_on=starts_on
        ).first()
        dates = season_dates(season, starts_on, new_season)
        if new_season is not None:
            copied = Event.objects.filter(season=new_season).values_list("slug", flat=True)
            if set(copied) == {date.slug for date in dates}:
                return new_season
    settings = _season_settings(season, slug, name, starts_on)
    new_season = season_create(club=season.club, actor=actor, **settings)
    _counting_copy(season, new_season, actor)
    with club_journal(season.club_id, actor) as journal:
        copies = events_add(
            journal=journal,
            club=season.club,
            season=new_season,
            rows=[_settings_of(date) for date in dates],
        )
        payload = {"from": season.public_id, "events": len(copies)}
        journal.add(CopyAction.SEASON_COPIED, new_season.public_id, payload)
    for row, copy in zip(dates, copies, strict=True):
        _stages_copy(row.event, copy, actor)
    return new_season


def event_copy(*, event: Event, actor: Actor, slug: str, name: str, starts_at: datetime) -> Event:
    """Create a draft of this event on another date, with its settings and stages, but without
    entries. It is in the same season or, if this event stands alone, gets a season of its own.
    Copying again returns the same copy.

    Raise `ValidationError` with messages by field.
    """
    settings = settings_on(
        {field: getattr(event, field) for field in SETTINGS}, starts_at, event.club
    )
    settings["slug"] = slug
    settings["name"] = name
    season = event.season
    with transaction.atomic():
        with club_journal(event.club_id, actor) as journal:
            # If a form is sent twice, the second request waits here and finds the first one's copy.
            journal.lock()
        copy = Event.objects.filter(
            club=event.club_id, slug=slug, name=name, starts_at=starts_at
        ).first()
        if copy is not None:
            return copy
        kind = {
            **{field: getattr(season, field) for field in ("kind", "rules", "notes", "visibility")},
            "scoring": season.ranking.scoring,
        }
        copy = event_create(
            club=event.club,
            actor=actor,
            season=None if event.alone else season,
            kind=kind if event.alone else None,
            **settings,
        )
        _stages_copy(event, copy, actor)
    return copy


@transaction.atomic
def stages_spread(*, event: Event, actor: Actor) -> int:
    """Copy the stages of this event to all later dates of its series that have none; return the
    number of these dates. Raise `ValidationError` if a stage can't be created there."""
    dates = unplanned_dates(event)
    for later in dates:
        _stages_copy(event, later, actor)
    return len(dates)


def _stages_copy(event: Event, copy: Event, actor: Actor) -> None:
    for stage in Stage.objects.filter(event=event).order_by("number"):
        stage_create(event=copy, actor=actor, **{field: getattr(stage, field) for field in STAGE})


class EventCopy(NamedTuple):
    """An event, with the start of its copy and the copy's slug, unique in the club."""

    event: Event
    starts_at: datetime
    slug: str


def season_dates(
    season: Season, starts_on: date, new_season: Season | None = None
) -> list[EventCopy]:
    """Return the events of a season that weren't cancelled, in order, with the starts of their
    copies in a season that starts on that day.

    All events move by whole weeks and so stay on their weekdays. Slugs end with the date, and with
    a number if the slug is taken. `new_season` is an earlier copy; the slugs of its events count as
    free. Raise
    `ValidationError` for more than 200 events, or an impossible year."""
    years_check({"starts_on": starts_on})
    zone = ZoneInfo(season.club.timezone)
    planned_events = Event.objects.filter(season=season).exclude(status=Event.Status.CANCELLED)
    events = list(
        planned_events.select_related("club").order_by("starts_at", "pk")[: MOST_COPIED + 1]
    )
    if len(events) > MOST_COPIED:
        raise ValidationError(
            gettext("A season with more than %(most)d events can’t be copied.")
            % {"most": MOST_COPIED}
        )
    days = copied_days(season, starts_on)
    other_events = Event.objects.filter(club=season.club_id)
    if new_season is not None:
        other_events = other_events.exclude(season=new_season)
    slugs = set(other_events.values_list("slug", flat=True))
    copies = []
    for event in events:
        starts_at = days_later(event.starts_at, days, zone)
        slug_without_date = DATED.sub("", event.slug)[:LONGEST_SLUG].rstrip("-")
        slug = free_slug(f"{slug_without_date}-{starts_at:%Y-%m-%d}", slugs.__contains__)
        slugs.add(slug)
        copies.append(EventCopy(event, starts_at, slug))
    return copies


def copied_days(season: Season, starts_on: date) -> int:
    """Return by how many days the events of a season move when it is copied to start on that day:
    the nearest number of whole weeks."""
    return 7 * round((starts_on - season.starts_on).days / 7)


def _settings_of(copy: EventCopy) -> dict[str, Any]:
    event = copy.event
    settings = settings_on(
        {name: getattr(event, name) for name in SETTINGS}, copy.starts_at, event.club
    )
    return {**settings, "alone": event.alone, "slug": copy.slug}


def _season_settings(season: Season, slug: str, name: str, starts_on: date) -> dict[str, Any]:
    ends_on = None
    if season.ends_on is not None:
        ends_on = starts_on + (season.ends_on - season.starts_on)
    return {
        **season_values(season),
        "slug": slug,
        "name": name,
        "starts_on": starts_on,
        "ends_on": ends_on,
        "archived": False,
    }


def _counting_copy(season: Season, new_season: Season, actor: Actor) -> None:
    counting = EventCounting.objects.filter(season=season).first()
    if counting:
        counting_change(
            season=new_season,
            actor=actor,
            per=counting.per,
            best=counting.best,
            points_table=counting.points_table,
        )
