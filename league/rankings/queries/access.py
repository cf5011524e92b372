"""The loaders: views get rankings, seasons, players and games only from here, and only what the viewer may see.

What may not be seen is answered as if it didn't exist.
"""

from __future__ import annotations

from django.db.models import Exists, OuterRef, Q, QuerySet

from games.models import Game
from league.clubs.models import Club, Player
from league.clubs.queries.access import Viewer
from league.rankings.models import AllTime, Appearance, Season, Visibility
from league.rankings.queries.board import Board, owners


def visible_seasons(viewer: Viewer) -> QuerySet[Season]:
    """Seasons that the viewer may see: public ones, those whose link was followed, those of the own clubs."""
    user = viewer.user
    if user.is_authenticated and user.is_superuser:
        return Season.objects.all()
    seen = Q(visibility=Visibility.PUBLIC)
    if viewer.keys:
        seen |= Q(visibility=Visibility.LINK, link_token__in=viewer.keys)
    if user.is_authenticated:
        seen |= Q(club__in=Club.objects.filter(memberships__user=user))
    return Season.objects.filter(seen)


def season_for(viewer: Viewer, club_slug: str, slug: str) -> Season:
    """A season with its club and ranking, in one query. Raises `Season.DoesNotExist`."""
    return visible_seasons(viewer).select_related("club", "ranking").get(club__slug=club_slug, slug=slug)


def season_for_organiser(viewer: Viewer, club_slug: str, slug: str) -> Season:
    """A season with its club and ranking, for organisers of the club. Raises `Season.DoesNotExist`."""
    season = season_for(viewer, club_slug, slug)
    if not viewer.user.has_perm("league.manage_club", season.club):
        raise Season.DoesNotExist
    return season


def board_for(viewer: Viewer, club_slug: str, slug: str) -> Board:
    """A club's ranking with whose it is: that of a season, by its slug, or the one over all public seasons.

    One query, and one more while jobs work on it. Raises `ObjectDoesNotExist`.
    """
    if slug == AllTime.SLUG:
        return Board.of(owners(AllTime.objects.all()).get(club__slug=club_slug))
    return Board.of(owners(visible_seasons(viewer)).get(club__slug=club_slug, slug=slug))


def board_of(game: Game) -> Board:
    """The board of the season of a game that comes from `game_for`; queries as for `board_for`."""
    return Board.of(owners(Season.objects.all()).get(pk=game.season_game.season_id))


def board_for_arbiter(viewer: Viewer, club_slug: str, slug: str) -> Board:
    """A ranking with whose it is, for the arbiters and organisers of its club. Raises `ObjectDoesNotExist`."""
    board = board_for(viewer, club_slug, slug)
    if not viewer.user.has_perm("league.compare_styles", board.club):
        raise Season.DoesNotExist
    return board


def player_for(viewer: Viewer, player: str) -> Player:
    """A player by the public id, with the club, if a season the viewer may see knows the player, or the one whom this
    player was merged into (`merged_into`). Raises `Player.DoesNotExist`.
    """
    known = Appearance.objects.filter(
        Q(player=OuterRef("pk")) | Q(player=OuterRef("merged_into")), ranking__season__in=visible_seasons(viewer)
    )
    return Player.objects.select_related("club", "merged_into").filter(Exists(known)).get(public_id=player)


def game_for(viewer: Viewer, game: str) -> Game:
    """A game by the public id, with its season, club and ranking (`game.season_game.season`), who entered it, and the
    revision that it replaces. Raises `Game.DoesNotExist`."""
    season = "season_game__season"
    known = Game.objects.select_related(f"{season}__club", f"{season}__ranking", "entered_by", "replaces")
    return known.get(public_id=game, season_game__season__in=visible_seasons(viewer))
