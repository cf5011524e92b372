"""The loaders: views get rankings, seasons, players and games only from here, and only what the
viewer may see.

What may not be seen is answered as if it didn't exist.
"""

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
from league.standings.ranked_game.queries.ranked import seated
from league.standings.ranking.queries.board import Board, owners, read_along
from league.standings.season.models import AllTime, Season, Visibility

seasons_shown_to: Final = Hook[[Account], QuerySet[Any]]()
"""The row ids of further seasons that an account sees, such as those where it helps."""
cases_shown_to: Final = Hook[[Account], Q]()
"""Conditions of the games on whose cases an account rules from outside: it may see none of their
seasons."""


def visible_seasons(viewer: Viewer) -> QuerySet[Season]:
    """Seasons that the viewer may see: public ones, those whose link was followed, those of the own
    clubs, and those where the viewer helps (`seasons_shown_to`)."""
    return Season.objects.filter(seen_seasons(viewer))


def visible_rankings(viewer: Viewer) -> QuerySet[Season, Any]:
    """The rankings, as rows of their ids, of the seasons that the viewer may see."""
    return visible_seasons(viewer).values("ranking")


def seen_seasons(viewer: Viewer, season: str = "") -> Q:
    """The condition that holds of a season that the viewer may see. `season`: the way to it from
    the rows that are filtered, with `__` at its end."""
    user = viewer.user
    if user.is_authenticated and user.is_superuser:
        return ~Q(pk__in=[])  # an empty Q would vanish in an “or”
    is_visible = Q((f"{season}visibility", Visibility.PUBLIC))
    if viewer.keys:
        is_visible |= Q(
            (f"{season}visibility", Visibility.LINK), (f"{season}link_token__in", viewer.keys)
        )
    if user.is_authenticated:
        is_visible |= Q(
            (f"{season}club__in", Membership.objects.filter(user=user.pk).values("club"))
        )
        for seasons in seasons_shown_to(user):
            is_visible |= Q((f"{season}pk__in", seasons))
    return is_visible


def season_for(viewer: Viewer, club_slug: str, slug: str) -> Season:
    """A season with its club and ranking, in one query. Raises `Season.DoesNotExist`."""
    return (
        visible_seasons(viewer)
        .select_related("club", "ranking")
        .get(club__slug=club_slug, slug=slug)
    )


def season_for_organiser(viewer: Viewer, club_slug: str, slug: str) -> Season:
    """A season with its club and ranking, for organisers of the club. Raises
    `ObjectDoesNotExist`."""
    return with_right(viewer, season_for(viewer, club_slug, slug), "league.manage_club", "club")


def season_for_scorer(viewer: Viewer, club_slug: str, slug: str) -> Season:
    """A season with its club and ranking, for those who may enter games of the club. Raises
    `ObjectDoesNotExist`."""
    return with_right(viewer, season_for(viewer, club_slug, slug), "league.enter_games", "club")


def board_for(viewer: Viewer, club_slug: str, slug: str) -> Board:
    """A club's ranking with whose it is: that of a season, by its slug, or the one over all public
    seasons.

    One query, and one more while jobs work on it. Raises `ObjectDoesNotExist`.
    """
    if slug == AllTime.SLUG:
        all_time = owners(AllTime.objects.all()).get(club__slug=club_slug)
        return Board.of(all_time, all_time)
    season = owners(visible_seasons(viewer)).get(club__slug=club_slug, slug=slug)
    return Board.of(season, season)


def board_for_arbiter(viewer: Viewer, club_slug: str, slug: str) -> Board:
    """A ranking with whose it is, for the arbiters and organisers of its club. Raises
    `ObjectDoesNotExist`."""
    return with_right(viewer, board_for(viewer, club_slug, slug), "league.compare_styles", "club")


def player_for(viewer: Viewer, player: str) -> Player:
    """A player by the public id, with the club and the account, if a season the viewer may see
    knows the player, or the one whom this player was merged into (`merged_into`). Raises
    `Player.DoesNotExist`."""
    return (
        visible_players(viewer).select_related("club", "merged_into", "user").get(public_id=player)
    )


def players_with_page(viewer: Viewer, players: Collection[str]) -> set[str]:
    """Of these players, by their public ids, those whom `player_for` gives: who hasn't sat in a
    game has no page yet. One query."""
    return set(
        visible_players(viewer).filter(public_id__in=players).values_list("public_id", flat=True)
    )


def visible_players(viewer: Viewer) -> QuerySet[Player]:
    """The players whom a season knows that the viewer may see, and those who were merged into
    such."""
    return Player.objects.filter(seated(visible_rankings(viewer), "pk", "merged_into"))


def boards_of_player(viewer: Viewer, player: Player) -> list[Board]:
    """The rankings of those seasons that the viewer may see in which the player sat in a game, or
    somebody for the player. One query, and one more for each on which jobs work."""
    seats = Appearance.objects.filter(ranking=OuterRef("ranking"))
    seasons = visible_seasons(viewer).filter(
        Exists(seats.filter(player=player)) | Exists(seats.filter(counts_for=player))
    )
    return [Board.of(season, season) for season in owners(seasons).order_by("pk")]


def game_for(viewer: Viewer, game: str) -> Game:
    """A game by the public id, with its season, club and ranking (`game.season_game.season`), who
    entered it, and whether its result `is_provisional`. Raises `Game.DoesNotExist`."""
    return visible_games(viewer).get(public_id=game)


def game_of_case_for(viewer: Viewer, game: str) -> Game:
    """Return a game by the public id as `game_for` does, and also to somebody who rules on its case
    from outside.

    It is for what belongs to a case alone. Check a right in the game, too. Raises
    `Game.DoesNotExist`."""
    is_shown = seen_seasons(viewer, "season_game__season__")
    for cases in cases_shown_to(viewer.user):
        is_shown |= cases
    return known_games().filter(is_shown).get(public_id=game)


def sees_game(viewer: Viewer, game: Game) -> bool:
    """Return True for somebody who sees more of a game than its case. One query."""
    seen = Game.objects.filter(seen_seasons(viewer, "season_game__season__"), pk=game.pk)
    return seen.exists()


class GameOnBoard(NamedTuple):
    """A game as from `game_for`, the board of its season, whether a correction replaces the game,
    whether it was ever void, whether an arbiter ever adjusted it, whether its result is
    provisional, and whether it was so ever."""

    game: Game
    board: Board
    is_replaced: bool
    was_void: bool
    was_adjusted: bool
    is_provisional: bool
    was_provisional: bool


def game_on_board(viewer: Viewer, game: str) -> GameOnBoard:
    """A game with its board. One query, and one more while jobs work on the ranking. Raises
    `Game.DoesNotExist`."""
    replaced = Exists(Game.objects.filter(replaces=OuterRef("pk")))
    void = Exists(Void.objects.filter(game=OuterRef("pk")))
    fined = Exists(Penalty.objects.filter(game=OuterRef("pk")))
    ordered = Exists(SetOrder.objects.filter(game=OuterRef("pk")))
    marks = {
        "is_replaced": replaced,
        "was_void": void,
        "was_adjusted": Q(fined) | Q(ordered),
        "was_provisional": is_provisional(ever=True),
    }
    row: Any = read_along(visible_games(viewer), Season).annotate(**marks).get(public_id=game)
    names = (*marks, "is_provisional")
    return GameOnBoard(
        row, Board.of(row.season_game.season, row), **{name: getattr(row, name) for name in names}
    )


def visible_games(viewer: Viewer) -> QuerySet[Game]:
    """Games of seasons that the viewer may see, with all that `game_for` tells of."""
    return known_games().filter(seen_seasons(viewer, "season_game__season__"))


def known_games() -> QuerySet[Game]:
    """All games with what `game_for` tells of them, for loaders that have another reason to show
    one."""
    season = "season_game__season"
    games = Game.objects.select_related(
        f"{season}__club", f"{season}__ranking", "entered_by", "sealed_sheet__sheet__open_game"
    )
    named = with_event_name(games, f"{season}__club__events", "event")
    return named.annotate(is_provisional=is_provisional())
