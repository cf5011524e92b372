"""Events: creating them, changing them, and giving free places to waiting entries."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import datetime
from typing import Any, Final
from zoneinfo import ZoneInfo

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext, gettext_lazy

from league.core.club.models import Club
from league.core.frame.names import with_name_checked
from league.core.frame.years import years_check
from league.core.locks import Space, transaction_lock_patient
from league.core.log.columns import columns_of
from league.core.log.services import Actor, Journal, changes_between, club_journal
from league.events.entry.actions import EntryAction
from league.events.entry.models import ENTRY, Entry
from league.events.event.actions import EventAction
from league.events.event.models import EVENT, Event
from league.events.event.queries.event import has_ended
from league.events.series.models import Series
from league.standings.season.models import ONLINE_KINDS, Season
from league.standings.season.services.season import season_create

SETTINGS: Final = columns_of(Event, "setting")
"""The settings of an event that organisers choose."""
TEXTS: Final = columns_of(Event, "text")
TIMES: Final = columns_of(Event, "moves")
IN_CALENDARS: Final = columns_of(Event, "in_calendar")
TAKEN: Final = gettext_lazy("Another event of the club uses this address.")


@transaction.atomic
def event_create(
    *,
    club: Club,
    actor: Actor,
    season: Season | None = None,
    kind: dict[str, Any] | None = None,
    **settings: Any,
) -> Event:
    """Create an event as a draft. `settings` are named in `SETTINGS`.

    Without a season it stands alone and gets a season of its own with the settings `kind` (game,
    rules, scoring, visibility). Raise `ValidationError` with messages by field.
    """
    settings = with_name_checked(settings)
    event = Event(club=club, season=season, alone=season is None, **settings)
    event_check(event)
    if season is None:
        day = event.starts_at.astimezone(ZoneInfo(club.timezone)).date()
        season_settings = {"slug": event.slug, "name": event.name, "starts_on": day, **(kind or {})}
        event.season = season_create(club=club, actor=actor, **season_settings)
    # Locked from the start (`alone`), so that no other event takes the address after the check.
    with club_journal(club.pk, actor, lock_at_once=True) as journal:
        event_check(event)
        event.save(force_insert=True)
        journal.add(EventAction.CREATED, event.public_id, event_whole(event), texts=TEXTS)
        journal.record(EVENT, [event])
    return event


def events_add(
    *,
    journal: Journal,
    club: Club,
    season: Season,
    rows: Sequence[dict[str, Any]],
    series: Series | None = None,
) -> list[Event]:
    """Create several events of a season as drafts: `rows` are their settings, each with a slug of
    its own.

    Raise `ValidationError` with messages by field, with the date of the event.
    """
    journal.lock()
    slugs = [row["slug"] for row in rows]
    if Event.objects.filter(club=club, slug__in=slugs).exists() or len(set(slugs)) < len(slugs):
        raise ValidationError({"slug": TAKEN})
    new_events = [Event(club=club, season=season, series=series, **row) for row in rows]
    for event in new_events:
        with dated(event):
            _settings_check(event)
    for event in Event.objects.bulk_create(new_events):
        journal.add(EventAction.CREATED, event.public_id, event_whole(event), texts=TEXTS)
        journal.record(EVENT, [event])
    return new_events


@transaction.atomic
def event_change(*, event: Event, actor: Actor, **settings: Any) -> bool:
    """Change the settings of an event. Return False if nothing changed. Raise `ValidationError`
    with messages by field.

    Waiting entries get the places that were added.
    """
    with club_journal(event.club_id, actor) as journal:
        changed = event_set(journal=journal, event=event, settings=settings)
    if changed:
        entries_move_up(event=event, actor=actor)
        event.refresh_from_db()
    return changed


def event_set(*, journal: Journal, event: Event, settings: Mapping[str, Any]) -> bool:
    """Store settings of an event, as part of a larger action, without moving up waiting entries.
    Return False if nothing changed. Raise `ValidationError` with messages by field."""
    settings = with_name_checked(settings)
    row = (
        Event.objects.select_related("club")
        .select_for_update(of=("self",), no_key=True)
        .get(pk=event.pk)
    )
    before = event_settings(row)
    for name, value in settings.items():
        setattr(row, name, value)
    change = changes_between(before, event_settings(row))
    changed = change["after"]
    if not changed:
        return False
    journal.lock()
    event_check(row)
    if "capacity" in changed:
        _capacity_check(row)
    _save(row, changed)
    journal.add(EventAction.CHANGED, event.public_id, change, texts=TEXTS)
    journal.record(EVENT, [row], changed)
    return True


def event_settings(event: Event) -> dict[str, Any]:
    """Return the settings and the status of an event, by name, as the log stores them."""
    settings = {}
    for name in (*SETTINGS, "status"):
        value = getattr(event, name)
        settings[name] = value.isoformat() if isinstance(value, datetime) else value
    return settings


def event_whole(event: Event) -> dict[str, Any]:
    """Return everything about a new event, as the log stores it."""
    series = event.series.public_id if event.series else None
    return {
        **event_settings(event),
        "season": event.season.public_id,
        "series": series,
        "alone": event.alone,
    }


def event_check(event: Event) -> None:
    """Refuse invalid settings and a slug that is taken. Raise `ValidationError` with messages by
    field."""
    _settings_check(event)
    if event.online and event.season_id and event.season.kind not in ONLINE_KINDS:
        raise ValidationError({"online": gettext("This game can’t be played online.")})
    if Event.objects.filter(club=event.club_id, slug=event.slug).exclude(pk=event.pk).exists():
        raise ValidationError({"slug": TAKEN})


def _capacity_check(event: Event) -> None:
    taken = event.entries.filter(status=event.entries.model.Status.ENTERED).count()
    if event.capacity is not None and event.capacity < taken:
        message = gettext(
            "%(taken)d players already have a place. Withdraw some of them first, or keep at "
            "least as many places."
        )
        raise ValidationError({"capacity": message % {"taken": taken}})


def _settings_check(event: Event) -> None:
    event.full_clean(
        exclude=["club", "season", "series"], validate_unique=False, validate_constraints=False
    )
    years_check({name: getattr(event, name) for name in TIMES})
    if event.ends_at and event.ends_at < event.starts_at:
        raise ValidationError({"ends_at": gettext("An event can’t end before it begins.")})


@contextmanager
def dated(event: Event) -> Iterator[None]:
    """Put the date of an event before the messages of a `ValidationError`, where there are several
    events.
    """
    try:
        yield
    except ValidationError as error:
        starts_at = event.starts_at.astimezone(ZoneInfo(event.club.timezone))
        day = date_format(starts_at, "SHORT_DATE_FORMAT")
        messages = {}
        for name, texts in error.message_dict.items():
            messages[name] = [f"{day}: {text}" for text in texts]
        raise ValidationError(messages) from error


def _save(event: Event, changed: Iterable[str]) -> None:
    if set(IN_CALENDARS) & set(changed):
        event.changes += 1
        event.changed_at = timezone.now()
    event.save()


@contextmanager
def course_journal(event: Event, actor: Actor | None = None) -> Iterator[Journal]:
    """Open a transaction in which nobody else can change the course of the event, and yield the
    journal of the club's log. Raise `Busy` if the lock of the event isn't free in time."""
    with club_journal(event.club_id, actor) as journal:
        transaction_lock_patient(Space.EVENT, event.pk)
        yield journal


def event_hold(event: Event) -> Event:
    """Lock the event's row until the transaction ends and return it; so the entries of an event are
    changed one at a time.

    To prevent deadlocks, take this lock before those of players and of the club's log.
    """
    return Event.objects.select_for_update(no_key=True).get(pk=event.pk)


def refuse_unless_running(event: Event) -> None:
    """Raise `ValidationError` if an event, which was read under its lock, isn't running: a
    cancelled one, for example, has no rounds to draw or play."""
    if event.status != Event.Status.RUNNING:
        raise ValidationError(gettext("The event isn’t under way."))


def refuse_over(event: Event) -> None:
    """Raise `ValidationError` if an event is over."""
    if event.over:
        raise ValidationError(gettext("This event is over."))


def refuse_unreasoned(event: Event, actor: Actor) -> None:
    """Raise `ValidationError` (`reason_needed`) if an event is changed after its end without a
    reason.
    """
    if actor.reason.strip() or not has_ended(event):
        return
    message = gettext(
        "The event has ended. Say why you’re changing this. Everybody can read the reason."
    )
    raise ValidationError({"reason": ValidationError(message, code="reason_needed")})


def entries_move_up(*, event: Event, actor: Actor) -> int:
    """Give free places to waiting entries, for example after places were added; return how many
    moved up.

    Once the event is running, places are given by `entry_admit` only.
    """
    with club_journal(event.club_id, actor) as journal:
        return waiting_move_up(journal, event_hold(event))


def waiting_move_up(journal: Journal, event: Event) -> int:
    """Give free places to the first waiting entries unless the event has begun; return how many
    moved up."""
    if event.status not in (Event.Status.DRAFT, Event.Status.OPEN):
        return 0
    entries = Entry.objects.filter(event=event.pk)
    waiting = entries.filter(status=Entry.Status.WAITING).order_by("number")
    if event.capacity is not None:
        taken = entries.filter(status=Entry.Status.ENTERED).count()
        waiting = waiting[: max(0, event.capacity - taken)]
    moved = list(waiting)
    Entry.objects.filter(pk__in=[entry.pk for entry in moved]).update(status=Entry.Status.ENTERED)
    for entry in moved:
        journal.add(EntryAction.MOVED_UP, entry.public_id, {"event": event.public_id})
        journal.record(ENTRY, [entry], ["status"])
    return len(moved)
