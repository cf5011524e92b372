"""Rulings, and the disputes that wait for one."""

from __future__ import annotations

from typing import NamedTuple

from django.db.models import Exists, OuterRef, Q, QuerySet

from games.models import Game
from league.core.club.models import Club
from league.core.player.models import Player
from league.core.viewer.queries.access import Viewer
from league.disputes.appeal.models import Appeal
from league.disputes.appeal.queries import appeal_of
from league.disputes.hearing.models import Hearing
from league.disputes.hearing.queries import hearing_of
from league.disputes.objection.models import Objection
from league.disputes.ruling.models import Ruling
from league.standings.ranked_game.queries.provisional import is_provisional
from league.standings.season.queries.access import game_for, visible_games


class OpenDispute(NamedTuple):
    """The open objections, hearing and appeal about a game, which a ruling ends."""

    objections: list[Objection]
    hearing: Hearing | None
    appeal: Appeal | None

    @property
    def standard(self) -> Ruling.Standard:
        """Return the standard of proof. An appeal keeps the standard of its ruling. A hearing
        without an objection needs certainty: it can begin long after the game."""
        if self.appeal is not None:
            return Ruling.Standard(self.appeal.ruling.standard)
        if self.objections:
            return Ruling.Standard.LIKELY
        return Ruling.Standard.CERTAIN


def open_dispute(game: Game) -> OpenDispute | None:
    """Return the dispute about the newest revision of a game that waits for a ruling; None if there
    is none. Three queries."""
    dispute = OpenDispute(
        objections=list(Objection.objects.filter(game=game, end=None)),
        hearing=hearing_of(game),
        appeal=appeal_of(game),
    )
    return dispute if any(dispute) else None


def rulings_of(game: Game) -> QuerySet[Ruling]:
    """Return the rulings on all revisions of a game, in their order."""
    return Ruling.objects.filter(
        game__source=game.source, game__external_id=game.external_id
    ).order_by("number")


def is_ruled_by_arbiter(game: Game) -> bool:
    """Return True if only a ruling may change a game: a dispute about it is open, or an arbiter has
    ruled on it before. One query."""
    rulings = Ruling.objects.filter(
        game__source=OuterRef("source"), game__external_id=OuterRef("external_id")
    )
    return Game.objects.filter(Exists(rulings) | Q(is_provisional()), pk=game.pk).exists()


def rulings_seen(viewer: Viewer, club: Club) -> QuerySet[Ruling]:
    """Return the rulings of a club on games that the viewer may see, with the games, the newest
    first."""
    visible = visible_games(viewer).order_by().values("pk")
    rulings = Ruling.objects.filter(club=club, game__in=visible)
    with_games = rulings.select_related("game", "outcome", "appeal", "decides__appeal__ruling")
    return with_games.order_by("-number")


def ruling_for(viewer: Viewer, ruling: str) -> Ruling:
    """Return a ruling by its public id, with club, game and outcome, for those who may see the
    game. Raise `ObjectDoesNotExist` otherwise."""
    rulings = Ruling.objects.select_related(
        "club", "ruled_by", "seconded_by", "appeal__end", "decides__appeal__ruling"
    )
    row = rulings.select_related("outcome").get(public_id=ruling)
    game = Game.objects.values_list("public_id", flat=True).get(pk=row.game_id)
    row.game = game_for(viewer, game)
    row.outcome.season_game = row.game.season_game
    return row


class ChangeInNames(NamedTuple):
    """A player's row in a ranking that a ruling changed. `is_season`: True for the season's
    ranking, False for the all-time ranking. `player`: None if the player was new. Ranks and points
    are None if there was no row."""

    is_season: bool
    player: Player | None
    rank_before: int | None
    rank_after: int | None
    points_before: int | None
    points_after: int | None


def changes_in_names(ruling: Ruling) -> list[ChangeInNames]:
    """Return the rows that a ruling changed, with today's names. One query."""
    public_ids = [row["player"] for row in ruling.changed if row["player"]]
    players = {
        player.public_id: player for player in Player.objects.filter(public_id__in=public_ids)
    }
    changes = []
    for row in ruling.changed:
        is_season = row["ranking"] == "season"
        player = players.get(row["player"])
        changes.append(ChangeInNames(is_season, player, *row["rank"], *row["points"]))
    return changes
