"""Clubs and the people in them."""

from league.clubs.models.account import User
from league.clubs.models.club import Club, Membership, Role
from league.clubs.models.key import ApiToken, IdempotencyKey
from league.clubs.models.player import Player

__all__ = ["ApiToken", "Club", "IdempotencyKey", "Membership", "Player", "Role", "User"]
