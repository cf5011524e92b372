"""How what changes events, series of them and messages is logged, for
`tests/league/test_logging.py`."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from typing import Any, Final

from league.core.log.actions import Action
from league.counting.season_copy.actions import CopyAction
from league.counting.season_copy.services import season_copy
from league.events.entry.actions import EntryAction
from league.events.event.actions import EventAction
from league.events.event.services import event_change, event_create
from league.events.helper.actions import HelperAction
from league.events.helper.services import (
    helper_add,
    helper_invitation_accept,
    helper_invitation_bind,
    helper_invitation_join,
    helper_invitation_withdraw,
    helper_invite,
    helper_remove,
)
from league.events.series.domain import rule_of
from league.events.series.services import series_change, series_create
from league.models import Event, Helper, HelperInvitation, Player, Role, Series
from league.notices.message.actions import MessageAction
from league.notices.message.services import message_send
from league.stages.course.services.event import event_move
from league.standings.season.actions import SeasonAction
from tests.factories import events


def planned(it: Any) -> Event:
    """A planned event of the season."""
    return events.event(it.season, status=Event.Status.DRAFT)


def pair(it: Any) -> Series:
    """A series of two events."""
    rule = rule_of(1, {3}, count=2)
    return series_create(
        season=it.season,
        actor=it.actor,
        rule=rule,
        slug="night",
        name="Night",
        starts_at=events.BEGINS,
    )


def entered(it: Any) -> Event:
    """An event in which somebody with an account has a place."""
    Player.objects.filter(pk=it.anna.pk).update(user=it.organiser)
    made = events.event(it.season)
    events.enter(made, [it.anna], check_in=False)
    return made


def helping(it: Any) -> Helper:
    """A scorer's role for one event."""
    return helper_add(event=planned(it), user=it.scorer, role=Role.SCORER, actor=it.actor)


def helper_invited(it: Any, email: str = "") -> HelperInvitation:
    """An invitation to help at an event, by a code, or to an address."""
    return helper_invite(event=planned(it), role=Role.SCORER, invited_by=it.organiser, email=email)[
        0
    ]


PLANNED: Final = [EventAction.CREATED]
LOGGED: Final[dict[str, tuple[Callable[[Any], object], list[Action]]]] = {
    "events.event.event_create": (
        lambda it: event_create(
            club=it.club, actor=it.actor, slug="cup", name="Cup", starts_at=events.BEGINS
        ),
        [SeasonAction.CREATED, EventAction.CREATED],
    ),
    "events.event.event_change": (
        lambda it: event_change(event=planned(it), actor=it.actor, venue="Attic"),
        [EventAction.CREATED, EventAction.CHANGED],
    ),
    "stages.course.event.event_move": (
        lambda it: event_move(event=planned(it), status=Event.Status.OPEN, actor=it.actor),
        [EventAction.CREATED, EventAction.CHANGED],
    ),
    "events.series.series_create": (
        lambda it: pair(it),
        [EventAction.SERIES_CREATED, EventAction.CREATED, EventAction.CREATED],
    ),
    "events.series.series_change": (
        lambda it: series_change(
            event=pair(it).events.earliest("starts_at"), actor=it.actor, venue="Attic"
        ),
        [
            EventAction.SERIES_CREATED,
            EventAction.CREATED,
            EventAction.CREATED,
            EventAction.CHANGED,
            EventAction.CHANGED,
        ],
    ),
    "events.helper.helper_add": (lambda it: helping(it), [*PLANNED, HelperAction.ADDED]),
    "events.helper.helper_remove": (
        lambda it: helper_remove(helper=helping(it), actor=it.actor),
        [*PLANNED, HelperAction.ADDED, HelperAction.REMOVED],
    ),
    "events.helper.helper_invite": (
        lambda it: helper_invited(it),
        [*PLANNED, HelperAction.INVITED],
    ),
    "events.helper.helper_invitation_withdraw": (
        lambda it: helper_invitation_withdraw(invitation=helper_invited(it), actor=it.actor),
        [*PLANNED, HelperAction.INVITED, HelperAction.INVITATION_WITHDRAWN],
    ),
    "events.helper.helper_invitation_bind": (
        lambda it: helper_invitation_bind(invitation=helper_invited(it), email="new@example.org"),
        [*PLANNED, HelperAction.INVITED, HelperAction.INVITED],
    ),
    "events.helper.helper_invitation_accept": (
        lambda it: helper_invitation_accept(invitation=helper_invited(it), user=it.scorer),
        [*PLANNED, HelperAction.INVITED, HelperAction.ADDED],
    ),
    "events.helper.helper_invitation_join": (
        lambda it: helper_invitation_join(
            invitation=helper_invited(it, "new@example.org"), name="new", password="six threes"
        ),
        [*PLANNED, HelperAction.INVITED, HelperAction.ADDED],
    ),
    "counting.season_copy.season_copy": (
        lambda it: season_copy(
            season=planned(it).season,
            actor=it.actor,
            slug="next",
            name="Next",
            starts_on=date(2027, 9, 1),
        ),
        [EventAction.CREATED, SeasonAction.CREATED, EventAction.CREATED, CopyAction.SEASON_COPIED],
    ),
    "notices.message.message_send": (
        lambda it: message_send(
            event=entered(it), subject="Cups", text="Bring some.", actor=it.actor
        ),
        [EventAction.CREATED, EventAction.CHANGED, EntryAction.ADDED, MessageAction.EVENT_MESSAGE],
    ),
}
PART: Final = ("events.event.event_set", "events.event.events_add", "events.helper.helpers_end")
UNLOGGED: Final = {
    "events.helper.helper_invitations_forget": (
        "forgets what nobody can accept any more; that it was made stays logged"
    ),
}
READS: Final = (
    "counting.season_copy.copied_days",
    "counting.season_copy.season_dates",
    "events.event.dated",
    "events.event.event_check",
    "events.event.event_settings",
    "events.series.series_dates",
    "events.series.pop_rule",
    "events.series.settings_on",
)
