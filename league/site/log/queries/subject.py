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
    SubjectKind(Club, "pk", "name"),
    SubjectKind(Player, "club", "name"),
    SubjectKind(User, "memberships__club", "username"),
    SubjectKind(ApiKey, "club", "label"),
    SubjectKind(Season, "club", "name"),
    SubjectKind(Season, "club", "name", key="ranking__public_id"),
    SubjectKind(ImportJob, "season__club", "file_name"),
    SubjectKind(Series, "club", "name"),
    SubjectKind(Event, "club", "name"),
    SubjectKind(EventMessage, "event__club", event="event"),
    SubjectKind(HelperInvitation, "event__club", event="event"),
    SubjectKind(Entry, "event__club", "player__name", event="event"),
    SubjectKind(Stage, "event__club", "name", event="event"),
    SubjectKind(Timetable, "event__club", event="event"),
    SubjectKind(StageRound, "stage__event__club", "stage__name", "stage__event", "number"),
    SubjectKind(
        Table,
        "stage_round__stage__event__club",
        "stage_round__stage__name",
        "stage_round__stage__event",
        "stage_round__number",
        "number",
    ),
    SubjectKind(
        TableGame,
        "table__stage_round__stage__event__club",
        "table__stage_round__stage__name",
        "table__stage_round__stage__event",
        "table__stage_round__number",
        "table__number",
        key="game__public_id",
    ),
)


def subject_names(club: Club, ids: Collection[str]) -> dict[str, str]:
    """Return the current names of a club's subjects by public id, in one query; unknown ids are
    missing."""
    first, *others = (_rows(kind, club, ids) for kind in SUBJECT_KINDS)
    return {key: _words(*parts) for key, *parts in first.union(*others, all=True)}


def _rows(kind: SubjectKind, club: Club, ids: Collection[str]) -> QuerySet[Any, tuple[Any, ...]]:
    table: Any = F(kind.table) if kind.table else Value(0)
    if kind.table:
        stage = kind.event.removesuffix("__event")
        table = Case(
            When(Q((f"{stage}__format", Format.LADDER)), then=F(kind.stage_round)), default=table
        )
    parts = (
        table,
        F(kind.stage_round) if kind.stage_round else Value(0),
        F(kind.name) if kind.name else Value(""),
        F(f"{kind.event}__name") if kind.event else Value(""),
    )
    rows = kind.model._default_manager.filter(Q((kind.club, club.pk)), Q((f"{kind.key}__in", ids)))
    return rows.order_by().values_list(kind.key, *parts)


def _words(table: int, round_number: int, name: str, event: str) -> str:
    """Join the parts of a name, from the smallest to the largest: “Table 3 · Round 2 · Swiss ·
    Cup”."""
    parts = []
    if table:
        parts.append(table_name(table))
    if round_number:
        parts.append(pgettext("of an event", "Round %(number)s") % {"number": round_number})
    return " · ".join(filter(None, [*parts, name, event]))
