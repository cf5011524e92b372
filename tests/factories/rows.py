"""A club that has so many rows of whatever its lists show: one of each is made as everybody does,
the others are copies of it that are stored at once."""

from __future__ import annotations

from collections.abc import Callable
from copy import copy
from dataclasses import dataclass
from datetime import timedelta
from io import BytesIO
from typing import Any, TypeVar
from uuid import uuid4

from django.db.models import Model
from django.utils import timezone

from games.models import Game, OpenGame, OpenSeat, SheetEntry
from games.models.public_id import new_public_id
from games.services.open_game import Writer
from league.core.key.services.key import key_create
from league.core.log.readers import reader_advance
from league.core.log.services import Actor
from league.core.member.services.invitation import invitation_create
from league.core.player.services.player import player_rename
from league.counting.event_counting.services import counting_change, divisions_set
from league.disputes.call.services import call_make
from league.disputes.objection.services import objection_raise
from league.events.helper.services import helper_add, helper_invite
from league.events.series.services import series_create
from league.events.wall_list.services import claim_request_make
from league.models import (
    Apart,
    Audit,
    Away,
    Claim,
    ClaimCode,
    Club,
    Entry,
    Event,
    FinalRank,
    Format,
    GameDevice,
    Holiday,
    LogHead,
    Membership,
    Notice,
    OnlineSeat,
    OnlineTurn,
    Player,
    Role,
    Season,
    SeasonOpenGame,
    Series,
    SetAside,
    Style,
    Timetable,
    TimetableTable,
    User,
)
from league.notices.message.services import message_send
from league.notices.notice.services.notice import READER, notices_read
from league.play.online_table.services.lobby import online_table_open
from league.records.file.services import file_import
from league.records.upload.services import import_job_create
from league.sheets.branch.services import table_branch_keep
from league.sheets.device.services.device import device_make
from league.stages.round.services import round_take_back
from league.standings.ranking.services.counting import ranking_count
from league.standings.season.services.season import all_time_create
from league.standings.style.services import styles_read
from tests.factories import events, halls
from tests.factories.league import ClubFactory, MembershipFactory, SeasonFactory
from tests.factories.notices import device
from tests.factories.records import bluff_record, line, outcome_of
from tests.factories.sheets import SeasonScorer

Row = TypeVar("Row", bound=Model)
MOST_PEOPLE = 1_000


@dataclass(frozen=True)
class FullClub:
    """A club with so many rows of everything: an event that goes on, one that is over, its
    organiser, who is the first of its players, and the secret of that account's key."""

    club: Club
    season: Season
    night: Event
    past: Event
    organiser: User
    secret: str


def full_club(count: int) -> FullClub:
    """Make a club with so many rows of everything; at the tables are four people for each, up to
    `MOST_PEOPLE`."""
    club: Club = ClubFactory.create()
    organiser: User = MembershipFactory.create(club=club).user
    season: Season = SeasonFactory.create(club=club, scoring="placement")
    counting_change(season=season, actor=events.ACTOR, per="event")
    _accounts(club, organiser, count)
    night = _night(season, organiser, count)
    past = _past(season, night)
    _games(season, organiser, count)
    _people(club, night, count)
    _dates(season, night, past, count)
    _online_tables(club, organiser, count)
    _listed_tables(club, organiser, count)
    secret = key_create(club=club, user=organiser, label="program")[1]
    return FullClub(club, season, night, past, organiser, secret)


def _online_tables(club: Club, organiser: User, count: int) -> None:
    """Tables that are played turn by turn, at which it is the organiser's move, and holidays of
    theirs."""
    rules = {"exact": "all", "reroll": True, "dice": 5, "scoring": "placement"}
    table = online_table_open(club=club, user=organiser, rules=rules, settings={"move_days": 1})
    tables = copies(table, count)
    for each in tables[1:]:
        OnlineSeat.objects.create(table=each, number=0, name="Organiser", user=organiser, seed=b"-")
    seats = list(OnlineSeat.objects.filter(user=organiser).order_by("pk"))
    OnlineSeat.objects.bulk_create(
        OnlineSeat(table=each, number=1, name="Gust", seed=b"-") for each in tables
    )
    now = timezone.now()
    times = dict.fromkeys(("begun_at", "tell_at", "remind_at", "ends_at", "next_at"), now)
    OnlineTurn.objects.bulk_create(
        OnlineTurn(table_id=seat.table_id, seat=seat, length=0, **times) for seat in seats
    )
    today = now.date()
    Holiday.objects.bulk_create(
        Holiday(
            user=organiser,
            first_day=today,
            last_day=today,
            begins_at=now,
            ends_at=now + timedelta(days=1),
        )
        for _ in range(count)
    )


def more_clubs(count: int) -> None:
    """Store clubs with a season each, as far as there aren't so many yet."""
    club, season = Club.objects.earliest("pk"), Season.objects.earliest("pk")
    count += 1 - Club.objects.count()
    first = f"more-{count}"
    clubs = copies(
        club, count, slug=lambda number: f"{first}-{number}", name=lambda number: f"More {number}"
    )
    rankings = copies(season.ranking, count, club=lambda number: clubs[number - 1])
    copies(
        season,
        count,
        club=lambda number: clubs[number - 1],
        ranking=lambda number: rankings[number - 1],
    )


def copies(row: Row, count: int, **fields: Callable[[int], Any]) -> list[Row]:
    """Store copies of a row until there are `count`, each with a public id of its own. `fields`
    make what else differs, from a copy's number, counted from 2. All rows, the first one first."""
    values: dict[str, Callable[[int], Any]] = {"pk": lambda number: None, **fields}
    if hasattr(row, "public_id"):
        values["public_id"] = lambda number: new_public_id()
    more = [
        changed(row, **{name: value(number) for name, value in values.items()})
        for number in range(2, count + 1)
    ]
    return [row, *type(row)._default_manager.bulk_create(more)]


def changed(row: Row, **values: Any) -> Row:
    """A row like this one, but for these values; it isn't stored yet."""
    another = copy(row)
    another._state = copy(row._state)
    another._state.adding = True
    for name, value in values.items():
        setattr(another, name, value)
    return another


def _listed_tables(club: Club, organiser: User, count: int) -> None:
    """Online tables on the club's page, at one of which the organiser sits."""
    rules = {"exact": "all", "reroll": False, "dice": 5, "scoring": "placement"}
    table = online_table_open(club=club, user=organiser, rules=rules, settings={"listed": True})
    copies(table, count)


def _accounts(club: Club, organiser: User, count: int) -> None:
    """Members, who is invited, and the keys and devices of the organiser."""
    member: Membership = MembershipFactory.create(club=club, role=Role.SCORER)
    name = member.user.username
    users = copies(
        member.user,
        count,
        username=lambda number: f"{name}-{number}",
        email=lambda number: f"{name}-{number}@x.org",
    )
    copies(member, count, user=lambda number: users[number - 1])
    invitation, _ = invitation_create(
        club=club, email="new@x.org", role=Role.SCORER, invited_by=organiser
    )
    copies(
        invitation,
        count,
        digest=lambda number: f"{name}-{number}",
        email=lambda number: f"new-{number}@x.org",
    )
    key, _ = key_create(club=club, user=organiser, label="tablet")
    copies(key, count, digest=lambda number: f"{name}-{number}")
    phone = device(organiser, f"https://push.example.org/{name}")
    copies(phone, count, endpoint=lambda number: f"{phone.endpoint}-{number}")


def _night(season: Season, organiser: User, count: int) -> Event:
    """A running event with its people, hall and helpers: its first round was drawn twice, and some
    tables are over."""
    night = events.event(season, status=Event.Status.RUNNING, fee=500)
    entries = events.crowd(night, min(4 * count + 4, MOST_PEOPLE))
    Player.objects.filter(pk=entries[0].player_id).update(user=organiser)
    Apart.objects.bulk_create(
        Apart(event=night, first=entries[0], second=other) for other in entries[1 : count + 1]
    )
    stage = events.stage(night)
    round_take_back(stage_round=events.drawn(stage), actor=events.ACTOR)
    events.drawn(stage)
    facts = events.facts(stage)
    others = [table for table in facts.tables if entries[0].pk not in table.entries]
    for table in others[: min(count, 3)]:
        events.finish(table.public_id, facts.ids(table))
    (slot,) = halls.hall(night, places=1, slots=1)
    copies(night.hall_places.get(), count, number=lambda number: number)
    copies(
        slot,
        count,
        starts_at=lambda number: slot.starts_at + timedelta(days=number),
        ends_at=lambda number: slot.ends_at + timedelta(days=number),
    )
    Away.objects.bulk_create(Away(entry=entry, slot=slot) for entry in entries[:count])
    timetable = Timetable.objects.create(
        event=night, status=Timetable.Status.PUBLISHED, input="{}", cost=[]
    )
    copies(timetable, count, status=lambda number: Timetable.Status.DROPPED)
    place = night.hall_places.earliest("number")
    TimetableTable.objects.bulk_create(
        TimetableTable(
            timetable=timetable, stage=stage, round=1, number=table.number, slot=slot, place=place
        )
        for table in facts.tables
    )
    return night


def _past(season: Season, night: Event) -> Event:
    """An event that is over, a knock-out with all who are at the other one."""
    past = events.event(season, "past", status=Event.Status.RUNNING)
    rows = night.entries.order_by("number")
    entries = Entry.objects.bulk_create(
        changed(row, pk=None, public_id=new_public_id(), event=past) for row in rows
    )
    events.drawn(events.stage(past, format=Format.SINGLE, sizes=[2], rounds=None))
    FinalRank.objects.bulk_create(
        FinalRank(event=past, entry=entry, rank=entry.number, points=-entry.number)
        for entry in entries
    )
    Event.objects.filter(pk=past.pk).update(status=Event.Status.FINISHED)
    past.refresh_from_db()
    return past


def _open_games(season: Season, organiser: User, handles: list[str], count: int) -> None:
    """Games of the season without a table that wait for their end."""
    scorer = SeasonScorer(season, *handles)
    scorer.lose(1)
    writer = Writer(account=(organiser.pk, organiser.public_id))
    call_make(row=scorer.row, writer=writer, key=uuid4())
    first = OpenGame.objects.get(pk=scorer.row.pk)
    games = copies(first, count, external_id=lambda number: f"{first.external_id}-{number}")
    seats, sheet = list(first.seats.order_by("number")), first.sheet
    OpenSeat.objects.bulk_create(
        changed(seat, pk=(game.pk, seat.number)) for game in games[1:] for seat in seats
    )
    sheets = copies(sheet, count, open_game=lambda number: games[number - 1])
    call = sheet.entries.get(act="call")
    SheetEntry.objects.bulk_create(
        changed(call, pk=(each.pk, 0), key=uuid4()) for each in sheets[1:]
    )
    SeasonOpenGame.objects.bulk_create(
        SeasonOpenGame(open_game=game, season=season) for game in games[1:]
    )
    entries = [{"key": str(uuid4()), "act": "close", "value": {"losses": [0, 1]}, "at": None}]
    branch = table_branch_keep(row=scorer.row, after=1, entries=entries, writer=writer, key=uuid4())
    copies(branch, count, key=lambda number: uuid4())
    phone, _ = device_make(subject=scorer.row, actor=Actor())
    phones = copies(phone, count, key_digest=lambda number: f"{phone.pk:032}{number:032}")
    GameDevice.objects.bulk_create(
        GameDevice(device=each, open_game=scorer.row) for each in phones[1:]
    )


def _games(season: Season, organiser: User, count: int) -> None:
    """Games of the season, all of them with the first player, what is counted of them, and files
    that wait."""
    handles = list(
        Player.objects.filter(club=season.club).order_by("pk").values_list("handle", flat=True)
    )
    game = outcome_of(bluff_record(0, seats=["a", "b"]), points=False)
    records = [
        game
        | {"id": f"game-{number}", "seats": [handles[0], handles[1 + number % (len(handles) - 1)]]}
        for number in range(1, count)
    ]
    _open_games(season, organiser, handles[:2], count)
    content = line(bluff_record(0, seats=handles[:3]))
    file_import(stream=BytesIO(b"".join([content, *map(line, records)])), season=season)
    for ranking_id in (
        season.ranking_id,
        all_time_create(club=season.club, actor=Actor()).ranking_id,
    ):
        ranking_count(ranking_id=ranking_id)
        styles_read(ranking_id=ranking_id)
    contested = Game.objects.filter(table_game__isnull=False).latest("pk")
    objection = objection_raise(
        game=contested, seat=0, word="A die was hidden.", actor=events.ACTOR
    )
    played = (
        Game.objects.filter(season_game__season=season)
        .exclude(pk=contested.pk)
        .order_by("pk")[: count - 1]
    )
    copies(objection, 1 + len(played), game=lambda number: played[number - 2])
    style = Style.objects.filter(ranking=season.ranking_id)[0]
    others = Player.objects.filter(club=season.club).exclude(styles__ranking=season.ranking_id)
    Style.objects.bulk_create(
        changed(style, pk=(season.ranking_id, player.pk)) for player in others
    )
    job = import_job_create(
        season=season,
        uploaded_by=organiser,
        file_name="games.jsonl",
        content=content,
        create_players=True,
        all_or_nothing=False,
    )
    copies(job, count)


def _people(club: Club, night: Event, count: int) -> None:
    """Helpers of an event, codes and claims of players, and what the organiser was told."""
    helpers = list(User.objects.filter(memberships__club=club, memberships__role=Role.SCORER))
    organiser = User.objects.get(memberships__club=club, memberships__role=Role.ORGANISER)
    helper = helper_add(event=night, user=helpers[0], role=Role.SCORER, actor=events.ACTOR)
    copies(helper, count, user=lambda number: helpers[number - 1])
    invitation, _ = helper_invite(event=night, role=Role.SCORER, invited_by=organiser)
    copies(invitation, count, code=lambda number: f"{invitation.pk:04}{number:04}")
    players = list(Player.objects.filter(club=club).order_by("pk"))[1:]
    ClaimCode.objects.bulk_create(
        ClaimCode(player=player, code=f"{player.pk:08}") for player in players[::2]
    )
    comer = night.entries.select_related("event", "player").earliest("pk")
    asked = claim_request_make(entry=comer, user=None, key=f"of a phone at {club.slug}")
    copies(asked, count, key=lambda number: f"{club.pk:016}{number:048}")
    Claim.objects.bulk_create(
        Claim(player=player, user=user, way=Claim.Way.LIST, claimed_at=timezone.now())
        for player, user in zip(players[1::2], helpers, strict=False)
    )
    reader_advance(
        club.pk, READER, LogHead.objects.get(club=club).position
    )  # what came before nobody has to be told
    message = message_send(
        event=night, subject="Welcome", text="Cups up!", actor=Actor(organiser.pk)
    )
    copies(message, count)
    notices_read(club_id=club.pk)
    notice = Notice.objects.filter(user=organiser).latest("pk")
    copies(notice, count, position=lambda number: notice.position + number)


def _dates(season: Season, night: Event, past: Event, count: int) -> None:
    """More seasons, events, series, divisions, and what the service has to tell of the club."""
    rankings = copies(season.ranking, count)
    copies(
        season,
        count,
        ranking=lambda number: rankings[number - 1],
        slug=lambda number: f"{season.slug}-{number}",
    )
    players = dict.fromkeys(season.club.players.values_list("public_id", flat=True), 1)
    divisions_set(season=season, actor=events.ACTOR, divisions=[("A", 0, 0)], players=players)
    series = series_create(
        season=season,
        actor=events.ACTOR,
        rule="FREQ=WEEKLY;INTERVAL=1;BYDAY=TH;COUNT=2",
        slug="series",
        name="Series",
        starts_at=events.BEGINS,
    )
    all_series = copies(series, count)
    for event in (night, past):
        _copies_of_event(event, all_series)
    Audit.objects.create(club=season.club, ended_at=timezone.now(), found=0)
    aside = SetAside.objects.create(
        club=season.club, reader="count/x", position=1, error="", due_at=timezone.now()
    )
    copies(aside, count, position=lambda number: number)
    player_rename(player=season.club.players.earliest("pk"), name="Orla", actor=events.ACTOR)


def _copies_of_event(event: Event, all_series: list[Series]) -> None:
    """An event for each series."""
    copies(
        event,
        len(all_series),
        slug=lambda number: f"{event.slug}-{number}",
        series=lambda number: all_series[number - 1],
    )
