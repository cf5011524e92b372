"""A stage as its pages and its draws need it: members, tables of all rounds, and results.

Five queries, however many play. The ranking is computed when it is needed: no row of it is stored,
so entering a result costs the same at any size.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Final

from django.db.models import Case, OuterRef, Q, QuerySet, Subquery, Value, When
from django.db.models.expressions import Combinable

from league.core import sql
from league.events.entry.models import Entry
from league.events.entry.queries.disputed import has_disputed_result
from league.events.event.models import Event
from league.stages.draw.models import Draw
from league.stages.round.models import StageRound
from league.stages.stage.domain.facts import (
    NO_ROUND,
    Member,
    StageDraw,
    StageFacts,
    StageTable,
    VoidedGame,
    WalkoverAt,
    played_game,
)
from league.stages.stage.domain.table_name import table_number
from league.stages.stage.models import Group, Participant, Stage
from league.stages.table.models import Table
from league.standings.ranked_game.queries.provisional import provisional_games


def stage_facts(stage: Stage) -> StageFacts:
    """Return all facts of a loaded stage; five queries."""
    return replace(
        _facts_without_groups_and_draws(stage),
        groups=tuple(
            Group.objects.filter(stage=stage, number__lte=stage.groups).order_by("number")
        ),
        draws=_newest_draws(
            Draw.objects.filter(stage_round__stage=stage).exclude(stage_round__status__in=NO_ROUND)
        ),
    )


def stage_course(stage: Stage) -> StageFacts:
    """Return the facts of a stage without groups and draws, by three queries: enough to know the
    next step. For a format that plays to the end, such as a knock-out, return all facts."""
    if stage.format_rules.plays_to_the_end:
        return stage_facts(stage)
    return _facts_without_groups_and_draws(stage)


def _facts_without_groups_and_draws(stage: Stage) -> StageFacts:
    # Rounds first: if one is being drawn at this moment, it comes without tables as still waiting,
    # or with all of them.
    rounds = list(StageRound.objects.filter(stage=stage).order_by("number"))
    for stage_round in rounds:
        stage_round.stage = stage
    return StageFacts(
        stage=stage,
        groups=(),
        members=_members(stage, Participant.objects.filter(stage=stage)),
        rounds=tuple(stage_round for stage_round in rounds if stage_round.status not in NO_ROUND),
        tables=_tables(stage, TABLES_SQL + OF_DRAWN_ROUNDS),
        draws=(),
        void=tuple(stage_round for stage_round in rounds if stage_round.status in NO_ROUND),
    )


def round_facts(stage_round: StageRound) -> StageFacts:
    """Return the facts of a round that was taken back: that round alone, with every entry of the
    event as a member, since the stage may have been started again with others. For any other round,
    return all facts of its stage."""
    stage = stage_round.stage
    if stage_round.status != StageRound.Status.TAKEN_BACK:
        return stage_facts(stage)
    tables = _tables(stage, TABLES_SQL + OF_ROUND, stage_round.pk)
    has_draw_or_table = Q(draws__stage_round=stage_round) | Q(tables__stage_round=stage_round)
    return StageFacts(
        stage=stage,
        groups=tuple(Group.objects.filter(has_draw_or_table).distinct().order_by("number")),
        members=_entries_as_members(stage, tables),
        rounds=(stage_round,),
        tables=tables,
        draws=_newest_draws(Draw.objects.filter(stage_round=stage_round)),
    )


def _entries_as_members(stage: Stage, tables: Sequence[StageTable]) -> dict[int, Member]:
    """Return all entries of an event as members of a stage, by row id, in the groups of the tables
    where they sit."""
    entries = Entry.objects.filter(event=stage.event_id).order_by()
    rows = entries.annotate(withdrawn=~Q(status=Entry.Status.ENTERED)).values_list(
        "pk",
        "public_id",
        "player__public_id",
        "player__handle",
        "player__name",
        "withdrawn",
        "guest",
        "label",
    )
    groups = {entry: table.group for table in tables for entry in table.entries}
    members = {}
    for pk, entry_id, player, handle, name, withdrawn, guest, label in rows:
        members[pk] = Member(
            entry=pk,
            entry_id=entry_id,
            player=player,
            handle=handle,
            name=name,
            group=groups.get(pk, 0),
            seed=0,
            carried=0,
            plays=False,
            withdrawn=withdrawn,
            guest=guest,
            label=label,
        )
    return members


def table_facts(table: Table) -> StageFacts:
    """Return the facts of one table: that table alone, with its players, and no draw.

    Two queries in a stage of any size, for a table that is loaded with its group.
    """
    stage = table.stage_round.stage
    participants = Participant.objects.filter(stage=stage, entry__in=table.seats.values("entry"))
    return StageFacts(
        stage=stage,
        groups=(table.group,),
        members=_members(stage, participants),
        rounds=(table.stage_round,),
        tables=_tables(stage, TABLES_SQL + OF_TABLE, table.pk),
        draws=(),
    )


TABLES_SQL: Final = """
    SELECT tab.id, tab.public_id, round.number, tab.group_id, tab.number, tab.label, tab.place,
      tab.starts_at, tab.finished,
      ARRAY(SELECT entry_id FROM league_tableseat seat WHERE seat.table_id = tab.id ORDER BY seat),
      (SELECT json_agg(
          json_build_array(
            result.number,
            (SELECT public_id FROM games_game WHERE id = result.game_id),
            result.entries, result.ranks, result.points, result.order, result.penalties,
            result.game_id IN ({provisional})
          ) ORDER BY result.number
        )
        FROM league_tablescore result WHERE result.table_id = tab.id),
      (SELECT CASE WHEN stands THEN json_build_array(absent, reason) END
        FROM league_walkover WHERE table_id = tab.id ORDER BY revision DESC LIMIT 1),
      (SELECT json_agg(json_build_array(place.number, game.public_id) ORDER BY place.number)
        FROM league_tablegame place
        CROSS JOIN LATERAL (
          SELECT id, public_id FROM games_game WHERE id = place.game_id OFFSET 0
        ) game
        WHERE place.table_id = tab.id
          AND (SELECT stands FROM games_void WHERE game_id = game.id ORDER BY number DESC LIMIT 1))
    FROM league_stageround round JOIN league_table tab ON tab.stage_round_id = round.id
    WHERE round.stage_id = %s
    """
"""The tables of a stage. Games are looked up one by one for each table (`OFFSET 0`): planned as a
join, while statistics of a new table are poor, all games of the service could be read for each."""
OF_DRAWN_ROUNDS: Final = (
    " AND round.status NOT IN ('taken_back', 'failed') ORDER BY round.number, tab.number"
)
OF_TABLE: Final = " AND tab.id = %s"
OF_ROUND: Final = " AND round.id = %s ORDER BY tab.number"


def _members(stage: Stage, participants: QuerySet[Participant]) -> dict[int, Member]:
    entered = Q(entry__status=Entry.Status.ENTERED)
    annotated = participants.order_by().annotate(
        plays=entered & Q(entry__checked_in_at__isnull=False), withdrawn=~entered
    )
    annotated = annotated.annotate(provisional=_comes_from_disputed(stage))
    rows = annotated.values_list(
        "entry",
        "entry__public_id",
        "entry__player__public_id",
        "entry__player__handle",
        "entry__player__name",
        "group",
        "seed",
        "carried",
        "plays",
        "withdrawn",
        "entry__guest",
        "entry__label",
        "provisional",
    )
    # The columns are in the order of the fields of `Member`.
    members = [Member(*row) for row in rows]
    return {member.entry: member for member in members}


def _comes_from_disputed(stage: Stage) -> Combinable:
    if not stage.rests_on_earlier:
        return Value(False)
    return has_disputed_result("entry", stage.event_id, before_stage=stage.number)


def _tables(stage: Stage, query: str, *further_keys: int) -> tuple[StageTable, ...]:
    statement = query.format(provisional=provisional_games())
    return tuple(_table(stage, *row) for row in sql.rows(statement, (stage.pk, *further_keys)))


def _table(stage: Stage, *row: Any) -> StageTable:
    """Return a table of a stage from a row of `TABLES_SQL`."""
    (
        pk,
        public_id,
        round_number,
        group,
        number,
        label,
        place,
        starts_at,
        finished,
        entries,
        games,
        walkover,
        voided,
    ) = row
    return StageTable(
        pk=pk,
        public_id=public_id,
        round_number=round_number,
        group=group,
        number=number,
        sign=table_number(stage, round_number, number),
        label=label,
        place=place,
        starts_at=starts_at,
        finished=finished,
        entries=tuple(entries),
        games=tuple(played_game(*game) for game in games or ()),
        walkover=_walkover(*walkover) if walkover else None,
        voided=tuple(VoidedGame(*game) for game in voided or ()),
    )


def _walkover(absent: list[int], reason: str) -> WalkoverAt:
    return WalkoverAt(tuple(absent), reason)


def _newest_draws(draws: QuerySet[Draw]) -> tuple[StageDraw, ...]:
    first = Draw.objects.filter(
        stage_round=OuterRef("stage_round"), group=OuterRef("group"), revision=1
    )
    rows = (
        draws.order_by("stage_round__number", "group_id", "-revision")
        .distinct("stage_round__number", "group_id")
        .annotate(first_answer=Case(When(by_hand=True, then=Subquery(first.values("answer")))))
    )
    # After the round's number, in the order of the fields of `StageDraw`.
    columns = ("group_id", "public_id", "revision", "by_hand", "reason", "input", "answer")
    numbered = rows.values_list("stage_round__number", *columns, "first_answer")
    return tuple(StageDraw(*row) for row in numbered)


def started_stages(event: Event) -> list[StageFacts]:
    """Return the facts of the stages of an event that have started, in their order."""
    stages = (
        Stage.objects.filter(event=event).exclude(status=Stage.Status.PLANNED).order_by("number")
    )
    stages_facts = []
    for stage in stages:
        stage.event = event
        stages_facts.append(stage_facts(stage))
    return stages_facts
