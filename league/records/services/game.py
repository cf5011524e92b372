"""Taking games into a season: what a record has to fulfil, and the one way in for uploads, tables and corrections."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import asdict
from typing import Any, NamedTuple

from django.urls import reverse

from engine.illegal import Illegal
from engine.messages import say
from engine.record.check import check
from engine.record.record import Record, read
from engine.record.verdict import Verdict
from engine.record.verify import verify
from engine.scoring.finished_game import finished_game
from engine.scoring.points import Scoring
from games.domain.game import committed_seats
from games.models import Game
from games.queries.void import voided_game
from games.services.game import Conflict, SealedGame, game_known, game_seal
from league.clubs.services.player import players_at_table
from league.jobs import call_on_commit
from league.locks import Space, transaction_lock_shared
from league.log.actions import Action
from league.log.services import Journal
from league.rankings.actions import GameAction
from league.seasons.models import Season, SeasonGame
from league.seasons.queries.ranking import rankings_of


def read_for(
    season: Season, line: bytes, *, places_alone: bool = False
) -> tuple[Record | None, Verdict, Illegal | None]:
    """The record of a line and the verdict on it, and what is wrong with it for this season; no record where the line
    can't be read. With `places_alone` a game is taken that tells no points, and that the season's table leaves out."""
    record = read(line)
    if isinstance(record, Illegal):
        return None, Verdict(None), record
    verdict = check(record)
    fault = verdict.error or broken_proof(record) or unfit_for(season, record)
    if fault is None and not places_alone:
        fault = uncountable(season, record, verdict)
    return record, verdict, fault


def broken_proof(record: Record) -> Illegal | None:
    """Return what is false of the digests or the proof that a record brings; it may leave them out.

    Its seal is of the bytes of one line, and programs that pass a record on write it anew: only `verify` asks for it.
    """
    if record.digests is None and record.proof is None:
        return None
    return verify(record).error


def unfit_for(season: Season, record: Record) -> Illegal | None:
    """Tell why a game that breaks no rule can't belong to the season."""
    if record.season and record.season != season.slug:
        message = say("the record belongs to season {season}, not {wanted}", season=record.season, wanted=season.slug)
        return Illegal("other_season", message, path="season")
    if record.game != season.kind:
        message = say("the season's game is {wanted}, not {game}", wanted=season.kind, game=record.game)
        return Illegal("other_game", message, path="game")
    rules = asdict(record.rules)
    for key, agreed in season.rules.items():
        if rules.get(key) != agreed:
            message = say(
                "the season plays {key} {agreed!r}, not {given!r}", key=key, agreed=agreed, given=rules.get(key)
            )
            return Illegal("other_rules", message, path=f"rules.{key}")
    return None


def uncountable(season: Season, record: Record, verdict: Verdict) -> Illegal | None:
    """Tell why the season's table can't count a game that fits: only its end is known, and not its points by the
    scoring."""
    if record.outcome is None:
        return None
    outcome = finished_game(record, verdict, Scoring(season.ranking.scoring))
    return outcome if isinstance(outcome, Illegal) else None


def conflict_error(record: Record) -> Illegal:
    """Return what to say of a record whose id is known with other content."""
    return Illegal(
        "conflict",
        say(
            "{id} was recorded before, with other content; a correction has to name the game it replaces",
            id=record.record_id,
        ),
    )


class Voided(Exception):
    """The record is that of a voided game, so it isn't entered; `illegal` says so, and where the game is."""

    def __init__(self, illegal: Illegal) -> None:
        super().__init__(illegal.message)
        self.illegal = illegal


def game_entered(record: Record, source: str) -> SealedGame | None:
    """The game from this source that has a record's content; None for a new one, of which nothing more is asked.

    Raises `Conflict` for other content under a known id, and `Voided` (`voided`) for a game that is void, or for a
    record that says so of a game which was never entered.
    """
    try:
        sealed = game_known(record=record, source=source)
    except Conflict:
        _refuse_voided(record, source)
        raise
    if sealed is not None:
        _refuse_voided(record, source)
    elif record.voided is not None:
        message = say("the record says that its game is voided, so it isn't entered")
        raise Voided(Illegal("voided", message, path="voided"))
    return sealed


def _refuse_voided(record: Record, source: str) -> None:
    game = voided_game(source, record.record_id)
    if game is not None:
        message = say(
            "{id} was voided, and counts once it is restored: {address}",
            id=record.record_id,
            address=reverse("game", args=[game.public_id]),
        )
        raise Voided(Illegal("voided", message, path="id"))


class Taken(NamedTuple):
    """A game that a record became, or was before; `new_players` are the handles that nobody had."""

    game: Game
    created: bool
    new_players: tuple[str, ...] = ()


def record_take(
    journal: Journal,
    season: Season,
    record: Record,
    verdict: Verdict,
    *,
    create_players: bool,
    details: Callable[[], Mapping[str, Any]] = dict,
) -> Taken:
    """Seal a game that breaks no rule and fits the season, and take it into the season, in the journal's transaction.
    The log says more of a new one by `details`.

    Raises `Conflict`, `Voided` and `NoTable`; the same game again changes nothing.
    """
    source = season.club.source
    sealed = game_entered(record, source)
    if sealed is None:
        sealing_hold(journal)
        sealed = game_seal(
            record=record,
            verdict=verdict,
            source=source,
            entered_at=journal.at,
            entered_by_id=journal.actor.account_id,
        )
    if not sealed.created:
        return Taken(sealed.game, created=False)
    newcomers = players_at_table(journal, record.seats, create=create_players)
    payload = {"head": sealed.head.hex(), **committed_seats(record), **details()}
    season_game_add(journal, season, sealed.game, GameAction.SEALED, payload)
    return Taken(sealed.game, created=True, new_players=newcomers)


def sealing_hold(journal: Journal) -> None:
    """Let the others of the club, and who would merge or erase its players, wait until the transaction ends.

    Whoever seals games holds this first, so that importers who meet from both ends of a file don't block each other.
    """
    transaction_lock_shared(Space.PLAYERS, journal.club_id)
    journal.lock()


def season_game_add(journal: Journal, season: Season, game: Game, action: Action, payload: dict[str, Any]) -> None:
    """Take a sealed game into a season, note it, and call those who count it."""
    SeasonGame.objects.create(season=season, game=game)
    journal.add(action, game.public_id, {"season": season.public_id, **payload})
    for ranking_id in rankings_of(season):
        call_on_commit("rankings.tasks.count_ranking", ranking_id)
