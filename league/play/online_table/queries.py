"""Online tables as they are stored, and the loaders that decide who sees one."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from datetime import datetime, timedelta
from typing import Final

from django.db.models import (
    Count,
    DurationField,
    Exists,
    ExpressionWrapper,
    F,
    OuterRef,
    Q,
    QuerySet,
    TextField,
    Value,
)
from django.db.models.functions import Cast, Coalesce, Concat
from django.utils import timezone

from games.domain.difference import Difference
from games.models import Kind, OpenGame, OpenSheet, SheetEntry
from games.queries.online_game import OnlineGame, waiting_since
from league.core.account.models import User
from league.core.club.models import Club
from league.core.frame.letter_link import digest_of
from league.core.member.models.member import Membership
from league.core.player.models import Player
from league.core.viewer.queries.access import Viewer
from league.play.online_table.models import OnlineSeat, OnlineTable, Pace
from league.standings.ranked_game.queries.provisional import is_provisional
from league.standings.season.models import ONLINE_KINDS, Season

EVENT_TABLE: Final = ("stage_table__group", "stage_table__stage_round__stage__event__season")
"""The event's table at which an online table stands, with all above it."""
PHRASE_STANDS: Final = timedelta(seconds=30)
"""So long a phrase stands beside a seat."""
GRACE: Final = timedelta(seconds=60)
"""So long a seat of a counted game has once its time is up. Then it takes no further part. Ruling
B17."""
NO_SHOW_AFTER: Final = timedelta(minutes=10)
"""So long after the beginning of an event's table the others wait."""
LEAVES: Final = Q(act="leave") | Q(act="timeout", sheet__open_game__kind=Kind.BLUFF)
"""Entries by which a seat takes no further part. In Lügen-Kniffel a seat that doesn't answer in
time believes. Rulings B17, K15, K16."""
LASTING_NAME: Final = re.compile(r"guest-\w+-(?P<id>[0-9]{1,18})-[0-9]+", re.ASCII)
"""The form of `OnlineSeat.lasting_name`."""
LISTED: Final = 10
"""Tables that a club's page shows at most."""


def online_table_for(viewer: Viewer, table_id: str) -> OnlineTable:
    """The table of that public id, for whoever has its link. Raises `OnlineTable.DoesNotExist`."""
    tables = OnlineTable.objects.select_related(
        "club", "open_game", "rematch", "season", *EVENT_TABLE
    )
    return tables.get(public_id=table_id)


def club_to_play_in(viewer: Viewer, slug: str) -> Club:
    """The club, for those who may open a table there: its members, and the accounts that are its
    players.

    Raises `Club.DoesNotExist`.
    """
    user = viewer.user
    if user.is_superuser:
        return Club.objects.get(slug=slug)
    member = Q(pk__in=Membership.objects.filter(user=user.pk).values("club"))
    player = Q(pk__in=Player.objects.filter(user=user.pk, merged_into=None).values("club"))
    return Club.objects.filter(member | player).get(slug=slug)


def seats_of(table: OnlineTable) -> list[OnlineSeat]:
    """The seats of a table, in order. One query."""
    return list(table.seats.order_by("number"))


def own_seat(seats: Sequence[OnlineSeat], user: User | None, key: str) -> OnlineSeat | None:
    """The seat of an account, or of the browser that has this key; None for somebody who doesn't
    sit there."""
    digest = digest_of(key) if key else None
    for seat in seats:
        if user is not None and seat.user_id == user.pk:
            return seat
        if digest is not None and seat.key_digest == digest:
            return seat
    return None


def table_version(table_id: str) -> str:
    """What a table has come to: how often its lobby changed, and how many entries its sheet has.
    One query.

    Raises `OnlineTable.DoesNotExist`.
    """
    length = Coalesce(F("open_game__sheet__length"), 0)
    rows = OnlineTable.objects.annotate(length=length).values_list("version", "length", "status")
    return ".".join(map(str, rows.get(public_id=table_id)))


def listed_tables(club: Club) -> list[OnlineTable]:
    """The tables that the club's page shows, with how many sit there, those that wait for players
    first. One query."""
    at_work = [OnlineTable.Status.LOBBY, OnlineTable.Status.PLAYING]
    tables = OnlineTable.objects.filter(club=club, listed=True, status__in=at_work)
    return list(tables.annotate(taken=Count("seats")).order_by("status", "-made_at")[:LISTED])


def table_of_open_game(public_id: str) -> str | None:
    """The public id of the table at which an open game is played; None for another game."""
    tables = OnlineTable.objects.filter(open_game__public_id=public_id)
    return tables.values_list("public_id", flat=True).first()


def tables_left(now: datetime, after: timedelta, lobby_after: timedelta) -> QuerySet[OnlineTable]:
    """The live tables in play at which nothing has happened for so long, and lobbies that are as
    old.

    Where it is played turn by turn, a lobby may be as old as `lobby_after`, and a table in play is
    never left: its turns end by the clock."""
    heard = Coalesce(F("open_game__sheet__heard_at"), F("made_at"))
    at_work = OnlineTable.objects.filter(
        status__in=[OnlineTable.Status.LOBBY, OnlineTable.Status.PLAYING]
    )
    live = Q(move_days=Pace.LIVE, heard__lt=now - after)
    turn_by_turn = Q(
        move_days__gt=Pace.LIVE, status=OnlineTable.Status.LOBBY, heard__lt=now - lobby_after
    )
    return at_work.annotate(heard=heard).filter(live | turn_by_turn)


def phrases_of(seats: Sequence[OnlineSeat], now: datetime) -> list[str]:
    """What each seat says: its phrase in the reader's language, for a while; empty for a seat that
    is silent."""
    return [
        seat.get_phrase_display() if seat.phrase_at and now < seat.phrase_at + PHRASE_STANDS else ""
        for seat in seats
    ]


def deadline_of(table: OnlineTable, row: OpenSheet, bank: int) -> datetime:
    """Return when the time of the seat to act ends; `row`: the sheet of its game, `bank`: the
    seat's seconds.

    A pause of the table moves it on.
    """
    begun = row.heard_at or row.open_game.opened_at
    return begun + timedelta(seconds=table.move_seconds + bank) + _paused(table)


def _paused(table: OnlineTable) -> timedelta:
    """Return how long the present turn has stood still."""
    paused = timedelta(seconds=table.paused_seconds)
    if table.paused_at is not None:
        paused += timezone.now() - table.paused_at
    return paused


def table_deadline(table: OnlineTable, game: OnlineGame, seats: Sequence[OnlineSeat]) -> datetime:
    """Return when the time of the seats that act now ends. At most one query.

    The seats that are asked all at once have the time of a move and no bank: if one had more time
    than another, the others could tell that it still thinks. Ruling K16."""
    if game.sheet.asks_all:
        begun = waiting_since(game.row, game.sheet)
        return begun + timedelta(seconds=table.move_seconds) + _paused(table)
    (to_act,) = game.sheet.to_act
    return deadline_of(table, game.row, seats[to_act].bank)


def turn_ends_at(table: OnlineTable, deadline: datetime) -> datetime:
    """Return when others can play on: at the deadline, in a counted game a minute later."""
    return deadline + GRACE if table.is_counted else deadline


def counted_tables_waiting(now: datetime) -> QuerySet[OnlineTable]:
    """The tables of counted games at which the time of a move is over; the seat may have some left
    in its bank."""
    heard = Coalesce(F("open_game__sheet__heard_at"), F("open_game__opened_at"))
    move = ExpressionWrapper(F("move_seconds") * Value(timedelta(seconds=1)), DurationField())
    tables = OnlineTable.objects.filter(
        status=OnlineTable.Status.PLAYING, season__isnull=False, paused_at=None, move_days=Pace.LIVE
    )
    return tables.alias(due=heard + move).filter(due__lt=now - GRACE)


def no_show_at(table: OnlineTable) -> datetime:
    """Return from when on an event's table can be played without those who aren't there."""
    return (starts_at(table) or table.made_at) + NO_SHOW_AFTER


def starts_at(table: OnlineTable) -> datetime | None:
    """Return when an event's table is to begin, if its timetable or round says so."""
    assert table.stage_table is not None
    return table.stage_table.starts_at or table.stage_table.stage_round.starts_at


def seasons_to_count_in(club: Club) -> list[Season]:
    """The seasons of a club in which games at online tables may count, the latest first. One
    query."""
    seasons = Season.objects.filter(club=club, online=True, archived=False, kind__in=ONLINE_KINDS)
    return list(seasons.order_by("-starts_on", "-pk"))


def may_give_time(
    table: OnlineTable, game: OnlineGame, giver: OnlineSeat, seats: Sequence[OnlineSeat]
) -> bool:
    """Return True if a seat may give the one to act more time: at a live table, once for each
    move."""
    if table.is_turn_by_turn or game.sheet.asks_all or table.time_given == game.row.length:
        return False
    return all(
        number != giver.number and not seats[number].automatic for number in game.sheet.to_act
    )


def seats_of_guest(seat: OnlineSeat) -> list[OnlineSeat]:
    """The seats of the guest who has this one: it, and those of games played again with its key;
    none for a seat of a player or an automatic player. One query."""
    if seat.player_id is not None or seat.automatic:
        return []
    same = Q(pk=seat.pk)
    if seat.key_digest:
        same |= Q(key_digest=seat.key_digest)
    seats = OnlineSeat.objects.filter(same, player=None, table__club=seat.table.club_id)
    return list(seats.select_related("table").order_by("pk"))


def tables_in_play(stage_tables: Collection[str]) -> dict[str, str]:
    """Read the online tables in play at these tables of events; all are given by public id. One
    query."""
    tables = OnlineTable.objects.filter(
        stage_table__public_id__in=stage_tables, status=OnlineTable.Status.PLAYING
    ).order_by("pk")
    return dict(tables.values_list("stage_table__public_id", "public_id"))


def seats_of_lasting_names(words: Collection[str]) -> list[OnlineSeat]:
    """Read the seats of these lasting names, with their tables; words that name no seat are passed
    over. One query."""
    ids = {int(found["id"]) for found in map(LASTING_NAME.fullmatch, words) if found}
    seats = OnlineSeat.objects.filter(pk__in=ids).select_related("table__club").order_by("pk")
    return [seat for seat in seats if seat.lasting_name in words]


def finished_games(player: Player) -> tuple[int, int]:
    """How many games at online tables a player has finished, of those that are over and in which
    the player sat, as a guest who kept the seat, too. Leaving and running out of time finish none.
    Nothing is told of the erased. One query."""
    if player.erased_at is not None:
        return 0, 0
    own = Q(player=player) | Q(player__merged_into=player)
    if player.user_id is not None:
        own |= Q(player=None, user=player.user_id, table__club=player.club_id)
    ends = SheetEntry.objects.filter(
        LEAVES,
        sheet__open_game=OuterRef("table__open_game"),
        value=Concat(
            Value('{"seat":'),
            Cast(OuterRef("number"), TextField()),
            Value("}"),
            output_field=TextField(),
        ),
    )
    seats = OnlineSeat.objects.filter(own, table__status=OnlineTable.Status.OVER).annotate(
        ended=Exists(ends)
    )
    counts = seats.aggregate(sat=Count("pk"), finished=Count("pk", filter=Q(ended=False)))
    return counts["finished"], counts["sat"]


def spectators_state(table_id: str) -> tuple[object, ...]:
    """What all that spectators see of a table has come to; a phrase stands for a while. One query.

    Raises `OnlineTable.DoesNotExist`.
    """
    said = Count("seats", filter=Q(seats__phrase_at__gt=timezone.now() - PHRASE_STANDS))
    rows = OnlineTable.objects.annotate(
        length=Coalesce(F("open_game__sheet__length"), 0),
        said=said,
        provisional=is_provisional("game"),
    )
    fields = (
        "version",
        "length",
        "status",
        "said",
        "provisional",
        "club__name",
        "club__slug",
        "club__timezone",
    )
    return tuple(rows.values_list(*fields).get(public_id=table_id))


def online_game_differences(club: Club) -> Iterator[Difference]:
    """Find games at the online tables of a club whose source is another one, or that are gone."""
    tables = OnlineTable.objects.filter(club=club, open_game__isnull=False)
    gone = tables.exclude(Exists(OpenGame.objects.filter(pk=OuterRef("open_game"))))
    for table in gone.values_list("public_id", flat=True):
        yield Difference("open game", f"of online table {table}", "row", False, True)
    foreign = OpenGame.objects.filter(online_table__club=club).exclude(source=club.source)
    for public_id, source in foreign.values_list("public_id", "source"):
        yield Difference("open game", public_id, "source", source, club.source)
