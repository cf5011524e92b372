"""People, clubs, seasons, and what the games make of them."""

from league.models.club import Club, Membership, Role
from league.models.importjob import ImportJob
from league.models.player import Player
from league.models.rating import Rating, RatingChange
from league.models.season import Scoring, Season, TieBreak, Visibility
from league.models.seasongame import Appearance, SeasonGame
from league.models.standing import Standing
from league.models.style import Style
from league.models.token import ApiToken, IdempotencyKey
from league.models.user import User

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
