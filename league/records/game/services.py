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
    """Return the record of a line, the verdict on it, and its fault for this season; no record if
    the line can't be read. With `places_alone`, a game without points is accepted, which the
    season's table leaves out."""
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
    """Return a record without a fault for this season, and the verdict on it. Raise `Refused` with
    its fault."""
    record, verdict, fault = read_for(season, line, places_alone=places_alone)
    if record is None or fault is not None:
        raise Refused(fault or Illegal("bad_record", say("this isn't a record")))
    return record, verdict


def broken_proof(record: Record) -> Illegal | None:
    """Return what is wrong with the digests or the proof in a record; it may leave them out.

    The seal isn't checked: it covers the bytes of one line, and programs that pass a record on may
    write it differently."""
    if record.digests is None and record.proof is None:
        return None
    return verify(record).error


def unfit_for(season: Season, record: Record) -> Illegal | None:
    """Return why a game without a fault can't belong to the season."""
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
    """Return why the season's table can't count a fitting game: only its end is known, and not its
    points by the scoring."""
    if record.outcome is None:
        return None
    outcome = finished_game(record, verdict, Scoring(season.ranking.scoring))
    if isinstance(outcome, Illegal):
        return outcome
    return None


class Taken(NamedTuple):
    """The game that a record became, or was before; `new_players` are the handles that were new."""

    game: Game
    created: bool
    new_players: tuple[str, ...] = ()


def games_entered(records: Sequence[Record], source: str) -> list[Taken | Refused | None]:
    """Return for each record the game from this source with the same content; None for a new one,
    without further checks. `Refused` for a void game, and as a `Conflict` for other content under a
    known id."""
    games = games_known(records, source)
    pairs = list(zip(records, games, strict=True))
    ids = {record.record_id for record, game in pairs if game is not None}
    voids = voided_games(source, ids) if ids else {}
    return [_entered(game, voids.get(record.record_id)) for record, game in pairs]


def _entered(game: SealedGame | Conflict | None, void: Game | None) -> Taken | Refused | None:
    if void is not None:
        message = say(
            "{id} was voided, and counts once it is restored: {address}",
            id=void.external_id,
            address=reverse("game", args=[void.public_id]),
        )
        return Refused(Illegal("voided", message, path="id"))
    if isinstance(game, SealedGame):
        return Taken(game.game, created=False)
    return game


def newcomers_of(record: Record, seating: SeatPlayers) -> tuple[str, ...]:
    """Return the new handles of a new game. Raise `Refused` as `SeatPlayers.newcomers` does, and
    for a record of a voided game that was never entered."""
    if record.voided is not None:
        message = say("the record says that its game is voided, so it isn't entered")
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
    """Take one game into the season, as `records_take` takes many. Raise `Refused`.

    `seating`: the players of its handles, looked up under the lock of the club's players.
    `details`: more members for the log entry of a new game."""
    (end,) = _records_seal(journal, season, [(record, verdict)], seating, details)
    if isinstance(end, Exception):
        raise end
    return end


def records_take(
    journal: Journal,
    season: Season,
    games: Sequence[tuple[Record, Verdict]],
    *,
    create_players: bool,
) -> list[Taken | Refused]:
    """Seal checked games and take them into the season, in the journal's transaction: in order,
    each as if the earlier ones were in already.

    A repeated or refused game changes nothing. The club is locked only while rows are written: a
    handful of statements for any number of games."""
    ends = games_entered([record for record, _ in games], season.club.source)
    unsealed = [game for game, end in zip(games, ends, strict=True) if end is None]
    if not unsealed:
        return [end for end in ends if end is not None]
    seating = SeatPlayers(season.club_id, create=create_players)
    ends_of_new = iter(_records_seal(journal, season, unsealed, seating))
    return [end or next(ends_of_new) for end in ends]


def _records_seal(
    journal: Journal,
    season: Season,
    games: Sequence[tuple[Record, Verdict]],
    seating: SeatPlayers,
    details: Callable[[], Mapping[str, Any]] = dict,
) -> list[Taken | Refused]:
    """Seal the games that are still new under the lock of the club's log."""
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
    ends = []
    for record, row, end in zip(records, rows, entered, strict=True):
        ends.append(end or intake.end_of(record, row))
    intake.write()
    return ends


@dataclass(slots=True)
class Intake:
    """New games of one transaction: each is judged in turn, then all are stored together."""

    journal: Journal
    season: Season
    seating: SeatPlayers
    details: Callable[[], Mapping[str, Any]]
    games: dict[str, GameRows] = field(default_factory=dict)
    players: list[Player] = field(default_factory=list)

    def end_of(self, record: Record, rows: GameRows) -> Taken | Refused:
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
