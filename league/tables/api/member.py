"""Somebody in a stage, as answers name them."""

from __future__ import annotations

from typing import Any

from league.clubs.api.player import named
from league.tables.domain.stage import Member


def member_json(member: Member) -> dict[str, Any]:
    """Somebody in a stage as it is sent."""
    return {"entry": member.id, "player": named(member.player, member.handle, member.name)}
