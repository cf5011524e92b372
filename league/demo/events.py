"""The demo's events: a cup of three stages in progress, an evening of Lügen-Kniffel, one of free
tables, and a league night that takes entries."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, time, timedelta
from functools import partial
from pathlib import Path
from random import Random
from typing import Any, Final
from uuid import uuid4
from zoneinfo import ZoneInfo

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext

from engine.clock import CLOCK
from engine.players.roster import PLAYERS, player
from engine.record.bluff.round import RoundRecord
from engine.record.record import Record
from engine.record.write import write
from games.models import Game
from games.models.game import Kind
from league.core.club.models import Club
from league.core.log.services import Actor
from league.core.member.models.member import Membership, Role
from league.core.player.models import Player
from league.counting.event_counting.services import counting_change
from league.disputes.objection.services import objection_raise
from league.disputes.ruling.domain import Finding, RulingDecision
from league.disputes.ruling.models import Ruling
from league.disputes.ruling.services.ruling import ruling_make
from league.disputes.statement.services.evidence import SentFile
from league.disputes.statement.services.statement import statement_add
from league.events.entry.models import Entry
from league.events.entry.services.entry import entries_check_in, entry_add
from league.events.event.models import Event
from league.events.event.services import event_create
from league.floor.hall.services import places_add, slots_add
from league.floor.timetable.services import timetable_ask, timetable_make, timetable_publish
from league.stages.course.services.event import event_move
from league.stages.course.services.stage import stage_finish, stage_start
from league.stages.result.domain.end import kind_of
from league.stages.result.services.result import table_game_enter
from league.stages.result.services.void import game_void_add
from league.stages.round.models import StageRound
from league.stages.round.services import round_ask, round_draw, round_publish
from league.stages.stage.domain.table_name import number_of
from league.stages.stage.format import FORMATS, Format
from league.stages.stage.models import Seeding, Stage, StageScoring
from league.stages.stage.services.stage import stage_create
from league.stages.table.models import Table
from league.stages.table.services.table import table_set_up
from league.standings.ranking.models import Scoring
from league.standings.season.models import Notes, Season

BEER_MAT: Final = Path(__file__).parent.parent / "data" / "beer-mat.png"
CUP: Final = "herbstcup-2026"
SHEETS: Final = "kniffelabend"
FREE: Final = "freier-abend"
NIGHT: Final = "offener-abend"
BEGINS: Final = datetime(2026, 11, 21, 9, 30, tzinfo=UTC)
CUP_PLAYERS: Final = 24
SHEETS_PLAYERS: Final = 15
GUESTS: Final = 14
PLACES: Final = 12
THURSDAY: Final = 3
SEASON_RULES: Final = {"exact": "all", "dice": 5}
REGULARS: Final = 10
TIE_BREAKS: Final = list(FORMATS[Format.FREE].first_tie_breaks)
SEATED_REGULARS: Final = (
    (0, 1, 2, 3),
    (4, 5, 6),
    (7, 8),
    (1, 4, 7, 8, 9),
    (0, 2, 5, 6),
    (3, 4, 9),
    (0, 1, 2),
)
"""For each free table, which of the regulars sit there, by index. The last two tables are in play."""
FINAL_BELL: Final = f"{CUP}-1-3-6"
"""The record id of the game that hadn't ended when the groups' time was up."""


def demo_events(*, club: Club, season: Season, actor: Actor) -> None:
    """Create the demo's events, each completely or not at all; existing ones stay as they are."""
    people = list(
        Player.objects.filter(club=club, merged_into=None).order_by("handle")[:CUP_PLAYERS]
    )
    events = {
        CUP: partial(_cup, club, people, actor),
        SHEETS: partial(_kniffel_evening, club, people[:SHEETS_PLAYERS], actor),
        FREE: partial(_free_evening, club, people[:REGULARS], actor),
        NIGHT: partial(_open_league_night, club, season, people, actor),
    }
    for slug, make in events.items():
        if not Event.objects.filter(club=club, slug=slug).exists():
            with transaction.atomic():
                make()


def _cup(club: Club, people: Sequence[Player], actor: Actor) -> None:
    cup, _ = running_event(
        club,
        people,
        actor,
        guest=people[-1],
        kind={"scoring": Scoring.CNTDICE, "rules": SEASON_RULES},
        slug=CUP,
        name="Herbstcup 2026",
        starts_at=BEGINS,
        ends_at=BEGINS + timedelta(hours=9),
        venue="Becherkeller, Hinterzimmer",
        capacity=CUP_PLAYERS,
        description=gettext("Two groups, a knock-out at tables of four, and a final table."),
    )
    groups = _stage(
        cup, actor, name=gettext("Groups"), format=Format.SWISS, sizes=[4], rounds=3, groups=2
    )
    knock_out = _stage(
        cup,
        actor,
        name=gettext("Knock-out"),
        format=Format.SINGLE,
        sizes=[4],
        rounds=None,
        advance=2,
        takes=8,
        seeding=Seeding.STAGE,
    )
    stage_start(stage=groups, actor=actor)
    for _ in range(3):
        _play_round(draw_round(groups, actor), actor)
    stage_finish(stage=groups, actor=actor)
    stage_start(stage=knock_out, actor=actor)
    semifinals = draw_round(knock_out, actor)
    _void_practice_game(semifinals, actor)
    _play_round(semifinals, actor, tables_left_in_play=2)
    _publish_timetable(cup, actor)


def running_event(
    club: Club,
    people: Sequence[Player],
    actor: Actor,
    *,
    guest: Player | None = None,
    **settings: Any,
) -> tuple[Event, list[Entry]]:
    """Create an event with a season of its own, enter and check in these players, and let it run.
    Return it with the entries. `guest`: the one of the players who enters as a guest; `settings`:
    as for `event_create`."""
    event = event_create(club=club, actor=actor, **settings)
    event_move(event=event, status=Event.Status.OPEN, actor=actor)
    entries = [
        entry_add(event=event, player=person, guest=person == guest, actor=actor, by_organiser=True)
        for person in people
    ]
    event_move(event=event, status=Event.Status.RUNNING, actor=actor)
    entries_check_in(event=event, entries=entries, actor=actor)
    return event, entries


def _kniffel_evening(club: Club, people: Sequence[Player], actor: Actor) -> None:
    night, _ = running_event(
        club,
        people,
        actor,
        kind={
            "kind": Kind.LUEGEN_KNIFFEL,
            "scoring": Scoring.TOTALS,
            "rules": {"truth": "exact", "allow_zero": False},
            "notes": Notes.ROUNDS,
        },
        slug=SHEETS,
        name="Kniffelabend",
        starts_at=BEGINS - timedelta(days=4),
        venue="Becherkeller",
        description=gettext(
            "Two rounds of Lügen-Kniffel, with the totals of both sheets added up."
        ),
    )
    stage = _stage(
        night,
        actor,
        name=gettext("Evening"),
        format=Format.SWISS,
        sizes=[8, 7],
        rounds=2,
        scoring=StageScoring.TOTALS,
    )
    stage_start(stage=stage, actor=actor)
    _play_round(draw_round(stage, actor), actor)
    _play_round(draw_round(stage, actor), actor, tables_left_in_play=1)


def _free_evening(club: Club, people: Sequence[Player], actor: Actor) -> None:
    night, entries = running_event(
        club,
        people,
        actor,
        kind={"scoring": Scoring.PLACEMENT, "rules": SEASON_RULES},
        slug=FREE,
        name="Freier Abend",
        starts_at=BEGINS - timedelta(days=2),
        venue="Becherkeller",
        description=gettext("Sit down with whoever is there, as often as you like."),
    )
    stage = _stage(
        night,
        actor,
        name=gettext("Free tables"),
        format=Format.FREE,
        sizes=[4],
        rounds=None,
        scoring=StageScoring.PLACEMENT,
        tie_breaks=TIE_BREAKS,
    )
    stage_start(stage=stage, actor=actor)
    games = []
    last_finished = len(SEATED_REGULARS) - 2
    for number, regulars in enumerate(SEATED_REGULARS, start=1):
        players = [entries[regular].public_id for regular in regulars]
        table = table_set_up(stage=stage, players=players, actor=actor)
        if number <= last_finished:
            games.append(table_game_enter(table=table, line=_played_record(table), actor=actor))
    _dispute_two_games(waiting=games[0], settled=games[1], actor=actor)


def _dispute_two_games(*, waiting: Game, settled: Game, actor: Actor) -> None:
    word = gettext("I had one die more before the last round.")
    objection_raise(game=waiting, seat=1, word=word, actor=actor)
    _add_statement(waiting)
    word = gettext("The cups were lifted before I could raise.")
    objection_raise(game=settled, seat=0, word=word, actor=actor)
    finding = Finding(
        findings=gettext(
            "Two players heard the call before the cups went up. Nobody raised in between."
        ),
        reason=gettext("The bid was challenged in turn: a bid stands until somebody raises it."),
        rule="B6",
        named=True,
    )
    arbiter = Membership.objects.get(club=settled.season_game.season.club, role=Role.ARBITER)
    ruling_make(
        game=settled,
        decision=RulingDecision(Ruling.Verb.STANDS),
        finding=finding,
        actor=Actor(arbiter.user_id),
        key=uuid4(),
    )


def _add_statement(game: Game) -> None:
    club = game.season_game.season.club
    organiser = Membership.objects.select_related("user").get(club=club, role=Role.ORGANISER)
    statement_add(
        game=game,
        seat=1,
        word=gettext(
            "I had two dice under my cup when round 12 began. The notes on the beer mat say so, "
            "too."
        ),
        files=[SentFile(BEER_MAT.name, BEER_MAT.read_bytes())],
        account=organiser.user,
    )


def _publish_timetable(cup: Event, actor: Actor) -> None:
    places_add(event=cup, first=1, last=4, size=6, room="Keller", actor=actor)
    slots_add(
        event=cup, starts_at=BEGINS + timedelta(hours=5), minutes=45, pause=15, count=3, actor=actor
    )
    timetable = timetable_ask(event=cup, first=None, ahead=True, actor=actor)
    timetable_make(timetable_id=timetable.pk)
    timetable.refresh_from_db()
    timetable_publish(timetable=timetable, actor=actor)


def _open_league_night(club: Club, season: Season, people: Sequence[Player], actor: Actor) -> None:
    zone = ZoneInfo(club.timezone)
    today = timezone.now().astimezone(zone).date()
    days_to_thursday = (THURSDAY - today.weekday()) % 7 or 7  # On a Thursday, the next one.
    day = today + timedelta(days=days_to_thursday)
    night = event_create(
        club=club,
        season=season,
        actor=actor,
        slug=NIGHT,
        name="Offener Abend",
        starts_at=datetime.combine(day, time(19, 30), zone),
        venue="Becherkeller",
        capacity=PLACES,
        price_note="2 €",
        description=gettext("Three rounds, everybody is welcome. We bring the dice."),
    )
    counting_change(season=season, actor=actor, per="event")
    _stage(night, actor, name=gettext("Evening"), format=Format.PODS, sizes=[4, 3], rounds=3)
    event_move(event=night, status=Event.Status.OPEN, actor=actor)
    for person in people[:GUESTS]:
        entry_add(event=night, player=person, actor=actor, by_organiser=True)


def _stage(event: Event, actor: Actor, **settings: object) -> Stage:
    return stage_create(event=event, actor=actor, **{"scoring": StageScoring.CNTDICE, **settings})


def draw_round(stage: Stage, actor: Actor) -> StageRound:
    """Draw the next round here and now, instead of by a job, and return it."""
    stage_round = round_ask(stage=stage, actor=actor)
    round_draw(round_id=stage_round.pk)
    stage_round.refresh_from_db()
    round_publish(stage_round=stage_round, actor=actor)
    return stage_round


def _void_practice_game(stage_round: StageRound, actor: Actor) -> None:
    tables = Table.objects.select_related("stage_round__stage__event__season__club")
    table = tables.filter(stage_round=stage_round).earliest("number")
    game = table_game_enter(table=table, line=_played_record(table, "-practice"), actor=actor)
    reason = "A practice game: the cups were up before the round was called."
    game_void_add(game=game, actor=Actor(actor.account_id, reason))


def _play_round(stage_round: StageRound, actor: Actor, tables_left_in_play: int = 0) -> None:
    tables = list(
        Table.objects.filter(stage_round=stage_round)
        .select_related("stage_round__stage__event__season__club")
        .order_by("number")
    )
    for table in tables[: len(tables) - tables_left_in_play]:
        table_game_enter(table=table, line=_played_record(table), actor=actor)


def _played_record(table: Table, suffix: str = "") -> bytes:
    """Return the record of a game that automatic players play, the same at each start of the demo.
    `suffix`: at the end of its id, for a second game of the table."""
    stage = table.stage_round.stage
    handles = list(table.seats.order_by("seat").values_list("entry__player__handle", flat=True))
    seed = f"{stage.number} {table.stage_round.number} {table.number}{suffix}"
    season = stage.event.season
    kind = kind_of(season)
    rules = kind.read_rules(season.rules, "rules")
    players = [player("odds", f"{seed} {handle}", kind=kind) for handle in handles]
    _, rounds = PLAYERS[kind].play_game(players, rules, Random(seed))
    begins = stage.event.starts_at + timedelta(
        minutes=45 * (3 * (stage.number - 1) + table.stage_round.number), seconds=table.number
    )
    event = stage.event.slug
    record_id = f"{event}-{stage.number}-{table.stage_round.number}-{table.number}{suffix}"
    if record_id == FINAL_BELL:
        rounds = [*rounds[: len(rounds) // 2], RoundRecord(CLOCK)]
    record = Record(
        record_id=record_id,
        kind=kind,
        rules=rules,
        seats=tuple(handles),
        opener=0,
        season=season.slug,
        event=event,
        table=str(number_of(table)),
        played_at=begins.isoformat(),
        rounds=tuple(rounds),
        result=None,
    )
    return write(record).encode()
