"""One table: the players who sit there, and its results."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from django.contrib.postgres.expressions import ArraySubquery
from django.db.models import Exists, Max, OuterRef, QuerySet, Subquery
from django.db.models.functions import Coalesce, JSONObject

from games.models import Game
from games.queries.play_again import games_played_again
from league.core.viewer.queries.author import acting_role
from league.events.event.models import Event
from league.events.helper.queries import event_acting_role
from league.stages.result.domain.result import lacks_points
from league.stages.result.domain.score import Score
from league.stages.round.domain.round import Retraction
from league.stages.round.models import StageRound
from league.stages.round.queries import retraction_of
from league.stages.stage.domain.facts import DRAWN, PlayedGame, StageFacts, StageTable, played_game
from league.stages.stage.models import Participant, SharedPlace, Stage
from league.stages.stage.queries.facts import round_facts, table_facts
from league.stages.table.domain.level import is_played_out, level_entries
from league.stages.table.domain.table import (
    SeatedTable,
    draw_of,
    round_tables,
    seated_table,
    seated_with_reasons,
    uncounted_words,
)
from league.stages.table.models import Table, TableGame, TableScore, TableSeat, Walkover
from league.standings.ranked_game.queries.provisional import is_provisional


class TableOfStage(NamedTuple):
    """A table (`seated`), its stage, the number of its group, the public id of its draw, if it has
    one, and, if its round was taken back, when and why."""

    seated: SeatedTable
    stage: Stage
    group: int
    draw: str | None = None
    retraction: Retraction | None = None

    @property
    def uncounted(self) -> list[str]:
        """Return sentences on where games of the table don't count, because only their places were
        entered; empty if all count."""
        if not any(map(lacks_points, self.table.games)):
            return []
        return uncounted_words(self.stage.event.season, None, self.stage)

    @property
    def table(self) -> StageTable:
        """Return the table as the stage has it."""
        return self.seated.table


def table_game_of(game: Game) -> TableGame | None:
    """Return the table game of a game, loaded with table, round, stage, event and season; None if
    it was played at no table."""
    games = TableGame.objects.select_related("table__stage_round__stage__event__season__ranking")
    return games.filter(game=game).first()


def drawn_table(table: Table) -> TableOfStage:
    """Return a table with the reasons of its draw."""
    facts = round_facts(table.stage_round)
    row = next(row for row in facts.tables if row.pk == table.pk)
    draw = draw_of(facts, row.round_number, row.group)
    return TableOfStage(
        seated=seated_with_reasons(facts, row),
        stage=table.stage_round.stage,
        group=table.group.number,
        draw=draw.public_id if draw else None,
        retraction=retraction_of(table.stage_round),
    )


def tables_of_round(facts: StageFacts, stage_round: StageRound) -> list[TableOfStage]:
    """Return the tables of a round in order, with the facts that the reader may see; none if the
    round couldn't be drawn."""
    if stage_round.status == StageRound.Status.FAILED:
        return []
    retraction = retraction_of(stage_round)
    tables = []
    for group, part in zip(facts.groups, round_tables(facts, stage_round), strict=True):
        draw_id = part.draw.public_id if part.draw else None
        tables += [
            TableOfStage(table, facts.stage, group.number, draw_id, retraction)
            for table in part.tables
        ]
    return tables


def played_table(table: Table) -> TableOfStage:
    """Return a table with its results, without its draw, by two queries in a stage of any size."""
    facts = table_facts(table)
    return TableOfStage(
        seated_table(facts, facts.tables[0], draw_reasons=[]),
        table.stage_round.stage,
        table.group.number,
    )


class PlayerAt(NamedTuple):
    """A player at a table: the entry with its public id, the player (merged players as the one they
    were merged into), handle and name."""

    entry: int
    entry_id: str
    player: int
    handle: str
    name: str


class Sitting(NamedTuple):
    """A table and what was played there so far, as the entry of a game needs it: the players in
    seat order, the games so far, the number of the next one, whether the table was given without
    play, and whether one of its games is being `played_again`."""

    players: tuple[PlayerAt, ...]
    games: tuple[PlayedGame, ...]
    next_number: int
    walkover: bool
    played_again: bool

    @property
    def entries(self) -> dict[int, int]:
        """Return the entries at the table, by player."""
        return {seated.player: seated.entry for seated in self.players}

    @property
    def players_by_handle(self) -> dict[str, int]:
        """Return the players at the table, by handle."""
        return {seated.handle: seated.player for seated in self.players}

    def with_game(self, game: str, score: Score) -> Sitting:
        """Return the sitting with one more game, which is given by its public id and its score."""
        played = played_game(self.next_number, game, **score._asdict())
        return self._replace(games=(*self.games, played), next_number=self.next_number + 1)


def sitting_at(table: Table) -> Sitting:
    """Return the players at a table and the games so far, by one query. For a merged player, the
    player they were merged into is returned."""
    of_table = {"table": OuterRef("pk")}
    player = Coalesce("entry__player__merged_into", "entry__player")
    seat_columns = JSONObject(
        entry="entry",
        entry_id="entry__public_id",
        player=player,
        handle="entry__player__handle",
        name="entry__player__name",
    )
    # Looked up by its id: while statistics are old, the planner would join all games of the
    # service.
    public_id = Subquery(Game.objects.filter(pk=OuterRef("game")).values("public_id"))
    columns_of_score = ("number", "entries", "ranks", "points", "order", "penalties")
    game_columns = JSONObject(game=public_id, **{column: column for column in columns_of_score})
    seats = TableSeat.objects.filter(**of_table).order_by("seat").values(person=seat_columns)
    scores = TableScore.objects.filter(**of_table).order_by("number").values(score=game_columns)
    walkovers = Walkover.objects.filter(**of_table).order_by("-revision").values("stands")
    has_game_played_again = Exists(
        games_played_again().filter(void__game__table_game__table=OuterRef("pk"))
    )
    columns = (
        ArraySubquery(seats),
        ArraySubquery(scores),
        Max("table_games__number"),
        Subquery(walkovers[:1]),
        has_game_played_again,
    )
    players, games, last_number, is_walkover, played_again = (
        Table.objects.filter(pk=table.pk).values_list(*columns).get()
    )
    return Sitting(
        players=tuple(PlayerAt(**player) for player in players),
        games=tuple(played_game(**game) for game in games),
        next_number=1 + (last_number or 0),
        walkover=bool(is_walkover),
        played_again=played_again,
    )


def entries_tied_at(table: Table, games: Sequence[PlayedGame]) -> tuple[int, ...]:
    """Return the entries that tie for going on from a table of a knock-out after these games, and
    so have to play another game; empty if there is no such tie."""
    stage = table.stage_round.stage
    if stage.separation != SharedPlace.GAME:
        return ()
    return level_entries(stage, table.label, games, _participants_count(stage))


def plays_no_more(table: Table, games: Sequence[PlayedGame]) -> bool:
    """Return True if all games of a table are in, including games between players who tie for going
    on from a table of a knock-out."""
    stage = table.stage_round.stage
    return is_played_out(stage, table.label, games, _participants_count(stage))


def _participants_count(stage: Stage) -> int:
    if not stage.knock_out:
        return 0  # only a bracket depends on it
    return Participant.objects.filter(stage=stage).count()


def acting_role_at(club_id: int, table_game: TableGame | None, account_id: int | None) -> str:
    """Return the role, as the log notes it, in which an account decides about a game of a club: at
    the event of its table, which is loaded with `table_game`, or in the club. One query at most."""
    if table_game is None:
        return acting_role(club_id, account_id)
    return event_acting_role(table_game.table.stage_round.stage.event, account_id)


def disputed_results(event: Event) -> QuerySet[TableScore]:
    """Return the results of an event's tables that are provisional. Results of rounds that were
    taken back don't count."""
    rounds = StageRound.objects.filter(stage__event=event, status__in=DRAWN)
    return TableScore.objects.filter(is_provisional("game"), table__stage_round__in=rounds)
