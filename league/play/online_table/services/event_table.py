"""Online tables of an event: opened for the next game of a table, begun once everybody is there."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from typing import Any

from django.db import transaction
from django.utils import timezone

from engine.illegal import Illegal, Refused
from engine.messages import say
from games.services.online_game import secret_make
from league.core.frame.letter_link import digest_of, new_token
from league.core.log.services import Actor, club_journal
from league.core.player.models import Player
from league.play.online_table.actions import PlayAction
from league.play.online_table.models import SEED, OnlineSeat, OnlineTable
from league.play.online_table.queries import no_show_at, seats_of
from league.play.online_table.services.game import seats_time_out
from league.play.online_table.services.lobby import game_begin
from league.play.online_table.services.table import opening_log, table_changed
from league.stages.result.domain.end import game_rules
from league.stages.result.services.result import refuse_further, table_hold
from league.stages.stage.domain.facts import DRAWN
from league.stages.table.models import Table
from league.stages.table.queries.table import PlayerAt, entries_tied_at, sitting_at


@transaction.atomic
def event_table_open(*, table: Table) -> OnlineTable:
    """Return the online table for the next game of an event's table; open it if necessary.
    Idempotent.

    Until the game begins, its seats follow those of the event's table. If a player was removed
    and all others are there, the game begins. Raise `Refused`: `round_closed`, `walkover`,
    `table_finished`.
    """
    locked = table_hold(table)
    if not locked.stage_round.stage.event.running or locked.stage_round.status not in DRAWN:
        raise Refused(Illegal("round_closed", say("this round isn't being played")))
    sitting = sitting_at(locked)
    refuse_further(locked, sitting)

    players = list(sitting.players)
    # Players who are tied for the last place that advances play a further game without the others.
    tied_entries = entries_tied_at(locked, sitting.games)
    if tied_entries:
        players = [player for player in sitting.players if player.entry in tied_entries]
    not_abandoned = OnlineTable.objects.exclude(status=OnlineTable.Status.ABANDONED)
    of_game = not_abandoned.filter(stage_table=locked, game_number=sitting.next_number)
    online_table = of_game.order_by("-pk").first()
    if online_table is None:
        online_table = _online_table_create(locked, sitting.next_number, len(players))

    online_table = _table_lock(online_table)
    if online_table.status == OnlineTable.Status.LOBBY:
        _seats_sync(online_table, players)
        _begin_once_all_are_present(online_table)
    return online_table


@transaction.atomic
def seat_check_in(*, table: OnlineTable, seat: OnlineSeat, seed: bytes = b"") -> None:
    """Store that a player is present at an event's online table. Begin the game once all are.
    Idempotent.
    """
    table = _table_lock(table)
    if table.status != OnlineTable.Status.LOBBY:
        return
    changes: dict[str, Any] = {"present_at": timezone.now()}
    if seed:
        changes["seed"] = seed[:SEED]
    OnlineSeat.objects.filter(table=table, pk=seat.pk, present_at=None).update(**changes)
    table_changed(table)
    _begin_once_all_are_present(table)


@transaction.atomic
def begin_without_absent(*, table: OnlineTable) -> None:
    """Begin a game without the absent players. Ruling B17: they take no further part, as if their
    time was up. Idempotent.

    Raise `Refused`: `too_early` during the first ten minutes, `too_few_seats` if fewer than two
    players are present.
    """
    table = _table_lock(table)
    if table.status != OnlineTable.Status.LOBBY:
        return
    if timezone.now() < no_show_at(table):
        raise Refused(Illegal("too_early", say("the others still have time to arrive")))
    seats = seats_of(table)
    absent = [seat for seat in seats if seat.present_at is None]
    if len(seats) - len(absent) < 2:
        message = say(
            "fewer than two players are here: an organiser can decide this table without play"
        )
        raise Refused(Illegal("too_few_seats", message))
    game_begin(table, seats)
    if absent:
        seats_time_out(table, seats, [seat.number for seat in absent])


def seat_link_renew(*, table: OnlineTable, number: int) -> str:
    """Replace the link of a seat whose player has no account. Return the new key; the former link
    no longer works.
    """
    key = new_token()
    OnlineSeat.objects.filter(table=table, number=number, user=None).update(
        key_digest=digest_of(key)
    )
    return key


def table_pause(*, table: OnlineTable, actor: Actor) -> None:
    """Pause an event's online table: nobody can act, and no time runs. Idempotent."""
    with club_journal(table.club_id, actor) as journal:
        running = OnlineTable.objects.filter(
            pk=table.pk, status=OnlineTable.Status.PLAYING, paused_at=None
        )
        if running.update(paused_at=timezone.now()):
            journal.add(PlayAction.TABLE_PAUSED, table.public_id)
            table_changed(table)


def table_resume(*, table: OnlineTable, actor: Actor) -> None:
    """Resume a paused table; the seat to act has the time that it had before. Idempotent."""
    with club_journal(table.club_id, actor) as journal:
        locked = OnlineTable.objects.select_for_update(of=("self",), no_key=True).get(pk=table.pk)
        if locked.paused_at is None:
            return
        pause = timezone.now() - locked.paused_at
        locked.paused_seconds += round(pause.total_seconds())
        locked.paused_at = None
        locked.save(update_fields=["paused_at", "paused_seconds"])
        journal.add(PlayAction.TABLE_RESUMED, table.public_id)
        table_changed(table)


def _begin_once_all_are_present(table: OnlineTable) -> None:
    """Begin the game of a locked table if all its players are present."""
    seats = seats_of(table)
    if len(seats) > 1 and all(seat.present_at for seat in seats):
        game_begin(table, seats)


def _table_lock(table: OnlineTable) -> OnlineTable:
    # First the lock alone: the joined rows mustn't be locked.
    OnlineTable.objects.select_for_update(no_key=True).get(pk=table.pk)
    tables = OnlineTable.objects.select_related(
        "club",
        "season__club",
        "stage_table__group",
        "stage_table__stage_round__stage__event__season__club",
    )
    return tables.get(pk=table.pk)


def _online_table_create(table: Table, number: int, seats: int) -> OnlineTable:
    event = table.stage_round.stage.event
    online_table = OnlineTable.objects.create(
        club=event.club,
        season=event.season,
        kind=event.season.kind,
        stage_table=table,
        game_number=number,
        rules=game_rules(event.season, with_points=True),
        most_seats=max(seats, 2),
        move_seconds=event.move_seconds,
        bank_seconds=event.bank_seconds,
        commitment=secret_make(),
    )
    with club_journal(event.club_id) as journal:
        opening_log(journal, online_table, table=table.public_id, number=number)
    return online_table


def _seats_sync(table: OnlineTable, players: Sequence[PlayerAt]) -> None:
    """Give the players of the event's table the seats here, in their order. Players who sat here
    before stay checked in.
    """
    player_ids = [player.player for player in players]
    accounts = dict(Player.objects.filter(pk__in=player_ids).values_list("pk", "user"))
    seats = seats_of(table)
    seated = [(seat.player_id, seat.user_id) for seat in seats]
    if seated == [(player_id, accounts[player_id]) for player_id in player_ids]:
        return

    former_seats = {seat.player_id: seat for seat in seats}
    OnlineSeat.objects.filter(table=table).delete()
    for number, player in enumerate(players):
        seat = OnlineSeat(
            table=table,
            number=number,
            name=player.handle,
            player_id=player.player,
            user_id=accounts[player.player],
            seed=secrets.token_bytes(16),
        )
        former = former_seats.get(player.player)
        if former is not None:
            seat.key_digest = former.key_digest
            seat.seed = former.seed
            seat.present_at = former.present_at
        seat.save(force_insert=True)
    table_changed(table)
