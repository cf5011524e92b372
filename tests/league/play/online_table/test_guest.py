"""Names at online tables are erased: a guest's at their own wish or an organiser's, a player's with
the player."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from django.db import Error, transaction
from django.test import Client
from django.urls import reverse

from engine.record.verify import verify_line
from games.models import OpenSeat, Seat
from games.queries.open_game import sheets_written
from games.queries.verification import game_differences, open_game_differences
from league.core.erasures_file import erasures_read
from league.core.log.models import LogEntry
from league.core.log.services import Actor
from league.core.player.actions import PlayerAction
from league.models import Club, Notice, OnlineSeat, OnlineTable, Role
from league.play.online_table.models import is_pseudonym
from league.play.online_table.services.lobby import automatic_sit, online_table_open, seat_take
from league.site.erasure.services.erasure import player_erase
from league.site.erasure.services.erasure_list import erasures_repeat
from tests.factories.league import MembershipFactory, PlayerFactory, UserFactory
from tests.league.play.online_table.test_game import (
    RULES,
    SETTINGS,
    act,
    guest_at,
    host_of,
    page_of,
    started,
)
from tests.league.site.audit.differences import club_differences

pytestmark = pytest.mark.django_db


@pytest.fixture
def table(club: Club) -> OnlineTable:
    user = MembershipFactory.create(club=club, role=Role.SCORER).user
    return online_table_open(club=club, user=user, rules=RULES, settings=SETTINGS)


def erase(table: OnlineTable, client: Client, seat: object = 1) -> int:
    return client.post(
        reverse("online-table-erase", args=[table.public_id]), {"seat": seat}
    ).status_code


def played(table: OnlineTable) -> Client:
    """A game that the guest Gust has left; its client."""
    guest = guest_at(table)
    started(table)
    act(table, guest, "leave")
    table.refresh_from_db()
    return guest


def is_named(table: OnlineTable, name: str = "Gust") -> bool:
    """True if the name stands anywhere at the table, in its games or in the log."""
    words = [
        *OpenSeat.objects.values_list("handle", flat=True),
        *Seat.objects.values_list("handle", flat=True),
        *table.seats.values_list("name", flat=True),
        *LogEntry.objects.values_list("payload", flat=True),
        page_of(table, Client()),
    ]
    return any(name in word for word in words)


def test_a_guest_erases_the_name_and_the_game_stays_proven(table: OnlineTable) -> None:
    guest = played(table)
    assert "Erase my name" in page_of(table, guest)
    assert erase(table, guest) == 302
    assert not is_named(table)
    assert is_pseudonym(table.seats.get(number=1).name)
    assert table.game is not None
    assert table.open_game is not None
    assert list(game_differences([table.game.pk])) == []
    assert list(open_game_differences(sheets_written([table.open_game.public_id]))) == []
    assert [str(difference) for difference in club_differences(table.club_id)] == []
    line = guest.get(reverse("online-table-record", args=[table.public_id])).content
    verified = verify_line(line.strip())
    assert verified.ok, verified.error
    assert "digests" in verified.proved
    assert (
        LogEntry.objects.filter(action=PlayerAction.GUEST_ERASED, subject=table.public_id).count()
        == 1
    )
    assert erase(table, guest) == 404, "it is done already"


def test_the_name_goes_in_the_middle_of_a_game_and_the_guest_plays_on(table: OnlineTable) -> None:
    guest = guest_at(table)
    started(table)
    assert erase(table, guest) == 302
    assert 'id="my-dice"' in page_of(table, guest)
    act(table, guest, "leave")
    table.refresh_from_db()
    assert table.status == OnlineTable.Status.OVER
    assert not is_named(table)
    assert [str(difference) for difference in club_differences(table.club_id)] == []


def test_the_name_goes_from_games_that_the_guest_has_played_again(table: OnlineTable) -> None:
    guest = played(table)
    guest.post(reverse("online-table-again", args=[table.public_id]))
    again = OnlineTable.objects.get(rematch_of=table)
    assert again.seats.filter(name="Gust").exists()
    erase(again, guest, again.seats.get(name="Gust").number)
    assert not is_named(table)
    assert not is_named(again)


def test_the_erasure_of_each_seat_is_written_beside_the_database_and_repeated_on_this_seat_alone(
    table: OnlineTable, settings: Any, tmp_path: Path, django_capture_on_commit_callbacks: Any
) -> None:
    settings.ERASURES_FILE = tmp_path / "erased.txt"
    guest = played(table)
    guest.post(reverse("online-table-again", args=[table.public_id]))
    again = OnlineTable.objects.get(rematch_of=table)
    other, _ = seat_take(table=again, user=None, name="Gerda")
    with django_capture_on_commit_callbacks(execute=True):
        erase(table, guest)
    words = erasures_read(settings.ERASURES_FILE)
    seats = OnlineSeat.objects.filter(name__startswith="guest-")
    assert words == {seat.lasting_name for seat in seats}
    assert len(words) == 2
    assert erasures_repeat(words=words) == 0, "they are erased already"
    OnlineSeat.objects.filter(pk=seats[0].pk).update(name="Gust")
    assert erasures_repeat(words=words) == 1
    assert erasures_repeat(words={"nobody-knows", f"guest-{table.public_id}-{other.pk}-1"}) == 0
    assert OnlineSeat.objects.get(pk=other.pk).name == "Gerda"


def test_what_others_were_told_of_the_game_loses_the_name(table: OnlineTable) -> None:
    guest = played(table)
    host = table.seats.get(number=0).user
    notice = Notice.objects.create(
        user=host,
        club=table.club,
        position=1,
        subject=table.public_id,
        occasion=Notice.Occasion.GAME_OVER,
        parameters={"others": ["Gerda", "Gust"]},
    )
    erase(table, guest)
    notice.refresh_from_db()
    assert notice.parameters == {"others": ["Gerda", f"guest-{table.public_id}-1"]}


def test_an_organiser_erases_a_guest_and_nobody_else_does(table: OnlineTable) -> None:
    guest_at(table)
    other = guest_at(table, "Other")
    automatic_sit(table=table, strength="easy")
    organiser = Client()
    organiser.force_login(MembershipFactory.create(club=table.club, role=Role.ORGANISER).user)
    assert [erase(table, client) for client in (other, host_of(table), Client())] == [404, 404, 404]
    assert [erase(table, organiser, seat) for seat in (3, 9, "x")] == [404, 404, 404]
    assert is_named(table)
    assert "Erase “Gust”" in page_of(table, organiser)
    assert "Erase “Gust”" not in page_of(table, host_of(table))
    assert erase(table, organiser) == 302
    assert not is_named(table)


def test_the_database_lets_no_name_go_without_the_log(table: OnlineTable) -> None:
    played(table)
    seat = Seat.objects.get(game=table.game, number=1)
    for pseudonym in (f"guest-{table.public_id}-1", "somebody"):
        with pytest.raises(Error), transaction.atomic():
            Seat.objects.filter(pk=seat.pk).update(handle=pseudonym)


def test_the_name_of_a_guest_who_has_kept_the_seat_goes_with_the_player(table: OnlineTable) -> None:
    guest = guest_at(table)
    user = UserFactory.create()
    guest.force_login(user)
    guest.post(reverse("online-table-keep", args=[table.public_id]))
    started(table)
    act(table, guest, "leave")
    table.refresh_from_db()
    player = PlayerFactory.create(club=table.club, handle="greta", user=user)
    assert player_erase(player=player, actor=Actor())
    assert not is_named(table)
    assert [str(difference) for difference in club_differences(table.club_id)] == []
