"""Queries of online tables, and the loaders that decide who sees a table."""

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
"""The relations from an online table to the event's table and everything above it."""
PHRASE_STANDS: Final = timedelta(seconds=30)
"""How long a phrase is shown next to a seat."""
GRACE: Final = timedelta(seconds=60)
"""The grace period of a seat in a counted game after its time is up. Then it takes no further part.
Ruling B17.
"""
NO_SHOW_AFTER: Final = timedelta(minutes=10)
"""How long the others wait after an event's table was due to begin."""
LEAVES: Final = Q(act="leave") | Q(act="timeout", sheet__open_game__kind=Kind.BLUFF)
"""The entries by which a seat drops out. In Lügen-Kniffel a seat that doesn't answer in time
believes instead. Rulings B17, K15, K16.
"""
LASTING_NAME: Final = re.compile(r"guest-\w+-(?P<id>[0-9]{1,18})-[0-9]+", re.ASCII)
"""The form of `OnlineSeat.lasting_name`."""
LISTED: Final = 10
"""The most tables that a club's page shows."""


def online_table_for(viewer: Viewer, table_id: str) -> OnlineTable:
    """Return the table with this public id. Anybody with its link may see it. Raise
    `OnlineTable.DoesNotExist`.
    """
    tables = OnlineTable.objects.select_related(
        "club", "open_game", "rematch", "season", *EVENT_TABLE
    )
    return tables.get(public_id=table_id)


def club_to_play_in(viewer: Viewer, slug: str) -> Club:
    """Return the club if the viewer may open a table there, as a member or a player with an
    account.

    Raise `Club.DoesNotExist` otherwise.
    """
    user = viewer.user
    if user.is_superuser:
        return Club.objects.get(slug=slug)
    member = Q(pk__in=Membership.objects.filter(user=user.pk).values("club"))
    player = Q(pk__in=Player.objects.filter(user=user.pk, merged_into=None).values("club"))
    return Club.objects.filter(member | player).get(slug=slug)


def seats_of(table: OnlineTable) -> list[OnlineSeat]:
    """Return the seats of a table, in order. One query."""
    return list(table.seats.order_by("number"))


def seat_names(seats: Sequence[OnlineSeat]) -> list[tuple[str, bool]]:
    """Return for each seat its name, and whether it is an automatic player."""
    return [(seat.name, bool(seat.automatic)) for seat in seats]


def program_seats(seats: Sequence[OnlineSeat]) -> list[int]:
    """Return the numbers of the seats of programs."""
    return [seat.number for seat in seats if seat.is_program]


def own_seat(seats: Sequence[OnlineSeat], user: User | None, key: str) -> OnlineSeat | None:
    """Return the seat of this account, or of the browser with this key; None if there is no such
    seat.
    """
    digest = digest_of(key) if key else None
    for seat in seats:
        if user is not None and seat.user_id == user.pk:
            return seat
        if digest is not None and seat.key_digest == digest:
            return seat
    return None


def table_version(table_id: str) -> str:
    """Return the version of a table, made of its lobby's version, the length of its sheet and its
    status. One query.

    Raise `OnlineTable.DoesNotExist`.
    """
    length = Coalesce(F("open_game__sheet__length"), 0)
    tables = OnlineTable.objects.annotate(length=length)
    version = tables.values_list("version", "length", "status").get(public_id=table_id)
    return ".".join(str(part) for part in version)


def listed_tables(club: Club) -> list[OnlineTable]:
    """Return the tables that the club's page shows, each with its number of seats `taken`. Tables
    that wait for players come first. One query.
    """
    return list(_listed(club.pk).annotate(taken=Count("seats"))[:LISTED])


def listed_versions(club_id: int) -> list[tuple[int, int, str]]:
    """Return the row id, the version and the status of each table of `listed_tables`, by the row id
    of the club. One query.
    """
    return list(_listed(club_id).values_list("pk", "version", "status")[:LISTED])


def _listed(club_id: int) -> QuerySet[OnlineTable]:
    at_work = [OnlineTable.Status.LOBBY, OnlineTable.Status.PLAYING]
    tables = OnlineTable.objects.filter(club=club_id, listed=True, status__in=at_work)
    return tables.order_by("status", "-made_at")


def table_of_open_game(public_id: str) -> str | None:
    """Return the public id of the table where an open game is played, None if it isn't played
    online.
    """
    tables = OnlineTable.objects.filter(open_game__public_id=public_id)
    return tables.values_list("public_id", flat=True).first()


def tables_left(now: datetime, after: timedelta, lobby_after: timedelta) -> QuerySet[OnlineTable]:
    """Return the tables to abandon: live ones, in the lobby or in play, where nothing has happened
    for `after`, and turn-by-turn lobbies where nothing has happened for `lobby_after`.

    A turn-by-turn table in play is never abandoned: its turns end by the clock.
    """
    status = OnlineTable.Status
    at_work = OnlineTable.objects.filter(status__in=[status.LOBBY, status.PLAYING])
    heard = Coalesce(F("open_game__sheet__heard_at"), F("made_at"))
    live = Q(move_days=Pace.LIVE, heard__lt=now - after)
    turn_by_turn = Q(move_days__gt=Pace.LIVE, status=status.LOBBY, heard__lt=now - lobby_after)
    return at_work.annotate(heard=heard).filter(live | turn_by_turn)


def phrases_of(seats: Sequence[OnlineSeat], now: datetime) -> list[str]:
    """Return the current phrase of each seat in the reader's language, empty if it is silent."""
    return [_phrase_now(seat, now) for seat in seats]


def _phrase_now(seat: OnlineSeat, now: datetime) -> str:
    if seat.phrase_at is None or now >= seat.phrase_at + PHRASE_STANDS:
        return ""
    return seat.get_phrase_display()


def deadline_of(table: OnlineTable, row: OpenSheet, bank: int) -> datetime:
    """Return when the time of the seat to act ends, moved on by pauses of the table.

    `row`: the sheet of the game; `bank`: the seconds left in the seat's bank.
    """
    begun = row.heard_at or row.open_game.opened_at
    return begun + timedelta(seconds=table.move_seconds + bank) + _paused_time(table)


def _paused_time(table: OnlineTable) -> timedelta:
    paused = timedelta(seconds=table.paused_seconds)
    if table.paused_at is not None:
        paused += timezone.now() - table.paused_at
    return paused


def table_deadline(table: OnlineTable, game: OnlineGame, seats: Sequence[OnlineSeat]) -> datetime:
    """Return when the time of the seats to act ends. At most one query.

    Seats that are asked at the same time have the time of a move but no bank. If one seat had more
    time than another, the others could tell that it is still thinking. Ruling K16.
    """
    if game.sheet.asks_all:
        begun = waiting_since(game.row, game.sheet)
        return begun + timedelta(seconds=table.move_seconds) + _paused_time(table)
    (to_act,) = game.sheet.to_act
    return deadline_of(table, game.row, seats[to_act].bank)


def turn_ends_at(table: OnlineTable, deadline: datetime) -> datetime:
    """Return when the others may play on: at the deadline, or a minute later in a counted game."""
    return deadline + GRACE if table.is_counted else deadline


def counted_tables_waiting(now: datetime) -> QuerySet[OnlineTable]:
    """Return the live tables with a counted game where the time of a move and the grace period are
    over. The seat to act may have time left in its bank.
    """
    in_play = OnlineTable.objects.filter(status=OnlineTable.Status.PLAYING, paused_at=None)
    counted = in_play.filter(season__isnull=False, move_days=Pace.LIVE)
    heard = Coalesce(F("open_game__sheet__heard_at"), F("open_game__opened_at"))
    second = Value(timedelta(seconds=1))
    move = ExpressionWrapper(F("move_seconds") * second, DurationField())
    return counted.alias(due=heard + move).filter(due__lt=now - GRACE)


def no_show_at(table: OnlineTable) -> datetime:
    """Return when a game of an event's table may begin without the players who are absent."""
    return (starts_at(table) or table.made_at) + NO_SHOW_AFTER


def starts_at(table: OnlineTable) -> datetime | None:
    """Return when an event's table is due to begin according to its timetable or round, or None."""
    assert table.stage_table is not None
    return table.stage_table.starts_at or table.stage_table.stage_round.starts_at


def seasons_to_count_in(club: Club) -> list[Season]:
    """Return the seasons of a club in which online games may count, the latest first. One query."""
    seasons = Season.objects.filter(club=club, online=True, archived=False, kind__in=ONLINE_KINDS)
    return list(seasons.order_by("-starts_on", "-pk"))


def may_give_time(
    table: OnlineTable, game: OnlineGame, giver: OnlineSeat, seats: Sequence[OnlineSeat]
) -> bool:
    """Return True if a seat may give the seat to act more time: at a live table, once for each
    move.
    """
    if table.is_turn_by_turn or game.sheet.asks_all or table.time_given == game.row.length:
        return False
    return all(
        number != giver.number and not seats[number].automatic for number in game.sheet.to_act
    )


def seats_of_guest(seat: OnlineSeat) -> list[OnlineSeat]:
    """Return the seats of the guest who has this seat, including those of rematches with its key.

    Return an empty list for the seat of a player or an automatic player. One query.
    """
    if seat.player_id is not None or seat.automatic:
        return []
    same_guest = Q(pk=seat.pk)
    if seat.key_digest:
        same_guest |= Q(key_digest=seat.key_digest)
    seats = OnlineSeat.objects.filter(same_guest, player=None, table__club=seat.table.club_id)
    return list(seats.select_related("table").order_by("pk"))


def tables_in_play(stage_tables: Collection[str]) -> dict[str, str]:
    """Return the public ids of the online tables in play, by the public ids of the events' tables.
    One query.
    """
    tables = OnlineTable.objects.filter(
        stage_table__public_id__in=stage_tables, status=OnlineTable.Status.PLAYING
    ).order_by("pk")
    return dict(tables.values_list("stage_table__public_id", "public_id"))


def seats_of_lasting_names(words: Collection[str]) -> list[OnlineSeat]:
    """Return the seats with these lasting names, with their tables. Skip words that name no seat.
    One query.
    """
    matches = [LASTING_NAME.fullmatch(word) for word in words]
    seat_ids = {int(match["id"]) for match in matches if match}
    seats = OnlineSeat.objects.filter(pk__in=seat_ids).select_related("table__club").order_by("pk")
    return [seat for seat in seats if seat.lasting_name in words]


def finished_games(player: Player) -> tuple[int, int]:
    """Return how many online games a player has finished, and in how many finished games they sat.

    Seats that the player took as a guest and kept with the account count, too. A seat that left or
    ran out of time hasn't finished. Return zeros for an erased player. One query.
    """
    if player.erased_at is not None:
        return 0, 0
    own = Q(player=player) | Q(player__merged_into=player)
    if player.user_id is not None:
        own |= Q(player=None, user=player.user_id, table__club=player.club_id)

    number = Cast(OuterRef("number"), TextField())
    value = Concat(Value('{"seat":'), number, Value("}"), output_field=TextField())
    ends = SheetEntry.objects.filter(
        LEAVES, sheet__open_game=OuterRef("table__open_game"), value=value
    )
    seats = OnlineSeat.objects.filter(own, table__status=OnlineTable.Status.OVER)
    counts = seats.annotate(ended=Exists(ends)).aggregate(
        sat=Count("pk"), finished=Count("pk", filter=Q(ended=False))
    )
    return counts["finished"], counts["sat"]


def spectators_state(table_id: str) -> tuple[object, ...]:
    """Return the version of the spectators' page of a table. It includes the number of phrases
    shown, because they disappear after a while. One query.

    Raise `OnlineTable.DoesNotExist`.
    """
    is_shown = Q(seats__phrase_at__gt=timezone.now() - PHRASE_STANDS)
    tables = OnlineTable.objects.annotate(
        length=Coalesce(F("open_game__sheet__length"), 0),
        said=Count("seats", filter=is_shown),
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
    return tuple(tables.values_list(*fields).get(public_id=table_id))


def online_game_differences(club: Club) -> Iterator[Difference]:
    """Yield online games of a club that are missing or have another club's source."""
    tables = OnlineTable.objects.filter(club=club, open_game__isnull=False)
    gone = tables.exclude(Exists(OpenGame.objects.filter(pk=OuterRef("open_game"))))
    for table in gone.values_list("public_id", flat=True):
        yield Difference("open game", f"of online table {table}", "row", False, True)
    foreign = OpenGame.objects.filter(online_table__club=club).exclude(source=club.source)
    for public_id, source in foreign.values_list("public_id", "source"):
        yield Difference("open game", public_id, "source", source, club.source)
