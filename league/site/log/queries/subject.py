"""The names of log subjects, by public id: people, events, rounds and others."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any, Final, NamedTuple

from django.db.models import Case, F, Model, Q, QuerySet, Value, When
from django.utils.translation import pgettext

from league.core.account.models import User
from league.core.club.models import Club
from league.core.key.models import ApiKey
from league.core.player.models import Player
from league.events.entry.models import Entry
from league.events.event.models import Event
from league.events.helper.models import HelperInvitation
from league.events.series.models import Series
from league.floor.timetable.models import Timetable
from league.notices.message.models import EventMessage
from league.records.upload.models import ImportJob
from league.stages.round.models import StageRound
from league.stages.stage.domain.table_name import table_name
from league.stages.stage.format import Format
from league.stages.stage.models import Stage
from league.stages.table.models import Table, TableGame
from league.standings.season.models import Season


class SubjectKind(NamedTuple):
    """A kind of subject: its model, and the paths to its club, its name, and its event, stage round
    and table; empty if it has none."""

    model: type[Model]
    club: str
    name: str = ""
    event: str = ""
    stage_round: str = ""
    table: str = ""
    key: str = "public_id"


SUBJECT_KINDS: Final = (
    SubjectKind(Club, club="pk", name="name"),
    SubjectKind(Player, club="club", name="name"),
    SubjectKind(User, club="memberships__club", name="username"),
    SubjectKind(ApiKey, club="club", name="label"),
    SubjectKind(Season, club="club", name="name"),
    SubjectKind(Season, club="club", name="name", key="ranking__public_id"),
    SubjectKind(ImportJob, club="season__club", name="file_name"),
    SubjectKind(Series, club="club", name="name"),
    SubjectKind(Event, club="club", name="name"),
    SubjectKind(EventMessage, club="event__club", event="event"),
    SubjectKind(HelperInvitation, club="event__club", event="event"),
    SubjectKind(Entry, club="event__club", name="player__name", event="event"),
    SubjectKind(Stage, club="event__club", name="name", event="event"),
    SubjectKind(Timetable, club="event__club", event="event"),
    SubjectKind(
        StageRound,
        club="stage__event__club",
        name="stage__name",
        event="stage__event",
        stage_round="number",
    ),
    SubjectKind(
        Table,
        club="stage_round__stage__event__club",
        name="stage_round__stage__name",
        event="stage_round__stage__event",
        stage_round="stage_round__number",
        table="number",
    ),
    SubjectKind(
        TableGame,
        club="table__stage_round__stage__event__club",
        name="table__stage_round__stage__name",
        event="table__stage_round__stage__event",
        stage_round="table__stage_round__number",
        table="table__number",
        key="game__public_id",
    ),
)


def subject_names(club: Club, ids: Collection[str]) -> dict[str, str]:
    """Return the current names of a club's subjects by public id, in one query; unknown ids are
    missing."""
    first, *others = (_ids_and_name_parts(kind, club, ids) for kind in SUBJECT_KINDS)
    return {key: _joined_name(*parts) for key, *parts in first.union(*others, all=True)}


def _ids_and_name_parts(
    kind: SubjectKind, club: Club, ids: Collection[str]
) -> QuerySet[Any, tuple[Any, ...]]:
    table: Any = F(kind.table) if kind.table else Value(0)
    if kind.table:
        stage = kind.event.removesuffix("__event")
        table = Case(
            # The tables of a ladder are named by their round: each round has one table.
            When(Q((f"{stage}__format", Format.LADDER)), then=F(kind.stage_round)),
            default=table,
        )
    name_parts = (
        table,
        F(kind.stage_round) if kind.stage_round else Value(0),
        F(kind.name) if kind.name else Value(""),
        F(f"{kind.event}__name") if kind.event else Value(""),
    )
    rows = kind.model._default_manager.filter(Q((kind.club, club.pk)), Q((f"{kind.key}__in", ids)))
    return rows.order_by().values_list(kind.key, *name_parts)


def _joined_name(table: int, round_number: int, name: str, event: str) -> str:
    parts = []
    if table:
        parts.append(table_name(table))
    if round_number:
        parts.append(pgettext("of an event", "Round %(number)s") % {"number": round_number})
    return " · ".join(filter(None, [*parts, name, event]))
