"""The effects of changed settings on those who have entered or read about the event, shown before
the change.
"""

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
    """Return sentences about the effects of new settings, empty if others would notice nothing.

    `touched`: the event and the later ones that change with it.
    """
    sentences = _date_effects(event, settings)
    if settings["venue"] != event.venue and settings["venue"]:
        sentences.append(gettext("The venue changes to %(venue)s.") % {"venue": settings["venue"]})
    if settings["slug"] != event.slug:
        words = gettext(
            "The address of the event’s page changes. Links to the old one stop working."
        )
        sentences.append(words)
    sentences += _place_effects(event, settings["capacity"])
    if event.status == Event.Status.RUNNING:
        sentences += _result_effects(event, settings)
    if len(touched) > 1:
        count = len(touched) - 1
        words = ngettext(
            "%(count)d later date changes too.", "%(count)d later dates change too.", count
        )
        sentences.append(words % {"count": count})
    if not sentences:
        return []
    return [*sentences, *_audience_sentences(touched)]


def _result_effects(event: Event, settings: Mapping[str, Any]) -> list[str]:
    sentences = []
    if settings["confirmation"] != event.confirmation:
        words = gettext(
            "Games being written down now are confirmed differently from now on: %(way)s."
        )
        sentences.append(words % {"way": Event.Confirmer(settings["confirmation"]).label})
    if settings["confirmation_minutes"] != event.confirmation_minutes:
        words = gettext(
            "Finished games waiting to be confirmed count automatically after %(minutes)s minutes "
            "(0: never)."
        )
        sentences.append(words % {"minutes": settings["confirmation_minutes"]})
    if settings["objection_hours"] != event.objection_hours:
        words = gettext(
            "Players can now object to results for %(hours)s hours, including results already in. "
            "Existing objections stay."
        )
        sentences.append(words % {"hours": settings["objection_hours"]})
    pace = (settings["move_seconds"], settings["bank_seconds"])
    if settings["online"] and pace != (event.move_seconds, event.bank_seconds):
        words = gettext(
            "Online tables opened from now on have %(seconds)s seconds per move, plus %(bank)s "
            "for the whole game. Tables already open keep their times."
        )
        sentences.append(
            words % {"seconds": settings["move_seconds"], "bank": settings["bank_seconds"]}
        )
    return sentences


def _date_effects(event: Event, settings: Mapping[str, Any]) -> list[str]:
    sentences = []
    if settings["starts_at"] != event.starts_at:
        words = gettext("It begins on %(after)s instead of %(before)s.")
        after = _when(event, settings["starts_at"])
        before = _when(event, event.starts_at)
        sentences.append(words % {"after": after, "before": before})
    if settings["ends_at"] != event.ends_at and settings["ends_at"]:
        day = _when(event, settings["ends_at"])
        sentences.append(gettext("It ends on %(day)s.") % {"day": day})
    if settings["entries_until"] != event.entries_until and settings["entries_until"]:
        day = _when(event, settings["entries_until"])
        sentences.append(gettext("Players can enter until %(day)s.") % {"day": day})
    if event.self_entry and not settings["self_entry"]:
        words = gettext("Players can no longer enter themselves. Existing entries stay.")
        sentences.append(words)
    return sentences


def _when(event: Event, moment: datetime) -> str:
    local = timezone.localtime(moment, ZoneInfo(event.club.timezone))
    return date_format(local, "DATETIME_FORMAT")


def _place_effects(event: Event, capacity: int | None) -> list[str]:
    entries = event.entries
    status = event.entries.model.Status
    waiting = entries.filter(status=status.WAITING).count()
    if capacity == event.capacity or not waiting:
        return []
    free = waiting
    if capacity is not None:
        free = capacity - entries.filter(status=status.ENTERED).count()
    moving = max(0, min(waiting, free))
    if not moving:
        return []
    words = ngettext(
        "%(count)d player moves up from the waiting list.",
        "%(count)d players move up from the waiting list.",
        moving,
    )
    return [words % {"count": moving}]


def _audience_sentences(touched: Sequence[Event]) -> list[str]:
    event_ids = [event.pk for event in touched]
    counted: Any = with_counts(Event.objects.filter(pk__in=event_ids))
    entered = sum(event.taken + event.waiting for event in counted)
    sentences = []
    if entered:
        words = ngettext(
            "%(count)d player has entered and keeps their place.",
            "%(count)d players have entered and keep their places.",
            entered,
        )
        sentences.append(words % {"count": entered})
    if any(event.announced for event in touched):
        words = gettext("Calendars subscribed to the club’s events update automatically.")
        sentences.append(words)
    return sentences
