"""The models of all areas, where Django looks for them."""

from league.clubs.models import ApiKey, Club, Handle, IdempotencyKey, Invitation, Letter, Membership, Player, Role, User
from league.imports.models import ImportJob
from league.log.models import Action, LogEntry, LogHead, Reader, SetAside
from league.rankings.models import (
    SCORINGS,
    AllTime,
    Appearance,
    Audit,
    GameStyle,
    RankedGame,
    Ranking,
    Rating,
    Scoring,
    Season,
    SeasonGame,
    Standing,
    Style,
    TieBreak,
    Visibility,
)
from league.up.models import Part

__all__ = [
    "SCORINGS",
    "Action",
    "AllTime",
    "ApiKey",
    "Appearance",
    "Audit",
    "Club",
    "GameStyle",
    "Handle",
    "IdempotencyKey",
    "ImportJob",
    "Invitation",
    "Letter",
    "LogEntry",
    "LogHead",
    "Membership",
    "Part",
    "Player",
    "RankedGame",
    "Ranking",
    "Rating",
    "Reader",
    "Role",
    "Scoring",
    "Season",
    "SeasonGame",
    "SetAside",
    "Standing",
    "Style",
    "TieBreak",
    "User",
    "Visibility",
]
