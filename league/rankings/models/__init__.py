"""Seasons and rankings, and what the games make of them."""

from league.rankings.models.game import Appearance, RankedGame
from league.rankings.models.ranking import Ranking, Scoring, TieBreak
from league.rankings.models.rating import Rating, RatingChange
from league.rankings.models.standing import Standing
from league.rankings.models.style import GameStyle, Style

__all__ = [
    "Appearance",
    "GameStyle",
    "RankedGame",
    "Ranking",
    "Rating",
    "RatingChange",
    "Scoring",
    "Standing",
    "Style",
    "TieBreak",
]
