"""Events: making them, changing them, and moving them on from draft to finished."""

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
"""What an organiser says of an event."""
TEXTS: Final = columns_of(Event, "text")
TIMES: Final = columns_of(Event, "moves")
IN_CALENDARS: Final = columns_of(Event, "in_calendar")
TAKEN: Final = gettext_lazy("Another event of the club has this address.")


@transaction.atomic
def event_create(
    *,
    club: Club,
    actor: Actor,
    season: Season | None = None,
    kind: dict[str, Any] | None = None,
    **settings: Any,
) -> Event:
    """A new event, as a draft. `settings` are those of `SETTINGS`.

    Without a season it stands alone: it gets a season of its own, whose settings `kind` are (game,
    rules, scoring, visibility). Raises `ValidationError` by field."""
    settings = with_name_checked(settings)
    event = Event(club=club, season=season, alone=season is None, **settings)
    event_check(event)
    if season is None:
        day = event.starts_at.astimezone(ZoneInfo(club.timezone)).date()
        season_settings = {"slug": event.slug, "name": event.name, "starts_on": day, **(kind or {})}
        event.season = season_create(club=club, actor=actor, **season_settings)
    with club_journal(
        club.pk, actor, alone=True
    ) as journal:  # no other event takes the address in between
        event_check(event)
        event.save(force_insert=True)
        journal.add(EventAction.CREATED, event.public_id, event_whole(event), texts=TEXTS)
        journal.state(EVENT, [event])
    return event


def events_add(
    *,
    journal: Journal,
    club: Club,
    season: Season,
    rows: Sequence[dict[str, Any]],
    series: Series | None = None,
) -> list[Event]:
    """New events of a season at once, all of them drafts: their settings are `rows`, each with an
    address of its own.

    Raises `ValidationError` by field, and says on which day.
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
        journal.state(EVENT, [event])
    return new_events


@transaction.atomic
def event_change(*, event: Event, actor: Actor, **settings: Any) -> bool:
    """Change what is said of an event; False: no change. Raises `ValidationError` by field.

    Who waits gets the places that there are more of now.
    """
    with club_journal(event.club_id, actor) as journal:
        changed = event_set(journal=journal, event=event, settings=settings)
    if changed:
        entries_move_up(event=event, actor=actor)
        event.refresh_from_db()
    return changed


def event_set(*, journal: Journal, event: Event, settings: Mapping[str, Any]) -> bool:
    """Store other settings of an event; False: no change. Raises `ValidationError` by field."""
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
    journal.state(EVENT, [row], changed)
    return True


def event_settings(event: Event) -> dict[str, Any]:
    """Return what is said of an event, by name, as the log has it."""
    values = {name: getattr(event, name) for name in (*SETTINGS, "status")}
    return {
        name: value.isoformat() if isinstance(value, datetime) else value
        for name, value in values.items()
    }


def event_whole(event: Event) -> dict[str, Any]:
    """All of a new event, as the log has it."""
    series = event.series.public_id if event.series else None
    return {
        **event_settings(event),
        "season": event.season.public_id,
        "series": series,
        "alone": event.alone,
    }


def event_check(event: Event) -> None:
    """Refuse what no event can be. Raises `ValidationError` by field."""
    _settings_check(event)
    if event.online and event.season_id and event.season.kind not in ONLINE_KINDS:
        raise ValidationError({"online": gettext("This game can’t be played online.")})
    if Event.objects.filter(club=event.club_id, slug=event.slug).exclude(pk=event.pk).exists():
        raise ValidationError({"slug": TAKEN})


def _capacity_check(event: Event) -> None:
    """Refuse fewer places than are taken. Raises `ValidationError` by field."""
    count = event.entries.filter(status=event.entries.model.Status.ENTERED).count()
    if event.capacity is not None and event.capacity < count:
        raise ValidationError(
            {
                "capacity": gettext(
                    "%(taken)d have a place already. Withdraw some of them first, or leave as "
                    "many places."
                )
                % {"taken": count}
            }
        )


def _settings_check(event: Event) -> None:
    """Refuse what no event can be, whatever else there is; no query. Raises `ValidationError` by
    field."""
    event.full_clean(
        exclude=["club", "season", "series"], validate_unique=False, validate_constraints=False
    )
    years_check({name: getattr(event, name) for name in TIMES})
    if event.ends_at and event.ends_at < event.starts_at:
        raise ValidationError({"ends_at": gettext("An event can’t end before it begins.")})


@contextmanager
def dated(event: Event) -> Iterator[None]:
    """Tell where one of many events is refused, say before each reason on which day it would be."""
    try:
        yield
    except ValidationError as error:
        day = date_format(
            event.starts_at.astimezone(ZoneInfo(event.club.timezone)), "SHORT_DATE_FORMAT"
        )
        messages = {
            name: [f"{day}: {words}" for words in each] for name, each in error.message_dict.items()
        }
        raise ValidationError(messages) from error


def _save(event: Event, changed: Iterable[str]) -> None:
    """Store an event; calendars hear of what they show."""
    if set(IN_CALENDARS) & set(changed):
        event.changes += 1
        event.changed_at = timezone.now()
    event.save()


@contextmanager
def course_journal(event: Event, actor: Actor | None = None) -> Iterator[Journal]:
    """A transaction as `club_journal` begins it, in which nobody else changes the course of the
    event. Raises `Busy` where somebody else does so for longer."""
    with club_journal(event.club_id, actor) as journal:
        transaction_lock_patient(Space.EVENT, event.pk)
        yield journal


def event_hold(event: Event) -> Event:
    """The event's row, held until the transaction ends: entries of one event come one after the
    other.

    It is held before the players and the log's end of the club, by everybody, so that nobody waits
    in a circle."""
    return Event.objects.select_for_update(no_key=True).get(pk=event.pk)


def refuse_still(event: Event) -> None:
    """Raise `ValidationError` for an event, as it is read under its lock, that isn't running: one
    that is cancelled, say, has no rounds to draw and none to play."""
    if event.status != Event.Status.RUNNING:
        raise ValidationError(gettext("The event isn’t running."))


def refuse_over(event: Event) -> None:
    """Raise `ValidationError` for an event that is over."""
    if event.over:
        raise ValidationError(gettext("This event is over."))


def refuse_unreasoned(event: Event, actor: Actor) -> None:
    """Raise `ValidationError` (`reason_needed`) for who changes an event after its end without
    saying why."""
    if not actor.reason.strip() and has_ended(event):
        raise ValidationError(
            {
                "reason": ValidationError(
                    gettext(
                        "The event has ended: say why this is changed. Everybody can read the "
                        "reason."
                    ),
                    code="reason_needed",
                )
            }
        )


def entries_move_up(*, event: Event, actor: Actor) -> int:
    """Give free places to those who wait, as after more places were made; returns how many moved
    up.

    Nobody moves up by this once the event is running: who is there then gets a place by
    `entry_admit`."""
    with club_journal(event.club_id, actor) as journal:
        return waiting_move_up(journal, event_hold(event))


def waiting_move_up(journal: Journal, event: Event) -> int:
    """Give free places to the first who wait, unless the event has begun."""
    if event.status not in (Event.Status.DRAFT, Event.Status.OPEN):
        return 0
    entries = Entry.objects.filter(event=event.pk)
    waiting = entries.filter(status=Entry.Status.WAITING).order_by("number")
    if event.capacity is not None:
        waiting = waiting[
            : max(0, event.capacity - entries.filter(status=Entry.Status.ENTERED).count())
        ]
    moved = list(waiting)
    Entry.objects.filter(pk__in=[entry.pk for entry in moved]).update(status=Entry.Status.ENTERED)
    for entry in moved:
        journal.add(EntryAction.MOVED_UP, entry.public_id, {"event": event.public_id})
        journal.state(ENTRY, [entry], ["status"])
    return len(moved)
