"""Clubs and the people in them."""

from league.clubs.models.account import User
from league.clubs.models.club import Club, Membership, Role
from league.clubs.models.invitation import Invitation
from league.clubs.models.key import ApiKey, IdempotencyKey
from league.clubs.models.letter import Letter
from league.clubs.models.player import Handle, Player, PlayerOpenSeat, PlayerSeat
from league.clubs.models.preference import NoticePreference, NoticeTopic
from league.clubs.models.subscription import PushSubscription

__all__ = [
    "ApiKey",
    "Club",
    "Handle",
    "IdempotencyKey",
    "Invitation",
    "Letter",
    "Membership",
    "NoticePreference",
    "NoticeTopic",
    "Player",
    "PlayerOpenSeat",
    "PlayerSeat",
    "PushSubscription",
    "Role",
    "User",
]
