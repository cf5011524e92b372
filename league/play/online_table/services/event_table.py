"""Online tables of an event: opened for the next game of a table, begun once everybody is there."""

from __future__ import annotations

import secrets
from collections.abc import Sequence

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
from league.stages.table.queries.table import PlayerAt, level_at_table, sitting_at


@transaction.atomic
def event_table_open(*, table: Table) -> OnlineTable:
    """Return the online table for the next game of an event's table, and open it if there is none.
    Twice is once.

    Before the game begins its seats are those of the event's table as they are now. If somebody was
    taken away and all the others are there, the game begins. Raises `Refused`: `round_closed`,
    `walkover`, `table_finished`."""
    held = table_hold(table)
    if not held.stage_round.stage.event.running or held.stage_round.status not in DRAWN:
        raise Refused(Illegal("round_closed", say("this round isn't being played")))
    sitting = sitting_at(held)
    refuse_further(held, sitting)
    level = level_at_table(held, sitting.games)
    players = [player for player in sitting.players if not level or player.entry in level]
    at_work = OnlineTable.objects.exclude(status=OnlineTable.Status.ABANDONED)
    opened = (
        at_work.filter(stage_table=held, game_number=sitting.next_number).order_by("-pk").first()
    )
    if opened is None:
        opened = _open(held, sitting.next_number, len(players))
    opened = _held(opened)
    if opened.status == OnlineTable.Status.LOBBY:
        _seat(opened, players)
        _begin_once_all_are_there(opened)
    return opened


@transaction.atomic
def seat_check_in(*, table: OnlineTable, seat: OnlineSeat, seed: bytes = b"") -> None:
    """Note that a player is at an event's online table; once all are, the game begins. Twice is
    once."""
    table = _held(table)
    if table.status != OnlineTable.Status.LOBBY:
        return
    present = OnlineSeat.objects.filter(table=table, pk=seat.pk, present_at=None)
    present.update(present_at=timezone.now(), **({"seed": seed[:SEED]} if seed else {}))
    table_changed(table)
    _begin_once_all_are_there(table)


@transaction.atomic
def begin_without_absent(*, table: OnlineTable) -> None:
    """Begin a game without those who aren't there: they take no further part. Ruling B17. Twice is
    once.

    Raises `Refused`: `too_early` before ten minutes are over, `too_few_seats` where fewer than two
    are there."""
    table = _held(table)
    if table.status != OnlineTable.Status.LOBBY:
        return
    if timezone.now() < no_show_at(table):
        raise Refused(Illegal("too_early", say("the others still have time to come")))
    seats = seats_of(table)
    absent = [seat for seat in seats if seat.present_at is None]
    if len(seats) - len(absent) < 2:
        message = say("fewer than two are here: an organiser can give this table without play")
        raise Refused(Illegal("too_few_seats", message))
    game_begin(table, seats)
    if absent:
        seats_time_out(table, seats, [seat.number for seat in absent])


def seat_link_renew(*, table: OnlineTable, number: int) -> str:
    """Return the key of a new link for the seat of a player without an account; the former link
    ends."""
    key = new_token()
    OnlineSeat.objects.filter(table=table, number=number, user=None).update(
        key_digest=digest_of(key)
    )
    return key


def table_pause(*, table: OnlineTable, actor: Actor) -> None:
    """Stop the play at an event's online table: nobody acts, and no time runs. Twice is once."""
    with club_journal(table.club_id, actor) as journal:
        running = OnlineTable.objects.filter(
            pk=table.pk, status=OnlineTable.Status.PLAYING, paused_at=None
        )
        if running.update(paused_at=timezone.now()):
            journal.add(PlayAction.TABLE_PAUSED, table.public_id)
            table_changed(table)


def table_resume(*, table: OnlineTable, actor: Actor) -> None:
    """Go on at a table that was paused; the seat to act has the time that it had. Twice is once."""
    with club_journal(table.club_id, actor) as journal:
        held = OnlineTable.objects.select_for_update(of=("self",), no_key=True).get(pk=table.pk)
        if held.paused_at is None:
            return
        held.paused_seconds += round((timezone.now() - held.paused_at).total_seconds())
        held.paused_at = None
        held.save(update_fields=["paused_at", "paused_seconds"])
        journal.add(PlayAction.TABLE_RESUMED, table.public_id)
        table_changed(table)


def _begin_once_all_are_there(table: OnlineTable) -> None:
    seats = seats_of(table)
    if len(seats) > 1 and all(seat.present_at for seat in seats):
        game_begin(table, seats)


def _held(table: OnlineTable) -> OnlineTable:
    """Return the table as it stands, held until the transaction ends, with all that its game
    needs."""
    OnlineTable.objects.select_for_update(no_key=True).get(pk=table.pk)
    tables = OnlineTable.objects.select_related(
        "club",
        "season__club",
        "stage_table__group",
        "stage_table__stage_round__stage__event__season__club",
    )
    return tables.get(pk=table.pk)


def _open(table: Table, number: int, seats: int) -> OnlineTable:
    event = table.stage_round.stage.event
    opened = OnlineTable.objects.create(
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
        opening_log(journal, opened, table=table.public_id, number=number)
    return opened


def _seat(table: OnlineTable, players: Sequence[PlayerAt]) -> None:
    """Let the players of the event's table sit here, in their order; those who sat here before stay
    checked in."""
    seats = seats_of(table)
    accounts = dict(
        Player.objects.filter(pk__in=[each.player for each in players]).values_list("pk", "user")
    )
    seated = [(seat.player_id, seat.user_id) for seat in seats]
    if seated == [(each.player, accounts[each.player]) for each in players]:
        return
    by_player = {seat.player_id: seat for seat in seats}
    OnlineSeat.objects.filter(table=table).delete()
    for number, player in enumerate(players):
        former = by_player.get(player.player)
        OnlineSeat.objects.create(
            table=table,
            number=number,
            name=player.handle,
            player_id=player.player,
            user_id=accounts[player.player],
            key_digest=former.key_digest if former else "",
            seed=former.seed if former else secrets.token_bytes(16),
            present_at=former.present_at if former else None,
        )
    table_changed(table)
