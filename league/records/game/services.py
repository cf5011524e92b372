"""Taking games into a season: what a record has to fulfil, and the one way in for uploads, tables
and corrections."""

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
"""Games of one transaction that are counted before all imports: more of them wait for their club's
turn."""


def read_for(
    season: Season, line: bytes, *, places_alone: bool = False
) -> tuple[Record | None, Verdict, Illegal | None]:
    """The record of a line and the verdict on it, and what is wrong with it for this season; no
    record where the line can't be read. With `places_alone` a game is taken that tells no points,
    and that the season's table leaves out."""
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
    """A record that `read_for` finds no fault in, with the verdict on it. Raises `Refused` with its
    fault."""
    record, verdict, fault = read_for(season, line, places_alone=places_alone)
    if record is None or fault is not None:
        raise Refused(fault or Illegal("bad_record", say("this is no record")))
    return record, verdict


def broken_proof(record: Record) -> Illegal | None:
    """Return what is false of the digests or the proof that a record brings; it may leave them out.

    Its seal is of the bytes of one line, and programs that pass a record on write it anew: only
    `verify` asks for it."""
    return None if record.digests is None and record.proof is None else verify(record).error


def unfit_for(season: Season, record: Record) -> Illegal | None:
    """Tell why a game that breaks no rule can't belong to the season."""
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
    """Tell why the season's table can't count a game that fits: only its end is known, and not its
    points by the scoring."""
    if record.outcome is None:
        return None
    outcome = finished_game(record, verdict, Scoring(season.ranking.scoring))
    return outcome if isinstance(outcome, Illegal) else None


class Taken(NamedTuple):
    """A game that a record became, or was before; `new_players` are the handles that nobody had."""

    game: Game
    created: bool
    new_players: tuple[str, ...] = ()


def games_entered(records: Sequence[Record], source: str) -> list[Taken | Refused | None]:
    """For each record the game from this source that has its content; None for a new one, of which
    nothing more is asked. `Refused` for a game that is void, and as a `Conflict` for other content
    under a known id."""
    games = games_known(records, source)
    ids = {
        record.record_id for record, game in zip(records, games, strict=True) if game is not None
    }
    voids = voided_games(source, ids) if ids else {}
    return [
        _entered(game, voids.get(record.record_id))
        for record, game in zip(records, games, strict=True)
    ]


def _entered(game: SealedGame | Conflict | None, void: Game | None) -> Taken | Refused | None:
    if void is not None:
        return Refused(
            Illegal(
                "voided",
                say(
                    "{id} was voided, and counts once it is restored: {address}",
                    id=void.external_id,
                    address=reverse("game", args=[void.public_id]),
                ),
                path="id",
            )
        )
    return Taken(game.game, created=False) if isinstance(game, SealedGame) else game


def newcomers_of(record: Record, seating: SeatPlayers) -> tuple[str, ...]:
    """The handles of a new game that nobody has. Raises `Refused` as `SeatPlayers.newcomers` does,
    and for a record that says that its game is void, which was never entered."""
    if record.voided is not None:
        raise Refused(
            Illegal(
                "voided",
                say("the record says that its game is voided, so it isn't entered"),
                path="voided",
            )
        )
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
    """Take one game into the season, as `records_take` does many. Raises `Refused`.

    `seating`: those whom its handles find, looked up under the lock of the club's players. The log
    says more of a new game by `details`."""
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
    """Seal games that break no rule and fit the season, and take them into the season, in the
    journal's transaction: in order, each as if those before it were in already.

    The same game again changes nothing, and neither does one that is refused. The club is held only
    while something is written, which is a handful of statements, however many games there are."""
    ends = games_entered([record for record, _ in games], season.club.source)
    unsealed = [game for game, end in zip(games, ends, strict=True) if end is None]
    seating = SeatPlayers(season.club_id, create=create_players)
    ends_of_new = iter(_records_seal(journal, season, unsealed, seating) if unsealed else ())
    return [end or next(ends_of_new) for end in ends]


def _records_seal(
    journal: Journal,
    season: Season,
    games: Sequence[tuple[Record, Verdict]],
    seating: SeatPlayers,
    details: Callable[[], Mapping[str, Any]] = dict,
) -> list[Taken | Refused]:
    """Seal those of these games that aren't there, alone with the club's log."""
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
    ends = [
        end or intake.end_of(record, row)
        for record, row, end in zip(records, rows, entered, strict=True)
    ]
    intake.write()
    return ends


@dataclass(slots=True)
class Intake:
    """New games of one transaction: what becomes of each, one after the other, and then all of them
    at once as rows."""

    journal: Journal
    season: Season
    seating: SeatPlayers
    details: Callable[[], Mapping[str, Any]]
    games: dict[str, GameRows] = field(default_factory=dict)
    players: list[Player] = field(default_factory=list)

    def end_of(self, record: Record, rows: GameRows) -> Taken | Refused:
        """The end of a record that wasn't there when the transaction began; a new game is noted in
        the journal."""
        earlier = self.games.get(record.record_id)
        if earlier is not None:
            game = earlier.revision.game
            return (
                Taken(game, created=False)
                if earlier.revision.is_of(record)
                else Conflict(record.record_id, game)
            )
        try:
            newcomers = newcomers_of(record, self.seating)
        except Refused as refused:
            return refused
        self.games[record.record_id] = rows
        self.players += player_rows(self.journal, newcomers)
        payload = {"head": rows.revision.head.hex(), **committed_seats(record), **self.details()}
        _note(self.journal, self.season, rows.revision.game, GameAction.SEALED, payload)
        return Taken(rows.revision.game, created=True, new_players=newcomers)

    def write(self) -> None:
        """Store the new players and games, and call those who count them."""
        if self.players:
            players_append(self.journal, self.players)
        if self.games:
            games_append(list(self.games.values()))
            _season_games_append(self.season, [rows.revision.game for rows in self.games.values()])


def sealing_hold(journal: Journal) -> None:
    """Let the others of the club, and who would merge or erase its players, wait until the
    transaction ends.

    Whoever seals games holds this first, so that importers who meet from both ends of a file don't
    block each other."""
    transaction_lock_shared(Space.PLAYERS, journal.club_id)
    journal.lock()


def season_game_add(
    journal: Journal, season: Season, game: Game, action: Action, payload: dict[str, Any]
) -> None:
    """Take a sealed game into a season, note it, and call those who count it."""
    _note(journal, season, game, action, payload)
    _season_games_append(season, [game])


def _note(
    journal: Journal, season: Season, game: Game, action: Action, payload: dict[str, Any]
) -> None:
    journal.add(action, game.public_id, {"season": season.public_id, **payload})


def _season_games_append(season: Season, games: Sequence[Game]) -> None:
    SeasonGame.objects.bulk_create(SeasonGame(season=season, game=game) for game in games)
    job = "count_ranking" if len(games) <= FEW else "count_backlog"
    for ranking_id in rankings_of(season):
        call_on_commit(f"standings.ranking.tasks.{job}", ranking_id)
