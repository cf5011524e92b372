"""Taking games into a season: the checks of a record, and the one way in for uploads, tables and
corrections."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, Final, NamedTuple

from django.urls import reverse

from engine.illegal import Illegal, Refused
from engine.messages import say
from engine.record.check import check
from engine.record.record import Record, read
from engine.record.verdict import Verdict
from engine.record.verify import verify
from engine.scoring.finished_game import finished_game
from engine.scoring.points import Scoring
from games.domain.game import committed_seats
from games.models import Game
from games.queries.void import voided_games
from games.services.game import Conflict, GameRows, SealedGame, game_rows, games_append, games_known
from league.core.jobs import call_on_commit
from league.core.locks import Space, transaction_lock_shared
from league.core.log.actions import Action
from league.core.log.services import Journal
from league.core.player.models import Player
from league.core.player.services.player import SeatPlayers, player_rows, players_append
from league.standings.ranked_game.actions import GameAction
from league.standings.season.models import Season, SeasonGame
from league.standings.season.queries.season import rankings_of

FEW: Final = 20
"""Up to this number of games of one transaction are counted before all imports; more of them wait
for their club's turn."""


def read_for(
    season: Season, line: bytes, *, places_alone: bool = False
) -> tuple[Record | None, Verdict, Illegal | None]:
    """Return the record of a line (None if it can't be read), the verdict on it, and why this
    season can't take it (None if it can). With `places_alone`, a game without points is accepted;
    the season's table leaves it out."""
    record = read(line)
    if isinstance(record, Illegal):
        return None, Verdict(None), record
    verdict = check(record)
    fault = verdict.error or broken_proof(record) or unfit_for(season, record)
    if fault is None and not places_alone:
        fault = uncountable(season, record, verdict)
    return record, verdict, fault


def record_read(
    season: Season, line: bytes, *, places_alone: bool = False
) -> tuple[Record, Verdict]:
    """Return the record of a line, and the verdict on it. Raise `Refused` if it has a fault, or
    this season can't take it."""
    record, verdict, fault = read_for(season, line, places_alone=places_alone)
    if record is None or fault is not None:
        raise Refused(fault or Illegal("bad_record", say("this isn't a record")))
    return record, verdict


def broken_proof(record: Record) -> Illegal | None:
    """Return what is wrong with the digests or the proof in a record; None if they are right, or
    the record has none.

    The seal isn't checked: it covers the bytes of one line, and programs that pass a record on may
    write the line differently."""
    if record.digests is None and record.proof is None:
        return None
    return verify(record).error


def unfit_for(season: Season, record: Record) -> Illegal | None:
    """Return why a game without a fault can't belong to the season; None if it can."""
    if record.season and record.season != season.slug:
        return Illegal(
            "other_season",
            say(
                "the record belongs to season {season}, not {wanted}",
                season=record.season,
                wanted=season.slug,
            ),
            path="season",
        )
    if record.game != season.kind:
        return Illegal(
            "other_game",
            say("the season's game is {wanted}, not {game}", wanted=season.kind, game=record.game),
            path="game",
        )
    rules = asdict(record.rules)
    for key, agreed in season.rules.items():
        if rules.get(key) != agreed:
            return Illegal(
                "other_rules",
                say(
                    "the season plays {key} {agreed!r}, not {given!r}",
                    key=key,
                    agreed=agreed,
                    given=rules.get(key),
                ),
                path=f"rules.{key}",
            )
    return None


def uncountable(season: Season, record: Record, verdict: Verdict) -> Illegal | None:
    """Return why the season's table can't count a fitting game, None if it can. It can't if only
    the end of the game is known, and not the points by the season's scoring."""
    if record.outcome is None:
        return None
    finished = finished_game(record, verdict, Scoring(season.ranking.scoring))
    if isinstance(finished, Illegal):
        return finished
    return None


class Taken(NamedTuple):
    """The game that a record became, or was before; `new_players` are the handles that were new."""

    game: Game
    created: bool
    new_players: tuple[str, ...] = ()


def games_entered(records: Sequence[Record], source: str) -> list[Taken | Refused | None]:
    """Return for each record the game from this source with the same content; None if no game has
    the record's id. Return `Refused` if that game is void, and `Conflict` if its content differs."""
    games = games_known(records, source)
    pairs = list(zip(records, games, strict=True))
    ids = {record.record_id for record, game in pairs if game is not None}
    voids = voided_games(source, ids) if ids else {}
    return [_entered(game, voids.get(record.record_id)) for record, game in pairs]


def _entered(game: SealedGame | Conflict | None, void: Game | None) -> Taken | Refused | None:
    """Return the result for a record whose id this game has; None if no game has it. `void`: the
    voided game with this id, if there is one."""
    if void is not None:
        message = say(
            "{id} was voided; it counts again once it's restored: {address}",
            id=void.external_id,
            address=reverse("game", args=[void.public_id]),
        )
        return Refused(Illegal("voided", message, path="id"))
    if isinstance(game, SealedGame):
        return Taken(game.game, created=False)
    return game


def newcomers_of(record: Record, seating: SeatPlayers) -> tuple[str, ...]:
    """Return the handles of a new game that become new players. Raise `Refused` if `seating` can't
    seat all of them, or the record says that its game is voided."""
    if record.voided is not None:
        message = say("the record says its game is void, so it isn't entered")
        raise Refused(Illegal("voided", message, path="voided"))
    return seating.newcomers(record.seats)


def record_take(
    journal: Journal,
    season: Season,
    record: Record,
    verdict: Verdict,
    *,
    seating: SeatPlayers,
    details: Callable[[], Mapping[str, Any]] = dict,
) -> Taken:
    """Seal one checked game and take it into the season. Raise `Refused`.

    `seating`: the players of its handles, looked up under the lock of the club's players.
    `details`: returns more members for the log entry of a new game."""
    (taken,) = _records_seal(journal, season, [(record, verdict)], seating, details)
    if isinstance(taken, Exception):
        raise taken
    return taken


def records_take(
    journal: Journal,
    season: Season,
    games: Sequence[tuple[Record, Verdict]],
    *,
    create_players: bool,
) -> list[Taken | Refused]:
    """Seal checked games and take them into the season, in the journal's transaction: in order,
    each as if the earlier ones were in already. Return a result for each.

    A repeated or refused game changes nothing. The club is locked only while rows are written: a
    handful of statements for any number of games."""
    results = games_entered([record for record, _ in games], season.club.source)
    unsealed = [game for game, result in zip(games, results, strict=True) if result is None]
    if not unsealed:
        return [result for result in results if result is not None]
    seating = SeatPlayers(season.club_id, create=create_players)
    new_results = iter(_records_seal(journal, season, unsealed, seating))
    return [result or next(new_results) for result in results]


def _records_seal(
    journal: Journal,
    season: Season,
    games: Sequence[tuple[Record, Verdict]],
    seating: SeatPlayers,
    details: Callable[[], Mapping[str, Any]] = dict,
) -> list[Taken | Refused]:
    """Lock the club's log and seal the games; another transaction may have sealed some of them
    meanwhile."""
    source = season.club.source
    rows = [
        game_rows(
            record=record,
            verdict=verdict,
            source=source,
            entered_at=journal.at,
            entered_by_id=journal.actor.account_id,
        )
        for record, verdict in games
    ]
    records = [record for record, _ in games]
    sealing_hold(journal)
    entered = games_entered(records, source)
    seating.look_up(handle for record in records for handle in record.seats)
    intake = Intake(journal, season, seating, details)
    results = []
    for record, row, result in zip(records, rows, entered, strict=True):
        results.append(result or intake.result_of(record, row))
    intake.write()
    return results


@dataclass(slots=True)
class Intake:
    """New games of one transaction: each is judged in turn, then all are stored together."""

    journal: Journal
    season: Season
    seating: SeatPlayers
    details: Callable[[], Mapping[str, Any]]
    games: dict[str, GameRows] = field(default_factory=dict)
    players: list[Player] = field(default_factory=list)

    def result_of(self, record: Record, rows: GameRows) -> Taken | Refused:
        """Return the result of a record that was new when the transaction began, and log a new
        game."""
        earlier = self.games.get(record.record_id)
        if earlier is not None:
            game = earlier.revision.game
            if earlier.revision.is_of(record):
                return Taken(game, created=False)
            return Conflict(record.record_id, game)
        try:
            newcomers = newcomers_of(record, self.seating)
        except Refused as refused:
            return refused
        self.games[record.record_id] = rows
        self.players += player_rows(self.journal, newcomers)
        payload = {"head": rows.revision.head.hex(), **committed_seats(record), **self.details()}
        _log(self.journal, self.season, rows.revision.game, GameAction.SEALED, payload)
        return Taken(rows.revision.game, created=True, new_players=newcomers)

    def write(self) -> None:
        """Store the new players and games, and call the jobs that count them."""
        if self.players:
            players_append(self.journal, self.players)
        if self.games:
            games_append(list(self.games.values()))
            _season_games_append(self.season, [rows.revision.game for rows in self.games.values()])


def sealing_hold(journal: Journal) -> None:
    """Lock the club's log and players until the transaction ends.

    Everybody who seals games takes these locks first, so that importers of overlapping files don't
    deadlock."""
    transaction_lock_shared(Space.PLAYERS, journal.club_id)
    journal.lock()


def season_game_add(
    journal: Journal, season: Season, game: Game, action: Action, payload: dict[str, Any]
) -> None:
    """Take a sealed game into a season, log it, and call the jobs that count it."""
    _log(journal, season, game, action, payload)
    _season_games_append(season, [game])


def _log(
    journal: Journal, season: Season, game: Game, action: Action, payload: dict[str, Any]
) -> None:
    journal.add(action, game.public_id, {"season": season.public_id, **payload})


def _season_games_append(season: Season, games: Sequence[Game]) -> None:
    SeasonGame.objects.bulk_create(SeasonGame(season=season, game=game) for game in games)
    job = "count_ranking" if len(games) <= FEW else "count_backlog"
    for ranking_id in rankings_of(season):
        call_on_commit(f"standings.ranking.tasks.{job}", ranking_id)
