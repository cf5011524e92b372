"""Factories of events, as organisers make them."""

from collections.abc import Sequence
from datetime import UTC, datetime
from time import sleep
from typing import Any

from league.core.locks import Busy
from league.core.log.services import Actor, club_journal
from league.core.player.services.player import players_create
from league.events.entry.actions import EntryAction
from league.events.entry.models import ENTRY
from league.events.entry.services.entry import entries_check_in, entry_add, last_number
from league.events.event.services import event_create
from league.models import (
    Club,
    Entry,
    Event,
    Format,
    Player,
    Season,
    Stage,
    StageRound,
    StageScoring,
    Table,
)
from league.stages.course.services.event import event_move
from league.stages.course.services.stage import stage_start
from league.stages.result.services.result import table_outcome_enter
from league.stages.round.services import round_ask, round_draw, round_publish
from league.stages.stage.domain.facts import StageFacts
from league.stages.stage.format import FORMATS
from league.stages.stage.queries.facts import stage_facts
from league.stages.stage.services.stage import stage_create

ACTOR = Actor(reason="test")
BEGINS = datetime(2099, 12, 3, 18, 30, tzinfo=UTC)
"""A Thursday far ahead: it is still to come whenever the tests run."""


def event(
    season: Season, slug: str = "night-1", status: str = Event.Status.OPEN, **settings: Any
) -> Event:
    """An event of a season that has come so far."""
    given = {"name": slug.title(), "starts_at": BEGINS, **settings}
    made = event_create(club=season.club, season=season, actor=ACTOR, slug=slug, **given)
    for step in (Event.Status.OPEN, Event.Status.RUNNING):
        if made.status != status and status != Event.Status.DRAFT:
            event_move(event=made, status=step, actor=ACTOR)
    return made


def players(club: Club, count: int, prefix: str = "p") -> list[Player]:
    """So many new players of a club."""
    with club_journal(club.pk) as journal:
        return players_create(journal, [f"{prefix}{number}" for number in range(1, count + 1)])


def enter(made: Event, those: Sequence[Player], *, check_in: bool = True) -> list[Entry]:
    """Enter players, and note that they are there.

    Where everybody gets a place it is done at once for all, with the rows and the log that the
    service writes one after the other: tests/league/events/entry/test_factory.py compares both."""
    row = Event.objects.get(pk=made.pk)
    if row.capacity is None and not row.over and not row.entries.filter(player__in=those).exists():
        entries = _entered(row, those)
    else:
        entries = [
            entry_add(event=made, player=player, actor=ACTOR, by_organiser=True) for player in those
        ]
    if check_in:
        entries_check_in(event=made, entries=entries, actor=ACTOR)
    return entries


def _entered(made: Event, those: Sequence[Player]) -> list[Entry]:
    status = Entry.Status.ENTERED
    with club_journal(made.club_id, ACTOR) as journal:
        entries = Entry.objects.bulk_create(
            Entry(event=made, player=player, number=number, status=status)
            for number, player in enumerate(those, start=1 + last_number(made))
        )
        for entry in entries:
            payload = {
                "event": made.public_id,
                "player": entry.player.public_id,
                "number": entry.number,
            }
            journal.add(
                EntryAction.ADDED, entry.public_id, payload | {"status": status, "guest": False}
            )
            journal.record(ENTRY, [entry])
    return entries


def crowd(made: Event, count: int, prefix: str = "p") -> list[Entry]:
    """Enter so many new players, all of them there."""
    return enter(made, players(made.club, count, prefix))


def stage(made: Event, *, start: bool = True, seed: str = "", **settings: Any) -> Stage:
    """A stage of an event; Swiss at tables of four and three, short ones counted as full, unless
    the settings say otherwise.

    With a `seed` it is as one that was begun before there were secrets: what is drawn anew is drawn
    with the same lots."""
    given: dict[str, Any] = {
        "name": "Main",
        "format": Format.SWISS,
        "sizes": [4, 3],
        "rounds": 3,
        "scoring": StageScoring.PLACEMENT,
        "adjusted": True,
        **settings,
    }
    given.setdefault("tie_breaks", list(FORMATS[given["format"]].first_tie_breaks))
    planned = stage_create(event=made, actor=ACTOR, **given)
    if seed:
        Stage.objects.filter(pk=planned.pk).update(secret="", seed=seed, seeding_seed=seed)
        planned.refresh_from_db()
    if start:
        stage_start(stage=planned, actor=ACTOR)
    return planned


def _is_drawn(asked: StageRound) -> bool:
    try:
        round_draw(round_id=asked.pk)
    except Busy:
        return False
    return True


def drawn(of: Stage, *, publish: bool = True) -> StageRound:
    """The next round of a stage, drawn as the job does it."""
    asked = round_ask(stage=of, actor=ACTOR)
    while not _is_drawn(asked):
        sleep(0.1)  # a worker of a service that runs beside draws it at this moment
    asked.refresh_from_db()
    if publish and asked.status == StageRound.Status.DRAWN:
        round_publish(stage_round=asked, actor=ACTOR)
    return asked


def facts(of: Stage) -> StageFacts:
    """The stage as it is stored now."""
    return stage_facts(
        Stage.objects.select_related("event__season__ranking", "event__club").get(pk=of.pk)
    )


def play(stage_round: StageRound, *, best: Sequence[str] = ()) -> None:
    """Enter a result for every table of a round: who is named in `best` finishes first, the others
    in seat order."""
    of = facts(stage_round.stage)
    for table in of.tables:
        if table.round_number == stage_round.number and not table.finished:
            ids = [of.members[entry].entry_id for entry in table.entries]
            ids.sort(key=lambda id: best.index(id) if id in best else len(best))
            finish(table.public_id, ids)


def finish(table_id: str, ids: Sequence[str], number: int = 0) -> None:
    """Enter in which order those at a table finished, by the ids of their entries."""
    table = Table.objects.select_related("stage_round__stage__event__season__club").get(
        public_id=table_id
    )
    table_outcome_enter(
        table=table,
        ranks={id: place for place, id in enumerate(ids, start=1)},
        actor=ACTOR,
        number=number,
    )


def tied(table_id: str, ranks: dict[str, int]) -> None:
    """Enter the ranks at a table, shared ones too, by the ids of entries."""
    table = Table.objects.select_related("stage_round__stage__event__season__club").get(
        public_id=table_id
    )
    table_outcome_enter(table=table, ranks=ranks, actor=ACTOR)
