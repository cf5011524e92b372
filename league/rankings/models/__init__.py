"""Seasons, and what the games make of them."""

from league.rankings.models.rating import Rating, RatingChange
from league.rankings.models.season import Scoring, Season, TieBreak, Visibility
from league.rankings.models.seasongame import Appearance, SeasonGame
from league.rankings.models.standing import Standing
from league.rankings.models.style import Style

__all__ = [
    "Appearance",
    "Rating",
    "RatingChange",
    "Scoring",
    "Season",
    "SeasonGame",
    "Standing",
    "Style",
    "TieBreak",
    "Visibility",
]
