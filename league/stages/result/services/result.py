"""Results: games played at a table of an event, sealed like any other, and what they brought
there."""

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
from league.stages.table.queries.table import Sitting, level_at_table, plays_no_more, sitting_at
from league.standings.ranking.queries.source import games_named

table_reopened: Final = Hook[[Table], object]()
"""A table that was finished is played on."""


def table_game_enter(
    *,
    table: Table,
    line: bytes,
    actor: Actor,
    number: int = 0,
    details: Mapping[str, Any] = MappingProxyType({}),
) -> Game:
    """Seal the record of a game that was played at a table. The same record again changes nothing.

    `number` is that of the game at the table (0: the next one); the log tells of a new one the
    `details`, too. Raises `Refused` with the record's own fault, or with `wrong_table` (somebody in
    it doesn't sit there), `table_finished`, `played_again` (a game of the table is written down
    anew), `round_closed` (the round isn't published, or was taken back), `conflict`, `voided`,
    `unknown_player`, `game_entered` (the game of this number is in)."""
    played = _read(table, line)
    return _game_enter(table, actor, lambda sitting: played, number, details)


def _read(table: Table, line: bytes) -> tuple[Record, Verdict]:
    """A record that fits the table's season, and what comes of it. Raises `Refused` with its
    fault."""
    return record_read(table.stage_round.stage.event.season, line, places_alone=True)


def _game_enter(
    table: Table,
    actor: Actor,
    read: Callable[[Sitting], tuple[Record, Verdict]],
    number: int = 0,
    details: Mapping[str, Any] = MappingProxyType({}),
) -> Game:
    """Seal the game that is read from the table as it stands, which is held. Raises as
    `table_game_enter` does."""
    stage = table.stage_round.stage
    season = stage.event.season
    with club_journal(season.club_id, actor) as journal:
        transaction_lock_shared(Space.EVENT, stage.event_id)
        table_row = table_hold(table)
        refuse_closed(table_row)
        transaction_lock_shared(Space.PLAYERS, season.club_id)
        sitting = sitting_at(table_row)
        record, verdict = read(sitting)
        seating = SeatPlayers(season.club_id, create=False, players=sitting.players_by_handle)
        seating.look_up(record.seats)
        entries = _seated(seating.players_of(record.seats), sitting.entries)
        _refuse_strangers(level_at_table(table_row, sitting.games), entries)

        def place() -> dict[str, Any]:
            """The table of a new game, and its number there."""
            refuse_further(table_row, sitting)
            if number not in (0, sitting.next_number):
                raise Refused(
                    Illegal(
                        "game_entered",
                        say("game {number} of this table is in already", number=number),
                    )
                )
            return {"table": table.public_id, "number": sitting.next_number, **details}

        result = record_take(journal, season, record, verdict, seating=seating, details=place)
        if not result.created:
            return result.game
        table_game = TableGame.objects.create(
            game=result.game, table=table, number=sitting.next_number
        )
        journal.state(TABLE_GAME, [table_game])
        score = ending_score(entries, verdict.ending)
        _score_store(table, sitting.next_number, result.game, score)
        table_settle(table_row, sitting.after(result.game.public_id, score))
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
    """Seal a game of which only the end is known: the rank of everybody who played, by the entry's
    public id, and the points if they were counted. Raises `Refused` as `table_game_enter` does, and
    `wrong_number`.

    `number` is that of the game at the table, from 1 (0: the next one): the same twice is one game,
    whoever says it, and without a number the same as the last one once the table has played its
    games. `played_at`: when it was played; None for when its round was. Places alone are taken
    wherever they count: a ranking, or a stage, that needs points leaves the game out."""

    def read(sitting: Sitting) -> tuple[Record, Verdict]:
        """The record of who sits there."""
        return _read(
            table, outcome_line(table, sitting, ranks, points, number, broken_off, played_at)
        )

    try:
        return _game_enter(table, actor, read)
    except Refused as refused:
        if earlier_game := _entered_so(table, number, ranks, points):
            return earlier_game
        raise refused


def outcome_fault(
    *,
    table: Table,
    ranks: Mapping[str, int],
    points: Mapping[str, int] | None = None,
    number: int = 0,
    broken_off: BrokenOff = PLAYED_OUT,
) -> Illegal | None:
    """Return what can't be of such an end of a game, told before anything is sealed."""
    try:
        _read(table, outcome_line(table, sitting_at(table), ranks, points, number, broken_off))
    except Refused as refused:
        return refused.illegal
    return None


def _entered_so(
    table: Table, number: int, ranks: Mapping[str, int], points: Mapping[str, int] | None
) -> Game | None:
    """The game of a table that ended just so already: the one of this number, or the last one for
    0."""
    rows = TableScore.objects.select_related("game").filter(table=table).order_by("-number")
    row = rows.filter(number=number).first() if number else rows.first()
    if row is None or row.ranks is None:
        return None
    ids = dict(Entry.objects.filter(pk__in=row.entries).values_list("pk", "public_id"))
    names = [ids[entry] for entry in row.entries]
    same = dict(zip(names, row.ranks, strict=True)) == dict(ranks)
    scored = points is None or dict(zip(names, row.points or (), strict=False)) == dict(points)
    return row.game if same and scored else None


def outcome_line(
    table: Table,
    sitting: Sitting,
    ranks: Mapping[str, int],
    points: Mapping[str, int] | None = None,
    number: int = 0,
    broken_off: BrokenOff = PLAYED_OUT,
    played_at: datetime | None = None,
) -> bytes:
    """The record of a game of which only the end is known, in seat order. Raises `Refused`
    (`wrong_table`, `wrong_number` for one ahead of the next)."""
    stage = table.stage_round.stage
    season = stage.event.season
    playing = [sitter for sitter in sitting.players if sitter.entry_id in ranks]
    if len(playing) < len(ranks):
        raise Refused(
            Illegal(
                "wrong_table", say("somebody of this game doesn't sit at this table"), path="seats"
            )
        )
    following = sitting.next_number
    if number > following:
        raise Refused(
            Illegal(
                "wrong_number",
                say(
                    "the next game of this table is number {next}, not {number}",
                    next=following,
                    number=number,
                ),
            )
        )
    number = number or following
    end = known_end([sitter.entry_id for sitter in playing], ranks, points, broken_off)
    head = GameHead(
        f"{table.public_id}-{number}",
        [sitter.handle for sitter in playing],
        stage.event.slug,
        str(number_of(table)),
        played_at or moment_of_play(table, number, timezone.now()),
    )
    return canonical_json(
        record_value(season, head, game_rules(season, with_points=points is not None), end)
    )


def results_follow(*, journal: Journal, game: Game, replaces: Game) -> None:
    """Let a correction of a table's game change what came of the table, in the transaction that
    corrects it.

    Raises `Refused` (`wrong_table`) if somebody in it doesn't sit there.
    """
    table_game = result_hold(game=replaces)
    if table_game is None:
        return
    new_table_game = TableGame.objects.create(
        game=game, table=table_game.table, number=table_game.number, revision=game.revision
    )
    journal.state(TABLE_GAME, [new_table_game])
    score_write(table=table_game.table, number=table_game.number, game=game)
    table_settle(table_game.table, sitting_at(table_game.table))


def void_follows(*, table_game: TableGame, stands: bool) -> None:
    """Let the void of a table's game (with `stands`), or its end, change what came of the table, in
    the transaction that adds it; `table_game` is held (`result_hold`).

    Raises `Refused` (`table_finished`) for a game whose place another one has taken since,
    `walkover`."""
    table = table_game.table
    if stands:
        TableScore.objects.filter(table=table, number=table_game.number).delete()
    else:
        refuse_full(table)
        score_write(table=table, number=table_game.number, game=table_game.game)
    table_settle(table, sitting_at(table))


def adjustment_follows(*, table_game: TableGame) -> None:
    """Let what an arbiter adjusted in a table's game change what came of the table, in the
    transaction that adjusts it; `table_game` is held (`result_hold`). A table that was given
    without play isn't touched."""
    table = table_game.table
    score_write(table=table, number=table_game.number, game=table_game.game)
    table_settle(table, sitting_at(table))


def refuse_full(table: Table) -> None:
    """Raise `Refused` for a table to which no voided game can come back: it was given without play
    (`walkover`), or has played its games without it (`table_finished`)."""
    sitting = sitting_at(table)
    refuse_given(sitting)
    if _is_full(table, sitting.games):
        raise Refused(
            Illegal(
                "table_finished",
                say(
                    "this table has played its games without the voided one; void first what "
                    "was played in its place"
                ),
            )
        )


def result_hold(*, game: Game) -> TableGame | None:
    """Tell where a game was entered, with the table as it stands, held until the transaction ends;
    None: at no table.

    Whoever corrects a game holds this before the players and the log's end, as those do who draw
    and enter results."""
    table_game = (
        TableGame.objects.select_related("table__stage_round__stage").filter(game=game).first()
    )
    if table_game is not None:
        transaction_lock_shared(Space.EVENT, table_game.table.stage_round.stage.event_id)
        table_game.table = table_hold(table_game.table)
    return table_game


def score_write(*, table: Table, number: int, game: Game) -> None:
    """Store what a game brought a table, replayed from its sealed rounds. Raises `Refused`
    (`wrong_table`)."""
    (facts,) = games_named([game.pk])
    score = score_of(facts, sitting_at(table).entries)
    if isinstance(score, Illegal):
        raise Refused(score)
    _score_store(table, number, game, score)


def _score_store(table: Table, number: int, game: Game, score: Score) -> None:
    """Store what a game brought a table, in the place of what another one of this number
    brought."""
    TableScore.objects.bulk_create(
        [TableScore(table=table, number=number, game=game, **score._asdict())],
        update_conflicts=True,
        unique_fields=["table", "number"],
        update_fields=["game", *score._fields],
    )


def seats_at(table: Table, players: Sequence[int | None]) -> list[int]:
    """The entries of players at a table, in the players' order. Raises `Refused` (`wrong_table`).

    Who was merged into somebody else sits there as that one.
    """
    return _seated(players, sitting_at(table).entries)


def _seated(players: Sequence[int | None], entries: Mapping[int, int]) -> list[int]:
    """The entries of players in their order, of those at a table. Raises `Refused`
    (`wrong_table`)."""
    seats = entries_of(players, entries)
    if isinstance(seats, Illegal):
        raise Refused(seats)
    return seats


def table_hold(table: Table) -> Table:
    """The table as it stands, with its round, stage and event: held, so that its games come one
    after the other.

    Where more than the table follows from them the event's row is held, too, before the players and
    the log's end."""
    rows = Table.objects.select_related("stage_round__stage__event")
    row = rows.select_for_update(of=("self",), no_key=True).get(pk=table.pk)
    if row.stage_round.stage.status == Stage.Status.FINISHED:
        event_hold(row.stage_round.stage.event)
    return row


def refuse_closed(table: Table) -> None:
    """Raise `Refused` (`round_closed`) for a table whose round, or whose event, isn't played."""
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
    """Raise `Refused` (`walkover`, `played_again`, `table_finished`) for a table at which no
    further game is played."""
    refuse_given(sitting)
    if sitting.played_again:
        raise Refused(
            Illegal(
                "played_again", say("a game of this table is played again: go on with its sheet")
            )
        )
    if _is_full(table, sitting.games):
        raise Refused(
            Illegal(
                "table_finished",
                say("this table has played its games; correct the one that is wrong"),
            )
        )


def refuse_given(sitting: Sitting) -> None:
    """Raise `Refused` (`walkover`) for a table that was given without play."""
    if sitting.walkover:
        raise Refused(
            Illegal("walkover", say("this table was given without play; have that undone first"))
        )


def _refuse_strangers(level: Sequence[int], entries: Sequence[int]) -> None:
    """Raise `Refused` (`wrong_table`) for another game to separate who is level, if others are in
    it."""
    if level and set(level) != set(entries):
        raise Refused(
            Illegal(
                "wrong_table",
                say("only those who share the last place that goes on play another game"),
                path="seats",
            )
        )


def _is_full(table: Table, games: Sequence[PlayedGame]) -> bool:
    """True if no further game belongs to a table at which these were played."""
    return table.finished or (
        len(games) >= table.stage_round.stage.games and not level_at_table(table, games)
    )


def table_settle(table: Table, sitting: Sitting) -> None:
    """Store what follows from a table's games, and from its being given without play: whether it is
    finished, the stage's version, and, once the stage is finished, what later stages and the
    event's final ranks rest on."""
    stage = table.stage_round.stage
    finished = sitting.walkover or plays_no_more(table, sitting.games)
    if table.finished != finished:
        Table.objects.filter(pk=table.pk).update(finished=finished)
    version_raise(pk=stage.pk)
    if table.finished and not finished:
        table_reopened(table)
    if stage.status == Stage.Status.FINISHED:
        places_write(event_id=stage.event_id)
