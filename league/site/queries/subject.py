"""The names of what a club's log is about: people, events, rounds and the like, by their public ids."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any, Final, NamedTuple

from django.db.models import Case, F, Model, Q, QuerySet, Value, When
from django.utils.translation import pgettext

from league.clubs.models import ApiKey, Club, Player, User
from league.entries.models import Entry
from league.events.models import Event, HelperInvitation, Series
from league.hall.models import Timetable
from league.notices.models import EventMessage
from league.records.models import ImportJob
from league.seasons.models import Season
from league.stages.format import Format
from league.stages.models import Stage
from league.tables.domain.place import table_name
from league.tables.models import StageRound, Table, TableGame


class Noun(NamedTuple):
    """One kind of thing with a public id: its model, and the ways from there to its club, to a name of its own, and to
    the stage round and the event that it belongs to; empty where there is none."""

    model: type[Model]
    club: str
    name: str = ""
    event: str = ""
    stage_round: str = ""
    table: str = ""
    key: str = "public_id"


NOUNS: Final = (
    Noun(Club, "pk", "name"),
    Noun(Player, "club", "name"),
    Noun(User, "memberships__club", "username"),
    Noun(ApiKey, "club", "label"),
    Noun(Season, "club", "name"),
    Noun(Season, "club", "name", key="ranking__public_id"),
    Noun(ImportJob, "season__club", "file_name"),
    Noun(Series, "club", "name"),
    Noun(Event, "club", "name"),
    Noun(EventMessage, "event__club", event="event"),
    Noun(HelperInvitation, "event__club", event="event"),
    Noun(Entry, "event__club", "player__name", event="event"),
    Noun(Stage, "event__club", "name", event="event"),
    Noun(Timetable, "event__club", event="event"),
    Noun(StageRound, "stage__event__club", "stage__name", "stage__event", "number"),
    Noun(
        Table,
        "stage_round__stage__event__club",
        "stage_round__stage__name",
        "stage_round__stage__event",
        "stage_round__number",
        "number",
    ),
    Noun(
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
    """What things of a club are called today, by those of the public ids that it has; in one query."""
    first, *others = (_rows(noun, club, ids) for noun in NOUNS)
    return {key: _words(*parts) for key, *parts in first.union(*others, all=True)}


def _rows(noun: Noun, club: Club, ids: Collection[str]) -> QuerySet[Any, tuple[Any, ...]]:
    """The id, the number of the table and of the round, the name of its own and that of the event."""
    table: Any = F(noun.table) if noun.table else Value(0)
    if noun.table:
        stage = noun.event.removesuffix("__event")
        table = Case(When(Q((f"{stage}__format", Format.LADDER)), then=F(noun.stage_round)), default=table)
    parts = (
        table,
        F(noun.stage_round) if noun.stage_round else Value(0),
        F(noun.name) if noun.name else Value(""),
        F(f"{noun.event}__name") if noun.event else Value(""),
    )
    rows = noun.model._default_manager.filter(Q((noun.club, club.pk)), Q((f"{noun.key}__in", ids)))
    return rows.order_by().values_list(noun.key, *parts)


def _words(table: int, round_number: int, name: str, event: str) -> str:
    """The parts of a name, from the smallest to the largest: “Table 3 · Round 2 · Swiss · Cup”."""
    stage_round = pgettext("of an event", "Round %(number)s") % {"number": round_number} if round_number else ""
    return " · ".join(part for part in (table_name(table) if table else "", stage_round, name, event) if part)
