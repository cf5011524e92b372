"""Addresses in the API's answers. Written out: `reverse` for each row would cost more than reading the row."""

ROOT = "/api/v1"


def club_link(club: str) -> str:
    """A club, by its slug."""
    return f"{ROOT}/clubs/{club}/"


def season_link(club: str, season: str) -> str:
    """A season, by its club's slug and its own."""
    return f"{ROOT}/clubs/{club}/seasons/{season}/"


def player_link(player_id: int) -> str:
    """A player."""
    return f"{ROOT}/players/{player_id}/"


def game_link(game_id: int) -> str:
    """A game."""
    return f"{ROOT}/games/{game_id}/"
