"""All that a change of an event means for those who have entered and who read of it, said before it
is done."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext, ngettext

from league.events.event.models import Event
from league.events.event.queries.event import with_counts


def event_effects(event: Event, settings: Mapping[str, Any], touched: Sequence[Event]) -> list[str]:
    """Sentences on what the settings change: of the event, and of all who are `touched` with it.
    None if nothing that others would notice."""
    sentences = _dates(event, settings)
    if settings["venue"] != event.venue and settings["venue"]:
        sentences.append(gettext("The place changes to %(venue)s.") % {"venue": settings["venue"]})
    if settings["slug"] != event.slug:
        sentences.append(
            gettext(
                "The address of the event’s page changes: links to the former one lead nowhere."
            )
        )
    sentences += _places(event, settings["capacity"])
    if event.status == Event.Status.RUNNING:
        sentences += _results(event, settings)
    if len(touched) > 1:
        words = ngettext(
            "%(count)d later date changes, too.",
            "%(count)d later dates change, too.",
            len(touched) - 1,
        )
        sentences.append(words % {"count": len(touched) - 1})
    return [*sentences, *_readers(touched)] if sentences else []


def _results(event: Event, settings: Mapping[str, Any]) -> list[str]:
    """Tell what becomes of games that are being played, and of results that are in."""
    sentences = []
    if settings["confirmation"] != event.confirmation:
        words = gettext(
            "Games that are being written down are confirmed in another way from now on: %(way)s."
        )
        sentences.append(words % {"way": Event.Confirmer(settings["confirmation"]).label})
    if settings["confirmation_minutes"] != event.confirmation_minutes:
        words = gettext(
            "Games that are over and wait count by themselves after %(minutes)s minutes (0: never)."
        )
        sentences.append(words % {"minutes": settings["confirmation_minutes"]})
    if settings["objection_hours"] != event.objection_hours:
        words = gettext(
            "Results that are in can be objected to for %(hours)s hours now. Objections that "
            "stand stay."
        )
        sentences.append(words % {"hours": settings["objection_hours"]})
    pace = (settings["move_seconds"], settings["bank_seconds"])
    if settings["online"] and pace != (event.move_seconds, event.bank_seconds):
        words = gettext(
            "Online tables that open from now on have %(seconds)s seconds for a move, and "
            "%(bank)s more for the whole "
            "game. Tables that are open keep their time."
        )
        sentences.append(
            words % {"seconds": settings["move_seconds"], "bank": settings["bank_seconds"]}
        )
    return sentences


def _dates(event: Event, settings: Mapping[str, Any]) -> list[str]:
    sentences = []
    if settings["starts_at"] != event.starts_at:
        words = gettext("It begins on %(after)s, no longer on %(before)s.")
        sentences.append(
            words
            % {
                "after": _when(event, settings["starts_at"]),
                "before": _when(event, event.starts_at),
            }
        )
    if settings["ends_at"] != event.ends_at and settings["ends_at"]:
        sentences.append(
            gettext("It ends on %(day)s.") % {"day": _when(event, settings["ends_at"])}
        )
    if settings["entries_until"] != event.entries_until and settings["entries_until"]:
        sentences.append(
            gettext("Players can enter until %(day)s.")
            % {"day": _when(event, settings["entries_until"])}
        )
    if event.self_entry and not settings["self_entry"]:
        sentences.append(
            gettext("Players can’t enter themselves any more. Entries that are there stay.")
        )
    return sentences


def _when(event: Event, moment: datetime) -> str:
    return date_format(timezone.localtime(moment, ZoneInfo(event.club.timezone)), "DATETIME_FORMAT")


def _places(event: Event, capacity: int | None) -> list[str]:
    """Tell who moves up if there are more places."""
    entries, status = event.entries, event.entries.model.Status
    waiting = entries.filter(status=status.WAITING).count()
    if capacity == event.capacity or not waiting:
        return []
    free = waiting if capacity is None else capacity - entries.filter(status=status.ENTERED).count()
    moving = max(0, min(waiting, free))
    if not moving:
        return []
    words = ngettext(
        "%(count)d player moves up from the waiting list.",
        "%(count)d players move up from the waiting list.",
        moving,
    )
    return [words % {"count": moving}]


def _readers(touched: Sequence[Event]) -> list[str]:
    """Tell who has to know: those who entered, and calendars."""
    counted: Any = with_counts(Event.objects.filter(pk__in=[event.pk for event in touched]))
    entered = sum(event.taken + event.waiting for event in counted)
    sentences = []
    if entered:
        words = ngettext(
            "%(count)d player has entered and keeps the place.",
            "%(count)d players have entered and keep their places.",
            entered,
        )
        sentences.append(words % {"count": entered})
    if any(event.announced for event in touched):
        sentences.append(
            gettext(
                "Calendars that subscribe to the club’s events take the change over by themselves."
            )
        )
    return sentences
