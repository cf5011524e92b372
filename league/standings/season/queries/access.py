"""The loaders: views get rankings, seasons, players and games only from here, and only those that
the viewer may see. Everything else is answered as if it didn't exist."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any, Final, NamedTuple

from django.db.models import Exists, OuterRef, Q, QuerySet

from games.models import Game, Void
from league.core.hooks import Hook
from league.core.member.models.member import Membership
from league.core.player.models import Player
from league.core.viewer.permissions import Account
from league.core.viewer.queries.access import Viewer, with_right
from league.standings.adjustment.models import Penalty, SetOrder
from league.standings.ranked_game.models import Appearance
from league.standings.ranked_game.queries.gameline import with_event_name
from league.standings.ranked_game.queries.provisional import is_provisional
from league.standings.ranked_game.queries.ranked import has_seat_in
from league.standings.ranking.queries.board import Board, owners, read_along
from league.standings.season.models import AllTime, Season, Visibility

seasons_shown_to: Final = Hook[[Account], QuerySet[Any]]()
"""The row ids of further seasons that an account may see, such as those where it helps."""
cases_shown_to: Final = Hook[[Account], Q]()
"""Conditions for the games whose cases an account rules on from outside; it needn't be able to see
their seasons."""


def visible_seasons(viewer: Viewer) -> QuerySet[Season]:
    """Return the seasons that the viewer may see: public ones, those whose link was followed, those
    of the viewer's clubs, and those where the viewer helps (`seasons_shown_to`)."""
    return Season.objects.filter(seen_seasons(viewer))


def visible_rankings(viewer: Viewer) -> QuerySet[Season, Any]:
    """Return the ranking ids of the seasons that the viewer may see."""
    return visible_seasons(viewer).values("ranking")


def seen_seasons(viewer: Viewer, season: str = "") -> Q:
    """Return the condition for seasons that the viewer may see. `season`: the lookup path from the
    filtered rows to their season, with `__` at its end; empty if they are seasons."""
    user = viewer.user
    if user.is_authenticated and user.is_superuser:
        return ~Q(pk__in=[])  # an empty Q would vanish in an “or”
    is_visible = Q((f"{season}visibility", Visibility.PUBLIC))
    if viewer.keys:
        has_link = Q((f"{season}link_token__in", viewer.keys))
        is_visible |= Q((f"{season}visibility", Visibility.LINK)) & has_link
    if user.is_authenticated:
        own_clubs = Membership.objects.filter(user=user.pk).values("club")
        is_visible |= Q((f"{season}club__in", own_clubs))
        for seasons in seasons_shown_to(user):
            is_visible |= Q((f"{season}pk__in", seasons))
    return is_visible


def season_for(viewer: Viewer, club_slug: str, slug: str) -> Season:
    """Return a season with its club and ranking. One query. Raise `Season.DoesNotExist`."""
    return (
        visible_seasons(viewer)
        .select_related("club", "ranking")
        .get(club__slug=club_slug, slug=slug)
    )


def season_for_organiser(viewer: Viewer, club_slug: str, slug: str) -> Season:
    """Return a season with its club and ranking, for organisers of the club. Raise
    `ObjectDoesNotExist` otherwise."""
    return with_right(viewer, season_for(viewer, club_slug, slug), "league.manage_club", "club")


def season_for_scorer(viewer: Viewer, club_slug: str, slug: str) -> Season:
    """Return a season with its club and ranking, for members who may enter games. Raise
    `ObjectDoesNotExist` otherwise."""
    return with_right(viewer, season_for(viewer, club_slug, slug), "league.enter_games", "club")


def board_for(viewer: Viewer, club_slug: str, slug: str) -> Board:
    """Return a club's ranking with its owner: a season, by slug, or the club's all-time ranking.

    One query, and one more while jobs work on it. Raise `ObjectDoesNotExist`."""
    if slug == AllTime.SLUG:
        all_time = owners(AllTime.objects.all()).get(club__slug=club_slug)
        return Board.of(all_time, all_time)
    season = owners(visible_seasons(viewer)).get(club__slug=club_slug, slug=slug)
    return Board.of(season, season)


def board_for_arbiter(viewer: Viewer, club_slug: str, slug: str) -> Board:
    """Return a ranking with its owner, for the arbiters and organisers of its club. Raise
    `ObjectDoesNotExist` otherwise."""
    return with_right(viewer, board_for(viewer, club_slug, slug), "league.compare_styles", "club")


def player_for(viewer: Viewer, player: str) -> Player:
    """Return a player by public id, with the club, the account and the player into whom they were
    merged, if one of the two has a game in a season that the viewer may see. Raise
    `Player.DoesNotExist` otherwise."""
    return (
        visible_players(viewer).select_related("club", "merged_into", "user").get(public_id=player)
    )


def players_with_page(viewer: Viewer, players: Collection[str]) -> set[str]:
    """Return those of these public ids whose players have a game in a season that the viewer may
    see: without one, a player has no page. One query."""
    return set(
        visible_players(viewer).filter(public_id__in=players).values_list("public_id", flat=True)
    )


def visible_players(viewer: Viewer) -> QuerySet[Player]:
    """Return the players with a game in a season that the viewer may see, and those merged into
    such players."""
    return Player.objects.filter(has_seat_in(visible_rankings(viewer), "pk", "merged_into"))


def boards_of_player(viewer: Viewer, player: Player) -> list[Board]:
    """Return the rankings of the visible seasons with a game in which the player sat, or a seat
    that counts for them. One query, and one more for each ranking on which jobs work."""
    seats = Appearance.objects.filter(ranking=OuterRef("ranking"))
    seasons = visible_seasons(viewer).filter(
        Exists(seats.filter(player=player)) | Exists(seats.filter(counts_for=player))
    )
    return [Board.of(season, season) for season in owners(seasons).order_by("pk")]


def game_for(viewer: Viewer, game: str) -> Game:
    """Return a game by public id, with its season, club and ranking (`game.season_game.season`),
    the account that entered it, and `is_provisional`. Raise `Game.DoesNotExist`."""
    return visible_games(viewer).get(public_id=game)


def game_of_case_for(viewer: Viewer, game: str) -> Game:
    """Return a game by public id if the viewer may see its season, or rules on its case from
    outside the club; loaded as by `game_for`.

    Use it only for pages about the case, and check a right on the game, too. Raise
    `Game.DoesNotExist`."""
    is_shown = seen_seasons(viewer, "season_game__season__")
    for cases in cases_shown_to(viewer.user):
        is_shown |= cases
    return known_games().filter(is_shown).get(public_id=game)


def sees_game(viewer: Viewer, game: Game) -> bool:
    """Return True if the viewer may see the game itself, not only its case. One query."""
    seen = Game.objects.filter(seen_seasons(viewer, "season_game__season__"), pk=game.pk)
    return seen.exists()


class GameOnBoard(NamedTuple):
    """A game with the board of its season; whether a correction replaces it, whether it was ever
    void or adjusted by an arbiter, and whether its result is, or ever was, provisional."""

    game: Game
    board: Board
    is_replaced: bool
    was_void: bool
    was_adjusted: bool
    is_provisional: bool
    was_provisional: bool


def game_on_board(viewer: Viewer, game: str) -> GameOnBoard:
    """Return a game with its board. One query, and one more while jobs work on the ranking. Raise
    `Game.DoesNotExist`."""
    replaced = Exists(Game.objects.filter(replaces=OuterRef("pk")))
    void = Exists(Void.objects.filter(game=OuterRef("pk")))
    has_penalty = Exists(Penalty.objects.filter(game=OuterRef("pk")))
    has_order = Exists(SetOrder.objects.filter(game=OuterRef("pk")))
    marks = {
        "is_replaced": replaced,
        "was_void": void,
        "was_adjusted": Q(has_penalty) | Q(has_order),
        "was_provisional": is_provisional(ever=True),
    }
    row: Any = read_along(visible_games(viewer), Season).annotate(**marks).get(public_id=game)
    return GameOnBoard(
        game=row,
        board=Board.of(row.season_game.season, row),
        is_replaced=row.is_replaced,
        was_void=row.was_void,
        was_adjusted=row.was_adjusted,
        is_provisional=row.is_provisional,
        was_provisional=row.was_provisional,
    )


def visible_games(viewer: Viewer) -> QuerySet[Game]:
    """Return the games of seasons that the viewer may see, with all that loaders read along."""
    return known_games().filter(seen_seasons(viewer, "season_game__season__"))


def known_games() -> QuerySet[Game]:
    """Return all games with season, club, ranking, the account that entered them, the name of the
    event and `is_provisional`. A loader that uses them has to check rights itself."""
    season = "season_game__season"
    games = Game.objects.select_related(
        f"{season}__club", f"{season}__ranking", "entered_by", "sealed_sheet__sheet__open_game"
    )
    named = with_event_name(games, f"{season}__club__events", "event")
    return named.annotate(is_provisional=is_provisional())
