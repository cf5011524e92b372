"""Results: games played at a table of an event, sealed like any other, and their effect on the
table."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from types import MappingProxyType
from typing import Any, Final

from django.utils import timezone

from engine.illegal import Illegal, Refused
from engine.messages import say
from engine.record.canonical import canonical_json
from engine.record.record import Record
from engine.record.verdict import Verdict
from games.models import Game
from league.core.hooks import Hook
from league.core.locks import Space, transaction_lock_shared
from league.core.log.services import Actor, Journal, club_journal
from league.core.player.services.player import SeatPlayers
from league.events.entry.models import Entry
from league.events.event.models import Event
from league.events.event.services import event_hold
from league.records.game.services import record_read, record_take
from league.stages.placing.services import places_write
from league.stages.result.domain.end import (
    PLAYED_OUT,
    BrokenOff,
    GameHead,
    game_rules,
    known_end,
    record_value,
)
from league.stages.result.domain.score import Score, ending_score, entries_of, score_of
from league.stages.round.domain.round import moment_of_play
from league.stages.stage.domain.facts import DRAWN, PlayedGame
from league.stages.stage.domain.table_name import number_of
from league.stages.stage.models import Stage
from league.stages.stage.services.version import version_raise
from league.stages.table.models import TABLE_GAME, Table, TableGame, TableScore
from league.stages.table.queries.table import Sitting, entries_tied_at, plays_no_more, sitting_at
from league.standings.ranking.queries.source import games_named

table_reopened: Final = Hook[[Table], object]()
"""Called when a finished table is open again."""


def table_game_enter(
    *,
    table: Table,
    line: bytes,
    actor: Actor,
    number: int = 0,
    details: Mapping[str, Any] = MappingProxyType({}),
) -> Game:
    """Seal the record of a game that was played at a table; the same record again changes nothing.

    `number` is the number of the game at the table (0: the next one); `details` are added to the
    log entry of a new game. Raise `Refused` with the record's own fault, or with `wrong_table` (a
    player doesn't sit there), `table_finished`, `played_again` (a game of the table is being played
    again), `round_closed` (the round isn't published, or was taken back), `conflict`, `voided`,
    `unknown_player`, or `game_entered` (the game of this number is in).
    """
    record_and_verdict = _record_and_verdict(table, line)
    return _game_enter(table, actor, lambda sitting: record_and_verdict, number, details)


def _record_and_verdict(table: Table, line: bytes) -> tuple[Record, Verdict]:
    return record_read(table.stage_round.stage.event.season, line, places_alone=True)


def _game_enter(
    table: Table,
    actor: Actor,
    read_game: Callable[[Sitting], tuple[Record, Verdict]],
    number: int = 0,
    details: Mapping[str, Any] = MappingProxyType({}),
) -> Game:
    """Seal the game that `read_game` returns for the locked table, as game `number` (0: the next
    one). `read_game` may raise `Refused`, as this does for a game that can't be entered at the
    table."""
    stage = table.stage_round.stage
    season = stage.event.season
    with club_journal(season.club_id, actor) as journal:
        transaction_lock_shared(Space.EVENT, stage.event_id)
        table_row = table_hold(table)
        refuse_closed(table_row)
        transaction_lock_shared(Space.PLAYERS, season.club_id)
        sitting = sitting_at(table_row)
        record, verdict = read_game(sitting)
        seating = SeatPlayers(season.club_id, create=False, players=sitting.players_by_handle)
        seating.look_up(record.seats)
        entries = _seated(seating.players_of(record.seats), sitting.entries)
        _refuse_strangers(entries_tied_at(table_row, sitting.games), entries)

        # It is called only if the game is new: the same game again is never refused.
        def new_game_details() -> dict[str, Any]:
            refuse_further(table_row, sitting)
            if number not in (0, sitting.next_number):
                raise Refused(
                    Illegal(
                        "game_entered",
                        say("game {number} at this table is already in", number=number),
                    )
                )
            return {"table": table.public_id, "number": sitting.next_number, **details}

        result = record_take(
            journal, season, record, verdict, seating=seating, details=new_game_details
        )
        if not result.created:
            return result.game
        table_game = TableGame.objects.create(
            game=result.game, table=table, number=sitting.next_number
        )
        journal.record(TABLE_GAME, [table_game])
        score = ending_score(entries, verdict.ending)
        _score_store(table, sitting.next_number, result.game, score)
        table_settle(table_row, sitting.with_game(result.game.public_id, score))
    return result.game


def table_outcome_enter(
    *,
    table: Table,
    ranks: Mapping[str, int],
    actor: Actor,
    points: Mapping[str, int] | None = None,
    number: int = 0,
    broken_off: BrokenOff = PLAYED_OUT,
    played_at: datetime | None = None,
) -> Game:
    """Seal a game of which only the end is known: the rank of each player, by the public id of the
    entry, and the points if they were counted. Rankings and stages that need points leave out a
    game with ranks alone.

    `number` is the number of the game at the table, from 1 (0: the next one). The same end twice is
    one game; without a number it is compared with the last game once the table has played all its
    games. `played_at` defaults to the time of the round. Raise `Refused` as `table_game_enter`
    does, and `wrong_number`."""

    def read_outcome(sitting: Sitting) -> tuple[Record, Verdict]:
        line = outcome_line(table, sitting, ranks, points, number, broken_off, played_at)
        return _record_and_verdict(table, line)

    try:
        return _game_enter(table, actor, read_outcome)
    except Refused:
        if earlier_game := _entered_before(table, number, ranks, points):
            return earlier_game
        raise


def outcome_fault(
    *,
    table: Table,
    ranks: Mapping[str, int],
    points: Mapping[str, int] | None = None,
    number: int = 0,
    broken_off: BrokenOff = PLAYED_OUT,
) -> Illegal | None:
    """Return the fault for which `table_outcome_enter` would refuse this end of a game, or None.
    Nothing is stored."""
    try:
        _record_and_verdict(
            table, outcome_line(table, sitting_at(table), ranks, points, number, broken_off)
        )
    except Refused as refused:
        return refused.illegal
    return None


def _entered_before(
    table: Table, number: int, ranks: Mapping[str, int], points: Mapping[str, int] | None
) -> Game | None:
    """Return the table's game of this number (0: the last one) if it ended with the same ranks and
    points."""
    scores = TableScore.objects.select_related("game").filter(table=table).order_by("-number")
    if number:
        scores = scores.filter(number=number)
    score = scores.first()
    if score is None or score.ranks is None:
        return None

    public_ids = dict(Entry.objects.filter(pk__in=score.entries).values_list("pk", "public_id"))
    entry_ids = [public_ids[entry] for entry in score.entries]
    if dict(zip(entry_ids, score.ranks, strict=True)) != dict(ranks):
        return None
    if points is not None:
        stored_points = dict(zip(entry_ids, score.points or (), strict=False))
        if stored_points != dict(points):
            return None
    return score.game


def outcome_line(
    table: Table,
    sitting: Sitting,
    ranks: Mapping[str, int],
    points: Mapping[str, int] | None = None,
    number: int = 0,
    broken_off: BrokenOff = PLAYED_OUT,
    played_at: datetime | None = None,
) -> bytes:
    """Return the record, as a line of JSON, of a game of which only the end is known, in seat
    order. Raise `Refused` with `wrong_table`, or with `wrong_number` if `number` is greater than
    that of the next game."""
    stage = table.stage_round.stage
    season = stage.event.season
    players_in_game = [player for player in sitting.players if player.entry_id in ranks]
    if len(players_in_game) < len(ranks):
        raise Refused(
            Illegal(
                "wrong_table", say("somebody in this game isn't seated at this table"), path="seats"
            )
        )
    next_number = sitting.next_number
    if number > next_number:
        raise Refused(
            Illegal(
                "wrong_number",
                say(
                    "the next game at this table is number {next}, not {number}",
                    next=next_number,
                    number=number,
                ),
            )
        )
    number = number or next_number
    end = known_end([player.entry_id for player in players_in_game], ranks, points, broken_off)
    head = GameHead(
        record_id=f"{table.public_id}-{number}",
        seats=[player.handle for player in players_in_game],
        event=stage.event.slug,
        table=str(number_of(table)),
        played_at=played_at or moment_of_play(table, number, timezone.now()),
    )
    return canonical_json(
        record_value(season, head, game_rules(season, with_points=points is not None), end)
    )


def results_follow(*, journal: Journal, game: Game, replaces: Game) -> None:
    """Update a table's results after one of its games was corrected, in the transaction of the
    correction.

    Raise `Refused` (`wrong_table`) if a player of the correction doesn't sit there.
    """
    table_game = result_hold(game=replaces)
    if table_game is None:
        return
    new_table_game = TableGame.objects.create(
        game=game, table=table_game.table, number=table_game.number, revision=game.revision
    )
    journal.record(TABLE_GAME, [new_table_game])
    score_write(table=table_game.table, number=table_game.number, game=game)
    table_settle(table_game.table, sitting_at(table_game.table))


def void_follows(*, table_game: TableGame, stands: bool) -> None:
    """Update a table's results after one of its games was voided (`stands`) or restored, in the
    transaction that does it; `table_game` is locked (`result_hold`).

    Raise `Refused` with `table_finished` if another game has been played in the place of the
    restored one, or with `walkover`.
    """
    table = table_game.table
    if stands:
        TableScore.objects.filter(table=table, number=table_game.number).delete()
    else:
        refuse_full(table)
        score_write(table=table, number=table_game.number, game=table_game.game)
    table_settle(table, sitting_at(table))


def adjustment_follows(*, table_game: TableGame) -> None:
    """Update a table's results after an arbiter adjusted one of its games, in the transaction of
    the adjustment; `table_game` is locked (`result_hold`). A table that was given without play
    doesn't change."""
    table = table_game.table
    score_write(table=table, number=table_game.number, game=table_game.game)
    table_settle(table, sitting_at(table))


def refuse_full(table: Table) -> None:
    """Raise `Refused` if a voided game can't be restored at a table, because the table was given
    without play (`walkover`) or has played all its games without that game (`table_finished`)."""
    sitting = sitting_at(table)
    refuse_walkover(sitting)
    if _has_all_games(table, sitting.games):
        raise Refused(
            Illegal(
                "table_finished",
                say(
                    "this table has played its games without the voided one; first void the game "
                    "played in its place"
                ),
            )
        )


def result_hold(*, game: Game) -> TableGame | None:
    """Lock the table of a game until the transaction ends, and return its table game; None if the
    game was played at no table.

    Take this lock before the locks of the players and the log, as draws and results do.
    """
    table_game = (
        TableGame.objects.select_related("table__stage_round__stage").filter(game=game).first()
    )
    if table_game is not None:
        transaction_lock_shared(Space.EVENT, table_game.table.stage_round.stage.event_id)
        table_game.table = table_hold(table_game.table)
    return table_game


def score_write(*, table: Table, number: int, game: Game) -> None:
    """Store the score that a game gives the entries of a table, replayed from its sealed rounds.
    Raise `Refused` (`wrong_table`)."""
    (facts,) = games_named([game.pk])
    score = score_of(facts, sitting_at(table).entries)
    if isinstance(score, Illegal):
        raise Refused(score)
    _score_store(table, number, game, score)


def _score_store(table: Table, number: int, game: Game, score: Score) -> None:
    TableScore.objects.bulk_create(
        [TableScore(table=table, number=number, game=game, **score._asdict())],
        update_conflicts=True,
        unique_fields=["table", "number"],
        update_fields=["game", *score._fields],
    )


def seats_at(table: Table, players: Sequence[int | None]) -> list[int]:
    """Return the entries of players at a table, in the players' order; a merged player counts as
    the one they were merged into. Raise `Refused` (`wrong_table`)."""
    return _seated(players, sitting_at(table).entries)


def _seated(players: Sequence[int | None], entries: Mapping[int, int]) -> list[int]:
    seats = entries_of(players, entries)
    if isinstance(seats, Illegal):
        raise Refused(seats)
    return seats


def table_hold(table: Table) -> Table:
    """Return a table with its round, stage and event, locked so that its games are entered one
    after the other.

    Once the stage is finished, a result changes the event's final ranks, too: then the event's row
    is locked as well, before the players and the log.
    """
    rows = Table.objects.select_related("stage_round__stage__event")
    row = rows.select_for_update(of=("self",), no_key=True).get(pk=table.pk)
    if row.stage_round.stage.status == Stage.Status.FINISHED:
        event_hold(row.stage_round.stage.event)
    return row


def refuse_closed(table: Table) -> None:
    """Raise `Refused` (`round_closed`) if the round of a table isn't published, or its event
    neither runs nor is finished."""
    if table.stage_round.stage.event.status not in (Event.Status.RUNNING, Event.Status.FINISHED):
        raise Refused(
            Illegal("round_closed", say("this event isn't being played: it was cancelled"))
        )
    if table.stage_round.status not in DRAWN:
        raise Refused(
            Illegal(
                "round_closed",
                say("this round isn't being played: it was taken back, or isn't published yet"),
            )
        )


def refuse_further(table: Table, sitting: Sitting) -> None:
    """Raise `Refused` (`walkover`, `played_again`, `table_finished`) if no further game can be
    played at a table."""
    refuse_walkover(sitting)
    if sitting.played_again:
        raise Refused(
            Illegal(
                "played_again",
                say("a game at this table is being played again: carry on with its sheet"),
            )
        )
    if _has_all_games(table, sitting.games):
        raise Refused(
            Illegal(
                "table_finished",
                say("this table has played all its games; correct the one that is wrong"),
            )
        )


def refuse_walkover(sitting: Sitting) -> None:
    """Raise `Refused` (`walkover`) if a table was given without play."""
    if sitting.walkover:
        raise Refused(
            Illegal("walkover", say("this table was awarded without play; have that undone first"))
        )


def _refuse_strangers(level_entries: Sequence[int], entries: Sequence[int]) -> None:
    """Raise `Refused` (`wrong_table`) if a tie-breaking game was played by others than the players
    who tie. `level_entries` are the players who share the last place of a knock-out table that goes
    on; it is empty if no place is tied."""
    if level_entries and set(level_entries) != set(entries):
        raise Refused(
            Illegal(
                "wrong_table",
                say("only the players who share the last place that goes on play another game"),
                path="seats",
            )
        )


def _has_all_games(table: Table, games: Sequence[PlayedGame]) -> bool:
    """Return True if a table has played all its games and no tie-breaking game is needed."""
    if table.finished:
        return True
    played_all = len(games) >= table.stage_round.stage.games
    return played_all and not entries_tied_at(table, games)


def table_settle(table: Table, sitting: Sitting) -> None:
    """Store what follows from a table's games or its walkover: whether the table is finished, the
    stage's version and, once the stage is finished, the starting points of later stages and the
    event's final ranks."""
    stage = table.stage_round.stage
    finished = sitting.walkover or plays_no_more(table, sitting.games)
    if table.finished != finished:
        Table.objects.filter(pk=table.pk).update(finished=finished)
    version_raise(pk=stage.pk)
    if table.finished and not finished:
        table_reopened(table)
    if stage.status == Stage.Status.FINISHED:
        places_write(event_id=stage.event_id)
