"""Rulings, and whether a game waits for one."""

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
    """What waits for a ruling on a game: objections that have no end, a hearing, an appeal."""

    objections: list[Objection]
    hearing: Hearing | None
    appeal: Appeal | None

    @property
    def standard(self) -> Ruling.Standard:
        """The standard of proof: a hearing to which no objection led was opened too late for the
        lower one."""
        if self.appeal is not None:
            return Ruling.Standard(self.appeal.ruling.standard)
        return Ruling.Standard.LIKELY if self.objections else Ruling.Standard.CERTAIN


def open_dispute(game: Game) -> OpenDispute | None:
    """Read what waits for a ruling on the revision of a game that counts; None: nothing. Three
    queries."""
    dispute = OpenDispute(
        list(Objection.objects.filter(game=game, end=None)),
        hearing_of(game),
        appeal_of(game),
    )
    return dispute if any(dispute) else None


def rulings_of(game: Game) -> QuerySet[Ruling]:
    """Return the rulings on any revision of a game, the first one first."""
    return Ruling.objects.filter(
        game__source=game.source, game__external_id=game.external_id
    ).order_by("number")


def is_ruled_by_arbiter(game: Game) -> bool:
    """Return True if only a ruling may change a game: one waits, or an arbiter has ruled on it
    before. One query."""
    rulings = Ruling.objects.filter(
        game__source=OuterRef("source"), game__external_id=OuterRef("external_id")
    )
    return Game.objects.filter(Exists(rulings) | Q(is_provisional()), pk=game.pk).exists()


def rulings_seen(viewer: Viewer, club: Club) -> QuerySet[Ruling]:
    """Return the rulings of a club on games that the viewer may see, the newest first, with the
    games."""
    rulings = Ruling.objects.filter(
        club=club, game__in=visible_games(viewer).order_by().values("pk")
    )
    return rulings.select_related("game", "outcome", "appeal", "decides__appeal__ruling").order_by(
        "-number"
    )


def ruling_for(viewer: Viewer, ruling: str) -> Ruling:
    """Return a ruling by its public id, with the club, and with the game and its outcome that the
    viewer may see. Raises `ObjectDoesNotExist`."""
    rulings = Ruling.objects.select_related(
        "club", "ruled_by", "seconded_by", "appeal__end", "decides__appeal__ruling"
    )
    row = rulings.select_related("outcome").get(public_id=ruling)
    row.game = game_for(
        viewer, Game.objects.values_list("public_id", flat=True).get(pk=row.game_id)
    )
    row.outcome.season_game = row.game.season_game
    return row


class ChangeInNames(NamedTuple):
    """A row of a ranking that a ruling changed: of the season's or the one of all time, whose it is
    now, and the ranks and points before and after; None where there was no row."""

    is_season: bool
    player: Player | None
    rank_before: int | None
    rank_after: int | None
    points_before: int | None
    points_after: int | None


def changes_in_names(ruling: Ruling) -> list[ChangeInNames]:
    """Read the rows that a ruling changed, with the players as they are called now. One query."""
    public_ids = [row["player"] for row in ruling.changed if row["player"]]
    players = {
        player.public_id: player for player in Player.objects.filter(public_id__in=public_ids)
    }
    return [
        ChangeInNames(
            row["ranking"] == "season", players.get(row["player"]), *row["rank"], *row["points"]
        )
        for row in ruling.changed
    ]
