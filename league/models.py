"""The models of all areas, where Django looks for them."""

from league.clubs.models import ApiToken, Club, IdempotencyKey, Membership, Player, Role, User
from league.imports.models import ImportJob
from league.rankings.models import (
    Appearance,
    Rating,
    RatingChange,
    Scoring,
    Season,
    SeasonGame,
    Standing,
    Style,
    TieBreak,
    Visibility,
)

__all__ = [
    "ApiToken",
    "Appearance",
    "Club",
    "IdempotencyKey",
    "ImportJob",
    "Membership",
    "Player",
    "Rating",
    "RatingChange",
    "Role",
    "Scoring",
    "Season",
    "SeasonGame",
    "Standing",
    "Style",
    "TieBreak",
    "User",
    "Visibility",
]
